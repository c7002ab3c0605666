// One pack, opened in every way there is: what clients get is the same, whoever opened it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolwright, writePack } from '../../harness/build-pack.js';
import { command, makeWays, type OpenWay, type Operator, type ServerWay } from './server-ways.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-ways-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const pack = join(folder, 'pack');

const same = {
  name: 'main',
  version: '1.2.3',
  title: 'Ways',
  description: 'Reports with {{tool:report}}.',
  instructions: 'Call {{tool:report}} first.',
};

const files = {
  'package.json': '{ "name": "ways", "version": "1.2.3", "type": "module" }\n',
  'toolwright.yaml': `name: ways
context: src/context.ts#create
config:
  WAYS_TOKEN: { type: string, secret: true }
  WAYS_LIMIT: { type: integer, default: 5 }
`,
  'mcp/servers/main.yaml': `title: ${same.title}\ndescription: ${same.description}\ninstructions: ${same.instructions}\n`,
  'mcp/tools/report.yaml': `description: Says how it runs
parameters: { count: { type: integer, default: 1 } }
output: { count: integer, limit: integer, style: string, app: string }
options: { style: { type: string, default: plain, enum: [plain, loud] } }
examples:
  - { name: as it comes, input: {}, output: { count: 1, limit: 5, style: plain, app: built } }
  - { name: as it is set, input: { count: 2 }, output: { count: 2, limit: 7, style: loud, app: built } }
`,
  'mcp/tools/pack-parcel.yaml': `description: Packs a parcel
parameters: { parcel: { $ref: schema:parcel }, others: { type: array, items: { $ref: schema:parcel }, default: [] } }
outputSchema: { $ref: schema:parcel }
`,
  'mcp/schemas/parcel.yaml': `type: object
properties:
  weight: { type: integer, minimum: 1 }
  unit: { type: string, default: kg }
  inside: { $ref: schema:parcel }
  stamp: { $ref: schema:stamp }
required: [weight]
`,
  'mcp/schemas.yaml': 'stamp: { type: string, enum: [red, blue] }\n',
  'src/tools/pack-parcel.ts': 'export default ({ parcel }: any) => parcel;\n',
  'mcp/tools/folders.yaml': 'description: Names folders\n',
  'mcp/tools/refuse.yaml':
    'description: Refuses\nerrors: { NO_DESK: { message: There is no desk, status: 404, suggestedFix: Buy one } }\n',
  'mcp/tools/break.yaml': 'description: Breaks\n',
  'mcp/tools/order.yaml': 'description: Asks for a size\n',
  'mcp/tools/drop.yaml': 'description: Asks before it drops\neffect: destructive\nconfirm: true\n',
  'mcp/tools/admin.yaml': 'description: For administrators\nmodes: [admin]\n',
  'mcp/tools/extra.yaml': 'description: May be switched off\n',
  'mcp/prompts/hello.yaml': 'description: Greets\narguments: { who: { required: true } }\ntext: Hello {{who}}\n',
  'mcp/resources/rules.yaml': 'uri: ways://rules\ndescription: Rules\ntext: Be kind.\n',
  'mcp/resources/note.yaml': 'uriTemplate: ways://note/{id}\ndescription: A note\nhandler: src/note.ts\n',
  'src/context.ts': "export const create = () => ({ state: 'built' });\n",
  'src/note.ts': 'export default ({ id }: { id: string }) => `note ${id}`;\n',
  'src/tools/report.ts': `export default async ({ count }: any, ctx: any) => ({
  count,
  limit: ctx.config.WAYS_LIMIT,
  style: ctx.options.style,
  app: ctx.app.state,
});
`,
  'src/tools/folders.ts':
    "export default async (_: object, ctx: any) => (await ctx.roots('all')).map(({ uri }: any) => uri).join(' ');\n",
  'src/tools/refuse.ts': 'export default (_: object, ctx: any) => {\n  throw ctx.errors.NO_DESK();\n};\n',
  'src/tools/break.ts':
    'export default (_: object, ctx: any) => {\n  throw new Error(`on purpose ${ctx.config.WAYS_TOKEN}`);\n};\n',
  'src/tools/order.ts': `export default async (_: object, ctx: any) => {
  const answer = await ctx.elicit('size', { message: 'Which size?', schema: { size: { type: 'string' } } });
  return JSON.stringify(answer);
};
`,
  'src/tools/drop.ts': "export default () => 'dropped';\n",
  'src/tools/admin.ts': "export default () => 'managed';\n",
  'src/tools/extra.ts': "export default () => 'more';\n",
};

beforeAll(() => {
  writePack(pack, files);
  writePack(join(folder, 'patches'), {
    'tools.yaml': 'refuse: { description: Refuses politely }\n',
    'prompts.yaml': 'hello: { description: Greets kindly }\n',
  });
  for (const args of [
    [],
    ['--single-file', '--out', 'single'],
    ['--definitions', 'external', '--out', 'external'],
    ['--target', 'worker'],
  ]) {
    const built = toolwright(pack, 'build', ...args);
    if (built.status !== 0) throw new Error(built.stdout + built.stderr);
  }
}, 120_000);

const ways = makeWays(same);
const cases = ways.map(way => [way.name, way] as const);

/** Ids of errors are made anew with each. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null).replaceAll(/\(([0-9a-f]{8})\)/g, '(id)'));
}

/** What code and clients of either era are told of tools alike. */
function toolsOf(lists: object): unknown {
  const { tools } = lists as { readonly tools: readonly Record<string, unknown>[] };
  return tools.map(({ name, title, description, annotations, inputSchema, outputSchema }) =>
    plain({ name, title, description, annotations, inputSchema, outputSchema }),
  );
}

/** By what was asked; an answer that a way cannot give is absent. */
type Answers = Readonly<Record<string, unknown>>;

const calls: readonly (readonly [name: string, args: object])[] = [
  ['report', {}],
  ['report', { count: '2' }],
  ['report', { count: 'many' }],
  ['report', { cuont: 1 }],
  ['pack-parcel', { parcel: { weight: '2', inside: { weight: 1, stamp: 'red' } } }],
  ['pack-parcel', { parcel: { weight: 2, inside: { weight: 0 } } }],
  ['pack-parcel', { parcel: { weight: 2, stamp: 'green' }, others: [{}] }],
  ['folders', {}],
  ['refuse', {}],
  ['break', {}],
  ['order', {}],
  ['drop', {}],
  ['nothing', {}],
];

function keyOf(name: string, args: object): string {
  return `call ${name} ${JSON.stringify(args)}`;
}

async function ask(open: OpenWay): Promise<Answers> {
  const answers: Record<string, unknown> = {};
  const lists = (await open.lists?.()) as object | undefined;
  if (lists !== undefined) {
    const { tools: _, ...others } = lists as Record<string, unknown>;
    answers['tools'] = toolsOf(lists);
    for (const [list, entries] of Object.entries(others)) answers[list] = plain(entries);
  }
  for (const [name, args] of calls) {
    answers[keyOf(name, args)] = plain(await open.call(name, args));
  }
  if (open.prompt) answers['prompt'] = await open.prompt('hello', { who: 'Ada' });
  if (open.read) {
    answers['resource'] = plain(await open.read('ways://rules'));
    answers['template'] = plain(await open.read('ways://note/7'));
  }
  return answers;
}

const known = new Map<string, Promise<Answers>>();

/** Each way is opened once for the same operator. */
function answersOf(way: ServerWay, operator: Operator): Promise<Answers> {
  const key = JSON.stringify([way.name, operator]);
  const found = known.get(key) ?? openAndAsk(way, operator);
  known.set(key, found);
  return found;
}

async function openAndAsk(way: ServerWay, operator: Operator): Promise<Answers> {
  const open = await way.open(pack, operator);
  try {
    return await ask(open);
  } finally {
    await open.close();
  }
}

/** What `start` gives the same client, with what is meant to differ. */
async function expectedOf(way: ServerWay, operator: Operator): Promise<Answers> {
  const reference = ways.find(({ name }) => name === `start, ${way.era}${way.asksNobody ? asksNobody : ''}`);
  const expected: Record<string, unknown> = { ...(await answersOf(reference as ServerWay, operator)) };
  const edit = (key: string, change: (text: string) => string): void => {
    expected[key] = JSON.parse(change(JSON.stringify(expected[key])));
  };
  const token = operator.env?.['WAYS_TOKEN'] === undefined ? 'undefined' : '[secret WAYS_TOKEN]';
  if (way.showsCauses) edit('call break {}', text => text.replace('failed (id)', `failed (id): on purpose ${token}`));
  if (way.unknownTool !== undefined) expected['call nothing {}'] = way.unknownTool;
  if (way.bringsRoots) expected['call folders {}'] = { content: [{ type: 'text', text: pathToFileURL(pack).href }] };
  return expected;
}

const asksNobody = ', for a client that cannot ask';

const settings: Operator = {
  env: {
    WAYS_TOKEN: 'hush-hush-hush',
    WAYS_LIMIT: '7',
    TOOLWRIGHT_OPTIONS: '{"report": {"style": "loud"}, "ways/extra": {"typo": 1}}',
    TOOLWRIGHT_ROOTS: '/srv/a:/srv/b',
    TOOLWRIGHT_STATE_KEY: 'a key that is long enough',
    TOOLWRIGHT_SETTINGS: '{"tools": {"extra": {"enabled": false}}}',
  },
};
const patches: Operator = { overlays: [join(folder, 'patches')], mode: 'admin' };
const patchesOfEnvironment: Operator = {
  env: {
    TOOLWRIGHT_OVERLAY: join(folder, 'patches'),
    TOOLWRIGHT_SETTINGS: '{"tools": {"refuse": {"title": "Refuser"}}, "resources": {"rules": {"enabled": false}}}',
  },
};

describe.each([
  ['as it comes', {}],
  ['as its environment sets it', settings],
  ['with patches and a mode', patches],
  ['with patches of the environment', patchesOfEnvironment],
] as const)('a server %s', (_, operator) => {
  const isPatched = operator === patches || operator === patchesOfEnvironment;
  it.each(cases.filter(([, { isWorker }]) => !(isWorker && isPatched)))(
    'a server opened by %s answers as expected',
    async (_name, way) => {
      const found = await answersOf(way, operator);
      const expected = await expectedOf(way, operator);
      expect(found).toEqual(Object.fromEntries(Object.entries(expected).filter(([key]) => key in found)));
    },
  );
});

describe('a server whose tools share schemas', () => {
  it('X1 clients get whole schemas, defaults are filled in below references, and mistakes are found there', async () => {
    const answers = await answersOf(ways.find(({ name }) => name === 'start, 2025') as ServerWay, {});
    const tools = answers['tools'] as readonly Record<string, Record<string, unknown>>[];
    const { inputSchema, outputSchema } = tools.find(({ name }) => String(name) === 'pack-parcel') ?? {};
    expect(Object.keys(inputSchema?.['$defs'] ?? {})).toEqual(['parcel', 'stamp']);
    expect(outputSchema).toMatchObject({ type: 'object', required: ['weight'] });
    const [packed, ...refused] = calls
      .filter(([name]) => name === 'pack-parcel')
      .map(words => answers[keyOf(...words)]);
    expect(packed).toMatchObject({
      structuredContent: { weight: 2, unit: 'kg', inside: { weight: 1, unit: 'kg', stamp: 'red' } },
    });
    expect(refused).toMatchObject([{ isError: true }, { isError: true }]);
    expect(JSON.stringify(refused)).toMatch(/parcel.inside.weight.*parcel.stamp.*others/s);
  });
});

/** Values that no server starts with, and what the operator reads about them. */
const unusable = {
  'a configuration of the wrong type': [{ WAYS_LIMIT: 'seven' }, /WAYS_LIMIT/],
  'a short key': [{ TOOLWRIGHT_STATE_KEY: 'short' }, /at least 16|TOOLWRIGHT_STATE_KEY/],
  'settings that are not JSON': [{ TOOLWRIGHT_SETTINGS: '{"tools' }, /TOOLWRIGHT_SETTINGS/],
  'settings of the wrong kind': [
    { TOOLWRIGHT_SETTINGS: '{"tools": {"extra": {"enabled": 7}}}' },
    /TOOLWRIGHT_SETTINGS/,
  ],
  'a folder of patches that is not there': [{ TOOLWRIGHT_OVERLAY: '/nowhere/at/all' }, /TOOLWRIGHT_OVERLAY|nowhere/],
} as const;

/** What happens before anything is asked does not depend on who asks. */
const onceEach = cases.filter(([name]) => !/2026|protocol|cannot ask/.test(name));

describe.each(Object.entries(unusable))('a server with %s', (_, [env, message]) => {
  it.each(onceEach)('the server does not start when opened by %s', async (_name, way) => {
    if (!way.staysWithoutServer) return await expect(way.open(pack, { env })).rejects.toThrow(message);
    const open = await way.open(pack, { env });
    try {
      expect(await open.call('report', {})).toMatchObject({ isError: true });
      expect(open.said()).toMatch(message);
    } finally {
      await open.close();
    }
  });
});

describe('a server with options that no tool has', () => {
  it.each(onceEach)('an unknown option is reported when the server is opened by %s', async (_name, way) => {
    const open = await way.open(pack, { env: { TOOLWRIGHT_OPTIONS: '{"reprot": {"style": "loud"}}' } });
    try {
      expect(await open.call('report', {})).toMatchObject({ structuredContent: { style: 'plain' } });
      expect(open.said()).toContain('reprot');
    } finally {
      await open.close();
    }
  });
});

describe('`toolwright test`', () => {
  it.each([
    ['as it comes', {}],
    ['as it is set', settings],
  ])('`test` runs the examples of a server %s', (pattern, { env = {} }: Operator) => {
    const words = [command, 'test', 'main', pattern, '--format', 'json'];
    const base = { PATH: process.env['PATH'], HOME: process.env['HOME'], TOOLWRIGHT_CACHE: join(folder, 'cache') };
    const ran = spawnSync(process.execPath, words, { cwd: pack, env: { ...base, ...env }, encoding: 'utf8' });
    expect(JSON.parse(ran.stdout)).toMatchObject({ ok: true, counts: { passed: 1, failed: 0 } });
  });
});
