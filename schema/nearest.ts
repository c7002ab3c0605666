// What an author probably meant. In: a word nobody knows and the words that exist. Out: one of them, or nothing.

// Names have at most 128 characters; beyond that a suggestion helps nobody and would only cost time.
const longestWord = 128;
const mostEdits = 8;

interface Match {
  readonly candidate: string;
  /** Lower is better: edits first (0..8), then shared beginnings, then containment. */
  readonly rank: number;
  readonly length: number;
}

/**
 * The candidate that the word was probably meant to be. Case, `-` and `_` do not count; a letter too many, too few,
 * wrong or swapped counts one each, and about a third of the letters may be off. Abbreviations are found as well.
 * Of equally good candidates the first wins; the word itself is never suggested.
 *
 * @example nearest('nmae', ['title', 'name']) // 'name'
 * @example nearest('desc', ['title', 'description']) // 'description'
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > longestWord) return undefined;
  const wanted = normalise(word);
  if (wanted === '') return undefined;
  let best: Match | undefined;
  for (const candidate of candidates) {
    if (candidate === word || candidate.length > longestWord) continue;
    const match = compare(wanted, candidate, best);
    if (match !== undefined && (best === undefined || isBetter(match, best))) best = match;
    if (best?.rank === 0) break;
  }
  return best?.candidate;
}

/**
 * The suggestion as a hint for a diagnostic.
 *
 * @example didYouMean('tol', ['tool', 'server']) // 'did you mean "tool"?'
 */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const found = nearest(word, candidates);
  return found === undefined ? undefined : `did you mean ${JSON.stringify(found)}?`;
}

/** Suggestions for many words out of one long list. */
export interface Suggester {
  nearest(word: string): string | undefined;
  didYouMean(word: string): string | undefined;
}

/** Comparisons for all words together: a pack with thousands of unknown names needs no thousand suggestions. */
const mostComparisons = 50_000;

/**
 * The same as `nearest` and `didYouMean`, for as long as it does not cost too much.
 *
 * @example makeSuggester(['tool', 'server']).didYouMean('tol') // 'did you mean "tool"?'
 */
export function makeSuggester(candidates: Iterable<string>): Suggester {
  const list = [...candidates];
  let left = mostComparisons;
  const affords = (): boolean => {
    left -= list.length;
    return left >= 0 || left + list.length === mostComparisons;
  };
  return {
    nearest: word => (affords() ? nearest(word, list) : undefined),
    didYouMean: word => (affords() ? didYouMean(word, list) : undefined),
  };
}

function normalise(text: string): string {
  return text.toLowerCase().replace(/[-_]/g, '');
}

function isBetter(a: Match, b: Match): boolean {
  if (a.rank !== b.rank) return a.rank < b.rank;
  // Of several words that `desc` abbreviates, the shortest leaves least to guess; equal edits keep list order.
  return a.rank > mostEdits && a.length < b.length;
}

function compare(wanted: string, candidate: string, best: Match | undefined): Match | undefined {
  const known = normalise(candidate);
  if (known === '') return undefined;
  const { length } = known;
  const allowed = Math.min(
    Math.floor(Math.max(wanted.length, length) / 3),
    best === undefined ? mostEdits : Math.min(mostEdits, best.rank - 1),
  );
  const edits = distanceWithin(wanted, known, allowed);
  if (edits !== undefined) return { candidate, rank: edits, length };
  if (isAbbreviation(wanted, known)) return { candidate, rank: mostEdits + 1, length };
  if (isContained(wanted, known)) return { candidate, rank: mostEdits + 2, length };
  return undefined;
}

/** `desc` for `description`, `params` for `parameters`, `args` for `arguments`. */
function isAbbreviation(wanted: string, known: string): boolean {
  if (wanted.length >= known.length) return false;
  let shared = 0;
  while (shared < wanted.length && wanted[shared] === known[shared]) shared++;
  return shared >= 3 && shared * 4 >= wanted.length * 3;
}

/** `schema` in `inputSchema`, or `toolDescription` around `description`; a short part of a long word says nothing. */
function isContained(wanted: string, known: string): boolean {
  const [short, long] = wanted.length < known.length ? [wanted, known] : [known, wanted];
  return short.length >= 4 && short.length * 5 >= long.length * 2 && long.includes(short);
}

/**
 * The optimal string alignment distance of two texts if it is at most `limit`, else undefined.
 * Only the cells at most `limit` off the diagonal can be that small, so the cost is length times limit.
 */
function distanceWithin(a: string, b: string, limit: number): number | undefined {
  if (Math.abs(a.length - b.length) > limit) return undefined;
  const tooFar = limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => Math.min(column, tooFar));
  let smallestOfLast = 0;
  for (let row = 1; row <= a.length; row++) {
    const current = new Array<number>(b.length + 1).fill(tooFar);
    current[0] = Math.min(row, tooFar);
    let smallest = current[0];
    const end = Math.min(b.length, row + limit);
    for (let column = Math.max(1, row - limit); column <= end; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        at(last, column, tooFar) + 1,
        at(current, column - 1, tooFar) + 1,
        at(last, column - 1, tooFar) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, at(beforeLast, column - 2, tooFar) + 1);
      current[column] = Math.min(cost, tooFar);
      smallest = Math.min(smallest, cost);
    }
    // A swap reaches two rows back, so only two rows without a small enough cell prove that there is no way.
    if (smallest > limit && smallestOfLast > limit) return undefined;
    smallestOfLast = smallest;
    beforeLast = last;
    last = current;
  }
  const distance = at(last, b.length, tooFar);
  return distance <= limit ? distance : undefined;
}

function at(row: readonly number[], column: number, otherwise: number): number {
  return row[column] ?? otherwise;
}
