// A server: which items it serves, over which transport, to whom.
import {
  choice,
  closed,
  documented,
  type Fields,
  flag,
  headerName,
  list,
  nonEmpty,
  reference,
  type Schema,
  snippet,
  text,
  urlPath,
  use,
  variableName,
  whole,
} from './shape.js';
import { cacheHints, enabled, handler, icons, paragraphsOrFile, schemaKey, textOrFile, when, words } from './traits.js';

const lacks = (key: string): Schema => ({ not: { required: [key] } });

/** References, selectors and inline definitions mix; the type or the keys say which one an entry is. */
const served = (kind: 'tool' | 'prompt' | 'resource', example: string, body: Schema): Schema =>
  list(
    `The ${kind}s it serves: names, patterns such as get-*, tags as in { tag: issues }, both with conditions, or definitions with a name. [] serves none.`,
    example,
    {
      title: `Reference, tag or ${kind}`,
      type: ['string', 'object'],
      ...reference,
      if: { type: 'object', required: ['tag'] },
      then: use('tagSelector'),
      else: {
        if: { type: 'object', required: ['item'], ...lacks('name') },
        then: use('itemSelector'),
        else: {
          // One key that is neither: a misspelt `tag` is one mistake, not a definition without a name.
          if: { type: 'object', maxProperties: 1, allOf: [lacks('name'), lacks('description')] },
          then: use('tagSelector'),
          else: { required: ['name'], if: { type: 'object' }, then: use(kind) },
        },
      },
      defaultSnippets: [
        snippet('by tag', `All ${kind}s in the pack that have a tag`, { tag: '${1:tag}' }),
        snippet('with a condition', `A ${kind} that only some configurations have`, {
          item: '${1:name}',
          when: { '${2:KEY}': '${3:value}' },
        }),
        snippet(`inline ${kind}`, `A ${kind} that only this server has`, body),
      ],
    },
  );

const tagSelector: Schema = closed(
  'Tag',
  {
    tag: text('Every item in the pack with this tag.', 'tag: issues', { ...nonEmpty }),
    when,
  },
  { ...documented('Selects the items in the pack that have a tag.', '- tag: issues'), required: ['tag'] },
);

const itemSelector: Schema = closed(
  'Item with a condition',
  {
    item: text('The item, or a pattern: as it would stand in the list alone.', 'item: delete-*', { ...reference }),
    when,
  },
  {
    ...documented('Lists an item only if a condition holds.', '- { item: delete-*, when: { READ_ONLY: false } }'),
    required: ['item', 'when'],
  },
);

const http: Schema = closed(
  'HTTP',
  {
    host: text('The address to listen on. Any address but loopback needs `auth`.', 'host: 127.0.0.1', {
      ...nonEmpty,
      default: '127.0.0.1',
    }),
    port: whole('The port to listen on; 0 picks a free one.', 'port: 3000', {
      minimum: 0,
      maximum: 65_535,
      default: 3000,
    }),
    path: text('The path of the endpoint.', 'path: /mcp', { ...urlPath, default: '/mcp' }),
    allowedHosts: words('Host header values that are accepted.', 'allowedHosts: [mcp.example.com]'),
    allowedOrigins: words('Origin header values that are accepted.', 'allowedOrigins: ["https://app.example.com"]'),
    cors: flag('Answers browsers on other origins.', 'cors: true', { default: false }),
    maxBodyBytes: whole('The largest request body, in bytes.', 'maxBodyBytes: 1048576', {
      minimum: 1,
      default: 4_194_304,
    }),
    headers: list('Request headers that handlers see in `ctx.request.headers`.', 'headers: [x-tenant, x-request-id]', {
      type: 'string',
      ...headerName,
    }),
  },
  documented('How the server listens with `transport: http`.', 'http:\n  port: 3000\n  path: /mcp'),
);

const authType = choice('How callers authenticate.', 'type: bearer', {
  bearer: 'A fixed token from an environment variable.',
  oauth: 'An access token (JWT) from an OAuth issuer.',
});

const bearerAuth: Schema = closed(
  'Bearer token',
  {
    type: authType,
    env: text('The environment variable that holds the token.', 'env: MCP_TOKEN', { ...variableName }),
  },
  { ...documented('A fixed token from the environment.', 'type: bearer\nenv: MCP_TOKEN'), required: ['type', 'env'] },
);

const oauthAuth: Schema = closed(
  'OAuth',
  {
    type: authType,
    issuer: text('The address of the issuer.', 'issuer: https://login.example.com', { ...nonEmpty }),
    audience: text('The audience that tokens must have.', 'audience: https://mcp.example.com', { ...nonEmpty }),
    jwks: text('The address of the signing keys.', 'jwks: https://login.example.com/keys', {
      ...nonEmpty,
    }),
    scopes: words('Scopes that every caller needs.', 'scopes: [mcp]'),
  },
  {
    ...documented(
      'Access tokens from an OAuth issuer.',
      'type: oauth\nissuer: https://login.example.com\naudience: https://mcp.example.com',
    ),
    required: ['type', 'issuer', 'audience'],
  },
);

const isOfType = (type: string): Schema => ({ properties: { type: { const: type } }, required: ['type'] });

const auth: Schema = {
  title: 'Auth',
  ...documented('Who may call over HTTP.', 'auth: { type: bearer, env: MCP_TOKEN }'),
  type: 'object',
  properties: { type: authType },
  required: ['type'],
  if: isOfType('bearer'),
  then: use('bearerAuth'),
  else: { if: isOfType('oauth'), then: use('oauthAuth') },
  defaultSnippets: [
    snippet('bearer', 'A fixed token from the environment', { type: 'bearer', env: '${1:MCP_TOKEN}' }),
    snippet('oauth', 'Tokens from an OAuth issuer', {
      type: 'oauth',
      issuer: '${1:https://login.example.com}',
      audience: '${2:https://mcp.example.com}',
    }),
  ],
};

const fields: Fields = {
  $schema: schemaKey('server'),
  name: text('The name that clients see.', 'name: project-management', { ...nonEmpty }),
  title: text('Display name of the server.', 'title: Project management'),
  description: textOrFile(
    'What the server is for, in a sentence or two: clients show it to people who are choosing servers. A string, or a Markdown file.',
    'description: Issues, projects and boards.',
  ),
  version: text('The version that clients see.', 'version: 1.2.0', { ...nonEmpty }),
  instructions: paragraphsOrFile(
    'What the model reads about the server as a whole: text, a list of paragraphs, or a Markdown file.',
    'instructions:\n  - Look for an issue before creating one.\n# or\ninstructions: { file: docs/instructions.md }',
  ),
  tools: served('tool', 'tools:\n  - get-issue\n  - search-*\n  - { tag: boards }', {
    name: '${1:name}',
    description: '${2:What it does and returns}',
    handler: '${3:src/tools/name.ts}',
  }),
  prompts: served('prompt', 'prompts: [issue-text]', {
    name: '${1:name}',
    description: '${2:What it is for}',
    text: '${3:Text}',
  }),
  resources: served('resource', 'resources: [issue]', {
    name: '${1:name}',
    uri: '${2:scheme://path}',
    file: '${3:docs/file.md}',
  }),
  transport: choice(
    'How clients reach the server.',
    'transport: http',
    { stdio: 'The client starts it as a process.', http: 'It listens for requests (Streamable HTTP).' },
    { default: 'stdio' },
  ),
  http,
  auth,
  initialize: handler('A function that runs when the server starts: path#export.', 'initialize: src/start.ts#connect'),
  routes: handler(
    'A function that answers HTTP requests for paths of your own, beside the endpoint: path#export. It is behind the same checks and the same `auth`.',
    'routes: src/routes.ts',
  ),
  configName: text('The key of the server in client settings.', 'configName: jira', {
    ...nonEmpty,
  }),
  cache: cacheHints,
  strictArguments: flag(
    'Refuses arguments that are JSON in a string instead of parsing them.',
    'strictArguments: true',
    { default: false },
  ),
  pageSize: whole('Number of items on one page of a list.', 'pageSize: 50', { minimum: 1 }),
  enabled,
  icons,
  websiteUrl: text('A page about the server.', 'websiteUrl: https://example.com', { ...nonEmpty }),
};

const server: Schema = closed('Server', fields, {
  ...documented('A server in the pack.', 'description: Issues, projects and boards.\ntools: [get-issue, search-*]'),
});

export const serverDefinitions: Fields = { server, bearerAuth, oauthAuth, tagSelector, itemSelector };
