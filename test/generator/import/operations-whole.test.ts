// What belongs to an operation as a whole: its name, its words, what it answers, where it is, and who may ask.
import { describe, expect, it } from 'vitest';
import { importDocument, importOperations, jsonBody, toolOf } from './operations-kit.js';

const ok = (schema: object, more: object = {}): object => ({
  responses: { 200: { description: 'OK', content: { 'application/json': { schema } }, ...more } },
});
const namesOf = (operations: Readonly<Record<string, object>>, options = {}): readonly string[] =>
  importOperations(operations, {}, options).items.map(({ name }) => name);

describe('names', () => {
  it.each([
    ['getUserById', 'get-user-by-id'],
    ['repos/get-content', 'repos-get-content'],
    ['GET_AttachInstances', 'get-attach-instances'],
    ['listAWSAccounts', 'list-aws-accounts'],
    ['Größe ändern', 'gro-e-andern'],
    ['../../etc/passwd', 'etc-passwd'],
    ['nul', 'nul-item'],
    ['日本', 'get-x'],
    ['', 'get-x'],
  ])('I1 the operation %s is called %s', (operationId, name) => {
    expect(namesOf({ 'GET /x': { operationId } })).toEqual([name]);
  });

  it('I1 without an id the name is made of method and path', () => {
    expect(namesOf({ 'GET /users/{id}/posts': {}, 'POST /users': {}, 'GET /': {} })).toEqual([
      'get-users-by-id-posts',
      'post-users',
      'get',
    ]);
  });

  it('I1 names that clash are numbered, also where they clash in code or on a disk', () => {
    expect(
      namesOf({
        'GET /a': { operationId: 'getX' },
        'GET /b': { operationId: 'get_x' },
        'GET /c': { operationId: 'GetX' },
        'GET /d': { operationId: 'get-Y' },
      }),
    ).toEqual(['get-x', 'get-x-2', 'get-x-3', 'get-y']);
  });

  it('I1 long names are cut, and stay apart', () => {
    const long = 'a'.repeat(80);
    const names = namesOf({ 'GET /a': { operationId: `${long}1` }, 'GET /b': { operationId: `${long}2` } });
    expect(names.map(name => name.length)).toEqual([64, 64]);
    expect(names[0]).not.toBe(names[1]);
  });

  it('I1 a name does not depend on which operations are chosen', () => {
    const operations = { 'GET /a': { operationId: 'getX' }, 'GET /b': { operationId: 'get_x' } };
    expect(namesOf(operations, { filters: { path: ['/b'] } })).toEqual(['get-x-2']);
  });
});

describe('filters', () => {
  const operations = {
    'GET /repos/one': { operationId: 'repos/get', tags: ['repos'] },
    'DELETE /repos/one': { operationId: 'repos/delete', tags: ['repos', 'admin'] },
    'GET /users': { operationId: 'users/list', tags: ['Users'], deprecated: true },
    'POST /issues': { operationId: 'issues/create', tags: ['issues'] },
  };

  it.each([
    [{}, ['repos-get', 'repos-delete', 'issues-create']],
    [{ only: ['repos/*'] }, ['repos-get', 'repos-delete']],
    [{ only: ['REPOS-get'] }, ['repos-get']],
    [{ tag: ['users'], deprecated: true }, ['users-list']],
    [{ method: ['get'] }, ['repos-get']],
    [{ path: ['/repos*'], exclude: ['*delete'] }, ['repos-get']],
    [{ tag: ['repos', 'issues'], method: ['POST', 'DELETE'] }, ['repos-delete', 'issues-create']],
  ])('I1 %j chooses %j', (filters, names) => {
    const imported = importOperations(operations, {}, { filters });
    expect(imported.items.map(({ name }) => name)).toEqual(names);
    expect(imported.diagnostics).toEqual([]);
    expect(imported.notChosen).toHaveLength(4 - names.length);
  });

  it.each([
    [{ tag: ['repo'] }, 'nothing is imported: --tag "repo" matches no operation', 'did you mean "repos"?'],
    [
      { only: ['repos/gte'] },
      'nothing is imported: --only "repos/gte" matches no operation',
      'did you mean "repos/get"?',
    ],
    [
      { path: ['repos'] },
      'nothing is imported: --path "repos" matches no operation',
      'a pattern is a whole path: "*repos*" is any that has it',
    ],
    [{ exclude: ['nothing'] }, '--exclude "nothing" matches no operation', undefined],
    [
      { only: ['users/list'] },
      'nothing is imported: all that the filters choose are deprecated',
      '--deprecated imports them, too',
    ],
    [{ tag: ['issues'], method: ['GET'] }, 'nothing is imported: no operation passes all the filters', undefined],
  ])('I1 %j is reported', (filters, message, hint) => {
    const [found, ...others] = importOperations(operations, {}, { filters }).diagnostics;
    expect(found?.message).toBe(message);
    if (hint !== undefined) expect(found?.hint).toBe(hint);
    expect(others).toEqual([]);
  });
});

describe('what is wrong with operations', () => {
  it('I1 mistakes of operations that nobody wants are not reported', () => {
    const operations = { 'GET /a/{id}': {}, 'GET /b/{id}': {} };
    expect(importOperations(operations).diagnostics).toHaveLength(2);
    const some = importOperations(operations, {}, { filters: { path: ['/b/*'] } }).diagnostics;
    expect(some.map(({ message }) => message)).toEqual([expect.stringContaining('/b/{id}')]);
  });
});

describe('words', () => {
  const words = (operation: object): object => toolOf(importOperations({ 'GET /x': operation })).definition;

  it('I1 a summary is the title, and the description where there is no other', () => {
    expect(words({ summary: 'Get it', description: 'All about it.' })).toMatchObject({
      title: 'Get it',
      description: 'All about it.',
    });
    expect(words({ summary: 'Get it' })).toMatchObject({ description: 'Get it' });
    expect(words({})).toMatchObject({ description: 'GET /x' });
  });

  it('I1 text of a document is data', () => {
    const description = 'See {{tool:other}} and {{x}} <b>bold</b> \u202epay\u202c \u0007 {y}';
    expect(words({ description })).toMatchObject({
      description: 'See \\{{tool:other}} and {{x}} <b>bold</b> pay  {y}',
    });
  });

  it('I1 very long descriptions are cut at a sentence, with a note', () => {
    const tool = toolOf(importOperations({ 'GET /x': { description: 'A sentence. '.repeat(1000) } }));
    expect(String(tool.definition['description']).length).toBeLessThanOrEqual(4002);
    expect(tool.definition['description']).toMatch(/A sentence\. …$/);
    expect(tool.notes?.[0]).toContain('11999 characters');
  });

  it('I1 what a method does to the world is said', () => {
    const effects = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'].map(
      method => toolOf(importOperations({ [`${method} /x`]: {} })).definition['effect'],
    );
    expect(effects).toEqual(['read', 'read', 'read', 'write', 'write', 'write', 'destructive']);
  });

  it('I1 a deprecated operation says so', () => {
    const tool = toolOf(
      importOperations({ 'GET /x': { deprecated: true, description: 'Old.' } }, {}, { filters: { deprecated: true } }),
    );
    expect(tool.definition['description']).toBe('Deprecated. Old.');
  });

  it('I1 errors that a model can do something about are declared', () => {
    const responses = {
      404: { description: 'No {{such}} thing' },
      409: { description: '' },
      500: { description: 'Oops' },
    };
    expect(words({ responses })).toMatchObject({
      errors: {
        NOT_FOUND: { match: [404], message: 'No such thing. {{error.message}}' },
      },
    });
  });
});

describe('answers', () => {
  const object = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };

  it('I1 objects are the output, and lists are a member of it', () => {
    expect(toolOf(importOperations({ 'GET /x': ok(object) })).definition['outputSchema']).toMatchObject({
      type: 'object',
      properties: { id: {} },
    });
    const list = toolOf(importOperations({ 'GET /x': ok({ type: 'array', items: object }) })).definition[
      'outputSchema'
    ];
    expect(list).toMatchObject({ type: 'object', properties: { items: { type: 'array' } }, required: ['items'] });
  });

  it.each([
    ['text', { responses: { 200: { description: 'OK', content: { 'text/plain': {} } } } }],
    ['a scalar', ok({ type: 'integer' })],
    ['nothing', { responses: { 204: { description: 'Done' } } }],
    [
      'one of several answers',
      { responses: { ...(ok(object) as { responses: object }).responses, 202: { description: 'Later' } } },
    ],
  ])('I1 %s is not promised', (_what, operation) => {
    expect(toolOf(importOperations({ 'GET /x': operation })).definition).not.toHaveProperty('outputSchema');
  });

  it('I1 outputs can be left out', () => {
    expect(toolOf(importOperations({ 'GET /x': ok(object) }, {}, { outputs: false })).definition).not.toHaveProperty(
      'outputSchema',
    );
  });

  it('I1 a type other than JSON is asked for', () => {
    const answer = (...types: readonly string[]): object => ({
      responses: { 200: { description: 'OK', content: Object.fromEntries(types.map(type => [type, {}])) } },
    });
    const headers = (operation: object): unknown =>
      toolOf(importOperations({ 'GET /x': operation })).definition.http['headers'];
    expect(headers(answer('text/csv'))).toEqual({ Accept: 'text/csv' });
    expect(headers(answer('text/csv', 'application/json'))).toBeUndefined();
    expect(headers(answer('text/csv', 'application/vnd.shop+json'))).toEqual({ Accept: 'application/vnd.shop+json' });
    expect(headers(answer('image/*'))).toBeUndefined();
    expect(headers(answer('application/json; charset=utf-8'))).toBeUndefined();
    expect(headers(answer('application/json;version=2'))).toEqual({ Accept: 'application/json; version=2' });
  });
});

describe('pages', () => {
  const list = { type: 'array', items: { type: 'object' } };
  const page = (name: string): object => ({
    parameters: [
      { name, in: 'query', schema: { type: 'string' } },
      { name: 'limit', in: 'query', schema: { type: 'integer' } },
    ],
  });
  const wrapped = (members: object): object => ok({ type: 'object', properties: { items: list, ...members } });

  it.each([
    [
      'the header Link',
      ok(list, { headers: { Link: { schema: { type: 'string' } } } }),
      ['  paginate: { link: true }'],
    ],
    [
      'a cursor',
      { ...page('pageToken'), ...wrapped({ nextPageToken: { type: 'string' } }) },
      ['  result: { at: /items }', '  paginate: { cursor: /nextPageToken, param: "pageToken" }'],
    ],
    [
      'a cursor inside',
      { ...page('cursor'), ...wrapped({ meta: { type: 'object', properties: { next_cursor: {} } } }) },
      ['  result: { at: /items }', '  paginate: { cursor: /meta/next_cursor, param: "cursor" }'],
    ],
    [
      'an address',
      wrapped({ next: { type: 'string' } }),
      ['  result: { at: /items }', '  paginate: { cursor: /next }'],
    ],
    ['numbers', { ...page('page'), ...ok(list) }, ['  paginate: { page: "page" }']],
    [
      'an offset',
      { ...page('offset'), ...wrapped({}) },
      ['  result: { at: /items }', '  paginate: { offset: "offset" }'],
    ],
  ])('I1 pages by %s are proposed and not switched on', (_what, operation, lines) => {
    const tool = toolOf(importOperations({ 'GET /x': operation }));
    expect(tool.notes?.slice(1)).toEqual(lines);
    expect(tool.definition.http).not.toHaveProperty('paginate');
  });

  it('I1 what is not a list, or more than one, has no pages', () => {
    for (const operation of [
      { ...page('page'), ...ok({ type: 'object' }) },
      { ...page('page'), ...wrapped({ others: list }) },
    ])
      expect(toolOf(importOperations({ 'GET /x': operation })).notes).toBeUndefined();
  });
});

describe('addresses', () => {
  const at = (servers: unknown, options = {}): object => {
    const { backends, config } = importOperations({ 'GET /x': {} }, { servers }, options);
    return { url: Object.values(backends)[0]?.url, config };
  };

  it('I1 a fixed address is that of the backend', () => {
    expect(at([{ url: 'https://a.example/v1/' }, { url: 'https://b.example' }])).toEqual({
      url: 'https://a.example/v1',
      config: {},
    });
  });

  it('I1 variables are settings, unless there is only one value', () => {
    const variables = {
      region: { default: 'eu', enum: ['eu', 'us'], description: 'Where it is.' },
      version: { default: 'v2', enum: ['v2'] },
      tenant: { default: '' },
      odd: { default: 'x', enum: ['y'] },
    };
    expect(at([{ url: 'https://{region}.a.example/{version}{tenant}/{odd}', variables }])).toEqual({
      url: 'https://{config.SHOP_REGION}.a.example/v2/{config.SHOP_ODD}',
      config: {
        SHOP_REGION: { type: 'string', description: 'Where it is.', default: 'eu', enum: ['eu', 'us'] },
        SHOP_ODD: { type: 'string', description: 'odd in the address of Shop', default: 'x' },
      },
    });
  });

  it.each([
    [
      '{scheme}://a.example/v1',
      { scheme: { default: 'https', enum: ['https', 'http'] } },
      '{config.SHOP_SCHEME}://a.example/v1',
    ],
    ['https://a.example:{port}', { port: { default: '8443' } }, 'https://a.example:{config.SHOP_PORT}'],
    ['https://a.example:{port}/v1', {}, 'https://a.example:{config.SHOP_PORT}/v1'],
    ['{host}/v1', { host: { default: 'https://a.example' } }, '{config.SHOP_HOST}/v1'],
    ['{host}/v1', { host: { default: 'https://a.example', enum: ['https://a.example'] } }, 'https://a.example/v1'],
    ['{where}/v1', { where: { default: 'nowhere' } }, '{config.SHOP_URL}'],
    ['{where}/v1', {}, '{config.SHOP_URL}'],
  ])('I1 with the usual values of its variables %s is an address', (url, variables, expected) => {
    for (const documentUrl of expected === '{config.SHOP_URL}'
      ? [undefined]
      : [undefined, 'https://docs.example/api.json'])
      expect(at([{ url, variables }], { documentUrl })).toMatchObject({ url: expected });
  });

  it('I1 a service of 2.0 on the same machine is asked without TLS, unless the document says so', () => {
    const host = (more: object): unknown => {
      const document = { swagger: '2.0', openapi: undefined, servers: undefined, host: 'localhost:8080', ...more };
      return Object.values(importOperations({ 'GET /x': {} }, document).backends)[0]?.url;
    };
    expect([host({}), host({ schemes: ['https'] })]).toEqual(['http://localhost:8080', 'https://localhost:8080']);
  });

  it.each([
    ['/v2', 'https://docs.example/api/openapi.json', 'https://docs.example/v2'],
    ['v2', 'https://docs.example/api/openapi.json', 'https://docs.example/api/v2'],
    ['/', 'https://docs.example/api/openapi.json', 'https://docs.example'],
    ['/v2', 'file:///openapi.json', '{config.SHOP_URL}/v2'],
    ['/v2', undefined, '{config.SHOP_URL}/v2'],
  ])('I1 the address %s of a document at %s is %s', (url, documentUrl, expected) => {
    const found = at([{ url }], { documentUrl });
    expect(found).toMatchObject({ url: expected });
    expect(Object.keys((found as { config: object }).config)).toEqual(expected.startsWith('{') ? ['SHOP_URL'] : []);
  });

  it('I1 operations at another address have a backend of their own', () => {
    const { backends, items } = importOperations({
      'GET /a': {},
      'GET /b': {},
      'POST /files': { servers: [{ url: 'https://files.shop.example/v1' }] },
    });
    expect(Object.keys(backends)).toEqual(['shop', 'shop-files']);
    expect(items.map(({ definition }) => (definition['http'] as { backend: string }).backend)).toEqual([
      'shop',
      'shop',
      'shop-files',
    ]);
  });

  it('I1 a variable that means something else in another address has a setting of its own', () => {
    const server = (url: string, usual: string): object => ({ url, variables: { v: { default: usual } } });
    const operations = {
      'GET /a': {},
      'GET /b': { servers: [server('https://{v}.files.example', 'eu')] },
      'GET /c': { servers: [server('https://{v}.other.example', 'v1')] },
    };
    const of = (options = {}): object => {
      const { backends, config } = importOperations(
        operations,
        { servers: [server('https://a.example/{v}', 'v1')] },
        options,
      );
      const settings = Object.entries(config).map(([key, { default: usual }]) => [key, usual]);
      return { urls: Object.values(backends).map(({ url }) => url), settings: Object.fromEntries(settings) };
    };
    expect(of()).toEqual({
      urls: [
        'https://a.example/{config.SHOP_V}',
        'https://{config.SHOP_V_2}.files.example',
        'https://{config.SHOP_V}.other.example',
      ],
      settings: { SHOP_V: 'v1', SHOP_V_2: 'eu' },
    });
    expect(of({ filters: { path: ['/b'] } })).toMatchObject({ settings: { SHOP_V_2: 'eu' } });
  });

  it('I1 names of backends do not depend on which operations are chosen', () => {
    const operations = {
      'GET /a': {},
      'GET /b': {},
      'POST /files': { servers: [{ url: 'https://files.shop.example/v1' }] },
    };
    expect(Object.keys(importOperations(operations, {}, { filters: { path: ['/files'] } }).backends)).toEqual([
      'shop-files',
    ]);
  });
});

describe('credentials', () => {
  const secured = (
    securitySchemes: object,
    security: unknown,
    operations: Readonly<Record<string, object>> = { 'GET /x': {} },
  ): ReturnType<typeof importOperations> => importOperations(operations, { components: { securitySchemes }, security });
  const key = { type: 'apiKey', in: 'header', name: 'X-Key' };
  const basic = { type: 'http', scheme: 'basic' };
  const token = { type: 'http', scheme: 'bearer', description: 'From the account page. More.' };
  const flows = { clientCredentials: { tokenUrl: 'https://login.example/token', scopes: { read: '' } } };

  it.each([
    ['a token', { token }, [{ token: [] }], { auth: { bearer: 'SHOP_TOKEN' } }, ['SHOP_TOKEN']],
    [
      'a key in a header',
      { key },
      [{ key: [] }],
      { auth: { header: 'X-Key', value: 'SHOP_API_KEY' } },
      ['SHOP_API_KEY'],
    ],
    [
      'a key in the query',
      { key: { ...key, in: 'query' } },
      [{ key: [] }],
      { auth: { query: 'X-Key', value: 'SHOP_API_KEY' } },
      ['SHOP_API_KEY'],
    ],
    [
      'a key in a cookie',
      { key: { ...key, in: 'cookie' } },
      [{ key: [] }],
      { headers: { Cookie: 'X-Key={config.SHOP_API_KEY}' } },
      ['SHOP_API_KEY'],
    ],
    [
      'name and password',
      { basic },
      [{ basic: [] }],
      { auth: { basic: ['SHOP_USER', 'SHOP_PASSWORD'] } },
      ['SHOP_USER', 'SHOP_PASSWORD'],
    ],
    [
      'OpenID',
      { oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://a.example' } },
      [{ oidc: [] }],
      { auth: { bearer: 'SHOP_TOKEN' } },
      ['SHOP_TOKEN'],
    ],
    [
      'client credentials',
      { oauth: { type: 'oauth2', flows } },
      [{ oauth: ['read'] }],
      {
        auth: {
          clientCredentials: {
            tokenUrl: 'https://login.example/token',
            id: 'SHOP_CLIENT_ID',
            secret: 'SHOP_CLIENT_SECRET',
            scope: 'read',
          },
        },
      },
      ['SHOP_CLIENT_ID', 'SHOP_CLIENT_SECRET'],
    ],
    [
      'a login of a person, too',
      {
        oauth: {
          type: 'oauth2',
          flows: {
            ...flows,
            authorizationCode: { authorizationUrl: 'https://a.example', tokenUrl: 'https://a.example', scopes: {} },
          },
        },
      },
      [{ oauth: [] }],
      { auth: { bearer: 'SHOP_TOKEN' } },
      ['SHOP_TOKEN'],
    ],
    [
      'the best of several',
      { basic, key, token },
      [{ basic: [] }, { key: [] }, { token: [] }],
      { auth: { bearer: 'SHOP_TOKEN' } },
      ['SHOP_TOKEN'],
    ],
    [
      'two cookies',
      { one: { ...key, in: 'cookie' }, two: { ...key, in: 'cookie', name: 'Other' } },
      [{ one: [], two: [] }],
      { headers: { Cookie: 'X-Key={config.SHOP_ONE}; Other={config.SHOP_TWO}' } },
      ['SHOP_ONE', 'SHOP_TWO'],
    ],
    [
      'two at once',
      { app: { ...key, name: 'X-App' }, key },
      [{ key: [], app: [] }],
      { auth: { header: 'X-Key', value: 'SHOP_KEY' }, headers: { 'X-App': '{config.SHOP_APP}' } },
      ['SHOP_KEY', 'SHOP_APP'],
    ],
    [
      'a token and a key in the query',
      { key: { ...key, in: 'query' }, token },
      [{ token: [], key: [] }],
      { auth: { query: 'X-Key', value: 'SHOP_API_KEY' }, headers: { Authorization: 'Bearer {config.SHOP_TOKEN}' } },
      ['SHOP_TOKEN', 'SHOP_API_KEY'],
    ],
  ])('I1 %s is what the backend sends', (_what, schemes, security, backend, keys) => {
    const { backends, config, diagnostics } = secured(schemes, security);
    expect(backends).toEqual({ shop: { type: 'http', url: 'https://shop.example/v1', ...backend } });
    expect(Object.keys(config).sort()).toEqual([...keys].sort());
    for (const [name, entry] of Object.entries(config))
      expect([name, entry['secret']]).toEqual([name, /USER|CLIENT_ID/.test(name) ? undefined : true]);
    expect(diagnostics).toEqual([]);
  });

  it.each([
    ['bearer', ['SHOP_ADMIN_TOKEN', 'SHOP_USER_TOKEN']],
    [
      'basic',
      ['SHOP_ADMIN_TOKEN_PASSWORD', 'SHOP_ADMIN_TOKEN_USER', 'SHOP_USER_TOKEN_PASSWORD', 'SHOP_USER_TOKEN_USER'],
    ],
  ])('I1 of two schemes of the kind %s each has settings of its own', (scheme, keys) => {
    const schemes = { userToken: { type: 'http', scheme }, adminToken: { type: 'http', scheme } };
    const { config } = secured(schemes, [{ userToken: [] }], {
      'GET /a': {},
      'GET /b': { security: [{ adminToken: [] }] },
    });
    expect(Object.keys(config).sort()).toEqual(keys);
  });

  it('I1 a setting says what the document says of it', () => {
    expect(secured({ token }, [{ token: [] }]).config['SHOP_TOKEN']).toMatchObject({
      description: 'From the account page.',
    });
  });

  it('I1 secrets go only where they are needed', () => {
    const { backends, items } = secured({ token }, [{ token: [] }], {
      'GET /a': {},
      'GET /b': {},
      'GET /status': { security: [] },
    });
    expect(backends).toMatchObject({ shop: { auth: {} }, 'shop-public': { url: 'https://shop.example/v1' } });
    expect(backends['shop-public']).not.toHaveProperty('auth');
    expect(items[2]?.definition['http']).toMatchObject({ backend: 'shop-public' });
  });

  it('I1 a parameter that is the key of a scheme is not asked for', () => {
    const parameters = [
      { name: 'x-key', in: 'header', required: true, schema: { type: 'string' } },
      { name: 'X-Key', in: 'query', schema: { type: 'string' } },
    ];
    const { items } = secured({ key }, [{ key: [] }], {
      'GET /a': { parameters },
      'GET /b': { parameters, security: [] },
    });
    const [closed, open] = items.map(({ definition }) =>
      Object.keys((definition['inputSchema'] as { properties: object }).properties),
    );
    expect(closed).toEqual(['X-Key']);
    expect(open).toEqual(['x-key', 'X-Key']);
    // Of two ways one is sent, and what the operation wants beside it stays.
    const other = { key, other: { ...key, in: 'query' } };
    const either = toolOf(secured(other, [{ key: [] }, { other: [] }], { 'GET /a': { parameters } }));
    expect(Object.keys(either.definition.inputSchema.properties)).toEqual(['X-Key']);
  });

  it('I1 a header Authorization that no scheme stands for is reported', () => {
    const parameters = [{ name: 'authorization', in: 'header', required: true, schema: { type: 'string' } }];
    const operations = { 'GET /a': { parameters }, 'GET /b': { parameters } };
    expect(secured({}, undefined, operations).diagnostics).toMatchObject([
      {
        code: 'import/unproved',
        message: 'requests are sent without credentials: the header authorization has to be added by hand',
      },
    ]);
    expect(secured({ token }, [{ token: [] }], operations).diagnostics).toEqual([]);
  });

  it('I1 two proofs for one header cannot be sent together', () => {
    const lower = { ...key, name: 'authorization' };
    expect(secured({ basic, lower }, [{ basic: [], lower: [] }]).diagnostics).toMatchObject([
      { code: 'import/unproved' },
    ]);
  });

  it('I1 what is optional is sent', () => {
    expect(secured({ token }, [{}, { token: [] }]).backends['shop']).toMatchObject({ auth: { bearer: 'SHOP_TOKEN' } });
  });

  it('I1 what a backend cannot send is reported once, and the tools are there', () => {
    const { items, diagnostics } = secured({ tls: { type: 'mutualTLS' } }, [{ tls: [] }], {
      'GET /a': {},
      'GET /b': {},
    });
    expect(items).toHaveLength(2);
    expect(diagnostics).toMatchObject([
      {
        code: 'import/unproved',
        severity: 'warning',
        message: 'requests are sent without credentials: tls (mutualTLS) has to be added by hand',
      },
    ]);
  });
});

describe('large and broken inputs', () => {
  const large = (count: number): object =>
    jsonBody({
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `member${index}`,
          { type: 'string', description: 'x'.repeat(1000) },
        ]),
      ),
    });

  it('I1 of a very large input the largest members have their type alone, and what is larger still is left out', () => {
    const one = { type: 'object', properties: { text: { type: 'string', description: 'x'.repeat(1_100_000) } } };
    const cut = importOperations({
      'POST /x': jsonBody({ type: 'object', properties: { one, few: { type: 'string', description: 'Few.' } } }),
    });
    expect(cut.items[0]?.definition).toMatchObject({
      inputSchema: { properties: { one: { type: 'object' }, few: { type: 'string', description: 'Few.' } } },
    });
    expect(cut.items[0]?.notes).toEqual([
      expect.stringMatching(/^Not described, because all of the input would have \d+ KB: one\.$/),
    ]);
    expect(cut.diagnostics).toMatchObject([{ code: 'import/cut-input', line: expect.any(Number) }]);
    expect(importOperations({ 'POST /x': large(9000) }).items).toEqual([]);
  });

  it('I1 a large input is reported with what to cut', () => {
    const some = importOperations({ 'POST /x': large(100) });
    expect(some.diagnostics).toMatchObject([{ code: 'import/large-input', severity: 'warning' }]);
    expect(some.diagnostics[0]?.message).toMatch(/^the input of "post-x" has \d+ KB; /);
  });

  it('I1 an operation with a broken reference is left out at the place of the reference', () => {
    const imported = importOperations({ 'POST /x': jsonBody({ $ref: '#/components/schemas/Nothing' }), 'GET /x': {} });
    expect(imported.items.map(({ name }) => name)).toEqual(['get-x']);
    expect(imported.leftOut).toMatchObject([{ reason: 'the reference "#/components/schemas/Nothing" is broken' }]);
  });

  it('I1 shared schemas are items, and those that nobody uses are not', () => {
    const node = {
      type: 'object',
      properties: { name: { type: 'string' }, next: { $ref: '#/components/schemas/Node' } },
    };
    const document = {
      components: { schemas: { Node: node, Unused: node } },
      paths: { '/x': { post: { ...jsonBody({ $ref: '#/components/schemas/Node' }), responses: {} } } },
    };
    const schemas = importDocument(document).items.filter(({ kind }) => kind === 'schema');
    expect(schemas).toMatchObject([{ from: { place: '#/components/schemas/Node (input)' } }]);
  });
});
