// `toolwright/testing` as authors use it: from the packed package, under vitest, in a folder of its own.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeFiles } from '../../harness/files.js';
import { unpackInto } from '../../harness/packed-package.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright testing ünï-')));
let installed = '';

const files: Readonly<Record<string, string>> = {
  'package.json': '{"name": "@acme/notes", "version": "1.0.0", "type": "module"}',
  'tsconfig.json':
    '{"compilerOptions": {"strict": true, "module": "nodenext", "target": "es2023", "types": [], "skipLibCheck": true, "noEmit": true}, "include": ["src", "notes.test.ts", "typed.ts"]}',
  'toolwright.yaml':
    'context: src/context.ts#create\nconfig:\n  NOTES_TOKEN: { type: string, secret: true, description: Of the service }\n',
  'mcp/servers/notes.yaml': 'description: Notes\ninstructions: Call read-note first.\n',
  'mcp/tools/read-note.yaml': [
    'description: Read a note.',
    'parameters: { id: { type: integer, minimum: 1 }, style: { type: string, default: short } }',
    'output: { text: string, style: string }',
    'errors: { NO_NOTE: { message: There is no such note, status: 404 } }',
  ].join('\n'),
  'mcp/tools/ask-user.yaml': 'description: Ask.\n',
  'mcp/tools/secret.yaml': 'description: Needs a token.\nrequires: { NOTES_TOKEN: required }\n',
  'mcp/tools/fails.yaml': 'description: Fails.\n',
  'mcp/prompts/note-text.yaml':
    'description: A note.\narguments: { topic: { required: true, complete: [login, logout] } }\ntext: "Write about {{topic}}."\n',
  'mcp/resources/rules.yaml': 'uri: doc://rules\ndescription: Rules\ntext: Be short.\n',
  'mcp/resources/note.yaml': 'uriTemplate: note://{id}\ndescription: A note\nhandler: src/note.ts\n',
  'src/context.ts':
    "export interface Notes { find(id: number): string | undefined }\nexport const create = (): Notes => { throw new Error('the real service'); };\n",
  'src/note.ts': 'export default ({ id }: { id: string }): string => `note ${id}`;\n',
  'src/shout.ts': 'export const shout = (text: string): string => text.toUpperCase();\n',
  'src/tools/read-note.ts': [
    "import { tools } from '../../generated/index.js';",
    "import { shout } from '../shout.js';",
    'export default tools.readNote(async ({ id, style }, ctx) => {',
    "  ctx.log.info('reading', { id });",
    '  ctx.progress(1, 2);',
    '  const text = ctx.app.find(id);',
    '  if (text === undefined) throw ctx.errors.NO_NOTE();',
    '  return { text: shout(text), style };',
    '});',
  ].join('\n'),
  'src/tools/ask-user.ts': [
    "import { tools } from '../../generated/index.js';",
    'export default tools.askUser(async (_, ctx) => {',
    "  const answer = await ctx.elicit('size', { message: 'Which size?', schema: { size: { type: 'string' } } });",
    '  return JSON.stringify(answer);',
    '});',
  ].join('\n'),
  'src/tools/secret.ts': "export default (): string => 'open';\n",
  'src/tools/fails.ts': "export default (): never => { throw new Error('on purpose'); };\n",
  'typed.ts': [
    "import { createTestClient, type TestClient } from 'toolwright/testing';",
    "import type { Tool_Calls } from './generated/index.js';",
    "const client: TestClient<Tool_Calls> = await createTestClient<Tool_Calls>('.');",
    "const found = await client.call('read-note', { id: 1 });",
    'if (found.ok) {',
    '  const text: string = found.value.text;',
    '  // @ts-expect-error: the output has no such property',
    '  found.value.title;',
    '  void text;',
    '}',
    "await client.call('ask-user');",
    "await client.call('read-note', { id: 1, style: 'long' }, { requestId: 'r' });",
    "await client.call('acme/other/anything', { x: 1 });",
    '// @ts-expect-error: there is no such tool',
    "await client.call('read-notes', { id: 1 });",
    '// @ts-expect-error: id is a number',
    "await client.call('read-note', { id: 'one' });",
    '// @ts-expect-error: id is missing',
    "await client.call('read-note');",
    "type Names = Parameters<TestClient<Tool_Calls>['call']>[0];",
    "const name: Names = 'read-note';",
    "const plain: TestClient = await createTestClient('.');",
    "const untyped = await plain.call<{ n: number }>(name as string, { any: 'thing' });",
    'if (untyped.ok) untyped.value.n.toFixed();',
    "const { values } = await client.complete({ ref: { type: 'ref/prompt', name: 'note-text' }, argument: { name: 'topic', value: 'l' } });",
    'values.map(value => value.length);',
    'await client.close();',
  ].join('\n'),
  'notes.test.ts': [
    "import { createTestClient, type TestClient } from 'toolwright/testing';",
    "import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';",
    "import type { App, ReadNoteInput, ReadNoteOutput } from './generated/index.js';",
    "const app: App = { find: id => (id === 1 ? 'hello' : undefined) };",
    "vi.mock('./src/shout.js', () => ({ shout: (text: string) => `mocked ${text}` }));",
    'let client: TestClient;',
    "beforeAll(async () => { client = await createTestClient('.', { app }); });",
    'afterAll(() => client.close());',
    "describe('notes', () => {",
    "  it('lists', () => {",
    "    expect(client.server).toEqual({ name: 'notes', version: '1.0.0', instructions: 'Call read-note first.' });",
    "    expect(client.tools().map(tool => tool.name).sort()).toEqual(['ask-user', 'fails', 'read-note', 'secret']);",
    "    expect(client.prompts()).toMatchObject([{ name: 'note-text' }]);",
    "    expect(client.resources()).toMatchObject([{ uri: 'doc://rules' }]);",
    "    expect(client.resourceTemplates()).toMatchObject([{ uriTemplate: 'note://{id}' }]);",
    '  });',
    "  it('calls with its own app', async () => {",
    '    const input: ReadNoteInput = { id: 1 };',
    "    const answer = await client.call<ReadNoteOutput>('read-note', input);",
    '    if (!answer.ok) throw new Error(answer.error.message);',
    '    const text: string = answer.value.text;',
    "    expect([text, answer.value.style]).toEqual(['HELLO', 'short']);",
    "    expect(answer.logs).toEqual([{ level: 'info', message: 'reading', data: { id: 1 } }]);",
    '    expect(answer.progress).toMatchObject([{ done: 1, total: 2 }]);',
    '  });',
    "  it('gives errors as clients get them', async () => {",
    "    expect(await client.call('read-note', { id: 7 })).toMatchObject({ ok: false, error: { code: 'NO_NOTE', status: 404 } });",
    "    expect(await client.call('read-note', { id: 0 })).toMatchObject({ ok: false, error: { code: 'BAD_ARGUMENTS' } });",
    "    expect(await client.call('nope')).toMatchObject({ ok: false, error: { code: 'UNKNOWN_TOOL' } });",
    "    expect(await client.call('fails')).toMatchObject({ error: { message: expect.stringContaining('on purpose') } });",
    '  });',
    "  it('sees only the environment it is given', async () => {",
    "    expect(await client.call('secret')).toMatchObject({ error: { code: 'CONFIG_MISSING' } });",
    "    await using other = await createTestClient('.', { app, env: { NOTES_TOKEN: 'test-token' } });",
    "    expect(await other.call('secret')).toMatchObject({ ok: true, value: 'open' });",
    '  });',
    "  it('answers questions', async () => {",
    "    const elicit = vi.fn(() => ({ action: 'accept' as const, content: { size: 'M' } }));",
    "    await using other = await createTestClient('.', { app, elicit });",
    '    expect(await other.call(\'ask-user\')).toMatchObject({ ok: true, value: expect.stringContaining(\'"size":"M"\') });',
    '    expect(elicit).toHaveBeenCalledOnce();',
    "    expect(await client.call('ask-user')).toMatchObject({ ok: false, error: { code: 'UNANSWERED' } });",
    '  });',
    "  it('reads prompts and resources', async () => {",
    "    expect((await client.getPrompt('note-text', { topic: 'cats' })).text).toBe('Write about cats.');",
    "    await expect(client.getPrompt('note-text')).rejects.toThrow('needs the argument topic');",
    "    expect((await client.readResource('doc://rules')).text).toBe('Be short.');",
    "    expect((await client.readResource('note://7')).text).toBe('note 7');",
    "    await expect(client.readResource('doc://nothing')).rejects.toThrow();",
    "    const ref = { type: 'ref/prompt', name: 'note-text' } as const;",
    "    expect((await client.complete({ ref, argument: { name: 'topic', value: 'logo' } })).values).toEqual(['logout']);",
    '  });',
    "  it('loads modules through vitest where it is asked to', async () => {",
    "    await using mocked = await createTestClient('.', { app, load: path => import(path) });",
    "    expect(await mocked.call('read-note', { id: 1 })).toMatchObject({ value: { text: 'mocked hello' } });",
    '  });',
    "  it('builds the real context where no app is given', async () => {",
    "    await using real = await createTestClient('.');",
    "    expect(await real.call('read-note', { id: 1 })).toMatchObject({ error: { message: expect.stringContaining('the real service') } });",
    '  });',
    "  it('tells what is wrong with a pack, a server or a call after the end', async () => {",
    "    await expect(createTestClient('nowhere')).rejects.toThrow(/toolwright\\.yaml/);",
    "    await expect(createTestClient('.', { server: 'note' })).rejects.toThrow(/notes/);",
    "    const other = await createTestClient('.', { app });",
    '    await other.close();',
    "    expect(await other.call('read-note', { id: 1 })).toMatchObject({ ok: false, error: { code: 'CLOSED' } });",
    '  });',
    '});',
  ].join('\n'),
};

beforeAll(() => {
  writeFiles(folder, Object.fromEntries(Object.entries(files).map(([file, text]) => [file, `${text.trimEnd()}\n`])));
  installed = unpackInto(folder);
  const made = run([join(installed, 'dist/cli/main.js'), 'generate']);
  expect(made.stdout + made.stderr).toContain('created');
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(args: readonly string[]) {
  const { VITEST: _, ...env } = process.env;
  return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env });
}

describe('toolwright/testing', () => {
  it('P24 M33 toolwright/testing runs the tests of an author under vitest, with an app of their own', () => {
    const { status, stdout, stderr } = run([
      join(folder, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--root',
      folder,
      '--reporter=verbose',
    ]);
    expect(`${status}\n${status === 0 ? '' : stdout + stderr}`).toBe('0\n');
    expect(stdout).toMatch(/Tests\s+.*9 passed/);
  }, 120_000);

  it.each([
    ['TypeScript 5.9', 'typescript'],
    ['TypeScript 7', 'typescript7'],
  ])(
    'P24 fix-N32 the types of toolwright/testing fit what is generated, and Tool_Calls types every call, with %s',
    (_, name) => {
      const compiler = join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin/tsc');
      const { status, stdout } = run([compiler, '-p', '.']);
      expect(`${status}\n${stdout}`).toBe('0\n');
    },
    120_000,
  );
});
