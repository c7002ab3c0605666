// Commands that share a process are what commands are that have one each; tests that use them may rely on that.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCommands } from '../harness/commands.js';

const command = join(import.meta.dirname, '../../dist/cli/main.js');
let pack = '';
const env = { PATH: process.env['PATH'], TOOLWRIGHT_CACHE: 'off' };

beforeAll(() => {
  pack = mkdtempSync(join(tmpdir(), 'toolwright-commands-'));
  const handlers = {
    answer: 'export default () => "42";\n',
    exit: 'export default () => process.exit(7);\n',
    spin: 'export default () => { for (;;); };\n',
  };
  for (const folder of ['mcp/tools', 'mcp/servers', 'lib/tools']) mkdirSync(join(pack, folder), { recursive: true });
  writeFileSync(join(pack, 'package.json'), '{"name": "shared", "type": "module"}');
  writeFileSync(join(pack, 'toolwright.yaml'), 'handlers: lib\n');
  writeFileSync(join(pack, 'mcp/servers/s.yaml'), 'description: S.\n');
  for (const [name, text] of Object.entries(handlers)) {
    writeFileSync(join(pack, `mcp/tools/${name}.yaml`), 'description: A tool.\n');
    writeFileSync(join(pack, `lib/tools/${name}.js`), text);
  }
});
afterAll(() => rmSync(pack, { recursive: true, force: true }));

describe('commands that share a process', () => {
  it('commands that share a process print and end as in a process of their own, each in its folder and environment', async () => {
    const commands = openCommands();
    const runs: readonly (readonly string[])[] = [
      ['check'],
      ['check', 'nowhere'],
      ['inspect', 's', '--format', 'json'],
      ['--nonsense'],
      ['call', 's', 'answer'],
      ['list', '--help'],
      ['list', '--format', 'json'],
      ['explain', 'tool:answer'],
      ['lock', '--check'],
      ['docs', '--stdout'],
    ];
    for (const words of runs) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...words], { cwd: pack, env });
      const alone = { status, stdout: stdout.toString(), stderr: stderr.toString() };
      expect(commands.runSync(words, { cwd: pack, env })).toEqual(alone);
      expect(await commands.run(words, { cwd: pack, env })).toEqual(alone);
    }
    const broken = { ...env, TOOLWRIGHT_OVERLAY: 'nowhere' };
    expect(commands.runSync(['check'], { cwd: pack, env: broken }).stdout).toContain('nowhere');
    expect(commands.runSync(['check'], { cwd: pack, env }).stdout).not.toContain('nowhere');
    expect(commands.runSync(['check'], { cwd: tmpdir(), env }).status).not.toBe(0);
    commands.close();
  });

  it('a command that ends or crashes the shared process does not affect the next one', async () => {
    const commands = openCommands();
    expect(await commands.run(['call', 's', 'exit'], { cwd: pack, env })).toMatchObject({ status: 7 });
    expect(commands.runSync(['check'], { cwd: join(pack, 'nowhere'), env })).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/ENOENT.*\n +at /),
    });
    expect(commands.runSync(['check'], { cwd: pack, env })).toMatchObject({ status: 0 });
    commands.close();
  });

  it('a command that does not end in time has no exit code', () => {
    const commands = openCommands(2000);
    expect(commands.runSync(['call', 's', 'spin'], { cwd: pack, env })).toMatchObject({ status: null });
    commands.close();
  });
});
