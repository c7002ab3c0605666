// In: headers and cookies as authors and callers give them. Out: headers that can be sent: no value ends its line, no name is the
// connection's own business.
import { badValue, encodeWhole, plainText } from './place-values.js';

/** What the connection sets itself. */
export const ownHeaders: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
  'expect',
]);
/** Of headers and cookies. */
export const nameForm = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** In lower case. */
export function headerName(name: string): string {
  const place = `The header ${JSON.stringify(name)}`;
  if (!nameForm.test(name)) throw badValue(place, 'is not a name that a header can have');
  const lower = name.toLowerCase();
  if (ownHeaders.has(lower)) throw badValue(place, 'is set by the connection');
  return lower;
}

/** Latin 1 without control characters: what more there is would arrive as something else, or as another header. */
export function headerValue(text: string, place: string): string {
  if (!/^[\x20-\x7e\xa0-\xff]*$/.test(text)) throw badValue(place, 'has a character that a header cannot have');
  if (text.startsWith(' ') || text.endsWith(' '))
    throw badValue(place, 'begins or ends with a space, which readers of headers take away');
  return text;
}

/**
 * A value that stands beside other text in a header: refused where it would end the string, the parameter or the element that it is in.
 *
 * @example const headers = { 'If-Match': `"${headerPart(etag)}"` };
 */
export function headerPart<Value>(value: Value): Value {
  if (typeof value !== 'string') return value;
  const place = 'A value inside a header';
  if (/[",;\\]/.test(headerValue(value, place)))
    throw badValue(place, 'has one of " , ; and \\, which separate the parts of a header');
  return value;
}

/** What would be two elements, or none. */
function listElement(value: unknown, place: string): string {
  const text = headerValue(plainText(value, place), place);
  if (text.includes(',')) throw badValue(place, 'has an element with a comma, which separates elements there');
  if (text === '') throw badValue(place, 'has an empty element, which readers of headers leave out');
  return text;
}

/** Absent values leave their header out; lists are joined by commas. */
export function encodeHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const encoded: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || value === null) continue;
    const key = headerName(name);
    const place = `The header ${name}`;
    const text = Array.isArray(value) ? value.map(one => listElement(one, place)).join(', ') : plainText(value, place);
    encoded[key] = headerValue(text, place);
  }
  return encoded;
}

/** Decoded as servers decode them, values come out as they went in. */
export function encodeCookies(cookies: Readonly<Record<string, unknown>>): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(cookies)) {
    if (value === undefined || value === null) continue;
    const place = `The cookie ${JSON.stringify(name)}`;
    if (!nameForm.test(name)) throw badValue(place, 'is not a name that a cookie can have');
    pairs.push(`${name}=${encodeWhole(plainText(value, place), place)}`);
  }
  return pairs.join('; ');
}
