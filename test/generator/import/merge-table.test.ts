// What an author does with an imported item, what the next version of the source says, and what becomes of both.
import { describe, expect, it } from 'vitest';
import type { Imported } from '../../../generator/import/imported.js';
import type { ImportOptions } from '../../../generator/import/plan-import.js';
import { apply, importInto, plan, schema, source, type Texts, tell, tool } from './merge-world.js';

type Values = Readonly<Record<string, unknown>>;

const file = 'mcp/tools/get-issue.yaml';

const definition = {
  title: 'Get an issue',
  description: 'Gets one issue.',
  effect: 'read',
  tags: ['issues', 'read'],
  inputSchema: {
    type: 'object',
    properties: {
      issueKey: { type: 'string', description: 'Its key' },
      fields: { type: 'array', items: { type: 'string' }, description: 'Which fields' },
      state: { type: 'string', enum: ['open', 'closed'] },
    },
    required: ['issueKey'],
  },
  output: { type: 'object', properties: { key: { type: 'string' }, summary: { type: 'string' } } },
  http: { backend: 'shop', method: 'GET', path: '/issue/{issueKey}', query: { fields: '{fields}' } },
  errors: { NOT_FOUND: { match: [404], message: 'There is no such issue' } },
};

const backends = { shop: { type: 'http', url: 'https://api.example/v1' } } as const;

function api(changed: Values = {}, more: Partial<Imported> = {}, others: Imported['items'] = []): Imported {
  return source([tool('get-issue', { ...definition, ...changed }, { place: 'GET /issue/{issueKey}' }), ...others], {
    backends,
    ...more,
  });
}

function input(properties: Values, required: readonly string[] = ['issueKey']): Values {
  const all = Object.fromEntries(
    Object.entries({ ...definition.inputSchema.properties, ...properties }).filter(([, one]) => one !== undefined),
  );
  return { inputSchema: { type: 'object', properties: all, required } };
}

interface Case {
  readonly title: string;
  /** What the author replaces in the file of the tool. */
  readonly edits?: readonly (readonly [string | RegExp, string])[];
  readonly author?: (texts: Texts) => Texts;
  readonly first?: Imported;
  readonly then: Imported;
  readonly options?: ImportOptions;
  /** Of the reports, without what is unchanged. */
  readonly tells: readonly string[];
  /** What the files have then, and what not. */
  readonly has?: readonly string[];
  readonly lacks?: readonly string[];
  readonly files?: Readonly<Record<string, string | undefined>>;
  /** `file:line:column` of each conflict; then nothing at all is written. */
  readonly conflicts?: readonly string[];
}

const move =
  (from: string, to: string, change = (text: string): string => text): ((texts: Texts) => Texts) =>
  texts => {
    const { [from]: text = '', ...others } = texts;
    return { ...others, [to]: change(text) };
  };

const without =
  (path: string): ((texts: Texts) => Texts) =>
  texts => {
    const { [path]: _, ...others } = texts;
    return others;
  };

const indented = (text: string): string => text.replace(/^#.*\n/, '').replaceAll(/^(?=.)/gm, '  ');

const issue = schema('issue', { type: 'object', properties: { key: { type: 'string' }, id: { type: 'integer' } } });
const withIssue = (changed: Values = {}, one = issue): Imported =>
  api({ output: { $ref: 'schema:issue' }, ...changed }, {}, [one]);

const cases: readonly Case[] = [
  // One side.
  {
    title: 'what only the source changed is taken',
    then: api({ description: 'Gets one issue, with all of its fields.' }),
    tells: ['updated tool get-issue', '  took get-issue:/description'],
    has: ['description: Gets one issue, with all of its fields.\n'],
  },
  {
    title: 'what only the author changed stays',
    edits: [['Gets one issue.', '"One issue by its key." # better']],
    then: api(),
    tells: ['unchanged tool get-issue', '  kept get-issue:/description'],
    has: ['description: "One issue by its key." # better\n'],
  },
  {
    title: 'different fields of one item are changed by both',
    edits: [['title: Get an issue', "title: 'An issue'   # mine"]],
    then: api({ description: 'New.' }),
    tells: ['updated tool get-issue', '  took get-issue:/description', '  kept get-issue:/title'],
    has: ["title: 'An issue'   # mine\ndescription: New.\n"],
  },
  {
    title: 'both changed a field to the same value',
    edits: [['Gets one issue.', 'New.']],
    then: api({ description: 'New.' }),
    tells: ['unchanged tool get-issue'],
    has: ['description: New.\n'],
  },
  {
    title: 'both changed a field to different values',
    edits: [['Gets one issue.', 'Mine.']],
    then: api({ description: 'Theirs.' }),
    tells: ['conflict tool get-issue', '  conflict get-issue:/description'],
    conflicts: [`${file}:3:14`],
  },
  {
    title: 'a conflict in one field keeps everything else from being written',
    edits: [['Gets one issue.', 'Mine.']],
    then: api({ description: 'Theirs.', title: 'New title' }),
    tells: ['conflict tool get-issue', '  took get-issue:/title', '  conflict get-issue:/description'],
    conflicts: [`${file}:3:14`],
  },
  {
    title: 'a conflict is resolved to the side of the author',
    edits: [['Gets one issue.', 'Mine.']],
    then: api({ description: 'Theirs.' }),
    options: { ours: 'all' },
    tells: ['unchanged tool get-issue', '  kept get-issue:/description'],
    has: ['description: Mine.\n'],
  },
  {
    title: 'a conflict is resolved to the side of the source',
    edits: [['Gets one issue.', 'Mine. # yes']],
    then: api({ description: 'Theirs.' }),
    options: { theirs: ['get-issue:/description'] },
    tells: ['updated tool get-issue', '  took get-issue:/description'],
    has: ['description: Theirs. # yes\n'],
  },
  {
    title: 'one conflict is chosen and another is left',
    edits: [
      ['Gets one issue.', 'Mine.'],
      ['Its key', 'My key'],
    ],
    then: api({ description: 'Theirs.', ...input({ issueKey: { type: 'string', description: 'Their key' } }) }),
    options: { ours: ['get-issue:/inputSchema'] },
    tells: [
      'conflict tool get-issue',
      '  kept get-issue:/inputSchema/properties/issueKey/description',
      '  conflict get-issue:/description',
    ],
    conflicts: [`${file}:3:14`],
  },
  {
    title: 'sides are chosen by the name of an item',
    edits: [['Gets one issue.', 'Mine.']],
    then: api({ description: 'Theirs.' }),
    options: { theirs: ['tool:get-issue'] },
    tells: ['updated tool get-issue', '  took get-issue:/description'],
    has: ['description: Theirs.\n'],
  },
  // Parameters.
  {
    title: 'a new required parameter is added beside one of the author',
    edits: [
      ['    state:', '    mine:\n      type: boolean # of the handler\n    state:'],
      ['required: [issueKey]', 'required: [issueKey, mine]'],
    ],
    then: api(input({ site: { type: 'string' } }, ['issueKey', 'site'])),
    tells: [
      'updated tool get-issue',
      '  took get-issue:/inputSchema/properties/site',
      '  took get-issue:/inputSchema/required',
      '  kept get-issue:/inputSchema/properties/mine',
      '  kept get-issue:/inputSchema/required',
    ],
    has: [
      '    mine:\n      type: boolean # of the handler\n',
      '    site:\n      type: string\n',
      'required: [issueKey, site, mine]',
    ],
  },
  {
    title: 'a parameter becomes optional while the author requires another',
    edits: [['required: [issueKey]', 'required: [issueKey, state]']],
    then: api(input({}, [])),
    tells: [
      'updated tool get-issue',
      '  took get-issue:/inputSchema/required',
      '  kept get-issue:/inputSchema/required',
    ],
    has: ['required: [state]'],
  },
  {
    title: 'a type is narrowed where the author only described',
    edits: [['Its key', 'The key, as in ABC-1']],
    then: api(input({ issueKey: { type: 'string', pattern: '^[A-Z]+-\\d+$', description: 'Its key' } })),
    tells: [
      'updated tool get-issue',
      '  took get-issue:/inputSchema/properties/issueKey/pattern',
      '  kept get-issue:/inputSchema/properties/issueKey/description',
    ],
    has: ["      type: string\n      pattern: '^[A-Z]+-\\d+$'\n      description: The key, as in ABC-1\n"],
  },
  {
    title: 'a type is changed by both',
    edits: [['issueKey:\n      type: string', 'issueKey:\n      type: [string, integer]']],
    then: api(input({ issueKey: { type: 'integer', description: 'Its key' } })),
    tells: ['conflict tool get-issue', '  conflict get-issue:/inputSchema/properties/issueKey/type'],
    conflicts: [`${file}:10:13`],
  },
  {
    title: 'elements of an enum come and go on both sides',
    edits: [['[open, closed]', '[open, closed, archived]']],
    then: api(input({ state: { type: 'string', enum: ['open', 'done'] } })),
    tells: [
      'updated tool get-issue',
      '  took get-issue:/inputSchema/properties/state/enum',
      '  kept get-issue:/inputSchema/properties/state/enum',
    ],
    has: ['enum: [open, done, archived]'],
  },
  {
    title: 'an enum that the author removed stays away when the source adds to it',
    edits: [['      enum: [open, closed]\n', '']],
    then: api(input({ state: { type: 'string', enum: ['open', 'closed', 'done'] } })),
    tells: ['conflict tool get-issue', '  conflict get-issue:/inputSchema/properties/state/enum'],
    conflicts: [`${file}:17:5`],
  },
  {
    title: 'a parameter that the author removed stays away',
    edits: [
      ['    fields:\n      type: array\n      items:\n        type: string\n      description: Which fields\n', ''],
    ],
    then: api(input({ fields: { type: 'array', items: { type: 'string' }, description: 'All fields' } })),
    tells: ['unchanged tool get-issue', '  kept get-issue:/inputSchema/properties/fields'],
    lacks: ['Which fields', 'All fields'],
  },
  {
    title: 'a parameter that the source removed goes',
    then: api(input({ fields: undefined })),
    tells: ['updated tool get-issue', '  took get-issue:/inputSchema/properties/fields'],
    lacks: ['Which fields'],
  },
  {
    title: 'a parameter that the source removed and the author has changed is a conflict',
    edits: [['Which fields', 'The fields']],
    then: api(input({ fields: undefined })),
    tells: ['conflict tool get-issue', '  conflict get-issue:/inputSchema/properties/fields'],
    conflicts: [`${file}:13:7`],
  },
  {
    title: 'both add the same parameter',
    edits: [['    state:', '    site:\n      type: string\n    state:']],
    then: api(input({ site: { type: 'string' } })),
    tells: ['unchanged tool get-issue'],
  },
  {
    title: 'both add a parameter of one name in different ways',
    edits: [['    state:', '    site:\n      type: string\n    state:']],
    then: api(input({ site: { type: 'integer', minimum: 1 } })),
    tells: [
      'conflict tool get-issue',
      '  took get-issue:/inputSchema/properties/site/minimum',
      '  conflict get-issue:/inputSchema/properties/site/type',
    ],
    conflicts: [`${file}:18:13`],
  },
  {
    title: 'tags of the author stay beside those of the source',
    edits: [['tags: [issues, read]', 'tags:\n  - issues # all\n  - read\n  - mine']],
    then: api({ tags: ['issues', 'new'] }),
    tells: ['updated tool get-issue', '  took get-issue:/tags', '  kept get-issue:/tags'],
    has: ['tags:\n  - issues # all\n  - new\n  - mine\n'],
  },
  // Texts and forms.
  {
    title: 'comments, quotes and order stay where a description grows to several lines',
    edits: [
      [
        'title: Get an issue\ndescription: Gets one issue.\n',
        '# what models see\ndescription: Gets one issue. # short\ntitle: "Get an issue"\n',
      ],
    ],
    then: api({ description: 'Gets one issue.\n\n- with fields' }),
    tells: ['updated tool get-issue', '  took get-issue:/description'],
    has: ['# what models see\ndescription: |- # short\n  Gets one issue.\n\n  - with fields\ntitle: "Get an issue"\n'],
  },
  {
    title: 'a file with the line ends of Windows and a byte order mark keeps both',
    author: texts => ({ ...texts, [file]: `\ufeff${(texts[file] ?? '').replaceAll('\n', '\r\n')}` }),
    then: api({ description: 'One\ntwo' }),
    tells: ['updated tool get-issue', '  took get-issue:/description'],
    has: ['description: |-\r\n  One\r\n  two\r\n', '\ufeff# $schema'],
    lacks: ['Gets one issue'],
  },
  {
    title: 'a map in brackets is edited in brackets',
    edits: [
      [
        /http:\n(?: {2}.*\n)+/,
        'http: { backend: shop, method: GET, path: "/issue/{issueKey}", query: { fields: "{fields}" } } # call\n',
      ],
    ],
    then: api({ http: { ...definition.http, path: '/issues/{issueKey}', headers: { 'X-A': 'b, c' } } }),
    tells: ['updated tool get-issue', '  took get-issue:/http/path', '  took get-issue:/http/headers'],
    has: [
      'http: { backend: shop, method: GET, path: "/issues/{issueKey}", query: { fields: "{fields}" }, headers: { X-A: "b, c" } } # call\n',
    ],
  },
  {
    title: 'an alias whose value the source changes for one of two places is not edited',
    edits: [
      [
        '    issueKey:\n      type: string\n      description: Its key\n',
        '    issueKey: &key\n      type: string\n      description: Its key\n',
      ],
      ['    state:', '    other: *key\n    state:'],
    ],
    then: api(input({ issueKey: { type: 'string', description: 'New' } })),
    tells: [
      'updated tool get-issue',
      '  took get-issue:/inputSchema/properties/issueKey/description',
      '  kept get-issue:/inputSchema/properties/other',
    ],
    conflicts: [`${file}:1:1`],
  },
  // Items.
  {
    title: 'an item that its author deleted stays deleted',
    author: without(file),
    then: api({ description: 'New.' }),
    tells: ['deleted tool get-issue'],
    files: { [file]: undefined },
  },
  {
    title: 'an item that its author deleted comes back where it is asked for',
    author: without(file),
    then: api({ description: 'New.' }),
    options: { restore: ['get-issue'] },
    tells: ['restored tool get-issue'],
    has: ['description: New.\n'],
  },
  {
    title: 'an item that its author renamed by hand is found by its call',
    edits: [['Gets one issue.', 'Mine.']],
    author: move(file, 'mcp/tools/fetch-issue.yaml'),
    then: api({ title: 'New' }),
    tells: ['updated tool fetch-issue', '  took fetch-issue:/title', '  kept fetch-issue:/description'],
    files: { [file]: undefined },
  },
  {
    title: 'an item that moved into a combined file is edited there',
    author: move(
      file,
      'mcp/tools.yaml',
      text => `# all tools\nget-issue: # one\n${indented(text)}other:\n  description: Mine\n`,
    ),
    then: api({ description: 'New.' }),
    tells: ['updated tool get-issue', '  took get-issue:/description'],
    files: { [file]: undefined },
    has: [
      '# all tools\nget-issue: # one\n  title: Get an issue\n  description: New.\n',
      'other:\n  description: Mine\n',
    ],
  },
  {
    title: 'an item that became JSON is edited as JSON',
    author: texts => ({
      ...without(file)(texts),
      'mcp/tools/get-issue.json': `${JSON.stringify(definition, undefined, 4)}\n`,
    }),
    then: api({ description: 'New.', ...input({}, ['issueKey', 'state']) }),
    tells: ['updated tool get-issue', '  took get-issue:/description', '  took get-issue:/inputSchema/required'],
    files: { [file]: undefined },
    has: ['    "description": "New.",\n    "effect": "read",\n'],
  },
  {
    title: 'an ejected item keeps its handler and takes everything else',
    edits: [[/http:\n(?: {2}.*\n)+/, '']],
    then: api({ description: 'New.', http: { ...definition.http, path: '/issues/{issueKey}' } }),
    tells: ['updated tool get-issue', '  took get-issue:/description', '  kept get-issue:/http'],
    has: ['description: New.\n'],
    lacks: ['http:'],
  },
  {
    title: 'of an item that was split into two the one with the old name goes on',
    author: texts => ({ ...texts, 'mcp/tools/get-issue-short.yaml': texts[file] ?? '' }),
    then: api({ description: 'New.' }),
    tells: ['updated tool get-issue', '  took get-issue:/description'],
    has: ['description: Gets one issue.\n', 'description: New.\n'],
  },
  {
    title: 'an operation that was renamed in the document is the same item',
    edits: [['Gets one issue.', 'Mine.']],
    then: source([tool('find-issue', { ...definition, title: 'Find' }, { place: 'GET /issue/{issueKey}' })], {
      backends,
    }),
    tells: ['updated tool get-issue', '  took get-issue:/title', '  kept get-issue:/description'],
    files: { 'mcp/tools/find-issue.yaml': undefined },
  },
  {
    title: 'an operation whose path moved is the same item',
    edits: [['Gets one issue.', 'Mine.']],
    then: source(
      [
        tool(
          'get-issue',
          { ...definition, http: { ...definition.http, path: '/v2/issue/{issueKey}' } },
          { place: 'GET /v2/issue/{issueKey}' },
        ),
      ],
      { backends },
    ),
    tells: ['updated tool get-issue', '  took get-issue:/http/path', '  kept get-issue:/description'],
    has: ['path: /v2/issue/{issueKey}\n'],
  },
  {
    title: 'an operation that got another name and another path is new, and the old one stays',
    then: source([tool('find-issue', definition, { place: 'GET /v2/issue/{issueKey}' })], { backends }),
    tells: ['created tool find-issue', 'removed tool get-issue'],
    has: ['title: Get an issue\n'],
  },
  {
    title: 'an operation that the source removed stays without prune',
    then: source([], { backends }),
    tells: ['removed tool get-issue'],
    has: ['title: Get an issue\n'],
  },
  {
    title: 'an operation that the source removed goes with prune',
    then: source([], { backends }),
    options: { prune: true },
    tells: ['pruned tool get-issue'],
    files: { [file]: undefined },
  },
  {
    title: 'an operation that the source removed and its author changed stays with prune, too',
    edits: [['Gets one issue.', 'Mine.']],
    then: source([], { backends }),
    options: { prune: true },
    tells: ['removed tool get-issue'],
    has: ['description: Mine.\n'],
  },
  {
    title: 'an operation that the filters do not choose any more is not called removed',
    then: source([], { backends, notChosen: [{ id: 'get-issue', place: 'GET /issue/{issueKey}' }] }),
    tells: ['not-chosen tool get-issue'],
  },
  {
    title: 'an operation that can no longer be imported stays',
    then: source([], {
      backends,
      leftOut: [{ from: { id: 'get-issue', place: 'GET /issue/{issueKey}' }, reason: 'its body is XML' }],
    }),
    options: { prune: true },
    tells: ['left-out tool get-issue'],
    has: ['title: Get an issue\n'],
  },
  {
    title: 'an operation that was split in the document gives one updated item and a new one',
    then: api({}, {}, [
      tool('get-issue-fields', {
        title: 'Fields',
        description: 'F',
        http: { backend: 'shop', method: 'GET', path: '/issue/{k}/fields' },
      }),
    ]),
    tells: ['created tool get-issue-fields'],
    has: ['title: Fields\n'],
  },
  {
    title: 'a tool that was written by hand for a new operation stays as it is',
    author: texts => ({
      ...texts,
      'mcp/tools/close.yaml':
        'description: Closes an issue, my way\nparameters: { k: string }\nhttp: { backend: shop, method: POST, path: "/issue/{k}/close" }\n',
    }),
    then: api({}, {}, [
      tool('close-issue', {
        title: 'Close',
        description: 'C',
        http: { backend: 'shop', method: 'POST', path: '/issue/{issueKey}/close' },
      }),
    ]),
    tells: ['own tool close'],
    files: { 'mcp/tools/close-issue.yaml': undefined },
  },
  {
    title: 'a name that another tool has gets the name of the source behind it',
    author: texts => ({ ...texts, 'mcp/tools/list.yaml': 'description: Lists mine\n' }),
    then: api({}, {}, [
      tool('list', { title: 'List', description: 'L', http: { backend: 'shop', method: 'GET', path: '/list' } }),
    ]),
    tells: ['created tool list-shop'],
    has: ['description: Lists mine\n', 'title: List\n'],
  },
  {
    title: 'the closed list of toolwright.yaml gets the new names',
    author: texts => ({ ...texts, 'toolwright.yaml': `${texts['toolwright.yaml']}tools:\n  - get-issue # mine\n` }),
    then: api({}, {}, [
      tool('list', { title: 'List', description: 'L', http: { backend: 'shop', method: 'GET', path: '/list' } }),
    ]),
    tells: ['created tool list'],
    has: ['tools:\n  - get-issue # mine\n  - list\n'],
  },
  // Shared schemas.
  {
    title: 'a shared schema is merged like a tool',
    first: withIssue(),
    author: texts => ({
      ...texts,
      'mcp/schemas/issue.yaml': `${texts['mcp/schemas/issue.yaml']}description: Mine\n`,
    }),
    then: withIssue(
      {},
      schema('issue', { type: 'object', properties: { key: { type: 'string' }, id: { type: 'string' } } }),
    ),
    tells: ['updated schema issue', '  took issue:/properties/id/type', '  kept issue:/description'],
    has: ['  id:\n    type: string\ndescription: Mine\n'],
  },
  {
    title: 'references follow a shared schema that its author renamed by hand',
    first: withIssue(),
    author: texts =>
      move(
        'mcp/schemas/issue.yaml',
        'mcp/schemas/ticket.yaml',
      )({
        ...texts,
        [file]: (texts[file] ?? '').replace('schema:issue', 'schema:ticket'),
      }),
    then: withIssue(
      { title: 'New' },
      schema('issue', { type: 'object', properties: { key: { type: 'string' }, id: { type: 'string' } } }),
    ),
    tells: [
      'updated schema ticket',
      '  took ticket:/properties/id/type',
      'updated tool get-issue',
      '  took get-issue:/title',
    ],
    has: ['$ref: schema:ticket\n'],
    lacks: ['schema:issue'],
  },
  {
    title: 'a shared schema that nobody uses any more goes with prune',
    first: withIssue(),
    then: api(),
    options: { prune: true },
    tells: [
      'pruned schema issue',
      'updated tool get-issue',
      '  took get-issue:/output/type',
      '  took get-issue:/output/properties',
      '  took get-issue:/output/$ref',
    ],
    files: { 'mcp/schemas/issue.yaml': undefined },
  },
  {
    title: 'a shared schema that a tool of the author uses stays with prune',
    first: withIssue(),
    author: texts => ({ ...texts, 'mcp/tools/mine.yaml': 'description: Mine\noutput: { $ref: schema:issue }\n' }),
    then: api(),
    options: { prune: true },
    tells: [
      'removed schema issue',
      'updated tool get-issue',
      '  took get-issue:/output/type',
      '  took get-issue:/output/properties',
      '  took get-issue:/output/$ref',
    ],
    has: ['  id:\n    type: integer\n'],
  },
  // Entries of toolwright.yaml.
  {
    title: 'a backend is merged field by field',
    author: texts => ({
      ...texts,
      'toolwright.yaml': (texts['toolwright.yaml'] ?? '').replace(
        'type: http\n',
        'type: http # REST\n    retries: 2\n',
      ),
    }),
    then: api({}, { backends: { shop: { type: 'http', url: 'https://api.example/v2' } } }),
    tells: ['updated backend shop', '  took shop:/url', '  kept shop:/retries'],
    has: ['    type: http # REST\n    retries: 2\n    url: https://api.example/v2\n'],
  },
  {
    title: 'a backend that its author renamed is the same, and new tools use its name',
    author: texts =>
      Object.fromEntries(
        Object.entries(texts).map(([path, text]) => [
          path,
          path === 'toolwright.yaml'
            ? text.replace('  shop:', '  cloud:')
            : path === file
              ? text.replace('backend: shop', 'backend: cloud')
              : text,
        ]),
      ),
    then: api({}, {}, [
      tool('list', { title: 'List', description: 'L', http: { backend: 'shop', method: 'GET', path: '/list' } }),
    ]),
    tells: ['created tool list'],
    has: ['title: List\ndescription: L\nhttp:\n  backend: cloud\n'],
    lacks: ['backend: shop'],
  },
  {
    title: 'a setting is added, and one of the author with the same name stays',
    author: texts => ({
      ...texts,
      'toolwright.yaml': `${texts['toolwright.yaml']}config:\n  SHOP_TOKEN: { type: string, description: Mine }\n`,
    }),
    then: api(
      {},
      { config: { SHOP_TOKEN: { type: 'string', secret: true }, SHOP_REGION: { type: 'string', default: 'eu' } } },
    ),
    tells: ['created config SHOP_REGION', 'own config SHOP_TOKEN'],
    has: ['SHOP_TOKEN: { type: string, description: Mine }\n  SHOP_REGION:\n    type: string\n    default: eu\n'],
  },
];

describe('the merge of an import', () => {
  it.each(cases)('I4 an import merges: $title', one => {
    const { edits = [], author = texts => texts, first = api(), then, options, tells } = one;
    const imported = importInto({ 'toolwright.yaml': '# the pack\n' }, first);
    const edited = edits.reduce((text, [from, to]) => {
      const next = text.replace(from, to);
      expect(next).not.toBe(text);
      return next;
    }, imported[file] ?? '');
    const before = author({ ...imported, [file]: edited });
    const planned = plan(before, then, { options });
    const told = tell(planned).filter((line, at, all) => !/^unchanged/.test(line) || /^ {2}/.test(all[at + 1] ?? ''));
    const wanted = tells.filter((line, at) => !/^unchanged/.test(line) || /^ {2}/.test(tells[at + 1] ?? ''));
    expect(told).toEqual(wanted);
    const errors = planned.diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ file: path, line, column }) => `${path}:${line}:${column}`)).toEqual(one.conflicts ?? []);
    if (one.conflicts !== undefined) {
      expect(planned.changes).toEqual([]);
      return;
    }
    const after = apply(before, planned);
    const { 'toolwright.import.json': _, ...texts } = after;
    const all = Object.values(texts).join('\n');
    for (const text of one.has ?? []) expect(all).toContain(text);
    for (const text of one.lacks ?? []) expect(all).not.toContain(text);
    for (const [path, text] of Object.entries(one.files ?? {})) expect(after[path]).toBe(text);
    // Importing again changes nothing.
    expect(plan(after, then, { options: { prune: options?.prune } }).changes).toEqual([]);
  });

  it('I1: the table has at least forty cases', () => {
    expect(cases.length).toBeGreaterThanOrEqual(40);
  });
});
