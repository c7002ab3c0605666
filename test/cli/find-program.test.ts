// A5: which program a name stands for is never decided by a pack, a dependency or the working folder.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram, type Machine, safeEnvironment } from '../../cli/programs/find-program.js';
import { wordsFor } from '../../cli/programs/spawn-program.js';
import { type RegistryServer, startRegistry } from '../harness/registry-server.js';
import { makeUser, type RegistryUser } from '../harness/registry-user.js';
import { command, makePack } from '../runtime/packs/packs-kit.js';

/** A machine that has these files; those that end in package.json say what package they are of. */
function machine(
  platform: 'linux' | 'win32',
  files: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
  links: Readonly<Record<string, string>> = {},
): Machine {
  return {
    platform,
    execPath: platform === 'win32' ? 'C:\\node\\node.exe' : '/opt/node/bin/node',
    env,
    isProgram: path => Object.hasOwn(files, path) && !path.endsWith('package.json'),
    packageName: path => files[path],
    realPath: path => links[path] ?? path,
  };
}

describe('`findProgram` on POSIX', () => {
  const beside = '/opt/node/lib/node_modules/npm/bin/npm-cli.js';
  const own = '/app/node_modules/npm/bin/npm-cli.js';
  const user = '/home/u/.npm-next/npm/bin/npm-cli.js';
  const name = (script: string): string => join(dirname(dirname(script)), 'package.json');
  const files = {
    [beside]: '',
    [own]: '',
    [name(own)]: 'npm',
    [user]: '',
    [name(user)]: 'npm',
    '/app/package.json': 'app',
    '/app/tool/bin/npm-cli.js': '',
    '/app/tool/package.json': 'npm',
    '/evil/bin/npm-cli.js': '',
    '/evil/package.json': 'evil',
  };
  const npm = (npm_execpath: string | undefined, cwd = '/app'): string | undefined =>
    findProgram('npm', cwd, machine('linux', files, { npm_execpath }))?.args[0];

  it('fix-A5 `findProgram` takes the npm that runs us unless it belongs to the project, else the one beside Node', () => {
    expect(npm(user)).toBe(user);
    expect(npm(undefined)).toBe(beside);
    expect(npm(own)).toBe(beside);
    expect(npm(own, '/app/packages/a')).toBe(beside);
    expect(npm('/app/tool/bin/npm-cli.js')).toBe(beside);
    expect(npm('/app/tool/bin/npm-cli.js', '/app/packages/a')).toBe(beside);
    expect(npm('/evil/bin/npm-cli.js')).toBe(beside);
    expect(npm('/usr/bin/pnpm.cjs')).toBe(beside);
    expect(npm('tool/bin/npm-cli.js')).toBe(beside);
  });

  it('fix-A5 `findProgram` treats a link to an npm of the project as one of the project', () => {
    const linked = machine(
      'linux',
      { ...files, '/x/npm-cli.js': '' },
      { npm_execpath: '/x/npm-cli.js' },
      { '/x/npm-cli.js': own },
    );
    expect(findProgram('npm', '/app', linked)?.args).toEqual([beside]);
  });

  it('fix-A5 `findProgram` skips entries of PATH that are relative, empty, in node_modules or the working folder', () => {
    const planted = [
      '/app/node_modules/.bin',
      '/app',
      '',
      '.',
      'bin',
      '/node_modules/.bin',
      '/app/node_modules/x/bin',
      '/alias',
    ];
    const all = Object.fromEntries([...planted, '/usr/bin'].map(folder => [join(folder, 'pnpm'), '']));
    const PATH = [...planted, '/usr/bin'].join(':');
    const here = machine('linux', all, { PATH }, { '/alias': '/app/node_modules/.bin' });
    expect(findProgram('pnpm', '/app', here)).toEqual({ file: '/usr/bin/pnpm', args: [] });
    expect(safeEnvironment('/app', here)).toEqual({ PATH: '/usr/bin', NoDefaultCurrentDirectoryInExePath: '1' });
    expect(findProgram('yarn', '/app', here)).toBeUndefined();
    // A folder of the user's that lies below the working folder is no planted one.
    const home = machine('linux', { '/home/u/.local/bin/pnpm': '' }, { PATH: '/home/u/.local/bin' });
    expect(findProgram('pnpm', '/home/u', home)?.file).toBe('/home/u/.local/bin/pnpm');
  });
});

describe('`findProgram` on Windows', () => {
  const files = {
    'C:\\node\\node_modules\\npm\\bin\\npm-cli.js': '',
    'C:\\node\\node_modules\\npm\\bin\\npx-cli.js': '',
    'D:\\pack\\npm.cmd': '',
    'D:\\pack\\pnpm.cmd': '',
    'D:\\pack\\node_modules\\.bin\\pnpm.cmd': '',
    'C:\\tools\\pnpm.cmd': '',
    'C:\\shims\\yarn.cmd': '',
    'C:\\shims\\node_modules\\yarn\\bin\\yarn.js': '',
    'C:\\bun\\bun.exe': '',
  };
  const Path = 'D:\\pack\\node_modules\\.bin;d:\\PACK;.;;C:\\tools;C:\\shims;C:\\bun';
  const here = machine('win32', files, { Path, SystemRoot: 'C:\\Windows' });

  it('fix-A5 `findProgram` ignores npm.cmd in the working folder and lets Node run the npm beside it', () => {
    const node = 'C:\\node\\node.exe';
    expect(findProgram('npm', 'D:\\pack', here)).toEqual({
      file: node,
      args: ['C:\\node\\node_modules\\npm\\bin\\npm-cli.js'],
    });
    expect(findProgram('npx', 'D:\\pack', here)).toEqual({
      file: node,
      args: ['C:\\node\\node_modules\\npm\\bin\\npx-cli.js'],
    });
    expect(findProgram('yarn', 'D:\\pack', here)).toEqual({
      file: node,
      args: ['C:\\shims\\node_modules\\yarn\\bin\\yarn.js'],
    });
    expect(findProgram('bun', 'D:\\pack', here)).toEqual({ file: 'C:\\bun\\bun.exe', args: [] });
  });

  it('fix-A5 `wordsFor` passes a script to the shell by its path, in quotes', () => {
    const pnpm = findProgram('pnpm', 'D:\\pack', here);
    expect(pnpm).toEqual({ file: 'C:\\tools\\pnpm.cmd', args: [], isScript: true });
    const { args, verbatim } = wordsFor({ file: 'C:\\a b\\pnpm.cmd', args: [], isScript: true }, [
      'install',
      '--dir=C:\\x y',
      'a&b',
    ]);
    expect([args.at(-1), verbatim]).toEqual(['""C:\\a b\\pnpm.cmd" install "--dir=C:\\x y" "a&b""', true]);
    expect(() => wordsFor({ file: 'p.cmd', args: [], isScript: true }, ['%PATH%'])).toThrow('cannot be passed on');
    expect(safeEnvironment('D:\\pack', here)).toEqual({
      PATH: 'C:\\tools;C:\\shims;C:\\bun',
      SystemRoot: 'C:\\Windows',
      NoDefaultCurrentDirectoryInExePath: '1',
    });
  });
});

describe('commands that ask npm', () => {
  let registry: RegistryServer;
  let user: RegistryUser;
  beforeAll(async () => {
    registry = await startRegistry();
    user = makeUser(registry);
  });
  afterAll(async () => {
    await registry.close();
    user.remove();
  });

  it.each([
    ['list --remote', ['list', '--remote', '--refresh']],
    ['check --publish', ['check', '--publish']],
    ['inspect --remote', ['inspect', 'acme/gone', '--remote']],
  ])('fix-A5 `%s` runs no planted npm, with PATH as npx sets it and npm_execpath of the project', async (_, args) => {
    const mark = join(user.folder, `RAN-${args[0]}`);
    const cwd = user.write(`planted-${args[0]}`, {
      ...makePack('planted', { tools: { ping: '' }, servers: { s: 'description: S.\ntools: [ping]\n' } }),
      'tool/package.json': '{"name": "npm"}',
      'tool/bin/npm-cli.js': `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '');\n`,
    });
    const bin = join(cwd, 'node_modules/.bin');
    mkdirSync(bin, { recursive: true });
    for (const folder of [bin, cwd]) {
      writeFileSync(join(folder, 'npm'), `#!/bin/sh\ntouch '${mark}'\n`);
      chmodSync(join(folder, 'npm'), 0o755);
    }
    const env = {
      PATH: [bin, '.', '', user.env['PATH'] ?? ''].join(delimiter),
      npm_execpath: join(cwd, 'tool/bin/npm-cli.js'),
    };
    const before = registry.requests.length;
    const ran = await user.run(process.execPath, [command, ...args], { cwd, env });
    expect(ran.stderr).not.toMatch(/npm cannot be run|there is no npm|failed without/);
    expect(existsSync(mark)).toBe(false);
    // The user's own npm did it.
    if (args.includes('--remote')) expect(registry.requests.length).toBeGreaterThan(before);
  });
});
