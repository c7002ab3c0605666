// Names of types and formats. In: `type` and `format` as documents have them. Out: those of JSON Schema, as far as they can be told.
import { asList } from '../../../schema/document.js';
import { isOddFormat } from '../../../schema/json-schema/check-keywords.js';
import { jsonTypes } from '../../../schema/json-schema/keywords.js';

export interface ReadTypes {
  /** Each once; empty where anything fits. */
  readonly types: readonly string[];
  readonly format?: string | undefined;
  /** What no type is called. */
  readonly unknown: readonly unknown[];
}

interface Meaning {
  readonly type?: string;
  readonly format?: string;
}

/** What people write for a type: names of other languages, formats, and the one that only 2.0 has. */
const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ...[...jsonTypes].map((type): [string, Meaning] => [type, { type }]),
  ...['str', 'text', 'char', 'varchar', 'enum', 'String'].map((name): [string, Meaning] => [name, { type: 'string' }]),
  ...['int', 'short', 'smallint', 'int16', 'biginteger'].map((name): [string, Meaning] => [name, { type: 'integer' }]),
  ['int32', { type: 'integer', format: 'int32' }],
  ['int64', { type: 'integer', format: 'int64' }],
  ['long', { type: 'integer', format: 'int64' }],
  ['bigint', { type: 'integer', format: 'int64' }],
  ['float', { type: 'number', format: 'float' }],
  ['double', { type: 'number', format: 'double' }],
  ...['decimal', 'numeric', 'bigdecimal', 'real'].map((name): [string, Meaning] => [name, { type: 'number' }]),
  ['bool', { type: 'boolean' }],
  ...['list', 'set', 'tuple'].map((name): [string, Meaning] => [name, { type: 'array' }]),
  ...['map', 'dict', 'dictionary', 'struct', 'hash'].map((name): [string, Meaning] => [name, { type: 'object' }]),
  ['date', { type: 'string', format: 'date' }],
  ...['datetime', 'date-time'].map((name): [string, Meaning] => [name, { type: 'string', format: 'date-time' }]),
  ...['uuid', 'guid'].map((name): [string, Meaning] => [name, { type: 'string', format: 'uuid' }]),
  ['uri', { type: 'string', format: 'uri' }],
  ['url', { type: 'string', format: 'uri' }],
  ['email', { type: 'string', format: 'email' }],
  ['password', { type: 'string', format: 'password' }],
  ['byte', { type: 'string', format: 'byte' }],
  ...['file', 'binary', 'bytes'].map((name): [string, Meaning] => [name, { type: 'string', format: 'binary' }]),
  ...['nil', 'void'].map((name): [string, Meaning] => [name, { type: 'null' }]),
  ...['any', 'mixed', 'json', 'none', 'undefined', 'unknown'].map((name): [string, Meaning] => [name, {}]),
]);

/**
 * The types that a schema allows. A type that allows anything makes all others idle.
 *
 * @example readTypes(['String', 'null']) // { types: ['string', 'null'], unknown: [] }
 */
export function readTypes(written: unknown): ReadTypes {
  if (typeof written === 'string' && jsonTypes.has(written)) return { types: [written], unknown: [] };
  const names = Array.isArray(written) ? asList(written).flat() : written === undefined ? [] : [written];
  const types = new Set<string>();
  const unknown: unknown[] = [];
  let format: string | undefined;
  let isAny = false;
  for (const name of names) {
    const text = name === null ? 'null' : String(name).trim();
    const meaning = meanings.get(text) ?? meanings.get(text.toLowerCase());
    if (meaning === undefined) unknown.push(name);
    else if (meaning.type === undefined) isAny = true;
    else types.add(meaning.type);
    format ??= meaning?.format;
  }
  if (isAny) return { types: [], unknown };
  // A number may be an integer; saying both would only be longer.
  if (types.has('number')) types.delete('integer');
  return { types: [...types], ...(format === undefined ? {} : { format }), unknown };
}

const otherFormats: ReadonlyMap<string, string> = new Map([
  ['datetime', 'date-time'],
  ['date_time', 'date-time'],
  ['date time', 'date-time'],
  ['timestamp', 'date-time'],
  ['guid', 'uuid'],
  ['int', 'int32'],
  ['integer', 'int32'],
  ['long', 'int64'],
  ['ip', 'ipv4'],
  ['ipaddress', 'ipv4'],
  ['e-mail', 'email'],
]);

/** Formats of numbers; all others are formats of strings. */
const numberFormats: ReadonlySet<string> = new Set(['int8', 'int16', 'int32', 'int64', 'float', 'double', 'decimal']);
const typeNames: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'array', 'object', 'null', 'text']);

/**
 * The format that is meant; undefined for one that says nothing or looks misspelt.
 *
 * @example readFormat('datetime', ['string']) // 'date-time'
 */
export function readFormat(
  written: unknown,
  types: readonly string[],
  isOdd: (format: string) => boolean = isOddFormat,
): string | undefined {
  if (typeof written !== 'string') return undefined;
  const text = written.trim();
  const known = otherFormats.get(text.toLowerCase()) ?? text;
  // What a timestamp or an address is among numbers, or a 32-bit integer among texts, nobody can tell.
  if (known !== text && types.length > 0 && types.includes('string') === numberFormats.has(known)) return undefined;
  if (text === '' || typeNames.has(text.toLowerCase()) || isOdd(known)) return undefined;
  return known;
}
