// In: any JSON that a client sent. Out: a message that has its form, the error to answer with, or silence; and of a request where it goes
// (ARCHITECTURE.md has the table). The SDK drops what its schemas refuse without an answer; a client must hear why.
import { isMap } from '../../schema/document.js';
import type { Client } from '../../schema/support/mcp/client.js';
import { canElicit } from '../call/context/can-elicit.js';
import type { LogLevel } from '../call/ports.js';
import { protocolCodes } from '../call/protocol-error.js';
import type { ListName } from '../surface/surface.js';
import { answerBounds, claimsEnvelope, exceeds, logLevels, protocolVersionKey, touchesEnvelope } from './envelope.js';
import { answerStatic, type Era, type Handshake } from './handshake.js';
import type { Message, MessageId } from './ports.js';

/** An answer that says what is wrong with a message; `id` is null where none could be read. */
export interface Refusal {
  readonly jsonrpc: '2.0';
  readonly id: MessageId | null;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface InboundRequest {
  readonly kind: 'request';
  readonly id: MessageId;
  readonly method: string;
  readonly params: Fields | undefined;
  /** Of the params. */
  readonly meta: Fields | undefined;
  /** It carries the envelope of 2026-07-28, valid or not. */
  readonly isClaimed: boolean;
  /** It has no member that the protocol does not know. */
  readonly isExact: boolean;
}

export interface InboundNotification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: Fields | undefined;
  readonly isClaimed: boolean;
}

export interface InboundResponse {
  readonly kind: 'response';
  readonly id: MessageId;
  /** With a result or an error that have their form. */
  readonly message: Message;
}

export type Inbound =
  | InboundRequest
  | InboundNotification
  | InboundResponse
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'ignored' };

type Fields = Readonly<Record<string, unknown>>;

export const relatedTaskKey = 'io.modelcontextprotocol/related-task';

export function makeRefusal(id: MessageId | null, code: number, message: string): Refusal {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/**
 * Sorts one JSON value.
 *
 * @example readInbound(JSON.parse(line)).kind
 */
export function readInbound(value: unknown): Inbound {
  if (Array.isArray(value)) return refuse(value, 'Invalid Request: batches are not supported');
  if (!isMap(value)) return refuse(value, 'Invalid Request: a message is an object');
  const { jsonrpc, method, id, params } = value;
  if (jsonrpc !== '2.0') return refuse(value, 'Invalid Request: jsonrpc must be "2.0"');
  if (method === undefined) {
    const isResponse = value['result'] !== undefined || value['error'] !== undefined;
    return isResponse ? readResponse(value) : refuse(value, 'Invalid Request: no method');
  }
  if (typeof method !== 'string') return refuse(value, 'Invalid Request: method must be a string');
  const isRequest = Object.hasOwn(value, 'id');
  if (isRequest && !isId(id)) return refuse(value, 'Invalid Request: id must be a string or an integer');
  const problem = problemOf(params) ?? (isRequest ? problemOfRequest(method, params) : undefined);
  if (problem !== undefined) {
    if (!isRequest) return { kind: 'ignored' };
    const isStructured = params === undefined || (typeof params === 'object' && params !== null);
    return refuse(value, problem, isStructured ? protocolCodes.invalidParams : undefined);
  }
  const given = params as Fields | undefined;
  const meta = given?.['_meta'] as Fields | undefined;
  const isClaimed = meta !== undefined && protocolVersionKey in meta;
  return isRequest
    ? { kind: 'request', id: id as MessageId, method, params: given, meta, isClaimed, isExact: hasKnownMembers(value) }
    : { kind: 'notification', method, params: given, isClaimed };
}

function hasKnownMembers(message: Fields): boolean {
  for (const name in message) {
    if (name !== 'jsonrpc' && name !== 'id' && name !== 'method' && name !== 'params') return false;
  }
  return true;
}

/** The message without members that the protocol does not know, as its schemas allow none. */
export function toMessage(inbound: InboundRequest | InboundNotification | InboundResponse): Message {
  if (inbound.kind === 'response') return inbound.message;
  const { method, params } = inbound;
  const given = params === undefined ? {} : { params };
  return inbound.kind === 'request'
    ? { jsonrpc: '2.0', id: inbound.id, method, ...given }
    : { jsonrpc: '2.0', method, ...given };
}

function refuse(value: unknown, message: string, code: number = protocolCodes.invalidRequest): Inbound {
  const id = isMap(value) ? readableId(value['id']) : null;
  return { kind: 'refused', refusal: makeRefusal(id, code, message) };
}

/** What the SDK would answer with a page of its schema, or with another code. */
function problemOfRequest(method: string, params: unknown): string | undefined {
  if (method !== 'tools/call') return undefined;
  const { name, arguments: args = {} } = (params ?? {}) as Fields;
  if (typeof name !== 'string') return 'Invalid params: name must be a string';
  return isMap(args) ? undefined : 'Invalid params: arguments must be an object';
}

/** The request that a notification cancels. */
export function cancelledId({ method, params }: Pick<InboundNotification, 'method' | 'params'>): MessageId | undefined {
  if (method !== 'notifications/cancelled') return undefined;
  const id = params?.['requestId'];
  return isId(id) ? id : undefined;
}

function isId(value: unknown): value is MessageId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** Even an id that no request may have is given back, so that the sender finds its mistake. */
function readableId(value: unknown): MessageId | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

function problemOf(params: unknown): string | undefined {
  if (params === undefined) return undefined;
  if (typeof params !== 'object' || params === null) return 'Invalid Request: params must be an object';
  if (!isMap(params)) return 'Invalid params: they must be an object';
  const meta = params['_meta'];
  if (meta === undefined) return undefined;
  if (!isMap(meta)) return 'Invalid params: _meta must be an object';
  const { progressToken } = meta;
  if (progressToken !== undefined && !isId(progressToken)) {
    return 'Invalid params: progressToken must be a string or an integer';
  }
  const task = meta[relatedTaskKey];
  if (task !== undefined && !(isMap(task) && typeof task['taskId'] === 'string')) {
    return `Invalid params: ${relatedTaskKey} must have a taskId`;
  }
  return undefined;
}

/** An answer to a question of ours. A broken one must fail the call that waits for it, not keep it waiting. */
function readResponse({ id, result, error }: Fields): Inbound {
  if (!isId(id)) return { kind: 'ignored' };
  const broken = { code: protocolCodes.invalidRequest, message: "The client's answer is malformed" };
  if (error !== undefined) {
    const { code, message, data }: Fields = isMap(error) ? error : broken;
    const isShallow = exceeds(data, answerBounds) === undefined;
    const fits = isShallow && Number.isSafeInteger(code) && typeof message === 'string';
    const told = fits ? { code, message, ...(data !== undefined && { data }) } : broken;
    return { kind: 'response', id, message: { jsonrpc: '2.0', id, error: told } };
  }
  // Every look at it walks all the way down.
  const isShallow = exceeds(result, answerBounds) === undefined;
  const fits = isShallow && isMap(result) && (result['_meta'] === undefined || isMap(result['_meta']));
  return { kind: 'response', id, message: { jsonrpc: '2.0', id, ...(fits ? { result } : { error: broken }) } };
}

// In: a request whose form is known. Out: the answer that is always the same, a plain call to run, or that it is for the SDK: whatever is
// odd, so that there is one place that refuses. The era is decided exactly as the SDK does.

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
