// Rules on parameters that we wrote the language for: names that nobody can use, and keywords that do nothing for the type beside them.
// Raw schemas often come from elsewhere, and the servers that they come from work, so they are left alone.
import type { CheckContext } from './check-context.js';
import { isSchemaObject, own, ownMap, typeNames } from './keywords.js';
import { pathOf, type SchemaNode } from './walk.js';

const numbers = ['integer', 'number'];

/** Of which types a keyword says something. */
const keywordTypes: ReadonlyMap<string, readonly string[]> = new Map(
  [
    { types: numbers, keywords: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] },
    // OpenAPI has formats of numbers.
    { types: ['string', ...numbers], keywords: ['format'] },
    { types: ['string'], keywords: ['minLength', 'maxLength', 'pattern', 'contentEncoding', 'contentMediaType'] },
    { types: ['array'], keywords: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains'] },
    {
      types: ['object'],
      keywords: ['properties', 'patternProperties', 'propertyNames', 'minProperties', 'maxProperties'],
    },
  ].flatMap(({ types, keywords }) => keywords.map(keyword => [keyword, types] as const)),
);

/** Which keyword limits values of a type, by the type of JSON Schema. */
const limits = {
  min: { string: 'minLength', array: 'minItems', object: 'minProperties', integer: 'minimum', number: 'minimum' },
  max: { string: 'maxLength', array: 'maxItems', object: 'maxProperties', integer: 'maximum', number: 'maximum' },
} as const;

/** The keyword that limits values of the first of these types. */
export function limitKeyword(side: 'min' | 'max', [type = '']: readonly string[]): string | undefined {
  return new Map<string, string>(Object.entries(limits[side])).get(type);
}

export function checkShorthand(node: SchemaNode, context: CheckContext): void {
  if (Object.hasOwn(node.schema, 'properties')) checkNames(node, context);
  if (Object.hasOwn(node.schema, 'type')) checkIdle(node, context);
}

function checkIdle(node: SchemaNode, context: CheckContext): void {
  const types = typeNames(own(node.schema, 'type'));
  if (types.length === 0) return;
  for (const keyword of Object.keys(node.schema)) {
    const meant = keywordTypes.get(keyword);
    if (meant === undefined || types.some(type => meant.includes(type))) continue;
    const params = { keyword, type: types.join(' or ') };
    const hint = otherKeyword(keyword, types) ?? `remove it, or write type: ${meant[0]}`;
    context.report('schema/idle-keyword', params, { path: [...pathOf(node), keyword], side: 'key' }, { hint });
  }
}

function otherKeyword(keyword: string, types: readonly string[]): string | undefined {
  const side = /^(?:exclusiveM|m)(in|ax)/.exec(keyword)?.[1];
  const other = side === undefined ? undefined : limitKeyword(side === 'in' ? 'min' : 'max', types);
  return other === undefined ? undefined : `did you mean ${JSON.stringify(other)}?`;
}

/** What the large model providers accept as the name of a property. */
const acceptedName = /^[A-Za-z0-9_.-]{1,64}$/;

function checkNames(node: SchemaNode, context: CheckContext): void {
  const properties = ownMap(node.schema, 'properties');
  for (const name of Object.keys(properties)) {
    if (acceptedName.test(name)) continue;
    const at = { path: [...pathOf(node), 'properties', name], side: 'key' } as const;
    const plain = name.slice(0, -1);
    if (name.endsWith('?') && acceptedName.test(plain)) {
      const member = properties[name];
      const type = isSchemaObject(member) ? own(member, 'type') : undefined;
      const isShort = isSchemaObject(member) && Object.keys(member).length === 1 && typeof type === 'string';
      const form = isShort ? `{ type: ${type}, required: false }` : '{ ..., required: false }';
      context.report('schema/optional-name', { name }, at, { hint: `write ${plain}: ${form}` });
    } else if (context.source.role === 'input') context.report('schema/property-name', { name }, at);
  }
}
