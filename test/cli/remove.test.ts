// toolwright remove: the reverse of `add`, in every layout, and what it refuses.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { writeFiles } from '../harness/files.js';
import { filesOf, makeAuthorWorld } from './author-world.js';

const world = makeAuthorWorld();
afterAll(() => world.remove());

const project = { 'package.json': '{ "name": "p", "type": "module" }\n' };
const a = { 'mcp/tools/a.yaml': 'description: A\n', 'src/tools/a.js': 'export default async () => 1;\n' };
const combined = 'a: { description: A, handler: src/tools/a.js }\n';
const read = (pack: string, path: string): string => readFileSync(join(pack, path), 'utf8');

const layouts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'kinds are discovered': { 'toolwright.yaml': '', ...a },
  'nothing is there': { 'toolwright.yaml': '' },
  'a flow list': { 'toolwright.yaml': 'tools: [a]\n', ...a },
  'a flow list that is empty': { 'toolwright.yaml': 'tools: [] # none yet\n' },
  'a flow list that ends with a comma': { 'toolwright.yaml': 'tools: [a,] # x\n', ...a },
  'a flow list with spaces and CRLF': { 'toolwright.yaml': 'tools: [ a ]\r\nroot: mcp\r\n', ...a },
  'a flow list on many lines': { 'toolwright.yaml': 'tools:\n  [\n    a, # one\n  ]\n', ...a },
  'a flow list on many lines without a comma': { 'toolwright.yaml': 'tools:\n  [\n    a # one\n  ]\n', ...a },
  'a block list with comments': { 'toolwright.yaml': 'tools:\n  - a # first\n\n# end\nname: p\n', ...a },
  'a block list without a last line break': { 'toolwright.yaml': 'tools:\r\n- a', ...a },
  'a block list of all forms': {
    'toolwright.yaml': 'tools:\n-   [a, text]\n-   name: c\n    description: |\n      long\n\nroot: mcp\n',
    ...a,
    'mcp/tools/c.yaml': 'description: C\n',
    'src/tools/c.js': 'export default async () => 1;\n',
  },
  'a byte order mark': { 'toolwright.yaml': '\uFEFFtools: [a] # ü\n', ...a },
  'a combined file': {
    'toolwright.yaml': '',
    'mcp/tools.yaml': `# mine\n${combined}# the end\n\n`,
    'src/tools/a.js': a['src/tools/a.js'],
  },
  'a combined file without a last line break': {
    'toolwright.yaml': '',
    'mcp/tools.yaml': combined.trimEnd(),
    'src/tools/a.js': a['src/tools/a.js'],
  },
  'a combined file with CRLF and deep entries': {
    'toolwright.yaml': '',
    'mcp/tools.yaml': 'a:\r\n    description: |\r\n        A\r\n\r\n        more\r\n    handler: src/tools/a.js\r\n',
    'src/tools/a.js': a['src/tools/a.js'],
  },
  'a combined file that is empty': { 'toolwright.yaml': '', 'mcp/tools.yaml': '# later\n{}\n' },
  'a combined file in JSON': {
    'toolwright.yaml': '',
    'mcp/tools.json': '{\n  "a": { "description": "A", "handler": "src/tools/a.js" }\n}\n',
    'src/tools/a.js': a['src/tools/a.js'],
  },
  'a server with a list': { 'toolwright.yaml': '', ...a, 'mcp/servers/s.yaml': 'description: S\ntools: [a] # mine\n' },
  'a server with a list in a combined file': {
    'toolwright.yaml': '',
    ...a,
    'mcp/servers.yaml': 's:\n  description: S\n  tools:\n    - a\n\n# end\n',
  },
  'a server with a list in JSON': {
    'toolwright.yaml': '',
    ...a,
    'mcp/servers/s.json': '{ "description": "S", "tools": ["a"] }\n',
  },
};

describe('`toolwright remove`', () => {
  it.each(Object.entries(layouts))('fix-N31 `add` and `remove` leave every byte of a pack where %s', (_, files) => {
    const pack = world.make({ ...project, ...files });
    world.run(pack, 'generate');
    const before = filesOf(pack);
    const server = Object.keys(files).some(path => path.includes('servers')) ? ['--server', 's'] : [];
    const added = world.run(pack, 'add', 'tool', 'get-issue', ...server);
    expect({ status: added.status, stdout: added.stdout }).toMatchObject({ status: 0 });
    expect(filesOf(pack)).not.toEqual(before);
    const dry = world.run(pack, 'remove', 'tool', 'get-issue', '--dry-run');
    expect(dry).toMatchObject({ status: 0, stdout: expect.stringMatching(/^--- /m) });
    const { status, stdout } = world.run(pack, 'remove', 'tool', 'get-issue');
    expect({ status, stdout }).toMatchObject({ status: 0 });
    expect(filesOf(pack)).toEqual(before);
  });

  it.each(['tool', 'prompt', 'resource', 'server'])('fix-N31 `remove` takes back what `add %s` wrote', kind => {
    const pack = world.make({ ...project, 'toolwright.yaml': '' });
    world.run(pack, 'generate');
    const before = filesOf(pack);
    world.run(pack, 'add', kind, 'x');
    expect(world.run(pack, 'remove', kind, 'x')).toMatchObject({ status: 0 });
    expect(filesOf(pack)).toEqual(before);
  });

  it('fix-N31 `remove` keeps an edited handler and names it, and deletes it with `--with-handler`', () => {
    const make = (): string => {
      const pack = world.make({ ...project, 'toolwright.yaml': '', ...a });
      world.run(pack, 'generate');
      return pack;
    };
    const kept = make();
    const { status, stdout } = world.run(kept, 'remove', 'tool', 'a');
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('[author/kept-handler]') });
    expect(stdout).toContain('"src/tools/a.js" was edited, so it is kept');
    expect(stdout).not.toContain('leftover');
    expect(existsSync(join(kept, 'src/tools/a.js'))).toBe(true);
    const gone = make();
    expect(world.run(gone, 'remove', 'tool', 'a', '--with-handler')).toMatchObject({ status: 0 });
    expect(existsSync(join(gone, 'src/tools/a.js'))).toBe(false);
  });

  it('fix-N31 `remove` is stopped by places that would break, with their positions, unless `--force` is given', () => {
    const files = {
      ...project,
      'toolwright.yaml': '',
      ...a,
      'mcp/prompts/p.yaml': 'description: P\ntext: |\n  Use {{tool:a}} first.\n',
      'overlays/quiet/tools.yaml': '# theirs\na: { enabled: false }\n',
    };
    const pack = world.make(files);
    world.run(pack, 'generate');
    const before = filesOf(pack);
    const stopped = world.run(pack, 'remove', 'tool', 'a');
    expect(stopped.status).toBe(1);
    const place =
      'mcp/prompts/p.yaml:3:7 error the tool "a" is still used here; without it: the text mentions the tool "a"';
    expect(stopped.stdout).toMatch(new RegExp(`^${place}.*\\[author/still-used\\]$`, 'm'));
    expect(stopped.stdout).toContain('\n1 error in 1 file\n');
    expect(filesOf(pack)).toEqual(before);
    const forced = world.run(pack, 'remove', 'tool', 'a', '--force');
    expect(forced.stdout).toMatch(/^overlays\/quiet\/tools\.yaml:2:1 warning .*\[author\/overlay-entry\]$/m);
    expect(existsSync(join(pack, 'mcp/tools/a.yaml'))).toBe(false);
    expect(read(pack, 'mcp/prompts/p.yaml')).toBe(files['mcp/prompts/p.yaml']);
    expect(read(pack, 'overlays/quiet/tools.yaml')).toBe(files['overlays/quiet/tools.yaml']);
  });

  it('fix-N31 `remove` is stopped by a module of several handlers that still makes one for the item', () => {
    const pack = world.make({
      ...project,
      'toolwright.yaml': '',
      'mcp/tools.yaml':
        'a: { description: A, handler: "src/all.js#a" }\nb: { description: B, handler: "src/all.js#b" }\n',
      'src/all.js':
        "import { tools } from '../generated/index.js';\nexport const a = tools.a(async () => 1);\nexport const b = tools.b(async () => 2);\n",
    });
    world.run(pack, 'generate');
    const { status, stdout } = world.run(pack, 'remove', 'tool', 'b');
    expect({ status, stdout }).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('without it: tools.b is not a tool in this pack'),
    });
    expect(read(pack, 'mcp/tools.yaml')).toContain('b: {');
  });

  it.each([
    ['comments alone', '# mine\n'],
    ['nothing', ''],
    ['other keys', 'name: p # mine\nroot: mcp\n'],
    ['other keys and no last line break', 'name: p'],
    ['lines that end with CRLF', '# mine\r\nname: p\r\n'],
    ['a byte order mark', '\uFEFFname: p\n'],
    ['a list of its own', 'servers:\n  - s\n'],
    ['a list of its own in brackets', 'servers: [s] # mine\n'],
  ])('fix-B15 `add server` and `remove server` leave every byte of a manifest with %s', (_, manifest) => {
    const server = { 'mcp/servers/s.yaml': 'description: S\n' };
    const pack = world.make({ ...project, 'toolwright.yaml': manifest, ...a, ...server });
    world.run(pack, 'generate');
    const before = filesOf(pack);
    for (const name of ['two', 'three']) expect(world.run(pack, 'add', 'server', name).status).toBe(0);
    expect(JSON.parse(world.run(pack, 'list', '--format', 'json').stdout).servers).toHaveLength(3);
    for (const name of ['three', 'two']) expect(world.run(pack, 'remove', 'server', name).status).toBe(0);
    expect(filesOf(pack)).toEqual(before);
  });

  it('fix-B15 `remove` deletes the samples of `init` that nobody edited, in any order, and keeps the root of the definitions', () => {
    const pack = world.make({});
    world.run(pack, 'init', '--name', 'mine');
    writeFiles(pack, { 'toolwright.yaml': 'root: mcp\n' });
    const stopped = world.run(pack, 'remove', 'tool', 'greet');
    expect(stopped.stdout).toContain('\n1 error in 1 file\n');
    for (const [kind, item] of [
      ['prompt', 'introduce'],
      ['tool', 'greet'],
      ['server', 'mine'],
    ] as const) {
      const { status, stdout } = world.run(pack, 'remove', kind, item);
      expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.not.stringContaining('warning') });
    }
    expect(existsSync(join(pack, 'src/tools/greet.ts'))).toBe(false);
    expect(world.run(pack, 'check', '--strict')).toMatchObject({ status: 0 });
  });

  it('fix-B15 `remove --force` deletes an untouched stub, even if the pack is broken then, and says nothing false of it', () => {
    const pack = world.make({
      ...project,
      'toolwright.yaml': '',
      'mcp/tools/b.yaml': 'description: B\n',
      'mcp/prompts/p.yaml': 'description: P\ntext: Use {{tool:b}}.\n',
    });
    world.run(pack, 'generate');
    expect(existsSync(join(pack, 'src/tools/b.js'))).toBe(true);
    const { stdout } = world.run(pack, 'remove', 'tool', 'b', '--force');
    expect(stdout).toContain('delete  src/tools/b.js');
    expect(stdout).not.toContain('edited');
    expect(existsSync(join(pack, 'src/tools/b.js'))).toBe(false);
  });

  it('fix-N31 `remove` removes every definition of an item, also a shadowed one', () => {
    const pack = world.make({
      ...project,
      'toolwright.yaml': '',
      ...a,
      'mcp/tools.yaml': 'a: { description: Old }\nb: { description: B }\n',
    });
    expect(world.run(pack, 'remove', 'tool', 'a').status).toBe(0);
    expect(read(pack, 'mcp/tools.yaml')).toBe('b: { description: B }\n');
    expect(existsSync(join(pack, 'mcp/tools'))).toBe(false);
  });

  it.each([
    ['an item that is not there', ['tool', 'c'], 2, /The pack has no tool "c"/],
    ['a word that is not a kind', ['tol', 'a'], 2, /is not a kind of item/],
    ['a tool that is defined inside of a server', ['tool', 'inside'], 1, /is defined inside a server: remove it there/],
  ])('fix-N31 fix-N35 `remove` refuses %s and writes nothing', (_, args, status, message) => {
    const files = {
      ...project,
      'toolwright.yaml': '',
      ...a,
      'mcp/servers/s.yaml':
        'description: S\ntools:\n  - a\n  - { name: inside, description: In place, handler: src/tools/a.js }\n',
    };
    const pack = world.make(files);
    const done = world.run(pack, 'remove', ...args);
    expect(done.status).toBe(status);
    expect(done.stdout + done.stderr).toMatch(message);
    expect(filesOf(pack)).toEqual(files);
  });

  it.each([
    ['is one flow map', '{a: {description: A}, b: {description: B}}\n'],
    ['has an anchor in the entry that another one uses', 'a: &a\n  description: A\nb: *a\n'],
    ['has an anchor in the entry that another one merges', 'a: &a\n  description: A\nb:\n  <<: *a\n  title: B\n'],
  ])('fix-N31 `remove` writes nothing where a combined file %s', (_, text) => {
    const files = { ...project, 'toolwright.yaml': '', 'mcp/tools.yaml': text };
    const pack = world.make(files);
    const { status, stdout, stderr } = world.run(pack, 'remove', 'tool', 'a');
    expect({ status, stdout, stderr }).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('[author/not-editable]'),
      stderr: '',
    });
    expect(stdout).toContain('make the change by hand');
    expect(filesOf(pack)).toEqual(files);
  });

  it('fix-N31 `remove` removes a broken item, also where other handlers have no stub yet', () => {
    const pack = world.make({
      ...project,
      'toolwright.yaml': '',
      'mcp/tools/b.yaml': 'description: B\n',
      'mcp/tools/c.yaml': 'descriptin: C\n',
    });
    expect(world.run(pack, 'remove', 'tool', 'c')).toMatchObject({ status: 0 });
    expect(existsSync(join(pack, 'mcp/tools/c.yaml'))).toBe(false);
    expect(existsSync(join(pack, 'src/tools/b.js'))).toBe(true);
  });

  it('fix-N31 shells complete the names of items for `remove`', () => {
    const pack = world.make({
      ...project,
      'toolwright.yaml': '',
      ...a,
      'mcp/prompts/p.yaml': 'description: P\ntext: x\n',
    });
    expect(world.run(pack, '__complete', 'remove', 'tool', '').stdout).toMatch(/^a\b/m);
    expect(world.run(pack, '__complete', 'remove', 'tool', '').stdout).not.toMatch(/^p\b/m);
  });

  it('fix-N31 `remove` does nothing to a pack that changed since it was read, and a second run finds nothing to remove', () => {
    const pack = world.make({ ...project, 'toolwright.yaml': 'tools: [a]\n', ...a });
    writeFiles(pack, { 'mcp/tools/b.yaml': 'description: B\n' });
    expect(world.run(pack, 'remove', 'tool', 'a').status).toBe(0);
    expect(read(pack, 'toolwright.yaml')).toBe('tools: []\n');
    expect(world.run(pack, 'remove', 'tool', 'a').status).toBe(2);
  });
});
