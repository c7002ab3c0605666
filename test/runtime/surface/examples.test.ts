// The examples as their servers offer them: loaded, run and read by the real parts.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createSeal } from '../../../runtime/call/context/seal.js';
import { createPackHost } from '../../../runtime/call/handlers/pack-host.js';
import type { PackHost } from '../../../runtime/call/ports.js';
import { load } from '../../../runtime/load/load.js';
import type { HandlerRef } from '../../../runtime/load/program.js';
import { aboutServer, surfaceOf } from '../../../runtime/server/surface-of.js';
import type { Surface } from '../../../runtime/surface/surface.js';
import { alone, entry, names, over, problem, request } from './surface-pack.js';

const reports: string[] = [];
const report = (text: string): number => reports.push(text);

function open(example: string, wanted?: string) {
  const folder = fileURLToPath(new URL(`../../../examples/${example}`, import.meta.url));
  const { program } = load(folder);
  const server = program?.servers.find(({ item }) => wanted === undefined || item === wanted);
  if (program === undefined || server === undefined) throw new Error(`${example} has no such server`);
  const { host: opened } = createPackHost(program, { env: {}, report });
  // Node's own loader is for processes of their own (host-import.test.ts); here the test runner's imports TypeScript.
  const find = async ({ path, export: name }: HandlerRef): Promise<unknown> =>
    (await import(`${folder}/${path}`))[name];
  let app: unknown;
  const host: PackHost = {
    ...opened,
    load: find,
    async app() {
      const { context } = program.pack;
      app ??= context === undefined ? undefined : ((await find(context)) as () => unknown)();
      return app;
    },
  };
  const seal = createSeal({ now: () => 0 });
  const surface = surfaceOf(aboutServer(server), alone(program, server), () => host, {
    seal,
    showCauses: false,
    report,
  });
  return { folder, surface };
}

const read = async (surface: Surface, uri: string) => (await over(surface.readResource(uri, request()))).contents[0];

afterAll(() => {
  expect(reports).toEqual([]);
});

describe('examples/jira', () => {
  const { folder, surface } = open('jira', 'project-management');

  it('C1 M11 W70 the model reads texts with the names that it can call', () => {
    expect(surface.info).toEqual({
      name: 'project-management',
      title: 'Project management',
      version: '1.2.0',
      description: 'Read and change issues',
    });
    expect(surface.instructions).toContain('Search with search-issues before creating anything with create-issue.');
    expect(surface.instructions).not.toContain('{{');
    expect(entry(surface, 'tools', 'create-issue')['description']).toBe(
      [
        'Create an issue in a project.',
        'When to use: The user reports something that no issue covers yet.',
        'Avoid if: search-issues finds an open issue about the same thing.',
        'Prerequisites: Know the project; list-projects lists them.',
        'Side effects:\n- Creates an issue\n- Notifies the assignee',
      ].join('\n\n'),
    );
    const written = JSON.parse(readFileSync(`${folder}/mcp/schemas/search-issues.json`, 'utf8'));
    expect(JSON.stringify(entry(surface, 'tools', 'search-issues')['inputSchema'])).toBe(JSON.stringify(written));
    expect(entry(surface, 'tools', 'delete-issue')['annotations']).toEqual({
      title: 'Delete issue',
      readOnlyHint: false,
      destructiveHint: true,
    });
    expect(names(surface, 'tools')).toHaveLength(8);
  });

  it('W58 tools are called with their shared context, and suggested fixes have final names', async () => {
    const { structuredContent } = await over(surface.callTool('get-issue', { issueKey: 'SHOP-1' }, request()));
    expect(structuredContent).toMatchObject({ key: 'SHOP-1' });
    const missing = await over(surface.callTool('get-issue', { issueKey: 'SHOP-999' }, request()));
    expect(JSON.stringify(missing)).toContain('Call search-issues to find the right key.');
  });

  it('W73 W74 W78 prompts of text, of a file and of messages are served', async () => {
    const text = await over(surface.getPrompt('issue-text', { complaint: 'It {{breaks}}' }, request()));
    expect(text.messages).toHaveLength(1);
    expect(JSON.stringify(text)).toContain('It {{breaks}}');
    expect(JSON.stringify(text)).toContain('list-projects lists them');
    const notes = await over(surface.getPrompt('release-notes', { version: '2.0', audience: 'developers' }, request()));
    expect(JSON.stringify(notes)).toContain('They are for developers');
    expect(JSON.stringify(notes)).toContain('Write {{name}} where');
    const { messages } = await over(surface.getPrompt('triage', { issueKey: 'SHOP-1' }, request()));
    expect(messages).toMatchObject([
      { role: 'user', content: { type: 'resource', resource: { uri: 'jira://workflow', mimeType: 'text/markdown' } } },
      { role: 'assistant' },
      { content: { type: 'resource_link', uri: 'jira://issue/SHOP-1', name: 'SHOP-1' } },
      { content: { text: expect.stringContaining('Read SHOP-1 with get-issue') } },
    ]);
  });

  it('J80 J81 resources by file and by handler are read', async () => {
    expect((await read(surface, 'jira://workflow'))?.text).toContain('# Workflow');
    const issue = await read(surface, 'jira://issue/SHOP-1');
    expect(issue).toMatchObject({ uri: 'jira://issue/SHOP-1', mimeType: 'application/json' });
    expect(JSON.parse(issue?.text ?? '')).toMatchObject({ key: 'SHOP-1', status: 'open' });
    const part = await read(surface, 'jira://issue/SHOP-1?fields=status');
    expect(JSON.parse(part?.text ?? '')).toEqual({ key: 'SHOP-1', status: 'open' });
    expect(await problem(() => surface.readResource('jira://issue/SHOP-999', request()))).toMatchObject({
      message: 'Resource not found: jira://issue/SHOP-999',
    });
  });

  it('J83 C8 completions by list and by handler answer', async () => {
    const complete = async (ref: Parameters<Surface['complete']>[0]['ref'], name: string, value: string) =>
      (await surface.complete({ ref, argument: { name, value }, context: {} }, request())).values;
    expect(await complete({ type: 'ref/prompt', name: 'triage' }, 'issueKey', 'shop-1')).toEqual(['SHOP-1']);
    const issue = { type: 'ref/resource', uri: 'jira://issue/{key}{?fields*}' } as const;
    expect(await complete(issue, 'key', 'shop')).toContain('SHOP-2');
    expect(await complete(issue, 'fields', 'S')).toEqual(['summary', 'status']);
  });

  it('W70 the other server of the pack has its own lists', () => {
    const { surface: reporting } = open('jira', 'reporting');
    expect(names(reporting, 'tools')).toEqual(['get-issue', 'search-issues', 'list-projects']);
    expect(names(reporting, 'prompts')).toEqual(['release-notes']);
    expect(reporting.instructions).toBe(
      'This server only reads.\n\nStart with search-issues; get-issue has the details of one issue.',
    );
  });
});

describe('examples/conformance', () => {
  const { folder, surface } = open('conformance');
  const pixel = readFileSync(`${folder}/assets/pixel.png`).toString('base64');

  it('C11 J55 schemas and headers reach clients as they were written', () => {
    expect(surface.list('tools').entries.length).toBeGreaterThan(25);
    const { inputSchema } = entry(surface, 'tools', 'json_schema_2020_12_tool');
    expect(Object.keys(inputSchema as object).slice(0, 3)).toEqual(['$schema', 'type', '$defs']);
    expect(JSON.stringify(entry(surface, 'tools', 'test_x_mcp_header')['inputSchema'])).toContain('"x-mcp-header"');
    expect(surface.offers).toEqual({ tools: true, prompts: true, resources: true, completions: true, subscribe: true });
  });

  it('J80 J81 static, binary and templated resources are read', async () => {
    expect(await read(surface, 'test://static-text')).toMatchObject({ mimeType: 'text/plain' });
    expect(await read(surface, 'test://static-binary')).toEqual({
      uri: 'test://static-binary',
      mimeType: 'image/png',
      blob: pixel,
    });
    const { text, mimeType } = (await read(surface, 'test://template/123/data')) ?? {};
    expect([mimeType, JSON.parse(text ?? '')]).toEqual([
      'application/json',
      { id: '123', templateTest: true, data: 'Data for ID: 123' },
    ]);
    expect(surface.resource('test://watched-resource')?.resource.definition.subscribe).toBe(true);
  });

  it('W76 W78 prompts with arguments, an image and a resource are served', async () => {
    const args = { arg1: 'hello', arg2: 'world' };
    const { messages } = await over(surface.getPrompt('test_prompt_with_arguments', args, request()));
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: "Prompt with arguments: arg1='hello', arg2='world'" } },
    ]);
    expect(await problem(() => surface.getPrompt('test_prompt_with_arguments', undefined, request()))).toMatchObject({
      code: -32602,
    });
    const image = await over(surface.getPrompt('test_prompt_with_image', {}, request()));
    expect(image.messages[0]).toEqual({
      role: 'user',
      content: { type: 'image', data: pixel, mimeType: 'image/png' },
    });
    const embedded = await over(
      surface.getPrompt('test_prompt_with_embedded_resource', { resourceUri: 'test://example' }, request()),
    );
    expect(embedded.messages[0]).toMatchObject({ content: { type: 'resource', resource: { uri: 'test://example' } } });
  });

  it('W73 a prompt may ask before it answers', async () => {
    const client = { name: 'c', version: '1', capabilities: { elicitation: {} } };
    const name = 'test_input_required_result_prompt';
    const first = await surface.getPrompt(name, {}, request({ client }));
    if (!('asking' in first)) throw new Error('nothing is asked');
    const answers = { user_context: { action: 'accept', content: { context: 'tests' } } };
    const { messages } = await over(
      surface.getPrompt(name, {}, request({ client, answers, state: first.asking.state })),
    );
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Use the following context: tests' } }]);
  });
});
