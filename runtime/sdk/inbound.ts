// In: any JSON that a client sent. Out: a message that the SDK takes for sure, the error to answer with, or silence.
import { isInitializeRequest, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { protocolCodes } from '../call/protocol-problem.js';
import { claimsEnvelope } from '../lane/envelope.js';
import { cancelledId, makeRefusal, type Refusal, readInbound, toMessage } from '../lane/inbound.js';
import type { Message, MessageId } from '../lane/ports.js';

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
      const refusal = refuseInitialize(message as unknown as Message);
      if (refusal !== undefined) return { kind: 'refused', refusal };
      return { kind: 'request', id: inbound.id, method: inbound.method, message };
    }
    case 'notification':
      return { kind: 'notification', cancels: cancelledId(inbound), message };
    case 'response':
      return { kind: 'response', message };
    default:
      return inbound satisfies never;
  }
}

/** What the SDK would answer with a page of its schema. */
export function refuseInitialize({ id, method, params }: Message): Refusal | undefined {
  if (method !== 'initialize' || claimsEnvelope(params) || isInitializeRequest({ method, params })) return undefined;
  const why = 'Invalid params: initialize needs protocolVersion, capabilities and clientInfo';
  return makeRefusal(id as MessageId, protocolCodes.invalidParams, why);
}
