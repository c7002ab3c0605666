// T2. The port behind which tasks are kept. Memory, files, and whatever can refuse what a run writes that another has overtaken.
// test/runtime/tasks/store-contract.ts says what every store must do. Types only, but for the one error.
import type { Question, SealedState } from '../call/ports.js';
import type { TaskCaller } from './task-caller.js';
import type { TaskEnd } from './tasks.js';

/** Nothing is found under a right id with a wrong owner. */
export interface TaskRef {
  /** From `makeTaskId`: it sorts by time. */
  readonly id: string;
  /** Empty where nobody says who calls. */
  readonly owner: string;
}

/** What is known of a task from its start on. */
export interface NewTask extends TaskRef {
  /** The wire name. */
  readonly tool: string;
  readonly args: unknown;
  readonly createdAt: number;
  readonly ttlMs: number;
  /** Whom its runs work for. A store that others may read without a key leaves out the token. */
  readonly caller: TaskCaller;
  /** A digest of what the tool is: a run of another definition would be another call. */
  readonly means: string;
  /** A digest of how the server is set: only a process with the same one runs it. */
  readonly settings: string;
  /** Of the rounds before the task. */
  readonly journal: SealedState;
  /** The one who accepts it has begun its first run. Else it is due. */
  readonly isBegun: boolean;
}

export interface AskedQuestion {
  /** Under which the handler asks. */
  readonly key: string;
  readonly question: Question;
}

/** All that is known of a task. */
export interface TaskRecord extends NewTask {
  readonly updatedAt: number;
  /** The number of the newest run; 0: none has begun. */
  readonly run: number;
  readonly note: string | undefined;
  /** Every question of all runs by the key that clients see, in the order in which they came. */
  readonly asked: Readonly<Record<string, AskedQuestion>>;
  /** Keys that clients see, of those that wait for an answer. */
  readonly open: readonly string[];
  /** By the keys that clients see. */
  readonly answered: Readonly<Record<string, unknown>>;
  /** What `ctx.once` kept in all runs. */
  readonly once: Readonly<Record<string, unknown>>;
  readonly end: TaskEnd | undefined;
}

/** A task whose next run has begun with this. */
export interface Taken {
  readonly record: TaskRecord;
  readonly run: number;
  /** The run before ended with neither questions nor the task: something may have been done in part. */
  readonly isCutShort: boolean;
  /** How many runs ended without a word, as one does that takes its process along. */
  readonly crashes: number;
}

export type TaskCard = Pick<NewTask, 'id' | 'owner' | 'tool' | 'settings'>;

/**
 * What has the number of a run is refused, by `false`, once there is a later run or the task is over. Whatever resolves is kept, also if the
 * power fails; what cannot be kept throws a StoreFailure, and nothing of it stays. A run whose lease is not renewed for some time is
 * overtaken.
 */
export interface Store {
  /** False: the owner has `mostOpen` tasks that are not over, and this one is not accepted. */
  accept(task: NewTask, mostOpen: number): Promise<boolean>;
  /** Begins the next run of a task that is due: one that nobody works at and that waits for no answer. The oldest first. */
  take(mayRun: (task: TaskCard) => boolean): Promise<Taken | undefined>;
  /** Keeps others from taking it for some more time. Also tells whether the run may go on. */
  renew(ref: TaskRef, run: number): Promise<boolean>;
  /** What an effect of `ctx.once` gave. */
  keep(ref: TaskRef, run: number, key: string, kept: unknown): Promise<boolean>;
  /** The newest one is seen; it may be lost with the power. */
  note(ref: TaskRef, run: number, text: string): Promise<boolean>;
  /** Ends the run: the task waits until all are answered, and is due then. */
  ask(ref: TaskRef, run: number, asked: Readonly<Record<string, AskedQuestion>>): Promise<boolean>;
  /** Ends the run without a word about the task, which is due at once. */
  leave(ref: TaskRef, run: number): Promise<boolean>;
  /** Ends the task. */
  finish(ref: TaskRef, run: number, end: TaskEnd): Promise<boolean>;
  /** Those under other keys than open ones are ignored; the first answer to a question counts. */
  answer(ref: TaskRef, answers: Readonly<Record<string, unknown>>): Promise<TaskRecord | undefined>;
  /** What is over stays as it was. */
  cancel(ref: TaskRef): Promise<TaskRecord | undefined>;
  get(ref: TaskRef): Promise<TaskRecord | undefined>;
  /** The newest first, from the one after the id `after`. */
  list(owner: string, after: string | undefined, most: number): Promise<readonly TaskRecord[]>;
  /** Calls `listen` some time after each change, also by others; returns how to stop. */
  onChange(id: string, listen: () => void): () => void;
  /** Ends what has outlived its ttl with `late`, and some time later removes it. To be called now and then, by any process. */
  sweep(late: TaskEnd): Promise<void>;
  /** Stops watching, and lets go of files. What is kept stays. */
  close(): Promise<void>;
}

/** Something could not be kept. The message is for clients: it says what is wrong, and no path. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure';
}
