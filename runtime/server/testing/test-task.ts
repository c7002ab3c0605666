// What tests of authors see of a task. Types only: start-test-task.ts makes one.
import type { Question } from '../../call/ports.js';
import type { TaskStatus } from '../../tasks/status.js';
import type { InvokeOptions } from '../registry/registry.js';
import type { TestCall } from './test-client.js';

/** A task as a client sees it that looks. */
export interface TestTaskState {
  readonly status: TaskStatus;
  /** What the handler has last said that it is doing; undefined where it said nothing. */
  readonly note: string | undefined;
  /** Those that are open, by the keys that clients see. */
  readonly questions: Readonly<Record<string, Question>>;
}

/**
 * How a task is started. Its questions are answered by the callbacks of the client or of this call.
 *
 * @example await client.startTask('order', { size: 'M' }, { byHand: true });
 */
export interface TestTaskOptions extends Omit<InvokeOptions, 'onLog'> {
  /** Questions of the task wait for `answer`; those that come before the task are still for the callbacks. */
  readonly byHand?: boolean | undefined;
  /** What the client wishes; at most 24 hours. */
  readonly ttlMs?: number | undefined;
}

/**
 * A task of a test. It is kept in memory, and ends with the client.
 *
 * @example
 * const task = await client.startTask('order', {}, { byHand: true });
 * await task.answer({ size: { action: 'accept', content: { size: 'M' } } });
 * const { ok } = await task.result();
 */
export interface TestTask<Output = unknown> {
  /** `ctx.task.id`. */
  readonly id: string;
  /** As it is now. */
  status(): Promise<TestTaskState>;
  /** Answers open questions by their keys, as the protocol has them; others are ignored. The last one lets the handler run again. */
  answer(answers: Readonly<Record<string, unknown>>): Promise<void>;
  /** Does nothing where the task is over. */
  cancel(): Promise<void>;
  /**
   * Waits for the end. Never throws for what the tool does: a cancelled task has the error CANCELLED. `logs` is empty, because clients get none of
   * tasks; they are in `report`.
   */
  result(): Promise<TestCall<Output>>;
}
