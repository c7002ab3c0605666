// T1. Requests for tasks, of one connection or one session, and of HTTP without one. In: what task-route.ts has read. Out: the lines that
// answer it. Loads what it needs with the first of them: most servers have no tasks.
import type { Cancellation } from '../call/ports.js';
import { protocolCodes } from '../call/protocol-error.js';
import type { Handshake } from './handshake.js';
import {
  type CallRunner,
  type HttpAnswer,
  internalError,
  printCallAnswer,
  printError,
  printResult,
} from './plain-calls.js';
import type { CallPort, Message, MessageId, WireError } from './ports.js';
import type { ClientQuestions } from './questions.js';
import type { PendingCall } from './request.js';
import type { ListenSink } from './task-listeners.js';
import type { TaskAnswer, TaskPort } from './task-port.js';
import type { TaskInput } from './task-route.js';
import type { TaskSession, TaskWay } from './task-session.js';

interface PlainTasksOptions {
  readonly way: Pick<TaskWay, 'reaches' | 'offer'>;
  readonly questions: ClientQuestions;
  /** Of a connection of 2026-07-28, for those who listen. */
  readonly send?: ((message: Message) => void) | undefined;
  handshake(): Handshake;
  report(text: string): void;
}

export class PlainTasks {
  readonly #options: PlainTasksOptions;
  #session: TaskSession | undefined;
  readonly #leaves = new Set<() => void>();
  #isClosed = false;

  constructor(options: PlainTasksOptions) {
    this.#options = options;
  }

  /** The answer; undefined: it comes later, or never, as to those who listen. Never fails. */
  async run(input: TaskInput, call: PendingCall, runner: CallRunner): Promise<string | undefined> {
    const { id, asked, client, envelope } = input;
    const { report, handshake } = this.#options;
    const port = await openTasks(runner.port, report);
    if (port === undefined) return printError(id, internalError);
    if (asked.kind === 'listen') return await this.#listen(port, input, call);
    const isModern = envelope !== undefined;
    const answer = await (isModern
      ? runTask(port, input, call, runner)
      : counted(runner, input, () => this.#of(port, runner).answer(input, call)));
    return printTaskAnswer(id, answer, client, isModern ? handshake() : undefined).text;
  }

  /** There is a stream to the client that was not there before. */
  look(): void {
    this.#session?.look();
  }

  /** A stream broke. */
  lookLater(): void {
    this.#session?.lookLater();
  }

  /** The connection is about to end: who waits or listens hears so. */
  leave(): void {
    this.#session?.leave();
    for (const leave of this.#leaves) leave();
    this.#leaves.clear();
  }

  close(): void {
    this.#isClosed = true;
    this.#session?.close();
  }

  #of(port: TaskPort, { wire }: CallRunner): TaskSession {
    const { way, questions } = this.#options;
    this.#session ??= port.session({ ...way, questions, wire });
    if (this.#isClosed) this.#session.close();
    return this.#session;
  }

  async #listen(port: TaskPort, input: TaskInput, call: PendingCall): Promise<string | undefined> {
    const { send } = this.#options;
    const { id } = input;
    if (send === undefined) return printError(id, notHere);
    const sink: ListenSink = {
      send,
      open: () => undefined,
      end: () => undefined,
      onLeave: leave => {
        this.#leaves.add(leave);
        call.addEventListener('abort', { handleEvent: () => this.#leaves.delete(leave) });
      },
    };
    const error = await port.listen(input, call, sink);
    return error && printError(id, error);
  }
}

const notHere: WireError = { code: protocolCodes.methodNotFound, message: 'Method not found' };

/** Undefined: they cannot be opened, and the operator knows why. */
export async function openTasks({ tasks }: CallPort, report: (text: string) => void): Promise<TaskPort | undefined> {
  try {
    return await tasks?.();
  } catch (error) {
    report(`Tasks cannot be opened: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return undefined;
  }
}

/** A request of 2026-07-28. */
export function runTask(port: TaskPort, input: TaskInput, call: PendingCall, runner: CallRunner): Promise<TaskAnswer> {
  return counted(runner, input, () => port.modern(input, call, runner.wire));
}

/** Tools work while a task is made; who waits for its result holds nobody up. */
async function counted(
  { calls }: CallRunner,
  { asked }: TaskInput,
  run: () => Promise<TaskAnswer>,
): Promise<TaskAnswer> {
  if (asked.kind !== 'start') return await run();
  calls?.begin();
  try {
    return await run();
  } finally {
    calls?.end();
  }
}

/** With its status over HTTP; with a handshake: as clients of 2026-07-28 get it. */
export function printTaskAnswer(
  id: MessageId,
  answer: TaskAnswer,
  client: TaskInput['client'],
  handshake: Handshake | undefined,
): HttpAnswer {
  if (!('value' in answer)) return printCallAnswer(id, answer, client, handshake);
  try {
    return { status: 200, text: printResult(id, JSON.stringify(answer.value)) };
  } catch {
    return { status: 200, text: printError(id, internalError) };
  }
}

/** The way of those who listen over HTTP: a stream of events, kept alive. */
export class EventSink implements ListenSink {
  readonly #reply: EventReply;
  readonly #keepAlive: ReturnType<typeof setInterval>;
  #leave: (() => void) | undefined;
  #isOpen = false;

  constructor(reply: EventReply, cancellation: Cancellation) {
    this.#reply = reply;
    this.#keepAlive = setInterval(() => {
      if (this.#isOpen) reply.writeStream(': keepalive\n\n');
    }, keepAliveMs);
    cancellation.addEventListener('abort', { handleEvent: () => clearInterval(this.#keepAlive) });
  }

  open(): void {
    this.#isOpen = true;
    this.#reply.openStream();
  }

  send(message: Message): void {
    this.#reply.writeStream(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  end(): void {
    clearInterval(this.#keepAlive);
    if (this.#isOpen) this.#reply.endStream();
    this.#isOpen = false;
  }

  onLeave(leave: () => void): void {
    this.#leave = leave;
  }

  leave(): void {
    this.#leave?.();
    this.end();
  }
}

const keepAliveMs = 15_000;

/** The answer to a request over HTTP that is a stream. */
export interface EventReply {
  openStream(): void;
  writeStream(text: string): void;
  endStream(): void;
}
