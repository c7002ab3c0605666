// In: a schema. Out: which properties validators have filled in once they are done with it, and which it requires.
// Of several schemas for the same value one can require what another has filled in before.
import { isSchemaObject, type JsonSchemaObject, own } from '../../../schema/json-schema/keywords.js';
import { listOf } from './value-types.js';

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
