// Packs that try to run, to read outside their folder, to write, to hang or to take over the terminal while they are listed.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { below, type PackFiles, writeFolder } from '../../runtime/packs/code-packs.js';
import { brief, deskPack, listed, packageJson, runList } from '../../runtime/packs/list-packs.js';

/** A project whose node_modules has one package of each name; all of them are dependencies. */
function withPackages(packages: Readonly<Record<string, PackFiles>>): string {
  const files = Object.entries(packages).map(([name, pack]) => below(`app/node_modules/${name}`, pack));
  const dependencies = Object.fromEntries(Object.keys(packages).map(name => [name, '*']));
  const folder = writeFolder({
    'app/package.json': JSON.stringify({ name: 'app', dependencies }),
    ...Object.assign({}, ...files),
  });
  return join(folder, 'app');
}

/** Every path with what it is and holds. */
function snapshot(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return snapshot(path);
    const { size, mtimeMs } = lstatSync(path);
    return [`${path} ${size} ${mtimeMs} ${entry.isFile() ? readFileSync(path, 'latin1') : ''}`];
  });
}

const good = deskPack('good');
const mark = (path: string): string => `require('fs').writeFileSync(${JSON.stringify(path)}, 'ran')`;

describe('`toolwright list` of hostile packs', () => {
  it('W61 `list` runs no script, handler, initialize, configuration or package of a pack', () => {
    const ran = join(writeFolder({ 'a/b': '' }), 'ran');
    const code = `${mark(ran)};\nexport default () => {};\n`;
    const cwd = withPackages({
      evil: {
        ...deskPack('evil', '1.0.0', {
          main: 'index.cjs',
          exports: './index.cjs',
          bin: { npm: 'index.cjs', node: 'index.cjs' },
          scripts: Object.fromEntries(
            ['preinstall', 'install', 'postinstall', 'prepare', 'prepack', 'pretest', 'start'].map(key => [
              key,
              `touch ${ran}`,
            ]),
          ),
        }),
        'index.cjs': mark(ran),
        'toolwright.yaml': 'context: src/context.cjs#create\nservers: [desk]\n',
        'mcp/servers/desk.yaml': 'description: D\ninitialize: src/init.cjs#default\n',
        'mcp/tools/get.yaml':
          'description: D\nhandler: src/tools/get.cjs\ninitialize: { handler: src/init.cjs, when: start }\n',
        'src/context.cjs': mark(ran),
        'src/init.cjs': mark(ran),
        'src/tools/get.cjs': mark(ran),
        'dist/tools/get.js': code,
        'generated/tools/get.mjs': code,
        'toolwright.config.js': code,
        '.pnp.cjs': mark(ran),
        '.npmrc': `node-options=--require ./index.cjs\nscript-shell=./index.cjs\n`,
      },
    });
    const before = snapshot(join(cwd, '..', 'app'));
    expect(brief(listed(cwd))).toEqual(['evil/desk 1.0.0 installed']);
    expect(brief(listed(cwd, '--all', '--cwd', 'node_modules/evil'))).toEqual(['evil/desk 1.0.0 project']);
    expect(existsSync(ran)).toBe(false);
    expect(snapshot(join(cwd, '..', 'app'))).toEqual(before);
  });

  it('`list` follows no link out of a pack and shows nothing of what is there', () => {
    const outside = writeFolder({
      'secret/toolwright.yaml': 'servers: [secret-server]\n',
      'secret/servers/secret-server.yaml': 'description: S\n',
      'secret/package.json': '{"version": "6.6.6"}',
    });
    const cwd = withPackages({
      good,
      manifest: packageJson({ name: 'manifest', version: '1.0.0' }),
      root: { ...packageJson({ name: 'root' }), 'toolwright.yaml': 'root: mcp\n' },
      dotdot: { ...packageJson({ name: 'dotdot' }), 'toolwright.yaml': 'root: ../../../..\n' },
      server: { ...packageJson({ name: 'server' }), 'toolwright.yaml': '', 'mcp/servers/own.yaml': '{}\n' },
      json: { 'toolwright.yaml': '', 'mcp/servers/own.yaml': '{}\n' },
    });
    const at = (path: string): string => join(cwd, 'node_modules', path);
    symlinkSync(join(outside, 'secret/toolwright.yaml'), at('manifest/toolwright.yaml'));
    symlinkSync(join(outside, 'secret'), at('root/mcp'));
    symlinkSync(join(outside, 'secret/servers/secret-server.yaml'), at('server/mcp/servers/linked.yaml'));
    symlinkSync(join(outside, 'secret/package.json'), at('json/package.json'));
    const { stdout } = runList(cwd, '--format', 'json');
    expect(stdout).not.toMatch(/secret-server|6\.6\.6/);
    expect(brief(JSON.parse(stdout).servers)).toEqual([
      expect.stringMatching(/^dotdot installed broken: toolwright\.yaml:1:7 .*is outside the pack/),
      'good/desk 1.0.0 installed',
      expect.stringMatching(/^json\/own installed broken: package\.json:1:1 /),
      expect.stringMatching(/^manifest installed broken: toolwright\.yaml:1:1 .*is outside the pack/),
      expect.stringMatching(/^root installed broken: .*is outside the pack/),
      'server/own 0.0.0 installed',
    ]);
  });

  it('`list` is not kept busy by links in circles, pipes, folders in place of files, or huge and cyclic YAML', () => {
    const bomb = `a: &a [x, x, x, x, x, x, x, x, x]\n${Array.from({ length: 20 }, (_, index) => {
      const [from, to] = [
        'a',
        'b',
        'c',
        'd',
        'e',
        'f',
        'g',
        'h',
        'i',
        'j',
        'k',
        'l',
        'm',
        'n',
        'o',
        'p',
        'q',
        'r',
        's',
        't',
        'u',
      ].slice(index);
      return `${to}: &${to} [*${from}, *${from}, *${from}, *${from}, *${from}, *${from}, *${from}, *${from}]`;
    }).join('\n')}\n`;
    const cwd = withPackages({
      good,
      pipe: packageJson({ name: 'pipe', version: '1.0.0' }),
      'pipe-server': {
        ...packageJson({ name: 'pipe-server' }),
        'toolwright.yaml': 'servers: [a]\n',
        'mcp/servers/x': '',
      },
      folder: { ...packageJson({ name: 'folder', version: '1.0.0' }), 'toolwright.yaml/x': '' },
      'json-folder': { 'package.json/x': '', 'toolwright.yaml': '', 'mcp/servers/a.yaml': '{}\n' },
      bomb: { ...packageJson({ name: 'bomb' }), 'toolwright.yaml': bomb },
      cycle: { ...packageJson({ name: 'cycle' }), 'toolwright.yaml': 'servers: &s [*s]\n' },
      huge: { ...packageJson({ name: 'huge' }), 'toolwright.yaml': `servers: [${'a, '.repeat(3_000_000)}]\n` },
      deep: { ...packageJson({ name: 'deep' }), 'toolwright.yaml': `servers: ${'['.repeat(100_000)}\n` },
      loop: packageJson({ name: 'loop' }),
      bytes: { ...packageJson({ name: 'bytes' }), 'toolwright.yaml': 'servers: [\u0000\u0001]\n' },
    });
    const at = (path: string): string => join(cwd, 'node_modules', path);
    for (const path of ['pipe/toolwright.yaml', 'pipe-server/mcp/servers/a.yaml']) {
      expect(spawnSync('mkfifo', [at(path)]).status).toBe(0);
    }
    symlinkSync('toolwright.yaml', at('loop/toolwright.yaml'));
    mkdirSync(at('good/node_modules'));
    symlinkSync('../../..', at('good/node_modules/up'));
    symlinkSync('..', at('good/node_modules/self'));
    symlinkSync('here', at('here'));
    const servers = listed(cwd, '--all');
    expect(servers.map(({ name, broken }) => `${name}${broken === undefined ? '' : ' broken'}`)).toEqual([
      'bomb broken',
      'bytes broken',
      'cycle broken',
      'deep broken',
      'folder broken',
      'good/desk',
      'huge broken',
      'json-folder/a broken',
      'loop broken',
      'pipe broken',
      'pipe-server/a broken',
    ]);
    expect(brief(listed(cwd, '--all'))).toEqual(brief(servers));
  });

  it('`list` escapes names and texts that would steer a terminal', () => {
    const steering = '\u001b[2J\u001b]0;owned\u0007\u202e\u009b31m';
    const cwd = withPackages({
      good: { ...good, 'package.json': JSON.stringify({ name: `good${steering}`, version: `1${steering}` }) },
      [`bad${steering}`]: good,
      texts: {
        ...packageJson({ name: 'texts' }),
        'toolwright.yaml': `name: "${steering.replaceAll('\u001b', '\\e')}"\n`,
      },
      item: { ...packageJson({ name: 'item' }), 'toolwright.yaml': '', 'mcp/servers/a\u001b[31m.yaml': '{}\n' },
      '..evil': good,
      __proto__pack: { ...good, 'package.json': '{"__proto__": {"version": "9"}, "name": "x", "version": "1"}' },
    });
    const hidden = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/;
    for (const args of [[], ['--all'], ['--format', 'json', '--all'], [`no${steering}`]]) {
      const { status, stdout, stderr } = runList(cwd, ...args);
      expect(status).toBe(0);
      expect(stdout).not.toMatch(hidden);
      expect(stderr).not.toMatch(hidden);
    }
    expect(brief(listed(cwd, '--all'))).toEqual([
      expect.stringMatching(/^__proto__pack\/desk installed broken: package\.json:1:2 /),
      expect.stringMatching(/broken: no reference can name it: it has a control character/),
      expect.stringMatching(/^good\/desk 1/),
      expect.stringMatching(/^item installed broken: mcp\/servers\/a/),
      expect.stringMatching(/^texts installed broken: /),
    ]);
  });

  it('`list` is not misled by dependencies and workspaces that are not names', () => {
    const folder = writeFolder({
      ...below('outside', deskPack('outside')),
      'app/package.json': JSON.stringify({
        name: 'app',
        workspaces: ['../*', '/', '..', '**/../../**', 3, null, 'packages/*/', 'pack{a,b'],
        dependencies: { '../../outside': '1', '..': '1', '/': '1', '': '1', __proto__: '1', 'a/b/c': '1' },
        devDependencies: ['x'],
        peerDependencies: 'x',
      }).replace('"a/b/c"', '"__proto__": "1", "a/b/c"'),
      ...below('app/packages/in', deskPack('in')),
      'app/node_modules/x/package.json': '',
    });
    expect(runList(join(folder, 'app')).stderr).not.toMatch(/bug/);
    const other = { workspaces: ['../*', '/', '..', '**/../../**', 3, null, 'packages/*/', 'pack{a,b'] };
    writeFileSync(join(folder, 'app/package.json'), JSON.stringify(other));
    expect(brief(listed(join(folder, 'app')))).toEqual(['in/desk 1.0.0 project']);
    for (const text of [
      '',
      '[]',
      'null',
      '{',
      '\u0000',
      '{"workspaces": {"packages": {"a": 1}}}',
      '{"dependencies": [1]}',
    ]) {
      writeFileSync(join(folder, 'app/package.json'), text);
      expect(runList(join(folder, 'app'), '--all')).toMatchObject({ status: 0 });
    }
    rmSync(join(folder, 'app/package.json'));
    mkdirSync(join(folder, 'app/package.json'));
    expect(runList(join(folder, 'app'), '--all')).toMatchObject({ status: 0 });
  });

  it('`list` does not trust a damaged cache', () => {
    const cwd = withPackages({ good });
    expect(brief(listed(cwd))).toEqual(['good/desk 1.0.0 installed']);
    const around = join(cwd, '..', 'list-cache');
    const cache = join(around, readdirSync(around)[0] ?? '');
    expect(readdirSync(cache)).not.toEqual([]);
    for (const text of ['', '[]', '{"packs": 1}', '{"circumstances": 1, "packs": {"x": null}}']) {
      for (const file of readdirSync(cache)) writeFileSync(join(cache, file), text);
      expect(brief(listed(cwd))).toEqual(['good/desk 1.0.0 installed']);
    }
  });
});
