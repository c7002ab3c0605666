// P20: what a build writes over, leaves alone and cleans up. Real builds into folders that are not empty.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ask, toolwright, writePack } from './build-pack.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-build-output-'));
const empty = join(folder, 'empty');
mkdirSync(empty);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = {
  'package.json': '{ "name": "desk", "version": "1.0.0", "type": "module" }\n',
  'toolwright.yaml': 'name: desk\n',
  'mcp/servers/desk.yaml': 'title: Desk\n',
  'mcp/tools/count.yaml': 'description: Counts\n',
  'mcp/prompts/hello.yaml': 'description: Greets\ntext: Hello\n',
  'src/tools/count.ts': "export default () => 'one';\n",
};

it('P20 P21 external definitions of an older build do not come back: the last prompt is gone with its file', async () => {
  const where = writePack(join(folder, 'gone'), files);
  const external = ['build', '--definitions', 'external'];
  expect(toolwright(where, ...external)).toMatchObject({ status: 0, stderr: '' });
  const asked = () => ask(join(where, 'dist/desk.cjs'), [['prompts/list']], { cwd: empty });
  expect((await asked()).replies[1]).toMatchObject({ result: { prompts: [{ name: 'hello' }] } });
  rmSync(join(where, 'mcp/prompts'), { recursive: true });
  expect(toolwright(where, ...external)).toMatchObject({ status: 0, stderr: '' });
  const { replies, stderr } = await asked();
  expect(stderr).toBe('');
  expect(replies[0]?.result?.['capabilities']).not.toHaveProperty('prompts');
  expect(replies[1]).toMatchObject({ error: { code: -32601 } });
});

it('P20 a file that is too large to be sent is a mistake, not an empty resource', () => {
  const where = writePack(join(folder, 'large'), {
    ...files,
    'mcp/resources/film.yaml': 'uri: desk://film\nfile: films/long.bin\n',
    'films/long.bin': new Uint8Array(40 * 1024 * 1024),
  });
  const { status, stderr } = toolwright(where, 'build');
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('films/long.bin:1:1 error "films/long.bin" has 41943040 bytes'),
  ]);
});
