// In: a pattern of patternProperties. Out: the same as a type of keys, where TypeScript can say it.

/** Keys that begin or end with a string, or all keys. */
export interface KeyPattern {
  readonly side: 'start' | 'end' | 'all';
  readonly text: string;
  /** The type of the keys, ready to print. */
  readonly keys: string;
}

// Letters, digits and signs that mean themselves, in patterns (escaped where needed) and in template literals alike.
const literal = '((?:[A-Za-z0-9_ :/@#%&,;=<>~!-]|\\\\[./])+)';
const prefixForm = new RegExp(`^\\^${literal}(?:\\.\\*)?$`);
const suffixForm = new RegExp(`^(?:\\.\\*)?${literal}\\$$`);

// How schema libraries write maps. Strictly `.` leaves out names with line breaks; nobody who writes this means that.
const everyName: ReadonlySet<string> = new Set(['', '^', '.*', '^.*', '^.*$', '^(.*)$']);

/**
 * Reads the two forms of patterns that template literals can express exactly.
 *
 * @example toKeyPattern('^x-')?.keys // '`x-${string}`'
 * @example toKeyPattern('^[a-z]+$') // undefined
 */
export function toKeyPattern(pattern: string): KeyPattern | undefined {
  if (everyName.has(pattern)) return { side: 'all', text: '', keys: 'string' };
  const start = prefixForm.exec(pattern)?.[1]?.replaceAll('\\', '');
  if (start !== undefined) return { side: 'start', text: start, keys: `\`${start}\${string}\`` };
  const end = suffixForm.exec(pattern)?.[1]?.replaceAll('\\', '');
  return end === undefined ? undefined : { side: 'end', text: end, keys: `\`\${string}${end}\`` };
}

export function matchesKey({ side, text }: KeyPattern, name: string): boolean {
  switch (side) {
    case 'start':
      return name.startsWith(text);
    case 'end':
      return name.endsWith(text);
    case 'all':
      return true;
    default:
      return side satisfies never;
  }
}

/** Whether all keys of the one are keys of the other. */
export function includesKeys(outer: KeyPattern, inner: KeyPattern): boolean {
  return outer.side === 'all' || (outer.side === inner.side && matchesKey(outer, inner.text));
}
