// Bytes that only who has the key can read and make: AES-256-GCM. In: bytes and what they belong to. Out: bytes that open for the same only.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + nonceBytes + tagBytes;

export interface SealedBox {
  close(plain: Buffer, belongs: Buffer): Buffer;
  /** Undefined: it was not closed here, or belongs to something else. */
  open(sealed: Buffer, belongs: Buffer): Buffer | undefined;
}

/** What a box adds to the bytes in it. */
export const boxBytes = headBytes;

/** One secret of an operator gives another one for each use. */
export function secretOf(use: string, key: string): Buffer {
  return createHash('sha256').update(`toolwright/${use}\0${key}`).digest();
}

export function makeBox(secret: Buffer): SealedBox {
  return {
    close(plain, belongs) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(belongs);
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, belongs) {
      if (sealed.length < headBytes || sealed[0] !== version) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', secret, nonceOf(sealed), { authTagLength: tagBytes });
      decipher.setAuthTag(sealed.subarray(1 + nonceBytes, headBytes)).setAAD(belongs);
      try {
        return Buffer.concat([decipher.update(sealed.subarray(headBytes)), decipher.final()]);
      } catch {
        return undefined;
      }
    },
  };
}

/** Another one each time. */
export function nonceOf(sealed: Buffer): Buffer {
  return sealed.subarray(1, 1 + nonceBytes);
}
