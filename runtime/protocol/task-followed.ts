// T1. One task that is not over, as a connection of 2025 follows it: who waits for its result, which of its questions the client has, and what it hears
// meanwhile. Ends with the task.
import type { Question } from '../call/ports.js';
import type { Task } from '../tasks/tasks.js';
import type { MessageId } from './ports.js';
import { findUndeclared, toInputRequest } from './questions.js';
import { PendingCall } from './request.js';
import type { TaskPort } from './task-port.js';
import type { TaskWay } from './task-session.js';
import { legacyTask, relatedTask } from './task-shapes.js';

interface FollowOptions {
  readonly port: TaskPort;
  readonly way: TaskWay;
  readonly owner: string;
  /** Of the client here, which need not be the one that made the task. */
  readonly capabilities: object;
  onEnd(): void;
}

/** A question that the client has, or has answered. */
interface Asked {
  /** Where it was sent. */
  readonly via: MessageId | undefined;
  /** It went out with an answer that was complete right after it. */
  isDelivered: boolean;
  readonly cancellation: PendingCall;
}

export class FollowedTask {
  readonly #options: FollowOptions;
  readonly #stop: () => void;
  readonly #asked = new Map<string, Asked>();
  /** Questions that the client has refused: it is asked again when somebody waits for the result anew. */
  readonly #refused = new Set<string>();
  /** Those who wait for the result, by their requests. */
  readonly #waiting = new Map<MessageId, (task: Task | undefined) => void>();
  #task: Task;
  #told: string;
  #reached = Number.NEGATIVE_INFINITY;
  #isHeld: boolean;
  /** How often it was said to have changed. */
  #changes = 0;

  /** `isHeld`: nothing is said before `catchUp`. */
  constructor(task: Task, options: FollowOptions, isHeld: boolean) {
    this.#isHeld = isHeld;
    this.#task = task;
    this.#options = options;
    // The client has seen this one.
    this.#told = this.#print(task);
    this.#stop = options.port.tasks.watch(task.id, changed => this.#hear(changed));
  }

  /** What has happened since the task was read. */
  async catchUp(): Promise<void> {
    const { port, owner } = this.#options;
    this.#isHeld = false;
    try {
      const before = this.#changes;
      const task = await port.tasks.get(this.#task.id, owner);
      // Else what was read may be old.
      if (task !== undefined && before === this.#changes) this.#take(task);
    } catch (cause) {
      port.surface.services.report(`A task cannot be read: ${String(cause)}`);
    }
  }

  /** The task at its end; undefined: the connection ends before, or nobody waits any more. */
  async wait(id: MessageId, call: PendingCall): Promise<Task | undefined> {
    const ended = new Promise<Task | undefined>(resolve => {
      this.#waiting.set(id, resolve);
    });
    call.addEventListener('abort', { handleEvent: () => this.#settle(id, undefined) });
    this.#refused.clear();
    // It may have ended before it was watched.
    void this.catchUp().then(() => this.look());
    return await ended;
  }

  /** Asks what the client has not been asked, where there is a way; `reply`: a request whose answer may be one. */
  look(reply?: MessageId): void {
    const { asking, end } = this.#task;
    for (const [key, { cancellation }] of this.#asked)
      if (end !== undefined || !Object.hasOwn(asking, key)) this.#takeBack(key, cancellation);
    if (end !== undefined) return;
    for (const [key, question] of Object.entries(asking)) this.#ask(key, question, reply);
  }

  progress(token: unknown, done: number, total: number | undefined, message: string | undefined): void {
    if (token === undefined || !(done > this.#reached)) return;
    this.#reached = done;
    const more = { ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
    this.#tell('notifications/progress', { progressToken: token, progress: done, ...more });
  }

  /** Nobody hears of the end here. */
  leave(): void {
    for (const id of [...this.#waiting.keys()]) this.#settle(id, undefined);
  }

  stop(): void {
    this.#stop();
    this.leave();
    for (const { cancellation } of this.#asked.values()) cancellation.abort(new Error('Connection closed'));
    this.#asked.clear();
  }

  /** Somebody has read it: that may have been before it changed. */
  see(task: Task): void {
    if (task.updatedAt > this.#task.updatedAt) this.#take(task);
  }

  #hear(task: Task): void {
    this.#changes += 1;
    this.#take(task);
  }

  #take(task: Task): void {
    if (this.#isHeld || this.#task.end !== undefined) return;
    this.#task = task;
    const printed = this.#print(task);
    if (printed !== this.#told) {
      this.#told = printed;
      this.#tell('notifications/tasks/status', legacyTask(task, this.#options.port.surface));
    }
    this.look();
    if (task.end === undefined) return;
    this.#stop();
    for (const id of [...this.#waiting.keys()]) this.#settle(id, task);
    this.#options.onEnd();
  }

  #settle(id: MessageId, task: Task | undefined): void {
    this.#waiting.get(id)?.(task);
    this.#waiting.delete(id);
  }

  /** What a client hears of, without the time. */
  #print(task: Task): string {
    const { status, statusMessage } = legacyTask(task, this.#options.port.surface);
    return JSON.stringify([status, statusMessage]);
  }

  #tell(method: string, params: Readonly<Record<string, unknown>>): void {
    const { way } = this.#options;
    const via = this.#openWay();
    if (via === undefined) return;
    const message = { ...params, _meta: relatedTask(this.#task.id) };
    // A status has its task in it.
    way.offer({ jsonrpc: '2.0', method, params: method === 'notifications/progress' ? message : params }, via.id);
  }

  /** The streams of those who wait for this very task come first. */
  #openWay(): { readonly id: MessageId | undefined } | undefined {
    const { way } = this.#options;
    for (const id of this.#waiting.keys()) if (way.reaches(id)) return { id };
    return way.reaches(undefined) ? { id: undefined } : undefined;
  }

  #ask(key: string, question: Question, reply: MessageId | undefined): void {
    const { way, capabilities } = this.#options;
    const before = this.#asked.get(key);
    if (this.#refused.has(key) || (before && (before.isDelivered || way.reaches(before.via)))) return;
    const open = this.#openWay();
    const isReply = open === undefined && reply !== undefined && way.reaches(reply);
    const request = toInputRequest(question);
    if ((open === undefined && !isReply) || findUndeclared(request, capabilities) !== undefined) return;
    if (before !== undefined) this.#takeBack(key, before.cancellation);
    const via = open === undefined ? reply : open.id;
    const asked: Asked = { via, isDelivered: isReply, cancellation: new PendingCall() };
    this.#asked.set(key, asked);
    const { cancellation } = asked;
    const meta = relatedTask(this.#task.id);
    way.questions.askOne({ request, via, meta, cancellation }).then(
      result => this.#answered(key, asked, result),
      (cause: unknown) => this.#failed(key, asked, question, cause),
    );
  }

  #takeBack(key: string, cancellation: PendingCall): void {
    this.#asked.delete(key);
    cancellation.abort(new Error('The question is answered, or no longer asked'));
  }

  /** A client that cannot show a form has cancelled it; what else it does not answer stays open. */
  #failed(key: string, asked: Asked, question: Question, cause: unknown): void {
    if (this.#asked.get(key) !== asked) return;
    if (question.kind === 'elicit') {
      this.#answered(key, asked, { action: 'cancel' });
      return;
    }
    this.#asked.delete(key);
    this.#refused.add(key);
    this.#options.port.surface.services.report(`A client does not answer a question of a task: ${String(cause)}`);
  }

  #answered(key: string, asked: Asked, result: unknown): void {
    // Until the task no longer asks it.
    asked.isDelivered = true;
    const { port, owner } = this.#options;
    port.tasks
      .answer(this.#task.id, owner, { [key]: result })
      .catch((cause: unknown) => port.surface.services.report(`An answer to a task is lost: ${String(cause)}`));
  }
}
