// `call --dry-run`: what a tool without code would do, and nothing done.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCommands } from '../harness/commands.js';
import { writeFiles } from '../harness/files.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-dry-run-')));
const commands = openCommands();
afterAll(() => {
  commands.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeAll(() => {
  writeFiles(folder, {
    'toolwright.yaml': 'backends: { main: { type: sqlite, url: "sqlite:none.db" } }\n',
    'mcp/servers/main.yaml': 'description: Main\n',
    'mcp/tools/find.yaml': `description: Find
effect: read
parameters: { id: integer }
sql: { text: "SELECT title FROM books WHERE id = :id", result: row }
output: { title: string }
resultText: "It is {{title}}."
`,
    'mcp/tools/remove.yaml': `description: Remove
effect: destructive
confirm: true
parameters: { id: integer }
sql: { text: "DELETE FROM books WHERE id = :id", result: count }
`,
    'mcp/tools/coded.yaml': 'description: Coded\n',
    'src/tools/coded.ts': 'export default () => 1;\n',
  });
});

const dryRun = (...words: readonly string[]) =>
  commands.runSync(['call', ...words, '--dry-run'], { cwd: folder, env: { ...process.env, NO_COLOR: '1' } });

describe('P22 `call --dry-run`', () => {
  it('B2 a tool with `output` shows its statement, which is not data', () => {
    expect(dryRun('find', '--arg', 'id=7')).toMatchObject({
      status: 0,
      stdout: 'main: sqlite, read only, result: row\nSELECT title FROM books WHERE id = ?\n  1: 7\n',
    });
  });

  it('B2 a look at a tool with `confirm` needs no consent', () => {
    expect(dryRun('remove', '--arg', 'id=7')).toMatchObject({
      status: 0,
      stdout: 'main: sqlite, may write, result: count\nDELETE FROM books WHERE id = ?\n  1: 7\n',
    });
  });

  it('P22 arguments are checked, and a handler is refused', () => {
    expect(dryRun('find', '--arg', 'id=x')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('BAD_ARGUMENTS'),
    });
    expect(dryRun('coded')).toMatchObject({ status: 2, stderr: expect.stringContaining('"coded" has a handler') });
  });
});
