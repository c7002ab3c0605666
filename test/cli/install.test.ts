// toolwright install and uninstall as people run them, in a home folder of the test's own.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, describe, expect, it } from 'vitest';
import { findClient } from '../../cli/install/typed-client.js';
import { userFiles } from '../../generator/clients/client.js';
import { clients } from '../../generator/clients/client-table.js';
import { jira, openHome } from './install-home.js';

const world = openHome();
const { run, put } = world;
const newHome = (): string => {
  home = world.renew();
  return home;
};
let home = '';

afterAll(() => world.remove());

const settings =
  '{\n  // mine\n  "theme": "dark",\n  "mcpServers": {\n    "other": { "command": "x" }, // keep\n  },\n}\n';

describe('P25 `toolwright install` and `uninstall`', () => {
  it('`install` writes an entry that a real client starts and calls, without the tools that are switched off', async () => {
    newHome();
    expect(
      run('install', 'claude-code', 'project-management', '--env', 'JIRA_TOKEN=abcdef', '--disable', 'delete-*'),
    ).toMatchObject({ status: 0 });
    const { mcpServers } = JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8'));
    const transport = new StdioClientTransport({ ...mcpServers.jira, stderr: 'ignore' });
    const client = new McpClient({ name: 'test', version: '1' });
    await client.connect(transport);
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    await client.close();
    expect(names).toContain('get-issue');
    expect(names).not.toContain('delete-issue');
    expect(mcpServers.jira.env.JIRA_TOKEN).toBe('abcdef');
  });

  it('`install` keeps comments and foreign keys, changes nothing the second time, and `uninstall` restores the original bytes', () => {
    newHome();
    const file = put('.cursor/mcp.json', settings);
    chmodSync(file, 0o640);
    const first = run('install', 'cursor', 'project-management', '--format', 'json');
    expect(JSON.parse(first.stdout)).toEqual({ op: 'replace', client: 'cursor', server: 'jira', file });
    const written = readFileSync(file, 'utf8');
    for (const part of ['// mine', '"theme": "dark"', '// keep', '"jira"']) expect(written).toContain(part);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(JSON.parse(run('install', 'cursor', 'project-management', '--format', 'json').stdout).op).toBe('keep');
    expect(readFileSync(file, 'utf8')).toBe(written);
    expect(run('uninstall', 'cursor', 'project-management').status).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(settings);
    expect(readdirSync(dirname(file))).toEqual(['mcp.json']);
  });

  it('`uninstall` removes only its own entry when others have edited the file since', () => {
    newHome();
    const file = put('.cursor/mcp.json', settings);
    run('install', 'cursor', 'project-management');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"dark"', '"light"'));
    expect(run('uninstall', 'cursor', 'project-management').status).toBe(0);
    const after = readFileSync(file, 'utf8');
    expect(after).toContain('"light"');
    expect(after).toContain('// keep');
    expect(after).not.toContain('jira');
  });

  it('`uninstall` removes a file that `install` made, and says so when there is nothing to remove', () => {
    newHome();
    run('install', 'claude-code', 'reporting');
    expect(existsSync(join(home, '.claude.json'))).toBe(true);
    expect(statSync(join(home, '.claude.json')).mode & 0o777).toBe(0o600);
    expect(run('uninstall', 'claude-code', 'reporting').status).toBe(0);
    expect(existsSync(join(home, '.claude.json'))).toBe(false);
    expect(run('uninstall', 'claude-code', 'reporting')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('has no server "reporting"'),
    });
  });

  it.each([
    ['no JSON', '{ "mcpServers": tru }\n', /mcp\.json:1:\d+: it is not valid JSON/],
    ['servers that are no map', '{ "mcpServers": [1] }\n', /"mcpServers" is not a map/],
    ['half a file', '{ "mcpServers": {', /it is not valid JSON/],
  ])('`install` reports a file with %s and leaves it byte-identical', (_, text, message) => {
    newHome();
    const file = put('.cursor/mcp.json', text);
    const { status, stderr } = run('install', 'cursor', 'project-management');
    expect(status).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('`install --dry-run` shows a difference without secrets and writes nothing', () => {
    newHome();
    const file = put('.cursor/mcp.json', settings);
    const { status, stdout } = run(
      'install',
      'cursor',
      'project-management',
      '--dry-run',
      '--env',
      'JIRA_TOKEN=very-secret',
    );
    expect(status).toBe(0);
    expect(stdout.split('\n').slice(0, 2)).toEqual([`--- ${file}`, `+++ ${file}`]);
    expect(stdout).toContain('+    "jira": {');
    expect(stdout).not.toContain('very-secret');
    expect(readFileSync(file, 'utf8')).toBe(settings);
  });

  it('`install` and `uninstall` write through a link and keep it', () => {
    newHome();
    const real = put('dotfiles/cursor.json', '{}\n');
    mkdirSync(join(home, '.cursor'));
    symlinkSync(real, join(home, '.cursor/mcp.json'));
    expect(run('install', 'cursor', 'project-management').status).toBe(0);
    expect(readFileSync(real, 'utf8')).toContain('jira');
    expect(run('uninstall', 'cursor', 'project-management').status).toBe(0);
    expect(readFileSync(real, 'utf8')).toBe('{}\n');
  });

  it('a second `install` keeps what is set for the server, and an `install` names what is not set', () => {
    newHome();
    run('install', 'claude-code', 'project-management', '--env', 'JIRA_TOKEN=abcdef', '--disable', 'whoami');
    const before = readFileSync(join(home, '.claude.json'), 'utf8');
    run('install', 'claude-code', 'project-management');
    expect(readFileSync(join(home, '.claude.json'), 'utf8')).toBe(before);
    expect(run('install', 'cursor', 'project-management').stderr).toContain('Not set: JIRA_TOKEN');
  });

  it('`install --project` writes paths that are relative to the project', () => {
    newHome();
    const pack = join(world.folder, 'shared pack');
    cpSync(jira, pack, { recursive: true });
    const result = run('install', 'vscode', 'project-management', '--project', '--cwd', pack);
    expect(result).toMatchObject({ status: 0 });
    const { servers } = JSON.parse(readFileSync(join(pack, '.vscode/mcp.json'), 'utf8'));
    expect(servers.jira.command).toBe('node');
    expect(servers.jira.args).toContain('.');
    expect(JSON.stringify(servers)).not.toContain(pack);
  });

  it.each([
    [['install', 'cursr', 'project-management'], /did you mean "cursor"/],
    [['install', 'cursor', 'nobody'], /there is no server "nobody"/],
    [['install', 'cursor', 'project-management', '--disable', 'nothing'], /has no tool "nothing"/],
    [['install', 'cursor', 'project-management', '--env', 'X'], /--env needs NAME=value/],
    [['install', 'cursor', 'project-management', '--run', 'built'], /toolwright build/],
    [['install', 'windsurf', 'project-management', '--project'], /has no file for projects/],
    [['uninstall', 'other/pack'], /npm uninstall @other\/pack/],
  ])('W55 `toolwright` explains what is wrong with %j', (args, message) => {
    newHome();
    const { status, stderr } = run(...args);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
    expect(readdirSync(home)).toEqual([]);
  });
});

describe('P25 the table of clients', () => {
  it('every name and alias in the table of clients leads to exactly one client', () => {
    const names = clients.flatMap(({ id, aliases }) => [id, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
    for (const { id, title, aliases } of clients)
      for (const name of [id, title, ...aliases]) expect(findClient(name)?.id).toBe(id);
    expect(clients.length).toBeGreaterThanOrEqual(19);
  });

  it('the table of clients equals the one in docs/guides/clients.md', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/guides/clients.md'), 'utf8');
    const table = page.slice(page.indexOf('| client | name |'));
    const rows = table
      .slice(0, table.indexOf('\n\n'))
      .split('\n')
      .filter(line => line.startsWith('| `'));
    expect(rows.length).toBe(clients.length);
    for (const { id, user, project = '', path } of clients) {
      const row = rows.find(line => line.startsWith(`| \`${id}\` |`)) ?? '';
      for (const file of [...Object.values(user).flat(), project, path.join('.')]) expect(row).toContain(file);
    }
  });

  it.each(['linux', 'darwin', 'win32'])('every client has absolute paths on %s', platform => {
    const home = platform === 'win32' ? 'C:\\Users\\me' : '/home/me';
    for (const client of clients) {
      const files = userFiles(client, { platform, home, env: {}, exists: () => true });
      expect(files.length).toBeGreaterThan(0);
      for (const file of files) expect(file.startsWith(home)).toBe(true);
    }
  });

  it('`install` follows Antigravity to its new file once it has migrated', () => {
    newHome();
    const [before, after] = ['.gemini/antigravity/mcp_config.json', '.gemini/config/mcp_config.json'];
    expect(run('install', 'antigravity', 'project-management')).toMatchObject({ status: 0 });
    expect([before, after].map(path => existsSync(join(home, path)))).toEqual([true, false]);
    mkdirSync(join(home, '.gemini/config'));
    writeFileSync(join(home, '.gemini/config/.migrated'), '');
    expect(run('install', 'google-antigravity', 'project-management')).toMatchObject({ status: 0 });
    expect(existsSync(join(home, after))).toBe(true);
  });

  it.each(clients.map(({ id }) => id))('%s: `install` writes an entry once, and `uninstall` removes it', id => {
    newHome();
    const file = join(home, 'settings');
    const args = ['project-management', '--file', file, '--env', 'JIRA_TOKEN=x y"z'];
    expect(run('install', id, ...args)).toMatchObject({ status: 0 });
    const text = readFileSync(file, 'utf8');
    expect(run('install', id, ...args)).toMatchObject({ status: 0 });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(run('install', id, ...args, '--print').stdout).toBe(text);
    expect(run('uninstall', id, ...args.slice(0, 3))).toMatchObject({ status: 0 });
    expect(existsSync(file)).toBe(false);
  });
});
