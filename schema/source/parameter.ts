// The shorthand for input and output: parameters that say themselves whether they are required.
import {
  annotationKeywords,
  applicatorKeywords,
  parameterType,
  referenceKeywords,
  typeNames,
  typeOr,
  valueKeywords,
} from './keywords.js';
import { anything, documented, type Fields, flag, map, needsOneOf, type Schema, snippet, text, use } from './shape.js';

const typeChoices = '${2|string,integer,number,boolean,array,object|}';

const newParameters: readonly Schema[] = [
  snippet('parameter', 'A required parameter', {
    '${1:name}': { type: typeChoices, description: '${3:What it means, with an example}' },
  }),
  snippet('optional parameter', 'A parameter with a default', {
    '${1:name}': { type: typeChoices, description: '${3:What it means}', default: '${4:value}' },
  }),
  snippet('choice', 'A parameter with a fixed set of values', {
    '${1:name}': { type: 'string', description: '${2:What it means}', enum: ['${3:one}', '${4:other}'] },
  }),
  snippet('list', 'A list of values', {
    '${1:name}': { type: 'array', description: '${3:What it holds}', items: typeChoices },
  }),
];

const fields: Fields = {
  type: parameterType,
  description: text(
    'What the parameter means. Models read it: state the expected format and give an example.',
    'description: Key of the issue, such as PROJ-123',
  ),
  required: flag('A parameter is required unless this is false or it has a default.', 'required: false', {
    examples: [false],
  }),
  default: anything('The value used if the caller gives none; makes the parameter optional.', 'default: 50'),
  enum: valueKeywords['enum'] ?? {},
  items: use(
    'parameterOrType',
    'What the list holds: a type name, or a parameter with details.',
    'items: string\n# or\nitems: { type: object, properties: { id: string } }',
  ),
  properties: use(
    'parameters',
    'The keys of the object, in the same shorthand; they are required unless they say otherwise.',
    'properties:\n  city: string\n  zip: { type: string, required: false }',
  ),
  from: text(
    'Where the value comes from instead of the caller. `config.KEY`: what the operator has set; the parameter is not listed then, and an ordinary one otherwise. `auth.sub`, `auth.clientId` or another claim of the token: never listed, and calls without it are refused.',
    'from: config.ORG\n# or\nfrom: auth.sub',
    {
      pattern: '^(?:config|auth)\\.[A-Za-z_][A-Za-z0-9_-]*$',
      patternErrorMessage: 'a source is config.KEY, as in config.ORG, or auth.CLAIM, as in auth.sub',
    },
  ),
  header: text(
    'Repeats the argument as the HTTP header Mcp-Param-<name>, for gateways. Strings, integers and booleans only.',
    'header: Region',
  ),
};

/** Every keyword but those whose list form belongs to raw schemas; `fields` come first and win. */
const keywords: Fields = {
  ...fields,
  ...annotationKeywords,
  ...valueKeywords,
  ...applicatorKeywords,
  ...referenceKeywords,
  ...fields,
};

const parameter: Schema = {
  title: 'Parameter',
  ...documented(
    'One parameter: its type, meaning and allowed values. Every JSON Schema keyword may be used.',
    'issueKey:\n  type: string\n  description: Key of the issue, such as PROJ-123\nlimit:\n  type: integer\n  default: 50',
  ),
  type: 'object',
  properties: keywords,
  patternProperties: { '^x-': {} },
  additionalProperties: false,
  ...needsOneOf('type', ['enum', 'const', '$ref', 'anyOf', 'oneOf', 'allOf', 'not', 'if', 'properties', 'items']),
};

const parameterOrType: Schema = typeOr(
  'object',
  {
    title: 'Parameter',
    ...documented(
      'A type name, or a parameter with its description and limits.',
      'issueKey: string\nlimit: { type: integer, default: 50 }',
    ),
    // Offered after `name: `. Snippets would be offered among the keys of a parameter, too.
    examples: typeNames['enum'],
  },
  typeNames,
  use('parameter'),
);

const parameters: Schema = map(
  'Parameters',
  {
    description: 'Parameters by name, in the order clients see. `name: string` is short for `name: { type: string }`.',
    example: 'issueKey: string\nlimit: { type: integer, default: 50 }',
  },
  use('parameterOrType'),
  { defaultSnippets: newParameters },
);

export const parameterDefinitions: Fields = { parameter, parameterOrType, parameters };
