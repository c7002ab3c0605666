// Go-to-definition from handlers into manifests, asked of the servers that editors use. Expected positions are found by
// searching the manifests' texts, not by the code under test.
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declarationsOf, programOf, writeProject } from '../../generator/compile/declarations-pack.js';
import { type Position, startTsserver, startTypeScript7, type TypeScriptServer } from './go-to-definition-servers.js';

const manifests = {
  'package.json': '{"name": "jira", "type": "module"}\n',
  'toolwright.yaml': `# The pack
version: 1.0.0
context: src/context.ts#create
config:
  JIRA_TOKEN: { type: string, secret: true }
  JIRA_LIMIT: { type: integer, default: 50 }
`,
  'mcp/tools/get-issue.yaml': `# yaml-language-server: $schema=tool.schema.json
description: Get an issue.
parameters:
  issueKey:
    type: string
    description: The key
  "odd-name": string
  filter:
    type: object
    properties:
      state: string
      tags: { type: array, items: { type: object, properties: { label: string } } }
  limit: { type: integer, default: 10 }
output:
  title: string
  author: { type: object, properties: { displayName: string } }
errors:
  ISSUE_NOT_FOUND: { message: There is no such issue }
options:
  pageSize: { type: integer, default: 20 }
requires:
  JIRA_TOKEN: required
`,
  'mcp/tools.yaml': `close-issue:
  description: Close an issue.
  parameters:
    reason: string
search:
  description: Search issues.
  inputSchema:
    type: object
    properties:
      jql: { type: string }
      sort:
        $ref: '#/$defs/order'
    required: [jql, sort]
    $defs:
      order:
        type: object
        properties:
          direction: { enum: [up, down] }
  outputSchema:
    type: object
    properties:
      total: { type: integer }
`,
  'mcp/tools/json-tool.json': `{
  "description": "Written in JSON.",
  "inputSchema": {
    "type": "object",
    "properties": { "größe": { "type": "string" }, "weight": { "type": "number" } }
  }
}
`,
  'mcp/tools/windows.yaml': 'description: With CRLF.\r\nparameters:\r\n  first: string\r\n  second: string\r\n',
  'mcp/tools/marked.yaml': '\uFEFFdescription: With a BOM.\nparameters: { first: string }\n',
  'mcp/tools/unicode.yaml': `description: Ünïcödé 😀
parameters: { "größe😀": string, city: string }
output: { /* 😀 */ : string }
`.replace('{ /* 😀 */ : string }', '{ "😀": string, country: string }'),
  'mcp/tools/from-file.yaml': "description: With a file.\ninputSchema: { file: 'schemas/é %20#1.json' }\n",
  'schemas/é %20#1.json': '{\n  "type": "object",\n  "properties": {\n    "remote": { "type": "string" }\n  }\n}\n',
  'mcp/tools/move.yaml':
    'description: Move.\nparameters:\n  box: { $ref: schema:box }\noutputSchema: { $ref: schema:box }\n',
  'mcp/schemas/box.yaml': 'type: object\nproperties:\n  width: { type: integer }\n  lid: { $ref: schema:lid }\n',
  'mcp/schemas.yaml': 'lid:\n  type: object\n  properties:\n    colour: { type: string }\n',
  'mcp/prompts/issue-text.yaml': 'description: A prompt.\narguments:\n  issue: { required: true }\n',
  'mcp/resources/issue.yaml': 'description: A resource.\nuriTemplate: issue://key/{key}{?part}\n',
  'mcp/servers/main.yaml': `description: A server.
tools:
  - search
  - name: inline-tool
    description: Defined in place.
    parameters:
      place: string
`,
};

const handlers = {
  'src/context.ts': 'export async function create() {\n  return { name: "jira" };\n}\n',
  'src/tools/get-issue.ts': `import { tools, type GetIssueArgs } from '../../generated/index.js';
export default tools.getIssue(async (args, ctx) => {
  if (args.issueKey === args['odd-name']) throw ctx.errors.ISSUE_NOT_FOUND('No such issue');
  const limit: number = args.limit + ctx.config.JIRA_LIMIT + ctx.options.pageSize + ctx.config.JIRA_TOKEN.length;
  const labels = args.filter.tags.map(tag => tag.label);
  return { title: args.filter.state + labels + limit + ctx.app.name, author: { displayName: 'x' } };
});
export const keyOf = ({ issueKey, filter: { state } }: GetIssueArgs) => issueKey + state;
export const again = tools.getIssue(({ issueKey: renamed }) => ({ title: renamed, author: { displayName: '' } }));
`,
  'src/tools/others.ts': `import { prompts, resources, type Schema_Lid, tools } from '../../generated/index.js';
export const close = tools.closeIssue(({ reason }) => reason);
export const search = tools.search(({ jql, sort }) => ({ total: jql.length + String(sort.direction).length }));
export const json = tools.jsonTool(args => [args.größe, args.weight].join());
export const windows = tools.windows(args => args.first + args.second);
export const marked = tools.marked(args => args.first);
export const unicode = tools.unicode(args => ({ country: args.city, '😀': args['größe😀'] }));
export const fromFile = tools.fromFile(args => String(args.remote));
export const inline = tools.inlineTool(args => args.place);
export const move = tools.move(args => ({ width: Number(args.box.width) + String(args.box.lid?.colour).length }));
export const colourOf = (lid: Schema_Lid) => lid.colour;
export const prompt = prompts.issueText(args => args.issue);
export const resource = resources.issue(variables => variables.key + variables.part);
`,
};

type Manifest = keyof typeof manifests;

/** Where the cursor is (at the bar, in a handler), and where it should lead (the text between the bars). */
const getIssue: readonly (readonly [string, Manifest, string])[] = [
  ['args.|issueKey ===', 'mcp/tools/get-issue.yaml', '  |issueKey|:'],
  ["args['|odd-name']", 'mcp/tools/get-issue.yaml', '  |"odd-name"|:'],
  ['args.|limit', 'mcp/tools/get-issue.yaml', '  |limit|:'],
  ['args.filter.|tags', 'mcp/tools/get-issue.yaml', '      |tags|:'],
  ['tag.|label', 'mcp/tools/get-issue.yaml', 'properties: { |label|:'],
  ['args.filter.|state', 'mcp/tools/get-issue.yaml', '      |state|:'],
  ['{ |issueKey, filter', 'mcp/tools/get-issue.yaml', '  |issueKey|:'],
  ['filter: { |state }', 'mcp/tools/get-issue.yaml', '      |state|:'],
  ['({ |issueKey: renamed', 'mcp/tools/get-issue.yaml', '  |issueKey|:'],
  ['return { |title', 'mcp/tools/get-issue.yaml', '  |title|:'],
  ["author: { |displayName: 'x'", 'mcp/tools/get-issue.yaml', '{ |displayName|:'],
  ['({ |title: renamed', 'mcp/tools/get-issue.yaml', '  |title|:'],
  ['tools.|getIssue(async', 'mcp/tools/get-issue.yaml', '|description|: Get'],
  ['type |GetIssueArgs', 'mcp/tools/get-issue.yaml', '|description|: Get'],
  ['ctx.errors.|ISSUE_NOT_FOUND', 'mcp/tools/get-issue.yaml', '  |ISSUE_NOT_FOUND|:'],
  ['ctx.|errors', 'mcp/tools/get-issue.yaml', '|errors|:'],
  ['ctx.options.|pageSize', 'mcp/tools/get-issue.yaml', '  |pageSize|:'],
  ['ctx.config.|JIRA_LIMIT', 'toolwright.yaml', '  |JIRA_LIMIT|:'],
  ['ctx.config.|JIRA_TOKEN', 'mcp/tools/get-issue.yaml', '  |JIRA_TOKEN|: required'],
];
const others: typeof getIssue = [
  ['tools.|closeIssue', 'mcp/tools.yaml', '|close-issue|:'],
  ['({ |reason }', 'mcp/tools.yaml', '    |reason|:'],
  ['tools.|search', 'mcp/tools.yaml', '|search|:'],
  ['{ |jql, sort', 'mcp/tools.yaml', '      |jql|:'],
  ['sort.|direction', 'mcp/tools.yaml', '          |direction|:'],
  ['{ |total', 'mcp/tools.yaml', '      |total|:'],
  ['tools.|jsonTool', 'mcp/tools/json-tool.json', '|"description"|:'],
  ['args.|größe,', 'mcp/tools/json-tool.json', '{ |"größe"|:'],
  ['args.|weight', 'mcp/tools/json-tool.json', ', |"weight"|:'],
  ['args.|second', 'mcp/tools/windows.yaml', '  |second|:'],
  ['marked(args => args.|first', 'mcp/tools/marked.yaml', '{ |first|:'],
  ['args.|city', 'mcp/tools/unicode.yaml', ', |city|:'],
  ['({ |country', 'mcp/tools/unicode.yaml', ', |country|:'],
  ["['|größe😀", 'mcp/tools/unicode.yaml', '{ |"größe😀"|:'],
  ['args.|remote', 'schemas/é %20#1.json', '|"remote"|:'],
  ['tools.|inlineTool', 'mcp/servers/main.yaml', '  - |name|: inline-tool'],
  ['args.|place', 'mcp/servers/main.yaml', '      |place|:'],
  ['args.|box.width', 'mcp/tools/move.yaml', '  |box|:'],
  ['args.box.|width', 'mcp/schemas/box.yaml', '  |width|:'],
  ['({ |width: Number', 'mcp/schemas/box.yaml', '  |width|:'],
  ['args.box.|lid', 'mcp/schemas/box.yaml', '  |lid|:'],
  ['lid?.|colour', 'mcp/schemas.yaml', '    |colour|:'],
  ['=> lid.|colour', 'mcp/schemas.yaml', '    |colour|:'],
  ['type |Schema_Lid', 'mcp/schemas.yaml', '|lid|:'],
  ['prompts.|issueText', 'mcp/prompts/issue-text.yaml', '|description|:'],
  ['args.|issue)', 'mcp/prompts/issue-text.yaml', '  |issue|:'],
  ['resources.|issue', 'mcp/resources/issue.yaml', '|description|:'],
  ['variables.|key', 'mcp/resources/issue.yaml', '{|key|}'],
  ['variables.|part', 'mcp/resources/issue.yaml', '{?|part|}'],
];

/** The place of the first bar in a pattern of a text; the text has no bars where patterns are used. */
function positionOf(text: string, pattern: string): Position {
  const bare = pattern.replaceAll('|', '');
  const found = text.indexOf(bare);
  if (found === -1 || text.indexOf(bare, found + 1) !== -1) throw new Error(`"${bare}" is not there just once`);
  const before = text.slice(0, found + pattern.indexOf('|')).replace(/^\uFEFF/, '');
  const lines = before.split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

const servers = [
  ['TypeScript 5.9', () => startTsserver()],
  ['TypeScript 7', (folder: string) => startTypeScript7(folder)],
] as const;

describe.each(servers)('go-to-definition in %s', (_, start) => {
  const generated = declarationsOf(programOf(manifests));
  const { folder, remove } = writeProject({ ...manifests, ...handlers, ...generated });
  let server: TypeScriptServer;
  beforeAll(async () => {
    server = await start(folder);
    for (const [path, text] of Object.entries(handlers)) server.open(join(folder, path), text);
  });
  afterAll(async () => {
    await server.stop();
    remove();
  });

  const cases = [
    ...getIssue.map(one => ['src/tools/get-issue.ts', ...one] as const),
    ...others.map(one => ['src/tools/others.ts', ...one] as const),
  ];
  it.each(cases)('P13 the server leads from %s at %s to %s %s', async (handler, cursor, manifest, target) => {
    const found = await server.definition(join(folder, handler), positionOf(handlers[handler], cursor));
    const places = found.map(({ file, line, column, endLine, endColumn }) => ({
      file: relative(folder, file).replaceAll('\\', '/'),
      line,
      column,
      endLine,
      endColumn,
    }));
    const { line, column } = positionOf(manifests[manifest], target);
    const length = target.lastIndexOf('|') - target.indexOf('|') - 1;
    expect(places).toEqual([{ file: manifest, line, column, endLine: line, endColumn: column + length }]);
  });
});
