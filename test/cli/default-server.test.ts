// What commands take where a pack has several servers and none was named.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openCommands, type Ran } from '../harness/commands.js';
import { writeFiles } from '../harness/files.js';

const commands = openCommands();
const folder = mkdtempSync(join(tmpdir(), 'toolwright-default-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  commands.close();
});

const handler = "export default () => 'done';\n";
const servers = {
  'package.json': '{"name": "demo", "version": "1.0.0", "type": "module"}',
  'mcp/servers/remote.yaml': 'tools: [sum]\n',
  'mcp/servers/main.yaml': 'tools: [get, stats]\n',
  'mcp/servers/all.yaml': 'tools: [get, stats, sum]\n',
  'mcp/tools/get.yaml': 'description: Gets\n',
  'mcp/tools/stats.yaml': 'description: Counts\n',
  'mcp/tools/sum.yaml': 'description: Adds\n',
  'src/tools/get.js': handler,
  'src/tools/stats.js': handler,
  'src/tools/sum.js': handler,
};
let count = 0;

function pack(files: Readonly<Record<string, string>>): (...words: readonly string[]) => Ran {
  count += 1;
  const cwd = join(folder, `pack-${count}`);
  writeFiles(cwd, { 'toolwright.yaml': '', ...files });
  const env = { ...process.env, HOME: cwd, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '', TOOLWRIGHT_CACHE: 'off' };
  return (...words) => commands.runSync(words, { cwd, env });
}

const listed = { ...servers, 'toolwright.yaml': 'servers: [remote, main, all]\n' };
const chosen = 'using the server "remote", the first one under "servers:" in toolwright.yaml; for another: ';

describe('fix-N18 a pack with several servers', () => {
  it('`install` takes the first server that toolwright.yaml lists, and says so', () => {
    const run = pack(listed);
    const { status, stdout, stderr } = run('install', 'cursor', '--print', '--yes');
    expect([status, stderr]).toEqual([0, `toolwright: ${chosen}toolwright install cursor main\n`]);
    expect(stdout).toContain('"remote"');
    expect(run('install', 'cursor', '--print', '--yes', '--quiet').stderr).toBe('');
    expect(run('install', 'cursor', 'main', '--print', '--yes').stderr).toBe('');
  });

  it('the default server is the first in the list that is switched on, and a broken one is not replaced', () => {
    const off = pack({ ...listed, 'mcp/servers/remote.yaml': 'enabled: false\n' });
    expect(off('install', 'cursor', '--print', '--yes').stderr).toContain('using the server "main", the first');
    const broken = pack({ ...listed, 'mcp/servers/remote.yaml': 'tools: [nix]\n' });
    const { status, stdout, stderr } = broken('install', 'cursor', '--print', '--yes');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('the default server "remote" is broken; for another: toolwright install cursor main');
  });

  it('without a list, `start` and `install` ask for a name and show the list to write', () => {
    const run = pack(servers);
    const hint = 'or write "servers: [all, main, remote]" into toolwright.yaml: the first is the default\n';
    for (const words of [['start'], ['install', 'cursor']]) {
      const { status, stderr } = run(...words);
      expect([status, stderr]).toEqual([
        2,
        `toolwright: which server? demo has all, main, remote\n  hint: name it, as in toolwright ${words.join(' ')} all; ${hint}`,
      ]);
    }
  });

  it('`call` takes the first server in order that has the tool', () => {
    const run = pack(listed);
    expect(run('call', 'stats')).toMatchObject({
      status: 0,
      stdout: 'done\n',
      stderr: 'toolwright: calling stats on the server "main"; for another: toolwright call all stats\n',
    });
    expect(run('call', 'stats', '--quiet').stderr).toBe('');
    expect(run('call', 'sum').stderr).toContain('calling sum on the server "remote"');
    expect(run('call', 'all', 'sum')).toMatchObject({ status: 0, stderr: '' });
    expect(pack({ ...servers, 'mcp/servers/all.yaml': 'tools: []\n' })('call', 'stats')).toMatchObject({
      status: 0,
      stdout: 'done\n',
      stderr: '',
    });
  });

  it('`call` reports a tool that no server has with the names of all tools', () => {
    const stderr =
      'toolwright: no server has a tool "stat": did you mean "stats"? (remote, main, all; they have sum, get, stats)\n';
    expect(pack(listed)('call', 'stat')).toMatchObject({ status: 2, stderr });
  });

  it('`call` says that a tool is broken which only the second server has', () => {
    const run = pack({
      ...listed,
      'mcp/servers/all.yaml': 'tools: []\n',
      'mcp/tools/stats.yaml': 'descripton: Counts\n',
    });
    const { status, stderr } = run('call', 'stats');
    expect([status, stderr]).toEqual([1, expect.stringContaining('the tool "stats" is broken, as shown above')]);
  });

  it('`list` and completion mark the default', () => {
    const run = pack(listed);
    expect(run('list').stdout).toMatch(/^demo\/remote \(default\) {2}1\.0\.0/m);
    const { servers: rows } = JSON.parse(run('list', '--format', 'json').stdout);
    expect(rows.filter((one: { isDefault?: true }) => one.isDefault).map((one: { name: string }) => one.name)).toEqual([
      'demo/remote',
    ]);
    expect(run('__complete', 'start', '').stdout).toContain('remote\tserver over stdio, the default\n');
    expect(pack(servers)('list').stdout).not.toContain('(default)');
  });

  it('`add server` writes the list when a second server comes, so that the first stays the default', () => {
    const run = pack({
      'package.json': servers['package.json'],
      'toolwright.yaml': '# ours\ndescription: A pack\n',
      'mcp/servers/zoo.yaml': 'description: Zoo\n',
    });
    const read = (): string => readFileSync(join(folder, `pack-${count}`, 'toolwright.yaml'), 'utf8');
    expect(run('add', 'server', 'ape').status).toBe(0);
    expect(read()).toBe('# ours\ndescription: A pack\nservers:\n  # The first is the default.\n  - zoo\n  - ape\n');
    expect(run('add', 'server', 'bee').status).toBe(0);
    expect(read()).toContain('  - zoo\n  - ape\n  - bee\n');
    expect(run('install', 'cursor', '--print', '--yes').stderr).toContain('using the server "zoo"');
  });

  it('`add server` writes no list for the first server, and leaves a manifest alone that it cannot edit', () => {
    const run = pack({ 'package.json': servers['package.json'] });
    const read = (): string => readFileSync(join(folder, `pack-${count}`, 'toolwright.yaml'), 'utf8');
    expect(run('add', 'server', 'one').status).toBe(0);
    expect(read()).toBe('');
    writeFiles(join(folder, `pack-${count}`), { 'toolwright.yaml': '{ description: A pack }\n' });
    expect(run('add', 'server', 'two').status).toBe(0);
    expect(read()).toBe('{ description: A pack }\n');
  });
});
