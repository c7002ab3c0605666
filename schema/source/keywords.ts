// What editors know about JSON Schema. Out: every keyword of draft-07, 2019-09 and 2020-12 with its type and meaning.

import {
  anything,
  documented,
  either,
  type Fields,
  flag,
  list,
  map,
  members,
  type Schema,
  snippet,
  text,
  use,
  whole,
} from './shape.js';
import { optionTypes } from './traits.js';

const typeMeanings = {
  ...optionTypes,
  array: 'A list; `items` says of what.',
  object: 'A map; name its keys with `properties`.',
} as const;

/** The type names of the shorthand; `null` stands only in lists of types. */
export const typeNames: Schema = members(typeMeanings);

const typeNamesAndNull: Schema = members({ ...typeMeanings, null: 'Nothing.' });

/** A type name, or a form with more to say. */
export function typeOr(type: 'object' | 'array', words: Schema, names: Schema, more: Schema): Schema {
  return {
    ...words,
    type: ['string', type],
    if: { type: 'string' },
    then: { type: 'string', ...names },
    else: { if: { type }, then: more },
  };
}

/** Editors do not look into branches for the values of an empty field, so that the names stand outside again. */
const typeSnippets: readonly Schema[] = Object.entries(typeMeanings).map(([name, meaning]) =>
  snippet(name, meaning, name),
);

/** `type`: one name or a list of names. `single` says which names may stand alone. */
function typeField(single: Schema, description: string, example: string): Schema {
  return typeOr('array', { ...documented(description, example), defaultSnippets: typeSnippets }, single, {
    type: 'array',
    items: { type: 'string', ...typeNamesAndNull },
    minItems: 1,
    uniqueItems: true,
  });
}

export const parameterType: Schema = typeField(
  typeNames,
  'The type of the value: one name, or a list of names, which may include null.',
  'type: integer\n# or\ntype: [string, "null"]',
);

const schemaMap = (title: string, description: string, example: string): Schema =>
  map(title, { description, example }, use('jsonSchema'));

const schemaList = (description: string, example: string): Schema =>
  list(description, example, use('jsonSchema'), { minItems: 1 });

const nested = (description: string, example: string): Schema => use('jsonSchema', description, example);

/** What is most often false, sometimes a schema. */
const refusal = (description: string, example: string): Schema =>
  either({ ...documented(description, example), type: 'boolean' }, 'object', use('jsonSchema'));

const count = (description: string, example: string): Schema => whole(description, example, { minimum: 0 });

const amount = (description: string, example: string, more: Schema = {}): Schema => ({
  ...documented(description, example),
  type: 'number',
  ...more,
});

const names = (description: string, example: string): Schema =>
  list(description, example, { type: 'string' }, { uniqueItems: true });

/** Words about a value; they restrict nothing. */
export const annotationKeywords: Fields = {
  title: text('A short name for the value.', 'title: Issue key'),
  description: text('What the value means. Models read it.', 'description: Key of the issue, such as PROJ-123'),
  default: anything('The value used if none is given.', 'default: 50'),
  examples: list('Sample values. Models imitate them.', 'examples: [PROJ-123]', {}),
  deprecated: flag('Marks a value that should no longer be used.', 'deprecated: true'),
  readOnly: flag('The value is only ever sent by the owner of the data.', 'readOnly: true'),
  writeOnly: flag('The value is only ever sent to the owner of the data.', 'writeOnly: true'),
  format: text(
    'The format of a string. Checked: date-time, date, time, duration, email, hostname, ipv4, ipv6, uri, uuid, regex and others.',
    'format: date-time',
    { examples: ['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uuid'] },
  ),
  contentEncoding: text('How bytes are written as a string.', 'contentEncoding: base64', { examples: ['base64'] }),
  contentMediaType: text('The media type of the string content.', 'contentMediaType: application/json'),
  contentSchema: nested('The schema of the data inside the string.', 'contentSchema: { type: object }'),
  $comment: text('A note to readers of the schema; it has no effect.', '$comment: same as in the REST API'),
};

/** Which values of a type are allowed. */
export const valueKeywords: Fields = {
  enum: list('The allowed values.', 'enum: [open, closed]', {}),
  const: anything('The only allowed value.', 'const: 1'),
  multipleOf: amount('The number is a multiple of this one.', 'multipleOf: 5', { exclusiveMinimum: 0 }),
  minimum: amount('The smallest allowed number.', 'minimum: 1'),
  maximum: amount('The largest allowed number.', 'maximum: 100'),
  exclusiveMinimum: amount('The number is greater than this one.', 'exclusiveMinimum: 0'),
  exclusiveMaximum: amount('The number is less than this one.', 'exclusiveMaximum: 1'),
  minLength: count('The smallest length of a string.', 'minLength: 1'),
  maxLength: count('The largest length of a string.', 'maxLength: 200'),
  pattern: text(
    'A regular expression that the string must match (JavaScript, flag u). Single quotes keep backslashes.',
    "pattern: '^[A-Z]+-\\d+$'",
  ),
  minItems: count('The smallest length of a list.', 'minItems: 1'),
  maxItems: count('The largest length of a list.', 'maxItems: 20'),
  uniqueItems: flag('No two values in the list are equal.', 'uniqueItems: true'),
  minContains: count('The smallest number of values that match `contains`.', 'minContains: 1'),
  maxContains: count('The largest number of values that match `contains`.', 'maxContains: 3'),
  minProperties: count('The smallest number of keys.', 'minProperties: 1'),
  maxProperties: count('The largest number of keys.', 'maxProperties: 10'),
};

const tupleItems: Schema = {
  ...documented(
    'The schema for every value in the list. In draft-07 and 2019-09 also a list of schemas, one for each position.',
    'items: { type: string }',
  ),
  type: ['object', 'boolean', 'array'],
  if: { type: 'array' },
  then: { type: 'array', items: use('jsonSchema') },
  else: { if: { type: ['object', 'boolean'] }, then: use('jsonSchema') },
};

const dependencies: Schema = map(
  'dependencies',
  {
    description: 'draft-07: what else must hold if a key is present; newer: dependentRequired, dependentSchemas.',
    example: 'dependencies:\n  city: [country]',
  },
  {
    type: ['array', 'object', 'boolean'],
    items: { type: 'string' },
    if: { type: ['object', 'boolean'] },
    then: use('jsonSchema'),
  },
);

/** Schemas inside a schema, except `properties` and `items`, which the shorthand reads in its own way. */
export const applicatorKeywords: Fields = {
  patternProperties: schemaMap(
    'patternProperties',
    'Schemas for keys that match a regular expression.',
    "patternProperties:\n  '^x-': { type: string }",
  ),
  additionalProperties: refusal(
    'Schema for keys that are not described; false refuses them.',
    'additionalProperties: false',
  ),
  propertyNames: nested('Schema that every key must match.', "propertyNames: { pattern: '^[a-z]+$' }"),
  unevaluatedProperties: refusal(
    'Schema for keys that no part of this schema describes, including $ref and allOf.',
    'unevaluatedProperties: false',
  ),
  dependentSchemas: schemaMap(
    'dependentSchemas',
    'Further schemas that apply if a key is present.',
    'dependentSchemas:\n  city:\n    required: [country]',
  ),
  dependentRequired: map(
    'dependentRequired',
    { description: 'Keys that are required if a key is present.', example: 'dependentRequired:\n  city: [country]' },
    { type: 'array', items: { type: 'string' } },
  ),
  dependencies,
  prefixItems: schemaList(
    'Schemas for the first values in a list, by position.',
    'prefixItems: [{ type: string }, { type: integer }]',
  ),
  additionalItems: refusal('Schema for the values after a list of `items` (before 2020-12).', 'additionalItems: false'),
  contains: nested('Schema that at least one value in the list must match.', 'contains: { type: string }'),
  unevaluatedItems: refusal('Schema for values that no part of this schema describes.', 'unevaluatedItems: false'),
  allOf: schemaList('All of these schemas must match.', 'allOf:\n  - required: [city]'),
  anyOf: schemaList('At least one of these schemas must match.', 'anyOf:\n  - type: string\n  - type: integer'),
  oneOf: schemaList('Exactly one of these schemas must match.', 'oneOf:\n  - required: [id]\n  - required: [name]'),
  not: nested('This schema must not match.', 'not: { const: admin }'),
  if: nested('If this schema matches, `then` must match as well, otherwise `else`.', 'if: { required: [city] }'),
  then: nested('Holds where `if` holds.', 'then: { required: [country] }'),
  else: nested('Holds where `if` does not hold.', 'else: { required: [coordinates] }'),
};

/** Names and pointers inside one schema. Nothing outside is ever read. */
export const referenceKeywords: Fields = {
  $ref: text(
    'Points to a schema in the same document, or to a shared schema: `schema:<name>`.',
    "$ref: '#/$defs/address'\n# or\n$ref: schema:address",
  ),
  $defs: schemaMap('$defs', 'Schemas to point to with $ref.', '$defs:\n  address: { type: object }'),
  definitions: schemaMap('definitions', 'draft-07 name of $defs.', 'definitions:\n  address: { type: object }'),
  $anchor: text('A name for this schema, for $ref.', '$anchor: address'),
  $dynamicRef: text('Points to the outermost $dynamicAnchor of that name.', "$dynamicRef: '#node'"),
  $dynamicAnchor: text('A name that an outer schema can take over.', '$dynamicAnchor: node'),
  $recursiveRef: text('2019-09: points to the outermost recursive schema.', "$recursiveRef: '#'"),
  $recursiveAnchor: flag('2019-09: an outer schema can take over this one.', '$recursiveAnchor: true'),
  $id: text('The address of this schema.', '$id: https://example.com/issue'),
  $schema: text('The dialect.', '$schema: https://json-schema.org/draft/2020-12/schema', {
    examples: [
      'https://json-schema.org/draft/2020-12/schema',
      'https://json-schema.org/draft/2019-09/schema',
      'http://json-schema.org/draft-07/schema#',
    ],
  }),
  $vocabulary: map(
    '$vocabulary',
    { description: 'The vocabularies of a meta-schema.', example: "$vocabulary:\n  'https://example.com/vocab': true" },
    { type: 'boolean' },
  ),
};

/** The keywords that the shorthand reads in its own way, as plain JSON Schema has them. */
const structureKeywords: Fields = {
  type: typeField(
    typeNamesAndNull,
    'The type of the value: one name or a list of names.',
    'type: object\n# or\ntype: [string, "null"]',
  ),
  properties: schemaMap(
    'properties',
    'Schemas for the keys of an object.',
    'properties:\n  issueKey: { type: string }',
  ),
  required: names('The keys that must be present.', 'required: [issueKey]'),
  items: tupleItems,
};

// JSON Schema itself, as authors write it under inputSchema, outputSchema and below anyOf, $defs and the like.

const keywords: Fields = {
  ...structureKeywords,
  ...annotationKeywords,
  ...valueKeywords,
  ...applicatorKeywords,
  ...referenceKeywords,
  'x-mcp-header': text(
    'Repeats the argument as the HTTP header Mcp-Param-<name>, for gateways. Strings, integers and booleans only.',
    'x-mcp-header: Region',
  ),
};

const bodies = [
  snippet('object', 'An object with named keys', {
    type: 'object',
    properties: {
      '${1:name}': { type: '${2|string,integer,number,boolean,array,object|}', description: '${3:What it means}' },
    },
    required: ['${1:name}'],
  }),
];

/** A schema at any depth. Unknown keywords are allowed, as JSON Schema says. */
const jsonSchema: Schema = {
  title: 'JSON Schema',
  ...documented('A JSON Schema, dialect 2020-12 unless $schema says otherwise.', 'type: string\nminLength: 1'),
  type: ['object', 'boolean'],
  properties: keywords,
};

/** The root of an input or output: a schema, or the file that holds it. */
const rootSchema: Schema = {
  title: 'JSON Schema or file',
  ...documented(
    'A JSON Schema with an object at its root, or the JSON or YAML file that holds it.',
    'type: object\nproperties:\n  issueKey: { type: string }\nrequired: [issueKey]',
  ),
  type: 'object',
  if: { required: ['file'], not: { required: ['type'] } },
  then: use('fileReference'),
  else: { if: { type: 'object' }, then: use('jsonSchema') },
  defaultSnippets: [
    ...bodies,
    snippet('file', 'A schema in a separate file', { file: '${1:mcp/schemas/${2:name}.json}' }),
  ],
};

/** An item of its own, which definitions refer to by its name. */
const schema: Schema = {
  title: 'Shared schema',
  ...documented(
    'A JSON Schema that definitions refer to as `$ref: schema:<name>`. Clients get it under $defs, and code one type.',
    'type: object\nproperties:\n  key: { type: string }\n  parent: { $ref: schema:issue }\nrequired: [key]',
  ),
  type: 'object',
  properties: {
    ...keywords,
    $schema: text(
      'The dialect, or the schema for this file, for editors; the comment `# $schema: ...` does the same as the second.',
      '$schema: ../../node_modules/toolwright/schema/schema.schema.json',
    ),
  },
};

export const jsonSchemaDefinitions: Fields = { jsonSchema, rootSchema, schema };
