// `toolwright import` killed in the middle of writing: the next one ends where a run that nobody killed ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { command, filesOf, makeAuthorWorld } from '../../cli/author-world.js';
import { amount } from '../../harness/amount.js';

const world = makeAuthorWorld();
afterAll(() => world.remove());

function makeDocument(version: number, count: number): string {
  const paths = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `/items${index}/{id}`,
      {
        get: {
          operationId: `getItem${index}`,
          description: `Version ${version} of ${index}`,
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          responses: { 200: { description: 'Fine' } },
        },
      },
    ]),
  );
  const info = { title: 'Shop API', version: `${version}` };
  return JSON.stringify({ openapi: '3.1.0', info, servers: [{ url: 'https://shop.example.com' }], paths });
}

const ours = (pack: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(filesOf(pack)).filter(([path]) => /^(?:mcp\/|toolwright\.)/.test(path)));

const leftIn = (pack: string): readonly string[] =>
  existsSync(join(pack, 'mcp'))
    ? readdirSync(join(pack, 'mcp'), { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.tmp'))
    : [];

it('I1 the next `import` finishes one that was killed in the middle and leaves nothing beside files', async () => {
  const start = {
    'toolwright.yaml': '# mine\n',
    'package.json': '{ "name": "p", "type": "module" }\n',
    'api.json': makeDocument(1, 400),
  };
  const whole = world.make(start);
  expect(world.run(whole, 'import', 'api.json')).toMatchObject({ status: 0 });
  const expected = ours(whole);
  expect(Object.keys(expected).length).toBeGreaterThan(400);
  let kills = 0;
  let seed = 20_261_121;
  for (let round = 0; round < amount(6); round++) {
    const pack = world.make(start);
    const victim = spawn(process.execPath, [command, 'import', 'api.json'], {
      cwd: pack,
      env: { ...process.env, TOOLWRIGHT_CACHE: 'off', NO_COLOR: '1' },
      stdio: 'ignore',
    });
    const exit = once(victim, 'exit');
    seed = (seed * 48_271) % 2_147_483_647;
    // From the moment when something lies beside a file.
    while (victim.exitCode === null && leftIn(pack).length === 0) await sleep(1);
    await sleep(seed % 300);
    victim.kill('SIGKILL');
    const [, signal] = await exit;
    if (signal === 'SIGKILL') kills++;
    const again = world.run(pack, 'import', 'api.json');
    expect({ round, again }).toMatchObject({ again: { status: 0 } });
    expect(ours(pack)).toEqual(expected);
    expect(leftIn(pack)).toEqual([]);
    expect(world.run(pack, 'import', '--check')).toMatchObject({ status: 0 });
  }
  expect(kills).toBeGreaterThan(0);
}, 240_000);
