// What a list of tools promises, real clients of both SDK lines can do: they call what they were shown, as it was shown.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root, toolwright, writePack } from '../../harness/build-pack.js';
import { httpAddressOf } from '../../harness/http-address.js';
import { type Answers, type AnyClient, type Target, ways } from '../../harness/interop-clients.js';
import { check, tool } from '../../harness/pack.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-listed-'));
const stdio = ways.filter(({ transport }) => transport === 'stdio');
const started: Target = {
  command: process.execPath,
  args: [join(root, 'dist/cli/main.js'), 'start', 's'],
  cwd: folder,
};
const built: Target = { command: process.execPath, args: [join(folder, 'dist/s.cjs')], cwd: folder };

let startedUrl: URL;
let builtUrl: URL;
const children: ChildProcess[] = [];

/** The address of a server over HTTP. */
async function listen(...words: readonly string[]): Promise<URL> {
  const child = spawn(process.execPath, [...words, '--http', '0'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  return await httpAddressOf(child);
}

/** Written as its author wants it: no client that can ask gets to see anything else. */
const wipeInput = {
  type: 'object',
  properties: { what: { type: 'string' } },
  required: ['what'],
  additionalProperties: false,
};
const forked = {
  type: 'object',
  oneOf: [
    { properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false },
    { $ref: '#/$defs/b' },
  ],
  $defs: {
    b: { type: 'object', properties: { b: { type: 'integer' } }, required: ['b'], additionalProperties: false },
  },
};

beforeAll(async () => {
  writePack(folder, {
    'package.json': '{"type":"module"}',
    'toolwright.yaml': 'name: listed\n',
    'mcp/servers/s.yaml': 'description: S\n',
    'mcp/tools/slow.yaml': 'description: Slow.\ntask: required\n',
    'mcp/tools/either.yaml': 'description: Either.\ntask: optional\n',
    'mcp/tools/wipe.yaml': `description: Wipe.\neffect: destructive\nconfirm: true\ninputSchema: ${JSON.stringify(wipeInput)}\n`,
    'mcp/tools/fork.yaml': `description: Fork.\nconfirm: true\ninputSchema: ${JSON.stringify(forked)}\n`,
    'mcp/tools/order.yaml': 'description: Order.\nrequires: { elicitation: suggested }\nparameters: { item: string }\n',
    'src/tools/wipe.js': 'export default args => `wiped ${JSON.stringify(args)}`;\n',
    'src/tools/fork.js': 'export default args => `forked ${JSON.stringify(args)}`;\n',
    'src/tools/order.js': `export default async ({ item }, ctx) => {
  const answer = await ctx.elicit('size', { message: 'Which size?', schema: { size: { type: 'string', enum: ['S', 'M'] } } });
  return answer.action === 'accept' ? \`\${item} in \${answer.content.size}\` : 'nothing';
};
`,
    'mcp/prompts/each.yaml':
      'description: Each.\narguments: { items: { type: list } }\ntext: "{{#each items}}[{{this}}]{{/each}}"\n',
    'src/tools/slow.js': "export default () => 'done';\n",
    'src/tools/either.js': "export default () => 'done';\n",
  });
  expect(toolwright(folder, 'build', '--quiet')).toMatchObject({ status: 0 });
  startedUrl = await listen(join(root, 'dist/cli/main.js'), 'start', 's');
  builtUrl = await listen(join(folder, 'dist/s.cjs'));
});

afterAll(() => {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
});

async function using<T>(
  way: (typeof ways)[number],
  target: Target,
  answers: Answers,
  use: (client: AnyClient) => Promise<T>,
) {
  const client = await way.connect(target, answers);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

describe('tools that run as tasks', () => {
  it.each(
    stdio.flatMap(way =>
      [started, built].map((target, index) => ({
        way,
        target,
        name: `${way.name}, ${index === 0 ? 'start' : 'built'}`,
      })),
    ),
  )(
    'T1 fix-F17 fix-P5 clients hear which tools run as tasks, call the optional one plainly, and are refused the other: $name',
    async ({ way, target }) => {
      await using(way, target, {}, async client => {
        const { tools } = await client.listTools();
        const listed = tools.flatMap(({ name, execution }) => (execution === undefined ? [] : [[name, execution]]));
        const wanted = { slow: { taskSupport: 'required' }, either: { taskSupport: 'optional' } };
        expect(Object.fromEntries(listed)).toEqual(way.era === 'legacy' ? wanted : {});
        expect(await client.callTool({ name: 'either', arguments: {} })).toMatchObject({ content: [{ text: 'done' }] });
        // Some clients refuse it themselves.
        const refusal = way.era === 'legacy' ? /task/ : /io\.modelcontextprotocol\/tasks/;
        await expect(client.callTool({ name: 'slow', arguments: {} })).rejects.toThrow(refusal);
      });
    },
  );
});

/** What a host does that checks arguments before it sends them. */
function acceptsBy(schema: unknown): (args: unknown) => boolean {
  const validate = new Ajv2020({ strict: false }).compile(schema as object);
  return args => validate(args) === true;
}

const developing: Target = { ...started, args: [join(root, 'dist/cli/main.js'), 'dev', 's', '--stdio'] };
const callWays = ways.flatMap(way =>
  (way.transport === 'stdio' ? (['start', 'built', 'dev', 'sdk'] as const) : (['start', 'built'] as const)).map(
    form => ({
      way,
      form,
      name: `${form}: ${way.name}`,
    }),
  ),
);

function targetOf(form: 'start' | 'built' | 'dev' | 'sdk'): Target {
  if (form === 'built') return { ...built, url: builtUrl };
  if (form === 'dev') return developing;
  return { ...started, args: form === 'sdk' ? [...started.args, '--protocol', 'sdk'] : started.args, url: startedUrl };
}

describe.each(callWays)('fix-F7 a host that validates arguments by the list ($name)', ({ way, form }) => {
  const schemaOf = async (client: AnyClient, name: string): Promise<Readonly<Record<string, unknown>>> =>
    (await client.listTools()).tools.find(one => one.name === name)?.inputSchema ?? {};

  it('C6 the list has what a client without elicitation must send', async () => {
    await using(way, targetOf(form), {}, async client => {
      const send = async (name: string, args: Record<string, unknown>): Promise<string> => {
        const accepts = acceptsBy(await schemaOf(client, name));
        expect(accepts(args), `${name} ${JSON.stringify(args)}`).toBe(true);
        expect(accepts({ ...args, other: 1 })).toBe(false);
        return JSON.stringify(await client.callTool({ name, arguments: args }));
      };
      expect(await send('wipe', { what: 'disk' })).toContain('confirmed');
      expect(await send('wipe', { what: 'disk', confirmed: true })).toContain('wiped {\\"what\\":\\"disk\\"}');
      for (const args of [{ a: 'x' }, { b: 1 }]) {
        expect(await send('fork', args)).toContain('did not run');
        expect(await send('fork', { ...args, confirmed: true })).toContain('forked');
      }
      const asked = await send('order', { item: 'shirt' });
      expect(asked).toContain('_answers');
      expect(await send('order', { item: 'shirt', _answers: { size: { size: 'M' } } })).toContain('shirt in M');
      expect(acceptsBy(await schemaOf(client, 'order'))({ item: 'x', _answers: {}, _state: 's' })).toBe(true);
    });
  });

  it('C6 the list has what the author wrote when the client asks the user itself', async () => {
    const answers: Answers = { elicit: () => ({ action: 'accept', content: { size: 'S' } }) };
    await using(way, targetOf(form), answers, async client => {
      expect(JSON.stringify(await schemaOf(client, 'wipe'))).toBe(JSON.stringify(wipeInput));
      expect(JSON.stringify(await schemaOf(client, 'fork'))).toBe(JSON.stringify(forked));
      expect(Object.keys(Object((await schemaOf(client, 'order'))['properties']))).toEqual(['item']);
      expect(JSON.stringify(await client.callTool({ name: 'wipe', arguments: { what: 'disk' } }))).toContain('wiped');
    });
  });
});

describe.each(callWays)('fix-F2 a prompt with a list ($name)', ({ way, form }) => {
  it('W74 a list argument of a prompt accepts a JSON array and lines', async () => {
    await using(way, targetOf(form), {}, async client => {
      const { prompts } = await client.listPrompts();
      expect(prompts[0]?.arguments).toMatchObject([{ description: 'A JSON array, or one entry per line' }]);
      for (const items of ['["a","b"]', 'a\nb\n'])
        expect(await client.getPrompt({ name: 'each', arguments: { items } })).toMatchObject({
          messages: [{ content: { text: '[a][b]' } }],
        });
    });
  });
});

describe('fix-F7 C6 reserved names of parameters', () => {
  it.each([
    ['confirm: true\nparameters: { confirmed: boolean }', 3, 15],
    ['parameters: { _answers: object }', 2, 15],
    ['parameters: { a: string, _state: string }', 2, 26],
    ['inputSchema: { type: object, properties: { _answers: {} } }', 2, 44],
  ])('a parameter with a reserved name is an error with a hint: %s', async (definition, line, column) => {
    const found = await check(tool(`description: d\n${definition}\n`));
    const hint = 'give the parameter another name';
    expect(found).toMatchObject([{ code: 'link/reserved-parameter', severity: 'error', line, column, hint }]);
  });

  it('`check` accepts other names of parameters', async () => {
    for (const definition of ['parameters: { confirmed: boolean, answers: object, state: string }', 'confirm: true'])
      expect(await check(tool(`description: d\n${definition}\n`))).toEqual([]);
  });
});
