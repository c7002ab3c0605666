// The YAML that most definitions are: maps and lists in blocks, words, numbers and texts on one line or below a `|`, short lists and maps in
// brackets. It is read here in a tenth of the time that the library takes for any YAML. Whatever could mean something else, or be a
// mistake, is left to the library. In: the text of a file. Out: the value of its only document, or undefined.
import { depthLimit } from './report.js';

/** A character that the library is asked about: controls, what ends a line in some versions of YAML, marks of byte order. */
const odd = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\p{Surrogate}/u;

/**
 * Reads a map, which the library would read as the same value and without anything to report.
 *
 * @example readBlocks('title: A\nerrors:\n  NOT_FOUND: { match: [404] }\n') // { title: 'A', errors: { NOT_FOUND: { match: [404] } } }
 */
export function readBlocks(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.endsWith('\n') || odd.test(text)) return undefined;
  const reader = new Reader(text);
  try {
    return reader.readAll();
  } catch (error) {
    if (error === unsure) return undefined;
    throw error;
  }
}

/** Thrown where the text is not of this kind. */
const unsure = Symbol('unsure');

const key = /([A-Za-z0-9_$][\w.$/-]{0,200}|"(?:[^"\\\n\t]|\\["\\/nrt]){0,400}"|'(?:[^'\n\t]|''){0,400}'):(?=[ \n])/y;
const doubleQuoted = /"(?:[^"\\\n\t]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const singleQuoted = /'(?:[^'\n\t]|'')*'/y;
/** To the end of the line or a comment after two spaces, without anything that could be more than text. */
const plain = /[A-Za-z_$/<(](?:[^\n\t: ]+|:(?=[^ \n\t])| +(?=[^ \n\t#]))*/y;
/** Inside of brackets. */
const plainInFlow = /[A-Za-z_$/](?:[!"$-+.-9;-Z\\^-z|~-]+|:(?=[\w/])| +(?=[!"$-+.-9;-Z\\^-z|~-]))*/y;
const number = /-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?/y;
const header = /\|(?:([1-9])([+-]?)|([+-]?))\n/y;
const lineRest = /(?: *| {2,}#[^\n]*)\n/y;
const blanks = /(?: *(?:#[^\n]*)?\n)*/y;
const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ...['null', 'Null', 'NULL'].map(word => [word, null] as const),
  ...['true', 'True', 'TRUE'].map(word => [word, true] as const),
  ...['false', 'False', 'FALSE'].map(word => [word, false] as const),
]);

const space = 32;
const dash = 45;
const lineFeed = 10;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readAll(): Readonly<Record<string, unknown>> {
    if (this.#nextIndent() !== 0) throw unsure;
    const map = this.#readMap(0, 1);
    if (this.#at < this.#text.length) throw unsure;
    return map;
  }

  /** Skips blank lines and comments. The spaces before what comes then; -1 at the end. */
  #nextIndent(): number {
    this.#at += this.#match(blanks)?.[0].length ?? 0;
    if (this.#at >= this.#text.length) return -1;
    let end = this.#at;
    while (this.#text.charCodeAt(end) === space) end += 1;
    return end - this.#at;
  }

  /** From a line that is not blank, or from a key behind a dash. */
  #readMap(indent: number, depth: number): Record<string, unknown> {
    if (depth > depthLimit / 2) throw unsure;
    const map: Record<string, unknown> = {};
    let isFirst = true;
    for (;;) {
      if (!isFirst || this.#isLineStart()) {
        const next = this.#nextIndent();
        if (next < indent) return map;
        if (next > indent) throw unsure;
        this.#at += indent;
      }
      if (!isFirst && this.#isDash()) {
        this.#at -= indent;
        throw unsure;
      }
      isFirst = false;
      const [typed, written = ''] = this.#match(key) ?? fail();
      const name = unquote(written);
      if (name === '__proto__' || Object.hasOwn(map, name)) throw unsure;
      this.#at += typed.length;
      map[name] = this.#readAfterKey(indent, depth);
    }
  }

  #isLineStart(): boolean {
    return this.#at === 0 || this.#text.charCodeAt(this.#at - 1) === lineFeed;
  }

  #isDash(): boolean {
    const next = this.#text.charCodeAt(this.#at + 1);
    return this.#text.charCodeAt(this.#at) === dash && (next === space || next === lineFeed);
  }

  /** After a colon: on the same line, or below. */
  #readAfterKey(indent: number, depth: number): unknown {
    if (this.#skipLineRest()) return this.#readBelow(indent, depth, true);
    this.#at += 1;
    return this.#readInLine(indent, depth);
  }

  /** A block that is indented further; a list of a map need not be. Nothing there is null. */
  #readBelow(indent: number, depth: number, isInMap: boolean): unknown {
    const next = this.#nextIndent();
    if (next < indent || next < 0) return null;
    this.#at += next;
    const isList = this.#isDash();
    this.#at -= next;
    if (next === indent) return isInMap && isList ? this.#readList(indent, depth + 1) : null;
    return isList ? this.#readList(next, depth + 1) : this.#readMap(next, depth + 1);
  }

  #readList(indent: number, depth: number): unknown[] {
    if (depth > depthLimit / 2) throw unsure;
    const list: unknown[] = [];
    for (;;) {
      const next = this.#nextIndent();
      if (next < indent) return list;
      if (next > indent) throw unsure;
      this.#at += indent;
      if (!this.#isDash()) {
        this.#at -= indent;
        return list;
      }
      this.#at += 1;
      list.push(this.#readItem(indent, depth));
    }
  }

  #readItem(indent: number, depth: number): unknown {
    if (this.#skipLineRest()) return this.#readBelow(indent, depth, false);
    const start = this.#at;
    while (this.#text.charCodeAt(this.#at) === space) this.#at += 1;
    if (this.#isDash()) throw unsure;
    const column = indent + 1 + this.#at - start;
    if (this.#match(key) !== undefined) return this.#readMap(column, depth + 1);
    this.#at = start + 1;
    return this.#readInLine(indent, depth);
  }

  /** A scalar or brackets, to the end of the line; the text below a `|`. */
  #readInLine(indent: number, depth: number): unknown {
    const text = this.#text;
    while (text.charCodeAt(this.#at) === space) this.#at += 1;
    if (text[this.#at] === '|') return this.#readLiteral(indent);
    const value = this.#readScalar(plain) ?? this.#readFlow(depth);
    if (!this.#skipLineRest()) throw unsure;
    // What is indented further would go on with it.
    const next = this.#nextIndent();
    if (next > indent) throw unsure;
    return value === none ? null : value;
  }

  #skipLineRest(): boolean {
    const rest = this.#match(lineRest);
    this.#at += rest?.[0].length ?? 0;
    return rest !== undefined;
  }

  /** `none` stands for null; undefined where it is not one. */
  #readScalar(form: RegExp): unknown {
    const text = this.#text;
    const first = text[this.#at];
    const pattern = first === '"' ? doubleQuoted : first === "'" ? singleQuoted : form;
    const found = this.#match(pattern)?.[0];
    if (found !== undefined) {
      this.#at += found.length;
      if (pattern !== form) return unquote(found);
      const word = words.get(found);
      return word === null ? none : (word ?? found);
    }
    const digits = this.#match(number)?.[0];
    if (digits === undefined) return undefined;
    const after = text[this.#at + digits.length];
    if (after !== '\n' && after !== ' ' && after !== ',' && after !== ']' && after !== '}') throw unsure;
    this.#at += digits.length;
    // `1 2` is text.
    if (after === ' ' && !/^ *(?:[\n\]},]| #)/.test(text.slice(this.#at, this.#at + 20))) throw unsure;
    if ((after === ',' || after === ']' || after === '}') && form === plain) throw unsure;
    const value = Number(digits);
    return value === 0 ? 0 : value;
  }

  #readFlow(depth: number): unknown {
    if (depth > depthLimit / 2) throw unsure;
    const open = this.#text[this.#at];
    if (open !== '[' && open !== '{') throw unsure;
    this.#at += 1;
    this.#skipSpaces();
    return open === '[' ? this.#readFlowList(depth + 1) : this.#readFlowMap(depth + 1);
  }

  #readFlowList(depth: number): unknown[] {
    const list: unknown[] = [];
    if (this.#skip(']')) return list;
    for (;;) {
      list.push(this.#readFlowValue(depth));
      if (this.#skip(']')) return list;
      if (!this.#skip(',')) throw unsure;
      this.#skipSpaces();
    }
  }

  #readFlowMap(depth: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    if (this.#skip('}')) return map;
    for (;;) {
      const [typed, written = ''] = this.#match(key) ?? fail();
      const name = unquote(written);
      if (name === '__proto__' || Object.hasOwn(map, name)) throw unsure;
      this.#at += typed.length;
      this.#skipSpaces();
      map[name] = this.#readFlowValue(depth);
      if (this.#skip('}')) return map;
      if (!this.#skip(',')) throw unsure;
      this.#skipSpaces();
    }
  }

  #readFlowValue(depth: number): unknown {
    const value = this.#readScalar(plainInFlow) ?? this.#readFlow(depth);
    this.#skipSpaces();
    return value === none ? null : value;
  }

  #skip(mark: string): boolean {
    const isThere = this.#text[this.#at] === mark;
    if (isThere) this.#at += 1;
    return isThere;
  }

  #skipSpaces(): void {
    while (this.#text.charCodeAt(this.#at) === space) this.#at += 1;
  }

  /** `indent`: of the map or list that it is in. */
  #readLiteral(indent: number): string {
    const [typed, digit, first = '', second = ''] = this.#match(header) ?? fail();
    this.#at += typed.length;
    const text = this.#text;
    let own = digit === undefined ? undefined : indent + Number(digit);
    let [value, blank] = ['', ''];
    for (;;) {
      const start = this.#at;
      if (start >= text.length) break;
      let end = start;
      while (text.charCodeAt(end) === space && (own === undefined || end - start < own)) end += 1;
      const code = text.charCodeAt(end);
      if (code === lineFeed) {
        // Blank lines before the first one may have more spaces than that, which is a mistake.
        if (own === undefined && end > start) throw unsure;
        blank += '\n';
        this.#at = end + 1;
        continue;
      }
      if (own === undefined) {
        if (end - start <= indent) break;
        own = end - start;
      }
      if (end - start < own) {
        if (end - start > indent || code === tab) throw unsure;
        break;
      }
      const feed = text.indexOf('\n', end);
      value += `${blank}${text.slice(end, feed)}\n`;
      blank = '';
      this.#at = feed + 1;
    }
    const ending = first === '' ? second : first;
    if (ending === '+') return value + blank;
    return ending === '-' ? value.slice(0, -1) : value;
  }

  #match(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.#at;
    return sticky.exec(this.#text) ?? undefined;
  }
}

const none = Symbol('null');
const tab = 9;

function fail(): never {
  throw unsure;
}

function unquote(typed: string): string {
  const first = typed[0];
  if (first === '"') return typed.includes('\\') ? (JSON.parse(typed) as string) : typed.slice(1, -1);
  return first === "'" ? typed.slice(1, -1).replaceAll("''", "'") : typed;
}
