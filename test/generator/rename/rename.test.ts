// Renaming items: the plan over packs in memory, and the real command over a copy of an example.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { rename } from '../../../cli/rename/rename.js';
import { generate } from '../../../generator/compile/generate.js';
import { checkHandlers } from '../../../generator/handlers/check-handlers.js';
import { applyRename, takeBackRename } from '../../../generator/rename/apply-rename.js';
import { planRename, type RenamePlan, type RenameRequest } from '../../../generator/rename/plan-rename.js';
import { printDiff } from '../../../generator/rename/print-diff.js';
import { applyEdits } from '../../../generator/rename/text-edits.js';
import { nodeFolder } from '../../../runtime/load/folder.js';
import { load } from '../../../runtime/load/load.js';
import { readTree } from '../../harness/files.js';
import { memoryFolder } from '../../harness/memory-folder.js';
import type { Files } from '../../harness/pack.js';

const toFetch: RenameRequest = { kind: 'tool', from: 'get-issue', to: 'fetch-issue' };
const definition = 'description: Get it.\n';

async function plan(files: Files, request: RenameRequest = toFetch): Promise<RenamePlan> {
  const folder = memoryFolder({ 'toolwright.yaml': 'name: acme/jira\n', ...files });
  return planRename(load(folder), folder, request);
}

/** The text of one file after the rename. */
async function renamed(
  path: string,
  text: string,
  more: Files = {},
  request: RenameRequest = toFetch,
): Promise<string> {
  const result = await plan({ 'mcp/tools/get-issue.yaml': definition, ...more, [path]: text }, request);
  expect(result.diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
  const file = result.edits.find(one => one.path === path);
  return file === undefined ? text : applyEdits(file);
}

async function codes(files: Files, request: RenameRequest = toFetch): Promise<readonly string[]> {
  const { diagnostics } = await plan(files, request);
  return diagnostics.map(({ code, file, line, column }) => `${code} ${file}:${line}:${column}`);
}

describe('what a rename leaves to its author', () => {
  it('fix-A18 a rename names the places with the old name that it did not change, once for each file', async () => {
    const found = await codes({
      'mcp/tools/get-issue.yaml': 'title: Get issue\ndescription: Get it.\n',
      'src/tools/get-issue.js':
        "import { tools } from '../../generated/index.js';\nexport default tools.getIssue(() => 1);\n",
      'test/mine.test.ts': "const name = 'get-issue';\ncall('get-issue', 'get-issue-2');\n",
      'README.md':
        '# Mine\n<!-- toolwright:all -->\n`get-issue`\n<!-- /toolwright -->\n\nnpx toolwright call get-issue\n',
      'other.md': 'forget-issue, get-issues, /get-issue/ and get-issue.js\n',
    });
    expect(found.filter(line => !line.startsWith('rename/wire-name'))).toEqual([
      'rename/not-changed README.md:6:21',
      'rename/not-changed mcp/tools/get-issue.yaml:1:8',
      'rename/not-changed test/mine.test.ts:1:15',
    ]);
  });

  it('fix-A18 an ordinary word is looked for in quotes only', async () => {
    const files = {
      'mcp/tools/greet.yaml': 'title: Welcome\ndescription: Greet.\n',
      'a.md': 'We greet people.\n',
      'b.md': 'Call `greet` to greet.\n',
    };
    const found = await codes(files, { kind: 'tool', from: 'greet', to: 'welcome' });
    expect(found.filter(line => line.startsWith('rename/not-changed'))).toEqual(['rename/not-changed b.md:1:7']);
  });
});

describe('renaming in manifests', () => {
  it.each([
    ['tools:\n  - get-issue # keep\n', 'tools:\n  - fetch-issue # keep\n'],
    ['tools:\n  - [ get-issue ,  Get it ]\n', 'tools:\n  - [ fetch-issue ,  Get it ]\n'],
    ['tools:\r\n  - name:   "get-issue"\r\n', 'tools:\r\n  - name:   "fetch-issue"\r\n'],
    ["\uFEFFtools: ['get-issue']", "\uFEFFtools: ['fetch-issue']"],
    [
      'tools: [&x get-issue]\nservers:\n  - name: s\n    tools: [*x]\n',
      'tools: [&x fetch-issue]\nservers:\n  - name: s\n    tools: [*x]\n',
    ],
    [
      'tools: [get-issue]\nservers:\n  - name: s\n    tools: [get-issue]\n',
      'tools: [fetch-issue]\nservers:\n  - name: s\n    tools: [fetch-issue]\n',
    ],
  ])('`rename` changes the declaration %j', async (before, after) => {
    expect(await renamed('toolwright.yaml', before, { 'mcp/servers/s.yaml': 'tools: []\n' })).toBe(after);
  });

  it('`rename` moves the file of an item in all formats and keeps its text', async () => {
    const files = { 'mcp/tools/get-issue.yaml': definition, 'mcp/tools/get-issue.json': '{"description":"x"}' };
    const { edits, moves } = await plan(files);
    expect(edits).toEqual([]);
    expect(moves).toEqual([
      { from: 'mcp/tools/get-issue.json', to: 'mcp/tools/fetch-issue.json' },
      { from: 'mcp/tools/get-issue.yaml', to: 'mcp/tools/fetch-issue.yaml' },
    ]);
  });

  it('`rename` changes the key in a combined file, in every document and in JSON', async () => {
    const yaml = 'other: { description: x }\n---\n# mine\n"get-issue":   { description: é }\n';
    const only = { 'toolwright.yaml': 'name: acme/jira\n' };
    const one = await plan({ ...only, 'mcp/tools.yaml': yaml });
    expect(one.edits.map(applyEdits)).toEqual([yaml.replace('get-issue', 'fetch-issue')]);
    const json = '{\n "get-issue": {"description": "get-issue"}\n}';
    const other = await plan({ ...only, 'mcp/tools.json': json });
    expect(other.edits.map(applyEdits)).toEqual([json.replace('get-issue', 'fetch-issue')]);
  });

  it('`rename` changes references of servers, including qualified ones, and definitions inside servers', async () => {
    const server = 'tools: [get-issue2, get-issue, acme/jira/get-issue, "other/get-issue"]\n';
    expect(await renamed('mcp/servers.yaml', `s:\n  ${server}`, { 'mcp/tools/get-issue2.yaml': definition })).toBe(
      's:\n  tools: [get-issue2, fetch-issue, acme/jira/fetch-issue, "other/get-issue"]\n',
    );
    const inline = 'tools:\n  - name: get-issue # inline\n    description: x\n    handler: src/x.ts\n';
    const { edits } = await plan({ 'mcp/servers/s.yaml': inline });
    expect(edits.map(applyEdits)).toEqual([inline.replace('get-issue', 'fetch-issue')]);
  });

  it('`rename` changes {{tool:x}} in every text, and nowhere else', async () => {
    const text = [
      'description: "See {{tool:get-issue}} or {{~ tool:acme/jira/get-issue ~}}, not \\\\{{tool:get-issue}}"',
      'guidelines:',
      '  whenToUse:',
      '    - >-',
      '      First {{tool:get-issue}},',
      '      then {{tool:get-issue}} again; get-issue',
      'errors:',
      '  NOPE: { message: x, suggestedFix: "Call {{tool:get-issue}}" }',
      'parameters:',
      '  text: { type: string, default: "{{tool:get-issue}}" }',
      '',
    ].join('\n');
    const lines = text.split('\n');
    const after = (await renamed('mcp/tools/other.yaml', text)).split('\n');
    expect(after.map((line, index) => (line === lines[index] ? '' : line))).toEqual([
      'description: "See {{tool:fetch-issue}} or {{~ tool:acme/jira/fetch-issue ~}}, not \\\\{{tool:get-issue}}"',
      '',
      '',
      '',
      '      First {{tool:fetch-issue}},',
      '      then {{tool:fetch-issue}} again; get-issue',
      '',
      '  NOPE: { message: x, suggestedFix: "Call {{tool:fetch-issue}}" }',
      '',
      '',
      '',
    ]);
  });

  it('`rename` changes references in Markdown files and prompts', async () => {
    const markdown = '# get-issue\r\n{{tool:get-issue}} {{tool:get-issue2}} {{tool:get-issue}}\r\n';
    const more = {
      'mcp/tools/get-issue2.yaml': definition,
      'mcp/servers/s.yaml': 'instructions: { file: docs/a.md }\n',
    };
    expect(await renamed('docs/a.md', markdown, more)).toBe(
      '# get-issue\r\n{{tool:fetch-issue}} {{tool:get-issue2}} {{tool:fetch-issue}}\r\n',
    );
    expect(
      await renamed(
        'mcp/prompts/p.yaml',
        'description: x\nmessages:\n  - { role: user, text: "{{tool:get-issue}}" }\n',
      ),
    ).toBe('description: x\nmessages:\n  - { role: user, text: "{{tool:fetch-issue}}" }\n');
  });

  it('`rename` changes overlays inside the pack', async () => {
    const { edits, moves } = await plan(
      {
        'mcp/tools/get-issue.yaml': definition,
        'overlays/quiet/tools/get-issue.yaml': 'title: x\n',
        'overlays/loud/tools.yaml': 'acme/jira/get-issue: { description: "{{tool:get-issue}}" }\n',
        'patches/tools.yaml': 'get-issue: { description: { file: a.md } }\n',
        'patches/a.md': '{{tool:get-issue}}',
      },
      { ...toFetch, overlays: ['patches'] },
    );
    expect(moves.map(({ to }) => to)).toEqual(['mcp/tools/fetch-issue.yaml', 'overlays/quiet/tools/fetch-issue.yaml']);
    expect(edits.map(file => [file.path, applyEdits(file)])).toEqual([
      ['overlays/loud/tools.yaml', 'acme/jira/fetch-issue: { description: "{{tool:fetch-issue}}" }\n'],
      ['patches/a.md', '{{tool:fetch-issue}}'],
      ['patches/tools.yaml', 'fetch-issue: { description: { file: a.md } }\n'],
    ]);
  });

  it('`rename` puts a name in quotes that YAML would read as something else', async () => {
    const request = { ...toFetch, to: '123' };
    expect(await renamed('toolwright.yaml', 'tools: [get-issue]\n', {}, request)).toBe("tools: ['123']\n");
  });

  it('`rename` reports patterns that treat the new name differently, and names written with escapes', async () => {
    const files = {
      'mcp/tools/get-issue.yaml': definition,
      'mcp/servers/a.yaml': 'tools: [get-*]\n',
      'mcp/servers/b.yaml': 'tools: [fetch-*, x]\n',
      'mcp/servers/c.yaml': 'tools: ["*-issue"]\n',
      'mcp/servers/d.yaml': 'tools: ["get\\u002dissue"]\n',
    };
    expect(await codes(files)).toEqual([
      'rename/pattern mcp/servers/a.yaml:1:9',
      'rename/pattern mcp/servers/b.yaml:1:9',
      'rename/by-hand mcp/servers/d.yaml:1:9',
      'rename/wire-name mcp/tools/get-issue.yaml:1:1',
    ]);
  });
});

describe('renaming and examples of prompts', () => {
  it('`rename` reports examples of prompts that expect the old name, if the prompt mentions the tool', async () => {
    const prompt = (text: string, output: string) =>
      `description: P.\ntext: ${text}\nexamples:\n  - input: {}\n    output: ${output}\n`;
    const files = {
      'mcp/tools/get-issue.yaml': definition,
      'mcp/prompts/a.yaml': prompt('Call {{tool:get-issue}}.', 'Call get-issue.'),
      'mcp/prompts/b.yaml': prompt('Use it.', 'Call get-issue.'),
      'mcp/prompts/c.yaml': prompt('Call {{tool:get-issue}}.', 'Call get-issues'),
    };
    expect(await codes(files)).toEqual([
      'rename/by-hand mcp/prompts/a.yaml:5:18',
      'rename/wire-name mcp/tools/get-issue.yaml:1:1',
    ]);
  });
});

describe('renaming in sources', () => {
  const index = "'../../generated/index.js'";
  const forms: Record<string, readonly [string, string]> = {
    'a stub with odd formatting': [
      `import { tools }   from ${index} // tools.getIssue stays in comments\n\nexport default  tools . getIssue( async ( {a} ) => {\n\treturn "getIssue" ;;\n} )`,
      `import { tools }   from ${index} // tools.getIssue stays in comments\n\nexport default  tools . fetchIssue( async ( {a} ) => {\n\treturn "getIssue" ;;\n} )`,
    ],
    types: [
      `import { tools, type GetIssueArgs } from ${index};\nexport const f = (a: GetIssueArgs): GetIssueArgs['x'] => a.x;\ntype GetIssueArgs2 = 1;\n`,
      `import { tools, type FetchIssueArgs } from ${index};\nexport const f = (a: FetchIssueArgs): FetchIssueArgs['x'] => a.x;\ntype GetIssueArgs2 = 1;\n`,
    ],
    aliases: [
      `import { tools as t, type GetIssueArgs as A } from ${index};\nt.getIssue((a: A) => a);\n`,
      `import { tools as t, type FetchIssueArgs as A } from ${index};\nt.fetchIssue((a: A) => a);\n`,
    ],
    'a namespace': [
      `import * as gen from ${index};\ngen.tools.getIssue((a: gen.GetIssueArgs) => a);\n`,
      `import * as gen from ${index};\ngen.tools.fetchIssue((a: gen.FetchIssueArgs) => a);\n`,
    ],
    'brackets, destructuring and type queries': [
      `import { tools, type Tools } from ${index};\ntools["getIssue"];\nconst { getIssue } = tools;\nconst { getIssue: g } = tools;\ntype A = Parameters<typeof tools.getIssue>;\ntype B = Tools['getIssue'];\ngetIssue();\n`,
      `import { tools, type Tools } from ${index};\ntools["fetchIssue"];\nconst { fetchIssue: getIssue } = tools;\nconst { fetchIssue: g } = tools;\ntype A = Parameters<typeof tools.fetchIssue>;\ntype B = Tools['fetchIssue'];\ngetIssue();\n`,
    ],
    'what others import keeps its name': [
      `import type { GetIssueOutput } from ${index};\nexport { GetIssueOutput };\nexport type { GetIssueArgs, GetIssueInput as In } from ${index};\n`,
      `import type { FetchIssueOutput } from ${index};\nexport { FetchIssueOutput as GetIssueOutput };\nexport type { FetchIssueArgs as GetIssueArgs, FetchIssueInput as In } from ${index};\n`,
    ],
    'a new name that is taken': [
      `import type { GetIssueArgs } from ${index};\ntype FetchIssueArgs = 1;\nlet a: GetIssueArgs;\n`,
      `import type { FetchIssueArgs as GetIssueArgs } from ${index};\ntype FetchIssueArgs = 1;\nlet a: GetIssueArgs;\n`,
    ],
    'names of something else': [
      `import { tools } from './kit.js';\nimport { tools as mine } from ${index};\ntools.getIssue();\n((mine: any) => mine.getIssue())(1);\nconst o = { tools: { getIssue: 1 } }; o.tools.getIssue;\nmine.getIssue();\n`,
      `import { tools } from './kit.js';\nimport { tools as mine } from ${index};\ntools.getIssue();\n((mine: any) => mine.getIssue())(1);\nconst o = { tools: { getIssue: 1 } }; o.tools.getIssue;\nmine.fetchIssue();\n`,
    ],
    'destructuring of everything at once': [
      `import * as gen from ${index};\nconst { tools: { getIssue } } = gen;\nconst { tools } = gen;\nconst { tools: { getIssue: g } } = await import(${index});\nconst { prompts: { getIssue: p } } = gen;\nconst { tools: { getIssue: o } } = other;\ntools.getIssue(getIssue, g);\n`,
      `import * as gen from ${index};\nconst { tools: { fetchIssue: getIssue } } = gen;\nconst { tools } = gen;\nconst { tools: { fetchIssue: g } } = await import(${index});\nconst { prompts: { getIssue: p } } = gen;\nconst { tools: { getIssue: o } } = other;\ntools.fetchIssue(getIssue, g);\n`,
    ],
    'calls of the tool by a handler': [
      `import { tools } from ${index};\nexport default tools.user(async (args, ctx) => {\n  await ctx.call("get-issue", { name: 'get-issue' });\n  await ctx.call('acme/jira/get-issue');\n  await ctx.call('other/jira/get-issue');\n  ctx.log.info('get-issue');\n});\n`,
      `import { tools } from ${index};\nexport default tools.user(async (args, ctx) => {\n  await ctx.call("fetch-issue", { name: 'get-issue' });\n  await ctx.call('acme/jira/fetch-issue');\n  await ctx.call('other/jira/get-issue');\n  ctx.log.info('get-issue');\n});\n`,
    ],
    'calls by helpers and by parts of a context': [
      `export default async (args, { call }) => call('get-issue');\nconst help = (ctx: UserContext) => { const { call: c } = ctx; return [c('get-issue'), ctx.call('get-issue')]; };\n`,
      `export default async (args, { call }) => call('fetch-issue');\nconst help = (ctx: UserContext) => { const { call: c } = ctx; return [c('fetch-issue'), ctx.call('fetch-issue')]; };\n`,
    ],
    'calls of something else': [
      `const rpc = { call: (name: string) => name };\nrpc.call('get-issue');\nfunction f(a: string, ctx: Client) { ctx.call('get-issue'); }\nlist.map((a, ctx) => ctx.call('get-issue'));\n`,
      `const rpc = { call: (name: string) => name };\nrpc.call('get-issue');\nfunction f(a: string, ctx: Client) { ctx.call('get-issue'); }\nlist.map((a, ctx) => ctx.call('get-issue'));\n`,
    ],
    'imports of the moved module and of the types of one tool': [
      `import run from './get-issue.js';\nimport type { X } from "../../generated/tools/get-issue.js";\nconst a = await import('./get-issue.ts');\nvi.mock('./get-issue');\nlet t: typeof import('./get-issue.js');\nimport other from './get-issue-2.js';\nimport data from '../data/get-issue.js';\nconst s = './get-issue.js';\n`,
      `import run from './fetch-issue.js';\nimport type { X } from "../../generated/tools/fetch-issue.js";\nconst a = await import('./fetch-issue.ts');\nvi.mock('./fetch-issue');\nlet t: typeof import('./fetch-issue.js');\nimport other from './get-issue-2.js';\nimport data from '../data/get-issue.js';\nconst s = './get-issue.js';\n`,
    ],
  };
  it.each(Object.entries(forms))('`rename` changes sources: %s', async (_, [before, after]) => {
    const more = { 'src/tools/get-issue.ts': 'export default () => 1;\n' };
    expect(await renamed('src/tools/user.ts', before, more)).toBe(after);
  });

  it('`rename` changes JavaScript with JSDoc types and with `require`', async () => {
    const text = `/** @type {import(${index}).GetIssueHandler} */\nexport default async () => 1; // GetIssueHandler\n`;
    const expected = text.replace('GetIssueHandler}', 'FetchIssueHandler}');
    expect(await renamed('src/tools/get-issue.js', text)).toBe(expected);
    const required =
      "\uFEFFconst { tools } = require('../../generated/index.js');\r\nmodule.exports = tools.getIssue(() => 1);\r\n";
    expect(await renamed('src/tools/get-issue.js', required)).toBe(required.replace('getIssue', 'fetchIssue'));
  });

  it('`rename` changes the names of parts that the generated file declares, and none of other tools', async () => {
    const text = `import type { GetIssueArgs_Filter, GetIssueListArgs } from ${index};\nlet a: GetIssueArgs_Filter;\n`;
    const more = {
      'generated/tools.d.ts': 'export interface GetIssueArgs_Filter {}\nexport interface GetIssueListArgs {}\n',
    };
    expect(await renamed('src/x.ts', text.replace('../../', '../'), more)).toBe(
      "import type { FetchIssueArgs_Filter, GetIssueListArgs } from '../generated/index.js';\nlet a: FetchIssueArgs_Filter;\n",
    );
  });

  it('`rename` of a prompt keeps the calls of a tool with the same name', async () => {
    const more = { 'mcp/prompts/ask.yaml': definition, 'mcp/tools/ask.yaml': definition };
    const text = "await ctx.call('ask');\n";
    expect(await renamed('src/x.ts', text, more, { kind: 'prompt', from: 'ask', to: 'beg' })).toBe(text);
  });

  it('`rename` of a prompt changes its functions and types, and not those of a tool', async () => {
    const text = `import { prompts, tools, type AskPromptArgs } from ${index};\nprompts.ask(1); tools.ask(1);\nlet a: AskPromptArgs;\n`;
    const more = { 'mcp/prompts/ask.yaml': definition, 'mcp/tools/ask.yaml': definition };
    expect(await renamed('src/prompts/ask.ts', text, more, { kind: 'prompt', from: 'ask', to: 'beg' })).toBe(
      `import { prompts, tools, type BegPromptArgs } from ${index};\nprompts.beg(1); tools.ask(1);\nlet a: BegPromptArgs;\n`,
    );
  });

  it('`rename` does not touch the generated folder, the build and dependencies', async () => {
    const text = "import { tools } from '../generated/index.js';\ntools.getIssue();\n";
    const files = { 'generated/x.js': text, 'dist/x.js': text, 'node_modules/x/x.js': text, '.cache/x.js': text };
    expect((await plan({ 'mcp/tools/get-issue.yaml': definition, ...files })).edits).toEqual([]);
  });
});

describe('renaming of handlers', () => {
  it('`rename` moves the module of a handler with its extension', async () => {
    const { moves } = await plan({ 'mcp/tools/get-issue.yaml': definition, 'src/tools/get-issue.mjs': '' });
    expect(moves).toContainEqual({ from: 'src/tools/get-issue.mjs', to: 'src/tools/fetch-issue.mjs' });
  });

  it('`rename` changes a path in the manifest if the module is named after the item', async () => {
    const text =
      'description: x\nhandler: "src/a/get-issue.ts#run"\ninitialize: { handler: ./src/a/get-issue.ts#warm }\n';
    expect(await renamed('mcp/tools/get-issue.yaml', text, { 'src/a/get-issue.ts': '' })).toBe(
      text.replaceAll('get-issue', 'fetch-issue'),
    );
    const other = 'description: x\nhandler: src/issues.ts#get\n';
    const { edits, moves } = await plan({ 'mcp/tools/get-issue.yaml': other, 'src/issues.ts': '' });
    expect([edits, moves.length]).toEqual([[], 1]);
  });

  it('`rename` does not move a module that other items use', async () => {
    const shared = {
      'mcp/tools/get-issue.yaml': definition,
      'mcp/tools/other.yaml': 'description: x\nhandler: src/tools/get-issue.ts#other\n',
      'src/tools/get-issue.ts': '',
    };
    expect(await codes(shared)).toContain('rename/shared-handler mcp/tools/get-issue.yaml:1:1');
    const named = { ...shared, 'mcp/tools/get-issue.yaml': 'description: x\nhandler: src/tools/get-issue.ts\n' };
    expect((await plan(named)).moves).toEqual([{ from: 'mcp/tools/get-issue.yaml', to: 'mcp/tools/fetch-issue.yaml' }]);
  });
});

describe('refusals and notes of a rename', () => {
  const base = { 'mcp/tools/get-issue.yaml': definition, 'mcp/tools/list.yaml': `name: all_items\n${definition}` };
  const wire = 'rename/wire-name mcp/tools/get-issue.yaml:1:1';
  it.each([
    ['an unknown item', { ...toFetch, from: 'get-isue' }, 'rename/unknown-item'],
    ['a wire name', { ...toFetch, from: 'all_items' }, 'rename/unknown-item'],
    ['an item of another kind', { ...toFetch, kind: 'prompt' as const }, 'rename/unknown-item'],
    ['no name', { ...toFetch, to: '' }, 'rename/invalid-name'],
    ['a path', { ...toFetch, to: '../x' }, 'rename/invalid-name'],
    ['the same name', { ...toFetch, to: 'get-issue' }, 'rename/invalid-name'],
    ['a very long name', { ...toFetch, to: 'x'.repeat(129) }, 'rename/invalid-name'],
    ['the name of another', { ...toFetch, to: 'list' }, 'rename/name-clash'],
    ['the same identifier as another', { ...toFetch, to: 'LIST' }, 'rename/name-clash'],
  ])('`rename` refuses %s', async (_, request, code) => {
    const result = await plan(base, request);
    expect(result.diagnostics.map(one => one.code)).toEqual([code]);
    expect([result.edits, result.moves]).toEqual([[], []]);
  });

  it('`rename` hints at the item that was meant for an unknown name', async () => {
    expect((await plan(base, { ...toFetch, from: 'get-isue' })).diagnostics[0]?.hint).toBe('did you mean "get-issue"?');
    expect((await plan(base, { ...toFetch, from: 'all_items' })).diagnostics[0]?.hint).toBe(
      'that is the name that clients see for "list"',
    );
  });

  it('`rename` offers a name that is valid, and says so of one that is taken', async () => {
    const [invalid] = (await plan(base, { ...toFetch, to: 'Fetch Issue' })).diagnostics;
    expect(invalid?.hint).toContain('fetch-issue');
    const [taken] = (await plan(base, { ...toFetch, to: 'list' })).diagnostics;
    expect(taken?.message).toBe('there is already a tool "list"');
  });

  it('`rename` refuses when a file is in the way, a key is taken or a file is broken', async () => {
    expect(await codes({ ...base, 'src/tools/get-issue.ts': '', 'src/tools/fetch-issue.ts': '' })).toContain(
      'rename/target-exists src/tools/fetch-issue.ts:1:1',
    );
    const closed = { 'toolwright.yaml': 'tools: [get-issue]\n', 'mcp/tools.yaml': 'get-issue: {}\nfetch-issue: {}\n' };
    expect(await codes(closed)).toContain('rename/name-clash mcp/tools.yaml:2:1');
    expect(await codes({ ...base, 'mcp/servers/s.yaml': 'tools: [get-issue\n' })).toContainEqual(
      expect.stringMatching(/^rename\/broken-pack mcp\/servers\/s\.yaml/),
    );
    expect(await codes({ ...base, 'mcp/servers/s.yaml': 'tools: [x\n' })).toEqual([
      'rename/wire-name mcp/tools/get-issue.yaml:1:1',
    ]);
  });

  it('`rename` mentions that the name on the wire changes, unless it is written down', async () => {
    expect((await plan(base)).diagnostics[0]).toMatchObject({
      code: 'rename/wire-name',
      severity: 'info',
      message: 'Clients see "fetch-issue" from now on, not "get-issue"',
    });
    expect(await codes(base, { ...toFetch, from: 'list', to: 'all' })).toEqual([]);
  });

  it('`rename` refuses an item with mistakes, but accepts one without a definition', async () => {
    const broken = { ...base, 'mcp/tools/get-issue.yaml': 'descripton: x\n', 'src/tools/get-issue.ts': '' };
    expect(await codes(broken)).toEqual(['rename/broken-pack mcp/tools/get-issue.yaml:1:1']);
    const interrupted = {
      'toolwright.yaml': 'tools: [get-issue]\n',
      'mcp/tools/fetch-issue.yaml': definition,
      'src/tools/get-issue.ts': '',
    };
    const { edits, moves } = await plan(interrupted);
    expect(edits.map(applyEdits)).toEqual(['tools: [fetch-issue]\n']);
    expect(moves).toEqual([{ from: 'src/tools/get-issue.ts', to: 'src/tools/fetch-issue.ts' }]);
  });

  it('`rename` refuses when a module of another extension would be taken for the handler', async () => {
    const files = { ...base, 'src/tools/get-issue.mts': 'export default 1;\n', 'src/tools/fetch-issue.ts': '' };
    expect(await codes(files)).toEqual([wire, 'rename/target-exists src/tools/fetch-issue.ts:1:1']);
    const weaker = { ...base, 'src/tools/get-issue.ts': 'export default 1;\n', 'src/tools/fetch-issue.js': '' };
    expect(await codes(weaker)).toEqual([wire]);
  });

  it('`rename` leaves alone a pack inside the pack with a tool of the same name', async () => {
    const text = "import { tools } from '#generated/index.js';\nexport default tools.getIssue(() => 1);\n";
    expect(await renamed('inner/src/tools/get-issue.ts', text, { 'inner/toolwright.yaml': '' })).toBe(text);
  });

  it('`rename` that only changes the case refuses when another file has exactly this name', async () => {
    const taken = { ...base, 'src/tools/get-issue.ts': 'export default 1;\n', 'src/tools/Get-Issue.ts': 'mine' };
    expect(await codes(taken, { ...toFetch, to: 'Get-Issue' })).toContain(
      'rename/target-exists src/tools/Get-Issue.ts:1:1',
    );
  });

  it('`rename` that only changes the case moves the files', async () => {
    expect((await plan(base, { ...toFetch, to: 'Get-Issue' })).moves).toEqual([
      { from: 'mcp/tools/get-issue.yaml', to: 'mcp/tools/Get-Issue.yaml' },
    ]);
  });
});

describe('`toolwright rename` on disk', () => {
  const folders: string[] = [];
  afterEach(() => {
    vi.restoreAllMocks();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  function copyJira(): string {
    const folder = mkdtempSync(join(tmpdir(), 'rename ü-'));
    folders.push(folder);
    cpSync(fileURLToPath(new URL('../../../examples/jira', import.meta.url)), folder, { recursive: true });
    return folder;
  }
  const flags = { format: 'text', overlay: [], color: false } as const;
  const nothingGenerated = async () => ({ operations: [], diagnostics: [] });
  const words = { kind: 'tool', from: 'get-issue', to: 'fetch-issue' };

  it('a renamed example pack is still sound, and renaming back restores every byte', async () => {
    const folder = copyJira();
    const before = readTree(folder);
    const counts = () => load(folder).diagnostics.map(({ code }) => code);
    const soundBefore = counts();
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const regenerate = vi.fn(nothingGenerated);
    expect(await rename(words, { ...flags, cwd: folder, dryRun: true }, regenerate)).toBe(0);
    expect(readTree(folder)).toEqual(before);
    expect(regenerate).not.toHaveBeenCalled();
    expect(out.mock.calls.join('')).toContain(
      '-  - [get-issue, Get an issue by its key]\n+  - [fetch-issue, Get an issue by its key]\n',
    );
    expect(await rename(words, { ...flags, cwd: folder }, regenerate)).toBe(0);
    expect(regenerate).toHaveBeenCalledExactlyOnceWith(folder, expect.anything());
    const after = readTree(folder);
    expect(Object.keys(after)).toContain('mcp/tools/fetch-issue.yaml');
    expect(Object.keys(after)).toContain('src/tools/fetch-issue.ts');
    expect(after['src/tools/fetch-issue.ts']).toBe(
      before['src/tools/get-issue.ts']?.replaceAll('GetIssueHandler', 'FetchIssueHandler'),
    );
    // The reporting server lists by patterns, which is what the warning said.
    expect(counts().filter(code => !code.startsWith('link/'))).toEqual(
      soundBefore.filter(code => !code.startsWith('link/')),
    );
    expect(load(folder).program?.tools.map(({ item }) => item)).toContain('fetch-issue');
    expect(
      await rename({ kind: 'tool', from: 'fetch-issue', to: 'get-issue' }, { ...flags, cwd: folder }, regenerate),
    ).toBe(0);
    expect(readTree(folder)).toEqual(before);
  });

  it('a refused `rename` changes nothing and exits with 1, and an unknown kind is a usage error', async () => {
    const folder = copyJira();
    const before = readTree(folder);
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    expect(await rename({ ...words, to: 'add-comment' }, { ...flags, cwd: folder }, nothingGenerated)).toBe(1);
    expect(out.mock.calls.join('')).toContain('rename/name-clash');
    expect(readTree(folder)).toEqual(before);
    await expect(rename({ ...words, kind: 'tol' }, { ...flags, cwd: folder }, nothingGenerated)).rejects.toThrow(
      /did you mean "tool"/,
    );
  });

  it('`rename` updates the generated folder, and every handler still fits its item', async () => {
    const folder = copyJira();
    const handler =
      "import { tools, type GetIssueOutput } from '../../generated/index.js';\n\nexport default tools.getIssue(async () => ({}) as GetIssueOutput);\n";
    writeFileSync(join(folder, 'src/tools/get-issue.ts'), handler);
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    expect((await generate(folder, { write: true })).ok).toBe(true);
    expect(await rename(words, { ...flags, cwd: folder })).toBe(0);
    const after = readTree(folder);
    expect(after['src/tools/fetch-issue.ts']).toBe(
      handler.replace('getIssue', 'fetchIssue').replaceAll('GetIssue', 'FetchIssue'),
    );
    expect(Object.keys(after).filter(path => path.includes('get-issue'))).toEqual(['mcp/texts/get-issue.md']);
    expect(after['generated/tools.d.ts']).toContain('FetchIssueOutput');
    expect(await checkHandlers(load(folder), nodeFolder(folder))).toEqual([]);
    expect((await generate(folder, { write: true })).operations.filter(({ op }) => op !== 'keep')).toEqual([]);
  });

  it('`rename` prints one line for each file, and its diagnostics point at existing files', async () => {
    const folder = copyJira();
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const printed = (): string => out.mock.calls.splice(0).join('');
    expect(await rename(words, { ...flags, cwd: folder, dryRun: true }, nothingGenerated)).toBe(0);
    expect(printed()).toContain('diff --git a/toolwright.yaml b/toolwright.yaml\n');
    expect((await generate(folder, { write: true })).ok).toBe(true);
    expect(await rename(words, { ...flags, cwd: folder })).toBe(0);
    const text = printed();
    expect(text).toContain('edit    toolwright.yaml\n');
    expect(text).toContain('move    src/tools/get-issue.ts -> src/tools/fetch-issue.ts\n');
    expect(text).toContain('create  generated/tools/fetch-issue.mjs\n');
    expect(text).not.toMatch(/^(?:diff|@@|[-+]) /m);
    expect(text).not.toContain('.toolwright.json');

    const own = mkdtempSync(join(tmpdir(), 'rename own-'));
    folders.push(own);
    mkdirSync(join(own, 'mcp/tools'), { recursive: true });
    writeFileSync(join(own, 'toolwright.yaml'), '');
    writeFileSync(join(own, 'mcp/tools/get-issue.yaml'), definition);
    for (const [dryRun, file] of [
      [true, 'mcp/tools/get-issue.yaml'],
      [false, 'mcp/tools/fetch-issue.yaml'],
    ] as const) {
      await rename(words, { ...flags, format: 'json', cwd: own, dryRun }, nothingGenerated);
      const { diagnostics } = JSON.parse(printed()) as RenamePlan;
      expect(diagnostics.map(one => [one.code, one.file])).toEqual([['rename/wire-name', file]]);
    }
  });

  it('`rename --format json` prints the edits, the moves and the diagnostics', async () => {
    const folder = copyJira();
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await rename(words, { ...flags, format: 'json', cwd: folder, dryRun: true }, nothingGenerated);
    const data = JSON.parse(out.mock.calls.join('')) as Record<string, unknown>;
    expect(data).toMatchObject({ ok: true, applied: false });
    expect(data['moves']).toContainEqual({ from: 'src/tools/get-issue.ts', to: 'src/tools/fetch-issue.ts' });
  });

  it('`rename` leaves everything as it was when a file changed meanwhile or a folder refuses', async () => {
    const folder = copyJira();
    const planned = await planRename(load(folder), nodeFolder(folder), toFetch);
    writeFileSync(join(folder, 'mcp/servers.yaml'), 'reporting: {}\n');
    const changed = readTree(folder);
    expect(applyRename(planned, folder).map(({ code, file }) => `${code} ${file}`)).toEqual([
      'rename/changed-meanwhile mcp/servers.yaml',
    ]);
    expect(readTree(folder)).toEqual(changed);
    const again = await planRename(load(folder), nodeFolder(folder), toFetch);
    // The module that should move is gone: found out only after texts were replaced.
    rmSync(join(folder, 'src/tools/get-issue.ts'));
    const without = readTree(folder);
    expect(applyRename(again, folder).map(({ code }) => code)).toEqual(['rename/failed']);
    expect(readTree(folder)).toEqual(without);
  });

  it('`rename` writes a file once that is also reached through links', async () => {
    const folder = copyJira();
    const text = "export { default } from '../tools/get-issue.js';\n";
    mkdirSync(join(folder, 'src/lib'));
    writeFileSync(join(folder, 'src/lib/real.ts'), text);
    symlinkSync('real.ts', join(folder, 'src/lib/link.ts'));
    symlinkSync('project-management.yaml', join(folder, 'mcp/servers/twin.yaml'));
    expect(applyRename(await planRename(load(folder), nodeFolder(folder), toFetch), folder)).toEqual([]);
    expect(readFileSync(join(folder, 'src/lib/real.ts'), 'utf8')).toBe(text.replace('get-issue', 'fetch-issue'));
    expect(readlinkSync(join(folder, 'src/lib/link.ts'))).toBe('real.ts');
    expect(readFileSync(join(folder, 'mcp/servers/project-management.yaml'), 'utf8')).toContain('- fetch-issue');
    expect(readlinkSync(join(folder, 'mcp/servers/twin.yaml'))).toBe('project-management.yaml');
  });

  it('`rename` exits with 1 for a broken toolwright.yaml', async () => {
    const folder = copyJira();
    writeFileSync(join(folder, 'toolwright.yaml'), 'name: [\n');
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    expect(await rename(words, { ...flags, cwd: folder }, nothingGenerated)).toBe(1);
  });

  it('`rename` does not replace a file that differs only in case and appears meanwhile', async context => {
    const folder = copyJira();
    context.skip(existsSync(join(folder, 'SRC')), 'upper and lower case are the same here');
    const planned = await planRename(load(folder), nodeFolder(folder), { ...toFetch, to: 'Get-Issue' });
    writeFileSync(join(folder, 'src/tools/Get-Issue.ts'), 'mine');
    const before = readTree(folder);
    expect(applyRename(planned, folder).map(({ code }) => code)).toEqual(['rename/changed-meanwhile']);
    expect(readTree(folder)).toEqual(before);
  });

  it('`rename` keeps the mode of a file', async () => {
    const folder = copyJira();
    chmodSync(join(folder, 'toolwright.yaml'), 0o640);
    const { mode } = statSync(join(folder, 'toolwright.yaml'));
    expect(applyRename(await planRename(load(folder), nodeFolder(folder), toFetch), folder)).toEqual([]);
    expect(statSync(join(folder, 'toolwright.yaml')).mode).toBe(mode);
  });

  it('`printDiff` prints a file without a final line break and a pure move', async () => {
    const result = await plan({
      'toolwright.yaml': 'a: 1\ntools: [get-issue]',
      'mcp/tools/get-issue.yaml': definition,
    });
    expect(printDiff(result)).toBe(
      [
        'diff --git a/mcp/tools/get-issue.yaml b/mcp/tools/fetch-issue.yaml',
        'rename from mcp/tools/get-issue.yaml',
        'rename to mcp/tools/fetch-issue.yaml',
        'diff --git a/toolwright.yaml b/toolwright.yaml',
        '--- a/toolwright.yaml',
        '+++ b/toolwright.yaml',
        '@@ -1,2 +1,2 @@',
        ' a: 1',
        '-tools: [get-issue]',
        '\\ No newline at end of file',
        '+tools: [fetch-issue]',
        '\\ No newline at end of file',
        '',
      ].join('\n'),
    );
  });
});

describe('fix-A15 `takeBackRename`', () => {
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
  const world = mkdtempSync(join(tmpdir(), 'toolwright-rename-'));
  const pack = join(world, 'pack');
  const write = (files: Readonly<Record<string, string>>): void => {
    rmSync(world, { recursive: true, force: true });
    mkdirSync(pack, { recursive: true });
    for (const [path, text] of Object.entries(files)) writeFileSync(join(world, path), text);
  };
  const read = (path: string): string | undefined =>
    existsSync(join(world, path)) ? readFileSync(join(world, path), 'utf8') : undefined;
  afterEach(() => rmSync(world, { recursive: true, force: true }));

  it('a rename that was cut off is undone, except for files that were edited since', () => {
    const journal = {
      moves: [{ from: 'a.yaml', to: 'b.yaml' }],
      written: { 'a.yaml': hash('new'), 'c.yaml': hash('new') },
    };
    write({
      'pack/b.yaml': 'new',
      'pack/.a.yaml.rename-old': 'old',
      'pack/c.yaml': 'edited',
      'pack/.c.yaml.rename-old': 'old',
      'pack/.toolwright.rename-old': JSON.stringify(journal),
    });
    takeBackRename(pack);
    expect([read('pack/a.yaml'), read('pack/b.yaml'), read('pack/c.yaml')]).toEqual(['old', undefined, 'edited']);
  });

  it.each(['{', '[]', '{"moves":1,"written":{}}', '{"moves":[1],"written":{"x":1}}', ''])(
    'a journal that is not ours changes nothing: %s',
    text => {
      write({ 'pack/a.yaml': 'old', 'pack/.toolwright.rename-old': text });
      takeBackRename(pack);
      expect(read('pack/a.yaml')).toBe('old');
    },
  );

  it('a journal never reaches out of the pack', () => {
    const journal = { moves: [{ from: '../moved', to: '../outside' }], written: { '../other': hash('theirs') } };
    const files = { outside: 'theirs', other: 'theirs', '.other.rename-old': 'planted' };
    write({ ...files, 'pack/.toolwright.rename-old': JSON.stringify(journal) });
    takeBackRename(pack);
    expect([read('outside'), read('moved'), read('other')]).toEqual(['theirs', undefined, 'theirs']);
  });
});
