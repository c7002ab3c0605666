// What `toolwright call` says of a call that fails: once, with the way to the line that the author wrote.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepAuthorFrames } from '../../cli/terminal/author-frames.js';
import { writeFiles } from '../harness/files.js';

const command = join(import.meta.dirname, '../../dist/cli/main.js');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-failures-')));

const handlers = {
  throws: 'function inner() { throw new TypeError("boom\\nand more"); }\nexport default () => inner();\n',
  caused:
    'import { ToolError } from "toolwright";\nexport default () => { throw new ToolError("No page", { code: "GONE", cause: new Error("why") }); };\n',
  later:
    'import { ToolError } from "toolwright";\nexport default () => { throw new ToolError("Busy", { retryable: true }); };\n',
  imported: 'throw new Error("at import");\nexport default () => "";\n',
  forgets:
    'export default async () => { Promise.reject(new Error("forgotten")); await new Promise(done => setTimeout(done, 50)); return "done"; };\n',
  calls: 'export default async (_: object, ctx: any) => { await ctx.call("throws", {}); return "done"; };\n',
};

beforeAll(() => {
  const files: Record<string, string> = {
    'package.json': '{"name": "@acme/failures", "type": "module"}',
    'toolwright.yaml': '',
    'mcp/servers/main.yaml': 'description: Main\n',
    'mcp/tools/absent.yaml': 'description: Absent\neffect: read\n',
  };
  for (const [name, text] of Object.entries(handlers)) {
    files[`mcp/tools/${name}.yaml`] = `description: ${name}\neffect: read\n`;
    files[`src/tools/${name}.ts`] = text;
  }
  writeFiles(folder, files);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function call(...args: readonly string[]): { readonly status: number | null; readonly stderr: string } {
  const { status, stderr } = spawnSync(process.execPath, [command, 'call', ...args], {
    ...{ cwd: folder, encoding: 'utf8', input: '' },
    env: { ...process.env, TOOLWRIGHT_CACHE: 'off' },
  });
  return { status, stderr: stderr.replaceAll(/\([0-9a-f]{8}\)/g, '(id)').replaceAll(`${folder}/`, '') };
}

describe('M20 P22 failures of `toolwright call`', () => {
  it('`call` prints an exception once, with only the frames of the author', () => {
    expect(call('throws')).toEqual({
      status: 1,
      stderr: [
        'error UNEXPECTED_ERROR (500): throws failed (id): boom',
        'and more',
        '      at inner (src/tools/throws.ts:1:26)',
        '      at throws_default (src/tools/throws.ts:2:22)',
        '',
      ].join('\n'),
    });
  });

  it('`call` prints the cause of a ToolError below it, and says that it may work later where the author says so', () => {
    expect(call('caused').stderr).toMatch(
      /^error GONE \(400\): No page\n {2}caused by Error: why\n {6}at caused_default \(src\/tools\/caused\.ts:2:\d+\)\n$/,
    );
    expect(call('later').stderr).toBe('error TOOL_ERROR (503): Busy\n  it may work later\n');
  });

  it('`call` reports a missing handler and a module that throws once, with the position', () => {
    expect(call('absent').stderr).toBe(
      [
        'error NOT_IMPLEMENTED (501): absent failed (id): mcp/tools/absent.yaml:1:1: The handler for the tool "absent" is missing: "src/tools/absent.ts" does not exist',
        '  hint: toolwright generate writes a stub',
        '',
      ].join('\n'),
    );
    expect(call('imported').stderr).toBe(
      [
        'error UNEXPECTED_ERROR (500): imported failed (id): src/tools/imported.ts:1:7: "src/tools/imported.ts" cannot be imported: it throws Error: at import',
        '      at <anonymous> (src/tools/imported.ts:1:7)',
        '',
      ].join('\n'),
    );
  });

  it('`call` reports a tool that fails inside another tool, even if the outer one succeeds', () => {
    const { status, stderr } = call('calls');
    expect([status, stderr.match(/boom/g)?.length]).toEqual([0, 1]);
    expect(stderr).toMatch(/^toolwright: throws failed \(id\): TypeError: boom\n/);
  });

  it('`call` reports a promise that nobody waited for with only the frames of the author', () => {
    expect(call('forgets').stderr).toMatch(
      /^toolwright: a promise that nobody awaited was rejected: Error: forgotten\n {6}at forgets_default \(src\/tools\/forgets\.ts:1:\d+\)\n$/,
    );
  });

  it('`call --strict` refuses a pack with a missing handler', () => {
    const { status, stderr } = call('throws', '--strict');
    expect([status, stderr.includes('[generate/missing-handler]')]).toEqual([1, true]);
  });

  it('`keepAuthorFrames` keeps a stack without a frame of an author, because the mistake is ours', () => {
    const ours = 'a failed: Error: no\n    at run (/own/dist/x.js:1:1)\n    at node:internal/y:1:1';
    expect(keepAuthorFrames(ours, '/own/dist/')).toBe(ours);
    expect(keepAuthorFrames(`${ours}\n    at async a (/own/src/a.ts:1:1)`, '/own/dist/')).toBe(
      'a failed: Error: no\n    at async a (/own/src/a.ts:1:1)',
    );
  });
});
