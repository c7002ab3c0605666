// A value of a JSON text becomes another one, with an edit where they differ. In: a valid text without byte order mark, and the value.
// Out: the new text; undefined where that does not say what was meant.
import { isMap, type Path } from '../../schema/document.js';
import { toJson } from '../../schema/parse/json.js';
import { equal } from '../../schema/support/values.js';
import { removeFromJson, setInJson } from './edit-json.js';

/** @example changeJson('{ "a": 1, "b": 2 }', { a: 3, b: 2 }) // '{ "a": 3, "b": 2 }' */
export function changeJson(text: string, next: unknown): string | undefined {
  const edited = change(text, [], JSON.parse(toJson(text)), next);
  return equal(JSON.parse(toJson(edited)), next) ? edited : undefined;
}

function change(text: string, path: Path, old: unknown, next: unknown): string {
  if (equal(old, next)) return text;
  if (!isMap(old) || !isMap(next) || (path.length > 0 && Object.keys(next).length === 0))
    return setInJson(text, path, next);
  let edited = text;
  for (const key of Object.keys(old)) if (!Object.hasOwn(next, key)) edited = removeFromJson(edited, [...path, key]);
  for (const [key, one] of Object.entries(next)) {
    const below = [...path, key];
    edited = Object.hasOwn(old, key) ? change(edited, below, old[key], one) : setInJson(edited, below, one);
  }
  return edited;
}
