// What a newcomer types at `install`: it is written as meant, or refused with what to type instead.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { writeFiles } from '../harness/files.js';
import { command, openHome } from './install-home.js';

const world = openHome();
const { run } = world;
const pack = join(world.folder, 'plants');
writeFiles(pack, {
  'package.json': '{ "name": "plants", "version": "1.0.0", "type": "module" }',
  'toolwright.yaml': 'name: plants\nconfig:\n  FORECAST_KEY: { type: string, secret: true }\n',
  'mcp/servers/plants.yaml': 'description: Plants\n',
  'mcp/tools/drop.yaml': 'description: Drops a plant\n',
  'overlays/office/tools/drop.yaml': 'enabled: false\n',
});
beforeEach(() => void world.renew());
afterAll(() => world.remove());

const install = (...words: readonly string[]) => run('install', ...words, '--cwd', pack);
const entry = (file = join(world.path, '.cursor/mcp.json')) => JSON.parse(readFileSync(file, 'utf8')).mcpServers.plants;

describe('`toolwright install` for newcomers', () => {
  it('fix-A4 `install --overlay` writes the overlay into the entry', () => {
    expect(install('cursor', '--overlay', 'overlays/office').status).toBe(0);
    expect(entry().args.join(' ')).toContain(`--overlay ${join(pack, 'overlays/office')}`);
    expect(install('cursor', '--project', '--overlay', 'overlays/office').status).toBe(0);
    expect(entry(join(pack, '.cursor/mcp.json')).args.join(' ')).toContain('--overlay ./overlays/office');
  });

  it('fix-A4 `install` writes nothing with an overlay that does not exist', () => {
    const { status, stderr } = install('cursor', '--overlay', 'overlays/none');
    expect([status, existsSync(join(world.path, '.cursor/mcp.json'))]).toEqual([1, false]);
    expect(stderr).toContain('overlay/not-found');
  });

  it.each(['install', 'uninstall'])('fix-A9 `%s claude` is refused with the two clients', command => {
    expect(run(command, 'claude', '--cwd', pack)).toMatchObject({
      status: 2,
      stderr: 'toolwright: "claude" is more than one client: name claude-code or claude-desktop\n',
    });
  });

  it('fix-A10 `install` refuses a misspelt variable, and `--env NAME=` removes one', () => {
    const wrong = install('cursor', '--env', 'FORECAST_KEYS=abcd');
    expect([wrong.status, existsSync(join(world.path, '.cursor/mcp.json'))]).toEqual([2, false]);
    expect(wrong.stderr).toContain('did you mean "FORECAST_KEY"?');
    expect(install('cursor', '--env', 'FORECAST_KEY=abcd', '--env', 'UNRELATED=1').status).toBe(0);
    expect(entry().env).toEqual({ FORECAST_KEY: 'abcd', UNRELATED: '1' });
    expect(install('cursor', '--env', 'UNRELATED=').status).toBe(0);
    expect(entry().env).toEqual({ FORECAST_KEY: 'abcd' });
  });

  it.each([
    ['clade', 'did you mean claude-code or claude-desktop?'],
    ['curser', 'did you mean "cursor"?'],
    ['vscod', 'did you mean "vscode"?'],
    ['augmnt', 'did you mean augment or augment-ide?'],
  ])('`install %s` suggests the client that was meant', (typed, hint) => {
    const { status, stderr } = install(typed);
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining(`there is no client "${typed}": ${hint} (there are `),
    ]);
  });

  it('fix-A30 `install --project` refuses the secret of another pack that the server takes tools from', () => {
    const user = join(world.folder, 'user');
    writeFiles(user, {
      'package.json': '{ "name": "user", "version": "1.0.0", "dependencies": { "given": "1.0.0" } }',
      'toolwright.yaml': '',
      'mcp/servers/main.yaml': 'description: M\ntools: [given/a]\n',
      'node_modules/given/package.json': '{ "name": "given", "version": "1.0.0" }',
      'node_modules/given/toolwright.yaml':
        'config: { GIVEN: { type: string, secret: true }, SIZE: { type: integer } }\n',
      'node_modules/given/mcp/tools/a.yaml': 'description: A\nrequires: { GIVEN: required }\n',
    });
    const shared = (...words: readonly string[]) => run('install', 'vscode', '--project', '--cwd', user, ...words);
    expect(shared('--env', 'GIVEN=supersecret')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("--env 'GIVEN=${env:GIVEN}' writes a reference"),
    });
    expect(shared('--env', 'SIZE=large')).toMatchObject({ status: 2 });
    expect(existsSync(join(user, '.vscode'))).toBe(false);
    expect(shared().stderr).toContain("Not set: GIVEN; pass it with --env 'GIVEN=${env:GIVEN}'\n");
  });

  it('`install` with an empty HOME, or relative folders of settings, does not write to the working folder', () => {
    const cwd = join(world.folder, 'elsewhere');
    mkdirSync(cwd);
    const env = {
      ...process.env,
      HOME: '',
      XDG_CONFIG_HOME: 'config',
      XDG_STATE_HOME: 'state',
      TOOLWRIGHT_CACHE: 'off',
    };
    const words = [command, 'install', 'vscode', '--dry-run', '--cwd', pack];
    const { status, stdout } = spawnSync(process.execPath, words, { cwd, env, encoding: 'utf8' });
    expect([status, readdirSync(cwd)]).toEqual([0, []]);
    const file = /^\+\+\+ (.*)$/m.exec(stdout)?.[1] ?? '';
    expect(file.startsWith(userInfo().homedir)).toBe(true);
  });
});
