// In: two JSON values. Out: whether JSON Schema takes them for the same; the order of keys does not count.
import { isSchemaObject } from './keywords.js';

export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((member, index) => isEqual(member, b[index]));
  }
  if (!isSchemaObject(a) || !isSchemaObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && isEqual(a[key], b[key]));
}
