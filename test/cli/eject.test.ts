// toolwright eject: what becomes of the manifest in every layout, what is written, and what is refused.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { writeFiles } from '../harness/files.js';
import { filesOf, makeAuthorWorld } from './author-world.js';

const world = makeAuthorWorld();
afterAll(() => world.remove());

const manifest =
  'name: p\nconfig: { REPO: string, MODE: { type: string, default: fast } }\nbackends:\n  api: { type: http, url: https://example.com }\n  up: { type: mcp, command: [node, up.mjs] }\n';
const project = { 'package.json': '{ "name": "p", "type": "module" }\n', 'toolwright.yaml': manifest };
const read = (pack: string, path: string): string => readFileSync(join(pack, path), 'utf8');
const text = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;

interface Layout {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly item?: string;
  readonly files?: Readonly<Record<string, string>>;
}

const layouts: Readonly<Record<string, Layout>> = {
  'a file of its own with comments': {
    path: 'mcp/tools/t.yaml',
    before: text(
      '# The tool',
      'description: T',
      '# Reach it',
      'http:',
      '  # inside',
      '  path: /x',
      '',
      '# After',
      'effect: read',
    ),
    after: text('# The tool', 'description: T', '# Reach it', '', '# After', 'effect: read'),
  },
  'a short form between others': {
    path: 'mcp/tools/t.yaml',
    before: text('description: T', 'http: GET /x # short', 'effect: read # mine'),
    after: text('description: T', 'effect: read # mine'),
  },
  'no line break at the end': {
    path: 'mcp/tools/t.yaml',
    before: 'description: T\nhttp: GET /x',
    after: 'description: T',
  },
  'CRLF and a byte order mark': {
    path: 'mcp/tools/t.yaml',
    before: '\uFEFFhttp:\r\n  path: /x\r\ndescription: T # ü\r\n',
    after: '\uFEFFdescription: T # ü\r\n',
  },
  'a map in brackets on several lines': {
    path: 'mcp/tools/t.yaml',
    before: text('description: T', 'http: {', '    path: /x', '  }', 'effect: read'),
    after: text('description: T', 'effect: read'),
  },
  'a combined file': {
    path: 'mcp/tools.yaml',
    before: text('# All', 't:', '  description: T', '  http:', '    path: /x', '# Other', 'o: { description: O }'),
    after: text('# All', 't:', '  description: T', '# Other', 'o: { description: O }'),
    files: { 'src/tools/o.js': 'export default async () => 1;\n' },
  },
  'a combined file in brackets': {
    path: 'mcp/tools.yaml',
    before: text('t: { description: T, http: GET /x } # mine', 'o: { http: GET /o, description: O }'),
    after: text('t: { description: T } # mine', 'o: { http: GET /o, description: O }'),
  },
  'a combined file in brackets, at the start': {
    path: 'mcp/tools.yaml',
    before: text('o: { description: O, http: GET /o }', 't: { http: "GET /x", description: T }'),
    after: text('o: { description: O, http: GET /o }', 't: { description: T }'),
  },
  'a definition of nothing else': {
    path: 'mcp/resources.yaml',
    before: text('o: { uri: "a://b", text: x }', 't:', '  uri: a://t', '  mcp: { backend: up }'),
    after: text('o: { uri: "a://b", text: x }', 't:', '  uri: a://t'),
  },
  JSON: {
    path: 'mcp/tools/t.json',
    before: '{\n  "description": "T",\n  "http": { "path": "/x" },\n  "effect": "read"\n}\n',
    after: '{\n  "description": "T",\n  "effect": "read"\n}\n',
  },
  'a combined file in JSON': {
    path: 'mcp/tools.json',
    before: '{ "t": { "description": "T", "http": "GET /x" } }\n',
    after: '{ "t": { "description": "T" } }\n',
  },
  'a tool inside a server': {
    path: 'mcp/servers/main.yaml',
    before: text('description: S', 'tools:', '  - name: t', '    description: T', '    http: GET /x # here', '  # end'),
    after: text('description: S', 'tools:', '  - name: t', '    description: T', '  # end'),
  },
  'a tool inside a server whose first key it is': {
    path: 'mcp/servers/main.yaml',
    before: text('description: S', 'tools:', '  - http: GET /x', '    name: t', '    description: T'),
    after: text('description: S', 'tools:', '  - name: t', '    description: T'),
  },
  'a tool inside a server whose first key it is, before a comment': {
    path: 'mcp/servers/main.yaml',
    before: text('description: S', 'tools:', '  - http: GET /x', '    # its name', '    name: t', '    description: T'),
    after: text('description: S', 'tools:', '  -', '    # its name', '    name: t', '    description: T'),
  },
  'a prompt that states its type': {
    path: 'mcp/prompts/t.yaml',
    before: text('description: T', 'type: mcp # other', 'mcp: {}', 'arguments: { a: {} }'),
    after: text('description: T', 'arguments: { a: {} }'),
  },
  'settings that the tool needs': {
    path: 'mcp/tools/t.yaml',
    before: text('description: T', 'exec:', '  command: git', '  cwd: "{config.REPO}/{config.MODE}"', 'effect: read'),
    after: text('description: T', 'requires: { REPO: required }', 'effect: read'),
  },
  'settings beside others': {
    path: 'mcp/tools/t.yaml',
    before: text(
      'description: T',
      'requires:',
      '  # asks',
      '  elicitation: suggested',
      'exec: { command: git, cwd: "{config.REPO}" }',
    ),
    after: text('description: T', 'requires:', '  # asks', '  REPO: required', '  elicitation: suggested'),
  },
  'a setting that was only suggested': {
    path: 'mcp/tools/t.json',
    before:
      '{ "description": "T", "requires": { "REPO": "suggested" }, "exec": { "command": "git", "cwd": "{config.REPO}" } }\n',
    after: '{ "description": "T", "requires": { "REPO": "required" } }\n',
  },
  'a suggested setting with a comment': {
    path: 'mcp/tools/t.yaml',
    before: text(
      'exec: { command: git, cwd: "{config.REPO}" }',
      'requires: { REPO: suggested } # why',
      'description: T',
    ),
    after: text('requires: { REPO: required } # why', 'description: T'),
  },
};

describe('`toolwright eject`', () => {
  it.each(Object.entries(layouts))('B9 `eject` removes the key, and no other byte, from %s', (_, layout) => {
    const { path, before, after, files = {} } = layout;
    const pack = world.make({ ...project, ...files, [path]: before });
    const { status, stdout, stderr } = world.run(pack, 'eject', 't');
    expect({ status, stdout, stderr }).toMatchObject({ status: 0 });
    expect(read(pack, path)).toBe(after);
    expect(stdout).toMatch(/^create {2}src\/(?:tools|prompts|resources)\/t\.js$/m);
    expect(world.run(pack, 'check')).toMatchObject({ status: 0 });
    expect(world.run(pack, 'generate', '--check')).toMatchObject({ status: 0 });
  });

  it('B9 `--dry-run` shows both files and writes none', () => {
    const pack = world.make({ ...project, 'mcp/tools/t.yaml': 'description: T\nhttp: GET /x\n' });
    const before = filesOf(pack);
    const { status, stdout } = world.run(pack, 'eject', 't', '--dry-run');
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('-http: GET /x\n') });
    expect(stdout).toContain("+  return await ctx.backends.api.request({ path: '/x' });\n");
    expect(filesOf(pack)).toEqual(before);
  });

  it('B9 a handler gets a path of its own where another item has the usual one', () => {
    const pack = world.make({
      ...project,
      'mcp/tools/t.yaml': 'description: T\nhttp: GET /x\n',
      'mcp/tools/o.yaml': 'description: O\nhandler: src/tools/t.js\n',
      'src/tools/t.js': 'export default async () => 1;\n',
    });
    const { status, stdout } = world.run(pack, 'eject', 't');
    expect({ status, stdout }).toMatchObject({ status: 0 });
    expect(read(pack, 'mcp/tools/t.yaml')).toBe('description: T\nhandler: src/tools/t-handler.js\n');
    expect(existsSync(join(pack, 'src/tools/t-handler.js'))).toBe(true);
    expect(read(pack, 'src/tools/t.js')).toBe('export default async () => 1;\n');
  });

  it('B9 a pack whose handlers run in threads keeps the tool where it ran', () => {
    const pack = world.make({
      ...project,
      'toolwright.yaml': `${manifest}isolate: thread\n`,
      'mcp/tools/t.yaml': 'description: T\nhttp: GET /x\n',
    });
    expect(world.run(pack, 'eject', 't')).toMatchObject({ status: 0 });
    expect(read(pack, 'mcp/tools/t.yaml')).toBe('description: T\nisolate: none\n');
  });

  const others = {
    'mcp/tools/t.yaml': 'description: T\nhttp: GET /x\n',
    'mcp/tools/lookup-tool.yaml': 'description: L\nhttp: GET /x\n',
    'mcp/tools/h.yaml': 'description: H\n',
    'src/tools/h.js': 'export default async () => 1;\n',
    'mcp/resources/file.yaml': 'uri: a://b\ntext: x\n',
    'mcp/prompts/both.yaml': 'description: B\nmcp: { backend: up }\n',
    'mcp/resources/both.yaml': 'uri: a://c\nmcp: { backend: up }\n',
    'mcp/servers/main.yaml': 'description: S\n',
  };

  it.each([
    ['an item that is not there', ['lookup-tol'], 2, /The pack has no tool "lookup-tol": did you mean "lookup-tool"\?/],
    ['an item of another pack', ['acme/jira/t'], 2, /"acme\/jira\/t" belongs to another pack/],
    [
      'a tool with a handler',
      ['h'],
      1,
      /mcp\/tools\/h\.yaml:1:1 error the tool "h" cannot be ejected: it has a handler, src\/tools\/h\.ts {2}\[eject\/no-backend\]/,
    ],
    ['a resource with a text', ['file'], 1, /the resource "file" cannot be ejected: it has content of its own/],
    ['a server', ['server:main'], 1, /cannot be ejected: a server has no handler/],
    ['a name of two kinds', ['both'], 1, /there are several: write prompt:both or resource:both/],
  ])('B9 `eject` refuses %s, and writes nothing', (_, words, status, message) => {
    const pack = world.make({ ...project, ...others });
    const before = filesOf(pack);
    const done = world.run(pack, 'eject', ...words);
    expect({ status: done.status, text: done.stdout + done.stderr }).toEqual({
      status,
      text: expect.stringMatching(message),
    });
    expect(filesOf(pack)).toEqual(before);
  });

  it('B9 the kind tells items of one name apart, and the name of the pack may stand before it', () => {
    const pack = world.make({ ...project, ...others });
    expect(world.run(pack, 'eject', 'resource:both')).toMatchObject({ status: 0 });
    expect(existsSync(join(pack, 'src/resources/both.js'))).toBe(true);
    expect(world.run(pack, 'eject', 'p/both')).toMatchObject({ status: 0 });
    expect(existsSync(join(pack, 'src/prompts/both.js'))).toBe(true);
  });

  it.each([
    [
      'a file where the handler belongs',
      { 'src/tools/t.js': 'export default 1;\n' },
      /src\/tools\/t\.js:1:1 error .*"src\/tools\/t\.js" already exists {2}\[eject\/handler-exists\]/,
    ],
    ['one in another language', { 'src/tools/t.mts': 'export default 1;\n' }, /"src\/tools\/t\.mts" already exists/],
    ['a mistake elsewhere in the pack', { 'mcp/tools/x.yaml': 'descripton: X\n' }, /mcp\/tools\/x\.yaml:1:1 error/],
    [
      'an anchor that another item needs',
      {
        'mcp/tools/t.yaml': '',
        'mcp/tools.yaml': 't: { description: T, http: &h { path: /x } }\nu: { description: U, http: *h }\n',
      },
      /mcp\/tools\.yaml:1:22 error "mcp\/tools\.yaml" was not changed/,
    ],
  ])('B9 `eject` refuses %s, and writes nothing', (_, files, message) => {
    const given: Record<string, string> = {
      ...project,
      'mcp/tools/t.yaml': 'description: T\nhttp: GET /x\n',
      ...files,
    };
    if (given['mcp/tools/t.yaml'] === '') delete given['mcp/tools/t.yaml'];
    const pack = world.make(given);
    const before = filesOf(pack);
    const done = world.run(pack, 'eject', 't');
    expect({ status: done.status, text: done.stdout }).toEqual({ status: 1, text: expect.stringMatching(message) });
    expect(filesOf(pack)).toEqual(before);
  });

  it('B9 a run that was killed after it wrote the handler is finished by the next', () => {
    const pack = world.make({ ...project, 'mcp/tools/t.yaml': 'description: T\nhttp: GET /x\n' });
    expect(world.run(pack, 'eject', 't').status).toBe(0);
    const done = filesOf(pack);
    writeFiles(pack, { 'mcp/tools/t.yaml': 'description: T\nhttp: GET /x\n' });
    const { status, stdout } = world.run(pack, 'eject', 't');
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.not.stringContaining('src/tools/t.js') });
    expect(filesOf(pack)).toEqual(done);
  });

  it('B9 completion offers tools, prompts and resources, and the JSON says what was done', () => {
    const pack = world.make({ ...project, ...others });
    const offered = world.run(pack, '__complete', 'eject', '').stdout;
    expect(offered).toMatch(/^t\b/m);
    expect(offered).not.toMatch(/^main\b/m);
    const { stdout } = world.run(pack, 'eject', 't', '--format', 'json');
    const { ok, kind, item, operations } = JSON.parse(stdout);
    expect({ ok, kind, item, operations: operations.slice(0, 2) }).toEqual({
      ok: true,
      kind: 'tool',
      item: 't',
      operations: [
        { op: 'create', path: 'src/tools/t.js' },
        { op: 'update', path: 'mcp/tools/t.yaml' },
      ],
    });
  });
});
