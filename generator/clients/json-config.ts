// JSON as clients have it, with comments and trailing commas. In: a string and an entry. Out: the text with it, every other byte
// as it was.

import { isDeepStrictEqual } from 'node:util';
import type { Diagnostic } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import { locateJson } from '../../schema/locate/json.js';
import { makeLines, type Span } from '../../schema/locate/lines.js';
import type { Place } from '../../schema/locate/locate.js';
import { readJson, toJson } from '../../schema/parse/json.js';
import { collect } from '../../schema/parse/report.js';
import { type ConfigWriter, entryIn, type Target } from './config-edit.js';

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
    if (text.trim() === '') return `${JSON.stringify(wrap(target, entry, start), undefined, 2)}\n`;
    const { value } = readValue(text);
    const style = styleOf(text);
    const known = placeOf(text, value, target);
    if (known !== undefined) return change(text, known, target, entry, style);
    let place = locateJson(toJson(text));
    let at = value;
    const missing = [...target.path];
    for (let key = missing[0]; key !== undefined; key = missing[0]) {
      const next = place.child(key);
      if (next === undefined || !isMap(at)) break;
      place = next;
      at = at[key];
      missing.shift();
    }
    const [key, ...deeper] = [...missing, ...(target.holds === 'map' ? [target.name] : [])];
    let added: unknown = target.holds === 'map' || missing.length === 0 ? entry : [entry];
    for (const step of deeper.toReversed()) added = { [step]: added };
    // `null` stands for an empty map or list.
    if (at === null)
      return splice(
        text,
        place.span,
        print(key === undefined ? [entry] : { [key]: added }, style, indentAt(text, place.span.start)),
      );
    return append(
      text,
      place,
      childrenOf(place, at),
      { key: Array.isArray(at) ? undefined : key, value: added },
      style,
    );
  },
  take(text, target) {
    const { value } = readValue(text);
    const place = placeOf(text, value, target);
    if (place === undefined) return text;
    const container = containerOf(text, value, target);
    const spans = childrenOf(container.place, container.value).map(whole);
    const own = whole(place);
    const index = spans.findIndex(({ start }) => start === own.start);
    const before = spans[index - 1];
    const after = spans[index + 1];
    // Comments are blanks here, so that every comma found is one.
    const json = toJson(text);
    const [comma = ''] =
      /^\s*,/.exec(json.slice(own.end, container.place.span.end)) ?? /^\s*,/.exec(text.slice(own.end)) ?? [];
    const inside = { start: container.place.span.start + 1, end: container.place.span.end - 1 };
    const others = text.slice(inside.start, own.start) + text.slice(own.end + comma.length, inside.end);
    if (others.trim() === '') return splice(text, inside, '');
    // The one before it becomes the last, which has no comma, unless the list ends with one.
    const loose = before === undefined || after !== undefined || comma !== '' ? -1 : json.indexOf(',', before.end);
    const rest = loose < 0 ? text : splice(text, { start: loose, end: loose + 1 }, '');
    const shift = text.length - rest.length;
    const start = own.start - shift;
    const [gap = ''] = /[ \t]*(?:\r?\n[ \t]*)?$/.exec(rest.slice(0, start)) ?? [];
    const end = own.end - shift + comma.length;
    const short = splice(rest, { start: start - gap.length, end }, '');
    // What follows would become part of a comment that ends with its line.
    return isJson(short) ? short : splice(rest, { start, end }, '');
  },
};

/** Only the keys of an entry that differ, so that comments in it stay. An entry of a list is written anew. */
function change(text: string, { span }: Place, target: Target, entry: unknown, style: Style): string {
  const known = entryIn(readValue(text).value, target);
  if (target.holds === 'list' || !isMap(known) || !isMap(entry))
    return splice(text, span, print(entry, style, indentAt(text, span.start)));
  const inside = (name: string): Target => ({ path: [...target.path, target.name], holds: 'map', name });
  const gone = Object.keys(known).filter(key => !Object.hasOwn(entry, key));
  const others = Object.keys(entry).filter(key => !isDeepStrictEqual(known[key], entry[key]));
  const taken = gone.reduce((rest, key) => jsonConfig.take(rest, inside(key)), text);
  return others.reduce((rest, key) => jsonConfig.put(rest, inside(key), entry[key], {}), taken);
}

interface Style {
  readonly indent: string;
  readonly newline: string;
}

function styleOf(text: string): Style {
  const [, indent = '  '] = /\n([ \t]+)\S/.exec(text) ?? [];
  return { indent, newline: text.includes('\r\n') ? '\r\n' : '\n' };
}

/** The text was read before: it is valid. */
function readValue(text: string): { readonly value: unknown } {
  return { value: JSON.parse(toJson(text)) as unknown };
}

function isJson(text: string): boolean {
  try {
    readValue(text);
    return true;
  } catch {
    return false;
  }
}

function containerOf(
  text: string,
  value: unknown,
  { path }: Target,
): { readonly place: Place; readonly value: unknown } {
  let place = locateJson(toJson(text));
  let at = value;
  for (const key of path) {
    place = place.child(key) ?? place;
    at = isMap(at) ? at[key] : undefined;
  }
  return { place, value: at };
}

function placeOf(text: string, value: unknown, target: Target): Place | undefined {
  const entry = entryIn(value, target);
  if (entry === undefined) return undefined;
  const { place, value: container } = containerOf(text, value, target);
  return place.child(Array.isArray(container) ? container.indexOf(entry) : target.name);
}

/** In the order of the text. */
function childrenOf(place: Place, value: unknown): readonly Place[] {
  const steps = Array.isArray(value) ? [...value.keys()] : isMap(value) ? Object.keys(value) : [];
  return steps.flatMap(step => place.child(step) ?? []).sort((a, b) => a.span.start - b.span.start);
}

/** A value with the key before it. */
function whole({ key, span }: Place): Span {
  return { start: key?.start ?? span.start, end: span.end };
}

/** After the last child, and after a comment that belongs to it. */
function append(
  text: string,
  { span }: Place,
  children: readonly Place[],
  { key, value }: { readonly key: string | undefined; readonly value: unknown },
  style: Style,
): string {
  const last = children.at(-1);
  const label = key === undefined ? '' : `${JSON.stringify(key)}: `;
  const outer = indentAt(text, span.start);
  if (last === undefined) {
    const inner = outer + style.indent;
    const inside = text.slice(span.start + 1, span.end - 1).trimEnd();
    const line = `${inside}${style.newline}${inner}${label}${print(value, style, inner)}${style.newline}${outer}`;
    return splice(text, { start: span.start + 1, end: span.end - 1 }, line);
  }
  const isOneLine = !text.slice(span.start, span.end).includes('\n');
  const { end } = last.span;
  const [, gap = '', comma = ''] =
    /^((?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*)(,?)/.exec(text.slice(end, span.end - 1)) ?? [];
  const hasComma = comma !== '';
  if (isOneLine) {
    const at = hasComma ? end + gap.length + 1 : end;
    return splice(
      text,
      { start: at, end: at },
      `${hasComma ? '' : ','} ${label}${JSON.stringify(value)}${hasComma ? ',' : ''}`,
    );
  }
  const inner = indentAt(text, whole(last).start);
  const from = hasComma ? end + gap.length + 1 : end;
  const [tail = ''] = /^(?:[ \t]|\/\*[^\n]*?\*\/)*(?:\/\/[^\r\n]*)?/.exec(text.slice(from, span.end - 1)) ?? [];
  const added = `${style.newline}${inner}${label}${print(value, style, inner)}${hasComma ? ',' : ''}`;
  const after = from + tail.trimEnd().length;
  const between = text.slice(from, after);
  return splice(text, { start: from, end: after }, `${hasComma ? '' : ','}${between}${added}`);
}

/** The white space at the start of a line. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const [indent = ''] = /^[ \t]*/.exec(text.slice(start, offset)) ?? [];
  return indent;
}

function print(value: unknown, { indent, newline }: Style, outer: string): string {
  return JSON.stringify(value, undefined, indent).replaceAll('\n', `${newline}${outer}`);
}

function wrap({ path, holds, name }: Target, entry: unknown, start: object): unknown {
  const container: unknown = holds === 'map' ? { [name]: entry } : [entry];
  const [key, ...rest] = path;
  if (key === undefined) return container;
  return { ...start, [key]: wrapped(rest, container) };
}

function wrapped(path: readonly string[], inner: unknown): unknown {
  return path.reduceRight<unknown>((value, key) => ({ [key]: value }), inner);
}

function splice(text: string, { start, end }: Span, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
