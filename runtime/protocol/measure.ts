// In: JSON of a client. Out: whether it is small enough to be kept or walked through, without walking further than that.

export interface Bounds {
  /** In characters, roughly as JSON would have. */
  readonly size: number;
  /** Of objects and lists inside each other. */
  readonly depth: number;
}

/** What a client may say about itself: it is kept as long as its session, and handlers see it. */
export const clientBounds: Bounds = { size: 16_384, depth: 32 };

/** The answer to a question, which may have a picture in it. */
export const answerBounds: Bounds = { size: Number.POSITIVE_INFINITY, depth: 200 };

/** Roughly, and at most about `most`: nobody looks further. */
export function sizeOf(value: unknown, most: number): number {
  const left = { size: most };
  // What is nested deeper than this is not sent either.
  look(value, 500, left);
  return most - left.size;
}

/** Undefined: it is within bounds. */
export function exceeds(value: unknown, bounds: Bounds): keyof Bounds | undefined {
  const left = { size: bounds.size };
  return look(value, bounds.depth, left);
}

function look(value: unknown, depth: number, left: { size: number }): keyof Bounds | undefined {
  left.size -= typeof value === 'string' ? value.length + 2 : 4;
  if (left.size < 0) return 'size';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === 0) return 'depth';
  // By key: a list of all entries of a large object would cost more than what is looked at.
  for (const key in value) {
    left.size -= key.length;
    const found = look((value as Readonly<Record<string, unknown>>)[key], depth - 1, left);
    if (found !== undefined) return found;
  }
  return undefined;
}
