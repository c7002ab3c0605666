// What is wrong with a JSON text, in plain words. Only read when something is.
// In: the text, where its reader stopped, and the bracket it was inside. Out: span, reason and hint.
import { lineInk, type Span } from './lines.js';
import type { Explanation } from './report.js';

interface Rule {
  readonly test: RegExp;
  readonly reason: (found: string) => string;
  readonly hint?: (found: string) => string;
}

const comments: Rule = {
  test: /(?:\/\/|#)[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)/y,
  reason: () => 'JSON allows no comments',
  hint: () => 'remove it, or rename the file to .yaml',
};

const words: ReadonlyMap<string, string> = new Map([
  ['True', 'true'],
  ['TRUE', 'true'],
  ['False', 'false'],
  ['FALSE', 'false'],
  ['None', 'null'],
  ['NULL', 'null'],
  ['Null', 'null'],
  ['undefined', 'null'],
  ['nil', 'null'],
]);

/** In order: the first that fits where a value should start. */
const valueRules: readonly Rule[] = [
  comments,
  { test: /[-+]?(?:NaN|Infinity)\b/y, reason: found => `JSON has no ${found}`, hint: () => 'use null or a string' },
  {
    test: /'(?:[^'\\\r\n]|\\.)*'?/y,
    reason: () => 'JSON strings have double quotes',
    hint: found => `write ${requote(found)}`,
  },
  { test: /`[^`\r\n]*`?/y, reason: () => 'JSON strings have double quotes' },
  { test: /\+[\w.]*/y, reason: () => 'JSON numbers have no plus sign' },
  { test: /-?0[xXoObB]\w*/y, reason: () => 'JSON numbers are decimal' },
  {
    test: /-?0[0-9][\w.]*/y,
    reason: () => 'JSON numbers have no leading zeros',
    hint: () => 'a string of digits needs double quotes',
  },
  { test: /-?\.[0-9]\w*/y, reason: () => 'JSON numbers have a digit before the point' },
  { test: /-?[0-9]+\.(?![0-9])\w*/y, reason: () => 'JSON numbers have a digit after the point' },
  { test: /-?[0-9][\w.+-]*/y, reason: found => `${found} is not a number`, hint: () => 'a string needs double quotes' },
  { test: /-/y, reason: () => 'a number is missing after the minus' },
  {
    test: /[\p{L}_$][\p{L}\p{N}_$.-]*/uy,
    reason: () => 'JSON strings have double quotes',
    hint: found => `write ${words.get(found) ?? JSON.stringify(found)}`,
  },
  { test: /,/y, reason: () => 'a value is missing before the comma' },
  { test: /[}\]]/y, reason: found => `a value is missing before the "${found}"` },
  { test: /:/y, reason: () => 'a colon is only allowed after a key' },
];

const keyRules: readonly Rule[] = [
  comments,
  {
    test: /'(?:[^'\\\r\n]|\\.)*'?/y,
    reason: () => 'JSON keys have double quotes',
    hint: found => `write ${requote(found)}`,
  },
  {
    test: /[\p{L}_$][\p{L}\p{N}_$.-]*/uy,
    reason: () => 'JSON keys have double quotes',
    hint: found => `write ${JSON.stringify(found)}`,
  },
  { test: /,/y, reason: () => 'there is nothing before this comma', hint: () => 'remove it' },
  { test: /\]/y, reason: () => 'the "{" is closed by "]"' },
];

/** Where a value should start. `open`: the bracket around it. */
export function explainValue(text: string, at: number, open: number | undefined): Explanation {
  return at >= text.length ? explainEnd(text, open) : (firstFit(valueRules, text, at) ?? unexpected(text, at));
}

/** Where a key should start. */
export function explainKey(text: string, at: number, open: number): Explanation {
  if (at >= text.length) return explainEnd(text, open);
  const fit = firstFit(keyRules, text, at);
  return fit ?? { span: character(text, at), reason: 'a key in double quotes is expected here' };
}

/** Behind a complete value. */
export function explainNext(text: string, at: number, open: number | undefined): Explanation {
  if (at >= text.length) return explainEnd(text, open);
  const comment = firstFit([comments], text, at);
  if (comment !== undefined) return comment;
  const span = character(text, at);
  const found = text.slice(span.start, span.end);
  if (open === undefined) {
    if (/[}\]]/.test(found)) return { span, reason: `the "${found}" here closes nothing`, hint: 'remove it' };
    return { span, reason: 'there is text after the end of the data', hint: 'a JSON file contains one value' };
  }
  if (/[}\]]/.test(found)) {
    const related = { span: { start: open, end: open + 1 }, message: 'it is opened here' };
    return { span, reason: `the "${text[open]}" is closed by "${found}"`, related };
  }
  if (found === ':') return { span, reason: 'a colon is only allowed after a key' };
  if (!/["{[\w'-]/.test(found)) return unexpected(text, at);
  const insideQuotes = text[at - 1] === '"' && /\w/.test(found);
  return {
    span,
    reason: 'a comma is missing before this',
    hint: insideQuotes ? 'inside a string, " is written \\"' : undefined,
  };
}

/** Inside a string that starts at `start`, at a character that cannot be there. */
export function explainString(text: string, start: number, at: number): Explanation {
  if (text[at] === '\t') {
    return { span: character(text, at), reason: 'a JSON string cannot contain a tab', hint: 'write \\t' };
  }
  if (text[at] === '\\' && at + 1 < text.length && !/[\r\n]/.test(text[at + 1] ?? '')) {
    const long = text[at + 1] === 'u';
    const end = long ? at + 2 + (/^[0-9a-fA-F]{0,4}/.exec(text.slice(at + 2, at + 6))?.[0].length ?? 0) : at + 2;
    const typed = text.slice(at, end);
    return long
      ? { span: { start: at, end }, reason: `${typed} is not a valid escape: \\u takes four hexadecimal digits` }
      : {
          span: { start: at, end },
          reason: `${typed} is not a valid JSON escape`,
          hint: 'a backslash is written \\\\',
        };
  }
  return {
    span: { start, end: Math.max(lineInk(text, start).end, start + 1) },
    reason: 'the quote that opens here is not closed on its line',
    hint: 'a line break in a string is written \\n',
  };
}

function explainEnd(text: string, open: number | undefined): Explanation {
  const end = text.trimEnd().length;
  const span = { start: Math.max(end - 1, 0), end };
  if (open === undefined) return { span, reason: 'the text ends too early' };
  return {
    span,
    reason: `the text ends before the "${text[open]}" is closed`,
    hint: `add "${text[open] === '{' ? '}' : ']'}"`,
    related: { span: { start: open, end: open + 1 }, message: 'it is opened here' },
  };
}

function unexpected(text: string, at: number): Explanation {
  const span = character(text, at);
  return { span, reason: `${JSON.stringify(text.slice(span.start, span.end))} has no meaning here` };
}

function firstFit(rules: readonly Rule[], text: string, at: number): Explanation | undefined {
  for (const { test, reason, hint } of rules) {
    const match = new RegExp(test.source, test.flags);
    match.lastIndex = at;
    const found = match.exec(text)?.[0];
    if (found === undefined) continue;
    return {
      span: { start: at, end: at + found.split(/\r?\n/, 1).join('').length },
      reason: reason(found),
      hint: hint?.(found),
    };
  }
  return undefined;
}

/** One character, also where it is two UTF-16 units. */
function character(text: string, at: number): Span {
  return { start: at, end: at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) };
}

/** `'it\'s'` in double quotes. */
function requote(found: string): string {
  return JSON.stringify(
    found.slice(1, found.endsWith("'") && found.length > 1 ? -1 : undefined).replaceAll("\\'", "'"),
  );
}
