// A key that clients see stands for one question as long as the task lives; handlers ask again under the same key where an answer was wrong.
// In: what a handler asks. Out: keys for clients, and back.
import { canonicalJson } from '../../schema/json-text.js';
import type { Question, SealedState } from '../call/ports.js';
import type { AskedQuestion, TaskRecord } from './store.js';

/**
 * The questions under keys for clients: `name`, then `name~2`.
 *
 * @example nameQuestions(record, asking.questions)
 */
export function nameQuestions(
  record: Pick<TaskRecord, 'asked' | 'answered'>,
  questions: Readonly<Record<string, Question>>,
): Readonly<Record<string, AskedQuestion>> {
  const named = new Map<string, AskedQuestion>();
  for (const [key, question] of Object.entries(questions)) {
    let name = key;
    for (let count = 2; named.has(name) || !isFree(record, name, { key, question }); count += 1)
      name = `${key}~${count}`;
    named.set(name, { key, question });
  }
  return Object.fromEntries(named);
}

/** Nobody has seen another question under it, and it is not answered. */
function isFree(
  { asked, answered }: Pick<TaskRecord, 'asked' | 'answered'>,
  name: string,
  one: AskedQuestion,
): boolean {
  const before = Object.hasOwn(asked, name) ? asked[name] : undefined;
  if (before === undefined) return true;
  return !Object.hasOwn(answered, name) && before.key === one.key && same(before.question, one.question);
}

function same(one: Question, other: Question): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/** Answers and steps under the keys of the handler; of several answers under one key the last. */
export function journalOf({ journal, asked, answered, once }: TaskRecord): SealedState {
  const later = Object.entries(asked)
    .filter(([name]) => Object.hasOwn(answered, name))
    .map(([name, { key }]): [string, unknown] => [key, answered[name]]);
  return {
    answers: Object.fromEntries([...Object.entries(journal.answers), ...later]),
    once: { ...journal.once, ...once },
  };
}
