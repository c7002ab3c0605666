// In: the name of a format and a string. Out: true only where every validator agrees that the string has the format.
// Each expression allows less than the standard does: what it does not match is simply left to a full validator.

const month = '(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])';
const monthEnd = '(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31';
const date = `\\d{4}-(?:${month}|${monthEnd})`;
const time = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:Z|[+-](?:0\\d|1[0-3]):[0-5]\\d)';
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const byte = '(?:\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5])';

const formats: ReadonlyMap<string, RegExp> = new Map([
  ['date', new RegExp(`^${date}$`)],
  ['time', new RegExp(`^${time}$`)],
  ['date-time', new RegExp(`^${date}T${time}$`)],
  ['uuid', /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/],
  ['email', new RegExp(`^[A-Za-z0-9_+-]+(?:\\.[A-Za-z0-9_+-]+)*@(?:${label}\\.)+[A-Za-z]{2,20}$`)],
  ['hostname', new RegExp(`^(?:${label}\\.){0,3}[A-Za-z]{2,20}$`)],
  ['ipv4', new RegExp(`^(?:${byte}\\.){3}${byte}$`)],
  [
    'uri',
    new RegExp(`^https?://(?:${label}\\.)*${label}(?::\\d{1,5})?(?:/[A-Za-z0-9._~-]*)*(?:\\?[A-Za-z0-9._~=&-]*)?$`),
  ],
]);

/** Longer strings are left to the full validator, so no expression ever runs on long input. */
const longest = 200;

export function surelyHasFormat(format: unknown, text: string): boolean {
  if (typeof format !== 'string' || text.length > longest) return false;
  return formats.get(format)?.test(text) ?? false;
}
