// In: JSON values. Out: how long a string is and whether two values are the same, as JSON Schema has it.
// Part of toolwright/support: imports only other parts of it.
import { bitsAllowed, bitsOf, type Rules } from './rules.js';

/**
 * Length of a string in characters (code points), as JSON Schema counts.
 *
 * @example ucs2length('a😀') // 2
 */
export function ucs2length(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(index + 1);
    if (next < 0xdc00 || next > 0xdfff) continue;
    length--;
    index++;
  }
  return length;
}

/**
 * Equality of JSON values; the order of keys does not matter.
 *
 * @example equal({ a: [1] }, { a: [1] }) // true
 */
export function equal(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    // NaN is the only value that differs from itself.
    return Number.isNaN(one) && Number.isNaN(other);
  }
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((value, index) => equal(value, other[index]));
  }
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every(
    key =>
      Object.hasOwn(other, key) &&
      equal((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
  );
}

// In: a list. Out: two places with the same value. Part of toolwright/support: imports only other parts of it.
// Comparing every item with every other takes seconds for a hundred kilobytes, so items are found by a key of their value.

/** The places that ajv names: `i` and `j` are in its order. */
export interface Same {
  readonly i: number;
  readonly j: number;
}

/** Counts the parts that were looked at, and keeps their keys: lists in lists ask for them on every level. */
interface Count {
  keys: Keys | undefined;
  take(steps: number): void;
}

/** Lists of a few scalars are compared one by one: that is quicker than making a map. */
const few = 8;

/**
 * Two places of a list with the same value, or undefined. `types` are those of its items, where the schema says it:
 * items that can be neither lists nor maps are searched from the end, and those of another type are left out, as ajv
 * does it.
 *
 * @example findSame([{ a: 1, b: 2 }, 5, { b: 2, a: 1 }]) // { i: 2, j: 0 }
 */
export function findSame(list: readonly unknown[], types?: Rules['type'], count?: Count): Same | undefined {
  if (list.length < 2) return undefined;
  count?.take(list.length);
  if (types !== undefined && types.length > 0) {
    const allowed = bitsAllowed(types);
    if (!(allowed & 96)) return findScalar(list, allowed);
  }
  return list.length <= few && areScalars(list) ? findAmongFew(list) : findByKey(list, count);
}

function areScalars(list: readonly unknown[]): boolean {
  for (let index = 0; index < list.length; index += 1) if (!isScalar(list[index])) return false;
  return true;
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function findScalar(list: readonly unknown[], allowed: number): Same | undefined {
  const places = new Map<unknown, number>();
  for (let i = list.length - 1; i >= 0; i -= 1) {
    const item = list[i];
    if (!(bitsOf(item) & allowed)) continue;
    const j = places.get(item);
    if (j !== undefined) return { i, j };
    places.set(item, i);
  }
  return undefined;
}

function findAmongFew(list: readonly unknown[]): Same | undefined {
  for (let i = list.length - 1; i > 0; i -= 1) {
    for (let j = i - 1; j >= 0; j -= 1) {
      if (list[i] === list[j] || (Number.isNaN(list[i]) && Number.isNaN(list[j]))) return { i, j };
    }
  }
  return undefined;
}

/** The last item that equals an earlier one, and the index of that one. */
function findByKey(list: readonly unknown[], count: Count | undefined): Same | undefined {
  // A string must not be mistaken for the key of a list, so they are kept apart.
  const scalars = new Map<unknown, number>();
  const others = new Map<number, number>();
  const keys = count?.keys ?? new Keys(count);
  if (count !== undefined) count.keys = keys;
  let same: Same | undefined;
  for (let i = 0; i < list.length; i += 1) {
    const item = list[i];
    const key = isScalar(item) ? undefined : keys.of(item as object);
    const j = key === undefined ? scalars.get(item) : others.get(key);
    if (j !== undefined) same = { i, j };
    if (key === undefined) scalars.set(item, i);
    else others.set(key, i);
  }
  return same;
}

/** Numbers for lists and maps: two have the same number exactly if `equal` says that they are equal. */
export class Keys {
  /** By the text of a list or map, in which those inside are their numbers. */
  readonly #numbers = new Map<string, number>();
  readonly #known = new Map<object, number>();
  /** What is not JSON is equal only to itself. */
  readonly #others = new Map<unknown, number>();
  readonly #count: Count | undefined;

  constructor(count: Count | undefined) {
    this.#count = count;
  }

  of(value: object): number {
    const before = this.#known.get(value);
    if (before !== undefined) return before;
    const text = Array.isArray(value) ? this.#printList(value) : this.#printMap(value as Record<string, unknown>);
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    this.#known.set(value, number);
    return number;
  }

  #printList(list: readonly unknown[]): string {
    this.#count?.take(list.length + 1);
    return `[${list.map(item => this.#print(item)).join()}`;
  }

  #printMap(map: Readonly<Record<string, unknown>>): string {
    const names = Object.keys(map).sort();
    this.#count?.take(names.length + 1);
    return `{${names.map(name => printText(name) + this.#print(map[name])).join()}`;
  }

  #print(value: unknown): string {
    switch (typeof value) {
      case 'string':
        return printText(value);
      case 'number':
      case 'boolean':
      case 'undefined':
        // 0 and -0 print the same, as they should.
        return String(value);
      case 'object':
        return value === null ? 'null' : `@${this.of(value)}`;
      default:
        this.#others.set(value, this.#others.get(value) ?? this.#others.size);
        return `#${this.#others.get(value)}`;
    }
  }
}

/** With its length in front no text can look like the end of itself. */
function printText(text: string): string {
  return `"${text.length}:${text}`;
}
