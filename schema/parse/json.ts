// JSON, strictly: JSON.parse neither sees duplicate keys nor says in plain words what is wrong where.
// In: the text of a file. Out: its value, or one report of why it has none.
import { type JSONVisitor, visit } from 'jsonc-parser';
import { explainKey, explainNext, explainString, explainValue } from './json-reasons.js';
import type { Span } from './lines.js';
import { type Authorship, depthLimit, type Explanation, hasControls, type Report, reportControls } from './report.js';

/**
 * Reads a JSON text: a list of one document, or of none where something is wrong. Of equal keys in a foreign text the last counts.
 *
 * @example readJson('{"a": 1}', report) // [{ value: { a: 1 } }]
 */
export function readJson(
  text: string,
  report: Report,
  authorship: Authorship = 'own',
): readonly { readonly value: unknown }[] {
  const read = readFlawless(text);
  if (read !== undefined) return [read];
  if (hasControls(text, 'json')) {
    reportControls(text, 'json', report);
    return [];
  }
  const { mistakes, twins } = findMistakes(text);
  for (const finding of mistakes) finding(report);
  if (authorship === 'own' || mistakes.length > 0) {
    for (const twin of twins) twin(report);
    return [];
  }
  for (const twin of twins)
    twin((code, params, span, extras) => report(code, params, span, { ...extras, ...usedIsLast, severity: 'warning' }));
  return [{ value: JSON.parse(text) as unknown }];
}

const usedIsLast = { hint: 'only the last one counts here: remove the others' };

/**
 * Nearly all texts are right, and JSON.parse reads them several times faster than anything else. Undefined where there is a mistake
 * of any kind.
 */
function readFlawless(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // Of two equal keys only one is left, so that there are fewer strings than were written.
    return countStrings(value, 1) === countWrittenStrings(text) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/** Keys and texts. NaN where the value holds what is valid JSON and still not wanted. */
function countStrings(value: unknown, depth: number): number {
  if (typeof value === 'string') return 1;
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : Number.NaN;
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > depthLimit) return Number.NaN;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countStrings(item, depth + 1);
    return count;
  }
  for (const key in value) {
    if (key === '__proto__') return Number.NaN;
    count += 1 + countStrings((value as Record<string, unknown>)[key], depth + 1);
  }
  return count;
}

/** A valid text is asked: every quote that is not escaped starts or ends a string. */
function countWrittenStrings(text: string): number {
  let quotes = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) if (!isEscaped(text, at)) quotes += 1;
  return quotes / 2;
}

/** By an odd number of backslashes. */
export function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}

type Finding = (report: Report) => void;

/** A list or map that is being read. */
interface Frame {
  readonly start: number;
  /** Those of a map, where they were written first; undefined for a list. */
  readonly keys: Map<string, Span> | undefined;
}

/** What may come next: a value, a key, the colon behind a key, or what follows a complete value. */
type Expected = 'value' | 'key' | 'colon' | 'next';

/** Ends the reading at the first mistake, so that nothing is nested deeper than the limit either. */
class FirstMistake {
  constructor(readonly finding: Finding) {}
}

const literal = /(?:true|false|null)(?![\w$])/y;

interface Findings {
  readonly mistakes: readonly Finding[];
  /** Keys that were given before. */
  readonly twins: readonly Finding[];
}

/** The one mistake that makes text invalid; or all that is valid JSON and still not wanted. */
function findMistakes(text: string): Findings {
  const findings = { mistakes: [] as Finding[], twins: [] as Finding[] };
  const frames: Frame[] = [];
  let expected: Expected = 'value';
  let key = { name: '', span: { start: 0, end: 0 } };
  /** Where the comma is that was just read. */
  let comma: number | undefined;
  const expect = (next: Expected): void => {
    expected = next;
    comma = undefined;
  };
  const open = (start: number, keys: Frame['keys']): void => {
    if (frames.length === depthLimit)
      throw new FirstMistake(report => report('parse/too-deep', { limit: depthLimit }, { start, end: start + 1 }));
    frames.push({ start, keys });
    expect(keys === undefined ? 'value' : 'key');
  };
  /** Without a bracket the text has ended, which is a mistake that comes next. */
  const close = (_: number, length: number): void => {
    if (length === 0) return;
    frames.pop();
    expect('next');
  };
  const explain = (at: number): Explanation => {
    const start = frames.at(-1)?.start;
    if (comma !== undefined && /[}\]]/.test(text[at] ?? '')) {
      const reason = 'JSON allows no comma after the last item';
      return { span: { start: comma, end: comma + 1 }, reason, hint: 'remove it' };
    }
    if (expected === 'colon') return { span: key.span, reason: 'a colon is missing after this key' };
    if (expected === 'next') return explainNext(text, at, start);
    if (text[at] === '"') return explainString(text, at, findBadCharacter(text, at));
    if (expected === 'key') return explainKey(text, at, start ?? 0);
    literal.lastIndex = at;
    return literal.test(text) ? explainNext(text, literal.lastIndex, start) : explainValue(text, at, start);
  };
  const fail = (at: number): never => {
    if (/^[ \t\r\n]*$/.test(text)) throw new FirstMistake(report => report('parse/empty', {}, { start: 0, end: 0 }));
    const { span, reason, hint, related } = explain(at);
    throw new FirstMistake(report => report('parse/json', { reason }, span, { hint, related }));
  };
  const visitor: JSONVisitor = {
    onObjectBegin: start => open(start, new Map()),
    onArrayBegin: start => open(start, undefined),
    onObjectEnd: close,
    onArrayEnd: close,
    onObjectProperty(name, start, length) {
      key = { name, span: { start, end: start + length } };
      expect('colon');
    },
    onSeparator(character, at) {
      if (character === ':') {
        checkKey(key, frames.at(-1)?.keys, findings);
        expect('value');
        return;
      }
      expect(frames.at(-1)?.keys === undefined ? 'value' : 'key');
      comma = at;
    },
    onLiteralValue(value, start, length) {
      const span = { start, end: start + length };
      if (typeof value === 'number') {
        // `01` and `1x` are mistakes as a whole.
        if (/[\w.+-]/.test(text[span.end] ?? '')) fail(start);
        const written = text.slice(span.start, span.end);
        if (!Number.isFinite(value))
          findings.mistakes.push(report => report('parse/not-json', { text: written }, span));
      }
      expect('next');
    },
    onError: (_, at) => fail(at),
  };
  try {
    visit(text, visitor, { disallowComments: true });
    return findings;
  } catch (error) {
    if (error instanceof FirstMistake) return { mistakes: [error.finding], twins: [] };
    throw error;
  }
}

function checkKey(
  { name: key, span }: { readonly name: string; readonly span: Span },
  keys: Frame['keys'],
  findings: { readonly mistakes: Finding[]; readonly twins: Finding[] },
): void {
  const first = keys?.get(key);
  if (key === '__proto__') {
    findings.mistakes.push(report => report('parse/forbidden-key', { key }, span));
  } else if (first !== undefined) {
    const related = { span: first, message: 'the first one is here' };
    findings.twins.push(report => report('parse/duplicate-key', { key }, span, { related }));
  } else keys?.set(key, span);
}

/** Where a string stops being one. Piece by piece: on long strings one expression exhausts its stack. */
function findBadCharacter(text: string, start: number): number {
  const piece = /[^"\\\0-\x1f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
  let at = start + 1;
  for (piece.lastIndex = at; piece.test(text); piece.lastIndex = at) at = piece.lastIndex;
  return at;
}

/**
 * JSON as tsconfig.json and clients have it, with comments and trailing commas, as plain JSON of the same length, so that every
 * position still holds.
 *
 * @example toJson('{"a": 1, // one\n}') // '{"a": 1        \n}'
 */
export function toJson(text: string): string {
  let json = '';
  /** Offset in `json` of a comma after which nothing but space and comments came. */
  let comma = -1;
  for (const [token] of text.matchAll(tokens)) {
    if (token.startsWith('//') || token.startsWith('/*')) {
      json += token.replace(/[^\n\r]/g, ' ');
      continue;
    }
    if ((token === '}' || token === ']') && comma >= 0) json = `${json.slice(0, comma)} ${json.slice(comma + 1)}`;
    if (token.trim() !== '') comma = token === ',' ? json.length : -1;
    json += token;
  }
  return json;
}

/** A string (one that never ends goes to the end of its line), a comment, a run of anything else, or one character. */
const tokens = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)|[^"/,\]}]+|[\s\S]/g;
