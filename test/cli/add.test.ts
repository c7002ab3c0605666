// toolwright add: what it writes, what it leaves, what it refuses.
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { handOver, runUnprivileged } from '../harness/unprivileged.js';
import { filesOf, makeAuthorWorld } from './author-world.js';

const world = makeAuthorWorld();
afterAll(() => world.remove());

const read = (pack: string, path: string): string => readFileSync(join(pack, path), 'utf8');

describe('P22 `toolwright add`', () => {
  it('P22 `add` writes a definition and a stub where kinds are discovered, and the pack passes every check at once but for its placeholders', () => {
    const pack = world.make({ 'toolwright.yaml': '', 'package.json': '{"name": "p", "type": "module"}' });
    for (const [kind, name] of [
      ['server', 'main'],
      ['tool', 'get-issue'],
      ['prompt', 'ask'],
      ['resource', 'manual'],
    ] as const)
      expect(world.run(pack, 'add', kind, name).status).toBe(0);
    expect(read(pack, 'toolwright.yaml')).toBe('');
    const files = Object.keys(filesOf(pack, 'generated'));
    expect(files).toEqual(
      expect.arrayContaining([
        'mcp/servers/main.yaml',
        'mcp/tools/get-issue.yaml',
        'mcp/prompts/ask.yaml',
        'mcp/resources/manual.yaml',
        'src/tools/get-issue.js',
        'src/resources/manual.js',
      ]),
    );
    expect(read(pack, 'mcp/tools/get-issue.yaml')).toMatch(
      /^# \$schema: \.\.\/\.\.\/generated\/schema\/tool\.schema\.json\ntitle: Get issue\n/,
    );
    expect(existsSync(join(pack, 'mcp/tools', '../../generated/schema/tool.schema.json'))).toBe(true);
    const { status, stdout } = world.run(pack, 'check', '--format', 'json');
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly { code: string }[] };
    expect({ status, codes: [...new Set(diagnostics.map(({ code }) => code))] }).toEqual({
      status: 0,
      codes: ['text/placeholder'],
    });
    expect(world.run(pack, 'generate', '--check')).toMatchObject({ status: 0 });
  });

  it('F20 `add --definition` writes a definition that is written already, below the line for editors', () => {
    const pack = world.make({ 'toolwright.yaml': '', 'package.json': '{"name": "p", "type": "module"}' });
    const file = join(world.make({ 'tool.yaml': 'description: Get it.\nparameters: { id: string }' }), 'tool.yaml');
    expect(world.run(pack, 'add', 'tool', 'get-issue', '--definition', file).status).toBe(0);
    expect(read(pack, 'mcp/tools/get-issue.yaml')).toBe(
      '# $schema: ../../generated/schema/tool.schema.json\ndescription: Get it.\nparameters: { id: string }\n',
    );
    expect(read(pack, 'src/tools/get-issue.js')).toContain('id');
  });

  it('F20 `add --definition` writes below its name in a combined file, YAML or JSON', () => {
    const file = join(world.make({ 'tool.yaml': 'description: Get it.\n' }), 'tool.yaml');
    const yaml = world.make({ 'toolwright.yaml': '', 'mcp/tools.yaml': 'a: { description: A }\n' });
    expect(world.run(yaml, 'add', 'tool', 'b', '--definition', file).status).toBe(0);
    expect(read(yaml, 'mcp/tools.yaml')).toBe('a: { description: A }\nb:\n  description: Get it.\n');
    const json = world.make({ 'toolwright.yaml': '', 'mcp/tools.json': '{"a": {"description": "A"}}\n' });
    expect(world.run(json, 'add', 'tool', 'b', '--definition', file).status).toBe(0);
    expect(JSON.parse(read(json, 'mcp/tools.json'))).toEqual({
      a: { description: 'A' },
      b: { description: 'Get it.' },
    });
  });

  it('F20 `add --definition` reports a mistake at the line of the file that was passed, and writes nothing', () => {
    const elsewhere = world.make({ 'tool.yaml': 'description: Get it.\nefect: read\n', 'bytes.yaml': 'a\n' });
    const pack = world.make({ 'toolwright.yaml': '' });
    const before = filesOf(pack);
    const file = join(elsewhere, 'tool.yaml');
    const { status, stdout } = world.run(pack, 'add', 'tool', 'x', '--definition', file);
    expect(status).toBe(1);
    expect(stdout).toContain('tool.yaml:2:1');
    expect(world.run(pack, 'add', 'tool', 'x', '--definition', join(elsewhere, 'none.yaml'))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('there is no file'),
    });
    expect(world.run(pack, 'add', 'tool', 'x', '--definition', elsewhere).status).toBe(2);
    const both = world.run(pack, 'add', 'tool', 'x', '--definition', file, '--description', 'X');
    expect([both.status, both.stderr]).toEqual([2, expect.stringContaining('leave out --description')]);
    expect(filesOf(pack)).toEqual(before);
  });

  it.each([
    ['tools:\n  - a # first\n\n# end\nname: x/p\n', 'tools:\n  - a # first\n  - b\n\n# end\nname: x/p\n'],
    ['tools: [a]\n', 'tools: [a, b]\n'],
    ['tools: [a,] # x\n', 'tools: [a, b,] # x\n'],
    ['tools: [ a ]\r\nroot: mcp\r\n', 'tools: [ a, b ]\r\nroot: mcp\r\n'],
    ['tools:\n  [\n    a, # one\n  ]\n', 'tools:\n  [\n    a, # one\n    b,\n  ]\n'],
    ['tools:\n  [\n    a # one\n  ]\n', 'tools:\n  [\n    a, # one\n    b\n  ]\n'],
    ['tools: []', 'tools: [b]'],
    ['tools:\r\n- a', 'tools:\r\n- a\r\n- b'],
    [
      'tools:\n-   [a, text]\n-   name: c\n    description: |\n      long\n\nroot: mcp\n',
      'tools:\n-   [a, text]\n-   name: c\n    description: |\n      long\n-   b\n\nroot: mcp\n',
    ],
    ['\uFEFFtools: [a] # ü\n', '\uFEFFtools: [a, b] # ü\n'],
  ])('P22 `add` appends to a closed list and leaves every other byte: %j', (before, after) => {
    const definition = 'description: A\n';
    const pack = world.make({
      'toolwright.yaml': before,
      'mcp/tools/a.yaml': definition,
      'mcp/tools/c.yaml': definition,
    });
    const done = world.run(pack, 'add', 'tool', 'b', '--format', 'json');
    expect(JSON.parse(done.stdout)).toMatchObject({ ok: true, applied: true, kind: 'tool', item: 'b' });
    expect(read(pack, 'toolwright.yaml')).toBe(after);
    expect(JSON.parse(world.run(pack, 'check', '--format', 'json').stdout).items.tools).toContain('b');
  });

  it('P22 `add` quotes a name that YAML would read as something else', () => {
    const pack = world.make({ 'toolwright.yaml': 'tools: []\n' });
    for (const name of ['1.10', 'no', 'true', '0x1'])
      expect([name, world.run(pack, 'add', 'tool', name).status]).toEqual([name, 0]);
    expect(read(pack, 'toolwright.yaml')).toBe('tools: ["1.10", "no", "true", "0x1"]\n');
    expect(world.run(pack, 'check')).toMatchObject({ status: 0 });
  });

  it('P22 `add` defines a declared item that has no definition, and does not declare it twice', () => {
    const pack = world.make({ 'toolwright.yaml': 'tools: [a, [b, Does b]]\n', 'mcp/tools/a.yaml': 'description: A\n' });
    expect(world.run(pack, 'check').status).toBe(1);
    expect(world.run(pack, 'add', 'tool', 'b').status).toBe(0);
    expect(read(pack, 'toolwright.yaml')).toBe('tools: [a, [b, Does b]]\n');
    expect(world.run(pack, 'check').status).toBe(0);
  });

  it.each([
    [
      'tools.yaml',
      '# mine\na:\n    description: A # keep\n\n',
      /^# mine\na:\n {4}description: A # keep\nb:\n {4}title: B\n[\s\S]*\n\n$/,
    ],
    ['tools.yml', 'a: { description: A }\n---\nc:\n  description: C\n...\n', /C\nb:\n {2}title: B\n[\s\S]*\n\.\.\.\n$/],
    ['tools.yaml', '# nothing yet\n{}\n', /^# nothing yet\nb:\n {2}title: B\n/],
    [
      'tools.json',
      '{\n\t"a": { "description": "A" }\n}\n',
      /^\{\n\t"a": \{ "description": "A" \},\n\t"b": \{\n\t\t"title": "B",/,
    ],
  ])('P22 `add` writes into the combined file where the pack keeps its items there: %s %j', (file, before, after) => {
    const pack = world.make({ 'toolwright.yaml': '', [`mcp/${file}`]: before });
    expect(world.run(pack, 'add', 'tool', 'b', '--description', 'Does b: "well"')).toMatchObject({ status: 0 });
    expect(read(pack, `mcp/${file}`)).toMatch(after);
    expect(existsSync(join(pack, 'mcp/tools'))).toBe(false);
    const { definition } = JSON.parse(world.run(pack, 'explain', 'tool:b', '--format', 'json').stdout);
    expect(definition.description).toBe('Does b: "well"');
  });

  it.each([
    ['servers/s.yaml', 'tools: [a] # list\n', 'tools: [a, b] # list\n'],
    ['servers/s.json', '{"tools": ["a"]}', '{"tools": ["a", "b"]}'],
    ['servers.yaml', 's:\n  tools:\n    - a\nt: {}\n', 's:\n  tools:\n    - a\n    - b\nt: {}\n'],
    ['servers.json', '{"s": {"tools": []}}', '{"s": {"tools": ["b"]}}'],
    ['servers/s.yaml', 'tools: ["*"]\n', 'tools: ["*"]\n'],
    ['servers/s.yaml', 'description: All\n', 'description: All\n'],
  ])('P22 `add --server` writes into the list of the server where it has one: %s %j', (file, before, after) => {
    const pack = world.make({ 'toolwright.yaml': '', [`mcp/${file}`]: before, 'mcp/tools/a.yaml': 'description: A\n' });
    expect(world.run(pack, 'add', 'tool', 'b', '--server', 's')).toMatchObject({ status: 0 });
    expect(read(pack, `mcp/${file}`)).toBe(after);
    const { tools } = JSON.parse(world.run(pack, 'inspect', 's', '--format', 'json').stdout);
    expect(tools.map(({ item }: { item: string }) => item)).toContain('b');
  });

  it('P22 `add` warns when no server lists the new item', () => {
    const pack = world.make({
      'toolwright.yaml': '',
      'mcp/servers/s.yaml': 'tools: [a]\n',
      'mcp/tools/a.yaml': 'description: A\n',
    });
    const { status, stdout } = world.run(pack, 'add', 'tool', 'b');
    expect(status).toBe(0);
    expect(stdout).toContain('[author/not-listed]');
    expect(stdout).toContain('write b into "tools" in mcp/servers/s.yaml; --server s would have done so');
  });

  it('P22 `add --dry-run` prints the same operations as a real run and writes nothing', () => {
    const files = { 'toolwright.yaml': 'tools: [a]\n', 'mcp/tools/a.yaml': 'description: A\n' };
    const pack = world.make(files);
    const { ok, applied, operations } = JSON.parse(
      world.run(pack, 'add', 'tool', 'b', '--dry-run', '--format', 'json').stdout,
    );
    expect({ ok, applied }).toEqual({ ok: true, applied: false });
    expect(filesOf(pack)).toEqual(files);
    const after = JSON.parse(world.run(pack, 'add', 'tool', 'b', '--format', 'json').stdout);
    expect(operations).toEqual(after.operations);
  });
});

describe('P22 refusals of `toolwright add`', () => {
  const base = {
    'toolwright.yaml': 'prompts: [p]\n',
    'mcp/tools/get-issue.yaml': 'description: A\n',
    'mcp/prompts/p.yaml': 'description: P\ntext: x\n',
    'mcp/prompts/hidden.yaml': 'description: P\ntext: x\n',
    'mcp/servers/s.yaml': 'tools:\n  - get-issue\n  - { name: inside, description: In place }\n',
  };

  it.each([
    ['a name that exists', ['tool', 'get-issue'], 'author/exists', 'mcp/tools/get-issue.yaml'],
    ['one that exists in place', ['tool', 'inside'], 'author/exists', 'mcp/servers/s.yaml'],
    ['one that exists but for its case', ['tool', 'getIssue'], 'resolve/name-clash', 'mcp/tools/get-issue.yaml'],
    ['a file that nobody declared', ['prompt', 'hidden'], 'author/exists', 'mcp/prompts/hidden.yaml'],
    ['a path', ['tool', '../x'], 'resolve/item-name', 'toolwright.yaml'],
    ['an empty name', ['tool', ''], 'resolve/item-name', 'toolwright.yaml'],
    ['a line break', ['tool', 'a\nb'], 'resolve/item-name', 'toolwright.yaml'],
    ['an unknown server', ['tool', 'b', '--server', 'x'], 'link/unknown-reference', 'toolwright.yaml'],
    ['a name that no client takes', ['tool', 'x'.repeat(200)], 'rename/invalid-name', 'toolwright.yaml'],
    ['hidden characters', ['tool', 'b', '--description', 'a\u202eb'], 'text/', 'mcp/tools/b.yaml'],
  ])('`add` refuses %s and writes nothing', (_, args, code, file) => {
    const pack = world.make(base);
    const { status, stdout } = world.run(pack, 'add', ...args, '--format', 'json');
    const { diagnostics, ok, operations } = JSON.parse(stdout);
    const isUsage = /^(?:resolve\/item-name|rename|link)/.test(code);
    expect({ status, ok, operations }).toEqual({ status: isUsage ? 2 : 1, ok: false, operations: [] });
    expect(diagnostics[0].code).toContain(code);
    expect(diagnostics[0].file).toContain(file);
    expect(filesOf(pack)).toEqual(base);
  });

  it('P22 `add` hints at what to write when it refuses a name or a server', () => {
    const pack = world.make(base);
    const { stdout } = world.run(pack, 'add', 'tool', 'get-issue');
    expect(stdout).toContain('there is already a tool "get-issue", in "mcp/tools/get-issue.yaml"  [author/exists]');
    expect(stdout).toContain('= hint: choose another name, or change this definition\n');
    expect(world.run(pack, 'add', 'prompt', 'hidden').stdout).toContain('= hint: declare it in toolwright.yaml, or');
  });

  it.each([
    [['add', 'tool', 'Get Wetter für 3'], /is not a valid item name: .*: write get-wetter-fur-3\n$/],
    [['add', 'tool', 'b', '--server', 'unlike'], /unlike.*: there is s\n$/],
    [['add', 'tool', 'x'.repeat(200)], /it is longer than 128 characters/],
    [['rename', 'tool', 'a', 'b'], /The pack has no tool "a"/],
    [['rename', 'tool', 'get-issue', 'Bad Name'], /"Bad Name" cannot be the new name/],
  ])('fix-N35 `%j` is a usage error that names no place', (args, message) => {
    const pack = world.make(base);
    const { status, stdout, stderr } = world.run(pack, ...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('toolwright.yaml');
    expect(filesOf(pack)).toEqual(base);
  });

  it.each([
    ['a broken manifest', { 'toolwright.yaml': 'tools: [a\n' }, 2],
    ['a manifest with mistakes', { 'toolwright.yaml': 'toools: []\n' }, 1],
    ['an alias for a list', { 'toolwright.yaml': 'prompts: &p []\ntools: *p\n' }, 1],
    ['a combined file in one line', { 'toolwright.yaml': '', 'mcp/tools.yaml': '{a: {description: A}}\n' }, 1],
    ['no pack', {}, 2],
  ])('P22 `add` reports %s and writes nothing', (_, files: Record<string, string>, status) => {
    const pack = world.make(files);
    const done = world.run(pack, 'add', 'tool', 'b');
    expect({ status: done.status, stderr: done.stderr }).toEqual({ status, stderr: '' });
    expect(done.stdout).toMatch(/error .*\[[a-z-]+\/[a-z-]+\]/);
    expect(filesOf(pack)).toEqual(files);
  });

  it('P22 `add` leaves nothing behind when a folder cannot be written', () => {
    const pack = world.make({ 'toolwright.yaml': 'tools: []\n', 'mcp/tools/.keep': '' });
    handOver(pack);
    chmodSync(join(pack, 'mcp/tools'), 0o500);
    const env = { ...process.env, TOOLWRIGHT_CACHE: 'off' };
    const { status, stdout } = runUnprivileged(['add', 'tool', 'b'], { cwd: pack, env });
    chmodSync(join(pack, 'mcp/tools'), 0o700);
    expect(status).toBe(1);
    expect(stdout).toContain('generate/write-failed');
    expect(read(pack, 'toolwright.yaml')).toBe('tools: []\n');
  });

  it('P22 `add` exits with 2 for an unknown kind and for a kind that servers do not list', () => {
    const pack = world.make({ 'toolwright.yaml': '' });
    expect(world.run(pack, 'add', 'tol', 'b')).toMatchObject({ status: 2, stdout: '' });
    expect(world.run(pack, 'add', 'server', 'b', '--server', 's')).toMatchObject({ status: 2, stdout: '' });
  });
});
