// In: a file before and after. Out: what changed, as a unified diff that people and `git apply` read.

const context = 3;

/**
 * One hunk from the first line that differs to the last: edits of configurations stay in one place.
 *
 * @example printChange('a.json', '{}\n', '{"a": 1}\n')
 */
export function printChange(path: string, before: string | undefined, after: string | undefined): string {
  const old = splitLines(before ?? '');
  const next = splitLines(after ?? '');
  let head = 0;
  while (head < old.length && head < next.length && old[head] === next[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < next.length - head && old.at(-1 - tail) === next.at(-1 - tail)) tail += 1;
  const first = Math.max(head - context, 0);
  const kept = Math.min(tail, context);
  const removed = old.slice(head, old.length - tail);
  const added = next.slice(head, next.length - tail);
  const around = head - first + kept;
  const lines = [
    `--- ${before === undefined ? '/dev/null' : path}\n`,
    `+++ ${after === undefined ? '/dev/null' : path}\n`,
    `@@ -${range(first, removed.length + around)} +${range(first, added.length + around)} @@\n`,
    ...old.slice(first, head).map(line => ` ${line}`),
    ...removed.map(line => `-${line}`),
    ...added.map(line => `+${line}`),
    ...old.slice(old.length - tail, old.length - tail + kept).map(line => ` ${line}`),
  ];
  return joinDiffLines(lines);
}

function range(first: number, count: number): string {
  return `${count === 0 ? first : first + 1},${count}`;
}

/** As a diff has it: a last line without a line break says so. */
export function joinDiffLines(lines: readonly string[]): string {
  return lines.map(line => (line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`)).join('');
}

/** With their line breaks. */
export function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
