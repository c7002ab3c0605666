// OAuth access tokens, checked against a real issuer on this machine.
import { createHmac } from 'node:crypto';
import { exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Authorizer, Granted, Refused } from '../../../runtime/serve/auth/authorizer.js';
import { type AuthorizerOptions, createAuthorizer } from '../../../runtime/serve/auth/create-authorizer.js';
import { audience, type Issuer, now, startIssuer } from './auth-issuer.js';

const resourceUrl = 'http://127.0.0.1:3000/mcp';
let issuer: Issuer;
let reports: string[];
let clock: number;

beforeEach(async () => {
  issuer = await startIssuer();
  reports = [];
  clock = now;
});
afterEach(() => issuer.close());

function open(definition: object = {}, options: Partial<AuthorizerOptions> = {}): Authorizer {
  return createAuthorizer(
    { type: 'oauth', issuer: issuer.url, audience, ...definition },
    {
      ...{ env: {}, host: '127.0.0.1', resourceUrl, now: () => clock, cooldownMs: 0 },
      report: text => reports.push(text),
      ...options,
    },
  );
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function refused(answer: Promise<Granted | Refused>): Promise<[number, string, string]> {
  const result = await answer;
  if (result.ok) throw new Error('it was granted');
  const { error_description: reason } = result.body as { error_description: string };
  return [result.status, result.headers['www-authenticate'] ?? '', reason];
}

const metadataUrl = `${audience}/.well-known/oauth-protected-resource`;

describe('tokens of the issuer', () => {
  it('C14 a token of the issuer is granted with subject, client, scopes, expiry and claims', async () => {
    const token = await issuer.token({ scope: 'issues:read issues:write', tenant: 7 });
    expect(await open().authorize(bearer(token))).toEqual({
      ok: true,
      principal: JSON.stringify([issuer.url, 'ann', 'app']),
      auth: {
        token,
        clientId: 'app',
        subject: 'ann',
        scopes: ['issues:read', 'issues:write'],
        expiresAt: now / 1000 + 300,
        claims: expect.objectContaining({ iss: issuer.url, tenant: 7 }),
      },
    });
  });

  it.each(['RS256', 'PS256', 'ES384', 'EdDSA'])('C14 a token of the issuer may be signed with %s', async algorithm => {
    await issuer.rotate('other', algorithm);
    expect(await open().authorize(bearer(await issuer.token()))).toMatchObject({ ok: true });
  });

  it('C14 a token has its scopes in scope or scp, as a string or a list', async () => {
    const scopesOf = async (claims: Readonly<Record<string, unknown>>): Promise<unknown> => {
      const answer = await open().authorize(bearer(await issuer.token(claims)));
      return answer.ok && answer.auth.scopes;
    };
    expect(await scopesOf({ scp: ['a', 'b'] })).toEqual(['a', 'b']);
    expect(await scopesOf({ scp: 'a  b a' })).toEqual(['a', 'b']);
    expect(await scopesOf({ scope: 'a', scp: ['b', 7] })).toEqual(['a', 'b']);
    expect(await scopesOf({ scope: { a: 1 } })).toEqual([]);
  });

  it('C14 tokens of another user, client or issuer have different principals', async () => {
    const principal = async (claims: Readonly<Record<string, unknown>>): Promise<string> => {
      const answer = await open().authorize(bearer(await issuer.token(claims)));
      return answer.ok ? answer.principal : '';
    };
    const all = [
      {},
      { sub: 'bob' },
      { client_id: 'other' },
      { client_id: undefined, azp: 'third' },
      { sub: undefined, client_id: undefined },
    ];
    expect(new Set(await Promise.all(all.map(principal))).size).toBe(all.length);
    expect(await principal({ jti: '1' })).toBe(await principal({ jti: '2' }));
  });

  it('C14 the scheme may be written in any case, and one key may have no id', async () => {
    const token = await issuer.token();
    expect(await open().authorize({ authorization: `bEARER ${token}` })).toMatchObject({ ok: true });
    const [key] = issuer.keys;
    issuer.keys = [{ ...key, kid: undefined }] as never;
    expect(await open().authorize(bearer(await issuer.token({}, { kid: undefined })))).toMatchObject({ ok: true });
  });

  it('C14 several keys that fit a token without a key id are all tried', async () => {
    const { publicKey } = await generateKeyPair('ES256', { extractable: true });
    issuer.keys = [{ ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'x' }, ...issuer.keys];
    const token = await issuer.token({}, { kid: undefined });
    expect(await open().authorize(bearer(token))).toMatchObject({ ok: true });
    issuer.keys = [
      { ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'x' },
      { ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'y' },
    ];
    expect(await refused(open().authorize(bearer(token)))).toEqual([
      401,
      expect.any(String),
      "the token's signature is wrong",
    ]);
  });
});

describe('refused callers', () => {
  it('C14 a caller without a token gets 401 and where to learn more, without an error', async () => {
    for (const headers of [{}, { authorization: 'Basic YTpi' }, { authorization: undefined }]) {
      const [status, challenge] = await refused(open({ scopes: ['mcp'] }).authorize(headers));
      expect([status, challenge]).toEqual([401, `Bearer scope="mcp", resource_metadata="${metadataUrl}"`]);
    }
    expect(issuer.asked.size).toBe(0);
  });

  it('C14 a wrong token gets 401 with error="invalid_token" and the reason', async () => {
    const authorizer = open();
    const seconds = now / 1000;
    const cases: [Promise<string>, string][] = [
      [issuer.token({ exp: seconds - 31 }), 'the token has expired'],
      [issuer.token({ nbf: seconds + 31 }), 'the token is not for this server: it is not valid yet'],
      [issuer.token({ aud: 'https://other.example.com' }), 'the token is not for this server: its aud is another one'],
      [issuer.token({ aud: undefined }), 'the token is not for this server: it has no aud'],
      [issuer.token({ iss: 'https://evil.example.com' }), 'the token is not for this server: its iss is another one'],
      [issuer.token({ exp: undefined }), 'the token is not for this server: it has no exp'],
      [issuer.token({}, { kid: 'nobody' }), 'the token is signed by an unknown key'],
      [Promise.resolve('rubbish'), 'the token is not a JWT'],
      [Promise.resolve('a.b.c'), 'the token is not a JWT'],
      [issuer.token().then(token => `${token.slice(0, -8)}AAAAAAAA`), "the token's signature is wrong"],
      [issuer.token({}, { crit: ['b64'], b64: false }).catch(() => 'a.b.c'), 'the token is not a JWT'],
    ];
    for (const [token, reason] of cases) {
      const [status, challenge, told] = await refused(authorizer.authorize(bearer(await token)));
      expect([reason, status, told]).toEqual([reason, 401, reason]);
      expect(challenge).toBe(
        `Bearer error="invalid_token", error_description="${reason}", resource_metadata="${metadataUrl}"`,
      );
    }
    expect(await authorizer.authorize(bearer(await issuer.token({ exp: seconds - 29 })))).toMatchObject({ ok: true });
  });

  it('C14 alg none and a public key used as a shared secret are refused without asking the issuer', async () => {
    const authorizer = open();
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const payload = part({ iss: issuer.url, aud: audience, sub: 'eve', exp: now / 1000 + 300 });
    const [jwk] = issuer.keys;
    const pem = await exportSPKI((await importJWK(jwk as never)) as never);
    const unsigned = `${part({ alg: 'none' })}.${payload}.`;
    const head = `${part({ alg: 'HS256', kid: 'first' })}.${payload}`;
    const forged = [pem, JSON.stringify(jwk)].map(
      secret => `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`,
    );
    const embedded = await generateKeyPair('ES256', { extractable: true });
    const own = await new SignJWT({ sub: 'eve' })
      .setProtectedHeader({
        alg: 'ES256',
        jwk: await exportJWK(embedded.publicKey),
        jku: `${issuer.url}/evil`,
      } as never)
      .sign(embedded.privateKey);
    for (const token of [unsigned, ...forged]) {
      expect(await refused(authorizer.authorize(bearer(token)))).toMatchObject([
        401,
        expect.any(String),
        'the token is signed in a way that is not accepted',
      ]);
    }
    expect(issuer.asked.size).toBe(0);
    expect((await refused(authorizer.authorize(bearer(own))))[0]).toBe(401);
    expect([...issuer.asked.keys()]).not.toContain('/evil');
  });

  it('C14 oversized, doubled, malformed and misplaced tokens are refused with the reason', async () => {
    const authorizer = open();
    const token = await issuer.token();
    const cases: [object, string | undefined, string][] = [
      [{ authorization: `Bearer ${'a'.repeat(20_000)}` }, undefined, 'the token is too long'],
      [
        { authorization: [`Bearer ${token}`, `Bearer ${token}`] },
        undefined,
        'there is more than one Authorization header',
      ],
      [{ authorization: 'Bearer' }, undefined, 'the Authorization header is malformed'],
      [{ authorization: `Bearer ${token} ${token}` }, undefined, 'the Authorization header is malformed'],
      [{}, `/mcp?access_token=${token}`, 'tokens belong in the Authorization header, not in the address'],
      [
        bearer(token),
        `/mcp?x=1&access_token=${token}`,
        'tokens belong in the Authorization header, not in the address',
      ],
    ];
    for (const [headers, url, reason] of cases) {
      expect(await refused(authorizer.authorize(headers as never, url))).toMatchObject([
        401,
        expect.any(String),
        reason,
      ]);
    }
    expect(await authorizer.authorize({ authorization: [`Bearer ${token}`] })).toMatchObject({ ok: true });
  });

  it('C14 a token without the scopes of the server gets 403 with insufficient_scope and what is needed', async () => {
    const authorizer = open({ scopes: ['mcp', 'issues:read'] });
    expect(await refused(authorizer.authorize(bearer(await issuer.token({ scope: 'mcp' }))))).toEqual([
      403,
      `Bearer error="insufficient_scope", error_description="The token lacks a scope; needed: mcp issues:read", scope="mcp issues:read", resource_metadata="${metadataUrl}"`,
      'The token lacks a scope; needed: mcp issues:read',
    ]);
    expect(await authorizer.authorize(bearer(await issuer.token({ scope: 'issues:read x mcp' })))).toMatchObject({
      ok: true,
    });
  });

  it('C14 a token without the scopes of a tool gets 403, with those of the server in it', async () => {
    const authorizer = open({ scopes: ['mcp'] });
    const granted = await authorizer.authorize(bearer(await issuer.token({ scope: 'mcp a' })));
    if (!granted.ok) throw new Error('refused');
    expect(authorizer.refuseScopes(granted.auth, ['a'])).toBeUndefined();
    expect(authorizer.refuseScopes(granted.auth, [])).toBeUndefined();
    expect(authorizer.refuseScopes(granted.auth, ['a', 'b'])).toMatchObject({
      status: 403,
      headers: { 'www-authenticate': expect.stringContaining('scope="mcp a b"') },
    });
  });
});

describe('keys of the issuer', () => {
  it('C14 the keys of the issuer are fetched once, and again when they rotate', async () => {
    const authorizer = open();
    await Promise.all([1, 2, 3].map(async () => authorizer.authorize(bearer(await issuer.token()))));
    expect(issuer.asked.get('/keys')).toBe(1);
    const old = await issuer.token();
    await issuer.rotate('second');
    expect(await authorizer.authorize(bearer(await issuer.token()))).toMatchObject({ ok: true });
    expect(issuer.asked.get('/keys')).toBe(2);
    expect(await refused(authorizer.authorize(bearer(old)))).toMatchObject([
      401,
      expect.any(String),
      'the token is signed by an unknown key',
    ]);
  });

  it('C14 unknown keys do not make the server ask the issuer again and again', async () => {
    const authorizer = open({}, { cooldownMs: 60_000 });
    await authorizer.authorize(bearer(await issuer.token()));
    for (let index = 0; index < 20; index++) {
      expect((await refused(authorizer.authorize(bearer(await issuer.token({}, { kid: `k${index}` })))))[0]).toBe(401);
    }
    expect(issuer.asked.get('/keys')).toBe(1);
  });

  it('C14 given keys need no metadata, and metadata may be that of OpenID and below a path', async () => {
    expect(await open({ jwks: `${issuer.url}/keys` }).authorize(bearer(await issuer.token()))).toMatchObject({
      ok: true,
    });
    expect([...issuer.asked.keys()]).toEqual(['/keys']);
    for (const place of ['/.well-known/openid-configuration/realm', '/realm/.well-known/openid-configuration']) {
      const realm = await startIssuer('/realm');
      const origin = new URL(realm.url).origin;
      realm.answers.set('/.well-known/oauth-authorization-server/realm', 404);
      realm.answers.set(place, { issuer: `${realm.url}/`, jwks_uri: `${origin}/keys` });
      const authorizer = open({ issuer: realm.url });
      expect([place, await authorizer.authorize(bearer(await realm.token()))]).toMatchObject([place, { ok: true }]);
      expect(await authorizer.authorize(bearer(await realm.token({ iss: `${realm.url}/` })))).toMatchObject({
        ok: true,
      });
      await realm.close();
    }
  });

  it('C14 metadata of somebody else, or that leads to plain HTTP, is not trusted', async () => {
    const place = '/.well-known/oauth-authorization-server';
    const keys = `${issuer.url}/keys`;
    for (const answer of [
      { issuer: 'https://evil.example.com', jwks_uri: keys },
      { issuer: issuer.url, jwks_uri: 'http://evil.example.com/keys' },
      { issuer: issuer.url, jwks_uri: 'file:///etc/passwd' },
      { issuer: issuer.url },
      'not json',
      500,
    ]) {
      issuer.answers.set(place, answer);
      expect(await open().authorize(bearer(await issuer.token()))).toMatchObject({ ok: false, status: 503 });
    }
    expect(issuer.asked.get('/keys')).toBeUndefined();
  });

  it('C14 an issuer that is down gives 503 and a report without the token, and is left alone for a while', async () => {
    issuer.answers.set('/keys', 500);
    const authorizer = open();
    const token = await issuer.token();
    const answer = await authorizer.authorize(bearer(token));
    expect(answer).toEqual({
      ok: false,
      status: 503,
      headers: { 'retry-after': '5' },
      body: expect.objectContaining({ error: 'temporarily_unavailable' }),
    });
    const asked = issuer.asked.get('/keys');
    expect(await authorizer.authorize(bearer(token))).toMatchObject({ status: 503 });
    expect(issuer.asked.get('/keys')).toBe(asked);
    expect(reports).toEqual([
      expect.stringContaining(`tokens cannot be checked: the keys of ${issuer.url} cannot be fetched`),
    ]);
    expect(reports.join()).not.toContain(token.slice(0, 20));
    issuer.answers.delete('/keys');
    clock += 5_001;
    expect(await authorizer.authorize(bearer(token))).toMatchObject({ ok: true });
  });

  it('C14 an issuer that cannot be reached gives 503, not a crash', async () => {
    const gone = await startIssuer();
    await gone.close();
    const authorizer = open({ issuer: gone.url });
    expect(await authorizer.authorize(bearer(await gone.token()))).toMatchObject({ ok: false, status: 503 });
    expect(reports[0]).toContain('ECONNREFUSED');
  });

  it('C14 an outage of the issuer does not lock out callers whose keys are known', async () => {
    const authorizer = open();
    const known = await issuer.token();
    expect(await authorizer.authorize(bearer(known))).toMatchObject({ ok: true });
    issuer.answers.set('/keys', 500);
    expect(await authorizer.authorize(bearer(await issuer.token({}, { kid: 'newer' })))).toMatchObject({ status: 503 });
    expect(await authorizer.authorize(bearer(known))).toMatchObject({ ok: true });
    expect((await refused(authorizer.authorize(bearer(await issuer.token({ exp: 1 })))))[2]).toBe(
      'the token has expired',
    );
  });

  it('C14 the issuer must be reached by https, except on this machine', () => {
    expect(() => open({ issuer: 'http://login.example.com' })).toThrow(
      'the issuer "http://login.example.com" must start with https://',
    );
    expect(() => open({ issuer: 'login' })).toThrow('the issuer "login" is not an address');
    expect(() => open({ jwks: 'http://login.example.com/keys' })).toThrow('must start with https://');
    expect(() => open({ audience: ' ' })).toThrow('the audience of tokens is empty');
  });
});

describe('protected-resource metadata', () => {
  it('C14 the metadata is served with and without the path of the endpoint, and nowhere else', () => {
    const authorizer = open({ scopes: ['mcp'] }, { toolScopes: ['issues:read', 'mcp'] });
    const document = {
      resource: audience,
      authorization_servers: [issuer.url],
      scopes_supported: ['mcp', 'issues:read'],
      bearer_methods_supported: ['header'],
    };
    for (const path of ['', '/', '/mcp', '/mcp/'])
      expect(authorizer.metadata?.(`/.well-known/oauth-protected-resource${path}`)).toEqual(document);
    for (const path of [
      '/mcp',
      '/.well-known/oauth-protected-resource/other',
      '/.well-known/oauth-authorization-server',
      '/',
    ]) {
      expect(authorizer.metadata?.(path)).toBeUndefined();
    }
  });

  it('C14 an audience that is not an address makes the listening address the resource', async () => {
    const authorizer = open({ audience: 'my-server' });
    expect(authorizer.metadata?.('/.well-known/oauth-protected-resource/mcp')).toMatchObject({ resource: resourceUrl });
    const [, challenge] = await refused(authorizer.authorize({}));
    expect(challenge).toBe('Bearer resource_metadata="http://127.0.0.1:3000/.well-known/oauth-protected-resource/mcp"');
    expect(await authorizer.authorize(bearer(await issuer.token({ aud: ['x', 'my-server'] })))).toMatchObject({
      ok: true,
    });
  });
});
