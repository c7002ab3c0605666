// P20: code that is hard to put into a build. Real builds of real packs, started in empty folders.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ask, toolwright, writePack } from '../../harness/build-pack.js';

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

it('P20 modules whose paths look alike stay apart, and every tool runs its own handler', async () => {
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

it('P20 handlers get everything of `toolwright`, also late, by require, or passed on by a module of theirs', async () => {
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

it('P20 `build` warns about code that needs the files beside it, with the position, and copies files named by URL', async () => {
  const tools = ['beside', 'folder', 'late', 'named', 'thread', 'own', 'needy', 'plain'];
  const where = writePack(join(folder, 'places'), {
    ...base,
    ...Object.fromEntries(tools.map(tool => [`mcp/tools/${tool}.yaml`, 'description: x\n'])),
    'src/tools/note.txt': 'a note',
    'src/tools/beside.ts': `// import.meta.url in a comment
import { readFileSync } from 'node:fs';
export default () => readFileSync(\`\${import.meta.dirname}/note.txt\`, 'utf8');
`,
    'src/tools/folder.ts': `import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
const __dirname = dirname(fileURLToPath(import.meta.url));
export default () => __dirname;
`,
    'src/tools/late.ts': "let name = 'nobody';\nexport default async () => (await import(name)).default;\n",
    'src/tools/named.ts': `import { readFileSync } from 'node:fs';
export default () => readFileSync(new URL('./note.txt', import.meta.url), 'utf8');
`,
    'src/tools/thread.ts': "export default () => new URL('./named.ts', import.meta.url).href;\n",
    'src/tools/own.ts': "const __dirname = 'mine';\nexport default () => __dirname;\n",
    'src/tools/needy.ts': "import needy from 'needy';\nexport default () => needy();\n",
    'src/tools/plain.ts': "import plain from 'plain';\nexport default () => plain();\n",
    'node_modules/needy/package.json': '{ "name": "needy", "version": "1.0.0", "main": "index.js" }',
    'node_modules/needy/index.js':
      "const fs = require('fs');\nmodule.exports = () => fs.readdirSync(__dirname).join();\n",
    'node_modules/plain/package.json': '{ "name": "plain", "version": "1.0.0", "main": "index.js" }',
    'node_modules/plain/index.js': '// __dirname\nmodule.exports = () => typeof __dirname;\n',
  });
  const { status, stdout } = toolwright(where, 'build', '--format', 'json');
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: readonly Record<'file' | 'line' | 'column' | 'code', unknown>[];
  };
  expect(status).toBe(0);
  expect(diagnostics.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`)).toEqual([
    'node_modules/needy/index.js:2:39 build/package-place',
    'src/tools/beside.ts:3:38 build/own-place',
    'src/tools/folder.ts:3:41 build/own-place',
    'src/tools/late.ts:2:35 build/module-warning',
    'src/tools/thread.ts:1:44 build/own-place',
  ]);
  expect(await callAll(join(where, 'dist/odd.cjs'), ['named', 'own'])).toEqual(['a note', 'mine']);
  const outside = ['node:fs', 'fs', 'node:path', 'node:url'].flatMap(name => ['--external', name]);
  const worker = toolwright(where, 'build', '--target', 'worker', ...outside);
  expect(worker.stderr).toMatch(
    /src\/tools\/named\.ts:2:57 warning import\.meta\.url points elsewhere in a build[\s\S]*a worker has no files/,
  );
});

it('P20 a package with an addon package for each platform stays outside as a whole', () => {
  const where = writePack(join(folder, 'platforms'), {
    ...base,
    'mcp/tools/fast.yaml': 'description: x\n',
    'src/tools/fast.ts': "import fast from 'fast';\nexport default () => fast.speed;\n",
    'node_modules/fast/package.json': `{ "name": "fast", "version": "1.0.0", "main": "index.js",
  "optionalDependencies": { "@fast/core-darwin-arm64": "1.0.0", "@fast/core-linux-x64-gnu": "1.0.0" } }`,
    'node_modules/fast/index.js': "module.exports = require('@fast/core-linux-x64-gnu');\n",
    'node_modules/@fast/core-linux-x64-gnu/package.json': '{ "name": "@fast/core-linux-x64-gnu", "main": "core.node" }',
    'node_modules/@fast/core-linux-x64-gnu/core.node': 'not really',
  });
  const built = toolwright(where, 'build', '--format', 'json');
  expect(JSON.parse(built.stdout)).toMatchObject({ artifacts: [{ externals: ['fast'] }], diagnostics: [] });
});

it('P20 an addon that only another package finds leaves that package outside with it', async () => {
  const where = writePack(join(folder, 'hidden'), {
    ...base,
    'mcp/tools/deep.yaml': 'description: x\n',
    'src/tools/deep.ts': "import outer from 'outer';\nexport default () => outer();\n",
    'node_modules/outer/package.json': '{ "name": "outer", "version": "1.0.0", "main": "index.js" }',
    'node_modules/outer/index.js': "module.exports = () => `outer ${require('inner')()}`;\n",
    'node_modules/outer/node_modules/inner/package.json':
      '{ "name": "inner", "version": "1.0.0", "main": "index.js", "gypfile": true }',
    'node_modules/outer/node_modules/inner/index.js': "module.exports = () => 'inner';\n",
  });
  for (const [args, file] of [
    [[], 'dist/odd.cjs'],
    [['--single-file'], 'dist/odd.mjs'],
  ] as const) {
    const built = toolwright(where, 'build', '--format', 'json', ...args);
    expect(JSON.parse(built.stdout)).toMatchObject({ artifacts: [{ externals: ['outer'] }], diagnostics: [] });
    expect(await callAll(join(where, file), ['deep'])).toEqual(['outer inner']);
  }
});
