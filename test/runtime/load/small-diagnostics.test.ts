// fix-F19: small mistakes that nobody was told of, or told of twice.
import { describe, expect, it } from 'vitest';
import { check, checkPlaces, tool } from '../../harness/pack.js';
import { writeFolder } from '../packs/code-packs.js';
import { makePack, startSession, toolwright } from '../packs/packs-kit.js';

const told = async (definition: string) =>
  (await check(tool(definition))).map(
    ({ code, severity, line, column, hint }) => `${code} ${severity} ${line}:${column} ${hint}`,
  );
const parameter = (text: string) => `description: d\nparameters:\n  a: { ${text} }\n`;

describe('diagnostics of schemas', () => {
  it('fix-F19 W28 `check` warns about a format that nobody knows', async () => {
    expect(await told(parameter('type: string, format: emial'))).toEqual([
      'schema/unknown-format warning 3:30 did you mean "email"?',
    ]);
    expect(await told(parameter('type: string, format: telephone'))).toEqual([
      expect.stringMatching(/^schema\/unknown-format warning 3:30 correct the name/),
    ]);
    const raw = (format: string) =>
      `description: d\ninputSchema: { type: object, properties: { a: { type: string, format: ${format} } } }\n`;
    expect(await told(raw('date-tiem'))).toEqual([expect.stringContaining('did you mean "date-time"?')]);
    // By JSON Schema anything may stand there.
    for (const format of ['telephone', 'password', 'int64', 'email', 'iri'])
      expect(await told(raw(format))).toEqual([]);
    expect(await told(parameter('type: string, format: uuid'))).toEqual([]);
  });

  it('fix-F19 W28 `check` warns about duplicate enum members and limits that exclude each other', async () => {
    expect(await told(parameter('type: string, enum: [a, b, a]'))).toEqual([
      expect.stringMatching(/^schema\/duplicate-enum warning 3:35/),
    ]);
    expect(await told(parameter('type: string, enum: [a, A, "1"]'))).toEqual([]);
    expect(await told(parameter('type: integer, enum: [1, 1.0]'))).toEqual([expect.stringContaining('duplicate-enum')]);
    const ranges = [
      'type: integer, minimum: 5, maximum: 1',
      'type: string, minLength: 5, maxLength: 1',
      'type: array, items: string, minItems: 5, maxItems: 1',
    ];
    for (const range of ranges)
      expect(await told(parameter(range))).toEqual([expect.stringMatching(/^schema\/empty-range/)]);
  });

  it('fix-F19 a limit is explained in plain words', async () => {
    const text = async (limits: string, value: string) =>
      (await check(tool(parameter(`${limits}, default: ${value}`)))).map(({ message }) => message);
    expect(await text('type: array, items: string, minItems: 1', '[]')).toEqual([
      expect.stringContaining('must have at least 1 item'),
    ]);
    expect(await text('type: string, maxLength: 2', 'abc')).toEqual([
      expect.stringMatching(/must have at most 2 characters$/),
    ]);
    const cwd = writeFolder(
      makePack('desk', {
        tools: {},
        servers: { desk: 'title: t\n' },
        files: {
          'mcp/tools/t.yaml': parameter('type: array, items: string, minItems: 1'),
          'lib/tools/t.js': 'export default () => 1;\n',
        },
      }),
    );
    expect((await toolwright(['call', 't', '{"a": []}'], { cwd })).stderr).toContain('a must have at least 1 item');
  });
});

describe('diagnostics of items', () => {
  it('fix-F19 `check` warns about two examples of one name', async () => {
    const examples = 'examples:\n  - { name: one }\n  - { name: two }\n  - { name: one }\n';
    expect(await told(`description: d\n${examples}`)).toEqual([
      expect.stringMatching(/^link\/duplicate-example warning 5:13/),
    ]);
    const prompt = { 'toolwright.yaml': '', 'mcp/prompts/p.yaml': `description: d\ntext: x\n${examples}` };
    expect(await checkPlaces(prompt)).toEqual(['link/duplicate-example mcp/prompts/p.yaml:6:13']);
  });

  it('fix-F19 `check` reports a resource inside a message without an address, and does not suggest a template', async () => {
    const files = {
      'toolwright.yaml': '',
      'mcp/prompts/p.yaml': 'description: d\nmessages:\n  - role: user\n    resource: { text: x }\n',
    };
    const [{ code, hint } = {}, ...others] = await check(files);
    expect([code, hint, others]).toEqual(['validate/missing-key', 'add what is missing', []]);
    const resource = { 'toolwright.yaml': '', 'mcp/resources/r.yaml': 'text: x\n' };
    expect((await check(resource))[0]?.hint).toContain('uriTemplate');
  });

  it('fix-F19 W23 a declared name that differs in case from a defined one is one mistake', async () => {
    const files = { 'mcp/tools/a.yaml': 'description: d\n' };
    expect(await checkPlaces({ ...files, 'toolwright.yaml': 'tools: [A]\n' })).toEqual([
      'resolve/missing-definition toolwright.yaml:1:9',
    ]);
    expect(await checkPlaces({ ...files, 'toolwright.yaml': 'tools: [a, A]\n' })).toEqual([
      'resolve/missing-definition toolwright.yaml:1:12',
    ]);
  });
});

describe('diagnostics of names', () => {
  it.each(['con', 'NUL', 'com1', 'lpt9.x', 'a.'])('fix-A15 the name %s is reserved on Windows', async name => {
    const files = {
      'toolwright.yaml': '',
      'mcp/tools.yaml': `${name}: { description: d }\nconsole: { description: d }\n`,
    };
    const found = await check(files);
    expect(found.map(({ code, severity, line }) => `${code} ${severity} ${line}`)).toEqual([
      'resolve/reserved-name warning 1',
    ]);
  });
});

describe('diagnostics of missing handlers', () => {
  const desk = (more: Readonly<Record<string, string>>) =>
    writeFolder({
      'package.json': '{"name": "desk", "version": "1.0.0", "type": "module"}',
      'toolwright.yaml': '',
      'mcp/tools/x.yaml': 'description: d\n',
      'mcp/servers/main.yaml': 'title: t\n',
      ...more,
    });

  it('fix-F19 a missing handler is named in the language of the project', async () => {
    const named = async (more: Readonly<Record<string, string>>) =>
      /"([^"]+)" does not exist/.exec((await toolwright(['start', '--strict'], { cwd: desk(more) })).stderr)?.[1];
    expect(await named({})).toBe('src/tools/x.js');
    expect(await named({ 'tsconfig.json': '{}' })).toBe('src/tools/x.ts');
    expect(await named({ 'src/tools/y.ts': 'export default () => 1;\n' })).toBe('src/tools/x.ts');
    expect(await named({ 'mcp/tools/x.yaml': 'description: d\nhandler: src/mine.ts\n' })).toBe('src/mine.ts');
  });

  it('fix-F19 a missing handler gives NOT_IMPLEMENTED with its path', async () => {
    const cwd = desk({});
    const session = await startSession(['main'], { cwd });
    expect(await session.call('x')).toMatch(/^NOT_IMPLEMENTED: x failed/);
    expect(session.stderr()).toContain('src/tools/x.js');
    await session.client.close();
    expect((await toolwright(['call', 'x'], { cwd })).stderr).toMatch(
      /error NOT_IMPLEMENTED \(501\).*"src\/tools\/x\.js" does not exist/,
    );
  });

  it('fix-F19 a fallback of `ctx.sample` that is not a string is reported', async () => {
    const ask =
      "export default async (args, ctx) => (await ctx.sample('k', { prompt: 'p', messages: [{ role: 'user', content: { type: 'text', text: 'p' } }], maxTokens: 5, fallback: 7 })).text;\n";
    const { stderr } = await toolwright(['call', 'x'], { cwd: desk({ 'src/tools/x.js': ask }) });
    expect(stderr).toContain('its fallback must be a string, not number');
  });
});
