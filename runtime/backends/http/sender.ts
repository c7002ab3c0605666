// In: the address, credentials and limits of a backend. Out: requests sent there and nowhere else, with the head of each answer and a
// body to read. It knows nothing of what requests and answers mean.
import type { IncomingMessage } from 'node:http';
import { createRedact } from '../../call/context/secret-forms.js';
import { longestTimer } from '../../call/time-limit.js';
import { Gate, Turns } from '../../call/turns.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import type { BackendScope, CallScope } from '../ports.js';
import { type AnswerBody, openBody } from './answer-body.js';
import { type Attempt, Attempts, during } from './attempt.js';
import { type Auth, type Credentials, makeAuth } from './auth.js';
import { type BaseUrl, originOf, parseAddress } from './base-url.js';
import { exchange, repeatable } from './exchange.js';
import { type Hop, locationOf, mostRedirects, redirect } from './redirects.js';
import type { NetworkHooks } from './resolve-name.js';
import { makeSite, type SenderDefinition, type Site } from './site.js';
import { makeTokenSource } from './token-source.js';

type SendScope = Pick<CallScope, 'signal' | 'request'>;

export interface SendRequest {
  readonly method: string;
  /** Default: the backend's. It is sent as it is written. */
  readonly url?: string | undefined;
  /** In place of a whole address: path and query at the origin of the backend, as they are sent. */
  readonly target?: string | undefined;
  /** Names in lower case, values that were checked. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | undefined;
  /** The answer has no end that could be waited for: time and size are limited by who reads it. */
  readonly isStream?: boolean | undefined;
  /** It may be sent twice, whatever its method says. */
  readonly isRepeatable?: boolean | undefined;
}

export interface Sent {
  readonly status: number;
  /** By names in lower case; what came several times is joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed and limited. It must be read or discarded. */
  readonly body: AnswerBody;
  /** Where the answer came from, after redirects; without credentials. */
  readonly url: string;
}

export interface Sender {
  send(request: SendRequest, call: SendScope): Promise<Sent>;
  /** Undefined where there is no backend. Throws where configuration is missing. */
  base(): BaseUrl | undefined;
  /** Takes out secrets, also tokens that no configuration has. */
  redact(text: string, call: Pick<CallScope, 'request'>): string;
  /** Takes out those tokens alone, which are only known here: secrets of the configuration leave results later. */
  hideTokens(text: string, call: Pick<CallScope, 'request'>): string;
  close(): void;
}

const defaultTimeoutMs = 30_000;
export const defaultBytes = 10 * 1024 * 1024;
const defaultQueue = 100;

/** Without a definition requests name their own addresses, which are guarded. */
export function createSender(
  name: string,
  definition: SenderDefinition | undefined,
  scope: BackendScope,
  hooks: NetworkHooks = {},
): Sender {
  const { timeoutMs: wantedMs = defaultTimeoutMs, bytes = defaultBytes, concurrency, queue } = definition?.limits ?? {};
  const timeoutMs = Math.min(wantedMs, longestTimer);
  const turns = concurrency === undefined ? undefined : new Turns(name, [new Gate(concurrency)], queue ?? defaultQueue);
  const attempts = new Attempts(name, timeoutMs);
  const tokens = openTokens(name, definition, scope, hooks);
  const auth: Auth = makeAuth(definition?.auth, { name, scope, tokens });
  let site: Site | undefined;
  let isClosed = false;

  let hiding: { readonly tokens: string; readonly hide: (text: string) => string } | undefined;
  const hideTokens = (text: string, call: Pick<CallScope, 'request'>): string => {
    const known = auth.tokensOf(call);
    if (known.length === 0) return text;
    const key = known.join(' ');
    if (hiding?.tokens !== key) hiding = { tokens: key, hide: createRedact(known.map(token => ['token', token])) };
    return hiding.hide(text);
  };

  const settle = (): Site => {
    site ??= makeSite(definition, { name, scope, hooks, timeoutMs });
    return site;
  };

  const sendHop = (hop: Hop, isRepeatable: boolean, call: SendScope, attempt: Attempt): Promise<IncomingMessage> => {
    const { base, connections, route: known, headers } = settle();
    const isHome = base !== undefined && hop.origin.origin === base.origin;
    const route = (isHome ? known : undefined) ?? connections.routeTo(hop.origin);
    const { method, body } = hop;
    const sendWith = (credentials: Credentials | undefined): Promise<IncomingMessage> => {
      const all: Record<string, string> = { host: hop.origin.host, ...headers, ...hop.headers };
      if (credentials !== undefined) Object.assign(all, credentials.headers);
      if (body !== undefined) all['content-length'] = String(Buffer.byteLength(body));
      Object.assign(all, route.headers);
      const target = withCredentials(hop.target, credentials?.query);
      return exchange(name, route, { method, target, headers: all, body, isRepeatable }, attempt);
    };
    const proveAndSend = async (): Promise<IncomingMessage> => {
      if (route.check !== undefined) await during(attempt, route.check());
      if (!isHome) return sendWith(undefined);
      const credentials = await during(attempt, Promise.resolve(auth.of(call)));
      const response = await sendWith(credentials);
      if (response.statusCode !== 401 || !auth.renew(credentials)) return response;
      drop(response);
      return sendWith(await during(attempt, Promise.resolve(auth.of(call))));
    };
    const credentials = isHome && route.check === undefined ? auth.now(call) : undefined;
    return credentials === undefined ? proveAndSend() : sendWith(credentials);
  };

  const follow = async (
    first: Hop,
    request: SendRequest,
    call: SendScope,
    attempt: Attempt,
  ): Promise<[Hop, IncomingMessage]> => {
    let hop = first;
    for (let redirects = 0; ; redirects += 1) {
      const isRepeatable = request.isRepeatable ?? repeatable.has(hop.method);
      const response = await sendHop(hop, isRepeatable, call, attempt);
      const location = locationOf(response);
      if (location === undefined) return [hop, response];
      drop(response);
      if (redirects === mostRedirects)
        throw new UpstreamFailure('UPSTREAM_REDIRECT', `${name} redirects more than ${mostRedirects} times`);
      hop = redirect(hop, { status: response.statusCode ?? 0, location, canLeave: definition === undefined }, name);
    }
  };

  return {
    async send(request, call) {
      call.signal.throwIfAborted();
      if (isClosed) throw closed(name);
      const first = firstHop(name, settle().base, request);
      const isStream = request.isStream === true;
      const turn = turns === undefined ? undefined : await turns.take([], call.signal);
      const attempt = attempts.begin(call.signal, turn?.leave);
      try {
        // It may have waited long for its turn.
        if (isClosed) throw closed(name);
        const [hop, response] = await follow(first, request, call, attempt);
        if (isStream) {
          attempt.hasLimit = false;
          turn?.leave();
        }
        const status = response.statusCode ?? 0;
        const hasBody =
          hop.method !== 'HEAD' && status !== 204 && status !== 304 && response.headers['content-length'] !== '0';
        const body = openBody(response, {
          name,
          attempt,
          maxBytes: isStream ? Number.POSITIVE_INFINITY : bytes,
          hasBody,
        });
        return { status, headers: flatHeaders(response), body, url: hop.origin.origin + hop.target };
      } catch (thrown) {
        attempt.end();
        throw thrown;
      }
    },
    base: () => settle().base,
    redact: (text, call) => scope.settings.redact(hideTokens(text, call)),
    hideTokens,
    close() {
      isClosed = true;
      attempts.stopAll(() => closed(name));
      site?.connections.close();
      tokens?.close();
    },
  };
}

function closed(name: string): UpstreamFailure {
  return new UpstreamFailure('UPSTREAM_UNREACHABLE', `The connections to ${name} were closed`, { retryable: false });
}

function openTokens(
  name: string,
  definition: SenderDefinition | undefined,
  scope: BackendScope,
  hooks: NetworkHooks,
): ReturnType<typeof makeTokenSource> | undefined {
  const auth = definition?.auth;
  if (definition === undefined || auth === undefined || !('clientCredentials' in auth)) return undefined;
  const { clientCredentials } = auth;
  const { allowAddresses = [], limits: { timeoutMs = defaultTimeoutMs } = {} } = definition;
  const sender = createSender(
    `the token service of ${name}`,
    { url: clientCredentials.tokenUrl, allowAddresses, limits: { timeoutMs, bytes: 256 * 1024 } },
    scope,
    hooks,
  );
  return makeTokenSource(clientCredentials, { name, scope, sender });
}

/** Nothing is normalised: what was encoded arrives as it was encoded. */
function firstHop(name: string, base: BaseUrl | undefined, request: SendRequest): Hop {
  const { method, url, target, headers, body } = request;
  const parts = { method, headers, body };
  if (base !== undefined) {
    if (target !== undefined) return { method, headers, body, origin: base, target };
    if (url === undefined) return { ...parts, origin: base, target: withQuery(base.wholePath, base.query) };
    if (url.startsWith(`${base.origin}/`)) return { ...parts, origin: base, target: url.slice(base.origin.length) };
  } else if (url === undefined) throw new UpstreamFailure('BAD_VALUE', `${name} has no address to send a request to`);
  const parsed = parseAddress(url, 'The address of the request');
  const origin = originOf(parsed);
  if (base !== undefined && origin.origin !== base.origin)
    throw new UpstreamFailure('ADDRESS_REFUSED', `${name} takes requests at its own origin only`);
  return { ...parts, origin, target: parsed.pathname + parsed.search };
}

export function withQuery(target: string, query: string | undefined): string {
  if (query === undefined || query === '') return target;
  return `${target}${target.includes('?') ? '&' : '?'}${query}`;
}

/** A service that redirects may have put them in again. */
function withCredentials(target: string, query: string | undefined): string {
  if (query === undefined) return target;
  const key = query.slice(0, query.indexOf('=') + 1);
  return target.includes(`?${key}`) || target.includes(`&${key}`) ? target : withQuery(target, query);
}

/** An answer that nobody reads takes its connection with it, unless it has no body. */
function drop(response: IncomingMessage): void {
  response.on('error', () => {});
  if (response.headers['content-length'] === '0') response.resume();
  else response.destroy();
}

/** Only Set-Cookie is a list. */
function flatHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const cookies = headers['set-cookie'];
  return (cookies === undefined ? headers : { ...headers, 'set-cookie': cookies.join(', ') }) as Record<string, string>;
}
