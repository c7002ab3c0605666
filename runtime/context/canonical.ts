// In: a JSON value. Out: the one text of it, whatever the order of its keys; equal values give equal texts.

/** Deeper than any real argument; what is deeper would exhaust the stack. */
const deepest = 500;

/**
 * JSON with sorted keys. Throws a RangeError where the value is nested too deep.
 *
 * @example canonical({ b: 1, a: [2] }) // '{"a":[2],"b":1}'
 */
export function canonical(value: unknown): string {
  return print(value, 0);
}

function print(value: unknown, depth: number): string {
  if (depth > deepest) throw new RangeError('nested too deep');
  if (Array.isArray(value)) return `[${value.map(member => print(member, depth + 1)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${print(member, depth + 1)}`);
  return `{${fields.join(',')}}`;
}
