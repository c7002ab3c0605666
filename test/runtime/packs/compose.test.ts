// Servers that take items of other packs: names, lookups in every layout of node_modules, check, and what is remembered.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRegistry } from '../../../runtime/index.js';
import { startsOf } from '../../../runtime/load/find-pack.js';
import { load } from '../../../runtime/load/load.js';
import { checkPack } from '../../../runtime/packs/check.js';
import { type ComposedServer, composeServer } from '../../../runtime/packs/compose.js';
import { makeLookup } from '../../../runtime/packs/look-up.js';
import { toPack } from '../../../runtime/packs/open-pack.js';
import { parseReference, printName } from '../../../schema/names.js';
import { writeFiles } from '../../harness/files.js';
import { below, type PackFiles, writeFolder } from './code-packs.js';
import { makePack, toolwright } from './packs-kit.js';

const jira = makePack('@acme/jira', { tools: { 'get-issue': '', 'get-user': '', search: '' } });
const wiki = makePack('wiki', { tools: { search: '', page: '' } });

function desk(server: string, more: PackFiles = {}): string {
  return writeFolder({
    ...makePack('desk', { tools: { ping: '' }, servers: { desk: server } }),
    ...below('node_modules/@acme/jira', jira),
    ...below('node_modules/wiki', wiki),
    ...more,
  });
}

function composed(folder: string, project = folder): ComposedServer {
  const pack = toPack(load(folder));
  if ('unusable' in pack) throw new Error('no pack');
  const [server] = pack.program.servers;
  if (server === undefined) throw new Error('no server');
  return composeServer(pack, server, makeLookup({ starts: startsOf(folder, project), project }));
}

/** `wire name = pack/item`. */
function served({ tools }: ComposedServer): readonly string[] {
  return tools.map(({ name, item, pack }) => `${name} = ${pack.program.pack.name}/${item.item}`);
}

async function mistakes(folder: string): Promise<readonly string[]> {
  const { diagnostics } = await checkPack(folder);
  return diagnostics.map(({ code, file, line, column, hint }) =>
    `${code} ${file}:${line}:${column} ${hint ?? ''}`.trim(),
  );
}

describe('references to other packs', () => {
  it('W42 a reference has one to three segments, and only the item may be a pattern', () => {
    const read = (text: string): string => {
      const parsed = parseReference(text);
      return 'problem' in parsed ? parsed.problem : printName(parsed.name);
    };
    for (const text of ['a', 'a/b', 'a/b/c', 'a/b/get-*', 'a/*', 'a/b/*-x*']) expect(read(text)).toBe(text);
    expect(read('a/b/c/d')).toContain('three segments');
    expect(read('a//c')).toContain('empty');
    expect(read('a/../c')).toContain('names are not paths');
    expect(read('*/b/c')).toContain('not a valid pack name');
    expect(read('a/*/c')).toContain('not a valid pack name');
    expect(read('@a/b/c')).toContain('without the @');
  });

  it('W32 W34 a server takes own items by name, items of other packs by two and three segments, and patterns', () => {
    expect(
      served(composed(desk('tools: [ping, desk/ping, wiki/page, acme/jira/search, "acme/jira/get-*"]\n'))),
    ).toEqual([
      'ping = desk/ping',
      'page = wiki/page',
      'search = acme/jira/search',
      'get-issue = acme/jira/get-issue',
      'get-user = acme/jira/get-user',
    ]);
  });

  it('W32 an own item comes before a built-in one of the same name', () => {
    expect(served(composed(desk('tools: [check_pack]\n')))).toEqual(['check_pack = toolwright/check_pack']);
    const own = desk('tools: [check_pack]\n', { 'mcp/tools/check_pack.yaml': 'description: Mine.\n' });
    expect(served(composed(own))).toEqual(['check_pack = desk/check_pack']);
  });

  it('W34 an item of another pack is never found without its pack', async () => {
    expect(await mistakes(desk('tools: [page]\n'))).toEqual([
      'link/unknown-reference mcp/servers/desk.yaml:1:9 correct the name, declare and define the item, or write pack/item',
    ]);
  });

  it('W34 `check` looks into other packs and suggests items at the position of the reference', async () => {
    const folder = desk(
      'tools:\n  - acme/jira/get-isue\n  - "wiki/x*"\n  - gone/pack/a\n  - gone/pack/b\n  - plain/x\n',
      {
        'node_modules/plain/package.json': '{"name": "plain", "version": "1.0.0"}',
      },
    );
    expect(await mistakes(folder)).toEqual([
      'pack/unknown-item mcp/servers/desk.yaml:2:5 did you mean "get-issue"?',
      'link/empty-pattern mcp/servers/desk.yaml:3:5 correct or remove it',
      // Once for each pack: one command cures them all.
      'pack/not-installed mcp/servers/desk.yaml:4:5 npm install @gone/pack',
      "pack/no-manifest mcp/servers/desk.yaml:6:5 correct the name, or add toolwright.yaml to `files` in the pack's package.json",
    ]);
  });

  it('W42 a malformed reference is one mistake', async () => {
    expect(await mistakes(desk('tools: ["", "a b", "wiki/ page", "a//b"]\n'))).toEqual([
      'validate/pattern mcp/servers/desk.yaml:1:9 change the text so that it follows the rule',
      'validate/pattern mcp/servers/desk.yaml:1:13 change the text so that it follows the rule',
      'validate/pattern mcp/servers/desk.yaml:1:20 change the text so that it follows the rule',
      'link/invalid-name mcp/servers/desk.yaml:1:34 correct the reference',
    ]);
  });

  it('W34 prompts and resources of other packs are served, and of two resources with one URI the first', async () => {
    const more = {
      'node_modules/wiki/mcp/prompts/ask.yaml': 'description: Ask.\ntext: Hello\n',
      'node_modules/wiki/mcp/resources/home.yaml': 'uri: wiki://home\ntext: Home\n',
      'mcp/resources/home.yaml': 'uri: wiki://home\ntext: Mine\n',
    };
    const folder = desk('tools: []\nprompts: [wiki/ask]\nresources: [home, wiki/home]\n', more);
    const { prompts, resources } = composed(folder);
    expect(prompts.map(({ name, pack }) => [name, pack.program.pack.name])).toEqual([['ask', 'wiki']]);
    expect(resources.map(({ pack }) => pack.program.pack.name)).toEqual(['desk']);
    expect(await mistakes(folder)).toEqual([
      'link/duplicate-uri mcp/servers/desk.yaml:3:19 give each resource its own URI',
    ]);
  });

  it('fix-P7 the page of a tool may be a resource of another pack', async () => {
    const more = (uri: string) => ({
      'node_modules/wiki/mcp/resources/home.yaml': 'uri: ui://home\ntext: Home\n',
      'mcp/tools/ping.yaml': `description: P.\nui: { resourceUri: "${uri}" }\n`,
    });
    expect(await mistakes(desk('tools: [ping]\nresources: [wiki/home]\n', more('ui://home')))).toEqual([]);
    expect(await mistakes(desk('tools: [ping]\nresources: [wiki/home]\n', more('ui://hom')))).toEqual([
      'link/unknown-page mcp/tools/ping.yaml:2:20 did you mean "ui://home"?',
    ]);
    // Nobody knows what is in a pack that is not there.
    expect(await mistakes(desk('tools: [ping]\nresources: [gone/home]\n', more('ui://x')))).toEqual([
      'pack/not-installed mcp/servers/desk.yaml:2:13 npm install gone',
    ]);
    expect(await mistakes(desk('tools: [ping]\n', more('ui://home')))).toEqual([
      'link/unknown-page mcp/tools/ping.yaml:2:20 correct the URI, add a resource with it, or list a resource from another pack in the server',
    ]);
  });

  it('W70 `check` looks up tools of other packs that texts mention', async () => {
    const text =
      'description: "{{tool:acme/jira/search}} {{tool:wiki/pag}} {{tool:check_pack}} {{tool:a/b/c/d}} {{tool:desk/pong}}"\n';
    expect(await mistakes(desk('tools: [ping]\n', { 'mcp/tools/ping.yaml': text }))).toEqual([
      'link/unknown-tool mcp/tools/ping.yaml:1:41 did you mean "page"?',
      'link/invalid-name mcp/tools/ping.yaml:1:79 correct the reference',
      'link/unknown-tool mcp/tools/ping.yaml:1:96 did you mean "ping"?',
    ]);
  });

  it('W34 a pack that is not installed is reported once per place, however often it is named', async () => {
    const text = 'description: "{{tool:gone/a}} {{tool:gone/b}} {{tool:lost/c}} {{tool:lost/d}}"\n';
    expect(await mistakes(desk('tools: [gone/a, gone/b]\n', { 'mcp/tools/ping.yaml': text }))).toEqual([
      'pack/not-installed mcp/servers/desk.yaml:1:9 npm install gone',
      'pack/not-installed mcp/tools/ping.yaml:1:47 npm install lost',
    ]);
  });

  it('J71 a broken item of another pack is an error for `check`, named or matched, and keeps its number', async () => {
    const broken = { 'node_modules/wiki/mcp/tools/search.yaml': 'descripton: x\n' };
    const named = desk('tools: [wiki/search, acme/jira/search]\n', broken);
    const [first, ...others] = await mistakes(named);
    expect([first, ...others].map(one => one?.split(' ')[0])).toEqual([
      'validate/unknown-key',
      'link/wire-name-collision',
      'pack/broken-item',
    ]);
    expect(served(composed(named))).toEqual(['search2 = acme/jira/search']);
    expect(composed(named).isComplete).toBe(true);
    expect((await mistakes(desk('tools: ["wiki/*"]\n', broken))).map(one => one.split(' ')[0])).toContain(
      'pack/broken-item',
    );
    // A pattern that fits nothing but broken items fits something.
    const only = await mistakes(desk('tools: ["wiki/sea*"]\n', broken));
    expect(only.map(one => one.split(' ')[0])).toEqual(['validate/unknown-key', 'pack/broken-item']);
  });

  it('W61 zero-width characters in items used of another pack are warnings, each once, and other items are ignored', async () => {
    const texts = {
      'node_modules/wiki/mcp/tools/search.yaml': 'description: Pay\u200bment\n',
      'node_modules/wiki/mcp/tools/page.yaml': 'description: { file: page.md }\n',
      'node_modules/wiki/page.md': 'Pay\u200bment\n',
    };
    const used = desk('tools: [wiki/page, "wiki/*"]\nprompts: []\n', texts);
    const hint = 'remove it; it often comes with text copied from a web page';
    expect(await mistakes(used)).toEqual([
      `text/zero-width ${used}/node_modules/wiki/mcp/tools/search.yaml:1:17 ${hint}`,
      `text/zero-width ${used}/node_modules/wiki/page.md:1:4 ${hint}`,
    ]);
    const idle = desk('tools: [wiki/page]\n', { ...texts, 'node_modules/wiki/page.md': 'Page\n' });
    expect(await mistakes(idle)).toEqual([]);
  });

  it('W34 a pack whose manifest cannot be used is reported at the reference', async () => {
    const codes = (
      await mistakes(desk('tools: [wiki/page]\n', { 'node_modules/wiki/toolwright.yaml': 'a: b: c\n' }))
    ).map(one => one.split(' ')[0]);
    expect(codes).toContain('pack/unusable');
    expect(
      composed(desk('tools: [wiki/page]\n', { 'node_modules/wiki/toolwright.yaml': 'a: b: c\n' })).isComplete,
    ).toBe(false);
  });
});

describe('wire names', () => {
  it('W56 W57 every member of a group is numbered over all packs, and names in use are skipped', () => {
    const numbered = (server: string, tools: Readonly<Record<string, string>>): readonly string[] =>
      composed(
        desk(server, {
          ...below('node_modules/names', makePack('names', { tools })),
          'mcp/tools/ping.yaml': 'description: P.\nname: S\n',
        }),
      ).tools.map(({ name }) => name);
    expect(numbered('tools: [ping, names/a]\n', { a: 'S' })).toEqual(['S1', 'S2']);
    expect(numbered('tools: [names/a, ping, names/b]\n', { a: 'S1', b: 'S' })).toEqual(['S1', 'S2', 'S3']);
    expect(numbered('tools: [ping, names/a, names/b]\n', { a: 'S', b: 'S1' })).toEqual(['S2', 'S3', 'S1']);
    expect(numbered('tools: ["names/*"]\n', { a: 'A', b: 'A', c: 'A1', d: 'A1' })).toEqual(['A2', 'A3', 'A11', 'A12']);
  });

  it('W56 a tool that is switched off keeps its number', () => {
    const folder = desk('tools: [wiki/search, acme/jira/search]\n', {
      'node_modules/wiki/mcp/tools/search.yaml': 'description: S.\nenabled: false\n',
    });
    expect(composed(folder).tools.map(({ name }) => name)).toEqual(['search1', 'search2']);
  });

  it('W59 prompts are numbered in the same way as tools', () => {
    const prompt = 'description: A.\ntext: Hello\n';
    const folder = desk('prompts: [ask, wiki/ask]\n', {
      'mcp/prompts/ask.yaml': prompt,
      'node_modules/wiki/mcp/prompts/ask.yaml': prompt,
    });
    expect(composed(folder).prompts.map(({ name }) => name)).toEqual(['ask1', 'ask2']);
  });

  it('W58 the registry of a server calls the item behind the number', async () => {
    await using registry = await createRegistry(desk('tools: [wiki/search, acme/jira/search]\n'), { env: {} });
    expect(await registry.invoke('search2')).toMatchObject({ ok: true, value: 'acme/jira/search 1.0.0' });
    expect(await registry.invoke('search1')).toMatchObject({ ok: true, value: 'wiki/search 1.0.0' });
  });
});

describe('layouts of node_modules', () => {
  it('W34 the dependencies of a linked workspace are found from its real folder, then from the project', () => {
    const root = writeFolder({
      'package.json': '{"name": "root", "private": true}',
      ...below('packages/desk', makePack('desk', { servers: { desk: 'tools: [tools-pack/a, wiki/page]\n' } })),
      ...below('packages/tools-pack', makePack('tools-pack', { tools: { a: '' } })),
      ...below('app/node_modules/wiki', wiki),
    });
    link(join(root, 'packages/tools-pack'), join(root, 'node_modules/tools-pack'));
    link(join(root, 'packages/desk'), join(root, 'app/node_modules/desk'));
    expect(served(composed(join(root, 'app/node_modules/desk'), join(root, 'app')))).toEqual([
      'a = tools-pack/a',
      'page = wiki/page',
    ]);
  });

  it('W34 a pack in the store of pnpm finds dependencies beside its real folder, which the project cannot see', () => {
    const store = 'node_modules/.pnpm/desk@1.0.0/node_modules';
    const root = writeFolder({
      'package.json': '{"name": "app"}',
      ...below(`${store}/desk`, makePack('desk', { servers: { desk: 'tools: [wiki/page]\n' } })),
      ...below('node_modules/.pnpm/wiki@1.0.0/node_modules/wiki', wiki),
    });
    link(join(root, store, 'desk'), join(root, 'node_modules/desk'));
    link(join(root, 'node_modules/.pnpm/wiki@1.0.0/node_modules/wiki'), join(root, store, 'wiki'));
    expect(served(composed(join(root, 'node_modules/desk'), root))).toEqual(['page = wiki/page']);
  });
});

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path, 'dir');
}

describe('overlays for other packs', () => {
  it('P2 keys of an overlay for other packs must be qualified, and keys without a slash mean the own pack', async () => {
    const folder = desk('tools: [wiki/page, wiki/search]\n');
    const overlay = writeFolder({
      'tools.yaml': 'wiki/page: { description: New. }\nsearch: { description: Wrong. }\n',
    });
    const { stdout } = await toolwright(['inspect', '--overlay', overlay, '--format', 'json'], { cwd: folder });
    const { tools } = JSON.parse(stdout) as { tools: { item: string; description: string }[] };
    expect(tools.map(({ item, description }) => [item, description])).toEqual([
      ['page', 'New.'],
      ['search', 'search of wiki.'],
    ]);
  });

  it('P2 J71 mistakes in patches for other packs are reported and stop a start', async () => {
    const folder = desk('tools: [wiki/page, "wiki/*"]\n', {
      'typo/tools.yaml': 'wiki/pagee: { enabled: false }\n',
      'refused/tools.yaml': 'wiki/page: { enabled: false, parameters: {} }\n',
    });
    const run = (...args: readonly string[]) => toolwright(args, { cwd: folder });
    const typo = await run('check', '--overlay', 'typo');
    expect(typo.stdout).toMatch(
      /^typo\/tools\.yaml:1:1 warning .*\[overlay\/unknown-item\]\n[\s\S]*did you mean "page"/m,
    );
    expect(typo.stdout.match(/overlay\/unknown-item/g)).toHaveLength(1);
    for (const args of [['check'], ['inspect']]) {
      const { status, stdout } = await run(...args, '--overlay', 'refused');
      expect(status).toBe(1);
      expect(stdout).toMatch(/^refused\/tools\.yaml:1:30 error .*\[overlay\/refused\]$/m);
    }
    for (const args of [['start'], ['call', 'desk', 'search', '{}']]) {
      const { status, stdout, stderr } = await run(...args, '--overlay', 'refused');
      expect(status).toBe(1);
      expect(stdout).toBe('');
      expect(stderr).toContain('[overlay/refused]');
    }
  });

  it('W70 a mentioned tool with a mistake is not called unknown', async () => {
    const folder = desk('tools: [ping]\n', {
      'mcp/tools/ping.yaml': 'description: "{{tool:wiki/page}}"\n',
      'node_modules/wiki/mcp/tools/page.yaml': 'descripton: Typo.\n',
    });
    expect(await mistakes(folder)).toEqual([]);
  });

  it('J71 mistakes of another pack are reported once, however many references lead to them', async () => {
    const folder = desk('tools: [wiki/page, wiki/search, "wiki/*"]\n', {
      'node_modules/wiki/mcp/tools/page.yaml': 'descripton: Typo.\n',
      'node_modules/wiki/mcp/tools/search.yaml': 'descripton: Typo.\n',
    });
    const found = (await mistakes(folder)).filter(one => one.includes('node_modules'));
    expect(found).toHaveLength(new Set(found).size);
    expect(found.length).toBeGreaterThanOrEqual(2);
  });
});

describe('aliases of packs', () => {
  it('W34 W56 two versions of a pack are two packs, each under the name that the project gave it', async () => {
    const folder = desk('tools: [wiki/page, old-wiki/page]\ninstructions: "{{tool:old-wiki/page}} is the old one."\n', {
      ...below('node_modules/old-wiki', makePack('wiki', { version: '0.1.0', tools: { page: '' } })),
      'patches/tools.yaml': 'old-wiki/page: { title: Old }\n',
    });
    expect(served(composed(folder))).toEqual(['page1 = wiki/page', 'page2 = old-wiki/page']);
    expect((await toolwright(['call', 'desk', 'page2', '{}'], { cwd: folder })).stdout).toBe('wiki/page 0.1.0\n');
    const inspected = await toolwright(['inspect', 'desk', '--overlay', 'patches', '--format', 'json'], {
      cwd: folder,
    });
    const { instructions, tools } = JSON.parse(inspected.stdout) as {
      instructions: string;
      tools: { title?: string }[];
    };
    expect(instructions).toBe('page2 is the old one.');
    expect(tools.map(({ title }) => title)).toEqual([undefined, 'Old']);
    const { stdout } = await toolwright(['lock', '--format', 'json'], { cwd: folder });
    const { changes } = JSON.parse(stdout) as { changes: { name: string; to: string }[] };
    expect(changes.map(({ name, to }) => `${name} ${to}`)).toEqual(['old-wiki/page 0.1.0', 'wiki/page 1.0.0']);
  });

  it('W47 `inspect` calls a pack by the name it was asked for', async () => {
    const folder = desk('tools: []\n', below('node_modules/old-wiki', wiki));
    const { stdout } = await toolwright(['inspect', 'old-wiki', '--format', 'json'], { cwd: folder });
    expect((JSON.parse(stdout) as { name: string }).name).toBe('old-wiki');
  });
});

describe('remembered checks of other packs', () => {
  it('W46 `check` notices that another pack has changed, appeared or disappeared', async () => {
    const folder = desk('tools: [wiki/page]\n');
    const cache = writeFolder({});
    const codes = async (): Promise<readonly string[]> => {
      // What was written a moment ago is not trusted; only what is older is remembered.
      await new Promise(done => setTimeout(done, 150));
      const { stdout } = await toolwright(['check', '--format', 'json'], {
        cwd: folder,
        env: { TOOLWRIGHT_CACHE: cache },
      });
      return (JSON.parse(stdout) as { diagnostics: { code: string }[] }).diagnostics.map(({ code }) => code);
    };
    const stay = join(folder, 'node_modules/wiki/mcp/tools/page.yaml');
    expect([await codes(), await codes()]).toEqual([[], []]);
    writeFileSync(stay, 'descripton: x\n');
    expect(await codes()).toContain('pack/broken-item');
    rmSync(stay);
    expect(await codes()).toEqual(['pack/unknown-item']);
    rmSync(join(folder, 'node_modules/wiki'), { recursive: true });
    expect([await codes(), await codes()]).toEqual([['pack/not-installed'], ['pack/not-installed']]);
    writeFolderAt(join(folder, 'node_modules/wiki'), wiki);
    expect(await codes()).toEqual([]);
  });
});

function writeFolderAt(folder: string, files: PackFiles): void {
  writeFiles(folder, files);
}
