// In: what an example expects and what came. Out: where they differ, in the order of the expected value.
import type { Path } from '../../schema/document.js';
import { isMap, printPath } from '../../schema/document.js';
import { isEqual } from '../../schema/json-schema/equal.js';

/** A place where two JSON values differ; a side without the value is absent. */
export interface Difference {
  readonly path: Path;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/** Nobody reads more of them. */
const mostDifferences = 100;

/**
 * Compares JSON values; the order of keys does not count.
 *
 * @example compare({ a: 1, b: 2 }, { a: 1 }) // [{ path: ['b'], expected: 2 }]
 */
export function compare(expected: unknown, actual: unknown): readonly Difference[] {
  const found: Difference[] = [];
  visit(expected, actual, [], found);
  return found;
}

function visit(expected: unknown, actual: unknown, path: Path, found: Difference[]): void {
  if (found.length === mostDifferences || isEqual(expected, actual)) return;
  if (isMap(expected) && isMap(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      visitMember(expected, actual, key, path, found);
    }
  } else if (Array.isArray(expected) && Array.isArray(actual)) {
    for (let index = 0; index < Math.max(expected.length, actual.length); index++) {
      visitMember(expected, actual, index, path, found);
    }
  } else found.push({ path, expected, actual });
}

function visitMember(expected: object, actual: object, step: string | number, path: Path, found: Difference[]): void {
  const here = [...path, step];
  const isExpected = Object.hasOwn(expected, step);
  const isThere = Object.hasOwn(actual, step);
  const [before, after] = [expected, actual].map(side => (side as Record<string | number, unknown>)[step]);
  if (isExpected && isThere) visit(before, after, here, found);
  else if (found.length < mostDifferences) {
    found.push({ path: here, ...(isExpected ? { expected: before } : {}), ...(isThere ? { actual: after } : {}) });
  }
}

const longestShown = 120;

/** `status is "open", not "closed"; labels[1] is missing`, cut after a few. */
export function printDifferences(differences: readonly Difference[]): string {
  const lines = differences.slice(0, 3).map(printDifference);
  const further = differences.length - lines.length;
  return [...lines, ...(further > 0 ? [`and ${further} more`] : [])].join('; ');
}

function printDifference(difference: Difference): string {
  const { path, expected, actual } = difference;
  const where = path.length === 0 ? 'it' : printPath(path);
  if (!Object.hasOwn(difference, 'actual')) return `${where} is missing`;
  if (!Object.hasOwn(difference, 'expected')) return `${where} is not expected`;
  return `${where} is ${printShort(actual)}, not ${printShort(expected)}`;
}

export function printShort(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}...`;
}
