// AES-256-GCM, at once: what the web offers gives its result only later. For states of questions alone, which are short; Node
// uses its own. test/worker-node.test.ts holds it to what Node computes, so that replicas of both kinds open each other's states.

const blockBytes = 16;
const { box, double } = makeTables();

export interface Sealed {
  readonly body: Uint8Array;
  readonly tag: Uint8Array;
}

interface Input {
  readonly key: Uint8Array;
  /** 12 bytes, never used twice with one key. */
  readonly nonce: Uint8Array;
  /** What the tag proves besides. */
  readonly about: Uint8Array;
}

export function encrypt(plain: Uint8Array, { key, nonce, about }: Input): Sealed {
  const round = expand(key);
  const body = count(plain, round, nonce);
  return { body, tag: tagOf(body, about, round, nonce) };
}

/** Undefined where the tag is not that of the rest. */
export function decrypt({ body, tag }: Sealed, { key, nonce, about }: Input): Uint8Array | undefined {
  const round = expand(key);
  const wanted = tagOf(body, about, round, nonce);
  let difference = wanted.length ^ tag.length;
  wanted.forEach((byte, index) => {
    difference |= byte ^ (tag[index] ?? 0);
  });
  return difference === 0 ? count(body, round, nonce) : undefined;
}

/** Counter mode: the same both ways. */
function count(bytes: Uint8Array, round: Uint8Array, nonce: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += blockBytes) {
    const stream = encryptBlock(counterBlock(nonce, 2 + at / blockBytes), round);
    for (let i = at; i < Math.min(at + blockBytes, bytes.length); i += 1)
      out[i] = byte(bytes, i) ^ byte(stream, i - at);
  }
  return out;
}

function counterBlock(nonce: Uint8Array, value: number): Uint8Array {
  const block = new Uint8Array(blockBytes);
  block.set(nonce);
  new DataView(block.buffer).setUint32(12, value);
  return block;
}

function tagOf(body: Uint8Array, about: Uint8Array, round: Uint8Array, nonce: Uint8Array): Uint8Array {
  const lengths = new DataView(new ArrayBuffer(blockBytes));
  lengths.setUint32(4, about.length * 8);
  lengths.setUint32(12, body.length * 8);
  const h = wordsOf(encryptBlock(new Uint8Array(blockBytes), round), 0);
  const sum: Words = [0, 0, 0, 0];
  for (const part of [about, body, new Uint8Array(lengths.buffer)]) {
    for (let at = 0; at < part.length; at += blockBytes) {
      const next = wordsOf(part, at);
      for (let i = 0; i < 4; i += 1) sum[i as 0] ^= next[i as 0];
      multiply(sum, h);
    }
  }
  const mask = encryptBlock(counterBlock(nonce, 1), round);
  const tag = new DataView(new ArrayBuffer(blockBytes));
  const masks = wordsOf(mask, 0);
  for (const [index, value] of sum.entries()) tag.setUint32(index * 4, value ^ masks[index as 0]);
  return new Uint8Array(tag.buffer);
}

type Words = [number, number, number, number];

function wordsOf(bytes: Uint8Array, at: number): Words {
  const at4 = (i: number): number =>
    ((bytes[at + i] ?? 0) << 24) |
    ((bytes[at + i + 1] ?? 0) << 16) |
    ((bytes[at + i + 2] ?? 0) << 8) |
    (bytes[at + i + 3] ?? 0);
  return [at4(0), at4(4), at4(8), at4(12)];
}

/** In the field of GCM, in place: sum = sum * h. The same steps whatever the bits are. */
function multiply(sum: Words, h: Words): void {
  const z: Words = [0, 0, 0, 0];
  let [a, b, c, d] = h;
  for (let i = 0; i < 128; i += 1) {
    const bit = -(((sum[(i >> 5) as 0] as number) >>> (31 - (i & 31))) & 1);
    z[0] ^= a & bit;
    z[1] ^= b & bit;
    z[2] ^= c & bit;
    z[3] ^= d & bit;
    const carry = -(d & 1) & 0xe1000000;
    [d, c, b, a] = [(d >>> 1) | (c << 31), (c >>> 1) | (b << 31), (b >>> 1) | (a << 31), (a >>> 1) ^ carry];
  }
  [sum[0], sum[1], sum[2], sum[3]] = z;
}

function encryptBlock(block: Uint8Array, round: Uint8Array): Uint8Array {
  let state = Uint8Array.from(block, (value, i) => value ^ byte(round, i));
  for (let turn = 1; turn <= 14; turn += 1) {
    const shifted = new Uint8Array(blockBytes);
    for (let i = 0; i < blockBytes; i += 1) shifted[i] = byte(box, byte(state, (i + (i % 4) * 4) % blockBytes));
    state = turn === 14 ? shifted : mixColumns(shifted);
    for (let i = 0; i < blockBytes; i += 1) state[i] = byte(state, i) ^ byte(round, turn * blockBytes + i);
  }
  return state;
}

function mixColumns(state: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(blockBytes);
  for (let column = 0; column < blockBytes; column += 4) {
    const all = byte(state, column) ^ byte(state, column + 1) ^ byte(state, column + 2) ^ byte(state, column + 3);
    for (let i = 0; i < 4; i += 1) {
      const own = byte(state, column + i);
      out[column + i] = own ^ all ^ byte(double, own ^ byte(state, column + ((i + 1) % 4)));
    }
  }
  return out;
}

/** The 15 round keys of AES-256, one after the other. */
function expand(key: Uint8Array): Uint8Array {
  const out = new Uint8Array(15 * blockBytes);
  out.set(key);
  let constant = 1;
  for (let at = 32; at < out.length; at += 4) {
    let last = [...out.subarray(at - 4, at)];
    if (at % 32 === 0) {
      last = [...last.slice(1), ...last.slice(0, 1)].map(value => byte(box, value));
      last[0] = (last[0] ?? 0) ^ constant;
      constant = byte(double, constant);
    } else if (at % 32 === 16) {
      last = last.map(value => byte(box, value));
    }
    last.forEach((value, i) => {
      out[at + i] = byte(out, at + i - 32) ^ value;
    });
  }
  return out;
}

function makeTables(): { readonly box: Uint8Array; readonly double: Uint8Array } {
  const doubles = Uint8Array.from({ length: 256 }, (_, value) => (value << 1) ^ (value & 0x80 ? 0x11b : 0));
  const powers = [1];
  for (let i = 1; i < 255; i += 1) {
    const last = powers[i - 1] ?? 0;
    powers.push(byte(doubles, last) ^ last);
  }
  const table = new Uint8Array(256);
  powers.forEach((value, i) => {
    const inverse = powers[(255 - i) % 255] ?? 0;
    table[value] = [1, 2, 3, 4].reduce((sum, by) => sum ^ ((inverse << by) | (inverse >> (8 - by))), inverse) ^ 0x63;
  });
  table[0] = 0x63;
  return { box: table, double: doubles };
}

function byte(bytes: Uint8Array, index: number): number {
  return bytes[index] as number;
}
