// F4: a tool with `scopes` is served only where somebody compares them: with OAuth, over any transport.
import { describe, expect, it } from 'vitest';
import { createServer } from '../../../runtime/index.js';
import { createBearerAuthorizer } from '../../../runtime/serve/auth/create-authorizer.js';
import { createFetch } from '../../../runtime/serve/serve-fetch.js';
import { type HttpServer, serveHttp } from '../../../runtime/serve/serve-http.js';
import { check, checkPlaces } from '../../harness/pack.js';
import { below, writeFolder } from '../packs/code-packs.js';
import { makePack, startSession, toolwright } from '../packs/packs-kit.js';
import { envelope, request } from './serve-pipes.js';
import { makeTools, nobodyWatches } from './serve-tools.js';

const scoped = 'description: d\nscopes: [adm]\n';
const oauth = 'auth: { type: oauth, issuer: "https://login.example", audience: a }\n';

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'scoped' };

const pack = (servers: Readonly<Record<string, string>>) => ({
  'toolwright.yaml': '',
  'mcp/tools/sc.yaml': scoped,
  'mcp/tools/plain.yaml': 'description: d\n',
  ...Object.fromEntries(Object.entries(servers).map(([name, text]) => [`mcp/servers/${name}.yaml`, text])),
});

describe('scopes in `check`', () => {
  it.each([
    ['without auth over HTTP', 'transport: http\n'],
    ['with a bearer token', 'transport: http\nauth: { type: bearer, env: T }\n'],
    ['over stdio without auth', 'title: t\n'],
    ['that lists the tool', 'transport: http\ntools: [plain, sc]\n'],
    ['that lists a pattern', 'transport: http\ntools: ["s*"]\n'],
  ])('fix-F4 C14 scopes on a server %s are an error at the key', async (_, server) => {
    const found = await check(pack({ n: server }));
    expect(found.map(({ code, file, line, column }) => [code, file, line, column])).toEqual([
      ['link/unchecked-scopes', 'mcp/tools/sc.yaml', 2, 1],
    ]);
    const [{ message, hint, related } = {}] = found;
    expect(message).toContain('"n (mcp/servers/n.yaml)"');
    expect(hint ?? '').toMatch(/auth: \{ type: oauth.*remove `scopes`/);
    expect(related?.[0]?.file).toBe('mcp/servers/n.yaml');
  });

  it('fix-F4 C14 `check` accepts scopes with OAuth, on servers without the tool, and for tools that are switched off', async () => {
    expect(await checkPlaces(pack({ n: `transport: http\n${oauth}`, s: oauth }))).toEqual([]);
    expect(await checkPlaces(pack({ n: 'tools: [plain]\n' }))).toEqual([]);
    expect(
      await checkPlaces({ ...pack({ n: 'title: t\n' }), 'mcp/tools/sc.yaml': 'description: d\nscopes: []\n' }),
    ).toEqual([]);
    expect(
      await checkPlaces({ ...pack({ n: 'tools: [sc]\n' }), 'mcp/tools/sc.yaml': `${scoped}enabled: false\n` }),
    ).toEqual([]);
  });

  it('fix-F4 C14 one diagnostic names every server that cannot check scopes, and an inline tool has its own', async () => {
    const found = await check(pack({ a: 'title: t\n', b: 'transport: http\n', c: oauth }));
    expect(found.map(({ code }) => code)).toEqual(['link/unchecked-scopes']);
    expect(found[0]?.message).toMatch(/servers "a \(.*" and "b \(/);
    const inline = 'tools:\n  - name: i\n    description: d\n    handler: x.js\n    scopes: [adm]\n';
    const { 'mcp/tools/sc.yaml': _, ...rest } = pack({ a: inline });
    expect(await checkPlaces(rest)).toEqual(['link/unchecked-scopes mcp/servers/a.yaml:5:5']);
  });
});

describe('scopes in `start`', () => {
  const installed = makePack('@acme/jira', {
    tools: { 'get-issue': '' },
    files: {
      'mcp/tools/wipe.yaml': 'description: d\nscopes: [adm]\n',
      'lib/tools/wipe.js': 'export default () => "RAN";\n',
    },
  });
  const desk = (server: string) =>
    writeFolder({
      ...makePack('desk', {
        tools: { own: '' },
        files: {
          'mcp/tools/sc.yaml': scoped,
          'lib/tools/sc.js': 'export default () => "RAN";\n',
          'mcp/servers/main.yaml': server,
        },
      }),
      ...below('node_modules/@acme/jira', installed),
    });

  it('fix-F4 C14 `start` leaves out an own tool whose scopes nobody checks and says why, and `--strict` refuses', async () => {
    const cwd = desk('tools: [own, sc]\n');
    const session = await startSession(['main'], { cwd });
    expect(await session.names()).toEqual(['own']);
    expect(session.stderr()).toContain('link/unchecked-scopes');
    await session.client.close();
    const strict = await toolwright(['start', '--strict', 'main'], { cwd });
    expect([strict.status, strict.stderr]).toEqual([1, expect.stringContaining('[link/unchecked-scopes]')]);
    const built = await toolwright(['build', 'main'], { cwd });
    expect([built.status, built.stderr + built.stdout]).toEqual([
      1,
      expect.stringContaining('[link/unchecked-scopes]'),
    ]);
  });

  it('fix-F4 C14 a tool of another pack with scopes is an error at its reference over HTTP, and is served over stdio', async () => {
    const http = desk('transport: http\nhttp: { port: 0 }\ntools: [own, acme/jira/*]\n');
    const { status, stdout } = await toolwright(['check'], { cwd: http });
    expect([status, stdout]).toEqual([
      1,
      expect.stringMatching(/main\.yaml:3:14 .*"wipe".*"main \(mcp\/servers\/main\.yaml\)"/),
    ]);
    expect(stdout).toContain('or remove the tool from its list');
    const inspected = await toolwright(['inspect', 'main', '--format', 'json'], { cwd: http });
    expect(inspected.stdout).not.toContain('"wipe"');
    const session = await startSession(['main'], { cwd: desk('tools: [own, acme/jira/*]\n') });
    expect(await session.call('wipe')).toBe('RAN');
    await session.client.close();
  });
});

describe('scopes of a call over HTTP', () => {
  const call = JSON.stringify(request(1, 'tools/call', { name: 'scoped', _meta: envelope }));
  const token = 'a-token-of-some-length';

  it.each(['own', 'sdk'] as const)(
    'fix-F4 C14 a call over HTTP is refused when nobody checks scopes: %s',
    async protocol => {
      const servers: HttpServer[] = [];
      const bearer = { variable: 'T', value: token, host: '127.0.0.1', report: () => undefined };
      for (const authorizer of [undefined, createBearerAuthorizer(bearer)]) {
        const server = await serveHttp(makeTools(nobodyWatches()), {
          host: '127.0.0.1',
          port: 0,
          authorizer,
          protocol,
        });
        servers.push(server);
        const init = {
          method: 'POST',
          headers: { ...headers, ...modern, authorization: `Bearer ${token}` },
          body: call,
        };
        const answer = await fetch(server.url, init);
        expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('issues:write')]);
      }
      const web = createFetch(makeTools(nobodyWatches()), { protocol });
      const answer = await web.fetch(
        new Request('https://example.com/mcp', { method: 'POST', headers: { ...headers, ...modern }, body: call }),
      );
      expect(answer.status).toBe(403);
      await Promise.all([web.close(), ...servers.map(server => server.close())]);
    },
  );
});

describe('scopes in `createServer`', () => {
  const tool = { name: 'sc', description: 'd', scopes: ['adm'], handler: () => 'RAN' };

  it('fix-F4 C14 `serveHttp` refuses a tool whose scopes nobody would check, and a call of one that was added later', async () => {
    await using server = await createServer({ name: 'desk', tools: [tool] });
    await expect(server.serveHttp()).rejects.toThrow(/cannot check the scopes that "sc" require.*type: 'oauth'/);
    await using open = await createServer({ name: 'desk', tools: [] });
    const { url } = await open.serveHttp();
    open.add(tool);
    const body = JSON.stringify(request(1, 'tools/call', { name: 'sc', _meta: envelope }));
    const init = { method: 'POST', headers: { ...headers, ...modern, 'mcp-name': 'sc' }, body };
    expect((await fetch(url, init)).status).toBe(403);
  });
});
