// In: a request and the pack that answers it. Out: what the handler is given as `ctx`, and the questions that it may ask.

import { isMap } from '../../../schema/document.js';
import { visible } from '../../../schema/print/visible.js';
import type { Log, LogFunction } from '../../../schema/support/mcp/client.js';
import type { CallToolResult } from '../../../schema/support/mcp/content.js';
import type {
  BaseContext,
  RequestInfo,
  ResourceContext,
  TaskInfo,
  ToolContext,
  ToolInfo,
} from '../../../schema/support/mcp/context.js';
import { clientsOf } from '../load-work.js';
import type { CallServices, LogLevel, MakeClients, PackHost, Request, ServedTool, TaskRun } from '../ports.js';
import { ProtocolError, protocolCodes } from '../protocol-error.js';
import { ToolError } from '../tool-error.js';
import { type CallParts, callOf, scopeOf } from './call-scope.js';
import { has } from './capabilities.js';
import { type OpenJournal, openJournal } from './earlier.js';
import { type AskedQuestions, Questions, type QuestionsInput } from './questions.js';
import { isDestructive, takeRelayed } from './relay.js';
import { forever } from './round.js';

export interface ToolContextInput {
  readonly served: ServedTool;
  /** As the client sent them, before anything was taken off or filled in. */
  readonly args: unknown;
  readonly request: Request;
  readonly services: CallServices;
  /** Of the call: the client's, and the time limit. Made when it is asked for. */
  readonly signal: AbortSignal;
  /** Made when something is asked. */
  readonly questions: AskedQuestions;
  /** The factories of the errors that the tool declares. */
  readonly errors: object;
  /** X9: what the call is in. */
  readonly held?: Request['held'];
}

export interface BaseContextInput {
  readonly host: PackHost;
  /** `prompt:x` or `resource:uri`. */
  readonly subject: string;
  readonly args: unknown;
  readonly request: Request;
  readonly services: CallServices;
  readonly signal: AbortSignal;
}

/** Tools that call tools that call tools; more is a circle. */
const deepestCall = 16;

type RoundInput = Pick<ToolContextInput, 'served' | 'args' | 'request' | 'services'>;

/**
 * The questions of a call. Throws a ProtocolError where the state of the request is not of this call.
 *
 * @example const questions = createToolQuestions({ served, args, request, services });
 */
export function createToolQuestions(input: RoundInput): Questions {
  return new Questions(questionsOf(input));
}

/**
 * T1: what a call that becomes a task begins with. Throws as the call itself would where its state is not of this call.
 *
 * @example const { journal, seal } = openToolJournal({ served, args, request, services });
 */
export function openToolJournal(input: RoundInput): OpenJournal {
  return openJournal(questionsOf(input));
}

function questionsOf({ served, args, request, services }: RoundInput): QuestionsInput {
  const { tool, name, host } = served;
  return {
    subject: `tool:${host.program.pack.name}/${tool.item}`,
    name,
    args,
    request,
    services,
    single: isDestructive(tool) || tool.definition.confirm === true,
    relayed: takeRelayed(args, request),
  };
}

/**
 * The context of a tool's handler; `app` is what `context:` has built.
 *
 * @example const ctx = createToolContext({ served, args, request, services, signal, questions, errors }, await host.app());
 */
export function createToolContext(input: ToolContextInput, app: unknown, clients?: MakeClients): ToolContext {
  const { served, request, services, errors } = input;
  const { name, host, options } = served;
  const base = baseOf({ host, name, what: 'tool', call: input, request, services, app });
  let last = Number.NEGATIVE_INFINITY;
  // One by one: Object.assign makes a call a tenth slower.
  const ctx = base as { -readonly [key in keyof ToolContext]: ToolContext[key] };
  ctx.tool = aboutTool(served);
  ctx.errors = errors;
  ctx.options = options;
  // The protocol wants it to grow; a handler that counts wrongly is no reason to fail.
  ctx.progress = (done, total, message) => {
    if (!Number.isFinite(done) || done <= last) return;
    last = done;
    const text = typeof message === 'string' ? host.settings.redact(message) : undefined;
    request.progress(done, typeof total === 'number' && Number.isFinite(total) ? total : undefined, text);
  };
  ctx.call = (other, args = {}) =>
    input.questions.isOver()
      ? forever<CallToolResult>()
      : callOther({ other, args, request, services, signal: input.signal, held: input.held });
  if (request.task !== undefined) ctx.task = aboutTask(request.task, host);
  if (clients !== undefined) ctx.backends = clients(scopeOf(ctx));
  return ctx;
}

function aboutTask(run: TaskRun, { settings }: PackHost): TaskInfo {
  const { id, attempt } = run;
  return Object.freeze({ id, attempt, note: (message: string) => run.note(settings.redact(String(message))) });
}

/** The same for all calls, so that it is made once. */
const known = new WeakMap<ServedTool, ToolInfo>();

function aboutTool(served: ServedTool): ToolInfo {
  const before = known.get(served);
  if (before !== undefined) return before;
  const { name, tool, host } = served;
  const tags = Object.freeze([...(tool.definition.tags ?? [])]);
  const made = Object.freeze({ name, item: tool.item, pack: host.program.pack.name, tags });
  known.set(served, made);
  return made;
}

/**
 * The context of a prompt's or a resource's handler.
 *
 * @example const { ctx, questions } = await createBaseContext({ host, subject: `prompt:${name}`, args, request, services, signal });
 */
export async function createBaseContext(
  input: BaseContextInput,
): Promise<{ readonly ctx: ResourceContext; readonly questions: Questions }> {
  const { host, subject, request, services } = input;
  const split = subject.indexOf(':');
  const [what, name] = [subject.slice(0, split), subject.slice(split + 1)];
  const bound = `${what}:${host.program.pack.name}/${name}`;
  // The handler gets the arguments themselves, and may change them before it asks.
  const args = isMap(input.args) ? { ...input.args } : input.args;
  const questions = new Questions({ subject: bound, name, args, request, services, single: false });
  const call = { questions, signal: input.signal, request, host };
  const base = baseOf({ host, name, what, call, request, services, app: await host.app() });
  // Prompts have no address; theirs is never looked at.
  const ctx = Object.assign(base, { uri: name }) as { -readonly [key in keyof ResourceContext]: ResourceContext[key] };
  const clients = await clientsOf(host);
  if (clients !== undefined) ctx.backends = clients(scopeOf(ctx));
  return { ctx, questions };
}

const nothing = Object.freeze({});
const noRequest: RequestInfo = Object.freeze({ headers: nothing, meta: nothing });

function aboutRequest({ headers, meta }: Request): RequestInfo {
  if (headers === undefined && meta === undefined) return noRequest;
  return { headers: headers ?? nothing, meta: meta ?? nothing };
}

/** What the context of a tool was made of. */
export function inputOf(ctx: ToolContext): ToolContextInput {
  return (ctx as unknown as { readonly [callOf]: ToolContextInput })[callOf];
}

/** One getter for all: an object with a getter of its own costs more than the rest of the context. */
const signalLater: PropertyDescriptor & ThisType<{ readonly [callOf]: CallParts }> = {
  enumerable: true,
  configurable: true,
  get() {
    return this[callOf].signal;
  },
};

function baseOf(input: {
  readonly host: PackHost;
  readonly name: string;
  readonly what: string;
  readonly call: CallParts;
  readonly request: Request;
  readonly services: CallServices;
  readonly app: unknown;
}): BaseContext {
  const { host, name, what, call, request, services, app } = input;
  // Clients see the key of a question, and answer by it.
  const shown = (key: string): string => (typeof key === 'string' ? host.settings.redact(key) : key);
  // Every part is a property of its own: handlers take the context apart, and tests spread it.
  const base: Omit<BaseContext, 'signal'> & { readonly [callOf]: CallParts } = {
    [callOf]: call,
    app,
    config: host.settings.values,
    log: createLog({ name, request, services, redact: host.settings.redact }),
    client: request.client,
    auth: request.auth,
    requestId: request.id,
    sessionId: request.sessionId,
    request: aboutRequest(request),
    notify: request.notify,
    has: wanted => has(wanted, host, request),
    // Answers were held to the form before they came here; what that means for types only the caller's schema tells.
    elicit: ((key, asked) => call.questions.elicit(shown(key), asked)) as BaseContext['elicit'],
    sample: (key, asked) => call.questions.sample(shown(key), asked),
    roots: key => call.questions.roots(key === undefined ? undefined : shown(key)),
    once: (key, run) => call.questions.once(key, run),
    notImplemented: () =>
      new ToolError(`The ${what} ${name} is not implemented yet`, {
        code: 'NOT_IMPLEMENTED',
        status: 501,
        suggestedFix: 'Write its handler.',
      }),
  };
  return Object.defineProperty(base, 'signal', signalLater) as typeof base & Pick<BaseContext, 'signal'>;
}

/** In the name of the same client, but without its answers: these belong to the outer call. */
async function callOther(input: {
  readonly other: string;
  readonly args: object;
  readonly request: Request;
  readonly services: CallServices;
  readonly signal: AbortSignal;
  readonly held: Request['held'];
}): Promise<CallToolResult> {
  const { other, args, request, services, signal, held } = input;
  const depth = (request.depth ?? 0) + 1;
  if (depth > deepestCall) {
    throw new ToolError(
      `ctx.call(${JSON.stringify(other)}) is nested ${depth} deep: tools call each other in a circle`,
      {
        code: 'CALL_TOO_DEEP',
        status: 508,
      },
    );
  }
  const inner: Request = {
    id: request.id,
    signal,
    client: request.client,
    auth: request.auth,
    isRemote: request.isRemote,
    principal: request.principal,
    sessionId: request.sessionId,
    roots: request.roots,
    headers: request.headers,
    meta: request.meta,
    answers: {},
    state: undefined,
    held,
    depth,
    notify: request.notify,
    log: (level, message, data) => request.log(level, message, data),
    // The client asked how far the outer call is.
    progress: () => undefined,
  };
  try {
    return await services.call(other, args, inner);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const isUnknown = error.code === protocolCodes.invalidParams;
    throw new ToolError(
      `ctx.call(${JSON.stringify(other)}) ${isUnknown ? 'is not possible' : 'failed'}: ${error.message}`,
      { code: 'CALL_FAILED', status: isUnknown ? 404 : 500, cause: error },
    );
  }
}

/** Characters of one line for the operator. */
const longestLine = 8000;
const deepest = 10;
const mostMembers = 200;

/** `name` is the tool, prompt or resource that speaks. */
function createLog(input: {
  readonly name: string;
  readonly request: Request;
  readonly services: CallServices;
  readonly redact: (text: string) => string;
}): Log {
  const { name, request, services, redact } = input;
  const at =
    (level: LogLevel): LogFunction =>
    (message, data) => {
      const text = redact(String(message));
      const plain = data === undefined ? undefined : toPlain(data, redact);
      if (isTaken(() => request.log(level, text, plain))) return;
      const line = `[${level}] ${name}: ${text}${plain === undefined ? '' : ` ${JSON.stringify(plain)}`}`;
      services.report(visible(line.length > longestLine ? `${line.slice(0, longestLine)}...` : line));
    };
  return {
    debug: at('debug'),
    info: at('info'),
    notice: at('notice'),
    warning: at('warning'),
    error: at('error'),
    critical: at('critical'),
    alert: at('alert'),
    emergency: at('emergency'),
  };
}

/** A client that went away must not make logging fail. */
function isTaken(send: () => boolean): boolean {
  try {
    return send();
  } catch {
    return false;
  }
}

/** Data as JSON has it, whatever the handler passed: logging never fails, and never runs away. */
function toPlain(value: unknown, redact: (text: string) => string, depth = 0): unknown {
  switch (typeof value) {
    case 'string':
      return redact(value);
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'boolean':
      return value;
    case 'object':
      break;
    default:
      return redact(String(value));
  }
  if (value === null) return null;
  if (depth === deepest) return '...';
  try {
    return toPlainObject(value, redact, depth + 1);
  } catch {
    // A getter that throws, a proxy that does not want to be looked at.
    return '[unreadable]';
  }
}

function toPlainObject(value: object, redact: (text: string) => string, depth: number): unknown {
  if (value instanceof Error) {
    return { name: redact(String(value.name)), message: redact(String(value.message)) };
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Map) return toPlainObject(Object.fromEntries(value), redact, depth);
  if (Array.isArray(value) || value instanceof Set) {
    return [...value].slice(0, mostMembers).map(member => toPlain(member, redact, depth));
  }
  const entries = Object.entries(value).slice(0, mostMembers);
  return Object.fromEntries(entries.map(([key, member]) => [redact(key), toPlain(member, redact, depth)]));
}
