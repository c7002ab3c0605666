// `toolwright dev` as clients see it: real processes, clients of both SDK lines, over stdio and HTTP, connected all the time.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { endSessions, startDev, toolOf, ways } from './dev-kit.js';

afterEach(endSessions);

const basic = { ...toolOf('a', 'first'), ...toolOf('b', 'b') };
for (const way of ways) {
  describe(`\`dev\` with a ${way.line} client over ${way.transport}`, () => {
    it('P23 C9 W21 a client of `dev` stays connected through edits of texts, handlers and lists, and hears only of real changes', async () => {
      const dev = await startDev(basic, { way });
      await dev.next('serving');
      expect([await dev.names(), await dev.call('a')]).toEqual([['a', 'b'], 'first']);

      const handler = await dev.change({ 'src/tools/a.ts': "export default () => 'second';\n" }, 'serving');
      expect([handler.changed, handler.causes, await dev.call('a')]).toEqual([[], ['src/tools/a.ts'], 'second']);

      const text = await dev.change({ 'mcp/tools/a.yaml': 'description: Another text\n' }, 'serving');
      const { tools } = await dev.client.listTools();
      expect([text.changed, tools[0]?.description]).toEqual([['tools'], 'Another text']);

      /** Files that are written together may be noticed apart: what clients heard of in all, until it is so much. */
      const heard = async (
        first: { readonly changed: readonly string[] },
        most: number,
      ): Promise<readonly string[]> => {
        const all = [...first.changed];
        while (all.length < most) all.push(...(await dev.next('serving')).changed);
        return all.sort();
      };
      const more = await dev.change(
        {
          ...toolOf('c', 'c'),
          'mcp/prompts/p.yaml': 'text: Hello {{name}}\narguments: { name: { required: true } }\n',
          'mcp/resources/r.yaml': 'uri: demo://r\ntext: R\n',
        },
        'serving',
      );
      expect([await heard(more, 3), await dev.names(), await dev.call('c')]).toEqual([
        ['prompts', 'resources', 'tools'],
        ['a', 'b', 'c'],
        'c',
      ]);
      const prompt = await dev.client.getPrompt({ name: 'p', arguments: { name: 'Ann' } });
      expect(prompt.messages[0]?.content).toEqual({ type: 'text', text: 'Hello Ann' });
      expect((await dev.client.readResource({ uri: 'demo://r' })).contents[0]).toMatchObject({ text: 'R' });

      const fewer = await dev.change({ 'mcp/tools/b.yaml': undefined }, 'serving');
      expect([await heard(fewer, 1), await dev.names()]).toEqual([['tools'], ['a', 'c']]);
      await expect(dev.call('b')).rejects.toThrow(/Unknown tool/);

      while (dev.told.length < 5) await sleep(20);
      expect([...dev.told].sort()).toEqual(['prompts', 'resources', 'tools', 'tools', 'tools']);
      while (dev.workers().length > 2) await sleep(20);
    });
  });
}

describe('`dev` with broken packs', () => {
  it('P23 a broken manifest keeps the last good server and is reported with its position, and a fixed one is served', async () => {
    const dev = await startDev(basic);
    await dev.next('serving');
    const broken = await dev.change({ 'mcp/tools/a.yaml': 'descripton: New\n' }, 'broken');
    expect(broken).toMatchObject({ serving: 'last', diagnostics: [{ file: 'mcp/tools/a.yaml', line: 1, column: 1 }] });
    expect([await dev.names(), await dev.call('a')]).toEqual([['a', 'b'], 'first']);
    await dev.change({ 'mcp/tools/a.yaml': 'description: New\n' }, 'fixed');
    expect((await dev.client.listTools()).tools[0]?.description).toBe('New');
    const unreadable = await dev.change({ 'toolwright.yaml': 'tools: [\n' }, 'broken');
    expect([unreadable.serving, await dev.call('b')]).toEqual(['last', 'b']);
    await dev.change({ 'toolwright.yaml': '' }, 'fixed');
    expect(dev.told).toEqual(['tools']);
  });

  it('P23 X1 a change of a shared schema reaches clients, and one with a mistake keeps the last good server', async () => {
    const dev = await startDev({
      ...basic,
      'mcp/tools/a.yaml': 'description: a\nparameters: { box: { $ref: schema:box } }\n',
      'mcp/schemas/box.yaml': 'type: object\nproperties: { width: { type: integer } }\n',
    });
    await dev.next('serving');
    const defs = async () => (await dev.client.listTools()).tools[0]?.inputSchema['$defs'];
    expect(await defs()).toEqual({ box: { type: 'object', properties: { width: { type: 'integer' } } } });
    const changed = await dev.change({ 'mcp/schemas/box.yaml': 'type: object\nrequired: [width]\n' }, 'serving');
    expect(changed).toMatchObject({ changed: ['tools'], causes: ['mcp/schemas/box.yaml'] });
    expect(await defs()).toEqual({ box: { type: 'object', required: ['width'] } });
    await expect(dev.client.callTool({ name: 'a', arguments: { box: {} } })).resolves.toMatchObject({ isError: true });
    const broken = await dev.change({ 'mcp/schemas/box.yaml': 'type: objekt\n' }, 'broken');
    expect([broken.serving, broken.diagnostics?.map(({ code, file }) => `${code} ${file}`)]).toEqual([
      'last',
      ['validate/value mcp/schemas/box.yaml', 'schema/broken-shared mcp/tools/a.yaml'],
    ]);
    expect(await defs()).toEqual({ box: { type: 'object', required: ['width'] } });
    await dev.change({ 'mcp/schemas/box.yaml': 'type: object\n' }, 'fixed');
    expect(await defs()).toEqual({ box: { type: 'object' } });
  });

  it('P23 a client can connect to a server that is broken from the start, and is served once it is fixed', async () => {
    const dev = await startDev({ ...basic, 'toolwright.yaml': 'tools: [\n' });
    expect(await dev.next('broken')).toMatchObject({ serving: 'nothing', diagnostics: [{ file: 'toolwright.yaml' }] });
    expect(await dev.names()).toEqual([]);
    await dev.change({ 'toolwright.yaml': '' }, 'serving');
    expect([await dev.names(), await dev.call('a')]).toEqual([['a', 'b'], 'first']);
  });

  it('P23 M20 a handler that cannot be parsed is reported before it is called, and calls say so', async () => {
    const dev = await startDev(basic);
    await dev.next('serving');
    const broken = await dev.change({ 'src/tools/a.ts': 'export default () => {\n  retrn 1;\n};\n' }, 'broken');
    expect(broken).toMatchObject({ serving: 'rest', diagnostics: [{ file: 'src/tools/a.ts', line: 2, column: 9 }] });
    expect(await dev.call('a')).toContain('src/tools/a.ts');
    expect(await dev.call('b')).toBe('b');
    await dev.change({ 'src/tools/a.ts': "export default () => { throw new Error('why'); };\n" }, 'fixed');
    expect(await dev.call('a')).toMatch(/a failed \([0-9a-f]{8}\): why/);
  });

  it('P23 a handler that ends the process fails its own call, and the next one is answered', async () => {
    const dev = await startDev({ ...basic, 'src/tools/a.ts': 'export default () => process.exit(3);\n' });
    await dev.next('serving');
    expect(await dev.call('a')).toContain('ended with exit code 3');
    expect(await dev.next('crashed')).toMatchObject({ message: expect.stringContaining('exit code 3') });
    expect([await dev.call('b'), await dev.names()]).toEqual(['b', ['a', 'b']]);
    expect(dev.told).toEqual([]);
    while (dev.workers().length > 2) await sleep(20);
  });

  it('P23 a process that ends at once is not started again and again', async () => {
    const dev = await startDev({
      ...basic,
      'mcp/servers/main.yaml': 'initialize: src/init.ts#run\n',
      'src/init.ts': 'export const run = () => {};\n',
    });
    await dev.next('serving');
    const failed = await dev.change({ 'src/init.ts': 'export const run = () => process.exit(1);\n' }, 'broken');
    expect(failed).toMatchObject({ serving: 'last', message: expect.stringContaining('exit code 1') });
    expect(await dev.call('a')).toBe('first');
    await dev.change({ 'src/init.ts': "export const run = () => { throw new Error('no licence'); };\n" }, 'broken');
    expect(await dev.call('a')).toBe('first');
    expect(dev.events.some(one => one.event === 'output' && one.text.includes('no licence'))).toBe(true);
    await dev.change({ 'src/init.ts': 'export const run = () => {};\n' }, 'fixed');
    while (dev.workers().length > 2) await sleep(20);
  });
});

describe('`dev` with calls under way', () => {
  const slow = {
    'mcp/tools/slow.yaml': 'description: Slow\n',
    'src/tools/slow.ts':
      "export default async () => { console.log('begun'); await new Promise(go => setTimeout(go, 1500)); return 'old'; };\n",
  };

  it('P23 a call is finished by the code that began it when it is edited meanwhile, and later calls get the new code', async () => {
    const dev = await startDev({ ...basic, ...slow });
    await dev.next('serving');
    const running = dev.call('slow');
    // Its code is read and runs.
    expect((await dev.next('output')).text).toBe('begun');
    await dev.change({ 'src/tools/slow.ts': "export default () => 'new';\n" }, 'serving');
    expect(await dev.call('slow')).toBe('new');
    expect(await running).toBe('old');
    while (dev.workers().length > 2) await sleep(20);
  });

  it('P23 many edits at once end as the last of them, without processes left over', async () => {
    const dev = await startDev(basic);
    await dev.next('serving');
    for (let round = 0; round < 40; round += 1) {
      dev.write({
        'src/tools/a.ts': `export default () => 'round ${round}';\n`,
        'mcp/tools/a.yaml': round % 3 === 1 ? 'description: [\n' : `description: Round ${round}\n`,
        [`mcp/tools/x${round % 5}.yaml`]: 'description: X\n',
      });
      if (round % 4 === 0) await sleep(60);
    }
    const isThere = async (): Promise<boolean> => {
      const { tools } = await dev.client.listTools();
      return tools[0]?.description === 'Round 39' && tools.length === 7 && (await dev.call('a')) === 'round 39';
    };
    await vi.waitFor(async () => expect(await isThere()).toBe(true), { timeout: 60_000 });
    await vi.waitFor(() => expect(dev.workers().length).toBeLessThanOrEqual(2), { timeout: 20_000 });
  });

  it('C9 handlers under `dev` reach their client with progress, logs and changes, and see cancelled calls', async () => {
    const dev = await startDev({
      ...basic,
      'mcp/tools/busy.yaml': 'description: Busy\n',
      'src/tools/busy.ts':
        "export default async (_: object, ctx: any) => { ctx.progress(1, 2, 'half'); ctx.notify.toolsChanged(); await new Promise(go => ctx.signal.addEventListener('abort', go)); console.log('was cancelled'); };\n",
    });
    await dev.next('serving');
    const seen: unknown[] = [];
    const stop = new AbortController();
    const running = (dev.client.callTool as (...all: unknown[]) => Promise<unknown>)(
      { name: 'busy', arguments: {} },
      undefined,
      { signal: stop.signal, onprogress: (one: unknown) => seen.push(one) },
    );
    running.catch(() => undefined);
    while (seen.length === 0 || dev.told.length === 0) await sleep(20);
    expect(seen).toEqual([{ progress: 1, total: 2, message: 'half' }]);
    stop.abort();
    await expect(running).rejects.toThrow();
    for (;;) if ((await dev.next('output')).text === 'was cancelled') break;
  });
});

describe('warnings in `dev`', () => {
  it('B2 `dev` prints what `check` warns of in an edited file, once, and nothing of other files', async () => {
    const dev = await startDev({
      ...toolOf('a', 'a'),
      ...toolOf('b', 'b', 'Old, see #7 for more'),
    });
    await dev.next('serving');
    const cut = { 'mcp/tools/a.yaml': 'description: Save a note, see #7 for rules\n' };
    const warned = await dev.change(cut, 'warned');
    expect(warned.diagnostics.map(one => `${one.code} ${one.file}:${one.line}:${one.column}`)).toEqual([
      'parse/cut-text mcp/tools/a.yaml:1:31',
    ]);
    // The same warning again, a change of code, and a second warning.
    const titled = { 'mcp/tools/a.yaml': 'description: Save a note, see #7 for rules\ntitle: A\n' };
    await dev.change(titled, 'serving');
    await dev.change({ 'src/tools/a.ts': "export default () => 'z';\n" }, 'serving');
    const idle = 'parameters: { n: { type: string, minimum: 1, description: N } }\n';
    const again = await dev.change({ 'mcp/tools/a.yaml': `${titled['mcp/tools/a.yaml']}${idle}` }, 'warned');
    expect(again.diagnostics.map(({ code }) => code)).toEqual(['schema/idle-keyword']);
    expect(dev.events.filter(({ event }) => event === 'warned')).toHaveLength(2);
  });
});
