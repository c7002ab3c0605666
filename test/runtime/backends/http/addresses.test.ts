// B7: where requests go, and where they do not.
import { describe, expect, it } from 'vitest';
import { makeGuard } from '../../../../runtime/backends/http/address-guard.js';
import type { Lookup } from '../../../../runtime/backends/http/resolve-name.js';
import { echo, failureOf, json, openBackend, startService } from './service.js';

const refused = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.0.1',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:a00:1',
  '::ffff:0:10.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '2001::1',
  '2001:db8::1',
  '3fff::1',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '100::1',
  'not an address',
];
const open = [
  '1.1.1.1',
  '8.8.8.8',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700::1111',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2002:808:808::1',
];

/** Answers with these, in turn; the last one for ever. */
function lookupOf(...answers: readonly (readonly string[])[]): { lookup: Lookup; asked: string[] } {
  const asked: string[] = [];
  const lookup: Lookup = (hostname, _options, callback) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(hostname);
    process.nextTick(() =>
      callback(
        null,
        addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
    );
  };
  return { lookup, asked };
}

describe('the guard', () => {
  it.each(refused)('B7 %s is refused', address => {
    expect(makeGuard([], 'jira')(address)).toBe(true);
  });

  it.each(open)('B7 %s is public', address => {
    expect(makeGuard([], 'jira')(address)).toBe(false);
  });

  it('B7 what is allowed is allowed in all of its forms, and nothing else', () => {
    const guard = makeGuard(['loopback', '10.1.0.0/16', '192.168.0.7', 'fd00::/8'], 'jira');
    const addresses = [
      '127.0.0.1',
      '::1',
      '::ffff:127.0.0.1',
      '10.1.2.3',
      '64:ff9b::10.1.2.3',
      '192.168.0.7',
      'fd12::1',
      '10.2.0.1',
      '192.168.0.8',
      'fc00::1',
      '169.254.169.254',
    ];
    expect(addresses.filter(guard)).toEqual(['10.2.0.1', '192.168.0.8', 'fc00::1', '169.254.169.254']);
    expect(['10.0.0.1', '169.254.1.1'].filter(makeGuard(['private', 'link-local'], 'jira'))).toEqual([]);
  });

  it.each(['local', '10.0.0.0/33', '10.0.0.0/x', '::/129', '1.2.3.4/8/8', ''])(
    'B7 %j in allowAddresses is a mistake',
    entry => {
      expect(() => makeGuard([entry], 'jira')).toThrow(/allowAddresses of jira has ".*", which is not an address/);
    },
  );
});

describe('addresses of the operator', () => {
  it('B7 a loopback address from the configuration is refused unless it is allowed', async () => {
    const { origin } = await startService(json({ ok: true }));
    const values = { URL: `${origin}/`, LIST: ['127.0.0.0/8'], ONE: '127.0.0.1' };
    const ask = (allowAddresses?: string[]) =>
      openBackend(
        { url: '{config.URL}/api', ...(allowAddresses === undefined ? {} : { allowAddresses }) },
        { values },
      ).request({});
    expect(await failureOf(ask())).toMatchObject({ code: 'ADDRESS_REFUSED', status: 403, retryable: false });
    expect(await failureOf(ask(['{config.UNSET}', '10.0.0.0/8']))).toMatchObject({ code: 'ADDRESS_REFUSED' });
    for (const entry of ['loopback', '127.0.0.1', '{config.LIST}', '{config.ONE}'])
      expect(await ask([entry])).toEqual({ ok: true });
  });

  it('B7 an address that the author wrote is not guarded', async () => {
    const { origin } = await startService(json({ ok: true }));
    expect(await openBackend({ url: origin }).request({})).toEqual({ ok: true });
  });

  it('B7 a name that leads to a private address is refused, also among public ones', async () => {
    const service = await startService(json({}));
    for (const addresses of [['127.0.0.1'], ['1.1.1.1', '127.0.0.1'], ['::ffff:127.0.0.1']]) {
      const { lookup } = lookupOf(addresses);
      const backend = openBackend(
        { url: '{config.URL}' },
        { values: { URL: `http://jira.example:${service.port}` } },
        { lookup },
      );
      expect((await failureOf(backend.request({})))['code']).toBe('ADDRESS_REFUSED');
    }
    expect(service.connections()).toBe(0);
  });

  it('B7 the connection goes to the address that was checked, and a name that changes is checked again', async () => {
    const service = await startService((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end('{}');
    });
    const { lookup, asked } = lookupOf(['127.0.0.1'], ['127.0.0.2']);
    const values = { URL: `http://jira.example:${service.port}` };
    const backend = openBackend({ url: '{config.URL}', allowAddresses: ['127.0.0.1'] }, { values }, { lookup });
    expect(await backend.request({})).toEqual({});
    expect(asked).toEqual(['jira.example']);
    expect((await failureOf(backend.request({})))['code']).toBe('ADDRESS_REFUSED');
    expect(service.received).toHaveLength(1);
    expect(service.received[0]?.headers.host).toBe(`jira.example:${service.port}`);
  });

  it.each([
    ['ftp://example.com', 'neither http: nor https:'],
    ['example.com', 'is not an address'],
    ['https://me:secret@example.com', 'has a user or a password'],
  ])('B7 %s is not the address of a backend', async (url, reason) => {
    const failure = await failureOf(openBackend({ url: '{config.URL}' }, { values: { URL: url } }).request({}));
    expect(failure).toMatchObject({ code: 'BAD_VALUE', message: expect.stringContaining(reason) });
    expect(failure.message).not.toContain('secret');
  });

  it('B7 an address that is not set is CONFIG_MISSING', async () => {
    const failure = await failureOf(openBackend({ url: '{config.JIRA_URL}/x' }).request({}));
    expect(failure).toMatchObject({ code: 'CONFIG_MISSING', status: 503, meta: { missing: ['JIRA_URL'] } });
    expect(failure.message).toBe('jira needs configuration that is not set: JIRA_URL');
  });
});

describe('addresses of a request', () => {
  it.each([
    'http://127.0.0.1:1/',
    'http://localhost:1/',
    'http://2130706433:1/',
    'http://0x7f.1:1/',
    'http://0177.0.0.1:1/',
    'http://[::1]:1/',
    'http://[::ffff:7f00:1]:1/',
    'http://0:1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://127.1:1/',
  ])('B7 %s is refused', async url => {
    const { lookup } = lookupOf(['127.0.0.1']);
    expect((await failureOf(openBackend(null, {}, { lookup }).request({ url })))['code']).toBe('ADDRESS_REFUSED');
  });

  it.each([
    'file:///etc/passwd',
    'data:,x',
    'http://user:pw@example.com/',
    '/relative',
    '',
    'http://exam\nple.com/',
    'http://example.com/\ud800',
    ' http://example.com/',
  ])('B7 %j is not an address to ask', async url => {
    expect((await failureOf(openBackend(null).request({ url })))['code']).toBe('BAD_VALUE');
  });

  it('B7 a backend takes addresses of its own origin only', async () => {
    const service = await startService(echo);
    const { request } = openBackend({ url: `${service.origin}/api` });
    expect(await request({ url: `${service.origin}/x?a=1#f`, query: { b: 2 } })).toMatchObject({ url: '/x?a=1&b=2' });
    const failure = await failureOf(request({ url: 'http://127.0.0.1:1/x' }));
    expect(failure).toMatchObject({ code: 'ADDRESS_REFUSED', message: 'jira takes requests at its own origin only' });
  });
});

describe('redirects', () => {
  it('B7 a redirect at the same origin is followed, with its credentials', async () => {
    const service = await startService((request, response) => {
      if (request.url.startsWith('/old')) response.writeHead(302, { location: '/new?x=1' }).end('moved');
      else echo(request, response, 0);
    });
    const auth = { bearer: 'TOKEN' };
    const { request } = openBackend({ url: service.origin, auth }, { values: { TOKEN: 'hunter22' } });
    expect(await request({ path: '/old' })).toMatchObject({
      url: '/new?x=1',
      headers: { authorization: 'Bearer hunter22' },
    });
  });

  it.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [301, 'PUT', 'PUT', '{"a":1}'],
    [307, 'POST', 'POST', '{"a":1}'],
    [308, 'PATCH', 'PATCH', '{"a":1}'],
  ])('B7 %i of a %s becomes a %s', async (status, method, then, body) => {
    const service = await startService((request, response) => {
      if (request.url === '/old') response.writeHead(status, { location: '/new', 'content-length': '0' }).end();
      else echo(request, response, 0);
    });
    const answer = (await openBackend({ url: service.origin }).request({ path: '/old', method, body: { a: 1 } })) as {
      headers: object;
    };
    expect(answer).toMatchObject({ method: then, body });
    expect('content-type' in answer.headers).toBe(body !== '');
  });

  it.each([
    'http://169.254.169.254/latest/?token=hunter22',
    'http://127.0.0.1:1/',
    '//other.example/',
    'https://127.0.0.1/',
    'file:///etc/passwd',
    'http://a:b@127.0.0.1/',
    'http://[/',
  ])('B7 a redirect of a backend to %s is refused', async location => {
    const service = await startService((_request, response) => response.writeHead(302, { location }).end() as never);
    const failure = await failureOf(openBackend({ url: service.origin }).request({}));
    expect(failure).toMatchObject({ code: 'UPSTREAM_REDIRECT', retryable: false });
    expect(failure.message).not.toContain('hunter22');
  });

  it('B7 redirects in a circle end', async () => {
    const service = await startService(
      (_request, response) => response.writeHead(307, { location: '/' }).end() as never,
    );
    const failure = await failureOf(openBackend({ url: service.origin }).request({}));
    expect(failure).toMatchObject({ code: 'UPSTREAM_REDIRECT', message: 'jira redirects more than 5 times' });
    expect(service.received).toHaveLength(6);
  });

  it('B7 without a backend redirects leave the origin, without what the author sent, and every address is checked', async () => {
    // A proxy plays the rest of the world.
    const proxy = await startService((request, response) => {
      const { hostname, searchParams } = new URL(request.url);
      if (hostname === 'first.example') response.writeHead(302, { location: searchParams.get('to') ?? '' }).end();
      else echo(request, response, 0);
    });
    const lookup: Lookup = (hostname, _options, callback) =>
      callback(null, [{ address: hostname === 'private.example' ? '10.0.0.1' : '1.1.1.1', family: 4 }]);
    const backend = openBackend(null, { env: { http_proxy: proxy.origin } }, { lookup });
    const headers = { authorization: 'Bearer x', 'x-key': 'y', accept: 'text/plain' };
    const visit = (to: string) => backend.request({ url: 'http://first.example/', query: { to }, headers });
    const answer = (await visit('http://second.example/x')) as { url: string; headers: object };
    expect(answer).toMatchObject({
      url: 'http://second.example/x',
      headers: { host: 'second.example', accept: 'text/plain' },
    });
    expect(Object.keys(answer.headers)).not.toEqual(expect.arrayContaining(['authorization']));
    expect(Object.keys(answer.headers)).not.toEqual(expect.arrayContaining(['x-key']));
    expect(proxy.received[0]?.headers).toMatchObject(headers);
    for (const to of ['http://169.254.169.254/', 'http://private.example/', 'http://2130706433/'])
      expect((await failureOf(visit(to)))['code']).toBe('ADDRESS_REFUSED');
  });
});
