import { describe, expect, it } from 'vitest';
import { ById } from '../../../runtime/call/by-id.js';

describe('values by id', () => {
  it('B4 a table by id keeps what a map keeps, whatever the ids are', () => {
    const table = new ById<string | number, number>();
    const map = new Map<string | number, number>();
    const ids = [0, -0, 1, -1, 256, 512, 257, -255, 2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER, '0', '1', ''];
    let seed = 1;
    const next = (below: number): number => {
      seed = (seed * 48271) % 2147483647;
      return seed % below;
    };
    for (let step = 0; step < 5000; step += 1) {
      const id = ids[next(ids.length)] ?? 0;
      if (step % 1000 === 999) {
        table.clear();
        map.clear();
      } else if (next(2) === 0) {
        table.set(id, step);
        map.set(id, step);
      } else {
        table.delete(id);
        map.delete(id);
      }
      expect(ids.map(one => table.get(one))).toEqual(ids.map(one => map.get(one)));
      expect(table.size).toBe(map.size);
      expect(new Set(table.keys())).toEqual(new Set(map.keys()));
    }
  });
});
