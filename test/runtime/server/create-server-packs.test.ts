// createServer finds packs as Node finds packages: node_modules upwards, the own pack, folders that are given.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createServer,
  DefinitionError,
  loadPack,
  type ServerOptions,
  type ToolServer,
} from '../../../runtime/index.js';
import { findPack } from '../../../runtime/load/find-pack.js';
import { memoryFolder } from '../../harness/memory-folder.js';
import { below, type PackFiles, shop, writeFolder } from '../packs/code-packs.js';

function smallPack(name: string, tools: readonly string[], reply: string = name): PackFiles {
  return {
    'package.json': JSON.stringify({ name, version: '1.0.0', type: 'module' }),
    'toolwright.yaml': 'handlers: lib\n',
    'mcp/tools.yaml': tools.map(tool => `${tool}: { description: ${tool} of ${reply}. }\n`).join(''),
    ...Object.fromEntries(tools.map(tool => [`lib/tools/${tool}.js`, `export default () => '${reply}/${tool}';`])),
  };
}

const app = writeFolder({
  'package.json': '{"name": "app", "version": "1.0.0"}',
  ...below('node_modules/@acme/shop', shop),
  ...below('node_modules/jira', smallPack('jira', ['get-issue', 'get-project', 'search'])),
  ...below('node_modules/@acme/desk', smallPack('@acme/desk', ['search', 'ring'])),
  'node_modules/plain/package.json': '{"name": "plain", "version": "1.0.0"}',
  ...below('services/api/node_modules/jira', smallPack('jira', ['search'], 'nearer')),
  'services/api/src/index.js': '',
  ...below('packs/local', smallPack('local', ['here'])),
});

async function serve(options: Omit<ServerOptions, 'name'>): Promise<ToolServer> {
  return await createServer({ name: 'test', cwd: app, env: {}, report: () => {}, ...options });
}

async function names(options: Omit<ServerOptions, 'name'>): Promise<readonly string[]> {
  await using server = await serve(options);
  return server.tools.map(({ name }) => name);
}

/** `code place` of each mistake. */
async function mistakes(options: Omit<ServerOptions, 'name'>): Promise<readonly string[]> {
  try {
    await (await serve(options)).close();
  } catch (error) {
    if (error instanceof DefinitionError) return error.diagnostics.map(({ code, file }) => `${code} ${file}`);
    throw error;
  }
  return [];
}

describe('finding packs', () => {
  it('W46 a pack is the npm package of its name', async () => {
    await using server = await serve({ tools: ['jira/get-issue', 'acme/desk/ring'] });
    expect(server.tools.map(({ name }) => name)).toEqual(['get-issue', 'ring']);
    expect(await server.registry.invoke('get-issue')).toMatchObject({ ok: true, value: 'jira/get-issue' });
    expect(await server.registry.invoke('ring')).toMatchObject({ ok: true, value: '@acme/desk/ring' });
  });

  it('W49 a pattern takes the items that match, a star takes all', async () => {
    expect(await names({ tools: ['jira/get-*'] })).toEqual(['get-issue', 'get-project']);
    expect(await names({ tools: ['acme/desk/*', 'jira/*-project'] })).toEqual(['ring', 'search', 'get-project']);
  });

  it('W46 the nearest node_modules wins, and others are found further up', async () => {
    const cwd = join(app, 'services/api/src');
    await using server = await serve({ cwd, tools: ['jira/search', 'acme/desk/ring'] });
    expect(await server.registry.invoke('search')).toMatchObject({ ok: true, value: 'nearer/search' });
    expect(findPack('jira', [cwd])).toEqual({ folder: join(app, 'services/api/node_modules/jira') });
  });

  it('W46 a pack may name itself, from any of its folders', async () => {
    const own = writeFolder({ ...shop, 'scripts/serve.js': '' });
    expect(await names({ cwd: join(own, 'scripts'), tools: ['acme/shop/order'] })).toEqual(['order']);
  });

  it('W46 the search for the own pack ends at the own package', () => {
    const nested = writeFolder({ ...smallPack('outer', ['a']), 'inner/package.json': '{"name": "inner"}' });
    expect(findPack('outer', [nested])).toEqual({ folder: nested });
    expect(findPack('outer', [join(nested, 'inner')])).toEqual({ missing: true });
  });

  it('W46 a linked package is found', async () => {
    const target = writeFolder(smallPack('linked', ['a']));
    const project = writeFolder({ 'package.json': '{}' });
    mkdirSync(join(project, 'node_modules'));
    symlinkSync(target, join(project, 'node_modules/linked'), 'dir');
    await using server = await serve({ cwd: project, tools: ['linked/a'] });
    expect(await server.registry.invoke('a')).toMatchObject({ ok: true, value: 'linked/a' });
  });

  it('W46 packs may be given as folders, ports and loaded packs', async () => {
    expect(await names({ packs: ['./packs/local'], tools: ['local/here'] })).toEqual(['here']);
    expect(await names({ packs: [await loadPack(join(app, 'packs/local'))], tools: ['local/*'] })).toEqual(['here']);
    const port = memoryFolder({ 'toolwright.yaml': 'name: mem', 'mcp/tools/t.yaml': 'description: T.' });
    expect(await names({ packs: [port], tools: ['mem/t'] })).toEqual(['t']);
  });

  it('W46 an absent list means everything of the given packs, an empty one nothing', async () => {
    expect(await names({ packs: ['packs/local'] })).toEqual(['here']);
    expect(await names({ packs: ['packs/local'], tools: [] })).toEqual([]);
    expect(await names({})).toEqual([]);
  });

  it('P2 overlays patch the packs', async () => {
    const overlay = writeFolder({ 'tools.yaml': 'jira/search: { description: Look. }\nring: { enabled: false }' });
    await using server = await serve({ overlays: [overlay], tools: ['jira/search', 'acme/desk/ring'] });
    expect(server.tools.map(({ name, description }) => [name, description])).toEqual([['search', 'Look.']]);
  });
});

describe('names of tools', () => {
  it('W56 tools that share a name are numbered, in list order', async () => {
    const search = { name: 'search', description: 'In code.', handler: () => 'code' };
    await using server = await serve({ tools: ['jira/search', 'acme/desk/search', search] });
    expect(server.tools.map(({ name }) => name)).toEqual(['search1', 'search2', 'search3']);
    const values = [];
    for (const { name } of server.tools) {
      const result = await server.registry.invoke(name);
      values.push(result.ok && result.value);
    }
    expect(values).toEqual(['jira/search', '@acme/desk/search', 'code']);
  });

  it('W56 a tool that is switched off keeps its number', async () => {
    const search = { name: 'search', description: 'In code.', enabled: false, handler: () => 'code' };
    expect(await names({ tools: [search, 'jira/search'] })).toEqual(['search2']);
  });

  it('W56 the same item twice is one item, and an overlapping pattern changes nothing', async () => {
    expect(await names({ tools: ['jira/search', 'jira/*', 'jira/search'] })).toEqual([
      'search',
      'get-issue',
      'get-project',
    ]);
  });
});

describe('mistakes in options', () => {
  it('M48 all mistakes are reported in one error, at their places', async () => {
    expect(
      await mistakes({
        tools: [
          'get-issue',
          'jira/get-isue',
          'gone/tool',
          'acme/gone/tool',
          'plain/tool',
          '@acme/shop/order',
          'a/b/c/d',
          '../jira/search',
          'jira//search',
          '',
          7 as never,
          { name: 'x', description: 'X.' } as never,
        ],
        prompts: ['jira/nothing'],
        pageSize: 0,
      }),
    ).toEqual([
      'validate/limit options.pageSize',
      'pack/unknown-built-in tools[0]',
      'pack/unknown-item tools[1]',
      'pack/not-installed tools[2]',
      'pack/not-installed tools[3]',
      'pack/no-manifest tools[4]',
      'link/invalid-name tools[5]',
      'link/invalid-name tools[6]',
      'link/invalid-name tools[7]',
      'link/invalid-name tools[8]',
      'link/invalid-name tools[9]',
      'pack/unknown-item prompts[0]',
      'validate/type tools[10]',
      'pack/no-function tools[11].handler',
    ]);
  });

  it('M48 the message of a mistake says what to do', async () => {
    const message = async (tool: string): Promise<string> => {
      const error: unknown = await serve({ tools: [tool] }).catch((thrown: unknown) => thrown);
      return error instanceof Error ? error.message : '';
    };
    expect(await message('get-issue')).toContain('pack/get-issue');
    expect(await message('jira/get-isue')).toContain('did you mean "get-issue"?');
    expect(await message('acme/gone/tool')).toContain('npm install @acme/gone');
    expect(await message('gone/tool')).toContain('npm install gone');
    expect(await message('acme/shop')).toContain('write acme/shop/*');
    expect(await message('nothing-*')).toContain('nothing-*');
  });

  it('M48 options of `createServer` are checked like a manifest', async () => {
    await expect(createServer(undefined as never)).rejects.toThrow(DefinitionError);
    await expect(createServer({} as never)).rejects.toThrow(/needs the key "name"/);
    await expect(createServer({ name: 'x', tool: [] } as never)).rejects.toThrow(/"tool".*did you mean "tools"\?/);
    await expect(createServer({ name: 'x', tools: 'jira/*' } as never)).rejects.toThrow(/options\.tools/);
    await expect(createServer({ name: 7 } as never)).rejects.toThrow(/options\.name/);
    await expect(createServer({ name: 'x', auth: { type: 'bearr' } } as never)).rejects.toThrow(/options\.auth\.type/);
  });

  it('J71 a broken item is an error where it is named, and left out where a pattern matches it', async () => {
    const broken = { ...smallPack('sick', ['a', 'b']), 'mcp/tools/a.yaml': 'effect: raed\ndescription: A.\n' };
    const project = writeFolder({ 'package.json': '{}', ...below('node_modules/sick', broken) });
    const reports: string[] = [];
    expect(await names({ cwd: project, tools: ['sick/*'], report: text => void reports.push(text) })).toEqual(['b']);
    expect(reports.join('\n')).toContain('sick/mcp/tools/a.yaml:1:9');
    expect(await mistakes({ cwd: project, tools: ['sick/a', 'sick/b'] })).toEqual([
      'pack/broken-item tools[0]',
      expect.stringMatching(/^validate\/value .*sick\/mcp\/tools\/a\.yaml$/),
    ]);
  });

  it('J71 a pack whose manifest is broken is one mistake, however often it is named', async () => {
    const project = writeFolder({
      'node_modules/sick/toolwright.yaml': 'name: [',
      'node_modules/sick/package.json': '{}',
    });
    const found = await mistakes({ cwd: project, tools: ['sick/a', 'sick/b', 'sick/*'] });
    expect(new Set(found).size).toBe(found.length);
    expect(found.length).toBeGreaterThan(0);
    for (const one of found) expect(one).toContain('node_modules/sick/toolwright.yaml');
    expect(await mistakes({ packs: ['no/such/folder'] })).toEqual([
      expect.stringMatching(/^discover\/no-manifest .*no\/such\/folder\/toolwright\.yaml$/),
    ]);
  });

  it('W46 two packs of one name are refused', async () => {
    expect(await mistakes({ packs: ['packs/local', './packs/local'] })).toEqual([
      'resolve/duplicate-item options.packs',
    ]);
  });

  it('W97 configuration of the wrong type stops the start, for all packs at once', async () => {
    const found = mistakes({
      tools: ['acme/shop/find', { name: 'x', description: 'X.', handler: () => '' }],
      config: { PORT: { type: 'integer' } },
      env: { SHOP_LIMIT: 'many', PORT: 'left' },
    });
    expect((await found).map(one => one.split(' ')[0])).toEqual(['config/wrong-type', 'config/wrong-type']);
  });

  it('W61 nothing of a pack runs before it is called', async () => {
    const loud = {
      ...smallPack('loud', ['a']),
      'lib/tools/a.js': `globalThis.loudRan = true; export default () => 'a';`,
    };
    const project = writeFolder({ 'package.json': '{}', ...below('node_modules/loud', loud) });
    await using server = await serve({ cwd: project, tools: ['loud/*'] });
    expect((globalThis as { loudRan?: boolean }).loudRan).toBeUndefined();
    expect(await server.registry.invoke('a')).toMatchObject({ ok: true, value: 'a' });
    expect((globalThis as { loudRan?: boolean }).loudRan).toBe(true);
  });
});
