// JSON texts: read where they may be anything, and printed in one way.

/** The value of a JSON text; undefined where it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Deeper than any real argument; what is deeper would exhaust the stack. */
const deepest = 500;

/**
 * JSON with sorted keys: equal values give equal texts, whatever the order of their keys. Throws a RangeError where the value is nested too deep.
 *
 * @example canonicalJson({ b: 1, a: [2] }) // '{"a":[2],"b":1}'
 */
export function canonicalJson(value: unknown): string {
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
