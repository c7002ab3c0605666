// Which files `toolwright dev` looks at, and which not: texts, schemas, overlays, .env, linked packs; not what tools write.
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { editFiles, endSessions, startDev, toolOf } from './dev-kit.js';

afterEach(endSessions);

describe('files that `dev` watches', () => {
  it('P23 `dev` notices texts and schemas in files of their own, also outside the root, and what a handler imports', async () => {
    const dev = await startDev({
      'mcp/tools/a.yaml': 'description: { file: texts/a.md }\ninputSchema: { file: mcp/schemas/a.json }\n',
      'texts/a.md': 'One',
      'mcp/schemas/a.json': '{"type": "object", "properties": {"x": {"type": "string"}}}',
      'src/tools/a.ts':
        "import { word } from '../word.js';\nimport data from '../data.json' with { type: 'json' };\nexport default () => word + data.n;\n",
      'src/word.ts': "export const word = 'w';\n",
      'src/data.json': '{"n": 1}',
    });
    await dev.next('serving');
    expect(await dev.call('a')).toBe('w1');
    expect((await dev.change({ 'texts/a.md': 'Two' }, 'serving')).changed).toEqual(['tools']);
    expect((await dev.client.listTools()).tools[0]?.description).toBe('Two');
    const schema = '{"type": "object", "properties": {"y": {"type": "string"}}}';
    expect((await dev.change({ 'mcp/schemas/a.json': schema }, 'serving')).changed).toEqual(['tools']);
    expect((await dev.change({ 'src/word.ts': "export const word = 'v';\n" }, 'serving')).changed).toEqual([]);
    await dev.change({ 'src/data.json': '{"n": 2}' }, 'serving');
    expect(await dev.call('a')).toBe('v2');
  });

  it('P23 W13 `dev` notices changes of overlays', async () => {
    const dev = await startDev(
      { ...toolOf('a', 'a'), 'patches/tools/a.yaml': 'description: Patched\n' },
      { args: ['--overlay', 'patches'] },
    );
    await dev.next('serving');
    expect((await dev.client.listTools()).tools[0]?.description).toBe('Patched');
    await dev.change({ 'patches/tools/a.yaml': 'description: Patched again\n' }, 'serving');
    expect((await dev.client.listTools()).tools[0]?.description).toBe('Patched again');
    const broken = await dev.change({ 'patches/tools/a.yaml': 'parameters: {}\n' }, 'broken');
    expect([broken.serving, broken.diagnostics[0]?.file]).toEqual(['last', 'patches/tools/a.yaml']);
    await dev.change({ 'patches/tools/a.yaml': undefined }, 'fixed');
    expect((await dev.client.listTools()).tools[0]?.description).toBe('a');
  });

  it('P23 W13 `dev` does not look into dependencies that lie in the folder of an overlay', async () => {
    const dev = await startDev(
      {
        ...toolOf('a', 'a'),
        'patches/tools.yaml': 'a: { description: Patched }\n',
        'patches/node_modules/x/index.js': 'export default 1;\n',
      },
      { args: ['--overlay', 'patches'] },
    );
    await dev.next('serving');
    editFiles(dev.pack, { 'patches/node_modules/x/index.js': 'export default 2;\n' });
    const { causes } = await dev.change({ 'patches/tools.yaml': 'a: { description: Patched again }\n' }, 'serving');
    expect(causes).toEqual(['patches/tools.yaml']);
  });

  it('P23 `dev` reads config from .env, prefers the environment and notices a change', async () => {
    const dev = await startDev(
      {
        'toolwright.yaml': 'config: { WORD: { type: string }, OTHER: { type: string }, COUNT: { type: integer } }\n',
        'mcp/tools/a.yaml': 'description: A\n',
        'src/tools/a.ts': 'export default (_: object, { config }: any) => `${config.WORD} ${config.OTHER}`;\n',
        '.env': 'WORD="from file" # comment\nOTHER=from file\n',
      },
      { env: { OTHER: 'from environment' } },
    );
    await dev.next('serving');
    expect(await dev.call('a')).toBe('from file from environment');
    expect((await dev.change({ '.env': 'WORD=new\n' }, 'serving')).causes).toEqual(['.env']);
    expect(await dev.call('a')).toBe('new from environment');
    const broken = await dev.change({ '.env': 'WORD=new\nCOUNT=many\n' }, 'broken');
    expect([broken.serving, await dev.call('a')]).toEqual(['last', 'new from environment']);
    await dev.change({ '.env': undefined }, 'fixed');
  });

  it('P23 `dev` notices files of a linked pack that the server uses', async () => {
    const dev = await startDev({ ...toolOf('a', 'a'), 'mcp/servers/main.yaml': 'tools: [a]\n' });
    await dev.next('serving');
    const linked = join(dev.pack, '../linked');
    editFiles(linked, {
      'toolwright.yaml': '',
      'package.json': '{"name": "linked", "version": "1.0.0", "type": "module"}',
      ...toolOf('far', 'far 1'),
    });
    mkdirSync(join(dev.pack, 'node_modules'));
    symlinkSync(linked, join(dev.pack, 'node_modules/linked'), 'junction');
    const manifest = '{"name": "demo", "version": "1.0.0", "type": "module", "dependencies": {"linked": "1.0.0"}}';
    await dev.change({ 'package.json': manifest, 'mcp/servers/main.yaml': 'tools: [a, linked/far]\n' }, 'serving');
    expect([await dev.names(), await dev.call('far')]).toEqual([['a', 'far'], 'far 1']);
    await sleep(300);
    editFiles(linked, { 'src/tools/far.ts': "export default () => 'far 2';\n" });
    await dev.next('serving');
    expect(await dev.call('far')).toBe('far 2');
    editFiles(linked, { 'mcp/tools/far.yaml': 'description: Farther\n' });
    expect((await dev.next('serving')).changed).toEqual(['tools']);
  });
});

describe('files that `dev` ignores', () => {
  it('P23 W21 `dev` ignores what a tool writes, what is generated, a touched file and temporary files of editors', async () => {
    const dev = await startDev({
      'mcp/tools/a.yaml': 'description: A\n',
      'src/tools/a.ts':
        "import { writeFileSync } from 'node:fs';\nexport default () => { writeFileSync('state.db', String(Math.random())); writeFileSync('log.txt', 'x'); return 'ok'; };\n",
    });
    await dev.next('serving');
    expect([await dev.call('a'), await dev.call('a')]).toEqual(['ok', 'ok']);
    utimesSync(join(dev.pack, 'mcp/tools/a.yaml'), new Date(), new Date());
    dev.write({ 'node_modules/x/index.js': '1', '.git/HEAD': 'x', 'dist/tools/a.js': 'x', '.a.yaml.swp': 'x' });
    await sleep(500);
    // A real change at last: it is the first one that is told.
    const { causes } = await dev.change({ 'mcp/tools/a.yaml': 'description: B\n' }, 'serving');
    expect(causes).toEqual(['mcp/tools/a.yaml']);
    expect(dev.events.filter(({ event }) => event === 'serving')).toHaveLength(2);
  });

  it('P23 `dev` keeps watching a folder that another one replaces', async () => {
    const dev = await startDev(toolOf('a', 'a'));
    await dev.next('serving');
    const description = async () => (await dev.client.listTools()).tools[0]?.description;
    const [now, other] = [join(dev.pack, 'mcp'), join(dev.pack, '../other')];
    for (const round of [1, 2]) {
      cpSync(now, other, { recursive: true });
      writeFileSync(join(other, 'tools/a.yaml'), `description: Replaced ${round}\n`);
      renameSync(now, join(dev.pack, `../old${round}`));
      renameSync(other, now);
      await vi.waitFor(async () => expect(await description()).toBe(`Replaced ${round}`), 20_000);
      await sleep(1000);
      writeFileSync(join(now, 'tools/a.yaml'), `description: Edited ${round}\n`);
      await vi.waitFor(async () => expect(await description()).toBe(`Edited ${round}`), 20_000);
    }
  });

  it('P23 W21 an atomic save is one change, and a file that is renamed and back is none', async () => {
    const dev = await startDev({ ...toolOf('a', 'one'), ...toolOf('b', 'b') });
    await dev.next('serving');
    const handler = join(dev.pack, 'src/tools/a.ts');
    dev.write({ 'a.tmp': "export default () => 'two';\n" });
    renameSync(join(dev.pack, 'a.tmp'), handler);
    await dev.next('serving');
    expect(await dev.call('a')).toBe('two');
    const definition = join(dev.pack, 'mcp/tools/b.yaml');
    renameSync(definition, join(dev.pack, 'b.old'));
    renameSync(join(dev.pack, 'b.old'), definition);
    await sleep(300);
    rmSync(definition);
    expect([(await dev.next('serving')).changed, await dev.names()]).toEqual([['tools'], ['a']]);
    while (dev.told.length === 0) await sleep(20);
    expect(dev.told).toEqual(['tools']);
  });
});

describe('files that `dev` generates', () => {
  it('P23 a new tool gets types and a stub, which answers, and `dev --no-generate` writes nothing', async () => {
    const dev = await startDev(toolOf('a', 'a'));
    await dev.next('serving');
    await dev.next('generated');
    const { files } = await dev.change({ 'mcp/tools/fresh.yaml': 'description: Fresh\n' }, 'generated');
    expect(files).toContainEqual({ op: 'create', path: 'src/tools/fresh.ts' });
    await dev.next('serving');
    expect([await dev.names(), await dev.call('fresh')]).toEqual([
      ['a', 'fresh'],
      expect.stringContaining('NOT_IMPLEMENTED'),
    ]);
    expect(dev.events.filter(({ event }) => event === 'broken')).toEqual([]);
    const other = await startDev({ 'mcp/tools/a.yaml': 'description: A\n' }, { args: ['--no-generate'] });
    expect(await other.next('broken')).toMatchObject({
      serving: 'rest',
      diagnostics: [{ code: 'generate/missing-handler' }],
    });
    await other.change({ 'src/tools/a.js': "export default () => 'written';\n" }, 'fixed');
    expect(await other.call('a')).toBe('written');
    expect(other.events.filter(({ event }) => event === 'generated')).toEqual([]);
  });
});
