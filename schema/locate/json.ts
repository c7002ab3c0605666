// The places of a JSON text, scanned when one is asked for. The text is known to be valid: it was parsed before.
// In: the text. Out: the place of its root.

import type { Span } from './lines.js';
import type { Place } from './locate.js';

/**
 * Where the parts of a JSON text stand.
 *
 * @example locateJson('{"a": 1}').child('a')?.span // { start: 6, end: 7 }
 */
export function locateJson(text: string): Place {
  const scan = new Scan(text);
  return scan.read(undefined);
}

class Scan {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Recursion is safe: what is too deep was refused by the parser. */
  read(key: Span | undefined): Place {
    this.#skipSpace();
    const start = this.#at;
    switch (this.#text[start]) {
      case '{':
        return this.#readMap(start, key);
      case '[':
        return this.#readList(start, key);
      default: {
        const span = this.#readScalar();
        const quoted = this.#text[start] === '"';
        const inner = quoted ? { start: start + 1, end: span.end - 1 } : span;
        const value: unknown = JSON.parse(this.#text.slice(span.start, span.end));
        return { span, key, scalar: { raw: span, inner, value }, child: () => undefined, firstKey: () => undefined };
      }
    }
  }

  #readMap(start: number, key: Span | undefined): Place {
    const children = new Map<string, Place>();
    let firstKey: Span | undefined;
    this.#at += 1;
    while (!this.#closes('}')) {
      const name = this.#readScalar();
      firstKey ??= name;
      this.#skipSpace();
      this.#at += 1;
      children.set(JSON.parse(this.#text.slice(name.start, name.end)) as string, this.read(name));
    }
    return {
      span: { start, end: this.#at },
      key,
      scalar: undefined,
      child: step => children.get(String(step)),
      firstKey: () => firstKey,
    };
  }

  #readList(start: number, key: Span | undefined): Place {
    const children: Place[] = [];
    this.#at += 1;
    while (!this.#closes(']')) children.push(this.read(undefined));
    return {
      span: { start, end: this.#at },
      key,
      scalar: undefined,
      child: step => (/^\d+$/.test(String(step)) ? children[Number(step)] : undefined),
      firstKey: () => undefined,
    };
  }

  #readScalar(): Span {
    const start = this.#at;
    if (this.#text[start] === '"') {
      this.#at = endOfString(this.#text, start);
    } else {
      const token = /[^\s,:\]}"]+/y;
      token.lastIndex = start;
      if (!token.test(this.#text)) throw new Error(`no JSON value at ${start}`);
      this.#at = token.lastIndex;
    }
    return { start, end: this.#at };
  }

  /** Steps over a comma, or over the bracket that ends the list or map. */
  #closes(bracket: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] === ',') {
      this.#at += 1;
      this.#skipSpace();
    }
    if (this.#text[this.#at] !== bracket) return false;
    this.#at += 1;
    return true;
  }

  #skipSpace(): void {
    const space = /[ \t\r\n]*/y;
    space.lastIndex = this.#at;
    space.test(this.#text);
    this.#at = space.lastIndex;
  }
}

/** Not a regular expression: on long strings those exhaust their stack. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}
