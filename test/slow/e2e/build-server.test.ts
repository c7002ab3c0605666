// P20, P21: built servers as their operators meet them: real processes in empty folders, with nothing but Node.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, root, toolwright, writePack } from '../../harness/build-pack.js';
import { readTree } from '../../harness/files.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-build-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = {
  'package.json': '{ "name": "desk", "version": "1.2.3", "type": "module" }\n',
  'toolwright.yaml': `name: desk
context: src/context.ts#create
config:
  DESK_TOKEN: { type: string, secret: true }
  DESK_LIMIT: { type: integer, default: 5 }
`,
  'mcp/servers/desk.yaml':
    'title: Desk\ndescription: Counts with {{tool:count}}.\ninstructions: { file: mcp/hints.md }\n',
  'mcp/hints.md': 'Call {{tool:count}} first.\n',
  'mcp/tools/count.yaml':
    'description: Counts\nparameters: { by: { type: integer, default: 1 } }\noutput: { count: integer, limit: integer }\n',
  'mcp/tools/loud.yaml': 'description: Writes to stdout\nmodes: [admin]\n',
  'mcp/tools/fail.yaml': 'description: Fails\n',
  'mcp/prompts/hello.yaml': 'description: Greets\narguments: { who: { required: true } }\ntext: Hello {{who}}\n',
  'mcp/resources/logo.yaml': 'uri: desk://logo\nfile: assets/logo.bin\nmimeType: application/octet-stream\n',
  'assets/logo.bin': new Uint8Array([0, 255, 7]),
  // Shared by handlers and context: there must be one of it.
  'src/state.ts': 'export const state: { count: number } = { count: 0 };\n',
  'src/context.ts': "import { state } from './state.js';\nexport const create = () => ({ state });\n",
  'src/tools/count.ts': `import { state } from '../state.js';
const started: Promise<number> = Promise.resolve(0);
await started;
export default async ({ by }: { by: number }, ctx: any) => {
  state.count += by;
  if (ctx.app.state !== state) throw new Error('two copies of one module');
  return { count: ctx.app.state.count, limit: ctx.config.DESK_LIMIT };
};
`,
  'src/tools/loud.ts':
    "export default (_: object, ctx: any) => {\n  console.log(`token ${ctx.config.DESK_TOKEN}`);\n  return 'said';\n};\n",
  'src/tools/fail.ts':
    "import { ToolError } from 'toolwright';\nexport default () => {\n  throw new ToolError('No desk', { code: 'NO_DESK' });\n};\n",
};

const pack = join(folder, 'a pack with spaces and Ünicode #1');
const empty = join(folder, 'empty');
beforeAll(() => {
  mkdirSync(empty);
  writePack(pack, files);
  const built = toolwright(pack, 'build');
  if (built.status !== 0) throw new Error(built.stdout + built.stderr);
});

const calls = [
  ['tools/call', { name: 'count', arguments: {} }],
  ['tools/call', { name: 'count', arguments: { by: 2 } }],
  ['tools/call', { name: 'count', arguments: { by: 'x' } }],
  ['tools/call', { name: 'fail', arguments: {} }],
  ['prompts/get', { name: 'hello', arguments: { who: 'Ada' } }],
  ['resources/read', { uri: 'desk://logo' }],
  ['tools/list'],
] as const;

/** What every form of the same server must answer. */
async function answersOf(file: string, args: readonly string[] = [], flags: readonly string[] = []) {
  const { replies, code, stderr } = await ask(file, calls, { cwd: empty, args, flags });
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return replies;
}

/** Parsed JSON, which tests look into. */
// biome-ignore lint/suspicious/noExplicitAny: what is not there fails the test all the same
type Any = any;

describe('built servers', () => {
  it('P20 fix-P7 a built server needs no node_modules: copied alone, it calls, validates, renders and reads as its pack says', async () => {
    const alone = join(folder, 'alone');
    cpSync(join(pack, 'dist'), alone, { recursive: true });
    const replies = await answersOf(join(alone, 'desk.cjs'));
    const results = replies.map(({ result }) => result as Any);
    expect(results[0]).toMatchObject({
      instructions: 'Call count first.\n',
      serverInfo: { name: 'desk', version: '1.2.3', description: 'Counts with count.' },
    });
    // Order of calls is not promised; their sum is.
    expect([results[1], results[2]].map(one => one.structuredContent.limit)).toEqual([5, 5]);
    expect(Math.max(results[1].structuredContent.count, results[2].structuredContent.count)).toBe(3);
    expect(results[3]).toMatchObject({ isError: true });
    expect(results[3].content[0].text).toContain('BAD_ARGUMENTS');
    expect(results[4].content[0].text).toContain('NO_DESK');
    expect(results[5].messages[0].content.text).toBe('Hello Ada');
    expect(results[6].contents[0].blob).toBe(Buffer.from([0, 255, 7]).toString('base64'));
    expect(results[7].tools.map((one: Any) => one.name)).toEqual(['count', 'fail', 'loud']);
  });

  it('P20 a built server answers the same through the SDK alone, without eval and as a single file', async () => {
    const own = await answersOf(join(pack, 'dist/desk.cjs'));
    const lists = (replies: typeof own) => [replies[0], replies[5], replies[6], replies[7]];
    expect(lists(await answersOf(join(pack, 'dist/desk.cjs'), ['--protocol', 'sdk']))).toEqual(lists(own));
    const noEval = ['--disallow-code-generation-from-strings'];
    expect(lists(await answersOf(join(pack, 'dist/desk.cjs'), [], noEval))).toEqual(lists(own));
    const built = toolwright(pack, 'build', '--single-file', '--out', 'single', '--format', 'json');
    const { artifacts } = JSON.parse(built.stdout);
    expect(artifacts).toMatchObject([{ server: 'desk', file: 'single/desk.mjs', externals: [] }]);
    expect(readdirSync(join(pack, 'single')).sort()).toEqual(['desk.licenses.txt', 'desk.mjs']);
    cpSync(join(pack, 'single/desk.mjs'), join(folder, 'one.mjs'));
    expect(lists(await answersOf(join(folder, 'one.mjs')))).toEqual(lists(own));
    // As the flag was called before.
    expect(lists(await answersOf(join(folder, 'one.mjs'), ['--lane', 'sdk']))).toEqual(lists(own));
  });

  it('P20 a built server contains no YAML, ajv or compiler on its way to an answer, and is the same in two folders', () => {
    const made = readTree(join(pack, 'dist'), 'latin1');
    expect(Object.keys(made).filter(path => /ajv|ts-morph|esbuild/.test(path))).toEqual([]);
    expect(JSON.stringify(made)).not.toContain(folder);
    const other = join(folder, 'elsewhere', 'deeper');
    mkdirSync(other, { recursive: true });
    writePack(join(other, 'pack'), files);
    expect(toolwright(join(other, 'pack'), 'build').status).toBe(0);
    expect(readTree(join(other, 'pack/dist'), 'latin1')).toEqual(made);
    expect(toolwright(pack, 'build').status).toBe(0);
    expect(readTree(join(pack, 'dist'), 'latin1')).toEqual(made);
  });

  it('W85 W88 M36 a built server accepts overlays, modes and variables of operators, keeps stdout clean and secrets secret', async () => {
    const file = join(pack, 'dist/desk.cjs');
    const overlay = join(folder, 'overlay');
    mkdirSync(join(overlay, 'tools'), { recursive: true });
    writeFileSync(join(overlay, 'tools/count.yaml'), 'description: Counts for you\n');
    writeFileSync(join(overlay, 'tools/fail.yaml'), 'enabled: false\n');
    const patched = await ask(file, [['tools/list']], { args: ['--overlay', overlay, '--mode', 'none'], cwd: empty });
    const [, list] = patched.replies.map(({ result }) => result as Any);
    expect(list.tools.map((one: Any) => [one.name, one.description])).toEqual([['count', 'Counts for you']]);
    expect(patched.stderr).toContain('No item has the mode "none"');
    writeFileSync(join(overlay, 'tools/count.yaml'), 'inputSchema: {}\n');
    const refused = await ask(file, [], { args: ['--overlay', overlay], cwd: empty });
    expect([refused.code, refused.replies]).toEqual([1, []]);
    expect(refused.stderr).toContain('overlay/refused');
    const wrong = await ask(file, [], { env: { DESK_LIMIT: 'many' }, cwd: empty });
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      expect.stringMatching(/toolwright\.yaml:5:3 error DESK_LIMIT must be an integer/),
    ]);
    const loud = await ask(file, [['tools/call', { name: 'loud' }]], {
      env: { DESK_TOKEN: 'sesame-open' },
      cwd: empty,
    });
    expect(loud.replies).toHaveLength(2);
    expect(loud.stderr).toContain('writes to stdout, which is reserved for the protocol');
    expect(await ask(file, [], { args: ['--hpst', 'x'] })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--hpst'),
    });
  });

  it('P21 a built server reads definitions beside it: unchanged ones from the handshake, and a new file wins', async () => {
    const built = toolwright(pack, 'build', '--definitions', 'external', '--out', 'ext');
    expect(built).toMatchObject({ status: 0, stderr: '' });
    const file = join(pack, 'ext/desk.cjs');
    const namesOf = async () => {
      const { replies, stderr } = await ask(
        file,
        [['tools/list'], ['tools/call', { name: 'count', arguments: { by: 2 } }]],
        { cwd: empty },
      );
      const [, list, call] = replies.map(({ result }) => result as Any);
      return { tools: list.tools.map((one: Any) => one.description), call, stderr };
    };
    expect(await namesOf()).toMatchObject({
      tools: ['Counts', 'Fails', 'Writes to stdout'],
      call: { structuredContent: { count: 2 } },
    });
    mkdirSync(join(pack, 'ext/mcp/tools'));
    writeFileSync(
      join(pack, 'ext/mcp/tools/count.yaml'),
      'description: Counts anew\nparameters: { by: { type: integer, maximum: 1 } }\n',
    );
    const changed = await namesOf();
    expect(changed.tools).toEqual(['Counts anew', 'Fails', 'Writes to stdout']);
    // The validators of the build are not those of this definition.
    expect(changed.call.content[0].text).toContain('BAD_ARGUMENTS');
    writeFileSync(join(pack, 'ext/mcp/tools/count.yaml'), 'descriptoin: x\n');
    const broken = await ask(file, [['tools/list']], { cwd: empty, args: ['--strict'] });
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('mcp/tools/count.yaml:1:1')]);
  });

  it('P20 a built server is a program with a shebang and an execute bit', () => {
    expect(statSync(join(pack, 'dist/desk.cjs')).mode & 0o111).not.toBe(0);
    expect(readTree(join(pack, 'dist'), 'latin1')['desk.cjs']).toMatch(/^#!\/usr\/bin\/env node\n/);
  });
});

describe('refusals and output of `toolwright build`', () => {
  const broken = (name: string, changes: Readonly<Record<string, string>>, ...args: readonly string[]) => {
    const where = writePack(join(folder, name), { ...files, ...changes });
    const { status, stderr, stdout } = toolwright(where, 'build', ...args);
    expect(existsSync(join(where, 'dist/desk.cjs'))).toBe(false);
    return { status, text: stderr + stdout, where };
  };

  it('P20 `build` reports a missing handler, a missing package and a syntax error with their positions', () => {
    const { status, text } = broken('missing', { 'mcp/tools/gone.yaml': 'description: Gone\n' });
    expect([status, text]).toEqual([1, expect.stringContaining('generate/missing-handler')]);
    const unresolved = broken('unresolved', {
      'src/tools/fail.ts': "import x from 'nowhere-at-all';\nexport default () => x;\n",
    });
    expect(unresolved.text).toMatch(/src\/tools\/fail\.ts:1:15 error Could not resolve "nowhere-at-all"/);
    expect(unresolved.text).toContain('--external nowhere-at-all');
    expect(broken('syntax', { 'src/tools/fail.ts': 'export default () => {{;\n' }).text).toContain(
      'src/tools/fail.ts:',
    );
  });

  it('P20 `build` refuses unknown servers, sources as output and folders of others', () => {
    expect(broken('unknown', {}, 'dsk')).toMatchObject({
      status: 2,
      text: expect.stringContaining('did you mean "desk"'),
    });
    expect(broken('into', {}, '--out', 'mcp/out').text).toContain('mcp/ is a source');
    expect(broken('self', {}, '--out', '.').text).toContain('it is the pack itself');
    const clash = broken('clash', { 'mcp/servers/desk.cjs.yaml': 'description: Called like a file\n' });
    expect([clash.status, clash.text]).toEqual([1, expect.stringContaining('"desk.cjs"  [build/name-clash]')]);
    const foreign = broken('foreign', { 'dist/desk/mine.txt': 'mine' });
    expect(foreign.text).toContain('build/foreign');
    expect(readdirSync(join(foreign.where, 'dist'))).toEqual(['desk']);
  });

  it('P20 `build` leaves nothing behind when a folder cannot be written', () => {
    const { where } = broken('full', { dist: 'a file' });
    expect(readdirSync(where).filter(name => name.startsWith('.'))).toEqual([]);
    chmodSync(join(where, 'dist'), 0o644);
  });
});

it('P20 packages with addons or WebAssembly stay outside and are named, and own ones are copied', async () => {
  const addon = {
    'node_modules/fake-addon/package.json':
      '{ "name": "fake-addon", "version": "1.0.0", "main": "index.js", "gypfile": true }',
    'node_modules/fake-addon/index.js': "module.exports = () => 'native';\n",
    'node_modules/fake-addon/build/fake.node': 'not really',
    'node_modules/fake-wasm/package.json': '{ "name": "fake-wasm", "version": "1.0.0", "main": "index.js" }',
    'node_modules/fake-wasm/index.js':
      "const fs = require('fs');\nmodule.exports = () => fs.readFileSync(__dirname + '/x.wasm').length;\n",
    'node_modules/fake-wasm/x.wasm': '\0asm',
    'node_modules/plain/package.json': '{ "name": "plain", "version": "1.0.0", "main": "index.js" }',
    'node_modules/plain/index.js': "const { sep } = require('path');\nmodule.exports = () => 'plain' + sep;\n",
    'src/own.wasm': '\0asm1234',
    'src/tools/fail.ts': `import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import addon from 'fake-addon';
import wasm from 'fake-wasm';
import plain from 'plain';
const require = createRequire(import.meta.url);
const own = new URL('../own.wasm', import.meta.url);
export default () => [addon(), wasm(), plain(), readFileSync(own).length, typeof require('node:os')].join(' ');
`,
  };
  const where = writePack(join(folder, 'native'), { ...files, ...addon });
  const built = toolwright(where, 'build', '--format', 'json');
  expect(JSON.parse(built.stdout)).toMatchObject({
    artifacts: [{ externals: ['fake-addon', 'fake-wasm', 'own.wasm'] }],
  });
  rmSync(join(where, 'src'), { recursive: true });
  rmSync(join(where, 'node_modules/plain'), { recursive: true });
  const { replies } = await ask(join(where, 'dist/desk.cjs'), [['tools/call', { name: 'fail' }]], { cwd: empty });
  expect(replies[1]?.result).toMatchObject({ content: [{ text: 'native 4 plain/ 8 object' }] });
});

it('P20 a built server carries the licences of the packages inside and of its own runtime', () => {
  const where = writePack(join(folder, 'licences'), {
    ...files,
    'node_modules/plain/package.json': '{ "name": "plain", "version": "1.0.0", "main": "index.js", "license": "ISC" }',
    'node_modules/plain/index.js': 'module.exports = () => 1;\n',
    'node_modules/plain/NOTICE.md': 'Plain by Ada\r\n',
    'node_modules/unused/package.json': '{ "name": "unused", "version": "1.0.0" }',
    'src/tools/fail.ts': "import plain from 'plain';\nexport default () => plain();\n",
  });
  for (const [args, name] of [
    [['--out', 'a'], 'a/desk.licenses.txt'],
    [['--single-file', '--out', 'b'], 'b/desk.licenses.txt'],
  ] as const) {
    expect(toolwright(where, 'build', ...args).status).toBe(0);
    const text = readFileSync(join(where, name), 'utf8');
    expect(text).toContain('plain 1.0.0\n\nPlain by Ada\n');
    expect(text).toMatch(/^@modelcontextprotocol\/server 2\.[\s\S]*Apache License/m);
    expect(text).toMatch(/^toolwright \d/m);
    expect(text).not.toMatch(/^(unused|desk|esbuild|ts-morph) \d/m);
  }
});

it('P20 `build --sourcemap` makes stacks name the line and column of the source, in every form', async () => {
  const where = writePack(join(folder, 'maps'), {
    ...files,
    'src/tools/fail.ts':
      'interface Wide { readonly a: number }\n\nfunction deep(_: Wide): never {\n  throw new TypeError("broken");\n}\nexport default () => deep({ a: 1 });\n',
  });
  // Node reads the map of a module when it loads it: a single file cannot switch that on for itself.
  for (const [args, file, flags] of [
    [['--out', 'a'], 'a/desk.cjs', []],
    [['--out', 'b', '--single-file'], 'b/desk.mjs', ['--enable-source-maps']],
    [['--out', 'c', '--minify'], 'c/desk.cjs', []],
  ] as const) {
    expect(toolwright(where, 'build', '--sourcemap', ...args).status).toBe(0);
    const { stderr } = await ask(join(where, file), [['tools/call', { name: 'fail', arguments: {} }]], {
      cwd: empty,
      flags,
    });
    expect(stderr).toContain('TypeError: broken');
    expect(stderr).toMatch(/src\/tools\/fail\.ts:4:9\b/);
  }
});

it('P20 a build replaces an older one, which stays whole if the new one fails', async () => {
  const where = writePack(join(folder, 'again'), files);
  expect(toolwright(where, 'build').status).toBe(0);
  const before = readTree(join(where, 'dist'), 'latin1');
  expect(toolwright(where, 'build').status).toBe(0);
  expect(readTree(join(where, 'dist'), 'latin1')).toEqual(before);
  writeFileSync(join(where, 'mcp/tools/count.yaml'), `${files['mcp/tools/count.yaml']}title: Newer\n`);
  // The licences come before the entry: the folder is new already when this cannot be replaced.
  rmSync(join(where, 'dist/desk.licenses.txt'));
  mkdirSync(join(where, 'dist/desk.licenses.txt/mine'), { recursive: true });
  const failed = toolwright(where, 'build');
  expect(failed.status).toBe(1);
  expect(failed.stderr).toContain('EISDIR');
  expect(readdirSync(join(where, 'dist')).sort()).toEqual(['desk', 'desk.cjs', 'desk.licenses.txt']);
  expect(readTree(join(where, 'dist/desk'), 'latin1')).toEqual(
    Object.fromEntries(
      Object.entries(before).flatMap(([path, text]) => (path.startsWith('desk/') ? [[path.slice(5), text]] : [])),
    ),
  );
  rmSync(join(where, 'dist/desk.licenses.txt'), { recursive: true });
  expect(toolwright(where, 'build', '--external', 'lodahs').stderr).toContain('nothing imports "lodahs"');
  const { replies } = await ask(join(where, 'dist/desk.cjs'), [['tools/list']], { cwd: empty });
  expect(JSON.stringify(replies[1])).toContain('Newer');
});

it('P20 examples/jira builds and runs as it is', async () => {
  const where = join(folder, 'jira');
  cpSync(join(root, 'examples/jira'), where, { recursive: true });
  writePack(where, {});
  expect(toolwright(where, 'generate', '--quiet').status).toBe(0);
  const built = toolwright(where, 'build', 'reporting', '--sourcemap', '--minify', '--quiet');
  expect(built).toEqual({ status: 0, stdout: '', stderr: '' });
  const { replies } = await ask(
    join(where, 'dist/reporting.cjs'),
    [['tools/call', { name: 'list-projects', arguments: {} }]],
    { args: ['--stdio'] },
  );
  expect(replies[1]?.result).toMatchObject({ structuredContent: { projects: expect.anything() } });
});
