// JSON, strictly, in one pass: JSON.parse neither sees duplicate keys nor says in plain words what is wrong where.
// In: the text of a file. Out: its value, or one report of why it has none.
import type { Span } from '../locate/lines.js';
import { hasControls, reportControls } from './control.js';
import { readQuickly } from './json-quick.js';
import { explainKey, explainNext, explainValue, type JsonMistake } from './json-reasons.js';
import { JsonScan } from './json-scan.js';
import { depthLimit, type Report } from './report.js';

/**
 * Reads a JSON text: a list of one document, or of none where something is wrong.
 *
 * @example readJson('{"a": 1}', report) // [{ value: { a: 1 } }]
 */
export function readJson(text: string, report: Report): readonly { readonly value: unknown }[] {
  const quick = readQuickly(text);
  if (quick !== undefined) return [quick];
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
  /** The code of the bracket that ends it. */
  readonly closing: number;
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
const closeList = 93;
const openMap = 123;
const closeMap = 125;

class Reading {
  /** The one mistake that ended the reading. */
  mistake: Finding | undefined;
  /** What is valid JSON and still not wanted. */
  readonly findings: Finding[] = [];
  readonly #scan: JsonScan;
  readonly #frames: Frame[] = [];

  constructor(text: string) {
    this.#scan = new JsonScan(text);
  }

  /** Lists and maps are kept on a stack of our own: no depth of brackets exhausts the one of the machine. */
  read(): unknown {
    const scan = this.#scan;
    scan.skipSpace();
    if (scan.isAtEnd) {
      this.mistake = report => report('parse/empty', {}, { start: 0, end: 0 });
      return undefined;
    }
    for (;;) {
      const code = scan.peek();
      let value: unknown;
      if (code === openMap || code === openList) {
        const frame = this.#open(code === openList);
        if (frame === undefined) return undefined;
        if (scan.peek() !== frame.closing) {
          if (frame.list === undefined && !this.#readKey(frame)) return undefined;
          continue;
        }
        value = this.#close(frame);
      } else value = this.#readScalar(code);
      if (this.mistake !== undefined) return undefined;

      const done = this.#complete(value);
      if (done !== undefined || this.mistake !== undefined) return done?.value;
    }
  }

  /** A complete value may complete the lists and maps around it. The root comes back; undefined means that more follows. */
  #complete(complete: unknown): { readonly value: unknown } | undefined {
    const scan = this.#scan;
    let value = complete;
    for (;;) {
      const frame = this.#frames.at(-1);
      scan.skipSpace();
      if (frame === undefined) {
        if (!scan.isAtEnd) this.#fail(explainNext(scan.text, scan.at, undefined));
        return { value };
      }
      if (frame.list !== undefined) frame.list.push(value);
      else if (frame.key !== '__proto__') frame.map[frame.key] = value;

      if (scan.peek() === comma) {
        this.#readComma(frame);
        return undefined;
      }
      if (scan.peek() !== frame.closing) {
        this.#fail(explainNext(scan.text, scan.at, frame.start));
        return undefined;
      }
      value = this.#close(frame);
    }
  }

  #open(isList: boolean): Frame | undefined {
    const start = this.#scan.at;
    if (this.#frames.length === depthLimit) {
      this.mistake = report => report('parse/too-deep', { limit: depthLimit }, { start, end: start + 1 });
      return undefined;
    }
    const frame: Frame = {
      start,
      list: isList ? [] : undefined,
      map: {},
      closing: isList ? closeList : closeMap,
      keyStarts: [],
      firsts: undefined,
      key: '',
    };
    this.#frames.push(frame);
    this.#scan.at += 1;
    this.#scan.skipSpace();
    return frame;
  }

  #close(frame: Frame): unknown {
    this.#frames.pop();
    this.#scan.at += 1;
    return frame.list ?? frame.map;
  }

  /** Steps over a comma and, in a map, over the key behind it. */
  #readComma(frame: Frame): void {
    const scan = this.#scan;
    const start = scan.at;
    scan.at += 1;
    scan.skipSpace();
    if (scan.peek() === closeMap || scan.peek() === closeList) {
      const reason = 'JSON allows no comma after the last item';
      this.#fail({ span: { start, end: start + 1 }, reason, hint: 'remove it' });
    } else if (frame.list === undefined) this.#readKey(frame);
  }

  #readKey(frame: Frame): boolean {
    const scan = this.#scan;
    const start = scan.at;
    if (scan.peek() !== quote) return this.#fail(explainKey(scan.text, start, frame.start));
    const key = scan.readString();
    if (key === undefined) return this.#fail(scan.mistake);
    const span = { start, end: scan.at };
    scan.skipSpace();
    if (scan.peek() !== colon) return this.#fail({ span, reason: 'a colon is missing after this key' });
    scan.at += 1;
    scan.skipSpace();
    this.#checkKey(frame, key, span);
    frame.key = key;
    frame.keyStarts.push(start);
    return true;
  }

  #checkKey(frame: Frame, key: string, span: Span): void {
    if (key === '__proto__') {
      this.findings.push(report => report('parse/forbidden-key', { key }, span));
    } else if (Object.hasOwn(frame.map, key)) {
      frame.firsts ??= firstKeys(this.#scan.text, frame.keyStarts);
      const related = { span: frame.firsts.get(key) ?? span, message: 'the first one is here' };
      this.findings.push(report => report('parse/duplicate-key', { key }, span, { related }));
    } else frame.firsts?.set(key, span);
  }

  #readScalar(code: number): unknown {
    const scan = this.#scan;
    if (code === quote) {
      const string = scan.readString();
      if (string === undefined) this.#fail(scan.mistake);
      return string;
    }
    const span = scan.readNumber();
    if (span !== undefined) {
      const text = scan.text.slice(span.start, span.end);
      const value = Number(text);
      if (!Number.isFinite(value)) this.findings.push(report => report('parse/not-json', { text }, span));
      return value;
    }
    const literal = scan.readLiteral();
    if (literal === undefined) this.#fail(explainValue(scan.text, scan.at, this.#frames.at(-1)?.start));
    return literal?.value;
  }

  #fail(mistake: JsonMistake | undefined): false {
    if (mistake === undefined) throw new Error('a failure without a mistake');
    const { span, reason, hint, related } = mistake;
    this.mistake = report => report('parse/json', { reason }, span, { hint, related });
    return false;
  }
}

function firstKeys(text: string, starts: readonly number[]): Map<string, Span> {
  const scan = new JsonScan(text);
  const firsts = new Map<string, Span>();
  for (const start of starts) {
    scan.at = start;
    const key = scan.readString();
    if (key !== undefined && !firsts.has(key)) firsts.set(key, { start, end: scan.at });
  }
  return firsts;
}
