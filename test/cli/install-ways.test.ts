// How a client runs a server that `install` put into its settings: from its sources, a build or a package; and what must not be in a file
// that others read.
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { writeFiles } from '../harness/files.js';
import { openHome } from './install-home.js';

const world = openHome();
const { run } = world;
let pack = '';
beforeEach(() => {
  pack = join(world.renew(), 'pack');
  writeFiles(pack, {
    'package.json': '{"name": "@acme/reading", "version": "1.0.0", "type": "module"}',
    'toolwright.yaml':
      'servers: [reading-list, remote]\nconfig:\n  SYNC_TOKEN: { type: string, secret: true, description: Token }\n  LIMIT: { type: integer, description: How many }\n',
    'mcp/servers/reading-list.yaml': 'tools: [sync, hello]\n',
    'mcp/servers/remote.yaml': 'tools: [hello]\n',
    'mcp/tools/sync.yaml': 'description: Syncs\nrequires: { SYNC_TOKEN: required }\n',
    'mcp/tools/hello.yaml': 'description: Greets\n',
    'src/tools/sync.js': "export default () => 'synced';\n",
    'src/tools/hello.js': "export default () => 'hello';\n",
    '.gitignore': 'node_modules/\ndist/\n.env\n',
  });
});
afterAll(() => world.remove());

const install = (...words: readonly string[]) => run('install', ...words, '--cwd', pack, '--yes');
const cursorFile = (): string => join(world.path, '.cursor/mcp.json');

interface Entry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}
function entryIn(file: string): Entry {
  const { mcpServers, servers } = JSON.parse(readFileSync(file, 'utf8'));
  return (mcpServers ?? servers)['reading-list'];
}
const entry = (): Entry => entryIn(cursorFile());
const build = (): void => expect(run('build', '--cwd', pack)).toMatchObject({ status: 0 });
/** As if it was saved later than everything else. */
function touch(path: string, seconds = 60): void {
  const at = Date.now() / 1000 + seconds;
  utimesSync(join(pack, path), at, at);
}

describe('fix-N6 `install --run`', () => {
  it.each([[['--run', 'foo']], [['--run', 'foo', '--print']], [['--run', 'Dev']], [['--run', '']]])(
    '`install` refuses an unknown way with the choices: %j',
    words => {
      const { status, stderr } = install('cursor', 'remote', ...words);
      expect([status, stderr]).toEqual([2, expect.stringContaining('Allowed choices are dev, start, built, npx.')]);
      expect(existsSync(cursorFile())).toBe(false);
    },
  );
});

describe('fix-N7 `install --run dev`', () => {
  it('a client that starts the written entry sees an edit without a restart', async () => {
    expect(install('cursor', 'reading-list', '--run', 'dev')).toMatchObject({ status: 0 });
    const { command, args, env } = entry();
    expect(args.slice(1)).toEqual(['dev', 'reading-list', '--cwd', pack, '--stdio']);
    const cache = { TOOLWRIGHT_CACHE: join(world.path, 'cache') };
    const transport = new StdioClientTransport({
      command,
      args: [...args],
      env: { ...env, ...cache },
      stderr: 'ignore',
    });
    const client = new Client({ name: 'test', version: '1' });
    let heard = (): void => undefined;
    const changed = new Promise<void>(done => {
      heard = done;
    });
    client.setNotificationHandler('notifications/tools/list_changed', () => heard());
    await client.connect(transport);
    try {
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['sync', 'hello']);
      writeFileSync(join(pack, 'mcp/tools/hello.yaml'), 'description: Greets everybody\n');
      await changed;
      const { tools } = await client.listTools();
      expect(tools.find(({ name }) => name === 'hello')?.description).toBe('Greets everybody');
    } finally {
      await client.close();
    }
    expect(install('cursor', 'reading-list').stderr).toContain('unchanged: "reading-list" in Cursor');
    expect(run('uninstall', 'cursor', 'reading-list', '--cwd', pack).stderr).toContain(
      `removed "reading-list" from Cursor (${cursorFile()})`,
    );
  });
});

describe('fix-N16 builds that are old', () => {
  it('`install` takes a build, and runs an outdated one only when asked, with a warning', () => {
    build();
    expect(install('cursor', 'reading-list').stderr).toContain('(after changes, run toolwright build)');
    expect(entry().args[0]).toBe(join(pack, 'dist/reading-list.cjs'));
    run('uninstall', 'cursor', 'reading-list', '--cwd', pack);
    touch('src/tools/hello.js');
    const old = 'toolwright: dist/reading-list.cjs is older than src/tools/hello.js';
    expect(install('cursor', 'reading-list').stderr).toContain(
      `${old}, so the client runs "start": run toolwright build\n`,
    );
    expect(entry().args[1]).toBe('start');
    expect(install('cursor', 'reading-list', '--run', 'built').stderr).toContain(`${old}: run toolwright build\n`);
    expect(entry().args[0]).toBe(join(pack, 'dist/reading-list.cjs'));
    expect(install('cursor', 'reading-list').stderr).toContain(`${old}: run toolwright build\n`);
    const { stdout } = run('doctor', '--cwd', pack);
    expect(stdout).toContain('Cursor runs a build of "reading-list" that is older than src/tools/hello.js');
    expect(stdout).toContain('toolwright build reading-list builds it again');
  });

  it.each([
    ['mcp/tools/hello.yaml', true],
    ['toolwright.yaml', true],
    ['package.json', false],
    ['src/tools/hello.test.js', false],
  ])('`install` compares a build with %s: %s', (path, isInput) => {
    writeFiles(pack, { 'src/tools/hello.test.js': '' });
    build();
    touch(path);
    expect(install('cursor', 'reading-list').stderr.includes(`is older than ${path}`)).toBe(isInput);
  });

  it('`install` does not take a build of another version of Toolwright', () => {
    build();
    const part = join(pack, 'dist/reading-list/runtime/calls.cjs');
    writeFileSync(part, `${readFileSync(part, 'utf8')}\n`);
    touch('dist/reading-list.cjs');
    expect(install('cursor', 'reading-list').stderr).toContain('is older than the installed version of toolwright');
  });

  it('a second `install` keeps the way in which the entry runs', () => {
    expect(install('cursor', 'reading-list', '--run', 'start').status).toBe(0);
    build();
    expect(install('cursor', 'reading-list').stderr).toContain('unchanged: "reading-list" in Cursor');
    expect(entry().args[1]).toBe('start');
    expect(install('cursor', 'reading-list', '--run', 'built').stderr).toContain('updated "reading-list" in Cursor');
    expect(entry().args[0]).toContain('dist/reading-list.cjs');
  });
});

describe('fix-N15 files of a project', () => {
  it.each([
    ['vscode', '.vscode/mcp.json', `'SYNC_TOKEN=\${env:SYNC_TOKEN}'`, `\${env:SYNC_TOKEN}`],
    ['claude-code', '.mcp.json', `'SYNC_TOKEN=\${SYNC_TOKEN}'`, `\${SYNC_TOKEN}`],
  ])('`install %s --project` writes no secret, but a reference to the variable', (client, file, shown, reference) => {
    const { status, stderr } = install(client, 'reading-list', '--project', '--env', 'SYNC_TOKEN=supersecret');
    expect([status, existsSync(join(pack, file))]).toEqual([2, false]);
    expect(stderr).toContain(`hint: --env ${shown} writes a reference`);
    expect(stderr).not.toContain('supersecret');
    const again = install(client, 'reading-list', '--project', '--env', `SYNC_TOKEN=${reference}`);
    expect([again.status, entryIn(join(pack, file)).env]).toEqual([0, { SYNC_TOKEN: reference }]);
  });

  it('`install --project` names another way for a client that knows no references, and lets other values pass', () => {
    const { status, stderr } = install('zed', 'reading-list', '--project', '--env', 'SYNC_TOKEN=supersecret');
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('set SYNC_TOKEN in the environment that Zed is started'),
    ]);
    expect(install('vscode', 'reading-list', '--project', '--env', 'LIMIT=3').status).toBe(0);
    expect(install('vscode', 'reading-list', '--project', '--env', 'LIMIT=x')).toMatchObject({ status: 2 });
  });

  it('`install --project` does not run a build that git ignores, unless asked, and then it warns', () => {
    build();
    const ignored = 'toolwright: .gitignore excludes dist/reading-list.cjs';
    const others = 'others who clone the project do not have it';
    const { stderr } = install('vscode', 'reading-list', '--project');
    expect(stderr).toContain(`${ignored}, so the client runs "start": ${others}\n`);
    expect(entryIn(join(pack, '.vscode/mcp.json')).args).toContain('start');
    expect(install('vscode', 'reading-list', '--project', '--run', 'built').stderr).toContain(
      `${ignored}: ${others}\n`,
    );
    expect(entryIn(join(pack, '.vscode/mcp.json')).args).toEqual(['./dist/reading-list.cjs', '--stdio']);
    writeFiles(pack, { '.gitignore': 'node_modules/\n' });
    expect(install('claude-code', 'reading-list', '--project').stderr).not.toContain('.gitignore');
    expect(entryIn(join(pack, '.mcp.json')).args).toEqual(['./dist/reading-list.cjs', '--stdio']);
  });
});

describe('fix-N29 what `install` says', () => {
  it('`install` reports missing configuration only of tools that the server has', () => {
    const first = install('cursor', 'reading-list');
    expect(first.stderr).toContain(`added "reading-list" to Cursor (${cursorFile()})\n`);
    expect(first.stderr).toContain('Not set: SYNC_TOKEN; pass it with --env SYNC_TOKEN=...\n');
    expect(install('cursor', 'remote').stderr).not.toContain('Not set');
    expect(install('cursor', 'reading-list', '--env', 'SYNC_TOKEN=abcdef').stderr).toContain(
      'updated "reading-list" in Cursor',
    );
  });
});

describe('a build made after `install`', () => {
  it('fix-B13 `install` keeps how the entry runs, and mentions a build that exists', () => {
    expect(install('cursor', 'reading-list').stderr).not.toContain('--run built');
    build();
    const note = 'toolwright: the entry still runs "start"; dist/reading-list.cjs is built: --run built runs it\n';
    expect(install('cursor', 'reading-list').stderr).toContain(note);
    expect(entry().args[1]).toBe('start');
    expect(install('cursor', 'reading-list', '--run', 'built').stderr).not.toContain(note);
    expect(entry().args).toEqual([join(pack, 'dist/reading-list.cjs'), '--stdio']);
    expect(install('cursor', 'reading-list', '--run', 'start').stderr).not.toContain(note);
    touch('src/tools/hello.js');
    expect(install('cursor', 'reading-list').stderr).not.toContain('--run built');
  });
});

describe('fix-A30 what is not set', () => {
  it('`install --project` prints the reference that the client fills in, or where to set it', () => {
    expect(install('claude-code', 'reading-list', '--project').stderr).toContain(
      "Not set: SYNC_TOKEN; pass it with --env 'SYNC_TOKEN=${SYNC_TOKEN}'\n",
    );
    expect(install('vscode', 'reading-list', '--project').stderr).toContain("--env 'SYNC_TOKEN=${env:SYNC_TOKEN}'\n");
    expect(install('zed', 'reading-list', '--project').stderr).toContain(
      'Not set: SYNC_TOKEN; set SYNC_TOKEN in the environment that Zed is started from\n',
    );
    const set = install('vscode', 'reading-list', '--project', '--env', 'SYNC_TOKEN=${env:SYNC_TOKEN}');
    expect([set.status, set.stderr.includes('Not set')]).toEqual([0, false]);
  });
});

describe('fix-N30 `install --run npx`', () => {
  it.each([
    ['{"name": "@acme/reading"}', 'write "bin": { "reading": "dist/reading-list.cjs" } into '],
    ['{"name": "@acme/reading", "private": true}', 'remove "private": true from '],
    ['{"version": "1.0.0"}', 'write "name" into '],
  ])('`install` says what to write into package.json: %s', (text, advice) => {
    writeFiles(pack, { 'package.json': text });
    const { status, stderr } = install('cursor', 'reading-list', '--run', 'npx');
    expect([status, stderr]).toEqual([2, expect.stringContaining(`${advice}${join(pack, 'package.json')}`)]);
  });

  it('`install` runs the package that has a "bin"', () => {
    writeFiles(pack, { 'package.json': '{"name": "@acme/reading", "bin": "dist/reading-list.cjs"}' });
    expect(install('cursor', 'reading-list', '--run', 'npx').status).toBe(0);
    expect(entry().args).toEqual(['-y', '@acme/reading', '--stdio']);
  });
});
