// In: a regular expression that the engine accepts with the flag u. Out: its structure, for counting steps.

export type RegexNode =
  /** One character of a set; `source` is the set as it is written. */
  | { readonly type: 'character'; readonly source: string }
  | { readonly type: 'assertion'; readonly source: string }
  | { readonly type: 'reference'; readonly group: string }
  | { readonly type: 'look'; readonly body: RegexNode; readonly behind: boolean; readonly negative: boolean }
  | { readonly type: 'group'; readonly body: RegexNode; readonly names: readonly string[] }
  | { readonly type: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly type: 'choice'; readonly branches: readonly RegexNode[] }
  | {
      readonly type: 'repeat';
      readonly body: RegexNode;
      readonly least: number;
      readonly most: number;
      readonly lazy: boolean;
    };

const escaped =
  /\\(?:u\{[0-9a-fA-F]+\}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|k<[^>]*>|[1-9][0-9]*|[\s\S])/uy;
const characterClass = /\[(?:\\[\s\S]|[^\]\\])*\]/uy;
const opening = /\((?:\?(?:[:=!]|<[=!]|<([^>]*)>))?/uy;
const quantifier = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})(\??)/uy;

/** @example parseRegex('^a+$') */
export function parseRegex(pattern: string): RegexNode {
  return new RegexParser(pattern).parse();
}

class RegexParser {
  readonly #pattern: string;
  #at = 0;
  #groups = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  parse(): RegexNode {
    const branches: RegexNode[] = [this.#parseSequence()];
    while (this.#pattern[this.#at] === '|') {
      this.#at += 1;
      branches.push(this.#parseSequence());
    }
    const [only] = branches;
    return only !== undefined && branches.length === 1 ? only : { type: 'choice', branches };
  }

  #parseSequence(): RegexNode {
    const parts: RegexNode[] = [];
    while (this.#at < this.#pattern.length && !'|)'.includes(this.#pattern.charAt(this.#at))) {
      parts.push(this.#parseRepeat(this.#parseAtom()));
    }
    return { type: 'sequence', parts };
  }

  #parseRepeat(body: RegexNode): RegexNode {
    const found = this.#match(quantifier);
    if (found === undefined) return body;
    const [text, least = '', comma, most = '', lazy = ''] = found;
    if (least !== '') {
      const limit = comma === undefined ? Number(least) : most === '' ? Infinity : Number(most);
      return { type: 'repeat', body, least: Number(least), most: limit, lazy: lazy !== '' };
    }
    return {
      type: 'repeat',
      body,
      least: text.startsWith('+') ? 1 : 0,
      most: text.startsWith('?') ? 1 : Infinity,
      lazy: lazy !== '',
    };
  }

  #parseAtom(): RegexNode {
    const group = this.#match(opening);
    if (group !== undefined) return this.#parseGroup(group);
    const [source = ''] = this.#match(characterClass) ?? this.#match(escaped) ?? this.#match(/[\s\S]/uy) ?? [];
    if (source === '^' || source === '$' || source === '\\b' || source === '\\B') return { type: 'assertion', source };
    const reference = /^\\(?:k<(.*)>|([1-9]\d*))$/u.exec(source);
    if (reference !== null) return { type: 'reference', group: reference[1] ?? reference[2] ?? '' };
    return { type: 'character', source };
  }

  #parseGroup([text, name]: readonly (string | undefined)[]): RegexNode {
    const captures = text === '(' || name !== undefined;
    if (captures) this.#groups += 1;
    const names = captures ? [String(this.#groups), ...(name === undefined ? [] : [name])] : [];
    const body = this.parse();
    this.#at += 1;
    switch (text) {
      case '(?=':
      case '(?!':
      case '(?<=':
      case '(?<!':
        return { type: 'look', body, behind: text.includes('<'), negative: text.endsWith('!') };
      default:
        return { type: 'group', body, names };
    }
  }

  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#pattern);
    if (found === null) return undefined;
    this.#at = expression.lastIndex;
    return found;
  }
}
