// An issuer of access tokens on this machine: metadata, keys that rotate, and a switch that turns it off.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export interface Issuer {
  readonly url: string;
  /** Requests by path. */
  readonly asked: Map<string, number>;
  /** What is served instead of the truth, by path; a number is a status. */
  readonly answers: Map<string, unknown>;
  keys: JWK[];
  /** Makes a key; the private part signs what follows. */
  rotate(kid: string, algorithm?: string): Promise<void>;
  /** Claims that are undefined are left out. */
  token(claims?: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, unknown>>): Promise<string>;
  close(): Promise<void>;
}

/** At 2027-01-15T08:00:00Z, the time of all tests. */
export const now = 1_800_000_000_000;
export const audience = 'https://mcp.example.com';

export async function startIssuer(path = ''): Promise<Issuer> {
  const asked = new Map<string, number>();
  const answers = new Map<string, unknown>();
  let keys: JWK[] = [];
  let signer: Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];
  let current = { kid: '', alg: 'ES256' };
  const server = createServer((request, response) => {
    const at = request.url ?? '';
    asked.set(at, (asked.get(at) ?? 0) + 1);
    const given = answers.get(at) ?? truth(at);
    response.writeHead(typeof given === 'number' ? given : 200, { 'content-type': 'application/json' });
    response.end(typeof given === 'number' ? '' : typeof given === 'string' ? given : JSON.stringify(given));
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = origin + path;
  const truth = (at: string): unknown => {
    if (at === '/keys') return { keys };
    if (at === `/.well-known/oauth-authorization-server${path}`) return { issuer: url, jwks_uri: `${origin}/keys` };
    return 404;
  };
  const issuer: Issuer = {
    url,
    asked,
    answers,
    get keys() {
      return keys;
    },
    set keys(value) {
      keys = value;
    },
    async rotate(kid, alg = 'ES256') {
      const pair = await generateKeyPair(alg, { extractable: true });
      signer = pair.privateKey;
      current = { kid, alg };
      keys = [{ ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' }];
    },
    token(claims = {}, header = {}) {
      const seconds = now / 1000;
      const payload = { iss: url, aud: audience, sub: 'ann', client_id: 'app', exp: seconds + 300, ...claims };
      return new SignJWT(payload).setProtectedHeader({ ...current, ...header } as never).sign(signer);
    },
    close: () =>
      new Promise<void>(done => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
  await issuer.rotate('first');
  return issuer;
}
