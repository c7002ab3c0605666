// In: a schema. Out: which properties validators have filled in once they are done with it, and which it requires.
// Of several schemas for the same value one can require what another has filled in before.
import { isSchemaObject, type JsonSchemaObject, own } from '../../schema/json-schema/keywords.js';
import { listOf } from './value-types.js';

type Follow = (schema: JsonSchemaObject) => readonly (JsonSchemaObject | boolean)[];

export interface FilledNames {
  after(schema: unknown): ReadonlySet<string>;
  /** Whether the schema, or one that it applies to the same value, requires one of the names. */
  isRequired(names: ReadonlySet<string>, schema: JsonSchemaObject): boolean;
}

const none: ReadonlySet<string> = new Set();

/** Of documents in which nothing is filled in, or where that does not matter. */
export const nothingFilled: FilledNames = { after: () => none, isRequired: () => false };

/** `follow` gives the schemas that a schema refers to. */
export function makeFilledNames(follow: Follow): FilledNames {
  const known = new Map<JsonSchemaObject, ReadonlySet<string>>();
  return {
    after: schema => {
      if (!isSchemaObject(schema)) return none;
      const done = known.get(schema);
      if (done !== undefined) return done;
      const names = new Set<string>();
      visit(
        schema,
        one => [...follow(one), ...listOf(one, 'allOf'), ...conditionalsOf(one)],
        one => {
          addDefaults(one, names);
        },
      );
      known.set(schema, names);
      return names;
    },
    isRequired: (names, schema) => {
      let found = false;
      visit(
        schema,
        one => [...follow(one), ...['allOf', 'anyOf', 'oneOf'].flatMap(key => listOf(one, key))],
        one => {
          found ||= listOf(one, 'required').some(name => names.has(String(name)));
        },
      );
      return found;
    },
  };
}

/** Calls `look` for all schemas that a schema leads to, each once. */
function visit(
  start: JsonSchemaObject,
  nextOf: (schema: JsonSchemaObject) => readonly unknown[],
  look: (schema: JsonSchemaObject) => void,
): void {
  const seen = new Set([start]);
  // A set goes on to what is added to it meanwhile.
  for (const schema of seen) {
    look(schema);
    for (const next of nextOf(schema)) if (isSchemaObject(next)) seen.add(next);
  }
}

function conditionalsOf(schema: JsonSchemaObject): unknown[] {
  const maps = ['dependentSchemas', 'dependencies'].map(keyword => own(schema, keyword)).filter(isSchemaObject);
  return [own(schema, 'then'), own(schema, 'else'), ...maps.flatMap(map => Object.values(map))];
}

function addDefaults(schema: JsonSchemaObject, names: Set<string>): void {
  const properties = own(schema, 'properties');
  if (!isSchemaObject(properties)) return;
  for (const name of Object.keys(properties)) {
    const property = properties[name];
    if (isSchemaObject(property) && Object.hasOwn(property, 'default')) names.add(name);
  }
}
