// In: a definition with keys that nobody knows. Out: the same, with each under the key that was probably meant, so that
// what hangs on it is judged by what the author wrote: one typo, one diagnostic.
import type { Subject } from '../definitions.js';
import { isMap, type Locator, type Path } from '../document.js';
import { meantKey, schemaKeys, wholeSchemas } from './key-hints.js';
import { fitsKey, keysOf } from './language.js';

interface Readable {
  readonly value: unknown;
  readonly at: Locator;
}

/**
 * A misspelt key counts where the right one is absent and could have its value.
 *
 * @example readMeantKeys('tool', { paramters: { id: 'integer' } }, at).value // { parameters: { id: 'integer' } }
 */
export function readMeantKeys(subject: Subject, value: unknown, at: Locator): Readable {
  if (!isMap(value)) return { value, at };
  const known = keysOf(subject);
  const written = new Map<string, string>();
  for (const key of subject === 'tool' ? wholeSchemas(value) : []) {
    const meant = schemaKeys[key];
    if (!Object.hasOwn(value, meant) && fitsKey(subject, meant, value[key])) written.set(meant, key);
  }
  for (const [key, one] of Object.entries(value)) {
    if (known.includes(key)) continue;
    const meant = meantKey(subject, key, known);
    if (meant === undefined || Object.hasOwn(value, meant) || written.has(meant)) continue;
    if (fitsKey(subject, meant, one)) written.set(meant, key);
  }
  if (written.size === 0) return { value, at };
  const meantBy = new Map([...written].map(([meant, key]) => [key, meant]));
  const entries = Object.entries(value).map(([key, one]) => [meantBy.get(key) ?? key, one]);
  return { value: Object.fromEntries(entries), at: whereWritten(at, written) };
}

function whereWritten(at: Locator, written: ReadonlyMap<string, string>): Locator {
  const back = ([key, ...inside]: Path): Path =>
    key === undefined ? [] : [written.get(String(key)) ?? key, ...inside];
  return {
    site: (path, side) => at.site(back(path), side),
    find: (path, text, nth) => at.find(back(path), text, nth),
    source: path => at.source(back(path)),
  };
}
