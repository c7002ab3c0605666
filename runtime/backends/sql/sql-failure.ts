// B6. In: what a driver or a database said. Out: an UpstreamFailure of the right kind, without passwords and without values of the statement.
import type { Cancellation } from '../../call/ports.js';
import { messageOf } from '../../call/print-cause.js';
import { isToolError } from '../../call/tool-error.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import { DatabaseError, type Limits, type Statement } from './database.js';

export interface FailureScope {
  readonly name: string;
  readonly limits: Limits;
  /** Undefined where nothing was waited for. */
  readonly signal: Cancellation | undefined;
  /** Takes secrets out. */
  redact(text: string): string;
}

const tlsCodes = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|HOSTNAME_MISMATCH)/;
const unreachable =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENOENT|EACCES|EADDRNOTAVAIL|08\w{3}|57P0[1-3]|53300)$/;
/** A file that is in use, deadlocks and serialization failures: the same call may work in a moment. */
const momentary = /^(SQLITE_BUSY|SQLITE_LOCKED|40001|40P01|55P03)$/;

/** Whatever was thrown, as what clients get. The reason of a signal stays what it is. */
export function sqlFailure(
  thrown: unknown,
  { name, redact, limits, signal }: FailureScope,
  statement?: Statement,
): unknown {
  if (isToolError(thrown) || (signal?.aborted === true && thrown === signal.reason)) return thrown;
  if (thrown instanceof DatabaseError) {
    switch (thrown.kind) {
      case 'timeout':
        return new UpstreamFailure('UPSTREAM_TIMEOUT', `${name} did not answer within ${limits.timeoutMs} ms`, {
          suggestedFix: 'Ask for less, or raise limits.timeoutMs of the backend.',
        });
      case 'rows':
        return new UpstreamFailure('UPSTREAM_TOO_LARGE', `${name} answered with more than ${limits.rows} rows`, {
          suggestedFix: 'Add LIMIT to the statement or raise limits.rows of the backend.',
          meta: { rows: limits.rows },
        });
      case 'bytes':
        return new UpstreamFailure('UPSTREAM_TOO_LARGE', `${name} answered with more than ${limits.bytes} bytes`, {
          suggestedFix: 'Select fewer columns or rows, or raise limits.bytes of the backend.',
          meta: { bytes: limits.bytes },
        });
      case 'no-file':
        return new UpstreamFailure('UPSTREAM_UNREACHABLE', `${name} has no database: ${redact(thrown.message)}`, {
          upstream: 'SQLITE_CANTOPEN',
          retryable: false,
          suggestedFix: 'Create the database, or correct the url of the backend.',
        });
      case 'wal':
        return new UpstreamFailure(
          'UPSTREAM_UNREACHABLE',
          `${name} has a write-ahead log (WAL), which node-sqlite3-wasm cannot read`,
          { upstream: thrown.code, retryable: false, suggestedFix: 'npm install better-sqlite3@12' },
        );
      case 'broken':
        return new UpstreamFailure('UPSTREAM_UNREACHABLE', `${name} lost its connection: ${redact(thrown.message)}`);
      case 'unsure':
        return new UpstreamFailure('UPSTREAM_UNREACHABLE', `${name} did not say whether it has written`, {
          retryable: false,
          suggestedFix: 'Look at what is there before the same is written again.',
        });
      case 'closed':
        return new UpstreamFailure('UPSTREAM_UNREACHABLE', `${name} is closed: the server is ending`);
      default:
        return answered(name, thrown.code, redact(thrown.message), statement);
    }
  }
  const code = codeOf(thrown);
  const message = redact(messageOf(firstOf(thrown)));
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EAI_NONAME')
    return new UpstreamFailure('UPSTREAM_DNS', `The host of ${name} is not known`, { upstream: code });
  if (tlsCodes.test(code ?? '') || /does not support SSL/.test(message))
    return new UpstreamFailure('UPSTREAM_TLS', `There is no safe connection to ${name}: ${message}`, {
      upstream: code,
    });
  if (
    code === 'ETIMEDOUT' ||
    /timeout exceeded when trying to connect|connection timeout|timeout expired/.test(message)
  )
    return new UpstreamFailure('UPSTREAM_TIMEOUT', `${name} did not answer within ${limits.timeoutMs} ms`, {
      upstream: code,
    });
  if (unreachable.test(code ?? '') || /Connection terminated|Client has encountered a connection error/.test(message))
    return new UpstreamFailure('UPSTREAM_UNREACHABLE', `${name} cannot be reached: ${message}`, { upstream: code });
  return answered(name, code, message, statement);
}

function answered(name: string, code: string | undefined, message: string, statement?: Statement): UpstreamFailure {
  const text = withoutValues(message, statement);
  // 25006 of PostgreSQL, and what SQLite says where it may only read.
  if (code === '25006' || code === 'SQLITE_READONLY')
    return new UpstreamFailure('UPSTREAM_ERROR', `${name} may only be read here: ${text}`, {
      upstream: code,
      suggestedFix: 'A tool that writes needs another effect than read, and a backend without readOnly.',
      meta: { code },
    });
  return new UpstreamFailure('UPSTREAM_ERROR', `${name} answered with an error: ${text}`, {
    upstream: code,
    retryable: momentary.test(code ?? ''),
    ...(code === undefined ? {} : { meta: { code } }),
  });
}

/** Databases quote values that they could not read. */
function withoutValues(message: string, statement: Statement | undefined): string {
  const texts = (statement?.binds ?? []).flat(9).filter(bind => typeof bind === 'string' || typeof bind === 'number');
  return texts.reduce<string>(
    (rest, bind) => rest.replaceAll(`value "${bind}"`, 'a value').replaceAll(`"${bind}"`, 'a value'),
    message,
  );
}

/** Where several addresses were tried, what the first said. */
function firstOf(thrown: unknown): unknown {
  return thrown instanceof AggregateError && thrown.errors.length > 0 ? thrown.errors[0] : thrown;
}

function codeOf(thrown: unknown): string | undefined {
  const one = firstOf(thrown);
  const code = typeof one === 'object' && one !== null ? (one as { readonly code?: unknown }).code : undefined;
  return typeof code === 'string' && code !== '' ? code : undefined;
}
