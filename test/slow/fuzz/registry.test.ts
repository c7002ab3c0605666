// M38: invoke and validate never throw, whatever they are given. Seeded, so that a failure can be repeated.
import { afterAll, describe, expect, it } from 'vitest';
import { createRegistry } from '../../../runtime/index.js';
import { makeRandom, type Random } from '../../harness/random.js';
import { shop, writeFolder } from '../../runtime/packs/code-packs.js';

const reports: string[] = [];
const registry = await createRegistry(writeFolder(shop), {
  env: { SHOP_TOKEN: 'a-long-secret-token' },
  report: text => void reports.push(text),
});
afterAll(() => registry.close());

const explode = (): never => {
  throw new Error('boom');
};

/** Values that break code which trusts its callers. */
const hostile: readonly (() => unknown)[] = [
  () => undefined,
  () => null,
  () => Number.NaN,
  () => Number.POSITIVE_INFINITY,
  () => -0,
  () => 10n ** 30n,
  () => Symbol('s'),
  () => Symbol.iterator,
  () => explode,
  () => class {},
  () => new Date(Number.NaN),
  () => new Map([[1, 2]]),
  () => new Uint8Array(4),
  () => new Error('an error'),
  () => Promise.resolve(1),
  () => /x/g,
  () => '\ud800',
  () => 'x'.repeat(1000),
  () => Object.create(null),
  () => Object.freeze({ query: 'x' }),
  () => JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}') as unknown,
  () => ({ toJSON: explode }),
  () => ({ toJSON: () => undefined }),
  () => ({ toJSON: () => ({ query: 'from toJSON' }) }),
  () => ({ toString: explode, valueOf: explode, [Symbol.toPrimitive]: explode }),
  () => Object.defineProperty({}, 'query', { enumerable: true, get: explode }),
  () =>
    Object.defineProperty({}, 'query', {
      enumerable: true,
      get: () => {
        throw Object.create(null);
      },
    }),
  () => new Proxy({}, { ownKeys: explode, get: explode, has: explode, getPrototypeOf: explode }),
  () => new Proxy({}, { getPrototypeOf: explode, ownKeys: () => ['query'], getOwnPropertyDescriptor: explode }),
  () => new Proxy([], { get: explode }),
  () => new Proxy(() => {}, { apply: explode, get: explode }),
  () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    return cyclic;
  },
  () => {
    const list: unknown[] = [];
    list.push(list);
    return list;
  },
];

/** The same by their size: too slow to be met thousands of times. */
const heavy: readonly (() => unknown)[] = [
  () => 'x'.repeat(1_000_000),
  () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 20_000; level++) deep = { query: deep };
    return deep;
  },
  () => {
    let deep: unknown = 1;
    for (let level = 0; level < 700; level++) deep = [deep];
    return deep;
  },
  () => new Array(100_000),
  () => `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
];

function makeArguments(random: Random, depth = 0): unknown {
  if (depth > 3 || random.chance(0.4)) return random.pick(hostile)?.();
  if (random.chance(0.3)) return Array.from({ length: random.below(4) }, () => makeArguments(random, depth + 1));
  const keys = [
    'query',
    'limit',
    'tags',
    'article',
    'count',
    'what',
    '__proto__',
    'constructor',
    '',
    'toJSON',
    'confirmed',
  ];
  const entries = Array.from({ length: random.below(5) }, () => [random.pick(keys), makeArguments(random, depth + 1)]);
  return Object.fromEntries(entries) as unknown;
}

function isResult(result: unknown): boolean {
  if (typeof result !== 'object' || result === null || !('ok' in result)) return false;
  if (result.ok === true) return true;
  const { error } = result as { error?: { message?: unknown; code?: unknown; status?: unknown } };
  return typeof error?.message === 'string' && typeof error.code === 'string' && typeof error.status === 'number';
}

const names = ['shop.find', 'order', 'fail', 'crash', 'nothing', 'progress', 'shared', 'show'] as const;

describe('hostile arguments of the registry', () => {
  it('M38 each hostile value by itself is answered, by every tool', async () => {
    for (const make of [...hostile, ...heavy]) {
      for (const name of names) {
        expect(isResult(await registry.invoke(name, make()))).toBe(true);
        expect(isResult(await registry.validate(name, make()))).toBe(true);
      }
    }
    // What is refused is the caller's mistake: it is answered, and no news for the operator.
    expect(reports.filter(text => text.includes('boom'))).toEqual([]);
  });

  it('M38 3000 seeded calls with random junk are answered, and the next good one works', async () => {
    for (let seed = 1; seed <= 3000; seed++) {
      const random = makeRandom(seed);
      const result = await registry.invoke(random.pick(names), makeArguments(random));
      if (!isResult(result)) throw new Error(`seed ${seed}: ${String(result)}`);
    }
    expect(await registry.invoke('shop.find', { query: 'lamp' })).toMatchObject({ ok: true });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('M38 junk as names and options is answered', async () => {
    for (const make of hostile) {
      const name = make() as string;
      expect(isResult(await registry.invoke(name, {}))).toBe(true);
      expect(isResult(await registry.validate(name, {}))).toBe(true);
      const options = make() as object;
      expect(isResult(await registry.invoke('nothing', {}, options))).toBe(true);
      for (const key of ['signal', 'auth', 'requestId', 'onProgress', 'onLog', 'elicit', 'sample', 'roots']) {
        expect(isResult(await registry.invoke('progress', {}, { [key]: make() }))).toBe(true);
        expect(isResult(await registry.invoke('ask', { what: 'x' }, { [key]: make() }))).toBe(true);
      }
    }
  });

  it('M38 junk as answers of callbacks is answered', async () => {
    for (const make of hostile) {
      const answer = (): never => make() as never;
      for (const options of [
        { elicit: answer },
        { elicit: () => ({ action: 'accept', content: {} }) as const, sample: answer },
        { elicit: () => ({ action: 'cancel' }) as const, roots: answer },
        { elicit: () => ({ action: 'accept', content: make() }) as never },
      ]) {
        expect(isResult(await registry.invoke('ask', { what: 'x' }, options))).toBe(true);
      }
    }
  });
});
