// Handlers that authors start from compile and run as they are written, in every kind of project.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { detectProject } from '../../../generator/compile/project/project.js';
import { type PlannedStub, planStubs } from '../../../generator/compile/stubs/stubs.js';
import type { Program } from '../../../runtime/load/program.js';
import { memberName, typePrefix } from '../../../schema/names.js';
import { writeFiles } from '../../harness/files.js';
import { memoryFolder } from '../../harness/memory-folder.js';
import { type Files, loadFiles } from '../../harness/pack.js';

/** A generated folder in miniature: what stubs import, with the same names. */
function generatedFor({ tools, prompts, resources }: Program): Files {
  const kinds = { tools, prompts, resources };
  const types = Object.values(kinds).flatMap(items =>
    items.map(item => {
      const values = item.kind === 'tool' ? Object.keys((item.inputSchema['properties'] ?? {}) as object) : [];
      const names =
        item.kind === 'prompt'
          ? item.arguments.map(({ name }) => name)
          : item.kind === 'resource'
            ? item.variables
            : values;
      const members = names.map(name => `readonly ${JSON.stringify(name)}: string`).join('; ');
      return `export type ${typePrefix(item.kind, item.item)}Handler = (args: { ${members} }, ctx: { notImplemented(): Error }) => Promise<string>;`;
    }),
  );
  const maps = Object.entries(kinds).map(([kind, items]) => {
    const members = items.map(item => {
      const type = `${typePrefix(item.kind, item.item)}Handler`;
      return `${memberName(item.item)}(handler: ${type}): ${type}`;
    });
    return `export declare const ${kind}: { ${members.join('; ')} };`;
  });
  const code = Object.entries(kinds).map(([kind, items]) => {
    return `export const ${kind} = { ${items.map(item => `${memberName(item.item)}: handler => handler`).join(', ')} };`;
  });
  return {
    'generated/index.d.ts': `${[...types, ...maps, "export type { App, Setup_Context } from './app.js';"].join('\n')}\n`,
    'generated/app.d.ts':
      "import type { create } from '../src/context.js';\nexport type App = Awaited<ReturnType<typeof create>>;\nexport interface Setup_Context {}\n",
    'generated/index.js': `${code.join('\n')}\n`,
    'generated/package.json': '{ "type": "module" }',
  };
}

/** The declarations of the language are parsed once for all programs. */
const libraries = new Map<string, ts.SourceFile | undefined>();

function compile(roots: readonly string[], options: ts.CompilerOptions): ts.Program {
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, version, onError, anew) => {
    if (!/\/lib\.[^/]*\.d\.ts$/.test(name)) return read(name, version, onError, anew);
    if (!libraries.has(name)) libraries.set(name, read(name, version, onError, anew));
    return libraries.get(name);
  };
  return ts.createProgram(roots, options, host);
}

describe('stubs on disk', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'stubs ü-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const pack: Files = {
    'toolwright.yaml': 'context: src/context#create\n',
    'mcp/tools.yaml': `
get-issue: { description: "Get */ an issue", parameters: { issueKey: string, limit: { type: string, required: false } } }
whoami: { description: "Who @type {am} I" }
delete: { description: Delete, parameters: { delete: string } }
2fa: { description: A digit first }
first: { description: First, handler: "src/shared#first" }
class: { description: Second, handler: "src/shared#class" }
third: { description: Third, handler: "src/shared" }
`,
    'mcp/prompts/get-issue.yaml': 'description: Same name as a tool\narguments: { key: {} }\n',
    'mcp/resources/issue.yaml': 'uriTemplate: "jira://issue/{issueKey}"\ndescription: Issue\n',
    'mcp/resources/fixed.yaml': 'uri: jira://fixed\ndescription: Fixed\n',
  };

  const write = (place: string, files: Files) => writeFiles(join(folder, place), files as Record<string, string>);

  interface Setting {
    readonly name: string;
    readonly packageJson: object;
    readonly tsconfig?: object;
    readonly check: ts.CompilerOptions;
  }

  const node = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022 };
  const settings: readonly Setting[] = [
    { name: 'nodenext', packageJson: { type: 'module' }, tsconfig: { module: 'nodenext' }, check: node },
    {
      name: 'verbatim esm',
      packageJson: { type: 'module' },
      tsconfig: { module: 'nodenext', verbatimModuleSyntax: true, noUnusedParameters: true },
      check: { ...node, verbatimModuleSyntax: true, noUnusedParameters: true, noUnusedLocals: true },
    },
    {
      name: 'commonjs',
      packageJson: {},
      tsconfig: { module: 'commonjs' },
      check: {
        module: ts.ModuleKind.CommonJS,
        target: ts.ScriptTarget.ES2022,
        moduleResolution: ts.ModuleResolutionKind.Node10,
      },
    },
    {
      name: 'verbatim commonjs',
      packageJson: { type: 'commonjs' },
      tsconfig: { module: 'nodenext', verbatimModuleSyntax: true },
      check: { ...node, verbatimModuleSyntax: true },
    },
    {
      name: 'bundler',
      packageJson: {},
      tsconfig: { module: 'esnext', moduleResolution: 'bundler' },
      check: { ...node, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
    },
    { name: 'javascript', packageJson: { type: 'module' }, check: { ...node, allowJs: true } },
    { name: 'javascript commonjs', packageJson: {}, check: { ...node, allowJs: true } },
  ];

  const prepare = ({ name, packageJson, tsconfig }: Setting): { program: Program; stubs: readonly PlannedStub[] } => {
    const files: Files = {
      ...pack,
      'package.json': JSON.stringify(packageJson),
      ...(tsconfig === undefined ? {} : { 'tsconfig.json': JSON.stringify({ compilerOptions: tsconfig }) }),
    };
    const { program, diagnostics } = loadFiles(files);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    if (program === undefined) throw new Error('no program');
    const stubs = planStubs(program, detectProject(memoryFolder(files), 'src').value);
    write(name, { ...files, ...generatedFor(program) });
    write(name, Object.fromEntries(stubs.map(stub => [stub.path, stub.render()])));
    return { program, stubs };
  };

  it.each(settings.map(setting => [setting.name, setting] as const))(
    'P16 stubs compile as they are written: %s',
    (name, setting) => {
      const { stubs } = prepare(setting);
      expect(stubs).toHaveLength(9);
      const types = { noEmit: true, strict: true, types: [], lib: ['lib.es2022.d.ts'] };
      // CommonJS JavaScript needs `module`, which the types of Node declare.
      write(name, { 'module.d.ts': 'declare var module: { exports: any };\n' });
      const roots = [...stubs.map(({ path }) => path), ...(name === 'javascript commonjs' ? ['module.d.ts'] : [])];
      const compiled = compile(
        roots.map(path => join(folder, name, path)),
        { ...types, ...setting.check },
      );
      const messages = ts.getPreEmitDiagnostics(compiled).map(({ messageText, file, start }) => {
        const text = ts.flattenDiagnosticMessageText(messageText, ' ');
        return `${file?.fileName.split('/').at(-1)}:${file?.text.slice(0, start).split('\n').length} ${text}`;
      });
      expect(messages).toEqual([]);
      // Types reach the parameters: without them `ctx` would be anything.
      const source = compiled.getSourceFile(join(folder, name, stubs[0]?.path ?? ''));
      const seen: string[] = [];
      const visit = (one: ts.Node): void => {
        if (ts.isIdentifier(one) && one.text === 'ctx') {
          seen.push(compiled.getTypeChecker().typeToString(compiled.getTypeChecker().getTypeAtLocation(one)));
        }
        ts.forEachChild(one, visit);
      };
      if (source !== undefined) visit(source);
      expect(seen).toEqual(['{ notImplemented(): Error; }', '{ notImplemented(): Error; }']);
    },
  );

  it.each(['nodenext', 'verbatim commonjs', 'bundler', 'javascript'])(
    'P16 stubs compile under TypeScript 7: %s',
    name => {
      const setting = settings.find(one => one.name === name);
      if (setting === undefined) throw new Error('no setting');
      const place = `${name} 7`;
      prepare({ ...setting, name: place });
      const options = { module: 'nodenext', allowJs: true, ...setting.tsconfig, strict: true, noEmit: true, types: [] };
      const config = { compilerOptions: { ...options, target: 'es2022' }, include: ['src'] };
      write(place, { 'tsconfig.json': JSON.stringify(config) });
      const compiler = createRequire(import.meta.url).resolve('typescript7/package.json');
      const run = spawnSync(process.execPath, [join(dirname(compiler), 'bin/tsc'), '-p', join(folder, place)], {
        encoding: 'utf8',
      });
      expect({ status: run.status, text: run.stdout + run.stderr }).toEqual({ status: 0, text: '' });
    },
  );

  it.each(['javascript', 'javascript commonjs'])('P12 stubs run as they are written: %s', async name => {
    const setting = settings.find(one => one.name === name);
    if (setting === undefined) throw new Error('no setting');
    const { stubs } = prepare({ ...setting, name: `${name} run` });
    for (const { path } of stubs) {
      const module = (await import(pathToFileURL(join(folder, `${name} run`, path)).href)) as Record<string, unknown>;
      if (path.startsWith('src/context')) {
        expect((module['create'] as () => unknown)()).toEqual({});
        continue;
      }
      expect(typeof module['default'], path).toBe('function');
      const run = module['default'] as (args: object, ctx: object) => Promise<unknown>;
      await expect(run({}, { notImplemented: () => new Error('not implemented') })).rejects.toThrow('not implemented');
      if (!path.startsWith('src/shared')) continue;
      expect(Object.keys(module)).toEqual(expect.arrayContaining(['class', 'default', 'first']));
    }
  });
});
