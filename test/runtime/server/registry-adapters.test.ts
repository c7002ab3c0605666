// M35: one manifest, several surfaces. What MCP clients list, code lists and providers get is the same.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createRegistry, createServer, ToolError } from '../../../runtime/index.js';
import { load } from '../../../runtime/load/load.js';
import { shop, writeFolder } from '../packs/code-packs.js';

const report = (): void => {};
const env = { SHOP_TOKEN: 'a-long-secret-token' };
const folder = writeFolder(shop);
const registry = await createRegistry(folder, { env, report });
afterAll(() => registry.close());

const byName = <T extends { name: string }>(list: readonly T[]): Map<string, T> =>
  new Map(list.map(one => [one.name, one]));
const validName = /^[a-zA-Z0-9_-]{1,64}$/;

describe('adapters of the registry', () => {
  it('M35 the registry lists the tools of the program, byte for byte', () => {
    const { program } = load(folder);
    expect(registry.list().map(({ item }) => item)).toEqual(program?.tools.map(({ item }) => item));
    for (const [index, tool] of registry.list().entries()) {
      const linked = program?.tools[index];
      expect(tool.name).toBe(linked?.name);
      expect(JSON.stringify(tool.inputSchema)).toBe(JSON.stringify(linked?.inputSchema));
      expect(JSON.stringify(tool.outputSchema)).toBe(JSON.stringify(linked?.outputSchema));
    }
  });

  it('M35 all adapters have the same tools, schemas and texts', () => {
    const anthropic = registry.anthropic();
    const openai = registry.openai();
    const responses = registry.openaiResponses();
    const aiSdk = registry.aiSdk();
    const tools = registry.list();
    expect(tools.length).toBe(11);
    const names = anthropic.map(({ name }) => name);
    expect(openai.map(one => one.function.name)).toEqual(names);
    expect(responses.map(({ name }) => name)).toEqual(names);
    expect(Object.keys(aiSdk)).toEqual(names);
    for (const [index, tool] of tools.entries()) {
      const schemas = [
        anthropic[index]?.input_schema,
        openai[index]?.function.parameters,
        responses[index]?.parameters,
        aiSdk[names[index] ?? '']?.inputSchema.jsonSchema,
      ];
      for (const schema of schemas) expect(JSON.stringify(schema)).toBe(JSON.stringify(tool.inputSchema));
      const texts = [
        anthropic[index]?.description,
        openai[index]?.function.description,
        responses[index]?.description,
        aiSdk[names[index] ?? '']?.description,
      ];
      for (const text of texts) expect(text).toBe(tool.description);
      expect(names[index]).toMatch(validName);
      expect(registry.toolName(names[index] ?? '')).toBe(tool.name);
    }
  });

  it('M35 descriptions have the guidelines and the final names of tools', () => {
    const tools = byName(registry.anthropic());
    expect(tools.get('shop_find')?.description).toContain('The user names an article.');
    expect(tools.get('order')?.description).toBe('Order an article, see shop.find.');
  });

  it('M35 every adapter has the shape that its API documents', () => {
    expect(registry.anthropic()[1]).toEqual({
      name: 'order',
      description: 'Order an article, see shop.find.',
      input_schema: expect.objectContaining({ type: 'object', required: ['article'] }),
    });
    expect(registry.openai()[1]).toEqual({
      type: 'function',
      function: {
        name: 'order',
        description: 'Order an article, see shop.find.',
        parameters: expect.objectContaining({ type: 'object' }),
      },
    });
    expect(registry.openaiResponses()[1]).toEqual({
      type: 'function',
      name: 'order',
      description: 'Order an article, see shop.find.',
      parameters: expect.objectContaining({ type: 'object' }),
      strict: false,
    });
  });

  it('M35 definitions are JSON, and a caller may change its own copy', () => {
    for (const list of [registry.anthropic(), registry.openai(), registry.openaiResponses()]) {
      expect(JSON.parse(JSON.stringify(list))).toEqual(list);
    }
    const [mine] = registry.anthropic();
    if (mine !== undefined) mine.input_schema['properties'] = { spoilt: true };
    expect(JSON.stringify(registry.anthropic())).not.toContain('spoilt');
    expect(JSON.stringify(registry.list())).not.toContain('spoilt');
  });

  it('M48 every tool has a description, refuses junk and serialises', async () => {
    for (const tool of registry.list()) {
      expect(tool.description).not.toBe('');
      expect(tool.inputSchema['type']).toBe('object');
      for (const junk of [null, [], 'text', 7, { 'no such argument': 1 }]) {
        expect([tool.name, await registry.validate(tool.name, junk)]).toMatchObject([
          tool.name,
          { ok: false, error: { code: 'BAD_ARGUMENTS' } },
        ]);
      }
    }
  });
});

describe('registries of the examples', () => {
  const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));

  it.each(['jira', 'weather', 'conformance', 'git', 'library'])(
    'M48 %s: every tool has a description, serialises and refuses junk',
    async name => {
      await using example = await createRegistry(join(examples, name), { env: {}, report });
      expect(example.list().length).toBeGreaterThan(0);
      const definitions = [example.anthropic(), example.openai(), example.openaiResponses()];
      for (const list of definitions) {
        expect(list.length).toBe(example.list().length);
        expect(JSON.parse(JSON.stringify(list))).toEqual(list);
      }
      for (const { name: tool, description } of example.list()) {
        expect([tool, description]).not.toEqual([tool, '']);
        for (const junk of [null, [], 'text', 7, true]) {
          expect([tool, await example.validate(tool, junk)]).toMatchObject([
            tool,
            { ok: false, error: { code: 'BAD_ARGUMENTS' } },
          ]);
        }
      }
    },
  );
});

describe('the adapter for the Vercel AI SDK', () => {
  const tools = registry.aiSdk();
  const find = tools['shop_find'];
  if (find === undefined) throw new Error('no tool');

  it('M35 schemas for the Vercel AI SDK have its brand and validate', async () => {
    const schema = find.inputSchema as unknown as Record<symbol | string, unknown>;
    expect(schema[Symbol.for('vercel.ai.schema')]).toBe(true);
    expect(schema[Symbol.for('vercel.ai.validator')]).toBe(true);
    expect('jsonSchema' in schema && 'validate' in schema && '_type' in schema).toBe(true);
    expect(await find.inputSchema.validate({ query: 'lamp' })).toEqual({
      success: true,
      value: { query: 'lamp', limit: 10 },
    });
    const refused = await find.inputSchema.validate({ query: 7 });
    expect(refused).toMatchObject({ success: false });
    if (!refused.success) expect(JSON.parse(refused.error.message)).toMatchObject({ code: 'BAD_ARGUMENTS' });
  });

  it('M35 `execute` returns the value', async () => {
    expect(find.title).toBe('Find articles');
    expect(await find.execute({ query: 'lamp' }, { toolCallId: 'c1' })).toEqual({ hits: ['lamp'], limit: 10 });
    expect(await tools['progress']?.execute({}, { toolCallId: 'c2' })).toBe('c2');
    expect(await tools['order']?.execute({ article: 'lamp' })).toBe('1 x lamp');
  });

  it('M35 `execute` throws the message that MCP clients would read', async () => {
    const error = await tools['fail']?.execute({}).catch((thrown: unknown) => thrown);
    if (!(error instanceof ToolError)) throw new Error('no ToolError');
    expect(error.code).toBe('SOLD_OUT');
    const { result } = await registry.invoke('fail');
    expect(result?.content).toEqual([{ type: 'text', text: error.message }]);
  });

  it('M35 the abort signal of the AI SDK cancels a call, and options reach every call', async () => {
    const aborted = tools['slow']?.execute({}, { abortSignal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ code: 'CANCELLED' });
    const logs: unknown[] = [];
    await registry.aiSdk({ onLog: entry => logs.push(entry) })['progress']?.execute({});
    expect(logs).toHaveLength(1);
  });
});

describe('tools that ask before they run, by adapters', () => {
  it('fix-F7 C6 confirm works through every adapter, by a callback or by the argument', async () => {
    const server = await createServer({
      name: 's',
      tools: [
        {
          name: 'wipe',
          description: 'Wipe it.',
          effect: 'destructive',
          confirm: true,
          parameters: { what: 'string' },
          handler: () => 'wiped',
        },
      ],
      env,
      report,
    });
    const { registry: own } = server;
    const unconfirmed = await own.invoke('wipe', { what: 'disk' });
    expect(JSON.stringify(unconfirmed)).not.toContain('wiped');
    // Code must be able to tell that nothing was done.
    expect(unconfirmed).toMatchObject({ ok: false, error: { code: 'UNANSWERED', status: 409 } });
    const accept = () => ({ action: 'accept', content: {} }) as const;
    expect(await own.invoke('wipe', { what: 'disk' }, { elicit: accept })).toMatchObject({ ok: true, value: 'wiped' });
    const decline = await own.invoke('wipe', { what: 'disk' }, { elicit: () => ({ action: 'decline' }) });
    expect(JSON.stringify(decline)).not.toContain('wiped');
    // fix-F7: models that keep to the schema can say it.
    const [listed] = own.list();
    expect(listed?.inputSchema).not.toHaveProperty('properties.confirmed');
    const said = { properties: { what: { type: 'string' }, confirmed: { type: 'boolean' } }, required: ['what'] };
    expect(own.openai()).toMatchObject([{ function: { parameters: said } }]);
    expect(own.openaiResponses()).toMatchObject([{ parameters: said }]);
    expect(own.anthropic()).toMatchObject([{ input_schema: said }]);
    expect(own.aiSdk()['wipe']?.inputSchema.jsonSchema).toMatchObject(said);
    expect(own.aiSdk({ elicit: accept })['wipe']?.inputSchema.jsonSchema).toEqual(listed?.inputSchema);
    const tool = own.aiSdk()['wipe'];
    expect(await tool?.execute({ what: 'disk' })).toContain('wipe did not run');
    const checked = await tool?.inputSchema.validate({ what: 'disk', confirmed: true });
    expect(checked).toEqual({ success: true, value: { what: 'disk', confirmed: true } });
    expect(await tool?.execute(checked?.success === true ? checked.value : {})).toBe('wiped');
    await server.close();
  });
});

describe('tools that come and go, by adapters', () => {
  it('J85 the registry of a server and its adapters follow tools that come and go', async () => {
    const server = await createServer({ name: 's', tools: [], env, report });
    const { registry: own } = server;
    expect(own.list()).toEqual([]);
    server.add({ name: 'a.b', description: 'A.' }, () => 'added');
    expect(own.anthropic().map(({ name }) => name)).toEqual(['a_b']);
    expect(await own.invoke('a_b')).toMatchObject({ ok: true, value: 'added' });
    server.add({ name: 'a_b', description: 'B.' }, () => 'other');
    expect(own.openai().map(one => own.toolName(one.function.name))).toEqual(['a.b', 'a_b']);
    expect(await own.invoke('a_b')).toMatchObject({ ok: true, value: 'other' });
    expect(server.remove('a_b')).toBe(true);
    expect(Object.keys(own.aiSdk())).toEqual(['a_b']);
    expect(await own.invoke('a_b')).toMatchObject({ ok: true, value: 'added' });
    await server.close();
  });

  it('J84 a page size hides no tool from code', async () => {
    const tools = Array.from({ length: 7 }, (_, index) => ({
      name: `t${index}`,
      description: 'T.',
      handler: () => 'x',
    }));
    const server = await createServer({ name: 's', pageSize: 2, tools, env, report });
    expect(server.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    await server.close();
  });

  it('M35 a name from the prototype of all objects is a name like any other', async () => {
    const names = ['__proto__', 'constructor', 'toString'];
    const server = await createServer({
      name: 's',
      tools: names.map(name => ({ name, description: 'T.', handler: () => name })),
      env,
      report,
    });
    expect(Object.keys(server.registry.aiSdk())).toEqual(names);
    for (const name of names) expect(await server.registry.invoke(name)).toMatchObject({ ok: true, value: name });
    await server.close();
  });
});
