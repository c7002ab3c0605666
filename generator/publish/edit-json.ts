// Edits of a JSON text that change one key and nothing else. In: the text, a key of its root and what it should be. Out: the
// new text, with the indentation, line ends and order that it had.
import { isMap } from '../../schema/document.js';
import { locateJson } from '../../schema/locate/json.js';
import type { Place } from '../../schema/locate/locate.js';

interface Layout {
  /** Undefined: everything on one line. */
  readonly indent: string | undefined;
  readonly eol: string;
}

/**
 * Sets a key of the root; a new one comes last.
 *
 * @example setKey('{\n  "a": 1\n}\n', 'b', [2]) // '{\n  "a": 1,\n  "b": [\n    2\n  ]\n}\n'
 */
export function setKey(text: string, key: string, value: unknown): string {
  const { bom, body } = splitBom(text);
  const layout = layoutOf(body);
  const printed = print(value, layout);
  const root = locateJson(body);
  const known = root.child(key)?.span;
  if (known !== undefined) return bom + body.slice(0, known.start) + printed + body.slice(known.end);
  const entry = `${JSON.stringify(key)}:${layout.indent === undefined ? '' : ' '}${printed}`;
  const data: unknown = JSON.parse(body);
  const ends = isMap(data) ? Object.keys(data).map(one => root.child(one)?.span.end ?? 0) : [];
  const end = Math.max(0, ...ends);
  const { indent, eol } = layout;
  if (end > 0) {
    const before = indent === undefined ? ',' : `,${eol}${indent}`;
    return bom + body.slice(0, end) + before + entry + body.slice(end);
  }
  const inner = indent === undefined ? `{${entry}}` : `{${eol}${indent}${entry}${eol}}`;
  return bom + body.slice(0, root.span.start) + inner + body.slice(root.span.end);
}

/**
 * Adds texts to the list at a key of the root, which is made where it is missing, or at a path of keys, where it must be.
 *
 * @example appendTo('{"files": ["dist"]}', ['files'], ['mcp']) // '{"files": ["dist", "mcp"]}'
 */
export function appendTo(text: string, path: readonly string[], items: readonly string[]): string {
  const { bom, body } = splitBom(text);
  let list: unknown = JSON.parse(body);
  let place: Place | undefined = locateJson(body);
  for (const key of path) {
    list = isMap(list) && Object.hasOwn(list, key) ? list[key] : undefined;
    place = place?.child(key);
  }
  const last = Array.isArray(list) ? place?.child(list.length - 1)?.span : undefined;
  if (place === undefined || last === undefined) {
    const [key = '', ...deeper] = path;
    if (deeper.length === 0) return setKey(text, key, items);
    const { start, end } = place?.span ?? { start: 0, end: 0 };
    return bom + body.slice(0, start) + JSON.stringify(items) + body.slice(end);
  }
  // As the last item is set off, so are the new ones.
  const [space = ''] = /\s*$/.exec(body.slice(place.span.start + 1, last.start)) ?? [];
  const gap = space === '' && Array.isArray(list) && list.length === 1 ? ' ' : space;
  const added = items.map(item => `,${gap}${JSON.stringify(item)}`).join('');
  return bom + body.slice(0, last.end) + added + body.slice(last.end);
}

function splitBom(text: string): { readonly bom: string; readonly body: string } {
  return text.startsWith('\ufeff') ? { bom: '\ufeff', body: text.slice(1) } : { bom: '', body: text };
}

function layoutOf(text: string): Layout {
  const indent = /\n([ \t]+)"/.exec(text)?.[1];
  const isEmpty = /^\s*\{\s*\}\s*$/.test(text);
  return { indent: indent ?? (isEmpty ? '  ' : undefined), eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

function print(value: unknown, { indent, eol }: Layout): string {
  if (indent === undefined) return JSON.stringify(value);
  return JSON.stringify(value, null, indent).replaceAll('\n', `${eol}${indent}`);
}
