// In: a task that somebody waits for. Out: the same task once it is over; its questions are answered on the way.
import type { Asking } from '../call/ports.js';
import type { Task, Tasks } from './tasks.js';

export interface FollowOptions {
  readonly owner: string;
  /** Ends the waiting, and not the task. */
  readonly signal: AbortSignal;
  onChange?(task: Task): void;
  /** Of questions that were not asked before. What it throws ends the waiting. Absent: somebody else answers. */
  answer?(questions: Asking['questions']): Promise<Readonly<Record<string, unknown>>>;
}

/**
 * Waits for the end of a task. Undefined: the task is gone, or the signal came first.
 *
 * @example const over = await followTask(tasks, task.id, { owner, signal, answer });
 */
export async function followTask(tasks: Tasks, id: string, options: FollowOptions): Promise<Task | undefined> {
  const { owner, signal, onChange, answer } = options;
  const asked = new Set<string>();
  // Changes that other processes make come late, and a process without timers would end.
  const everyMs = 2000;
  return await new Promise<Task | undefined>((resolve, reject) => {
    const stopWatching = tasks.watch(id, take);
    const timer = setInterval(look, everyMs);
    let isOver = false;
    const stop = (): void => {
      isOver = true;
      stopWatching();
      clearInterval(timer);
      signal.removeEventListener('abort', leave);
    };
    const leave = (): void => {
      stop();
      resolve(undefined);
    };
    const fail = (error: unknown): void => {
      stop();
      reject(error);
    };

    function take(task: Task): void {
      if (isOver) return;
      onChange?.(task);
      if (task.end !== undefined) {
        stop();
        resolve(task);
        return;
      }
      if (answer === undefined) return;
      const fresh = Object.entries(task.asking).filter(([key]) => !asked.has(key));
      if (fresh.length === 0) return;
      for (const [key] of fresh) asked.add(key);
      answer(Object.fromEntries(fresh))
        .then(async answers => {
          if (!signal.aborted) await tasks.answer(id, owner, answers);
        }, fail)
        .catch(fail);
    }

    function look(): void {
      tasks.get(id, owner).then(task => {
        if (task !== undefined) take(task);
        else leave();
      }, fail);
    }

    if (signal.aborted) {
      leave();
      return;
    }
    signal.addEventListener('abort', leave, { once: true });
    look();
  });
}
