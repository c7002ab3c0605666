// P20: the program of a built server as text: what comes back is what was stored, read at once or when somebody asks.
import { describe, expect, it } from 'vitest';
import { LateTool, packProgram, unpackLate, unpackProgram } from '../../../runtime/server/stored/packed-program.js';
import type { StoredProgram } from '../../../runtime/server/stored/stored-program.js';

function toolOf(item: string, more: object): object {
  const handler = { path: `src/tools/${item}.js`, export: 'default' };
  const filling = { input: 'late', output: 'never' };
  return { kind: 'tool', item, name: item, definition: {}, file: `mcp/tools/${item}.yaml`, handler, filling, ...more };
}

const input = { type: 'object', properties: { 'zwölf\n✓': { description: 'two\nlines \u2028 and more' } } };
const stored = {
  pack: { name: 'desk', version: '1.0.0', config: {} },
  configSites: {},
  names: { server: ['desk'], tool: ['add', 'say', 'off'], prompt: [], resource: [] },
  declared: { 'tool:say': 'Says' },
  server: { kind: 'server', item: 'desk' },
  tools: [
    toolOf('add', { title: 'Add', description: 'Adds\n', inputSchema: input, outputSchema: { type: 'number' } }),
    toolOf('say', { description: '', inputSchema: true, server: 'desk', definition: { enabled: false } }),
  ],
  prompts: [{ kind: 'prompt', item: 'hi' }],
  resources: [],
  lists: { tool: [[0, 'add', 'add']], prompt: [], resource: [] },
  builtin: [],
  others: [{ reference: 'x/y', pack: { name: 'x/y' }, tools: [toolOf('far', { description: 'd', inputSchema: {} })] }],
} as unknown as StoredProgram;

describe('a packed program', () => {
  const bytes = Buffer.from(packProgram(stored));

  it('P20 a packed program comes back whole, whatever its texts hold', () => {
    expect(unpackProgram(bytes)).toEqual(stored);
    // Bytes may lie anywhere in a larger buffer.
    expect(unpackProgram(Buffer.concat([Buffer.from('xyz'), bytes]).subarray(3))).toEqual(stored);
    expect(unpackProgram(stored)).toBe(stored);
    expect(unpackLate(stored)).toBe(stored);
  });

  it('P20 a packed program without tools has nothing that is read late', () => {
    const empty = { ...stored, tools: [] };
    expect(unpackProgram(Buffer.from(packProgram(empty)))).toEqual(empty);
    expect(unpackLate(Buffer.from(packProgram(empty))).tools).toEqual([]);
  });

  it('P20 tools that are read late are the same, and are read once', () => {
    const { tools } = unpackLate(bytes);
    const { names, declared, others } = unpackLate(bytes);
    expect({ names, declared }).toEqual({ names: stored.names, declared: stored.declared });
    expect(others[0]?.tools[0]?.inputSchema).toEqual({});
    expect(tools.every(tool => tool instanceof LateTool)).toBe(true);
    for (const [index, tool] of (tools as readonly LateTool[]).entries()) {
      const { item, name, title, definition, file, handler, server, description, inputSchema, outputSchema, filling } =
        tool;
      const read = {
        item,
        name,
        title,
        definition,
        file,
        handler,
        server,
        description,
        inputSchema,
        outputSchema,
        filling,
      };
      expect({ kind: tool.kind, ...read }).toEqual(stored.tools[index]);
      expect(tool.inputSchema).toBe(inputSchema);
      expect(tool.at.site([])).toMatchObject({ file, line: 1, column: 1 });
    }
  });

  it('P20 a tool that nobody asks for is not even parsed', () => {
    const lines = packProgram(stored).split('\n');
    const broken = Buffer.from([...lines.slice(0, 2), 'no JSON', ...lines.slice(3)].join('\n'));
    const [add, say] = unpackLate(broken).tools as readonly LateTool[];
    expect([add?.name, say?.inputSchema, say?.redefine({ title: 'x' }).inputSchema]).toEqual(['add', true, true]);
    expect(say?.redefine({ title: 'x' })).toMatchObject({ item: 'say', server: 'desk', definition: { title: 'x' } });
    expect(() => add?.inputSchema).toThrow(SyntaxError);
  });
});
