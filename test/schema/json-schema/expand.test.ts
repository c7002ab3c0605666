import { describe, expect, it } from 'vitest';
import { type ExpandOptions, expandParameters, sourcePath } from '../../../schema/json-schema/expand.js';

const input: ExpandOptions = { root: 'closed', nested: 'closed' };
const output: ExpandOptions = { root: 'open', nested: 'open' };

describe('`expandParameters`', () => {
  it('W29 `expandParameters` returns the exact schema of a tool without parameters', () => {
    const expected = '{"type":"object","properties":{},"additionalProperties":false}';
    expect(JSON.stringify(expandParameters(undefined, input))).toBe(expected);
    expect(JSON.stringify(expandParameters({}, input))).toBe(expected);
  });

  it('W25 J49 J55 `expandParameters` expands every type name and keeps the order of properties and keywords', () => {
    const schema = expandParameters(
      {
        zeta: 'string',
        alpha: { description: 'first', type: 'integer', minimum: 1 },
        mid: 'number',
        flag: 'boolean',
        list: 'array',
        map: 'object',
      },
      input,
    );
    expect(JSON.stringify(schema)).toBe(
      JSON.stringify({
        type: 'object',
        properties: {
          zeta: { type: 'string' },
          alpha: { description: 'first', type: 'integer', minimum: 1 },
          mid: { type: 'number' },
          flag: { type: 'boolean' },
          list: { type: 'array' },
          map: { type: 'object' },
        },
        required: ['zeta', 'alpha', 'mid', 'flag', 'list', 'map'],
        additionalProperties: false,
      }),
    );
  });

  it('W26 J52 `expandParameters` requires everything except `required: false` and what has a default, even null', () => {
    const schema = expandParameters(
      {
        plain: { type: 'string' },
        stated: { type: 'string', required: true },
        optional: { type: 'string', required: false },
        filled: { type: 'integer', default: 0 },
        empty: { type: ['string', 'null'], default: null },
      },
      input,
    );
    expect(schema.required).toEqual(['plain', 'stated']);
    expect(schema.properties).toEqual({
      plain: { type: 'string' },
      stated: { type: 'string' },
      optional: { type: 'string' },
      filled: { type: 'integer', default: 0 },
      empty: { type: ['string', 'null'], default: null },
    });
  });

  it('W26 `expandParameters` leaves `required` out when nothing is required', () => {
    expect(expandParameters({ a: { type: 'string', required: false } }, input)).not.toHaveProperty('required');
  });

  it('J49 J53 `expandParameters` applies at every depth through properties and items', () => {
    const schema = expandParameters(
      {
        filter: {
          type: 'object',
          description: 'nested',
          properties: {
            tags: { type: 'array', items: 'string' },
            rows: {
              type: 'array',
              items: { type: 'object', properties: { id: 'integer', note: { type: 'string', required: false } } },
            },
            page: { type: 'integer', default: 1 },
          },
          required: false,
        },
      },
      input,
    );
    expect(JSON.stringify(schema)).toBe(
      JSON.stringify({
        type: 'object',
        properties: {
          filter: {
            type: 'object',
            description: 'nested',
            properties: {
              tags: { type: 'array', items: { type: 'string' } },
              rows: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: { id: { type: 'integer' }, note: { type: 'string' } },
                  required: ['id'],
                  additionalProperties: false,
                },
              },
              page: { type: 'integer', default: 1 },
            },
            required: ['tags', 'rows'],
            additionalProperties: false,
          },
        },
        additionalProperties: false,
      }),
    );
  });

  it('J49 `expandParameters` closes nested objects unless the author or a composition decides', () => {
    const parameters = {
      free: 'object',
      closed: { type: 'object', properties: { a: 'string' } },
      stated: { type: 'object', additionalProperties: { type: 'integer' }, properties: { a: 'string' } },
      unevaluated: { type: 'object', properties: { a: 'string' }, unevaluatedProperties: true },
      composed: { type: 'object', properties: { a: 'string' }, allOf: [{ properties: { b: { type: 'string' } } }] },
    };
    expect(expandParameters(parameters, input).properties).toEqual({
      free: { type: 'object' },
      closed: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false },
      stated: {
        type: 'object',
        additionalProperties: { type: 'integer' },
        properties: { a: { type: 'string' } },
        required: ['a'],
      },
      unevaluated: {
        type: 'object',
        properties: { a: { type: 'string' } },
        required: ['a'],
        unevaluatedProperties: true,
      },
      composed: {
        type: 'object',
        properties: { a: { type: 'string' } },
        required: ['a'],
        allOf: [{ properties: { b: { type: 'string' } } }],
      },
    });
  });

  it('J49 `expandParameters` leaves outputs open, and with additionalParameters only the root', () => {
    const parameters = { a: { type: 'object', properties: { b: 'string' } } };
    expect(JSON.stringify(expandParameters(parameters, output))).not.toContain('additionalProperties');
    const half = expandParameters(parameters, { root: 'open', nested: 'closed' });
    expect(half).not.toHaveProperty('additionalProperties');
    expect(half.properties).toMatchObject({ a: { additionalProperties: false } });
  });

  it('C11 `expandParameters` turns `header` into x-mcp-header, in its place', () => {
    const schema = expandParameters({ region: { type: 'string', header: 'Region', description: 'where' } }, input);
    expect(JSON.stringify(schema.properties)).toBe(
      '{"region":{"type":"string","x-mcp-header":"Region","description":"where"}}',
    );
  });

  it('J49 `expandParameters` changes nothing below other keywords', () => {
    const below = { properties: { required: { type: 'boolean' } }, required: ['required'], header: 1, items: 'string' };
    const parameters = { a: { anyOf: [below], $defs: { below }, additionalProperties: below, not: below } };
    expect(expandParameters(parameters, input).properties).toEqual({
      a: { anyOf: [below], $defs: { below }, additionalProperties: below, not: below },
    });
  });

  it('J49 `expandParameters` never changes what it is given', () => {
    const freeze = (value: unknown): unknown => {
      if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
      return value;
    };
    const parameters = {
      a: { type: 'object', properties: { b: { type: 'array', items: 'string', required: false } } },
    };
    const before = JSON.stringify(parameters);
    freeze(parameters);
    expandParameters(parameters, input);
    expect(JSON.stringify(parameters)).toBe(before);
  });

  it('P3 `expandParameters` survives names that every object inherits, and __proto__', () => {
    const parameters: Record<string, unknown> = JSON.parse(
      '{"constructor":"string","toString":{"type":"string","required":false},"__proto__":{"type":"integer"}}',
    );
    const schema = expandParameters(parameters, input);
    expect(Object.keys(schema.properties as object)).toEqual(['constructor', 'toString', '__proto__']);
    expect(schema.required).toEqual(['constructor', '__proto__']);
    expect(Object.getPrototypeOf(schema.properties)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).type).toBeUndefined();
  });
});

describe('`sourcePath`', () => {
  it.each([
    [[], ['parameters']],
    [['type'], ['parameters']],
    [['required', 0], ['parameters']],
    [
      ['properties', 'a'],
      ['parameters', 'a'],
    ],
    [
      ['properties', 'a', 'items'],
      ['parameters', 'a', 'items'],
    ],
    [
      ['properties', 'a', 'properties', 'required', 'pattern'],
      ['parameters', 'a', 'properties', 'required', 'pattern'],
    ],
    [
      ['properties', 'a', 'items', 'properties', 'b', 'enum', 2],
      ['parameters', 'a', 'items', 'properties', 'b', 'enum', 2],
    ],
    [
      ['properties', 'a', 'required', 1],
      ['parameters', 'a'],
    ],
    [
      ['properties', 'a', 'x-mcp-header'],
      ['parameters', 'a', 'header'],
    ],
    [
      ['properties', 'a', 'anyOf', 0, 'x-mcp-header'],
      ['parameters', 'a', 'anyOf', 0, 'x-mcp-header'],
    ],
    [
      ['properties', 'a', 'anyOf', 0, 'required', 0],
      ['parameters', 'a', 'anyOf', 0, 'required', 0],
    ],
  ])('P3 `sourcePath` leads %j back to %j', (path, expected) => {
    expect(sourcePath(path, 'parameters')).toEqual(expected);
  });

  it('P3 `sourcePath` leads into output as well', () => {
    expect(sourcePath(['properties', 'a', 'format'], 'output')).toEqual(['output', 'a', 'format']);
  });
});
