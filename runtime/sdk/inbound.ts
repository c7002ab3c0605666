// In: messages that have their form. Out: what the SDK takes for sure, the error to answer with, or silence; and its word on the era
// of those messages over HTTP that nobody else can tell.
import { classifyInboundRequest, isInitializeRequest, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { isMap } from '../../schema/document.js';
import { protocolCodes } from '../call/protocol-error.js';
import { claimsEnvelope, oversizeOf, oversizeOfEnvelope, readEnvelope } from '../protocol/envelope.js';
import type { Era } from '../protocol/handshake.js';
import { cancelledId, type Inbound, makeRefusal, type Refusal, readInbound, toMessage } from '../protocol/inbound.js';
import type { Message, MessageId } from '../protocol/ports.js';

/** A checked body of a POST in a session: one message, or several as revisions before 2025-06-18 allow. */
export interface LegacyBody {
  readonly messages: readonly JSONRPCMessage[];
  /** Of requests. */
  readonly ids: readonly MessageId[];
  /** Requests that are cancelled, and why, as far as their client says. */
  readonly cancels: readonly { readonly id: MessageId; readonly reason: unknown }[];
  readonly isInitialize: boolean;
  /** Of the handshake; else empty. */
  readonly requestedVersion: string;
}

/**
 * Checks the messages of a POST. Undefined: there is nothing in it to answer.
 *
 * @example const body = toLegacyBody([readInbound(value)]); if (body && 'error' in body) refuse(body);
 */
export function toLegacyBody(all: readonly Inbound[]): LegacyBody | Refusal | undefined {
  const messages: JSONRPCMessage[] = [];
  const ids: MessageId[] = [];
  const cancels: LegacyBody['cancels'][number][] = [];
  let requestedVersion: string | undefined;
  for (const inbound of all) {
    if (inbound.kind === 'refused') return inbound.refusal;
    if (inbound.kind === 'ignored') continue;
    const message = toMessage(inbound);
    messages.push(trimInitialize(message) as unknown as JSONRPCMessage);
    if (inbound.kind === 'request') {
      const { id, method, params } = inbound;
      const refusal = refuseRequest(message);
      if (refusal !== undefined) return refusal;
      if (ids.includes(id))
        return makeRefusal(id, protocolCodes.invalidRequest, 'Invalid Request: an id is used twice');
      ids.push(id);
      if (method === 'initialize') requestedVersion = String(params?.['protocolVersion'] ?? '');
    } else if (inbound.kind === 'notification') {
      const id = cancelledId(inbound);
      if (id !== undefined) cancels.push({ id, reason: inbound.params?.['reason'] });
    }
  }
  if (messages.length === 0) return undefined;
  const isInitialize = requestedVersion !== undefined;
  return { messages, ids, cancels, isInitialize, requestedVersion: requestedVersion ?? '' };
}

const mostMessages = 100;

/** The same of a body: one message, or several as revisions before 2025-06-18 allow. */
export function readLegacyBody(value: unknown, inbound: Inbound): LegacyBody | Refusal | undefined {
  if (!Array.isArray(value)) return toLegacyBody([inbound]);
  if (value.length > 0 && value.length <= mostMessages) return toLegacyBody(value.map(readInbound));
  return makeRefusal(null, protocolCodes.invalidRequest, `Invalid Request: a batch has 1 to ${mostMessages} messages`);
}

/** The era of a message over HTTP, where the SDK must tell. */
export function classifyEra(input: {
  readonly protocolVersion: string | undefined;
  readonly method: string | undefined;
  readonly body: unknown;
}): Era {
  const { protocolVersion, method, body } = input;
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    ...(protocolVersion !== undefined && { protocolVersionHeader: protocolVersion }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    body,
  });
  if (outcome.kind !== 'reject') return outcome.kind;
  // What is not a message at all is answered better by our own check.
  return outcome.rung === 'jsonrpc-shape' ? 'legacy' : 'modern';
}

/** What the SDK would answer with a page of its schema, walk through to the end of the stack, or keep as long as the connection. */
export function refuseRequest({ id, method, params }: Message): Refusal | undefined {
  const why = claimsEnvelope(params) ? reasonAgainstEnvelope(method, params) : reasonAgainst(method, params);
  return why === undefined ? undefined : makeRefusal(id as MessageId, protocolCodes.invalidParams, why);
}

/** Of a request of 2026-07-28 over HTTP, where everything else is answered well by the SDK. */
export function refuseOversize(body: unknown): Refusal | undefined {
  if (!isMap(body) || !claimsEnvelope(body['params'])) return undefined;
  const why = oversizeOfEnvelope(body['params']);
  const id = (body['id'] ?? null) as MessageId | null;
  return why === undefined ? undefined : makeRefusal(id, protocolCodes.invalidParams, why);
}

function reasonAgainstEnvelope(method: unknown, params: unknown): string | undefined {
  const oversize = oversizeOfEnvelope(params);
  // There is no such method in 2026-07-28, which the SDK says; but where the envelope is broken, it reads the handshake.
  return oversize === undefined && readEnvelope(metaOf(params)) === undefined
    ? reasonAgainst(method, params)
    : oversize;
}

function metaOf(params: unknown): Message | undefined {
  const meta = isMap(params) ? params['_meta'] : undefined;
  return isMap(meta) ? meta : undefined;
}

function reasonAgainst(method: unknown, params: unknown): string | undefined {
  if (method !== 'initialize') return undefined;
  const { clientInfo, capabilities }: Message = isMap(params) ? params : {};
  // First: the SDK's own check would go all the way down.
  const oversize = oversizeOf(clientInfo, capabilities);
  if (oversize !== undefined || isInitializeRequest({ method, params })) return oversize;
  return 'Invalid params: initialize needs protocolVersion, capabilities and clientInfo';
}

/** The same without what nobody reads: a session keeps it, and icons may be large. */
export function trimInitialize(message: Message): Message {
  const { method, params } = message;
  const info = method === 'initialize' && isMap(params) ? params['clientInfo'] : undefined;
  if (!isMap(info) || !isMap(params)) return message;
  const { name, version, title } = info;
  return { ...message, params: { ...params, clientInfo: { name, version, ...(title !== undefined && { title }) } } };
}
