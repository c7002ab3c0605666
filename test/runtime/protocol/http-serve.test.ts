// Our own code for HTTP over real sockets, beside a server that has it switched off.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Authorizer } from '../../../runtime/serve/auth/authorizer.js';
import { type HttpServer, serveHttp } from '../../../runtime/serve/serve-http.js';
import type { ProtocolName } from '../../../runtime/serve/stdio-connection.js';
import { makeRandom } from '../../harness/random.js';
import { nobodyWatches } from '../serve/serve-tools.js';
import { postModern, serve } from '../serve/serve-web.js';
import { makeOddSurface, makeRequest, type Told, tell } from './http-traffic.js';

const protocols: readonly ProtocolName[] = ['own', 'sdk'];
const servers: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()));
});

const authorizer: Authorizer = {
  async authorize({ authorization }) {
    const [, scopes] = /^Bearer (\S+)$/.exec(String(authorization)) ?? [];
    if (scopes === undefined) return { ok: false, status: 401, headers: { 'www-authenticate': 'Bearer' }, body: {} };
    const auth = { token: 't', clientId: 'c', subject: scopes, scopes: scopes.split(','), claims: {} };
    return { ok: true, auth, principal: scopes };
  },
  refuseScopes({ scopes }, needed) {
    if (needed.every(scope => scopes.includes(scope))) return undefined;
    return { ok: false, status: 403, headers: { 'www-authenticate': `Bearer scope="${needed.join(' ')}"` }, body: {} };
  },
};

describe('our own protocol code over sockets', () => {
  it('C10 C11 W81 generated requests over sockets get the same answers with our own protocol code and without', async () => {
    const urls: string[] = [];
    for (const protocol of protocols) {
      const server = await serveHttp(makeOddSurface(), { protocol });
      servers.push(server);
      urls.push(server.url);
    }
    const random = makeRandom(7);
    for (let id = 1; id <= 500; id += 1) {
      const { headers, body } = makeRequest(random, id);
      const asked = urls.map(url => fetch(url, { method: 'POST', headers, body }).then(tell));
      const [own, sdk] = await Promise.all(asked);
      expect(own, JSON.stringify({ headers, body })).toEqual(sdk);
    }
  }, 120_000);

  it('C3 C14 scopes and progress over sockets are the same with our own protocol code and without', async () => {
    const ask = async (protocol: ProtocolName): Promise<readonly Told[]> => {
      const { url } = await serve({ protocol, authorizer });
      const call = (name: string, token: string, meta = {}): Promise<Told> =>
        postModern(
          url,
          1,
          'tools/call',
          { name },
          { meta, headers: token === '' ? {} : { authorization: token } },
        ).then(tell);
      return await Promise.all([
        call('who', ''),
        call('who', 'Bearer x'),
        call('scoped', 'Bearer x'),
        call('scoped', 'Bearer issues:read,issues:write'),
        call('progress', 'Bearer x', { progressToken: 't' }),
        call('log', 'Bearer x', { 'io.modelcontextprotocol/logLevel': 'error' }),
      ]);
    };
    const [own, sdk] = await Promise.all(protocols.map(ask));
    expect(own).toEqual(sdk);
    expect(own?.map(({ status }) => status)).toEqual([401, 200, 403, 200, 200, 200]);
    expect(own?.[4]?.type).toBe('text/event-stream');
  });

  it.each(protocols)('C4 closing the connection cancels its call, and other calls continue: %s', async protocol => {
    const watched = nobodyWatches();
    const { url } = await serve({ protocol, watched });
    const gone = new AbortController();
    const call = (name: string, signal?: AbortSignal): Promise<Response> => {
      const params = { name: 'slow', arguments: { ms: signal === undefined ? 300 : 60_000, name } };
      return postModern(url, 1, 'tools/call', params, { signal });
    };
    const [left, stays] = [call('left', gone.signal).catch(() => 'gone'), call('stays')];
    while (watched.started.length < 2) await sleep(5);
    gone.abort();
    while (watched.aborted.length === 0) await sleep(5);
    expect([await left, (await stays).status, watched.aborted]).toEqual(['gone', 200, ['left']]);
  });
});
