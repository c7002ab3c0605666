// In: a schema. Out: whether it has a default anywhere. A property of that name counts, too: it only costs a needless look.

/** Nobody writes schemas that deep; one that is deeper is taken to have one. */
const deepest = 200;

/** @example hasDefault({ properties: { limit: { default: 10 } } }) // true */
export function hasDefault(schema: unknown, depth = 0): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  if (depth > deepest) return true;
  if (Array.isArray(schema)) return schema.some(member => hasDefault(member, depth + 1));
  return Object.hasOwn(schema, 'default') || Object.values(schema).some(member => hasDefault(member, depth + 1));
}
