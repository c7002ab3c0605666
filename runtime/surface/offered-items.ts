// In: what a server lists, and the mode that it was started in. Out: which of it clients get to see (M36).
import { nearest } from '../../schema/nearest.js';

interface Switched {
  readonly enabled?: boolean | undefined;
  readonly modes?: readonly string[] | undefined;
}

/**
 * Off is off. An item without modes is in every mode; without a mode nothing is left out for its modes.
 *
 * @example isOffered({ modes: ['admin'] }, 'support') // false
 */
export function isOffered({ enabled, modes }: Switched, mode: string | undefined): boolean {
  if (enabled === false) return false;
  return mode === undefined || modes === undefined || modes.length === 0 || modes.includes(mode);
}

/** A mode that no item has is probably misspelt. */
export function checkMode(mode: string | undefined, items: readonly Switched[]): string | undefined {
  if (mode === undefined) return undefined;
  const known = [...new Set(items.flatMap(({ modes }) => modes ?? []))].sort();
  if (known.includes(mode)) return undefined;
  const meant = nearest(mode, known);
  const hint = meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
  const list = known.length === 0 ? 'no item has modes' : `there are ${known.join(', ')}`;
  return `No item has the mode ${JSON.stringify(mode)}: ${list}${hint}`;
}
