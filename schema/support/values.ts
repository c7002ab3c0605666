// In: JSON values. Out: how long a string is and whether two values are the same, as JSON Schema has it.
// Part of toolwright/support: imports nothing.

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
