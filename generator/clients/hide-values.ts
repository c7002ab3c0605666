// In: a text of a client's configuration, and values that may be secret. Out: the text without them, for terminals and logs.

/** Shorter ones would be found everywhere, and hide the text instead of the value. */
const shortest = 4;

/**
 * Hides values in whatever way the file may have written them.
 *
 * @example hideValues('{"TOKEN": "a\\"bcd"}', ['a"bcd']) // '{"TOKEN": "***"}'
 */
export function hideValues(text: string, values: readonly string[], mark = '***'): string {
  const forms = values.flatMap(value => [
    JSON.stringify(value).slice(1, -1),
    value.replaceAll("'", "''"),
    value,
    // YAML writes long texts as blocks, a line each.
    ...value.split(/\r?\n/).map(line => line.trim()),
  ]);
  const long = [...new Set(forms)].filter(form => form.length >= shortest).sort((a, b) => b.length - a.length);
  return long.reduce((shown, form) => shown.replaceAll(form, mark), text);
}
