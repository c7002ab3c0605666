// In: all that is known of a task. Out: what others may know.
import type { TaskRecord } from './store.js';
import type { Task } from './tasks.js';

export function toTask({ id, tool, createdAt, updatedAt, ttlMs, note, open, asked, end }: TaskRecord): Task {
  const questions = open.flatMap(key => {
    const question = asked[key]?.question;
    return question === undefined ? [] : [[key, question] as const];
  });
  return {
    ...{ id, tool, createdAt, updatedAt, ttlMs, end },
    note: end?.kind === 'error' ? end.error.message : note,
    asking: Object.fromEntries(questions),
  };
}
