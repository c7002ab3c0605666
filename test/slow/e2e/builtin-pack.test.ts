// The built-in pack, served by the built command to a real client: from this folder, and from the packed package.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isMap } from '../../../schema/document.js';
import { writeFiles } from '../../harness/files.js';
import { unpackInto } from '../../harness/packed-package.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'toolwright-builtin-'));
const project = join(folder, 'project');
const clients: Client[] = [];

async function connect(packageFolder: string, env: Readonly<Record<string, string>> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const args = [join(packageFolder, 'dist/cli/main.js'), 'start', '--cwd', join(packageFolder, 'builtin')];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    cwd: project,
    env: { PATH: process.env['PATH'] ?? '', TOOLWRIGHT_CACHE: join(folder, 'cache'), ...env },
    stderr: 'pipe',
  });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  clients.push(client);
  return client;
}

/** The structured result of a call, or the code of its error. */
async function call(client: Client, name: string, args: object = {}): Promise<Readonly<Record<string, unknown>>> {
  const result = await client.callTool({ name, arguments: { ...args } });
  if (result.isError !== true) return isMap(result.structuredContent) ? result.structuredContent : {};
  const error = result._meta?.['toolwright/error'];
  return isMap(error) ? error : {};
}

let client: Client;

beforeAll(async () => {
  writeFiles(project, {
    'toolwright.yaml': 'name: desk\nversion: 2.0.0\n',
    'mcp/servers/main.yaml': 'description: The desk\n',
    'mcp/tools/ping.yaml': 'description: Answer.\n',
    'mcp/prompts/ping.yaml': 'description: Ask.\ntext: Hello\n',
    'mcp/tools.yaml': 'ping: { description: Shadowed. }\n',
    'packs/bad/toolwright.yaml': 'colour: red\n',
    'packs/unusable/toolwright.yaml': 'tools: [\n',
    'packs/many/toolwright.yaml': Array.from({ length: 30 }, (_, index) => `unknown${index}: 1\n`).join(''),
    'docs/readme.md': 'no pack\n',
    'node_modules/@acme/jira/toolwright.yaml': 'name: acme/jira\n',
    'node_modules/@acme/jira/package.json': '{"name": "@acme/jira", "version": "3.1.0"}',
    'package.json': '{"name": "desk", "version": "2.0.0", "dependencies": {"@acme/jira": "*"}}',
    'node_modules/@acme/jira/mcp/servers/tracker.yaml': 'description: Issues\n',
    'node_modules/@acme/jira/mcp/tools/get-issue.yaml': 'description: Get an issue.\n',
  });
  writeFiles(join(folder, 'secret'), {
    'toolwright.yaml': 'name: secret\n',
    'mcp/tools/hidden.yaml': 'description: TOP SECRET\n',
  });
  symlinkSync(join(folder, 'secret'), join(project, 'packs/linked'));
  client = await connect(root);
});
afterAll(async () => {
  for (const one of clients) await one.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('W96 the built-in pack', () => {
  it('W96 the built-in pack has the version of the package', () => {
    const version: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
    expect(readFileSync(join(root, 'builtin/toolwright.yaml'), 'utf8')).toContain(`\nversion: ${version}\n`);
  });

  it('W96 F20 the built-in server lists its tools with schemas and advice, and only five do more than read', async () => {
    const { tools } = await client.listTools();
    const lookers = ['list_servers', 'inspect_server', 'explain_item', 'describe_schema'];
    const writers = ['add_item', 'rename_item', 'generate_pack', 'write_docs'];
    expect(tools.map(({ name }) => name)).toEqual([
      ...lookers,
      ...writers,
      'check_pack',
      'typecheck_pack',
      'run_tests',
    ]);
    const readers = [...lookers, 'check_pack', 'typecheck_pack'];
    for (const { name, annotations, outputSchema, description } of tools) {
      const isReader = readers.includes(name);
      expect(annotations).toMatchObject({ readOnlyHint: isReader, openWorldHint: name === 'run_tests' });
      expect(outputSchema).toBeDefined();
      expect(description).toMatch(/\bWhen to use:/);
      if (isReader) expect(description).toMatch(/\bReads\b/);
    }
    expect(tools.find(({ name }) => name === 'run_tests')?.description).toContain('This runs the code of the pack');
    expect(client.getInstructions()).toContain('check_pack');
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['new_tool', 'review_descriptions']);
  });

  it('W96 check_pack reports the items of the surrounding pack', async () => {
    expect(await call(client, 'check_pack')).toMatchObject({
      ok: true,
      pack: 'desk',
      version: '2.0.0',
      items: { servers: ['main'], tools: ['ping'], prompts: ['ping'], resources: [] },
      omitted: 0,
    });
  });

  it('W96 check_pack reports mistakes with their positions, and no more than were asked for', async () => {
    expect(await call(client, 'check_pack', { pack: 'packs/bad' })).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'validate/unknown-key', severity: 'error', file: 'toolwright.yaml', line: 1, column: 1 }],
    });
    const many = await call(client, 'check_pack', { pack: 'packs/many', limit: 7 });
    expect(many['diagnostics']).toHaveLength(7);
    expect(many['omitted']).toBe(23);
  });

  it('W96 check_pack and explain_item accept installed packs by name and files of a pack', async () => {
    expect(await call(client, 'check_pack', { pack: 'acme/jira' })).toMatchObject({ ok: true, version: '3.1.0' });
    expect(await call(client, 'check_pack', { pack: 'mcp/tools/ping.yaml' })).toMatchObject({ pack: 'desk' });
    expect(await call(client, 'explain_item', { pack: '@acme/jira', item: 'get-issue' })).toMatchObject({
      kind: 'tool',
      definition: { description: 'Get an issue.' },
    });
  });

  it('W96 list_servers lists the servers of the project, of installed packs and its own', async () => {
    const all = await call(client, 'list_servers');
    expect(all['servers']).toMatchObject([
      { name: 'desk/main', version: '2.0.0', source: 'project', transport: 'stdio', tools: 1, prompts: 1 },
      { name: 'acme/jira/tracker', version: '3.1.0', source: 'installed', tools: 1 },
      { name: 'pack-development', source: 'builtin', tools: 11 },
    ]);
    const some = await call(client, 'list_servers', { pattern: 'acme/*' });
    expect(some['servers']).toMatchObject([{ name: 'acme/jira/tracker' }]);
  });

  it('W96 explain_item says what wins and what is shadowed', async () => {
    expect(await call(client, 'explain_item', { item: 'tool:ping' })).toMatchObject({
      item: 'ping',
      kind: 'tool',
      winner: { file: 'mcp/tools/ping.yaml', line: 1 },
      shadowed: [{ file: 'mcp/tools.yaml', line: 1 }],
      definition: { description: 'Answer.' },
    });
  });

  it('W96 explain_item reports an unknown, ambiguous or broken item', async () => {
    expect(await call(client, 'explain_item', { item: 'pong' })).toMatchObject({ code: 'UNKNOWN_ITEM' });
    expect(await call(client, 'explain_item', { item: 'ping' })).toMatchObject({
      code: 'AMBIGUOUS_ITEM',
      meta: { candidates: ['tool:ping', 'prompt:ping'] },
    });
    expect(await call(client, 'explain_item', { item: 'x', pack: 'packs/unusable' })).toMatchObject({
      code: 'BROKEN_PACK',
    });
  });

  it('W96 W61 the built-in tools escape what other packs hide in their texts', async () => {
    const name = 'hides\u200b';
    writeFiles(join(folder, 'hiding'), {
      'toolwright.yaml': 'name: desk\n',
      'mcp/tools/ping.yaml': 'title: "Ping\\u202e"\ndescription: "Pings\\u200b it.\\nTwice."\n',
      [`mcp/servers/${name}.yaml`]: 'description: "Serves\u{e0041} it"\n',
    });
    const other = await connect(root, { TOOLWRIGHT_PROJECT: join(folder, 'hiding') });
    const told = [await call(other, 'explain_item', { item: 'ping' }), await call(other, 'list_servers')];
    expect(JSON.stringify(told)).toContain('Pings\\\\u200b it.\\nTwice.');
    expect(JSON.stringify(told)).not.toMatch(/[\u200b\u202e]|\u{e0041}/u);
  });

  it('W96 describe_schema describes files and single keys', async () => {
    const file = await call(client, 'describe_schema', { kind: 'tool' });
    const names = Array.isArray(file['keys']) ? file['keys'].map(({ name }) => name) : [];
    expect(names).toEqual(expect.arrayContaining(['description', 'parameters', 'guidelines', 'effect']));
    expect(await call(client, 'describe_schema', { kind: 'tool', field: 'effect' })).toMatchObject({
      type: 'string',
      values: ['read', 'write', 'destructive'],
    });
    expect(await call(client, 'describe_schema', { kind: 'pack', field: 'config.*.secret' })).toMatchObject({
      type: 'boolean',
    });
    expect(await call(client, 'describe_schema', { kind: 'tool', field: 'enabled.x' })).toMatchObject({
      code: 'UNKNOWN_FIELD',
    });
    expect(await call(client, 'describe_schema', { kind: 'tool', field: '__proto__' })).toMatchObject({
      code: 'UNKNOWN_FIELD',
    });
  });

  const outside = ['..', '../secret', '/etc', 'packs/../../secret', 'packs/linked', 'packs/linked/mcp', '/'];
  it.each(outside)('W96 W61 a model cannot look out of the project by %j', async pack => {
    for (const [name, args] of [
      ['check_pack', { pack }],
      ['explain_item', { pack, item: 'hidden' }],
    ] as const) {
      const answer = await call(client, name, args);
      expect(answer).toMatchObject({ code: 'OUTSIDE_PROJECT' });
      expect(JSON.stringify(answer)).not.toContain('SECRET');
    }
  });

  const nothing = [
    'docs-that-are-not-there',
    'nobody/here',
    '@nobody/here',
    'a/b/c',
    'x\0y',
    'node_modules/@acme/none',
  ];
  it.each(nothing)('W96 check_pack reports that there is no pack %j', async pack => {
    expect(await call(client, 'check_pack', { pack })).toMatchObject({ code: 'PACK_NOT_FOUND' });
  });

  it('W96 the operator decides which project is looked at', async () => {
    const other = await connect(root, { TOOLWRIGHT_PROJECT: join(folder, 'secret') });
    expect(await call(other, 'check_pack')).toMatchObject({ pack: 'secret' });
    expect(await call(other, 'check_pack', { pack: '../project' })).toMatchObject({ code: 'OUTSIDE_PROJECT' });
  });

  it('W96 the built-in server works from the packed package, without sources', async () => {
    mkdirSync(join(folder, 'installed'));
    const installed = unpackInto(join(folder, 'installed'));
    expect(readdirSync(join(installed, 'builtin')).sort()).toEqual(['dist', 'generated', 'mcp', 'toolwright.yaml']);
    const packed = await connect(installed);
    expect(await call(packed, 'check_pack')).toMatchObject({ ok: true, pack: 'desk' });
    expect(await call(packed, 'explain_item', { item: 'tool:ping' })).toMatchObject({ kind: 'tool' });
    expect(await call(packed, 'describe_schema', { kind: 'prompt' })).toMatchObject({ kind: 'prompt' });
    expect(await call(packed, 'list_servers')).toHaveProperty('servers');
  }, 60_000);
});
