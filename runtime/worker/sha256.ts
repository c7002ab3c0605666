// In: bytes. Out: their SHA-256, at once: what the web offers gives it only later, and calls cannot wait there.

const k = makeConstants(64, 1 / 3);
const start = makeConstants(8, 1 / 2);

export function sha256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(((bytes.length + 8) >> 6) * 64 + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x2000_0000));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const state = Uint32Array.from(start);
  const w = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) mix(state, view, at, w);
  const digest = new DataView(new ArrayBuffer(32));
  for (const [index, value] of state.entries()) digest.setUint32(index * 4, value);
  return new Uint8Array(digest.buffer);
}

function mix(state: Uint32Array, view: DataView, at: number, w: Uint32Array): void {
  for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(at + i * 4);
  for (let i = 16; i < 64; i += 1) {
    const [x, y] = [word(w, i - 15), word(w, i - 2)];
    const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    w[i] = word(w, i - 16) + s0 + word(w, i - 7) + s1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as Eight;
  for (let i = 0; i < 64; i += 1) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + word(k, i) + word(w, i)) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => {
    state[index] = word(state, index) + value;
  });
}

type Eight = [number, number, number, number, number, number, number, number];

function turn(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by));
}

function word(list: Uint32Array, index: number): number {
  return list[index] as number;
}

/** The first bits behind the point of roots of primes, as the standard makes them. */
function makeConstants(count: number, power: number): Uint32Array {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1) {
    if (primes.every(prime => candidate % prime !== 0)) primes.push(candidate);
  }
  return Uint32Array.from(primes, prime => (prime ** power % 1) * 2 ** 32);
}
