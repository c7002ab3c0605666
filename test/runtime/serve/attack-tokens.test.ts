// OAuth tokens of every wrong kind, over HTTP: none is served, none is an error of the server, none makes it ask elsewhere.
import { CompactEncrypt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAuthorizer } from '../../../runtime/serve/auth/create-authorizer.js';
import { audience, type Issuer, now, startIssuer } from './auth-issuer.js';
import { postModern, serve } from './serve-web.js';

const seconds = now / 1000;
let issuer: Issuer;
beforeEach(async () => {
  issuer = await startIssuer();
});
afterEach(() => issuer.close());

async function serveTokens(): Promise<{ statusOf(token: string): Promise<number>; reports: readonly string[] }> {
  const reports: string[] = [];
  const authorizer = createAuthorizer(
    { type: 'oauth', issuer: issuer.url, audience },
    {
      ...{ env: {}, host: '127.0.0.1', resourceUrl: 'http://127.0.0.1:3000/mcp', now: () => now, cooldownMs: 0 },
      report: text => void reports.push(text),
    },
  );
  const { url } = await serve({ authorizer, limits: { wrongTokens: 1e6 } });
  return {
    reports,
    async statusOf(token) {
      const answer = await postModern(url, 1, 'tools/list', {}, { headers: { authorization: `Bearer ${token}` } });
      await answer.text();
      return answer.status;
    },
  };
}

it("fix-A15 C14 a token whose claims are missing, malformed or somebody else's gets 401", async () => {
  const { statusOf, reports } = await serveTokens();
  const wrong: readonly Readonly<Record<string, unknown>>[] = [
    ...[String(seconds + 300), -1, 0, null, undefined, [seconds + 300], seconds - 31].map(exp => ({ exp })),
    ...[seconds + 60, 'x'].map(nbf => ({ nbf })),
    ...[
      'https://other',
      ['https://other'],
      [],
      { a: audience },
      undefined,
      `${audience}/x`,
      audience.toUpperCase(),
    ].map(aud => ({ aud })),
    ...['https://evil.example', [issuer.url], undefined, `${issuer.url}//`].map(iss => ({ iss })),
    { iat: 'x' },
  ];
  for (const claims of wrong) {
    expect([claims, await statusOf(await issuer.token(claims))]).toEqual([claims, 401]);
  }
  const right = [
    {},
    { exp: seconds - 29 },
    { aud: ['https://other', audience] },
    { iss: `${issuer.url}/` },
    { exp: 1e20 },
  ];
  const odd = [
    { sub: { a: 1 } },
    { sub: undefined },
    { sub: 'x'.repeat(4000) },
    { scope: { a: 1 } },
    { client_id: {} },
  ];
  for (const claims of [...right, ...odd]) {
    expect([claims, await statusOf(await issuer.token(claims))]).toEqual([claims, 200]);
  }
  expect(reports).toEqual([]);
});

it('fix-A15 C14 a token with no or a wrong signature gets 401, and a key that a token names is never fetched', async () => {
  const { statusOf, reports } = await serveTokens();
  const evil = await generateKeyPair('ES256', { extractable: true });
  const sealer = await generateKeyPair('ECDH-ES');
  const good = { iss: issuer.url, aud: audience, sub: 'ann', client_id: 'app', exp: seconds + 300 };
  const token = await issuer.token();
  expect(await statusOf(token)).toBe(200);
  const asked = [...issuer.asked.keys()];
  const [head = '', payload = '', signature = ''] = token.split('.');
  const code = (value: unknown): string =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
  const signed = (header: object): Promise<string> =>
    new SignJWT(good).setProtectedHeader({ alg: 'ES256', ...header }).sign(evil.privateKey);
  const under = (header: object): string => `${code(header)}.${payload}.${signature}`;
  const wrong = [
    ...(await Promise.all([
      ...[{ kid: 'first' }, { kid: 'first', jwk: await exportJWK(evil.publicKey) }, {}, { kid: '../../dev/null' }].map(
        signed,
      ),
      ...[{ jku: `${issuer.url}/evil` }, { kid: 'first', x5u: `${issuer.url}/evil` }].map(signed),
      new CompactEncrypt(Buffer.from(token))
        .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A128GCM' })
        .encrypt(sealer.publicKey),
    ])),
    ...['none', 'None', 'es256', ['ES256'], 'ES384', 'RS256', 'HS256'].map(alg => under({ alg, kid: 'first' })),
    under({ alg: 'ES256', kid: {} }),
    under({ alg: 'ES256', kid: 'first', crit: ['x'], x: 1 }),
    under({ alg: 'ES256', kid: 'first', b64: false, crit: ['b64'] }),
    ...[`${head}.${payload}.`, `${head}.${payload}`, `${token}.x`, `${token}.x.y`, 'x', '..', '....', `${token}x`],
    ...[{ ...good, sub: 'root' }, [1], '"x"', '['.repeat(3000)].map(other => `${head}.${code(other)}.${signature}`),
    // All zeros were once a signature of everything.
    `${head}.${payload}.${Buffer.alloc(64).toString('base64url')}`,
  ];
  for (const one of wrong) expect([one, await statusOf(one)]).toEqual([one, 401]);
  expect([...issuer.asked.keys()]).toEqual(asked);
  expect(reports).toEqual([]);
});
