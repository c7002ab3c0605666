// Every case of the table: the types compile, accept what is valid and reject what is not, under both TypeScripts.
import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { printTypes } from '../../../generator/compile/types/print-types.js';
import { type TypeCase, typeCases } from '../../generator/compile/types/cases.js';
import {
  type CompileError,
  compileByApi,
  compileBySeven,
  countLines,
  printValue,
} from '../../generator/compile/types/compile.js';
import { draft07, draft2019 } from '../../schema/json-schema/samples.js';

interface Prepared {
  readonly file: string;
  readonly text: string;
  /** For each value the line that it stands on. */
  readonly lines: readonly { readonly line: number; readonly value: string; readonly valid: boolean }[];
}

const prepared = new Map(
  Object.entries(typeCases).map(([name, one], index) => [name, prepare(one, `case-${index}.ts`)]),
);
const files = new Map([...prepared.values()].map(({ file, text }) => [file, text]));

function prepare({ schema, mode = 'input', accepts, rejects }: TypeCase, file: string): Prepared {
  const { text } = printTypes(schema, { name: 'Root', mode });
  const values = [
    ...accepts.map(value => ({ value: printValue(value), valid: true })),
    ...rejects.map(value => ({ value: printValue(value), valid: false })),
  ];
  const first = countLines(text);
  return {
    file,
    text: text + values.map(({ value }, index) => `export const value${index}: Root = ${value};\n`).join(''),
    lines: values.map((one, index) => ({ ...one, line: first + index })),
  };
}

/** What is wrong with a case, in words. */
function findFaults({ file, lines }: Prepared, errors: readonly CompileError[]): string[] {
  const mine = new Map(errors.filter(error => error.file === file).map(error => [error.line, error.message]));
  const faults: string[] = [];
  for (const { line, value, valid } of lines) {
    const error = mine.get(line);
    mine.delete(line);
    if (valid && error !== undefined) faults.push(`rejects ${value}: ${error}`);
    if (!valid && error === undefined) faults.push(`accepts ${value}`);
  }
  return [...[...mine].map(([line, message]) => `does not compile, line ${line}: ${message}`), ...faults];
}

describe('W25 types of schemas, by TypeScript 5.9', () => {
  let errors: CompileError[] = [];
  beforeAll(() => {
    errors = compileByApi(files);
  });
  it.each([...prepared])('W25 the types of %s accept and refuse the right values, by TypeScript 5.9', (_name, one) => {
    expect(findFaults(one, errors)).toEqual([]);
  });
});

describe('W25 types of schemas, by TypeScript 7', () => {
  it('W25 TypeScript 7 gives the same answers', async () => {
    const errors = await compileBySeven(files);
    expect(errors.filter(({ file }) => file === '')).toEqual([]);
    const faults = [...prepared].flatMap(([name, one]) => findFaults(one, errors).map(fault => `${name}: ${fault}`));
    expect(faults).toEqual([]);
  });
});

// The table itself could be wrong: what it wants accepted must be valid.
describe('W25 the table of types', () => {
  const unusable = new Set([
    'a schema that is only itself',
    'references that lead nowhere',
    'a type that nobody knows',
    '$dynamicRef that may lead to several schemas',
  ]);
  it.each(Object.entries(typeCases).filter(([name]) => !unusable.has(name)))(
    'W25 the table accepts only valid values: %s',
    (_name, one) => {
      const options = {
        strict: false,
        logger: false as const,
        validateSchema: false,
        ownProperties: true,
        useDefaults: one.mode !== 'output',
      };
      const { $schema } = one.schema;
      const Compiler = $schema === draft07 ? Ajv : $schema === draft2019 ? Ajv2019 : Ajv2020;
      const validate = new Compiler(options).compile(one.schema);
      expect(one.accepts.filter(value => !validate(structuredClone(value)))).toEqual([]);
    },
  );
});
