// Thousands of mutated packs, in memory and from seeds: whatever an author writes, every rule of test/fuzz/violations holds.
import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { kinds } from '../../../schema/definitions.js';
import { amount, seedOr } from '../../harness/amount.js';
import { makeRandom, type Random } from '../../harness/random.js';
import { mutateData } from './mutate-data.js';
import { mutateText } from './mutate-text.js';
import { type PackFiles, readSeedPacks } from './seed-packs.js';
import { findViolations } from './violations.js';

const seeds = readSeedPacks();
const texts = seeds.flatMap(files => Object.values(files));
const ajv = new Ajv({ strict: false, validateFormats: false });
const schemas = new Map<string, ValidateFunction>(
  kinds.map(kind => {
    const text = readFileSync(new URL(`../../../schema/${kind}.schema.json`, import.meta.url), 'utf8');
    return [kind, ajv.compile(JSON.parse(text))];
  }),
);

function fitsSchema(kind: string, definition: unknown): boolean {
  return schemas.get(kind)?.(definition) === true;
}

/** One case that fails is shown whole: the seed, what does not hold, and the files that were changed. */
async function run(seed: number, makeCase: (random: Random, files: PackFiles) => PackFiles): Promise<void> {
  const random = makeRandom(seed);
  const files = dropSome(random.pick(seeds) ?? {}, random);
  const mutated = makeCase(random, files);
  let violations: readonly string[];
  try {
    violations = await findViolations(mutated, fitsSchema);
  } catch (error) {
    violations = [error instanceof Error ? String(error.stack) : String(error)];
  }
  const changed = Object.fromEntries(Object.entries(mutated).filter(([path, text]) => files[path] !== text));
  expect({ seed, violations, ...(violations.length > 0 ? { changed } : {}) }).toEqual({ seed, violations: [] });
}

/** Fewer files are faster, and what refers to the others then leads nowhere. */
function dropSome(files: PackFiles, random: Random): PackFiles {
  return Object.fromEntries(
    Object.entries(files).filter(([path]) => path === 'toolwright.yaml' || random.below(2) === 0),
  );
}

function changeSome(files: PackFiles, random: Random, change: (path: string, text: string) => string): PackFiles {
  const paths = Object.keys(files);
  const chosen = new Set(Array.from({ length: 1 + random.below(3) }, () => random.pick(paths)));
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, chosen.has(path) ? change(path, text) : text]),
  );
}

function changeData(path: string, text: string, random: Random): string {
  if (path.endsWith('.md')) return mutateText(text, random, texts);
  let value: unknown;
  try {
    value = parse(text, { logLevel: 'silent', maxAliasCount: 1000 });
  } catch {
    return mutateText(text, random, texts);
  }
  const mutated = mutateData(value, random);
  return path.endsWith('.json') ? JSON.stringify(mutated, null, random.below(3)) : stringify(mutated);
}

/** Each group is one test, so that a failure names its seed early. */
const groups = Array.from({ length: 10 }, (_, group) => group);
const casesPerGroup = amount(30);
const seed = seedOr(1) * 1_000_000;

describe('mutated packs', () => {
  it('the seeds themselves keep the rules', async () => {
    expect(seeds.length).toBeGreaterThan(10);
    for (const files of seeds) expect(await findViolations(files, fitsSchema)).toEqual([]);
  });

  it.each(groups)('P3 packs with damaged texts keep the rules, group %i', async group => {
    for (let index = 0; index < casesPerGroup; index += 1) {
      await run(seed + group * 10_000 + index, (random, files) =>
        changeSome(files, random, (_path, text) => mutateText(text, random, texts)),
      );
    }
  });

  it.each(groups)('W67 packs with changed data keep the rules, group %i', async group => {
    for (let index = 0; index < casesPerGroup; index += 1) {
      await run(seed + 500_000 + group * 10_000 + index, (random, files) =>
        changeSome(files, random, (path, text) => changeData(path, text, random)),
      );
    }
  });
});
