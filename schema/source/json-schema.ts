// JSON Schema itself, as authors write it under inputSchema, outputSchema and below anyOf, $defs and the like.
import {
  annotationKeywords,
  applicatorKeywords,
  referenceKeywords,
  structureKeywords,
  valueKeywords,
} from './keywords.js';
import { documented, type Fields, type Schema, snippet, text, use } from './shape.js';

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
    snippet('file', 'A schema in a file of its own', { file: '${1:mcp/schemas/${2:name}.json}' }),
  ],
};

export const jsonSchemaDefinitions: Fields = { jsonSchema, rootSchema };
