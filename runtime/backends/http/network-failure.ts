// B6. In: an error of a socket, of TLS, of the HTTP parser or of a decompressor. Out: the failure that tells which kind it is; `match` of a
// tool finds the code of the system in it.
import type { FailureKind } from '../../../schema/backend/failures.js';
import { isToolError } from '../../call/tool-error.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';

type Kind = 'UPSTREAM_DNS' | 'UPSTREAM_TLS' | 'UPSTREAM_INVALID' | 'UPSTREAM_TOO_LARGE' | 'UPSTREAM_UNREACHABLE';

interface Rule {
  readonly codes: RegExp;
  readonly kind: Kind;
  says(name: string): string;
}

/** The first that has the code counts. */
const rules: readonly Rule[] = [
  {
    codes: /^(?:ENOTFOUND|ENODATA|EAI_\w+)$/,
    kind: 'UPSTREAM_DNS',
    says: name => `The name of ${name} leads to no address`,
  },
  {
    codes: /^HPE_HEADER_OVERFLOW$/,
    kind: 'UPSTREAM_TOO_LARGE',
    says: name => `${name} answered with too many headers`,
  },
  { codes: /^HPE_/, kind: 'UPSTREAM_INVALID', says: name => `${name} answered with something that is not HTTP` },
  {
    codes: /^(?:Z_\w+|ERR_BROTLI_\w+|ERR__ERROR_\w+|ERR_PADDING_\w+)$/,
    kind: 'UPSTREAM_INVALID',
    says: name => `The answer of ${name} cannot be decompressed`,
  },
  {
    codes:
      /CERT|^(?:UNABLE_TO_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO$|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$|CRL_)/,
    kind: 'UPSTREAM_TLS',
    says: name => `There is no trusted TLS connection to ${name}`,
  },
  { codes: /^ECONNREFUSED$/, kind: 'UPSTREAM_UNREACHABLE', says: name => `${name} refuses connections` },
  {
    codes: /^(?:ECONNRESET|EPIPE|ECONNABORTED|ERR_STREAM_PREMATURE_CLOSE)$/,
    kind: 'UPSTREAM_UNREACHABLE',
    says: name => `The connection to ${name} broke off`,
  },
];
const otherwise: Omit<Rule, 'codes'> = { kind: 'UPSTREAM_UNREACHABLE', says: name => `${name} cannot be reached` };

/**
 * @example networkFailure('jira', error) // UPSTREAM_UNREACHABLE: jira refuses connections (ECONNREFUSED)
 */
export function networkFailure(name: string, error: unknown): Error {
  if (isToolError(error)) return error;
  const code = codeOf(error);
  const { kind, says } = rules.find(({ codes }) => code !== undefined && codes.test(code)) ?? otherwise;
  return new UpstreamFailure(kind, `${says(name)}${code === undefined ? '' : ` (${code})`}`, {
    upstream: code,
    suggestedFix:
      kind === 'UPSTREAM_TLS' ? 'A certificate of an own authority is trusted with NODE_EXTRA_CA_CERTS.' : undefined,
    cause: error,
  });
}

/** After these nobody knows whether the request was heard. */
const brokenOff = /^(?:ECONNRESET|EPIPE|ECONNABORTED|ERR_STREAM_PREMATURE_CLOSE|ETIMEDOUT)$/;

/** Of a request that must not be done twice: to send it again is not for a machine to decide. */
export function unsure(thrown: unknown): unknown {
  if (!(thrown instanceof UpstreamFailure) || !brokenOff.test(thrown.upstream ?? '')) return thrown;
  const { code, message, upstream, meta, cause } = thrown;
  const suggestedFix = 'It may have been done nevertheless: look before it is sent again.';
  return new UpstreamFailure(code as FailureKind, message, { upstream, meta, cause, retryable: false, suggestedFix });
}

export function codeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^\w+$/.test(code) ? code : undefined;
}

export function timedOut(name: string, milliseconds: number): UpstreamFailure {
  const time = milliseconds % 1000 === 0 ? `${milliseconds / 1000} s` : `${milliseconds} ms`;
  return new UpstreamFailure('UPSTREAM_TIMEOUT', `${name} did not answer within ${time}`, { upstream: 'ETIMEDOUT' });
}

export function tooLarge(name: string, bytes: number): UpstreamFailure {
  return new UpstreamFailure('UPSTREAM_TOO_LARGE', `The answer of ${name} has more than ${bytes} bytes`, {
    suggestedFix: 'Ask for less: fewer elements, fewer fields. limits.bytes of the backend is the limit.',
  });
}
