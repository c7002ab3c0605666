// Which era a message belongs to, exactly as the SDK decides. Over stdio the first messages of a client decide for the connection: in
// come these, out their era and what the SDK must get to know when it comes later. Over HTTP each message decides for itself.

import { isMap } from '../../schema/document.js';
import type { Client } from '../../schema/support/mcp/client.js';
import { claimsEnvelope, type Envelope, readEnvelope, readInitialize, unknownClient } from './envelope.js';
import type { Era } from './handshake.js';
import { type Inbound, type InboundNotification, type InboundRequest, toMessage } from './inbound.js';
import type { Message } from './ports.js';

/** Where a request comes from: its era, and in 2026-07-28 who sent it. */
export type Origin = 'legacy' | Envelope;

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
