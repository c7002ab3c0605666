// In: a call that is to become a task. Out: its record, and what its handler needs of the rounds before; refused where it is too much.
import { openToolJournal } from '../call/context/create-context.js';
import type { Asking, Request, SealedState, ServedTool } from '../call/ports.js';
import { ProtocolError, protocolCodes } from '../call/protocol-error.js';
import { isToolError } from '../call/tool-error.js';
import { digestsOf } from './digest.js';
import type { TaskLimits } from './limits.js';
import type { CallTool } from './run.js';
import type { NewTask, TaskRecord } from './store.js';
import type { TaskSurface } from './surface.js';
import { callerOf } from './task-caller.js';
import { makeTaskId } from './task-id.js';
import type { TaskCall } from './tasks.js';

export interface FirstRun {
  readonly record: TaskRecord;
  readonly journal: SealedState;
  readonly call: CallTool;
  /** What a client gets that is asked before the task. */
  askFirst(asking: Asking): Asking;
}

export interface FirstRunInput extends TaskCall {
  readonly surface: TaskSurface;
  readonly served: ServedTool;
  readonly limits: TaskLimits;
  readonly now: number;
  readonly isBegun: boolean;
}

export function makeFirstRun(input: FirstRunInput): FirstRun {
  const { surface, served, args, request, limits, now } = input;
  const bytes = Buffer.byteLength(JSON.stringify(args ?? {}));
  if (bytes > limits.largestArguments) {
    const most = limits.largestArguments;
    throw new ProtocolError(
      protocolCodes.invalidParams,
      `The arguments have ${bytes} bytes; at most ${most} are kept of a task`,
    );
  }
  const { journal, seal, call } = openRounds(surface, served, args, request);
  const task: NewTask = {
    id: makeTaskId(now),
    owner: request.principal,
    tool: served.name,
    args,
    createdAt: now,
    ttlMs: ttlOf(input),
    caller: callerOf(request),
    ...digestsOf(served),
    journal,
    isBegun: input.isBegun,
  };
  return {
    record: newRecord(task),
    journal,
    call,
    askFirst: ({ questions }) => {
      // What is asked again was answered wrongly.
      const right = Object.entries(journal.answers).filter(([key]) => !Object.hasOwn(questions, key));
      return { questions, state: seal({ ...journal, answers: Object.fromEntries(right) }) };
    },
  };
}

interface Rounds {
  readonly journal: SealedState;
  readonly call: CallTool;
  seal(journal: SealedState): string;
}

/** A state is opened once: some open only once. */
function openRounds(surface: TaskSurface, served: ServedTool, args: unknown, request: Request): Rounds {
  const call = callOf(surface, served.name, args);
  try {
    return { ...openToolJournal({ served, args, request, services: surface.services }), call };
  } catch (error) {
    if (!isToolError(error)) throw error;
    // The call itself says so: its result is that of the task.
    const state = { state: request.state, answers: request.answers, task: undefined };
    return {
      journal: { answers: {}, once: {} },
      call: inner => call({ ...inner, ...state }),
      seal: () => '',
    };
  }
}

/** Each run has arguments of its own: handlers may change them. */
export function callOf(surface: TaskSurface, name: string, args: unknown): CallTool {
  return request => surface.callTool(name, structuredClone(args), request);
}

function ttlOf({ ttlMs, limits }: FirstRunInput): number {
  const wished = ttlMs === undefined || Number.isNaN(ttlMs) ? limits.ttlMs : Math.ceil(ttlMs);
  return Math.min(Math.max(wished, 1), limits.longestTtlMs);
}

function newRecord(task: NewTask): TaskRecord {
  const nothing = { asked: {}, open: [], answered: {}, once: {}, note: undefined, end: undefined };
  return { ...task, ...nothing, updatedAt: task.createdAt, run: task.isBegun ? 1 : 0 };
}
