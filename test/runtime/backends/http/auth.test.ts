// B1: who asks.
import { describe, expect, it } from 'vitest';
import type { BackendAuth } from '../../../../schema/definitions.js';
import { echo, failureOf, json, openBackend, startService } from './service.js';

const values = { TOKEN: 'hunter22', USER: 'mé', PASS: 'p:w', BAD: 'a\nb', AUDIENCE: 'https://jira.example' };

async function sentWith(auth: BackendAuth, path = '/x'): Promise<{ url: string; headers: Record<string, string> }> {
  const service = await startService(echo);
  return (await openBackend({ url: service.origin, auth }, { values }).request({ path })) as never;
}

describe('credentials of the configuration', () => {
  it('B1 each kind goes to its place', async () => {
    expect((await sentWith({ bearer: 'TOKEN' })).headers['authorization']).toBe('Bearer hunter22');
    const basic = (await sentWith({ basic: ['USER', 'PASS'] })).headers['authorization'] ?? '';
    expect(Buffer.from(basic.replace('Basic ', ''), 'base64').toString()).toBe('mé:p:w');
    expect((await sentWith({ header: 'X-Key', value: 'TOKEN' })).headers['x-key']).toBe('hunter22');
    expect((await sentWith({ query: 'key', value: 'PASS' })).url).toBe('/x?key=p%3Aw');
    expect((await sentWith({ query: 'key', value: 'PASS' }, '/x?a=1')).url).toBe('/x?a=1&key=p%3Aw');
  });

  it('B1 no request replaces them', async () => {
    const service = await startService(echo);
    const backend = openBackend(
      { url: service.origin, auth: { bearer: 'TOKEN' }, headers: { 'X-A': 'v-{config.PASS}', 'X-B': '1' } },
      { values },
    );
    const answer = await backend.request({ headers: { Authorization: 'Bearer mine', 'x-b': '2' } });
    expect(answer).toMatchObject({ headers: { authorization: 'Bearer hunter22', 'x-a': 'v-p:w', 'x-b': '2' } });
  });

  it('B1 what is not set is CONFIG_MISSING, and what no header can have BAD_VALUE', async () => {
    const service = await startService(echo);
    const ask = (auth: BackendAuth) => failureOf(openBackend({ url: service.origin, auth }, { values }).request({}));
    expect(await ask({ bearer: 'NONE' })).toMatchObject({ code: 'CONFIG_MISSING', meta: { missing: ['NONE'] } });
    const bad = await ask({ bearer: 'BAD' });
    expect([bad['code'], bad.message]).toEqual([
      'BAD_VALUE',
      'BAD of the configuration has a character that a header cannot have',
    ]);
    expect(service.received).toEqual([]);
  });
});

describe('the token of the caller', () => {
  const auth = { caller: { audience: '{config.AUDIENCE}' } } as const;

  it('B1 it is passed on to the service that it is for', async () => {
    const service = await startService(echo);
    const { request } = openBackend({ url: service.origin, auth }, { values });
    for (const aud of ['https://jira.example', ['x', 'https://jira.example']]) {
      const answer = await request({}, { auth: { token: 'caller-token', claims: { aud } } });
      // The service echoes it, and nobody needs to see it again.
      expect(answer).toMatchObject({ headers: { authorization: 'Bearer [secret token]' } });
    }
    expect(service.received[0]?.headers.authorization).toBe('Bearer caller-token');
  });

  it('B1 a token for another service, or none, is IDENTITY_MISSING', async () => {
    const service = await startService(echo);
    const { request } = openBackend({ url: service.origin, auth }, { values });
    const calls = [
      {},
      { auth: { token: 't', claims: {} } },
      { auth: { token: 't', claims: { aud: 'https://jira.example.evil' } } },
      { auth: { token: 't', claims: { aud: ['x'] } } },
    ];
    for (const call of calls)
      expect(await failureOf(request({}, call))).toMatchObject({ code: 'IDENTITY_MISSING', status: 401 });
    expect(service.received).toEqual([]);
  });
});

describe('client credentials', () => {
  async function tokenService(
    answer = (nth: number): unknown => ({ access_token: `token-${nth}`, expires_in: 3600 }),
    status = 200,
  ) {
    return startService((request, response, nth) => {
      setTimeout(() => void json(answer(nth), status)(request, response, nth), 20);
    });
  }
  const config = { ID: 'my id', SECRET: 's3cr3t:+', TOKENS: '' };
  const authFor = (tokenUrl: string): BackendAuth => ({
    clientCredentials: { tokenUrl, id: 'ID', secret: 'SECRET', scope: 'read write' },
  });

  it('B1 one token is fetched for many calls, and kept', async () => {
    const tokens = await tokenService();
    const service = await startService(echo);
    const { request } = openBackend(
      { url: service.origin, auth: authFor(`${tokens.origin}/token`) },
      { values: config },
    );
    await Promise.all([request({}), request({}), request({})]);
    await request({});
    expect(tokens.received).toHaveLength(1);
    expect(service.received.map(({ headers }) => headers.authorization)).toEqual(Array(4).fill('Bearer token-0'));
    const [asked] = tokens.received;
    expect([asked?.method, asked?.url, asked?.body.toString()]).toEqual([
      'POST',
      '/token',
      'grant_type=client_credentials&scope=read+write',
    ]);
    expect(Buffer.from((asked?.headers.authorization ?? '').slice(6), 'base64').toString()).toBe('my+id:s3cr3t%3A%2B');
  });

  it('B1 a token that expires or is refused is fetched anew, once', async () => {
    const tokens = await tokenService(nth => ({ access_token: `token-${nth}`, expires_in: nth === 0 ? 0 : 3600 }));
    const accepted = new Set(['Bearer token-0', 'Bearer token-1']);
    const service = await startService((request, response, nth) => {
      void json({ nth }, accepted.has(request.headers.authorization ?? '') ? 200 : 401)(request, response, nth);
    });
    const { request } = openBackend({ url: service.origin, auth: authFor(tokens.origin) }, { values: config });
    await request({});
    await request({});
    expect(tokens.received).toHaveLength(2);
    accepted.clear();
    accepted.add('Bearer token-2');
    expect(await request({ method: 'POST', body: {} })).toEqual({ nth: 3 });
    accepted.clear();
    expect(await failureOf(request({}))).toMatchObject({ code: 'UPSTREAM_ERROR', status: 401 });
    expect(service.received).toHaveLength(6);
    expect(tokens.received).toHaveLength(4);
  });

  it('B8 a service that refuses tokens and repeats them gives none of them away', async () => {
    const tokens = await tokenService(nth => ({ access_token: `token-number-${nth}` }));
    const service = await startService((request, response, nth) => {
      const refused = [...service.received].map(({ headers }) => headers.authorization);
      void json({ refused }, nth === 0 ? 200 : 401)(request, response, nth);
    });
    const { request } = openBackend({ url: service.origin, auth: authFor(tokens.origin) }, { values: config });
    await request({});
    const failure = await failureOf(request({}));
    expect(failure).toMatchObject({ code: 'UPSTREAM_ERROR', status: 401 });
    expect(JSON.stringify(failure['meta'])).not.toContain('token-number');
    // Another token was fetched for it, which was refused as well.
    expect(service.received).toHaveLength(3);
  });

  it('B1 a call that is cancelled does not take the token from others', async () => {
    const tokens = await tokenService();
    const service = await startService(echo);
    const { request } = openBackend({ url: service.origin, auth: authFor(tokens.origin) }, { values: config });
    const controller = new AbortController();
    const first = failureOf(request({}, { signal: controller.signal }));
    const second = request({});
    controller.abort(new Error('enough'));
    expect((await first).message).toBe('enough');
    expect(await second).toMatchObject({ method: 'GET' });
    expect(tokens.received).toHaveLength(1);
  });

  it('B1 a token service that refuses or talks nonsense is told apart from the service', async () => {
    const service = await startService(echo);
    const ask = async (tokens: { origin: string }) =>
      failureOf(
        openBackend(
          { url: service.origin, auth: authFor(tokens.origin) },
          { values: config, secrets: ['SECRET'] },
        ).request({}),
      );
    expect(
      await ask(await tokenService(() => ({ error: 'invalid_client', error_description: 's3cr3t:+' }), 401)),
    ).toMatchObject({
      code: 'UPSTREAM_ERROR',
      isAnswer: false,
      meta: { status: 401 },
      message: 'The token service of jira answered 401 Unauthorized (invalid_client)',
    });
    expect(await ask(await tokenService(() => ({})))).toMatchObject({ code: 'UPSTREAM_INVALID' });
    expect(service.received).toEqual([]);
  });

  it('B7 a token service from the configuration is guarded', async () => {
    const tokens = await tokenService();
    const service = await startService(echo);
    const settings = { values: { ...config, TOKENS: tokens.origin } };
    const failure = await failureOf(
      openBackend({ url: service.origin, auth: authFor('{config.TOKENS}/token') }, settings).request({}),
    );
    expect(failure['code']).toBe('ADDRESS_REFUSED');
    expect(tokens.received).toEqual([]);
  });
});

describe('previews', () => {
  it('B8 a preview has the whole request and no secret', async () => {
    const secrets = { TOKEN: 'hunter22', KEY: 'k', TENANT: 'acme' };
    const definition = {
      url: '{config.URL}/api',
      auth: { bearer: 'TOKEN' },
      headers: { 'X-Tenant': 't-{config.KEY}' },
    } as const;
    const { open } = openBackend(definition, {
      values: { ...secrets, URL: 'https://jira.example/' },
      secrets: ['TOKEN', 'KEY'],
    });
    expect(
      open.preview({ method: 'POST', path: '/issue', query: { a: 'x y' }, body: { summary: 'has hunter22' } }),
    ).toBe(
      [
        'POST https://jira.example/api/issue?a=x%20y',
        'user-agent: toolwright',
        'accept: application/json, */*;q=0.8',
        'accept-encoding: gzip, br',
        'x-tenant: t-***',
        'content-type: application/json',
        'authorization: Bearer ***',
        '',
        '{"summary":"has [secret TOKEN]"}',
      ].join('\n'),
    );
  });

  it('B8 every kind of credentials is masked, and nothing needs to be set', () => {
    const kinds: readonly BackendAuth[] = [
      { basic: ['USER', 'PASS'] },
      { header: 'X-Key', value: 'TOKEN' },
      { query: 'key', value: 'TOKEN' },
      { clientCredentials: { tokenUrl: 'https://t.example', id: 'TOKEN', secret: 'PASS' } },
      { caller: { audience: 'x' } },
    ];
    const shown = kinds.map(auth =>
      openBackend({ url: '{config.JIRA}/v1', auth }, { values }).open.preview({ path: '/x' }).split('\n'),
    );
    expect(shown.map(lines => lines[0])).toEqual(
      shown.map((_, index) => `GET {config.JIRA}/v1/x${index === 2 ? '?key=***' : ''}`),
    );
    expect(shown.map(lines => lines[4])).toEqual([
      'authorization: Basic ***',
      'x-key: ***',
      undefined,
      'authorization: Bearer ***',
      'authorization: Bearer ***',
    ]);
  });

  it('B8 a preview shows addresses of requests, files and mistakes', () => {
    const { open } = openBackend(null);
    expect(open.preview({ url: 'https://a.example/x' })).toContain('GET https://a.example/x\n');
    expect(open.preview({ method: 'POST', url: 'https://a.example/', multipart: { f: { base64: '//8=' } } })).toMatch(
      /\n\(\d+ bytes\)$/,
    );
    expect(() => open.preview({ path: '/x' })).toThrow('The request has no address');
  });
});
