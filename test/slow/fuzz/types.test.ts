// Random schemas with values that ajv accepts: every such value must be of the printed type, in every mode.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { printTypes } from '../../../generator/compile/types/print-types.js';
import type { TypeMode } from '../../../generator/compile/types/scope.js';
import { isSchemaObject, type JsonSchemaObject } from '../../../schema/json-schema/keywords.js';
import { compileByApi, compileBySeven, printValue } from '../../generator/compile/types/compile.js';
import { makeSchema, makeValue } from '../../generator/compile/types/random-schema.js';
import { amount, seedOr } from '../../harness/amount.js';
import { makeRandom } from '../../harness/random.js';

const schemaCount = amount(150);
const valuesEach = 14;
const seed = seedOr(20261);

type Accept = (value: unknown) => { readonly value: unknown } | undefined;

/** What ajv makes of a value, or undefined where it refuses it. Throws where it cannot use the schema. */
function makeAccept(schema: JsonSchemaObject, useDefaults: boolean): Accept {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false, ownProperties: true, useDefaults });
  const validate = ajv.compile(structuredClone(schema));
  return given => {
    const value = structuredClone(given);
    return validate(value) === true ? { value } : undefined;
  };
}

interface Sample {
  readonly schema: JsonSchemaObject;
  readonly values: Readonly<Record<TypeMode, readonly unknown[]>>;
}

function makeSamples(): Sample[] {
  const random = makeRandom(seed);
  const samples: Sample[] = [];
  while (samples.length < schemaCount) {
    const schema = makeSchema(random);
    const candidates = [...Array.from({ length: valuesEach }, () => makeValue(schema, schema, random)), {}];
    try {
      const filling = makeAccept(schema, true);
      const plain = JSON.stringify(schema).includes('"default"') ? makeAccept(schema, false) : filling;
      const isRoot = (value: unknown): boolean => isSchemaObject(value) || Object.hasOwn(schema, 'type');
      const given = distinct(candidates.filter(isRoot));
      samples.push({
        schema,
        values: {
          input: given.filter(value => filling(value) !== undefined),
          output: given.filter(value => plain(value) !== undefined),
          args: distinct(given.flatMap(value => filling(value) ?? []).map(({ value }) => value)),
        },
      });
    } catch {
      // Some that lead back to themselves overflow the stack of any validator; others meet faults of ajv.
    }
  }
  return samples;
}

function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map(value => [JSON.stringify(value), value])).values()];
}

/** Not as fresh literals: those are held to more than their type. In a list, since `null as const` is no expression. */
function printAssignments(values: readonly unknown[]): string {
  return values
    .map(
      (value, index) =>
        `const v${index} = [${printValue(value)}] as const; export const w${index}: Root = v${index}[0];\n`,
    )
    .join('');
}

describe('W25 random schemas', () => {
  const files = new Map<string, string>();
  let count = 0;
  beforeAll(() => {
    for (const [index, { schema, values }] of makeSamples().entries()) {
      for (const mode of ['input', 'output', 'args'] as const) {
        const { text } = printTypes(schema, { name: 'Root', mode });
        count += values[mode].length;
        const origin = `// ${JSON.stringify(schema)}\n`;
        files.set(`${mode}-${index}.ts`, `${origin}${text}${printAssignments(values[mode])}`);
      }
    }
  }, 120_000);

  it('W25 TypeScript 5.9 refuses no valid value of random schemas', { timeout: 120_000 }, () => {
    expect(count).toBeGreaterThan(3 * schemaCount);
    const errors = compileByApi(files);
    expect(errors.slice(0, 5).map(({ file, line, message }) => `${message}\n${line}\n${files.get(file)}`)).toEqual([]);
  });

  it('W25 TypeScript 7 refuses no valid value of random schemas', { timeout: 120_000 }, async () => {
    expect(await compileBySeven(files)).toEqual([]);
  });
});
