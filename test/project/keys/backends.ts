// The keys of backends, and of what items ask of them.
import { createTestClient } from '../../../runtime/server/testing/index.js';
import { writeFolder } from '../../runtime/packs/code-packs.js';
import { type Look, look, upstream } from './backends-world.js';
import type { Manifests } from './kit.js';
import { absent, generated, type Pair, refused } from './pair.js';

const config = {
  API: 'string',
  USER_NAME: 'string',
  TOKEN: { type: 'string', secret: true },
  SECOND: { type: 'string', secret: true },
};
const parameters = { a: { type: 'string', default: 'x' }, list: { type: 'array', default: ['p', 'q'] } };
const api = { type: 'http', url: '{config.API}', allowAddresses: ['loopback'] };

/** A pack whose tool asks one backend. */
function asks(backend: object, tool: object): Manifests {
  return { pack: { config, backends: { one: backend } }, tool: { parameters, ...tool } };
}

const called = (before: unknown, after: unknown, at: string, base: Manifests, given: Look = {}): Pair => ({
  values: [before, after],
  shows: files => look(files, given),
  at,
  base,
});

const http = (request: object | string, backend: object = api): Manifests => asks(backend, { http: request });
const ofBackend = (key: string): string => `pack.backends.one.${key}`;

const requestPair = (key: string, before: unknown, after: unknown, more: object = {}): Pair =>
  called(before, after, `tool.http.${key}`, http({ path: '/x', ...more }));

const filePair = (key: string, before: unknown, after: unknown, more: object = {}): Pair =>
  requestPair(`file.${key}`, before, after, { method: 'POST', file: more });

const authPair = (key: string, before: unknown, after: unknown, more: object = {}): Pair =>
  called(before, after, ofBackend(`auth.${key}`), http('GET /x', { ...api, auth: more }));

const credentials = { tokenUrl: '{config.API}/token', id: 'USER_NAME', secret: 'TOKEN' };
const credentialsPair = (key: string, before: unknown, after: unknown): Pair =>
  called(
    before,
    after,
    ofBackend(`auth.clientCredentials.${key}`),
    http('GET /x', { ...api, auth: { clientCredentials: credentials } }),
  );

/** Limits: too slow, too many at once, too large. */
function limitPairs(
  name: string,
  base: (what: 'slow' | 'big', limits: object) => Manifests,
): Readonly<Record<string, Pair>> {
  const at = (key: string): string => ofBackend(`limits.${key}`);
  const three: Look = { calls: 3 };
  return {
    [`${name}.limits`]: called(absent, { bytes: 100 }, ofBackend('limits'), base('big', {})),
    [`${name}.limits.timeoutMs`]: called(absent, 50, at('timeoutMs'), base('slow', {})),
    [`${name}.limits.concurrency`]: called(absent, 1, at('concurrency'), base('slow', { queue: 0 }), three),
    [`${name}.limits.queue`]: called(absent, 0, at('queue'), base('slow', { concurrency: 1 }), three),
    [`${name}.limits.bytes`]: called(absent, 100, at('bytes'), base('big', {})),
  };
}

const paged = (paginate: object): Manifests => http({ path: '/pages', result: { at: '/items' }, paginate });
const pagePair = (key: string, before: unknown, after: unknown, paginate: object = {}): Pair =>
  called(before, after, `tool.http.paginate.${key}`, paged(paginate));

const database = { type: 'sqlite', url: 'sqlite:x.db' };
const select = 'SELECT title FROM books ORDER BY title';
const counting =
  'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1000000) SELECT count(*) AS c FROM n';
const sql = (statement: object, backend: object = database): Manifests =>
  asks(backend, { parameters: {}, effect: 'read', sql: statement });

const server = { type: 'mcp', command: ['node', 'up.mjs'] };
const mcp = (call: object, backend: object = server): Manifests => asks(backend, { parameters: {}, mcp: call });
/** The command of a server has more words if a key is set: `API` is, `OFF` is not. */
const optionalWords = (condition: object): Manifests => {
  const command = ['node', condition, 'up.mjs'];
  const pack = { config: { ...config, OFF: 'boolean' }, backends: { one: { ...server, command } } };
  return { ...mcp({}), pack };
};
const remote = { type: 'mcp', url: '{config.API}/mcp', allowAddresses: ['loopback'] };

/** What a prompt or a resource gives. */
const read = (kind: 'prompt' | 'resource', before: unknown, after: unknown, at: string, base: Manifests): Pair => ({
  values: [before, after],
  shows: async files => {
    const texts = Object.entries(files).map(([path, text]) => [path, String(text)] as const);
    const client = await createTestClient(writeFolder({ ...Object.fromEntries(texts), 'up.mjs': upstream }));
    try {
      const asked = kind === 'prompt' ? client.getPrompt('p') : client.readResource('doc://r');
      return await (asked as Promise<unknown>).catch((error: unknown) => String(error));
    } finally {
      await client.close();
    }
  },
  at,
  base,
});

const two = { config, backends: { one: api, two: { ...api, headers: { 'X-Own': 'second' } } } };

export const backends: Readonly<Record<string, Pair>> = {
  'pack.backends': generated(absent, { one: api }, { base: { pack: { config } } }),
  'backend.type': refused('http', 'mcp', { at: ofBackend('type'), base: http('GET /x') }),
  'httpBackend.type': refused('http', 'sqlite', { at: ofBackend('type'), base: http('GET /x') }),
  'httpBackend.url': called('{config.API}', '{config.API}/v1', ofBackend('url'), http('GET /x')),
  'httpBackend.auth': called(absent, { bearer: 'TOKEN' }, ofBackend('auth'), http('GET /x')),
  'httpBackend.headers': called(absent, { 'X-Own': 'x' }, ofBackend('headers'), http('GET /x')),
  'httpBackend.retries': called(0, 1, ofBackend('retries'), http('GET /flaky')),
  'httpBackend.allowAddresses': called(absent, ['loopback'], ofBackend('allowAddresses'), http('GET /x')),
  ...limitPairs('httpBackend', (what, limits) => http(`GET /${what}`, { ...api, limits })),
  'backendAuth.bearer': authPair('bearer', 'TOKEN', 'SECOND'),
  'backendAuth.basic': authPair('basic', ['USER_NAME', 'TOKEN'], ['USER_NAME', 'SECOND']),
  'backendAuth.header': authPair('header', 'X-Key', 'X-Own', { value: 'TOKEN' }),
  'backendAuth.query': authPair('query', 'key', 'other', { value: 'TOKEN' }),
  'backendAuth.value': authPair('value', 'TOKEN', 'SECOND', { header: 'X-Key' }),
  'backendAuth.clientCredentials': authPair('clientCredentials', absent, credentials),
  'clientCredentials.tokenUrl': credentialsPair('tokenUrl', '{config.API}/token', '{config.API}/other'),
  'clientCredentials.id': credentialsPair('id', 'USER_NAME', 'SECOND'),
  'clientCredentials.secret': credentialsPair('secret', 'TOKEN', 'SECOND'),
  'clientCredentials.scope': credentialsPair('scope', absent, 'read'),
  'backendAuth.caller': authPair('caller', absent, { audience: 'me' }),
  'callerToken.audience': called(
    'me',
    'you',
    ofBackend('auth.caller.audience'),
    http('GET /x', { ...api, auth: { caller: { audience: 'me' } } }),
  ),
  'tool.http': generated(absent, 'GET /x', { base: { pack: { config, backends: { one: api } } } }),
  'httpCall.backend': called('one', 'two', 'tool.http.backend', { pack: two, tool: { http: { path: '/x' } } }),
  'httpCall.method': requestPair('method', absent, 'POST'),
  'httpCall.path': requestPair('path', '/x', '/{a}/y'),
  'httpCall.url': called('http://127.0.0.1:1/', '{a}', 'tool.http.url', asks(api, { http: {} })),
  'httpCall.query': requestPair('query', absent, { a: '{a}' }),
  'httpCall.style': requestPair('style', absent, { list: 'comma' }, { query: { list: '{list}' } }),
  'httpCall.headers': requestPair('headers', absent, { 'X-Own': '{a}' }),
  'httpCall.cookies': requestPair('cookies', absent, { a: '{a}' }),
  'httpCall.body': requestPair('body', 'rest', { b: '{a}' }, { method: 'POST' }),
  'httpCall.form': requestPair('form', absent, { a: '{a}' }, { method: 'POST' }),
  'httpCall.multipart': requestPair('multipart', absent, { a: '{a}' }, { method: 'POST' }),
  'httpCall.file': requestPair('file', absent, { text: '{a}' }, { method: 'POST' }),
  'httpCall.optionalBody': requestPair('optionalBody', absent, true, { method: 'POST', body: {} }),
  'httpFile.text': filePair('text', 'other', '{a}'),
  'httpFile.base64': filePair('base64', 'aaaa', '{a}'),
  'httpFile.resource': filePair('resource', absent, '{a}'),
  'httpFile.type': filePair('type', absent, 'text/csv', { text: '{a}' }),
  'httpCall.result': requestPair('result', absent, { at: '/rest' }),
  'httpResult.at': requestPair('result.at', '/rest', '/url'),
  'httpResult.pick': requestPair('result.pick', absent, { deep: '/rest/deep' }),
  'httpCall.paginate': called(absent, { link: true }, 'tool.http.paginate', paged({})),
  'paginate.cursor': pagePair('cursor', '/next', '/after', { param: 'page' }),
  'paginate.param': pagePair('param', 'page', 'more', { cursor: '/next' }),
  'paginate.link': pagePair('link', true, false),
  'paginate.page': pagePair('page', 'page', 'more'),
  'paginate.offset': pagePair('offset', 'page', 'other', { maxItems: 2 }),
  'paginate.maxItems': pagePair('maxItems', absent, 2, { link: true }),
  'sqlBackend.type': refused('sqlite', 'postgres', { at: ofBackend('type'), base: sql({ text: select }) }),
  'sqlBackend.url': called('sqlite:x.db', 'sqlite:y.db', ofBackend('url'), sql({ text: select })),
  'sqlBackend.readOnly': called(
    absent,
    true,
    ofBackend('readOnly'),
    asks(database, { parameters: {}, sql: { text: "INSERT INTO books VALUES ('Dune')", result: 'count' } }),
  ),
  'sqlBackend.pool': called(
    absent,
    1,
    ofBackend('pool'),
    sql({ text: counting }, { ...database, limits: { queue: 0 } }),
    {
      calls: 3,
    },
  ),
  ...limitPairs('sqlBackend', (what, limits) =>
    sql({ text: what === 'slow' ? counting : 'SELECT hex(zeroblob(1000)) AS big' }, { ...database, pool: 10, limits }),
  ),
  'sqlBackend.limits.rows': called(absent, 1, ofBackend('limits.rows'), sql({ text: select })),
  'tool.sql': generated(absent, { text: 'SELECT 1' }, { base: { pack: { backends: { one: database } } } }),
  'sqlCall.backend': called('one', 'two', 'tool.sql.backend', {
    pack: { backends: { one: database, two: { ...database, url: 'sqlite:y.db' } } },
    tool: { sql: { text: select } },
  }),
  'sqlCall.text': called(select, "SELECT 'x' AS title", 'tool.sql.text', sql({})),
  'sqlCall.result': called(absent, 'value', 'tool.sql.result', sql({ text: select })),
  'mcpBackend.type': refused('mcp', 'http', { at: ofBackend('type'), base: mcp({}) }),
  'mcpBackend.command': called(['node', 'up.mjs'], ['node', 'none.mjs'], ofBackend('command'), mcp({})),
  'commandCondition.if': called('API', 'OFF', ofBackend('command.1.if'), optionalWords({ args: ['-r', './none'] })),
  'commandCondition.args': called(
    ['--no-warnings'],
    ['-r', './none'],
    ofBackend('command.1.args'),
    optionalWords({ if: 'API' }),
  ),
  'mcpBackend.cwd': called(
    absent,
    'sub',
    ofBackend('cwd'),
    mcp(
      {},
      {
        ...server,
        command: ['node', '-e', "import(require('node:fs').existsSync('up.mjs') ? './up.mjs' : '../up.mjs')"],
      },
    ),
  ),
  'mcpBackend.env': called(absent, { OWN: 'x' }, ofBackend('env'), mcp({})),
  'mcpBackend.url': called('{config.API}/mcp', '{config.API}/big', ofBackend('url'), mcp({}, remote)),
  'mcpBackend.auth': called(absent, { bearer: 'TOKEN' }, ofBackend('auth'), mcp({}, remote)),
  'mcpBackend.headers': called(absent, { 'X-Own': 'x' }, ofBackend('headers'), mcp({}, remote)),
  'mcpBackend.allowAddresses': called(absent, ['loopback'], ofBackend('allowAddresses'), mcp({}, remote)),
  ...limitPairs('mcpBackend', (what, limits) => mcp({ name: what }, { ...server, limits })),
  'tool.mcp': generated(absent, { name: 'x' }, { base: { pack: { backends: { one: server } } } }),
  'mcpCall.backend': called('one', 'two', 'tool.mcp.backend', {
    pack: { config, backends: { one: server, two: { ...server, env: { OWN: 'second' } } } },
    tool: { mcp: {} },
  }),
  'mcpCall.name': called(absent, 'other', 'tool.mcp.name', mcp({})),
  'prompt.mcp': read('prompt', { name: 'one' }, { name: 'two' }, 'prompt.mcp', {
    pack: { backends: { one: server } },
    prompt: {},
  }),
  'resource.http': generated(absent, 'GET /x', {
    base: { pack: { config, backends: { one: api } }, resource: { uri: 'doc://r' } },
  }),
  'resource.sql': generated(
    absent,
    { text: 'SELECT 1' },
    { base: { pack: { backends: { one: database } }, resource: { uri: 'doc://r' } } },
  ),
  'resource.mcp': read('resource', { name: 'doc://one' }, absent, 'resource.mcp', {
    pack: { backends: { one: server } },
    resource: { uri: 'doc://r' },
  }),
};
