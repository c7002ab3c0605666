// What a list of tools promises, real clients of both SDK lines can do: they call what they were shown, as it was shown.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root, toolwright, writePack } from './build-pack.js';
import { type Answers, type AnyClient, type Target, ways } from './interop-clients.js';
import { check, tool } from './pack.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-listed-'));
const stdio = ways.filter(({ transport }) => transport === 'stdio');
const started: Target = {
  command: process.execPath,
  args: [join(root, 'dist/cli/main.js'), 'start', 's'],
  cwd: folder,
};
const built: Target = { command: process.execPath, args: [join(folder, 'dist/s.cjs')], cwd: folder };

beforeAll(() => {
  writePack(folder, {
    'package.json': '{"type":"module"}',
    'toolwright.yaml': 'name: listed\n',
    'mcp/servers/s.yaml': 'description: S\n',
    'mcp/tools/slow.yaml': 'description: Slow.\ntask: required\n',
    'mcp/tools/either.yaml': 'description: Either.\ntask: optional\n',
    'src/tools/slow.js': "export default () => 'done';\n",
    'src/tools/either.js': "export default () => 'done';\n",
  });
  expect(toolwright(folder, 'build', '--quiet')).toMatchObject({ status: 0 });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function using<T>(
  way: (typeof ways)[number],
  target: Target,
  answers: Answers,
  use: (client: AnyClient) => Promise<T>,
) {
  const client = await way.connect(target, answers);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

describe('tools that want to be tasks', () => {
  it.each(
    stdio.flatMap(way =>
      [started, built].map((target, index) => ({
        way,
        target,
        name: `${way.name}, ${index === 0 ? 'start' : 'built'}`,
      })),
    ),
  )('fix-F17 fix-P5 are ordinary tools until there are tasks: $name', async ({ way, target }) => {
    await using(way, target, {}, async client => {
      const { tools } = await client.listTools();
      expect(tools.map(one => one.execution)).toEqual(tools.map(() => undefined));
      for (const name of ['slow', 'either'])
        expect(await client.callTool({ name, arguments: {} })).toMatchObject({ content: [{ text: 'done' }] });
    });
  });

  it('fix-F17 fix-P5 check says so at the key', async () => {
    for (const task of ['optional', 'required']) {
      const found = await check(tool(`description: d\ntask: ${task}\n`));
      expect(found).toMatchObject([{ code: 'link/task-unsupported', severity: 'warning', line: 2, column: 1 }]);
      expect(found[0]?.hint).toBeTruthy();
    }
    expect(await check(tool('description: d\ntask: forbidden\n'))).toEqual([]);
    expect(await check(tool('description: d\ntask: true\n'))).toMatchObject([
      { code: 'validate/value', line: 2, column: 7 },
    ]);
  });
});
