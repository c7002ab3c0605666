// Random pairs of a schema and a value: a check never takes more steps than a constant times their size, and keeping
// answers on the way changes none of them.
import { describe, expect, it } from 'vitest';
import { loadValidatorPrinter } from '../../../generator/compile/validators/print.js';
import { fits } from '../../../schema/support/fits.js';
import { makeNodes } from '../../../schema/support/nodes.js';
import type { Schema } from '../../../schema/support/rules.js';
import { outOfSteps, Steps } from '../../../schema/support/steps.js';
import type { Validator } from '../../../schema/support/validator.js';
import { makeValidator } from '../../../schema/support.js';
import { evaluate, makeDocument, makeValue, toolOf } from '../../generator/compile/validators-module.js';
import { amount, seedOr } from '../../harness/amount.js';
import { makeRandom, type Random } from '../../harness/random.js';
import { draft2020 } from '../../schema/json-schema/samples.js';
import { type Json, sizeOfSchema } from '../../schema/json-schema/tree-schemas.js';
import { makeCommonDocument, makeFitting } from './common-schemas.js';

const names = ['a', 'b', 'kids', 'kind'] as const;
const depthOfDefinitions = 5;

/** Definitions that refer to each other: down a level to any, on the same level only to later ones, so that all end. */
function makeTangle(random: Random, unusual: Json): Json {
  const below = (): unknown => ({ $ref: `#/$defs/d${random.below(depthOfDefinitions)}` });
  const beside = (index: number): unknown =>
    index + 1 < depthOfDefinitions
      ? { $ref: `#/$defs/d${index + 1 + random.below(depthOfDefinitions - index - 1)}` }
      : random.pick<unknown>([true, { type: 'object' }, { required: ['a'] }, { type: ['object', 'integer'] }]);
  const several = (make: () => unknown): unknown[] => Array.from({ length: 1 + random.below(4) }, make);
  const leaf = (): unknown =>
    random.pick<unknown>([{ type: 'integer' }, { const: 'x' }, { enum: ['x', 'y', 1] }, true]);
  const member = (): unknown => {
    if (random.chance(0.25)) return leaf();
    if (random.chance(0.15)) return { ...Object(leaf()), default: random.pick<unknown>(['x', 1, {}]) };
    if (random.chance(0.4))
      return { type: 'array', items: below(), ...(random.chance(0.3) ? { uniqueItems: true } : {}) };
    return random.chance(0.5) ? below() : { [random.pick(['anyOf', 'oneOf'])]: several(below) };
  };
  const define = (index: number): Json => {
    const made: Json = {};
    const add = (share: number, keyword: string, make: () => unknown): void => {
      if (random.chance(share)) made[keyword] = make();
    };
    add(0.5, 'type', () => random.pick<unknown>(['object', ['object', 'array'], ['object', 'integer', 'string']]));
    add(0.8, 'properties', () =>
      Object.fromEntries(names.filter(() => random.chance(0.7)).map(name => [name, member()])),
    );
    add(0.3, 'additionalProperties', () => random.pick<unknown>([false, true, below()]));
    add(0.3, 'items', below);
    add(0.2, 'required', () => [random.pick(names)]);
    for (const keyword of ['anyOf', 'oneOf', 'allOf']) add(0.3, keyword, () => several(() => beside(index)));
    for (const keyword of ['not', 'if', 'then', 'else']) add(0.12, keyword, () => beside(index));
    return { ...made, ...unusual };
  };
  const $defs = Object.fromEntries(
    Array.from({ length: depthOfDefinitions }, (_, index) => [`d${index}`, define(index)]),
  );
  return { $schema: draft2020, type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs };
}

function makeTreeValue(random: Random, depth: number): unknown {
  if (depth === 0 || random.chance(0.1)) return random.pick<unknown>(['x', 'y', 1, 2.5, null, 'z']);
  if (random.chance(0.3)) return Array.from({ length: 1 + random.below(3) }, () => makeTreeValue(random, depth - 1));
  const kept = names.filter(() => random.chance(0.5));
  return Object.fromEntries(kept.map(name => [name, makeTreeValue(random, depth - 1)]));
}

/** Long and thin, which multiplies most. */
function makeChainValue(random: Random, depth: number): unknown {
  let value: unknown = random.pick<unknown>([{}, 1, 'x', []]);
  for (let level = 0; level < depth; level += 1)
    value = random.chance(0.3)
      ? [value]
      : { [random.pick(names)]: value, ...(random.chance(0.3) ? { kind: 'x' } : {}) };
  return value;
}

const makeOne = (random: Random): unknown =>
  random.chance(0.5) ? makeTreeValue(random, 1 + random.below(6)) : makeChainValue(random, 1 + random.below(120));

function expectBounded(validate: Validator, schema: unknown, value: unknown): void {
  const limit = 1_000 * (JSON.stringify(value).length + sizeOfSchema(schema));
  const shown = (): string => `${JSON.stringify(schema)}\n${JSON.stringify(value)}`;
  const isValid = validate(structuredClone(value));
  if (validate.steps() > limit) expect(validate.steps(), shown()).toBeLessThanOrEqual(limit);
  if (isValid !== (validate.errors === null)) expect(isValid, shown()).toBe(validate.errors === null);
}

const seed = seedOr(1);
const rounds = amount(150);

describe('fix-A1 bounded work', () => {
  it('the steps of our engine grow only with the size of value and schema', () => {
    const random = makeRandom(seed);
    for (let round = 0; round < rounds; round += 1) {
      const common = makeCommonDocument(random);
      const tangle = makeTangle(random, {});
      const [ofCommon, ofTangle] = [common, tangle].map(schema => makeValidator(() => schema, 'input')) as [
        Validator,
        Validator,
      ];
      for (let turn = 0; turn < 8; turn += 1) {
        expectBounded(ofCommon, common, makeFitting(common, random));
        expectBounded(ofTangle, tangle, { a: makeOne(random) });
      }
    }
  });

  it('the steps of the functions of ajv grow only with the size of value and schema', async () => {
    const random = makeRandom(seed + 1);
    const print = await loadValidatorPrinter();
    for (let round = 0; round < rounds / 6; round += 1) {
      const tangle = makeTangle(random, { dependentSchemas: { 'not there': false } });
      const document = makeDocument(random, draft2020);
      let texts: readonly string[];
      try {
        texts = [tangle, document].map(schema => print(toolOf(schema)));
      } catch {
        // Tracking what was evaluated, ajv stumbles over some combinations.
        continue;
      }
      const [ofTangle, ofDocument] = texts.map(text => evaluate(text).validateInput as unknown as Validator) as [
        Validator,
        Validator,
      ];
      for (let turn = 0; turn < 8; turn += 1) {
        expectBounded(ofTangle, tangle, { a: makeOne(random) });
        const value = makeValue(random);
        try {
          expectBounded(ofDocument, document, value);
        } catch (error) {
          if (!(error instanceof TypeError)) throw error;
        }
      }
    }
  });

  it('answers that are kept equal those that would be found again', () => {
    const random = makeRandom(seed + 2);
    const seen = { valid: 0, invalid: 0, out: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const schema = makeTangle(random, {}) as Schema;
      const nodes = makeNodes(schema);
      const node = nodes.nodeOf(schema, true);
      for (let turn = 0; turn < 12; turn += 1) {
        const value = { a: random.chance(0.7) ? makeTreeValue(random, 4) : makeChainValue(random, 8) };
        const run = (how: 'kept' | 'anew'): unknown => {
          const [steps, copy] = [new Steps(nodes.count()), structuredClone(value)];
          steps.begin(copy);
          if (how === 'kept') steps.keep();
          else steps.most = 300_000;
          try {
            return [fits(node, copy, steps), copy];
          } catch (error) {
            if (error !== outOfSteps) throw error;
            return undefined;
          }
        };
        const [kept, anew] = [run('kept'), run('anew')];
        if (kept === undefined || anew === undefined) seen.out += 1;
        else {
          expect(kept, `${JSON.stringify(schema)}\n${JSON.stringify(value)}`).toEqual(anew);
          seen[(kept as [boolean])[0] ? 'valid' : 'invalid'] += 1;
        }
      }
    }
    expect(seen.valid).toBeGreaterThan(rounds);
    expect(seen.invalid).toBeGreaterThan(rounds);
    expect(seen.out).toBeLessThan(rounds);
  });
});
