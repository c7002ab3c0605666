// What handlers know of the connection and the request that they serve, with real clients of both lines, however the server was started.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeFiles } from '../../harness/files.js';
import { httpAddressOf } from '../../harness/http-address.js';
import { type AnyClient, type Target, ways } from '../../harness/interop-clients.js';

const command = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'toolwright-connections-'));
const pack = join(folder, 'pack');
const children: ChildProcess[] = [];
const about = `const { sessionId, request } = ctx;
  return JSON.stringify({ sessionId, ...request });`;

const files = {
  'toolwright.yaml': 'name: connections\nversion: 1.0.0\n',
  'package.json': '{ "name": "connections", "version": "1.0.0", "type": "module" }\n',
  'mcp/servers/main.yaml': 'description: Tells what it knows\nhttp: { headers: [x-tenant, x-absent] }\n',
  'mcp/tools/about.yaml': 'description: Tells what came with the request\nhandler: src/about.ts\n',
  'mcp/tools/where.yaml': 'description: Names the folders\nhandler: src/where.ts\n',
  'mcp/tools/through.yaml': 'description: Names the folders through another tool\nhandler: src/through.ts\n',
  'mcp/resources/about.yaml': 'uri: about://request\ndescription: The same as a resource\nhandler: src/resource.ts\n',
  'mcp/resources/note.yaml': `uriTemplate: note://{id}
title: Note
description: A note
mimeType: text/plain
handler: src/note.ts
list: src/note.ts#list
`,
  'src/note.ts': `export default ({ id }: { id: string }) => \`note \${id}\`;
let listed = 0;
export const list = async (ctx: any) => {
  listed += 1;
  return ['note://a', { uri: \`note://\${listed}\`, name: ctx.client.name, title: 'Latest' }];
};
`,
  'src/about.ts': `export default (_: object, ctx: any) => {\n  ${about}\n};\n`,
  'src/resource.ts': `export default (_: object, ctx: any) => {\n  ${about}\n};\n`,
  'src/where.ts': `export default async (_: object, ctx: any) => {
  const roots: readonly { uri: string }[] = await ctx.roots();
  return roots.map(root => root.uri).join(' ');
};
`,
  'src/through.ts': `export default async (_: object, ctx: any) => {
  const { content } = await ctx.call('where');
  return content[0].text;
};
`,
};

const forms = {
  start: [command, 'start', 'main'],
  'start through the SDK': [command, 'start', 'main', '--protocol', 'sdk'],
  dev: [command, 'dev', 'main'],
  built: [join(folder, 'built', 'main.cjs')],
};
type Form = keyof typeof forms;
const urls = new Map<Form, URL>();

beforeAll(async () => {
  writeFiles(pack, files);
  const args = [command, 'build', '--out', join(folder, 'built')];
  const built = spawnSync(process.execPath, args, { cwd: pack, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(built.stderr);
  for (const [form, words] of Object.entries(forms)) {
    const child = spawn(process.execPath, [...words, '--http', '0'], {
      cwd: pack,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    children.push(child);
    urls.set(form as Form, await httpAddressOf(child));
  }
});

afterAll(async () => {
  await Promise.all(children.map(child => new Promise(resolve => child.once('exit', resolve) && child.kill())));
  rmSync(folder, { recursive: true, force: true });
});

function target(form: Form): Target {
  const url = urls.get(form);
  if (url === undefined) throw new Error(`${form} was not started`);
  const headers = { 'X-Tenant': 'acme', 'X-Other': 'not named', Authorization: 'Bearer secret' };
  return { command: process.execPath, args: [...forms[form], '--stdio'], cwd: pack, url, headers };
}

const textOf = ({ content }: Awaited<ReturnType<AnyClient['callTool']>>): string => {
  const [first] = content as { text?: string }[];
  return first?.text ?? '';
};

const cases = (Object.keys(forms) as Form[]).flatMap(form =>
  ways.map(way => ({ form, way, name: `${form}: ${way.name}` })),
);

describe.each(cases)('a server as $name', ({ form, way }) => {
  it('X8 X15 the server tells handlers the connection, the headers that it names, and _meta', async () => {
    const client = await way.connect(target(form));
    const _meta = { 'acme/trace': 'abc' };
    const result = await client.callTool({ name: 'about', arguments: {}, _meta });
    const read = await client.readResource({ uri: 'about://request', _meta });
    const [contents] = read.contents as { text: string }[];
    for (const text of [textOf(result), contents?.text ?? '']) {
      const { sessionId, headers, meta } = JSON.parse(text);
      expect(headers).toEqual(way.transport === 'http' ? { 'x-tenant': 'acme' } : {});
      expect(meta).toMatchObject(_meta);
      if (way.era === 'modern') expect(sessionId).toBeUndefined();
      else expect(sessionId).toMatch(way.transport === 'http' ? /^[0-9a-f-]{36}$/ : /^stdio$/);
    }
    const other = await way.connect(target(form));
    const [one, two] = [textOf(result), textOf(await other.callTool({ name: 'about', arguments: {} }))];
    const isOwn = way.era === 'legacy' && way.transport === 'http';
    expect(JSON.parse(one).sessionId !== JSON.parse(two).sessionId).toBe(isOwn);
    await Promise.all([client.close(), other.close()]);
  });

  it('X13 the server lists resources that only code knows, beside those of manifests', async () => {
    const client = await way.connect(target(form));
    const [first, second] = [await client.listResources(), await client.listResources()];
    const [about, a, latest] = first.resources;
    const shared = { description: 'A note', mimeType: 'text/plain' };
    expect(about).toMatchObject({ uri: 'about://request' });
    expect(a).toEqual({ uri: 'note://a', name: 'note://a', title: 'Note', ...shared });
    expect(latest).toMatchObject({ name: 'interop', title: 'Latest', ...shared });
    // Asked anew, code says what there is now.
    expect(second.resources[2]?.uri).not.toBe(latest?.uri);
    const read = await client.readResource({ uri: 'note://a' });
    expect(read.contents).toMatchObject([{ uri: 'note://a', text: 'note a' }]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['note://{id}']);
    await client.close();
  });

  it('X11 the server asks a client of 2025 for its folders once, and again after they changed', async () => {
    let asked = 0;
    const roots = (): object => {
      asked += 1;
      return { roots: [{ uri: `file:///${asked}` }] };
    };
    const client = await way.connect(target(form), { roots });
    const where = async (name: string): Promise<string> => textOf(await client.callTool({ name, arguments: {} }));
    if (way.era === 'modern') {
      expect([await where('where'), await where('where'), asked]).toEqual(['file:///1', 'file:///2', 2]);
      await client.close();
      return;
    }
    // Nobody can be asked inside a call; what is known already can be used there.
    expect(await where('through')).toContain('QUESTION_IN_CALL');
    expect([await where('where'), await where('where'), await where('through')]).toEqual(Array(3).fill('file:///1'));
    await client.sendRootsListChanged();
    expect([await where('where'), await where('through'), asked]).toEqual(['file:///2', 'file:///2', 2]);
    await client.close();
  });
});
