// In: a schema. Out: of which of the six types of JSON its values can be, as a set of bits.
import { isSchemaObject, type JsonSchemaObject, own } from '../../../schema/json-schema/keywords.js';

export const valueTypes = { string: 1, number: 2, boolean: 4, object: 8, array: 16, null: 32 } as const;
export const allTypes = 63;

const bitsByName: ReadonlyMap<unknown, number> = new Map<unknown, number>([
  ...Object.entries(valueTypes),
  ['integer', valueTypes.number],
]);

/** What `type` alone allows. A name that nobody knows forbids nothing. */
export function declaredTypes(schema: JsonSchemaObject): number {
  const type = own(schema, 'type');
  if (type === undefined) return allTypes;
  if (typeof type === 'string' && !Object.hasOwn(schema, 'nullable')) return bitsByName.get(type) ?? allTypes;
  let bits = 0;
  for (const name of Array.isArray(type) ? type : [type]) bits |= bitsByName.get(name) ?? allTypes;
  // A word of OpenAPI that ajv knows as well.
  return own(schema, 'nullable') === true ? bits | valueTypes.null : bits;
}

export function typeOfValue(value: unknown): number {
  if (value === null) return valueTypes.null;
  if (Array.isArray(value)) return valueTypes.array;
  return bitsByName.get(typeof value) ?? 0;
}

const deepest = 100;

/** Follows references and compositions; `follow` gives the schemas that a schema refers to. */
export function makePossibleTypes(
  follow: (schema: JsonSchemaObject) => readonly (JsonSchemaObject | boolean)[],
): (schema: unknown) => number {
  const known = new Map<JsonSchemaObject, number>();
  const possible = (schema: unknown, depth: number): number => {
    if (schema === false) return 0;
    if (!isSchemaObject(schema) || depth > deepest) return allTypes;
    const done = known.get(schema);
    if (done !== undefined) return done;
    // Until it is known, a schema that leads back here allows everything: too wide is never wrong.
    known.set(schema, allTypes);
    let bits = ownTypes(schema);
    for (const target of follow(schema)) bits &= possible(target, depth + 1);
    for (const member of listOf(schema, 'allOf')) bits &= possible(member, depth + 1);
    for (const keyword of ['anyOf', 'oneOf']) {
      const members = listOf(schema, keyword);
      if (members.length > 0) bits &= members.reduce<number>((sum, one) => sum | possible(one, depth + 1), 0);
    }
    known.set(schema, bits);
    return bits;
  };
  return schema => possible(schema, 0);
}

/** What `type`, `const` and `enum` allow. */
export function ownTypes(schema: JsonSchemaObject): number {
  const declared = declaredTypes(schema);
  if (Object.hasOwn(schema, 'const')) return declared & typeOfValue(schema['const']);
  const members = own(schema, 'enum');
  if (!Array.isArray(members)) return declared;
  return declared & members.reduce<number>((bits, value) => bits | typeOfValue(value), 0);
}

/** The members of a keyword that holds a list of schemas. */
export function listOf(schema: JsonSchemaObject, keyword: string): readonly unknown[] {
  const value = own(schema, keyword);
  return Array.isArray(value) ? value : [];
}

// In: a schema. Out: which properties validators have filled in once they are done with it, and which it requires.
// Of several schemas for the same value one can require what another has filled in before.
type Follow = (schema: JsonSchemaObject) => readonly (JsonSchemaObject | boolean)[];

export interface FilledNames {
  after(schema: unknown): ReadonlySet<string>;
  /** Those of the names that the schema, or one that it applies to the same value, requires. */
  required(schema: JsonSchemaObject, names: ReadonlySet<string>): ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

/** Of documents in which nothing is filled in, or where that does not matter. */
export const nothingFilled: FilledNames = { after: () => none, required: () => none };

/** `follow` gives the schemas that a schema refers to. */
export function makeFilledNames(follow: Follow): FilledNames {
  const filled = collector(
    schema => [...follow(schema), ...listOf(schema, 'allOf'), ...conditionalsOf(schema)],
    schema => defaultsOf(schema),
  );
  const required = collector(
    schema => [...follow(schema), ...['allOf', 'anyOf', 'oneOf'].flatMap(keyword => listOf(schema, keyword))],
    schema => listOf(schema, 'required').map(String),
  );
  return {
    after: schema => (isSchemaObject(schema) ? filled(schema) : none),
    required: (schema, names) => {
      if (names.size === 0) return none;
      const wanted = required(schema);
      return new Set([...names].filter(name => wanted.has(name)).sort());
    },
  };
}

/** Collects names of all schemas that a schema leads to, once for each schema. */
function collector(
  nextOf: (schema: JsonSchemaObject) => readonly unknown[],
  namesOf: (schema: JsonSchemaObject) => readonly string[],
): (schema: JsonSchemaObject) => ReadonlySet<string> {
  const known = new Map<JsonSchemaObject, ReadonlySet<string>>();
  return start => {
    const done = known.get(start);
    if (done !== undefined) return done;
    const names = new Set<string>();
    const seen = new Set([start]);
    // A set goes on to what is added to it meanwhile.
    for (const schema of seen) {
      for (const name of namesOf(schema)) names.add(name);
      for (const next of nextOf(schema)) if (isSchemaObject(next)) seen.add(next);
    }
    known.set(start, names);
    return names;
  };
}

function conditionalsOf(schema: JsonSchemaObject): unknown[] {
  const maps = ['dependentSchemas', 'dependencies'].map(keyword => own(schema, keyword)).filter(isSchemaObject);
  return [own(schema, 'then'), own(schema, 'else'), ...maps.flatMap(map => Object.values(map))];
}

function defaultsOf(schema: JsonSchemaObject): string[] {
  const properties = own(schema, 'properties');
  if (!isSchemaObject(properties)) return [];
  return Object.keys(properties).filter(name => {
    const property = properties[name];
    return isSchemaObject(property) && Object.hasOwn(property, 'default');
  });
}
