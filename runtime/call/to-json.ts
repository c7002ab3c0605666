// In: data that a handler returned. Out: its JSON as a string and as a value; the two always say the same.
import { types } from 'node:util';
import { encodeBytes } from './content.js';
import { isPlainJson } from './plain-json.js';

export interface Json {
  readonly text: string;
  /** The data itself where it is plain, else what a reader of the text gets. */
  readonly value: unknown;
}

/** Data as a reader of its JSON gets it. It is copied only where it is not plain. Throws as JSON.stringify does. */
export function toPlain(data: unknown): unknown {
  return isPlainJson(data) ? data : toJson(data)?.value;
}

/**
 * Writes data as JSON. Maps become objects (lists of pairs, unless all keys are texts), sets become lists, bytes base64,
 * large integers numbers where that is exact and texts otherwise. Undefined for what has no JSON, such as a function.
 * Throws as JSON.stringify does.
 *
 * @example toJson(new Map([['a', 1n]])) // { text: '{"a":1}', value: { a: 1 } }
 */
export function toJson(data: unknown): Json | undefined {
  if (isPlainJson(data)) return { text: JSON.stringify(data), value: data };
  const text = JSON.stringify(data, replace) as string | undefined;
  return text === undefined ? undefined : { text, value: JSON.parse(text) };
}

/** A promise as JSON would be an empty object, and nobody would know what was forgotten. */
export class UnsettledValue extends TypeError {
  override readonly name = 'UnsettledValue';

  constructor(key: string) {
    super(`${key === '' ? 'the result' : JSON.stringify(key)} is a promise`);
  }
}

function replace(this: unknown, key: string, written: unknown): unknown {
  // Buffers have been turned into lists of numbers by now.
  const value = (this as Record<string, unknown>)[key];
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (types.isMap(value)) {
    const entries = [...value];
    return entries.every(([name]) => typeof name === 'string') ? Object.fromEntries(entries) : entries;
  }
  if (types.isSet(value)) return [...value];
  if (types.isPromise(value)) throw new UnsettledValue(key);
  if (types.isUint8Array(value) || types.isArrayBuffer(value)) return encodeBytes(value);
  return written;
}

/** Something to be read bit by bit; what it has in itself is nobody's business. */
export function isStream(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { toJSON, [Symbol.asyncIterator]: iterator } = value as { toJSON?: unknown; [Symbol.asyncIterator]?: unknown };
  return typeof iterator === 'function' && typeof toJSON !== 'function';
}

/** An object of a class that shows nothing: a response, a stream, a promise. As JSON it would be an empty object. */
export function isOpaque(value: object): boolean {
  if (Array.isArray(value) || types.isMap(value) || types.isSet(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of other realms have an Object.prototype of their own.
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return false;
  return Object.keys(value).length === 0 && typeof (value as { toJSON?: unknown }).toJSON !== 'function';
}
