// The engine answers for every definition alone: it must say exactly what ajv says of the published schemas.
import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isCommon } from '../../schema/json-schema/engine.js';
import { makeLanguage } from '../../schema/source/language.js';
import type { FullViolation } from '../../schema/support/places.js';
import { listFormErrors } from '../../schema/validate/language.js';
import { makeRandom } from '../harness/random.js';
import { mutateData } from '../slow/fuzz/mutate-data.js';
import { readSeedPacks } from '../slow/fuzz/seed-packs.js';

const subjects = ['pack', 'server', 'tool', 'prompt', 'resource', 'overlay'] as const;
type Subject = (typeof subjects)[number];

/** Every document of every seed, and the entries of combined files. */
const values = readSeedPacks()
  .flatMap(files => Object.entries(files).flatMap(([path, text]) => (path.endsWith('.md') ? [] : read(text))))
  .flatMap(value => [value, ...(typeof value === 'object' && value !== null ? Object.values(value) : [])]);

function read(text: string): unknown[] {
  try {
    return [parse(text, { logLevel: 'silent', maxAliasCount: 1000 })];
  } catch {
    return [];
  }
}

const ajv = new Ajv({ allErrors: true, verbose: true, strict: false, strictNumbers: true });
const oracles = Object.fromEntries(subjects.map(name => [name, compile(name)])) as Record<Subject, ValidateFunction>;

function compile(name: Subject): ValidateFunction {
  return ajv.compile(JSON.parse(readFileSync(new URL(`../../schema/${name}.schema.json`, import.meta.url), 'utf8')));
}

/** One line per error, sorted: the engine follows the order of the value, ajv that of the schema. */
function linesOf(errors: readonly (FullViolation | ErrorObject)[]): readonly string[] {
  const toLine = ({ parentSchema, ...error }: FullViolation | ErrorObject): string => {
    const { instancePath, keyword, params, message, propertyName } = error;
    const { properties, patternErrorMessage } = Object(parentSchema) as Record<string, unknown>;
    const keys = keyword === 'additionalProperties' ? Object.keys(properties ?? {}) : [];
    const rule = keyword === 'pattern' ? patternErrorMessage : undefined;
    return JSON.stringify([instancePath, keyword, params, message, propertyName, error.data, keys, rule]);
  };
  return errors.map(toLine).sort();
}

type Answers = Readonly<Record<Subject, readonly string[]>>;

function answers(value: unknown, asked: readonly Subject[]): readonly [Answers, Answers] {
  const by = (list: (subject: Subject) => readonly (FullViolation | ErrorObject)[]): Answers =>
    Object.fromEntries(asked.map(subject => [subject, linesOf(list(subject))])) as Answers;
  const askAjv = (subject: Subject): readonly ErrorObject[] =>
    oracles[subject](value) ? [] : (oracles[subject].errors ?? []);
  return [by(subject => listFormErrors(subject, value)), by(askAjv)];
}

function expectSame(value: unknown, asked: readonly Subject[] = subjects): Answers {
  const [mine, theirs] = answers(value, asked);
  if (JSON.stringify(mine) !== JSON.stringify(theirs)) expect({ value, mine }).toEqual({ value, mine: theirs });
  return mine;
}

describe('`listFormErrors`', () => {
  it('P19 the engine knows every keyword that a definition uses', () => {
    const text = JSON.stringify(makeLanguage(), (key, value) => (key === 'patternErrorMessage' ? undefined : value));
    // As names of properties, `$id` and `$anchor` are no addresses.
    const { definitions } = JSON.parse(text.replaceAll(/"\$(id|\w*[aA]nchor)":/g, '"$1":'));
    for (const name of Object.keys(definitions)) {
      const root = { definitions, $ref: `#/definitions/${name}` };
      expect([name, isCommon(root)]).toEqual([name, true]);
    }
  });

  it('P3 the engine and ajv agree on all seeds, many of which are right', () => {
    const right = new Set<Subject>();
    for (const value of values) {
      const mine = expectSame(value);
      for (const subject of subjects) if (mine[subject].length === 0) right.add(subject);
    }
    expect([...right].sort()).toEqual([...subjects].sort());
    expect(values.length).toBeGreaterThan(300);
  });

  it('P3 the engine and ajv agree on thousands of mutated definitions', () => {
    const random = makeRandom(20_261_116);
    for (let count = 0; count < 6000; count += 1) {
      const value = mutateData(random.pick(values), random);
      // All six whether it is right, and one of them what is wrong.
      const [mine, theirs] = [
        subjects.map(subject => listFormErrors(subject, value).length === 0),
        subjects.map(subject => oracles[subject](value)),
      ];
      if (mine.join() !== theirs.join()) expect({ value, mine }).toEqual({ value, mine: theirs });
      const subject = random.pick(subjects);
      expectSame(value, [subject]);
    }
  });

  it.each<readonly [Subject, unknown]>([
    ['tool', undefined],
    ['tool', null],
    ['tool', Number.NaN],
    ['tool', { parameters: { a: { type: 'array', enum: [[1], [1]] } } }],
    ['tool', { parameters: { a: { enum: [1, '1', true, null, 0, -0] } } }],
    ['tool', { parameters: { a: { type: 'integer', minimum: Number.POSITIVE_INFINITY } } }],
    ['tool', { parameters: { a: { type: 'integer', 'x-y': 1, multipleOf: 0 } } }],
    ['tool', { parameters: { constructor: 'string', toString: {} } }],
    ['tool', { inputSchema: { type: 'object', items: [{ type: 'x' }], required: ['a', 'a'] } }],
    ['prompt', { text: 'x', arguments: { constructor: {} } }],
    ['resource', { uri: undefined, text: 'x' }],
  ])('P3 the engine and ajv agree on the odd %s %j', (_, value) => {
    expectSame(value);
  });
});
