// The table of schemas with values that their types must accept and values that they must reject.
import type { TypeMode } from '../../../../generator/compile/types/scope.js';
import { draft07, draft2019, draft2020 } from '../../../schema/json-schema/samples.js';

export interface TypeCase {
  readonly schema: Readonly<Record<string, unknown>>;
  /** `input` unless told otherwise. */
  readonly mode?: TypeMode;
  readonly accepts: readonly unknown[];
  readonly rejects: readonly unknown[];
}

type Keywords = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const whole = { type: 'integer' };
const yesNo = { type: 'boolean' };
const nothing = { type: 'null' };
const closed = (properties: Keywords, more: Keywords = {}): Keywords => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...more,
});
const open = (more: Keywords): Keywords => ({ type: 'object', ...more });
/** One required property `a`. */
const one = (schema: unknown, more: Keywords = {}): Keywords => closed({ a: schema }, { required: ['a'], ...more });
const numbered = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, index) => `${name}${index}`);
/** Objects that are told apart by a property. */
const alternatives = (name: string, count: number): Keywords => ({
  oneOf: numbered(count, name).map((other, index) =>
    open({ properties: { [name]: { const: index }, [other]: text }, required: [name] }),
  ),
});
const a = (...values: unknown[]): unknown[] => values.map(value => ({ a: value }));

export const typeCases: Readonly<Record<string, TypeCase>> = {
  'recursion by $defs': {
    schema: {
      $ref: '#/$defs/node',
      $defs: {
        node: closed(
          { value: text, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
          { required: ['value'] },
        ),
      },
    },
    accepts: [{ value: 'a', children: [{ value: 'b' }] }],
    rejects: [{ value: 1 }, {}, { value: 'a', children: [{ value: 2 }] }],
  },
  'recursion by the root': {
    schema: closed({ v: text, kids: { type: 'array', items: { $ref: '#' } } }, { required: ['v'] }),
    accepts: [{ v: 'a', kids: [{ v: 'b', kids: [] }] }],
    rejects: [
      { v: 'a', kids: [{ v: 1 }] },
      { v: 'a', kids: [1] },
    ],
  },
  'mutual recursion': {
    schema: closed(
      { a: { $ref: '#/$defs/A' } },
      { $defs: { A: closed({ b: { $ref: '#/$defs/B' } }), B: closed({ a: { $ref: '#/$defs/A' } }) } },
    ),
    accepts: [{ a: { b: { a: {} } } }],
    rejects: [{ a: { b: { a: 1 } } }, { a: { a: {} } }],
  },
  'recursion through a union of JSON': {
    schema: one(
      { $ref: '#/$defs/json' },
      {
        $defs: {
          json: {
            anyOf: [
              text,
              nothing,
              { type: 'array', items: { $ref: '#/$defs/json' } },
              open({ additionalProperties: { $ref: '#/$defs/json' } }),
            ],
          },
        },
      },
    ),
    accepts: a('x', null, [['x'], null], { k: { l: ['x'] } }),
    rejects: a(1, [true], { k: { l: [1] } }),
  },
  'recursion through a tuple': {
    schema: one(
      { $ref: '#/$defs/pair' },
      { $defs: { pair: { type: 'array', prefixItems: [text, { $ref: '#/$defs/pair' }], items: false } } },
    ),
    accepts: a([], ['x'], ['x', ['y', []]]),
    rejects: a([1], ['x', ['y', [1]]], ['x', [], 1]),
  },
  'a schema that is only itself': {
    schema: one({ $ref: '#/$defs/loop' }, { $defs: { loop: { anyOf: [{ $ref: '#/$defs/loop' }, text] } } }),
    accepts: a('x'),
    rejects: [{}],
  },
  'null by a list of types': {
    schema: one({ type: ['string', 'null'] }),
    accepts: a(null, 'x'),
    rejects: [...a(1), {}],
  },
  'null by anyOf': {
    schema: one({ anyOf: [{ $ref: '#/$defs/T' }, nothing] }, { $defs: { T: text } }),
    accepts: a(null, 'x'),
    rejects: a(1),
  },
  'null by enum': {
    schema: one({ type: ['string', 'null'], enum: ['x', null] }),
    accepts: a('x', null),
    rejects: a('y', 1),
  },
  'null by nullable, a word of OpenAPI': {
    schema: one({ type: 'string', nullable: true }),
    accepts: a('x', null),
    rejects: a(1),
  },
  'mixed enum': {
    schema: closed({ a: { enum: ['x', 1, null, true] }, b: { const: 'lit' }, c: { const: 5 } }, { required: ['a'] }),
    accepts: [...a('x', 1, null), { a: true, b: 'lit', c: 5 }],
    rejects: [...a('y', false), { a: 1, b: 'no' }, { a: 1, c: 6 }],
  },
  'enum narrowed by type': {
    schema: one({ type: 'string', enum: ['x', 1, null] }),
    accepts: a('x'),
    rejects: a(1, null),
  },
  'enum narrowed by allOf': {
    schema: one({ allOf: [{ enum: ['x', 'y'] }, { enum: ['y', 'z'] }] }),
    accepts: a('y'),
    rejects: a('x', 'z'),
  },
  'const of an object': {
    schema: one({ const: { k: [1, 'z'] } }),
    accepts: a({ k: [1, 'z'] }),
    rejects: a({ k: [2, 'z'] }, 1),
  },
  'const of empty containers': {
    schema: one({ enum: [{}, [], { k: {} }] }),
    accepts: a({}, [], { k: {} }),
    rejects: a([1], 1, { k: { l: 1 } }),
  },
  'const of odd numbers': {
    schema: one({ enum: [-1, 1e21, 1e-7, 0.5] }),
    accepts: a(-1, 1e21, 1e-7, 0.5),
    rejects: a(1, 0),
  },
  'oneOf with a tag': {
    schema: one({
      oneOf: [
        closed({ kind: { const: 'stdio' }, cmd: text }, { required: ['kind', 'cmd'] }),
        closed({ kind: { const: 'http' }, url: text }, { required: ['kind', 'url'] }),
      ],
    }),
    accepts: a({ kind: 'http', url: 'u' }, { kind: 'stdio', cmd: 'c' }),
    rejects: a({ kind: 'http', cmd: 'u' }, { kind: 'ftp' }),
  },
  'anyOf of simple types': {
    schema: one({ anyOf: [text, whole, { type: 'array', items: yesNo }] }),
    accepts: a('s', 1, [true]),
    rejects: a(true, ['x']),
  },
  'oneOf beside properties': {
    schema: open({
      properties: { common: text },
      required: ['common'],
      oneOf: [
        { properties: { k: { const: 'a' }, x: text }, required: ['k', 'x'] },
        { properties: { k: { const: 'b' }, y: text }, required: ['k', 'y'] },
      ],
    }),
    accepts: [
      { common: 'c', k: 'a', x: 's' },
      { common: 'c', k: 'b', y: 's' },
    ],
    rejects: [
      { k: 'a', x: 's' },
      { common: 'c', k: 'a', x: 5 },
      { common: 'c', k: 'z' },
      { common: 1, k: 'a', x: 's' },
    ],
  },
  'anyOf that only requires': {
    schema: open({ properties: { a: text, b: text }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
    accepts: [{ a: 'x' }, { b: 'x' }, { a: 'x', b: 'y' }],
    rejects: [{}, { a: 1 }, { a: 'x', b: 1 }],
  },
  'anyOf with a type beside it': {
    schema: one({ type: 'object', anyOf: [{ properties: { x: text } }, true] }),
    accepts: a({ x: 'a' }, { x: 1 }, {}),
    rejects: a(1, 'x', null),
  },
  'allOf at the root': {
    schema: {
      allOf: [open({ properties: { a: text }, required: ['a'] }), open({ properties: { b: whole }, required: ['b'] })],
    },
    accepts: [{ a: 'x', b: 1 }],
    rejects: [{ a: 'x' }, { a: 1, b: 1 }],
  },
  'allOf that narrows a property': {
    schema: {
      allOf: [open({ properties: { a: text } }), open({ properties: { a: { enum: ['x', 'y'] } }, required: ['a'] })],
    },
    accepts: a('x', 'y'),
    rejects: [...a('z', 1), {}],
  },
  'allOf of a reference and more': {
    schema: {
      $defs: { base: open({ properties: { a: text }, required: ['a'] }) },
      allOf: [{ $ref: '#/$defs/base' }, open({ properties: { b: whole }, required: ['b'] })],
    },
    accepts: [{ a: 'x', b: 1 }],
    rejects: [{ a: 'x' }, { b: 1 }],
  },
  'allOf with a typed map': {
    schema: { allOf: [open({ properties: { a: whole }, required: ['a'] }), open({ additionalProperties: whole })] },
    accepts: [{ a: 1, z: 2 }],
    rejects: [{ a: 'x' }, { a: 1, z: 'x' }],
  },
  'allOf of choices': {
    schema: one({ allOf: [{ anyOf: [text, whole] }, { anyOf: [whole, yesNo] }] }),
    accepts: a(1),
    rejects: a('x', true),
  },
  'allOf and unevaluatedProperties': {
    schema: open({
      allOf: [{ $ref: '#/$defs/base' }],
      properties: { b: whole },
      required: ['b'],
      unevaluatedProperties: false,
      $defs: { base: open({ properties: { a: text }, required: ['a'] }) },
    }),
    accepts: [{ a: 'x', b: 1 }],
    rejects: [{ a: 'x', b: 1, c: 2 }, { b: 1 }],
  },
  'oneOf and unevaluatedProperties': {
    schema: open({
      oneOf: [
        { properties: { a: text }, required: ['a'] },
        { properties: { b: text }, required: ['b'] },
      ],
      unevaluatedProperties: false,
    }),
    accepts: [{ a: 'x' }, { b: 'x' }],
    rejects: [{}, { a: 1 }, { a: 'x', c: 1 }],
  },
  'unevaluatedProperties alone': {
    schema: open({ properties: { a: text }, unevaluatedProperties: false }),
    accepts: [{ a: 'x' }],
    rejects: [{ a: 'x', z: 1 }],
  },
  'unevaluatedProperties with a schema': {
    schema: open({ properties: { a: text }, required: ['a'], unevaluatedProperties: whole }),
    accepts: [{ a: 'x', z: 1 }],
    rejects: [{ a: 1 }, { a: 'x', z: true }],
  },
  'unevaluatedProperties with a schema and more beside': {
    schema: open({
      allOf: [{ properties: { a: text }, required: ['a'] }],
      properties: { b: whole },
      unevaluatedProperties: whole,
    }),
    accepts: [{ a: 'x', b: 1 }],
    rejects: [{ a: 1 }],
  },
  'keywords beside $ref': {
    schema: open({
      $ref: '#/$defs/base',
      properties: { b: whole },
      required: ['b'],
      $defs: { base: open({ properties: { a: text }, required: ['a'] }) },
    }),
    accepts: [{ a: 'x', b: 1 }],
    rejects: [{ a: 'x' }, { b: 1 }],
  },
  'typed additionalProperties': {
    schema: open({ additionalProperties: whole }),
    accepts: [...a(1), {}],
    rejects: a('x'),
  },
  'typed additionalProperties and names': {
    schema: open({ properties: { id: text, n: yesNo }, required: ['id', 'other'], additionalProperties: whole }),
    accepts: [
      { id: 'x', other: 1, more: 2 },
      { id: 'x', n: true, other: 1 },
    ],
    rejects: [{ id: 1, other: 1 }, { n: 1 }, { id: 'x', other: 'x' }, { id: 'x', other: 1, more: [] }],
  },
  'open by silence catches typing mistakes in literals': {
    schema: open({ properties: { id: text }, required: ['id'] }),
    accepts: [{ id: 'x' }],
    rejects: [{ id: 1 }, { id: 'x', idd: 'y' }],
  },
  'open by word': {
    schema: open({ properties: { id: text }, required: ['id'], additionalProperties: true }),
    accepts: [{ id: 'x', other: [1] }],
    rejects: [{ id: 1 }, {}],
  },
  'an object of anything': { schema: one({ type: 'object' }), accepts: a({}, { x: 1 }), rejects: a(1, 'x', null) },
  'an object of anything, for the handler': {
    schema: one({ type: 'object' }),
    mode: 'args',
    accepts: a({}, { x: 1 }),
    rejects: a(1, null),
  },
  patternProperties: {
    schema: open({ patternProperties: { '^x-': whole }, additionalProperties: false }),
    accepts: [{ 'x-a': 1 }, {}],
    rejects: [{ 'x-a': 'str' }, { y: 1 }],
  },
  'patternProperties and names': {
    schema: closed({ id: text, 'x-id': whole }, { patternProperties: { '^x-': whole }, required: ['id', 'x-a'] }),
    accepts: [
      { id: 'a', 'x-a': 1 },
      { id: 'a', 'x-a': 1, 'x-id': 1, 'x-b': 2 },
    ],
    rejects: [{ id: 1, 'x-a': 1 }, { id: 'a' }, { id: 'a', 'x-a': 's' }],
  },
  'patternProperties of a suffix, open': {
    schema: open({ properties: { a: text }, required: ['a'], patternProperties: { _at$: whole } }),
    accepts: [{ a: 'x', made_at: 1 }],
    rejects: [{ a: 'x', made_at: 'y' }],
  },
  'patternProperties that no type can say': {
    schema: open({ properties: { a: text }, patternProperties: { '^[a-z]{2}$': whole }, additionalProperties: false }),
    accepts: [{ a: 'x', de: 1 }, { fr: 2 }],
    rejects: [{ a: 1 }, { de: true }],
  },
  'patternProperties that no type can say, open': {
    schema: open({ patternProperties: { '^[a-z]{2}$': whole } }),
    accepts: [{ de: 1, other: 'x' }],
    rejects: [1],
  },
  'patternProperties of all names, as libraries write maps': {
    schema: one(open({ patternProperties: { '^(.*)$': whole } })),
    accepts: a({}, { x: 1 }),
    rejects: a({ x: 'y' }),
  },
  'patternProperties beside typed additionalProperties': {
    schema: open({ patternProperties: { '^s_': text, '^t_': text }, additionalProperties: whole }),
    accepts: [{ s_a: 'x', t_b: 'y', n: 1 }],
    rejects: [{ s_a: 1 }, { n: true }],
  },
  'patternProperties that include each other': {
    schema: open({
      patternProperties: { '^x-': { type: ['string', 'integer'] }, '^x-n': whole, '-z$': text },
      additionalProperties: false,
    }),
    accepts: [{ 'x-a': 'x', 'x-n1': 1, 'y-z': 'x' }, { 'x-z': 'x' }],
    rejects: [{ 'x-n1': 'x' }, { 'x-a': true }, { 'x-z': 1 }],
  },
  'tuple of 2020-12': {
    schema: one({ type: 'array', prefixItems: [text, whole], items: false }),
    accepts: a(['a', 1], ['a'], []),
    rejects: a([1, 'a'], ['a', 1, 2]),
  },
  'tuple with a minimum': {
    schema: one({ type: 'array', prefixItems: [text, whole], items: false, minItems: 2 }),
    accepts: a(['a', 1]),
    rejects: a(['a'], ['a', 1, 2], [1, 'a']),
  },
  'tuple with a rest': {
    schema: one({ type: 'array', prefixItems: [text], items: whole, minItems: 1 }),
    accepts: a(['a', 1, 2], ['a']),
    rejects: a(['a', 'b'], [1], []),
  },
  'tuple with a maximum': {
    schema: one({ type: 'array', prefixItems: [text, whole, yesNo], maxItems: 2 }),
    accepts: a([], ['a'], ['a', 1]),
    rejects: a(['a', 1, true], [1]),
  },
  'tuple that stays open': {
    schema: one({ type: 'array', prefixItems: [text] }),
    accepts: a([], ['a', 1, {}]),
    rejects: a([1]),
  },
  'tuple of unions and lists': {
    schema: one({
      type: 'array',
      prefixItems: [{ type: ['string', 'null'] }, { type: 'array', items: whole }],
      items: { enum: ['x', 'y'] },
    }),
    accepts: a([null, [1], 'x', 'y'], ['a'], []),
    rejects: a([1], [null, ['x']], [null, [], 'z']),
  },
  'tuple with a forbidden member': {
    schema: one({ type: 'array', prefixItems: [text, false] }),
    accepts: a([], ['x']),
    rejects: a(['x', 1]),
  },
  'tuple closed by unevaluatedItems': {
    schema: one({ type: 'array', prefixItems: [text], unevaluatedItems: false }),
    accepts: a([], ['x']),
    rejects: a(['x', 1]),
  },
  'tuple of draft-07': {
    schema: { $schema: draft07, ...one({ type: 'array', items: [text, whole], additionalItems: false, minItems: 2 }) },
    accepts: a(['a', 1]),
    rejects: a(['a'], ['a', 1, 2]),
  },
  'tuple of draft-07 with a rest': {
    schema: { $schema: draft07, ...one({ type: 'array', items: [text], additionalItems: whole }) },
    accepts: a([], ['a', 1, 2]),
    rejects: a(['a', 'b']),
  },
  'list without items': { schema: one({ type: 'array', items: false }), accepts: a([]), rejects: a([1]) },
  'lists of lists of choices': {
    schema: one({ type: 'array', items: { type: 'array', items: { type: ['string', 'number'] } } }),
    accepts: a([], [['x', 1], []]),
    rejects: a(['x'], [[true]]),
  },
  'limits of lists': {
    schema: one({ type: 'array', items: text, minItems: 1, maxItems: 3 }),
    accepts: a(['x'], ['x', 'y', 'z']),
    rejects: a([1]),
  },
  'list of anything': { schema: one({ type: 'array' }), accepts: a([1, 'x', {}]), rejects: a('x') },
  formats: {
    schema: closed({ d: { type: 'string', format: 'date-time' }, e: { type: 'string', format: 'email' } }),
    accepts: [{ d: '2020-01-01T00:00:00Z', e: 'a@b' }],
    rejects: [{ d: 1 }],
  },
  'texts that end comments': {
    schema: closed(
      { a: { ...text, description: 'evil */ export const x = 1; /* end' } },
      { description: 'root */ hmm' },
    ),
    accepts: a('x'),
    rejects: a(1),
  },
  'texts that are directives': {
    schema: closed({
      a: { ...text, description: 'line\n@ts-expect-error' },
      b: { ...text, description: '@ts-ignore' },
    }),
    accepts: [{ a: 'x', b: 'y' }],
    rejects: [{ a: 1 }, { b: 1 }],
  },
  'texts with lines': {
    schema: closed({ a: { ...text, description: 'line1\nline2 @param foo `x` ${y}\n\n\u2028sep', default: 'q' } }),
    accepts: [...a('x'), {}],
    rejects: a(1),
  },
  'long enum': {
    schema: one({ enum: Array.from({ length: 3000 }, (_, index) => `value_${index}`) }),
    accepts: a('value_0', 'value_2999'),
    rejects: a('value_3000'),
  },
  'list of a long enum': {
    schema: one({ type: 'array', items: { enum: Array.from({ length: 40 }, (_, index) => `value_${index}`) } }),
    accepts: a([], ['value_0', 'value_39']),
    rejects: a(['value_40'], 'value_0'),
  },
  'enum with quotes': {
    schema: one({ enum: ["it's", 'a"b', 'back\\slash', 'new\nline', '`${x}`', '\u2028', '', '\ud800'] }),
    accepts: a("it's", 'a"b', 'back\\slash', 'new\nline', '`${x}`', '\u2028', '', '\ud800'),
    rejects: a('nope'),
  },
  'odd property names': {
    schema: closed({
      'x-y': text,
      '1abc': text,
      'a b': text,
      class: text,
      '': text,
      é: text,
      'q\'u"o': text,
      'new\nline': text,
      'back\\': text,
      日本: text,
      '0': text,
      '-1': text,
    }),
    accepts: [
      {
        'x-y': 'a',
        '1abc': 'b',
        'a b': 'c',
        class: 'd',
        '': 'e',
        é: 'f',
        'q\'u"o': 'g',
        'new\nline': 'h',
        'back\\': 'j',
        日本: 'k',
        '0': 'l',
        '-1': 'm',
      },
    ],
    rejects: [{ 'x-y': 1 }, { '': 1 }, { 'q\'u"o': 1 }, { 'new\nline': 1 }, { 日本: 1 }, { '0': 1 }, { '-1': 1 }],
  },
  'inherited property names': {
    schema: closed({ constructor: text, toString: text, valueOf: whole, z: text }, { required: ['constructor'] }),
    accepts: [{ constructor: 'x' }, { constructor: 'x', toString: 'y', valueOf: 1 }],
    rejects: [{ constructor: 1 }, { constructor: 'x', z: 1 }],
  },
  'inherited property names beside a map': {
    schema: open({ properties: { toString: text }, additionalProperties: whole }),
    accepts: [{}, { toString: 'x', n: 1 }],
    rejects: [1],
  },
  'the property __proto__': {
    schema: JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"z":{"type":"string"}},"required":["z"],"additionalProperties":false}',
    ),
    accepts: [{ z: 'a' }],
    rejects: [{ z: 1 }],
  },
  'definitions whose names collide': {
    schema: closed(
      {
        a: { $ref: '#/$defs/foo-bar' },
        b: { $ref: '#/$defs/fooBar' },
        c: { $ref: '#/$defs/FooBar' },
        d: { $ref: '#/$defs/foo_bar' },
      },
      {
        $defs: {
          'foo-bar': closed({ x: text }, { required: ['x'] }),
          fooBar: closed({ x: whole }, { required: ['x'] }),
          FooBar: closed({ x: yesNo }, { required: ['x'] }),
          foo_bar: closed({ x: nothing }, { required: ['x'] }),
        },
      },
    ),
    accepts: [{ a: { x: 's' }, b: { x: 1 }, c: { x: true }, d: { x: null } }],
    rejects: [{ a: { x: 1 } }, { b: { x: 's' } }, { c: { x: 1 } }, { d: { x: 1 } }],
  },
  'definitions with odd names': {
    schema: closed(
      {
        a: { $ref: '#/$defs/string' },
        b: { $ref: '#/$defs/Array' },
        c: { $ref: '#/$defs/class' },
        d: { $ref: '#/$defs/1st' },
        e: { $ref: '#/$defs/a~1b%25c' },
        f: { type: 'array', items: text },
        g: { $ref: '#/$defs/%F0%9F%98%80' },
        h: { $ref: '#/$defs/constructor' },
      },
      {
        $defs: {
          string: { enum: [1] },
          Array: closed({ z: yesNo }, { required: ['z'] }),
          class: { enum: [true] },
          '1st': { enum: [true] },
          'a/b%c': { enum: [true] },
          '😀': { enum: [true] },
          constructor: { enum: [true] },
        },
      },
    ),
    accepts: [{ a: 1, b: { z: true }, c: true, d: true, e: true, f: ['x'], g: true, h: true }],
    rejects: [{ a: 'x' }, { b: [1] }, { f: { z: true } }, { f: [1] }, { e: 1 }, { g: 1 }, { h: 1 }],
  },
  'required alone': { schema: open({ required: ['a'] }), accepts: a(1), rejects: [{}] },
  'boolean schemas': {
    schema: closed({ any: true, never: false }, { required: ['any'] }),
    accepts: [{ any: { x: 1 } }],
    rejects: [{ any: 1, never: 1 }, {}],
  },
  'if, then and else': {
    schema: closed(
      { kind: { enum: ['a', 'b'] }, x: text },
      { required: ['kind'], if: { properties: { kind: { const: 'a' } } }, then: { required: ['x'] } },
    ),
    accepts: [{ kind: 'a', x: 's' }, { kind: 'b' }],
    rejects: [{ kind: 'c' }],
  },
  'properties that only a condition names': {
    schema: open({
      properties: { kind: text },
      required: ['kind'],
      if: { properties: { kind: { const: 'a' } } },
      then: { properties: { x: text }, required: ['x'] },
      else: { $ref: '#/$defs/other' },
      $defs: { other: { properties: { y: whole } } },
    }),
    accepts: [
      { kind: 'a', x: 's' },
      { kind: 'b', y: 1 },
      { kind: 'b', x: 1 },
    ],
    rejects: [{ x: 's' }],
  },
  'properties that only a dependency names': {
    schema: open({
      properties: { card: text },
      dependentSchemas: { card: { properties: { address: text }, required: ['address'] } },
    }),
    accepts: [{ card: 'x', address: 'y' }, {}],
    rejects: [{ card: 1 }],
  },
  anchors: {
    schema: one({ $ref: '#anc' }, { $defs: { t: { $anchor: 'anc', type: 'integer' } } }),
    accepts: a(1),
    rejects: a('x'),
  },
  'relative $id': {
    schema: {
      ...one({ $ref: 'item' }, { $defs: { t: { $id: 'item', type: 'integer' } } }),
      $id: 'https://x.test/base',
    },
    accepts: a(1),
    rejects: a('x'),
  },
  'reference by a pointer into properties': {
    schema: closed({
      a: open({ properties: { inner: { enum: [1, 2] } } }),
      b: { $ref: '#/properties/a/properties/inner' },
    }),
    accepts: [{ b: 1 }],
    rejects: [{ b: 'x' }, { b: 3 }],
  },
  'definitions of draft-07': {
    schema: { $schema: draft07, ...one({ $ref: '#/definitions/T' }, { definitions: { T: closed({ x: text }) } }) },
    accepts: a({ x: 'y' }),
    rejects: a({ x: 1 }, 1),
  },
  $dynamicRef: {
    schema: closed(
      { v: text, kids: { type: 'array', items: { $dynamicRef: '#node' } } },
      { $dynamicAnchor: 'node', required: ['v'] },
    ),
    accepts: [{ v: 'a', kids: [{ v: 'b' }] }],
    rejects: [{ v: 'a', kids: [{ v: 1 }] }],
  },
  '$dynamicRef that may lead to several schemas': {
    schema: one(
      { $dynamicRef: '#node' },
      { $defs: { x: { $dynamicAnchor: 'node', type: 'string' }, y: { $dynamicAnchor: 'node', type: 'integer' } } },
    ),
    accepts: a('x', 1),
    rejects: [{}],
  },
  $recursiveRef: {
    schema: { $schema: draft2019, ...closed({ v: text, kid: { $recursiveRef: '#' } }, { required: ['v'] }) },
    accepts: [{ v: 'a', kid: { v: 'b' } }],
    rejects: [{ v: 'a', kid: { v: 1 } }],
  },
  'references that lead nowhere': {
    schema: closed({ a: { $ref: '#/$defs/missing' }, b: { $ref: 'https://elsewhere.test/x' }, c: text }),
    accepts: [{ a: 1, b: 'x', c: 'y' }],
    rejects: [{ c: 1 }],
  },
  'object or text': {
    schema: one({ type: ['object', 'string'], properties: { p: whole }, required: ['p'], additionalProperties: false }),
    accepts: a('x', { p: 1 }),
    rejects: a(1, { p: 'x' }),
  },
  'no type at the root': {
    schema: { properties: { a: { enum: ['q'] } }, required: ['a'], additionalProperties: false },
    accepts: a('q'),
    rejects: [...a('z'), 1],
  },
  'no type below the root': {
    schema: one({ properties: { x: text }, required: ['x'] }),
    accepts: a({ x: 'y' }, 1, 'z', null, [1]),
    rejects: a({ x: 1 }, {}),
  },
  'no type, given by allOf': {
    schema: one({ properties: { x: text }, required: ['x'], allOf: [{ type: 'object' }] }),
    accepts: a({ x: 'y' }),
    rejects: a({ x: 1 }, 1),
  },
  'a root without type, referred to from inside': {
    schema: { properties: { v: text, kid: { $ref: '#' } }, required: ['v'] },
    accepts: [
      { v: 'a', kid: { v: 'b' } },
      { v: 'a', kid: 5 },
    ],
    rejects: [{ v: 'a', kid: { v: 1 } }, 5],
  },
  'objects in objects': {
    schema: one({ ...one(closed({ c: whole }, { required: ['c'] })), title: 'Has Title' }),
    accepts: a({ a: { c: 1 } }),
    rejects: a({ a: { c: 'x' } }, {}),
  },
  'nothing at all': { schema: {}, accepts: [{ a: 1 }, {}], rejects: [1, null] },
  'nothing at all, for the handler': {
    schema: { $schema: draft2020 },
    mode: 'args',
    accepts: [{ a: 1 }],
    rejects: [1],
  },
  'nothing at all, for the result': { schema: {}, mode: 'output', accepts: [{ a: 1 }, 1, null], rejects: [] },
  'nothing at all below the root': { schema: one({}), accepts: a(1, null, {}, []), rejects: [{}] },
  'a result that is not an object': {
    schema: { type: 'array', items: text },
    mode: 'output',
    accepts: [['x'], []],
    rejects: [[1], {}],
  },
  'arguments that a choice describes': {
    schema: { oneOf: [text, open({ properties: { a: text }, required: ['a'] })] },
    accepts: a('x'),
    rejects: ['x', {}],
  },
  'no properties': { schema: closed({}), accepts: [{}], rejects: a(1) },
  not: { schema: closed({ a: { not: text }, b: text }), accepts: a(1), rejects: [{ b: 1 }] },
  dependentRequired: {
    schema: closed({ a: text, b: text }, { dependentRequired: { a: ['b'] } }),
    accepts: [{ a: 'x', b: 'y' }, {}],
    rejects: a(1),
  },
  'a contradiction': {
    schema: closed({ a: { type: 'string', const: 1 }, b: text }),
    accepts: [{}, { b: 'x' }],
    rejects: a(1, 'x'),
  },
  'a type that nobody knows': { schema: one({ type: 'any' }), accepts: a(1, 'x', null), rejects: [{}] },
  'defaults, for the caller': {
    schema: closed(
      { a: { type: 'integer', default: 1 }, b: closed({ c: { ...text, default: 'x' } }) },
      { required: ['a'] },
    ),
    accepts: [{}, { a: 1 }, { b: {} }],
    rejects: [{ a: 'x' }, { b: { c: 1 } }],
  },
  'defaults, for the handler': {
    schema: closed({
      a: { type: 'integer', default: 1 },
      b: { ...closed({ c: { ...text, default: 'x' } }), default: {} },
    }),
    mode: 'args',
    accepts: [{ a: 1, b: { c: 'x' } }],
    rejects: [{}, { a: 1 }, { a: 1, b: {} }],
  },
  'defaults inside a choice, which nobody fills in': {
    schema: one({ anyOf: [closed({ c: { ...text, default: 'x' } }), nothing] }),
    mode: 'args',
    accepts: a({}, { c: 'y' }, null),
    rejects: a({ c: 1 }),
  },
  'defaults of a definition used inside and outside of a choice': {
    schema: closed(
      { a: { $ref: '#/$defs/T' }, b: { anyOf: [{ $ref: '#/$defs/T' }, nothing] } },
      { required: ['a', 'b'], $defs: { T: closed({ c: { ...text, default: 'x' } }) } },
    ),
    mode: 'args',
    accepts: [
      { a: { c: 'x' }, b: {} },
      { a: { c: 'x' }, b: null },
    ],
    rejects: [{ a: {}, b: {} }],
  },
  'defaults of inherited names, which nobody fills in': {
    schema: closed({ a: text, toString: { properties: { p: text }, default: 'x' } }, { required: ['a'] }),
    mode: 'args',
    accepts: [{ a: 'x' }, { a: 'x', toString: 'y' }],
    rejects: [{}],
  },
  'defaults, for the result': {
    schema: closed({ a: { type: 'integer', default: 1 }, b: { ...text, default: 'x' } }, { required: ['a'] }),
    mode: 'output',
    accepts: [{ a: 1 }, { a: 1, b: 'y' }],
    rejects: [{}, { b: 'y' }],
  },
  'many alternatives combined': {
    schema: {
      $schema: draft2020,
      type: 'object',
      allOf: Array.from({ length: 4 }, (_, group) => ({
        anyOf: Array.from({ length: 40 }, (_member, index) => ({
          properties: { [`g${group}`]: { const: index } },
          required: [`g${group}`],
        })),
      })),
    },
    accepts: [{ g0: 1, g1: 2, g2: 3, g3: 4 }],
    rejects: [{}],
  },
  'many alternatives combined by name': {
    schema: {
      type: 'object',
      allOf: ['a', 'b', 'c'].map(name => ({ $ref: `#/$defs/${name}` })),
      $defs: Object.fromEntries(['a', 'b', 'c'].map(name => [name, alternatives(name, 60)])),
    },
    accepts: [{ a: 1, b: 2, c: 3 }],
    rejects: [{}, { b: 2, c: 3 }],
  },
  'many alternatives combined in a property': {
    schema: open({ allOf: ['b', 'c'].map(name => ({ required: ['a'], properties: { a: alternatives(name, 330) } })) }),
    accepts: [{ a: { b: 1, c: 2 } }],
    rejects: [{}, { a: {} }],
  },
  'many alternatives combined through further names': {
    schema: open({
      properties: { p: { $ref: '#/$defs/one' } },
      $defs: {
        one: { allOf: [{ $ref: '#/$defs/two' }, { $ref: '#/$defs/a' }] },
        two: { allOf: [{ $ref: '#/$defs/b' }, { $ref: '#/$defs/c' }] },
        ...Object.fromEntries(['a', 'b', 'c'].map(name => [name, alternatives(name, 50)])),
      },
    }),
    accepts: [{ p: { a: 1, b: 2, c: 3 } }],
    rejects: [{ p: { a: 1 } }],
  },
  'many schemas without a type combined': {
    schema: one(
      { allOf: numbered(14, 'd').map(name => ({ $ref: `#/$defs/${name}` })) },
      {
        $defs: Object.fromEntries(numbered(14, 'd').map(name => [name, { properties: { [name]: text } }])),
      },
    ),
    accepts: a({ d0: 'x', d13: 'x' }, 1, [], null, 'x'),
    rejects: a({ d0: 1 }),
  },
  'long enums beside objects combined': {
    schema: one({
      allOf: ['b', 'c'].map(name => ({
        anyOf: [{ enum: numbered(500, 'e') }, open({ properties: { [name]: text } })],
      })),
    }),
    accepts: a('e1', { b: 'x', c: 'y' }),
    rejects: [{}],
  },
  'what a definition fills in and its user requires': {
    schema: open({
      $ref: '#/$defs/base',
      required: ['a', 'b'],
      $defs: { base: open({ properties: { a: { ...whole, default: 1 }, b: whole } }) },
    }),
    accepts: [{ b: 1 }, { a: 1, b: 1 }],
    rejects: [{ a: 1 }, { a: 'x', b: 1 }],
  },
  'what a definition with further properties fills in and its user requires': {
    schema: open({
      $ref: '#/$defs/base',
      required: ['a'],
      $defs: { base: open({ properties: { a: { ...whole, default: 1 } }, additionalProperties: whole }) },
    }),
    accepts: [{}, { a: 1, b: 2 }],
    rejects: [{ b: 'x' }],
  },
  'what is filled in before alternatives require it': {
    schema: open({
      $ref: '#/$defs/base',
      anyOf: [{ $ref: '#/$defs/needy' }, { required: ['b'] }],
      $defs: {
        base: open({ properties: { a: { ...whole, default: 1 } } }),
        needy: open({ required: ['a', 'c'], additionalProperties: whole }),
      },
    }),
    accepts: [{ c: 1 }, { b: 'x' }],
    rejects: [{}, { a: 1 }],
  },
  'what one of allOf fills in for those after it, not for those before': {
    schema: open({
      allOf: [
        { required: ['a'], properties: { a: whole } },
        { properties: { a: { default: 1 }, b: { ...whole, default: 1 } } },
        { required: ['b'] },
      ],
    }),
    accepts: [{ a: 1 }],
    rejects: [{}, { b: 1 }],
  },
  'what a condition fills in and the schema requires': {
    schema: open({ required: ['a'], if: true, then: { properties: { a: { ...whole, default: 1 } } } }),
    accepts: [{}, { a: 1 }],
    rejects: [],
  },
  'defaults of a tuple, before it is counted': {
    schema: one(
      {
        type: 'array',
        items: [
          { ...whole, default: 1 },
          { ...text, default: 'x' },
        ],
        minItems: 2,
      },
      { $schema: draft07 },
    ),
    accepts: a([], [1], [1, 'x']),
    rejects: a(['x']),
  },
  'properties that a dependency evaluates': {
    schema: open({
      properties: { a: text },
      unevaluatedProperties: text,
      dependencies: { a: { properties: { b: whole } } },
    }),
    accepts: [{ a: 'x', b: 1 }],
    rejects: [{ a: 1 }],
  },
  'a name that validators do not look at': {
    schema: open({
      properties: JSON.parse('{"a":{"type":"string"},"__proto__":{"type":"string"}}'),
      required: ['__proto__'],
    }),
    accepts: [JSON.parse('{"__proto__":{}}')],
    rejects: [{ a: 1 }],
  },
  'alternatives that double from one definition to the next': {
    schema: one(
      { $ref: '#/$defs/d0' },
      {
        $defs: Object.fromEntries(
          numbered(17, 'd').map((name, index) => {
            const next = { $ref: `#/$defs/d${index + 1}` };
            const more = { allOf: [next, { properties: { [`k${index}`]: text } }] };
            return [name, index === 16 ? open({ properties: { q: text } }) : { anyOf: [next, more] }];
          }),
        ),
      },
    ),
    accepts: a({ q: 'x', k0: 'x', k15: 'x' }),
    rejects: [{}],
  },
  'what is filled in for definitions that lead to others twice': {
    schema: one(
      { $ref: '#/$defs/d0' },
      {
        $defs: Object.fromEntries(
          numbered(8, 'd').map((name, index) => {
            const next = { $ref: `#/$defs/d${index + 1}` };
            const filling = { properties: { f: { ...whole, default: 1 } } };
            return [name, index === 7 ? open({ required: ['f', 'g'] }) : { allOf: [filling, next, next] }];
          }),
        ),
      },
    ),
    accepts: a({ g: 1 }, { f: 1, g: 1 }),
    rejects: a({ f: 1 }, {}),
  },
};
