// Keeps `uniqueItems` quick: ajv compares every item with every other, unless the schema says that they are scalars.
import type { Ajv, CodeKeywordDefinition, KeywordCxt } from 'ajv';
import type * as Library from '../../schema/json-schema/ajv.js';
import { typeNames } from '../../schema/json-schema/json-type.js';
import { isSchemaObject } from '../../schema/json-schema/keywords.js';
import { findSame } from '../../schema/support.js';

/** How code names our search; printed code imports it. */
export const findSameCode = 'require("toolwright/support").findSame';

/** Changes the rule of `uniqueItems` in one instance of ajv: it asks `findSame`, which names the same two items. */
export function searchByKeys<Core extends Pick<Ajv, 'RULES'>>(
  ajv: Core,
  { _, Name, stringify }: Pick<typeof Library, '_' | 'Name' | 'stringify'>,
): Core {
  const rule = ajv.RULES.all['uniqueItems'];
  if (typeof rule !== 'object') throw new Error('ajv has no rule of uniqueItems');
  // What countSteps gives every function.
  const steps = new Name('steps');
  const definition = rule.definition as CodeKeywordDefinition;
  definition.code = (context: KeywordCxt) => {
    const { gen, data, schema, parentSchema } = context;
    if (schema !== true) return;
    const find = gen.scopeValue('func', { ref: findSame, code: _`require("toolwright/support").findSame` });
    const same = gen.const('same', _`${find}(${data}, ${stringify(typesOfItems(parentSchema['items']))}, ${steps})`);
    context.setParams({ i: _`${same}.i`, j: _`${same}.j` });
    context.fail(_`${same} !== undefined`);
  };
  return ajv;
}

function typesOfItems(items: unknown): readonly string[] {
  if (!isSchemaObject(items)) return [];
  const types = typeNames(items['type']);
  return items['nullable'] === true && types.length > 0 ? [...types, 'null'] : types;
}
