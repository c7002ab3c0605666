// Parameters of operations: which arguments they become, and how these are written.
import { describe, expect, it } from 'vitest';
import { importOperations, send, sends, toolOf } from './operations-kit.js';

const list = { type: 'array', items: { type: 'string' } };
const object = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } } };
const parameter = (name: string, place: string, schema: object, more: object = {}): object => ({
  name,
  in: place,
  schema,
  ...more,
});
const query = (schema: object, more: object = {}): object => ({ parameters: [parameter('q', 'query', schema, more)] });

describe('parameters of a query', () => {
  it.each([
    ['a list by itself', query(list), ['a', 'b&c'], 'q=a&q=b%26c'],
    ['a list that is not exploded', query(list, { explode: false }), ['a,b', 'c'], 'q=a%2Cb,c'],
    ['a list separated by spaces', query(list, { style: 'spaceDelimited', explode: false }), ['a', 'b'], 'q=a%20b'],
    ['a list separated by pipes', query(list, { style: 'pipeDelimited', explode: false }), ['a', 'b'], 'q=a%7Cb'],
    ['a list of nothing', query(list), [], ''],
    ['an object by itself', query(object), { a: 'x', b: 2 }, 'a=x&b=2'],
    ['an object that is not exploded', query(object, { explode: false }), { a: 'x', b: 2 }, 'q=a,x,b,2'],
    ['a deep object', query(object, { style: 'deepObject' }), { a: 'x', b: 2 }, 'q%5Ba%5D=x&q%5Bb%5D=2'],
    [
      'a deep object with lists',
      query({ type: 'object', properties: { a: list } }, { style: 'deepObject' }),
      { a: ['x'] },
      'q%5Ba%5D%5B%5D=x',
    ],
    ['a list in the style of deep objects', query(list, { style: 'deepObject' }), ['x'], 'q%5B%5D=x'],
    ['false', query({ type: 'boolean' }), false, 'q=false'],
    ['zero', query({ type: 'integer' }), 0, 'q=0'],
    [
      'reserved characters',
      query({ type: 'string' }, { allowReserved: true }),
      'a/b?c#d&e=f',
      'q=a%2Fb%3Fc%23d%26e%3Df',
    ],
    [
      'one of a scalar and an object',
      query({ anyOf: [object, { type: 'integer' }] }, { style: 'deepObject' }),
      7,
      'q=7',
    ],
  ])('I2 %s is written as the document says', (_what, operation, value, written) => {
    expect(sends('GET /x', operation, { q: value }).line).toBe(written === '' ? 'GET /x' : `GET /x?${written}`);
  });

  it('I2 content of a parameter is text of its type', () => {
    const operation = {
      parameters: [{ name: 'filter', in: 'query', content: { 'application/json': { schema: object } } }],
    };
    const tool = toolOf(importOperations({ 'GET /x': operation }));
    expect(tool.definition.inputSchema.properties['filter']).toMatchObject({
      type: 'string',
      contentMediaType: 'application/json',
      contentSchema: { type: 'object' },
    });
    expect(send(tool, { filter: '{"a":1}' }).line).toBe('GET /x?filter=%7B%22a%22%3A1%7D');
  });

  it('I2 lists of objects have brackets, and a note says that the document does not', () => {
    const tool = toolOf(importOperations({ 'GET /x': query({ type: 'array', items: object }) }));
    expect(send(tool, { q: [{ a: 'x' }] }).line).toBe('GET /x?q%5B0%5D%5Ba%5D=x');
    expect(tool.notes?.join()).toContain('brackets are used');
  });

  it('I2 the whole query is an object whose members are its parameters', () => {
    const content = { 'application/x-www-form-urlencoded': { schema: object } };
    const imported = importOperations(
      { 'GET /x': { parameters: [{ name: 'all', in: 'querystring', content }] } },
      { openapi: '3.2.0' },
    );
    const tool = toolOf(imported);
    expect(send(tool, { all: { a: 'x', b: 1 } }).line).toBe('GET /x?a=x&b=1');
    expect(tool.definition.inputSchema.properties['all']).toMatchObject({
      type: 'object',
      properties: { a: {}, b: {} },
    });
  });

  it('I2 a member of an object cannot say a fixed parameter again', () => {
    const fixed = parameter('action', 'query', { enum: ['list'] }, { required: true });
    const tool = toolOf(
      importOperations({
        'GET /x': {
          parameters: [fixed, parameter('more', 'query', { type: 'object', additionalProperties: { type: 'string' } })],
        },
      }),
    );
    expect(send(tool, { more: { b: '1' } }).line).toBe('GET /x?action=list&b=1');
    expect(() => send(tool, { more: { action: 'delete' } })).toThrow('"action"');
  });

  it('I2 what is not given is not sent', () => {
    const parameters = ['query', 'header', 'cookie'].map(place =>
      parameter(`of-${place}`, place, { type: 'string', default: 'x' }),
    );
    const { line, headers, body } = sends('GET /x', { parameters });
    expect([line, headers, body]).toEqual(['GET /x', {}, undefined]);
  });
});

describe('names of arguments', () => {
  it('I2 names that no argument can have stay on the wire', () => {
    const parameters = ['filter[name]', '$top', 'X-Trace-Id', '{x}', 'größe', '日本'].map(name =>
      parameter(name, 'query', { type: 'string' }),
    );
    const tool = toolOf(importOperations({ 'GET /x': { parameters } }));
    const names = Object.keys(tool.definition.inputSchema.properties);
    expect(names.slice(0, 5)).toEqual(['filter_name', 'top', 'X-Trace-Id', 'x', 'gro_e']);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
    const args = Object.fromEntries(names.map((name, index) => [name, `v${index}`]));
    const sent = new URL(send(tool, args).line.slice(4), 'http://x').searchParams;
    expect(Object.fromEntries(sent)).toEqual({
      'filter[name]': 'v0',
      $top: 'v1',
      'X-Trace-Id': 'v2',
      '{x}': 'v3',
      größe: 'v4',
      日本: 'v5',
    });
  });

  it('I2 a name in two places has its place in front the second time', () => {
    const body = {
      content: {
        'application/json': {
          schema: { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } },
        },
      },
    };
    const operation = {
      parameters: [
        parameter('id', 'path', { type: 'string' }, { required: true }),
        parameter('id', 'query', { type: 'string' }),
      ],
      requestBody: body,
    };
    const tool = toolOf(importOperations({ 'PUT /x/{id}': operation }));
    expect(Object.keys(tool.definition.inputSchema.properties)).toEqual(['id', 'query_id', 'body_id', 'name']);
    const { line, body: sent } = send(tool, { id: 'a', query_id: 'b', body_id: 3, name: 'n' });
    expect([line, sent]).toEqual(['PUT /x/a?id=b', '{"id":3,"name":"n"}']);
  });

  it('I2 names that mean something in a pack are given others', () => {
    const parameters = ['config.KEY', '_state', '__proto__', 'constructor'].map(name =>
      parameter(name, 'query', { type: 'string' }),
    );
    const tool = toolOf(importOperations({ 'GET /x': { parameters } }));
    const names = Object.keys(tool.definition.inputSchema.properties);
    expect(names).toEqual(['query_config.KEY', 'state', 'proto', 'constructor']);
    const args = Object.fromEntries(names.map(name => [name, '1']));
    expect(send(tool, args).line).toBe('GET /x?config.KEY=1&_state=1&__proto__=1&constructor=1');
  });
});

describe('paths, headers and cookies', () => {
  const path = (schema: object, more: object = {}): object => ({
    parameters: [parameter('id', 'path', schema, { required: true, ...more })],
  });

  it.each([
    ['text', '/x/{id}/y', path({ type: 'string' }), 'a/b', '/x/a%2Fb/y'],
    ['a list', '/x/{id}', path(list), ['a', 'b,c'], '/x/a,b%2Cc'],
    ['a label', '/x{id}', path({ type: 'string' }, { style: 'label' }), 'a', '/x.a'],
    ['a matrix', '/x{id}', path({ type: 'string' }, { style: 'matrix' }), 'a', '/x;id=a'],
    ['the only value of a label', '/x{id}', path({ const: 'a' }, { style: 'label' }), undefined, '/x.a'],
    ['two in one segment', '/x/{id}...{id}', path({ type: 'string' }), 'a', '/x/a...a'],
    ['a fragment, which is not sent,', '/x/{id}#Action=Get', path({ type: 'string' }), 'a', '/x/a'],
    ['a fixed query', '/x/{id}?view=full', path({ type: 'string' }), 'a', '/x/a?view=full'],
  ])('I2 %s in a path is written as the document says', (_what, template, operation, value, written) => {
    expect(sends(`GET ${template}`, operation, { id: value }).line).toBe(`GET ${written}`);
  });

  it('I2 a parameter with one value is written and not asked for', () => {
    const one = (name: string, place: string): object =>
      parameter(name, place, { type: 'string', enum: ['2022-11-28'] }, { required: true });
    const tool = toolOf(
      importOperations({
        'GET /x': { parameters: [one('X-Version', 'header'), one('version', 'query'), one('v', 'cookie')] },
      }),
    );
    expect(tool.definition.inputSchema.properties).toEqual({});
    expect(send(tool)).toMatchObject({
      line: 'GET /x?version=2022-11-28',
      headers: { 'x-version': '2022-11-28', cookie: 'v=2022-11-28' },
    });
  });

  it('I2 a parameter with one value is asked for where it is optional', () => {
    const tool = toolOf(importOperations({ 'GET /x': query({ enum: ['yes'] }) }));
    expect([send(tool).line, send(tool, { q: 'yes' }).line]).toEqual(['GET /x', 'GET /x?q=yes']);
  });

  it('I2 headers that say how a request is made are not asked for', () => {
    const names = ['Host', 'Content-Length', 'Accept', 'Content-Type', 'Authorization', 'Expect', 'X-Own'];
    const parameters = names.map(name => parameter(name, 'header', { type: 'string' }, { required: true }));
    const tool = toolOf(importOperations({ 'GET /x': { parameters } }));
    expect(Object.keys(tool.definition.inputSchema.properties)).toEqual(['X-Own']);
  });

  it('I2 lists in headers are joined, and cookies are escaped', () => {
    const parameters = [parameter('X-Tags', 'header', list), parameter('session', 'cookie', { type: 'string' })];
    expect(sends('GET /x', { parameters }, { 'X-Tags': ['a', 'b'], session: 'a; b' }).headers).toEqual({
      'x-tags': 'a, b',
      cookie: 'session=a%3B%20b',
    });
  });

  it('I2 an optional parameter that no request can have is left out, with its place', () => {
    const parameters = [parameter('own', 'cookie', object), parameter('q', 'query', { type: 'string' })];
    const imported = importOperations({ 'GET /x': { parameters } });
    expect(Object.keys(toolOf(imported).definition.inputSchema.properties)).toEqual(['q']);
    expect(imported.diagnostics).toMatchObject([
      { code: 'import/left-out-parameter', severity: 'warning', file: 'api.json', line: expect.any(Number) },
    ]);
    expect(imported.diagnostics[0]?.line).toBeGreaterThan(5);
  });

  it('I2 what may hold slashes has a note that they are escaped', () => {
    const tool = toolOf(importOperations({ 'GET /x/{+name}': {} }));
    expect(send(tool, { name: 'a/b' }).line).toBe('GET /x/a%2Fb');
    expect(tool.notes?.join()).toContain('slashes in "name"');
    const fixed = toolOf(importOperations({ 'GET /x/{id}': path({ type: 'string' }) }));
    expect(fixed.notes).toBeUndefined();
  });

  it('I2 lists of 2.0 with separators that a path or a header cannot have are left out, with their place', () => {
    const document = { swagger: '2.0', openapi: undefined, host: 'shop.example', servers: undefined };
    const of = (place: string, collectionFormat: string): object => ({
      parameters: [
        {
          name: 'id',
          in: place,
          required: place === 'path',
          type: 'array',
          items: { type: 'string' },
          collectionFormat,
        },
      ],
    });
    const inPath = importOperations({ 'GET /x/{id}': of('path', 'pipes') }, document);
    expect(inPath.leftOut).toMatchObject([{ reason: 'the path parameter "id" is a list separated by pipes' }]);
    const inHeader = importOperations({ 'GET /x': of('header', 'tsv') }, document);
    expect(inHeader.diagnostics.map(({ message }) => message)).toEqual([
      'the parameter "id" is left out: it is a list separated by tabs',
    ]);
    const tool = toolOf(importOperations({ 'GET /x/{id}': of('path', 'csv') }, document));
    expect(send(tool, { id: ['a', 'b'] }).line).toBe('GET /x/a,b');
  });

  it('I2 an operation whose path cannot be written is left out, with its place', () => {
    const imported = importOperations({ 'GET /x/{id}': path(object), 'GET /y': {} });
    expect(imported.leftOut).toEqual([
      { from: { place: 'GET /x/{id}' }, reason: 'the path parameter "id" is an object' },
    ]);
    expect(imported.diagnostics).toMatchObject([{ code: 'import/left-out', file: 'api.json' }]);
    expect(imported.items.map(({ name }) => name)).toEqual(['get-y']);
  });
});
