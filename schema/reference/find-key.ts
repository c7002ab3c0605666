// In: what somebody typed for a key. Out: the key, or the nearest ones.
import { nearest } from '../nearest.js';
import { type Key, type KindReference, listKeys } from './read-kind.js';

export type FoundKey = { readonly key: Key } | { readonly hint: string };

/**
 * Names of the author's own may be written as they are, as `<name>`, or left out: `errors.NOT_FOUND.status`, `errors.status`.
 *
 * @example findKey(reference, 'parameters.city.minimum')
 */
export function findKey(reference: KindReference, typed: string): FoundKey {
  const keys = listKeys(reference.keys);
  const wanted = stepsOf(typed);
  const found = keys.find(({ path }) => fits(stepsOf(path), wanted)) ?? findElsewhere(keys, wanted);
  if (found !== undefined) return { key: found };
  const last = wanted.at(-1) ?? '';
  const same = keys.filter(({ path }) => stepsOf(path).at(-1) === last);
  const [only] = same;
  if (only !== undefined && same.length === 1 && wanted.length === 1) return { key: only };
  if (only !== undefined) return { hint: `did you mean ${printPaths(same.slice(0, 3))}?` };
  return { hint: hintFor(reference, wanted) };
}

/** The nearest of the keys beside it: of those below what was found of the way to it. */
function hintFor(reference: KindReference, wanted: readonly string[]): string {
  const keys = listKeys(reference.keys);
  const lengths = wanted.map((_, index) => wanted.length - 1 - index).filter(length => length > 0);
  const ways = lengths.flatMap(length => keys.find(({ path }) => fits(stepsOf(path), wanted.slice(0, length))) ?? []);
  const around = ways.find(({ keys: below }) => below.length > 0);
  const beside = around?.keys ?? reference.keys;
  const lastOf = ({ path }: Key): string => stepsOf(path).at(-1) ?? '';
  const meant = nearest(wanted.at(-1) ?? '', beside.map(lastOf));
  const key = beside.find(one => lastOf(one) === meant);
  if (key !== undefined) return `did you mean ${key.path}?`;
  return `known keys${around === undefined ? '' : ` in ${around.path}`}: ${beside.map(lastOf).join(', ')}`;
}

function printPaths(keys: readonly Key[]): string {
  return keys.map(({ path }) => path).join(', ');
}

/** Where the inside of a key is described under another one, that one has it: `inputSchema.minimum`. A few times at most. */
function findElsewhere(keys: readonly Key[], wanted: readonly string[], times = 3): Key | undefined {
  for (let length = wanted.length - 1; length > 0 && times > 0; length -= 1) {
    const around = keys.find(({ path }) => fits(stepsOf(path), wanted.slice(0, length)));
    if (around?.inside === undefined || !('key' in around.inside)) continue;
    const moved = [...stepsOf(around.inside.key), ...wanted.slice(length)];
    return keys.find(({ path }) => fits(stepsOf(path), moved)) ?? findElsewhere(keys, moved, times - 1);
  }
  return undefined;
}

/** `messages[].role` -> messages, [], role. */
function stepsOf(path: string): readonly string[] {
  return path
    .replaceAll(/\[(\d*)\]/g, '.[]')
    .split('.')
    .filter(step => step !== '');
}

/** A key of the language, not a name of the author's own or an entry of a list. */
function isOwn(step: string): boolean {
  return step !== '<name>' && step !== '[]';
}

function fits([step, ...rest]: readonly string[], [word, ...words]: readonly string[]): boolean {
  if (step === undefined) return word === undefined;
  if (step === word) return fits(rest, words);
  if (isOwn(step)) return false;
  // Left out, or a name in its place.
  return (
    fits(
      rest,
      [word ?? '', ...words].filter(one => one !== ''),
    ) ||
    (word !== undefined && fits(rest, words))
  );
}
