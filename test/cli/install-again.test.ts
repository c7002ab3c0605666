// Installing again, taking out, and files that are in the way: nothing of the user is lost, and what is said is so.
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { command, openHome } from './install-home.js';
import { talkTo } from './terminal.js';

const world = openHome();
const { run, put } = world;
const install = (...args: readonly string[]) => run('install', 'cursor', 'project-management', ...args);
const uninstall = (...args: readonly string[]) => run('uninstall', 'cursor', 'project-management', ...args);
const text = (file: string): string => readFileSync(file, 'utf8');

const pack = (name: string, files: Readonly<Record<string, string>>): string => {
  const folder = join(world.folder, name);
  mkdirSync(join(folder, 'mcp/servers'), { recursive: true });
  const all = {
    'toolwright.yaml': 'config: { LIMIT: { type: integer } }\n',
    'mcp/tools.yaml': 'a: { description: A }\n',
    ...files,
  };
  for (const [path, content] of Object.entries(all)) writeFileSync(join(folder, path), content);
  return folder;
};

afterAll(() => world.remove());

describe('P25 repeated `toolwright install`', () => {
  it('`uninstall` restores the original bytes after several installs', () => {
    world.renew();
    const before = '{"mcpServers":{}, "mine": 1}';
    const file = put('.cursor/mcp.json', before);
    install('--env', 'JIRA_TOKEN=abcdef');
    install('--env', 'JIRA_TOKEN=ghijkl');
    install('--disable', 'whoami');
    expect(uninstall()).toMatchObject({ status: 0, stderr: expect.stringContaining('removed "jira" from Cursor') });
    expect(text(file)).toBe(before);
  });

  it('`uninstall` restores the original bytes once all servers are removed, in any order', () => {
    world.renew();
    const file = put('.cursor/mcp.json', '{}');
    install();
    run('install', 'cursor', 'reporting');
    uninstall();
    expect(text(file)).toContain('reporting');
    expect(text(file)).not.toContain('"jira"');
    run('uninstall', 'cursor', 'reporting');
    expect(text(file)).toBe('{}');
  });

  it('`uninstall` restores an entry of that name that somebody wrote by hand before', () => {
    world.renew();
    const before = '{ "mcpServers": { "jira": { "command": "mine" }, "other": { "command": "x" } } }\n';
    const file = put('.cursor/mcp.json', before);
    expect(install().status).toBe(1);
    expect(text(file)).toBe(before);
    expect(install('--force').status).toBe(0);
    expect(text(file)).not.toContain('mine');
    uninstall();
    expect(text(file)).toBe(before);
  });

  it('a second `install` keeps what the client or a person has set in the entry, including comments', () => {
    world.renew();
    const file = join(world.path, 'cline.json');
    const cline = (...args: readonly string[]) =>
      run('install', 'cline', 'project-management', '--file', file, ...args);
    cline('--env', 'JIRA_TOKEN=abcdef');
    const changed = text(file)
      .replace('"autoApprove": []', '"autoApprove": ["get-issue"], // fine\n      "timeout": 120')
      .replace('"disabled": false', '"disabled": true');
    writeFileSync(file, changed);
    cline();
    expect(text(file)).toBe(changed);
    cline('--env', 'JIRA_TOKEN=other1');
    expect(text(file)).toBe(changed.replace('abcdef', 'other1'));
  });

  it.each(['codex', 'goose', 'continue', 'augment-ide'])(
    'a second `install` keeps a switch that the user changed in %s',
    client => {
      world.renew();
      const file = join(world.path, 'settings');
      const again = (...args: readonly string[]) =>
        run('install', client, 'project-management', '--file', file, ...args);
      again();
      const own = { codex: 'startup_timeout_sec = 20', goose: '    bundled: true' }[client];
      const changed =
        own === undefined
          ? text(file).replace(
              /("?)type\1: ("?)stdio\2/,
              found => `${found}${client === 'continue' ? '\n    cwd: /x' : ', "cwd": "/x"'}`,
            )
          : text(file)
              .replace(/enabled( = |: )true/, 'enabled$1false')
              .replace(/(\n *enabled)/, `\n${own}$1`);
      writeFileSync(file, changed);
      expect(again('--env', 'JIRA_TOKEN=abcdef')).toMatchObject({ status: 0 });
      expect(text(file)).toContain('abcdef');
      if (own === undefined) expect(text(file)).toContain('/x');
      else {
        expect(text(file)).toContain(own.trim());
        expect(text(file)).toMatch(/enabled( = |: )false/);
      }
    },
  );
});

describe('P25 secrets in `--dry-run`', () => {
  it('`--dry-run` hides values that the file has, and values written with escapes', () => {
    world.renew();
    put('.cursor/mcp.json', '{}\n');
    install('--env', 'JIRA_TOKEN=old-"secret"\\one');
    for (const { stdout } of [install('--dry-run', '--env', 'JIRA_TOKEN=new-"secret"\\two'), uninstall('--dry-run')]) {
      expect(stdout).toContain('JIRA_TOKEN');
      expect(stdout).not.toContain('old-');
      expect(stdout).not.toContain('new-');
    }
  });
});

describe('P25 links and unreadable files', () => {
  it('`install` writes to the target of a link, even one that does not exist yet, and keeps the link', () => {
    world.renew();
    mkdirSync(join(world.path, 'dotfiles'));
    mkdirSync(join(world.path, '.cursor'));
    const link = join(world.path, '.cursor/mcp.json');
    symlinkSync('../dotfiles/cursor.json', link);
    expect(install()).toMatchObject({ status: 0 });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(text(join(world.path, 'dotfiles/cursor.json'))).toContain('jira');
    expect(uninstall()).toMatchObject({ status: 0 });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  it.each([
    ['half a file', '{ "mcpServers": {', /mcp\.json:1:\d+: it is not valid JSON/],
    ['a key twice', '{ "mcpServers": {}, "mcpServers": {} }', /mcp\.json:1:\d+: .*"mcpServers" is given twice/],
    ['another encoding', Uint8Array.from([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d]), /is not UTF-8 text/],
  ])('`install` and `uninstall` report a file with %s and leave it alone', (_, content, message) => {
    world.renew();
    const file = put('.cursor/mcp.json', content);
    const before = readFileSync(file);
    for (const { status, stdout, stderr } of [install(), uninstall(), install('--format', 'json')]) {
      expect(status).toBe(1);
      expect(stderr).toMatch(message);
      expect(stderr).toContain('was not changed');
      if (stdout !== '') expect(JSON.parse(stdout)).toMatchObject({ op: 'refuse', client: 'cursor', file });
    }
    expect(readFileSync(file)).toEqual(before);
  });
});

describe('P25 `toolwright install` on a terminal', () => {
  it('`install` asks on a terminal for configuration until the server would accept it, and does not show secrets', async () => {
    world.renew();
    const folder = pack('asked', {
      'toolwright.yaml': 'config:\n  TOKEN: { type: string, secret: true }\n  LIMIT: { type: integer }\n',
      'mcp/servers/main.yaml': 'description: M\n',
    });
    const answers = [
      ['TOKEN', 'hush-hush\r'],
      ['LIMIT', 'many\r'],
      ['must be an integer', '\u007f\u007f\u007f\u007f7\r'],
    ] as const;
    const line = `"${process.execPath}" "${command}" install cursor --cwd "${folder}"`;
    const { shown, ...talk } = await talkTo(line, answers, { env: { HOME: world.path, XDG_STATE_HOME: '' } });
    expect({ ...talk, shown }).toMatchObject({ status: 0, next: answers.length });
    expect(shown).not.toContain('hush-hush');
    expect(JSON.parse(text(join(world.path, '.cursor/mcp.json'))).mcpServers.main.env).toEqual({
      TOKEN: 'hush-hush',
      LIMIT: '7',
    });
  });
});

describe('P25 the command of an entry', () => {
  const entry = (...args: readonly string[]): { readonly command: string; readonly args: readonly string[] } =>
    JSON.parse(run('install', 'cursor', '--print', ...args).stdout).mcpServers.main;

  it('fix-A5 the entry starts the server over stdio, even if the server becomes one for HTTP later', () => {
    world.renew();
    const folder = pack('for-http', { 'mcp/servers/main.yaml': 'description: M\n' });
    expect(entry('--cwd', folder).args).toContain('--stdio');
    expect(entry('--cwd', folder, '--run', 'dev').args).toContain('--stdio');
    writeFileSync(join(folder, 'package.json'), '{ "name": "x", "bin": "x.js" }');
    expect(entry('--cwd', folder, '--run', 'npx').args).toEqual(['-y', 'x', '--stdio']);
  });

  it('fix-B4 `install` of a server for HTTP mentions that the entry is for stdio, and what a URL needs', () => {
    world.renew();
    const main = 'description: M\ntransport: http\nhttp: { path: /rpc }\nauth: { type: bearer, env: MAIN_TOKEN }\n';
    const folder = pack('by-url', { 'mcp/servers/main.yaml': main });
    const { stderr } = run('install', 'cursor', '--cwd', folder);
    expect(stderr).toContain(
      'toolwright: main is defined for HTTP; this entry starts it over stdio. To connect to a running server instead, give the client its URL (https://<host>/rpc) and the header "Authorization: Bearer <the value of MAIN_TOKEN>"',
    );
    writeFileSync(join(folder, 'mcp/servers/main.yaml'), 'description: M\n');
    expect(run('install', 'cursor', '--cwd', folder).stderr).not.toContain('HTTP');
  });

  it('fix-B5 the entry runs the command by the link of the project, which survives an upgrade', () => {
    world.renew();
    const folder = pack('linked', { 'mcp/servers/main.yaml': 'description: M\n' });
    mkdirSync(join(folder, 'node_modules'));
    const link = join(folder, 'node_modules/toolwright');
    symlinkSync(join(import.meta.dirname, '../..'), link);
    expect(entry('--cwd', folder).args[0]).toBe(join(link, 'dist/cli/main.js'));
    run('install', 'vscode', '--project', '--cwd', folder);
    const shared = JSON.parse(text(join(folder, '.vscode/mcp.json'))).servers.main;
    expect(shared.args[0]).toBe('./node_modules/toolwright/dist/cli/main.js');
    rmSync(link);
    // Another copy is not what runs now.
    mkdirSync(join(link, 'dist/cli'), { recursive: true });
    writeFileSync(join(link, 'dist/cli/main.js'), '');
    expect(entry('--cwd', folder).args[0]).toBe(command);
  });

  it('the entry for a server of another pack starts it from the project', () => {
    world.renew();
    const user = join(world.folder, 'desk');
    mkdirSync(join(user, 'node_modules'), { recursive: true });
    writeFileSync(join(user, 'package.json'), '{ "name": "desk", "dependencies": { "other": "1.0.0" } }');
    pack('desk/node_modules/other', {
      'mcp/servers/main.yaml': 'description: M\nconfigName: elsewhere\n',
      'package.json': '{ "name": "other", "version": "1.0.0" }',
    });
    const file = join(user, '.vscode/mcp.json');
    const vscode = (verb: string) => run(verb, 'vscode', 'other/main', '--project', '--cwd', user);
    expect(vscode('install')).toMatchObject({ status: 0 });
    const { args } = JSON.parse(text(file)).servers.elsewhere;
    expect(args.slice(1)).toEqual(['start', 'other/main', '--cwd', '.', '--stdio']);
    expect(vscode('uninstall')).toMatchObject({ status: 0 });
    expect(existsSync(file)).toBe(false);
    const builtin = run('install', 'cursor', 'pack-development', '--print', '--cwd', user);
    const [, ...words] = JSON.parse(builtin.stdout).mcpServers['pack-development'].args;
    expect(words).toEqual(['start', 'pack-development', '--cwd', user, '--stdio']);
  });

  it('the entry runs a package of the registry only if it was installed from there or asked for', () => {
    world.renew();
    const files = {
      'mcp/servers/main.yaml': 'description: M\n',
      'package.json': '{ "name": "surely-taken", "version": "1.0.0", "bin": "dist/main.cjs" }',
    };
    const own = pack('not-built', files);
    expect(entry('--cwd', own).args).toContain('start');
    expect(entry('--cwd', own, '--run', 'npx').args).toEqual(['-y', 'surely-taken', '--stdio']);
    mkdirSync(join(world.folder, 'user/node_modules'), { recursive: true });
    const installed = pack('user/node_modules/surely-taken', files);
    expect(entry('--cwd', installed).args).toEqual(['-y', 'surely-taken', '--stdio']);
  });

  it('`install` shows the entry as a command that a shell can read', () => {
    world.renew();
    const folder = pack('with space', { 'mcp/servers/main.yaml': 'description: M\n' });
    expect(run('install', 'cursor', '--cwd', folder).stderr).toContain(`--cwd '${folder}'`);
  });

  it('`install` refuses a value that the server would refuse', () => {
    world.renew();
    const folder = pack('limited', { 'mcp/servers/main.yaml': 'description: M\n' });
    const wrong = run('install', 'cursor', '--cwd', folder, '--env', 'LIMIT=many');
    expect(wrong).toMatchObject({ status: 2, stderr: expect.stringContaining('LIMIT must be an integer, not "many"') });
    const unknown = run('install', 'cursor', '--cwd', folder, '--env', 'LIMITS=3');
    expect(unknown).toMatchObject({ status: 2, stderr: expect.stringContaining('did you mean "LIMIT"?') });
  });

  it('`install` writes a variable that no pack of the server asks for and mentions it', () => {
    world.renew();
    const folder = pack('asking', {
      'mcp/servers/main.yaml': 'tools: [a, given/a]\n',
      'mcp/servers/lost.yaml': 'tools: [a, nowhere/a]\n',
      'package.json': '{ "name": "asking", "dependencies": { "given": "1.0.0" } }',
    });
    mkdirSync(join(folder, 'node_modules'));
    pack('asking/node_modules/given', {
      'toolwright.yaml': 'config: { FOREIGN: { type: string } }\n',
      'package.json': '{ "name": "given", "version": "1.0.0" }',
    });
    const set = (server: string, ...names: readonly string[]) =>
      run('install', 'codex', server, '--cwd', folder, ...names.flatMap(name => ['--env', `${name}=x`]));
    const strange = set('main', 'JIRA_TOKEN', 'FOREIGN', 'NODE_OPTIONS', 'TOOLWRIGHT_ROOTS', 'https_proxy');
    expect(strange.status).toBe(0);
    expect(strange.stderr.split('\n').filter(line => line.startsWith('toolwright: '))).toEqual([
      'toolwright: JIRA_TOKEN is not a configuration key of this server: it has LIMIT, FOREIGN',
    ]);
    expect(set('main', 'FORIEGN')).toMatchObject({
      status: 2,
      stderr: 'toolwright: --env: FORIEGN is not a configuration key of this server: did you mean "FOREIGN"?\n',
    });
    expect(text(join(world.path, '.codex/config.toml'))).toContain('JIRA_TOKEN = "x"');
    // What a pack would ask for that is not installed, nobody knows.
    expect(set('lost', 'JIRA_TOKEN').stderr).not.toContain('JIRA_TOKEN');
  });
});
