// What our own code uses of node:crypto, where there is no Node. At once, unlike what the web offers, which gives its result only
// later. test/runtime/worker/worker-node.test.ts holds it to what Node computes, so that replicas of both kinds open each other's states.
import { gcm } from '@noble/ciphers/aes.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { Buffer } from './bytes.js';

type Encoding = 'hex' | 'base64' | 'base64url';

export function randomBytes(size: number): Buffer {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(size)));
}

export function randomUUID(): string {
  return crypto.randomUUID();
}

export function createHash(algorithm: string): Hash {
  if (algorithm !== 'sha256') throw new Error(`there is no ${algorithm} here`);
  return new Hash();
}

export function hash(algorithm: string, data: string | Uint8Array, encoding: Encoding = 'hex'): string {
  return createHash(algorithm).update(data).digest(encoding);
}

class Hash {
  readonly #hash = sha256.create();

  update(data: string | Uint8Array): this {
    this.#hash.update(typeof data === 'string' ? Buffer.from(data) : data);
    return this;
  }

  digest(): Buffer;
  digest(encoding: Encoding): string;
  digest(encoding?: Encoding): Buffer | string {
    const digest = Buffer.from(this.#hash.digest());
    return encoding === undefined ? digest : digest.toString(encoding);
  }
}

/** Both have the same length. */
export function timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  a.forEach((byte, index) => {
    difference |= byte ^ (b[index] ?? 0);
  });
  return difference === 0;
}

export function createCipheriv(_: 'aes-256-gcm', key: Uint8Array, nonce: Uint8Array): Cipher {
  return new Cipher(key, nonce, 'encrypt');
}

export function createDecipheriv(_: 'aes-256-gcm', key: Uint8Array, nonce: Uint8Array): Cipher {
  return new Cipher(key, nonce, 'decrypt');
}

const tagBytes = 16;

class Cipher {
  #about: Uint8Array = Buffer.alloc(0);
  #tag: Uint8Array = Buffer.alloc(0);
  #data: Buffer = Buffer.alloc(0);

  constructor(
    readonly key: Uint8Array,
    readonly nonce: Uint8Array,
    readonly way: 'encrypt' | 'decrypt',
  ) {}

  setAAD(about: Uint8Array): this {
    this.#about = about;
    return this;
  }

  setAuthTag(tag: Uint8Array): this {
    this.#tag = tag;
    return this;
  }

  getAuthTag(): Uint8Array {
    return this.#tag;
  }

  /** Nothing comes out before the end. */
  update(data: Uint8Array): Buffer {
    this.#data = Buffer.concat([this.#data, data]);
    return Buffer.alloc(0);
  }

  final(): Buffer {
    const cipher = gcm(this.key, this.nonce, this.#about);
    if (this.way === 'encrypt') {
      const sealed = Buffer.from(cipher.encrypt(this.#data));
      this.#tag = sealed.subarray(-tagBytes);
      return sealed.subarray(0, -tagBytes);
    }
    try {
      if (this.#tag.length !== tagBytes) throw new Error('the tag has another length');
      return Buffer.from(cipher.decrypt(Buffer.concat([this.#data, this.#tag])));
    } catch (cause) {
      throw new Error('the data were changed', { cause });
    }
  }
}
