// A small seeded source of chance, so that a failing case can be run again.

export interface Random {
  /** True in this share of all cases: 0.25 is one of four. */
  chance(share: number): boolean;
  /** A whole number from 0 to `limit - 1`. */
  below(limit: number): number;
  pick<T>(list: readonly [T, ...T[]]): T;
  pick<T>(list: readonly T[]): T | undefined;
}

/** Mulberry32. */
export function makeRandom(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { chance: share => next() < share, below, pick: <T>(list: readonly T[]) => list[below(list.length)] as T };
}
