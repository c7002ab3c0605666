// T1. What a connection of 2025 has to do with tasks. In: requests for tasks and about them. Out: their answers; and while a task that was
// made or asked for here is not over, its questions, progress and status on whatever stream is open.

import type { Request } from '../call/ports.js';
import { ProtocolError, protocolCodes } from '../call/protocol-error.js';
import type { Task } from '../tasks/tasks.js';
import type { Message, MessageId } from './ports.js';
import { askUntilDone, type ClientQuestions } from './questions.js';
import { ClientRequest, type PendingCall, type Wire } from './request.js';
import { FollowedTask } from './task-followed.js';
import { found, type TaskAnswer, type TaskPort } from './task-port.js';
import type { TaskInput } from './task-route.js';
import { legacyTask, outcomeOf, relatedTask } from './task-shapes.js';

/** The way to the client of a connection of 2025. */
export interface TaskWay {
  readonly questions: ClientQuestions;
  /** Of the server, without tasks. */
  readonly wire: Wire;
  /** Whether what is sent now gets there: with the answer to an open request; undefined: with none. */
  reaches(via: MessageId | undefined): boolean;
  /** May be lost. */
  offer(message: Message, via: MessageId | undefined): void;
}

/** Time for a client to come back to a stream that broke, before it is asked again on another. */
const returnMs = 2000;

export class TaskSession {
  readonly #port: TaskPort;
  readonly #way: TaskWay;
  readonly #followed = new Map<string, FollowedTask>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(port: TaskPort, way: TaskWay) {
    this.#port = port;
    this.#way = way;
  }

  /** Never fails. */
  async answer(input: TaskInput, call: PendingCall): Promise<TaskAnswer> {
    try {
      return await this.#answer(input, call);
    } catch (cause) {
      return { error: this.#port.errorOf(cause, input) };
    }
  }

  /** There is a stream that was not there before. */
  look(): void {
    for (const one of this.#followed.values()) one.look();
  }

  /** One broke. */
  lookLater(): void {
    if (this.#followed.size === 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.look(), returnMs);
    this.#timer.unref?.();
  }

  /** Who waits for a result must ask again, somewhere else or later: the tasks go on. */
  leave(): void {
    for (const one of this.#followed.values()) one.leave();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const one of this.#followed.values()) one.stop();
    this.#followed.clear();
  }

  async #answer(input: TaskInput, call: PendingCall): Promise<TaskAnswer> {
    const { asked, principal, id } = input;
    const { tasks, surface } = this.#port;
    switch (asked.kind) {
      case 'start':
        return await this.#start(input, call);
      case 'get': {
        const task = found(await tasks.get(asked.taskId, principal));
        const followed = this.#follow(task, input);
        // Some clients open no other stream before the end.
        followed?.look(id);
        return { value: legacyTask(task, surface) };
      }
      case 'result': {
        const task = found(await tasks.get(asked.taskId, principal));
        const end = task.end === undefined ? await this.#follow(task, input)?.wait(id, call) : task;
        const outcome = end && outcomeOf(end, surface, 'legacy');
        if (outcome === undefined) throw new ProtocolError(protocolCodes.internalError, leaving);
        if ('error' in outcome) return outcome;
        const { result } = outcome;
        return { value: { ...result, _meta: { ...result._meta, ...relatedTask(task.id) } } };
      }
      case 'list': {
        const { tasks: page, nextCursor } = await tasks.list(principal, asked.cursor);
        const all = page.map(task => legacyTask(task, surface));
        return { value: { tasks: all, ...(nextCursor !== undefined && { nextCursor }) } };
      }
      case 'cancel':
        return await this.#cancel(asked.taskId, principal);
      default:
        throw new ProtocolError(protocolCodes.methodNotFound, 'Method not found');
    }
  }

  /** Questions that come before the task are asked as those of any call. */
  async #start(input: TaskInput, call: PendingCall): Promise<TaskAnswer> {
    const { id, client } = input;
    let followed: FollowedTask | undefined;
    // Its token holds as long as the task does.
    const wire: Wire = {
      ...this.#way.wire,
      logLevel: () => undefined,
      progress: (from, done, total, message) => {
        if (this.#isClosed) return;
        if (followed === undefined) this.#way.wire.progress(from, done, total, message);
        else followed.progress(from.meta?.['progressToken'], done, total, message);
      },
    };
    const round = (answers?: Request['answers'], state?: string): ReturnType<TaskPort['start']> =>
      this.#port.start(input, new ClientRequest(input, call, wire, answers, state));
    type End =
      | Exclude<Awaited<ReturnType<TaskPort['start']>>, { readonly asking: unknown }>
      | { readonly failure: string };
    const end = await askUntilDone<End>(await round(), {
      ask: async asking => {
        const { capabilities } = client;
        const asked = await this.#way.questions.ask({ id, asking, capabilities, cancellation: call });
        return 'failure' in asked ? { end: asked } : asked;
      },
      again: round,
      tooMany: rounds => ({ failure: `The tool still asked after ${rounds} rounds of questions` }),
    });
    if ('failure' in end) throw new ProtocolError(protocolCodes.internalError, end.failure);
    const { task } = end;
    const handle = { task: legacyTask(task, this.#port.surface, true) };
    // Its questions come after its handle, so that the client knows which task they are of.
    followed = this.#follow(task, input);
    setImmediate(() => void followed?.catchUp());
    return { value: handle };
  }

  async #cancel(taskId: string, owner: string): Promise<TaskAnswer> {
    const { tasks, surface } = this.#port;
    const before = found(await tasks.get(taskId, owner));
    const task = before.end === undefined ? found(await tasks.cancel(taskId, owner)) : before;
    // It may have come to its end between the two.
    if (before.end === undefined && task.end?.kind === 'cancelled') return { value: legacyTask(task, surface) };
    const { status } = legacyTask(task, surface);
    const why = `Cannot cancel task: already in terminal status '${String(status)}'`;
    throw new ProtocolError(protocolCodes.invalidParams, why);
  }

  /** Undefined: it is over, or the connection is. */
  #follow(task: Task, { client, principal, asked }: TaskInput): FollowedTask | undefined {
    if (task.end !== undefined || this.#isClosed) return undefined;
    const known = this.#followed.get(task.id);
    known?.see(task);
    if (known !== undefined) return known;
    const about = { port: this.#port, way: this.#way, owner: principal, capabilities: client.capabilities };
    const options = { ...about, onEnd: () => void this.#followed.delete(task.id) };
    const followed = new FollowedTask(task, options, asked.kind === 'start');
    this.#followed.set(task.id, followed);
    return followed;
  }
}

const leaving = 'The connection ends; the task goes on, and its result can be asked for again';
