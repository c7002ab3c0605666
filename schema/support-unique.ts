// In: a list. Out: two places with the same value. Part of toolwright/support: imports only other parts of it.
// Comparing every item with every other takes seconds for a hundred kilobytes, so items are found by a key of their value.
import { bitsAllowed, bitsOf, type Rules } from './support-rules.js';

/** The places that ajv names: `i` and `j` are in its order. */
export interface Same {
  readonly i: number;
  readonly j: number;
}

/** Counts the parts that were looked at. */
interface Count {
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
  const keys = new Map<string, number>();
  const print = makeKeyPrinter(count);
  let same: Same | undefined;
  for (const [i, item] of list.entries()) {
    const isPlain = isScalar(item);
    const key = isPlain ? item : print(item);
    const j = isPlain ? scalars.get(key) : keys.get(key as string);
    if (j !== undefined) same = { i, j };
    if (isPlain) scalars.set(key, i);
    else keys.set(key as string, i);
  }
  return same;
}

/** Prints values so that two results are equal exactly if `equal` says that the values are. */
function makeKeyPrinter(count: Count | undefined): (value: unknown) => string {
  // What is not JSON is equal only to itself.
  const others = new Map<unknown, number>();
  const print = (value: unknown): string => {
    count?.take(1);
    switch (typeof value) {
      case 'string':
        return printText(value);
      case 'number':
        // 0 and -0 print the same, as they should.
        return String(value);
      case 'boolean':
      case 'undefined':
        return String(value);
      case 'object':
        if (value === null) return 'null';
        return Array.isArray(value) ? `[${value.map(print).join()}]` : printMap(value);
      default:
        others.set(value, others.get(value) ?? others.size);
        return `#${others.get(value)}`;
    }
  };
  const printMap = (map: object): string => {
    const members = Object.keys(map).sort();
    return `{${members.map(key => printText(key) + print((map as Record<string, unknown>)[key])).join()}}`;
  };
  return print;
}

/** With its length in front no text can look like the end of itself. */
function printText(text: string): string {
  return `"${text.length}:${text}`;
}
