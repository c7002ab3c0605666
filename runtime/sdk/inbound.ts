// In: any JSON that a client sent. Out: a message that the SDK takes for sure, the error to answer with, or silence.
import { isInitializeRequest, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { isMap } from '../../schema/document.js';
import { protocolCodes } from '../call/protocol-problem.js';
import { claimsEnvelope, oversizeOf, oversizeOfEnvelope, readEnvelope } from '../protocol/envelope.js';
import { cancelledId, makeRefusal, type Refusal, readInbound, toMessage } from '../protocol/inbound.js';
import type { Message, MessageId } from '../protocol/ports.js';

export type SdkInbound =
  | { readonly kind: 'request'; readonly id: MessageId; readonly method: string; readonly message: JSONRPCMessage }
  | { readonly kind: 'notification'; readonly cancels: MessageId | undefined; readonly message: JSONRPCMessage }
  | { readonly kind: 'response'; readonly message: JSONRPCMessage }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'ignored' };

/**
 * Sorts one JSON value.
 *
 * @example readForSdk(JSON.parse(body)).kind
 */
export function readForSdk(value: unknown): SdkInbound {
  const inbound = readInbound(value);
  if (inbound.kind === 'refused' || inbound.kind === 'ignored') return inbound;
  const message = toMessage(inbound) as unknown as JSONRPCMessage;
  switch (inbound.kind) {
    case 'request': {
      const refusal = refuseRequest(message as unknown as Message);
      if (refusal !== undefined) return { kind: 'refused', refusal };
      const trimmed = trimInitialize(message as unknown as Message) as unknown as JSONRPCMessage;
      return { kind: 'request', id: inbound.id, method: inbound.method, message: trimmed };
    }
    case 'notification':
      return { kind: 'notification', cancels: cancelledId(inbound), message };
    case 'response':
      return { kind: 'response', message };
    default:
      return inbound satisfies never;
  }
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
  return oversize === undefined && readEnvelope(params) === undefined ? reasonAgainst(method, params) : oversize;
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
