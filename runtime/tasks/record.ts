// What both stores of ours make of the pieces that they keep. In: a task, its runs, answers and end. Out: its record, and what it waits for.
import type { AskedQuestion, NewTask, Taken, TaskRecord } from './store.js';
import type { TaskEnd } from './tasks.js';

/** One run, as far as anything of it is kept. */
export interface RunLog {
  readonly updatedAt: number;
  /** The handler may have begun: else the process that took it did not get that far. */
  readonly isBegun: boolean;
  readonly once: ReadonlyMap<string, unknown>;
  readonly note?: string | undefined;
  /** It ended with these. */
  readonly asked?: Readonly<Record<string, AskedQuestion>> | undefined;
  /** It was given back. */
  readonly isLeft: boolean;
}

export interface Parts {
  readonly task: NewTask;
  /** From the first on. */
  readonly runs: readonly RunLog[];
  /** As they came; of several under one key the first counts. */
  readonly answers: readonly { readonly at: number; readonly answers: Readonly<Record<string, unknown>> }[];
  readonly ended: { readonly at: number; readonly end: TaskEnd } | undefined;
}

export type Standing = 'over' | 'asking' | 'due' | 'running';

function openOf({ runs, answers }: Parts): string[] {
  const asked = runs.at(-1)?.asked ?? {};
  return Object.keys(asked).filter(key => !answers.some(one => Object.hasOwn(one.answers, key)));
}

/** `running`: as far as can be seen here; the one who runs it may be dead. */
export function standingOf(parts: Parts): Standing {
  if (parts.ended !== undefined) return 'over';
  const newest = parts.runs.at(-1);
  if (newest === undefined || newest.isLeft) return 'due';
  if (newest.asked === undefined) return 'running';
  return openOf(parts).length > 0 ? 'asking' : 'due';
}

export function assemble(parts: Parts): TaskRecord {
  const { task, runs, answers, ended } = parts;
  const times = [task.createdAt, ...runs.map(one => one.updatedAt), ...answers.map(({ at }) => at), ended?.at ?? 0];
  return {
    ...task,
    updatedAt: Math.max(...times),
    run: runs.length,
    note: runs.findLast(({ note }) => note !== undefined)?.note,
    asked: Object.fromEntries(runs.flatMap(({ asked }) => Object.entries(asked ?? {}))),
    open: ended === undefined ? openOf(parts) : [],
    answered: Object.fromEntries(answers.toReversed().flatMap(one => Object.entries(one.answers))),
    once: Object.fromEntries(runs.toReversed().flatMap(({ once }) => [...once])),
    end: ended?.end,
  };
}

/** `parts`: before the run that has begun now. */
export function takenOf(parts: Parts): Taken {
  const { runs } = parts;
  const last = runs.findLast(({ isBegun }) => isBegun);
  const record = assemble(parts);
  return {
    record: { ...record, run: runs.length + 1 },
    run: runs.length + 1,
    isCutShort: last !== undefined && last.asked === undefined,
    crashes: runs.filter(({ isBegun, isLeft, asked }) => isBegun && !isLeft && asked === undefined).length,
  };
}

/** Those of `answers` that are asked for. */
export function pickAnswers(
  { open }: Pick<TaskRecord, 'open'>,
  answers: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  const picked = open.filter(key => Object.hasOwn(answers, key) && answers[key] !== undefined);
  return picked.length === 0 ? undefined : Object.fromEntries(picked.map(key => [key, answers[key]]));
}
