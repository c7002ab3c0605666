// Schemas of what is sent. In: converted schemas. Out: the same without read-only members, with references to shared schemas; small components
// stand where they are used. What is shared depends on the component alone, so that it stays when operations come and go.
import { asList, isMap, omitKeys, setOwn } from '../../../schema/document.js';
import { type JsonSchemaObject, schemaKeywords } from '../../../schema/json-schema/keywords.js';
import { sharedPrefix } from '../../../schema/json-schema/refs.js';
import type { InputMembers } from './api.js';
import { partsOf, type SchemaGraph } from './schema-graph.js';
import type { SchemaNames } from './schema-names.js';
import { type PlainObject, readObject } from './schema-object.js';
import { makeSizes } from './schema-size.js';
import { keepFitting } from './schema-values.js';
import {
  combine,
  describeRequired,
  isEqual,
  joinNull,
  omitRequired,
  withoutIdleTitle,
  wordKeys,
} from './schema-words.js';

export interface InputSchemas {
  /** As it is written in an item. */
  link(schema: JsonSchemaObject): JsonSchemaObject;
  members(schema: JsonSchemaObject): InputMembers | undefined;
  /** Those that were referred to, by name. */
  readonly shared: ReadonlyMap<string, SharedInput>;
}

export interface SharedInput {
  readonly pointer: string;
  readonly schema: JsonSchemaObject;
}

/** The size from which a component is a schema of its own. A list of values is easier to read where it is used. */
const smallObject = 400;
const smallValue = 1500;

const shapes = schemaKeywords('2020-12');

/** What only says in which direction a value goes. */
const direction: readonly string[] = ['readOnly', 'writeOnly'];

export function makeInputSchemas(graph: SchemaGraph, names: SchemaNames): InputSchemas {
  const linked = new WeakMap<JsonSchemaObject, JsonSchemaObject>();
  const inlined = new Map<string, JsonSchemaObject>();
  const isShared = new Map<string, boolean>();
  const shared = new Map<string, SharedInput>();
  /** Of those, the ones that are not made yet. */
  const waiting = new Set<string>();
  const sizes = makeSizes();

  function link(schema: JsonSchemaObject): JsonSchemaObject {
    const known = linked.get(schema);
    if (known !== undefined) return known;
    const made = keepFitting(linkWhole(schema));
    linked.set(schema, made);
    return made;
  }

  function linkWhole(schema: JsonSchemaObject): JsonSchemaObject {
    const { $ref: ref, allOf } = schema;
    if (typeof ref === 'string') return linkRef(ref, schema);
    if (allOf !== undefined) return linkParts(schema);
    return joinNull(linkKeywords(schema));
  }

  function linkKeywords(schema: JsonSchemaObject): JsonSchemaObject {
    const made: Record<string, unknown> = {};
    const left = new Set<string>();
    for (const [key, value] of Object.entries(schema)) {
      if (direction.includes(key) || key.startsWith('x-')) continue;
      const shape = shapes.get(key);
      if (key === 'properties' && isMap(value)) made[key] = linkMembers(value, left);
      else if (shape === undefined || typeof value !== 'object' || value === null) made[key] = value;
      else if (Array.isArray(value)) made[key] = value.map(linkAny);
      else if (shape === 'map')
        made[key] = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, linkAny(one)]));
      else made[key] = linkAny(value);
    }
    return describeRequired(omitRequired(made, left));
  }

  function linkAny(value: unknown): unknown {
    return isMap(value) ? link(value) : value;
  }

  function linkMembers(members: JsonSchemaObject, left: Set<string>): JsonSchemaObject {
    const made: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(members)) {
      if (!isMap(member)) continue;
      if (isReadOnly(member)) left.add(name);
      else setOwn(made, name, withoutIdleTitle(link(member), name));
    }
    return made;
  }

  function isReadOnly(schema: JsonSchemaObject): boolean {
    const { readOnly, $ref: ref } = schema;
    return readOnly === true || (typeof ref === 'string' && graph.at(ref)['readOnly'] === true);
  }

  function linkRef(pointer: string, schema: JsonSchemaObject): JsonSchemaObject {
    const object = schema['properties'] === undefined || decide(pointer) ? undefined : readObject(schema, graph.at);
    if (object !== undefined) return linkObject(object);
    const beside = linkKeywords(omitKeys(schema, ['$ref']));
    return combine(refer(pointer), beside);
  }

  /** A component where it is used: by its name, or itself. */
  function refer(pointer: string): JsonSchemaObject {
    if (!decide(pointer)) return inlined.get(pointer) ?? {};
    const name = names.nameOf(pointer, 'input');
    if (!shared.has(name)) {
      // Known by its name before it is made: it may refer to itself, and thousands may refer to each other.
      shared.set(name, { pointer, schema: {} });
      waiting.add(name);
    }
    return { $ref: `${sharedPrefix}${name}` };
  }

  /** Makes what was referred to. */
  function settle<T>(made: T): T {
    for (const name of waiting) {
      waiting.delete(name);
      const { pointer } = shared.get(name) ?? {};
      if (pointer === undefined) continue;
      const schema = inlined.get(pointer) ?? link(graph.at(pointer));
      shared.set(name, { pointer, schema: withoutIdleTitle(schema, pointer) });
    }
    return made;
  }

  function decide(pointer: string): boolean {
    const known = isShared.get(pointer);
    if (known !== undefined) return known;
    if (graph.isRecursive(pointer)) {
      isShared.set(pointer, true);
      return true;
    }
    const schema = link(graph.at(pointer));
    const hasParts = !partsOf(schema).next().done;
    const isLarge = sizes.own(schema) > (hasParts ? smallObject : smallValue);
    inlined.set(pointer, schema);
    isShared.set(pointer, isLarge);
    return isLarge;
  }

  /** `allOf` of plain objects is one object: models read it more easily, and `additionalProperties: false` of one part refuses no other. */
  function linkParts(schema: JsonSchemaObject): JsonSchemaObject {
    const { allOf, ...beside } = schema;
    const all = asList(allOf).filter(isMap);
    const hasOnlyWords = (part: JsonSchemaObject): boolean => Object.keys(part).every(key => wordKeys.has(key));
    const parts = all.filter(part => !hasOnlyWords(part));
    const rest: JsonSchemaObject = Object.assign({}, ...all.filter(hasOnlyWords), beside);
    const [only] = parts;
    if (only === undefined) return joinNull(linkKeywords(rest));
    const isBare = Object.keys(rest).every(key => wordKeys.has(key) || key === 'type');
    if (parts.length === 1 && isBare && (rest['type'] === undefined || isEqual(typeOf(only), rest['type'])))
      return combine(link(only), linkKeywords(omitKeys(rest, ['type'])));
    // What refers to itself has to keep its name, or it would never end.
    const isEndless = parts.some(({ $ref: ref }) => typeof ref === 'string' && graph.isRecursive(ref));
    const object = isEndless ? undefined : readObject(schema, graph.at);
    if (object !== undefined && object.members.size > 0) return linkObject(object);
    return joinNull(linkKeywords(withoutRequired({ ...rest, allOf: parts })));
  }

  /** What one part says to be read-only, another one may require. */
  function withoutRequired(schema: JsonSchemaObject): JsonSchemaObject {
    const parts = asList(schema['allOf']) as readonly JsonSchemaObject[];
    const members = parts.flatMap(part => [...(readObject(part, graph.at)?.members ?? [])]);
    const left = new Set(members.flatMap(([name, member]) => (isReadOnly(member) ? [name] : [])));
    return left.size === 0
      ? schema
      : { ...omitRequired(schema, left), allOf: parts.map(part => omitRequired(part, left)) };
  }

  function typeOf({ type, $ref: ref }: JsonSchemaObject): unknown {
    return type === undefined && typeof ref === 'string' ? typeOf(graph.at(ref)) : type;
  }

  function linkObject(object: PlainObject): JsonSchemaObject {
    const { members, required, others, minProperties, maxProperties, isNullable, words: said } = object;
    const properties: Record<string, unknown> = {};
    for (const [name, member] of members) setOwn(properties, name, member);
    return linkKeywords({
      ...said,
      type: isNullable ? ['object', 'null'] : 'object',
      properties,
      ...(required.length > 0 ? { required } : {}),
      ...(others === undefined ? {} : { additionalProperties: others }),
      ...(minProperties === undefined ? {} : { minProperties }),
      ...(maxProperties === undefined ? {} : { maxProperties }),
    });
  }

  function members(schema: JsonSchemaObject): InputMembers | undefined {
    const object = readObject(schema, graph.at);
    if (object === undefined) return undefined;
    const { properties, required, additionalProperties, description, minProperties, maxProperties } =
      linkObject(object);
    const list = Object.entries(properties as Record<string, JsonSchemaObject>);
    const needed = asList(required).map(String);
    // How many there must be cannot be said of parameters that stand among others. Null says no more than no members.
    if (maxProperties !== undefined || Number(minProperties ?? 0) > needed.length) return undefined;
    if (list.length === 0 && additionalProperties !== false) return undefined;
    const others = additionalProperties as InputMembers['others'];
    return {
      members: new Map(list),
      required: needed,
      others: others === undefined && object.hasKinds ? true : others,
      ...(typeof description === 'string' ? { description } : {}),
    };
  }

  return { link: schema => settle(link(schema)), members: schema => settle(members(schema)), shared };
}
