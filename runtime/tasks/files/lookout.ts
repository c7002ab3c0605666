// Which tasks are due. A run is alive as long as the time of its journal changes, which is seen, not computed: clocks of machines jump.
import type { Standing } from '../record.js';
import { answersName, runName, type TaskFiles } from './task-files.js';

interface Seen {
  run: number;
  answers: number;
  size: number;
  mtimeMs: number;
  /** What the files came to when their sizes were last another. */
  standing: Standing | undefined;
  /** For how long nothing has changed while somebody looked. */
  idleMs: number;
  at: number;
}

export interface Lookout {
  /** Whether the task waits for somebody to run it. `read` says what its files come to. */
  isDue(id: string, begun: number, read: () => Standing | undefined): boolean;
  /** Forgets what is not in the list. */
  keepOnly(ids: ReadonlySet<string>): void;
}

/** A process that was stopped has not looked meanwhile: longer pauses between two looks count as this share of a lease. */
const longestLook = 0.2;

/**
 * @example const lookout = makeLookout(files, { leaseMs, clock: () => performance.now() });
 */
export function makeLookout(
  files: TaskFiles,
  { leaseMs, clock }: { readonly leaseMs: number; readonly clock: () => number },
): Lookout {
  const all = new Map<string, Seen>();

  return {
    isDue(id, begun, read) {
      const seen = all.get(id) ?? {
        ...{ run: begun, answers: 0, size: -1, mtimeMs: -1, standing: undefined, idleMs: 0, at: clock() },
      };
      all.set(id, seen);
      const { size, mtimeMs, run, answers } = lookAt(files, id, seen);
      const isGrown = size !== seen.size || run !== seen.run || answers !== seen.answers;
      const isSame = !isGrown && mtimeMs === seen.mtimeMs;
      const passed = Math.min(clock() - seen.at, leaseMs * longestLook);
      const idleMs = isSame ? seen.idleMs + passed : 0;
      Object.assign(seen, { run, answers, size, mtimeMs, idleMs, at: clock() });
      if (isGrown || seen.standing === undefined) seen.standing = read();
      if (seen.standing === 'running') return idleMs >= leaseMs;
      return seen.standing === 'due' || seen.standing === 'over';
    },
    keepOnly(ids) {
      for (const id of all.keys()) if (!ids.has(id)) all.delete(id);
    },
  };
}

export interface Shape {
  readonly run: number;
  readonly answers: number;
  readonly size: number;
  readonly mtimeMs: number;
}

/** The newest run and how many answers there are, from what was known. */
export function lookAt(files: TaskFiles, id: string, known: Pick<Shape, 'run' | 'answers'>): Shape {
  let { run, answers } = known;
  while (files.has('runs', runName(id, run + 1))) run += 1;
  while (files.has('runs', answersName(id, answers + 1))) answers += 1;
  const newest = run === 0 ? undefined : files.disk.look(files.path('runs', runName(id, run)));
  return { run, answers, size: newest?.size ?? 0, mtimeMs: newest?.mtimeMs ?? 0 };
}
