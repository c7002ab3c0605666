// In: any value. Out: whether it is JSON as it stands, and if not, what JSON can be made of it without failing.
import { types } from 'node:util';
import { setOwn } from '../../schema/document.js';
import { encodeBytes } from './content.js';

/** Beyond this depth no walk goes, so that none overflows the stack. Arguments that are nested deeper are refused. */
export const deepest = 500;

/**
 * Whether a value is exactly what a reader of its JSON gets: no dates, no undefined, no NaN, no classes.
 *
 * @example isPlainJson({ at: new Date() }) // false: it arrives as a string
 */
export function isPlainJson(value: unknown, depth = 0): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      return value === null || (depth < deepest && isPlainContainer(value, depth));
    default:
      return false;
  }
}

function isPlainContainer(value: object, depth: number): boolean {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) if (!isPlainJson(value[index], depth + 1)) return false;
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key of Object.keys(value)) {
    if (!isPlainJson((value as Record<string, unknown>)[key], depth + 1)) return false;
  }
  return true;
}

/** `{}` of this realm or another one, such as a test runner's: the prototype is absent, or the last one. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Beyond it a value in an error helps nobody. */
const mostSalvaged = 10_000;

/**
 * JSON of whatever can be read: what refers to itself, cannot be read or is too much is replaced by a word in brackets.
 *
 * @example salvageJson({ id: 1n, self: cyclic }) // { id: '1', self: '[circular]' }
 */
export function salvageJson(value: unknown): unknown {
  try {
    const text = JSON.stringify(value);
    // A copy: what is read twice may be another thing, or fail, the second time.
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return salvagePart(value, { ancestors: new Set(), left: mostSalvaged });
  }
}

interface Rescue {
  readonly ancestors: Set<object>;
  left: number;
}

function salvagePart(value: unknown, rescue: Rescue): unknown {
  switch (typeof value) {
    case 'bigint':
      return value.toString();
    case 'object':
      if (value === null) return null;
      break;
    case 'function':
    case 'symbol':
      return undefined;
    default:
      return value;
  }
  rescue.left -= 1;
  if (rescue.ancestors.has(value)) return '[circular]';
  if (rescue.left < 0 || rescue.ancestors.size >= 50) return '[cut]';
  rescue.ancestors.add(value);
  try {
    return salvageObject(value, rescue);
  } catch {
    return '[unreadable]';
  } finally {
    rescue.ancestors.delete(value);
  }
}

function salvageObject(value: object, rescue: Rescue): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) {
    return value.slice(0, mostSalvaged).map(member => salvagePart(member, rescue) ?? null);
  }
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value).slice(0, mostSalvaged)) {
    const member = readPart(value, key, rescue);
    if (member !== undefined) setOwn(copy, key, member);
  }
  return copy;
}

function readPart(value: object, key: string, rescue: Rescue): unknown {
  try {
    return salvagePart((value as Record<string, unknown>)[key], rescue);
  } catch {
    return '[unreadable]';
  }
}

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
  const text = JSON.stringify(data, replaceValue) as string | undefined;
  return text === undefined ? undefined : { text, value: JSON.parse(text) };
}

/** A promise as JSON would be an empty object, and nobody would know what was forgotten. */
export class UnsettledValue extends TypeError {
  override readonly name = 'UnsettledValue';

  constructor(key: string) {
    super(`${key === '' ? 'the result' : JSON.stringify(key)} is a promise`);
  }
}

function replaceValue(this: unknown, key: string, written: unknown): unknown {
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
