// I5, I6: eight public servers are imported by the command, with and without forwarding. Each pack is checked, generated, compiled and started, and
// lists what its original lists, in the same order.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from '../../harness/build-pack.js';
import { writeFiles } from '../../harness/files.js';
import type { Target } from '../../harness/interop-clients.js';
import { connect, originalOf, type PublicServer, publicServers } from './gateway/public-servers.js';
import { installOriginal, run, startOf } from './ports/originals.js';
import { realServers } from './surfaces/real-servers.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-import-servers-')));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

type Data = Readonly<Record<string, unknown>>;

const kubernetes = realServers.find(({ name }) => name === 'kubernetes');
const plain = (name: string, main: string | undefined): PublicServer => ({
  name,
  isBrowser: false,
  main,
  argsIn: () => [],
});
const servers: readonly PublicServer[] = [
  ...publicServers.map(server => (server.isBrowser ? { ...server, argsIn: () => [] } : server)),
  plain('kubernetes', kubernetes && installOriginal(kubernetes.package, kubernetes.version, kubernetes.main)),
  plain('context7', installOriginal('@upstash/context7-mcp', '4.1.1')),
  plain('notion', installOriginal('@notionhq/notion-mcp-server', '2.5.2', 'bin/cli.mjs')),
].filter(({ main }) => main !== undefined);

interface Lists {
  readonly instructions: string | undefined;
  readonly tools: readonly Data[];
  readonly prompts: readonly Data[];
  readonly resources: readonly Data[];
  readonly templates: readonly Data[];
}

/** As an import is: a server may list a tool only for clients that can open an address. */
const able = { roots: {}, sampling: { tools: {} }, elicitation: { form: {}, url: {} } };

async function listsOf(target: Target): Promise<Lists> {
  const { request, instructions, capabilities, close } = await connect(target, folder, able);
  const list = async (capability: string, method: string, member: string): Promise<readonly Data[]> => {
    if (capabilities[capability] === undefined) return [];
    // Servers that have resources need not have templates.
    const none = method.includes('templates') ? { [member]: [] } : undefined;
    const { [member]: listed, nextCursor } = await request(method).catch(
      (error: Error) => none ?? Promise.reject(error),
    );
    expect(nextCursor).toBeUndefined();
    return listed as readonly Data[];
  };
  const lists = {
    instructions,
    tools: await list('tools', 'tools/list', 'tools'),
    prompts: await list('prompts', 'prompts/list', 'prompts'),
    resources: await list('resources', 'resources/list', 'resources'),
    templates: await list('resources', 'resources/templates/list', 'resourceTemplates'),
  };
  await close();
  return lists;
}

/** Tasks are not served, and one server gives an argument of a prompt a default, which the protocol does not know. */
const known = (lists: Lists): Lists => ({
  ...lists,
  tools: lists.tools.map(({ execution: _, ...tool }) => tool),
  prompts: lists.prompts.map(({ arguments: list, ...prompt }) => ({
    ...prompt,
    ...(list !== undefined && { arguments: (list as Data[]).map(({ default: _, ...argument }) => argument) }),
  })),
});

/** What every pack with code does: a title is repeated as a hint, and prompts say what they leave open. */
const withCode = (lists: Lists): Lists => ({
  ...lists,
  tools: lists.tools.map(({ annotations, ...tool }) => {
    const hints = {
      ...(tool['title'] !== undefined && { title: tool['title'] }),
      ...(annotations as Data | undefined),
    };
    return { ...tool, ...(Object.keys(hints).length > 0 && { annotations: hints }) };
  }),
  prompts: lists.prompts.map(({ arguments: list, ...prompt }) => ({
    description: '',
    ...prompt,
    ...(list !== undefined && {
      arguments: (list as Data[]).map(argument => ({ description: '', required: false, ...argument })),
    }),
  })),
});

/** With the dependencies that `npm install` would bring. */
function importInto(pack: string, { command, args, env = {} }: Target, ...words: readonly string[]): string {
  const parent = dirname(pack);
  mkdirSync(parent, { recursive: true });
  const keys = Object.keys(env).flatMap(key => ['--env', key]);
  const all = ['import', '--into', pack, '--name', 'imported', ...words, ...keys, '--', command, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'dist/cli/main.js'), ...all], {
    cwd: parent,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${status}\n${stdout}${stderr}`);
  mkdirSync(join(pack, 'node_modules'));
  symlinkSync(root, join(pack, 'node_modules/toolwright'), 'dir');
  for (const one of ['@types', 'typescript'])
    symlinkSync(join(root, 'node_modules', one), join(pack, 'node_modules', one), 'dir');
  return stdout + stderr;
}

const require = createRequire(import.meta.url);
const compilers = ['typescript', 'typescript7'].map(name =>
  join(dirname(require.resolve(`${name}/package.json`)), 'bin/tsc'),
);

/** Declarations are read, too. */
function compile(pack: string): string {
  writeFiles(pack, {
    'proof.ts': "import * as generated from './generated/index.js';\nexport default generated;\n",
    'tsconfig.proof.json': JSON.stringify({
      extends: './tsconfig.json',
      compilerOptions: { rootDir: '.', noEmit: true },
      include: ['src', 'proof.ts', 'generated/**/*.d.ts'],
    }),
  });
  return compilers
    .map(tsc => spawnSync(process.execPath, [tsc, '-p', 'tsconfig.proof.json'], { cwd: pack, encoding: 'utf8' }).stdout)
    .join('');
}

function started(pack: string, env: Readonly<Record<string, string>>, ...words: readonly string[]): Target {
  const start = startOf(pack, env);
  return { ...start, args: [...start.args, ...(words.length > 0 ? ['--', ...words] : [])] };
}

describe.each(servers)('$name', server => {
  const target = originalOf(server, join(folder, server.name, 'home'));
  let asked: Promise<Lists> | undefined;
  const original = (): Promise<Lists> => {
    asked ??= listsOf(target);
    return asked;
  };

  it.each([
    ['', []],
    ['in short form', ['--short']],
    ['forwarding', ['--proxy']],
  ])('I5: a pack imported from it lists what it lists: %s', { timeout: 240_000 }, async (way, words) => {
    const pack = join(folder, server.name, way.replaceAll(/\W+/g, '-') || 'plain');
    importInto(pack, target, ...words);
    run(pack, 'check');
    run(pack, 'generate');
    expect(compile(pack)).toBe('');
    const ours = await listsOf(started(pack, target.env ?? {}));
    const isForwarded = words.includes('--proxy');
    const expected = known(await original());
    const listed = isForwarded ? expected : withCode(expected);
    expect(ours).toEqual(listed);
    // The order of members decides nothing for clients, but what models read is the text.
    const schemas = ({ tools }: Lists) =>
      JSON.stringify(tools.map(({ inputSchema, outputSchema }) => [inputSchema, outputSchema]));
    expect(schemas(ours)).toBe(schemas(listed));
    expect(ours.tools.length).toBeGreaterThan(1);
  });
});

const calls: Readonly<Record<string, readonly [tool: string, args: Data, text: string]>> = {
  everything: ['get-sum', { a: 2, b: 3 }, '5'],
  filesystem: ['list_allowed_directories', {}, 'home'],
  memory: ['read_graph', {}, 'entities'],
};

describe.each(servers.filter(({ name }) => calls[name] !== undefined))('calls of $name', server => {
  it('I6: a pack that forwards works from the first minute', { timeout: 60_000 }, async () => {
    const [tool, args, text] = calls[server.name] ?? ['', {}, ''];
    const target = originalOf(server, join(folder, server.name, 'home'));
    const pack = join(folder, server.name, 'called');
    importInto(pack, target, '--proxy');
    const client = await connect(started(pack, target.env ?? {}), folder);
    const result = await client.request('tools/call', { name: tool, arguments: args });
    await client.close();
    expect(JSON.stringify(result)).toContain(text);
    expect(result['isError']).not.toBe(true);
  });
});

describe.each(
  [
    {
      name: 'playwright',
      merge: ['--caps=vision', '--caps=pdf', '--caps=network'],
      starts: [[], ['--caps=vision'], ['--caps=pdf'], ['--caps=pdf,network,vision']],
    },
    {
      name: 'chrome-devtools',
      merge: [
        '--no-category-network',
        '--no-javascript-evaluation',
        '--screenshot-format=jpeg',
        '--experimental-vision',
      ],
      starts: [
        ...[[], ['--no-category-network'], ['--no-javascript-evaluation'], ['--screenshot-format=jpeg']],
        ['--experimental-vision', '--screenshot-format=jpeg', '--no-category-network'],
      ],
    },
    {
      name: 'kubernetes',
      merge: ['ALLOW_ONLY_READONLY_TOOLS=true', 'ALLOW_ONLY_NON_DESTRUCTIVE_TOOLS=true'],
      starts: [[], ['ALLOW_ONLY_READONLY_TOOLS=true'], ['ALLOW_ONLY_NON_DESTRUCTIVE_TOOLS=true']],
    },
  ].filter(({ name }) => servers.some(server => server.name === name)),
)('captures of $name', ({ name, merge, starts }) => {
  it('I5: packs of several captures list what the server lists with the same flags', { timeout: 240_000 }, async () => {
    const server = servers.find(one => one.name === name);
    if (server === undefined) throw new Error(`no server ${name}`);
    const target = originalOf(server, join(folder, name, 'home'));
    const pack = join(folder, name, 'merged');
    importInto(pack, target, '--proxy', ...merge.flatMap(words => ['--merge', words]));
    run(pack, 'check');
    const byName = (lists: Lists) => lists.tools.toSorted((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1));
    for (const words of starts) {
      const flags = words.filter(word => word.startsWith('-'));
      const env = Object.fromEntries(
        words.filter(word => !word.startsWith('-')).map(word => word.split('=') as [string, string]),
      );
      const theirs = await listsOf({ ...target, args: [...target.args, ...flags], env: { ...target.env, ...env } });
      const ours = await listsOf(started(pack, { ...target.env, ...env }, ...flags));
      expect(byName(ours), words.join(' ')).toEqual(byName(known(theirs)));
    }
  });
});

it('I5: no variable that a server needs gets into a file', { timeout: 60_000 }, () => {
  const server = servers.find(({ name }) => name === 'memory');
  if (server === undefined) return;
  const target = originalOf(server, join(folder, 'secret/home'));
  const pack = join(folder, 'secret/pack');
  importInto(pack, { ...target, env: { ...target.env, MY_API_TOKEN: 'very-secret-value' } }, '--proxy');
  const { stdout } = spawnSync('grep', ['-rl', '--exclude-dir=node_modules', 'very-secret-value', pack], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
  expect(readFileSync(join(pack, 'toolwright.yaml'), 'utf8')).toContain('MY_API_TOKEN');
  writeFileSync(join(pack, 'done'), '');
});
