// What a broken reference was probably meant to be. In: its fragment and the document. Out: a reference that exists, or nothing.
import { isMap } from '../../../../schema/document.js';
import { nearest } from '../../../../schema/nearest.js';
import { below, keysOf } from '../pointer.js';

/** Where documents of any version keep what others refer to. */
const shelves = [
  ['components', 'schemas'],
  ['components', 'parameters'],
  ['components', 'responses'],
  ['components', 'requestBodies'],
  ['components', 'headers'],
  ['components', 'examples'],
  ['components', 'securitySchemes'],
  ['components', 'pathItems'],
  ['definitions'],
  ['parameters'],
  ['responses'],
  ['$defs'],
];

/** Names that are compared; nobody waits for the suggestions of more. */
const mostNames = 5000;

/** @example suggestReference('/components/schemas/pet', document) // '#/components/schemas/Pet' */
export function suggestReference(fragment: string, root: unknown): string | undefined {
  const keys = keysOf(fragment.startsWith('/') ? fragment : `/${fragment}`);
  return repair(keys, root) ?? findOnShelf(keys, root);
}

/** Corrects one key after the other; each must exist in the end. */
function repair(keys: readonly string[], root: unknown): string | undefined {
  let here = root;
  let pointer = '#';
  for (const key of keys) {
    if (typeof here !== 'object' || here === null) return undefined;
    const names = Object.keys(here).slice(0, mostNames);
    const name = Object.hasOwn(here, key) ? key : nearest(key, names);
    if (name === undefined) return undefined;
    pointer = below(pointer, name);
    here = (here as Record<string, unknown>)[name];
  }
  return keys.length === 0 ? undefined : pointer;
}

/** The same name where this version keeps it: `#/definitions/Pet` in a document of version 3. */
function findOnShelf(keys: readonly string[], root: unknown): string | undefined {
  const name = keys.at(-1);
  if (name === undefined) return undefined;
  for (const shelf of shelves) {
    const map = shelf.reduce<unknown>((here, key) => (isMap(here) ? here[key] : undefined), root);
    if (!isMap(map)) continue;
    const found = Object.hasOwn(map, name) ? name : Object.keys(map).find(one => isSame(one, name));
    if (found !== undefined) return below('#', ...shelf, found);
  }
  return undefined;
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
