// The started command and real clients of both SDK lines: both transports, both eras, packs of TypeScript handlers.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadPack, type Program } from '../../../runtime/index.js';
import { writeFiles } from '../../harness/files.js';
import { httpAddressOf } from '../../harness/http-address.js';
import { type AnyClient, type Target, ways } from '../../harness/interop-clients.js';

const command = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const jira = fileURLToPath(new URL('../../../examples/jira', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'toolwright-interop-'));
const asking = join(folder, 'asking');
const children: ChildProcess[] = [];

const files = {
  'toolwright.yaml': 'name: asking\nversion: 2.3.4\n',
  'mcp/servers/asking.yaml': 'description: Asks\ninstructions: Call {{tool:order}} first.\n',
  'mcp/tools/order.yaml': `description: Orders a shirt
handler: src/order.ts
parameters: { buyer: string }
`,
  'mcp/tools/summary.yaml': 'description: Asks the model\nhandler: src/summary.ts\n',
  'mcp/tools/where.yaml': 'description: Names the folders of the client\nhandler: src/where.ts\n',
  'src/order.ts': `let placed = 0;
interface Args { buyer: string }
export default async ({ buyer }: Args, ctx: any): Promise<object> => {
  const id = await ctx.once('order', () => ++placed);
  const size = await ctx.elicit('size', { message: 'Which size?', schema: { size: { type: 'string', enum: ['S', 'M'] } } });
  if (size.action !== 'accept') return { text: 'nothing ordered' };
  const colour = await ctx.elicit('colour', { message: 'Which colour?', schema: { colour: { type: 'string' } } });
  return { id, text: \`\${buyer}: \${size.content.size}, \${colour.content?.colour ?? colour.action}\` };
};
`,
  'src/summary.ts': `export default async (_: object, ctx: any) => {
  const { text } = await ctx.sample('summary', { prompt: 'Summarise', maxTokens: 10 });
  return \`The model says: \${text}\`;
};
`,
  'src/where.ts': `export default async (_: object, ctx: any) => {
  const roots: readonly { uri: string }[] = await ctx.roots();
  return roots.map(root => root.uri).join(' ');
};
`,
};

let program: Program;
const urls = new Map<string, URL>();

/** The same server from its manifests and as a build. */
const forms = ['start', 'built'] as const;
type Form = (typeof forms)[number];

function wordsFor(form: Form, server: string): readonly string[] {
  return form === 'start' ? [command, 'start', server] : [join(folder, 'built', `${server}.cjs`), '--stdio'];
}

async function serve(form: Form, pack: string, server: string): Promise<URL> {
  const words = wordsFor(form, server).filter(word => word !== '--stdio');
  const child = spawn(process.execPath, [...words, '--http', '0'], {
    cwd: pack,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  return httpAddressOf(child);
}

function target(form: Form, pack: string, server: string): Target {
  const url = urls.get(`${form} ${pack}`);
  return {
    command: process.execPath,
    args: [...wordsFor(form, server)],
    cwd: pack,
    ...(url === undefined ? {} : { url }),
  };
}

beforeAll(async () => {
  writeFiles(asking, files);
  const loaded = await loadPack(jira);
  if (loaded.program === undefined) throw new Error('examples/jira does not load');
  program = loaded.program;
  const out = join(folder, 'built');
  for (const cwd of [jira, asking]) {
    const built = spawnSync(process.execPath, [command, 'build', '--out', out], { cwd, encoding: 'utf8' });
    if (built.status !== 0) throw new Error(built.stderr);
  }
  for (const form of forms) {
    urls.set(`${form} ${jira}`, await serve(form, jira, 'project-management'));
    urls.set(`${form} ${asking}`, await serve(form, asking, 'asking'));
  }
});

afterAll(async () => {
  await Promise.all(
    children.map(child => {
      const exit = new Promise(resolve => child.once('exit', resolve));
      child.kill();
      return exit;
    }),
  );
  rmSync(folder, { recursive: true, force: true });
});

const textOf = (result: Awaited<ReturnType<AnyClient['callTool']>>): string => {
  const [first] = result.content as { text?: string }[];
  return first?.text ?? '';
};

const cases = forms.flatMap(form => ways.map(way => ({ form, way, name: `${form}: ${way.name}` })));

describe.each(cases)('a started server with a $name', ({ form, way }) => {
  /** Of examples/jira; what tests do with it does not depend on what others did. */
  let client: AnyClient;
  /** Of a server that asks; this one can answer everything. */
  let able: AnyClient;
  const asked: unknown[] = [];
  beforeAll(async () => {
    client = await way.connect(target(form, jira, 'project-management'));
    able = await way.connect(target(form, asking, 'asking'), {
      elicit: ({ message }) => {
        asked.push(message);
        return { action: 'accept', content: message === 'Which size?' ? { size: 'M' } : { colour: 'red' } };
      },
      sample: () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'short' } }),
      roots: () => ({ roots: [{ uri: 'file:///work' }] }),
    });
  });
  afterAll(() => Promise.all([client.close(), able.close()]));

  it('W58 J55 M11 a real client lists what the manifests say, with the schemas of the authors', async () => {
    expect(client.getServerVersion()).toMatchObject({ name: 'project-management', title: 'Project management' });
    expect(client.getInstructions()).toContain('issue');
    const { tools } = await client.listTools();
    const [server] = program.servers;
    expect(tools.map(({ name }) => name)).toEqual(server?.tools.map(one => (one.from === 'own' ? one.name : '')));
    for (const tool of tools) {
      const own = program.tools.find(({ name }) => name === tool.name);
      // This client cannot ask its user, so that it is told how to pass consent on (C6).
      const consent = own?.definition.confirm === true ? { confirmed: expect.anything() } : {};
      const properties = { ...Object(own?.inputSchema['properties']), ...consent };
      expect(tool.inputSchema).toEqual({ ...own?.inputSchema, properties });
      expect(tool.outputSchema).toEqual(own?.outputSchema);
    }
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['issue-text', 'triage', 'release-notes']);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['jira://workflow']);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['jira://issue/{key}{?fields*}']);
  });

  it('J56 M25 W80 a real client gets data, declared errors, errors for bad arguments and for unknown names', async () => {
    const found = await client.callTool({ name: 'get-issue', arguments: { issueKey: 'SHOP-1' } });
    expect(found.structuredContent).toMatchObject({ key: 'SHOP-1', status: 'open' });
    const missing = await client.callTool({ name: 'get-issue', arguments: { issueKey: 'SHOP-99' } });
    expect(missing.isError).toBe(true);
    expect(JSON.parse(textOf(missing))).toMatchObject({ code: 'ISSUE_NOT_FOUND', status: 404, meta: {} });
    const wrong = await client.callTool({ name: 'get-issue', arguments: { isueKey: 'SHOP-1' } });
    expect(JSON.parse(textOf(wrong))).toMatchObject({ code: 'BAD_ARGUMENTS' });
    await expect(client.callTool({ name: 'nobody', arguments: {} })).rejects.toMatchObject({ code: -32602 });
  });

  it('W74 W76 J81 J83 a real client gets prompts, reads resources and completes arguments', async () => {
    const args = { complaint: 'It {{is}} broken' };
    const { messages } = await client.getPrompt({ name: 'issue-text', arguments: args });
    expect(JSON.stringify(messages)).toContain('It {{is}} broken');
    expect(JSON.stringify(messages)).toContain('search-issues');
    await expect(client.getPrompt({ name: 'issue-text' })).rejects.toMatchObject({ code: -32602 });
    const { contents } = await client.readResource({ uri: 'jira://issue/SHOP-2' });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ key: 'SHOP-2' });
    await expect(client.readResource({ uri: 'jira://nowhere' })).rejects.toMatchObject({
      message: expect.stringContaining('jira://nowhere'),
    });
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'triage' },
      argument: { name: 'issueKey', value: 'shop-' },
    });
    expect(completion.values).toEqual(['SHOP-1', 'SHOP-2', 'SHOP-3']);
  });

  it('C6 a handler may ask two questions one after the other, and what is done before them is done once', async () => {
    const first = await able.callTool({ name: 'order', arguments: { buyer: 'Ada' } });
    const second = await able.callTool({ name: 'order', arguments: { buyer: 'Bob' } });
    expect(asked).toEqual(['Which size?', 'Which colour?', 'Which size?', 'Which colour?']);
    expect(first.structuredContent).toMatchObject({ text: 'Ada: M, red' });
    const [one, two] = [first, second].map(({ structuredContent }) => (structuredContent as { id: number }).id);
    expect((two ?? 0) - (one ?? 0)).toBe(1);
  });

  it('C5 C6 C7 a handler may ask the model and for the roots, and has a fallback without the capability', async () => {
    expect(textOf(await able.callTool({ name: 'summary', arguments: {} }))).toBe('The model says: short');
    expect(textOf(await able.callTool({ name: 'where', arguments: {} }))).toBe('file:///work');
    const plain = await way.connect(target(form, asking, 'asking'));
    const relayed = await plain.callTool({ name: 'order', arguments: { buyer: 'Ada' } });
    expect(relayed.isError ?? false).toBe(false);
    expect(textOf(relayed)).toContain('Which size?');
    const summary = plain.callTool({ name: 'summary', arguments: {} });
    if (way.era === 'modern') await expect(summary).rejects.toMatchObject({ code: -32021 });
    else expect(JSON.parse(textOf(await summary))).toMatchObject({ code: 'CAPABILITY_MISSING' });
    await plain.close();
  });
});
