// In: a pattern of a manifest and a string to match. Out: whether the engine can be trusted to finish.
// Engines backtrack: `^(a+)+$` on fifty letters takes years, and nothing can interrupt them. So what looks dangerous is
// first tried by a matcher that does the same steps and counts them; its answer is not used, only that it got one.
const mostSteps = 100_000;
/** Steps that a plain pass over a long text may take. */
const stepsPerCharacter = 10;
const longestText = 100_000;

/**
 * Tells whether matching ends soon. The pattern is known to be valid.
 *
 * @example isSoonMatched('^(a+)+$', 'a'.repeat(50) + '!') // false
 */
export function isSoonMatched(pattern: string, text: string): boolean {
  if (isPlain(pattern, text.length)) return true;
  if (text.length > longestText) return false;
  try {
    const steps = new Steps(text);
    const match = steps.toMatch(parseRegex(pattern));
    for (let start = 0; start <= steps.length; start += 1) if (match(start, () => true)) break;
    return true;
  } catch (error) {
    // Input that overflows the stack counts as too much, too.
    if (error instanceof TooManySteps || error instanceof RangeError) return false;
    throw error;
  }
}

/** Without repeated groups each choice is made at most once a character: the product of all choices is the limit. */
function isPlain(pattern: string, length: number): boolean {
  if (/\)[*+{]/.test(pattern)) return false;
  const choices = pattern.match(/[*+?{|]/g)?.length ?? 0;
  return choices === 0 || (length + 2) ** (choices + 1) <= mostSteps;
}

class TooManySteps extends Error {}

type Next = (at: number) => boolean;
type Match = (at: number, next: Next) => boolean;

class Steps {
  readonly #characters: readonly string[];
  readonly #captured = new Map<string, readonly [number, number]>();
  #left: number;

  constructor(text: string) {
    this.#characters = [...text];
    this.#left = mostSteps + stepsPerCharacter * this.#characters.length;
  }

  get length(): number {
    return this.#characters.length;
  }

  toMatch(node: RegexNode): Match {
    switch (node.type) {
      case 'character': {
        const test = this.#toTest(node.source);
        return (at, next) => test(at) && next(at + 1);
      }
      case 'assertion':
        return this.#toAssertion(node.source);
      case 'reference':
        return (at, next) => this.#matchCaptured(at, node.group, next);
      case 'look':
        return this.#toLook(node);
      case 'group':
        return this.#toGroup(node);
      case 'sequence': {
        const parts = node.parts.map(part => this.toMatch(part));
        const from = (index: number, at: number, next: Next): boolean => {
          const part = parts[index];
          return part === undefined ? next(at) : part(at, end => from(index + 1, end, next));
        };
        return (at, next) => from(0, at, next);
      }
      case 'choice': {
        const branches = node.branches.map(branch => this.toMatch(branch));
        return (at, next) => branches.some(branch => this.#step() && branch(at, next));
      }
      case 'repeat':
        return node.body.type === 'character'
          ? this.#toCharacterRepeat(node.body.source, node)
          : this.#toRepeat(this.toMatch(node.body), node);
      default:
        return node satisfies never;
    }
  }

  #step(): true {
    this.#left -= 1;
    if (this.#left < 0) throw new TooManySteps();
    return true;
  }

  /** What a set of characters holds is for the engine to say; its answers are kept. */
  #toTest(source: string): (at: number) => boolean {
    const expression = new RegExp(`^(?:${source})$`, 'u');
    const known = new Map<string, boolean>();
    return at => {
      this.#step();
      const character = this.#characters[at];
      if (character === undefined) return false;
      const before = known.get(character);
      if (before !== undefined) return before;
      const holds = expression.test(character);
      known.set(character, holds);
      return holds;
    };
  }

  #toAssertion(source: string): Match {
    const isWord = (at: number): boolean => /^\w$/.test(this.#characters[at] ?? '');
    const holds = (at: number): boolean => {
      if (source === '^') return at === 0;
      if (source === '$') return at === this.length;
      return (isWord(at - 1) !== isWord(at)) === (source === '\\b');
    };
    return (at, next) => this.#step() && holds(at) && next(at);
  }

  #matchCaptured(at: number, group: string, next: Next): boolean {
    const [start, end] = this.#captured.get(group) ?? [0, 0];
    for (let offset = 0; offset < end - start; offset += 1) {
      this.#step();
      if (this.#characters[start + offset] !== this.#characters[at + offset]) return false;
    }
    return next(at + end - start);
  }

  #toLook({ body, behind, negative }: Extract<RegexNode, { type: 'look' }>): Match {
    const match = this.toMatch(body);
    const found = (at: number): boolean => {
      if (!behind) return match(at, () => true);
      for (let start = at; start >= 0; start -= 1) if (match(start, end => end === at)) return true;
      return false;
    };
    return (at, next) => found(at) !== negative && next(at);
  }

  #toGroup({ body, names }: Extract<RegexNode, { type: 'group' }>): Match {
    const match = this.toMatch(body);
    if (names.length === 0) return match;
    return (at, next) =>
      match(at, end => {
        const before = names.map(name => [name, this.#captured.get(name)] as const);
        for (const name of names) this.#captured.set(name, [at, end]);
        if (next(end)) return true;
        for (const [name, range] of before) this.#captured.set(name, range ?? [0, 0]);
        return false;
      });
  }

  /** A loop, not a recursion: single characters are what is repeated most. */
  #toCharacterRepeat(source: string, { least, most, lazy }: Extract<RegexNode, { type: 'repeat' }>): Match {
    const test = this.#toTest(source);
    return (at, next) => {
      let count = 0;
      while (count < (lazy ? least : most) && test(at + count)) count += 1;
      if (!lazy) {
        for (; count >= least; count -= 1) if (this.#step() && next(at + count)) return true;
        return false;
      }
      if (count < least) return false;
      while (!next(at + count)) {
        if (count >= most || !test(at + count)) return false;
        count += 1;
      }
      return true;
    };
  }

  #toRepeat(match: Match, { least, most, lazy }: Extract<RegexNode, { type: 'repeat' }>): Match {
    const again = (count: number, at: number, next: Next): boolean => {
      this.#step();
      const more = (): boolean =>
        count < most && match(at, end => (end > at || count < least) && again(count + 1, end, next));
      if (count < least) return more();
      return lazy ? next(at) || more() : more() || next(at);
    };
    return (at, next) => again(0, at, next);
  }
}

/** Whether text matches a pattern, which is soon known; false where it is not. */
export function surelyMatches(pattern: unknown, text: string): boolean {
  const regex = toRegex(pattern);
  return regex !== undefined && isSoonMatched(regex.source, text) && regex.test(text);
}

/** A pattern as validators read it, or undefined where it is none. */
export function toRegex(pattern: unknown): RegExp | undefined {
  try {
    return typeof pattern === 'string' ? new RegExp(pattern, 'u') : undefined;
  } catch {
    return undefined;
  }
}

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
function parseRegex(pattern: string): RegexNode {
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
