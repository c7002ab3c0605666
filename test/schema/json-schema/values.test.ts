import { describe, expect, it, vi } from 'vitest';
import type { SchemaSource } from '../../../schema/json-schema/check-context.js';
import { checkValues, makeValueCheck, printViolations } from '../../../schema/json-schema/values.js';
import type { Filling } from '../../../schema/support/validator.js';
import { draft07, soundSchemas, sourceOf, withProperty } from './samples.js';

async function findings(schema: unknown, changes: Partial<SchemaSource> = {}): Promise<string[]> {
  const diagnostics = await checkValues(sourceOf(schema, changes));
  return diagnostics.map(
    one => `${one.severity} ${one.code} ${one.file}: ${one.message.split(': ').slice(1).join(': ')}`,
  );
}

describe('`checkValues`', () => {
  it('J52 J53 `checkValues` accepts right defaults, also nested, by reference and null', async () => {
    const schema = {
      type: 'object',
      properties: {
        limit: { type: 'integer', minimum: 1, default: 50 },
        mode: { enum: ['fast', 'slow'], default: 'fast' },
        none: { type: ['string', 'null'], default: null },
        when: { type: 'string', format: 'date-time', default: '2026-11-16T10:00:00Z' },
        odd: { type: 'string', format: 'cidrv4', default: 'whatever' },
        ref: { $ref: '#/$defs/tag', default: 'x', examples: ['y'] },
        deep: { type: 'array', items: { type: 'object', properties: { n: { type: 'number', default: 1.5 } } } },
        choice: { oneOf: [{ type: 'string' }, { type: 'integer' }], default: 3 },
      },
      $defs: { tag: { type: 'string', maxLength: 3 } },
    };
    expect(await findings(schema)).toEqual([]);
  });

  it('J52 `checkValues` reports wrong defaults at their position, in plain words', async () => {
    const schema = {
      type: 'object',
      properties: {
        limit: { type: 'integer', default: 'ten' },
        mode: { enum: ['fast', 'slow'], default: 'fats' },
        none: { type: 'string', default: null },
        list: {
          type: 'array',
          items: { type: 'object', properties: { n: { type: 'number', minimum: 3, default: 1 } } },
        },
        ref: { $ref: '#/$defs/tag', default: 'long' },
      },
      $defs: { tag: { type: 'string', maxLength: 3 } },
    };
    expect(await findings(schema)).toEqual([
      'warning schema/invalid-default /properties/limit/default: must be integer',
      'warning schema/invalid-default /properties/mode/default: "fats" is not one of "fast", "slow"',
      'warning schema/invalid-default /properties/none/default: must be string',
      'warning schema/invalid-default /properties/list/items/properties/n/default: must be at least 3, not 1',
      'warning schema/invalid-default /properties/ref/default: must have at most 3 characters',
    ]);
  });

  it('J52 `checkValues` reports wrong defaults as errors in the shorthand', async () => {
    expect(await findings(withProperty({ type: 'integer', default: '1' }), { style: 'shorthand' })).toEqual([
      'error schema/invalid-default /properties/a/default: must be integer',
    ]);
  });

  it('P3 `checkValues` has a hint for yes and no, unquoted strings and null', async () => {
    const hint = async (property: object): Promise<string | undefined> =>
      (await checkValues(sourceOf(withProperty(property))))[0]?.hint;
    expect(await hint({ type: 'boolean', default: 'yes' })).toBe('YAML reads yes as a string here: write true');
    expect(await hint({ type: 'boolean', default: 'Off' })).toBe('YAML reads Off as a string here: write false');
    expect(await hint({ type: 'string', default: 1.1 })).toBe('write it in quotes: "1.1"');
    expect(await hint({ type: 'string', default: null })).toBe('leave it out, or allow null: `type: [string, "null"]`');
  });

  it('J52 `checkValues` checks every member of examples', async () => {
    expect(await findings(withProperty({ type: 'string', examples: ['a', 1, 'b', false] }))).toEqual([
      'warning schema/invalid-example /properties/a/examples/1: must be string',
      'warning schema/invalid-example /properties/a/examples/3: must be string',
    ]);
  });

  it('J53 `checkValues` fills nested defaults into a default where a call would, and only there', async () => {
    const schema = withProperty({
      type: 'object',
      properties: { page: { type: 'integer', default: 1 } },
      required: ['page'],
      default: {},
    });
    expect(await findings(schema)).toEqual([]);
    expect(await findings(schema, { filling: 'late' })).toEqual([
      'warning schema/invalid-default /properties/a/default: needs the property "page"',
    ]);
  });

  it('J51 `checkValues` checks by the declared dialect', async () => {
    const tuple = { type: 'array', items: [{ type: 'string' }, { type: 'integer' }], default: ['a', 'b'] };
    expect(await findings(withProperty(tuple, { $schema: draft07 }))).toEqual([
      'warning schema/invalid-default /properties/a/default: /1 must be integer',
    ]);
  });

  it('J51 `checkValues` says once that no validator can be made', async () => {
    const schema = withProperty({ $ref: '#/nowhere', default: 1, examples: [2] });
    expect(await findings(schema)).toEqual(["warning schema/uncheckable /: can't resolve reference #/nowhere"]);
  });

  it('J51 `checkValues` keeps documents with the same $id apart and never changes them', async () => {
    const make = (type: string): object => ({
      $id: 'https://x.test/same',
      ...withProperty({ $ref: '#/$defs/t', default: 1 }),
      $defs: { t: { type } },
    });
    const before = JSON.stringify(make('string'));
    const schema = make('string');
    expect(await findings(schema)).toHaveLength(1);
    expect(JSON.stringify(schema)).toBe(before);
    expect(await findings(make('integer'))).toEqual([]);
  });

  it('P3 `checkValues` is not misled by properties that every object inherits', async () => {
    const schema = withProperty({
      type: 'object',
      properties: { constructor: { type: 'string' }, toString: { type: 'string' } },
      oneOf: [{}],
      default: {},
    });
    expect(await findings(schema)).toEqual([]);
  });

  it('P3 `checkValues` never takes $async for valid', async () => {
    expect(await findings(withProperty({ $async: true, type: 'string', default: 1 }))).toHaveLength(1);
  });

  it('J51 `checkValues` finds nothing in the sound schemas', async () => {
    for (const schema of Object.values(soundSchemas)) expect(await findings(schema, { filling: 'late' })).toEqual([]);
  });

  it('J52 `checkValues` loads ajv only for schemas that our engine cannot judge', async () => {
    vi.resetModules();
    const loadDocumentCompiler = vi.fn(() => Promise.reject(new Error('asked')));
    vi.doMock('../../../schema/json-schema/compile-ajv.js', () => ({ loadDocumentCompiler }));
    const fresh = await import('../../../schema/json-schema/values.js');
    const schema = withProperty({ type: 'integer', minimum: 1, default: 5 }, { required: ['a'] });
    expect(await fresh.checkValues(sourceOf(schema))).toEqual([]);
    const reasons: string[] = [];
    const check = fresh.makeValueCheck(schema, 'always', reason => reasons.push(reason));
    expect(await check({ a: 3 })).toEqual([]);
    expect(await check({ a: 0 })).toEqual([{ pointer: '/a', reason: 'must be at least 1, not 0' }]);
    // The default stands in a plain part of an unusual schema.
    expect(await fresh.checkValues(sourceOf({ ...schema, contains: {} }))).toEqual([]);
    expect(loadDocumentCompiler).not.toHaveBeenCalled();
    const unusual = fresh.makeValueCheck({ contains: {} }, 'always', reason => reasons.push(reason));
    expect(await unusual([])).toEqual([]);
    expect(reasons).toEqual(['asked']);
    expect(loadDocumentCompiler).toHaveBeenCalledTimes(1);
    vi.doUnmock('../../../schema/json-schema/compile-ajv.js');
    vi.resetModules();
  });
});

/** All that is wrong with a value in one line, or why the schema is of no use. */
async function reasonOf(schema: unknown, value: unknown, filling: Filling = 'always'): Promise<string> {
  const unusable: string[] = [];
  const violations = await makeValueCheck(schema, filling, reason => unusable.push(reason))(value);
  return unusable[0] ?? printViolations(violations);
}

describe('`makeValueCheck`', () => {
  const tool = {
    type: 'object',
    properties: {
      key: { type: 'string', pattern: '^[A-Z]+-[0-9]+$' },
      limit: { type: 'integer', default: 10 },
      tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
      when: { type: 'string', format: 'date' },
    },
    required: ['key', 'limit'],
    additionalProperties: false,
  };

  it('J52 J53 `makeValueCheck` accepts a call that leaves out what has a default', async () => {
    expect(await reasonOf(tool, { key: 'A-1' }, 'always')).toBe('');
    expect(await reasonOf(tool, { key: 'A-1' }, 'never')).toBe('needs the property "limit"');
  });

  it('W28 `makeValueCheck` names every violation with its position', async () => {
    const value = { key: 'a1', limit: null, tags: ['x', 2, 'x'], when: 'today', extra: true };
    expect((await reasonOf(tool, value)).split('; ')).toEqual([
      'has the unknown property "extra"',
      '/key "a1" does not match the pattern "^[A-Z]+-[0-9]+$"',
      '/limit must be integer',
      '/tags/1 must be string',
      '/tags has the same item twice (at 0 and 2)',
      'and 1 more',
    ]);
    expect(value.limit).toBeNull();
  });

  it.each([
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 5, 'must be string or null'],
    [{ anyOf: [{ enum: ['a', 'b'] }, { type: 'null' }] }, 'c', '"c" is not one of "a", "b"'],
    [
      {
        oneOf: [
          { $ref: '#/$defs/stdio' },
          { type: 'object', properties: { kind: { const: 'http' }, port: { type: 'integer' } }, required: ['kind'] },
        ],
        $defs: { stdio: { type: 'object', properties: { kind: { const: 'stdio' } }, required: ['kind', 'cmd'] } },
      },
      { kind: 'http', port: 'x' },
      '/port must be integer',
    ],
    [{ anyOf: [{ minimum: 5 }, { multipleOf: 7 }] }, 3, 'matches none of the 2 alternatives'],
    [{ oneOf: [{ type: 'integer' }, { minimum: 1 }] }, 3, 'matches several of the alternatives, not one'],
    [{ not: { type: 'string' } }, 'x', 'is what the schema excludes with "not"'],
    [{ const: { a: 1 } }, { a: 2 }, 'must be {"a":1}'],
    [{ properties: { a: false } }, { a: 1 }, '/a is not allowed'],
    [{ propertyNames: { pattern: '^a' } }, { b: 1 }, 'has a property named "b", which is not allowed'],
    [{ if: { required: ['a'] }, then: { required: ['b'] } }, { a: 1 }, 'needs the property "b"'],
    [{ format: 'email' }, 'nobody', '"nobody" is not a valid email'],
    [{ properties: { a: {} }, unevaluatedProperties: false }, { b: 1 }, 'has the unknown property "b"'],
    [true, 1, ''],
    [false, 1, 'is not allowed'],
  ])('J51 `makeValueCheck` explains %j on %j', async (schema, value, reason) => {
    expect(await reasonOf(schema, value)).toBe(reason);
  });

  it('J51 `makeValueCheck` is not stopped by the bug of ajv in tracking evaluated properties', async () => {
    const schema = { anyOf: [{ type: 'string', properties: { a: {} } }, {}], patternProperties: { b: { not: {} } } };
    expect(await reasonOf(schema, { b: 1 })).toBe('/b is what the schema excludes with "not"');
  });

  it('J51 `makeValueCheck` says that no validator can be made', async () => {
    expect(await reasonOf({ $ref: '#/nowhere' }, {})).toContain("can't resolve reference #/nowhere");
  });
});
