// The words of JSON: space, strings, numbers and the three literals.
// In: the text of a file. Out: its words, one by one, or what is wrong with the next.
import type { Span } from '../locate/lines.js';
import { explainString, type JsonMistake } from './json-reasons.js';

const quote = 34;
const backslash = 92;

const escapes: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

const literals: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** A position in the text, and what can be read there. */
export class JsonScan {
  at = 0;
  /** Why the last string could not be read. */
  mistake: JsonMistake | undefined;
  readonly text: string;
  readonly #number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.+-])/y;
  readonly #escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
  readonly #literal = /(?:true|false|null)(?![\w$])/y;

  constructor(text: string) {
    this.text = text;
  }

  /** The code of the next character; NaN at the end. */
  peek(): number {
    return this.text.charCodeAt(this.at);
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  skipSpace(): void {
    for (;;) {
      const code = this.peek();
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      this.at += 1;
    }
  }

  /** The string whose first quote stands here. */
  readString(): string | undefined {
    const { text, at: start } = this;
    let decoded = '';
    let chunk = start + 1;
    for (let at = chunk; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === quote) {
        this.at = at + 1;
        return decoded === '' ? text.slice(chunk, at) : decoded + text.slice(chunk, at);
      }
      if (code === backslash) {
        this.#escape.lastIndex = at;
        if (!this.#escape.test(text)) return this.#fail(start, at);
        decoded += text.slice(chunk, at) + toCharacter(text, at + 1);
        chunk = this.#escape.lastIndex;
        at = chunk - 1;
      } else if (code < 32) return this.#fail(start, at);
    }
    return this.#fail(start, text.length);
  }

  /** The number here, as it is written. */
  readNumber(): Span | undefined {
    return this.#match(this.#number);
  }

  /** What `true`, `false` or `null` stands for. */
  readLiteral(): { readonly value: unknown } | undefined {
    const span = this.#match(this.#literal);
    return span === undefined ? undefined : { value: literals.get(this.text.slice(span.start, span.end)) };
  }

  #match(pattern: RegExp): Span | undefined {
    const start = this.at;
    pattern.lastIndex = start;
    if (!pattern.test(this.text)) return undefined;
    this.at = pattern.lastIndex;
    return { start, end: this.at };
  }

  #fail(start: number, at: number): undefined {
    this.mistake = explainString(this.text, start, at);
    return undefined;
  }
}

/** What an escape stands for; `at` is behind its backslash. */
function toCharacter(text: string, at: number): string {
  const letter = text.charAt(at);
  return letter === 'u'
    ? String.fromCharCode(Number.parseInt(text.slice(at + 1, at + 5), 16))
    : (escapes.get(letter) ?? letter);
}
