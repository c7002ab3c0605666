// Printed validators against ajv at run time: the same verdicts, the same errors, the same defaults.
import { describe, expect, it } from 'vitest';
import { loadValidatorPrinter } from '../../../generator/compile/validators/print.js';
import {
  compileWithAjv,
  evaluate,
  expectLikeAjv,
  makeDocument,
  makeValue,
  outcomeOf,
  toolOf,
} from '../../generator/compile/validators-module.js';
import { amount } from '../../harness/amount.js';
import { makeRandom } from '../../harness/random.js';
import { draft07, draft2019, draft2020, soundSchemas } from '../../schema/json-schema/samples.js';

const rounds = amount(30);

describe('P21 printed validators against ajv', () => {
  it.each([
    ['draft-07', draft07, 21],
    ['2019-09', draft2019, 22],
    ['2020-12', draft2020, 23],
  ])('printed validators answer as ajv does on random schemas and values of %s', async (_name, $schema, seed) => {
    const random = makeRandom(seed);
    const print = await loadValidatorPrinter();
    const seen = { valid: 0, invalid: 0, filled: 0, refused: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const [input, output] = [makeDocument(random, $schema), makeDocument(random, $schema)];
      let expected: ReturnType<typeof compileWithAjv>[];
      try {
        expected = [compileWithAjv(input, 'input'), compileWithAjv(output, 'output')];
      } catch {
        // Tracking what was evaluated, ajv stumbles over some combinations; then there is nothing to compare.
        expect(() => print(toolOf(input, output))).toThrow('cannot be compiled');
        seen.refused += 1;
        continue;
      }
      const { validateInput, validateOutput } = evaluate(print(toolOf(input, output)));
      for (let turn = 0; turn < 16; turn += 1) {
        const value = makeValue(random);
        for (const [index, check] of [validateInput, validateOutput].entries()) {
          if (check === undefined || expected[index] === undefined) throw new Error('a validator is missing');
          const wanted = outcomeOf(expected[index], value);
          expectLikeAjv(outcomeOf(check, value), wanted, [input, output][index], JSON.stringify(value));
          if (wanted.isValid === 'throws') seen.refused += 1;
          else if (wanted.isValid) seen.valid += 1;
          else seen.invalid += 1;
          if (JSON.stringify(wanted.value) !== JSON.stringify(value)) seen.filled += 1;
        }
      }
    }
    expect(seen.valid).toBeGreaterThan((10 * rounds) / 3);
    expect(seen.invalid).toBeGreaterThan((20 * rounds) / 3);
    expect(seen.filled).toBeGreaterThan((5 * rounds) / 3);
    expect(seen.refused).toBeLessThan(seen.valid / 10);
  });

  it.each(Object.entries(soundSchemas))(
    'printed validators answer as ajv does on every construct: %s',
    async (_name, schema) => {
      const print = await loadValidatorPrinter();
      const { validateInput, validateOutput } = evaluate(print(toolOf(schema, schema)));
      const random = makeRandom(31);
      const plain = [
        {},
        { a: 'x' },
        { a: 1, b: 2 },
        { t: ['x', 1] },
        { t: ['x', 1, 2] },
        { 'x-a': 1 },
        { kind: 'a' },
        [],
      ];
      const values = [...plain, ...Array.from({ length: 20 }, () => makeValue(random))];
      const [input, output] = [compileWithAjv(schema, 'input'), compileWithAjv(schema, 'output')];
      if (validateOutput === undefined) throw new Error('there is no validator of output');
      for (const value of values) {
        expectLikeAjv(outcomeOf(validateInput, value), outcomeOf(input, value), schema);
        expectLikeAjv(outcomeOf(validateOutput, value), outcomeOf(output, value), schema);
      }
    },
  );
});
