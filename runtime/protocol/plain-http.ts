// In: a request of 2026-07-28 over HTTP, its body parsed. Out: its answer, or undefined: then it is the SDK's.
// The lane takes only what it is sure of: discovery, lists and plain calls, with the right headers and a right envelope.
// Whatever is wrong or unusual goes to the SDK's handler, so that there is one place that refuses.
import { isMap } from '../../schema/document.js';
import type { ServedTool } from '../call/ports.js';
import { canElicit } from '../context/can-elicit.js';
import type { Surface } from '../surface/surface.js';
import { makeCallPort } from './call-port.js';
import { type Caller, challengeFor } from './caller.js';
import { type Envelope, readEnvelope } from './envelope.js';
import { answerStatic, type Handshake } from './handshake.js';
import { type CallBase, HttpCall, type LaneAnswer } from './http-call.js';
import { findParamHeaders, type HeaderReader, nameRequest, type ParamHeader, repeatArguments } from './http-headers.js';
import type { InFlight } from './in-flight.js';
import { capabilitiesOf, makeHandshake } from './make-handshake.js';
import type { MessageId } from './ports.js';
import { printResult } from './print-answer.js';

type Fields = Readonly<Record<string, unknown>>;

interface LaneRequest {
  readonly id: MessageId;
  readonly method: string;
  readonly params: Fields;
  readonly envelope: Envelope;
}

export interface HttpLane {
  /** The whole answer, or a call that is still to be run. */
  take(headers: HeaderReader, message: unknown, caller: Caller | undefined): LaneAnswer | HttpCall | undefined;
  /** For sessions of 2025, which have calls and lists of their own. */
  readonly base: CallBase;
  close(): void;
}

/**
 * A lane over a surface. `calls` counts what it runs.
 *
 * @example const taken = openHttpLane(surface, calls).take(headers, JSON.parse(text), undefined);
 */
export function openHttpLane(surface: Surface, calls: InFlight): HttpLane {
  // What a server can do must not change while it runs.
  const capabilities = capabilitiesOf(surface);
  let current: Handshake | undefined;
  const stopListening = surface.onChange(() => {
    current = undefined;
  });
  const handshake = (): Handshake => {
    current ??= makeHandshake(surface, capabilities);
    return current;
  };
  const base: CallBase = { port: makeCallPort(surface), calls, handshake };
  const headersOf = new WeakMap<ServedTool, readonly ParamHeader[] | 'unsure'>();

  function paramHeaders(served: ServedTool): readonly ParamHeader[] | 'unsure' {
    const known = headersOf.get(served);
    if (known !== undefined) return known;
    const found = findParamHeaders(served.tool.inputSchema) ?? 'unsure';
    headersOf.set(served, found);
    return found;
  }

  function takeCall(headers: HeaderReader, request: LaneRequest, caller: Caller | undefined): HttpCall | undefined {
    const { id, params, envelope } = request;
    const { name, arguments: args = {} } = params;
    if (typeof name !== 'string' || !isMap(args) || !nameRequest(headers, 'tools/call', name)) return undefined;
    // Answers to questions.
    if ('inputResponses' in params || 'requestState' in params) return undefined;
    const served = surface.tool(name);
    if (served === undefined) return undefined;
    const wanted = paramHeaders(served);
    if (wanted === 'unsure' || (wanted.length > 0 && !repeatArguments(headers, wanted, args))) return undefined;
    if (challengeFor(served.tool.definition.scopes, caller) !== undefined) return undefined;
    return new HttpCall({ id, name, args, progressToken: undefined, client: envelope.client, envelope }, caller, base);
  }

  return {
    base,
    take(headers, message, caller) {
      const request = readRequest(message);
      if (request === undefined) return undefined;
      const { id, method, params } = request;
      if (method === 'tools/call') return takeCall(headers, request, caller);
      if (!nameRequest(headers, method, undefined)) return undefined;
      const result = answerStatic(handshake(), method, params, 'modern', !canElicit(request.envelope.client, 'form'));
      return result === undefined ? undefined : { status: 200, text: printResult(id, result) };
    },
    close: stopListening,
  };
}

/** A message of which every part is as the SDK wants it, and that wants neither progress nor logs. */
function readRequest(message: unknown): LaneRequest | undefined {
  if (!isMap(message)) return undefined;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== '2.0' || typeof method !== 'string' || !isMap(params)) return undefined;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined;
  for (const name in message) {
    if (name !== 'jsonrpc' && name !== 'id' && name !== 'method' && name !== 'params') return undefined;
  }
  const meta = params['_meta'];
  if (!isMap(meta) || 'progressToken' in meta || relatedTaskKey in meta) return undefined;
  const envelope = readEnvelope(params);
  if (envelope === undefined || envelope.logLevel !== undefined) return undefined;
  return { id: id as MessageId, method, params, envelope };
}

const relatedTaskKey = 'io.modelcontextprotocol/related-task';
