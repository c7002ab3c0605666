// Where a schema stands, as a chain upwards: pointers are made only where something is wrong or a reference is new.
import { below } from './pointer.js';

export interface Place {
  readonly up: Place | undefined;
  /** A key or an index below `up`; the pointer of a place without `up`. */
  readonly key: string | number;
  readonly depth: number;
}

export function placeAt(pointer: string): Place {
  return { up: undefined, key: pointer, depth: 0 };
}

export function within(up: Place, key: string | number): Place {
  return { up, key, depth: up.depth + 1 };
}

/** @example pointerOf(within(placeAt('#/components/schemas/Pet'), 'items')) // '#/components/schemas/Pet/items' */
export function pointerOf(place: Place): string {
  const keys: (string | number)[] = [];
  let at = place;
  for (; at.up !== undefined; at = at.up) keys.push(at.key);
  return below(String(at.key), ...keys.reverse());
}

/** The pointer of the schema in which a place is. */
export function rootOf(place: Place): string {
  let at = place;
  while (at.up !== undefined) at = at.up;
  return String(at.key);
}
