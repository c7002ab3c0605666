// Proxies and certificates of operators. What is trusted is read when a process starts: such requests are made in one of their own.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { originOf } from '../../../../runtime/backends/http/base-url.js';
import { proxyFor } from '../../../../runtime/backends/http/proxy.js';
import { compileModule } from '../../../harness/child-module.js';
import { writeFiles } from '../../../harness/files.js';
import { echo, failureOf, openBackend, startService } from './service.js';

let folder = '';
let origin = '';
const stops: (() => void)[] = [];

/** An authority, and a certificate for localhost that it signed. */
function makeCertificates(): void {
  const openssl = (...args: string[]): unknown => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  writeFiles(folder, { 'san.ext': 'subjectAltName=DNS:localhost\n' });
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Test CA', '-days', '2');
  openssl('req', ...key, '-keyout', 'key.pem', '-out', 'req.pem', '-subj', '/CN=localhost');
  openssl(
    'x509',
    '-req',
    '-in',
    'req.pem',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    '-out',
    'cert.pem',
    '-days',
    '2',
    '-extfile',
    'san.ext',
  );
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-tls-'));
  makeCertificates();
  const pems = { key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(join(folder, 'cert.pem')) };
  const server = createTlsServer(pems, (request, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ url: request.url, auth: request.headers['proxy-authorization'] ?? null }));
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  origin = `https://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  for (const stop of stops) stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Makes requests one after the other in a process that trusts the authority; gives values, or codes and messages. */
async function askTrusting(url: string, env: Record<string, string> = {}): Promise<unknown> {
  const below = mkdtempSync(join(folder, 'child-'));
  const module = pathToFileURL(compileModule('runtime/backends/http/open-http.ts', below)).href;
  const script = `
    const { openHttp } = await import(${JSON.stringify(module)});
    const scope = { folder: '/', settings: { values: {}, redact: text => text }, env: process.env, report() {} };
    const backend = openHttp('jira', { type: 'http', url: ${JSON.stringify(url)}, retries: 0 }, scope);
    const call = { signal: new AbortController().signal, request: {} };
    const ask = path => backend.of(call).request({ path }).catch(({ code, message }) => ({ code, message }));
    console.log(JSON.stringify([await ask('/a'), await ask('/b')]));
    await backend.close();
  `;
  writeFiles(below, { 'ask.mjs': script });
  const { stdout } = await promisify(execFile)(process.execPath, [join(below, 'ask.mjs')], {
    env: { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'), ...env },
  });
  return JSON.parse(stdout);
}

/** A proxy that opens tunnels, and what it was asked. `status` other than 200 refuses them. */
async function startTunnels(status = 200): Promise<{ url: string; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const server = createServer();
  server.on('connect', (request, socket) => {
    asked.push(request);
    socket.on('error', () => {});
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
      return;
    }
    const [, port] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
    });
    upstream.on('error', () => socket.destroy());
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://me:p%40ss@127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

describe('certificates', () => {
  it('B6 a certificate that nobody knows is UPSTREAM_TLS', async () => {
    const failure = await failureOf(openBackend({ url: origin }).request({}));
    expect(failure).toMatchObject({
      code: 'UPSTREAM_TLS',
      upstream: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      retryable: false,
    });
    expect(failure['suggestedFix']).toContain('NODE_EXTRA_CA_CERTS');
  });

  it('B6 a certificate of an own authority is trusted with NODE_EXTRA_CA_CERTS, for its name only', async () => {
    expect(await askTrusting(origin)).toEqual([
      { url: '/a', auth: null },
      { url: '/b', auth: null },
    ]);
    const [failure] = (await askTrusting(origin.replace('localhost', '127.0.0.1'))) as unknown[];
    expect(failure).toMatchObject({
      code: 'UPSTREAM_TLS',
      message: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID'),
    });
  });

  it('B6 a service without TLS is UPSTREAM_TLS', async () => {
    const service = await startService(echo);
    const failure = await failureOf(
      openBackend({ url: service.origin.replace('http:', 'https:'), retries: 0 }).request({}),
    );
    expect(failure['code']).toBe('UPSTREAM_TLS');
  });
});

describe('proxies', () => {
  it('B1 requests to https: go through one tunnel, in which the certificate is checked', async () => {
    const proxy = await startTunnels();
    const values = await askTrusting(origin, { HTTPS_PROXY: proxy.url });
    expect(values).toEqual([
      { url: '/a', auth: null },
      { url: '/b', auth: null },
    ]);
    expect(proxy.asked.map(({ url }) => url)).toEqual([new URL(origin).host]);
    expect(proxy.asked[0]?.headers['proxy-authorization']).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
    const failure = await failureOf(openBackend({ url: origin }, { env: { HTTPS_PROXY: proxy.url } }).request({}));
    expect(failure['code']).toBe('UPSTREAM_TLS');
  });

  it('B6 a proxy that refuses, or is not there, is named in the failure', async () => {
    const proxy = await startTunnels(407);
    const ask = (url: string) =>
      failureOf(openBackend({ url: origin, retries: 0 }, { env: { HTTPS_PROXY: url } }).request({}));
    expect(await ask(proxy.url)).toMatchObject({
      code: 'UPSTREAM_UNREACHABLE',
      message: 'The proxy on the way to jira answered 407',
    });
    expect(await ask('http://127.0.0.1:1')).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', upstream: 'ECONNREFUSED' });
    const odd = await ask('socks5://me:hunter22@127.0.0.1:1');
    expect(odd).toMatchObject({
      code: 'UPSTREAM_UNREACHABLE',
      message: 'HTTPS_PROXY is not the address of an HTTP proxy',
    });
  });

  it('B1 requests to http: go to the proxy with their whole address', async () => {
    const proxy = await startService(echo);
    const env = { HTTP_PROXY: proxy.origin.replace('//', '//me:pw@') };
    const answer = await openBackend({ url: 'http://jira.invalid:8080/api' }, { env }).request({
      path: '/x',
      query: { a: 1 },
    });
    expect(answer).toMatchObject({
      url: 'http://jira.invalid:8080/api/x?a=1',
      headers: { host: 'jira.invalid:8080', 'proxy-authorization': `Basic ${Buffer.from('me:pw').toString('base64')}` },
    });
  });

  it('B1 NO_PROXY leaves services to themselves', async () => {
    const service = await startService(echo);
    const env = { HTTP_PROXY: 'http://127.0.0.1:1', NO_PROXY: 'example.com, 127.0.0.0/8' };
    expect(await openBackend({ url: service.origin }, { env }).request({ path: '/x' })).toMatchObject({ url: '/x' });
  });

  it.each([
    ['http://jira.example.com', 'example.com', true],
    ['http://jira.example.com', '.example.com', true],
    ['http://jira.example.com', '*.example.com', true],
    ['http://notexample.com', 'example.com', false],
    ['http://example.com', 'other.com example.com', true],
    ['http://example.com:81', 'example.com:80', false],
    ['http://example.com:81', 'EXAMPLE.com:81', true],
    ['http://[::1]:80', '::1', true],
    ['http://[::1]:80', '[::1]:80', true],
    ['http://10.1.2.3', '10.0.0.0/8', true],
    ['http://11.1.2.3', '10.0.0.0/8', false],
    ['http://[fd00::1]', 'fd00::/8', true],
    ['http://1.2.3.4', '3.4', false],
    ['http://example.com', '*', true],
    ['http://example.com', '', false],
  ])('B1 %s with NO_PROXY=%s goes around the proxy: %s', (url, list, isExempt) => {
    const proxy = proxyFor(originOf(new URL(url)), { http_proxy: 'proxy.example:3128', NO_PROXY: list });
    expect(proxy === undefined).toBe(isExempt);
    expect(proxy?.port ?? 3128).toBe(3128);
  });

  it('B7 what the operator sets is guarded in front of a proxy, too', async () => {
    const proxy = await startService(echo);
    const lookup = (
      _name: string,
      _options: object,
      callback: (error: null, all: { address: string; family: number }[]) => void,
    ): void => callback(null, [{ address: '10.0.0.1', family: 4 }]);
    const settings = { env: { HTTP_PROXY: proxy.origin }, values: { URL: 'http://inside.example' } };
    expect((await failureOf(openBackend({ url: '{config.URL}' }, settings, { lookup }).request({})))['code']).toBe(
      'ADDRESS_REFUSED',
    );
    expect(proxy.received).toEqual([]);
  });
});
