// In: the files of a task. Out: all that is known of it.
import { isMap } from '../../../schema/document.js';
import type { Parts } from '../record.js';
import type { NewTask, TaskRef } from '../store.js';
import type { TaskEnd } from '../tasks.js';
import { OtherKey, readRuns } from './run-file.js';
import { answersName, nameOf, type TaskFiles } from './task-files.js';

export interface ReadParts {
  readonly parts: Parts;
  /** Bytes of the journal of each run that count. */
  readonly lengths: readonly number[];
}

/** Undefined: there is none that can be read here. */
export function readParts(files: TaskFiles, ref: TaskRef): ReadParts | undefined {
  const task = readTask(files, nameOf(ref));
  if (task?.id !== ref.id || task.owner !== ref.owner) return undefined;
  try {
    const { logs, lengths } = readRuns(files, ref.id, task.isBegun ? 1 : 0);
    return { parts: { task, runs: logs, answers: readAnswers(files, ref.id), ended: readEnd(files, ref.id) }, lengths };
  } catch (error) {
    if (error instanceof OtherKey) return undefined;
    throw error;
  }
}

export function readTask(files: TaskFiles, name: string): NewTask | undefined {
  // Between the first look and the second it may have moved.
  const found = files.read('open', name) ?? files.read('done', name);
  return isMap(found) ? (found as unknown as NewTask) : undefined;
}

function readAnswers(files: TaskFiles, id: string): Parts['answers'] {
  const answers: Parts['answers'][number][] = [];
  for (;;) {
    const one = files.read('runs', answersName(id, answers.length + 1));
    if (!isMap(one)) return answers;
    answers.push(one as unknown as Parts['answers'][number]);
  }
}

function readEnd(files: TaskFiles, id: string): { readonly at: number; readonly end: TaskEnd } | undefined {
  if (!files.has('ends', id)) return undefined;
  const end = files.read('ends', id);
  if (!isMap(end)) throw new OtherKey('the end is sealed with another key');
  return end as unknown as { readonly at: number; readonly end: TaskEnd };
}
