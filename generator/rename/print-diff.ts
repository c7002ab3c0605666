// In: the plan of a rename. Out: what it changes, as a unified diff that `git apply` and people can read.
import { joinDiffLines, splitLines } from '../clients/print-change.js';
import { applyEdits, type FileEdits, type Move } from './text-edits.js';

const context = 3;

/**
 * Prints edits and moves in the order of their paths.
 *
 * @example printDiff({ edits: [], moves: [{ from: 'a.ts', to: 'b.ts' }] }) // 'rename from a.ts\nrename to b.ts\n'
 */
export function printDiff({ edits, moves }: { edits: readonly FileEdits[]; moves: readonly Move[] }): string {
  const targets = new Map(moves.map(({ from, to }) => [from, to]));
  const files = new Map(edits.map(one => [one.path, one]));
  const paths = [...new Set([...files.keys(), ...targets.keys()])].sort((a, b) => (a < b ? -1 : 1));
  return paths.map(path => printFile(path, targets.get(path), files.get(path))).join('');
}

function printFile(path: string, target: string | undefined, file: FileEdits | undefined): string {
  const head = `diff --git a/${path} b/${target ?? path}\n`;
  const moved = target === undefined ? '' : `rename from ${path}\nrename to ${target}\n`;
  if (file === undefined) return head + moved;
  return `${head}${moved}--- a/${path}\n+++ b/${target ?? path}\n${printHunks(file)}`;
}

/** No edit adds or removes a line, so that lines are compared one by one. */
function printHunks(file: FileEdits): string {
  const before = splitLines(file.before);
  const after = splitLines(applyEdits(file));
  const changed = before.flatMap((line, index) => (line === after[index] ? [] : [index]));
  const hunks: { start: number; end: number }[] = [];
  for (const index of changed) {
    const last = hunks.at(-1);
    if (last !== undefined && index - last.end < 2 * context) last.end = index + 1;
    else hunks.push({ start: index, end: index + 1 });
  }
  return hunks.map(({ start, end }) => printHunk(before, after, start, end)).join('');
}

function printHunk(before: readonly string[], after: readonly string[], start: number, end: number): string {
  const first = Math.max(start - context, 0);
  const last = Math.min(end + context, before.length);
  const range = `${first + 1}${last - first === 1 ? '' : `,${last - first}`}`;
  const lines = [`@@ -${range} +${range} @@\n`];
  for (let index = first; index < last; index++) {
    const [old = '', next = ''] = [before[index], after[index]];
    if (old === next) {
      lines.push(` ${old}`);
      continue;
    }
    // Changed lines that follow each other are shown as one block.
    let stop = index;
    while (stop < last && before[stop] !== after[stop]) stop++;
    lines.push(
      ...before.slice(index, stop).map(line => `-${line}`),
      ...after.slice(index, stop).map(line => `+${line}`),
    );
    index = stop - 1;
  }
  return joinDiffLines(lines);
}
