// The keys of servers.
import { type AddressInfo, createServer } from 'node:net';
import { createAuthorizer } from '../../../runtime/serve/auth/create-authorizer.js';
import type { ServerDefinition } from '../../../schema/definitions.js';
import { now, startIssuer } from '../../runtime/serve/auth-issuer.js';
import { postModern } from '../../runtime/serve/serve-web.js';
import { printed, servedOverHttp } from './kit.js';
import { a, absent, answered, call, documented, icon, listed, type Pair, refused, shown } from './pair.js';

/** The system gives it to nobody else for a while. */
const freePort = await new Promise<number>(resolve => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    server.close(() => resolve(port));
  });
});

/** What a server over HTTP answers to a request with these headers. */
function overHttp(
  before: unknown,
  after: unknown,
  { headers = {}, body = '{}', base = {}, env = {} }: HttpCase = {},
): Pair {
  return {
    values: [before, after],
    base: { server: { transport: 'http', ...base } },
    shows: files =>
      servedOverHttp(
        files,
        async url => {
          const given = {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            ...headers,
          };
          const asked = async (options: object, at = url): Promise<unknown> => {
            const { status, headers: got } = await fetch(at.replace('0.0.0.0', '127.0.0.1'), {
              headers: given,
              ...options,
            });
            return [status, got.get('access-control-allow-origin'), got.get('www-authenticate')];
          };
          return [await asked({ method: 'POST', body }), await asked({ method: 'OPTIONS' })];
        },
        env,
      ).then(said => (base['http'] === undefined ? said : said.replaceAll(/:\d+\//g, ':0/'))),
  };
}

interface HttpCase {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly base?: Readonly<Record<string, unknown>>;
  readonly env?: NodeJS.ProcessEnv;
}

/** Whether a token of an issuer on this machine is taken; `ISSUER` in the definition stands for it. */
const authorized = (before: unknown, after: unknown, auth: object = {}): Pair => ({
  values: [before, after],
  base: { server: { auth: { type: 'oauth', issuer: 'ISSUER', audience: 'https://mcp.example.com', ...auth } } },
  shows: async files => {
    const issuer = await startIssuer();
    try {
      issuer.answers.set('/other-keys', { keys: [] });
      const { auth: given } = JSON.parse(
        String(files['mcp/servers/s.json']).replaceAll('ISSUER', issuer.url),
      ) as ServerDefinition;
      if (given === undefined) throw new Error('the server has no auth');
      const options = {
        host: '127.0.0.1',
        env: {},
        resourceUrl: 'http://127.0.0.1:3000/mcp',
        now: () => now,
        cooldownMs: 0,
        report() {},
      };
      const answer = await createAuthorizer(given, options).authorize({
        authorization: `Bearer ${await issuer.token()}`,
      });
      return answer.ok ? 'granted' : answer.status;
    } finally {
      await issuer.close();
    }
  },
});

export const server: Readonly<Record<string, Pair>> = {
  'server.name': listed(absent, 'other'),
  'server.title': listed(absent, 'Other'),
  'server.description': listed('The server', 'Another'),
  'server.version': listed(absent, '9.0.0'),
  'server.instructions': listed(absent, 'Read first.'),
  'server.tools': listed(absent, []),
  'tagSelector.tag': refused('issues', 'isues', {
    at: 'server.tools.0.tag',
    base: { server: { tools: [{}] }, tool: { tags: ['issues'] } },
  }),
  'server.prompts': listed(absent, []),
  'server.resources': listed(absent, []),
  'server.transport': documented(absent, 'http'),
  'server.initialize': refused(absent, '../outside.ts'),
  'server.routes': refused(absent, '../outside.ts'),
  'server.cache': listed(absent, { ttlMs: 5 }, { era: '2026' }),
  'server.strictArguments': answered(absent, true, { base: a({ type: 'integer' }), asked: [call({ a: '1' })] }),
  'server.pageSize': listed(absent, 1, {
    base: { server: {}, files: { 'mcp/tools/u.json': '{"description": "Another tool"}' } },
  }),
  'server.enabled': shown(files => printed(files, ['list']), absent, false),
  'server.icons': listed(absent, [icon]),
  'server.websiteUrl': listed(absent, 'https://example.com'),
  'tagSelector.when': listed(
    absent,
    { ON: true },
    {
      at: 'server.tools.0.when',
      base: { pack: { config: { ON: 'boolean' } }, tool: { tags: ['x'] }, server: { tools: [{ tag: 'x' }] } },
    },
  ),
  'itemSelector.item': listed('t', 'u', {
    at: 'server.tools.0.item',
    base: {
      pack: { config: { ON: 'boolean' } },
      server: { tools: [{ when: { ON: false } }] },
      files: { 'mcp/tools/u.json': '{"description": "Another tool"}' },
    },
  }),
  'itemSelector.when': listed(
    { ON: true },
    { ON: false },
    {
      at: 'server.tools.0.when',
      base: { pack: { config: { ON: 'boolean' } }, server: { tools: [{ item: 't' }] } },
    },
  ),
  'server.http': overHttp({ port: 0 }, { port: 0, path: '/other' }),
  'server.http.host': overHttp('127.0.0.1', '0.0.0.0', { base: { http: { port: 0 } } }),
  'server.http.port': shown(
    files => servedOverHttp(files, async url => new URL(url).port === String(freePort)),
    0,
    freePort,
    {
      base: { server: { transport: 'http', http: {} } },
    },
  ),
  'server.http.path': overHttp(absent, '/other', { base: { http: { port: 0 } } }),
  'server.http.allowedHosts': overHttp(absent, ['mcp.example.com'], { base: { http: { port: 0 } } }),
  'server.http.allowedOrigins': overHttp(absent, ['https://app.example.com'], {
    base: { http: { port: 0 } },
    headers: { origin: 'https://app.example.com' },
  }),
  'server.http.cors': overHttp(absent, true, {
    base: { http: { port: 0, allowedOrigins: ['https://app.example.com'] } },
    headers: { origin: 'https://app.example.com' },
  }),
  'server.http.maxBodyBytes': overHttp(absent, 5, { base: { http: { port: 0 } }, body: '{"a": "long"}' }),
  'server.http.headers': shown(
    files =>
      servedOverHttp(files, async url => {
        const headers = { 'mcp-name': 't', 'x-tenant': 'acme' };
        const answer = await postModern(url, 1, 'tools/call', { name: 't', arguments: {} }, { headers });
        return await answer.text();
      }).then(said => said.replace(/:\d+\//, ':0/')),
    absent,
    ['x-tenant'],
    {
      base: {
        server: { transport: 'http', http: { port: 0 } },
        files: { 'src/tools/t.ts': 'export default (_: object, ctx: any) => JSON.stringify(ctx.request.headers);\n' },
      },
    },
  ),
  'server.auth': overHttp(
    absent,
    { type: 'bearer', env: 'TOKEN' },
    { base: { http: { port: 0 } }, env: { TOKEN: 'a-token-of-some-length' } },
  ),
  'server.auth.type': refused('bearer', 'oauth', { base: { server: { auth: { env: 'TOKEN' } } } }),
  'bearerAuth.type': refused('bearer', 'oauth', {
    at: 'server.auth.type',
    base: { server: { auth: { env: 'TOKEN' } } },
  }),
  'bearerAuth.env': {
    at: 'server.auth.env',
    ...overHttp('TOKEN', 'OTHER', {
      base: { http: { port: 0 }, auth: { type: 'bearer' } },
      headers: { authorization: 'Bearer a-token-of-some-length' },
      env: { TOKEN: 'a-token-of-some-length', OTHER: 'another-token-of-some-length' },
    }),
  },
  'oauthAuth.type': {
    ...refused('oauth', 'bearer', { base: { server: { auth: { issuer: 'https://a.example.com', audience: 'x' } } } }),
    at: 'server.auth.type',
  },
  'oauthAuth.issuer': { ...authorized('ISSUER', 'https://other.example.com'), at: 'server.auth.issuer' },
  'oauthAuth.audience': {
    ...authorized('https://mcp.example.com', 'https://other.example.com'),
    at: 'server.auth.audience',
  },
  'oauthAuth.jwks': { ...authorized(absent, 'ISSUER/other-keys'), at: 'server.auth.jwks' },
  'oauthAuth.scopes': { ...authorized(absent, ['admin']), at: 'server.auth.scopes' },
  'server.configName': shown(
    files => printed(files, ['install', 'cursor', '--dry-run', '--run', 'start']),
    absent,
    'other',
  ),
};
