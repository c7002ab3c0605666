// What of a definition was imported: a hash of each field, in the shape of the definition. Two versions are compared with it, without
// keeping a third one. In: values. Out: trees of hashes, and whether a value is still the one that was hashed.
import { isMap, setOwn } from '../../../schema/document.js';
import { canonicalJson } from '../../../schema/json-text.js';

/** A hash of one field; for a list whose elements are fields of their own, the hash of each; for a map, its members. */
export type FieldTree = string | readonly string[] | FieldMap;

export interface FieldMap {
  readonly [key: string]: FieldTree;
}

/** @example makeTree({ title: 'A', tags: ['x'] }) // { title: '1xK2p9', tags: ['Tq04sd'] } */
export function makeTree(value: unknown, key?: string): FieldTree {
  if (isElements(value, key)) return value.map(hashField);
  if (!isMap(value)) return hashField(value);
  const tree: Record<string, FieldTree> = {};
  let isEmpty = true;
  for (const [name, one] of Object.entries(value)) {
    if (one === undefined) continue;
    isEmpty = false;
    setOwn(tree, name, makeTree(one, name));
  }
  return isEmpty ? hashField({}) : tree;
}

/** Whether a value is as it was imported. Both undefined: it was not there, and is not there. */
export function isAsImported(tree: FieldTree | undefined, value: unknown, key?: string): boolean {
  if (tree === undefined || value === undefined) return tree === undefined && value === undefined;
  if (isElements(value, key))
    return Array.isArray(tree) && tree.length === value.length && value.every((one, at) => hashField(one) === tree[at]);
  if (!isMap(value) || Object.keys(value).length === 0) return tree === hashField(value);
  if (!isFieldMap(tree)) return false;
  const keys = Object.keys(value).filter(one => value[one] !== undefined);
  return (
    keys.length === Object.keys(tree).length &&
    keys.every(one => Object.hasOwn(tree, one) && isAsImported(tree[one], value[one], one))
  );
}

export function isFieldMap(tree: FieldTree | undefined): tree is FieldMap {
  return typeof tree === 'object' && !Array.isArray(tree);
}

/** The tree of a member; undefined where there is none. */
export function childOf(tree: FieldTree | undefined, key: string): FieldTree | undefined {
  return isFieldMap(tree) && Object.hasOwn(tree, key) ? tree[key] : undefined;
}

/** Lists in which the order says something, and lists that are data. */
const wholeLists: ReadonlySet<string | undefined> = new Set([
  'command',
  'args',
  'basic',
  'default',
  'const',
  'examples',
]);

/** Whether the elements of a list are fields of their own: they are different strings; an enum may have null, too. */
export function isElements(value: unknown, key: string | undefined): value is readonly (string | null)[] {
  if (!Array.isArray(value) || value.length === 0 || wholeLists.has(key)) return false;
  const isWord = (one: unknown): boolean => typeof one === 'string' || one === null;
  return value.every(isWord) && value.some(one => one !== null) && new Set(value).size === value.length;
}

/** How many fields there are, and how many of them a value still has as they were imported. */
export function compareFields(tree: FieldTree, value: unknown): { readonly all: number; readonly same: number } {
  if (Array.isArray(tree)) {
    const hashes = new Set(Array.isArray(value) ? value.map(hashField) : []);
    return { all: tree.length, same: tree.filter(one => hashes.has(one)).length };
  }
  if (!isFieldMap(tree)) return { all: 1, same: value !== undefined && tree === hashField(value) ? 1 : 0 };
  let [all, same] = [0, 0];
  for (const [key, one] of Object.entries(tree)) {
    const inner = compareFields(one, isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined);
    all += inner.all;
    same += inner.same;
  }
  return { all, same };
}

/** The tree with some hashes replaced by others, for values that are known to be written differently now. */
export function replaceHashes(tree: FieldTree, hashes: ReadonlyMap<string, string>): FieldTree {
  if (hashes.size === 0) return tree;
  if (typeof tree === 'string') return hashes.get(tree) ?? tree;
  if (Array.isArray(tree)) return tree.map(one => hashes.get(one) ?? one);
  const next: Record<string, FieldTree> = {};
  for (const [key, one] of Object.entries(tree)) setOwn(next, key, replaceHashes(one, hashes));
  return next;
}

/**
 * 36 bits are enough: a hash is compared with that of one other value, the author's. Nothing secret is protected by it, and an import
 * makes some hundred thousand, for which those of node:crypto take too long.
 */
export function hashField(value: unknown): string {
  const text = typeof value === 'string' ? `"${value}` : canonicalJson(value);
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return digits(high >>> 14) + digits(low >>> 14);
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function digits(bits: number): string {
  return `${alphabet[bits >>> 12]}${alphabet[(bits >>> 6) & 63]}${alphabet[bits & 63]}`;
}
