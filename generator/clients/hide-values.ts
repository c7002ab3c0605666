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
