// What may be returned, read tolerantly. In: a converted schema. Out: the types and members that its value can have, all alternatives and parts
// taken together: what a service returns is described, not judged.
import { asList, asMap } from '../../../schema/document.js';
import { type JsonSchemaObject, jsonTypes, typeNames } from '../../../schema/json-schema/keywords.js';
import { typesOf } from './schema-values.js';
import { isEqual } from './schema-words.js';

export interface Shape {
  /** Undefined where anything fits. */
  readonly types: ReadonlySet<string> | undefined;
  readonly members: ReadonlyMap<string, JsonSchemaObject>;
  readonly required: ReadonlySet<string>;
  /** What members have that nobody names. */
  readonly others?: JsonSchemaObject | undefined;
  readonly items?: JsonSchemaObject | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** The component that it is, and nothing else. */
  readonly pointer?: string | undefined;
}

export type ReadShape = (schema: JsonSchemaObject) => Shape;

/** Of more alternatives only what they have in common is worth knowing. */
const mostJoined = 4;

/** Shapes are remembered: components are asked about again and again. */
export function makeShapes(at: (pointer: string) => JsonSchemaObject): ReadShape {
  const known = new WeakMap<JsonSchemaObject, Shape>();

  function read(schema: JsonSchemaObject): Shape {
    const before = known.get(schema);
    if (before !== undefined) return before;
    const made = readWhole(schema);
    known.set(schema, made);
    return made;
  }

  function readWhole(schema: JsonSchemaObject): Shape {
    const { $ref: ref } = schema;
    const parts = [
      ...(typeof ref === 'string' ? [{ ...read(at(ref)), pointer: read(at(ref)).pointer ?? ref }] : []),
      ...(asList(schema['allOf']) as readonly JsonSchemaObject[]).map(read),
      ...['anyOf', 'oneOf'].flatMap(key => {
        const alternatives = (asList(schema[key]) as readonly JsonSchemaObject[]).map(read);
        return alternatives.length === 0 ? [] : [either(alternatives)];
      }),
    ];
    const own = readOwn(schema);
    if (parts.length === 0) return own;
    const whole = [...parts, own].reduce(both);
    const pointer = parts.find(part => part.pointer !== undefined)?.pointer;
    const isAlone = pointer !== undefined && whole.members.size === read(at(pointer)).members.size;
    return { ...whole, pointer: isAlone ? pointer : undefined };
  }

  return read;
}

function readOwn(schema: JsonSchemaObject): Shape {
  const { type, properties, required, additionalProperties, items, title, description } = schema;
  const written = typeNames(type);
  const values = [...asList(schema['enum']), ...(Object.hasOwn(schema, 'const') ? [schema['const']] : [])];
  const types = written.length > 0 ? written : typesOf(values);
  return {
    types: types.length === 0 ? undefined : typeSet(types),
    members: properties === undefined ? noMembers : returnedMembers(asMap(properties)),
    required: required === undefined ? noNames : new Set(asList(required).map(String)),
    ...(typeof additionalProperties === 'object' ? { others: additionalProperties as JsonSchemaObject } : {}),
    ...(typeof items === 'object' ? { items: items as JsonSchemaObject } : {}),
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
  };
}

// Most schemas are a type and words, and documents have a hundred thousand of them: what these have in common is made once.
const noMembers: ReadonlyMap<string, JsonSchemaObject> = new Map();
const noNames: ReadonlySet<string> = new Set();
const setsOfOne = new Map<string, ReadonlySet<string>>();

function typeSet(types: readonly string[]): ReadonlySet<string> {
  const [first = ''] = types;
  if (types.length > 1) return new Set(types);
  const made = setsOfOne.get(first) ?? new Set(types);
  setsOfOne.set(first, made);
  return made;
}

function returnedMembers(properties: Readonly<Record<string, unknown>>): ReadonlyMap<string, JsonSchemaObject> {
  const members = new Map<string, JsonSchemaObject>();
  for (const name of Object.keys(properties)) {
    const member = properties[name] as JsonSchemaObject;
    if (member['writeOnly'] !== true) members.set(name, member);
  }
  return members;
}

/** A value that is both; words of the later are nearer. */
function both(one: Shape, other: Shape): Shape {
  const types =
    one.types === undefined ? other.types : other.types === undefined ? one.types : common(one.types, other.types);
  const members = new Map(one.members);
  for (const [name, member] of other.members) {
    const before = members.get(name);
    members.set(name, before === undefined || isEqual(before, member) ? member : { allOf: [before, member] });
  }
  return {
    types,
    members,
    required: new Set([...one.required, ...other.required]),
    others: other.others ?? one.others,
    items: other.items ?? one.items,
    title: other.title ?? one.title,
    description: other.description ?? one.description,
  };
}

/** Types that contradict each other are the document's mistake: then nothing is known. */
function common(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> | undefined {
  const kept = [...one].filter(type => other.has(type) || (type === 'integer' && other.has('number')));
  if (one.has('number') && other.has('integer')) kept.push('integer');
  return kept.length === 0 ? undefined : new Set(kept);
}

function either(all: readonly Shape[]): Shape {
  const isOpen = all.some(({ types }) => types === undefined);
  const types = new Set(all.flatMap(one => [...(one.types ?? [])]));
  if (types.has('number')) types.delete('integer');
  const objects = all.filter(one => one.members.size > 0 || one.others !== undefined || one.types?.has('object'));
  const [first] = objects;
  const lists = all.flatMap(({ items }) => (items === undefined ? [] : [items]));
  const items = distinct(lists);
  const said = { title: all.length === 1 ? all[0]?.title : undefined, description: undefined };
  return {
    ...said,
    types: isOpen ? undefined : types,
    members: joinMembers(objects),
    required: new Set([...(first?.required ?? [])].filter(name => objects.every(one => one.required.has(name)))),
    ...(objects.length === 1 ? { others: first?.others, pointer: first?.pointer } : {}),
    ...(items.length === 0 ? {} : { items: items.length === 1 ? items[0] : { anyOf: items } }),
  };
}

function joinMembers(objects: readonly Shape[]): ReadonlyMap<string, JsonSchemaObject> {
  const [first, ...rest] = objects;
  if (first === undefined || rest.length === 0) return first?.members ?? new Map();
  const names = new Set(objects.flatMap(({ members }) => [...members.keys()]));
  const members = new Map<string, JsonSchemaObject>();
  for (const name of names) {
    const found = objects.map(one => one.members.get(name)).filter(one => one !== undefined);
    if (objects.length > mostJoined && found.length < objects.length) continue;
    const different = distinct(found);
    const [only] = different;
    if (only !== undefined) members.set(name, different.length === 1 ? only : { anyOf: different });
  }
  return members;
}

function distinct(schemas: readonly JsonSchemaObject[]): readonly JsonSchemaObject[] {
  const seen = new Map(schemas.map(one => [JSON.stringify(one), one]));
  return [...seen.values()];
}

/** The types of a shape in one order, for all the same. */
export function typesInOrder({ types }: Shape): readonly string[] {
  if (types === undefined) return [];
  const known = ordered.get(types);
  if (known !== undefined) return known;
  const made = [...jsonTypes].filter(type => type !== 'null' && types.has(type));
  ordered.set(types, made);
  return made;
}

const ordered = new WeakMap<ReadonlySet<string>, readonly string[]>();
