// hasForm answers for nearly every definition alone, so that it must say exactly what the validators say.
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { forms } from '../schema/forms.gen.js';
import { printForms } from '../schema/source/forms.js';
import { hasForm } from '../schema/validate/form.js';
import { validators } from '../schema/validate/validators.js';
import { mutateData } from './fuzz/mutate-data.js';
import { makeRandom } from './fuzz/random.js';
import { readSeedPacks } from './fuzz/seed-packs.js';

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

function answers(value: unknown): readonly Readonly<Record<Subject, boolean>>[] {
  const by = (test: (subject: Subject) => boolean): Record<Subject, boolean> =>
    Object.fromEntries(subjects.map(subject => [subject, test(subject)])) as Record<Subject, boolean>;
  return [by(subject => hasForm(subject, value)), by(subject => validators()[subject](value))];
}

describe('hasForm', () => {
  it('P19 is made from what the source makes', async () => {
    const module = `data:text/javascript,${encodeURIComponent(printForms())}`;
    expect(((await import(module)) as { forms: unknown }).forms).toEqual(forms);
  });

  it('P19 knows every keyword that a definition uses', () => {
    for (const name of Object.keys(forms))
      expect([name, hasForm(name as Subject, {})]).toEqual([name, expect.any(Boolean)]);
  });

  it('P3 agrees with the validators on all seeds, many of which are right', () => {
    const right = new Set<Subject>();
    for (const value of values) {
      const [mine, theirs] = answers(value);
      expect({ value, mine }).toEqual({ value, mine: theirs });
      for (const subject of subjects) if (mine?.[subject]) right.add(subject);
    }
    expect([...right].sort()).toEqual([...subjects].sort());
    expect(values.length).toBeGreaterThan(300);
  });

  it('P3 agrees with the validators on thousands of mutated definitions', () => {
    const random = makeRandom(20_261_116);
    for (let count = 0; count < 6000; count += 1) {
      const value = mutateData(random.pick(values), random);
      const [mine, theirs] = answers(value);
      if (JSON.stringify(mine) !== JSON.stringify(theirs)) expect({ value, mine }).toEqual({ value, mine: theirs });
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
  ])('P3 agrees with the validators on the odd %s %j', (_, value) => {
    const [mine, theirs] = answers(value);
    expect(mine).toEqual(theirs);
  });
});
