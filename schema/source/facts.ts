// What is to be known about single keys beyond their form. In: the definitions. Out: the same, with these facts as data (`x-toolwright`
// of the object that has the keys, because nothing but words may stand beside a reference) and in their descriptions.
import { isMap } from '../document.js';
import { exclusiveKeys } from '../exclusive-keys.js';
import { type KeyFacts, printFacts } from '../reference/facts.js';
import { keyFacts } from './key-facts.js';
import { keyGuides } from './key-guides.js';
import type { Fields, Schema } from './shape.js';

/** Every definition with the facts about its keys. A fact about a key that does not exist is a bug here. */
export function addFacts(definitions: Fields): Fields {
  const used = new Set<string>();
  const add = (schema: unknown, path: string): unknown => {
    if (Array.isArray(schema)) return schema.map(one => add(one, path));
    if (!isMap(schema)) return schema;
    const found: Record<string, KeyFacts> = {};
    const entries = Object.entries(schema).map(([keyword, value]) => {
      if (keyword !== 'properties' || !isMap(value)) return [keyword, inner.has(keyword) ? add(value, path) : value];
      const fields = Object.entries(value).map(([key, field]) => {
        const name = `${path}.${key}`;
        // A branch that only restricts a key says nothing about it.
        const facts = isMap(field) && 'description' in field ? factsOf(path, key) : undefined;
        if (facts === undefined) return [key, add(field, name)];
        used.add(name);
        found[key] = facts;
        return [key, describe(add(field, name) as Schema, facts)];
      });
      return [keyword, Object.fromEntries(fields)];
    });
    return { ...Object.fromEntries(entries), ...(Object.keys(found).length === 0 ? {} : { 'x-toolwright': found }) };
  };
  const result = Object.fromEntries(Object.entries(definitions).map(([name, schema]) => [name, add(schema, name)]));
  const unknown = [...Object.keys(keyFacts), ...Object.keys(keyGuides)].filter(key => !used.has(key));
  if (unknown.length > 0) throw new Error(`there are facts about keys that do not exist: ${unknown.join(', ')}`);
  return result as Fields;
}

/** The keywords that hold schemas of the same thing; conditions are not entered. */
const inner: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'allOf', 'then', 'else']);

function factsOf(path: string, key: string): KeyFacts | undefined {
  const name = `${path}.${key}`;
  const guide = keyGuides[name];
  const written = guide === undefined ? keyFacts[name] : { ...keyFacts[name], guide };
  const excludes = exclusiveKeys[path]?.find(keys => keys.includes(key))?.filter(one => one !== key);
  return excludes === undefined ? written : { ...written, excludes };
}

function describe(field: Schema, facts: KeyFacts): Schema {
  const words = printFacts(facts);
  if (words === '') return field;
  const { description, markdownDescription } = field;
  const [text = '', ...example] = String(markdownDescription).split('\n\n```yaml\n');
  return {
    ...field,
    description: `${String(description)}${words}`,
    markdownDescription: [`${text}${words}`, ...example].join('\n\n```yaml\n'),
  };
}
