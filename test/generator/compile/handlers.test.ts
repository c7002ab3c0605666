// The static check of handlers: packs written inside the tests, one line per finding.
import { describe, expect, it, vi } from 'vitest';
import * as typescript from '../../../generator/handlers/bind-sources.js';
import { checkHandlers } from '../../../generator/handlers/check-handlers.js';
import { scanModule } from '../../../generator/handlers/scan-module.js';
import { load } from '../../../runtime/load/load.js';
import type { Diagnostic } from '../../../schema/diagnostics.js';
import { memoryFolder } from '../../harness/memory-folder.js';
import type { Files } from '../../harness/pack.js';

const tool = 'description: A tool.\n';
const stub = (call: string): string =>
  `import { tools } from '../../generated/index.js';\n\nexport default ${call}(async () => 1);\n`;

async function found(files: Files): Promise<readonly Diagnostic[]> {
  const folder = memoryFolder({ 'toolwright.yaml': '', ...files });
  return checkHandlers(load(folder), folder);
}

async function places(files: Files): Promise<readonly string[]> {
  return (await found(files)).map(({ code, file, line, column }) => `${code} ${file}:${line}:${column}`);
}

/** One tool `a-b` with this module, and a second one `other` that is fine. */
const withModule = (module: string, more: Files = {}, path = 'src/tools/a-b.ts'): Files => ({
  'mcp/tools/a-b.yaml': tool,
  'mcp/tools/other.yaml': tool,
  'src/tools/other.ts': stub('tools.other'),
  [path]: module,
  ...more,
});

describe('existence of handler modules', () => {
  it('P15 a tool without a module is an error at its declaration, or at its handler key', async () => {
    expect(
      await places({
        'toolwright.yaml': 'tools:\n  - plain\n  - [pair, A pair]\n  - name: full\n  - named\n',
        'mcp/tools.yaml':
          'plain: { description: x }\npair: { description: x }\nfull: { description: x }\nnamed: { description: x, handler: src/nowhere.ts#run }\n',
      }),
    ).toEqual([
      'generate/missing-handler mcp/tools.yaml:4:35',
      'generate/missing-handler toolwright.yaml:2:5',
      'generate/missing-handler toolwright.yaml:3:6',
      'generate/missing-handler toolwright.yaml:4:11',
    ]);
  });

  it('P15 a discovered item without a module is reported where it is defined', async () => {
    expect(await places({ 'mcp/tools.yaml': 'a: { description: x }\n', 'mcp/tools/b.yaml': tool })).toEqual([
      'generate/missing-handler mcp/tools.yaml:1:1',
      'generate/missing-handler mcp/tools/b.yaml:1:1',
    ]);
  });

  it.each(['.ts', '.mts', '.js', '.mjs'])('P15 the default module may be a %s file', async extension => {
    expect(await places(withModule(stub('tools.aB'), {}, `src/tools/a-b${extension}`))).toEqual([]);
  });

  it('P15 a built module counts when the source is not shipped', async () => {
    expect(await places(withModule(stub('tools.aB'), {}, 'dist/tools/a-b.js'))).toEqual([]);
  });

  it('P15 a module whose name differs in case is missing, and the hint names the file', async () => {
    const [missing] = await found(withModule(stub('tools.aB'), {}, 'src/tools/A-b.ts'));
    expect(missing).toMatchObject({ code: 'generate/missing-handler', hint: 'did you mean "src/tools/A-b.ts"?' });
  });

  it.each([
    ['src/tool/a-b.ts', 'src/tools/a-b.ts'],
    ['src/tool/a-bb.ts', 'src/tools/a-b.ts'],
    ['tools/a-b.ts', 'src/tools/a-b.ts'],
    ['tools/a-b.js', 'src/tools/a-b.ts'],
  ])('P15 a wrong path gets a hint with the right one: %s', async (typed, meant) => {
    const files = withModule(stub('tools.aB'), { 'mcp/tools/a-b.yaml': `description: A\nhandler: ${typed}\n` });
    const missing = (await found(files)).find(({ code }) => code === 'generate/missing-handler');
    expect(missing?.hint).toBe(`did you mean "${meant}"?`);
  });

  it('P15 folders, links that lead out and other files cannot be imported', async () => {
    const diagnostics = await found({
      'mcp/tools/a.yaml': `${tool}handler: src/a\n`,
      'src/a/index.ts': 'export default () => 1;\n',
      'mcp/tools/b.yaml': tool,
      'src/tools/b.ts': { link: 'outside' },
      'mcp/tools/c.yaml': `${tool}handler: src/c.json\n`,
      'src/c.json': '{}',
    });
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'generate/unimportable "src/a" cannot be imported: it is a folder; write src/a/index.ts',
      'generate/unimportable "src/tools/b.ts" cannot be imported: it is outside the pack',
      'generate/unimportable "src/c.json" cannot be imported: handlers are .ts, .mts, .js, .mjs files',
    ]);
  });

  it('P15 a handler below a link that leads out is not called missing, because no stub could help', async () => {
    const diagnostics = await found({ 'mcp/tools/a.yaml': tool, src: { link: 'outside' } });
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'generate/unimportable "src/tools/a.ts" cannot be imported: it is outside the pack',
    ]);
  });

  it('P15 the modules of prompts, resources, context, initialize and completions are checked too', async () => {
    expect(
      await places({
        'toolwright.yaml': 'context: src/context.ts#create\n',
        'mcp/tools/t.yaml': `${tool}initialize: { handler: src/warm.ts }\nhandler: src/t.js\n`,
        'src/t.js': 'export default () => 1;',
        'mcp/prompts/p.yaml': 'description: x\narguments:\n  city: { complete: src/cities.ts }\n',
        'mcp/prompts/q.yaml': 'description: x\ntext: No handler.\n',
        'mcp/resources/r.yaml': 'uriTemplate: a://{b}\ncomplete: { b: src/b.ts#complete }\n',
        'mcp/resources/s.yaml': 'uri: a://s\ntext: x\n',
        'mcp/servers/s.yaml': 'initialize: src/start.ts\n',
      }),
    ).toEqual([
      'generate/missing-handler mcp/prompts/p.yaml:1:1',
      'generate/missing-handler mcp/prompts/p.yaml:3:21',
      'generate/missing-handler mcp/resources/r.yaml:1:1',
      'generate/missing-handler mcp/resources/r.yaml:2:16',
      'generate/missing-handler mcp/servers/s.yaml:1:13',
      'generate/missing-handler mcp/tools/t.yaml:2:24',
      'generate/missing-handler toolwright.yaml:1:10',
    ]);
  });
});

describe('exports of handler modules', () => {
  const good: Record<string, string> = {
    'a stub': stub('tools.aB'),
    'a bare function': 'export default async (args: { a: string }) => args.a;\n',
    'a function declaration': 'export default async function run() {}\n',
    'a constant':
      "import { tools } from '../../generated/index.js';\nconst run = tools.aB(() => 1);\nexport default run;\n",
    'export as default': 'const run = () => 1;\nexport { run as default };\n',
    'a re-export': "export { default } from './impl.js';\n",
    'a named re-export as default': "export { run as default } from './impl.js';\n",
    'an import exported again': "import run from './impl.js';\nexport default run;\n",
    'another package': "export { default } from 'elsewhere';\n",
    'a cast': "import { tools } from '../../generated/index.js';\nexport default (tools.aB(() => 1) as unknown);\n",
    'export assignment': 'export = () => 1;\n',
    'a comment that looks like code':
      "/* export default tools.other(\n */\nimport { tools } from '../../generated/index.js';\nexport default tools.aB(() => '`');\n",
    'a shadowed name':
      "import { tools } from '../../generated/index.js';\nexport default tools.aB((_: unknown, { tools }: any) => tools.nothing());\n",
    'other tools of the same name': "import { tools } from './kit.js';\nexport default tools.hammer(() => 1);\n",
    'regular expressions with quotes': 'const quote = /[\'"`{(]/g;\nexport default () => quote;\n',
  };
  it.each(Object.entries(good))('P15 a default export is found: %s', async (_, module) => {
    const impl = 'export const run = () => 1;\nexport default run;\n';
    expect(await places(withModule(module, { 'src/tools/impl.ts': impl }))).toEqual([]);
  });

  const commonJs: Record<string, string> = {
    'module.exports': 'module.exports = async () => 1;\n',
    'exports.default': 'exports.default = () => 1;\n',
    'a chain': 'exports = module.exports = () => 1;\n',
    'a required module': "module.exports = require('./impl.js');\n",
  };
  it.each(Object.entries(commonJs))('P15 a default export in CommonJS is found: %s', async (_, module) => {
    expect(await places(withModule(module, {}, 'src/tools/a-b.js'))).toEqual([]);
  });

  const named: Record<string, string> = {
    'a constant': 'export const run = () => 1;\n',
    'a function': 'export async function run() {}\n',
    destructured: 'export const { run, other } = make();\n',
    'export *': "export * from './impl.js';\n",
    'export * through a circle': "export * from './handlers.js';\nexport * from './impl.js';\n",
    'CommonJS member': 'exports.run = () => 1;\n',
    'CommonJS object': 'const run = () => 1;\nmodule.exports = { run, other() {} };\n',
    'CommonJS in brackets': "exports['run'] = () => 1;\n",
    'CommonJS in a branch': 'if (process.env.X) exports.run = () => 1;\nelse exports.run = () => 2;\n',
    'CommonJS by assign': 'Object.assign(module.exports, { run: () => 1 });\n',
    'CommonJS by another name': 'const all = module.exports;\nall.run = () => 1;\n',
    'CommonJS in a function': '(function (m) { m.exports = { run: () => 1 }; })(module);\n',
    'CommonJS by this': 'this.run = () => 1;\n',
    'CommonJS filled later': 'const all = {};\nmodule.exports = all;\nfill(all, { run: () => 1 });\n',
    'CommonJS with getters': "Object.defineProperty(exports, 'run', { get: () => run });\nfunction run() {}\n",
  };
  it.each(Object.entries(named))('P15 a named export is found: %s', async (_, module) => {
    const files = { 'mcp/tools/t.yaml': `${tool}handler: src/handlers.js#run\n`, 'src/handlers.js': module };
    expect(await places({ ...files, 'src/impl.js': 'export const run = 1;\n' })).toEqual([]);
  });

  const bad: Record<string, string> = {
    'an empty module': '',
    'only named exports': 'export const run = 1;\n',
    'only a type': 'type T = 1;\nexport { type T as default };\n',
    'an interface': 'export default interface T {}\n',
    'export * leaves the default out': "export * from './impl.js';\n",
    'a default in a comment': '// export default () => 1;\n',
    'a default in a text': 'const text = `\nexport default () => 1;\n`;\nexport const other = text;\n',
  };
  it.each(Object.entries(bad))('P15 a missing default export is reported: %s', async (_, module) => {
    expect(await places(withModule(module, { 'src/tools/impl.ts': stub('tools.aB') }))).toContainEqual(
      'generate/missing-export src/tools/a-b.ts:1:1',
    );
  });

  const lacking: Record<string, string> = {
    'other members': 'exports.other = () => 1;\nexports["more"] = () => 1;\n',
    'the mark of a compiler':
      "Object.defineProperty(exports, '__esModule', { value: true });\nexports.other = () => 1;\n",
    'another object': 'const all = { other: () => 1 };\nmodule.exports = all;\n',
    'variables of these names': 'const module = {};\nconst exports = { run: 1 };\nuse(exports, module);\n',
    'this of something else': 'function f() { this.run = 1; }\nclass C { run = this; }\n',
    'properties of these names': 'a.exports.run = 1;\na.module = { exports: 1 };\n',
  };
  it.each(Object.entries(lacking))('P15 a missing named export in CommonJS is reported: %s', async (_, module) => {
    const files = { 'mcp/tools/t.yaml': `${tool}handler: src/handlers.cjs#run\n`, 'src/handlers.cjs': module };
    expect(await places(files)).toEqual(['generate/missing-export mcp/tools/t.yaml:2:10']);
  });

  it('P15 a missing named export is reported in the manifest with a suggestion', async () => {
    const [missing, ...others] = await found({
      'mcp/tools/t.yaml': `${tool}handler: src/h.ts#getIsue\n`,
      'src/h.ts': 'export const getIssue = () => 1;\n',
    });
    expect(others).toEqual([]);
    expect(missing).toMatchObject({
      code: 'generate/missing-export',
      message: '"src/h.ts" does not export "getIsue"',
      file: 'mcp/tools/t.yaml',
      line: 2,
      column: 10,
      hint: 'did you mean "getIssue"?',
    });
  });

  it('P15 a missing named export gets a hint with the existing ones', async () => {
    const files = withModule('export default () => 1;\n', {
      'mcp/tools/a-b.yaml': 'description: A\nhandler: src/tools/a-b.ts#run\n',
    });
    expect((await found(files))[0]?.hint).toBe('it exports default');
  });

  it('P15 a module with one named export gets a hint how to name it', async () => {
    const [missing] = await found(withModule('export const run = () => 1;\n'));
    expect(missing?.hint).toBe('it exports "run": write handler: src/tools/a-b.ts#run');
    expect(missing?.related?.[0]).toMatchObject({ file: 'mcp/tools/a-b.yaml', line: 1 });
  });

  it.each([
    'export const a = 1;\n',
    'const a = -1;\nexport { a };\n',
    'export const a = "x" as const, b = { run: () => 1 }, c = [1], d = true, e = `x${1}`, f = /x/;\n',
    'export enum E { A }\nexport class C {}\n',
    'export type A = 1;\n',
  ])('P15 an export that is not a function is not suggested: %j', async module => {
    const [missing] = await found(withModule(module));
    expect(missing?.code).toBe('generate/missing-export');
    expect(missing?.hint).toBe('it exports no function');
  });

  it.each([
    'export const a = 1;\nexport const run = () => 1;\n',
    'export const a = 1;\nexport function run() {}\n',
    'export const a = {};\nexport let run;\n',
    'const a = 1, make = () => () => 1;\nconst run = make();\nexport { a, run };\n',
  ])('P15 an export that may be a function is suggested: %j', async module => {
    const [missing] = await found(withModule(module));
    expect(missing?.hint).toBe('it exports "run": write handler: src/tools/a-b.ts#run');
  });

  it('P15 a re-export of a missing file is reported at its path', async () => {
    expect(await places(withModule("export { default } from './gone.js';\n"))).toEqual([
      'generate/unimportable src/tools/a-b.ts:1:25',
    ]);
  });

  it('P15 a module that cannot be parsed is reported as such, not as a missing export', async () => {
    expect(await places(withModule('export defualt () => 1;\n'))).toEqual([
      'generate/unimportable src/tools/a-b.ts:1:1',
    ]);
  });
});

describe('handlers and their items', () => {
  const alias: Record<string, string> = {
    plain: "import { tools } from '../../generated/index.js';\nexport default tools.other(() => 1);\n",
    aliased: "import { tools as t } from '../../generated/index.js';\nexport default t.other(() => 1);\n",
    namespace: "import * as g from '../../generated/index.js';\nexport default g.tools.other(() => 1);\n",
    computed: "import { tools } from '../../generated/index.js';\nexport default tools['other'](() => 1);\n",
    'path alias': "import { tools } from '#generated';\nconst run = tools.other(() => 1);\nexport default run;\n",
    required: "const { tools } = require('../../generated/index.js');\nmodule.exports = tools.other(() => 1);\n",
  };
  it.each(Object.entries(alias))(
    'P15 a handler made with the function of another tool is reported: %s',
    async (_, module) => {
      const [wrong, ...others] = await found(withModule(module, {}, 'src/tools/a-b.js'));
      expect(others).toEqual([]);
      expect(wrong).toMatchObject({
        code: 'generate/wrong-tool',
        message: 'The handler for the tool "a-b" is tools.other, not tools.aB',
        file: 'src/tools/a-b.js',
      });
      expect(wrong?.related?.[0]?.file).toBe('mcp/tools/a-b.yaml');
    },
  );

  it('P15 a prompt made with the function of a tool is reported', async () => {
    const files = { 'mcp/prompts/a-b.yaml': 'description: x\n', 'src/prompts/a-b.ts': stub('tools.aB') };
    expect(await places(withModule(stub('tools.aB'), files))).toEqual(['generate/wrong-tool src/prompts/a-b.ts:3:22']);
  });

  it('P15 a name that no item has is an error in a handler, with a suggestion', async () => {
    const [unknown, ...others] = await found(withModule(stub('tools.othr')));
    expect(others).toEqual([]);
    expect(unknown).toMatchObject({
      code: 'generate/unknown-member',
      line: 3,
      column: 22,
      hint: 'did you mean "other"?',
    });
  });

  it('P15 a handler whose item is gone is a warning', async () => {
    const orphan = { 'src/tools/gone.ts': stub('tools.gone') };
    const [warning, ...others] = await found(withModule(stub('tools.aB'), orphan));
    expect(others).toEqual([]);
    expect(warning).toMatchObject({
      code: 'generate/orphan-stub',
      severity: 'warning',
      file: 'src/tools/gone.ts',
      line: 3,
    });
  });

  it('P15 tests, broken items and modules that are not handlers are not reported as orphans', async () => {
    expect(
      await places(
        withModule(stub('tools.aB'), {
          'src/kit.ts': "import { tools } from '../generated/index.js';\nexport const all = tools;\n",
          'src/tools/gone.test.ts': "import { tools } from '../../generated/index.js';\ntools.gone(() => 1);\n",
          'mcp/tools/broken.yaml': 'unknown: key\n',
          'src/tools/broken.ts': stub('tools.broken'),
          'src/node_modules/x/gone.ts': stub('tools.gone'),
        }),
      ),
    ).toEqual([]);
  });

  it('P15 handlers of a pack inside the pack are not taken for its own', async () => {
    const gone = {
      'src/inner/src/tools/gone.ts':
        "import { tools } from '../../generated/index.js';\nexport default tools.gone(() => 1);\n",
    };
    expect(await places(withModule(stub('tools.aB'), { ...gone, 'src/inner/toolwright.yaml': '' }))).toEqual([]);
  });

  it('P15 items defined inside a server have handlers like all others', async () => {
    const server = 'tools:\n  - name: who-am-i\n    description: x\n    handler: src/who.ts\n';
    const files = { 'mcp/servers/s.yaml': server, 'src/who.ts': stub('tools.whoAmI').replace('../../', '../') };
    expect(await places(files)).toEqual([]);
    expect(await places({ 'mcp/servers/s.yaml': server })).toEqual([
      'generate/missing-handler mcp/servers/s.yaml:4:14',
    ]);
  });
});

describe('use of the parser', () => {
  it('P15 stubs and ordinary handlers are checked without loading the parser', async () => {
    const spy = vi.spyOn(typescript, 'loadParser');
    const handler = [
      "import { tools } from '../../generated/index.js';",
      "import { z } from 'zod'; // it's odd",
      'const limit = { most: 10 / 2, text: `${limit} of }` };',
      'type Row = { readonly a: string };',
      '/** Says "hello". */',
      'export default tools.aB(async ({ a }, ctx) => {',
      "  if (/[{(']/.test(a)) throw ctx.errors.NOPE();",
      '  return { a: a.split("/") };',
      '});',
      '',
    ].join('\n');
    expect(await places(withModule(handler, { 'src/tools/gone.txt': '' }))).toEqual([]);
    expect(spy).not.toHaveBeenCalled();
    expect(await places(withModule(stub('tools.nope')))).toHaveLength(1);
    expect(spy).toHaveBeenCalledTimes(1);
    spy.mockRestore();
  });

  it('P15 `scanModule` is fast for text that is made to be slow', async () => {
    const hostile = [
      '/* a */'.repeat(5_000),
      `${' '.repeat(200_000)}x`,
      '/*'.repeat(100_000),
      "import ' ".repeat(20_000),
      '`${'.repeat(50_000),
    ];
    for (const text of hostile) expect(scanModule(text)?.exports.has('default') ?? false).toBe(false);
    const long = `export default ${Array.from({ length: 20_000 }, () => "'a'").join(' + ')};\n`;
    expect(await places(withModule(long))).toEqual([]);
  });

  it('P15 `scanModule` returns nothing when it is not sure', () => {
    expect(scanModule("export { x as default } from './x.js';")).toBeUndefined();
    expect(scanModule("const a = 'open\nexport default () => 1;")).toBeUndefined();
    expect(scanModule('export default run;')).toBeUndefined();
    expect(scanModule('const a = `${tools.x(`b`)}`;\nexport default () => a;')).toBeUndefined();
    expect(scanModule('export default () => (1;')).toBeUndefined();
    expect([...(scanModule('export const a: X = tools.a(() => 1);')?.exports ?? [])]).toEqual([['a', 'tools.a']]);
  });
});
