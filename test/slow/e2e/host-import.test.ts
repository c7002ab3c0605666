// Handlers as authors write them: found by the rules of the design, imported by Node, TypeScript without a build step.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostBench, openHostBench } from '../../harness/host-child.js';

let bench: HostBench;
beforeAll(async () => {
  bench = await openHostBench('host-import');
});
afterAll(() => bench.remove());

const tool = { 'mcp/tools/a.yaml': 'description: A\n' };
const esm = { 'package.json': '{"type": "module"}', ...tool };
/** Calls the handler of the tool `a`. */
const call = `
const { host, program } = open(pack);
const a = program.tools.find(({ item }) => item === 'a');
print(await outcome(host.load(a.handler).then(run => run({ x: 2 }, {}))));
`;

describe('finding a handler', () => {
  it('P15 a source comes first in a project, and its build in an installed pack', () => {
    const files = {
      ...esm,
      'src/tools/a.ts': "export default () => 'source' as string;",
      'dist/tools/a.js': "export default () => 'built';",
    };
    expect(bench.run(bench.pack('project', files), call)).toEqual({ value: 'source' });
    expect(bench.run(bench.pack('app/node_modules/@acme/one', files), call)).toEqual({ value: 'built' });
    const linked = bench.pack('workspace/packages/linked', files);
    mkdirSync(join(bench.folder, 'workspace/node_modules'), { recursive: true });
    symlinkSync(linked, join(bench.folder, 'workspace/node_modules/linked'));
    expect(bench.run(join(bench.folder, 'workspace/node_modules/linked'), call)).toEqual({ value: 'source' });
  });

  it('P15 the build is used without a source, and JavaScript sources without a build', () => {
    const built = { ...esm, 'dist/tools/a.js': "export default () => 'built';" };
    expect(bench.run(bench.pack('only-dist', built), call)).toEqual({ value: 'built' });
    const plain = { ...esm, 'src/tools/a.mjs': "export default () => 'plain';" };
    expect(bench.run(bench.pack('app/node_modules/plain', plain), call)).toEqual({ value: 'plain' });
    const modern = {
      ...esm,
      'mcp/tools/a.yaml': 'handler: src/tools/a.mts\n',
      'dist/tools/a.mjs': "export default () => 'mjs';",
    };
    expect(bench.run(bench.pack('app/node_modules/modern', modern), call)).toEqual({ value: 'mjs' });
  });

  it('P15 an installed pack with TypeScript only says what it lacks', () => {
    const pack = bench.pack('app/node_modules/unbuilt', { ...esm, 'src/tools/a.ts': 'export default () => 1;' });
    expect(bench.run(pack, call)).toMatchObject({
      name: 'HandlerProblem',
      code: 'generate/unimportable',
      message: '"src/tools/a.ts" cannot be imported: an installed pack is not compiled, and it has no dist/tools/a.js',
    });
  });

  it('P15 a missing handler is reported with the position in the manifest and what to do', () => {
    const pack = bench.pack('missing', { ...tool, 'toolwright.yaml': 'tools:\n  - a\n' });
    expect(bench.run(pack, call)).toMatchObject({
      code: 'generate/missing-handler',
      message: 'The handler for the tool "a" is missing: "src/tools/a.mjs" does not exist',
      hint: 'toolwright generate writes a stub',
      at: 'toolwright.yaml:2:5',
    });
    const named = bench.pack('misnamed', {
      'mcp/tools/a.yaml': 'description: A\nhandler: src/aa.js#run\n',
      'src/a.js': '',
    });
    expect(bench.run(named, call)).toMatchObject({ hint: 'did you mean "src/a.js"?', at: 'mcp/tools/a.yaml:2:10' });
  });

  it('P15 a handler that is written later is found then', () => {
    const pack = bench.pack('later', esm);
    const code = `
import { mkdirSync, writeFileSync } from 'node:fs';
const { host, program } = open(pack);
const { handler } = program.tools[0];
const first = await outcome(host.load(handler));
mkdirSync(pack + '/src/tools', { recursive: true });
writeFileSync(pack + '/src/tools/a.js', 'export default () => 1;');
print([first.code, (await host.load(handler))()]);
`;
    expect(bench.run(pack, code)).toEqual(['generate/missing-handler', 1]);
  });

  it('P15 a link that leads out of the pack is refused', () => {
    const pack = bench.pack('escape', { ...esm, 'src/tools/b.js': '' });
    const outside = bench.pack('outside', { 'a.js': 'export default () => "stolen";' });
    symlinkSync(join(outside, 'a.js'), join(pack, 'src/tools/a.js'));
    expect(bench.run(pack, call)).toMatchObject({
      code: 'generate/unimportable',
      message: '"src/tools/a.js" cannot be imported: it is outside the pack',
    });
  });
});

describe('importing TypeScript', () => {
  it('P21 TypeScript handlers may use enums, decorators, parameter properties, JSON and .js names of .ts files', () => {
    const pack = bench.pack('typescript', {
      ...esm,
      'tsconfig.json': '{"compilerOptions": {"module": "NodeNext", "experimentalDecorators": true}, /* yes */}',
      'src/tools/a.ts': `
import { readFileSync } from 'node:fs';
import { counter, type Counter } from '../counter.js';
import { Shade } from '../shade.mjs';
import data from '../data.json' with { type: 'json' };
function named(value: unknown, context: string) { seen.push(context); }
const seen: string[] = [];
class Box { constructor(private readonly inner: number) {} @named get(): number { return this.inner; } }
const here: string = import.meta.url;
export default (args: { x: number }): unknown => {
  counter.add();
  return [new Box(args.x).get(), Shade.Dark, data.k, seen, readFileSync(new URL(here), 'utf8').length > 100, counter.count satisfies number];
};`,
      'src/counter.ts':
        'export interface Counter { count: number; add(): void }\nexport const counter: Counter = { count: 0, add() { this.count++; } };',
      'src/shade.mts': 'export enum Shade { Light, Dark = 7 }',
      'src/data.json': '{"k": "v"}',
      'mcp/tools/b.yaml': 'handler: src/b.ts#count\ndescription: B\n',
      'src/b.ts': "import { counter } from './counter.js';\nexport const count = (): number => counter.count;",
    });
    const both = `${call}
const b = program.tools.find(({ item }) => item === 'b');
print((await host.load(b.handler))());
`;
    expect(bench.run(pack, both)).toEqual([{ value: [2, 7, 'v', ['get'], true, 1] }, 1]);
  });

  it('P21 names without extension, folders and paths work when the tsconfig is for a bundler', () => {
    const files = {
      ...esm,
      'src/tools/a.ts': `
import { one } from '../one';
import { two } from '../lib';
import { three } from '@lib/three';
import data from '../data.json';
export default () => [one, two, three, data.k];`,
      'src/one.ts': 'export const one: number = 1;',
      'src/lib/index.ts': 'export const two: number = 2;',
      'src/lib/three.ts': 'export const three: number = 3;',
      'src/data.json': '{"k": 4}',
    };
    const options = '"moduleResolution": "bundler", "paths": {"@lib/*": ["./src/lib/*"]}';
    const config = {
      'tsconfig.json': '{"extends": "./base"}',
      'base.json': `{"compilerOptions": {"module": "ESNext", ${options}}}`,
    };
    expect(bench.run(bench.pack('bundler', { ...files, ...config }), call)).toEqual({ value: [1, 2, 3, 4] });
    const strict = { 'tsconfig.json': '{"compilerOptions": {"module": "NodeNext"}}' };
    expect(bench.run(bench.pack('strict-names', { ...files, ...strict }), call)).toMatchObject({
      code: 'generate/unimportable',
      message: '"src/tools/a.ts" cannot be imported: it imports "../one", which does not exist',
    });
  });

  it('P16 CommonJS projects may use import statements, export =, require, __dirname and CommonJS packages', () => {
    const pack = bench.pack('commonjs', {
      ...tool,
      'package.json': '{"name": "c"}',
      'src/tools/a.ts': `
import { runtimeNames } from 'odd';
import other = require('../other.js');
import { half } from '../half';
export default (args: { x: number }) => [runtimeNames, other.value, half(args.x), typeof __dirname];`,
      'src/other.ts': 'const value: number = 5;\nexport = { value };',
      'src/half.ts': 'export const half = (x: number): number => x / 2;',
      'node_modules/odd/package.json': '{"name": "odd"}',
      'node_modules/odd/index.js': "const name = ['runtime', 'Names'].join('');\nmodule.exports = { [name]: true };",
    });
    expect(bench.run(pack, call)).toEqual({ value: [true, 5, 1, 'string'] });
    const whole = bench.pack('commonjs-whole', {
      'package.json': '{}',
      'mcp/tools/a.yaml': 'description: A\nhandler: src/a.ts#run\n',
      'src/a.ts': 'const handlers = { run: (args: { x: number }) => args.x };\nexport = handlers;',
    });
    expect(bench.run(whole, call)).toEqual({ value: 2 });
    const meta = bench.pack('commonjs-meta', {
      ...tool,
      'package.json': '{}',
      'src/tools/a.ts': 'const x = await Promise.resolve(1);\nexport default () => [x, typeof import.meta.url];',
    });
    expect(bench.run(meta, call)).toEqual({ value: [1, 'string'] });
  });

  it('P16 an ES module may import a .cts module, which is one instance with its requirers', () => {
    const pack = bench.pack('mixed', {
      ...esm,
      'src/tools/a.ts':
        "import whole, { count, add } from '../state.cjs';\nimport { createRequire } from 'node:module';\nconst again = createRequire(import.meta.url)('../state.cjs');\nexport default () => { add(); return [typeof count, whole.count, again.count]; };",
      'src/state.cts': 'export let count: number = 0;\nexport function add(): void { count++; }',
    });
    expect(bench.run(pack, call)).toEqual({ value: ['number', 1, 1] });
  });

  it('P21 plain JavaScript needs no hooks, and a JavaScript handler may import TypeScript', () => {
    const plain = bench.pack('plain', {
      ...esm,
      'src/tools/a.js': "import { x } from '../x.js';\nexport default () => x;",
      'src/x.js': 'export const x = 1;',
    });
    expect(bench.run(plain, `${call} print(hooksAreRegistered());`)).toEqual([{ value: 1 }, false]);
    const typed = bench.pack('typed', {
      ...esm,
      'src/tools/a.js': "import { x } from '../x.js';\nexport default () => x;",
      'src/x.ts': 'export const x: number = 1;',
    });
    expect(bench.run(typed, `${call} print(hooksAreRegistered());`)).toEqual([{ value: 1 }, true]);
    const cjs = bench.pack('plain-cjs', {
      ...tool,
      'package.json': '{}',
      'src/tools/a.js': 'exports.default = () => __filename.length > 0;',
    });
    expect(bench.run(cjs, call)).toEqual({ value: true });
  });

  it('P21 the bare name toolwright is the running copy in TypeScript, JavaScript and CommonJS', () => {
    const uses = "import { ucs2length } from 'toolwright/support';\nimport * as all from 'toolwright';\n";
    const ts = bench.pack('own-ts', {
      ...esm,
      'src/tools/a.ts': `${uses}export default (): unknown => [ucs2length('😀'), typeof all.loadPack];`,
    });
    expect(bench.run(ts, call)).toEqual({ value: [1, 'function'] });
    const js = bench.pack('own-js', {
      ...esm,
      'src/tools/a.js': "export { default } from '../deep.js';",
      'src/deep.js': `${uses}export default () => [ucs2length('😀'), typeof all.loadPack];`,
    });
    expect(bench.run(js, call)).toEqual({ value: [1, 'function'] });
    const cjs = bench.pack('own-cts', {
      ...tool,
      'package.json': '{}',
      'src/tools/a.ts': `${uses}export default (): unknown => [ucs2length('😀'), typeof all.loadPack];`,
    });
    expect(bench.run(cjs, call)).toEqual({ value: [1, 'function'] });
    const other = bench.pack('own-other', {
      ...esm,
      'src/tools/a.ts':
        "import { ucs2length } from 'toolwright/support';\nexport default (): unknown => ucs2length('😀');",
      'node_modules/toolwright/package.json': '{"name": "toolwright", "exports": {"./support": "./old.mjs"}}',
      'node_modules/toolwright/old.mjs': "export const ucs2length = () => 'another copy';",
    });
    expect(bench.run(other, call)).toEqual({ value: 1 });
  });

  it('P21 handlers load in worker threads and where no code can be made from strings', () => {
    const pack = bench.pack('guarded', {
      ...esm,
      'src/tools/a.ts':
        "enum E { A = 3 }\nexport default () => { try { return new Function('return 1')(); } catch { return E.A; } };",
    });
    expect(bench.run(pack, call, ['--disallow-code-generation-from-strings'])).toEqual({ value: 3 });
    const threaded = `
import { Worker, isMainThread } from 'node:worker_threads';
if (isMainThread) await new Promise(done => new Worker(new URL(import.meta.url)).on('exit', done));
else { ${call} }
`;
    expect(bench.run(pack, threaded)).toEqual({ value: 1 });
  });

  it('P23 a new version is imported anew with what the module imports, and the old one stays as it was', () => {
    for (const [name, type] of [
      ['versions', 'module'],
      ['versions-cjs', 'commonjs'],
    ] as const) {
      const pack = bench.pack(name, {
        ...tool,
        'package.json': `{"type": "${type}"}`,
        'src/tools/a.ts': "import { x } from '../x.js';\nexport default (): number => x;",
        'src/x.ts': 'export const x: number = 1;',
      });
      const code = `
import { writeFileSync } from 'node:fs';
const ask = async version => { const { host, program } = open(pack, { version }); return (await host.load(program.tools[0].handler))(); };
const first = await ask('1');
writeFileSync(pack + '/src/x.ts', 'export const x: number = 2;');
print([first, await ask('1'), await ask('2')]);
`;
      expect([name, bench.run(pack, code)]).toEqual([name, [1, 1, 2]]);
    }
  });
});

describe('modules that cannot be used', () => {
  const problemOf = (name: string, files: Readonly<Record<string, string>>): unknown =>
    bench.run(bench.pack(name, { ...esm, ...files }), call);

  it('P15 a syntax error is reported with file, line and column and without a stack, also in imported modules', () => {
    const at = { code: 'generate/unimportable', at: 'src/tools/a.ts:3:13' };
    const broken = 'const é = 1;\nexport default () => {\n  const x = ;\n};\n';
    expect(problemOf('syntax-ts', { 'src/tools/a.ts': broken })).toMatchObject({
      ...at,
      message: '"src/tools/a.ts" cannot be imported: Unexpected ";"',
    });
    expect(problemOf('syntax-js', { 'src/tools/a.js': broken })).toMatchObject({ ...at, at: 'src/tools/a.js:3:13' });
    const inner = { 'src/tools/a.js': "import '../b.js';\nexport default () => 1;", 'src/b.js': broken };
    expect(problemOf('syntax-inner', inner)).toMatchObject({ ...at, at: 'src/b.js:3:13' });
    const cjs = { 'package.json': '{}', 'src/tools/a.ts': broken };
    const result = problemOf('syntax-cjs', cjs) as { readonly stack: string };
    expect(result).toMatchObject(at);
    expect(result.stack).not.toMatch(/^\s+at /m);
    expect(result.stack).toContain('src/tools/a.ts:3:13: "src/tools/a.ts" cannot be imported');
  });

  it('P15 the column counts characters, not bytes', () => {
    expect(problemOf('syntax-wide', { 'src/tools/a.ts': "const é = '😀'; const = 1;\n" })).toMatchObject({
      at: 'src/tools/a.ts:1:23',
    });
  });

  it('P15 a missing export is reported with the existing ones and what was meant', () => {
    const named = { 'mcp/tools/a.yaml': 'description: A\nhandler: src/a.js#serch\n' };
    const module = 'export const search = () => 1;\nexport const x = 1;\nexport const list = () => 2;';
    expect(problemOf('export-near', { ...named, 'src/a.js': module })).toMatchObject({
      code: 'generate/missing-export',
      message: '"src/a.js" does not export "serch"',
      hint: 'did you mean "search"?',
    });
    expect(problemOf('export-far', { 'src/tools/a.js': module })).toMatchObject({
      message: '"src/tools/a.js" has no default export',
      hint: 'it exports list, search',
    });
    expect(problemOf('export-none', { 'src/tools/a.js': '' })).toMatchObject({ hint: 'it exports no function' });
    expect(problemOf('export-value', { 'src/tools/a.js': 'export default { run() {} }' })).toMatchObject({
      hint: expect.stringContaining('it is an object, not a function'),
    });
    expect(
      problemOf('export-import', {
        'src/tools/a.js': "import { nope } from '../b.js';\nexport default nope;",
        'src/b.js': 'export const yes = 1;',
      }),
    ).toMatchObject({ code: 'generate/unimportable', at: 'src/tools/a.js:1:10' });
  });

  it('P15 names that every object has are not exports', () => {
    const named = { 'mcp/tools/a.yaml': 'description: A\nhandler: src/a.ts#toString\n' };
    expect(
      problemOf('export-proto', { ...named, 'package.json': '{}', 'src/a.ts': 'export const x = 1;' }),
    ).toMatchObject({ code: 'generate/missing-export' });
  });

  it('P15 a module that throws is reported with the reason, the position and the cause', () => {
    const throws = {
      'src/tools/a.ts': "interface X { y: number }\n\nthrow new TypeError('no database');\nexport default () => 1;",
    };
    expect(problemOf('throws', throws)).toMatchObject({
      code: 'generate/unimportable',
      message: '"src/tools/a.ts" cannot be imported: it throws TypeError: no database',
      at: 'src/tools/a.ts:3:7',
      cause: 'no database',
    });
    expect(problemOf('throws-odd', { 'src/tools/a.js': 'throw null;' })).toMatchObject({
      message: '"src/tools/a.js" cannot be imported: it throws null',
    });
    expect(
      problemOf('throws-cjs', {
        'package.json': '{}',
        'src/tools/a.js': "exports.default = 1;\nthrow new Error('cjs');",
      }),
    ).toMatchObject({ at: 'src/tools/a.js:2:7' });
  });

  it('P15 an import that is not installed or does not exist is reported', () => {
    const missing = { code: 'generate/unimportable', hint: "install the pack's dependencies" };
    const text = "import 'left-pad-of-nobody';\nexport default () => 1;";
    expect(problemOf('uninstalled', { 'src/tools/a.ts': text })).toMatchObject({
      ...missing,
      message: '"src/tools/a.ts" cannot be imported: it imports "left-pad-of-nobody", which is not installed',
    });
    expect(problemOf('uninstalled-js', { 'src/tools/a.js': text })).toMatchObject(missing);
    expect(problemOf('uninstalled-cjs', { 'package.json': '{}', 'src/tools/a.ts': text })).toMatchObject(missing);
    expect(problemOf('nowhere', { 'src/tools/a.js': "import '../nix.js';" })).toMatchObject({
      message: '"src/tools/a.js" cannot be imported: it imports "../nix.js", which does not exist',
    });
  });

  it('J71 a broken handler does not affect the others', () => {
    const pack = bench.pack('one-broken', {
      ...esm,
      'mcp/tools/b.yaml': 'description: B\n',
      'src/tools/a.ts': 'export default (',
      'src/tools/b.ts': 'export default (): string => "fine";',
    });
    const code = `${call}
print((await host.load(program.tools.find(({ item }) => item === 'b').handler))());`;
    expect(bench.run(pack, code)).toEqual([expect.objectContaining({ code: 'generate/unimportable' }), 'fine']);
  });
});

it('W61 nothing of a pack runs while it is opened', () => {
  const pack = bench.pack('marks', {
    ...esm,
    'toolwright.yaml': 'context: src/context.js\n',
    'src/context.js': "globalThis.mark = 'context';",
    'src/tools/a.js': "globalThis.mark = 'tool'; export default () => 1;",
  });
  writeFileSync(join(pack, 'mcp/tools/b.yaml'), 'description: B\ninitialize: src/tools/a.js\n');
  expect(bench.run(pack, 'open(pack); print([globalThis.mark ?? "nothing"]);')).toEqual(['nothing']);
});
