// B9: what `eject` writes is code as a person writes it, in every kind of project, and its types are right as it is.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { linkDependencies, makeAuthorWorld } from '../../cli/author-world.js';
import { writeFiles } from '../../harness/files.js';

const world = makeAuthorWorld();
afterAll(() => world.remove());

const project = {
  'package.json': '{ "name": "p", "type": "module" }\n',
  'toolwright.yaml': 'name: p\nconfig: { REPO: string }\nbackends:\n  api: { type: http, url: https://example.com }\n',
};
const read = (pack: string, path: string): string => readFileSync(join(pack, path), 'utf8');
const text = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;

describe('the code of `toolwright eject`', () => {
  it('B9 the handler is code as a person writes it', () => {
    const pack = world.make({
      ...project,
      'tsconfig.json':
        '{ "compilerOptions": { "module": "nodenext", "strict": true, "noEmit": true }, "include": ["src"] }\n',
      'mcp/tools/get-issue.yaml': text(
        'description: Get an issue',
        'parameters: { issueKey: string, fields: { type: array, items: string, required: false }, due: { type: string, required: false } }',
        'http:',
        '  method: PATCH',
        '  path: /issue/{issueKey}',
        '  query: { fields: "{fields}" }',
        '  body: { text: "Due {due}" }',
        '  result: { pick: { key: /key } }',
        'output: { key: string }',
      ),
      'mcp/tools/log.yaml': text(
        'description: The log',
        'parameters: { count: { type: integer, minimum: 0, required: false }, verbose: { type: boolean, default: false }, path: string }',
        'exec:',
        '  command: git',
        '  args: [log, "--max-count={count}", { if: verbose, args: [--stat] }, --, "{path}"]',
        '  cwd: "{config.REPO}"',
        '  result: lines',
      ),
    });
    linkDependencies(pack);
    for (const name of ['get-issue', 'log']) expect(world.run(pack, 'eject', name)).toMatchObject({ status: 0 });
    expect(read(pack, 'src/tools/get-issue.ts')).toBe(
      text(
        "import { path } from 'toolwright';",
        "import { tools } from '../../generated/index.js';",
        '',
        '/** Get an issue */',
        'export default tools.getIssue(async ({ issueKey, fields, due }, ctx) => {',
        '  return await ctx.backends.api.request({',
        "    method: 'PATCH',",
        '    path: path`/issue/${issueKey}`,',
        '    query: { fields },',
        '    body: { text: due === undefined ? undefined : `Due ${due}` },',
        "    result: { pick: { key: '/key' } },",
        '  });',
        '});',
      ),
    );
    expect(read(pack, 'src/tools/log.ts')).toBe(
      text(
        "import { exec } from 'toolwright';",
        "import { tools } from '../../generated/index.js';",
        '',
        '/** The log */',
        'export default tools.log(async ({ verbose, count, path }, ctx) => {',
        '  return await exec({',
        "    command: 'git',",
        '    args: [',
        "      'log',",
        '      ...(count === undefined ? [] : [`--max-count=${count}`]),',
        "      ...(verbose ? ['--stat'] : []),",
        "      '--',",
        '      path,',
        '    ],',
        '    cwd: ctx.config.REPO,',
        "    result: 'lines',",
        '  }, ctx);',
        '});',
      ),
    );
    expect(world.run(pack, 'typecheck')).toMatchObject({ status: 0 });
  });

  it.each([
    ['nodenext, CommonJS', '{ "name": "p" }', '{ "module": "nodenext", "verbatimModuleSyntax": true }'],
    ['nodenext, transpiled to CommonJS', '{ "name": "p" }', '{ "module": "nodenext" }'],
    ['a bundler', '{ "name": "p" }', '{ "module": "esnext", "moduleResolution": "bundler" }'],
    ['JavaScript modules', '{ "name": "p", "type": "module" }', undefined],
    ['CommonJS', '{ "name": "p" }', undefined],
  ])('B9 the handler has the form of its project: %s', (_, packageJson, options) => {
    const config =
      options === undefined
        ? undefined
        : { compilerOptions: { strict: true, noEmit: true, ...JSON.parse(options) }, include: ['src'] };
    const pack = world.make({
      ...project,
      'package.json': packageJson,
      ...(config === undefined ? {} : { 'tsconfig.json': JSON.stringify(config) }),
      'mcp/tools/t.yaml': text(
        'description: T',
        'parameters: { text: string }',
        `exec: { command: node, args: [-e, "console.log(process.argv[1])", --, "{text}"] }`,
      ),
    });
    linkDependencies(pack);
    expect(world.run(pack, 'eject', 't')).toMatchObject({ status: 0 });
    if (config !== undefined) {
      const { status, stdout } = world.run(pack, 'typecheck');
      expect({ status, stdout }).toMatchObject({ status: 0 });
    }
    writeFiles(pack, { 'mcp/servers/main.yaml': 'description: S\n' });
    const { status, stdout, stderr } = world.run(pack, 'call', 't', '--arg', 'text=hello');
    expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: 'hello\n' });
  });

  it('B4 a handler in a thread of its own reaches backends, too', () => {
    const pack = world.make({
      ...project,
      'toolwright.yaml': 'name: p\nisolate: thread\nbackends:\n  up: { type: mcp, command: [node, up.mjs] }\n',
      'mcp/servers/main.yaml': 'description: S\n',
      'mcp/tools/t.yaml': 'description: T\n',
      'src/tools/t.js': "export default async (args, ctx) => await ctx.backends.up.callTool('theirs', args);\n",
      'up.mjs': `import { createInterface } from 'node:readline';
const answers = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'up', version: '1' } },
  'tools/call': { content: [{ type: 'text', text: 'from theirs' }] },
};
createInterface({ input: process.stdin }).on('line', line => {
  const { id, method } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? {} }));
});
`,
    });
    linkDependencies(pack);
    const { status, stdout, stderr } = world.run(pack, 'call', 't');
    expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: 'from theirs\n' });
  });
});
