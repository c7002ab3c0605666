// The front door: which era a message belongs to, and where it goes. In: a message whose form is known. Out: the answer that is always the
// same, a plain call to run, or that it is for the SDK: whatever is odd, so that there is one place that refuses. The era is decided
// exactly as the SDK does. Over stdio the first messages of a client decide for the connection, over HTTP each message for itself.
// ARCHITECTURE.md has the table.
import { isMap } from '../../schema/document.js';
import type { Client } from '../../schema/support/mcp/client.js';
import { canElicit } from '../call/context/can-elicit.js';
import type { LogLevel } from '../call/ports.js';
import type { ListName } from '../surface/surface.js';
import {
  claimsEnvelope,
  type Envelope,
  logLevels,
  readEnvelope,
  readInitialize,
  touchesEnvelope,
  unknownClient,
} from './envelope.js';
import { answerStatic, type Era, type Handshake } from './handshake.js';
import { type Inbound, type InboundNotification, type InboundRequest, toMessage } from './inbound.js';
import type { Message } from './ports.js';

export type Route =
  /** JSON of the result. */
  | { readonly to: 'client'; readonly result: string }
  | { readonly to: 'call'; readonly name: string; readonly args: unknown }
  /** The client sets the level of its logs. */
  | { readonly to: 'session'; readonly logLevel: LogLevel }
  | { readonly to: 'sdk' }
  /** No server of ours has such a method. */
  | { readonly to: 'nobody' };

const toSdk: Route = Object.freeze({ to: 'sdk' });
const toNobody: Route = Object.freeze({ to: 'nobody' });

/**
 * The route of a request of an era.
 *
 * @example routeRequest(request, 'legacy', client, handshake).to
 */
export function routeRequest(request: InboundRequest, era: Era, client: Client, handshake: Handshake): Route {
  const { method, params } = request;
  if (method === 'tools/call' && handshake.lists.tools !== undefined) return routeCall(request, era);
  if (method === 'logging/setLevel' && era === 'legacy') {
    const logLevel = logLevels.find(known => known === params?.['level']);
    return logLevel === undefined ? toSdk : { to: 'session', logLevel };
  }
  const result = answerStatic(handshake, method, params, era, !canElicit(client, 'form'));
  if (result !== undefined) return { to: 'client', result };
  return mayExist(method, handshake) ? toSdk : toNobody;
}

/** Only a call of nothing but a name, arguments and `_meta` is plain: rounds of 2026-07-28 are sealed, so that the SDK can take the next. */
function routeCall({ params = {}, meta }: InboundRequest, era: Era): Route {
  for (const key in params) if (key !== 'name' && key !== 'arguments' && key !== '_meta') return toSdk;
  if (era === 'legacy' && meta !== undefined && touchesEnvelope(meta)) return toSdk;
  return { to: 'call', name: params['name'] as string, args: params['arguments'] ?? {} };
}

/** Methods by the list that a server must have for them; undefined: the SDK knows. */
const needs: ReadonlyMap<string, ListName | undefined> = new Map([
  ['tools/list', 'tools'],
  ['tools/call', 'tools'],
  ['prompts/list', 'prompts'],
  ['prompts/get', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resources'],
  ['resources/read', 'resources'],
  ['resources/subscribe', 'resources'],
  ['resources/unsubscribe', 'resources'],
  ['logging/setLevel', undefined],
  ['completion/complete', undefined],
  ['subscriptions/listen', undefined],
]);

/** False: nobody serves it, in whichever era. True: the SDK may still say that it does not. */
function mayExist(method: string, { lists }: Handshake): boolean {
  const list = needs.get(method);
  return list === undefined ? needs.has(method) : lists[list] !== undefined;
}

/** Where a request comes from: its era, and in 2026-07-28 who sent it. */
type Origin = 'legacy' | Envelope;

export class Opening {
  /** `probe`: the client looks around before it decides. */
  phase: 'opening' | 'probe' | Era = 'opening';
  /** Of a handshake. */
  client: Client = unknownClient;
  /** The handshake is over: the client may be notified of changes. */
  isReady = false;
  /** The request that decided, for the SDK to see. */
  #opener: InboundRequest | undefined;

  get #isDecided(): boolean {
    return this.phase === 'legacy' || this.phase === 'modern';
  }

  /**
   * The origin of a request. `sdk`: this one is for the SDK. `unsure`: only the SDK can tell what this does to the
   * connection, so that everything is for it from here on.
   */
  admit(request: InboundRequest): Origin | 'sdk' | 'unsure' {
    const { method, meta, isClaimed } = request;
    const isModern = this.phase === 'modern' || (isClaimed && !this.#isDecided);
    if (!isModern) return this.#admitLegacy(request);
    const envelope = readEnvelope(meta);
    if (this.phase === 'modern') return envelope ?? 'sdk';
    // A mistake decides nothing.
    if (envelope === undefined || method === 'initialize') return 'unsure';
    this.phase = method === 'server/discover' ? 'probe' : 'modern';
    this.#opener = request;
    return envelope;
  }

  /** False: only the SDK can tell what this does to the connection. */
  hear({ method, isClaimed }: InboundNotification): boolean {
    if (!this.#isDecided) {
      // So rare that the SDK may as well take over.
      if (isClaimed && this.phase === 'opening') return false;
      if (!isClaimed) this.phase = 'legacy';
    }
    if (method === 'notifications/initialized' && this.phase === 'legacy') this.isReady = true;
    return true;
  }

  /** What brings the SDK to where the connection is. */
  past(): readonly Message[] {
    const opener = this.#opener;
    switch (this.phase) {
      case 'opening':
        return [];
      case 'probe':
        return opener === undefined ? [] : [toMessage(opener)];
      case 'modern':
        // There is no such method in this era, but it opens one.
        return [{ jsonrpc: '2.0', id: 0, method: 'ping', params: { _meta: opener?.params?.['_meta'] } }];
      case 'legacy':
        return [
          // Whatever says nothing about an era opens the old one, and a handshake may claim the other.
          { jsonrpc: '2.0', method: 'notifications/toolwright/opened' },
          ...(opener?.method === 'initialize' ? [toMessage(opener)] : []),
          ...(this.isReady ? [{ jsonrpc: '2.0', method: 'notifications/initialized' }] : []),
        ];
      default:
        return this.phase satisfies never;
    }
  }

  #admitLegacy(request: InboundRequest): Origin | 'unsure' {
    if (request.method === 'initialize') {
      const client = readInitialize(request.params);
      if (client === undefined) return 'unsure';
      this.client = client;
      this.#opener = request;
    }
    this.phase = 'legacy';
    return 'legacy';
  }
}

/** The revisions with a handshake. */
const handshakeVersion = /^202[45]-/;

/**
 * The era of a message over HTTP; undefined: only the SDK can tell, as for handshakes, batches and versions that nobody knows. What it would
 * reject is modern: there it is answered with the reason.
 *
 * @example eraOf(readInbound(value), value, '2025-11-25') // 'legacy'
 */
export function eraOf(inbound: Inbound, value: unknown, protocolVersion: string | undefined): Era | undefined {
  const isKnown = inbound.kind === 'request' || inbound.kind === 'notification';
  const { method, params } = isKnown ? inbound : isMap(value) ? value : { method: 'initialize', params: undefined };
  if (method === 'initialize') return undefined;
  if (isKnown ? inbound.isClaimed : claimsEnvelope(params)) return 'modern';
  return protocolVersion === undefined || handshakeVersion.test(protocolVersion) ? 'legacy' : undefined;
}
