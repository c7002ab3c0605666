// In: a request of 2026-07-28 over HTTP. Out: its answer, or undefined: then it is the SDK's. Takes only what is sure: discovery, lists
// and plain calls, with the right headers and a right envelope, that want neither progress nor logs: those are answered with streams,
// which the SDK writes. Whatever is wrong or unusual goes to the SDK's handler, so that there is one place that refuses.

import { isMap } from '../../schema/document.js';
import type { ServedTool } from '../call/ports.js';
import type { Surface } from '../surface/surface.js';
import { makeCallPort } from './call-port.js';
import { type Caller, challengeFor } from './caller.js';
import { readEnvelope, unknownClient } from './envelope.js';
import { type Handshake, modernVersion } from './handshake.js';
import { type InboundRequest, relatedTaskKey, routeRequest } from './inbound.js';
import { capabilitiesOf, makeHandshake } from './make-handshake.js';
import {
  type CallInput,
  type CallRunner,
  type HttpAnswer,
  internalError,
  printCallAnswer,
  printError,
  printResult,
  runRound,
} from './plain-calls.js';
import { type EventReply, EventSink, openTasks, printTaskAnswer, runTask } from './plain-tasks.js';
import type { CallPort, MessageId, WireError } from './ports.js';
import { ClientRequest, type HeaderReader, type InFlight, PendingCall, pickHeaders, toSilence } from './request.js';
import type { TaskInput, TaskRequest } from './task-route.js';

/** What plain requests over HTTP share, of both eras. */
export interface PlainBase {
  readonly port: CallPort;
  readonly calls: InFlight;
  handshake(): Handshake;
  report(text: string): void;
}

/** One call, or a request for a task, which is still to be run. */
export class HttpCall extends PendingCall {
  readonly #input: CallInput | TaskInput;
  readonly #runner: CallRunner;
  readonly #base: PlainBase;

  constructor(input: CallInput | TaskInput, runner: CallRunner, base: PlainBase) {
    super();
    this.#input = input;
    this.#runner = runner;
    this.#base = base;
  }

  /** Never throws. */
  run(done: (answer: HttpAnswer) => void): void {
    const input = this.#input;
    if ('asked' in input) {
      void this.#runTask(input).then(done);
      return;
    }
    const { id, client } = input;
    const request = new ClientRequest(input, this, this.#runner.wire);
    runRound(input, request, this.#runner, answer => {
      done(printCallAnswer(id, answer, client, this.#base.handshake()));
    });
  }

  async #runTask(input: TaskInput): Promise<HttpAnswer> {
    const { id, client } = input;
    const port = await openTasks(this.#runner.port, this.#base.report);
    if (port === undefined) return { status: 200, text: printError(id, internalError) };
    const answer = await runTask(port, input, this, this.#runner);
    return printTaskAnswer(id, answer, client, this.#base.handshake());
  }
}

/** T1: somebody who listens to tasks, until it is aborted, or told to leave. */
export class HttpListening extends PendingCall {
  readonly #input: TaskInput;
  readonly #base: PlainBase;
  #sink: EventSink | undefined;

  constructor(input: TaskInput, base: PlainBase) {
    super();
    this.#input = input;
    this.#base = base;
  }

  /** An answer: nobody listens; undefined: `reply` is a stream. Never fails. */
  async open(reply: EventReply): Promise<HttpAnswer | undefined> {
    const { id } = this.#input;
    const port = await openTasks(this.#base.port, this.#base.report);
    if (port === undefined) return { status: 200, text: printError(id, internalError) };
    this.#sink = new EventSink(reply, this);
    const error = await port.listen(this.#input, this, this.#sink);
    return error && { status: 200, text: printError(id, error) };
  }

  leave(): void {
    this.#sink?.leave();
  }
}

/** What is done with a request that needs no SDK. */
export type HttpTaken = HttpAnswer | HttpCall | HttpListening;

export interface PlainHttp {
  /** The whole answer, or what is still to be run.*/
  take(headers: HeaderReader, request: InboundRequest, caller: Caller | undefined): HttpTaken | undefined;
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
  const report = (text: string): void => surface.services.report(text);
  const base: PlainBase = { port, calls, handshake, report };
  const runner: CallRunner = { port, wire: toSilence(port), calls };
  const headersOf = new WeakMap<ServedTool, readonly ParamHeader[] | 'unsure'>();

  function paramHeaders(served: ServedTool): readonly ParamHeader[] | 'unsure' {
    const known = headersOf.get(served);
    if (known !== undefined) return known;
    const found = findParamHeaders(served.bound?.input ?? served.tool.inputSchema) ?? 'unsure';
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

  /** T1: the same of what is asked of tasks, which are named by their ids. */
  function mayAsk(asked: TaskRequest, method: string, headers: HeaderReader, caller: Caller | undefined): boolean {
    if (asked.kind === 'start') return mayCall(asked.name, asked.args, headers, caller);
    return nameRequest(headers, method, 'taskId' in asked ? asked.taskId : undefined);
  }

  return {
    base,
    take(headers, request, caller) {
      const { id, method, meta, isExact } = request;
      const envelope = isExact && meta !== undefined ? readEnvelope(meta) : undefined;
      if (envelope === undefined || meta === undefined) return undefined;
      const { client } = envelope;
      const route = routeRequest(request, 'modern', client, handshake());
      // Before anything else is looked at.
      if (route.to === 'refused') return refuse(id, route.error);
      const { auth, principal = '' } = caller ?? {};
      const from = { client, auth, principal, isRemote: true, envelope };
      const about = { meta, headers: pickHeaders(surface.requestHeaders, headers) };
      if (route.to === 'task') {
        const { asked } = route;
        if (!mayAsk(asked, method, headers, caller)) return undefined;
        const input: TaskInput = { id, asked, ...from, ...about };
        return asked.kind === 'listen' ? new HttpListening(input, base) : new HttpCall(input, runner, base);
      }
      const isOdd = 'progressToken' in meta || relatedTaskKey in meta || envelope.logLevel !== undefined;
      // The SDK would say nothing of tasks.
      if (isOdd && !(method === 'server/discover' && handshake().tasks !== undefined)) return undefined;
      if (route.to === 'client') {
        if (!nameRequest(headers, method, undefined)) return undefined;
        return { status: 200, text: printResult(id, route.result) };
      }
      if (route.to !== 'call' || !mayCall(route.name, route.args, headers, caller)) return undefined;
      const { name, args } = route;
      return new HttpCall({ id, name, args, ...from, ...about }, runner, base);
    },
    close: stopListening,
  };
}

function refuse(id: MessageId, error: WireError): HttpAnswer {
  return printCallAnswer(id, { error }, unknownClient, undefined);
}

// In: the headers of a request of 2026-07-28 and its body. Out: whether they say the same, as clients must see to (C11).
// Only yes is sure: a no goes to the SDK, which answers with the reason.

/** An argument that is sent as a header too: `x-mcp-header` in the schema of a tool. */
export interface ParamHeader {
  readonly path: readonly string[];
  /** In lower case, with its prefix. */
  readonly header: string;
  readonly isInteger: boolean;
}

const keyword = 'x-mcp-header';
const encodedValue = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;
const decimal = /^-?\d+(\.\d+)?$/;

/** Whether the headers that every request has name its version, its method and, where there is one, its name. */
function nameRequest(headers: HeaderReader, method: string, name: string | undefined): boolean {
  if (headers.get('mcp-protocol-version') !== modernVersion || headers.get('mcp-method') !== method) return false;
  if (name === undefined) return true;
  const given = headers.get('mcp-name');
  return given === name ? !given.startsWith('=?') : given !== null && decode(given) === name;
}

/** Whether every argument that must be in a header is there, and the same. */
function repeatArguments(headers: HeaderReader, wanted: readonly ParamHeader[], args: unknown): boolean {
  return wanted.every(({ path, header, isInteger }) => {
    let value = args;
    for (const key of path) {
      if (Array.isArray(value)) return false;
      value = isMap(value) ? value[key] : undefined;
    }
    if (value === undefined || value === null) return true;
    const given = headers.get(header);
    const text = given === null ? undefined : decode(given);
    if (text === undefined) return false;
    switch (typeof value) {
      case 'string':
        return text === value;
      case 'boolean':
        return text === String(value);
      case 'number':
        // 7 and 7.0 are one number; a number where the schema wants a string is compared as it is written.
        if (!Number.isSafeInteger(value)) return false;
        return isInteger && decimal.test(text) ? Number(text) === value : text === String(value);
      default:
        return false;
    }
  });
}

/** What a value in a header stands for: texts that no header can carry come in base64. Undefined: it is malformed. */
function decode(value: string): string | undefined {
  if (!value.startsWith('=?base64?')) return value;
  const [, encoded] = encodedValue.exec(value) ?? [];
  if (encoded === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(encoded), character => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Those of a tool; undefined where the schema has one at a place that the SDK must judge. */
function findParamHeaders(schema: unknown): readonly ParamHeader[] | undefined {
  const found: ParamHeader[] = [];
  collect(schema, [], found);
  // One below `items`, `anyOf` or the like was not counted, and neither was one in an example or a default.
  return countMentions(schema) === found.length ? found : undefined;
}

function collect(schema: unknown, path: readonly string[], found: ParamHeader[]): void {
  if (!isMap(schema)) return;
  const name = schema[keyword];
  const type = schema['type'];
  if (path.length > 0 && typeof name === 'string' && ['string', 'integer', 'boolean'].includes(String(type))) {
    found.push({ path, header: `mcp-param-${name.toLowerCase()}`, isInteger: type === 'integer' });
  }
  const { properties } = schema;
  if (!isMap(properties)) return;
  for (const [key, child] of Object.entries(properties)) collect(child, [...path, key], found);
}

function countMentions(schema: unknown): number {
  return (JSON.stringify(schema) ?? '').split(`"${keyword}"`).length - 1;
}
