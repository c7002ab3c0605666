// Holds the sources to one of each: what stands in two places either belongs into one, or is named here with the reason.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Copy, findRepeatedRuns, findSameFunctions } from './find-copies.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Pairs of files that may say the same, and why. */
const kept: readonly { readonly files: readonly [string, string]; readonly reason: string }[] = [
  {
    files: ['bench/serve/raw-sdks.mjs', 'bench/serve/raw-sdks.mjs'],
    reason: 'two servers to measure, each written as its users would',
  },
  {
    files: ['runtime/backends/sql/sqlite-better.ts', 'runtime/backends/sql/sqlite-node.ts'],
    reason: 'the text of each function also runs alone, in another process',
  },
  {
    files: ['runtime/server/examples/judge.ts', 'runtime/surface/get-prompt.ts'],
    reason: 'keys that content may be told by, and fields that must be strings: a resource has one and not the other',
  },
  {
    files: ['schema/json-schema/keywords.ts', 'schema/scalar-types.ts'],
    reason: 'JSON Schema knows neither NaN nor Infinity as numbers; settings from YAML may be infinite',
  },
];

const sources = ['schema', 'runtime', 'generator', 'cli', 'scripts', 'bench']
  .flatMap(room => readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map(path => `${room}/${path}`))
  .map(path => path.replaceAll('\\', '/'))
  .filter(path => /(?<!\.d|\.gen)\.(?:ts|mjs)$/.test(path) && !path.includes('node_modules/'))
  .sort()
  .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }));

function filesOf({ places }: Copy): string {
  return places.map(place => place.replace(/:\d+$/, '')).join(' ~ ');
}

const allowed = new Set(kept.map(({ files }) => files.join(' ~ ')));
const found = [...findRepeatedRuns(sources, { words: 40, lines: 5 }), ...findSameFunctions(sources, 20)];

describe('copies', () => {
  it('nothing stands in two places that one could serve', () => {
    expect(sources.length).toBeGreaterThan(400);
    expect(found.filter(copy => !allowed.has(filesOf(copy)))).toEqual([]);
  });

  it('every pair that is kept still exists', () => {
    const pairs = new Set(found.map(filesOf));
    expect([...allowed].filter(pair => !pairs.has(pair))).toEqual([]);
  });

  it('a copy is found under other names, and where lines are broken otherwise', () => {
    const one =
      'export function sum(list: readonly number[]): number {\n  let total = 0;\n  for (const each of list) total += each;\n  return total;\n}\n';
    const other =
      'function add(all: number[]) { let result = 0; for (const one of all)\n result += one;\n return result; }';
    const texts = [
      { path: 'a.ts', text: one },
      { path: 'b.ts', text: `// Another.\n${other}` },
    ];
    expect(findSameFunctions(texts, 20).map(({ places }) => places)).toEqual([['a.ts:1', 'b.ts:2']]);
    const runs = findRepeatedRuns([...texts, { path: 'c.ts', text: `\n${one}` }], { words: 20, lines: 4 });
    expect(runs.map(({ places }) => places)).toEqual([['a.ts:1', 'c.ts:2']]);
  });
});
