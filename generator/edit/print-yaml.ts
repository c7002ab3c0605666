// YAML of values, as an author would write it: maps in blocks, short lists in brackets, long texts as they are. Thousands of files are
// printed at once, which the YAML library would take seconds for. In: a value of JSON. Out: lines that read back as the same value.
import { isMap } from '../../schema/document.js';

export interface PrintPlace {
  /** Spaces before each line. */
  readonly indent?: number;
}

/** Of lists in brackets. */
const lineWidth = 100;

/** @example printYaml({ title: 'A: b', tags: ['x', 'y'] }) // 'title: "A: b"\ntags: [x, y]\n' */
export function printYaml(value: unknown, { indent = 0 }: PrintPlace = {}): string {
  const pad = ' '.repeat(indent);
  if (isFilledMap(value)) return printMembers(value, indent, pad);
  if (isLongList(value, indent)) return printItems(value, indent);
  return `${pad}${printValue(value, indent)}\n`;
}

/** What stands behind `key:`, with the space or line break before it and the one at its end. */
export function printAfterKey(value: unknown, indent: number): string {
  if (isFilledMap(value)) return `\n${printMembers(value, indent + 2, ' '.repeat(indent + 2))}`;
  if (isLongList(value, indent + 2)) return `\n${printItems(value, indent + 2)}`;
  return ` ${printValue(value, indent)}\n`;
}

/** A pair of a map in a block, with its line break. */
export function printPair(key: string, value: unknown, indent: number): string {
  return `${' '.repeat(indent)}${printKey(key, indent)}:${printAfterKey(value, indent)}`;
}

function printMembers(map: Readonly<Record<string, unknown>>, indent: number, first: string): string {
  const pad = ' '.repeat(indent);
  let text = '';
  for (const key of Object.keys(map)) {
    const value = map[key];
    if (value === undefined) continue;
    text += `${text === '' ? first : pad}${printKey(key, indent)}:${printAfterKey(value, indent)}`;
  }
  return text;
}

function printItems(list: readonly unknown[], indent: number): string {
  const pad = ' '.repeat(indent);
  let text = '';
  for (const item of list) {
    if (isFilledMap(item)) text += `${pad}- ${printMembers(item, indent + 2, '')}`;
    else if (isLongList(item, indent + 2)) text += `${pad}-\n${printItems(item, indent + 2)}`;
    else text += `${pad}- ${printValue(item, indent)}\n`;
  }
  return text;
}

/** On the line where it begins: a scalar, a list in brackets, or an empty map. `indent`: of the block that it is in. */
function printValue(value: unknown, indent: number): string {
  if (typeof value === 'string') return isLiteral(value) ? printLiteral(value, indent + 2) : printText(value);
  return printInFlow(value);
}

/** On one line, where brackets may be around it. */
export function printInFlow(value: unknown): string {
  if (typeof value === 'string') return printFlowText(value);
  if (Array.isArray(value)) return `[${value.map(printInFlow).join(', ')}]`;
  if (!isMap(value)) return printNumber(value);
  const members = Object.entries(value).filter(([, one]) => one !== undefined);
  if (members.length === 0) return '{}';
  return `{ ${members.map(([key, one]) => printFlowPair(key, one)).join(', ')} }`;
}

export function printFlowPair(key: string, value: unknown): string {
  return `${printFlowKey(key)}: ${printInFlow(value)}`;
}

/** On one line, in the quotes of another scalar where it can have them; undefined where it takes several. `type`: of the library. */
export function printLike(type: string | undefined, value: unknown, isInFlow: boolean): string | undefined {
  if (typeof value === 'object' && value !== null && !isInFlow && isLongValue(value)) return undefined;
  if (typeof value !== 'string') return printInFlow(value);
  if (type === 'QUOTE_DOUBLE') return printDoubleQuoted(value);
  if (type === 'QUOTE_SINGLE' && !special.test(value)) return printSingleQuoted(value);
  if (isInFlow) return printFlowText(value);
  return isLiteral(value) ? undefined : printText(value);
}

function printNumber(value: unknown): string {
  // Without a sign zero is what every reader makes of it.
  return value === 0 ? '0' : (JSON.stringify(value) ?? 'null');
}

export function isFilledMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return isMap(value) && Object.values(value).some(one => one !== undefined);
}

function isLongValue(value: unknown): boolean {
  return isFilledMap(value) || isLongList(value, 0);
}

/** Whether a list takes lines of its own. */
function isLongList(value: unknown, indent: number): value is readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  let width = indent;
  for (const one of value) {
    if (typeof one === 'object' && one !== null && (Array.isArray(one) ? one.length : Object.keys(one).length) > 0)
      return true;
    // About what it takes; quotes may add two.
    width += typeof one === 'string' ? one.length + 2 : 6;
    if (width > lineWidth || (typeof one === 'string' && one.includes('\n'))) return true;
  }
  return false;
}

// Scalars.

/** Without quotes on a line of its own: nothing in it can mean anything else, in any version of YAML. */
const plain =
  /^[A-Za-z_$/<(](?:[ -"$-9;-~\u00a1-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffc\u{10000}-\u{10ffff}]|:(?=[^ ])|(?<! )#)*$/u;
/** In brackets commas and brackets end it, and colons may. */
const plainInFlow = /^[A-Za-z_$/](?:[ -"$-+.-9;-Z\\^-z|~-]|:(?=[\w/]))*$/;
const plainKey = /^[A-Za-z_$][\w.$/-]*$/;
const otherwise = /^(?:null|true|false|yes|no|on|off|y|n)$/i;
/** Longer keys have a mark before them that says that they are keys. */
const longestKey = 1000;

function printText(text: string): string {
  return plain.test(text) && !text.endsWith(' ') && !otherwise.test(text) ? text : printQuoted(text);
}

function printFlowText(text: string): string {
  return plainInFlow.test(text) && !text.endsWith(' ') && !otherwise.test(text) ? text : printQuoted(text);
}

/** `indent`: of the block that it is in. */
function printKey(key: string, indent: number): string {
  const printed = printFlowKey(key);
  return printed.startsWith('? ') ? `${printed}\n${' '.repeat(indent)}` : printed;
}

function printFlowKey(key: string): string {
  if (plainKey.test(key) && key.length < longestKey && !otherwise.test(key)) return key;
  const quoted = printQuoted(key);
  return quoted.length < longestKey ? quoted : `? ${quoted}`;
}

/** What no line of YAML has as it is, or only some readers take. */
const special = /[\u0000-\u001f\u007f-\u00a0\u2028\u2029\ufeff\ufffe\uffff]|\p{Surrogate}/u;
const needsEscape = /[\u007f-\u00a0\u2028\u2029\ufeff\ufffe\uffff]/g;

function printQuoted(text: string): string {
  // What has quotes and backslashes in it, as patterns do, is easier to read in single quotes.
  return /["\\]/.test(text) && !special.test(text) ? printSingleQuoted(text) : printDoubleQuoted(text);
}

function printSingleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function printDoubleQuoted(text: string): string {
  return JSON.stringify(text).replaceAll(needsEscape, one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

// Texts of several lines, byte for byte.

const specialInLines = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\p{Surrogate}/u;

/** What begins or ends with white space alone on a line is quoted: nobody would see where it ends. */
function isLiteral(text: string): boolean {
  return text.includes('\n') && !/^[ \t]*(?:\n|$)|\n[ \t]+\n*$|\n\n\n$/.test(text) && !specialInLines.test(text);
}

/** `indent`: of its lines. */
function printLiteral(text: string, indent: number): string {
  const ending = text.endsWith('\n\n') ? '+' : text.endsWith('\n') ? '' : '-';
  const start = /^[ \t]/.test(text) ? '2' : '';
  const body = ending === '-' ? text : text.slice(0, -1);
  return `|${start}${ending}\n${body.replaceAll(/^(?=.)/gm, ' '.repeat(indent))}`;
}
