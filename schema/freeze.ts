// In: JSON that many share. Out: the same, which none of them can change.

/**
 * Freezes a value down to its last list.
 *
 * @example freezeDeep({ sizes: ['S', 'M'] }).sizes.push('L') // throws
 */
export function freezeDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) freezeDeep(member);
  return value;
}
