// Parameters of an operation. In: the lists of its path and its own. Out: each name and place once, and apart from them what is the body (2.0).
import type { ApiParameter, Placed } from '../api.js';
import { below } from '../pointer.js';
import { schemaOfParameter } from './flat-schemas.js';
import { referenceOf } from './library.js';
import { readContents } from './media.js';
import {
  assume,
  Broken,
  type Declared,
  followMap,
  ignore,
  isYes,
  listAt,
  type ParameterPlace,
  type PlacedMap,
  type Reader,
  textOf,
} from './reader.js';
import { readStyle } from './styles.js';

const places: ReadonlyMap<string, ParameterPlace> = new Map(
  (['path', 'query', 'querystring', 'header', 'cookie', 'body', 'formData'] as const).map(place => [
    place.toLowerCase(),
    place,
  ]),
);

/** What a list declares; the same name and place twice counts once. */
export function declareParameters(reader: Reader, owner: PlacedMap, path: string): readonly Declared[] | Broken {
  const found = new Map<string, Declared>();
  for (const placed of listAt(reader, owner, 'parameters')) {
    const parameter = followMap(reader, placed, 'parameter');
    if (parameter === undefined && referenceOf(placed.value) === undefined) continue;
    if (parameter === undefined) return new Broken('the reference of a parameter cannot be followed');
    const declared = declare(reader, parameter, path);
    if (declared === undefined) continue;
    const key = keyOf(declared);
    if (found.has(key))
      ignore(reader, placed.pointer, declared.name, 'it is declared before with the same name and place');
    else found.set(key, declared);
  }
  return [...found.values()];
}

function declare(reader: Reader, parameter: PlacedMap, path: string): Declared | undefined {
  const { declared } = reader.known;
  if (declared.has(parameter.value)) return declared.get(parameter.value);
  const found = declareOne(reader, parameter, path);
  // Without `in` it depends on the path what it is.
  if (textOf(parameter.value.in) !== undefined) declared.set(parameter.value, found);
  return found;
}

function declareOne(reader: Reader, parameter: PlacedMap, path: string): Declared | undefined {
  const { value, pointer } = parameter;
  const place = placeOf(reader, parameter, path);
  if (place === undefined) return undefined;
  const name = textOf(value.name) ?? (place === 'body' || place === 'querystring' ? place : undefined);
  if (name === undefined) {
    ignore(reader, pointer, 'parameter', 'it has no name');
    return undefined;
  }
  return { name, place, parameter };
}

function placeOf(reader: Reader, { value, pointer }: PlacedMap, path: string): ParameterPlace | undefined {
  const written = textOf(value.in)?.trim().toLowerCase();
  const place = written === undefined ? undefined : places.get(written);
  if (place !== undefined) return place;
  const name = textOf(value.name);
  if (name !== undefined && placeholdersOf(path).includes(name)) return 'path';
  const what = name ?? 'parameter';
  const reason =
    written === undefined
      ? 'it does not say where it is sent (in)'
      : `nothing can be sent in ${JSON.stringify(written)}`;
  ignore(reader, pointer, what, reason);
  return undefined;
}

/** Names of headers have no case. */
function keyOf({ name, place }: Declared): string {
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}

/** An operation's own parameters replace those of its path. */
export function joinDeclared(ofPath: readonly Declared[], own: readonly Declared[]): readonly Declared[] {
  const joined = new Map(ofPath.map(one => [keyOf(one), one]));
  // A map keeps the first place of a key, so that the order is that of the document.
  for (const one of own) joined.set(keyOf(one), one);
  return [...joined.values()];
}

/** `id` and `part` of `/users/{id}/{part}`. */
function placeholdersOf(path: string): readonly string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
}

/** What other parts of an operation say. */
const saidElsewhere: ReadonlySet<string> = new Set(['accept', 'content-type']);

/** The parameters of a path template as the wire has them, and how it names them. */
export function readParameters(
  reader: Reader,
  declared: readonly Declared[],
  { path, pointer }: { readonly path: string; readonly pointer: string },
): readonly ApiParameter[] {
  const placeholders = [...new Set(placeholdersOf(path))];
  const found: ApiParameter[] = [];
  const inPath = new Set<string>();
  for (const one of declared) {
    const place = one.place;
    if (place === 'body' || place === 'formData') continue;
    if (place === 'header' && saidElsewhere.has(one.name.toLowerCase())) continue;
    if (place !== 'path') {
      found.push(readParameter(reader, one, place, one.name));
      continue;
    }
    const name = placeholders.find(known => known === one.name) ?? placeholders.find(known => isAlike(known, one.name));
    if (name === undefined || inPath.has(name)) {
      ignore(reader, one.parameter.pointer, one.name, `the path ${path} has no {${one.name}}`);
      continue;
    }
    inPath.add(name);
    found.push(readParameter(reader, one, 'path', name));
  }
  const query = path.slice(path.indexOf('?') + 1);
  for (const name of placeholders) {
    // `?q={q}` with a parameter `q` of the query says the same twice.
    const isTwice = declared.some(one => one.place === 'query' && query.includes(`${one.name}={${name}}`));
    if (inPath.has(name) || isTwice) continue;
    assume(reader, pointer, `{${name}} as a string`, `the path ${path} has it, and no parameter declares it`);
    found.push(undeclared(name, below(pointer, 'parameters')));
  }
  return found;
}

/** `petId` and `pet_id` mean the same where only one of them is in the path: what is sent has no name there. */
function isAlike(one: string, other: string): boolean {
  const plain = (name: string): string => name.toLowerCase().replace(/[^a-z\d]/g, '');
  return plain(one) === plain(other);
}

function undeclared(name: string, pointer: string): ApiParameter {
  return {
    name,
    in: 'path',
    isRequired: true,
    isDeprecated: false,
    style: 'simple',
    explode: false,
    allowReserved: false,
    schema: { value: { type: 'string' }, pointer: `${pointer}/${name}` },
    pointer,
  };
}

function readParameter(reader: Reader, declared: Declared, place: ApiParameter['in'], name: string): ApiParameter {
  const { parameters } = reader.known;
  const before = parameters.get(declared);
  const found = before ?? readOne(reader, declared, place);
  if (before === undefined) parameters.set(declared, found);
  return found.name === name ? found : { ...found, name };
}

function readOne(reader: Reader, { name, parameter }: Declared, place: ApiParameter['in']): ApiParameter {
  const { value, pointer } = parameter;
  const [content] = value.schema === undefined ? readContents(reader, parameter) : [];
  const schema: Placed = content?.schema ?? schemaOfParameter(parameter);
  return {
    name,
    in: place,
    isRequired: place === 'path' || isYes(value.required),
    isDeprecated: isYes(value.deprecated),
    description: textOf(value.description),
    ...readStyle(reader, parameter, place),
    allowReserved: isYes(value.allowReserved),
    schema,
    contentType: content?.type,
    pointer,
  };
}
