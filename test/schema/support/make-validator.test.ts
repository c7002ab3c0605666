// `makeValidator` of toolwright/support by itself: the official cases of JSON Schema, and what calls must not share.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { countedCode, loadCompiler } from '../../../schema/json-schema/compile-ajv.js';
import { isCommon } from '../../../schema/json-schema/engine.js';
import { makeValidator, Steps } from '../../../schema/support.js';
import {
  type Check,
  compileWithAjv,
  expectLikeAjv,
  makeValue,
  outcomeOf,
} from '../../generator/compile/validators-module.js';
import { makeRandom } from '../../harness/random.js';
import { draft07, draft2020 } from '../json-schema/samples.js';

const startAjv = await loadCompiler(countedCode);

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

describe('P21 official cases of JSON Schema', () => {
  const suite = fileURLToPath(new URL('../../fixtures/json-schema-test-suite/', import.meta.url));
  it.each([
    ['draft2020-12', draft2020, []],
    ['draft7', draft07, ['ref.json: ref overrides any sibling keywords: ref valid, maxItems ignored']],
  ])('`makeValidator` passes the official cases of %s', (folder, $schema, known) => {
    const seen = { common: 0, other: 0, tests: 0 };
    const deviating: string[] = [];
    for (const file of readdirSync(`${suite}${folder}`)) {
      const groups = JSON.parse(readFileSync(`${suite}${folder}/${file}`, 'utf8')) as readonly Group[];
      for (const { description, schema, tests } of groups) {
        const document = typeof schema === 'object' ? { $schema, ...schema } : schema;
        if (!isCommon(document)) {
          seen.other += 1;
          continue;
        }
        seen.common += 1;
        const [ours, ajv] = [
          makeValidator(() => Object(document), 'output'),
          startAjv(new Steps(1e9))(document, false, 'all'),
        ];
        for (const test of tests) {
          const name = `${file}: ${description}: ${test.description}`;
          const outcome = outcomeOf(ours as Check, test.data);
          expectLikeAjv(outcome, outcomeOf(ajv, test.data), document, name);
          if (outcome.isValid !== test.valid) deviating.push(name);
          seen.tests += 1;
        }
      }
    }
    // Siblings of $ref count in draft-07 too, as in ajv: see docs/decisions/language.md.
    expect(deviating).toEqual(known);
    expect(seen.common).toBeGreaterThan(seen.other * 4);
    expect(seen.tests).toBeGreaterThan(500);
  });
});

describe('P21 `makeValidator`', () => {
  it('`makeValidator` takes nothing from the prototype of all objects', () => {
    const validate = makeValidator(
      () => ({ type: 'object', required: ['leaked'], additionalProperties: false, properties: { leaked: {} } }),
      'input',
    );
    const prototype = Object.prototype as { leaked?: number };
    expect(validate({ leaked: 1 })).toBe(true);
    prototype.leaked = 1;
    try {
      expect(validate({})).toBe(false);
      expect(makeValidator(() => ({ type: 'object', additionalProperties: false }), 'input')({})).toBe(true);
    } finally {
      delete prototype.leaked;
    }
  });

  it('`makeValidator` keeps calls apart: earlier failures, other orders of names, defaults of their own', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { type: 'integer' },
        b: { type: 'string' },
        '': { type: 'null' },
        tags: { default: [{ x: 1 }] },
      },
      required: ['a'],
      additionalProperties: false,
    };
    const [ours, ajv] = [makeValidator(() => schema, 'input') as Check, compileWithAjv(schema, 'input')];
    const values = [
      { a: 1, b: 'x' },
      { b: 'x', a: 1 },
      { b: 1 },
      { c: 1, a: 1 },
      { '': 1, a: 1 },
      { '': null, a: 1 },
      { a: 1 },
      {},
    ];
    for (const value of [...values, ...values.toReversed()])
      expect(outcomeOf(ours, value)).toEqual(outcomeOf(ajv, value));
    const [one, other] = [{ a: 1 }, { a: 1 }] as { a: number; tags?: { x: number }[] }[];
    expect([ours(one), ours(other)]).toEqual([true, true]);
    one?.tags?.splice(0);
    expect(other?.tags).toEqual([{ x: 1 }]);
    expect(ours(makeValue(makeRandom(3), 4))).toBe(false);
  });

  it('`makeValidator` reports what ajv reports when rules see a value before its defaults are filled in', () => {
    const schema = {
      type: 'object',
      const: {},
      properties: { a: { default: 1 } },
      required: ['b'],
      allOf: [{ properties: { c: { default: { d: 1 } } } }, { minProperties: 5 }],
    };
    const [ours, ajv] = [makeValidator(() => schema, 'input') as Check, startAjv(new Steps(1e9))(schema, true, 'all')];
    const outcome = outcomeOf(ours, {});
    expect(outcome).toEqual(outcomeOf(ajv, {}));
    expect(outcome).toMatchObject({
      errors: [{ keyword: 'minProperties' }, { keyword: 'required' }],
      value: { a: 1, c: { d: 1 } },
    });
  });
});
