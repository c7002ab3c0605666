// In: a value and the place of a request where it goes. Out: its text there. What cannot stand there is refused with a sentence that
// names the place, never the value.
import { UpstreamFailure } from '../../call/upstream-failure.js';

/**
 * @example throw badValue('The query parameter page', 'is an object');
 */
export function badValue(place: string, reason: string): UpstreamFailure {
  return new UpstreamFailure('BAD_VALUE', `${place} ${reason}`);
}

/** A scalar as text. */
export function plainText(value: unknown, place: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw badValue(place, 'is not a finite number');
    return String(value);
  }
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  throw badValue(place, `is ${kindOf(value)}, which cannot stand there`);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

const unreserved = /^[A-Za-z0-9._~-]*$/;

/**
 * Simple expansion of RFC 6570: everything but unreserved characters becomes percent escapes of its UTF-8.
 *
 * @example percentEncode('a/b', 'The path') // 'a%2Fb'
 */
export function percentEncode(text: string, place: string): string {
  if (unreserved.test(text)) return text;
  return encodeWhole(text, place).replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** As encodeURIComponent, which throws where half a character has no UTF-8. */
export function encodeWhole(text: string, place: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw badValue(place, 'has half of a character');
  }
}
