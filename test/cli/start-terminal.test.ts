// A server that somebody starts by hand: a real terminal, in which nothing would happen otherwise.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolwright } from '../harness/build-pack.js';
import { writeFiles } from '../harness/files.js';
import { command } from './install-home.js';
import { talkTo } from './terminal.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-terminal-'));
beforeAll(() => {
  writeFiles(folder, {
    'package.json': '{"name": "demo", "version": "1.0.0", "type": "module"}',
    'toolwright.yaml': '',
    'mcp/servers/main.yaml': 'description: Main\n',
    'mcp/tools/a.yaml': 'description: A\n',
    'src/tools/a.js': "export default () => 'a';\n",
  });
  expect(toolwright(folder, 'build')).toMatchObject({ status: 0 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const line = 'waiting for an MCP client on stdin; Ctrl+C ends';

describe('fix-N23 a server on a terminal', () => {
  it.each([
    ['`start`', [command, 'start']],
    ['a built server', [join('dist', 'main.cjs')]],
    ['a built server with flags', [join('dist', 'main.cjs'), '--cwd', '.']],
  ])('%s says what it waits for, and Ctrl+C ends it', async (_, words) => {
    const env = { TOOLWRIGHT_CACHE: join(folder, 'cache') };
    const quoted = [process.execPath, ...words].map(word => `"${word}"`).join(' ');
    const { next, shown } = await talkTo(quoted, [[line, '\u0003']], { cwd: folder, env });
    expect([next, shown.split(line).length]).toEqual([1, 2]);
  });

  it('`start --quiet` and a server on a pipe say nothing', () => {
    expect(toolwright(folder, 'start').stderr).not.toContain(line);
  });
});
