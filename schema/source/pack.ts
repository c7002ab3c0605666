// toolwright.yaml: who the pack is, where its files are, what it declares and which configuration it reads.
import { configLimits } from '../config-limits.js';
import { configTypes } from '../definitions.js';
import { backends } from './backends.js';
import { annotationKeywords, typeOr, valueKeywords } from './keywords.js';
import {
  closed,
  documented,
  type Fields,
  flag,
  flagName,
  itemName,
  keysFollow,
  list,
  map,
  members,
  nonEmpty,
  packName,
  type Schema,
  snippet,
  text,
  use,
  variableName,
} from './shape.js';
import { handler, isolation, optionTypes, path, schemaKey, setting, words } from './traits.js';

type Kind = 'server' | 'tool' | 'prompt' | 'resource' | 'schema';

const name: Schema = text('The item name: file name or key of the definition.', 'name: get-issue', { ...itemName });

const description: Schema = text(
  'A short description for people who read only this list. The definition may say more.',
  'description: Get a Jira issue by its key',
);

/** Name, [name, description] or an object: three types, so that one schema without a union says it all. */
function declaration(kind: Kind, extra: Fields): Schema {
  return {
    title: `Declaration of a ${kind}`,
    ...documented(
      `A ${kind} in the pack: its name, [name, description], or an object.`,
      '- create-issue\n- [get-issue, Get a Jira issue by its key]\n- name: search-issues\n  description: Search issues with JQL',
    ),
    type: ['string', 'array', 'object'],
    ...itemName,
    items: [{ type: 'string', ...itemName }, { type: 'string' }],
    minItems: 2,
    maxItems: 2,
    properties: { name, description, ...extra },
    required: ['name'],
    additionalProperties: false,
    defaultSnippets: [
      snippet(`${kind} declaration`, `A ${kind} with its description`, {
        name: '${1:name}',
        description: '${2:What it is}',
      }),
    ],
  };
}

const declared = (kind: Kind): Schema =>
  list(
    `The ${kind}s in the pack, in this order. Others do not exist.`,
    `${kind}s:\n  - first\n  - [second, What it does]`,
    use(`${kind}Declaration`),
  );

const config: Schema = map(
  'Configuration',
  {
    description: 'Configuration and secrets that handlers read from the environment as `ctx.config`, by variable name.',
    example:
      'config:\n  JIRA_URL: string\n  JIRA_TOKEN: { type: string, secret: true }\n  JIRA_LIMIT: { type: integer, default: 50, maximum: 100 }',
  },
  use('configEntryOrType'),
  {
    ...keysFollow(variableName),
    defaultSnippets: [
      snippet('setting', 'A variable with a default', {
        '${1:NAME}': {
          type: '${2|string,integer,number,boolean,array|}',
          description: '${3:What it is}',
          default: '${4:value}',
        },
      }),
      snippet('secret', 'A secret', {
        '${1:API_TOKEN}': { type: 'string', secret: true, description: '${2:Where to get it}' },
      }),
    ],
  },
);

/** The keywords of parameters that say which values are allowed. */
const limits: Fields = Object.fromEntries(
  configLimits.map(keyword => [keyword, valueKeywords[keyword] ?? annotationKeywords[keyword] ?? {}]),
);

const configEntry: Schema = setting(
  'Configuration entry',
  configTypes,
  {
    secret: flag('Never shown, never logged.', 'secret: true', { default: false }),
    description: text('What it is and where to get it.', 'description: API token, from the account page'),
    ...limits,
    flag: text(
      'The name of a flag that sets it on the command line of a server: `caps` is `--caps`. It takes precedence over the environment.',
      'flag: caps',
      { ...flagName },
    ),
    argument: {
      ...documented(
        'Its place among the words of the command line that are not flags: 1 is the first, `rest` all that are left.',
        'argument: rest',
      ),
      type: ['integer', 'string'],
      minimum: 1,
      if: { type: 'string' },
      then: members({ rest: 'All words that no other key takes; the key is an array.' }),
    },
  },
  documented('An environment variable.', 'JIRA_TOKEN: { type: string, secret: true, description: API token }'),
  { type: 'string' },
);

const configEntryOrType: Schema = typeOr(
  'object',
  {
    title: 'Configuration entry',
    ...documented(
      'A type name, or an entry with its description and limits.',
      'JIRA_URL: string\nJIRA_TOKEN: { type: string, secret: true, description: API token }',
    ),
    examples: configTypes,
  },
  members(Object.fromEntries(configTypes.map(type => [type, optionTypes[type]]))),
  use('configEntry'),
);

const fields: Fields = {
  $schema: schemaKey('pack', '.'),
  name: text('publisher/pack or pack. It must match the name in package.json, if there is one.', 'name: acme/jira', {
    ...packName,
  }),
  version: text('The pack version, in quotes if it looks like a number.', 'version: 1.2.0', {
    ...nonEmpty,
  }),
  description: text('What the pack is for.', 'description: Jira issues and projects'),
  root: path('The folder for definitions.', 'root: mcp', { default: 'mcp' }),
  generated: path('The folder for generated code.', 'generated: generated', { default: 'generated' }),
  handlers: path('The folder for handlers.', 'handlers: src', { default: 'src' }),
  dist: path('The folder for compiled handlers in published packs.', 'dist: dist', { default: 'dist' }),
  servers: declared('server'),
  tools: declared('tool'),
  prompts: declared('prompt'),
  resources: declared('resource'),
  schemas: declared('schema'),
  context: handler(
    'A function that creates the state that handlers share as `ctx.app`: path#export.',
    'context: src/context.ts#create',
  ),
  isolate: isolation('Where handlers of tools run, unless a tool says it itself.', 'isolate: thread'),
  config,
  backends,
};

const pack: Schema = closed('Pack', fields, {
  ...documented(
    'The manifest of a pack. Everything is optional.',
    'name: acme/jira\ntools:\n  - get-issue\n  - [search-issues, Search issues with JQL]',
  ),
});

const declaredNames = (kind: string): Schema =>
  words(`Names of the ${kind}s it has, for people who read only this list.`, `${kind}s: [first, second]`);

export const packDefinitions: Fields = {
  pack,
  configEntry,
  configEntryOrType,
  serverDeclaration: declaration('server', {
    tools: declaredNames('tool'),
    prompts: declaredNames('prompt'),
    resources: declaredNames('resource'),
  }),
  toolDeclaration: declaration('tool', { parameters: declaredNames('parameter') }),
  promptDeclaration: declaration('prompt', { arguments: declaredNames('argument') }),
  resourceDeclaration: declaration('resource', {
    uri: text('The address or template of the resource.', 'uri: jira://issue/{issueKey}', { ...nonEmpty }),
  }),
  schemaDeclaration: declaration('schema', {}),
};
