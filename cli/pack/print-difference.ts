// In: the value that a test expects and the one that came. Out: lines of JSON, with those that differ marked.
import { isMap } from '../../schema/document.js';
import { visibleJson } from '../../schema/print/visible.js';
import type { colors } from './pack-command.js';

const context = 3;
/** Beyond this the work grows out of hand, and nobody reads it: what is left is shown as replaced. */
const mostLines = 1_000;

interface Line {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** @example printDifference({ expected: { a: 1 }, actual: { a: 2 } }, paint) */
export function printDifference(
  { expected, actual }: { readonly expected: unknown; readonly actual: unknown },
  paint: ReturnType<typeof colors>,
): readonly string[] {
  const [before, after] = [expected, inOrderOf(expected, actual)].map(one => visibleJson(one ?? null).split('\n'));
  const lines = diffLines(before ?? [], after ?? []);
  const isNear = (index: number): boolean =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(({ mark }) => mark !== ' ');
  const shown = lines.flatMap((line, index) => {
    if (isNear(index)) return [`  ${line.mark} ${line.text}`];
    return index > 0 && isNear(index - 1) ? ['    ...'] : [];
  });
  const color = (line: string): string =>
    line.startsWith('  -') ? paint.red(line) : line.startsWith('  +') ? paint.green(line) : line;
  return [`  ${paint.red('- expected')}  ${paint.green('+ actual')}`, ...shown.map(color)];
}

/** By the longest common subsequence of what lies between equal beginnings and ends. */
function diffLines(before: readonly string[], after: readonly string[]): readonly Line[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  const rest = Math.min(before.length, after.length) - head;
  while (tail < rest && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const same = (lines: readonly string[]): readonly Line[] => lines.map(text => ({ mark: ' ', text }));
  const middle = diffMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  return [...same(before.slice(0, head)), ...middle, ...same(before.slice(before.length - tail))];
}

function diffMiddle(before: readonly string[], after: readonly string[]): readonly Line[] {
  const removed = (text: string): Line => ({ mark: '-', text });
  const added = (text: string): Line => ({ mark: '+', text });
  if (before.length * after.length > mostLines ** 2) return [...before.map(removed), ...after.map(added)];
  const lengths = before.map(() => new Uint32Array(after.length + 1));
  lengths.push(new Uint32Array(after.length + 1));
  const length = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    const row = lengths[i];
    for (let j = after.length - 1; row !== undefined && j >= 0; j--) {
      row[j] = before[i] === after[j] ? length(i + 1, j + 1) + 1 : Math.max(length(i + 1, j), length(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old, next] = [before[i], after[j]];
    if (old !== undefined && old === next) {
      lines.push({ mark: ' ', text: old });
      i += 1;
      j += 1;
    } else if (old !== undefined && (next === undefined || length(i + 1, j) >= length(i, j + 1))) {
      lines.push(removed(old));
      i += 1;
    } else {
      lines.push(added(next ?? ''));
      j += 1;
    }
  }
  return lines;
}

/** The order of keys does not count, and must not show. */
function inOrderOf(expected: unknown, actual: unknown): unknown {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    return actual.map((one, index) => inOrderOf(expected[index], one));
  }
  if (!isMap(expected) || !isMap(actual)) return actual;
  const keys = [...Object.keys(expected).filter(key => Object.hasOwn(actual, key)), ...Object.keys(actual)];
  return Object.fromEntries([...new Set(keys)].map(key => [key, inOrderOf(expected[key], actual[key])]));
}
