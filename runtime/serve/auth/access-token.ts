// In: a JWT, the keys of its issuer, what it must say. Out: who called; or what is wrong with the token, for its bearer.
import { createHash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type { Auth } from '../../../schema/support/mcp/client.js';
import { type IssuerKeys, IssuerUnavailable } from './issuer-keys.js';

export type Jose = typeof import('./token-library.js')['jose'];

/** Asymmetric ones only: with `none` or a shared secret anybody could make a token out of a public key. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
export const clockToleranceSeconds = 30;

/** What can be said without the issuer; anyone who sends rubbish causes no traffic. */
export function checkHeader(jose: Jose, token: string): string | undefined {
  try {
    const { alg } = jose.decodeProtectedHeader(token);
    if (alg === undefined || !algorithms.includes(alg)) return 'the token is signed in a way that is not accepted';
    jose.decodeJwt(token);
    return undefined;
  } catch {
    return 'the token is not a JWT';
  }
}

export function checksAt(now: number, { issuer, audience }: { issuer: string; audience: string }): VerifyOptions {
  const plain = issuer.replace(/\/$/, '');
  return {
    // Issuers and their users do not agree about the slash at the end.
    issuer: [plain, `${plain}/`],
    audience,
    algorithms,
    requiredClaims: ['exp'],
    clockTolerance: clockToleranceSeconds,
    currentDate: new Date(now),
  };
}

type VerifyOptions = Parameters<Jose['jwtVerify']>[2];

type FindKey = IssuerKeys['remote'] | NonNullable<ReturnType<IssuerKeys['known']>>;

/** Where several keys fit a token without a key id, each is tried. */
export async function verifyWith(
  jose: Jose,
  token: string,
  keys: FindKey,
  options: VerifyOptions,
): Promise<JWTPayload> {
  try {
    return (await jose.jwtVerify(token, keys, options)).payload;
  } catch (error) {
    if (!(error instanceof jose.errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return (await jose.jwtVerify(token, key, options)).payload;
      } catch (inner) {
        if (!(inner instanceof jose.errors.JWSSignatureVerificationFailed)) throw inner;
      }
    }
    throw new jose.errors.JWSSignatureVerificationFailed();
  }
}

/** What is wrong with the token; undefined where not the token is to blame. */
export function reasonOfToken({ errors }: Jose, error: unknown): string | undefined {
  if (error instanceof IssuerUnavailable) return undefined;
  if (error instanceof errors.JWTExpired) return 'the token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) return `the token is not for this server: ${claim(error)}`;
  if (error instanceof errors.JWKSNoMatchingKey) return 'the token is signed by an unknown key';
  if (error instanceof errors.JWSSignatureVerificationFailed) return "the token's signature is wrong";
  const isToken =
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported;
  return isToken ? 'the token is not valid' : undefined;
}

function claim({ claim: name, reason }: { readonly claim: string; readonly reason: string }): string {
  if (name === 'nbf') return 'it is not valid yet';
  return reason === 'missing' ? `it has no ${name}` : `its ${name} is another one`;
}

export function toAuth(token: string, payload: JWTPayload): Auth {
  const { sub, exp } = payload;
  const client = payload['client_id'] ?? payload['azp'] ?? payload['cid'];
  return {
    token,
    clientId: typeof client === 'string' ? client : '',
    scopes: scopesOf(payload),
    ...(typeof sub === 'string' ? { subject: sub } : {}),
    ...(typeof exp === 'number' ? { expiresAt: exp } : {}),
    claims: payload,
  };
}

/** `scope` is one text (RFC 9068); some issuers write `scp`, as a string or a list. */
function scopesOf(payload: JWTPayload): readonly string[] {
  const given = [payload['scope'], payload['scp']].flat();
  const words = given.flatMap(one => (typeof one === 'string' ? one.split(/\s+/) : []));
  return [...new Set(words.filter(word => word !== ''))];
}

export function principalOf({ token, subject, clientId, claims }: Auth): string {
  if (subject === undefined && clientId === '') return createHash('sha256').update(token).digest('base64url');
  return JSON.stringify([claims['iss'] ?? '', subject ?? '', clientId]);
}
