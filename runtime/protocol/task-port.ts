// T1. In: requests for tasks and about them, as task-route.ts has read them. Out: their answers in 2026-07-28; those of 2025, where a
// connection has more to do with its tasks, are made by task-session.ts. Loaded with the first such request.

import type { Asking, Cancellation } from '../call/ports.js';
import { ProtocolError, protocolCodes } from '../call/protocol-error.js';
import type { Surface } from '../surface/surface.js';
import type { Task, TaskCall, Tasks } from '../tasks/tasks.js';
import { errorOf } from './call-port.js';
import { serverInfoKey } from './handshake.js';
import type { WireError } from './ports.js';
import { ClientRequest, type PendingCall, toSilence, type Wire } from './request.js';
import { Listeners, type ListenSink } from './task-listeners.js';
import type { TaskInput, TaskRequest } from './task-route.js';
import { TaskSession, type TaskWay } from './task-session.js';
import { modernHandle, modernTask } from './task-shapes.js';

/** What a request came to. */
export type TaskAnswer =
  /** The whole result. */
  | { readonly value: object }
  | { readonly error: WireError }
  /** Questions that come before the task. */
  | { readonly asking: Asking };

/** Opens what keeps the tasks of a surface. */
export async function openTaskPort(surface: Surface): Promise<TaskPort> {
  const { tasks } = surface;
  if (tasks === undefined) throw new Error('nothing keeps tasks here');
  return new TaskPort(surface, await tasks());
}

export class TaskPort {
  readonly surface: Surface;
  readonly tasks: Tasks;
  readonly #listeners: Listeners;

  constructor(surface: Surface, tasks: Tasks) {
    this.surface = surface;
    this.tasks = tasks;
    this.#listeners = new Listeners(surface, tasks);
  }

  /** The answer to a request of 2026-07-28. Never fails. */
  async modern(input: TaskInput, call: PendingCall, { notify }: Pick<Wire, 'notify'>): Promise<TaskAnswer> {
    try {
      // There is neither progress nor are there logs of a task.
      return await this.#modern(input, call, toSilence({ notify }));
    } catch (cause) {
      return { error: this.errorOf(cause, input) };
    }
  }

  /** What a connection of 2025 has to do with tasks. */
  session(way: TaskWay): TaskSession {
    return new TaskSession(this, way);
  }

  /** `subscriptions/listen` of 2026-07-28. An error: nobody listens. Never fails. */
  async listen(input: TaskInput, cancellation: Cancellation, sink: ListenSink): Promise<WireError | undefined> {
    try {
      await this.#listeners.add(input, cancellation, sink);
      return undefined;
    } catch (cause) {
      return this.errorOf(cause, input);
    }
  }

  async start(input: TaskInput, request: ClientRequest): ReturnType<Tasks['start']> {
    const { name, args, ttlMs } = ofKind(input.asked, 'start');
    const call: TaskCall = { tool: name, args, request, ...(ttlMs !== undefined && { ttlMs }) };
    return await this.tasks.start(call);
  }

  errorOf(cause: unknown, { asked }: TaskInput): WireError {
    const name = asked.kind === 'start' ? asked.name : undefined;
    const subject = name === undefined ? `tasks/${asked.kind}` : `tools/call ${name}`;
    return errorOf(cause, subject, this.surface, name === undefined ? undefined : this.surface.tool(name));
  }

  async #modern(input: TaskInput, call: PendingCall, wire: Wire): Promise<TaskAnswer> {
    const { asked, principal } = input;
    switch (asked.kind) {
      case 'start': {
        const request = new ClientRequest(input, call, wire, asked.answers, asked.state);
        const started = await this.start(input, request);
        return 'asking' in started ? started : this.#complete(modernHandle(started.task), 'task');
      }
      case 'get':
        return this.#complete(modernTask(found(await this.tasks.get(asked.taskId, principal)), this.surface));
      case 'update':
        found(await this.tasks.answer(asked.taskId, principal, asked.answers));
        return this.#complete({});
      case 'cancel':
        found(await this.tasks.cancel(asked.taskId, principal));
        return this.#complete({});
      default:
        throw new ProtocolError(protocolCodes.methodNotFound, 'Method not found');
    }
  }

  #complete(result: object, resultType = 'complete'): TaskAnswer {
    return { value: { resultType, ...result, _meta: { [serverInfoKey]: this.surface.info } } };
  }
}

/** A task of somebody else is none, and what is over for long is forgotten: nobody learns which. */
export function found(task: Task | undefined): Task {
  if (task !== undefined) return task;
  throw new ProtocolError(protocolCodes.invalidParams, 'Failed to retrieve task: Task not found');
}

function ofKind<K extends TaskRequest['kind']>(asked: TaskRequest, kind: K): Extract<TaskRequest, { kind: K }> {
  if (asked.kind !== kind) throw new Error(`a request of the kind ${asked.kind} is not of the kind ${kind}`);
  return asked as Extract<TaskRequest, { kind: K }>;
}
