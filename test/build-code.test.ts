// P20: code that is hard to put into a build. Real builds of real packs, started in empty folders.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ask, toolwright, writePack } from './build-pack.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-build-code-'));
const empty = join(folder, 'empty');
mkdirSync(empty);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const base = {
  'package.json': '{ "name": "odd", "version": "1.0.0", "type": "module" }\n',
  'toolwright.yaml': 'name: odd\n',
  'mcp/servers/odd.yaml': 'title: Odd\n',
};

/** The text that each tool gives, or what the server printed instead. */
async function callAll(file: string, tools: readonly string[]): Promise<readonly string[]> {
  const calls = tools.map(name => ['tools/call', { name, arguments: {} }] as const);
  const { replies, stderr } = await ask(file, calls, { cwd: empty });
  return replies.slice(1).map(({ result }) => {
    const { content, isError } = result as { content: { text: string }[]; isError?: boolean };
    return isError === true ? stderr : (content[0]?.text ?? '');
  });
}

it('P20 modules whose paths look alike stay apart: every tool runs its own handler', async () => {
  const handlers = {
    one: 'src/tools/a.b.ts',
    two: 'src/tools/a/b.ts',
    three: 'src/tools/c.mts',
    four: 'src/tools/c.js',
    five: 'validators/six.ts',
    six: 'src/tools/A.b.x.ts',
    seven: 'src/tools/a/B.X.ts',
  };
  const items = Object.entries(handlers);
  const where = writePack(join(folder, 'alike'), {
    ...base,
    ...Object.fromEntries(
      items.map(([tool, path]) => [`mcp/tools/${tool}.yaml`, `description: x\nhandler: ${path}\n`]),
    ),
    ...Object.fromEntries(items.map(([tool, path]) => [path, `export default () => '${tool}';\n`])),
  });
  for (const [args, file] of [
    [[], 'dist/odd.cjs'],
    [['--single-file'], 'dist/odd.mjs'],
  ] as const) {
    expect(toolwright(where, 'build', ...args)).toMatchObject({ status: 0, stderr: '' });
    expect(await callAll(join(where, file), Object.keys(handlers))).toEqual(Object.keys(handlers));
  }
});

it('P20 handlers get all that they ask of `toolwright`, also late, by require, or passed on by a module of theirs', async () => {
  const parts = "typeof loadPack + ' ' + typeof ToolError";
  const where = writePack(join(folder, 'package'), {
    ...base,
    'mcp/servers/late.yaml': 'tools: [late]\n',
    'mcp/servers/required.yaml': 'tools: [required]\n',
    'mcp/servers/passed.yaml': 'tools: [passed]\n',
    'mcp/tools/late.yaml': 'description: x\n',
    'mcp/tools/required.yaml': 'description: x\nhandler: src/required.cjs\n',
    'mcp/tools/passed.yaml': 'description: x\n',
    'src/tools/late.ts': `export default async () => {
  const { loadPack, ToolError } = await import('toolwright');
  return ${parts};
};
`,
    'src/required.cjs': `const { loadPack, ToolError } = require('toolwright');\nexports.default = () => ${parts};\n`,
    'src/tools/passed.ts': `import * as own from '../own.js';
const { loadPack, ToolError } = own;
export default () => own.passed + ${parts};
`,
    'src/own.ts': "export * from 'toolwright';\nexport const passed = '';\n",
  });
  expect(toolwright(where, 'build', 'late', 'required', 'passed')).toMatchObject({ status: 0, stderr: '' });
  for (const name of ['late', 'required', 'passed']) {
    expect(await callAll(join(where, `dist/${name}.cjs`), [name])).toEqual(['function function']);
  }
});
