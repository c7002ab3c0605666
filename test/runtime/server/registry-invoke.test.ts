// createRegistry: tools of a pack on disk, called by code. Real handlers, real validators.
import { afterAll, describe, expect, it } from 'vitest';
import { createRegistry, DefinitionError, type InvokeResult, loadPack, type Registry } from '../../../runtime/index.js';
import { memoryFolder } from '../../harness/memory-folder.js';
import { shop, writeFolder } from '../packs/code-packs.js';

const reports: string[] = [];
const report = (text: string): void => void reports.push(text);
const folder = writeFolder(shop);
const env = { SHOP_TOKEN: 'a-long-secret-token' };
const opened: Registry[] = [];

async function open(options: Parameters<typeof createRegistry>[1] = {}): Promise<Registry> {
  const registry = await createRegistry(folder, { env, report, ...options });
  opened.push(registry);
  return registry;
}

afterAll(async () => {
  for (const registry of opened) await registry.close();
});

function failure(result: InvokeResult): InvokeResult & { ok: false } {
  if (result.ok) throw new Error(`it did not fail: ${JSON.stringify(result.value)}`);
  return result;
}

describe('`registry.invoke`', () => {
  it('M38 `invoke` returns structured data if there is some, with defaults filled in', async () => {
    const registry = await open();
    const result = await registry.invoke('shop.find', { query: 'lamp' });
    expect(result).toMatchObject({
      ok: true,
      value: { hits: ['lamp'], limit: 10 },
      content: [{ type: 'text' }],
      result: { structuredContent: { hits: ['lamp'], limit: 10 } },
    });
  });

  it('M38 `invoke` returns the text, else the content, else nothing', async () => {
    const registry = await open();
    expect(await registry.invoke('order', { article: 'lamp' })).toMatchObject({ ok: true, value: '1 x lamp' });
    expect(await registry.invoke('show')).toMatchObject({
      ok: true,
      value: [{ type: 'image', data: 'AQI=', mimeType: 'image/png' }],
    });
    const nothing = await registry.invoke('nothing');
    expect(nothing).toEqual({ ok: true, value: undefined, content: [], result: { content: [] } });
  });

  it('M27 a declared error arrives with all its fields', async () => {
    const registry = await open();
    const { error, result } = failure(await registry.invoke('fail'));
    expect(error).toEqual({
      message: 'It is sold out.',
      code: 'SOLD_OUT',
      status: 409,
      retryable: true,
      suggestedFix: 'Look again with shop.find.',
      meta: { left: 0 },
    });
    expect(result?.isError).toBe(true);
  });

  it('M20 an unexpected error hides its message, which the report has', async () => {
    const registry = await open();
    const { error, result } = failure(await registry.invoke('crash'));
    expect(error).toMatchObject({ code: 'UNEXPECTED_ERROR', status: 500 });
    expect(JSON.stringify({ error, result })).not.toContain('hunter2');
    const id = /\(([0-9a-f]+)\)/.exec(error.message)?.[1] ?? 'no id';
    expect(reports.find(text => text.includes(id))).toContain('hunter2');
  });

  it('M38 `invoke` of an unknown tool is an error with what was meant', async () => {
    const registry = await open();
    const { error } = failure(await registry.invoke('shop.fnd', {}));
    expect(error).toMatchObject({ code: 'UNKNOWN_TOOL', status: 404 });
    expect(error.message).toContain('did you mean "shop.find"?');
  });

  it('M38 `invoke` with bad arguments is an error with all violations', async () => {
    const registry = await open();
    const { error } = failure(await registry.invoke('shop.find', { query: '', limt: 3 }));
    expect(error.code).toBe('BAD_ARGUMENTS');
    expect((error.meta['violations'] as unknown[]).length).toBe(2);
  });

  it('W97 a missing secret is an error that names the variable', async () => {
    const registry = await open({ env: {} });
    expect(failure(await registry.invoke('locked')).error.message).toContain('SHOP_TOKEN');
  });

  it('M38 `invoke` accepts the name for clients, the name for providers and the item', async () => {
    const registry = await open();
    for (const name of ['shop.find', 'shop_find', 'find']) {
      expect(registry.toolName(name)).toBe('shop.find');
      expect(await registry.invoke(name, { query: 'lamp' })).toMatchObject({ ok: true });
    }
    expect(registry.toolName('gone')).toBeUndefined();
  });

  it('M38 `invoke` leaves the arguments of the caller as they are', async () => {
    const registry = await open();
    const args = Object.freeze({ query: 'lamp', tags: undefined });
    expect(await registry.invoke('shop.find', args)).toMatchObject({ ok: true, value: { limit: 10 } });
    expect(args).toEqual({ query: 'lamp', tags: undefined });
  });

  it('M38 a call can be cancelled before and while it runs', async () => {
    const registry = await open();
    const before = await registry.invoke('slow', {}, { signal: AbortSignal.abort() });
    expect(failure(before).error.code).toBe('CANCELLED');
    const controller = new AbortController();
    const running = registry.invoke('slow', {}, { signal: controller.signal });
    setImmediate(() => controller.abort());
    expect(failure(await running).error.code).toBe('CANCELLED');
  });

  it('C3 progress and logs reach the callbacks, and one that throws changes nothing', async () => {
    const registry = await open();
    const seen: unknown[] = [];
    const result = await registry.invoke(
      'progress',
      {},
      { requestId: 'mine', onProgress: one => seen.push(one), onLog: one => seen.push(one) },
    );
    expect(result).toMatchObject({ ok: true, value: 'mine' });
    expect(seen).toEqual([
      { done: 1, total: 2, message: 'half' },
      { level: 'info', message: 'under way', data: { half: true } },
    ]);
    const boom = (): never => {
      throw new Error('a callback of the caller');
    };
    expect(await registry.invoke('progress', {}, { onProgress: boom, onLog: boom })).toMatchObject({ ok: true });
  });
});

describe('questions of handlers to callbacks', () => {
  it('C6 callbacks answer questions, and the handler continues', async () => {
    const registry = await open();
    const asked: unknown[] = [];
    const result = await registry.invoke(
      'ask',
      { what: 'Which size?' },
      {
        elicit: (params, info) => {
          asked.push(params['message'], info.key, info.tool);
          return { action: 'accept', content: { size: 'M' } };
        },
        sample: async () => 'a model said so',
        roots: [{ uri: 'file:///work' }],
      },
    );
    expect(result).toMatchObject({
      ok: true,
      value: {
        user: { action: 'accept', content: { size: 'M' } },
        model: 'a model said so',
        roots: [{ uri: 'file:///work' }],
      },
    });
    expect(asked).toEqual(['Which size?', 'user', 'ask']);
  });

  it('C6 a caller without callbacks lacks the capability', async () => {
    const registry = await open();
    const result = await registry.invoke('ask', { what: 'Which size?' });
    expect(JSON.stringify(result)).toContain('Which size?');
    const only = await registry.invoke('ask', { what: 'x' }, { elicit: () => ({ action: 'decline' }) });
    expect(only).toMatchObject({ ok: true, value: { user: { action: 'decline' }, model: 'no model', roots: [] } });
  });

  it('M38 a callback that throws is an error, not an exception', async () => {
    const registry = await open();
    const elicit = async (): Promise<never> => {
      throw new Error('nobody at home');
    };
    const { error } = failure(await registry.invoke('ask', { what: 'x' }, { elicit }));
    expect(error).toMatchObject({ code: 'QUESTION_FAILED' });
    expect(error.message).toContain('nobody at home');
  });

  it('M38 a handler that never stops asking is stopped', async () => {
    const files = {
      'toolwright.yaml': 'name: nosy\nhandlers: lib',
      'mcp/tools/nosy.yaml': 'description: Asks and asks.',
      'lib/tools/nosy.js': `export default async (args, ctx) => {
        for (let n = 0; ; n++) await ctx.elicit('q' + n, { message: 'More?', schema: { x: { type: 'string' } } });
      };`,
      'package.json': '{"type": "module"}',
    };
    const registry = await createRegistry(writeFolder(files), { env: {}, report });
    opened.push(registry);
    let asked = 0;
    const elicit = () => {
      asked += 1;
      return { action: 'accept', content: { x: '' } } as const;
    };
    const { error } = failure(await registry.invoke('nosy', {}, { elicit }));
    expect(error.code).toBe('TOO_MANY_QUESTIONS');
    expect(asked).toBe(100);
  });
});

describe('`registry.validate`', () => {
  it('M48 `validate` fills in defaults and runs nothing', async () => {
    const registry = await open();
    expect(await registry.validate('shop.find', { query: 'lamp' })).toEqual({
      ok: true,
      args: { query: 'lamp', limit: 10 },
    });
    expect(await registry.validate('crash', {})).toEqual({ ok: true, args: {} });
    expect(await registry.validate('crash')).toEqual({ ok: true, args: {} });
  });

  it('M16 `validate` repairs JSON in a string unless arguments are strict', async () => {
    const args = { query: 'lamp', tags: '["a"]' };
    const lenient = await open();
    expect(await lenient.validate('shop.find', args)).toMatchObject({ ok: true, args: { tags: ['a'] } });
    const strict = await open({ strictArguments: true });
    expect(await strict.validate('shop.find', args)).toMatchObject({ ok: false, error: { code: 'BAD_ARGUMENTS' } });
  });

  it('M48 `validate` returns the same error as a call', async () => {
    const registry = await open();
    for (const args of [{}, { query: 7 }, { query: 'x', limit: 'many' }, [], null, 'text', { query: 'x', extra: 1 }]) {
      const { error } = failure(await registry.invoke('shop.find', args));
      expect([await registry.validate('shop.find', args), args]).toEqual([{ ok: false, error }, args]);
    }
  });
});

describe('`createRegistry` and `close`', () => {
  it('M33 the shared context is built once, for the first call that needs it, and disposed of at the end', async () => {
    const shops = globalThis as { shopsOpened?: number; shopsClosed?: number };
    const before = { opened: shops.shopsOpened ?? 0, closed: shops.shopsClosed ?? 0 };
    const registry = await createRegistry(folder, { env, report });
    expect(shops.shopsOpened ?? 0).toBe(before.opened);
    const values = await Promise.all([registry.invoke('shared'), registry.invoke('shared')]);
    expect(values.map(one => one.ok && one.value).sort()).toEqual(['call 1 of 5', 'call 2 of 5']);
    expect(shops.shopsOpened).toBe(before.opened + 1);
    await registry.close();
    await registry.close();
    expect(shops.shopsClosed ?? 0).toBe(before.closed + 1);
  });

  it('M33 a test may pass a shared context of its own', async () => {
    const registry = await open({ app: { next: () => 'mine' } });
    expect(await registry.invoke('shared')).toMatchObject({ ok: true, value: 'mine' });
  });

  it('M38 calls after `close` give an error, and calls under way are cancelled', async () => {
    const registry = await createRegistry(folder, { env, report });
    const running = registry.invoke('slow');
    await registry.invoke('nothing');
    await registry[Symbol.asyncDispose]();
    expect(failure(await running).error.code).toBe('CANCELLED');
    expect(failure(await registry.invoke('nothing')).error.code).toBe('CLOSED');
    expect(await registry.validate('nothing')).toMatchObject({ ok: false, error: { code: 'CLOSED' } });
  });

  it('M38 `createRegistry` accepts a folder, a program or the result of `loadPack`', async () => {
    const loaded = await loadPack(folder);
    if (loaded.program === undefined) throw new Error('no program');
    for (const source of [loaded, loaded.program, folder]) {
      const registry = await createRegistry(source, { env, report });
      expect(await registry.invoke('order', { article: 'x' })).toMatchObject({ ok: true, value: '1 x x' });
      await registry.close();
    }
    const inMemory = await createRegistry(
      memoryFolder({ 'toolwright.yaml': 'name: m', 'mcp/tools/t.yaml': 'description: T.' }),
      { env, report },
    );
    expect(inMemory.list().map(({ name }) => name)).toEqual(['t']);
    expect(failure(await inMemory.invoke('t')).error.code).toBe('NOT_IMPLEMENTED');
    await inMemory.close();
  });

  it('M38 `createRegistry` reports a folder that is not a pack in one error', async () => {
    const empty = writeFolder({ 'readme.md': 'nothing' });
    await expect(createRegistry(empty, { env, report })).rejects.toThrow(DefinitionError);
    await expect(createRegistry(empty, { env, report })).rejects.toThrow(
      /toolwright\.yaml.*\[discover\/no-manifest\]/s,
    );
    await expect(createRegistry({ program: undefined, diagnostics: [] }, { env, report })).rejects.toThrow(
      DefinitionError,
    );
  });

  it('J71 a broken item is reported and left out', async () => {
    const files = { ...shop, 'mcp/tools/find.yaml': 'description: [' };
    const told: string[] = [];
    const registry = await createRegistry(writeFolder(files), { env, report: text => void told.push(text) });
    expect(registry.list().map(({ item }) => item)).not.toContain('find');
    expect(told.join('\n')).toContain('mcp/tools/find.yaml');
    expect(await registry.invoke('order', { article: 'x' })).toMatchObject({ ok: true });
    await registry.close();
  });

  it('W97 configuration of the wrong type stops the start', async () => {
    const wrong = createRegistry(folder, { env: { ...env, SHOP_LIMIT: 'many' }, report });
    await expect(wrong).rejects.toThrow(/SHOP_LIMIT/);
  });

  it('P2 overlays cannot be applied to a pack that is already loaded', async () => {
    const loaded = await loadPack(folder);
    await expect(createRegistry(loaded, { env, report, overlays: ['x'] })).rejects.toThrow(/loadPack/);
  });

  it('P2 overlays change what the model reads', async () => {
    const overlay = memoryFolder({ 'tools.yaml': 'order: { description: Buy it. }' }, '/overlay');
    const registry = await open({ overlays: [overlay] });
    expect(registry.list().find(({ name }) => name === 'order')?.description).toBe('Buy it.');
  });

  it('M36 a server and a mode choose the tools', async () => {
    const files = {
      'toolwright.yaml': 'name: two\nhandlers: lib',
      'mcp/tools.yaml':
        'a: {description: A., modes: [admin]}\nb: {description: B.}\nc: {description: C., enabled: false}',
      'mcp/servers.yaml':
        'all: {description: All.}\nsome: {description: Some., tools: [a, {name: d, description: D.}]}',
    };
    const names = async (options: object): Promise<readonly string[]> => {
      const registry = await createRegistry(writeFolder(files), { env, report, ...options });
      await registry.close();
      return registry.list().map(({ name }) => name);
    };
    expect(await names({})).toEqual(['a', 'b']);
    expect(await names({ server: 'some' })).toEqual(['a', 'd']);
    expect(await names({ mode: 'user' })).toEqual(['b']);
    await expect(names({ server: 'som' })).rejects.toThrow(/no server "som".*did you mean "some"\?/);
  });
});
