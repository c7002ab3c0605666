// `backends` of toolwright.yaml: services, databases and other servers that tools talk to; and `http`, `sql` and `mcp`, which say of an item
// what it asks of them. Programs are in exec.ts.
import {
  anything,
  choice,
  closed,
  documented,
  either,
  type Fields,
  flag,
  itemName,
  keysFollow,
  list,
  map,
  members,
  needsOneOf,
  nonEmpty,
  type Schema,
  snippet,
  text,
  use,
  variableName,
  whole,
  word,
} from './shape.js';

const configKey = (description: string, example: string): Schema => text(description, example, { ...variableName });

const clientCredentials: Schema = closed(
  'Client credentials',
  {
    tokenUrl: text('The address of the token service.', 'tokenUrl: https://login.example.com/token', { ...nonEmpty }),
    id: configKey('The key of `config` with the client id.', 'id: CLIENT_ID'),
    secret: configKey('The key of `config` with the client secret.', 'secret: CLIENT_SECRET'),
    scope: text('The scopes to ask for, separated by spaces.', 'scope: issues.read', { ...nonEmpty }),
  },
  {
    ...documented(
      'A token from an OAuth token service (client credentials), kept until it expires.',
      'tokenUrl: https://login.example.com/token\nid: CLIENT_ID\nsecret: CLIENT_SECRET',
    ),
    required: ['tokenUrl', 'id', 'secret'],
  },
);

const callerToken: Schema = closed(
  "The caller's token",
  { audience: text('The audience that the token must have.', 'audience: https://api.example.com', { ...nonEmpty }) },
  {
    ...documented(
      'Sends the token that the caller sent to this server, if it is for the audience.',
      'audience: https://api.example.com',
    ),
    required: ['audience'],
  },
);

const backendAuth: Schema = closed(
  'Credentials',
  {
    bearer: configKey('The key of `config` with a bearer token.', 'bearer: JIRA_TOKEN'),
    basic: list(
      'The keys of `config` with user name and password.',
      'basic: [JIRA_USER, JIRA_PASSWORD]',
      { type: 'string', ...variableName },
      { minItems: 2, maxItems: 2 },
    ),
    header: text('The name of a header that has the key; `value` names the key of `config`.', 'header: X-Api-Key', {
      ...nonEmpty,
    }),
    query: text('The name of a query parameter that has the key; `value` names the key of `config`.', 'query: key', {
      ...nonEmpty,
    }),
    value: configKey('The key of `config` whose value `header` or `query` sends.', 'value: API_KEY'),
    clientCredentials: use(
      'clientCredentials',
      'A token from an OAuth token service (client credentials).',
      'clientCredentials: { tokenUrl: https://login.example.com/token, id: CLIENT_ID, secret: CLIENT_SECRET }',
    ),
    caller: use(
      'callerToken',
      "The caller's own token, never another one's.",
      'caller: { audience: https://api.example.com }',
    ),
  },
  {
    ...documented('What proves who asks. Values are keys of `config`.', 'auth: { bearer: JIRA_TOKEN }'),
    ...needsOneOf('bearer', ['basic', 'header', 'query', 'clientCredentials', 'caller']),
    defaultSnippets: [
      snippet('bearer', 'A bearer token', { bearer: '${1:API_TOKEN}' }),
      snippet('header', 'A key in a header', { header: '${1:X-Api-Key}', value: '${2:API_KEY}' }),
    ],
  },
);

const auth = use('backendAuth', 'What proves who asks. Values are keys of `config`.', 'auth: { bearer: JIRA_TOKEN }');

const sharedLimits = (timeoutMs: number): Fields => ({
  timeoutMs: whole('Milliseconds that one request or statement may take.', 'timeoutMs: 10000', {
    minimum: 1,
    default: timeoutMs,
  }),
  concurrency: whole('How many run at the same time; others wait for their turn.', 'concurrency: 8', { minimum: 1 }),
  queue: whole('How many wait for their turn; one more gets the error BUSY.', 'queue: 20', {
    minimum: 0,
    default: 100,
  }),
  bytes: whole('The largest answer, in bytes.', 'bytes: 1000000', { minimum: 1 }),
});

const limitsOf = (title: string, fields: Fields): Schema =>
  closed(title, fields, documented('Limits for what goes to the backend.', 'limits: { timeoutMs: 10000 }'));

const backendType = choice('What kind of backend it is.', 'type: http', {
  http: 'A service that is reached over HTTP.',
  sqlite: 'A SQLite database.',
  postgres: 'A PostgreSQL database.',
  sql: 'A SQLite or PostgreSQL database: its address says which.',
  mcp: 'Another MCP server.',
});

const backendHeaders = map(
  'Headers',
  {
    description: 'Headers of every request; values may use {config.X}, secrets too.',
    example: 'headers: { X-Tenant: "{config.TENANT}" }',
  },
  { type: 'string' },
);

const allowAddresses = list(
  'Addresses that are allowed though they are not public: addresses, ranges, `loopback`, `private` or `link-local`. It counts only where `url` uses {config.X}.',
  'allowAddresses: [loopback, 10.1.0.0/16]',
  word,
);

const httpBackend: Schema = closed(
  'HTTP service',
  {
    type: backendType,
    url: text(
      'The address that all paths are below; may use {config.X}. Requests go to its origin only.',
      'url: "{config.JIRA_URL}/rest/api/3"',
      { ...nonEmpty },
    ),
    auth,
    headers: backendHeaders,
    limits: limitsOf('Limits of a service', sharedLimits(30_000)),
    retries: whole(
      'How often a request that only reads, or can be repeated, is sent again after a failure that may pass.',
      'retries: 2',
      { minimum: 0, maximum: 10 },
    ),
    allowAddresses,
  },
  {
    ...documented('A service that is reached over HTTP.', 'type: http\nurl: https://api.example.com/v1'),
    required: ['type', 'url'],
  },
);

const sqlBackend: Schema = closed(
  'Database',
  {
    type: backendType,
    url: text(
      'The address of the database; may use {config.X}, secrets too. Relative paths of SQLite files start at the pack.',
      'url: "{config.DATABASE_URL}"\n# or\nurl: sqlite:data/library.db',
      { ...nonEmpty },
    ),
    readOnly: flag('Nothing can be written, whatever a statement says.', 'readOnly: true', { default: false }),
    pool: whole('The largest number of connections to PostgreSQL.', 'pool: 5', { minimum: 1, default: 5 }),
    limits: limitsOf('Limits of a database', {
      ...sharedLimits(30_000),
      rows: whole('The most rows of an answer; more is an error.', 'rows: 500', { minimum: 1, default: 1000 }),
    }),
  },
  { ...documented('A database.', 'type: sqlite\nurl: sqlite:data/library.db'), required: ['type', 'url'] },
);

const commandCondition: Schema = closed(
  'Optional words',
  {
    if: configKey('The key of `config` that must be set, and be neither false nor empty.', 'if: HEADLESS'),
    args: list('The words that it adds.', 'args: [--headless]', { type: 'string' }, { minItems: 1 }),
  },
  {
    ...documented('Words that count only if a key of `config` is set.', '{ if: HEADLESS, args: [--headless] }'),
    required: ['if', 'args'],
  },
);

const mcpBackend: Schema = closed(
  'MCP server',
  {
    type: backendType,
    command: list(
      'The program and its arguments, never through a shell; may use {config.X}, but no secrets. A list alone becomes several words, in a word it is joined by commas.',
      'command: [npx, -y, "@playwright/mcp", { if: HEADLESS, args: [--headless] }]',
      either({ ...documented('A word.', '"@playwright/mcp"'), type: 'string' }, 'object', use('commandCondition')),
      { minItems: 1 },
    ),
    cwd: text('The folder that it runs in; may use {config.X}.', 'cwd: "{config.FOLDER}"', { ...nonEmpty }),
    env: map(
      'Variables',
      {
        description: 'Variables beside the few that programs need; values may use {config.X}, secrets too.',
        example: 'env: { API_TOKEN: "{config.API_TOKEN}" }',
      },
      { type: 'string' },
    ),
    url: text(
      'The address of a server that is reached over HTTP; may use {config.X}.',
      'url: https://example.com/mcp',
      {
        ...nonEmpty,
      },
    ),
    auth,
    headers: backendHeaders,
    limits: limitsOf('Limits of a server', sharedLimits(60_000)),
    allowAddresses,
  },
  {
    ...documented('Another MCP server.', 'type: mcp\ncommand: [npx, -y, "@playwright/mcp"]'),
    required: ['type'],
    ...needsOneOf('command', ['url']),
  },
);

/** One after the other, so that a type that nobody knows has one mistake. */
const ofTypes = (rows: readonly (readonly [type: string, definition: string])[]): Schema =>
  rows.reduceRight<Schema>(
    (rest, [type, definition]) => ({
      if: { properties: { type: { const: type } }, required: ['type'] },
      then: use(definition),
      ...(Object.keys(rest).length === 0 ? {} : { else: rest }),
    }),
    {},
  );

const backend: Schema = {
  title: 'Backend',
  ...documented('What tools talk to.', 'jira: { type: http, url: "{config.JIRA_URL}", auth: { bearer: JIRA_TOKEN } }'),
  type: 'object',
  properties: { type: backendType },
  required: ['type'],
  ...ofTypes([
    ['http', 'httpBackend'],
    ['sqlite', 'sqlBackend'],
    ['postgres', 'sqlBackend'],
    ['sql', 'sqlBackend'],
    ['mcp', 'mcpBackend'],
  ]),
};

/** Of a pack. */
export const backends: Schema = map(
  'Backends',
  {
    description:
      'Services, databases and other MCP servers by name: `http`, `sql` and `mcp` of tools use them, and handlers as `ctx.backends`.',
    example: 'backends:\n  jira: { type: http, url: "{config.JIRA_URL}/rest/api/3", auth: { bearer: JIRA_TOKEN } }',
  },
  use('backend'),
  {
    ...keysFollow(itemName),
    defaultSnippets: [
      snippet('http', 'A service that is reached over HTTP', {
        '${1:name}': { type: 'http', url: '${2:https://api.example.com}', auth: { bearer: '${3:API_TOKEN}' } },
      }),
      snippet('sqlite', 'A SQLite database', { '${1:main}': { type: 'sqlite', url: '${2:sqlite:data/main.db}' } }),
      snippet('mcp', 'Another MCP server', { '${1:name}': { type: 'mcp', command: ['npx', '-y', '${2:package}'] } }),
    ],
  },
);

const backendName = (example: string): Schema =>
  text('The backend of `backends` in toolwright.yaml.', example, { ...itemName });

const pointer = (description: string, example: string): Schema =>
  text(description, example, {
    pattern: '^(/|$)',
    patternErrorMessage: 'a JSON Pointer starts with a slash: /fields/summary',
  });

const values = (title: string, description: string, example: string): Schema =>
  map(title, { description, example }, { type: ['string', 'number', 'boolean', 'array', 'object', 'null'] });

const httpResult: Schema = closed(
  'Part of the answer',
  {
    at: pointer('Where the part of the answer is that counts (JSON Pointer).', 'at: /issues'),
    pick: map(
      'Members',
      {
        description:
          'Members of the result by name, each with a JSON Pointer; of each element where the part is a list.',
        example: 'pick: { key: /key, summary: /fields/summary }',
      },
      pointer('Where the value is (JSON Pointer).', 'key: /key'),
    ),
  },
  documented('Which part of the answer is the result.', 'result: { at: /issues, pick: { key: /key } }'),
);

const paginate: Schema = closed(
  'Pages',
  {
    cursor: pointer(
      'Where an answer has the cursor of the next page, or its address (JSON Pointer).',
      'cursor: /nextPageToken',
    ),
    param: text(
      'The query parameter that the cursor goes into. Without it the cursor is an address.',
      'param: pageToken',
      {
        ...nonEmpty,
      },
    ),
    link: flag('Follows the header Link with rel="next".', 'link: true', { default: false }),
    page: text('The query parameter that counts pages.', 'page: page', { ...nonEmpty }),
    offset: text('The query parameter that counts elements.', 'offset: startAt', { ...nonEmpty }),
    maxItems: whole('After this many elements no further page is asked for.', 'maxItems: 500', {
      minimum: 1,
      default: 1000,
    }),
  },
  {
    ...documented('How the next page is asked for; the pages are joined.', 'paginate: { cursor: /next, param: page }'),
    ...needsOneOf('cursor', ['link', 'page', 'offset']),
  },
);

/** Text in which values stand beside others would be a template. */
const wholeText = (description: string, example: string): Schema =>
  text(description, example, {
    pattern: '^(\\{[^{}]*\\}|([^{}]|\\{\\{|\\}\\})+)$',
    patternErrorMessage: 'a file is one value: {name} stands alone',
  });

const httpFile: Schema = closed(
  'File',
  {
    text: wholeText('The argument with the text; it stands alone.', 'text: "{page}"'),
    base64: wholeText('The argument with the bytes, in base64.', 'base64: "{data}"'),
    resource: wholeText('The argument with the contents of a resource.', 'resource: "{file}"'),
    type: text('The type of the body.', 'type: image/png', { ...nonEmpty }),
  },
  {
    ...documented('The body of a request as it is.', 'file: { base64: "{data}", type: image/png }'),
    ...needsOneOf('text', ['base64', 'resource']),
  },
);

const httpCall: Schema = closed(
  'Request',
  {
    backend: backendName('backend: jira'),
    method: choice(
      'The method of the request.',
      'method: POST',
      {
        GET: 'Reads.',
        HEAD: 'Reads the headers only.',
        POST: 'Creates, or does something.',
        PUT: 'Replaces.',
        PATCH: 'Changes.',
        DELETE: 'Removes.',
        OPTIONS: 'Asks what is possible.',
      },
      { default: 'GET' },
    ),
    path: text(
      'The path below the address of the backend; {name} is one segment or a part of one.',
      'path: /issue/{issueKey}',
      {
        ...nonEmpty,
      },
    ),
    url: text(
      'A whole address in place of a backend: {name} alone, or a fixed one. Addresses that are not public are refused.',
      'url: "{url}"',
      { ...nonEmpty },
    ),
    query: values(
      'Query',
      'Query parameters: {name} is a value, a list repeats its parameter.',
      'query: { fields: "{fields}" }',
    ),
    style: map(
      'Styles',
      {
        description: 'How lists and objects of `query` and `form` are written, by parameter.',
        example: 'style: { filter: deepObject }',
      },
      {
        type: 'string',
        ...members({
          form: 'a=1&a=2',
          comma: 'a=1,2',
          space: 'a=1%202',
          pipe: 'a=1|2',
          deepObject: 'a[b]=1',
          members: 'b=1: each member of an object is a parameter',
        }),
      },
    ),
    headers: values('Headers', 'Headers: {name}, or {config.X}.', 'headers: { If-Match: "{etag}" }'),
    cookies: values('Cookies', 'Cookies: {name} is a value.', 'cookies: { session: "{session}" }'),
    body: anything(
      'The body as JSON: a tree of values, in which {name} alone keeps its type, and an argument that is not given drops its member. `rest`: an object of the arguments that nothing else uses.',
      'body: { fields: { summary: "{summary}" } }\n# or\nbody: rest',
    ),
    form: values('Form', 'The body as a form (application/x-www-form-urlencoded).', 'form: { amount: "{amount}" }'),
    multipart: values(
      'Multipart form',
      'The body as multipart/form-data; a file is { base64, filename, type }, { text } or { resource }.',
      'multipart: { file: { base64: "{data}", filename: "{name}" } }',
    ),
    file: use(
      'httpFile',
      'The body as it is, of any type; without the argument no body is sent.',
      'file: { text: "{page}", type: text/html }',
    ),
    optionalBody: flag('Sends no body if none of the arguments in it is given.', 'optionalBody: true', {
      default: false,
    }),
    result: use('httpResult', 'Which part of the answer is the result.', 'result: { pick: { key: /key } }'),
    paginate: use(
      'paginate',
      'How the next page is asked for; the pages are joined.',
      'paginate: { cursor: /next, param: page }',
    ),
  },
  documented('A request that does the work of the item.', 'http: { method: GET, path: "/issue/{issueKey}" }'),
);

export const http: Schema = either(
  text(
    'The HTTP request that does the work, in place of a handler: `METHOD /path`, or an object.',
    'http: GET /issue/{issueKey}\n# or\nhttp: { method: POST, path: /issue, body: rest }',
    {
      pattern: '^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) /\\S*$',
      patternErrorMessage: 'the short form is a method and a path: GET /issue/{issueKey}',
    },
  ),
  'object',
  use('httpCall'),
);

const sqlCall: Schema = closed(
  'Statement',
  {
    backend: backendName('backend: main'),
    text: text(
      'One statement. `:name` is a value, always bound; {name} is an identifier and needs a parameter with `enum`.',
      'text: SELECT title, author FROM books WHERE author = :author',
      { ...nonEmpty },
    ),
    result: choice(
      'What is made of the answer.',
      'result: row',
      {
        rows: 'A list of rows.',
        row: 'The first row; without one the error NO_ROW.',
        value: 'The first column of the first row, or null.',
        count: 'How many rows were changed.',
      },
      { default: 'rows' },
    ),
  },
  {
    ...documented('A statement that does the work of the item.', 'sql: { text: "SELECT * FROM books WHERE id = :id" }'),
    required: ['text'],
  },
);

export const sql: Schema = use(
  'sqlCall',
  'The SQL statement that does the work, in place of a handler.',
  'sql: { backend: main, text: "SELECT title FROM books WHERE author = :author" }',
);

const mcpCall: Schema = closed(
  'Forwarded item',
  {
    backend: backendName('backend: play'),
    name: text(
      'The name that the other server has for it; of a resource its address or template.',
      'name: browser_click',
      {
        ...nonEmpty,
      },
    ),
  },
  documented('What another MCP server does.', 'mcp: { backend: play, name: browser_click }'),
);

export const mcp: Schema = use(
  'mcpCall',
  'Forwards to another MCP server, in place of a handler.',
  'mcp: { backend: play, name: browser_click }',
);

export const backendDefinitions: Fields = {
  backend,
  httpBackend,
  sqlBackend,
  mcpBackend,
  commandCondition,
  backendAuth,
  clientCredentials,
  callerToken,
  httpCall,
  httpFile,
  httpResult,
  paginate,
  sqlCall,
  mcpCall,
};
