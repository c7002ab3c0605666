// In: what PostgreSQL sends as text, and the number of its type. Out: a value that JSON can have. No digit is lost: what a number cannot hold
// stays text. Types that are not here stay text, too.

type Read = (text: string) => unknown;

const asIs: Read = text => text;
const readBoolean: Read = text => text === 't';
const readInteger: Read = text => {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
};
const readFloat: Read = text => {
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
};
/** Any decimal of 15 digits survives the way through a number. */
const readNumeric: Read = text => {
  const digits = text
    .replace(/^-/, '')
    .replace(/^0+(?=\d)|\./g, '')
    .replace(/^0+/, '');
  const significant = text.includes('.') ? digits.replace(/0+$/, '') : digits;
  if (significant.length <= 15 && /^-?[\d.]+$/.test(text)) return Number(text);
  return text.includes('.') ? text : readInteger(text);
};
const readBytes: Read = text => Buffer.from(text.slice(2), 'hex').toString('base64');
const readJson: Read = text => JSON.parse(text);
const readTimestamp: Read = text => text.replace(' ', 'T');
/** `2026-01-02 03:04:05+00` becomes `2026-01-02T03:04:05Z`. */
const readTimestampWithZone: Read = text =>
  text
    .replace(' ', 'T')
    .replace(/(?<=:.*)\+00$/, 'Z')
    .replace(/(?<=:.*)([+-]\d\d)$/, '$1:00');

/** The number of a type, of its arrays, and how it is read. */
const types: readonly (readonly [number, number, Read])[] = [
  [16, 1000, readBoolean],
  [17, 1001, readBytes],
  [20, 1016, readInteger],
  [21, 1005, readInteger],
  [23, 1007, readInteger],
  [26, 1028, readInteger],
  [114, 199, readJson],
  [3802, 3807, readJson],
  [700, 1021, readFloat],
  [701, 1022, readFloat],
  [1700, 1231, readNumeric],
  [1114, 1115, readTimestamp],
  [1184, 1185, readTimestampWithZone],
  [18, 1002, asIs],
  [19, 1003, asIs],
  [25, 1009, asIs],
  [1042, 1014, asIs],
  [1043, 1015, asIs],
  [1082, 1182, asIs],
  [1083, 1183, asIs],
  [1186, 1187, asIs],
  [1266, 1270, asIs],
  [2950, 2951, asIs],
];

const readers = new Map<number, Read>(
  types.flatMap(([one, many, read]): [number, Read][] => [
    [one, read],
    [many, text => readArray(text, read)],
  ]),
);

/** What `types` of a connection is; dates have the form of ISO 8601 with the settings of every connection that we make. */
export const postgresTypes = {
  getTypeParser: (oid: number, format?: string): ((raw: string) => unknown) =>
    format === 'binary' ? asIs : (readers.get(oid) ?? asIs),
};

/**
 * `{1,2,NULL}` and `{{"a b",c},{d,e}}`, with or without bounds before it (`[0:1]={1,2}`).
 *
 * @example readArray('{1,NULL}', Number) // [1, null]
 */
export function readArray(text: string, read: Read): unknown {
  let at = text.indexOf('{');
  return list();

  function list(): unknown[] {
    const elements: unknown[] = [];
    at += 1;
    while (at < text.length && text[at] !== '}') {
      if (text[at] === '{') elements.push(list());
      else if (text[at] === '"') elements.push(read(quoted()));
      else {
        const word = /^[^,}]*/.exec(text.slice(at))?.[0] ?? '';
        at += word.length;
        elements.push(word.toUpperCase() === 'NULL' ? null : read(word));
      }
      if (text[at] === ',') at += 1;
    }
    at += 1;
    return elements;
  }

  function quoted(): string {
    let value = '';
    for (at += 1; at < text.length && text[at] !== '"'; at += 1) {
      if (text[at] === '\\') at += 1;
      value += text[at] ?? '';
    }
    at += 1;
    return value;
  }
}
