// Bodies of operations: which type is chosen, and what is sent.
import { describe, expect, it } from 'vitest';
import { importOperations, jsonBody, send, sends, toolOf } from './operations-kit.js';

const person = {
  type: 'object',
  properties: { name: { type: 'string' }, address: { type: 'object', properties: { city: { type: 'string' } } } },
};
const contents = (...types: readonly string[]): object =>
  Object.fromEntries(types.map(type => [type, { schema: type.includes('text') ? { type: 'string' } : person }]));
const bodyOf = (content: object, more: object = {}): object => ({ requestBody: { content, ...more } });

describe('JSON bodies', () => {
  it('I2 members of an object are arguments, and nothing is sent that was not given', () => {
    const tool = toolOf(importOperations({ 'POST /x': jsonBody(person, { required: true }) }));
    expect(tool.definition.http).toMatchObject({ method: 'POST', body: 'rest' });
    expect(send(tool, { address: { city: 'Ulm' } }).body).toBe('{"address":{"city":"Ulm"}}');
    expect(send(tool).body).toBe('{}');
  });

  it('I2 defaults are not sent', () => {
    const schema = {
      type: 'object',
      properties: { private: { type: 'boolean', default: false }, name: { type: 'string' } },
    };
    const tool = toolOf(importOperations({ 'POST /x': jsonBody(schema, { required: true }) }));
    expect(tool.definition.inputSchema.properties['private']).toMatchObject({ default: false });
    expect(send(tool, { name: 'a' }).body).toBe('{"name":"a"}');
  });

  it('I2 an optional body is sent only where something of it is given', () => {
    const tool = toolOf(importOperations({ 'DELETE /x': jsonBody(person) }));
    expect(send(tool)).toEqual({ line: 'DELETE /x', headers: {}, body: undefined });
    expect(send(tool, { name: 'a' }).body).toBe('{"name":"a"}');
    const patch = bodyOf({ 'application/merge-patch+json': { schema: person } });
    expect(sends('PATCH /x', patch)).toEqual({ line: 'PATCH /x', headers: {}, body: undefined });
    expect(sends('PATCH /x', patch, { name: 'a' }).headers).toEqual({ 'content-type': 'application/merge-patch+json' });
  });

  it('I2 what an optional body requires is required where a body is usual, and one argument where it is not', () => {
    const schema = { ...person, required: ['name'] };
    const usual = toolOf(importOperations({ 'POST /x': jsonBody(schema) }));
    expect(usual.definition.inputSchema.required).toEqual(['name']);
    const unusual = toolOf(importOperations({ 'DELETE /x': jsonBody(schema) }));
    expect(unusual.definition.inputSchema.required).toBeUndefined();
    expect([send(unusual).body, send(unusual, { body: { name: 'a' } }).body]).toEqual([undefined, '{"name":"a"}']);
  });

  it.each([
    ['a list', { type: 'array', items: { type: 'integer' } }, [1, 2], '[1,2]'],
    ['text', { type: 'string' }, 'a"b', '"a\\"b"'],
    ['alternatives', { oneOf: [person, { type: 'array' }] }, [], '[]'],
    ['free', {}, { a: null }, '{"a":null}'],
  ])('I2 a body that is %s is one argument', (_what, schema, value, written) => {
    const tool = toolOf(
      importOperations({ 'POST /x': jsonBody(schema, { required: true, description: 'All of it.' }) }),
    );
    expect(Object.keys(tool.definition.inputSchema.properties)).toEqual(['body']);
    expect(send(tool, { body: value }).body).toBe(written);
  });

  it('I2 members that nobody has named can be given where the document allows them', () => {
    const tool = toolOf(
      importOperations({
        'POST /x': jsonBody({ ...person, additionalProperties: { type: 'integer' } }, { required: true }),
      }),
    );
    expect(tool.definition.inputSchema).toMatchObject({ additionalProperties: { type: 'integer' } });
    expect(send(tool, { name: 'a', age: 3 }).body).toBe('{"name":"a","age":3}');
    const closed = toolOf(importOperations({ 'POST /x': jsonBody(person) }));
    expect(closed.definition.inputSchema).toMatchObject({ additionalProperties: false });
  });

  it('I2 members of a kind can be given where the document describes what all kinds have', () => {
    const kinds = { type: 'object', properties: { kind: { type: 'string' } }, discriminator: { propertyName: 'kind' } };
    const components = {
      schemas: {
        Animal: kinds,
        Cat: { allOf: [{ $ref: '#/components/schemas/Animal' }, { properties: { meows: { type: 'boolean' } } }] },
      },
    };
    const others = (schema: object): unknown =>
      toolOf(importOperations({ 'POST /x': jsonBody(schema) }, { components })).definition.inputSchema[
        'additionalProperties'
      ];
    expect(others({ $ref: '#/components/schemas/Animal' })).toBe(true);
    expect(others({ allOf: [{ $ref: '#/components/schemas/Animal' }], description: 'It.' })).toBe(true);
    expect(others({ $ref: '#/components/schemas/Cat' })).toBe(false);
    expect(others({ ...kinds, additionalProperties: false })).toBe(false);
  });

  it('I2 members that nobody has named, beside a name that is taken, need the body as one argument', () => {
    const parameters = [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }];
    const tool = toolOf(
      importOperations({ 'PUT /x/{name}': { parameters, ...jsonBody({ ...person, additionalProperties: true }) } }),
    );
    expect(Object.keys(tool.definition.inputSchema.properties)).toEqual(['name', 'body']);
  });

  it('I2 members that services set themselves are not asked for', () => {
    const schema = {
      type: 'object',
      properties: { id: { type: 'string', readOnly: true }, name: { type: 'string' } },
      required: ['id', 'name'],
    };
    const tool = toolOf(importOperations({ 'POST /x': jsonBody(schema, { required: true }) }));
    expect(tool.definition.inputSchema).toMatchObject({ properties: { name: {} }, required: ['name'] });
    expect(Object.keys(tool.definition.inputSchema.properties)).toEqual(['name']);
  });

  it('I2 a member whose name no argument can have stays on the wire', () => {
    const tool = toolOf(
      importOperations({
        'POST /x': jsonBody(
          { type: 'object', properties: { '@type': { type: 'string' }, $ref: { type: 'string' } } },
          { required: true },
        ),
      }),
    );
    const [type = '', ref = ''] = Object.keys(tool.definition.inputSchema.properties);
    expect(send(tool, { [type]: 'a', [ref]: 'b' }).body).toBe('{"@type":"a","$ref":"b"}');
  });
});

describe('types of bodies', () => {
  it.each([
    [['text/xml', 'application/json'], 'application/json'],
    [['application/xml', 'application/vnd.shop+json'], 'application/vnd.shop+json'],
    [['multipart/form-data', 'application/x-www-form-urlencoded'], 'application/x-www-form-urlencoded'],
    [['application/vnd.shop+json', 'application/json'], 'application/json'],
    [['application/octet-stream', 'text/csv'], 'text/csv'],
    [['applicationjson'], 'application/json'],
    [['*/*'], 'application/json'],
    [['application/*'], 'application/json'],
    [['application/merge-patch+json'], 'application/merge-patch+json'],
    [['application/geo+json-seq'], 'application/geo+json-seq'],
    [['application/json; charset=utf-8'], 'application/json'],
    [['application/json; version=2; charset=utf-8'], 'application/json; version=2'],
    [['application/json; version=2', 'application/json'], 'application/json'],
    [['text/csv;header=present'], 'text/csv; header=present'],
  ])('I2 of %s the type %s is sent', (types, sent) => {
    const tool = toolOf(importOperations({ 'POST /x': bodyOf(contents(...types), { required: true }) }));
    const [first = ''] = Object.keys(tool.definition.inputSchema.properties);
    expect(send(tool, { [first]: 'a' }).headers['content-type']).toBe(sent);
  });

  it('I2 text of any type is sent as it is', () => {
    const tool = toolOf(
      importOperations({ 'POST /x': bodyOf({ 'text/xml': { schema: person } }, { required: true }) }),
    );
    expect(tool.definition.inputSchema.properties['body']).toMatchObject({
      type: 'string',
      contentMediaType: 'text/xml',
    });
    expect(send(tool, { body: '<a>&amp;</a>' })).toMatchObject({
      body: '<a>&amp;</a>',
      headers: { 'content-type': 'text/xml' },
    });
  });

  it('I2 a stream of JSON is text', () => {
    for (const type of ['application/json-seq', 'application/x-ndjson', 'application/stream+json']) {
      const operation = bodyOf({ [type]: { schema: person } }, { required: true });
      expect(sends('POST /x', operation, { body: '{}\n{}' }).body).toBe('{}\n{}');
    }
  });

  it('I2 bytes are given in base64', () => {
    const tool = toolOf(
      importOperations({ 'POST /x': bodyOf({ 'image/png': { schema: { type: 'string', format: 'binary' } } }) }),
    );
    expect(send(tool, { body: 'aGk=' })).toMatchObject({ body: 'hi', headers: { 'content-type': 'image/png' } });
    expect(send(tool)).toEqual({ line: 'POST /x', headers: {}, body: undefined });
  });

  it('I2 an operation whose body has a type that nobody can write is left out, with its place', () => {
    const imported = importOperations({ 'POST /x': bodyOf(contents('multipart/related'), { required: true }) });
    expect(imported.leftOut).toMatchObject([
      { reason: 'its body is multipart/related, which the language cannot write' },
    ]);
    expect(imported.diagnostics).toMatchObject([{ code: 'import/left-out' }]);
  });

  it.each([
    ['is multipart/related, which the language cannot write', contents('multipart/related')],
    [
      'is a form with fields that the document does not name',
      { 'multipart/form-data': { schema: { type: 'object', additionalProperties: true } } },
    ],
    ['is a form that is not an object', { 'application/x-www-form-urlencoded': { schema: { type: 'array' } } }],
  ])('I2 an optional body that %s is left out, with its place', (reason, content) => {
    const imported = importOperations({ 'POST /x': bodyOf(content) });
    expect(toolOf(imported).notes).toEqual([`Left out: its body ${reason}.`]);
    expect(imported.diagnostics).toMatchObject([
      {
        code: 'import/left-out-parameter',
        message: `the parameter "body" is left out: it ${reason}`,
        line: expect.any(Number),
      },
    ]);
  });
});

describe('forms', () => {
  const form = (properties: object, encoding: object = {}, more: object = {}): object =>
    bodyOf({ 'application/x-www-form-urlencoded': { schema: { type: 'object', properties }, encoding } }, more);
  const list = { type: 'array', items: { type: 'string' } };

  it.each([
    ['a list', form({ a: list }), { a: ['x', 'y z'] }, 'a=x&a=y+z'],
    [
      'a list with brackets',
      form({ a: list }, { a: { style: 'deepObject', explode: true } }),
      { a: ['x'] },
      'a%5B%5D=x',
    ],
    ['a list with commas', form({ a: list }, { a: { style: 'form', explode: false } }), { a: ['x', 'y'] }, 'a=x,y'],
    [
      'an object',
      form({ metadata: { type: 'object', additionalProperties: { type: 'string' } } }),
      { metadata: { a: '1' } },
      'metadata%5Ba%5D=1',
    ],
    [
      'a list of objects',
      form({ items: { type: 'array', items: { type: 'object' } } }),
      { items: [{ a: 1 }, { a: 2 }] },
      'items%5B0%5D%5Ba%5D=1&items%5B1%5D%5Ba%5D=2',
    ],
    [
      'JSON in a field',
      form({ a: { type: 'object' } }, { a: { contentType: 'application/json' } }),
      { a: '{"b":1}' },
      'a=%7B%22b%22%3A1%7D',
    ],
    [
      'an object whose members are fields',
      form({ a: { type: 'object', properties: { b: { type: 'string' } } } }, { a: { style: 'form' } }),
      { a: { b: '1' } },
      'b=1',
    ],
    [
      'an object with commas',
      form({ a: { type: 'object', properties: { b: { type: 'string' } } } }, { a: { explode: false } }),
      { a: { b: '1' } },
      'a=b,1',
    ],
    ['nothing', form({ a: list }), {}, undefined],
  ])('I2 %s in a form is written as the document says', (_what, operation, args, written) => {
    expect(sends('POST /x', operation, args).body).toBe(written);
  });

  it('I2 an object in a form has brackets, and a note where the document does not say so', () => {
    const notes = (encoding: object): string | undefined =>
      toolOf(importOperations({ 'POST /x': form({ a: { type: 'object' }, b: list }, encoding) })).notes?.join();
    expect(notes({})).toContain('brackets are used');
    expect(notes({ a: { style: 'deepObject', explode: true } })).toBeUndefined();
  });

  it('I2 a field separated by tabs is left out, with its place', () => {
    const document = { swagger: '2.0', openapi: undefined, host: 'shop.example', servers: undefined };
    const parameters = [
      { name: 'a', in: 'formData', type: 'array', items: { type: 'string' }, collectionFormat: 'tsv' },
    ];
    const imported = importOperations({ 'POST /x': { parameters } }, document);
    expect(imported.leftOut).toMatchObject([{ reason: '"a" is a list separated by tabs' }]);
  });

  it('I2 a form of which nobody knows the members is one argument', () => {
    const operation = bodyOf(
      { 'application/x-www-form-urlencoded': { schema: { type: 'object', additionalProperties: { type: 'string' } } } },
      { required: true },
    );
    expect(sends('POST /x', operation, { body: { a: 'x', b: 'y' } }).body).toBe('a=x&b=y');
  });

  it('I2 a form that is text in the document is sent as it is', () => {
    const operation = bodyOf(
      { 'application/x-www-form-urlencoded': { schema: { type: 'string' } } },
      { required: true },
    );
    expect(sends('POST /x', operation, { body: 'text=a%20b' })).toMatchObject({
      body: 'text=a%20b',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  });

  it('I2 files of a form are given in base64, with a name, and left out where they are not given', () => {
    const schema = {
      type: 'object',
      properties: { note: { type: 'string' }, image: { type: 'string', format: 'binary' } },
    };
    const content = {
      'multipart/form-data': { schema, encoding: { image: { contentType: 'image/png, image/jpeg' } } },
    };
    const tool = toolOf(importOperations({ 'POST /x': bodyOf(content) }));
    expect(Object.keys(tool.definition.inputSchema.properties)).toEqual(['note', 'image', 'image_filename']);
    const whole = send(tool, { note: 'a', image: 'aGk=', image_filename: 'x.png' });
    expect(whole.body).toContain('name="image"; filename="x.png"\r\nContent-Type: image/png\r\n\r\nhi\r\n');
    expect(send(tool, { note: 'a' }).body?.split('Content-Disposition')).toHaveLength(2);
    expect(send(tool).body).toBeUndefined();
  });

  it.each([
    ['null', { anyOf: [{ type: 'string', format: 'binary' }, { type: 'null' }] }],
    ['a reference to a file', { allOf: [{ $ref: '#/components/schemas/File' }], description: 'It.' }],
  ])('I2 a file that may be %s is a file', (_what, file) => {
    const content = { 'multipart/form-data': { schema: { type: 'object', properties: { file } } } };
    const components = { schemas: { File: { type: 'string', format: 'binary' } } };
    const tool = toolOf(importOperations({ 'POST /x': bodyOf(content) }, { components }));
    expect(send(tool, { file: 'aGk=' }).body).toContain('filename="file"\r\nContent-Type: application/octet-stream');
  });

  it('I2 a list of files that may be null is a list of files', () => {
    const files = { anyOf: [{ type: 'array', items: { type: 'string', format: 'binary' } }, { type: 'null' }] };
    const content = { 'multipart/form-data': { schema: { type: 'object', properties: { files } } } };
    const tool = toolOf(importOperations({ 'POST /x': bodyOf(content) }));
    expect(tool.definition.inputSchema.properties['files']).toMatchObject({ items: { required: ['base64'] } });
  });

  it('I2 several files of a form are a list of files', () => {
    const schema = {
      type: 'object',
      properties: { files: { type: 'array', items: { type: 'string', format: 'binary' } } },
    };
    const tool = toolOf(importOperations({ 'POST /x': bodyOf({ 'multipart/form-data': { schema } }) }));
    const { body } = send(tool, { files: [{ base64: 'YQ==', filename: 'a.txt' }, { base64: 'Yg==' }] });
    expect(body).toContain('filename="a.txt"');
    expect(body?.split('name="files"')).toHaveLength(3);
  });

  it('I2 forms of 2.0 are forms', () => {
    const document = { swagger: '2.0', openapi: undefined, host: 'shop.example', servers: undefined };
    const parameters = [
      { name: 'name', in: 'formData', type: 'string', required: true },
      { name: 'tags', in: 'formData', type: 'array', items: { type: 'string' }, collectionFormat: 'csv' },
    ];
    const tool = toolOf(
      importOperations({ 'POST /x': { consumes: ['application/x-www-form-urlencoded'], parameters } }, document),
    );
    expect(send(tool, { name: 'a', tags: ['b', 'c'] }).body).toBe('name=a&tags=b,c');
  });
});
