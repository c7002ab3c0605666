// Tasks that live as long as the process: for dev, tests, workers and servers made by code. Nothing of Node is used.

import { lateMs, leaseMs as usualLeaseMs } from './limits.js';
import { assemble, type Parts, pickAnswers, type RunLog, standingOf, takenOf } from './record.js';
import type { AskedQuestion, NewTask, Store, Taken, TaskCard, TaskRecord, TaskRef } from './store.js';
import type { TaskEnd } from './tasks.js';

export interface MemoryStoreOptions {
  /** In milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** One that never jumps. */
  readonly clock?: (() => number) | undefined;
  readonly leaseMs?: number | undefined;
}

interface Kept {
  parts: Parts;
  /** By the clock. */
  renewedAt: number;
  expiresAt: number;
}

/** The oldest first. */
function byAge(one: Kept, other: Kept): number {
  return one.parts.task.id < other.parts.task.id ? -1 : 1;
}

/**
 * A store that forgets everything with the process.
 *
 * @example const tasks = await openTasks({ store: openMemoryStore(), surface });
 */
export function openMemoryStore(options: MemoryStoreOptions = {}): Store {
  const { now = Date.now, clock = () => performance.now(), leaseMs = usualLeaseMs } = options;
  const all = new Map<string, Kept>();
  const listeners = new Map<string, Set<() => void>>();

  const find = ({ id, owner }: TaskRef): Kept | undefined => {
    const kept = all.get(id);
    return kept?.parts.task.owner === owner ? kept : undefined;
  };
  const isOpen = ({ parts }: Kept): boolean => parts.ended === undefined;

  function change(kept: Kept, changes: Partial<Parts>): void {
    kept.parts = { ...kept.parts, ...changes };
    for (const listen of listeners.get(kept.parts.task.id) ?? []) queueMicrotask(listen);
  }

  /** False where the run is not the newest any more. */
  function changeRun(ref: TaskRef, run: number, changes: (log: RunLog) => Partial<RunLog>): boolean {
    const kept = find(ref);
    const log = kept?.parts.runs[run - 1];
    if (kept === undefined || log === undefined || !isNewest(kept, run)) return false;
    change(kept, { runs: kept.parts.runs.with(run - 1, { ...log, updatedAt: now(), ...changes(log) }) });
    return true;
  }

  function isNewest({ parts }: Kept, run: number): boolean {
    const log = parts.runs.at(-1);
    return parts.ended === undefined && parts.runs.length === run && log?.asked === undefined && log?.isLeft === false;
  }

  function end(kept: Kept, ended: TaskEnd): void {
    change(kept, { ended: { at: now(), end: ended } });
  }

  const begin = (updatedAt: number): RunLog => ({ updatedAt, isBegun: true, once: new Map(), isLeft: false });

  return {
    async accept(given: NewTask, mostOpen: number) {
      const task = JSON.parse(JSON.stringify(given)) as NewTask;
      const open = [...all.values()].filter(kept => isOpen(kept) && kept.parts.task.owner === task.owner);
      if (open.length >= mostOpen) return false;
      const runs = task.isBegun ? [begin(task.createdAt)] : [];
      const expiresAt = task.createdAt + task.ttlMs;
      all.set(task.id, { parts: { task, runs, answers: [], ended: undefined }, renewedAt: clock(), expiresAt });
      return true;
    },
    async take(mayRun: (task: TaskCard) => boolean): Promise<Taken | undefined> {
      for (const kept of [...all.values()].sort(byAge)) {
        const standing = standingOf(kept.parts);
        const isStale = standing === 'running' && clock() - kept.renewedAt > leaseMs;
        if ((standing !== 'due' && !isStale) || !mayRun(kept.parts.task)) continue;
        const taken = takenOf(kept.parts);
        kept.renewedAt = clock();
        change(kept, { runs: [...kept.parts.runs, begin(now())] });
        return taken;
      }
      return undefined;
    },
    async renew(ref, run) {
      const kept = find(ref);
      if (kept === undefined || !isNewest(kept, run)) return false;
      kept.renewedAt = clock();
      return true;
    },
    async keep(ref, run, key, kept) {
      return changeRun(ref, run, ({ once }) => ({ once: new Map([...once, [key, kept]]) }));
    },
    async note(ref, run, note) {
      return changeRun(ref, run, () => ({ note }));
    },
    async ask(ref, run, asked: Readonly<Record<string, AskedQuestion>>) {
      return changeRun(ref, run, () => ({ asked }));
    },
    async leave(ref, run) {
      return changeRun(ref, run, () => ({ isLeft: true }));
    },
    async finish(ref, run, ended) {
      const kept = find(ref);
      if (kept === undefined || !isNewest(kept, run)) return false;
      end(kept, ended);
      return true;
    },
    async answer(ref, given): Promise<TaskRecord | undefined> {
      const kept = find(ref);
      if (kept === undefined) return undefined;
      const answers = pickAnswers(assemble(kept.parts), given);
      if (answers !== undefined) change(kept, { answers: [...kept.parts.answers, { at: now(), answers }] });
      return assemble(kept.parts);
    },
    async cancel(ref) {
      const kept = find(ref);
      if (kept === undefined) return undefined;
      if (isOpen(kept)) end(kept, { kind: 'cancelled' });
      return assemble(kept.parts);
    },
    async get(ref) {
      const kept = find(ref);
      return kept && assemble(kept.parts);
    },
    async list(owner, after, most) {
      return [...all.values()]
        .filter(({ parts: { task } }) => task.owner === owner && (after === undefined || task.id < after))
        .sort((one, other) => byAge(other, one))
        .slice(0, most)
        .map(({ parts }) => assemble(parts));
    },
    onChange(id, listen) {
      const mine = listeners.get(id) ?? new Set();
      listeners.set(id, mine.add(listen));
      return () => {
        mine.delete(listen);
        if (mine.size === 0 && listeners.get(id) === mine) listeners.delete(id);
      };
    },
    async sweep(late) {
      for (const [id, kept] of all) {
        if (now() <= kept.expiresAt) continue;
        if (isOpen(kept)) {
          end(kept, late);
          kept.expiresAt = now() + lateMs;
        } else all.delete(id);
      }
    },
    async close() {
      listeners.clear();
    },
  };
}
