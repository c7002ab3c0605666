// Tools and resources that are a request, as clients call them.
import { describe, expect, it } from 'vitest';
import { createRegistry, createServer } from '../../../../runtime/index.js';
import { createTestClient } from '../../../../runtime/server/testing/index.js';
import { writeFolder } from '../../packs/code-packs.js';
import { echo, json, startService } from '../http/service.js';

type Env = Readonly<Record<string, string | undefined>>;

const config = { API: 'string', TOKEN: { type: 'string', secret: true } };
const api = { type: 'http', url: '{config.API}/v1', auth: { bearer: 'TOKEN' }, allowAddresses: ['loopback'] };

function packOf(tool: object, more: Readonly<Record<string, string>> = {}): string {
  return writeFolder({
    'toolwright.yaml': JSON.stringify({ name: 'acme/demo', version: '1.0.0', config, backends: { api } }),
    'mcp/tools/t.json': JSON.stringify({ description: 'The tool', ...tool }),
    ...more,
  });
}

async function invoke(folder: string, args: object, env: Env): Promise<unknown> {
  const registry = await createRegistry(folder, { env: { TOKEN: 'canary-4711', ...env }, report: () => undefined });
  try {
    return await registry.invoke('t', args);
  } finally {
    await registry.close();
  }
}

describe('a tool with http', () => {
  it('B1 every value arrives in its place, and nothing else is sent', async () => {
    const service = await startService(echo);
    const tool = {
      parameters: {
        key: 'string',
        tags: { type: 'array', items: 'string', required: false },
        etag: { type: 'string', required: false },
        session: { type: 'string', required: false },
        summary: 'string',
        due: { type: 'string', required: false },
        count: { type: 'integer', required: false },
      },
      http: {
        method: 'PUT',
        path: '/issue/{key}/x-{key}',
        query: { tag: '{tags}', fixed: 1 },
        headers: { 'If-Match': '{etag}', 'X-Api': '{config.API}' },
        cookies: { session: '{session}' },
        body: {
          fields: { summary: '{summary}', due: '{due}', text: 'Due {due}', count: '{count}', list: ['{due}', 1] },
        },
      },
    };
    const args = {
      key: 'a/../b?c#d',
      tags: ['x&y', 'z'],
      etag: '"1"',
      session: 'a;b',
      summary: 'a", "admin": "true',
      count: 0,
    };
    const result = await invoke(packOf(tool), args, { API: service.origin });
    expect(result).toMatchObject({ ok: true });
    const [request] = service.received;
    expect(request).toMatchObject({
      method: 'PUT',
      url: '/v1/issue/a%2F..%2Fb%3Fc%23d/x-a%2F..%2Fb%3Fc%23d?tag=x%26y&tag=z&fixed=1',
      headers: {
        authorization: 'Bearer canary-4711',
        'if-match': '"1"',
        'x-api': service.origin,
        cookie: 'session=a%3Bb',
        'content-type': 'application/json',
      },
    });
    expect(JSON.parse(String(request?.body))).toEqual({ fields: { summary: args.summary, count: 0, list: [1] } });
    // The service repeats the token, which is a secret.
    expect(JSON.stringify(result)).not.toContain('canary-4711');
  });

  it('B1 the short form and `body: rest` send what nothing else uses', async () => {
    const service = await startService(echo);
    const short = packOf({ parameters: { key: 'string' }, http: 'GET /issue/{key}' });
    expect(await invoke(short, { key: 'A-1' }, { API: service.origin })).toMatchObject({ ok: true });
    const rest = packOf({
      parameters: { key: 'string', summary: 'string', due: { type: 'string', required: false } },
      http: { method: 'POST', path: '/issue/{key}', body: 'rest' },
    });
    expect(await invoke(rest, { key: 'A-1', summary: 'x' }, { API: service.origin })).toMatchObject({ ok: true });
    expect(service.received.map(({ method, url, body }) => [method, url, body.toString()])).toEqual([
      ['GET', '/v1/issue/A-1', ''],
      ['POST', '/v1/issue/A-1', '{"summary":"x"}'],
    ]);
  });

  it('B5 the result is picked from the answer, validated and told', async () => {
    const service = await startService(json({ issues: [{ key: 'A-1', fields: { summary: 'Login' } }], total: 1 }));
    const tool = {
      http: { path: '/search', result: { at: '/issues', pick: { key: '/key', summary: '/fields/summary' } } },
      output: {
        issues: { type: 'array', items: { type: 'object', properties: { key: 'string', summary: 'string' } } },
      },
      resultText: 'Found issues',
    };
    expect(await invoke(packOf(tool), {}, { API: service.origin })).toMatchObject({
      ok: true,
      result: {
        structuredContent: { issues: [{ key: 'A-1', summary: 'Login' }] },
        content: [{ type: 'text', text: 'Found issues' }],
      },
    });
    const wrong = {
      ...tool,
      output: { issues: { type: 'array', items: { type: 'object', properties: { key: 'integer' } } } },
    };
    expect(await invoke(packOf(wrong), {}, { API: service.origin })).toMatchObject({
      ok: false,
      error: { code: 'BAD_OUTPUT' },
    });
  });

  it('B6 the first error that matches the status is the answer, and the rest is UPSTREAM_ERROR', async () => {
    const service = await startService((request, response) => {
      response.writeHead(Number(request.url.split('/').at(-1))).end('{"detail":"no"}');
    });
    const tool = {
      parameters: { code: 'integer' },
      http: 'POST /{code}',
      errors: {
        NOT_FOUND: { match: [404], message: 'There is no {{code}}' },
        DOWN: { match: ['5xx'], message: 'Down', status: 503 },
      },
    };
    const folder = packOf(tool);
    const env = { API: service.origin };
    expect(await invoke(folder, { code: 404 }, env)).toMatchObject({
      error: { code: 'NOT_FOUND', message: 'There is no 404', status: 404 },
    });
    expect(await invoke(folder, { code: 503 }, env)).toMatchObject({ error: { code: 'DOWN', status: 503 } });
    expect(await invoke(folder, { code: 409 }, env)).toMatchObject({
      error: { code: 'UPSTREAM_ERROR', status: 409, meta: { status: 409, body: '{"detail":"no"}' } },
    });
  });

  it('B7 an address of the operator that is not public is refused, unless it is allowed', async () => {
    const service = await startService(echo);
    const { allowAddresses: _, ...closed } = api;
    const folder = packOf(
      { http: 'GET /x' },
      { 'toolwright.yaml': JSON.stringify({ name: 'acme/demo', config, backends: { api: closed } }) },
    );
    expect(await invoke(folder, {}, { API: service.origin })).toMatchObject({ error: { code: 'ADDRESS_REFUSED' } });
    const any = packOf({ parameters: { url: 'string' }, http: { url: '{url}' } });
    expect(await invoke(any, { url: service.origin }, { API: 'http://x' })).toMatchObject({
      error: { code: 'ADDRESS_REFUSED' },
    });
    expect(service.received).toEqual([]);
  });

  it('B1 a value in the text of a header is no more than the part that it stands for', async () => {
    const service = await startService(echo);
    const headers = { Cookie: 'session={v}; role=guest', 'X-List': ['tag="{v}"', '{config.API}, x'], 'X-All': '{v}' };
    const folder = packOf({ parameters: { v: 'string' }, http: { path: '/x', headers } });
    const env = { API: service.origin };
    for (const v of ['x; role=admin', 'x", "y', 'a,b', 'a\\'])
      expect(await invoke(folder, { v }, env)).toMatchObject({
        error: { code: 'BAD_VALUE', message: expect.stringContaining('separate the parts of a header') },
      });
    expect(service.received).toEqual([]);
    const listed = packOf({ parameters: { v: 'string' }, http: { path: '/x', headers: { 'X-All': '{v}' } } });
    expect(await invoke(listed, { v: 'x; role="admin"' }, env)).toMatchObject({ ok: true });
    expect(service.received[0]?.headers).toMatchObject({ 'x-all': 'x; role="admin"' });
  });

  it('B1 a setting without a value is named, and nothing is sent', async () => {
    expect(await invoke(packOf({ http: 'GET /x' }), {}, {})).toMatchObject({
      error: { code: 'CONFIG_MISSING', meta: { missing: ['API'] } },
    });
  });

  it('B1 a resource is a request, too', async () => {
    const service = await startService(echo);
    const folder = packOf(
      { http: 'GET /x' },
      {
        'mcp/servers/main.json': '{"description":"The server"}',
        'mcp/resources/r.json': JSON.stringify({ uriTemplate: 'issue://{key}', http: 'GET /issue/{key}' }),
      },
    );
    const client = await createTestClient(folder, { env: { API: service.origin, TOKEN: 'canary-4711' } });
    const { text } = await client.readResource('issue://a%2Fb');
    expect(text).toContain('/v1/issue/a%2Fb');
    expect(text).not.toContain('canary-4711');
    await client.close();
  });

  it('B1 handlers use the same backend as `ctx.backends`, and `request` for any other address', async () => {
    const service = await startService(json({ key: 'A-1' }));
    const root = new URL('../../../../runtime/index.ts', import.meta.url).pathname;
    const folder = packOf(
      { parameters: { key: 'string' }, errors: { GONE: { match: [404], message: 'Gone' } } },
      {
        'src/tools/t.ts': `import { path, request } from ${JSON.stringify(root)};
export default async ({ key }, ctx) => {
  const found = await ctx.backends.api.request({ path: path\`/issue/\${key}\`, result: { at: '/key' } });
  const refused = await request({ url: 'http://127.0.0.1:1' }, ctx).catch(error => error.code);
  return { found, refused };
};
`,
      },
    );
    expect(await invoke(folder, { key: 'a/b' }, { API: service.origin })).toMatchObject({
      ok: true,
      result: { structuredContent: { found: 'A-1', refused: 'ADDRESS_REFUSED' } },
    });
    expect(service.received.map(({ url }) => url)).toEqual(['/v1/issue/a%2Fb']);
  });

  it('B1 a server of code has backends of its own', async () => {
    const service = await startService(json({ ok: 1 }));
    const server = await createServer({
      name: 'desk',
      config: { API: { type: 'string' } },
      backends: { api: { type: 'http', url: '{config.API}', allowAddresses: ['loopback'] } },
      tools: [{ name: 'get', description: 'Get it', http: 'GET /x' }],
      env: { API: service.origin },
    });
    expect(await server.registry.invoke('get', {})).toMatchObject({
      ok: true,
      result: { structuredContent: { ok: 1 } },
    });
    await server.close();
  });
});
