// What handlers return and what clients get: every shape, with and without an output schema.
import { describe, expect, it } from 'vitest';
import { audio, image, link, resource, text } from '../../../runtime/call/content.js';
import type { Mistake } from '../../../runtime/call/explain-violations.js';
import type { CallToolResult } from '../../../schema/support/mcp/content.js';
import { type Kit, type KitOptions, makeKit } from './call-kit.js';

const returning = (value: unknown, definition = 'description: d', options: KitOptions = {}): Kit =>
  makeKit(definition, { handler: () => value, ...options });

async function result(value: unknown, definition?: string): Promise<CallToolResult> {
  const got = await returning(value, definition).call();
  if (got.isError === true) throw new Error(JSON.stringify(got));
  // What arrives is what JSON keeps of it.
  expect(JSON.parse(JSON.stringify(got))).toEqual(got);
  return got;
}

async function content(value: unknown, definition?: string): Promise<readonly unknown[]> {
  const got = await result(value, definition);
  expect(got.structuredContent).toBeUndefined();
  return got.content;
}

const bytes = new Uint8Array([1, 2, 3]);
const base64 = 'AQID';

describe('results without an output schema', () => {
  it.each([
    ['a string', 'hello', 'hello'],
    ['an empty string', '', ''],
    ['a number', 4.5, '4.5'],
    ['zero', 0, '0'],
    ['no number', Number.NaN, 'NaN'],
    ['true', true, 'true'],
    ['false', false, 'false'],
    ['a bigint', 12345678901234567890n, '12345678901234567890'],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an invalid date', new Date(Number.NaN), 'Invalid Date'],
  ])('J57 a handler that returns %s gives text', async (_name, value, expected) => {
    expect(await content(value)).toEqual([{ type: 'text', text: expected }]);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['an empty list', []],
  ])('J59 a handler that returns %s gives empty content', async (_name, value) => {
    expect(await content(value)).toEqual([]);
  });

  it('M19 a handler may be sync or async or return any thenable', async () => {
    for (const handler of [
      () => 'x',
      async () => 'x',
      () => ({ then: (done: (value: string) => void) => done('x') }),
    ]) {
      expect((await makeKit('description: d', { handler }).call()).content).toEqual([{ type: 'text', text: 'x' }]);
    }
  });

  class Issue {
    key = 'PROJ-1';
    #secret = 1;
    get title(): string {
      return String(this.#secret);
    }
  }
  it.each([
    ['an object', { b: 1, a: [null] }, '{"b":1,"a":[null]}', { b: 1, a: [null] }],
    ['an empty object', {}, '{}', {}],
    ['a list of data', [{ a: 1 }, { a: 2 }], '{"items":[{"a":1},{"a":2}]}', { items: [{ a: 1 }, { a: 2 }] }],
    ['a list of texts', ['a', 'b'], '{"items":["a","b"]}', { items: ['a', 'b'] }],
    ['an instance of a class', new Issue(), '{"key":"PROJ-1"}', { key: 'PROJ-1' }],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), '{"a":1}', { a: 1 }],
    ['a Map', new Map([['a', new Map([['b', 1]])]]), '{"a":{"b":1}}', { a: { b: 1 } }],
    ['a Map with other keys', new Map([[1, 'x']]), '{"items":[[1,"x"]]}', { items: [[1, 'x']] }],
    ['a Set', new Set([1, 2]), '{"items":[1,2]}', { items: [1, 2] }],
    ['an empty Map', new Map(), '{}', {}],
    ['dates inside', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}', { at: '1970-01-01T00:00:00.000Z' }],
    [
      'bigints inside',
      { a: 1n, b: 2n ** 70n },
      '{"a":1,"b":"1180591620717411303424"}',
      { a: 1, b: '1180591620717411303424' },
    ],
    [
      'bytes inside',
      { file: Buffer.from(bytes), raw: bytes },
      '{"file":"AQID","raw":"AQID"}',
      { file: base64, raw: base64 },
    ],
    [
      'what JSON leaves out',
      { a: undefined, f: () => 1, n: Number.NaN, l: [undefined] },
      '{"n":null,"l":[null]}',
      { n: null, l: [null] },
    ],
    ['its own idea of JSON', { toJSON: () => ({ x: 1 }) }, '{"x":1}', { x: 1 }],
    [
      'content with more than content has',
      { type: 'text', text: 'x', id: 1 },
      '{"type":"text","text":"x","id":1}',
      { type: 'text', text: 'x', id: 1 },
    ],
    [
      'content that is incomplete',
      { type: 'image', data: 'AQID' },
      '{"type":"image","data":"AQID"}',
      { type: 'image', data: 'AQID' },
    ],
    ['a content that is no content', { content: ['a'] }, '{"content":["a"]}', { content: ['a'] }],
    ['an empty content among data', { content: [], total: 0 }, '{"content":[],"total":0}', { content: [], total: 0 }],
    ['a key named __proto__', JSON.parse('{"__proto__":1}'), '{"__proto__":1}', JSON.parse('{"__proto__":1}')],
  ])(
    'J56 a handler that returns %s gives text and structured content',
    async (_name, value, shown, structuredContent) => {
      expect(await result(value)).toEqual({ content: [{ type: 'text', text: shown }], structuredContent });
    },
  );

  it('J56 data shared by two places is not taken for a cycle', async () => {
    const shared = { a: 1 };
    expect((await result({ x: shared, y: shared })).structuredContent).toEqual({ x: { a: 1 }, y: { a: 1 } });
  });

  it('J56 plain data is passed on without a copy and never changed', async () => {
    const data = Object.freeze({ list: Object.freeze([1]) });
    expect((await returning(data).call()).structuredContent).toBe(data);
  });

  const circular: Record<string, unknown> = {};
  circular['self'] = { circular };
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  it.each([
    ['a value that contains itself', circular, 't returned a value that contains itself'],
    ['a function', () => 1, 't returned a function, which cannot be written as JSON'],
    ['a symbol', Symbol('s'), 't returned a symbol, which cannot be written as JSON'],
    [
      'a toJSON that throws',
      {
        toJSON: () => {
          throw new Error('secret');
        },
      },
      't returned a value that cannot be written as JSON',
    ],
    [
      'a getter that throws',
      {
        get a() {
          throw new Error('secret');
        },
      },
      't returned a value that cannot be written as JSON',
    ],
    [
      'a toJSON that gives nothing',
      { toJSON: () => undefined },
      't returned an object, which cannot be written as JSON',
    ],
    ['a response', new Response('x'), 't returned a Response, which shows nothing of its content'],
    ['a weak map', new WeakMap(), 't returned a WeakMap, which shows nothing of its content'],
    ['a revoked proxy inside', { proxy }, 't returned a value that cannot be written as JSON'],
    ['a cycle in content', { type: 'text', text: 'x', _meta: circular }, 't returned a value that contains itself'],
    ['a cycle in a whole result', { content: [], _meta: circular }, 't returned a value that contains itself'],
    [
      'a cycle in structured content',
      { content: [], structuredContent: circular },
      't returned a value that contains itself',
    ],
  ])('J56 a handler that returns %s gives a clear error', async (_name, value, message) => {
    const kit = returning(value);
    expect(await kit.fail()).toMatchObject({ message, code: 'BAD_OUTPUT', status: 500, is_retryable: false });
    expect(kit.reports).toHaveLength(1);
  });

  it('J56 data that is nested thousands deep fails neither the server nor the call', async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 3_000; level += 1) deep = { deep };
    expect((await returning(deep).call()).isError).toBeUndefined();
    for (let level = 0; level < 300_000; level += 1) deep = { deep };
    expect((await returning(deep).fail()).code).toBe('BAD_OUTPUT');
  });
});

describe('bytes in results', () => {
  it.each([
    ['image/png', { type: 'image', data: base64, mimeType: 'image/png' }],
    ['IMAGE/svg+xml; charset=utf-8', { type: 'image', data: base64, mimeType: 'IMAGE/svg+xml; charset=utf-8' }],
    ['audio/wav', { type: 'audio', data: base64, mimeType: 'audio/wav' }],
    [
      'application/pdf',
      { type: 'resource', resource: { uri: 'bytes:///t', mimeType: 'application/pdf', blob: base64 } },
    ],
    ['imagery/png', { type: 'resource', resource: { uri: 'bytes:///t', mimeType: 'imagery/png', blob: base64 } }],
  ])('J58 bytes become content for the type %s', async (mimeType, expected) => {
    expect(await content({ data: bytes, mimeType })).toEqual([expected]);
    expect(await content({ data: Buffer.from(bytes), mimeType })).toEqual([expected]);
  });

  it.each([
    ['image/png', { type: 'image', data: base64, mimeType: 'image/png' }],
    ['audio/wav', { type: 'audio', data: base64, mimeType: 'audio/wav' }],
    ['text/csv; charset=utf-8', { type: 'resource', resource: { mimeType: 'text/csv; charset=utf-8', blob: base64 } }],
  ])('fix-F12 J58 bytes in a pair with the type %s become content', async (mimeType, expected) => {
    for (const data of [bytes, Buffer.from(bytes), bytes.buffer])
      expect(await content([data, mimeType])).toMatchObject([expected]);
    expect(await content(['see', [bytes, mimeType], [bytes, mimeType]])).toMatchObject([
      { type: 'text', text: 'see' },
      expected,
      expected,
    ]);
  });

  it('fix-F12 J58 text beside bytes that is not a type stays text', async () => {
    for (const words of ['see above', 'and/or so', 'image', '', 'a/b/c'])
      expect(await content([bytes, words])).toMatchObject([{ type: 'resource' }, { type: 'text', text: words }]);
    expect(await content([bytes, 'image/png', 'more'])).toHaveLength(3);
    expect((await returning([bytes, 'image/png'], 'description: d\noutput: { total: integer }').fail()).code).toBe(
      'BAD_OUTPUT',
    );
  });

  it('J58 bytes without a type become a blob, also a part of a larger buffer', async () => {
    const part = new Uint8Array([9, 1, 2, 3, 9]).subarray(1, 4);
    for (const value of [bytes, Buffer.from(bytes), bytes.buffer, part]) {
      expect(await content(value)).toEqual([
        { type: 'resource', resource: { uri: 'bytes:///t', mimeType: 'application/octet-stream', blob: base64 } },
      ]);
    }
  });

  it('J58 bytes in a list have addresses of their own', async () => {
    const uris = (await content(['see', bytes, bytes])).map(item => Object(item).resource?.uri);
    expect(uris).toEqual([undefined, 'bytes:///t/2', 'bytes:///t/3']);
  });

  it('J58 the address of bytes is a URI, whatever the tool is called', async () => {
    const [item] = await content(bytes, '{description: d, name: a/b}');
    expect(Object(item).resource.uri).toBe('bytes:///a%2Fb');
  });
});

describe('content in results', () => {
  const items = [
    { type: 'text', text: 'x', annotations: { audience: ['user'], priority: 1 }, _meta: { a: 1 } },
    { type: 'image', data: base64, mimeType: 'image/png' },
    { type: 'audio', data: base64, mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'a://b', text: 'x' } },
    { type: 'resource', resource: { uri: 'a://b', blob: base64, mimeType: 'application/pdf' } },
    { type: 'resource_link', uri: 'a://b', name: 'b', title: 'B', description: 'd', mimeType: 'text/plain', size: 3 },
  ];

  it.each(items.map(item => [item.type, item]))(
    'J65 content of type %s passes, alone and in a list',
    async (_type, item) => {
      expect(await content(item)).toEqual([item]);
      expect(await content([item, item])).toEqual([item, item]);
    },
  );

  it('J59 texts and bytes mix with content', async () => {
    expect(await content(['a', items[1], { data: bytes, mimeType: 'audio/wav' }, 'b'])).toEqual([
      { type: 'text', text: 'a' },
      items[1],
      { type: 'audio', data: base64, mimeType: 'audio/wav' },
      { type: 'text', text: 'b' },
    ]);
  });

  it('J59 content among other data is data', async () => {
    expect((await result([items[0], { key: 1 }])).structuredContent).toEqual({ items: [items[0], { key: 1 }] });
  });

  it('J65 `link` without a name says what it needs', () => {
    expect(() => link('a://b', 'b' as never)).toThrow("link(uri, { name: 'PROJ-1' })");
  });

  it('J65 the builders make the forms of the protocol', async () => {
    const options = { annotations: { priority: 0.5 }, _meta: { a: 1 } } as const;
    const built = [
      text('x', options),
      image(bytes, 'image/png'),
      image(base64, 'image/png', options),
      audio(bytes.buffer, 'audio/wav'),
      resource('a://b', { text: '' }),
      resource('a://b', { blob: bytes, mimeType: 'application/pdf', ...options }),
      link('a://b', { name: 'b', title: undefined, size: 3, ...options }),
    ];
    const expected = [
      { type: 'text', text: 'x', ...options },
      { type: 'image', data: base64, mimeType: 'image/png' },
      { type: 'image', data: base64, mimeType: 'image/png', ...options },
      { type: 'audio', data: base64, mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'a://b', text: '' } },
      { type: 'resource', resource: { uri: 'a://b', mimeType: 'application/pdf', blob: base64 }, ...options },
      { type: 'resource_link', uri: 'a://b', name: 'b', size: 3, ...options },
    ];
    expect(built).toEqual(expected);
    expect(JSON.stringify(built)).toBe(JSON.stringify(expected));
    expect(
      built.flatMap(item =>
        Object.getOwnPropertySymbols(item).filter(key => Object.prototype.propertyIsEnumerable.call(item, key)),
      ),
    ).toEqual([]);
    expect(await content(built)).toEqual(expected);
  });

  it('J65 the builders refuse what cannot be right', () => {
    expect(() => image('no base64!', 'image/png')).toThrow(
      'image() takes bytes or base64, and this text is not base64',
    );
    expect(() => audio(5 as never, 'audio/wav')).toThrow('audio() takes bytes or base64');
    expect(() => resource('a://b', {})).toThrow('resource() takes either a string or a blob');
    expect(() => resource('a://b', { text: 'x', blob: bytes })).toThrow('either');
  });

  it('J63 a whole result passes as it is', async () => {
    const whole = {
      content: [{ type: 'text', text: 'x' }],
      structuredContent: { a: 1 },
      _meta: { b: 2 },
      isError: false,
    };
    expect(await result(whole)).toEqual(whole);
    const failed = { content: [{ type: 'text', text: 'No such issue' }], isError: true };
    expect(await returning(failed).call()).toBe(failed);
    expect(await result({ content: [] })).toEqual({ content: [] });
    expect(await result({ content: [], structuredContent: { a: new Date(0) } })).toEqual({
      content: [],
      structuredContent: { a: '1970-01-01T00:00:00.000Z' },
    });
    expect(await result({ content: [{ type: 'text', text: 'x' }], _meta: undefined })).toEqual({
      content: [{ type: 'text', text: 'x' }],
    });
  });
});

describe('results with an output schema', () => {
  const counted = 'description: d\noutput: {total: integer, tags: {type: array, items: string, required: false}}';

  it('J56 data that fits the output schema arrives as text and structured content', async () => {
    expect(await result({ total: 3 }, counted)).toEqual({
      content: [{ type: 'text', text: '{"total":3}' }],
      structuredContent: { total: 3 },
    });
  });

  it('J62 data that does not fit is an error that names the position for client and operator, without the data', async () => {
    const kit = returning({ total: 'hunter2', tags: ['a', 5] }, counted);
    const sent = await kit.call();
    expect(sent.structuredContent).toBeUndefined();
    expect(JSON.stringify(sent)).not.toContain('hunter2');
    const { message, code, status, meta } = await kit.fail();
    expect([code, status]).toEqual(['BAD_OUTPUT', 500]);
    expect(message).toBe(
      't returned a result that does not fit its output schema: total must be an integer, not a string (at "/total")',
    );
    expect((meta as { violations: Mistake[] }).violations.map(({ pointer }) => pointer)).toEqual(['/total', '/tags/1']);
    expect(kit.reports[0]).toContain('/tags/1: tags[1] must be a string, not a number');
  });

  it.each([
    ['nothing', undefined],
    ['a text', 'three'],
    ['a list', [1]],
    ['null', null],
    ['content by hand', { type: 'text', text: 'x' }],
    ['bytes', bytes],
    ['data that lacks something', { tags: [] }],
    ['what is no number in JSON', { total: Number.NaN }],
    ['what JSON leaves out', { total: undefined }],
    ['a Map without the key', new Map()],
    ['an object that shows another', { total: 1, toJSON: () => ({}) }],
  ])('J62 a tool with an output schema that returns %s fails', async (_name, value) => {
    expect((await returning(value, counted).fail()).code).toBe('BAD_OUTPUT');
  });

  it.each([
    ['a Map', new Map([['total', 3]]), { total: 3 }],
    [
      'an instance',
      new (class {
        total = 3;
      })(),
      { total: 3 },
    ],
    ['an object with its own idea of JSON', { toJSON: () => ({ total: 3 }) }, { total: 3 }],
    ['an undefined property', { total: 3, tags: undefined }, { total: 3 }],
  ])(
    'J62 a tool with an output schema that returns %s is checked as the JSON that clients get',
    async (_name, value, expected) => {
      expect((await result(value, counted)).structuredContent).toEqual(expected);
    },
  );

  it('J62 a closed schema accepts an undefined property', async () => {
    const closed =
      'description: d\noutputSchema: {type: object, properties: {a: {type: integer}}, additionalProperties: false}';
    expect((await result({ a: 1, b: undefined }, closed)).structuredContent).toEqual({ a: 1 });
    const both = closed.replace('{a:', '{c: {type: string}, a:');
    expect((await returning({ c: 1, b: 2 }, both).fail()).message).toContain('(at "/');
  });

  it.each([
    ['a list', '{type: array, items: {type: integer}}', [1, 2], '[1,2]'],
    ['a number', '{type: integer}', 5, '5'],
    ['a text', '{type: string}', 'hello', 'hello'],
    ['null', "{type: ['null', object]}", null, 'null'],
    ['an empty list', '{type: array}', [], '[]'],
    ['a list of texts', '{type: array, items: {type: string}}', ['a'], '["a"]'],
  ])(
    'J56 an output schema of %s gives structured content that is not an object',
    async (_name, schema, value, shown) => {
      expect(await result(value, `description: d\noutputSchema: ${schema}`)).toEqual({
        content: [{ type: 'text', text: shown }],
        structuredContent: value,
      });
    },
  );

  it('J63 content comes from the builders, together with the data', async () => {
    const whole = { content: [text('three'), image(bytes, 'image/png')], structuredContent: { total: 3 } };
    const got = await result(whole, counted);
    expect(got).toEqual({
      content: [
        { type: 'text', text: 'three' },
        { type: 'image', data: base64, mimeType: 'image/png' },
      ],
      structuredContent: { total: 3 },
    });
    const wrong = { content: [text('three')], structuredContent: { total: 'three' } };
    expect((await returning(wrong, counted).fail()).message).toContain('(at "/total")');
    for (const value of [text('x'), [text('x'), 'y'], { content: [text('x')] }]) {
      const kit = returning(value, counted);
      expect((await kit.fail()).message).toBe('t returned content without data, but it has an output schema');
      expect(kit.reports[0]).toContain('Return { content: [...], structuredContent: ... }');
    }
  });

  it('J63 a result of `ctx.call` can be passed on', async () => {
    const inner = { content: [{ type: 'text', text: '{"total":3}' }], structuredContent: { total: 3 } };
    expect(await result(inner, counted)).toEqual(inner);
  });

  it('J62 a result with isError is not checked', async () => {
    for (const failed of [
      { content: [text('no')], isError: true },
      { content: [{ type: 'text', text: 'no' }], isError: true },
    ]) {
      expect(await returning(failed, counted).call()).toEqual({
        content: [{ type: 'text', text: 'no' }],
        isError: true,
      });
    }
  });

  it('fix-F8 M29 an envelope without a status is a success', async () => {
    const alone = 'description: d\nresult: envelope';
    const raw = `${alone}\noutputSchema: { type: object, properties: { data: { type: array, default: [] } } }`;
    const data = { data: ['a'] };
    for (const definition of [`${alone}\noutput: { data: array }`, raw])
      expect(await result(data, definition)).toEqual({
        content: [{ type: 'text', text: '{"data":["a"],"status":"success"}' }],
        structuredContent: { data: ['a'], status: 'success' },
      });
    // Nothing is written into what the handler may use again.
    expect(data).toEqual({ data: ['a'] });
    expect((await result({ data: [], status: 'partial' }, raw)).structuredContent).toEqual({
      data: [],
      status: 'partial',
    });
    const whole = { content: [text('Done')], structuredContent: {} };
    expect(await result(whole, alone)).toEqual({ content: [text('Done')], structuredContent: { status: 'success' } });
  });

  it('fix-F8 M29 a status that the author describes is not filled in', async () => {
    const own =
      'description: d\nresult: envelope\noutput: { status: { type: string, enum: [open, closed], required: false } }';
    expect((await result({}, own)).structuredContent).toEqual({});
    const withDefault = own.replace('required: false', 'default: open');
    expect((await result({}, withDefault)).structuredContent).toEqual({ status: 'open' });
  });

  it('fix-F8 M29 an envelope with an error gets no status', async () => {
    const failed = { content: [{ type: 'text', text: 'no' }], isError: true };
    expect(await returning(failed, 'description: d\nresult: envelope').call()).toEqual(failed);
  });

  it('fix-F8 M29 defaults of output are filled in, also further down, in data and text alike', async () => {
    const definition = `description: d
output:
  count: { type: integer, default: 0 }
  page: { type: object, properties: { size: { type: integer, default: 10 } }, default: {} }
  rows: { type: array, items: { type: object, properties: { tags: { type: array, default: [] } } } }`;
    const given = { rows: [{}] };
    const filled = { rows: [{ tags: [] }], count: 0, page: { size: 10 } };
    expect(await result(given, definition)).toEqual({
      content: [{ type: 'text', text: JSON.stringify(filled) }],
      structuredContent: filled,
    });
    expect(given).toEqual({ rows: [{}] });
    expect(await result({ content: [text('Two')], structuredContent: given }, definition)).toEqual({
      content: [text('Two')],
      structuredContent: filled,
    });
    expect((await returning({ rows: [{ tags: 1 }] }, definition).fail()).code).toBe('BAD_OUTPUT');
  });

  it.each([
    ['', {}],
    ['defaults: fill\n', { count: 0 }],
  ])(
    'fix-F8 J53 defaults of a raw outputSchema are annotations unless the tool says otherwise: %j',
    async (key, expected) => {
      const schema = 'outputSchema: { type: object, properties: { count: { type: integer, default: 0 } } }';
      expect((await result({}, `description: d\n${key}${schema}`)).structuredContent).toEqual(expected);
      const required = `description: d\n${key}${schema.replace('} } }', '} }, required: [count] }')}`;
      expect((await returning({}, required).fail()).code).toBe('BAD_OUTPUT');
    },
  );

  it('M29 an envelope has its own fields, and a string is its message', async () => {
    const envelope = `${counted}\nresult: envelope`;
    const full = {
      total: 3,
      message: 'Done',
      next_steps: ['Rest'],
      auth_required: false,
      status: 'ok',
      action_url: 'x',
      meta: {},
    };
    expect((await result(full, envelope)).structuredContent).toEqual(full);
    expect((await returning({ total: 3, next_steps: 'Rest' }, envelope).fail()).message).toContain(
      '(at "/next_steps")',
    );
    const alone = 'description: d\nresult: envelope';
    expect(await result('Created.', alone)).toEqual({
      content: [{ type: 'text', text: '{"message":"Created.","status":"success"}' }],
      structuredContent: { message: 'Created.', status: 'success' },
    });
    expect((await result(undefined, alone)).structuredContent).toEqual({ status: 'success' });
  });

  it('J62 a validator of output never changes what the handler returned', async () => {
    const data = Object.freeze({});
    const defaulted = 'description: d\noutputSchema: {type: object, properties: {a: {default: 1}}}';
    expect((await returning(data, defaulted).call()).structuredContent).toBe(data);
  });
});
