// A fixed token, and who may listen without one.
import { describe, expect, it } from 'vitest';
import { AuthProblem } from '../../../runtime/serve/auth/authorizer.js';
import { checkBind, isLoopback } from '../../../runtime/serve/auth/check-bind.js';
import { createAuthorizer } from '../../../runtime/serve/auth/create-authorizer.js';

const token = 'kB7x-Q2/longEnough+token==';
const open = (value: string | undefined, host = '127.0.0.1', reports: string[] = []) =>
  createAuthorizer(
    { type: 'bearer', env: 'MCP_TOKEN' },
    {
      env: { MCP_TOKEN: value },
      host,
      resourceUrl: 'http://127.0.0.1:3000/mcp',
      report: text => void reports.push(text),
    },
  );

describe('bearer tokens', () => {
  it('C14 fix-F4 the right bearer token is granted and has no scopes', async () => {
    const authorizer = open(`${token}\n`);
    const answer = await authorizer.authorize({ authorization: `Bearer ${token}` });
    expect(answer).toEqual({
      ok: true,
      principal: 'bearer',
      isShared: true,
      auth: { token, clientId: 'bearer', scopes: [], claims: {} },
    });
    if (answer.ok) expect(authorizer.refuseScopes(answer.auth, ['issues:write'])?.status).toBe(403);
    expect(authorizer.metadata).toBeUndefined();
  });

  it('C14 a caller with no bearer token or a wrong one gets 401', async () => {
    const authorizer = open(token);
    expect(await authorizer.authorize({})).toEqual({
      ok: false,
      status: 401,
      headers: { 'www-authenticate': 'Bearer' },
      body: { error: 'unauthorized', error_description: 'An access token is needed: Authorization: Bearer ...' },
    });
    const wrong = [token.slice(0, -1), `${token}x`, token.toLowerCase(), 'x', `"${token}"`, 'a'.repeat(token.length)];
    for (const one of wrong) {
      expect(await authorizer.authorize({ authorization: `Bearer ${one}` })).toMatchObject({
        ok: false,
        status: 401,
        headers: { 'www-authenticate': 'Bearer error="invalid_token", error_description="the token is not valid"' },
      });
    }
    expect(await authorizer.authorize({}, `/mcp?access_token=${encodeURIComponent(token)}`)).toMatchObject({
      status: 401,
    });
    expect(await authorizer.authorize({ authorization: `Bearer ${'a'.repeat(13_000)}` })).toMatchObject({
      status: 401,
    });
  });

  it('fix-A15 fix-N27 C14 a short bearer token is refused where others can reach the server, and a warning on loopback', async () => {
    const short = 'x'.repeat(15);
    for (const host of ['0.0.0.0', '::', '192.168.0.7', 'mcp.example.com']) {
      expect(() => open(short, host)).toThrow(/MCP_TOKEN has fewer than 16 characters and can be guessed.*openssl/);
      expect(() => open(`${short}x`, host)).not.toThrow();
    }
    const reports: string[] = [];
    const authorizer = open(short, 'localhost', reports);
    expect(reports).toEqual([expect.stringMatching(/MCP_TOKEN has fewer than 16 characters/)]);
    expect(reports[0]).not.toContain(short);
    expect(await authorizer.authorize({ authorization: `Bearer ${short}` })).toMatchObject({ ok: true });
  });

  it('C14 a variable that is unset, empty or unusable stops the start and says what to do', () => {
    for (const value of [undefined, '', ' \n']) {
      expect(() => open(value)).toThrow(AuthProblem);
      expect(() => open(value)).toThrow(
        /MCP_TOKEN, which is not set; set it to the output of `openssl rand -base64 32`/,
      );
    }
    for (const value of ['two words', 'ünï', 'a\u0000b']) {
      expect(() => open(value)).toThrow(/MCP_TOKEN has characters that no header can carry/);
      expect(() => open(value)).not.toThrow(value);
    }
  });
});

describe('listening without auth', () => {
  it('C14 loopback needs no auth, and any other address needs auth or `--insecure`', () => {
    for (const host of ['127.0.0.1', '127.1.2.3', 'localhost', 'LOCALHOST', '::1', '[::1]', '::ffff:127.0.0.1']) {
      expect([host, isLoopback(host), checkBind({ host, hasAuth: false, insecure: false })]).toEqual([
        host,
        true,
        undefined,
      ]);
    }
    for (const host of [
      '0.0.0.0',
      '::',
      '',
      '192.168.1.5',
      'example.com',
      '127.evil.com',
      'localhost.evil.com',
      '1127.0.0.1',
    ]) {
      expect([host, checkBind({ host, hasAuth: false, insecure: false })]).toEqual([
        host,
        expect.stringContaining('Add `auth` to the server'),
      ]);
      expect(checkBind({ host, hasAuth: true, insecure: false })).toBeUndefined();
      expect(checkBind({ host, hasAuth: false, insecure: true })).toBeUndefined();
    }
  });
});
