// In: what somebody typed for a key. Out: the key, or the nearest ones.
import { didYouMean } from '../nearest.js';
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
  const below = keys.filter(({ path }) => stepsOf(path).at(-1) === last);
  const [only] = below;
  if (only !== undefined && below.length === 1 && wanted.length === 1) return { key: only };
  if (only !== undefined)
    return {
      hint: `did you mean ${below
        .map(({ path }) => path)
        .slice(0, 3)
        .join(', ')}?`,
    };
  const paths = keys.map(({ path }) => stepsOf(path).filter(isOwn).join('.'));
  const [top = ''] = wanted;
  const isTop = reference.keys.some(({ path }) => path === top);
  const siblings = isTop && wanted.length > 1 ? paths.filter(path => path.startsWith(`${top}.`)) : [];
  const hint = didYouMean(wanted.join('.'), siblings.length > 0 ? siblings : paths);
  return { hint: hint ?? `known keys: ${reference.keys.map(({ path }) => path).join(', ')}` };
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
