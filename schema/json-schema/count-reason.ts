// In: a limit on a number of parts. Out: what a value must have, in words.

const counted: Readonly<Record<string, readonly [one: string, many: string]>> = {
  Items: ['item', 'items'],
  Length: ['character', 'characters'],
  Properties: ['property', 'properties'],
};

/** @example countReason('minItems', 1) // 'must have at least 1 item' */
export function countReason(keyword: string, limit: number): string {
  const [one, many] = counted[keyword.slice(3)] ?? ['part', 'parts'];
  return `must have at ${keyword.startsWith('min') ? 'least' : 'most'} ${limit} ${limit === 1 ? one : many}`;
}
