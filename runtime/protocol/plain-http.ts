// In: a request of 2026-07-28 over HTTP. Out: its answer, or undefined: then it is the SDK's. Takes only what is sure: discovery, lists
// and plain calls, with the right headers and a right envelope, that want neither progress nor logs: those are answered with streams,
// which the SDK writes. Whatever is wrong or unusual goes to the SDK's handler, so that there is one place that refuses.
import type { ServedTool } from '../call/ports.js';
import type { Surface } from '../surface/surface.js';
import { type HttpAnswer, printCallAnswer, printResult } from './answers.js';
import { makeCallPort } from './call-port.js';
import { type Caller, challengeFor } from './caller.js';
import { readEnvelope } from './envelope.js';
import { routeRequest } from './front-door.js';
import type { Handshake } from './handshake.js';
import { findParamHeaders, type HeaderReader, nameRequest, type ParamHeader, repeatArguments } from './http-headers.js';
import type { InFlight } from './in-flight.js';
import { type InboundRequest, relatedTaskKey } from './inbound.js';
import { capabilitiesOf, makeHandshake } from './make-handshake.js';
import { type CallInput, type CallRunner, runRound } from './plain-calls.js';
import type { CallPort } from './ports.js';
import { ClientRequest, PendingCall, type Wire } from './request.js';

/** What plain requests over HTTP share, of both eras. */
export interface PlainBase {
  readonly port: CallPort;
  readonly calls: InFlight;
  handshake(): Handshake;
}

/** One call, which is still to be run. */
export class HttpCall extends PendingCall {
  readonly #input: CallInput;
  readonly #runner: CallRunner;
  readonly #base: PlainBase;

  constructor(input: CallInput, runner: CallRunner, base: PlainBase) {
    super();
    this.#input = input;
    this.#runner = runner;
    this.#base = base;
  }

  /** Never throws. */
  run(done: (answer: HttpAnswer) => void): void {
    const { id, client } = this.#input;
    const request = new ClientRequest(this.#input, this, this.#runner.wire);
    runRound(this.#input, request, this.#runner, answer => {
      done(printCallAnswer(id, answer, client, this.#base.handshake()));
    });
  }
}

export interface PlainHttp {
  /** The whole answer, or a call that is still to be run.*/
  take(headers: HeaderReader, request: InboundRequest, caller: Caller | undefined): HttpAnswer | HttpCall | undefined;
  readonly base: PlainBase;
  close(): void;
}

/**
 * Plain requests to a surface. `calls` counts what runs.
 *
 * @example const taken = openPlainHttp(surface, calls).take(headers, request, undefined);
 */
export function openPlainHttp(surface: Surface, calls: InFlight): PlainHttp {
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
  const port = makeCallPort(surface);
  const base: PlainBase = { port, calls, handshake };
  const runner: CallRunner = { port, wire: toSilence(port), calls };
  const headersOf = new WeakMap<ServedTool, readonly ParamHeader[] | 'unsure'>();

  function paramHeaders(served: ServedTool): readonly ParamHeader[] | 'unsure' {
    const known = headersOf.get(served);
    if (known !== undefined) return known;
    const found = findParamHeaders(served.tool.inputSchema) ?? 'unsure';
    headersOf.set(served, found);
    return found;
  }

  /** Whether the caller may make the call, and its headers say so. */
  function mayCall(name: string, args: unknown, headers: HeaderReader, caller: Caller | undefined): boolean {
    const served = nameRequest(headers, 'tools/call', name) ? surface.tool(name) : undefined;
    if (served === undefined || challengeFor(served.tool.definition.scopes, caller) !== undefined) return false;
    const wanted = paramHeaders(served);
    return wanted !== 'unsure' && (wanted.length === 0 || repeatArguments(headers, wanted, args));
  }

  return {
    base,
    take(headers, request, caller) {
      const { id, method, meta, isExact } = request;
      if (!isExact || meta === undefined || 'progressToken' in meta || relatedTaskKey in meta) return undefined;
      const envelope = readEnvelope(meta);
      if (envelope === undefined || envelope.logLevel !== undefined) return undefined;
      const { client } = envelope;
      const route = routeRequest(request, 'modern', client, handshake());
      if (route.to === 'client') {
        if (!nameRequest(headers, method, undefined)) return undefined;
        return { status: 200, text: printResult(id, route.result) };
      }
      if (route.to !== 'call' || !mayCall(route.name, route.args, headers, caller)) return undefined;
      const { name, args } = route;
      const { auth, principal = '' } = caller ?? {};
      return new HttpCall({ id, name, args, client, auth, principal, isRemote: true, envelope }, runner, base);
    },
    close: stopListening,
  };
}

/** Its clients want neither logs nor progress: else they would not be here. */
function toSilence({ notify }: CallPort): Wire {
  return { notify, logLevel: () => undefined, log: () => undefined, progress: () => undefined };
}
