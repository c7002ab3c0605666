// Places of an API document as text. In: the pointer of a value and keys below it. Out: a pointer, or its parts.
import { decodePercent } from '../../../schema/percent.js';

export { decodePercent as decode };

/**
 * The pointer of a part of a value.
 *
 * @example below('#/paths', '/users', 'get') // '#/paths/~1users/get'
 */
export function below(pointer: string, ...keys: readonly (string | number)[]): string {
  let made = pointer;
  for (const key of keys) made += `/${typeof key === 'number' ? key : escapeKey(key)}`;
  return made;
}

function escapeKey(key: string): string {
  return /[~/%]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('%', '%25') : key;
}

export interface PointerParts {
  /** Of the file, relative to the document; empty for the document itself. */
  readonly address: string;
  /** What is behind the `#`, as it was written. */
  readonly fragment: string;
}

/** @example splitPointer('pets.yaml#/Pet') // { address: 'pets.yaml', fragment: '/Pet' } */
export function splitPointer(pointer: string): PointerParts {
  const at = pointer.indexOf('#');
  return at === -1
    ? { address: pointer, fragment: '' }
    : { address: pointer.slice(0, at), fragment: pointer.slice(at + 1) };
}

/**
 * The keys of a fragment. A percent sign that begins no escape is one.
 *
 * @example keysOf('/paths/~1users%2F{id}') // ['paths', '/users/{id}']
 */
export function keysOf(fragment: string): readonly string[] {
  if (fragment === '' || fragment === '/') return [];
  return fragment.split('/').slice(1).map(unescapeKey);
}

function unescapeKey(raw: string): string {
  if (!/[~%]/.test(raw)) return raw;
  return decodePercent(raw).replaceAll('~1', '/').replaceAll('~0', '~');
}
