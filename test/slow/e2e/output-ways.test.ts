// Results and errors of the same tools, however they are run: from sources, generated, built in every form, by code and in tests.
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRegistry, createServer } from '../../../runtime/index.js';
import { createTestClient } from '../../../runtime/server/testing/index.js';
import type { CallToolResult } from '../../../schema/support/mcp/content.js';
import { ask, root, toolwright, writePack } from '../../harness/build-pack.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-ways-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let where = '';

const closed = 'type: object, properties: { path: { type: string } }, additionalProperties: false';
const files = {
  'package.json': '{ "name": "@acme/ways", "version": "1.0.0", "type": "module" }\n',
  'tsconfig.json':
    '{"compilerOptions": {"strict": true, "module": "nodenext", "target": "es2023", "types": [], "skipLibCheck": true, "noEmit": true}, "include": ["src"]}',
  'toolwright.yaml': 'config: { TOKEN: { type: string, secret: true } }\n',
  'mcp/servers/ways.yaml': 'title: Ways\n',
  'mcp/tools/write.yaml': `description: Write.
handler: src/files.ts#write
parameters: { path: string }
outputSchema: { ${closed} }
resultText: "Wrote {{path}}, see {{tool:read}}"
`,
  // Its schema has a keyword that only ajv knows.
  'mcp/tools/strict.yaml': `description: Strict.
handler: src/files.ts#write
parameters: { path: string }
outputSchema: { ${closed.replace('additional', 'unevaluated')} }
`,
  'mcp/tools/whole.yaml':
    'description: Whole.\nhandler: src/files.ts#whole\noutput: { n: { type: integer, required: false } }\n',
  'mcp/tools/read.yaml': `description: Read.
name: read_file
handler: src/files.ts#read
parameters: { path: string }
errors: { NO_FILE: { match: [ENOENT], message: "No {{path}} ({{error.code}})", suggestedFix: "Call {{tool:write}}" } }
`,
  'mcp/tools/one.yaml': 'description: One.\nhandler: src/api.ts#call\ntags: [a, b]\n',
  'mcp/tools/two.yaml':
    'description: Two.\nname: second\nhandler: src/api.ts#call\nparameters: { id: { type: integer, default: 2 } }\n',
  'src/files.ts': `import type { CallResult } from 'toolwright';
export const write = ({ path }: { readonly path: string }) => ({ path, extra: true });
export const whole = (): CallResult<{ n?: number }> => ({ content: [{ type: 'text', text: 'mine' }], structuredContent: { n: 1 } });
export const read = async ({ path }: { readonly path: string }) => {
  throw Object.assign(new Error('ENOENT: ' + path), { code: 'ENOENT' });
};
`,
  'src/api.ts': `import type { ToolContext } from 'toolwright';
export const call = (args: object, { tool }: ToolContext) => ({ args, ...tool });
`,
};

const calls: readonly (readonly [name: string, args: Record<string, unknown>])[] = [
  ['write', { path: 'p' }],
  ['strict', { path: 'p' }],
  ['whole', {}],
  ['read_file', { path: '/nowhere/x' }],
  ['one', {}],
  ['second', {}],
];

/** Without what differs by nature: ids. */
function plain({ content, structuredContent, isError }: CallToolResult = { content: [] }): unknown {
  const texts = content.map(item =>
    item.type === 'text' ? item.text.replace(/"id":"[0-9a-f]{8}"/, '"id":"..."') : item,
  );
  return { texts, structuredContent, isError };
}

const data = (value: unknown, text = JSON.stringify(value)): unknown => ({ texts: [text], structuredContent: value });
const expected = [
  data({ path: 'p' }, 'Wrote p, see read_file'),
  data({ path: 'p' }),
  data({ n: 1 }, 'mine'),
  {
    texts: [
      '{"message":"No /nowhere/x (ENOENT)","code":"NO_FILE","status":400,"is_retryable":false,"suggested_fix":"Call write","meta":{"id":"..."}}',
    ],
    isError: true,
  },
  data({ args: {}, name: 'one', item: 'one', pack: 'acme/ways', tags: ['a', 'b'] }),
  data({ args: { id: 2 }, name: 'second', item: 'two', pack: 'acme/ways', tags: [] }),
];

async function overStdio(file: string, args: readonly string[] = []): Promise<readonly unknown[]> {
  const requests = calls.map(([name, given]) => ['tools/call', { name, arguments: given }] as const);
  const { replies, stderr } = await ask(file, requests, { args, cwd: where, env: { TOKEN: 'hunter22' } });
  expect(stderr).toContain('write returned members that its output schema does not allow; they were removed: /extra');
  expect(stderr).toMatch(/read_file failed \([0-9a-f]{8}\): NO_FILE: No \/nowhere\/x/);
  return replies.slice(1).map(({ result }) => plain(result as unknown as CallToolResult));
}

beforeAll(() => {
  where = writePack(join(folder, 'pack'), files);
});

const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const cli = join(root, 'dist/cli/main.js');

it('X4 X5 X6 X7 tools give the same results from sources, without anything generated', async () => {
  expect(await overStdio(cli, ['start', 'ways', '--stdio'])).toEqual(expected);
  expect(await overStdio(cli, ['start', 'ways', '--stdio', '--protocol', 'sdk'])).toEqual(expected);
  // As the flag was called before.
  expect(await overStdio(cli, ['start', 'ways', '--stdio', '--lane', 'sdk'])).toEqual(expected);
});

it('X4 X5 X6 X7 tools give the same results by code', async () => {
  const options = { env: { TOKEN: 'hunter22' }, report: () => undefined };
  const registry = await createRegistry(where, options);
  const invoked = await Promise.all(
    calls.map(async ([name, args]) => plain((await registry.invoke(name, args)).result)),
  );
  await registry.close();
  expect(invoked).toEqual(expected);
  const client = await createTestClient(where, { env: options.env });
  const tried = [];
  for (const [name, args] of calls) tried.push(plain((await client.call(name as never, args as never)).result));
  await client.close();
  expect(tried).toEqual(expected);
});

it('X4 X6 X7 tools in code have result texts, matched errors and tags', async () => {
  const server = await createServer({ name: 's', tools: [] });
  server.add({
    name: 'inline',
    description: 'x',
    tags: ['t'],
    parameters: { path: 'string' },
    output: { n: { type: 'integer', required: false } },
    resultText: '{{path}}: {{n}}',
    errors: { GONE: { match: ['E1'], message: 'Gone: {{path}}' } },
    handler: ({ path }, { tool }) => {
      if (path === 'x') throw Object.assign(new Error('x'), { code: 'E1' });
      return { n: tool.tags.length };
    },
  });
  const { url, close } = await server.serveHttp({ port: 0 });
  const call = async (path: string): Promise<unknown> => {
    const params = { name: 'inline', arguments: { path }, _meta: modern };
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'inline',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    return plain(((await response.json()) as { result: CallToolResult }).result);
  };
  expect(await call('p')).toEqual(data({ n: 1 }, 'p: 1'));
  expect(JSON.stringify(await call('x'))).toContain('Gone: x');
  await close();
});

it('X4 X5 X6 X7 tools give the same results when generated and checked, and one function serves two tools', async () => {
  expect(toolwright(where, 'generate')).toMatchObject({ status: 0, stderr: '' });
  expect(toolwright(where, 'generate', '--check')).toMatchObject({ status: 0 });
  symlinkSync(join(root, 'node_modules/typescript'), join(where, 'node_modules/typescript'), 'dir');
  expect(toolwright(where, 'typecheck')).toMatchObject({ status: 0 });
  expect(await overStdio(cli, ['start', 'ways', '--stdio'])).toEqual(expected);
});

it.each([
  ['a folder', [], 'ways.cjs'],
  ['a single file', ['--single-file'], 'ways.mjs'],
  ['external definitions', ['--definitions', 'external'], 'ways.cjs'],
])('X4 X5 X6 X7 tools give the same results when built as %s', async (_name, args, file) => {
  const out = mkdtempSync(join(folder, 'dist-'));
  expect(toolwright(where, 'build', '--out', out, ...args)).toMatchObject({ status: 0 });
  expect(await overStdio(join(out, file))).toEqual(expected);
});

it('X4 X6 `call` prints the result text and the matched error', () => {
  expect(toolwright(where, 'call', 'write', '{"path": "p"}').stdout).toContain('Wrote p');
  expect(toolwright(where, 'call', 'read_file', '{"path": "/nowhere/x"}').stderr).toContain('No /nowhere/x (ENOENT)');
});
