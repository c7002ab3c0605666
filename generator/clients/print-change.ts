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

// In: a string of a client's configuration, and variables whose values may be secret. Out: the text without these, for terminals and logs.

/** A variable of an entry: its name and its value. */
export type Variable = readonly [name: string, value: string];

/** Shorter ones are found everywhere: they are hidden where they stand behind their name, and would hide the text elsewhere. */
const shortest = 4;

/**
 * Hides values in whatever way the file may have written them.
 *
 * @example hideValues('{"TOKEN": "a\\"b", "n": 5}', [['TOKEN', 'a"b']]) // '{"TOKEN": "***", "n": 5}'
 */
export function hideValues(text: string, variables: readonly Variable[], mark = '***'): string {
  const named = variables.reduce((shown, variable) => hideNamed(shown, variable, mark), text);
  const forms = variables.flatMap(([, value]) => [
    ...formsOf(value),
    // YAML writes long texts as blocks, a line each.
    ...linesOf(value),
  ]);
  const long = [...new Set(forms)].filter(form => form.length >= shortest).sort((a, b) => b.length - a.length);
  return long.reduce((shown, form) => shown.replaceAll(form, mark), named);
}

/** `"NAME": "value"`, `NAME: value`, `NAME = 'value'`; or a block of lines. */
function hideNamed(text: string, [name, value]: Variable, mark: string): string {
  if (value === '') return text;
  const key = `(?<![\\w-])${escapeWord(JSON.stringify(name).slice(1, -1))}["']?\\s*[:=]\\s*`;
  const line = `(?<quote>["']?)(?:${formsOf(value).map(escapeWord).join('|')})(?=\\k<quote>[ \\t]*(?:[,}\\]#\\r\\n]|$))`;
  const block = `(?:[|>][-+\\d]*|"""|''')\\s*${linesOf(value).map(escapeWord).join('\\s+')}(?=\\s|"""|'''|$)`;
  return text
    .replace(new RegExp(`(${key})${line}`, 'g'), (_, lead: string, quote: string) => `${lead}${quote}${mark}`)
    .replace(new RegExp(`(${key})${block}`, 'g'), (_, lead: string) => `${lead}${mark}`);
}

function formsOf(value: string): readonly string[] {
  return [JSON.stringify(value).slice(1, -1), value.replaceAll("'", "''"), value];
}

function linesOf(value: string): readonly string[] {
  return value
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '');
}

function escapeWord(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
