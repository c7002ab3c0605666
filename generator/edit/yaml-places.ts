// Where the parts of a YAML text begin and end, as edits of it need to know. In: nodes of the library and the text. Out: offsets; NotEditable
// where something is written in a way that has none.
import type { Node, Pair } from 'yaml';
import { yaml } from '../../schema/parse/yaml-value.js';

/** The way it is written has no place for the edit. */
export class NotEditable extends Error {}

export interface Range {
  readonly start: number;
  readonly end: number;
}

export function isBlank(node: unknown): boolean {
  return yaml().isScalar(node) && node.value === null && node.range?.[0] === node.range?.[1];
}

export function rangeOf(node: unknown): Range {
  const [start, end] = (node as Partial<Node> | null)?.range ?? [];
  if (start === undefined || end === undefined) throw new NotEditable();
  return { start, end };
}

export function startOfPair({ key }: Pair): number {
  return rangeOf(key).start;
}

export function rangeOfPair(pair: Pair): Range {
  const value = pair.value as Node | null;
  return {
    start: startOfPair(pair),
    end: value === null || isBlank(value) ? rangeOf(pair.key).end : rangeOf(value).end,
  };
}

/** Of what is written: a block ends with the last thing in it. */
export function endOfNode(node: unknown): number {
  const last = yaml().isCollection(node) && node.flow !== true ? node.items.at(-1) : undefined;
  if (last === undefined) return rangeOf(node).end;
  if (!yaml().isPair(last)) return endOfNode(last);
  return last.value === null || isBlank(last.value) ? rangeOf(last.key).end : endOfNode(last.value);
}

export function colonOf(text: string, { key }: Pair): number {
  const { end } = rangeOf(key);
  const [gap] = /^[ \t]*:/.exec(text.slice(end, end + 100)) ?? [];
  if (gap === undefined) throw new NotEditable();
  return end + gap.length - 1;
}

export function dashOf(text: string, item: Node): number {
  const { start } = rangeOf(item);
  const [gap] = /-[ \t]+$/.exec(text.slice(lineOf(text, start), start)) ?? [];
  const dash = start - (gap?.length ?? 0);
  if (gap === undefined || text.slice(lineOf(text, start), dash).trim() !== '') throw new NotEditable();
  return dash;
}

export function lineOf(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** The start of the line after the one that something ends on; a block that ends with a line break ends there. */
export function lineAfter(text: string, end: number): number {
  if (end > 0 && text[end - 1] === '\n') return end;
  const feed = text.indexOf('\n', end);
  return feed < 0 ? text.length : feed + 1;
}

export function columnOf(text: string, offset: number): number {
  return offset - lineOf(text, offset);
}

export function newlineOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

export function inLines(text: string, newline: string): string {
  return newline === '\n' ? text : text.replaceAll('\n', newline);
}
