// T1. In: a request of a server some of whose tools run as tasks. Out: whether it is for its tasks, and what it wants of them; or the error to
// answer with, as each era has it. Read before anything is loaded: it imports next to nothing.
import { isMap } from '../../schema/document.js';
import type { Client } from '../../schema/support/mcp/client.js';
import { protocolCodes } from '../call/protocol-error.js';
import { type Handshake, type TaskModes, tasksKey } from './handshake.js';
import type { InboundRequest } from './inbound.js';
import type { TaskOffer, WireError } from './ports.js';
import type { RequestInput } from './request.js';

type Fields = Readonly<Record<string, unknown>>;

/** As it came. `principal` is its owner: whom an authorizer knows, else empty, never a session. */
export interface TaskInput extends RequestInput {
  readonly asked: TaskRequest;
}

/** A request for a task, or about one. */
export type TaskRequest =
  | {
      readonly kind: 'start';
      readonly name: string;
      readonly args: unknown;
      /** 2025: what the client wishes. */
      readonly ttlMs?: number;
      /** 2026-07-28: of questions that came before the task. */
      readonly answers?: Fields;
      readonly state?: string;
    }
  | { readonly kind: 'get' | 'result' | 'cancel'; readonly taskId: string }
  | { readonly kind: 'update'; readonly taskId: string; readonly answers: Fields }
  | { readonly kind: 'list'; readonly cursor: string | undefined }
  | { readonly kind: 'listen'; readonly filter: ListenFilter };

/** 2026-07-28: what a client wants to hear of. */
export interface ListenFilter {
  readonly taskIds: readonly string[];
  readonly toolsListChanged?: unknown;
  readonly promptsListChanged?: unknown;
  readonly resourcesListChanged?: unknown;
  readonly resourceSubscriptions?: readonly string[];
}

export type TaskRoute =
  | { readonly to: 'task'; readonly asked: TaskRequest }
  | { readonly to: 'refused'; readonly error: WireError }
  | { readonly to: 'nobody' };

const toNobody: TaskRoute = Object.freeze({ to: 'nobody' });

/** A client hears of more tasks in several requests. */
const mostListened = 1000;

/**
 * The route of a request of 2025. Undefined: it has nothing to do with tasks.
 *
 * @example routeLegacyTask(request, handshake, session.tasks)
 */
export function routeLegacyTask(
  { method, params = {} }: InboundRequest,
  handshake: Handshake,
  offer: TaskOffer | undefined,
): TaskRoute | undefined {
  const { tasks } = handshake;
  if (tasks === undefined) return undefined;
  switch (method) {
    case 'tools/call': {
      const name = params['name'] as string;
      // A client that has not heard of tasks does not mean ours.
      const wish = offer === undefined ? undefined : params['task'];
      const mode = modeOf(tasks, name);
      if (wish === undefined) return mode === 'required' ? refuse(onlyAsTask(name)) : undefined;
      if (mode === undefined) return isListed(handshake, name) ? refuse(neverAsTask(name)) : undefined;
      const { ttl } = isMap(wish) ? wish : { ttl: undefined };
      const isRight = isMap(wish) && (ttl === undefined || ttl === null || (Number.isFinite(ttl) && Number(ttl) >= 0));
      if (!isRight) return refuse(invalid('task must be an object whose ttl, if there is one, is in milliseconds'));
      const args = params['arguments'] ?? {};
      return { to: 'task', asked: { kind: 'start', name, args, ...(typeof ttl === 'number' && { ttlMs: ttl }) } };
    }
    case 'tasks/get':
    case 'tasks/result':
    case 'tasks/cancel':
      return offer === undefined ? toNobody : aboutTask(method, params);
    case 'tasks/list': {
      if (offer?.canList !== true) return toNobody;
      const { cursor } = params;
      if (cursor !== undefined && typeof cursor !== 'string') return refuse(invalid('cursor must be a string'));
      return { to: 'task', asked: { kind: 'list', cursor } };
    }
    default:
      return undefined;
  }
}

/**
 * The same of 2026-07-28, where every request says whether its client knows tasks.
 *
 * @example routeModernTask(request, handshake, envelope.client)
 */
export function routeModernTask(
  { method, params = {} }: InboundRequest,
  { tasks }: Handshake,
  client: Client,
): TaskRoute | undefined {
  if (tasks === undefined) return undefined;
  switch (method) {
    case 'tools/call': {
      const name = params['name'] as string;
      const mode = modeOf(tasks, name);
      if (mode === undefined) return undefined;
      if (!knowsTasks(client)) return mode === 'required' ? refuse(missingExtension()) : undefined;
      const { inputResponses: answers, requestState: state } = params;
      if (answers !== undefined && !isMap(answers)) return refuse(invalid('inputResponses must be an object'));
      if (state !== undefined && typeof state !== 'string') return refuse(invalid('requestState must be a string'));
      const rounds = { ...(answers !== undefined && { answers }), ...(state !== undefined && { state }) };
      return { to: 'task', asked: { kind: 'start', name, args: params['arguments'] ?? {}, ...rounds } };
    }
    case 'tasks/get':
    case 'tasks/cancel':
      return knowsTasks(client) ? aboutTask(method, params) : refuse(missingExtension());
    case 'tasks/update': {
      if (!knowsTasks(client)) return refuse(missingExtension());
      const { taskId, inputResponses: answers } = params;
      if (typeof taskId !== 'string') return refuse(noTaskId);
      if (!isMap(answers)) return refuse(invalid('inputResponses must be an object'));
      return { to: 'task', asked: { kind: 'update', taskId, answers } };
    }
    case 'subscriptions/listen': {
      const wanted = params['notifications'];
      if (!isMap(wanted) || wanted['taskIds'] === undefined) return undefined;
      if (!knowsTasks(client)) return refuse(missingExtension());
      const filter = readFilter(wanted);
      return filter === undefined ? refuse(wrongFilter) : { to: 'task', asked: { kind: 'listen', filter } };
    }
    default:
      return undefined;
  }
}

function aboutTask(method: 'tasks/get' | 'tasks/result' | 'tasks/cancel', { taskId }: Fields): TaskRoute {
  if (typeof taskId !== 'string') return refuse(noTaskId);
  const kind = method.slice('tasks/'.length) as 'get' | 'result' | 'cancel';
  return { to: 'task', asked: { kind, taskId } };
}

function readFilter(wanted: Fields): ListenFilter | undefined {
  const { taskIds, resourceSubscriptions: uris } = wanted;
  if (!isStrings(taskIds) || taskIds.length > mostListened) return undefined;
  if (uris !== undefined && !isStrings(uris)) return undefined;
  const flags = ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'] as const;
  if (flags.some(flag => wanted[flag] !== undefined && typeof wanted[flag] !== 'boolean')) return undefined;
  const asked = Object.fromEntries(flags.flatMap(flag => (wanted[flag] === true ? [[flag, true]] : [])));
  return { taskIds: [...new Set(taskIds)], ...asked, ...(uris !== undefined && { resourceSubscriptions: uris }) };
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(one => typeof one === 'string');
}

/** Of this very request: what a client said earlier does not count. */
function knowsTasks({ capabilities }: Client): boolean {
  const { extensions } = capabilities as Fields;
  return isMap(extensions) && isMap(extensions[tasksKey]);
}

function modeOf({ modes }: TaskModes, name: string): 'optional' | 'required' | undefined {
  return Object.hasOwn(modes, name) ? modes[name] : undefined;
}

function isListed({ lists }: Handshake, name: string): boolean {
  return lists.tools?.pieces.some(piece => piece.name === name) === true;
}

function refuse(error: WireError): TaskRoute {
  return { to: 'refused', error };
}

function invalid(why: string): WireError {
  return { code: protocolCodes.invalidParams, message: `Invalid params: ${why}` };
}

const noTaskId = invalid('taskId must be a string');
const wrongFilter = invalid(
  `'notifications' must be a valid filter: taskIds is a list of at most ${mostListened} strings`,
);

/** 2025: a call of a tool that is never a plain call. */
export function onlyAsTask(name: string): WireError {
  return { code: protocolCodes.methodNotFound, message: `Tool ${name} only runs as a task` };
}

function neverAsTask(name: string): WireError {
  return { code: protocolCodes.methodNotFound, message: `Tool ${name} does not run as a task` };
}

/** 2026-07-28: a client that says nothing of the extension. */
export function missingExtension(): WireError {
  const data = { requiredCapabilities: { extensions: { [tasksKey]: {} } } };
  const message = `Missing required client capability: extension ${tasksKey}`;
  return { code: protocolCodes.missingCapability, message, data };
}
