// What the tests of JSON Schema share: schemas as real tools have them, and a source that shows where findings point.
import type { Site } from '../../../schema/diagnostics.js';
import type { Path } from '../../../schema/document.js';
import type { SchemaSource } from '../../../schema/json-schema/check-context.js';

/** A site whose file spells the path, so that a test can say where a finding points. */
function siteOf(path: Path, side: 'key' | 'value' = 'value'): Site {
  const file = `/${path.join('/')}${side === 'key' ? ' (key)' : ''}`;
  return { file, line: 1, column: 1, endLine: 1, endColumn: 1 };
}

export function sourceOf(schema: unknown, changes: Partial<SchemaSource> = {}): SchemaSource {
  return { schema, role: 'input', style: 'raw', filling: 'always', name: 'sample', site: siteOf, ...changes };
}

/** An object with one property. */
export const withProperty = (property: unknown, more: object = {}): object => ({
  type: 'object',
  properties: { a: property },
  ...more,
});

export const draft07 = 'http://json-schema.org/draft-07/schema#';
export const draft2019 = 'https://json-schema.org/draft/2019-09/schema';
export const draft2020 = 'https://json-schema.org/draft/2020-12/schema';

const text = { type: 'string' };
const whole = { type: 'integer' };
const closed = (properties: object, more: object = {}): object => ({
  $schema: draft2020,
  type: 'object',
  properties,
  additionalProperties: false,
  ...more,
});
const open = (more: object): object => ({ $schema: draft2020, type: 'object', ...more });

/** One schema for each construct that type makers and validators stumble over; all of them are right. */
export const soundSchemas: Readonly<Record<string, unknown>> = {
  'recursion by $defs': {
    $schema: draft2020,
    $ref: '#/$defs/node',
    $defs: {
      node: open({ properties: { value: text, children: { type: 'array', items: { $ref: '#/$defs/node' } } } }),
    },
  },
  'recursion by the root': closed({ v: text, kids: { type: 'array', items: { $ref: '#' } } }, { required: ['v'] }),
  'mutual recursion': closed(
    { a: { $ref: '#/$defs/A' } },
    {
      $defs: {
        A: { type: 'object', properties: { b: { $ref: '#/$defs/B' } } },
        B: { type: 'object', properties: { a: { $ref: '#/$defs/A' } } },
      },
    },
  ),
  'null by a list of types': closed({ a: { type: ['string', 'null'] } }, { required: ['a'] }),
  'null by anyOf': closed({ a: { anyOf: [{ $ref: '#/$defs/T' }, { type: 'null' }] } }, { $defs: { T: text } }),
  'mixed enum': closed({ a: { enum: ['x', 1, null, true] }, b: { const: 'lit' }, c: { const: 5 } }),
  'const of an object': closed({ a: { const: { k: [1, 'z'] } } }),
  'oneOf with a tag': closed({
    t: {
      oneOf: [
        { type: 'object', properties: { kind: { const: 'stdio' }, cmd: text }, required: ['kind', 'cmd'] },
        { type: 'object', properties: { kind: { const: 'http' }, url: text }, required: ['kind', 'url'] },
      ],
    },
  }),
  'anyOf of simple types': closed({ a: { anyOf: [text, whole, { type: 'array', items: { type: 'boolean' } }] } }),
  'allOf at the root': {
    $schema: draft2020,
    allOf: [
      { type: 'object', properties: { a: text }, required: ['a'] },
      { type: 'object', properties: { b: whole }, required: ['b'] },
    ],
  },
  'allOf and unevaluatedProperties': open({
    allOf: [{ $ref: '#/$defs/base' }],
    properties: { b: whole },
    required: ['a', 'b'],
    unevaluatedProperties: false,
    $defs: { base: { type: 'object', properties: { a: text }, required: ['a'] } },
  }),
  'unevaluatedProperties alone': open({ properties: { a: text }, unevaluatedProperties: false }),
  'keywords beside $ref': open({
    $ref: '#/$defs/base',
    properties: { b: whole },
    required: ['a', 'b'],
    $defs: { base: { type: 'object', properties: { a: text }, required: ['a'] } },
  }),
  'typed additionalProperties': open({ additionalProperties: whole }),
  'typed additionalProperties and names': open({
    properties: { id: text },
    required: ['id', 'other'],
    additionalProperties: whole,
  }),
  'open by default': open({ properties: { id: text }, required: ['id'] }),
  patternProperties: open({ patternProperties: { '^x-': whole }, additionalProperties: false, required: ['x-a'] }),
  'patternProperties and names': closed({ id: text }, { patternProperties: { '^x-': whole }, required: ['id', 'x-a'] }),
  'tuple of 2020-12': closed({ t: { type: 'array', prefixItems: [text, whole], items: false } }),
  'tuple with a minimum': closed({ t: { type: 'array', prefixItems: [text, whole], items: false, minItems: 2 } }),
  'tuple with a rest': closed({ t: { type: 'array', prefixItems: [text], items: whole, minItems: 1 } }),
  'tuple of draft-07': {
    $schema: draft07,
    type: 'object',
    properties: { t: { type: 'array', items: [text, whole], additionalItems: false, minItems: 2 } },
  },
  formats: closed({ d: { type: 'string', format: 'date-time' }, e: { type: 'string', format: 'email' } }),
  'unknown formats': closed({ d: { type: 'string', format: 'json' }, e: { type: 'string', format: 'cidrv4' } }),
  'texts that end comments': closed({ a: { ...text, description: 'evil */ code /*' } }, { description: 'root */' }),
  'texts with lines': closed({ a: { ...text, description: 'one\ntwo `x` ${y}\n\u2028', default: 'q' } }),
  'long enum': closed({ a: { enum: Array.from({ length: 3000 }, (_, index) => `value_${index}`) } }),
  'enum with quotes': closed({ a: { enum: ["it's", 'a"b', 'back\\slash', 'new\nline', '`${x}`', '\u2028', ''] } }),
  'odd property names': closed({ 'x-y': text, '1abc': text, 'a b': text, class: text, '': text, é: text, 日本: text }),
  'inherited property names': closed({ constructor: text, toString: text }),
  'the property __proto__': JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
  'definitions that differ in case': closed(
    { a: { $ref: '#/$defs/foo-bar' }, b: { $ref: '#/$defs/fooBar' }, c: { $ref: '#/$defs/FooBar' } },
    { $defs: { 'foo-bar': text, fooBar: whole, FooBar: { type: 'boolean' } } },
  ),
  'definitions with odd names': closed(
    { a: { $ref: '#/$defs/string' }, b: { $ref: '#/$defs/constructor' }, e: { $ref: '#/$defs/a~1b%25c' } },
    { $defs: { string: whole, constructor: text, 'a/b%c': { type: 'boolean' } } },
  ),
  'required alone': open({ required: ['a'] }),
  'boolean schemas': closed({ any: true, never: false }, { required: ['any'] }),
  'if and then': closed(
    { kind: { enum: ['a', 'b'] }, x: text },
    { required: ['kind'], if: { properties: { kind: { const: 'a' } } }, then: { required: ['x'] } },
  ),
  anchors: closed({ a: { $ref: '#anc' } }, { $defs: { t: { $anchor: 'anc', type: 'integer' } } }),
  'relative $id': {
    ...closed({ a: { $ref: 'item' } }, { $defs: { t: { $id: 'item', type: 'integer' } } }),
    $id: 'https://x.test/base',
  },
  'reference to a sibling': closed({ a: { type: 'object', properties: { b: whole } }, c: { $ref: '#/properties/a' } }),
  'object or text': closed({ a: { type: ['object', 'string'], properties: { p: whole }, required: ['p'] } }),
  'oneOf beside properties': open({
    properties: { common: text },
    required: ['common'],
    oneOf: [
      { properties: { k: { const: 'a' }, x: text }, required: ['k', 'x', 'common'] },
      { properties: { k: { const: 'b' }, y: text }, required: ['k', 'y'] },
    ],
  }),
  'anyOf that only requires': open({
    properties: { a: text, b: text },
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
  }),
  'limits of lists': closed({ a: { type: 'array', items: text, minItems: 1, maxItems: 3 } }),
  'list of anything': closed({ a: { type: 'array' } }),
  'no type': { $schema: draft2020, properties: { a: { enum: ['q'] } }, required: ['a'] },
  'objects in objects': closed({ a: closed({ b: closed({ c: whole }, { required: ['c'] }) }, { required: ['b'] }) }),
  'nothing at all': {},
  'no properties': closed({}),
  not: closed({ a: { not: text } }),
  dependentRequired: closed({ a: text, b: text }, { dependentRequired: { a: ['b'] } }),
};
