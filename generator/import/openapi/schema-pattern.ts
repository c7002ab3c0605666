// Patterns of documents. In: a regular expression by whatever rules its author had in mind. Out: the same by ours, which is JavaScript
// with the flag u, or nothing.
import { isSoonMatched } from '../../../schema/json-schema/regex-steps.js';

/** Why a pattern is left out. */
export const notUsable = 'it is not a regular expression of JavaScript, or may take forever';

/**
 * A pattern that means the same and is valid; undefined where there is none, and where it may never end.
 *
 * @example toPattern('^[\\w-.]+\\@x$') // '^[\\w\\-.]+@x$'
 */
export function toPattern(written: string): string | undefined {
  const pattern = withoutSlashes(written);
  if (pattern === undefined) return undefined;
  const usable = [pattern, escapeAnew(pattern)].find(isValid);
  return usable === undefined || mayNeverEnd(usable) ? undefined : usable;
}

function isValid(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

/** What text is made of where nested repetitions go astray: words, numbers, names of hosts, paths, lists. */
const repeated = ['a', '0', ' ', '_', '-', '.', '/', 'a.', 'a-', 'a ', 'a/', 'a,', '0.', 'a@', 'a:', '%20', 'ä'];
/** Long enough that what doubles with each character never ends, and what grows with a power of the length does. */
const longestProbe = 30;

/** Whether a pattern that means no harm may keep a server busy for years: models write the texts that it is matched with. */
function mayNeverEnd(pattern: string): boolean {
  // What doubles has a group that is repeated.
  if (!/\)[*+{]/.test(pattern)) return false;
  return repeated.some(part => !isSoonMatched(pattern, `${part.repeat(longestProbe / part.length)}\u0001`));
}

/** `/^a$/` as in code would never match; what a flag changes cannot be said in a pattern. */
function withoutSlashes(written: string): string | undefined {
  const code = /^\/(\^[\s\S]*|[\s\S]*[^\\]\$)\/([a-z]*)$/.exec(written);
  if (code === null) return written;
  return /[^gu]/.test(code[2] ?? '') ? undefined : code[1];
}

/** Ends of the whole text in other languages. */
const anchors: ReadonlyMap<string, string> = new Map([
  ['A', '^'],
  ['Z', '$'],
  ['z', '$'],
]);

/** Without the flag u, any character may be escaped, and brackets without a partner are plain characters. */
function escapeAnew(pattern: string): string {
  let made = '';
  let isInClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    const next = pattern.charAt(at + 1);
    if (character === '\\') {
      at += 1;
      made += escapeOf(next, isInClass);
    } else if (isInClass) {
      if (character === ']') isInClass = false;
      made += character === '-' && isBesideClass(pattern, at) ? '\\-' : character;
    } else if (character === '[') {
      isInClass = true;
      made += character;
    } else if (character === '{') {
      const count = /^\{\d+(?:,\d*)?\}/.exec(pattern.slice(at, at + 24))?.[0] ?? '';
      made += count === '' ? '\\{' : count;
      at += Math.max(count.length - 1, 0);
    } else made += character === '}' || character === ']' ? `\\${character}` : character;
  }
  return made;
}

function escapeOf(character: string, isInClass: boolean): string {
  const anchor = isInClass ? undefined : anchors.get(character);
  if (anchor !== undefined) return anchor;
  const isMeant = /[\w^$\\.*+?()[\]{}|/]/.test(character) && !/[_aeghijlmoqyACEFGHIJKLMNOQRTUVXYZ]/.test(character);
  return isMeant || (isInClass && character === '-') ? `\\${character}` : character;
}

/** In `[\w-.]` the dash stands for itself, since one of its ends is a whole class. */
function isBesideClass(pattern: string, at: number): boolean {
  const isAfter = /\\[dDwWsS]$/.test(pattern.slice(Math.max(at - 2, 0), at));
  const isBefore = /^\\[dDwWsS]/.test(pattern.slice(at + 1, at + 3));
  const isEnd = pattern.charAt(at + 1) === ']' || pattern.charAt(at - 1) === '[';
  return !isEnd && (isAfter || isBefore);
}
