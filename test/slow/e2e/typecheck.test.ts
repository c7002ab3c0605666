// Type errors of handlers with the manifest line that they contradict: small packs on disk with generated folders made by hand.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { PackFlags } from '../../../cli/pack/pack-command.js';
import { findCompiler, typecheck } from '../../../cli/typecheck/typecheck.js';
import { joinBlocks, makeBlock } from '../../../generator/compile/declarations/block.js';
import { generate } from '../../../generator/compile/generate.js';
import { isChange } from '../../../generator/compile/reconcile.js';
import { parseOutput } from '../../../generator/typecheck/compile-project.js';
import { readDeclarationMap } from '../../../generator/typecheck/manifest-places.js';
import { checkGenerated, typecheckPack } from '../../../generator/typecheck/typecheck-pack.js';
import { nodeFolder } from '../../../runtime/load/folder.js';
import { load } from '../../../runtime/load/load.js';
import type { Diagnostic } from '../../../schema/diagnostics.js';
import { writeFiles } from '../../harness/files.js';

const folders: string[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const definition = [
  'description: Get an issue.', // 1
  'parameters:',
  '  issueKey: string',
  '  limit: { type: integer, default: 5 }',
  'output:', // 5
  '  summary: string',
  '  votes: integer',
  'errors:',
  '  NOT_FOUND: { message: x }',
  '',
].join('\n');

const types = [
  'export interface GetIssueArgs { readonly issueKey: string; readonly limit: number }',
  'export interface GetIssueOutput { readonly summary: string; readonly votes: number }',
  'export interface GetIssueErrors { readonly NOT_FOUND: (message?: string) => Error }',
  'export interface GetIssueContext { readonly errors: GetIssueErrors; readonly config: import("./config.js").Config }',
  'export type GetIssueHandler = (args: GetIssueArgs, ctx: GetIssueContext) => GetIssueOutput | Promise<GetIssueOutput>;',
  '',
].join('\n');

const base: Readonly<Record<string, string>> = {
  'package.json': '{"name":"@acme/jira","type":"module"}',
  'tsconfig.json':
    '{"compilerOptions":{"module":"nodenext","target":"es2022","lib":["es2015"],"strict":true,"noEmit":true,"types":[]},"include":["src"]}',
  'toolwright.yaml': 'config:\n  JIRA_LIMIT: { type: integer }\n',
  'mcp/tools/get-issue.yaml': definition,
  'generated/index.js': 'export const tools = { getIssue: handler => handler };\n',
  'generated/index.d.ts':
    "import type { GetIssueHandler } from './tools.js';\nexport * from './tools.js';\nexport interface Tools {\n  getIssue(handler: GetIssueHandler): GetIssueHandler;\n}\nexport declare const tools: Tools;\n",
  'generated/config.d.ts': 'export interface Config { readonly JIRA_LIMIT: number }\n',
  'generated/tools.d.ts': types,
};

function write(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'types ü-')));
  folders.push(folder);
  writeFiles(folder, { ...base, ...files });
  return folder;
}

/** The compilers that projects have: each is what the tests of the project itself are compiled with. */
const compilers = { '5.9': 'typescript', '7': 'typescript7' } as const;
type Version = keyof typeof compilers;

function install(folder: string, version: Version): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  const target = fileURLToPath(new URL(`../../../node_modules/${compilers[version]}`, import.meta.url));
  symlinkSync(target, join(folder, 'node_modules/typescript'), 'junction');
}

async function check(folder: string, version: Version = '7'): Promise<readonly Diagnostic[]> {
  install(folder, version);
  return typecheckPack(load(folder), nodeFolder(folder), findCompiler(folder));
}

async function found(files: Readonly<Record<string, string>>, version: Version = '7'): Promise<readonly Diagnostic[]> {
  return check(write(files), version);
}

/** `TS2339 file:line:column -> manifest:line:column`. */
async function told(
  body: string,
  more: Readonly<Record<string, string>> = {},
  version: Version = '7',
): Promise<readonly string[]> {
  const handler = `import { tools, type GetIssueArgs } from '../../generated/index.js';\n${body}\n`;
  return (await found({ 'src/tools/get-issue.ts': handler, ...more }, version)).map(show);
}

function show({ message, file, line, column, related = [] }: Diagnostic): string {
  const way = related.map(one => `${one.file}:${one.line}:${one.column}`).join(' ');
  return `${message.split(':')[0]} ${file}:${line}:${column}${way === '' ? '' : ` -> ${way}`}`;
}

const yaml = 'mcp/tools/get-issue.yaml';

const mistakes: readonly (readonly [what: string, body: string, expected: string])[] = [
  [
    'a misspelt argument',
    'export default tools.getIssue(args => ({ summary: args.issueKy, votes: 1 }));',
    `TS2551 src/tools/get-issue.ts:2:56 -> ${yaml}:3:3`,
  ],
  [
    'an unknown argument',
    'export default tools.getIssue(args => ({ summary: args.zzz, votes: 1 }));',
    `TS2339 src/tools/get-issue.ts:2:56 -> ${yaml}:2:1`,
  ],
  [
    'an unknown argument, destructured',
    'export default tools.getIssue(({ zzz }) => ({ summary: zzz, votes: 1 }));',
    `TS2339 src/tools/get-issue.ts:2:34 -> ${yaml}:2:1`,
  ],
  [
    'an argument of another type',
    'export default tools.getIssue(({ issueKey }) => ({ summary: issueKey.toFixed(), votes: 1 }));',
    `TS2551 src/tools/get-issue.ts:2:70 -> ${yaml}:3:3`,
  ],
  [
    'an output field of another type',
    'export default tools.getIssue(() => ({ summary: 1, votes: 1 }));',
    `TS2322 src/tools/get-issue.ts:2:40 -> ${yaml}:6:3`,
  ],
  [
    'the same from a block',
    'export default tools.getIssue(async () => {\n  return { summary: 1, votes: 1 };\n});',
    `TS2345 src/tools/get-issue.ts:2:31 -> ${yaml}:6:3`,
  ],
  [
    'a missing output field',
    'export default tools.getIssue(() => ({ summary: "" }));',
    `TS2322 src/tools/get-issue.ts:2:37 -> ${yaml}:7:3`,
  ],
  [
    'an unknown error',
    'export default tools.getIssue((_, ctx) => { throw ctx.errors.NOPE(); });',
    `TS2339 src/tools/get-issue.ts:2:62 -> ${yaml}:8:1`,
  ],
  [
    'a misspelt error',
    'export default tools.getIssue((_, ctx) => { throw ctx.errors.NOT_FOUNT(); });',
    `TS2551 src/tools/get-issue.ts:2:62 -> ${yaml}:9:3`,
  ],
  [
    'a misspelt config key',
    'export default tools.getIssue((_, ctx) => ({ summary: "", votes: ctx.config.JIRA_LIMITS }));',
    'TS2551 src/tools/get-issue.ts:2:77 -> toolwright.yaml:2:3',
  ],
  ['a misspelt tool', 'export default tools.getIsue(() => 1);', `TS2551 src/tools/get-issue.ts:2:22 -> ${yaml}:1:1`],
  [
    'a value made for the handler',
    'export const a: GetIssueArgs = { issueKey: 1, limit: 1 };',
    `TS2322 src/tools/get-issue.ts:2:34 -> ${yaml}:3:3`,
  ],
];

describe('type errors with the manifest line', () => {
  it('P13 a handler that fits has no type errors', async () => {
    expect(
      await told(
        'export default tools.getIssue(async ({ issueKey, limit }, ctx) => ({ summary: issueKey, votes: limit + ctx.config.JIRA_LIMIT }));',
      ),
    ).toEqual([]);
  });

  it.each(mistakes)(
    'P13 a type error names the line of the manifest that it contradicts: %s',
    async (_, body, expected) => {
      expect(await told(body)).toEqual([expected]);
    },
  );

  it.each(['5.9', '7'] as const)('P13 TypeScript %s finds all mistakes in one run', async version => {
    const start = "import { tools, type GetIssueArgs } from '../../generated/index.js';\n";
    const bodies = mistakes.map(([, body], index) => [`src/all/${index}.ts`, `${start}${body}\nexport {};\n`] as const);
    const shown = (await found(Object.fromEntries(bodies), version)).map(show);
    const expected = mistakes.map(([, , line], index) => line.replace('src/tools/get-issue.ts', `src/all/${index}.ts`));
    expect([...shown].sort()).toEqual([...expected].sort());
  });

  it('P13 a long explanation is shown by its first sentence, the part it is about and the innermost sentence, in one line', async () => {
    const body =
      "import { tools } from '../../generated/index.js';\nexport default tools.getIssue(async () => {\n  return { summary: 1, votes: 1 };\n});\n";
    const [only] = await found({ 'src/tools/get-issue.ts': body });
    expect(only?.message).toMatch(
      /^TS2345: Argument of type '[^']*' is not assignable to parameter of type 'GetIssueHandler'\. \.\.\. Types of property 'summary' are incompatible\. \.\.\. Type 'number' is not assignable to type 'string'\.$/,
    );
  });

  it('P13 an unknown argument of a raw schema leads to inputSchema', async () => {
    const raw = 'description: x\ninputSchema:\n  type: object\n  properties: { issueKey: { type: string } }\n';
    const body = 'export default tools.getIssue(args => ({ summary: args.zzz, votes: 1 }));';
    expect(await told(body, { [yaml]: raw })).toEqual([`TS2339 src/tools/get-issue.ts:2:56 -> ${yaml}:2:1`]);
  });

  it.each([
    ['a misspelt variable', 'const total = 1; return { summary: "", votes: totl };', 'TS2552 3:47 own:3:7'],
    ['an unknown variable', 'return { summary: "", votes: nowhere };', 'TS2304 3:30'],
    ['a local type', 'const n: number = ""; return { summary: "", votes: n };', 'TS2322 3:7'],
    ['a property of a local', 'const own = { a: 1 }; return { summary: "", votes: own.b };', 'TS2339 3:56'],
    ['an argument of a local function', 'return { summary: "", votes: Math.abs("") };', 'TS2345 3:39'],
  ])('P13 %s inside a handler has nothing to do with a manifest', async (_, body, expected) => {
    const shown = (await told(`export default tools.getIssue(() => {\n${body}\n});`)).map(line =>
      line.replace('src/tools/get-issue.ts:', '').replace('-> src/tools/get-issue.ts', 'own'),
    );
    expect(shown).toEqual([expected]);
  });

  it('P13 an error that has nothing to do with a manifest has no line of one', async () => {
    expect(
      await told('export default tools.getIssue(() => ({ summary: "", votes: 1 }));\nconst n: number = "";'),
    ).toEqual(['TS2322 src/tools/get-issue.ts:3:7']);
  });

  it('P13 declaration maps are followed if they exist, also into other files', async () => {
    const path = 'generated/tools.d.ts';
    const at = (name: string, line: number, column: number) => ({
      offset: types.indexOf(`readonly ${name}`) + 'readonly '.length,
      length: name.length,
      site: { file: 'mcp/schemas/issue.json', line, column, endLine: line, endColumn: column + name.length + 2 },
    });
    const { map } = joinBlocks(path, [makeBlock(types, [at('issueKey', 4, 7), at('summary', 9, 3)])]);
    const body = 'export default tools.getIssue(args => ({ summary: args.issueKy, votes: 1 }));';
    expect(await told(body, { [`${path}.map`]: map })).toEqual([
      'TS2551 src/tools/get-issue.ts:2:56 -> mcp/schemas/issue.json:4:7',
    ]);
  });

  it('P13 type errors lead into combined files, and to the right one of names with a common start', async () => {
    const combined =
      'get:\n  description: x\n  parameters: { a: string }\nget-issue:\n  description: x\n  parameters:\n    issueKey: string\n';
    const files = { 'mcp/tools.yaml': combined, 'toolwright.yaml': 'tools: [get, get-issue]\n' };
    const folder = write({
      ...files,
      'src/tools/get-issue.ts':
        "import { tools } from '../../generated/index.js';\ntools.getIssue(args => args.issueKy);\n",
    });
    rmSync(join(folder, 'mcp/tools'), { recursive: true });
    expect((await check(folder)).map(show)).toEqual(['TS2551 src/tools/get-issue.ts:2:29 -> mcp/tools.yaml:7:5']);
  });
});

describe('settings of the project in `typecheck`', () => {
  it('P16 modules that the tsconfig leaves out are checked, those of others are not', async () => {
    const text = 'export default (a: string) => a.zzz;\n';
    const config = '{"compilerOptions":{"module":"nodenext","strict":true,"types":[]},"files":[]}';
    const files = {
      'tsconfig.json': config,
      'src/tools/get-issue.ts': text,
      'node_modules/x/index.ts': text,
      'dist/x.ts': text,
    };
    expect((await found(files)).map(show)).toEqual(['TS2339 src/tools/get-issue.ts:1:33']);
  });

  it('P16 JavaScript without a tsconfig is checked by its JSDoc types', async () => {
    const folder = write({
      'src/tools/get-issue.js':
        "/** @type {import('../../generated/index.js').GetIssueHandler} */\nexport default args => ({ summary: args.issueKy, votes: 1 });\n",
    });
    rmSync(join(folder, 'tsconfig.json'));
    expect((await check(folder)).map(show)).toEqual([`TS2551 src/tools/get-issue.js:2:41 -> ${yaml}:3:3`]);
  });

  it('P16 a project on an older TypeScript keeps its defaults', async () => {
    const files = {
      'node_modules/@types/extra/index.d.ts': 'declare const extra: number;\n',
      'tsconfig.json': '{"compilerOptions":{"module":"nodenext","target":"es2022"},"include":["src"]}',
      'src/tools/get-issue.ts': 'export default (a) => a + extra;\n',
    };
    expect((await found(files, '5.9')).map(show)).toEqual([]);
    expect((await found(files, '7')).map(show)).toEqual([
      'TS7006 src/tools/get-issue.ts:1:17',
      'TS2304 src/tools/get-issue.ts:1:27',
    ]);
  });

  it('P16 deprecated options are accepted, and unknown ones are errors at their position', async () => {
    const config =
      '{\n  "compilerOptions": {\n    "module": "esnext", "moduleResolution": "node10", "types": [],\n    "stirct": true\n  },\n  "include": ["src"]\n}\n';
    const files = { 'tsconfig.json': config, 'src/tools/get-issue.ts': 'export default () => 1;\n' };
    const diagnostics = await found(files, '5.9');
    expect(diagnostics.map(one => `${one.code} ${show(one)}`)).toEqual(['typecheck/config TS5025 tsconfig.json:4:5']);
    const broken = await found({ ...files, 'tsconfig.json': '{ "compilerOptions": { "strict": true ' }, '5.9');
    expect(broken.map(({ code, file }) => `${code} ${file}`)).toEqual(['typecheck/config tsconfig.json']);
  });

  it('P16 a missing generated folder is reported once, without its consequences', async () => {
    const folder = write({
      'src/tools/get-issue.ts':
        "import { tools } from '../../generated/index.js';\nexport default tools.getIssue(args => args.x);\n",
    });
    rmSync(join(folder, 'generated'), { recursive: true });
    const diagnostics = await check(folder);
    expect(diagnostics.map(({ code, file, line, column }) => `${code} ${file}:${line}:${column}`)).toEqual([
      'typecheck/not-generated src/tools/get-issue.ts:1:23',
    ]);
    expect(diagnostics[0]?.hint).toBe('run toolwright generate');
  });

  it('P16 a project without TypeScript learns how to install it, and without handlers there is nothing to check', async () => {
    const folder = write({ 'src/tools/get-issue.ts': 'export default () => 1;\n' });
    const [only, ...others] = await typecheckPack(load(folder), nodeFolder(folder), findCompiler(folder));
    expect(others).toEqual([]);
    expect(only).toMatchObject({ code: 'typecheck/compiler', hint: 'npm install --save-dev typescript' });
    rmSync(join(folder, 'src'), { recursive: true });
    expect(await typecheckPack(load(folder), nodeFolder(folder), findCompiler(folder))).toEqual([]);
  });

  it('P16 a compiler that does not work is reported with what it prints', async () => {
    const folder = write({
      'src/tools/get-issue.ts': 'export default () => 1;\n',
      'node_modules/typescript/package.json': '{"name":"typescript","version":"5.9.3"}',
      'node_modules/typescript/bin/tsc': 'console.error("worn out"); process.exit(3);\n',
    });
    const diagnostics = await typecheckPack(load(folder), nodeFolder(folder), findCompiler(folder));
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ['typecheck/compiler', expect.stringMatching(/cannot be run: worn out$/)],
    ]);
  });

  it.each(['5.9', '7'] as const)('P16 TypeScript %s writes nothing, and file names may be odd', async version => {
    const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, types: [] };
    const folder = write({
      'tsconfig.json': JSON.stringify({
        compilerOptions: { ...compilerOptions, composite: true, outDir: 'out', tsBuildInfoFile: 'x.tsbuildinfo' },
        include: ['src'],
      }),
      'src/a b/ü (3,4): error TS1.ts': 'export const a = "\u{1f600}"; export const b: number = "";\n',
      'src/tools/get-issue.ts': 'export default () => 1;\n',
    });
    expect((await check(folder, version)).map(show)).toEqual(['TS2322 src/a b/ü (3,4): error TS1.ts:1:37']);
    expect(existsSync(join(folder, 'out'))).toBe(false);
    expect(readdirSync(folder).filter(name => name.endsWith('.tsbuildinfo'))).toEqual([]);
  });

  it.each(['5.9', '7'] as const)(
    'P16 a syntax error of another package hides nothing from TypeScript %s',
    async version => {
      const folder = write({});
      const pack = join(folder, 'packs/one');
      const { 'tsconfig.json': _, ...others } = base;
      writeFiles(pack, { ...others, 'src/tools/get-issue.ts': 'export default (a: string) => a.zzz;\n' });
      mkdirSync(join(folder, 'packs/two'));
      writeFileSync(join(folder, 'packs/two/broken.ts'), 'const = ;\n');
      const compilerOptions = { module: 'nodenext', strict: true, types: [] };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['packs'] }));
      expect((await check(pack, version)).map(show)).toEqual(['TS2339 src/tools/get-issue.ts:1:33']);
      // One that a handler imports is the reason why nothing else was checked.
      writeFileSync(
        join(pack, 'src/tools/get-issue.ts'),
        "import '../../../two/broken.js';\nexport default () => 1;\n",
      );
      expect((await typecheckPack(load(pack), nodeFolder(pack), findCompiler(pack))).map(one => one.file)).toContain(
        '../two/broken.ts',
      );
    },
  );

  it('P16 JavaScript of a project that does not check it is left alone', async () => {
    const folder = write({ 'src/tools/get-issue.js': 'export default a => a.b.c;\n' });
    expect(await check(folder)).toEqual([]);
  });

  it('P16 `parseOutput` reads what the compiler prints, whatever is in it', () => {
    const output = [
      "src\\a (1,2).ts(3,4): error TS2322: Type 'a' is not b(5,6): error TS1: c",
      '  deeper',
      '    deepest',
      "error TS18003: No inputs were found in config file 'x'.",
      "error TS2688: Cannot find type definition file for 'node'.",
      '/somewhere/lib.d.ts',
      '',
    ].join('\r\n');
    const { errors, files } = parseOutput({ status: 2, output });
    expect(errors).toEqual([
      expect.objectContaining({
        line: 3,
        column: 4,
        code: 2322,
        message: [expect.any(String), '  deeper', '    deepest'],
      }),
      expect.objectContaining({ path: undefined, line: 1, column: 1, code: 2688 }),
    ]);
    expect([...files]).toEqual(['/somewhere/lib.d.ts']);
    expect(parseOutput({ status: 1, output: 'Segmentation fault' }).failure).toBe('Segmentation fault');
  });

  const initial = {
    module: 'nodenext',
    target: 'esnext',
    types: [],
    strict: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    moduleDetection: 'force',
    skipLibCheck: true,
  };
  it.each([
    ['as tsc --init writes it', initial],
    ['node16', { module: 'node16', strict: true, types: [], verbatimModuleSyntax: true }],
  ])('P16 CommonJS with import = and export = is checked: %s', async (_, compilerOptions) => {
    const files = {
      'package.json': '{"name":"@acme/jira","type":"commonjs"}',
      'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
      'src/tools/get-issue.ts':
        "import generated = require('../../generated/index.js');\nconst getIssue = generated.tools.getIssue(async args => ({ summary: args.issueKey, votes: 1 }));\nexport = getIssue;\n",
    };
    expect((await found(files)).map(show)).toEqual([]);
    const esm = { ...files, 'package.json': '{"name":"@acme/jira","type":"module"}' };
    expect((await found(esm)).map(show)).toContain('TS1203 src/tools/get-issue.ts:3:1');
  });

  describe('modules that the generated types import', () => {
    const support = {
      'node_modules/toolwright/package.json':
        '{"name":"toolwright","type":"module","exports":{"./support":{"types":"./types.d.ts"}}}',
      'node_modules/toolwright/types.d.ts': 'export interface ToolContext { notImplemented(): Error }\n',
      'generated/tools.d.ts': `import type { ToolContext } from 'toolwright/support';\nexport type X = ToolContext;\n${types}`,
      'generated/config.d.ts':
        "import type { ToolContext } from 'toolwright/support';\nexport interface Config { readonly JIRA_LIMIT: ToolContext }\n",
      'src/tools/get-issue.ts':
        "import { tools } from '../../generated/index.js';\nexport default tools.getIssue(async () => ({ summary: '', votes: 1 }));\n",
    };
    const resolutionNeeded =
      'write "module": "nodenext" or "node16" in tsconfig.json and leave moduleResolution out, or "module": "esnext" with "moduleResolution": "bundler"';
    it.each([
      ['commonjs, TypeScript 5', '5.9', { module: 'commonjs' }, ['TS2307', resolutionNeeded]],
      ['commonjs, TypeScript 7', '7', { module: 'commonjs' }, []],
      ['esnext and bundler', '5.9', { module: 'esnext', moduleResolution: 'bundler' }, []],
      ['esnext, TypeScript 5', '5.9', { module: 'esnext' }, ['TS2792', resolutionNeeded]],
      ['commonjs and skipLibCheck', '5.9', { module: 'commonjs', skipLibCheck: true }, []],
      ['node16', '5.9', { module: 'node16' }, ['TS1541', 'set skipLibCheck, or module: nodenext, in tsconfig.json']],
      ['nodenext', '5.9', { module: 'nodenext' }, []],
    ] as const)(
      'P16 a module that the generated types import is resolved or explained: %s',
      async (_, version, options, expected) => {
        const compilerOptions = { target: 'es2022', strict: true, types: [], ...options };
        const files = {
          ...support,
          'package.json': '{"name":"@acme/jira"}',
          'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
        };
        const diagnostics = await found(files, version);
        const shown = diagnostics.map(({ code, message, hint }) => [code, message.split(':')[0], hint]);
        expect(shown).toEqual(expected.length === 0 ? [] : [['typecheck/unresolved', ...expected]]);
      },
    );

    it.each(['commonjs', 'node16', 'nodenext'])(
      'fix-B3 an own import of toolwright/testing is found or explained: %s',
      async module => {
        const compilerOptions = { target: 'es2022', strict: true, types: [], skipLibCheck: true, module };
        const files = {
          ...support,
          'package.json': '{"name":"@acme/jira","type":"module"}',
          'node_modules/toolwright/package.json':
            '{"name":"toolwright","type":"module","exports":{"./*":{"types":"./types.d.ts"}}}',
          'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
          'src/mine.ts': "import type { ToolContext } from 'toolwright/testing';\nexport type Mine = ToolContext;\n",
        };
        const own = (await found(files, '5.9')).filter(({ file }) => file === 'src/mine.ts');
        expect(own.map(({ hint }) => hint)).toEqual(module === 'commonjs' ? [resolutionNeeded] : []);
      },
    );

    it('P16 with skipLibCheck the unresolved module is named as the cause of other errors', async () => {
      const compilerOptions = { target: 'es2022', module: 'commonjs', strict: true, types: [], skipLibCheck: true };
      const files = {
        ...support,
        'package.json': '{"name":"@acme/jira"}',
        'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
        'generated/tools.d.ts': support['generated/tools.d.ts'].replace(
          'GetIssueContext {',
          'GetIssueContext extends ToolContext {',
        ),
        'src/tools/get-issue.ts':
          "import { tools } from '../../generated/index.js';\nexport default tools.getIssue(async (_, ctx) => {\n  throw ctx.notImplemented();\n});\n",
      };
      const diagnostics = await found(files, '5.9');
      expect(diagnostics.map(({ code, file, hint }) => [code, file, hint])).toEqual([
        ['typecheck/unresolved', 'generated/config.d.ts', resolutionNeeded],
        ['typecheck/error', 'src/tools/get-issue.ts', expect.stringContaining('change the code')],
      ]);
    });

    it('P16 a package that is not installed is reported, whatever the resolution', async () => {
      const { 'node_modules/toolwright/package.json': _, ...rest } = support;
      const diagnostics = await found(rest);
      expect(diagnostics.map(({ code, hint }) => [code, hint])).toEqual([
        ['typecheck/unresolved', 'is toolwright installed?'],
      ]);
    });
  });
});

describe('`toolwright typecheck`', () => {
  const flags = { format: 'text', overlay: [], color: false } as const;
  const fits = 'export default tools.getIssue(async ({ issueKey }) => ({ summary: issueKey, votes: 1 }));';
  const handler = (body: string): string => `import { tools } from '../../generated/index.js';\n${body}\n`;

  /** A pack as generate leaves it. */
  async function generated(body: string): Promise<string> {
    const folder = write({
      'src/tools/get-issue.ts': handler(body),
      'node_modules/toolwright/package.json':
        '{"name":"toolwright","type":"module","exports":{"./support":{"types":"./types.d.ts"}}}',
      'node_modules/toolwright/types.d.ts':
        'export interface ToolContext { notImplemented(): Error }\nexport type ErrorFactory = (message?: string) => Error;\n',
    });
    rmSync(join(folder, 'generated'), { recursive: true });
    await generate(folder, { write: true });
    install(folder, '7');
    return folder;
  }

  async function run(folder: string, more: Partial<PackFlags> = {}): Promise<{ status: number; text: string }> {
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const status = await typecheck(undefined, { ...flags, ...more, cwd: folder });
    const text = out.mock.calls.join('');
    out.mockRestore();
    return { status, text };
  }

  async function codes(folder: string): Promise<readonly string[]> {
    const { diagnostics } = JSON.parse((await run(folder, { format: 'json' })).text) as {
      diagnostics: readonly Diagnostic[];
    };
    return diagnostics.map(({ code, file, line, column }) => `${code} ${file}:${line}:${column}`);
  }

  it('`typecheck` prints frames of the code, names the manifest and exits with 1', async () => {
    const folder = await generated('export default tools.getIssue(args => ({ summary: args.issueKy, votes: 1 }));');
    const { status, text } = await run(folder);
    expect(status).toBe(1);
    expect(text).toContain(
      "TS2551: Property 'issueKy' does not exist on type 'GetIssueArgs'. Did you mean 'issueKey'?",
    );
    expect(text).toContain('src/tools/get-issue.ts:2:56');
    expect(text).toContain('mcp/tools/get-issue.yaml:3:3');
  });

  it('`typecheck --format json` prints a report and exits with 0 when all is well', async () => {
    const { status, text } = await run(await generated(fits), { format: 'json' });
    expect(JSON.parse(text)).toEqual({ ok: true, pack: 'acme/jira', diagnostics: [] });
    expect(status).toBe(0);
  });

  it('P13 types of an older manifest are not trusted, and nothing is written', async () => {
    const folder = await generated(fits);
    const path = join(folder, 'generated/tools.d.ts');
    const before = readFileSync(path, 'utf8');
    writeFileSync(join(folder, yaml), definition.replace('issueKey: string', 'issueKey: integer'));
    const { status, text } = await run(folder);
    expect(status).toBe(1);
    expect(text).toContain('"generated" is out of date: run toolwright generate');
    expect(await codes(folder)).toEqual([`typecheck/out-of-date ${yaml}:1:1`]);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  it('P13 an item that is gone makes the types out of date', async () => {
    const folder = await generated(fits);
    rmSync(join(folder, yaml));
    expect(await codes(folder)).toContain('typecheck/out-of-date toolwright.yaml:1:1');
  });

  it('P13 a new server, which only changes schemas for editors, does not make the types out of date', async () => {
    const folder = await generated(fits);
    mkdirSync(join(folder, 'mcp/servers'));
    writeFileSync(join(folder, 'mcp/servers/main.yaml'), 'description: S.\n');
    expect((await generate(folder)).operations.filter(isChange).map(({ path }) => path)).not.toEqual([]);
    expect(await codes(folder)).toEqual([]);
  });

  it('P13 `checkGenerated` ignores schemas for editors when the pack itself is the generated folder', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-typecheck-')));
    folders.push(folder);
    for (const kind of ['tools', 'servers']) mkdirSync(join(folder, 'mcp', kind), { recursive: true });
    writeFileSync(join(folder, 'toolwright.yaml'), 'generated: .\n');
    writeFileSync(join(folder, 'mcp/tools/a.yaml'), 'description: A.\n');
    await generate(folder, { write: true });
    writeFileSync(join(folder, 'mcp/servers/main.yaml'), 'description: S.\n');
    const run = await generate(folder);
    expect(run.operations.filter(isChange).map(({ path }) => path)).toContain('schema/overlays.schema.json');
    expect(checkGenerated(run)).toBeUndefined();
  });

  it('P13 a pack that was never generated is reported once', async () => {
    const folder = await generated(fits);
    rmSync(join(folder, 'generated'), { recursive: true });
    rmSync(join(folder, 'src'), { recursive: true });
    expect(await codes(folder)).toEqual(['typecheck/not-generated toolwright.yaml:1:1']);
    expect((await run(folder)).text).toContain('hint: run toolwright generate');
  });

  it('P15 a missing handler is reported', async () => {
    const folder = await generated(fits);
    rmSync(join(folder, 'src/tools/get-issue.ts'));
    expect(await codes(folder)).toEqual([`generate/missing-handler ${yaml}:1:1`]);
  });

  it('P15 a misspelt tool is one mistake', async () => {
    const folder = await generated('export default tools.getIsue(() => 1);');
    expect(await codes(folder)).toEqual(['typecheck/error src/tools/get-issue.ts:2:22']);
  });

  it('P13 overlays do not make the types out of date', async () => {
    const folder = await generated(fits);
    const overlay = realpathSync(mkdtempSync(join(tmpdir(), 'overlay-')));
    folders.push(overlay);
    mkdirSync(join(overlay, 'mcp/tools'), { recursive: true });
    writeFileSync(join(overlay, yaml), definition.replace('Get an issue.', 'Get one issue.'));
    expect(await run(folder, { overlay: [overlay] })).toEqual({ status: 0, text: 'no problems\n' });
  });
});

describe('declaration maps', () => {
  it('P13 text that is not a declaration map maps nothing', () => {
    for (const text of [
      '',
      '{}',
      '[]',
      '{"version":3,"sources":[],"mappings":"AAAA"}',
      '{"sources":["a"],"mappings":"A,;;"}',
    ]) {
      expect(readDeclarationMap(text).at(0, 0)).toBeUndefined();
    }
  });
});

describe('nested types', () => {
  it.each(['5.9', '7'] as const)(
    '`typecheck` names the nested key that is wrong, and points at its line in the manifest (TypeScript %s)',
    async version => {
      const nested = [
        'description: Get an issue.',
        'output:',
        '  plants:',
        '    type: array',
        '    items:',
        '      type: object',
        '      properties:',
        '        name: string',
        '        care:',
        '          type: object',
        '          properties:',
        '            light: { type: string, enum: [shade, sun] }',
        '',
      ].join('\n');
      const handler = [
        "import { tools } from '../../generated/index.js';",
        "const plants: { name: string; care: { light?: 'shade' | 'sun' } }[] = [];",
        'export default tools.getIssue(() => ({ plants }));',
        '',
      ].join('\n');
      const folder = write({ [yaml]: nested, 'src/tools/get-issue.ts': handler });
      rmSync(join(folder, 'generated'), { recursive: true });
      await generate(folder, { write: true });
      const package_ = fileURLToPath(new URL('../../..', import.meta.url));
      mkdirSync(join(folder, 'node_modules'), { recursive: true });
      symlinkSync(package_, join(folder, 'node_modules/toolwright'), 'junction');
      const [error, ...others] = await check(folder, version);
      expect(others).toEqual([]);
      expect(error?.message).toContain("The types of 'care.light' are incompatible between these types.");
      expect(error?.related?.map(one => `${one.file}:${one.line}:${one.column}`)).toEqual([`${yaml}:12:13`]);
    },
  );
});
