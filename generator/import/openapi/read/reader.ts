// What all parts of the reader share: the files, the version, and how values of the wrong type are passed over.
import { asMap, isMap } from '../../../../schema/document.js';
import type { ApiParameter, ApiVersion, Placed } from '../api.js';
import { below } from '../pointer.js';
import { type Library, partOf, referenceOf } from './library.js';

export type Fields = Readonly<Record<string, unknown>>;

/** A map of the document. */
export interface PlacedMap extends Placed {
  readonly value: Fields;
}

export interface Reader {
  readonly library: Library;
  readonly version: ApiVersion;
  /** What was read before: parameters that many operations share are read once. By the map of the document. */
  readonly known: {
    readonly declared: Map<Fields, Declared | undefined>;
    readonly parameters: Map<Declared, ApiParameter>;
  };
}

/** A parameter whose reference was followed. */
export interface Declared {
  readonly name: string;
  readonly place: ParameterPlace;
  readonly parameter: PlacedMap;
}

/** The last two are parts of the body, in 2.0. */
export type ParameterPlace = ApiParameter['in'] | 'body' | 'formData';

export function makeReader(library: Library, version: ApiVersion): Reader {
  return { library, version, known: { declared: new Map(), parameters: new Map() } };
}

/** Why an operation cannot be read. */
export class Broken {
  constructor(readonly reason: string) {}
}

const named = new Map([
  ['string', 'text'],
  ['number', 'a number'],
  ['boolean', 'a yes or no'],
]);

function nameType(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return named.get(typeof value) ?? 'a map';
}

/** The map below a key. Nothing there is fine; anything else is reported and passed over. */
export function mapAt(reader: Reader, { value, pointer }: PlacedMap, key: string): PlacedMap | undefined {
  const part = partOf({ value, pointer }, key);
  if (part === undefined || part.value === null) return undefined;
  return asPlacedMap(reader, part, key);
}

export function asPlacedMap(reader: Reader, placed: Placed, what: string): PlacedMap | undefined {
  if (isMap(placed.value)) return { value: placed.value, pointer: placed.pointer };
  ignore(reader, placed.pointer, what, `it is ${nameType(placed.value)}, and a map is expected`);
  return undefined;
}

/** The elements of the list below a key, without those that are nothing. */
export function listAt(reader: Reader, placed: PlacedMap, key: string): readonly Placed[] {
  const list = partOf(placed, key);
  if (list === undefined || list.value === null) return [];
  if (Array.isArray(list.value)) {
    const { pointer } = list;
    return list.value.flatMap((one: unknown, index) =>
      one === null || one === undefined ? [] : [{ value: one, pointer: below(pointer, index) }],
    );
  }
  ignore(reader, list.pointer, key, `it is ${nameType(list.value)}, and a list is expected`);
  return [];
}

/** The members of a map. */
export function partsOf({ value, pointer }: PlacedMap): readonly (readonly [string, Placed])[] {
  return Object.keys(value).map(key => [key, { value: value[key], pointer: below(pointer, key) }]);
}

/** The same without what is nothing. */
export function membersOf(placed: PlacedMap): readonly (readonly [string, Placed])[] {
  return partsOf(placed).filter(([, { value }]) => value !== null);
}

/** Text, also where it was written as a number; nothing where it is empty. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The texts of a list; one text is a list of one. */
export function textsOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap(one => textOf(one) ?? []);
}

export function isExtension(key: string): boolean {
  return key.startsWith('x-');
}

/** Also where it was written as text. */
export function isYes(value: unknown): boolean {
  return value === true || value === 'true';
}

/** The map that a value is or refers to; what is written beside the reference wins. Undefined where it is broken, which is reported. */
export function followMap(reader: Reader, placed: Placed, what: string): PlacedMap | undefined {
  const found = asPlacedMap(reader, placed, what);
  if (found === undefined || referenceOf(found.value) === undefined) return found;
  const target = reader.library.follow(found);
  const map = target === undefined ? undefined : asPlacedMap(reader, target, what);
  if (map === undefined) return undefined;
  const { summary, description } = found.value;
  if (summary === undefined && description === undefined) return map;
  const words = { ...wordsOf('summary', summary), ...wordsOf('description', description) };
  return { value: { ...map.value, ...words }, pointer: map.pointer };
}

function wordsOf(key: string, value: unknown): Fields {
  const text = textOf(value);
  return text === undefined ? {} : { [key]: text };
}

export function ignore({ library }: Reader, pointer: string, what: string, reason: string): void {
  library.report('import/ignored', { what, reason }, { pointer });
}

export function assume({ library }: Reader, pointer: string, what: string, reason: string): void {
  library.report('import/assumed', { what, reason }, { pointer });
}

/** `{}` at a place where no schema is written. */
export function noSchema(pointer: string): Placed {
  return { value: asMap(undefined), pointer };
}
