// The places of a JSON text, found when they are asked for. The text is known to be valid: it was parsed before.
// In: the text. Out: the place of its root.
import { isEscaped } from './json.js';
import type { Span } from './lines.js';
import type { Place } from './locate.js';

/**
 * Where the parts of a JSON text stand. Only the maps and lists on the way to a part are read, each once; all others are skipped. A syntax tree
 * of the whole would take ten times as long as the parser, and there are texts of fifty megabytes.
 *
 * @example locateJson('{"a": 1}').child('a')?.span // { start: 6, end: 7 }
 */
export function locateJson(text: string): Place {
  const start = skipSpace(text, 0);
  if (start === text.length) throw new Error('no JSON value to locate');
  return new JsonPlace(text, start, undefined);
}

const quote = 34;
const comma = 44;
const colon = 58;
const openList = 91;
const closeList = 93;
const openMap = 123;
const closeMap = 125;

class JsonPlace implements Place {
  readonly #text: string;
  readonly #start: number;
  readonly key: Span | undefined;
  #end: number | undefined;
  #parts: ReadonlyMap<string, JsonPlace> | undefined;

  constructor(text: string, start: number, key: Span | undefined) {
    this.#text = text;
    this.#start = start;
    this.key = key;
  }

  get span(): Span {
    this.#end ??= skipValue(this.#text, this.#start);
    return { start: this.#start, end: this.#end };
  }

  get scalar(): Place['scalar'] {
    const first = this.#text.charCodeAt(this.#start);
    if (first === openMap || first === openList) return undefined;
    const raw = this.span;
    const inner = first === quote ? { start: raw.start + 1, end: raw.end - 1 } : raw;
    return { raw, inner, value: JSON.parse(this.#text.slice(raw.start, raw.end)) as unknown };
  }

  child(step: string | number): Place | undefined {
    this.#parts ??= this.#readParts();
    return this.#parts.get(String(step));
  }

  firstKey(): Span | undefined {
    if (this.#text.charCodeAt(this.#start) !== openMap) return undefined;
    const start = skipSpace(this.#text, this.#start + 1);
    return this.#text.charCodeAt(start) === quote ? { start, end: skipString(this.#text, start) } : undefined;
  }

  /** Of equal keys the last counts, as for the parser. */
  #readParts(): ReadonlyMap<string, JsonPlace> {
    const text = this.#text;
    const parts = new Map<string, JsonPlace>();
    const first = text.charCodeAt(this.#start);
    if (first !== openMap && first !== openList) return parts;
    let at = skipSpace(text, this.#start + 1);
    while (at < text.length && text.charCodeAt(at) !== closeMap && text.charCodeAt(at) !== closeList) {
      let name = String(parts.size);
      let key: Span | undefined;
      if (first === openMap) {
        key = { start: at, end: skipString(text, at) };
        name = JSON.parse(text.slice(key.start, key.end)) as string;
        at = skipSpace(text, key.end);
        if (text.charCodeAt(at) === colon) at = skipSpace(text, at + 1);
      }
      const part = new JsonPlace(text, at, key);
      parts.set(name, part);
      at = skipSpace(text, part.span.end);
      if (text.charCodeAt(at) === comma) at = skipSpace(text, at + 1);
    }
    return parts;
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === 32 || code === 10 || code === 13 || code === 9; at += 1)
    code = text.charCodeAt(at + 1);
  return at;
}

/** From the quote that opens a string to behind the one that closes it. */
function skipString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && text[end - 1] === '\\' && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end + 1;
}

function skipValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === quote) return skipString(text, start);
  if (first === openMap || first === openList) return skipNested(text, start);
  // Behind a number or a word there is the end, a space or one of `,]}`.
  const end = /[\s,\]}]/g;
  end.lastIndex = start;
  return end.exec(text)?.index ?? text.length;
}

function skipNested(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = skipString(text, at) - 1;
    else if (code === openMap || code === openList) depth += 1;
    else if (code === closeMap || code === closeList) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}
