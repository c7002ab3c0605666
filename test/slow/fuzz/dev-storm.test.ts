// Random edits under a connected client: valid, broken, renamed, deleted, saved atomically, checked out by git. It never
// disconnects, ends on what is on disk, and leaves no process behind.
import { execFileSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { amount } from '../../harness/amount.js';
import { makeRandom } from '../../harness/random.js';
import { endSessions, startDev, toolOf } from '../e2e/dev-kit.js';

afterEach(endSessions);

const edits = amount(200);

it(`P23 C9 ${edits} random edits never disconnect a client of \`dev\`, which sees the right surface at the end`, {
  timeout: 240_000,
}, async () => {
  const start = {
    ...toolOf('a', 'a'),
    ...toolOf('b', 'b'),
    'mcp/prompts/p.yaml': 'text: P\n',
    '.gitignore': 'generated\n',
  };
  const dev = await startDev(start);
  await dev.next('serving');
  const git = (...args: readonly string[]): string =>
    execFileSync(
      'git',
      ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false', ...args],
      { cwd: dev.pack, encoding: 'utf8' },
    );
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'first');
  const random = makeRandom(20_261_116);
  const chance = (percent: number): boolean => random.below(100) < percent;
  const names = ['a', 'b', 'c', 'd', 'e'];
  const save = (file: string, text: string): void => {
    if (chance(50)) {
      dev.write({ [file]: text });
      return;
    }
    dev.write({ 'save.tmp': text });
    renameSync(join(dev.pack, 'save.tmp'), join(dev.pack, file));
  };
  for (let round = 0; round < edits; round += 1) {
    const name = random.pick(names);
    const definition = `mcp/tools/${name}.yaml`;
    const ways: readonly (() => void)[] = [
      () => save(definition, `description: ${name} ${round}\n`),
      () => save(definition, 'description: [\n'),
      () => save(definition, `descripton: ${round}\n`),
      () => save(definition, ''),
      () => rmSync(join(dev.pack, definition), { force: true }),
      () => save(`src/tools/${name}.ts`, `export default () => '${name} ${round}';\n`),
      () => save(`src/tools/${name}.ts`, 'export default () => {\n'),
      () => save('toolwright.yaml', random.pick(['', 'tools: {\n', 'root: mcp\n', 'nonsense: 1\n'])),
      () => save('mcp/servers/main.yaml', `description: Main\ninstructions: Round ${round}\n`),
      () => void git('checkout', '-q', '-f', 'HEAD', '--', '.'),
      () => void git('clean', '-qfd', 'mcp'),
    ];
    random.pick(ways)?.();
    if (chance(30)) await sleep(random.below(150));
    if (chance(20)) await dev.client.listTools();
    if (chance(10))
      await dev.client
        .callTool({ name: 'a', arguments: {} })
        .catch((error: Error) => expect(error.message).toMatch(/Unknown tool/));
  }
  git('checkout', '-q', '-f', 'HEAD', '--', '.');
  git('clean', '-qfd', 'mcp', 'src');
  dev.write({
    'mcp/tools/last.yaml': 'description: Last\n',
    'src/tools/last.ts': "export default () => 'the last';\n",
  });
  const isThere = async (): Promise<boolean> => {
    const { tools } = await dev.client.listTools();
    return JSON.stringify(tools.map(({ description }) => description)) === '["a","b","Last"]';
  };
  while (!(await isThere())) await sleep(50);
  expect([await dev.call('a'), await dev.call('last')]).toEqual(['a', 'the last']);
  while (dev.workers().length > 2) await sleep(50);
});
