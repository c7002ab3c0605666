// P20: what a build writes over, leaves alone and cleans up. Real builds into folders that are not empty.
import { spawn, spawnSync } from 'node:child_process';
import {
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
import { afterAll, expect, it } from 'vitest';
import { ask, root, toolwright, writePack } from '../../harness/build-pack.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-build-output-'));
const empty = join(folder, 'empty');
mkdirSync(empty);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = {
  'package.json': '{ "name": "desk", "version": "1.0.0", "type": "module" }\n',
  'toolwright.yaml': 'name: desk\n',
  'mcp/servers/desk.yaml': 'title: Desk\n',
  'mcp/tools/count.yaml': 'description: Counts\n',
  'mcp/prompts/hello.yaml': 'description: Greets\ntext: Hello\n',
  'src/tools/count.ts': "export default () => 'one';\n",
};

it('P20 P21 external definitions of an older build do not come back: the last prompt is gone with its file', async () => {
  const where = writePack(join(folder, 'gone'), files);
  const external = ['build', '--definitions', 'external'];
  expect(toolwright(where, ...external)).toMatchObject({ status: 0, stderr: '' });
  const asked = () => ask(join(where, 'dist/desk.cjs'), [['prompts/list']], { cwd: empty });
  expect((await asked()).replies[1]).toMatchObject({ result: { prompts: [{ name: 'hello' }] } });
  rmSync(join(where, 'mcp/prompts'), { recursive: true });
  expect(toolwright(where, ...external)).toMatchObject({ status: 0, stderr: '' });
  const { replies, stderr } = await asked();
  expect(stderr).toBe('');
  expect(replies[0]?.result?.['capabilities']).not.toHaveProperty('prompts');
  expect(replies[1]).toMatchObject({ error: { code: -32601 } });
});

it.each(['as it comes', '--minify'])('P20 a server with one tool is less than 1 MiB in at most 12 files (%s)', form => {
  const { 'mcp/prompts/hello.yaml': _, ...oneTool } = files;
  const where = writePack(join(folder, `small ${form}`), oneTool);
  const { status, stdout } = toolwright(where, 'build', '--format', 'json', ...(form === '--minify' ? [form] : []));
  expect(status).toBe(0);
  const { artifacts } = JSON.parse(stdout) as { artifacts: readonly { readonly bytes: number }[] };
  const written = readdirSync(join(where, 'dist'), { recursive: true, withFileTypes: true }).filter(one =>
    one.isFile(),
  );
  const bytes = written.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  expect(artifacts).toMatchObject([{ bytes }]);
  expect(bytes).toBeLessThan(1024 * 1024);
  expect(written.length).toBeLessThanOrEqual(12);
});

it('P20 `build` reports a file that is too large to be sent instead of making an empty resource', () => {
  const where = writePack(join(folder, 'large'), {
    ...files,
    'mcp/resources/film.yaml': 'uri: desk://film\nfile: films/long.bin\n',
    'films/long.bin': new Uint8Array(40 * 1024 * 1024),
  });
  const { status, stderr } = toolwright(where, 'build');
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('films/long.bin:1:1 error "films/long.bin" has 41943040 bytes'),
  ]);
});

it('P20 `build` does not replace files and folders that no build wrote, whatever the form', () => {
  for (const [name, args] of [
    ['desk.cjs', []],
    ['desk.mjs', ['--single-file']],
    ['desk.worker.mjs', ['--target', 'worker']],
  ] as const) {
    const where = writePack(join(folder, `mine ${name}`), { ...files, [`dist/${name}`]: '// My own.\n' });
    const { status, stderr } = toolwright(where, 'build', ...args);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(`dist/${name}:1:1 error "${name}" was not written by build`),
    ]);
    expect(readFileSync(join(where, 'dist', name), 'utf8')).toBe('// My own.\n');
    rmSync(join(where, 'dist', name));
    expect(toolwright(where, 'build', ...args).status).toBe(0);
    expect(toolwright(where, 'build', ...args).status).toBe(0);
  }
});

/** Starts a build and sends it a signal as soon as it has begun to write. */
async function interrupt(where: string, signal: NodeJS.Signals): Promise<readonly string[]> {
  const child = spawn(process.execPath, [join(root, 'dist/cli/main.js'), 'build'], { cwd: where, stdio: 'ignore' });
  const ended = new Promise(resolve => child.once('close', resolve));
  const out = join(where, 'dist');
  while (child.exitCode === null && !(existsSync(out) && readdirSync(out).some(name => name.startsWith('.')))) {
    await new Promise(resolve => setTimeout(resolve, 2));
  }
  child.kill(signal);
  await ended;
  return readdirSync(out);
}

it('P20 an interrupted build leaves nothing behind, and what a killed one leaves, the next one removes', async () => {
  const where = writePack(join(folder, 'interrupted'), files);
  expect(await interrupt(where, 'SIGINT')).toEqual([]);
  expect(await interrupt(where, 'SIGTERM')).toEqual([]);
  expect(await interrupt(where, 'SIGKILL')).toEqual([expect.stringMatching(/^\.toolwright-/)]);
  // Somebody who works on another machine, or whose folder only looks like one of ours.
  for (const name of ['.toolwright-00000000-1-abcdef', '.toolwright-mine']) mkdirSync(join(where, 'dist', name));
  expect(toolwright(where, 'build').status).toBe(0);
  expect(readdirSync(join(where, 'dist')).sort()).toEqual([
    '.toolwright-00000000-1-abcdef',
    '.toolwright-mine',
    'desk',
    'desk.cjs',
    'desk.licenses.txt',
  ]);
});

it('P21 a built server names files as its pack does and reports patches for nobody, also with external definitions', async () => {
  const where = writePack(join(folder, 'names'), {
    ...files,
    'toolwright.yaml': 'name: desk\nconfig:\n  DESK_SIZE: { type: integer }\n',
    'patches/tools.yaml': 'cuont: { enabled: false }\n',
  });
  for (const [args, file] of [
    [[], 'dist/desk.cjs'],
    [['--single-file'], 'dist/desk.mjs'],
    [['--definitions', 'external', '--out', 'beside'], 'beside/desk.cjs'],
  ] as const) {
    expect(toolwright(where, 'build', ...args).status).toBe(0);
    const asked = (env: Record<string, string>) => ask(join(where, file), [], { cwd: empty, env });
    expect((await asked({ DESK_SIZE: 'big' })).stderr).toMatch(/^toolwright\.yaml:\d+:\d+ error DESK_SIZE must be/);
    const settings = '{"tools":{"cuont":{"enabled":false}}}';
    const set = await asked({ TOOLWRIGHT_SETTINGS: settings });
    expect([set.code, set.stderr]).toEqual([
      0,
      expect.stringMatching(/^\$TOOLWRIGHT_SETTINGS\/tools\.json:2:3 warning/),
    ]);
    const patched = await asked({ TOOLWRIGHT_OVERLAY: join(where, 'patches') });
    expect([patched.code, patched.stderr]).toEqual([
      0,
      expect.stringMatching(/^\.\.\/names\/patches\/tools\.yaml:1:1 warning/),
    ]);
  }
  // A broken definition is left out as by `start`, whatever is patched elsewhere.
  mkdirSync(join(where, 'beside/mcp/prompts'));
  writeFileSync(join(where, 'beside/mcp/prompts/hello.yaml'), 'descriptoin: x\n');
  const { code, replies } = await ask(join(where, 'beside/desk.cjs'), [['tools/list']], {
    cwd: empty,
    env: { TOOLWRIGHT_OVERLAY: join(where, 'patches') },
  });
  expect([code, replies[1]?.result]).toMatchObject([0, { tools: [{ name: 'count' }] }]);
});

it('fix-A15 `build` reports a missing folder for temporary files, or too many open files, in one line', () => {
  const where = writePack(join(folder, 'temporary'), files);
  const run = (line: string) =>
    spawnSync('sh', ['-c', line], { cwd: where, encoding: 'utf8', env: { ...process.env, TOOLWRIGHT_CACHE: 'off' } });
  const build = `"${process.execPath}" "${join(root, 'dist/cli/main.js')}" build`;
  for (const target of ['node', 'worker']) {
    const { status, stdout, stderr } = run(`TMPDIR="${folder}/nowhere" ${build} --target ${target}`);
    expect([status, `${stdout}${stderr}`]).toEqual([
      1,
      expect.stringContaining('the folder for temporary files does not exist'),
    ]);
  }
  for (const limit of [24, 40]) {
    const { status, stdout, stderr } = run(`ulimit -n ${limit}; ${build}`);
    expect([status, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringMatching(/^toolwright: too many files are open: .*\n$/),
    ]);
  }
});
