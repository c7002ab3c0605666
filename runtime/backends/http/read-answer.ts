// B5. In: an answer. Out: data for JSON, a string for text, bytes with their type for anything else, null for nothing; or the error that
// an answer stands for.
import { STATUS_CODES } from 'node:http';
import { headOf } from '../../call/print-cause.js';
import { redactBytes } from '../../call/redact.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import type { CallScope } from '../ports.js';
import type { Sender, Sent } from './sender.js';

export interface Answer {
  readonly value: unknown;
  readonly bytes: Buffer;
  readonly headers: Sent['headers'];
  readonly url: string;
}

export interface AnswerScope {
  readonly name: string;
  readonly sender: Pick<Sender, 'redact' | 'hideTokens'>;
  readonly call: Pick<CallScope, 'request' | 'signal'>;
  /** Pointers lead into it: JSON under another name is read as such. */
  readonly needsJson: boolean;
}

const textTypes =
  /^(?:text\/.*|application\/(?:.+\+)?(?:xml|yaml)|application\/(?:x-yaml|javascript|ecmascript|x-ndjson|ndjson|jsonl|json-seq|graphql|sql|toml|x-www-form-urlencoded))$/;
const jsonTypes = /^(?:application|text)\/json$|\+json$/;
/** Anything else in that header is not the name of a type. */
const mediaTypes = /^\s*([\w!#$&^.+-]+\/[\w!#$&^.+-]+)\s*(?:;|$)/;
const octets = 'application/octet-stream';

/** Of an answer that is not an error. */
export async function readAnswer(sent: Sent, scope: AnswerScope): Promise<Answer> {
  const bytes = await sent.body.read();
  return { value: interpret(bytes, sent, scope), bytes, headers: sent.headers, url: sent.url };
}

function interpret(bytes: Buffer, { headers, status }: Sent, scope: AnswerScope): unknown {
  if (bytes.length === 0) return scope.needsJson ? fail('nothing') : null;
  const { type, charset } = typeOf(headers['content-type']);
  const isJson = jsonTypes.test(type);
  const hide = (given: string): string => scope.sender.hideTokens(given, scope.call);
  if (!isJson && !scope.needsJson && !isText(type, bytes))
    return { data: redactBytes(bytes, hide), mimeType: hide(type === '' ? octets : type) };
  const text = hide(decode(bytes, charset));
  if (!isJson && !scope.needsJson) return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    return fail(isJson ? 'JSON that cannot be read' : `${type === '' ? 'something' : type} that is not JSON`, cause);
  }

  function fail(what: string, cause?: unknown): never {
    throw new UpstreamFailure('UPSTREAM_INVALID', `${scope.name} answered with ${what}`, {
      meta: { status, body: shortText(bytes, headers, scope) ?? null },
      // What the parser says quotes the answer.
      cause: cause === undefined ? undefined : new Error('JSON.parse failed'),
    });
  }
}

/** Without a type, text is what is UTF-8. */
function isText(type: string, bytes: Buffer): boolean {
  return type === '' ? !bytes.includes(0) && bytes.toString('utf8').indexOf('\ufffd') < 0 : textTypes.test(type);
}

function typeOf(header = ''): { readonly type: string; readonly charset: string | undefined } {
  if (header === 'application/json') return { type: header, charset: undefined };
  const [, charset] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(header) ?? [];
  return { type: mediaTypes.exec(header)?.[1]?.toLowerCase() ?? '', charset };
}

function decode(bytes: Buffer, charset: string | undefined): string {
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    try {
      return new TextDecoder(charset).decode(bytes);
    } catch {
      // Nobody knows that one; most texts are UTF-8 whatever they say.
    }
  }
  const text = bytes.toString('utf8');
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

const mostErrorBytes = 64 * 1024;
const mostErrorChars = 2_000;
const retryable: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504]);

/** The error that an answer other than 2xx is. Its body is cut, and has no secrets. */
export async function readError(sent: Sent, scope: AnswerScope): Promise<UpstreamFailure> {
  const { status, headers, body } = sent;
  const { name, call } = scope;
  let bytes: Buffer = Buffer.alloc(0);
  try {
    bytes = await body.readHead(mostErrorBytes);
  } catch {
    // The status says more than that the rest is missing.
    call.signal.throwIfAborted();
  }
  const text = shortText(bytes, headers, scope);
  const retryAfterMs = retryable.has(status) ? waitOf(headers['retry-after']) : undefined;
  const title = STATUS_CODES[status] === undefined ? '' : ` ${STATUS_CODES[status]}`;
  return new UpstreamFailure('UPSTREAM_ERROR', `${name} answered ${status}${title}`, {
    status,
    retryable: retryable.has(status),
    suggestedFix: retryAfterMs === undefined ? undefined : `Try again in ${Math.ceil(retryAfterMs / 1000)} s.`,
    meta: {
      status,
      ...(text === undefined ? {} : { body: text }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    },
  });
}

/** Secrets go before it is cut: half of one would not be found. */
function shortText(bytes: Buffer, headers: Sent['headers'], { sender, call }: AnswerScope): string | undefined {
  const { type, charset } = typeOf(headers['content-type']);
  if (bytes.length === 0 || !(jsonTypes.test(type) || isText(type, bytes))) return undefined;
  const text = sender.redact(decode(bytes.subarray(0, mostErrorBytes), charset), call);
  return text.length > mostErrorChars ? `${headOf(text, mostErrorChars)}...` : text;
}

/** A service that means more than a day has no idea. */
const longestRetryMs = 24 * 60 * 60 * 1000;

/** Seconds, or a date, which begins with the day of the week: of other texts `Date.parse` makes anything. */
function waitOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const isDate = /^[A-Z][a-z]+,? /.test(text);
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : isDate ? Date.parse(text) - Date.now() : Number.NaN;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), longestRetryMs);
}
