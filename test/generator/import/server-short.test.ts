// I5, I6: `parameters` and `output` in place of JSON Schema, only where they say exactly the same.
import { describe, expect, it } from 'vitest';
import { shorten } from '../../../generator/import/server/short-form.js';
import { makeRandom } from '../../harness/random.js';
import { importOf, listsOf } from './server-kit.js';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const closed = { additionalProperties: false };
const inputOf = (inputSchema: object) => shorten({ description: 'D', inputSchema });

describe('a short form', () => {
  it.each<[string, object, object]>([
    [
      'types by name',
      object({ a: { type: 'string' } }, { required: ['a'], ...closed }),
      { parameters: { a: 'string' } },
    ],
    [
      'parameters that are not required',
      object({ a: { type: 'string' }, b: { type: 'integer', minimum: 1 } }, { required: ['b'], ...closed }),
      { parameters: { a: { type: 'string', required: false }, b: { type: 'integer', minimum: 1 } } },
    ],
    [
      'an input that is open',
      object({ a: { type: 'string' } }, { required: ['a'] }),
      { parameters: { a: 'string' }, additionalParameters: true },
    ],
    ['an input without parameters', object({}, closed), { parameters: {} }],
    [
      'lists and objects',
      object(
        {
          a: { type: 'array', items: { type: 'string' } },
          b: object({ c: { type: 'string' }, d: { type: 'number' } }, { required: ['d'], ...closed }),
        },
        { required: ['a', 'b'], ...closed },
      ),
      {
        parameters: {
          a: { type: 'array', items: 'string' },
          b: { type: 'object', properties: { c: { type: 'string', required: false }, d: 'number' } },
        },
      },
    ],
    [
      'an object that says in another order that it is closed',
      object(
        { a: { type: 'object', additionalProperties: false, properties: { c: { type: 'string' } }, required: ['c'] } },
        closed,
      ),
      {
        parameters: {
          a: { type: 'object', additionalProperties: false, properties: { c: 'string' }, required: false },
        },
      },
    ],
    [
      'a member called __proto__',
      JSON.parse(
        '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"],"additionalProperties":false}',
      ) as object,
      { parameters: JSON.parse('{"__proto__":"string"}') as object },
    ],
  ])('I5: there is one for %s', (_, schema, short) => {
    expect(inputOf(schema)).toEqual({ description: 'D', ...short });
  });

  it.each<[string, object]>([
    ['a default', object({ a: { type: 'string', default: 'x' } }, closed)],
    ['a default further down', object({ a: { anyOf: [{ type: 'string', default: 'x' }] } }, closed)],
    ['$schema', { $schema: 'http://json-schema.org/draft-07/schema#', ...object({ a: { type: 'string' } }, closed) }],
    ['no properties', { type: 'object' }],
    ['another order of members', { properties: {}, type: 'object', ...closed }],
    [
      'another order of required',
      object({ a: { type: 'string' }, b: { type: 'string' } }, { required: ['b', 'a'], ...closed }),
    ],
    ['an empty list of required', object({ a: { type: 'string' } }, { required: [], ...closed })],
    ['required before properties', { type: 'object', required: ['a'], properties: { a: { type: 'string' } } }],
    ['something that is required and not described', object({ a: { type: 'string' } }, { required: ['a', 'b'] })],
    ['an object inside that is open', object({ a: object({ b: { type: 'string' } }) }, closed)],
    ['definitions', object({ a: { $ref: '#/$defs/x' } }, { $defs: { x: { type: 'string' } } })],
    ['a member that may be missing and has no schema', object({ a: true }, closed)],
    ['a member without a type beside others', object({ a: { required: ['x'] } }, closed)],
  ])('I5: with %s it stays as it is', (_, inputSchema) => {
    expect(inputOf(inputSchema)).toEqual({ description: 'D', inputSchema });
  });

  it('I5: an output is open at every depth', () => {
    const schema = object({ a: object({ b: { type: 'string' } }), c: { type: 'integer' } }, { required: ['c'] });
    const inputSchema = { type: 'object' };
    expect(shorten({ inputSchema, outputSchema: schema })).toEqual({
      inputSchema,
      output: {
        a: { type: 'object', properties: { b: { type: 'string', required: false } }, required: false },
        c: 'integer',
      },
    });
    expect(shorten({ inputSchema, outputSchema: { ...schema, ...closed } })).toHaveProperty('outputSchema');
  });

  it('I5: packs with random schemas list them byte for byte, in short form or not', async () => {
    const random = makeRandom(20_260);
    const pick = <T>(all: readonly T[]): T => all[random.below(all.length)] as T;
    const schema = (depth: number): object => {
      const kind = pick(depth > 2 ? ['string', 'integer'] : ['string', 'integer', 'boolean', 'array', 'object', 'odd']);
      const words = random.below(3) === 0 ? { description: `{{x}} ${random.below(9)}` } : {};
      if (kind === 'array') return { type: 'array', items: schema(depth + 1), ...words };
      if (kind === 'object') return { ...words, ...whole(depth + 1) };
      if (kind === 'odd')
        return pick<object>([{}, { anyOf: [{ type: 'string' }, schema(depth + 1)] }, { enum: ['a', 1] }]);
      return { type: kind, ...words };
    };
    const whole = (depth: number): object => {
      const names = ['a', 'b', 'c'].slice(0, random.below(4));
      const required = names.filter(() => random.below(2) === 0);
      return {
        type: 'object',
        properties: Object.fromEntries(names.map(name => [name, schema(depth)])),
        ...(required.length > 0 || random.below(5) === 0 ? { required } : {}),
        ...(random.below(2) === 0 ? { additionalProperties: random.below(4) > 0 ? false : {} } : {}),
      };
    };
    const listed = Array.from({ length: 400 }, (_, index) => ({
      name: `t${String(index).padStart(3, '0')}`,
      description: 'D',
      inputSchema: whole(0),
      outputSchema: whole(0),
    }));
    const imported = importOf({ tools: listed }, { short: true, proxy: true });
    expect(imported.leftOut).toEqual([]);
    const short = imported.items.filter(({ definition }) => 'parameters' in definition || 'output' in definition);
    expect(short.length).toBeGreaterThan(150);
    expect(short.length).toBeLessThan(400);
    expect(JSON.stringify((await listsOf(imported)).tools)).toBe(JSON.stringify(listed));
  });
});
