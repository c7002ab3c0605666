// Edits of JSON, with comments and trailing commas or without, that leave every other byte: order, indentation and line ends stay.
// In: a valid text without byte order mark, a path and what should be there. Out: the new text.
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import type { Path } from '../../schema/document.js';
import { toJson } from '../../schema/parse/json.js';
import type { Span } from '../../schema/parse/lines.js';

/**
 * Sets what is at a path of keys; maps on the way are made where they are missing, and a new key comes last. `null` stands for an
 * empty map.
 *
 * @example setInJson('{\n  "a": 1\n}\n', ['b'], [2]) // '{\n  "a": 1,\n  "b": [\n    2\n  ]\n}\n'
 */
export function setInJson(text: string, path: Path, value: unknown): string {
  const root = treeOf(text);
  const known = findNodeAtLocation(root, [...path]);
  if (known !== undefined) return replaceNode(text, known, value);
  let depth = path.length - 1;
  while (findNodeAtLocation(root, path.slice(0, depth)) === undefined) depth -= 1;
  const container = findNodeAtLocation(root, path.slice(0, depth)) ?? root;
  const key = String(path[depth]);
  const added = nest(path.slice(depth + 1), value);
  if (container.type === 'null') return replaceNode(text, container, { [key]: added });
  return insertLast(text, container, added, key);
}

/**
 * Adds an item to the list at a path, which is made where it is missing, as the last one is set off.
 *
 * @example appendInJson('{"files": ["dist"]}', ['files'], 'mcp') // '{"files": ["dist", "mcp"]}'
 */
export function appendInJson(text: string, path: Path, item: unknown): string {
  const list = findNodeAtLocation(treeOf(text), [...path]);
  return list?.type === 'array' ? insertLast(text, list, item) : setInJson(text, path, [item]);
}

/** Takes out what is at a path, with its comma; the same text where there is nothing. */
export function removeFromJson(text: string, path: Path): string {
  const node = findNodeAtLocation(treeOf(text), [...path]);
  const own = node?.parent?.type === 'property' ? node.parent : node;
  const container = own?.parent;
  if (own === undefined || container === undefined) return text;
  const siblings = listOf(container);
  const index = siblings.indexOf(own);
  const before = siblings[index - 1];
  const inside = { start: container.offset + 1, end: endOf(container) - 1 };
  const comma = commaAfter(text, own, inside.end);
  const end = comma === undefined ? endOf(own) : comma + 1;
  const others = text.slice(inside.start, own.offset) + text.slice(end, inside.end);
  if (others.trim() === '') return splice(text, inside, '');
  // The one before it becomes the last, which has no comma, unless the list ends with one.
  const isLast = index === siblings.length - 1;
  const loose =
    isLast && comma === undefined && before !== undefined ? commaAfter(text, before, own.offset) : undefined;
  const rest = loose === undefined ? text : splice(text, { start: loose, end: loose + 1 }, '');
  const shift = text.length - rest.length;
  const span = { start: own.offset - shift, end: end - shift };
  const [gap = ''] = /[ \t]*(?:\r?\n[ \t]*)?$/.exec(rest.slice(0, span.start)) ?? [];
  const short = splice(rest, { start: span.start - gap.length, end: span.end }, '');
  // What follows would become part of a comment that ends with its line.
  return isValid(short) ? short : splice(rest, span, '');
}

/** A value inside of maps with one key each. */
export function nest(path: Path, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

function treeOf(text: string): Node {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) throw new Error('no JSON value to edit');
  return root;
}

/** After the last child, and after a comment that belongs to it. `key`: in a map. */
function insertLast(text: string, container: Node, value: unknown, key?: string): string {
  const last = listOf(container).at(-1);
  const style = styleOf(text);
  const inside = { start: container.offset + 1, end: endOf(container) - 1 };
  if (last === undefined) {
    if (isInOneLine(text, container) && text.slice(inside.start, inside.end).trim() === '')
      return splice(text, inside, printInLine(text, value, key));
    const outer = indentAt(text, container.offset);
    const inner = outer + style.indent;
    const comments = text.slice(inside.start, inside.end).trimEnd();
    const line = `${comments}${style.newline}${inner}${labelOf(key)}${print(value, style, inner)}${style.newline}${outer}`;
    return splice(text, inside, line);
  }
  const at = commaAfter(text, last, inside.end);
  const comma = at === undefined ? '' : ',';
  const from = at === undefined ? endOf(last) : at + 1;
  const [space = ''] = /\s*$/.exec(text.slice(inside.start, last.offset)) ?? [];
  const isOnOneLine = !isOnLines(text, container) || (key === undefined && !space.includes('\n'));
  if (isOnOneLine) {
    const isKnown = listOf(container).length > 1 || (key === undefined && space !== '');
    const added = `${isKnown ? space : isSpaced(text) ? ' ' : ''}${printInLine(text, value, key)}`;
    return splice(text, { start: from, end: from }, comma === '' ? `,${added}` : `${added},`);
  }
  const inner = indentAt(text, last.offset);
  const [tail = ''] = /^(?:[ \t]|\/\*[^\n]*?\*\/)*(?:\/\/[^\r\n]*)?/.exec(text.slice(from, inside.end)) ?? [];
  const after = from + tail.trimEnd().length;
  const added = `${style.newline}${inner}${labelOf(key)}${print(value, style, inner)}${comma}`;
  return splice(text, { start: from, end: after }, `${comma === '' ? ',' : ''}${text.slice(from, after)}${added}`);
}

function replaceNode(text: string, node: Node, value: unknown): string {
  const printed = isInOneLine(text, node)
    ? JSON.stringify(value)
    : print(value, styleOf(text), indentAt(text, node.offset));
  return splice(text, spanOf(node), printed);
}

interface Style {
  readonly indent: string;
  readonly newline: string;
}

function styleOf(text: string): Style {
  const [, indent = '  '] = /\n([ \t]+)\S/.exec(text) ?? [];
  return { indent, newline: text.includes('\r\n') ? '\r\n' : '\n' };
}

function print(value: unknown, { indent, newline }: Style, outer: string): string {
  return JSON.stringify(value, undefined, indent).replaceAll('\n', `${newline}${outer}`);
}

function printInLine(text: string, value: unknown, key: string | undefined): string {
  return `${isSpaced(text) ? labelOf(key) : labelOf(key).trimEnd()}${JSON.stringify(value)}`;
}

function isSpaced(text: string): boolean {
  return text.includes('": ');
}

function labelOf(key: string | undefined): string {
  return key === undefined ? '' : `${JSON.stringify(key)}: `;
}

/** Where the comma after a part is, behind comments perhaps. */
function commaAfter(text: string, node: Node, limit: number): number | undefined {
  const [, gap] = /^((?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*),/.exec(text.slice(endOf(node), limit)) ?? [];
  return gap === undefined ? undefined : endOf(node) + gap.length;
}

/** The white space at the start of a line. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const [indent = ''] = /^[ \t]*/.exec(text.slice(start, offset)) ?? [];
  return indent;
}

/** Whether what is around a part is on one line, so that it should be too. */
function isInOneLine(text: string, { parent }: Node): boolean {
  const around = parent?.type === 'property' ? parent.parent : parent;
  return around !== undefined && !isOnLines(text, around);
}

function isOnLines(text: string, node: Node): boolean {
  return text.slice(node.offset, endOf(node)).includes('\n');
}

/** Items of a list, or pairs of key and value. */
function listOf({ children = [] }: Node): readonly Node[] {
  return children;
}

function spanOf(node: Node): Span {
  return { start: node.offset, end: endOf(node) };
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function isValid(text: string): boolean {
  try {
    JSON.parse(toJson(text));
    return true;
  } catch {
    return false;
  }
}

function splice(text: string, { start, end }: Span, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
