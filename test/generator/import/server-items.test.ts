// I5, I6: what a server lists becomes items that are listed the same.
import { describe, expect, it } from 'vitest';
import { hasErrors } from '../../../schema/diagnostics.js';
import { codesOf, importOf, listsOf } from './server-kit.js';

const input = { type: 'object', properties: { a: { type: 'string', default: 'x' } } };
const whole = {
  name: 'Get_Issue',
  title: 'Get issue',
  description: 'Gets. {{tool:x}} {{name}} {x} \\{{tool:a b}}',
  inputSchema: { $schema: 'http://json-schema.org/draft-07/schema#', ...input, additionalProperties: false },
  outputSchema: { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] },
  annotations: { title: 'Other', readOnlyHint: true, openWorldHint: false },
  icons: [{ src: 'data:image/png;base64,AA==', mimeType: 'image/png', sizes: ['48x48'] }],
  _meta: { 'example.com/x': { ui: [1, null, 'ü'] }, ui: { resourceUri: 'ui://x' } },
};

describe('a tool of a server', () => {
  it('I6: a pack that forwards lists it byte for byte, members in the same order', async () => {
    const imported = importOf({ tools: [whole] }, { proxy: true });
    const { tools } = await listsOf(imported);
    expect(JSON.stringify(tools)).toBe(JSON.stringify([whole]));
    expect(codesOf(imported.diagnostics)).toEqual([]);
  });

  it('I5: without forwarding it is the same, too', async () => {
    const { tools } = await listsOf(importOf({ tools: [whole] }));
    expect(JSON.stringify(tools)).toBe(JSON.stringify([whole]));
  });

  it('I5: its item has a name in kebab-case, beside the one on the wire', () => {
    const { items } = importOf({ tools: [whole] }, { proxy: true });
    expect(items.map(({ name, from }) => [name, from])).toEqual([
      ['get-issue', { id: 'Get_Issue', place: 'tool Get_Issue' }],
    ]);
    expect(items[0]?.definition).toMatchObject({ name: 'Get_Issue', mcp: { backend: 'play', name: 'Get_Issue' } });
    expect(items[0]?.definition['inputSchema']).toBe(whole.inputSchema);
  });

  it('I5: names that items cannot have together get a number, and the order stays that of the server', async () => {
    const names = ['z_b', 'zB', 'z-b', 'a', 'A', 'con', 'x'.repeat(100)];
    const listed = names.map(name => ({ name, description: 'D', inputSchema: { type: 'object' } }));
    const imported = importOf({ tools: listed }, { proxy: true });
    expect(imported.items.map(({ name }) => name)).toEqual([
      ...['z-b', 'z-b-2', 'z-b-3', 'a', 'a-2', 'con-item'],
      expect.stringMatching(/^x{57}-[0-9a-f]{6}$/),
    ]);
    expect((await listsOf(imported)).tools).toEqual(listed);
  });

  it('I5: a list is only written where the order is not that of the names', () => {
    const tool = (name: string) => ({ name, description: 'D', inputSchema: { type: 'object' } });
    expect(importOf({ tools: [tool('a'), tool('b')] }).server).toEqual({});
    expect(importOf({ tools: [tool('b'), tool('a_c')] }).server).toEqual({ tools: ['b', 'a-c'] });
  });

  it.each([
    ['not an object', 7, 'tool 1 of the list', 'it is not an object'],
    ['null', null, 'tool 1 of the list', 'it is not an object'],
    ['without a name', { inputSchema: input }, 'tool 1 of the list', 'it has no name'],
    ['with a number for a name', { name: 5, inputSchema: input }, 'tool 1 of the list', 'it has no name'],
    ['with an empty name', { name: ' ', inputSchema: input }, 'tool 1 of the list', 'it has no name'],
    ['without letters in its name', { name: '日本', inputSchema: input }, 'tool 日本', 'its name has no letter'],
    ['without an input schema', { name: 'a' }, 'tool a', 'it has no input schema'],
    ['with a list for a schema', { name: 'a', inputSchema: [] }, 'tool a', 'it is not an object'],
    ['with a schema that is no object', { name: 'a', inputSchema: { type: 'string' } }, 'tool a', 'must have'],
    ['with an unknown type', { name: 'a', inputSchema: { type: 'objekt' } }, 'tool a', 'objekt'],
    [
      'with a reference to nothing',
      { name: 'a', inputSchema: { type: 'object', properties: { x: { $ref: '#/$defs/none' } } } },
      'tool a',
      '#/$defs/none',
    ],
    [
      'with a reference to a shared schema of ours',
      { name: 'a', inputSchema: { type: 'object', properties: { x: { $ref: 'schema:issue' } } } },
      'tool a',
      'issue',
    ],
  ])('I5: one %s is left out with the reason, and the others are imported', (_, broken, where, reason) => {
    const good = { name: 'good', description: 'D', inputSchema: { type: 'object' } };
    const { items, leftOut, diagnostics } = importOf({ tools: [broken, good] });
    expect(items.map(({ name }) => name)).toEqual(['good']);
    expect(leftOut).toEqual([
      { from: expect.objectContaining({ place: where }), reason: expect.stringContaining(reason) },
    ]);
    expect(codesOf(diagnostics)).toEqual([
      expect.stringContaining(`import/left-out: ${JSON.stringify(where)} is left out`),
    ]);
    expect(hasErrors(diagnostics)).toBe(false);
  });

  it('I5: the first of two with one name is taken', () => {
    const tool = (title: string) => ({ name: 'a', title, inputSchema: { type: 'object' } });
    const { items, leftOut } = importOf({ tools: [tool('1'), tool('2')] });
    expect(items.map(({ definition }) => definition['title'])).toEqual(['1']);
    expect(leftOut[0]?.reason).toContain('same name');
  });

  it('I5: a name that clients refuse is replaced, and forwarded as it was', async () => {
    const listed = { name: 'get issue!', description: 'D', inputSchema: { type: 'object' } };
    const imported = importOf({ tools: [listed] }, { proxy: true });
    expect(codesOf(imported.diagnostics)).toEqual(['import/renamed: clients see "tool get issue!" as "get-issue"']);
    expect(imported.items[0]?.definition['mcp']).toEqual({ backend: 'play', name: 'get issue!' });
    expect((await listsOf(imported)).tools).toEqual([{ ...listed, name: 'get-issue' }]);
  });

  it('I5: what is not as the protocol wants it is left out from the inside, with one diagnostic for all', async () => {
    const odd = (name: string) => ({
      name,
      title: 5,
      description: 'D',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'objekt' },
      annotations: { readOnlyHint: 'yes', openWorldHint: true },
      icons: [{ src: 'data:,x', size: 4 }, { mimeType: 'x' }],
      _meta: 'x',
      execution: { taskSupport: 'optional' },
      more: 1,
    });
    const imported = importOf({ tools: [odd('a'), odd('b')] }, { proxy: true });
    expect((await listsOf(imported)).tools[0]).toEqual({
      name: 'a',
      description: 'D',
      inputSchema: { type: 'object' },
      annotations: { openWorldHint: true },
      icons: [{ src: 'data:,x' }],
    });
    const keys = codesOf(imported.diagnostics).map(text => /"([^"]+)" of "tool a" and "tool b"/.exec(text)?.[1]);
    expect(keys.toSorted()).toEqual(
      [
        '_meta',
        'annotations.readOnlyHint',
        'execution',
        'icons[0].size',
        'icons[1]',
        'more',
        'outputSchema',
        'title',
      ].toSorted(),
    );
  });

  it('I5: that it never runs as a task goes without saying', () => {
    const tool = {
      name: 'a',
      description: 'D',
      inputSchema: { type: 'object' },
      execution: { taskSupport: 'forbidden' },
    };
    expect(importOf({ tools: [tool] }).diagnostics).toEqual([]);
  });

  it('I5: a long description stays whole', async () => {
    const description = `${'Über {{alles}} \n  - "x": # y\t'.repeat(3000)}end `;
    const listed = { name: 'a', description, inputSchema: { type: 'object' } };
    expect((await listsOf(importOf({ tools: [listed] }))).tools).toEqual([listed]);
  });

  it('I5: five thousand tools are imported in little time', () => {
    const tools = Array.from({ length: 5000 }, (_, index) => ({ ...whole, name: `tool_${index}` }));
    const begun = performance.now();
    expect(importOf({ tools }, { proxy: true, short: true }).items.length).toBe(5000);
    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});

describe('prompts and resources of a server', () => {
  const prompts = [
    {
      name: 'write_it',
      title: 'Write',
      description: 'Writes {{tool:x}}.',
      arguments: [
        { name: 'b', title: 'B', description: 'What {{it}} is', required: true },
        { name: 'a' },
        { name: 'c', required: false },
      ],
      icons: [{ src: 'data:,x' }],
      _meta: { 'example.com/x': 1 },
    },
    { name: 'bare' },
  ];
  const resources = [
    { uri: 'demo://z', name: 'Z file.md', title: 'Z', description: 'Zed', mimeType: 'text/plain', size: 0 },
    { uri: 'demo://a', name: 'a', annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-01-01' } },
    { uri: 'file:///a', name: 'a' },
  ];
  const resourceTemplates = [
    { uriTemplate: 'demo://{id}{?x,y}', name: 'one', mimeType: 'text/plain', _meta: { k: 1 } },
  ];

  it('I6: a pack that forwards lists them byte for byte', async () => {
    const imported = importOf(
      { prompts, resources, resourceTemplates, instructions: 'Use {{tool:a}}.\n' },
      { proxy: true },
    );
    expect(codesOf(imported.diagnostics)).toEqual([]);
    const lists = await listsOf(imported);
    expect(JSON.stringify(lists.prompts)).toBe(JSON.stringify(prompts));
    expect(JSON.stringify(lists.resources)).toBe(JSON.stringify(resources));
    expect(JSON.stringify(lists.resourceTemplates)).toBe(JSON.stringify(resourceTemplates));
    expect(lists.instructions).toBe('Use {{tool:a}}.\n');
  });

  it('I6: addresses are forwarded: fixed ones by name, those of templates as they are asked for', () => {
    const { items } = importOf({ resources, resourceTemplates }, { proxy: true });
    expect(items.map(({ name, definition }) => [name, definition['mcp']])).toEqual([
      ['z-file-md', { backend: 'play', name: 'demo://z' }],
      ['a', { backend: 'play', name: 'demo://a' }],
      ['a-2', { backend: 'play', name: 'file:///a' }],
      ['one', { backend: 'play' }],
    ]);
  });

  it('I5: without forwarding they are checked without errors', async () => {
    const lists = await listsOf(importOf({ prompts, resources, resourceTemplates }));
    expect(lists.resources).toEqual(resources);
    expect(lists.prompts.map(({ name }) => name)).toEqual(['write_it', 'bare']);
  });

  it.each([
    ['a resource without an address', { resources: [{ name: 'x' }] }, 'it has no uri'],
    ['a template that is broken', { resourceTemplates: [{ uriTemplate: 'a://{x', name: 'x' }] }, 'the { is not closed'],
  ])('I5: %s is left out', async (_, parts, reason) => {
    const imported = importOf(parts, { proxy: true });
    expect(imported.items).toEqual([]);
    expect(imported.leftOut[0]?.reason).toContain(reason);
    await listsOf(imported);
  });

  it('I5: what is only odd is imported as it is', async () => {
    const odd = { resources: [{ uri: 'x', name: 'x' }], resourceTemplates: [{ uriTemplate: 'a://x', name: 'y' }] };
    const lists = await listsOf(importOf(odd, { proxy: true }));
    expect([lists.resources, lists.resourceTemplates]).toEqual([odd.resources, odd.resourceTemplates]);
  });

  it('I5: arguments without names are left out of their prompt', async () => {
    const odd = [
      { name: 'p', description: 'D', arguments: [{ description: 'x' }, { name: 'a', type: 'x' }, { name: 'a' }] },
    ];
    const imported = importOf({ prompts: odd }, { proxy: true });
    expect((await listsOf(imported)).prompts).toEqual([{ name: 'p', description: 'D', arguments: [{ name: 'a' }] }]);
    expect(imported.diagnostics.length).toBe(2);
  });
});
