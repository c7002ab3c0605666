// Tools that code defines: what their handlers get, what callers get, and how they come and go (J85).
import { describe, expect, it } from 'vitest';
import {
  createServer,
  DefinitionError,
  image,
  type ServerOptions,
  ToolError,
  type ToolServer,
  text,
} from '../../../runtime/index.js';
import { writeFolder } from '../packs/code-packs.js';

const reports: string[] = [];

async function serve(options: Omit<ServerOptions, 'name'> = {}): Promise<ToolServer> {
  return await createServer({ name: 'test', env: {}, report: one => void reports.push(one), ...options });
}

describe('tools in code', () => {
  it('M19 handlers get arguments with defaults and may return anything sensible', async () => {
    await using server = await serve({
      tools: [
        {
          name: 'greet',
          title: 'Greet',
          description: 'Greet somebody.',
          effect: 'read',
          parameters: { who: 'string', mark: { type: 'string', default: '!' } },
          handler: ({ who, mark }) => `Hello ${who}${mark}`,
        },
        {
          name: 'sum',
          description: 'Add.',
          inputSchema: {
            type: 'object',
            properties: { a: { type: 'number' }, b: { type: 'number' } },
            required: ['a', 'b'],
          },
          output: { sum: 'number' },
          async handler({ a, b }: { a: number; b: number }) {
            return { sum: a + b };
          },
        },
        { name: 'wrong', description: 'Wrong output.', output: { sum: 'number' }, handler: () => ({ sum: 'many' }) },
        {
          name: 'chart',
          description: 'Draw.',
          handler: () => [text('The chart:'), image(new Uint8Array([1]), 'image/png')],
        },
      ],
    });
    const { registry } = server;
    expect(await registry.invoke('greet', { who: 'Ada' })).toMatchObject({ ok: true, value: 'Hello Ada!' });
    expect(await registry.invoke('sum', { a: 1, b: 2 })).toMatchObject({ ok: true, value: { sum: 3 } });
    expect(await registry.invoke('sum', { a: '1', b: 2 })).toMatchObject({ ok: true, value: { sum: 3 } });
    expect(await registry.invoke('wrong')).toMatchObject({ ok: false });
    expect(await registry.invoke('chart')).toMatchObject({
      ok: true,
      value: [{ type: 'text' }, { type: 'image', data: 'AQ==' }],
    });
    expect(server.tools[0]).toMatchObject({
      name: 'greet',
      item: 'greet',
      title: 'Greet',
      annotations: { readOnlyHint: true },
    });
  });

  it('M27 errors, options, config and app come from the definition', async () => {
    await using server = await serve({
      app: { stock: 3 },
      config: { SHOP: { type: 'string', default: 'corner' }, KEY: { type: 'string', secret: true } },
      env: { KEY: 'a-very-secret-key', TOOLWRIGHT_OPTIONS: '{"order": {"most": 2}}' },
      tools: [
        {
          name: 'order',
          description: 'Order.',
          parameters: { count: 'integer' },
          options: { most: { type: 'integer', default: 10 } },
          errors: { TOO_MANY: { message: 'Too many.', status: 409, suggestedFix: 'Use {{tool:order}} with less.' } },
          handler: ({ count }, ctx) => {
            if (Number(count) > (ctx.options as { most: number }).most) throw ctx.errors['TOO_MANY']?.();
            return { app: ctx.app, config: ctx.config };
          },
        },
      ],
    });
    expect(await server.registry.invoke('order', { count: 3 })).toMatchObject({
      ok: false,
      error: { code: 'TOO_MANY', status: 409, suggestedFix: 'Use order with less.' },
    });
    const fine = await server.registry.invoke('order', { count: 2 });
    expect(fine).toMatchObject({ ok: true, value: { app: { stock: 3 }, config: { SHOP: 'corner' } } });
    expect(JSON.stringify(fine)).not.toContain('a-very-secret-key');
  });

  it('M20 an error in a handler is hidden unless it is a ToolError', async () => {
    await using server = await serve({
      tools: [
        { name: 'crash', description: 'Crash.', handler: () => Promise.reject(new Error('internal detail')) },
        {
          name: 'refuse',
          description: 'Refuse.',
          handler: () => {
            throw new ToolError('Not today', { code: 'CLOSED_TODAY', retryable: true });
          },
        },
      ],
    });
    expect(JSON.stringify(await server.registry.invoke('crash'))).not.toContain('internal detail');
    expect(reports.join('\n')).toContain('internal detail');
    expect(await server.registry.invoke('refuse')).toMatchObject({
      ok: false,
      error: { code: 'CLOSED_TODAY', retryable: true },
    });
  });

  it('W62 initialize runs once before the first call, and again after a failure', async () => {
    let runs = 0;
    await using server = await serve({
      tools: [
        {
          name: 'late',
          description: 'Late.',
          initialize: () => {
            runs += 1;
            if (runs === 1) throw new Error('not yet');
          },
          handler: () => `run ${runs}`,
        },
      ],
    });
    expect(runs).toBe(0);
    expect(await server.registry.invoke('late')).toMatchObject({ ok: false });
    const both = await Promise.all([server.registry.invoke('late'), server.registry.invoke('late')]);
    expect(both).toMatchObject([{ value: 'run 2' }, { value: 'run 2' }]);
  });

  it('M19 a tool may call another one of the server', async () => {
    await using server = await serve({
      tools: [
        {
          name: 'inner',
          description: 'Inner.',
          parameters: { n: 'integer' },
          handler: ({ n }) => ({ twice: Number(n) * 2 }),
        },
        {
          name: 'outer',
          description: 'Outer.',
          handler: async (_args, ctx) => ({ got: (await ctx.call('inner', { n: 21 })).structuredContent }),
        },
      ],
    });
    expect(await server.registry.invoke('outer')).toMatchObject({ ok: true, value: { got: { twice: 42 } } });
  });

  it('M27 inferred types refuse an undeclared error and a wrong argument', async () => {
    await using server = await serve();
    server.add(
      {
        name: 'typed',
        description: 'Typed.',
        parameters: {
          city: 'string',
          days: { type: 'integer', default: 3 },
          unit: { enum: ['C', 'F'], type: 'string', required: false },
        },
        options: { most: { type: 'integer', default: 10 } },
        errors: { NO_CITY: { message: 'No such city.' } },
      },
      (args, ctx) => {
        const { city, days, unit } = args;
        // @ts-expect-error the tool takes no such argument
        const country: unknown = args.country;
        const fixed: string = city.toUpperCase() + days.toFixed(0) + (unit ?? 'C');
        const most: number = ctx.options.most;
        if (most < 0) throw ctx.errors.NO_CITY();
        // @ts-expect-error the tool declares no such error
        if (most < -1) throw ctx.errors.NO_COUNTRY();
        const always: 'C' | 'F' | undefined = unit;
        return `${fixed} ${most} ${typeof country} ${always ?? ''}`;
      },
    );
    expect(await server.registry.invoke('typed', { city: 'oslo' })).toMatchObject({
      ok: true,
      value: 'OSLO3C 10 undefined ',
    });
  });
});

describe('prompts and resources in code', () => {
  it('W74 prompts and resources in code are served beside the tools', async () => {
    await using server = await serve({
      prompts: [
        { name: 'hello', description: 'Say hello.', arguments: { who: { required: true } }, text: 'Hello {{who}}' },
        { name: 'made', description: 'Made.', handler: () => 'by a function' },
      ],
      resources: [
        { name: 'rules', uri: 'doc://rules', text: 'Be kind.' },
        { name: 'item', uriTemplate: 'doc://item/{id}', handler: ({ id }) => `item ${String(id)}` },
      ],
    });
    const response = await rpc(server, 'prompts/get', { name: 'hello', arguments: { who: 'Ada' } });
    expect(JSON.stringify(response)).toContain('Hello Ada');
    expect(JSON.stringify(await rpc(server, 'prompts/get', { name: 'made' }))).toContain('by a function');
    expect(JSON.stringify(await rpc(server, 'resources/read', { uri: 'doc://rules' }))).toContain('Be kind.');
    expect(JSON.stringify(await rpc(server, 'resources/read', { uri: 'doc://item/7' }))).toContain('item 7');
  });
});

/** One request of 2026-07-28, which needs no handshake. */
async function rpc(server: ToolServer, method: string, params: object): Promise<unknown> {
  const version = '2026-07-28';
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } };
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...('name' in params
        ? { 'mcp-name': String(params.name) }
        : 'uri' in params
          ? { 'mcp-name': String(params.uri) }
          : {}),
    },
    body: JSON.stringify(body),
  });
  return await (await server.fetch(request)).text();
}

describe('`add` and `remove` of tools', () => {
  it('J85 a tool is callable once it is added, and gone once it is removed', async () => {
    await using server = await serve();
    server.add({ name: 'ping', description: 'Answer.' }, () => 'pong');
    expect(server.tools.map(({ name }) => name)).toEqual(['ping']);
    expect(await server.registry.invoke('ping')).toMatchObject({ ok: true, value: 'pong' });
    expect(server.remove('ping')).toBe(true);
    expect(server.remove('ping')).toBe(false);
    expect(await server.registry.invoke('ping')).toMatchObject({ ok: false, error: { code: 'UNKNOWN_TOOL' } });
    server.add({ name: 'ping', description: 'Answer again.', handler: () => 'again' });
    expect(await server.registry.invoke('ping')).toMatchObject({ ok: true, value: 'again' });
  });

  it('J85 a name in use, even by a tool that is switched off, is refused and renames nothing', async () => {
    const off = { name: 'off', description: 'Off.', enabled: false, handler: () => 'off' };
    await using server = await serve({ tools: [{ name: 'on', description: 'On.', handler: () => 'on' }, off] });
    for (const name of ['on', 'off']) {
      expect(() => server.add({ name, description: 'Again.' }, () => 'again')).toThrow(DefinitionError);
      expect(() => server.add({ name, description: 'Again.' }, () => 'again')).toThrow(/pack\/name-in-use/);
    }
    expect(server.tools.map(({ name }) => name)).toEqual(['on']);
    expect(await server.registry.invoke('on')).toMatchObject({ value: 'on' });
  });

  it('M48 `add` refuses a wrong definition with all mistakes and leaves no trace', async () => {
    await using server = await serve();
    const bad = {
      name: 'bad name',
      description: 'Bad.',
      effect: 'raed',
      parameters: { x: { type: 'strin' } },
    } as never;
    expect(() => server.add(bad, () => 'x')).toThrow(/definition\.name[\s\S]*definition\.parameters\.x\.type/);
    expect(() => server.add(null as never)).toThrow(DefinitionError);
    expect(() => server.add({ name: 'x', description: 'X.' } as never)).toThrow(/pack\/no-function/);
    expect(server.tools).toEqual([]);
  });

  it('M28 an added tool may mention existing ones', async () => {
    await using server = await serve({ tools: [{ name: 'first', description: 'First.', handler: () => '' }] });
    server.add({ name: 'second', description: 'After {{tool:first}}.' }, () => '');
    expect(server.tools[1]?.description).toBe('After first.');
    expect(() => server.add({ name: 'third', description: 'After {{tool:frist}}.' }, () => '')).toThrow(/"first"/);
  });

  it('W88 options of the operator reach tools that are added', async () => {
    await using server = await serve({ env: { TOOLWRIGHT_OPTIONS: '{"late": {"size": 7}}' } });
    server.add(
      { name: 'late', description: 'Late.', options: { size: { type: 'integer', default: 1 } } },
      (_args, ctx) => ctx.options.size,
    );
    expect(await server.registry.invoke('late')).toMatchObject({ ok: true, value: '7' });
  });

  it('J85 a thousand tools come and go, and nothing of them stays', async () => {
    await using server = await serve();
    for (let round = 0; round < 1000; round++) {
      server.add({ name: `t${round}`, description: 'T.' }, () => 'x');
      expect(server.remove(`t${round}`)).toBe(true);
    }
    expect(server.tools).toEqual([]);
  });
});

describe('`close` and files', () => {
  it('M33 `close` cancels calls and may be called twice', async () => {
    const server = await serve({
      tools: [{ name: 'hang', description: 'Hang.', handler: () => new Promise<string>(() => {}) }],
    });
    const hanging = server.registry.invoke('hang');
    await Promise.all([server.close(), server.close()]);
    expect(await hanging).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    expect(await server.registry.invoke('hang')).toMatchObject({ ok: false, error: { code: 'CLOSED' } });
    await expect(server.serveHttp()).rejects.toThrow(/closed/);
    await expect(server.serveStdio()).rejects.toThrow(/closed/);
  });

  it('P1 texts and schemas may be in files below the working folder', async () => {
    const cwd = writeFolder({
      'docs/t.md': 'From a file.',
      'schemas/t.json': '{"type": "object", "properties": {"a": {"type": "string"}}}',
    });
    await using server = await serve({
      cwd,
      tools: [
        { name: 't', description: { file: 'docs/t.md' }, inputSchema: { file: 'schemas/t.json' }, handler: () => '' },
      ],
    });
    expect(server.tools[0]).toMatchObject({
      description: 'From a file.',
      inputSchema: { properties: { a: { type: 'string' } } },
    });
  });
});
