// Same pack, same bytes: whatever the order of files, the locale, the line ends, the folder, or what was there before.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generate } from '../../../generator/compile/generate.js';
import { type Folder, nodeFolder } from '../../../runtime/load/folder.js';
import {
  compileFolder,
  generateOptions,
  goldenFolder,
  listCases,
  makeFolder,
  type Tree,
} from '../../generator/compile/golden-generate-cases.js';
import { readTree, writeFiles } from '../../harness/files.js';

const command = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const ledger = 'generated/.toolwright.json';

/** Cases that start from nothing. */
const fresh = listCases().filter(name => !existsSync(join(goldenFolder, name, 'before')));

let folder = '';
let count = 0;
beforeAll(() => {
  folder = makeFolder();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function newPack(files: Tree, path?: string): string {
  count += 1;
  const pack = join(folder, path ?? `pack ${count}`);
  mkdirSync(pack, { recursive: true });
  writeFiles(pack, files);
  return pack;
}

function given(name: string): Tree {
  return readTree(join(goldenFolder, name, 'in'));
}

/** What generate makes of files in a new folder: all files afterwards. */
async function cold(files: Tree, path?: string): Promise<Tree> {
  const pack = newPack(files, path);
  await generate(pack, { ...generateOptions, write: true });
  return readTree(pack);
}

const twoTools: Tree = {
  'package.json': '{ "type": "module" }\n',
  'tsconfig.json': '{ "compilerOptions": { "module": "nodenext" } }\n',
  'toolwright.yaml': '',
  'mcp/tools/a.yaml': 'description: A.\nparameters: { x: { type: integer, default: 1 } }\n',
  'mcp/tools/b.yaml': 'description: B.\ninputSchema: { file: schemas/b.json }\n',
  'mcp/prompts/p.yaml': 'description: { file: p.md }\ntype: handler\narguments: { topic: What }\n',
  'schemas/b.json': '{ "type": "object", "properties": { "y": { "type": "string" } } }\n',
  'p.md': 'First.\n\nSecond.\n',
};

describe('determinism of `generate`', () => {
  it('the order in which folders are listed does not change what `generate` writes', async () => {
    for (const name of ['combined-files', 'item-names', 'prompts', 'resources', 'inline-items', 'root-unions']) {
      const plain = nodeFolder(join(goldenFolder, name, 'in'));
      const reversed: Folder = { ...plain, list: path => plain.list(path)?.toReversed() };
      const expected = await compileFolder(plain);
      expect(Object.keys(expected).length).toBeGreaterThan(10);
      expect([name, await compileFolder(reversed)]).toEqual([name, expected]);
    }
  });

  it('files written in another order give the same ledger and index', async () => {
    const files = given('item-names');
    const names = ['z', 'B', 'a', 'Y', '10', '9', 'b.c', 'B_d'];
    const many = Object.fromEntries(names.map(name => [`mcp/tools/${name}-tool.yaml`, `description: Tool ${name}.\n`]));
    const forwards = await cold({ ...files, ...many });
    const backwards = await cold(Object.fromEntries(Object.entries({ ...files, ...many }).reverse()));
    expect(backwards).toEqual(forwards);
    const paths = Object.keys(JSON.parse(forwards[ledger] ?? '') as object);
    expect(paths).toContain('generated/tools/B_d-tool.mjs');
    // The version comes first.
    const [, ...written] = paths;
    expect(written).toEqual([...written].sort());
  });

  it('locale, time zone and working directory do not change what `generate` writes', () => {
    const settings = [
      { LANG: 'C', LC_ALL: 'C', TZ: 'UTC' },
      { LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', LANGUAGE: 'tr', TZ: 'Pacific/Kiritimati' },
      { LANG: 'sv_SE.UTF-8', LC_ALL: 'sv_SE.UTF-8', LANGUAGE: 'sv', TZ: 'America/St_Johns' },
    ];
    const files = {
      ...given('item-names'),
      'mcp/tools/INFO-ID.yaml': 'description: İıIi.\nparameters: { ID: string }\n',
    };
    const trees = settings.map((setting, index) => {
      const pack = newPack(files);
      const { status, stderr } = spawnSync(process.execPath, [command, 'generate', '--quiet', pack], {
        encoding: 'utf8',
        cwd: index === 0 ? pack : folder,
        env: { ...process.env, ...setting, TOOLWRIGHT_CACHE: 'off' },
      });
      expect([status, stderr]).toEqual([0, '']);
      return readTree(pack);
    });
    expect(Object.keys(trees[0] ?? {})).toContain('generated/tools/INFO-ID.mjs');
    expect(trees[1]).toEqual(trees[0]);
    expect(trees[2]).toEqual(trees[0]);
  });

  it('line ends of the inputs do not change what `generate` writes, not even the maps', async () => {
    for (const name of fresh) {
      const files = given(name);
      const windows = Object.fromEntries(
        Object.entries(files).map(([path, text]) => [path, text.replaceAll('\n', '\r\n')]),
      );
      const withoutInputs = (tree: Tree): Tree =>
        Object.fromEntries(
          Object.entries(tree).filter(([path]) => !Object.hasOwn(files, path) && !path.endsWith('/.toolwright.json')),
        );
      const out = withoutInputs(await cold(windows));
      expect([name, out]).toEqual([name, withoutInputs(await cold(files))]);
      expect([name, Object.entries(out).filter(([, text]) => text.includes('\r'))]).toEqual([name, []]);
    }
  });

  it('the folder does not change what `generate` writes and is nowhere in the output', async () => {
    const files = given('context');
    const one = await cold(files, 'one');
    const other = await cold(files, 'another/far deeper/Pfad mit Ümlaut');
    expect(other).toEqual(one);
    expect(Object.entries(one).filter(([, text]) => text.includes(folder))).toEqual([]);
  });

  it('P10 a second run writes nothing, and no file is touched', async () => {
    const pack = newPack(twoTools);
    await generate(pack, { ...generateOptions, write: true });
    const stamps = (): readonly string[] =>
      readdirSync(pack, { recursive: true, encoding: 'utf8' })
        .sort()
        .map(path => {
          const { mtimeNs, ctimeNs, ino, size } = statSync(join(pack, path), { bigint: true });
          return `${path} ${mtimeNs} ${ctimeNs} ${ino} ${size}`;
        });
    const before = stamps();
    const { operations } = await generate(pack, { ...generateOptions, write: true });
    expect(operations.filter(({ op }) => op !== 'keep')).toEqual([]);
    expect(stamps()).toEqual(before);
  });

  it('P14 a new tool changes no validator and no handler of another one', async () => {
    const pack = newPack(twoTools);
    await generate(pack, { ...generateOptions, write: true });
    writeFiles(pack, { 'mcp/tools/aa.yaml': 'description: Between the others.\n' });
    const { operations } = await generate(pack, { ...generateOptions, write: true });
    const changed = operations
      .filter(({ op, role }) => op !== 'keep' && role !== 'ledger')
      .map(({ op, path }) => `${op} ${path}`);
    expect(changed.filter(one => !one.includes('/schema/'))).toEqual([
      'replace generated/index.js',
      'replace generated/tools.d.ts',
      'replace generated/tools.d.ts.map',
      'create generated/tools/aa.mjs',
      'create src/tools/aa.ts',
    ]);
  });

  it('P11 changes step by step give the same files and the same ledger as all at once', async () => {
    const steps: readonly Tree[] = [
      { 'mcp/tools/a.yaml': 'description: Another text.\nparameters: { x: { type: integer, default: 1 } }\n' },
      {
        'mcp/tools/a.yaml': '# moved\n\ndescription: Another text.\nparameters: { x: { type: integer, default: 1 } }\n',
      },
      { 'mcp/tools/a.yaml': 'description: A.\nerrors: { BAD: { message: Bad. } }\n' },
      { 'mcp/tools/a.yaml': 'description: A.\nerrors: { BAD: { message: Worse., status: 404 } }\n' },
      { 'toolwright.yaml': 'config: { TOKEN: { type: string } }\n' },
      { 'mcp/tools/a.yaml': 'description: A.\noptions: { o: { type: string } }\nrequires: { TOKEN: required }\n' },
      { 'toolwright.yaml': 'config: { TOKEN: { type: string, description: Described. }, MORE: { type: integer } }\n' },
      { 'toolwright.yaml': '\n\nconfig: { TOKEN: { type: integer, default: 1 } }\n' },
      { 'toolwright.yaml': 'context: src/context.ts#create\n', 'mcp/tools/a.yaml': 'description: A.\n' },
      { 'schemas/b.json': '{\n\n"type": "object", "properties": { "y": { "type": "string" } } }\n' },
      { 'schemas/b.json': '{ "type": "object", "properties": { "z": { "type": "string" } } }\n' },
      { 'p.md': 'Changed.\n' },
      { 'mcp/prompts/p.yaml': 'description: P.\ntype: handler\narguments: { topic: { required: true } }\n' },
      { 'mcp/resources/r.yaml': "uriTemplate: 'r://{id}'\ndescription: R.\n" },
      { 'mcp/resources/r.yaml': "description: R.\nuriTemplate: 'r://{other}'\n" },
      { 'mcp/resources/r.yaml': 'uri: r://fixed\ndescription: R.\n' },
      { 'mcp/tools/a.yaml': 'description: A.\noutput: { id: string }\n' },
      { 'mcp/tools/a.yaml': 'description: A.\noutput: { id: string }\nresult: envelope\n' },
      { 'mcp/servers/s.yaml': 'description: S.\ntools: [a, { name: inline, description: Inline. }]\n' },
      { 'package.json': '{ "type": "commonjs" }\n' },
    ];
    const pack = newPack(twoTools);
    let files = twoTools;
    for (const step of [{}, ...steps]) {
      files = { ...files, ...step };
      writeFiles(pack, step);
      const { ok, diagnostics } = await generate(pack, { ...generateOptions, write: true });
      expect([ok, diagnostics.filter(({ severity }) => severity === 'error')]).toEqual([true, []]);
      const atOnce = await cold(files);
      const stepwise = readTree(pack);
      // Handlers were written once, in the form of their time.
      const generated = (tree: Tree): Tree =>
        Object.fromEntries(Object.entries(tree).filter(([path]) => path.startsWith('generated/')));
      expect([step, generated(stepwise)]).toEqual([step, generated(atOnce)]);
    }
  });
});
