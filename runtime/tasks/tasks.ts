// T1. What everybody who deals with tasks knows of them: what a task is, and what can be done with the tasks of one server. Types only.
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import type { Asking, Question, Request } from '../call/ports.js';

/** A task as it is now. */
export interface Task {
  /** Where nobody says who calls, the id is all that is needed to look: it is random, and stays out of logs. */
  readonly id: string;
  /** The wire name of the tool. */
  readonly tool: string;
  /** In milliseconds since 1970, as are all times here. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** From `createdAt`; never shorter than was said. */
  readonly ttlMs: number;
  /** For people: what the handler says it is doing, or why it failed. */
  readonly note: string | undefined;
  /** Open questions by the key that clients see. A key stands for one question as long as the task lives. */
  readonly asking: Readonly<Record<string, Question>>;
  /** Undefined: it is not over. */
  readonly end: TaskEnd | undefined;
}

/** How a task ended. The first end counts, whatever comes later. */
export type TaskEnd =
  | { readonly kind: 'result'; readonly result: CallToolResult }
  /** An error of JSON-RPC. */
  | { readonly kind: 'error'; readonly error: TaskError }
  | { readonly kind: 'cancelled' };

export interface TaskError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A call that is to become a task. */
export interface TaskCall {
  /** The wire name. */
  readonly tool: string;
  /** As they were sent. */
  readonly args: unknown;
  /** Of the client. Its `principal` owns the task; it hears of progress as long as it takes some; its signal ends nothing. */
  readonly request: Request;
  /** What the client wishes. */
  readonly ttlMs?: number | undefined;
}

/** The tasks of one server. What is asked about a task of somebody else is answered as for one that does not exist. */
export interface Tasks {
  /**
   * Starts a task: when this resolves, the task survives whatever happens. Where the tool asks before it begins (`confirm`, `ask: before`),
   * the questions come first, as for any call, and the round that has all answers gives the task. Throws a ProtocolError where the
   * caller has too many tasks, or the tool is unknown.
   */
  start(call: TaskCall): Promise<{ readonly task: Task } | { readonly asking: Asking }>;
  get(id: string, owner: string): Promise<Task | undefined>;
  /** The newest first. Throws a ProtocolError (-32602) for a cursor that is not ours. */
  list(owner: string, cursor?: string): Promise<TaskPage>;
  /** As it is then; what was over stays as it was. */
  cancel(id: string, owner: string): Promise<Task | undefined>;
  /** Answers to open questions, by the keys of `asking`; others are ignored. They are kept when this resolves. */
  answer(id: string, owner: string, answers: Readonly<Record<string, unknown>>): Promise<Task | undefined>;
  /** Calls `listen` after each change, also one that another process made; returns how to stop. */
  watch(id: string, listen: (task: Task) => void): () => void;
  /** Takes no more work. What runs is left to another process, or to the next start. */
  close(): Promise<void>;
}

export interface TaskPage {
  readonly tasks: readonly Task[];
  readonly nextCursor?: string | undefined;
}
