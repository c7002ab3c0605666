// Names of items and packs. In: texts from manifests and command lines. Out: their parts, their forms in code and on the wire.
import type { HandledKind } from './definitions.js';

/** `item`, `pack/item` or `publisher/pack/item`. */
export interface QualifiedName {
  readonly publisher?: string;
  readonly pack?: string;
  readonly item: string;
}

export type ParsedName = { readonly name: QualifiedName } | { readonly problem: string };

const itemName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
// npm allows a little more than item names do. No leading dash: the name ends up on package managers' command lines.
const packName = /^[A-Za-z0-9_~][A-Za-z0-9._~-]*$/;
const controlCharacter = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Clients take no longer names of tools (DESIGN 3.1). */
export const longestWireName = 128;

/**
 * Whether a string can name an item.
 *
 * @example isItemName('get-issue') // true
 */
export function isItemName(text: string): boolean {
  return itemName.test(text);
}

/**
 * What somebody probably meant who typed a title.
 *
 * @example toItemName('Get Weather') // 'get-weather'
 */
export function toItemName(typed: string): string | undefined {
  const words =
    typed
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .match(/[A-Za-z0-9._]+/g) ?? [];
  const name = words.join('-').toLowerCase();
  return /^[^/\\\n]+$/.test(typed) && isItemName(name) ? name : undefined;
}

/**
 * Splits a reference into its parts, or says in plain words why it is none.
 *
 * @example parseName('acme/jira/get-issue') // { name: { publisher: 'acme', pack: 'jira', item: 'get-issue' } }
 * @example parseName('acme//get-issue') // { problem: 'a segment is empty' }
 */
export function parseName(text: string): ParsedName {
  if (text === '') return { problem: 'it is empty' };
  if (controlCharacter.test(text)) return { problem: 'it has a control character' };
  if (text.startsWith('@')) return { problem: 'packs are written without the @, as in publisher/pack/item' };
  if (text.includes('\\')) return { problem: 'segments are separated by /, not by \\' };
  const segments = text.split('/', 5);
  if (segments.length > 3) return { problem: 'it has more than three segments' };
  if (segments.includes('')) return { problem: 'a segment is empty' };
  if (segments.includes('..') || segments.includes('.'))
    return { problem: 'names are not paths: "." and ".." are not allowed' };
  const item = segments.pop() ?? '';
  const pack = segments.pop();
  const publisher = segments.pop();
  for (const part of [publisher, pack]) {
    if (part !== undefined && !packName.test(part))
      return { problem: `${JSON.stringify(part)} is not a valid pack name` };
  }
  if (!isItemName(item)) {
    return {
      problem: `${JSON.stringify(item)} is not a valid item name: use letters, digits, dots, dashes and underscores, with a letter or digit first`,
    };
  }
  return { name: { ...(publisher === undefined ? {} : { publisher }), ...(pack === undefined ? {} : { pack }), item } };
}

/**
 * The same for what may stand in a list: the item of a qualified reference may be a pattern.
 *
 * @example parseReference('acme/jira/get-*') // { name: { publisher: 'acme', pack: 'jira', item: 'get-*' } }
 */
export function parseReference(text: string): ParsedName {
  const start = text.lastIndexOf('/') + 1;
  const wanted = text.slice(start);
  if (!wanted.includes('*')) return parseName(text);
  const parsed = parseName(text.slice(0, start) + wanted.replaceAll('*', 'x'));
  return 'problem' in parsed ? parsed : { name: { ...parsed.name, item: wanted } };
}

/**
 * The pack that a reference names; undefined where it has the item only.
 *
 * @example packOf({ publisher: 'acme', pack: 'jira', item: 'get-issue' }) // 'acme/jira'
 */
export function packOf({ publisher, pack }: QualifiedName): string | undefined {
  return publisher === undefined ? pack : `${publisher}/${pack}`;
}

/**
 * A reference as it is written.
 *
 * @example printName({ pack: 'jira', item: 'get-issue' }) // 'jira/get-issue'
 */
export function printName(name: QualifiedName): string {
  const pack = packOf(name);
  return pack === undefined ? name.item : `${pack}/${name.item}`;
}

/**
 * The npm package of a pack.
 *
 * @example packageOfPack('acme/jira') // '@acme/jira'
 */
export function packageOfPack(pack: string): string {
  return pack.includes('/') ? `@${pack}` : pack;
}

/**
 * The name of a pack, from the name of its npm package.
 *
 * @example packNameOfPackage('@acme/jira') // 'acme/jira'
 */
export function packNameOfPackage(packageName: string): string {
  return packageName.startsWith('@') ? packageName.slice(1) : packageName;
}

/**
 * An item name as an identifier of generated code; a leading digit is the business of `memberName`.
 *
 * @example camelCase('get-issue') // 'getIssue'
 * @example camelCase('URL.parse') // 'urlParse'
 */
export function camelCase(item: string): string {
  let name = '';
  for (const word of item.split(/[._-]+/))
    name += name === '' ? lowerStart(word) : word.charAt(0).toUpperCase() + word.slice(1);
  return name;
}

/** `GetIssue` -> `getIssue`, `URL` -> `url`, `HTTPServer` -> `httpServer`. */
function lowerStart(word: string): string {
  const capitals = /^[A-Z]+/.exec(word)?.[0].length ?? 0;
  if (capitals === 0) return word;
  const nextWord = capitals > 1 && /[a-z]/.test(word.charAt(capitals)) ? 1 : 0;
  return word.slice(0, capitals - nextWord).toLowerCase() + word.slice(capitals - nextWord);
}

// The names of items in generated code never clash within a kind: items differ after camelCase, and no suffix ends in another one.

/**
 * The key of an item in `tools`, `prompts` or `resources`. Reserved words are fine there.
 *
 * @example memberName('get-issue') // 'getIssue'
 * @example memberName('2fa') // '_2fa'
 */
export function memberName(item: string): string {
  const name = camelCase(item);
  return /^[0-9]/.test(name) ? `_${name}` : name;
}

/**
 * What the types of an item start with. Prompts and resources say what they are, as a tool of the same name is common.
 *
 * @example typePrefix('tool', 'get-issue') // 'GetIssue'
 * @example typePrefix('prompt', 'issue-text') // 'IssueTextPrompt'
 */
export function typePrefix(kind: HandledKind, item: string): string {
  const member = memberName(item);
  const start = member.charAt(0).toUpperCase() + member.slice(1);
  switch (kind) {
    case 'tool':
      return start;
    case 'prompt':
      return `${start}Prompt`;
    case 'resource':
      return `${start}Resource`;
    default:
      return kind satisfies never;
  }
}

/**
 * Tells whether a whole name fits a pattern in which each `*` stands for any text, slashes included.
 *
 * @example matchesPattern('get-*', 'get-issue') // true
 */
export function matchesPattern(pattern: string, name: string): boolean {
  return makePattern(pattern)(name);
}

/** The same for many names. */
export function makePattern(pattern: string): (name: string) => boolean {
  const [first = '', ...pieces] = pattern.split('*');
  const last = pieces.pop();
  if (last === undefined) return name => pattern === name;
  return name => {
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
    const middle = name.slice(first.length, name.length - last.length);
    let from = 0;
    for (const piece of pieces) {
      // The leftmost place is always a right choice: it leaves most of the name to the pieces after it.
      const found = indexOfPiece(middle, piece, from);
      if (found < 0) return false;
      from = found + piece.length;
    }
    return true;
  };
}

/** Knuth-Morris-Pratt: `indexOf` may take length times length on texts made to be slow. */
function indexOfPiece(text: string, piece: string, from: number): number {
  if (piece === '') return from;
  // Most names are short, where the plain search is the fastest.
  if (text.length < 256) return text.indexOf(piece, from);
  const borders: number[] = [0];
  for (let index = 1, border = 0; index < piece.length; index++) {
    while (border > 0 && piece[index] !== piece[border]) border = borders[border - 1] ?? 0;
    if (piece[index] === piece[border]) border++;
    borders.push(border);
  }
  for (let index = from, matched = 0; index < text.length; index++) {
    while (matched > 0 && text[index] !== piece[matched]) matched = borders[matched - 1] ?? 0;
    if (text[index] === piece[matched]) matched++;
    if (matched === piece.length) return index - matched + 1;
  }
  return -1;
}

/** Every form is compared with every other. */
const mostForms = 50;

/**
 * What clients see when several items of one server have the same wire name: every member of such a group is
 * numbered in list order, skipping each name that any item had or got. The result has the order of the input.
 * `areApart`: whether two of them are never served together. A group of which that is true for all keeps its name.
 *
 * @example assignWireNames(['S', 'S', 'S1']) // ['S2', 'S3', 'S1']
 */
export function assignWireNames(
  names: readonly string[],
  areApart: (one: number, other: number) => boolean = () => false,
): string[] {
  const members = new Map<string, number[]>();
  for (const [index, name] of names.entries()) {
    const group = members.get(name);
    if (group === undefined) members.set(name, [index]);
    else group.push(index);
  }
  for (const [name, group] of members) {
    const isShared =
      group.length <= mostForms &&
      group.every((one, index) => group.slice(index + 1).every(other => areApart(one, other)));
    if (isShared) members.delete(name);
  }
  const used = new Set(names);
  // Names are never given back, so that each group goes on counting where it stopped.
  const lastNumbers = new Map<string, number>();
  return names.map(name => {
    if (!members.has(name)) return name;
    let number = (lastNumbers.get(name) ?? 0) + 1;
    while (used.has(`${name}${number}`)) number++;
    lastNumbers.set(name, number);
    used.add(`${name}${number}`);
    return `${name}${number}`;
  });
}

/** By UTF-16 units, like every sort of this compiler: the same on every machine. */
export function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
