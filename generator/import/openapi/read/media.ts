// Contents of requests and answers. In: `content` of 3.x, or types and a schema of 2.0. Out: ApiContent[].
import type { ApiContent, ApiParameter, Placed } from '../api.js';
import { below } from '../pointer.js';
import { partOf } from './library.js';
import { followMap, isExtension, mapAt, membersOf, noSchema, type PlacedMap, type Reader, textOf } from './reader.js';
import { readStyle } from './styles.js';

/** Without parameters, in small letters: `application/json`. */
export function plainType(written: string): string {
  return (written.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** What stands behind a type and may decide which form is meant: `; version=2`. That text is UTF-8 goes without saying. */
function parametersOf(written: string): string {
  const [, ...parameters] = written.split(';').map(part => part.trim());
  return parameters
    .filter(part => /^[\w.-]+=[^\s{}]+$/.test(part) && !/^(?:charset|boundary)=/i.test(part))
    .map(part => `; ${part}`)
    .join('');
}

/** `content` of a body, an answer or a parameter; each type once, and rather without parameters. */
export function readContents(reader: Reader, owner: PlacedMap): readonly ApiContent[] {
  const content = mapAt(reader, owner, 'content');
  if (content === undefined) return [];
  const found = new Map<string, ApiContent>();
  for (const [written, placed] of membersOf(content)) {
    const type = plainType(written);
    const parameters = parametersOf(written);
    const isBetter = parameters === '' && found.get(type)?.parameters !== '';
    if (type === '' || isExtension(type) || (found.has(type) && !isBetter)) continue;
    const media = followMap(reader, placed, written);
    if (media === undefined) continue;
    const { pointer } = media;
    found.set(type, { type, parameters, schema: schemaOf(media), encoding: readEncoding(reader, media), pointer });
  }
  return [...found.values()];
}

/** In a stream each element has a schema (3.2); together they are a list. */
function schemaOf(media: PlacedMap): Placed {
  const schema = partOf(media, 'schema');
  if (isSchema(schema)) return schema;
  const item = partOf(media, 'itemSchema');
  if (!isSchema(item)) return noSchema(below(media.pointer, 'schema'));
  return { value: { type: 'array', items: item.value }, pointer: media.pointer };
}

export function isSchema(placed: Placed | undefined): placed is Placed {
  if (placed === undefined) return false;
  return typeof placed.value === 'boolean' || (typeof placed.value === 'object' && placed.value !== null);
}

function readEncoding(reader: Reader, media: PlacedMap): ApiContent['encoding'] {
  const encoding = mapAt(reader, media, 'encoding');
  if (encoding === undefined) return {};
  const found: [string, ApiContent['encoding'][string]][] = [];
  for (const [member, placed] of membersOf(encoding)) {
    const one = followMap(reader, placed, member);
    if (one === undefined) continue;
    const contentType = textOf(one.value.contentType);
    found.push([
      member,
      { ...(contentType === undefined ? {} : { contentType: contentType.toLowerCase() }), ...styleOf(reader, one) },
    ]);
  }
  return Object.fromEntries(found);
}

function styleOf(reader: Reader, one: PlacedMap): { style?: ApiParameter['style']; explode?: boolean } {
  const isWritten = ['style', 'explode', 'allowReserved'].some(key => one.value[key] !== undefined);
  if (!isWritten) return {};
  const { style, explode } = readStyle(reader, one, 'query');
  return { style, explode };
}

/** The same schema in each of the types, as 2.0 has it. */
export function contentsOf(types: readonly string[], schema: Placed, pointer: string): readonly ApiContent[] {
  const found = new Map<string, ApiContent>();
  for (const written of types) {
    const [type, parameters] = [plainType(written), parametersOf(written)];
    if (type !== '' && (parameters === '' || !found.has(type)))
      found.set(type, { type, parameters, schema, encoding: {}, pointer });
  }
  return [...found.values()];
}
