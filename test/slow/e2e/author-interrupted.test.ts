// Commands that change files of an author: several at once, and killed in the middle.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { command, filesOf, makeAuthorWorld } from '../../cli/author-world.js';
import { amount } from '../../harness/amount.js';

const world = makeAuthorWorld();
afterAll(() => world.remove());

function start(pack: string, ...words: readonly string[]) {
  return spawn(process.execPath, [command, ...words], {
    cwd: pack,
    env: { ...process.env, TOOLWRIGHT_CACHE: 'off', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

describe('fix-A15 several `add` at once', () => {
  it('fix-A15 eight `add` commands at once declare all eight tools, and the generated files know them', async () => {
    const pack = world.make({ 'toolwright.yaml': 'tools: [first]\n', 'mcp/tools/first.yaml': 'description: F\n' });
    const names = Array.from({ length: 8 }, (_, index) => `t${index}`);
    const ends = await Promise.all(
      names.map(async name => {
        const child = start(pack, 'add', 'tool', name);
        let said = '';
        child.stdout.setEncoding('utf8').on('data', text => {
          said += text;
        });
        const [status] = await once(child, 'close');
        return { name, status, said };
      }),
    );
    for (const { name, status, said } of ends) expect({ name, status, said }).toMatchObject({ status: 0 });
    const [, list = ''] = /^tools: \[(.*)\]$/m.exec(readFileSync(join(pack, 'toolwright.yaml'), 'utf8')) ?? [];
    expect(list.split(', ').sort()).toEqual(['first', ...names].sort());
    expect(world.run(pack, 'generate', '--check')).toMatchObject({ status: 0 });
    expect(existsSync(join(pack, 'generated/.toolwright.lock'))).toBe(false);
  }, 120_000);
});

describe('fix-A15 `rename` killed in the middle', () => {
  const count = 40;

  function makePack(): string {
    const tools = Array.from({ length: count }, (_, index) => `t${index}`);
    return world.make({
      'toolwright.yaml': `tools: [${tools.join(', ')}]\n`,
      'package.json': '{ "name": "p", "type": "module" }\n',
      ...Object.fromEntries(tools.map(name => [`mcp/tools/${name}.yaml`, 'description: See {{tool:t1}}.\n'])),
    });
  }

  const leftIn = (pack: string): readonly string[] =>
    readdirSync(pack, { recursive: true, encoding: 'utf8' }).filter(path => /\.rename-(?:new|old)$|\.tmp$/.test(path));

  it('fix-A15 the next `rename` finishes one that was killed in the middle and leaves nothing beside files', async () => {
    let kills = 0;
    let seed = 20_261_117;
    for (let round = 0; round < amount(8); round++) {
      const pack = makePack();
      expect(world.run(pack, 'generate')).toMatchObject({ status: 0 });
      const victim = start(pack, 'rename', 'tool', 't1', 'renamed');
      const exit = once(victim, 'exit');
      seed = (seed * 48_271) % 2_147_483_647;
      // From the moment when something lies beside a file.
      while (victim.exitCode === null && leftIn(pack).length === 0) await sleep(1);
      await sleep(seed % 60);
      victim.kill('SIGKILL');
      const [, signal] = await exit;
      if (signal === 'SIGKILL') kills++;
      const again = world.run(pack, 'rename', 'tool', 't1', 'renamed');
      // 2: the rename itself was done, and only generating was not.
      expect({ again, round }).toMatchObject({ again: { status: expect.toBeOneOf([0, 2]) } });
      if (again.status === 2) expect(again.stderr).toMatch(/"t1"/);
      expect(leftIn(pack)).toEqual([]);
      expect(existsSync(join(pack, 'mcp/tools/t1.yaml'))).toBe(false);
      const texts = Object.values(filesOf(join(pack, 'mcp')));
      expect(texts.filter(text => text !== 'description: See {{tool:renamed}}.\n')).toEqual([]);
      expect(world.run(pack, 'check')).toMatchObject({ status: 0 });
      expect(world.run(pack, 'generate', '--check')).toMatchObject({ status: 0 });
    }
    expect(kills).toBeGreaterThan(0);
  }, 240_000);
});
