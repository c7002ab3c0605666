// JSON, strictly, in one pass: JSON.parse neither sees duplicate keys nor says in plain words what is wrong where.
// In: a text. Out: its value, or one report of why it is none.
import type { Span } from './locate-lines.js';
import { hasControls, reportControls } from './parse-control.js';
import { explainKey, explainNext, explainString, explainValue, type JsonMistake } from './parse-json-reasons.js';
import { depthLimit, type Report } from './parse-report.js';

/**
 * Reads a JSON text: a list of one document, or of none where something is wrong.
 *
 * @example readJson('{"a": 1}', report) // [{ value: { a: 1 } }]
 */
export function readJson(text: string, report: Report): readonly { readonly value: unknown }[] {
  if (hasControls(text, 'json')) {
    reportControls(text, 'json', report);
    return [];
  }
  const reading = new Reading(text);
  const value = reading.read();
  const { mistake, findings } = reading;
  if (mistake !== undefined) {
    mistake(report);
    return [];
  }
  for (const finding of findings) finding(report);
  return findings.length === 0 ? [{ value }] : [];
}

type Finding = (report: Report) => void;

/** A list or map that is being read. */
interface Frame {
  readonly start: number;
  readonly list: unknown[] | undefined;
  readonly map: Record<string, unknown>;
  /** Where the keys start, to find the first of two equal ones. */
  readonly keyStarts: number[];
  /** The same by name, made when there are two. */
  firsts: Map<string, Span> | undefined;
  key: string;
}

const quote = 34;
const comma = 44;
const colon = 58;
const openList = 91;
const backslash = 92;
const closeList = 93;
const openMap = 123;
const closeMap = 125;

const literals: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

const escapes: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

class Reading {
  /** The one mistake that ended the reading. */
  mistake: Finding | undefined;
  /** What is valid JSON and still not wanted. */
  readonly findings: Finding[] = [];
  readonly #text: string;
  readonly #frames: Frame[] = [];
  readonly #number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.+-])/y;
  readonly #escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
  readonly #word = /[a-z]+(?![\w$])/y;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Lists and maps are kept on a stack of our own: no depth of brackets exhausts the one of the machine. */
  read(): unknown {
    this.#skipSpace();
    if (this.#at === this.#text.length) {
      this.mistake = report => report('parse/empty', {}, { start: 0, end: 0 });
      return undefined;
    }
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      let value: unknown;
      if (code === openMap || code === openList) {
        const frame = this.#open(code === openList);
        if (frame === undefined) return undefined;
        if (this.#text.charCodeAt(this.#at) !== (frame.list === undefined ? closeMap : closeList)) {
          if (frame.list === undefined && !this.#readKey(frame)) return undefined;
          continue;
        }
        value = this.#close(frame);
      } else {
        value = this.#readScalar(code);
      }
      if (this.mistake !== undefined) return undefined;

      // A complete value may complete the lists and maps around it.
      for (;;) {
        const frame = this.#frames.at(-1);
        this.#skipSpace();
        if (frame === undefined) {
          if (this.#at < this.#text.length) this.#fail(explainNext(this.#text, this.#at, undefined));
          return value;
        }
        this.#attach(frame, value);
        const next = this.#text.charCodeAt(this.#at);
        if (next === comma) {
          if (!this.#readComma(frame)) return undefined;
          break;
        }
        if (next !== (frame.list === undefined ? closeMap : closeList)) {
          this.#fail(explainNext(this.#text, this.#at, frame.start));
          return undefined;
        }
        value = this.#close(frame);
      }
    }
  }

  #open(isList: boolean): Frame | undefined {
    const start = this.#at;
    if (this.#frames.length === depthLimit) {
      this.mistake = report => report('parse/too-deep', { limit: depthLimit }, { start, end: start + 1 });
      return undefined;
    }
    const frame: Frame = { start, list: isList ? [] : undefined, map: {}, keyStarts: [], firsts: undefined, key: '' };
    this.#frames.push(frame);
    this.#at += 1;
    this.#skipSpace();
    return frame;
  }

  #close(frame: Frame): unknown {
    this.#frames.pop();
    this.#at += 1;
    return frame.list ?? frame.map;
  }

  #attach({ list, map, key }: Frame, value: unknown): void {
    if (list !== undefined) list.push(value);
    else if (key !== '__proto__') map[key] = value;
  }

  /** Steps over a comma and, in a map, over the key behind it. */
  #readComma(frame: Frame): boolean {
    const at = this.#at;
    this.#at += 1;
    this.#skipSpace();
    const next = this.#text.charCodeAt(this.#at);
    if (next === closeMap || next === closeList) {
      return this.#fail({
        span: { start: at, end: at + 1 },
        reason: 'JSON allows no comma after the last item',
        hint: 'remove it',
      });
    }
    return frame.list !== undefined || this.#readKey(frame);
  }

  #readKey(frame: Frame): boolean {
    const start = this.#at;
    if (this.#text.charCodeAt(start) !== quote) return this.#fail(explainKey(this.#text, start, frame.start));
    const key = this.#readString();
    if (key === undefined) return false;
    const span = { start, end: this.#at };
    this.#skipSpace();
    if (this.#text.charCodeAt(this.#at) !== colon) {
      return this.#fail({ span, reason: 'a colon is missing after this key' });
    }
    this.#at += 1;
    this.#skipSpace();
    this.#checkKey(frame, key, span);
    frame.key = key;
    frame.keyStarts.push(start);
    return true;
  }

  #checkKey(frame: Frame, key: string, span: Span): void {
    if (key === '__proto__') this.findings.push(report => report('parse/forbidden-key', { key }, span));
    else if (Object.hasOwn(frame.map, key)) {
      frame.firsts ??= new Map(
        frame.keyStarts.map(start => this.#spanOfString(start)).map(one => [this.#decode(one), one]),
      );
      const related = { span: frame.firsts.get(key) ?? span, message: 'the first one is here' };
      this.findings.push(report => report('parse/duplicate-key', { key }, span, { related }));
    } else frame.firsts?.set(key, span);
  }

  #readScalar(code: number): unknown {
    if (code === quote) return this.#readString();
    const start = this.#at;
    this.#number.lastIndex = start;
    if (this.#number.test(this.#text)) {
      const span = { start, end: this.#number.lastIndex };
      this.#at = span.end;
      const text = this.#text.slice(span.start, span.end);
      const value = Number(text);
      if (!Number.isFinite(value)) this.findings.push(report => report('parse/not-json', { text }, span));
      return value;
    }
    this.#word.lastIndex = start;
    const word = this.#word.test(this.#text) ? this.#text.slice(start, this.#word.lastIndex) : '';
    if (!literals.has(word)) {
      this.#fail(explainValue(this.#text, start, this.#frames.at(-1)?.start));
      return undefined;
    }
    this.#at += word.length;
    return literals.get(word);
  }

  #readString(): string | undefined {
    const text = this.#text;
    const start = this.#at;
    let decoded = '';
    let chunk = start + 1;
    for (let at = chunk; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === quote) {
        this.#at = at + 1;
        return decoded === '' ? text.slice(chunk, at) : decoded + text.slice(chunk, at);
      }
      if (code === backslash) {
        this.#escaped.lastIndex = at;
        if (!this.#escaped.test(text)) {
          this.#fail(explainString(text, start, at));
          return undefined;
        }
        decoded += text.slice(chunk, at) + toCharacter(text, at + 1);
        chunk = this.#escaped.lastIndex;
        at = chunk - 1;
      } else if (code < 32) {
        this.#fail(explainString(text, start, at));
        return undefined;
      }
    }
    this.#fail(explainString(text, start, text.length));
    return undefined;
  }

  #decode({ start, end }: Span): string {
    return JSON.parse(this.#text.slice(start, end)) as string;
  }

  #spanOfString(start: number): Span {
    let at = start + 1;
    while (this.#text[at] !== '"') at += this.#text[at] === '\\' ? 2 : 1;
    return { start, end: at + 1 };
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      this.#at += 1;
    }
  }

  #fail({ span, reason, hint, related }: JsonMistake): false {
    this.mistake = report => report('parse/json', { reason }, span, { hint, related });
    return false;
  }
}

/** What an escape stands for; `at` is behind its backslash. */
function toCharacter(text: string, at: number): string {
  const letter = text.charAt(at);
  return letter === 'u'
    ? String.fromCharCode(Number.parseInt(text.slice(at + 1, at + 5), 16))
    : (escapes.get(letter) ?? letter);
}
