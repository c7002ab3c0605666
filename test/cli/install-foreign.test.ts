// Entries that are not ours: whatever has the name already is not replaced, merged or taken out unless somebody says so, and then it
// comes back.
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { clients } from '../../generator/clients/client-table.js';
import { writeFiles } from '../harness/files.js';
import { openHome } from './install-home.js';

const world = openHome();
const { run, put } = world;
const text = (file: string): string => readFileSync(file, 'utf8');
const mainOf = (file: string): { readonly args: readonly string[]; readonly env?: object } =>
  JSON.parse(text(file)).mcpServers.main;
/** In whatever order. */
const linesOf = (text: string): readonly string[] =>
  text
    .trimEnd()
    .split('\n')
    .map(line => line.replace(/,$/, ''))
    .sort();

afterAll(() => world.remove());

let count = 0;
/** A pack with a server `main`. */
const makePack = (files: Readonly<Record<string, string>> = {}): string => {
  count += 1;
  const folder = join(world.folder, `pack ${count}`);
  const all = {
    'toolwright.yaml': 'config: { SECRET: { type: string } }\n',
    'mcp/tools.yaml': 'a: { description: A }\n',
    'mcp/servers/main.yaml': 'description: M\n',
    ...files,
  };
  writeFiles(folder, all);
  return folder;
};

const python = '{"mcpServers":{"main":{"command":"python","args":["other.py"],"env":{"SECRET":"bbbb"}},"x":{}}}';

describe('P25 entries that are not ours', () => {
  it('an entry of the same name that is not ours is neither replaced nor removed, and the message says what it is', () => {
    world.renew();
    const pack = makePack();
    const file = put('.claude.json', python);
    for (const more of [[], ['--dry-run']]) {
      const put = run('install', 'claude-code', '--cwd', pack, ...more);
      expect(put.status).toBe(1);
      expect(put.stderr).toMatch(
        /\.claude\.json: it already has a "main" .*it runs python other\.py.*not changed\.\n {2}hint: .*--name.*--force/,
      );
      const taken = run('uninstall', 'claude-code', '--cwd', pack, ...more);
      expect(taken.status).toBe(1);
      expect(taken.stderr).toMatch(
        /its "main" was not written for this pack \(it runs python other\.py\).*not changed/,
      );
      expect(put.stderr + put.stdout + taken.stderr + taken.stdout).not.toContain('bbbb');
    }
    const told = run('uninstall', 'claude-code', '--cwd', pack, '--format', 'json');
    expect(told).toMatchObject({ status: 1 });
    expect(JSON.parse(told.stdout)).toMatchObject({ op: 'refuse', server: 'main', file });
    expect(text(file)).toBe(python);
    expect(existsSync(join(world.path, '.local'))).toBe(false);
  });

  it('an entry that is not ours stays beside ours when ours has another name', () => {
    world.renew();
    const pack = makePack();
    const file = put('.claude.json', python);
    expect(run('install', 'claude-code', '--cwd', pack, '--name', 'mine').status).toBe(0);
    expect(JSON.parse(text(file)).mcpServers.mine.env).toBeUndefined();
    expect(run('uninstall', 'claude-code', '--cwd', pack, '--name', 'mine').status).toBe(0);
    expect(text(file)).toBe(python);
  });

  it('`install --print` shows nothing of an entry that is not ours', () => {
    world.renew();
    put('.claude.json', python);
    const { status, stdout } = run('install', 'claude-code', '--cwd', makePack(), '--print');
    expect(status).toBe(0);
    expect(stdout).not.toContain('bbbb');
  });

  it('an entry that is not ours is replaced as a whole with `--force`, and `uninstall` restores it', () => {
    world.renew();
    const pack = makePack();
    const before = '{"mcpServers":{"main":{"command":"python","timeout":7,"env":{"SECRET":"bbbb"}},"x":{}}}';
    const file = put('.claude.json', before);
    const shown = run('install', 'claude-code', '--cwd', pack, '--force', '--dry-run');
    expect(shown).toMatchObject({ status: 0, stdout: expect.not.stringContaining('bbbb') });
    expect(run('install', 'claude-code', '--cwd', pack, '--force').status).toBe(0);
    expect(mainOf(file)).toEqual({ type: 'stdio', command: process.execPath, args: mainOf(file).args });
    // Now it is ours: nothing needs force, and what is set stays.
    expect(run('install', 'claude-code', '--cwd', pack, '--env', 'SECRET=cccc').status).toBe(0);
    expect(run('install', 'claude-code', '--cwd', pack).status).toBe(0);
    expect(mainOf(file).env).toEqual({ SECRET: 'cccc' });
    expect(run('uninstall', 'claude-code', '--cwd', pack, '--dry-run').stdout).not.toMatch(/bbbb|cccc/);
    const taken = run('uninstall', 'claude-code', '--cwd', pack);
    expect(taken).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('the previous entry with that name is back'),
    });
    expect(text(file)).toBe(before);
    expect(run('uninstall', 'claude-code', '--cwd', pack).status).toBe(1);
  });

  it.each(clients.map(({ id }) => id))(
    '%s: an entry that was replaced comes back even if the file has changed since',
    id => {
      world.renew();
      const [own, other] = [makePack(), makePack()];
      const file = join(world.path, 'settings');
      const args = ['--file', file, '--cwd'];
      expect(run('install', id, ...args, own, '--env', 'SECRET=mine').status).toBe(0);
      const first = text(file);
      expect(run('install', id, ...args, other).status).toBe(1);
      expect(text(file)).toBe(first);
      expect(run('install', id, ...args, other, '--force').status).toBe(0);
      expect(text(file)).not.toContain('mine');
      writeFileSync(file, `${text(file)}\n`);
      expect(run('uninstall', id, ...args, own)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining(`it belongs to the pack in ${other}`),
      });
      expect(run('uninstall', id, ...args, other).status).toBe(0);
      expect(linesOf(text(file))).toEqual(linesOf(first));
      expect(run('uninstall', id, ...args, own).status).toBe(0);
      expect(text(file)).not.toContain('mine');
    },
  );

  it('an entry is no longer ours when somebody has put something else there', () => {
    world.renew();
    const pack = makePack();
    const file = put('.claude.json', '{}');
    run('install', 'claude-code', '--cwd', pack);
    writeFileSync(file, python);
    expect(run('install', 'claude-code', '--cwd', pack).status).toBe(1);
    expect(run('uninstall', 'claude-code', '--cwd', pack).status).toBe(1);
    expect(text(file)).toBe(python);
    expect(run('uninstall', 'claude-code', '--cwd', pack, '--force').status).toBe(0);
    expect(JSON.parse(text(file))).toEqual({ mcpServers: { x: {} } });
  });

  it.each([
    ['nothing', '{}', 'it runs nothing'],
    ['an address', '{"url": "https://x.example/mcp?key=bbbb"}', 'it leads to x.example'],
    [
      'a server of another folder',
      '{"command": "t", "args": ["start", "main", "--cwd", "/b"]}',
      'it starts main in /b, which is gone)',
    ],
    ['words that may be secret', '{"command": "a", "args": ["b", "--token", "bbbb"]}', 'it runs a b ...'],
    ['what steers terminals', '{"command": "a\\u001b[2J"}', 'a\\x1b[2J'],
  ])('the refusal describes an entry that is not ours: %s', (_, entry, words) => {
    world.renew();
    put('.claude.json', `{"mcpServers":{"main":${entry}}}`);
    const { status, stderr } = run('install', 'claude-code', '--cwd', makePack());
    expect(status).toBe(1);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain('bbbb');
  });
});

describe('P25 two packs with servers of one name', () => {
  it("two packs with servers of one name do not remove each other's entries, and the original bytes come back", () => {
    world.renew();
    const [own, other] = [makePack(), makePack()];
    const file = put('.cursor/mcp.json', '{ }');
    run('install', 'cursor', '--cwd', own);
    const first = text(file);
    expect(run('install', 'cursor', '--cwd', other)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`it belongs to the pack in ${own}`),
    });
    expect(run('uninstall', 'cursor', '--cwd', other).status).toBe(1);
    expect(run('uninstall', 'cursor', 'main', '--cwd', world.path).status).toBe(1);
    expect(text(file)).toBe(first);
    expect(run('install', 'cursor', '--cwd', other, '--force').status).toBe(0);
    expect(run('uninstall', 'cursor', '--cwd', own).status).toBe(1);
    expect(run('uninstall', 'cursor', '--cwd', other).status).toBe(0);
    expect(text(file)).toBe(first);
    expect(run('uninstall', 'cursor', '--cwd', own).status).toBe(0);
    expect(text(file)).toBe('{ }');
  });
});

describe('P25 entries that are ours', () => {
  const forget = (): void => rmSync(join(world.path, '.local'), { recursive: true });

  it.each([
    ['started', []],
    ['built', ['--run', 'built']],
    ['built elsewhere', ['--run', 'built', '--out', 'made']],
    ['published', ['--run', 'npx']],
  ])('an entry is recognized as ours by what it runs, even if nothing is recorded: %s', (_, more) => {
    world.renew();
    const pack = makePack({
      'package.json': '{ "name": "x", "bin": "x.js" }',
      'dist/main.mjs': '',
      'made/main.cjs': '',
    });
    for (const where of [[], ['--project']]) {
      const file = join(where.length > 0 ? pack : world.path, '.cursor/mcp.json');
      expect(run('install', 'cursor', '--cwd', pack, ...more, ...where, '--env', 'SECRET=aaaa').status).toBe(0);
      forget();
      expect(run('install', 'cursor', '--cwd', pack, ...where).status).toBe(0);
      expect(mainOf(file).env).toEqual({ SECRET: 'aaaa' });
      rmSync(join(world.path, '.local'), { recursive: true, force: true });
      expect(run('uninstall', 'cursor', '--cwd', pack, ...where).status).toBe(0);
      expect(JSON.parse(text(file)).mcpServers.main).toBeUndefined();
    }
  });

  it('an entry is recognized as ours in a copy of the project on another machine', () => {
    world.renew();
    const pack = makePack();
    run('install', 'vscode', '--cwd', pack, '--project');
    const copy = `${pack} copied`;
    cpSync(pack, copy, { recursive: true });
    world.renew();
    expect(run('install', 'vscode', '--cwd', copy, '--project')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('unchanged: "main" in VS Code'),
    });
    expect(run('uninstall', 'vscode', '--cwd', copy, '--project').status).toBe(0);
  });

  it('an entry is recognized as ours when somebody has added words to it', () => {
    world.renew();
    const pack = makePack();
    const file = put('.claude.json', python);
    run('install', 'claude-code', '--cwd', pack, '--force');
    writeFileSync(file, text(file).replace('"start"', '"start", "--quiet"'));
    expect(run('install', 'claude-code', '--cwd', pack).status).toBe(0);
    expect(run('uninstall', 'claude-code', '--cwd', pack).status).toBe(0);
    expect(JSON.parse(text(file))).toEqual(JSON.parse(python));
  });

  it('`uninstall` removes an entry by the name the client has for it, for a renamed server and for a deleted pack', () => {
    world.renew();
    const [renamed, gone] = [makePack(), makePack()];
    const file = put('.cursor/mcp.json', '{}');
    run('install', 'cursor', '--cwd', renamed);
    run('install', 'cursor', '--cwd', gone, '--name', 'lost');
    renameSync(join(renamed, 'mcp/servers/main.yaml'), join(renamed, 'mcp/servers/other.yaml'));
    expect(run('uninstall', 'cursor', 'main', '--cwd', renamed).status).toBe(0);
    expect(run('uninstall', 'cursor', 'lost', '--cwd', renamed).status).toBe(1);
    rmSync(gone, { recursive: true });
    expect(run('uninstall', 'cursor', 'lost', '--cwd', renamed).status).toBe(0);
    expect(text(file)).toBe('{}');
  });
});
