// In: a string or a number. Out: whether it has a format of JSON Schema, by the same rules as ajv-formats in full mode.
// Part of toolwright/support: imports nothing, and a published pack's validators rely on what is here.

export type Format =
  | { readonly type: 'string'; readonly validate: (text: string) => boolean }
  | { readonly type: 'number'; readonly validate: (value: number) => boolean };

/** The expression is made for the first text: servers need few of them, and all are a third of the time to load this file. */
function matching(make: () => RegExp) {
  let expression: RegExp | undefined;
  const validate = (text: string): boolean => {
    expression ??= make();
    return expression.test(text);
  };
  return { type: 'string', validate } as const satisfies Format;
}

const checking = (validate: (text: string) => boolean): Format => ({ type: 'string', validate });

const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function isDate(value: string): boolean {
  const parts = /^(\d\d\d\d)-(\d\d)-(\d\d)$/.exec(value);
  if (parts === null) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const last = month === 2 && isLeapYear(year) ? 29 : (days[month - 1] ?? 0);
  return day >= 1 && day <= last;
}

type Zone = 'needed' | 'optional';

function isTime(value: string, zone: Zone): boolean {
  const parts = /^(\d\d):(\d\d):(\d\d(?:\.\d+)?)(z|([+-])(\d\d)(?::?(\d\d))?)?$/i.exec(value);
  if (parts === null) return false;
  const [hour, minute, second] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const [zoneHour, zoneMinute] = [Number(parts[6] ?? 0), Number(parts[7] ?? 0)];
  if (zoneHour > 23 || zoneMinute > 59 || (zone === 'needed' && parts[4] === undefined)) return false;
  if (hour <= 23 && minute <= 59 && second < 60) return true;
  // A leap second: there is one only at 23:59:60 UTC.
  const sign = parts[5] === '-' ? -1 : 1;
  const utcMinute = minute - zoneMinute * sign;
  const utcHour = hour - zoneHour * sign - (utcMinute < 0 ? 1 : 0);
  return (utcHour === 23 || utcHour === -1) && (utcMinute === 59 || utcMinute === -1) && second < 61;
}

function isDateTime(value: string, zone: Zone): boolean {
  const [date = '', time = '', ...rest] = value.split(/t|\s/i);
  return rest.length === 0 && isDate(date) && isTime(time, zone);
}

function isRegex(value: string): boolean {
  // `\Z` is an anchor in other languages and would be a plain letter here.
  if (/[^\\]\\Z/.test(value)) return false;
  try {
    new RegExp(value);
    return true;
  } catch {
    return false;
  }
}

// The pieces of RFC 3986; `reference` characters include the quotation mark, which ajv-formats lets pass there.
const hex = '[0-9a-f]{1,4}';
const escaped = '%[0-9a-f]{2}';
const looseByte = '(?:25[0-5]|2[0-4]\\d|[01]?\\d\\d?)';
const looseIpv4 = `(?:${looseByte}\\.){3}${looseByte}`;
const ipv6Head = [
  `(?:${hex}:){6}`,
  `::(?:${hex}:){5}`,
  `(?:${hex})?::(?:${hex}:){4}`,
  ...[1, 2].map(count => `(?:(?:${hex}:){0,${count}}${hex})?::(?:${hex}:){${4 - count}}`),
  `(?:(?:${hex}:){0,3}${hex})?::${hex}:`,
  `(?:(?:${hex}:){0,4}${hex})?::`,
].join('|');
const ipLiteral = `\\[(?:(?:${ipv6Head})(?:${hex}:${hex}|${looseIpv4})|(?:(?:${hex}:){0,5}${hex})?::${hex}|(?:(?:${hex}:){0,6}${hex})?::|[Vv][0-9a-f]+\\.[a-z0-9\\-._~!$&'()*+,;=:]+)\\]`;

function uriExpression(kind: 'absolute' | 'reference'): RegExp {
  const quote = kind === 'reference' ? '"' : '';
  const segment = `(?:[a-z0-9\\-._~!$&'${quote}()*+,;=:@]|${escaped})`;
  const tail = `(?:[a-z0-9\\-._~!$&'${quote}()*+,;=:@/?]|${escaped})*`;
  const user = `(?:(?:[a-z0-9\\-._~!$&'()*+,;=:]|${escaped})*@)?`;
  const host = `(?:${ipLiteral}|${looseIpv4}|(?:[a-z0-9\\-._~!$&'${quote}()*+,;=]|${escaped})*)`;
  const path = `${segment}+(?:\\/${segment}*)*`;
  const body = `\\/?\\/${user}${host}(?::\\d*)?(?:\\/${segment}*)*|\\/(?:${path})?|${path}`;
  const scheme = '(?:[a-z][a-z0-9+\\-.]*:)';
  const optional = kind === 'reference' ? '?' : '';
  return new RegExp(`^${scheme}${optional}(?:${body})${optional}(?:\\?${tail})?(?:#${tail})?$`, 'i');
}

const absoluteUri = matching(() => uriExpression('absolute'));

// Every way to shorten an address, by how many groups stand before the `::`.
const byte = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const ipv4 = `${byte}(?:\\.${byte}){3}`;
const ipv6 = [
  `(?:${hex}:){7}(?:${hex}|:)`,
  `(?:${hex}:){6}(?::${hex}|${ipv4}|:)`,
  `(?:${hex}:){5}(?:(?::${hex}){1,2}|:${ipv4}|:)`,
  ...[4, 3, 2, 1].map(
    count => `(?:${hex}:){${count}}(?:(?::${hex}){1,${7 - count}}|(?::${hex}){0,${5 - count}}:${ipv4}|:)`,
  ),
  `:(?:(?::${hex}){1,7}|(?::${hex}){0,5}:${ipv4}|:)`,
].join('|');

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const word = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const variable = `(?:[a-z0-9_]|${escaped})+(?::[1-9][0-9]{0,3}|\\*)?`;
const letter = '[a-z0-9\\u{00a1}-\\u{ffff}]';
const urlLabel = `(?:${letter}+-)*${letter}+`;
/** Public addresses only: the first group, and no private network. */
const publicIpv4 = [
  '(?!(?:10|127)(?:\\.\\d{1,3}){3})',
  '(?!(?:169\\.254|192\\.168)(?:\\.\\d{1,3}){2})',
  '(?!172\\.(?:1[6-9]|2\\d|3[0-1])(?:\\.\\d{1,3}){2})',
  '(?:[1-9]\\d?|1\\d\\d|2[01]\\d|22[0-3])(?:\\.(?:1?\\d{1,2}|2[0-4]\\d|25[0-5])){2}',
  '(?:\\.(?:[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-4]))',
].join('');
const urlHost = `(?:${publicIpv4}|(?:${urlLabel})(?:\\.${urlLabel})*(?:\\.(?:[a-z\\u{00a1}-\\u{ffff}]{2,})))`;

/**
 * The formats that validators check, by name. A format that is not here, such as `password`, accepts everything.
 *
 * @example formats['date'].validate('2024-02-30') // false
 */
export const formats: Readonly<Record<string, Format>> = {
  date: checking(isDate),
  time: checking(value => isTime(value, 'needed')),
  'date-time': checking(value => isDateTime(value, 'needed')),
  'iso-time': checking(value => isTime(value, 'optional')),
  'iso-date-time': checking(value => isDateTime(value, 'optional')),
  duration: matching(() => /^P(?!$)((\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?|(\d+W)?)$/),
  // The first test is quick and refuses most strings that are not addresses.
  uri: checking(value => /\/|:/.test(value) && absoluteUri.validate(value)),
  'uri-reference': matching(() => uriExpression('reference')),
  'uri-template': matching(
    () =>
      new RegExp(
        `^(?:(?:[^\\x00-\\x20"'<>%\\\\^\`{|}]|${escaped})|\\{[+#./;?&=,!@|]?${variable}(?:,${variable})*\\})*$`,
        'i',
      ),
  ),
  url: matching(
    () => new RegExp(`^(?:https?|ftp):\\/\\/(?:\\S+(?::\\S*)?@)?${urlHost}(?::\\d{2,5})?(?:\\/[^\\s]*)?$`, 'iu'),
  ),
  email: matching(
    () =>
      new RegExp(
        `^${word}(?:\\.${word})*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$`,
        'i',
      ),
  ),
  hostname: matching(() => new RegExp(`^(?=.{1,253}\\.?$)${label}(?:\\.${label})*\\.?$`, 'i')),
  ipv4: matching(() => new RegExp(`^${ipv4}$`)),
  ipv6: matching(() => new RegExp(`^(?:${ipv6})$`, 'i')),
  regex: checking(isRegex),
  uuid: matching(() => /^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i),
  'json-pointer': matching(() => /^(?:\/(?:[^~/]|~0|~1)*)*$/),
  'json-pointer-uri-fragment': matching(() => /^#(?:\/(?:[a-z0-9_\-.!$&'()*+,;:=@]|%[0-9a-f]{2}|~0|~1)*)*$/i),
  'relative-json-pointer': matching(() => /^(?:0|[1-9][0-9]*)(?:#|(?:\/(?:[^~/]|~0|~1)*)*)$/),
  // One line of base64 is enough, as in ajv-formats.
  byte: matching(() => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/m),
  int32: { type: 'number', validate: value => Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31 },
  int64: { type: 'number', validate: value => Number.isInteger(value) },
};
