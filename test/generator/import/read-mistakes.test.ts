// What real documents get wrong: passed over where the meaning is clear, and reported where the author should know.
import { describe, expect, it } from 'vitest';
import { apiOf, operationOf, read, said } from './read-harness.js';

/** A document of 3.0 with one operation, whose keys begin at line 5 and column 7. */
const operation = (body: string): string =>
  `openapi: 3.0.0\npaths:\n  /pets/{id}:\n    get:\n${body.replaceAll(/^(?=.)/gm, '      ')}`;
const id = '- { name: id, in: path, required: true, schema: { type: string } }';

describe('mistakes that lose nothing', () => {
  it('I1 a document without info, answers and servers is read without a word', () => {
    const { api, diagnostics } = read('openapi: 3.0.0\npaths: { /a: { get: }, /b: { get: {} } }', {
      file: 'specs/pet-store.yaml',
    });
    expect(api).toMatchObject({ title: 'pet-store', description: undefined, schemes: {} });
    expect(api?.operations).toMatchObject([
      { path: '/b', answer: undefined, errors: [], security: [], servers: [{ url: '/' }], parameters: [], tags: [] },
    ]);
    expect(said(diagnostics)).toEqual([
      'warning import/left-out specs/pet-store.yaml:2:16 "GET /a" is left out: nothing is written there',
    ]);
  });

  it('I1 null where a map or a list is expected is the same as nothing', () => {
    const { api, diagnostics } = read(`openapi: 3.0.0
info:
servers:
security:
components:
tags:
paths:
  /z:
  /a:
    parameters:
    get:
      tags:
      parameters:
      requestBody:
      responses: { 200: }
      security:
      servers:
`);
    expect(said(diagnostics)).toEqual([]);
    expect(api?.operations).toHaveLength(1);
  });

  it('I1 values of the wrong type are reported where they are, and passed over', () => {
    const { api, diagnostics } = read(`openapi: 3.0.0
info: Pets
servers: { url: / }
paths:
  /a: []
  /b:
    get:
      parameters: { q: {} }
      responses: [1]
      tags: pets
    put: yes
`);
    expect(api?.operations).toMatchObject([{ path: '/b', method: 'GET', tags: ['pets'] }]);
    expect(said(diagnostics)).toEqual([
      'warning import/ignored api.yaml:2:7 "info" is ignored: it is text, and a map is expected',
      'warning import/ignored api.yaml:3:10 "servers" is ignored: it is a map, and a list is expected',
      'warning import/ignored api.yaml:5:7 "/a" is ignored: it is a list, and a map is expected',
      'warning import/ignored api.yaml:8:19 "parameters" is ignored: it is a map, and a list is expected',
      'warning import/ignored api.yaml:9:18 "responses" is ignored: it is a list, and a map is expected',
      'warning import/left-out api.yaml:11:5 "PUT /b" is left out: it has to be a map',
    ]);
  });

  it('I1 extensions are passed over everywhere', () => {
    const { api, diagnostics } = read(`openapi: 3.0.0
x-a: 1
security: [{ x-a: [] }]
components: { securitySchemes: { x-a: 1 } }
paths:
  x-a: 1
  /a: { x-a: 1, get: { x-a: 1, responses: { x-a: 1 }, requestBody: { content: { x-a: 1 } } } }
`);
    expect(said(diagnostics)).toEqual([]);
    expect(api?.operations[0]?.body?.contents).toEqual([]);
  });
});

describe('mistakes in parameters', () => {
  it('I1 a placeholder that nothing declares is a string, with a warning', () => {
    const { api, diagnostics } = read(operation('summary: A pet\n'));
    expect(api?.operations[0]?.parameters).toMatchObject([
      { name: 'id', in: 'path', isRequired: true, schema: { value: { type: 'string' } } },
    ]);
    expect(said(diagnostics)).toEqual([
      'warning import/assumed api.yaml:5:7 "{id} as a string" is assumed: the path /pets/{id} has it, and no parameter declares it',
    ]);
  });

  it('I1 a path parameter that the path does not have is ignored, with a warning', () => {
    const { api, diagnostics } = read(
      operation(`parameters:\n  ${id}\n  - { name: other, in: path, required: true }\n`),
    );
    expect(api?.operations[0]?.parameters.map(({ name }) => name)).toEqual(['id']);
    expect(said(diagnostics)).toEqual([
      'warning import/ignored api.yaml:7:11 "other" is ignored: the path /pets/{id} has no {other}',
    ]);
  });

  it('I1 a path parameter is required whatever the document says, and its name may differ in case and signs', () => {
    const text = `openapi: 3.0.0
paths: { '/a/{petId}': { get: { parameters: [{ name: pet_id, in: path, required: false, description: it }] } } }
`;
    const { api, diagnostics } = read(text);
    expect(api?.operations[0]?.parameters).toMatchObject([{ name: 'petId', isRequired: true, description: 'it' }]);
    expect(said(diagnostics)).toEqual([]);
  });

  it('I1 the same name and place twice in one list counts once', () => {
    const { api, diagnostics } = read(
      operation(`parameters:\n  ${id}\n  - { name: q, in: query, description: one }\n  - { name: q, in: query }\n`),
    );
    expect(api?.operations[0]?.parameters.map(({ description }) => description)).toEqual([undefined, 'one']);
    expect(said(diagnostics)).toEqual([
      'warning import/ignored api.yaml:8:11 "q" is ignored: it is declared before with the same name and place',
    ]);
  });

  it('I1 a parameter without a name or with an unknown place is ignored, with a warning', () => {
    const { api, diagnostics } = read(
      operation(`parameters:
  - { name: id, required: true }
  - { in: query }
  - { name: a, in: matrix }
  - { name: b }
  - { name: c, in: Query }
  - nothing
`),
    );
    expect(api?.operations[0]?.parameters.map(({ name, in: place }) => [name, place])).toEqual([
      ['id', 'path'],
      ['c', 'query'],
    ]);
    expect(said(diagnostics)).toEqual([
      'warning import/ignored api.yaml:7:11 "parameter" is ignored: it has no name',
      'warning import/ignored api.yaml:8:11 "a" is ignored: nothing can be sent in "matrix"',
      'warning import/ignored api.yaml:9:11 "b" is ignored: it does not say where it is sent (in)',
      'warning import/ignored api.yaml:11:11 "parameter" is ignored: it is text, and a map is expected',
    ]);
  });

  it('I1 a parameter of 3.0 may be written as in 2.0', () => {
    const one = operationOf(`openapi: 3.0.0
paths:
  /a:
    post:
      parameters:
        - { name: q, in: query, type: array, items: { type: string }, collectionFormat: pipes, required: 'true' }
        - { name: none, in: query }
        - { in: body, name: b, schema: { type: object } }
`);
    expect(one.parameters[0]).toMatchObject({ style: 'pipeDelimited', explode: false, isRequired: true });
    expect(one.parameters[0]?.schema.value).toEqual({ type: 'array', items: { type: 'string' } });
    expect(one.parameters[1]?.schema.value).toEqual({});
    expect(one.body?.contents).toMatchObject([{ type: 'application/json', schema: { value: { type: 'object' } } }]);
  });

  it('I1 a style that its place does not have is ignored, with a warning', () => {
    const { api, diagnostics } = read(
      operation(
        `parameters:\n  ${id}\n  - { name: q, in: query, style: simple }\n  - { name: r, in: query, style: deepobject }\n`,
      ),
    );
    expect(api?.operations[0]?.parameters.map(({ style }) => style)).toEqual(['simple', 'form', 'deepObject']);
    expect(said(diagnostics)).toEqual([
      'warning import/ignored api.yaml:7:40 "simple" is ignored: a parameter in query has one of form, spaceDelimited, pipeDelimited, deepObject',
    ]);
  });
});

describe('paths', () => {
  it.each([
    ['pets', '/pets', []],
    ['/pets/{id:[0-9]{1,3}}', '/pets/{id}', ['id']],
    ['/files/{+path}', '/files/{path}', ['path']],
    ['/files/{path*}', '/files/{path}', ['path']],
    ['/pets{?page,size}', '/pets', []],
    ['/pets/:id/x', '/pets/{id}/x', ['id']],
    ['/a:b/{id}', '/a:b/{id}', ['id']],
    ['/a#Action=B', '/a#Action=B', []],
  ])('I1 the path %s is read as %s', (written, path, names) => {
    const text = `openapi: 3.0.0\npaths:\n  '${written}':\n    get:\n      parameters: ${JSON.stringify(
      names.map(name => ({ name, in: 'path' })),
    )}`;
    const { api, diagnostics } = read(text);
    expect(api?.operations).toMatchObject([{ path }]);
    expect(api?.operations[0]?.parameters.map(({ name }) => name)).toEqual(names);
    expect(said(diagnostics)).toEqual([]);
  });

  it('I1 a placeholder in the query that a parameter of the query declares is not declared again', () => {
    const { api, diagnostics } = read(`openapi: 3.0.0
paths: { '/a?q={term}&m=x': { get: { parameters: [{ name: q, in: query }] } } }
`);
    expect(api?.operations[0]?.parameters.map(({ name }) => name)).toEqual(['q']);
    expect(said(diagnostics)).toEqual([]);
  });

  it('I1 a path with half a placeholder is left out with its place, and the others stay', () => {
    const { api, diagnostics } = read(`{"openapi": "3.0.0", "paths": {
  "/a/{id": {"get": {}},
  "/b": {"get": {}}
}}`);
    expect(api?.operations.map(({ path }) => path)).toEqual(['/b']);
    expect(said(diagnostics)).toEqual([
      'warning import/left-out api.yaml:2:14 "GET /a/{id" is left out: its path has a brace without the other one',
    ]);
  });

  it('I1 methods in capital letters count, and unknown ones are left out where they are operations', () => {
    const { api, diagnostics } = read(`openapi: 3.0.0
paths:
  /a:
    GET: { operationId: a }
    link: { responses: {} }
    notes: { a: 1 }
`);
    expect(api?.operations).toMatchObject([{ method: 'GET', operationId: 'a' }]);
    expect(said(diagnostics)).toEqual([
      'warning import/left-out api.yaml:5:5 "LINK /a" is left out: requests have no method LINK',
    ]);
  });
});

describe('servers and security', () => {
  it.each([
    ['api.example.com/v1/', 'https://api.example.com/v1', 'api.yaml:2:18'],
    ['//api.example.com', 'https://api.example.com', undefined],
    ['https://api.example.com//', 'https://api.example.com', undefined],
    ['localhost:8080', 'http://localhost:8080', 'api.yaml:2:18'],
    ['/v1', '/v1', undefined],
    ['./v1', './v1', undefined],
  ])('I1 the address %s is read as %s', (written, url, place) => {
    const { api, diagnostics } = read(`openapi: 3.0.0\nservers: [{ url: "${written}" }]\npaths: { /a: { get: {} } }`);
    expect(api?.operations[0]?.servers.map(one => one.url)).toEqual([url]);
    expect(said(diagnostics)).toEqual(
      place === undefined ? [] : [`warning import/assumed ${place} "${url}" is assumed: the url has no scheme`],
    );
  });

  it('I1 servers that nothing can be sent to are ignored, and variables without a declaration are kept', () => {
    const { api, diagnostics } = read(`openapi: 3.0.0
servers:
  - url: wss://a.example
  - description: none
  - url: https://{host}:{port}
    variables: { port: { enum: [8443, 443] }, unused: { default: '' } }
paths: { /a: { get: {} } }
`);
    expect(api?.operations[0]?.servers).toMatchObject([
      {
        url: 'https://{host}:{port}',
        variables: { host: {}, port: { default: '8443', enum: ['8443', '443'] }, unused: { default: '' } },
      },
    ]);
    expect(said(diagnostics)).toEqual([
      'warning import/ignored api.yaml:3:10 "wss://a.example" is ignored: requests are sent by http and https',
      'warning import/ignored api.yaml:4:5 "server" is ignored: it has no url',
      'warning import/assumed api.yaml:5:10 "the variable host" is assumed: the url has it, and nothing declares it',
    ]);
  });

  it('I1 a scheme that does not exist is reported once, and the other alternatives stay', () => {
    const { api, diagnostics } = read(`openapi: 3.0.0
components: { securitySchemes: { apiKey: { type: apiKey, in: query, name: key }, odd: { type: apiKey }, none: } }
security: [{ apikey: [] }, { apiKey: [] }]
paths:
  /a: { get: { security: [{}] } }
  /b: { get: { security: [{ apikey: [] }] } }
  /c: { get: { security: { apiKey: } } }
  /d: { get: { security: [apiKey, {}] } }
  /e: { get: {} }
  /f: { get: { security: [] } }
`);
    expect(api?.schemes).toEqual({ apiKey: { type: 'apiKey', in: 'query', name: 'key' }, odd: { type: 'unknown' } });
    const key = { scheme: 'apiKey', scopes: [] };
    expect(api?.operations.map(({ security }) => security)).toEqual([[], [], [[key]], [[key], []], [[key]], []]);
    expect(said(diagnostics)).toEqual([
      'warning import/ignored api.yaml:3:14 "apikey" is ignored: the document has no security scheme of this name',
    ]);
    expect(diagnostics[0]?.hint).toBe('did you mean "apiKey"?');
  });
});

describe('texts', () => {
  it('I1 keys of YAML are what was typed, whatever else they could mean', () => {
    const api = apiOf(`openapi: 3.0.0
info: { title: yes, version: 1.10, description: 2024-01-01 }
paths:
  /a:
    get:
      operationId: 007
      tags: [on, 1.0, ~]
      deprecated: 'true'
      responses: { 200: { description: no }, 4XX: { description: null }, 0x1F4: {} }
`);
    expect(api).toMatchObject({ title: 'yes', description: '2024-01-01' });
    expect(api.operations[0]).toMatchObject({
      tags: ['on', '1'],
      isDeprecated: true,
      answer: { status: '200', description: 'no' },
    });
  });

  it('I1 a byte order mark, CRLF and JSON under the name of YAML change nothing', () => {
    const json = '\ufeff{"openapi": "3.0.0",\r\n\t"paths": {"/a": {"get": {"parameters": [1]}}}}\r\n';
    const { api, diagnostics } = read(json, { file: 'api.yaml' });
    expect(api?.operations).toHaveLength(1);
    expect(said(diagnostics)).toEqual([
      'warning import/ignored api.yaml:2:42 "parameter" is ignored: it is a number, and a map is expected',
    ]);
  });

  it('I1 comments and commas at the end are allowed in JSON', () => {
    const { api, diagnostics } = read(
      '{"openapi": "3.0.0", // three\n"paths": {"/a": {"get": {"tags": [null],},},},}',
      {
        file: 'api.json',
      },
    );
    expect(api?.operations).toHaveLength(1);
    expect(said(diagnostics)).toEqual([]);
  });

  it('I1 of a key that is given twice one counts, with a warning that says which', () => {
    const json = read('{"openapi": "3.0.0", "paths": {"/a": {"get": {}}, "/a": {"put": {}}}}');
    expect(json.api?.operations.map(({ method }) => method)).toEqual(['PUT']);
    expect(said(json.diagnostics)).toEqual(['warning parse/duplicate-key api.yaml:1:51 the key "/a" is given twice']);
    expect(json.diagnostics[0]?.hint).toBe('only the last one counts here: remove the others');
    const yaml = read('openapi: 3.0.0\npaths:\n  /a: { get: {} }\n  /a: { put: {} }\n');
    expect(yaml.api?.operations.map(({ method }) => method)).toEqual(['GET']);
    expect(said(yaml.diagnostics)).toEqual(['warning parse/duplicate-key api.yaml:4:3 the key "/a" is given twice']);
    expect(yaml.diagnostics[0]?.hint).toBe('only the first one counts here: remove the others');
  });

  it('I1 the first OpenAPI document of a YAML stream is read', () => {
    expect(apiOf('note: 1\n---\nopenapi: 3.1.0\npaths: { /a: { get: {} } }\n').operations).toHaveLength(1);
  });

  it('I1 names of members that every object of JavaScript has are not found where nobody wrote them', () => {
    const { api } = read(`openapi: 3.0.0
security: [{ constructor: [] }]
paths: { /a: { get: { parameters: [{ name: toString, in: query }], requestBody: { $ref: '#/constructor' } } } }
`);
    expect(api?.operations).toEqual([]);
    expect(said(api?.diagnostics ?? [])).toEqual([
      'warning import/ignored api.yaml:2:14 "constructor" is ignored: the document has no security scheme of this name',
      'warning import/left-out api.yaml:3:16 "GET /a" is left out: the reference of its body cannot be followed',
      'warning import/broken-reference api.yaml:3:89 the reference "#/constructor" is broken: the document has nothing there',
    ]);
  });
});
