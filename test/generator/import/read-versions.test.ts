// Every version of OpenAPI becomes the same noun.
import { describe, expect, it } from 'vitest';
import { apiOf, operationOf, read, said } from './read-harness.js';

const path = (body: string): string =>
  `openapi: 3.1.0\npaths:\n  /a:\n    get:\n${body.replaceAll(/^(?=.)/gm, '      ')}`;

describe('OpenAPI 2.0', () => {
  const old = `swagger: '2.0'
info: { title: Pets, version: 7, description: All pets }
host: api.example.com
basePath: v1/
schemes: [http, wss, https]
consumes: [application/json, application/xml]
produces: [application/json; charset=utf-8]
securityDefinitions:
  key: { type: apiKey, in: header, name: X-Key }
  login: { type: basic }
  person: { type: oauth2, flow: accessCode, authorizationUrl: https://a.example/x, tokenUrl: https://a.example/t, scopes: { read: r } }
  program: { type: oauth2, flow: application, tokenUrl: https://a.example/t, scopes: { read: r, write: w } }
security: [{ key: [] }]
parameters:
  limit: { name: limit, in: query, type: integer, maximum: 50 }
responses:
  gone: { description: It is gone }
definitions:
  Pet: { type: object, properties: { name: { type: string } } }
paths:
  /pets/{id}:
    parameters:
      - { name: id, in: path, required: true, type: string }
    put:
      operationId: putPet
      tags: [pets]
      security: [{ program: [write] }, {}]
      parameters:
        - $ref: '#/parameters/limit'
        - { name: tags, in: query, type: array, items: { type: string } }
        - { name: ids, in: query, type: array, collectionFormat: multi, items: { type: string } }
        - { name: tabs, in: query, type: array, collectionFormat: tsv, items: { type: string } }
        - { name: X-Ids, in: header, type: array, collectionFormat: csv, items: { type: string } }
        - { name: whatever, in: body, required: true, description: The pet, schema: { $ref: '#/definitions/Pet' } }
      responses:
        200: { description: The pet, schema: { $ref: '#/definitions/Pet' }, headers: { X-Rate: { type: integer } } }
        404: { $ref: '#/responses/gone' }
        default: { description: Anything else }
    post:
      schemes: [http]
      consumes: [application/x-www-form-urlencoded, multipart/form-data]
      produces: [image/png]
      parameters:
        - { name: photo, in: formData, type: file, required: true, description: A photo }
        - { name: words, in: formData, type: array, items: { type: string }, collectionFormat: pipes }
      responses:
        201: { description: A picture, schema: { type: file } }
`;
  const api = apiOf(old);
  const [put, post] = api.operations;

  it('I1 the reader gives the title and text of a document of 2.0', () => {
    expect(api).toMatchObject({ version: '2.0', title: 'Pets', description: 'All pets' });
    expect(said(api.diagnostics)).toEqual([]);
  });

  it('I1 host, base path and schemes become servers, https first', () => {
    expect(put?.servers.map(({ url }) => url)).toEqual(['https://api.example.com/v1', 'http://api.example.com/v1']);
    expect(post?.servers.map(({ url }) => url)).toEqual(['http://api.example.com/v1']);
    expect(apiOf('swagger: 2.0\nbasePath: /v2\npaths: { /a: { get: {} } }').operations[0]?.servers[0]?.url).toBe('/v2');
    expect(apiOf('swagger: 2.0\npaths: { /a: { get: {} } }').operations[0]?.servers[0]?.url).toBe('/');
  });

  it('I1 `collectionFormat` becomes style and explode', () => {
    const styles = put?.parameters.map(({ name, in: place, style, explode }) => [name, place, style, explode]);
    expect(styles).toEqual([
      ['id', 'path', 'simple', false],
      ['limit', 'query', 'form', false],
      ['tags', 'query', 'form', false],
      ['ids', 'query', 'form', true],
      ['tabs', 'query', 'tabs', false],
      ['X-Ids', 'header', 'simple', false],
    ]);
  });

  it('I1 what is written into a parameter of 2.0 is its schema, at the place of the parameter', () => {
    expect(put?.parameters[1]?.schema).toEqual({
      value: { type: 'integer', maximum: 50 },
      pointer: '#/parameters/limit',
    });
  });

  it('I1 a body parameter becomes the body, in every type that the document consumes', () => {
    expect(put?.body).toMatchObject({ isRequired: true, description: 'The pet' });
    expect(put?.body?.contents.map(({ type }) => type)).toEqual(['application/json', 'application/xml']);
    expect(put?.body?.contents[0]?.schema.value).toEqual({ $ref: '#/definitions/Pet' });
  });

  it('I1 parameters of a form become an object, and a file makes it multipart', () => {
    const [content, ...others] = post?.body?.contents ?? [];
    expect(others).toEqual([]);
    expect(content?.type).toBe('multipart/form-data');
    expect(content?.schema.value).toEqual({
      type: 'object',
      properties: {
        photo: { description: 'A photo', type: 'string', format: 'binary' },
        words: { type: 'array', items: { type: 'string' } },
      },
      required: ['photo'],
    });
    expect(content?.encoding).toEqual({ words: { style: 'pipeDelimited', explode: false } });
  });

  it('I1 a form without a file is urlencoded where nothing else is said', () => {
    const form = `swagger: 2.0\npaths: { /a: { post: { parameters: [{ name: a, in: formData, type: string }] } } }`;
    expect(operationOf(form).body?.contents[0]?.type).toBe('application/x-www-form-urlencoded');
  });

  it('I1 the answer and the errors of 2.0 are found through references', () => {
    expect(put?.answer).toMatchObject({ status: '200', description: 'The pet', headers: ['x-rate'] });
    expect(put?.answer?.contents.map(({ type }) => type)).toEqual(['application/json']);
    expect(put?.errors).toEqual([
      { status: '404', description: 'It is gone' },
      { status: 'default', description: 'Anything else' },
    ]);
    expect(post?.answer?.contents[0]).toMatchObject({
      type: 'image/png',
      schema: { value: { type: 'string', format: 'binary' } },
    });
  });

  it('I1 security definitions become schemes, and requirements alternatives', () => {
    expect(api.schemes).toEqual({
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      login: { type: 'http', scheme: 'basic' },
      person: { type: 'oauth2' },
      program: { type: 'oauth2', tokenUrl: 'https://a.example/t' },
    });
    expect(put?.security).toEqual([[{ scheme: 'program', scopes: ['write'] }], []]);
    expect(post?.security).toEqual([[{ scheme: 'key', scopes: [] }]]);
  });
});

describe('OpenAPI 3.0', () => {
  it('I1 servers of an operation replace those of its path, and these those of the document', () => {
    const api = apiOf(`openapi: 3.0.3
servers: [{ url: 'https://one.example/' }]
paths:
  /a:
    servers: [{ url: /two }]
    get: {}
    put: { servers: [{ url: 'https://{region}.three.example', variables: { region: { default: eu, enum: [eu, us] } } }] }
  /b: { get: { servers: [] } }
`);
    expect(api.operations.map(({ servers }) => servers.map(({ url }) => url))).toEqual([
      ['/two'],
      ['https://{region}.three.example'],
      ['https://one.example'],
    ]);
    expect(api.operations[1]?.servers[0]?.variables).toEqual({ region: { default: 'eu', enum: ['eu', 'us'] } });
  });

  it('I1 styles have the defaults of their places', () => {
    const operation = operationOf(
      path(`parameters:
  - { name: q, in: query, schema: {} }
  - { name: o, in: query, style: deepObject, schema: { type: object } }
  - { name: p, in: query, style: pipeDelimited, schema: {} }
  - { name: e, in: query, explode: false, allowReserved: true, schema: {} }
  - { name: h, in: header, schema: {} }
  - { name: c, in: cookie, schema: {} }
  - { name: j, in: query, content: { application/json; v=1: { schema: { type: object } } } }
`),
    );
    expect(
      operation.parameters.map(({ name, style, explode, allowReserved }) => [name, style, explode, allowReserved]),
    ).toEqual([
      ['q', 'form', true, false],
      ['o', 'deepObject', true, false],
      ['p', 'pipeDelimited', false, false],
      ['e', 'form', false, true],
      ['h', 'simple', false, false],
      ['c', 'form', true, false],
      ['j', 'form', true, false],
    ]);
    expect(operation.parameters[6]).toMatchObject({
      contentType: 'application/json',
      schema: { value: { type: 'object' } },
    });
  });

  it('I1 parameters of an operation replace those of its path with the same name and place', () => {
    const operation = operationOf(`openapi: 3.0.0
paths:
  /a/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
      - { name: X-Trace, in: header, schema: { type: string } }
      - { name: q, in: query, description: of the path }
    get:
      parameters:
        - { name: x-trace, in: header, schema: { type: integer } }
        - { name: q, in: query, description: of the operation }
        - { name: q, in: cookie }
        - { name: Accept, in: header }
        - { name: content-type, in: header }
`);
    expect(operation.parameters.map(({ name, in: place, description }) => [name, place, description])).toEqual([
      ['id', 'path', undefined],
      ['x-trace', 'header', undefined],
      ['q', 'query', 'of the operation'],
      ['q', 'cookie', undefined],
    ]);
  });

  it('I1 each type of a body comes once, in small letters and without parameters', () => {
    const operation = operationOf(
      path(`requestBody:
  required: true
  content:
    Application/JSON; charset=utf-8: { schema: { type: object } }
    application/json: { schema: { type: string } }
    multipart/form-data:
      schema: { type: object }
      encoding: { photo: { contentType: Image/PNG }, tags: { style: form, explode: false } }
`),
    );
    expect(operation.body?.contents.map(({ type, schema }) => [type, schema.value])).toEqual([
      ['application/json', { type: 'object' }],
      ['multipart/form-data', { type: 'object' }],
    ]);
    expect(operation.body?.contents[1]?.encoding).toEqual({
      photo: { contentType: 'image/png' },
      tags: { style: 'form', explode: false },
    });
  });

  it('I1 the answer is the first of success that has content', () => {
    const operation = operationOf(
      path(`responses:
  202: { description: later }
  2xx: { description: now, content: { text/plain: {} } }
  400: { description: wrong }
  5XX: { description: broken }
  404: {}
  x-more: {}
  302: { description: elsewhere }
`),
    );
    expect(operation.answer).toMatchObject({ status: '2XX', description: 'now' });
    expect(operation.errors).toEqual([
      { status: '400', description: 'wrong' },
      { status: '5XX', description: 'broken' },
    ]);
  });

  it('I1 `default` is the answer where no other says what success is', () => {
    const operation = operationOf(path('responses: { default: { description: it, content: { text/plain: {} } } }\n'));
    expect(operation.answer).toMatchObject({ status: 'default', description: 'it' });
    expect(operation.errors).toEqual([]);
    const failing = operationOf(
      path('responses: { default: { description: Unexpected error, content: { text/plain: {} } } }\n'),
    );
    expect(failing).toMatchObject({ answer: undefined, errors: [{ status: 'default' }] });
  });
});

describe('OpenAPI 3.1', () => {
  it('I1 words beside a reference replace those of what it refers to', () => {
    const operation = operationOf(`openapi: 3.1.0
components:
  parameters: { q: { name: q, in: query, description: general, schema: { type: string } } }
paths:
  /a: { get: { parameters: [{ $ref: '#/components/parameters/q', description: special }] } }
`);
    expect(operation.parameters[0]).toMatchObject({
      name: 'q',
      description: 'special',
      pointer: '#/components/parameters/q',
    });
  });

  it('I1 a document with webhooks only has no operations, and that is not a mistake', () => {
    const { api, diagnostics } = read('openapi: 3.1.0\nwebhooks: { a: { post: {} } }\n');
    expect(api?.operations).toEqual([]);
    expect(diagnostics).toEqual([]);
  });

  it('I1 path items of components are followed', () => {
    const operation = operationOf(`openapi: 3.1.0
components: { pathItems: { thing: { get: { operationId: a } } } }
paths: { /a: { $ref: '#/components/pathItems/thing', summary: A thing } }
`);
    expect(operation).toMatchObject({ path: '/a', operationId: 'a', summary: 'A thing' });
    expect(operation.pointer).toBe('#/components/pathItems/thing/get');
  });
});

describe('OpenAPI 3.2', () => {
  it('I1 operations of other methods are left out, each with its place', () => {
    const { api, diagnostics } = read(`openapi: 3.2.0
paths:
  /a:
    query: { operationId: search }
    trace: {}
    get: {}
    additionalOperations:
      COPY: { operationId: copy }
`);
    expect(api?.operations.map(({ method }) => method)).toEqual(['GET']);
    expect(said(diagnostics)).toEqual([
      'warning import/left-out api.yaml:4:5 "QUERY /a" is left out: requests have no method QUERY',
      'warning import/left-out api.yaml:5:5 "TRACE /a" is left out: requests have no method TRACE',
      'warning import/left-out api.yaml:8:7 "COPY /a" is left out: requests have no method COPY',
    ]);
  });

  it('I1 a whole query and cookies of 3.2 are parameters', () => {
    const operation = operationOf(`openapi: 3.2.0
paths:
  /a:
    get:
      parameters:
        - { in: querystring, name: all, content: { application/x-www-form-urlencoded: { schema: { type: object } } } }
        - { in: cookie, name: c, style: cookie, schema: { type: string } }
`);
    expect(operation.parameters).toMatchObject([
      { in: 'querystring', name: 'all', contentType: 'application/x-www-form-urlencoded' },
      { in: 'cookie', style: 'cookie', explode: true },
    ]);
  });

  it('I1 elements of a stream are a list', () => {
    const operation = operationOf(`openapi: 3.2.0
components: { mediaTypes: { lines: { itemSchema: { type: integer } } } }
paths:
  /a: { get: { responses: { 200: { content: { application/jsonl: { $ref: '#/components/mediaTypes/lines' } } } } } }
`);
    expect(operation.answer?.contents[0]?.schema.value).toEqual({ type: 'array', items: { type: 'integer' } });
  });

  it('I1 a security scheme may be named by its address', () => {
    const api = apiOf(`openapi: 3.2.0
components: { securitySchemes: { key: { type: http, scheme: Bearer } } }
security: [{ '#/components/securitySchemes/key': [] }]
paths: { /a: { get: {} } }
`);
    expect(api.operations[0]?.security).toEqual([[{ scheme: '#/components/securitySchemes/key', scopes: [] }]]);
    expect(api.schemes['#/components/securitySchemes/key']).toEqual({ type: 'http', scheme: 'bearer' });
  });

  it('I1 a document that refers to itself by its own address is one document', () => {
    const operation = operationOf(`openapi: 3.2.0
$self: https://api.example/openapi.yaml
components: { parameters: { q: { name: q, in: query } } }
paths:
  /a: { get: { parameters: [{ $ref: 'https://api.example/openapi.yaml#/components/parameters/q' }] } }
`);
    expect(operation.parameters[0]?.name).toBe('q');
  });
});
