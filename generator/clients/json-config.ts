// JSON as clients have it, with comments and trailing commas. In: a string and an entry. Out: the text with it, every other byte
// as it was.
import { isDeepStrictEqual } from 'node:util';
import type { Diagnostic } from '../../schema/diagnostics.js';
import { isMap, type Path } from '../../schema/document.js';
import { own } from '../../schema/json-schema/keywords.js';
import { readJson, toJson } from '../../schema/parse/json.js';
import { makeLines } from '../../schema/parse/lines.js';
import { collect } from '../../schema/parse/report.js';
import { appendInJson, nest, removeFromJson, setInJson } from '../edit/edit-json.js';
import { type ConfigWriter, containerIn, entryIn, type Target } from './config-edit.js';

export const jsonConfig: ConfigWriter<unknown> = {
  format: 'json',
  read(text, { path, holds }) {
    if (text.trim() === '') return { value: path.length === 0 && holds === 'list' ? [] : {} };
    const found: Diagnostic[] = [];
    const [document] = readJson(toJson(text), collect(makeLines('', text), found));
    if (document !== undefined) return document;
    const [first] = found;
    if (first === undefined) return { problem: 'it is not valid JSON' };
    return { problem: `it is not valid JSON: ${first.message}`, line: first.line, column: first.column };
  },
  put(text, target, entry, start) {
    const { path, holds, name } = target;
    if (text.trim() === '') {
      const whole = nest(path, holds === 'map' ? { [name]: entry } : [entry]);
      return `${JSON.stringify(path.length > 0 && isMap(whole) ? { ...start, ...whole } : whole, undefined, 2)}\n`;
    }
    const known = entryIn(readValue(text), target);
    const at = placeOf(text, target);
    if (at !== undefined) return holds === 'list' ? setInJson(text, at, entry) : change(text, at, known, entry);
    return holds === 'map' ? setInJson(text, [...path, name], entry) : appendInJson(text, path, entry);
  },
  take(text, target) {
    const at = placeOf(text, target);
    return at === undefined ? text : removeFromJson(text, at);
  },
};

/** Only the keys that differ, so that comments between them stay. */
function change(text: string, path: Path, known: unknown, wanted: unknown): string {
  if (!isMap(known) || !isMap(wanted)) return setInJson(text, path, wanted);
  const gone = Object.keys(known).filter(key => !Object.hasOwn(wanted, key));
  const others = Object.keys(wanted).filter(key => !isDeepStrictEqual(known[key], wanted[key]));
  const taken = gone.reduce((rest, key) => removeFromJson(rest, [...path, key]), text);
  return others.reduce((rest, key) => change(rest, [...path, key], own(known, key), wanted[key]), taken);
}

function placeOf(text: string, target: Target): Path | undefined {
  const value = readValue(text);
  const entry = entryIn(value, target);
  if (entry === undefined) return undefined;
  const container = containerIn(value, target);
  return [...target.path, Array.isArray(container) ? container.indexOf(entry) : target.name];
}

/** The text was read before: it is valid. */
function readValue(text: string): unknown {
  return JSON.parse(toJson(text));
}
