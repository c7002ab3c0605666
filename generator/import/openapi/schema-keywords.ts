// Keywords of one schema that hold no other schemas. In: as documents have them. Out: as JSON Schema has them; what means nothing is reported.
import { asList, asMap, isMap } from '../../../schema/document.js';
import { type JsonSchemaObject, own } from '../../../schema/json-schema/keywords.js';
import { addNote, type Converting, type Made, printShort, readSwitch } from './schema-converting.js';
import { readLimits } from './schema-limits.js';
import { notUsable, toPattern } from './schema-pattern.js';
import { type Place, within } from './schema-place.js';
import { cleanText } from './schema-text.js';
import { readFormat, readTypes } from './schema-types.js';
import { readEnum, toType, typesOf } from './schema-values.js';

/** Gives the types, on which the other keywords depend. */
export function convertPlain(
  written: JsonSchemaObject,
  at: Place,
  converting: Converting,
  made: Made,
): readonly string[] {
  const title = cleanText(own(written, 'title'));
  if (title !== '') made['title'] = title;
  const description = cleanText(own(written, 'description') ?? own(written, 'summary'));
  if (description !== '') made['description'] = description;
  const { types, format } = convertType(written, at, converting);
  if (types.length > 0) made['type'] = types.length === 1 ? types[0] : types;
  convertValues(written, types, at, converting, made);
  const known = readFormat(own(written, 'format') ?? format, types, converting.isOddFormat);
  if (known !== undefined) made['format'] = known;
  const limits = readLimits(written, types);
  Object.assign(made, limits.kept);
  for (const { keyword, reason } of limits.ignored)
    converting.ignored(within(at, keyword), `${keyword}: ${printShort(written[keyword])}`, reason);
  addNote(made, limits.note);
  convertPattern(written, types, at, converting, made);
  return types;
}

function convertType(
  written: JsonSchemaObject,
  at: Place,
  { ignored }: Converting,
): { readonly types: readonly string[]; readonly format?: string | undefined } {
  const { types, format, unknown } = readTypes(own(written, 'type'));
  for (const one of unknown) ignored(within(at, 'type'), `type: ${printShort(one)}`, 'there is no such type');
  if (types.length > 0) return { types, format };
  if (isMap(own(written, 'properties')) || isMap(own(written, 'additionalProperties'))) return { types: ['object'] };
  return isMap(own(written, 'items')) ? { types: ['array'] } : { types, format };
}

function convertValues(
  written: JsonSchemaObject,
  types: readonly string[],
  at: Place,
  { ignored }: Converting,
  made: Made,
): void {
  const constant = toType(own(written, 'const'), types);
  if (constant !== undefined) {
    made['const'] = constant;
    addType(made, types, [constant]);
  }
  const members = own(written, 'enum');
  // What a list of them may hold belongs to the items; see there.
  if (members === undefined || isOfItems(members, types)) return;
  if (!Array.isArray(members)) {
    ignored(within(at, 'enum'), `enum: ${printShort(members)}`, 'it is not a list');
    return;
  }
  const { values, dropped } = readEnum(members, types);
  // Null is said by `nullable`, and in 3.0 many write it here as well.
  for (const one of dropped)
    if (one !== null) ignored(within(at, 'enum'), printShort(one), `it is not of the type ${types.join(' or ')}`);
  if (values === undefined) return;
  made['enum'] = values;
  addType(made, types, values);
}

/** Clients and people want a type, where the values leave no doubt. */
function addType(made: Made, types: readonly string[], values: readonly unknown[]): void {
  const found = types.length > 0 ? [] : typesOf(values);
  if (found.length === 1 || found.length === 2) made['type'] = found.length === 1 ? found[0] : found;
}

/** An enum beside `type: array` mostly lists what the items may be. */
function isOfItems(members: unknown, types: readonly string[]): members is readonly unknown[] {
  return types.includes('array') && Array.isArray(members) && members.length > 0 && !members.some(Array.isArray);
}

function convertPattern(
  written: JsonSchemaObject,
  types: readonly string[],
  at: Place,
  { ignored }: Converting,
  made: Made,
): void {
  const pattern = own(written, 'pattern');
  if (typeof pattern !== 'string' || pattern === '' || (types.length > 0 && !types.includes('string'))) return;
  const usable = toPattern(pattern);
  if (usable !== undefined) made['pattern'] = usable;
  else {
    ignored(within(at, 'pattern'), `pattern: ${pattern}`, notUsable);
    addNote(made, pattern.length <= 200 ? `Pattern: ${pattern}` : undefined);
  }
}

/** The enum of the items of a list, where it stands beside the list. */
export function enumOfItems(
  written: JsonSchemaObject,
  types: readonly string[],
  { type, enum: listed }: JsonSchemaObject,
): JsonSchemaObject {
  const { enum: members } = written;
  if (listed !== undefined || !isOfItems(members, types)) return {};
  const { values } = readEnum(members, typeof type === 'string' ? [type] : asList(type).map(String));
  return values === undefined ? {} : { enum: values };
}

/** Those that restrict nothing. */
export function convertWords(written: JsonSchemaObject, made: Made): void {
  const several = own(written, 'examples');
  const listed = Array.isArray(several)
    ? several
    : Object.values(asMap(several)).map(one => asMap(one)['value'] ?? one);
  const examples = [...(Object.hasOwn(written, 'example') ? [written['example']] : []), ...listed];
  if (Object.hasOwn(written, 'default')) made['default'] = written['default'];
  if (examples.length > 0) made['examples'] = examples;
  for (const key of ['deprecated', 'readOnly', 'writeOnly'] as const)
    if (readSwitch(own(written, key)) === true) made[key] = true;
  for (const key of ['contentEncoding', 'contentMediaType'] as const) {
    const word = own(written, key);
    if (typeof word === 'string') made[key] = word;
  }
}
