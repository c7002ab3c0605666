// W88: options of tools that an install sets: typed by their declaration, kept in the entry, effective in started and built servers.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeFolder } from '../runtime/packs/code-packs.js';
import { makePack } from '../runtime/packs/packs-kit.js';
import { openHome } from './install-home.js';

const world = openHome();
const { run } = world;
let pack = '';

beforeAll(() => {
  const other = makePack('@acme/wiki', {
    tools: { page: '' },
    files: {
      'mcp/tools/page.yaml': 'description: A page.\noptions: { depth: { type: integer, default: 1 } }\n',
      'lib/tools/page.js': 'export default (_, ctx) => JSON.stringify(ctx.options);\n',
    },
  });
  pack = writeFolder({
    ...makePack('desk', {
      tools: { find: '', 'a.b': '', plain: '' },
      servers: { desk: 'tools: [find, a.b, plain, acme/wiki/page]\n' },
      files: {
        'mcp/tools/find.yaml': `description: Finds.
options:
  limit: { type: integer, default: 1 }
  ratio: { type: number }
  deep: { type: boolean, default: false }
  mode: { type: string, enum: [fast, exact], default: fast }
  tags: { type: array, default: [] }
`,
        'mcp/tools/a.b.yaml': 'description: Dots.\noptions: { c: { type: string } }\n',
        'lib/tools/find.js': 'export default (_, ctx) => JSON.stringify(ctx.options);\n',
        'lib/tools/a.b.js': 'export default (_, ctx) => JSON.stringify(ctx.options);\n',
      },
    }),
    ...Object.fromEntries(Object.entries(other).map(([file, text]) => [`node_modules/@acme/wiki/${file}`, text])),
  });
});
afterAll(() => world.remove());

const file = (): string => join(world.path, '.cursor/mcp.json');
interface Entry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}
const entry = (): Entry =>
  (JSON.parse(readFileSync(file(), 'utf8')) as { mcpServers: { desk: Entry } }).mcpServers.desk;
const install = (...words: readonly string[]) => run('install', 'cursor', 'desk', '--cwd', pack, '--yes', ...words);
const options = (...words: readonly string[]): readonly string[] => words.flatMap(word => ['--option', word]);

/** What tools say of their options, run as the client would. */
async function callAll(tools: readonly string[]): Promise<readonly unknown[]> {
  const { command, args, env = {} } = entry();
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { ...(process.env as Record<string, string>), ...env },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'options', version: '1.0.0' });
  await client.connect(transport);
  try {
    const results: unknown[] = [];
    for (const name of tools) {
      const { content } = await client.callTool({ name, arguments: {} });
      results.push(JSON.parse((content as { text: string }[])[0]?.text ?? ''));
    }
    return results;
  } finally {
    await client.close();
  }
}

describe('`toolwright install --option`', () => {
  const typed = options('find.limit=5', 'find.deep=true', 'find.mode=exact', 'find.tags=["x","y"]', 'find.ratio=0.5');

  it('fix-F18 W88 `install --option` gives each value the type of its declaration, in a started and in a built server', async () => {
    world.renew();
    const more = options('a.b.c=12', 'acme/wiki/page.depth=3');
    expect(install(...typed, ...more)).toMatchObject({ status: 0 });
    const expected = [{ limit: 5, ratio: 0.5, deep: true, mode: 'exact', tags: ['x', 'y'] }, { c: '12' }, { depth: 3 }];
    expect(entry().args).toContain('start');
    expect(await callAll(['find', 'a.b', 'page'])).toEqual(expected);
    expect(run('build', 'desk', '--cwd', pack)).toMatchObject({ status: 0 });
    expect(install('--run', 'built')).toMatchObject({ status: 0 });
    expect(entry().args.join(' ')).toContain('desk.cjs');
    expect(await callAll(['find', 'a.b', 'page'])).toEqual(expected);
  });

  it('fix-F18 W88 `install --option` keeps what was set before and replaces what is named again', () => {
    world.renew();
    expect(install('--run', 'start', ...options('find.limit=5', 'find.deep=true')).status).toBe(0);
    expect(install('--run', 'start', ...options('find.limit=7', 'a.b.c=x')).status).toBe(0);
    expect(JSON.parse(entry().env?.['TOOLWRIGHT_OPTIONS'] ?? '')).toEqual({
      find: { limit: 7, deep: true },
      'a.b': { c: 'x' },
    });
    expect(install('--run', 'start').status).toBe(0);
    expect(entry().env?.['TOOLWRIGHT_OPTIONS']).toContain('"limit":7');
  });

  it('fix-F18 W88 `install --option --dry-run` shows the options and writes nothing, and `uninstall` removes them', () => {
    world.renew();
    const dry = install('--run', 'start', ...options('find.limit=5'), '--env', 'TOKEN=very-secret', '--dry-run');
    expect(dry).toMatchObject({ status: 0 });
    expect(dry.stdout).toContain('"TOOLWRIGHT_OPTIONS": "{\\"find\\":{\\"limit\\":5}}"');
    expect(dry.stdout).not.toContain('very-secret');
    expect(existsSync(file())).toBe(false);
    expect(install('--run', 'start', ...options('find.limit=5')).status).toBe(0);
    expect(run('uninstall', 'cursor', 'desk', '--cwd', pack).status).toBe(0);
    expect(existsSync(file()) ? readFileSync(file(), 'utf8') : '').not.toContain('TOOLWRIGHT_OPTIONS');
  });

  it.each([
    ['find', '--option needs tool.option=value, not "find"'],
    ['find=5', '--option needs tool.option=value, not "find=5"'],
    ['.limit', '--option needs tool.option=value'],
    ['fnd.limit=5', 'desk has no tool "fnd": did you mean "find"?'],
    ['zzz.limit=5', 'desk has no tool "zzz": it has find, a.b, plain, acme/wiki/page'],
    ['find.limt=5', 'find has no option "limt": did you mean "limit"?'],
    ['find.zzz=5', 'find has no option "zzz": it has limit, ratio, deep, mode, tags'],
    ['plain.x=5', 'plain has no option "x": it has none'],
    ['find.toString=5', 'find has no option "toString"'],
    ['find.limit=five', 'find.limit must be of type integer, not "five"'],
    ['find.limit=1.5', 'find.limit must be of type integer, not "1.5"'],
    ['find.limit=', 'find.limit must be of type integer, not ""'],
    ['find.deep=yes', 'find.deep must be of type boolean, not "yes"'],
    ['find.mode=slow', 'find.mode must be one of "fast", "exact", not "slow"'],
    ['find.tags=x', 'find.tags must be of type array, not "x"'],
    ['acme/wiki/page.dept=1', 'acme/wiki/page has no option "dept": did you mean "depth"?'],
  ])('fix-F18 W88 `install --option` refuses %s', (word, message) => {
    world.renew();
    const { status, stderr } = install('--option', word);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(existsSync(file())).toBe(false);
  });
});
