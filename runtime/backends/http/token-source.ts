// B1. In: id and secret of a client. Out: its access token, fetched when it is needed, kept until shortly before it expires, and fetched
// once however many calls wait for it.
import { STATUS_CODES } from 'node:http';
import type { ClientCredentials } from '../../../schema/definitions.js';
import { asText, isMap } from '../../../schema/document.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import type { BackendScope, CallScope } from '../ports.js';
import { configText, fillConfig } from './config-values.js';
import type { Sender } from './sender.js';

export interface TokenSource {
  get(call: Pick<CallScope, 'request'>): Promise<string>;
  /** Those that requests carry or lately carried: one that was refused or has expired is still a secret. */
  known(): readonly string[];
  /** The service refused it. True where another one may be had: it was not fetched a moment ago. */
  forget(token: string | undefined): boolean;
  close(): void;
}

interface Kept {
  readonly token: string;
  readonly expiresAt: number;
  /** Whether a request went out with it before. */
  isUsed: boolean;
}

/** A token that is this near its end could expire on the way. */
const longestMargin = 60_000;
const mostKnown = 5;

export interface TokenScope {
  readonly name: string;
  readonly scope: Pick<BackendScope, 'settings'>;
  /** To the token service. */
  readonly sender: Pick<Sender, 'send' | 'close'>;
}

export function makeTokenSource(credentials: ClientCredentials, { name, scope, sender }: TokenScope): TokenSource {
  let kept: Kept | undefined;
  let pending: Promise<Kept> | undefined;
  let known: readonly string[] = [];

  const fetchToken = async ({ request }: Pick<CallScope, 'request'>): Promise<Kept> => {
    const begun = Date.now();
    const [id, secret] = [credentials.id, credentials.secret].map(key =>
      encodeForm(configText(name, key, scope).trim()),
    );
    const wanted =
      credentials.scope === undefined ? '' : fillConfig(credentials.scope, key => configText(name, key, scope));
    const { status, body } = await sender.send(
      {
        method: 'POST',
        headers: {
          accept: 'application/json',
          authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: `grant_type=client_credentials${wanted === '' ? '' : `&scope=${encodeForm(wanted)}`}`,
      },
      // Others wait for the same token: who began must not end it.
      { request, signal: new AbortController().signal },
    );
    const answer = parse(await body.read());
    if (status < 200 || status > 299) throw noToken(name, status, answer);
    const token = asText(answer['access_token']);
    if (token === '')
      throw new UpstreamFailure('UPSTREAM_INVALID', `The token service of ${name} answered without a token`);
    known = [token, ...known.filter(one => one !== token)].slice(0, mostKnown);
    return { token, expiresAt: begun + lifetimeOf(answer['expires_in']), isUsed: false };
  };

  return {
    async get(call) {
      if (kept !== undefined && Date.now() < kept.expiresAt) {
        kept.isUsed = true;
        return kept.token;
      }
      pending ??= fetchToken(call).finally(() => {
        pending = undefined;
      });
      kept = await pending;
      return kept.token;
    },
    known: () => known,
    forget(token) {
      // Somebody else has got a new one already.
      if (kept === undefined || kept.token !== token) return true;
      const { isUsed } = kept;
      kept = undefined;
      return isUsed;
    },
    close: () => sender.close(),
  };
}

/** RFC 6749 has both parts encoded like a form before they are joined. */
function encodeForm(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

/** In milliseconds; without one it is kept until it is refused. */
function lifetimeOf(seconds: unknown): number {
  const given = typeof seconds === 'string' ? Number(seconds) : seconds;
  if (typeof given !== 'number' || !(given >= 0)) return Number.POSITIVE_INFINITY;
  return given * 1000 - Math.min(longestMargin, given * 100);
}

function parse(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isMap(value) ? value : {};
  } catch {
    return {};
  }
}

function noToken(name: string, status: number, answer: Readonly<Record<string, unknown>>): UpstreamFailure {
  // One word, such as invalid_client; descriptions may say more than callers should know.
  const [error] = /^[\w.-]{1,60}$/.exec(asText(answer['error'])) ?? [];
  const title = STATUS_CODES[status] === undefined ? '' : ` ${STATUS_CODES[status]}`;
  const reason = error === undefined ? '' : ` (${error})`;
  return new UpstreamFailure('UPSTREAM_ERROR', `The token service of ${name} answered ${status}${title}${reason}`, {
    retryable: status === 429 || status >= 500,
    meta: { status },
  });
}
