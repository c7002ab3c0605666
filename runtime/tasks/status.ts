// In: a task. Out: its status in one word, as people read it. Clients get that of their era (runtime/protocol/task-shapes.ts).
import type { Task } from './tasks.js';

/** `failed`: also with an error of the tool. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** @example statusOf(toTask(record)) // 'working' */
export function statusOf({ end, asking }: Pick<Task, 'end' | 'asking'>): TaskStatus {
  switch (end?.kind) {
    case undefined:
      return Object.keys(asking).length > 0 ? 'input_required' : 'working';
    case 'result':
      return end.result.isError === true ? 'failed' : 'completed';
    case 'error':
      return 'failed';
    case 'cancelled':
      return 'cancelled';
    default:
      return end satisfies never;
  }
}
