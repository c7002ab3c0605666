// B3. In: one SQL statement. Out: its parts: text, binds `:name` and identifiers `{name}`; and what is wrong. Literals, quoted names,
// comments and casts stay as they are: what looks like a placeholder inside of them is none, which is said.

export type SqlDialect = 'postgres' | 'sqlite';

export interface SqlPlaceholder {
  readonly as: 'bind' | 'identifier';
  readonly name: string;
  /** As it was written, and which of several such it is: what finds its place, as in Placeholder of text.ts. */
  readonly tag: string;
  readonly nth: number;
  /** `IN (:ids)` and `IN :ids`: a list stands for its elements there. */
  readonly list?: 'inside' | 'bare' | undefined;
  /** `:x::jsonb` and `CAST(:x AS jsonb)`: a list is JSON there, and not an array. */
  readonly isJson?: boolean | undefined;
  /** `:x IS NULL`: only whether there is a value counts. */
  readonly isNullTest?: boolean | undefined;
}

export type SqlPart = string | SqlPlaceholder;

export type SqlProblemKind =
  /** Looks like a placeholder, in a literal, a quoted name or a comment. May be meant so: a warning. */
  | 'in-literal'
  /** A brace, a name or a bind that is not written as ours are. */
  | 'placeholder'
  | 'unclosed'
  | 'several-statements'
  /** It acts on the connection and not on data. */
  | 'session'
  | 'empty';

export interface SqlProblem {
  readonly kind: SqlProblemKind;
  /** The end of a sentence that begins with the tag. */
  readonly reason: string;
  readonly tag: string;
  readonly nth: number;
  /** What it would name, where it looks like a placeholder. */
  readonly name?: string | undefined;
}

export interface ParsedSql {
  readonly parts: readonly SqlPart[];
  readonly problems: readonly SqlProblem[];
  /** How it begins: words and signs in capitals, without comments. */
  readonly head: readonly string[];
}

/** What calls would leave behind for each other on a connection that they share, or would take from the transaction of each statement. */
const sessionVerbs =
  /^(?:BEGIN|START|COMMIT|END|ROLLBACK|ABORT|SAVEPOINT|RELEASE|SET|RESET|DISCARD|LISTEN|UNLISTEN|PREPARE|DEALLOCATE|DECLARE|ATTACH|DETACH)$/;
const longestHead = 5;

/** Text in which placeholders do not count. */
interface Quoted {
  readonly what: string;
  readonly end: number;
  readonly isClosed: boolean;
}

/**
 * Reads a statement. Without a dialect it is read so that it may be meant for either database.
 *
 * @example parseSql('SELECT * FROM books WHERE id = :id').parts // ['SELECT * FROM books WHERE id = ', { as: 'bind', name: 'id', tag: ':id', nth: 0 }]
 */
export function parseSql(text: string, dialect?: SqlDialect): ParsedSql {
  const parts: SqlPart[] = [];
  const problems: SqlProblem[] = [];
  let literal = '';
  let at = 0;
  let endOfStatement: number | undefined;
  const head: string[] = [];

  const problem = (kind: SqlProblemKind, reason: string, tag: string, index: number, name?: string): void => {
    problems.push({ kind, reason, tag, nth: countBefore(text, tag, index), name });
  };
  const placeholder = (as: SqlPlaceholder['as'], name: string, tag: string): void => {
    if (literal !== '') parts.push(literal);
    const nth = countBefore(text, tag, at);
    const extras = as === 'bind' ? surroundings(literal, text.slice(at + tag.length)) : {};
    parts.push({ as, name, tag, nth, ...extras });
    literal = '';
  };

  while (at < text.length) {
    const quoted = readQuoted(text, at, dialect);
    if (quoted !== undefined) {
      const inside = text.slice(at, quoted.end);
      for (const { tag, index, name } of lookalikes(inside)) {
        const fix = quoted.what === 'a string literal' ? `: bind it as :${name} outside the quotes` : '';
        problem('in-literal', `is inside ${quoted.what} and is not a placeholder there${fix}`, tag, at + index, name);
      }
      if (!quoted.isClosed) problem('unclosed', `begins ${quoted.what} that does not end`, inside.slice(0, 1), at);
      if (quoted.what !== 'a comment') note(inside, at);
      literal += inside;
      at = quoted.end;
      continue;
    }
    const token = readToken(text, at, dialect);
    if (!/^\s+$/.test(token.text) && token.text !== ';') note(token.text, at);
    if (token.as !== undefined) placeholder(token.as, token.name ?? '', token.text);
    else literal += token.literal ?? token.text;
    if (token.problem !== undefined) problem('placeholder', token.problem, token.text, at);
    if (token.text === ';') endOfStatement ??= at;
    at += token.text.length;
  }
  if (literal !== '') parts.push(literal);
  if (head.length === 0) problems.push({ kind: 'empty', reason: 'has no statement', tag: text, nth: 0 });
  return { parts, problems, head };

  /** What is neither space nor comment. */
  function note(word: string, index: number): void {
    if (head.length === 0 && sessionVerbs.test(word.toUpperCase()))
      problem(
        'session',
        'is about the connection, which calls share: a statement is a transaction of its own',
        word,
        index,
      );
    if (head.length < longestHead) head.push(word.toUpperCase());
    if (endOfStatement === undefined || problems.some(({ kind }) => kind === 'several-statements')) return;
    problem('several-statements', 'is followed by another statement: a tool has one', ';', endOfStatement);
  }
}

/** Placeholders of a statement, in order. */
export function sqlPlaceholdersOf(parts: readonly SqlPart[]): readonly SqlPlaceholder[] {
  return parts.filter(part => typeof part !== 'string');
}

/** By the characters, since this is how positions are looked up: `:id` is also found in `:ids` and in literals. */
function countBefore(text: string, tag: string, index: number): number {
  return tag === '' ? 0 : text.slice(0, index).split(tag).length - 1;
}

function surroundings(before: string, after: string): Pick<SqlPlaceholder, 'list' | 'isJson' | 'isNullTest'> {
  if (/\bIN\s*\(\s*$/i.test(before) && /^\s*\)/.test(after)) return { list: 'inside' };
  if (/\bIN\s*$/i.test(before)) return { list: 'bare' };
  if (/^\s*IS\s+(NOT\s+)?NULL\b/i.test(after)) return { isNullTest: true };
  return /^\s*(::|AS\s)\s*jsonb?\b(?!\s*\[)/i.test(after) ? { isJson: true } : {};
}

function lookalikes(inside: string): readonly { tag: string; index: number; name: string }[] {
  const found = inside.matchAll(/(?<![\w:]):([A-Za-z_]\w*)|(?<!\{)\{([A-Za-z_][\w.-]*)\}(?!\})/g);
  return [...found].map(({ 0: tag, 1: bind, 2: name, index }) => ({ tag, index, name: bind ?? name ?? '' }));
}

/** Undefined: nothing quoted begins here. */
function readQuoted(text: string, at: number, dialect: SqlDialect | undefined): Quoted | undefined {
  const rest = text.slice(at, at + 2);
  const one = rest[0] ?? '';
  if (rest === '--') {
    const end = text.slice(at).search(/[\r\n]/);
    return { what: 'a comment', end: end < 0 ? text.length : at + end, isClosed: true };
  }
  if (rest === '/*') return readBlockComment(text, at, dialect !== 'sqlite');
  if (one === "'") {
    const hasBackslashes = dialect !== 'sqlite' && /(?<![\w$])e$/i.test(text.slice(Math.max(0, at - 2), at));
    return readUntil(text, at, "'", 'a string literal', hasBackslashes);
  }
  if (one === '"' || one === '`') return readUntil(text, at, one, 'a quoted name', false);
  if (one === '[' && dialect === 'sqlite') return readUntil(text, at, ']', 'a quoted name', false);
  if (one === '$' && dialect !== 'sqlite' && !/[\w$]/.test(text[at - 1] ?? '')) {
    const tag = /^\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/.exec(text.slice(at, at + 130))?.[0];
    if (tag === undefined) return undefined;
    const end = text.indexOf(tag, at + tag.length);
    return { what: 'a string literal', end: end < 0 ? text.length : end + tag.length, isClosed: end >= 0 };
  }
  return undefined;
}

/** In PostgreSQL, comments stand in comments. */
function readBlockComment(text: string, at: number, isNested: boolean): Quoted {
  let depth = 1;
  let end = at + 2;
  while (end < text.length && depth > 0) {
    const two = text.slice(end, end + 2);
    if (two === '*/') depth -= 1;
    else if (two === '/*' && isNested) depth += 1;
    end += two === '*/' || (two === '/*' && isNested) ? 2 : 1;
  }
  return { what: 'a comment', end, isClosed: depth === 0 };
}

/** A doubled quote stands for itself. */
function readUntil(text: string, at: number, quote: string, what: string, hasBackslashes: boolean): Quoted {
  let end = at + 1;
  while (end < text.length) {
    if (hasBackslashes && text[end] === '\\') end += 2;
    else if (text[end] !== quote) end += 1;
    else if (text[end + 1] === quote && quote !== ']') end += 2;
    else return { what, end: end + 1, isClosed: true };
  }
  return { what, end: text.length, isClosed: false };
}

interface Token {
  readonly text: string;
  readonly as?: SqlPlaceholder['as'];
  readonly name?: string;
  /** What it stands for, where that is not the text. */
  readonly literal?: string;
  readonly problem?: string;
}

const plain = /^(?:[\w\u0080-\uffff]+|\s+)/;

function readToken(text: string, at: number, dialect: SqlDialect | undefined): Token {
  const rest = text.slice(at);
  const two = rest.slice(0, 2);
  if (two === '{{' || two === '}}') return { text: two, literal: rest.slice(0, 1) };
  if (two === '::' || two === ':=') return { text: two };
  const [bind, bindName] = /^:([A-Za-z_]\w*)/.exec(rest) ?? [];
  // `a[low:high]` is a slice.
  const isAfterWord = /[\w\])]/.test(text[at - 1] ?? '');
  if (bind !== undefined && bindName !== undefined && !isAfterWord) return { text: bind, as: 'bind', name: bindName };
  const [tag, inside] = /^\{([^{}]*)\}/.exec(rest) ?? [];
  if (tag !== undefined && inside !== undefined) return readIdentifier(tag, inside.trim());
  if (rest[0] === '{' || rest[0] === '}')
    return { text: rest.slice(0, 1), problem: `a literal ${rest[0]} is written ${rest[0]}${rest[0]}` };
  const foreign = foreignBind(rest, text[at - 1] ?? '', dialect);
  if (foreign !== undefined)
    return { text: foreign, problem: 'is a bind of another kind: a value is bound as :name here' };
  return { text: plain.exec(rest)?.[0] ?? rest.slice(0, 1) };
}

function readIdentifier(tag: string, name: string): Token {
  if (name === '') return { text: tag, problem: 'a placeholder needs a name; a literal { is written {{' };
  if (name.startsWith('config.'))
    return { text: tag, problem: 'is configuration, which does not stand in statements: it is for the backend' };
  return { text: tag, as: 'identifier', name };
}

/** `$1`; in SQLite also `?`, `?1`, `@x` and `$x`, which are operators or nothing in PostgreSQL. */
function foreignBind(rest: string, before: string, dialect: SqlDialect | undefined): string | undefined {
  if (/[\w$]/.test(before)) return undefined;
  if (dialect === 'sqlite') return /^(?:\?\d*|[@$#][A-Za-z_]\w*|\$\d+)/.exec(rest)?.[0];
  return /^\$\d+/.exec(rest)?.[0];
}
