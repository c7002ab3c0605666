// B1. In: a path with values in it. Out: the path with each value encoded so that it stays inside its segment: no value adds a segment,
// a query or a step upwards.
import { badValue, encodeWhole, percentEncode, plainText } from './place-values.js';

/** A string is what the author wrote; `{ value }` comes from elsewhere. */
export type PathPart = string | { readonly value: unknown };

const place = 'A value of the path';

/**
 * Puts values into a path.
 *
 * @example path`/issue/${'A/1'}/comments` // '/issue/A%2F1/comments'
 */
export function path(literals: TemplateStringsArray, ...values: readonly unknown[]): string {
  const parts: PathPart[] = [];
  for (const [index, literal] of literals.entries()) {
    if (index > 0) parts.push({ value: values[index - 1] });
    parts.push(literal);
  }
  return encodePath(parts);
}

/**
 * The same for parts. What was encoded before stays as it is.
 *
 * @example encodePath(['/issue/', { value: 'A/1' }]) // '/issue/A%2F1'
 */
export function encodePath(parts: readonly PathPart[]): string {
  const [only] = parts;
  if (parts.length === 1 && typeof only === 'string' && isHarmless(only)) return only;
  let done = '';
  let segment = '';
  let hasValue = false;
  let isQuery = false;
  const endSegment = (): void => {
    if (isDots(segment)) throw badValue('The path', 'would have a segment that is . or ..');
    if (hasValue && segment === '') throw badValue(place, 'is empty, which would leave out a segment');
    done += segment;
    segment = '';
    hasValue = false;
  };
  for (const part of parts) {
    if (typeof part !== 'string') {
      segment += encodeValue(part.value);
      hasValue = true;
      continue;
    }
    for (const piece of part.split(/([/?])/)) {
      if (isQuery || (piece !== '/' && piece !== '?')) segment += encodeLiteral(piece);
      else {
        endSegment();
        done += piece;
        isQuery = piece === '?';
      }
    }
  }
  if (!isQuery) endSegment();
  return done + segment;
}

/** Elements of a list are joined by commas, which are escaped in the elements themselves. */
function encodeValue(value: unknown): string {
  const elements: readonly unknown[] = Array.isArray(value) ? value : [value];
  return elements.map(one => percentEncode(plainText(one, place), place)).join(',');
}

/** Servers decode before they look for steps upwards, and some take parameters (`..;v=1`) away before that. */
function isDots(segment: string): boolean {
  return /^(?:\.|%2e){1,2}(?:;|$)/i.test(segment);
}

const needless = /^(?:[A-Za-z0-9._~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$/;

function isHarmless(text: string): boolean {
  return needless.test(text) && !/(?:^|\/)(?:\.|%2e)/i.test(text);
}

/** What the author wrote may have characters that no address can have; escapes and separators are meant. */
function encodeLiteral(text: string): string {
  if (needless.test(text)) return text;
  return text
    .replace(/%(?![0-9A-Fa-f]{2})/g, '%25')
    .replace(/[^A-Za-z0-9._~:/?@!$&'()*+,;=%-]+/g, run => encodeWhole(run, 'The path'));
}
