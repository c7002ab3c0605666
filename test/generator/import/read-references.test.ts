// References of API documents: followed wherever they stand, and reported once where they are broken.
import { describe, expect, it } from 'vitest';
import { asMap } from '../../../schema/document.js';
import { apiOf, filesOf, operationOf, read, said } from './read-harness.js';

describe('references', () => {
  it('I1 references are followed in path items, parameters, bodies, answers, headers and security schemes', () => {
    const api = apiOf(`openapi: 3.0.0
components:
  parameters: { a: { $ref: '#/components/parameters/b' }, b: { name: q, in: query } }
  requestBodies: { body: { required: true, content: { text/plain: {} } } }
  responses: { ok: { description: fine, headers: { Link: { $ref: '#/components/headers/link' } } } }
  headers: { link: { schema: { type: string } } }
  securitySchemes: { a: { $ref: '#/components/securitySchemes/b' }, b: { type: http, scheme: basic } }
x-items: { one: { post: { parameters: [{ $ref: '#/components/parameters/a' }], requestBody: { $ref: '#/components/requestBodies/body' }, responses: { 200: { $ref: '#/components/responses/ok' } } } } }
paths: { /a: { $ref: '#/x-items/one' } }
`);
    const [operation] = api.operations;
    expect(said(api.diagnostics)).toEqual([]);
    expect(operation?.parameters[0]).toMatchObject({ name: 'q', pointer: '#/components/parameters/b' });
    expect(operation?.body).toMatchObject({ isRequired: true, pointer: '#/components/requestBodies/body' });
    expect(operation?.answer).toMatchObject({ description: 'fine', headers: ['link'] });
    expect(api.schemes.a).toEqual({ type: 'http', scheme: 'basic' });
  });

  it('I1 escapes of pointers and of addresses are read in keys', () => {
    const api = apiOf(`openapi: 3.0.0
components:
  schemas: { 'a/b~c d%e': { type: string }, 'ü': { type: integer }, list: { anyOf: [{ type: 'null' }, { enum: [1] }] } }
paths: {}
`);
    expect(api.resolve('#/components/schemas/a~1b~0c%20d%25e')?.value).toEqual({ type: 'string' });
    expect(api.resolve('#/components/schemas/a%2Fb%7Ec d%e')?.value).toBeUndefined();
    expect(api.resolve('#/components/schemas/%C3%BC')?.value).toEqual({ type: 'integer' });
    expect(api.resolve('#/components/schemas/ü')?.value).toEqual({ type: 'integer' });
    expect(api.resolve('#/components/schemas/list/anyOf/1/enum/0')?.value).toBe(1);
    expect(api.resolve('#')?.pointer).toBe('#');
    expect(api.resolve('')?.pointer).toBe('#');
  });

  it('I1 references on the way to a value are followed', () => {
    const api = apiOf(`openapi: 3.1.0
components:
  schemas:
    a: { $ref: '#/components/schemas/b' }
    b: { properties: { x: { type: string } } }
    words: { $ref: '#/components/schemas/b', description: words }
paths: {}
`);
    expect(api.resolve('#/components/schemas/a/properties/x')).toEqual({
      value: { type: 'string' },
      pointer: '#/components/schemas/b/properties/x',
    });
    expect(api.resolve('#/components/schemas/a')?.pointer).toBe('#/components/schemas/b');
    expect(api.resolve('#/components/schemas/words')?.value).toEqual({
      $ref: '#/components/schemas/b',
      description: 'words',
    });
  });

  it('I1 a broken reference is reported once, at its first place, with what was probably meant', () => {
    const { api, diagnostics } = read(`openapi: 3.0.0
components:
  parameters: { Limit: { name: limit, in: query } }
  schemas: { Pet: {} }
paths:
  /a:
    get:
      parameters:
        - $ref: '#/components/parameters/limit'
    put:
      parameters:
        - $ref: '#/components/parameters/limit'
    post: {}
`);
    expect(api?.operations.map(({ method }) => method)).toEqual(['POST']);
    expect(said(diagnostics)).toEqual([
      'warning import/left-out api.yaml:7:5 "GET /a" is left out: the reference of a parameter cannot be followed',
      'warning import/broken-reference api.yaml:9:17 the reference "#/components/parameters/limit" is broken: the document has nothing there',
      'warning import/left-out api.yaml:10:5 "PUT /a" is left out: the reference of a parameter cannot be followed',
    ]);
    expect(diagnostics[1]?.hint).toBe('did you mean "#/components/parameters/Limit"?');
  });

  it.each([
    ['#/definitions/Pet', 'did you mean "#/components/schemas/Pet"?'],
    ['#/components/schema/Pet', 'did you mean "#/components/schemas/Pet"?'],
    ['#/components/schemas/Pets', 'did you mean "#/components/schemas/Pet"?'],
    ['#/components/schemas/pet/properties/nmae', 'did you mean "#/components/schemas/Pet/properties/name"?'],
    ['Pet', 'did you mean "#/components/schemas/Pet"?'],
    ['#Pet', 'did you mean "#/components/schemas/Pet"?'],
    ['#/components/schemas/Invoice', 'correct the `$ref`, or add what it names'],
  ])('I1 the hint for the broken reference %s says what exists nearby', (reference, hint) => {
    const api = apiOf(`openapi: 3.0.0
components: { schemas: { Pet: { properties: { name: {} } }, Owner: {} } }
paths: {}
`);
    expect(api.resolve(reference)).toBeUndefined();
    expect(api.diagnostics.map(one => one.hint)).toEqual([hint]);
  });

  it('I1 references that lead in a circle are reported, and nothing runs forever', () => {
    const { api, diagnostics } = read(`openapi: 3.1.0
components:
  parameters:
    a: { $ref: '#/components/parameters/b' }
    b: { $ref: '#/components/parameters/a' }
  schemas:
    self: { $ref: '#/components/schemas/self', description: words }
    deep: { $ref: '#/components/schemas/deep/properties/x' }
    tree: { properties: { child: { $ref: '#/components/schemas/tree' } } }
paths:
  /a: { get: { parameters: [{ $ref: '#/components/parameters/a' }] } }
  /b: { $ref: '#/paths/~1c' }
  /c: { $ref: '#/paths/~1b' }
`);
    expect(api?.operations).toEqual([]);
    expect(said(diagnostics)).toEqual([
      'warning import/left-out api.yaml:11:9 "GET /a" is left out: the reference of a parameter cannot be followed',
      'warning import/reference-cycle api.yaml:11:37 the reference "#/components/parameters/a" refers back to itself',
      'warning import/left-out api.yaml:12:3 "/b" is left out: its reference cannot be followed',
      'warning import/reference-cycle api.yaml:12:15 the reference "#/paths/~1c" refers back to itself',
      'warning import/left-out api.yaml:13:3 "/c" is left out: its reference cannot be followed',
      'warning import/reference-cycle api.yaml:13:15 the reference "#/paths/~1b" refers back to itself',
    ]);
    const before = api?.diagnostics.length ?? 0;
    expect(api?.resolve('#/components/schemas/self')).toBeUndefined();
    expect(api?.resolve('#/components/schemas/deep')).toBeUndefined();
    expect(api?.resolve('#/components/schemas/tree')?.value).toBeDefined();
    expect(api?.diagnostics.length).toBeGreaterThan(before);
  });

  it('I1 a broken answer or example loses no operation', () => {
    const { api, diagnostics } = read(`openapi: 3.0.0
paths:
  /a:
    get:
      parameters: [{ name: q, in: query, examples: { one: { $ref: '#/nowhere' } } }]
      responses:
        200: { $ref: '#/components/responses/ok' }
        404: { description: no }
`);
    expect(api?.operations).toHaveLength(1);
    expect(api?.operations[0]).toMatchObject({ answer: undefined, errors: [{ status: '404' }] });
    expect(said(diagnostics)).toEqual([
      'warning import/broken-reference api.yaml:7:22 the reference "#/components/responses/ok" is broken: the document has nothing there',
    ]);
  });
});

describe('references to other files', () => {
  const files = {
    'parts/params.yaml': `limit:\n  name: limit\n  in: query\n  schema: { $ref: '../schemas.json#/Limit' }\npage: { $ref: '#/limit' }\n`,
    'schemas.json': '{"Limit": {"type": "integer", "maximum": 5}, "Bad": {"$ref": "#/Nothing"}}',
    'item.yaml': `get:\n  parameters:\n    - $ref: 'api.yaml#/components/parameters/q'\n    - $ref: "parts/params.yaml#/page"\n`,
    'broken.yaml': 'a: [1\nb: 2\n',
  };
  const document = `openapi: 3.0.0
components: { parameters: { q: { name: q, in: query } } }
paths:
  /a: { $ref: ./item.yaml }
`;

  it('I1 pointers name the file, and places are in it', () => {
    const api = apiOf(document, { file: 'specs/api.yaml', readOther: filesOf(files) });
    const [q, limit] = api.operations[0]?.parameters ?? [];
    expect(q?.pointer).toBe('#/components/parameters/q');
    expect(limit?.pointer).toBe('parts/params.yaml#/limit');
    expect(api.operations[0]?.pointer).toBe('item.yaml#/get');
    expect(api.site(limit?.pointer ?? '', 'key')).toMatchObject({
      file: 'specs/parts/params.yaml',
      line: 1,
      column: 1,
    });
    const reference = String(asMap(limit?.schema.value).$ref);
    const schema = api.resolve(reference, limit?.schema.pointer);
    expect(schema).toEqual({ value: { type: 'integer', maximum: 5 }, pointer: 'schemas.json#/Limit' });
    expect(api.site('schemas.json#/Limit/maximum')).toMatchObject({ file: 'specs/schemas.json', line: 1, column: 42 });
    expect(said(api.diagnostics)).toEqual([]);
  });

  it('I1 a reference of another file is broken in that file', () => {
    const api = apiOf(document, { file: 'specs/api.yaml', readOther: filesOf(files) });
    expect(api.resolve('schemas.json#/Bad')).toBeUndefined();
    expect(said(api.diagnostics)).toEqual([
      'warning import/broken-reference specs/schemas.json:1:62 the reference "#/Nothing" is broken: the document has nothing there',
    ]);
  });

  it('I1 without a port nothing is read, and each file is reported once', () => {
    const { api, diagnostics } = read(`openapi: 3.0.0
paths:
  /a: { $ref: ./item.yaml }
  /b: { get: { parameters: [{ $ref: 'https://api.example/p.yaml#/a' }, { $ref: 'https://api.example/p.yaml#/b' }] } }
  /c: { get: {} }
`);
    expect(api?.operations.map(({ path }) => path)).toEqual(['/c']);
    expect(said(diagnostics)).toEqual([
      'warning import/left-out api.yaml:3:3 "/a" is left out: its reference cannot be followed',
      'warning import/unread-file api.yaml:3:15 the document refers to "item.yaml", which was not read',
      'warning import/left-out api.yaml:4:9 "GET /b" is left out: the reference of a parameter cannot be followed',
      'warning import/unread-file api.yaml:4:37 the document refers to "https://api.example/p.yaml", which was not read',
    ]);
  });

  it('I1 the port is asked for whole addresses, and for paths from the folder of the document', () => {
    const asked: string[] = [];
    const api = apiOf('openapi: 3.0.0\npaths: {}', {
      readOther(address) {
        asked.push(address);
        return address === 'https://api.example/v1/p.yaml' ? 'a: { $ref: "../q.yaml" }' : undefined;
      },
    });
    for (const reference of ['./a/../b%20c.yaml#/x', '..\\d.yaml', '/e.yaml', 'https://api.example/v1/p.yaml#/a'])
      api.resolve(reference);
    expect(asked).toEqual([
      'b c.yaml',
      '../d.yaml',
      '/e.yaml',
      'https://api.example/v1/p.yaml',
      'https://api.example/q.yaml',
    ]);
  });

  it('I1 a file with a mistake is reported with its place', () => {
    const api = apiOf(document, { file: 'specs/api.yaml', readOther: filesOf(files) });
    expect(api.resolve('broken.yaml#/a')).toBeUndefined();
    expect(said(api.diagnostics).every(line => line.includes(' specs/broken.yaml:'))).toBe(true);
    expect(api.diagnostics.length).toBeGreaterThan(0);
  });

  it('I1 names that schemas of 3.1 give themselves are found', () => {
    const api = apiOf(`openapi: 3.1.0
components:
  schemas:
    pet: { $id: 'https://x.example/pet', $defs: { name: { $anchor: name, type: string } } }
    owner: { $anchor: owner, type: object }
paths: {}
`);
    expect(api.resolve('https://x.example/pet')?.pointer).toBe('#/components/schemas/pet');
    expect(api.resolve('https://x.example/pet#name')?.pointer).toBe('#/components/schemas/pet/$defs/name');
    expect(api.resolve('#name', '#/components/schemas/pet')?.pointer).toBe('#/components/schemas/pet/$defs/name');
    expect(api.resolve('#/$defs/name', '#/components/schemas/pet/x')?.value).toMatchObject({ type: 'string' });
    expect(api.resolve('#owner')?.pointer).toBe('#/components/schemas/owner');
    expect(said(api.diagnostics)).toEqual([]);
  });

  it('I1 a member of an example with the name `$ref` refers to nothing', () => {
    const operation = operationOf(`openapi: 3.0.0
paths: { /a: { get: { parameters: [{ name: q, in: query, schema: { properties: { $ref: { type: string } } } }] } } }
`);
    expect(operation.parameters).toHaveLength(1);
  });
});
