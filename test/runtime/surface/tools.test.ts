import { describe, expect, it } from 'vitest';
import type { Seal, ServedTool } from '../../../runtime/call/ports.js';
import { createSurface } from '../../../runtime/surface/create-surface.js';
import type { Change } from '../../../runtime/surface/surface.js';
import { renderMentions } from '../../../schema/template/template.js';
import { entry, names, over, problem, request, serve } from './surface-pack.js';

const said = (result: { readonly content: readonly unknown[] }): unknown =>
  (result.content[0] as { readonly text?: unknown } | undefined)?.text;

describe('the list of tools', () => {
  it('J55 C10 schemas reach clients byte for byte, in the order in which they were written', () => {
    const written =
      '{"$schema":"https://json-schema.org/draft/2020-12/schema","required":["z"],"properties":{"z":{"type":"string","title":"Z"},"a":{"$ref":"#/$defs/n"}},"type":"object","$defs":{"n":{"maximum":3,"type":"integer"}}}';
    const { surface } = serve({
      'mcp/schemas/in.json': written,
      'mcp/tools.yaml': [
        'raw: {description: d, inputSchema: {file: mcp/schemas/in.json}, outputSchema: {type: array, items: {type: string}}}',
        'short: {description: d, parameters: {zoo: string, ape: {type: integer, default: 1}}}',
        'none: {description: d}',
      ].join('\n'),
    });
    const { inputSchema, outputSchema } = entry(surface, 'tools', 'raw');
    expect(JSON.stringify(inputSchema)).toBe(written);
    expect(JSON.stringify(outputSchema)).toBe('{"type":"array","items":{"type":"string"}}');
    expect(JSON.stringify(entry(surface, 'tools', 'short')['inputSchema'])).toBe(
      '{"type":"object","properties":{"zoo":{"type":"string"},"ape":{"type":"integer","default":1}},"required":["zoo"],"additionalProperties":false}',
    );
    expect(JSON.stringify(entry(surface, 'tools', 'none')['inputSchema'])).toBe(
      '{"type":"object","properties":{},"additionalProperties":false}',
    );
    expect(entry(surface, 'tools', 'none')).not.toHaveProperty('outputSchema');
  });

  it('C11 the header of a parameter is in its schema', () => {
    const { surface } = serve({
      'mcp/tools/t.yaml': 'description: d\nparameters: {region: {type: string, header: Region}}\n',
    });
    expect(entry(surface, 'tools', 't')['inputSchema']).toMatchObject({
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    });
  });

  it('C10 a list is made once, and nobody can change it', () => {
    const { surface } = serve({ 'mcp/tools.yaml': 'a: {description: d}\nb: {description: d}\n' });
    const page = surface.list('tools');
    expect(surface.list('tools')).toBe(page);
    expect(Object.isFrozen(page) && Object.isFrozen(page.entries) && page.entries.every(Object.isFrozen)).toBe(true);
    expect(names(surface, 'tools')).toEqual(['a', 'b']);
    expect(page).not.toHaveProperty('nextCursor');
  });

  it('C13 effect gives the hints, annotations change single ones, and the title is among them', () => {
    const { surface } = serve({
      'mcp/tools.yaml': [
        'plain: {description: d}',
        'read: {description: d, effect: read, title: Read it}',
        'write: {description: d, effect: write, annotations: {openWorldHint: true}}',
        'gone: {description: d, effect: destructive, title: T, annotations: {destructiveHint: false, title: Other}}',
      ].join('\n'),
    });
    const hints = (name: string): unknown => entry(surface, 'tools', name)['annotations'];
    expect(hints('plain')).toBeUndefined();
    expect(hints('read')).toEqual({ title: 'Read it', readOnlyHint: true, idempotentHint: true });
    expect(hints('write')).toEqual({ readOnlyHint: false, destructiveHint: false, openWorldHint: true });
    expect(hints('gone')).toEqual({ title: 'Other', readOnlyHint: false, destructiveHint: false });
    expect(entry(surface, 'tools', 'read')['title']).toBe('Read it');
  });

  it('fields that only pass through have the shape of the protocol', () => {
    const { surface } = serve({
      'mcp/tools/t.yaml': [
        'description: d',
        'task: optional',
        'icons: [{src: "https://example.com/i.png", mimeType: image/png}]',
        '_meta: {example.com/team: search}',
        'ui: {resourceUri: "ui://board", visibility: [app]}',
      ].join('\n'),
      'mcp/resources/board.yaml': 'uri: ui://board\ntext: x\n',
    });
    expect(entry(surface, 'tools', 't')).toMatchObject({
      icons: [{ src: 'https://example.com/i.png', mimeType: 'image/png' }],
      _meta: { 'example.com/team': 'search', ui: { resourceUri: 'ui://board', visibility: ['app'] } },
    });
  });

  it('M11 guidelines follow the description in a fixed order, without empty ones', () => {
    const { surface } = serve({
      'mcp/tools/t.yaml': [
        'description: |',
        '  What it does.',
        'guidelines:',
        '  additionalInfo: "  "',
        '  sideEffects: [Sends a mail, "Writes\\ntwo lines", ""]',
        '  prerequisites: []',
        '  avoidIf: |',
        '    First line.',
        '    Second line.',
        '  whenToUse: Always.',
      ].join('\n'),
      'mcp/tools/only.yaml': 'guidelines: {additionalInfo: More.}\n',
      'mcp/tools/bare.yaml': 'description: "As {{it}} is. \\\\{{x}}\\n\\n"\nguidelines: {whenToUse: ""}\n',
    });
    expect(entry(surface, 'tools', 't')['description']).toBe(
      [
        'What it does.',
        '',
        'When to use: Always.',
        '',
        'Avoid if:',
        'First line.',
        'Second line.',
        '',
        'Side effects:',
        '- Sends a mail',
        '- Writes',
        '  two lines',
      ].join('\n'),
    );
    expect(entry(surface, 'tools', 'only')['description']).toBe('Additional info: More.');
    expect(entry(surface, 'tools', 'bare')['description']).toBe('As {{it}} is. \\{{x}}\n\n');
  });

  it('C1 guidelines may move into the instructions, under the wire name of their tool', () => {
    const { surface } = serve({
      'mcp/servers/s.yaml': 'instructions:\n  - Ask {{tool:a}} first.\n  - Be kind.\n',
      'mcp/tools.yaml': [
        'a: {name: A_1, description: d, guidelinesIn: instructions, guidelines: {avoidIf: "{{tool:b}} fits."}}',
        'b: {name: B_1, description: d, guidelines: {avoidIf: never}}',
        'c: {description: d, guidelinesIn: instructions}',
        'off: {description: d, enabled: false, guidelinesIn: instructions, guidelines: {avoidIf: never}}',
      ].join('\n'),
    });
    expect(surface.instructions).toBe('Ask A_1 first.\n\nBe kind.\n\n## A_1\n\nAvoid if: B_1 fits.');
    expect(entry(surface, 'tools', 'A_1')['description']).toBe('d');
    expect(serve({ 'mcp/tools/a.yaml': 'description: d\n' }).surface.instructions).toBe('');
  });

  it('W20 W70 mentions become the names that clients of this server see', () => {
    const files = {
      'mcp/servers/s.yaml': 'tools: [a, b, c]\ninstructions: "{{tool:a}}, {{tool:c}}, {{tool:d}}"\n',
      'mcp/tools.yaml': [
        'a: {name: S, description: "See {{tool:b}} and {{ tool:c }}."}',
        'b: {name: S, description: "Not \\\\{{tool:a}}, but \\\\\\\\{{tool:a}} {{~tool:a~}} !"}',
        'c: {name: see_c, description: d, enabled: false}',
        'd: {name: see_d, description: d}',
      ].join('\n'),
      'mcp/prompts/p.yaml': 'description: "With {{tool:a}}"\ntext: "Use {{tool:b}}"\n',
      'mcp/resources/r.yaml': 'uri: r://r\ndescription: "Of {{tool:a}}"\ntext: x\n',
    };
    const { surface } = serve(files);
    expect(entry(surface, 'tools', 'S1')['description']).toBe('See S2 and see_c.');
    expect(entry(surface, 'tools', 'S2')['description']).toBe('Not {{tool:a}}, but \\S1S1!');
    // A tool that the server does not have keeps its item name.
    expect(surface.instructions).toBe('S1, see_c, d');
    expect(entry(surface, 'prompts', 'p')['description']).toBe('With S1');
    expect(entry(surface, 'resources', 'r')['description']).toBe('Of S1');
    expect(surface.services.render('Call {{tool:b}}')).toBe('Call S2');
  });

  it('W70 `renderMentions` changes mentions and nothing else', () => {
    const name = (): string => 'X';
    for (const text of ['{{tool:}}', '{{tool:a b}}', '{{tool:a', '{{ toolx:a }}', '\\{{x}}', '{{{{x}}}}', 'tool:a']) {
      expect(renderMentions(text, name)).toBe(text);
    }
    expect(renderMentions('{{{tool:a}}}', name)).toBe('{X}');
    expect(renderMentions('a {{~ tool:a ~}} b', name)).toBe('aXb');
    expect(renderMentions(`${'{{tool:'.repeat(50_000)}`, name)).toHaveLength(350_000);
  });

  it('M36 a mode leaves out what has other modes, and what is off stays off', async () => {
    const files = {
      'mcp/tools.yaml': [
        'all: {description: d}',
        'admin: {description: d, modes: [admin, root]}',
        'support: {description: d, modes: [support]}',
        'off: {description: d, enabled: false, modes: [admin]}',
      ].join('\n'),
      'mcp/prompts.yaml': 'p: {description: d, text: x, modes: [support]}\nq: {description: d, text: x}\n',
      'mcp/resources.yaml': 'r: {uri: "r://r", text: x, modes: [support]}\ns: {uriTemplate: "r://{x}", text: y}\n',
    };
    const { surface, reports } = serve(files, { mode: 'admin' });
    expect(names(surface, 'tools')).toEqual(['admin', 'all']);
    expect(names(surface, 'prompts')).toEqual(['q']);
    expect(names(surface, 'resources')).toEqual([]);
    expect(names(surface, 'resourceTemplates')).toEqual(['s']);
    expect(surface.tool('support')).toBeUndefined();
    expect(surface.prompt('p')).toBeUndefined();
    // Left out, the fixed address is one of the template's.
    expect(surface.resource('r://r')?.resource.item).toBe('s');
    expect(await problem(() => surface.callTool('support', {}, request()))).toMatchObject({ code: -32602 });
    expect(await problem(() => surface.getPrompt('p', {}, request()))).toMatchObject({ code: -32602 });
    expect(reports).toEqual([]);
    expect(names(serve(files).surface, 'tools')).toEqual(['admin', 'all', 'support']);
    const wrong = serve(files, { mode: 'admn' });
    expect(names(wrong.surface, 'tools')).toEqual(['all']);
    expect(wrong.reports).toEqual([
      'No item has the mode "admn": there are admin, root, support; did you mean "admin"?',
    ]);
  });

  it('fix-P7 the server says who it is, with its description', () => {
    const { surface } = serve({
      'toolwright.yaml': 'version: 1.2.3\n',
      'mcp/tools/find.yaml': 'name: find_all\ndescription: Finds.\n',
      'mcp/servers/s.yaml': [
        'name: acme-desk',
        'title: Desk',
        'description: Issues; begin with {{tool:find}}.',
        'tools: [find]',
        'websiteUrl: https://example.com',
        'icons: [{src: "data:,", theme: dark}]',
        'cache: {ttlMs: 5, scope: public}',
      ].join('\n'),
    });
    expect(surface.info).toEqual({
      name: 'acme-desk',
      title: 'Desk',
      description: 'Issues; begin with find_all.',
      version: '1.2.3',
      websiteUrl: 'https://example.com',
      icons: [{ src: 'data:,', theme: 'dark' }],
    });
    expect(surface.cache).toEqual({ ttlMs: 5, scope: 'public' });
    expect(surface.offers).toEqual({
      tools: true,
      prompts: false,
      resources: false,
      completions: false,
      subscribe: false,
    });
  });
});

describe('pages of lists', () => {
  const files = (count: number, pageSize: number) => ({
    'mcp/servers/s.yaml': `pageSize: ${pageSize}\n`,
    'mcp/tools.yaml': Array.from({ length: count }, (_, index) => `t${index}: {description: d}\n`).join(''),
    'mcp/prompts.yaml': 'a: {description: d, text: x}\nb: {description: d, text: x}\nc: {description: d, text: x}\n',
  });

  it('J84 pages follow each other by cursors, and each is made once', () => {
    const { surface } = serve(files(5, 2));
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = surface.list('tools', cursor);
      expect(surface.list('tools', cursor)).toBe(page);
      seen.push(page.entries.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual([['t0', 't1'], ['t2', 't3'], ['t4']]);
  });

  it('J84 a page that holds everything has no cursor', () => {
    expect(serve(files(4, 4)).surface.list('tools').nextCursor).toBeUndefined();
    expect(serve(files(4, 50)).surface.list('tools').entries).toHaveLength(4);
    expect(serve({ 'mcp/servers/s.yaml': 'pageSize: 1\n' }).surface.list('tools')).toEqual({ entries: [] });
  });

  it('J84 a cursor works in every process that serves the same list', () => {
    const { nextCursor } = serve(files(5, 2)).surface.list('tools');
    expect(
      serve(files(5, 2))
        .surface.list('tools', nextCursor)
        .entries.map(({ name }) => name),
    ).toEqual(['t2', 't3']);
  });

  it('J84 a foreign cursor gets -32602', async () => {
    const { surface } = serve(files(5, 2));
    const { nextCursor = '' } = surface.list('tools');
    const forged = Buffer.from(Buffer.from(nextCursor, 'base64url').toString().replace('2', '9')).toString('base64url');
    for (const bad of ['', 'x', '0', nextCursor.slice(1), `${nextCursor}AA`, forged, 'é', 'A'.repeat(1_000_000)]) {
      expect(await problem(() => surface.list('tools', bad))).toEqual({ code: -32602, message: 'Invalid cursor' });
    }
    expect(await problem(() => serve(files(5, 9)).surface.list('tools', 'x'))).toMatchObject({ code: -32602 });
    expect(await problem(() => surface.list('prompts', nextCursor))).toMatchObject({ code: -32602 });
  });

  it('J84 the error for a cursor of a changed list says so', async () => {
    const { surface } = serve(files(5, 2));
    const { nextCursor } = surface.list('tools');
    surface.removeTool('t4');
    const told = await problem(() => surface.list('tools', nextCursor));
    expect(told).toMatchObject({ code: -32602, message: expect.stringContaining('changed') });
    surface.removeTool('t3');
    surface.removeTool('t2');
    expect(await problem(() => surface.list('tools', nextCursor))).toMatchObject({ code: -32602 });
  });
});

describe('calls of tools', () => {
  const files = {
    'mcp/servers/s.yaml': 'tools: [one, two, other]\n',
    'mcp/tools.yaml': [
      'one: {name: S, description: d, effect: read}',
      'two: {name: S, description: d}',
      'other: {name: outer, description: d}',
    ].join('\n'),
  };
  const handlers = {
    'src/tools/one.ts': () => 'first',
    'src/tools/two.ts': () => 'second',
  };

  it('W56 W57 W58 a call of S2 reaches the second tool of that name', async () => {
    const { surface } = serve(files, { handlers });
    expect(names(surface, 'tools')).toEqual(['S1', 'S2', 'outer']);
    expect(said(await over(surface.callTool('S1', {}, request())))).toBe('first');
    expect(said(await over(surface.callTool('S2', {}, request())))).toBe('second');
    expect(surface.tool('S2')?.tool.item).toBe('two');
  });

  it('W59 prompts with one name are numbered in the same way', async () => {
    const { surface } = serve({
      'mcp/prompts.yaml': 'a: {name: P, description: d, text: first}\nb: {name: P, description: d, text: second}\n',
    });
    expect(names(surface, 'prompts')).toEqual(['P1', 'P2']);
    const { messages } = await over(surface.getPrompt('P2', {}, request()));
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'second' } }]);
  });

  it('W80 an unknown tool gets -32602 with the name that was probably meant', async () => {
    const { surface } = serve(files, { handlers });
    expect(await problem(() => surface.callTool('outre', {}, request()))).toEqual({
      code: -32602,
      message: 'Unknown tool: outre',
      data: { name: 'outre', didYouMean: 'outer' },
    });
    // An item name is no name on the wire.
    expect(await problem(() => surface.callTool('two', {}, request()))).toMatchObject({ message: 'Unknown tool: two' });
    for (const name of ['__proto__', 'constructor', '', 'x'.repeat(1_000_000)]) {
      const { message } = await problem(() => surface.callTool(name, {}, request()));
      expect(String(message).length).toBeLessThan(300);
    }
  });

  it('a handler calls other tools by item, then by wire name', async () => {
    const call = (_: unknown, ctx: { call(name: string): Promise<{ content: readonly { text: string }[] }> }) =>
      Promise.all(['two', 'S1'].map(async name => (await ctx.call(name)).content[0]?.text));
    const { surface } = serve(files, { handlers: { ...handlers, 'src/tools/other.ts': call } });
    expect(JSON.parse(String(said(await over(surface.callTool('outer', {}, request())))))).toEqual({
      items: ['second', 'first'],
    });
  });

  it('a handler that calls a tool that is off or unknown gets an error', async () => {
    const { surface } = serve(
      { 'mcp/tools.yaml': 'a: {description: d}\noff: {description: d, enabled: false}\n' },
      {
        handlers: {
          'src/tools/a.ts': async (_: unknown, ctx: { call(name: string): Promise<unknown> }) => await ctx.call('off'),
          'src/tools/off.ts': () => 'ran',
        },
      },
    );
    const result = await over(surface.callTool('a', {}, request()));
    expect(result.isError).toBe(true);
    expect(said(result)).toContain('Unknown tool: off');
  });

  it('W80 a disabled tool is neither listed nor callable, and renames nothing', async () => {
    const { surface } = serve({
      'mcp/tools.yaml': 'a: {name: S, description: d, enabled: false}\nb: {name: S, description: d}\n',
    });
    expect(names(surface, 'tools')).toEqual(['S2']);
    expect(await problem(() => surface.callTool('S1', {}, request()))).toMatchObject({ message: 'Unknown tool: S1' });
  });
});

describe('tools of several packs', () => {
  const pack = (name: string) =>
    serve(
      {
        'toolwright.yaml': `name: acme/${name}\n`,
        'mcp/tools.yaml': [
          'search: {description: d}',
          'show: {description: "First {{tool:search}}, then {{tool:acme/wiki/search}}, never {{tool:other/x}}"}',
        ].join('\n'),
      },
      {
        handlers: {
          'src/tools/search.ts': () => `found in ${name}`,
          'src/tools/show.ts': (_: unknown, ctx: { call(tool: string): Promise<unknown> }) => ctx.call('search'),
        },
      },
    );
  const packs = [pack('jira'), pack('wiki')];
  const tools = packs.flatMap(({ program, host }, index) =>
    program.tools.map(tool => ({ tool, name: `${tool.item}${index + 1}`, host, options: {} })),
  );
  const info = { name: 'both', version: '1' };
  const settings = { seal: packs[0]?.settings.seal as Seal, showCauses: false, report: () => {} };
  const surface = createSurface({ info, instructions: '', tools, prompts: [], resources: [], ...settings });

  it('W70 a name means the tool of the same pack, a qualified name that of its pack', () => {
    expect(entry(surface, 'tools', 'show1')['description']).toBe('First search1, then search2, never x');
    expect(entry(surface, 'tools', 'show2')['description']).toBe('First search2, then search2, never x');
  });

  it('W58 a handler calls the tool of its own pack', async () => {
    expect(said(await over(surface.callTool('show1', {}, request())))).toBe('found in jira');
    expect(said(await over(surface.callTool('show2', {}, request())))).toBe('found in wiki');
  });
});

describe('`addTool` and `removeTool`', () => {
  const files = {
    'mcp/servers/s.yaml': 'tools: [a]\n',
    'mcp/tools.yaml': 'a: {description: "See {{tool:b}}"}\nb: {description: d}\n',
  };
  const added = (served: ReturnType<typeof serve>, name: string, item = name): ServedTool => {
    const tool = served.surface.tool('a')?.tool;
    if (tool === undefined) throw new Error('a is gone');
    const made = { ...tool, item, name, description: 'added', definition: {} };
    return { tool: made, name, host: served.host, options: {}, handler: () => `called ${name}` };
  };

  it('J85 an added tool is listed, callable and mentioned at once, and clients hear of it', async () => {
    const served = serve(files);
    const { surface } = served;
    const changes: Change[] = [];
    const stop = surface.onChange(change => changes.push(change));
    const before = surface.list('tools');
    expect(before.entries[0]?.['description']).toBe('See b');
    surface.addTool(added(served, 'B', 'b'));
    expect(changes).toEqual([{ list: 'tools' }]);
    expect(names(surface, 'tools')).toEqual(['a', 'B']);
    expect(entry(surface, 'tools', 'a')['description']).toBe('See B');
    expect(before.entries).toHaveLength(1);
    expect(said(await over(surface.callTool('B', {}, request())))).toBe('called B');
    expect(surface.removeTool('B')).toBe(true);
    expect(names(surface, 'tools')).toEqual(['a']);
    expect(await problem(() => surface.callTool('B', {}, request()))).toMatchObject({ code: -32602 });
    expect(entry(surface, 'tools', 'a')['description']).toBe('See b');
    expect(changes).toHaveLength(2);
    stop();
    surface.announce({ uri: 'a://b' });
    expect(changes).toHaveLength(2);
  });

  it('J85 a name in use is an error and renames nothing, and removing an unknown tool returns false', () => {
    const served = serve(files);
    const { surface } = served;
    const changes: Change[] = [];
    surface.onChange(change => changes.push(change));
    expect(() => surface.addTool(added(served, 'a'))).toThrow('This server has a tool "a" already');
    expect(surface.removeTool('zzz')).toBe(false);
    expect(names(surface, 'tools')).toEqual(['a']);
    expect(changes).toEqual([]);
  });

  it('C9 every listener is called in order, even after one that fails', () => {
    const { surface, reports } = serve(files);
    const told: string[] = [];
    const listen = (): number => told.push('first');
    surface.onChange(listen);
    const stop = surface.onChange(listen);
    surface.onChange(() => {
      throw new Error('I do not listen');
    });
    surface.onChange(change => told.push(JSON.stringify(change)));
    surface.announce({ uri: 'r://r' });
    expect(told).toEqual(['first', 'first', '{"uri":"r://r"}']);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toContain('I do not listen');
    stop();
    surface.announce({ list: 'prompts' });
    expect(told.slice(3)).toEqual(['first', '{"list":"prompts"}']);
  });

  it('J85 a server that may grow offers tools before it has one', () => {
    expect(serve({}).surface.offers.tools).toBe(false);
    expect(serve({}, { mayGrow: true }).surface.offers.tools).toBe(true);
  });
});
