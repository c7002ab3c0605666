// `toolwright dev --mock`: answers from examples before there are handlers.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { mockValue } from '../../../runtime/server/examples/mock.js';
import { endSessions, startDev } from './dev-kit.js';

afterEach(endSessions);

const pack = {
  'toolwright.yaml': 'config: { TOKEN: { type: string, secret: true } }\ncontext: src/context.ts#create\n',
  'mcp/servers/main.yaml': 'initialize: src/never.ts\n',
  'mcp/tools/get.yaml': `description: Get
parameters: { key: string, depth: { type: integer, default: 1 } }
output: { key: string, total: integer }
resultText: "{{key}} at {{depth}}"
requires: { TOKEN: required }
initialize: src/never.ts
errors: { NOT_FOUND: { message: There is no such key, status: 404, suggestedFix: "Use {{tool:plain}}." } }
examples:
  - { name: missing, input: { key: none }, error: NOT_FOUND }
  - { name: the first, input: { key: A }, output: { key: A, total: 1 } }
  - { name: deep, input: { key: A, depth: 2 }, output: { key: A, total: 2 } }
`,
  'mcp/tools/plain.yaml': 'description: Plain\nexamples: [{ output: A plain text }]\n',
  'mcp/tools/made.yaml': `description: Made
output: { when: { type: string, format: date-time }, tags: { type: array, items: { enum: [red, blue] } }, rate: { type: number, minimum: 3 } }
`,
  'mcp/tools/silent.yaml': 'description: Silent\n',
  'mcp/tools/hard.yaml': "description: Hard\noutput: { code: { type: string, pattern: '^[0-9]{4}$' } }\n",
  'mcp/prompts/ask.yaml': `arguments: { topic: { required: true } }
handler: src/prompts/ask.ts
examples: [{ input: { topic: tea }, output: Tell me about tea. }]
`,
  'mcp/resources/doc.yaml': 'uriTemplate: doc://{id}\nname: doc\nhandler: src/resources/doc.ts\n',
};

describe('`toolwright dev --mock`', () => {
  it('P24 X4 `dev --mock` answers with the example of the same input, else the first answer, else a value of the output schema', async () => {
    const dev = await startDev(pack, { args: ['--mock', '--no-generate'] });
    await dev.next('serving');
    const call = async (name: string, args: object = {}): Promise<Record<string, unknown>> =>
      (await dev.client.callTool({ name, arguments: { ...args } })) as Record<string, unknown>;
    expect(await call('get', { key: 'A' })).toMatchObject({
      structuredContent: { key: 'A', total: 1 },
      _meta: { 'toolwright/mock': { from: 'example', example: 'the first', matches: true } },
    });
    expect(await call('get', { key: 'A', depth: 2 })).toMatchObject({
      content: [{ type: 'text', text: 'A at 2' }],
      structuredContent: { total: 2 },
    });
    expect(await call('get', { key: 'B' })).toMatchObject({
      structuredContent: { key: 'A', total: 1 },
      _meta: { 'toolwright/mock': { example: 'the first', matches: false } },
    });
    const missing = await call('get', { key: 'none' });
    expect(missing).toMatchObject({
      isError: true,
      _meta: { 'toolwright/mock': { example: 'missing', matches: true } },
    });
    expect(missing['_meta']).toMatchObject({
      'toolwright/error': { code: 'NOT_FOUND', status: 404, suggested_fix: 'Use plain.' },
    });
    expect(JSON.stringify(await call('get', {}))).toContain('BAD_ARGUMENTS');
    expect(await call('plain')).toMatchObject({ content: [{ type: 'text', text: 'A plain text' }] });
    expect(await call('made')).toMatchObject({
      structuredContent: { when: '2026-01-01T00:00:00Z', tags: ['red'], rate: 3 },
      _meta: { 'toolwright/mock': { from: 'schema' } },
    });
    expect(await call('silent')).toMatchObject({ _meta: { 'toolwright/mock': { from: 'nothing' } } });
    expect(JSON.stringify(await call('hard'))).toContain('NO_EXAMPLE');
    const prompt = await dev.client.getPrompt({ name: 'ask', arguments: { topic: 'tea' } });
    expect(prompt).toMatchObject({
      messages: [{ content: { text: 'Tell me about tea.' } }],
      _meta: { 'toolwright/mock': { matches: true } },
    });
    expect((await dev.client.readResource({ uri: 'doc://7' })).contents[0]).toMatchObject({ text: 'mock of doc' });
    expect(dev.events.filter(({ event }) => event === 'broken')).toEqual([]);
  });

  it('B1 B2 B3 B4 `dev --mock` answers for items without code, and sends and starts nothing', async () => {
    const dev = await startDev(
      {
        'toolwright.yaml': `config: { API: string }
backends:
  api: { type: http, url: "{config.API}" }
  main: { type: postgres, url: "postgres://127.0.0.1:1/x" }
  theirs: { type: mcp, command: [node, started.mjs] }
`,
        'started.mjs': "import { writeFileSync } from 'node:fs';\nwriteFileSync('started', '');\n",
        'mcp/tools.yaml': `
get: { description: A request, parameters: { key: string }, http: "GET /{key}", output: { key: string }, examples: [{ input: { key: A }, output: { key: B } }] }
find: { description: A statement, sql: { text: SELECT 1 }, examples: [{ output: [{ a: 1 }] }] }
run: { description: A program, exec: { command: node, args: [started.mjs] }, examples: [{ output: ran }] }
forward: { description: Theirs, mcp: {}, examples: [{ output: forwarded }] }
`,
        'mcp/prompts/ask.yaml': 'description: Theirs\nmcp: {}\nexamples: [{ output: Tell me. }]\n',
        'mcp/resources.yaml':
          'page: { uriTemplate: "page://{id}", http: "GET /{id}" }\nfile: { uri: "file://x", mcp: {} }\nrows: { uri: "rows://x", sql: { text: SELECT 1 } }\n',
      },
      { args: ['--mock', '--no-generate'] },
    );
    await dev.next('serving');
    expect(await dev.client.callTool({ name: 'get', arguments: { key: 'A' } })).toMatchObject({
      structuredContent: { key: 'B' },
      _meta: { 'toolwright/mock': { from: 'example', matches: true } },
    });
    expect(await dev.call('find')).toContain('"a":1');
    expect(await dev.call('run')).toContain('ran');
    expect(await dev.call('forward')).toContain('forwarded');
    expect(await dev.client.getPrompt({ name: 'ask' })).toMatchObject({
      messages: [{ content: { text: 'Tell me.' } }],
    });
    for (const [uri, name] of [
      ['page://1', 'page'],
      ['file://x', 'file'],
      ['rows://x', 'rows'],
    ] as const)
      expect((await dev.client.readResource({ uri })).contents[0]).toMatchObject({ text: `mock of ${name}` });
    expect(existsSync(join(dev.pack, 'started'))).toBe(false);
  });

  it('P24 `dev --mock` reads examples again when they change', async () => {
    const dev = await startDev(pack, { args: ['--mock', '--no-generate'] });
    await dev.next('serving');
    const { changed } = await dev.change(
      { 'mcp/tools/plain.yaml': 'description: Plain\nexamples: [{ output: Another }]\n' },
      'serving',
    );
    expect([changed, await dev.call('plain')]).toEqual([[], 'Another']);
  });
});

describe('`mockValue`', () => {
  it.each([
    [{ const: 7 }, 7],
    [{ type: ['null', 'integer'], exclusiveMinimum: 4 }, 5],
    [{ type: 'number', maximum: -2 }, -2],
    [{ type: 'integer', minimum: 3, multipleOf: 5 }, 5],
    [{ type: 'string', minLength: 6 }, 'text..'],
    [{ type: 'array', minItems: 2, items: { type: 'boolean' } }, [true, true]],
    [{ anyOf: [{ type: 'null' }, { type: 'string', format: 'email' }] }, 'someone@example.com'],
    [
      { allOf: [{ properties: { a: { type: 'integer' } } }, { properties: { b: { const: 1 } }, required: ['b'] }] },
      { a: 1, b: 1 },
    ],
    [{ $ref: '#/$defs/x', $defs: { x: { enum: ['first', 'second'] } } }, 'first'],
  ])('P24 `mockValue` of %j is %j', (schema, value) => {
    expect(mockValue(schema)).toEqual(value);
  });

  it('P24 `mockValue` of a schema that contains itself ends', () => {
    const tree = { type: 'object', properties: { next: { $ref: '#' }, list: { type: 'array', items: { $ref: '#' } } } };
    expect(JSON.stringify(mockValue(tree)).length).toBeLessThan(100_000);
  });
});
