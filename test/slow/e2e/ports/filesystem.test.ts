// examples/filesystem against the server that it ports: the same calls, the same data and texts, the same files.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answers, type AnyClient, type Way, ways } from '../../../harness/interop-clients.js';
import { builtOf, copyExample, installOriginal, run, startOf } from './originals.js';
import { type Call, play } from './play.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright files ü ')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const original = installOriginal('@modelcontextprotocol/server-filesystem', '2026.8.31');

const world = join(folder, 'world');
const [data, second, outside] = ['data', 'second', 'outside'].map(name => join(world, name)) as [
  string,
  string,
  string,
];
const at = (...parts: string[]): string => join(data, ...parts);

/** The same files before every run, with the same times. */
function makeWorld(): void {
  rmSync(world, { recursive: true, force: true });
  for (const path of [data, second, outside, at('sub/deep'), at('empty'), at('node_modules/x')])
    mkdirSync(path, { recursive: true });
  const lines = Array.from({ length: 400 }, (_, index) => `line ${index} ${'ü'.repeat(20)}`);
  const files: Readonly<Record<string, string | Uint8Array>> = {
    [at('a.txt')]: 'one\ntwo\nthree\n',
    [at('no-end.txt')]: 'one\ntwo',
    [at('empty.txt')]: '',
    [at('dos.txt')]: 'one\r\ntwo\r\nthree\r\n',
    [at('long.txt')]: `${lines.join('\n')}\n`,
    [at('code.ts')]: 'function f() {\n    const a = 1;\n    return a;\n}\n',
    [at('fence.md')]: '```js\nx\n```\n````\n',
    [at('sub/b.txt')]: 'b',
    [at('sub/deep/c.md')]: '# c',
    [at('node_modules/x/index.js')]: 'x',
    [at('.hidden')]: 'h',
    [at('pixel.png')]: new Uint8Array([137, 80, 78, 71, 0, 255]),
    [at('sound.mp3')]: new Uint8Array([1, 2, 3]),
    [at('blob.bin')]: new Uint8Array([0, 1, 2, 255]),
    [at('Zoë.txt'.normalize('NFD'))]: 'decomposed',
    [join(second, 's.txt')]: 'second',
    [join(outside, 'secret.txt')]: 'secret',
  };
  for (const [path, content] of Object.entries(files)) {
    writeFileSync(path, content);
    utimesSync(path, 1_700_000_000, 1_700_000_000);
  }
  chmodSync(at('a.txt'), 0o640);
  symlinkSync(join(outside, 'secret.txt'), at('out-link'));
  symlinkSync(outside, at('out-folder'));
  symlinkSync(at('a.txt'), at('in-link'));
  symlinkSync(at('nowhere'), at('dead-link'));
}

function treeOf(path: string): unknown {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return `-> ${readlinkSync(path)}`;
  if (!stats.isDirectory()) return `${(stats.mode & 0o777).toString(8)} ${readFileSync(path, 'base64')}`;
  return Object.fromEntries(
    readdirSync(path)
      .sort()
      .map(name => [name, treeOf(join(path, name))]),
  );
}

const edit = (path: string, edits: readonly (readonly [string, string])[], more: object = {}): Call => ({
  tool: 'edit_file',
  args: { path, edits: edits.map(([oldText, newText]) => ({ oldText, newText })), ...more },
});
const on = (tool: string, ...paths: readonly string[]): readonly Call[] =>
  paths.map(path => ({ tool, args: { path } }));

const calls: readonly Call[] = [
  { tool: 'list_allowed_directories' },
  { tool: 'list_allowed_directories', args: { extra: 1 } },
  ...on('read_file', at('a.txt'), at('empty.txt'), at('in-link'), at('out-link'), at('gone.txt'), data),
  ...on('read_text_file', at('dos.txt'), at('long.txt'), 'a.txt', 'sub/b.txt', '../outside/secret.txt', 's.txt'),
  ...on(
    'read_text_file',
    join(outside, 'secret.txt'),
    at('out-folder/secret.txt'),
    '/etc/passwd',
    at('a.txt\0'),
    'C:\\x',
  ),
  ...on(
    'read_text_file',
    at('sub/../a.txt'),
    at('Zoë.txt'.normalize('NFC')),
    `${data}-other/x`,
    '~',
    at('dead-link'),
    '',
  ),
  ...[1, 2, 3, 4, 5].flatMap(count => [
    { tool: 'read_text_file', args: { path: at('a.txt'), head: count } },
    { tool: 'read_text_file', args: { path: at('a.txt'), tail: count } },
  ]),
  ...['no-end.txt', 'empty.txt', 'dos.txt', 'long.txt'].flatMap(name => [
    { tool: 'read_text_file', args: { path: at(name), head: 2 } },
    { tool: 'read_text_file', args: { path: at(name), tail: 2 } },
    { tool: 'read_text_file', args: { path: at(name), tail: 300 } },
  ]),
  { tool: 'read_text_file', args: { path: at('a.txt'), head: 1, tail: 1 } },
  { tool: 'read_text_file', args: { path: at('a.txt'), head: 0 } },
  { tool: 'read_text_file', args: { path: at('a.txt'), head: 'two' } },
  { tool: 'read_text_file', args: {} },
  { tool: 'read_text_file', args: { path: 5 } },
  ...on('read_media_file', at('pixel.png'), at('sound.mp3'), at('blob.bin'), at('gone.png'), at('out-link')),
  {
    tool: 'read_multiple_files',
    args: { paths: [at('a.txt'), at('gone.txt'), at('out-link'), join(outside, 'secret.txt')] },
  },
  { tool: 'read_multiple_files', args: { paths: [] } },
  ...on('list_directory', data, at('empty'), at('gone'), at('a.txt'), outside, at('out-folder'), '.'),
  { tool: 'list_directory_with_sizes', args: { path: at('sub') } },
  { tool: 'list_directory_with_sizes', args: { path: at('empty'), sortBy: 'size' } },
  { tool: 'list_directory_with_sizes', args: { path: second, sortBy: 'age' } },
  { tool: 'directory_tree', args: { path: at('sub') } },
  { tool: 'directory_tree', args: { path: data, excludePatterns: ['node_modules', '*.txt', 'out-folder'] } },
  { tool: 'directory_tree', args: { path: data, excludePatterns: ['sub/**', 'x'] } },
  { tool: 'directory_tree', args: { path: outside } },
  { tool: 'search_files', args: { path: data, pattern: '**/*.txt' } },
  { tool: 'search_files', args: { path: data, pattern: '*.txt', excludePatterns: ['a*'] } },
  { tool: 'search_files', args: { path: data, pattern: '**/*.rs' } },
  { tool: 'search_files', args: { path: data, pattern: '**', excludePatterns: ['**/*.txt'] } },
  { tool: 'search_files', args: { path: outside, pattern: '*' } },
  ...on('get_file_info', at('a.txt'), at('sub'), at('in-link'), at('gone'), at('out-link')),
  { tool: 'write_file', args: { path: at('new.txt'), content: 'new ü\n' } },
  { tool: 'write_file', args: { path: at('a.txt'), content: 'replaced' } },
  { tool: 'write_file', args: { path: 'relative.txt', content: 'r' } },
  { tool: 'write_file', args: { path: at('in-link'), content: 'through a link' } },
  { tool: 'write_file', args: { path: at('out-link'), content: 'x' } },
  { tool: 'write_file', args: { path: at('missing/x.txt'), content: 'x' } },
  { tool: 'write_file', args: { path: join(outside, 'x.txt'), content: 'x' } },
  { tool: 'write_file', args: { path: at('sub'), content: 'x' } },
  { tool: 'write_file', args: { path: at('x.txt') } },
  edit(at('code.ts'), [['const a = 1;', 'const a = 2;']]),
  edit(at('code.ts'), [['const a = 2;\nreturn a;', 'const b = 3;\n  return b;']]),
  edit(
    at('code.ts'),
    [
      ['const b = 3;', 'let b = 4;'],
      ['return b', 'return b + 1'],
    ],
    { dryRun: true },
  ),
  edit(at('code.ts'), [['nothing like it', 'x']]),
  edit(at('dos.txt'), [['two\n', 'zwei\n']]),
  edit(at('fence.md'), [['x', '$& $1']]),
  edit(at('gone.ts'), [['a', 'b']]),
  edit(at('a.txt'), []),
  { tool: 'edit_file', args: { path: at('a.txt'), edits: [{ oldText: 'a' }] } },
  ...on('create_directory', at('made/deep/er'), at('sub'), at('a.txt/x'), join(outside, 'x'), 'made-relative'),
  { tool: 'move_file', args: { source: at('new.txt'), destination: at('sub/moved.txt') } },
  { tool: 'move_file', args: { source: at('sub/b.txt'), destination: at('code.ts') } },
  { tool: 'move_file', args: { source: at('gone.txt'), destination: at('other.txt') } },
  { tool: 'move_file', args: { source: at('code.ts'), destination: join(outside, 'code.ts') } },
  { tool: 'move_file', args: { source: at('made'), destination: join(second, 'made') } },
  ...on('list_directory', data, at('sub')),
];

/** When a file was made and last read is another time in each run. */
const withoutTimes = (text: string): string => text.replaceAll(/(created|modified|accessed): [^\\"]+/g, '$1: then');

describe.runIf(original !== undefined)('examples/filesystem', () => {
  const pack = copyExample('filesystem', folder);
  const stdio = ways.filter(({ transport }) => transport === 'stdio');
  const [oldWay = undefined] = stdio.filter(({ era }) => era === 'legacy');
  beforeEach(makeWorld);

  async function compared(
    way: Way,
    allowed: readonly string[],
    { answers, serve = startOf }: { answers?: Answers; serve?: typeof startOf } = {},
  ): Promise<void> {
    if (oldWay === undefined || original === undefined) throw new Error('there is nothing to compare with');
    const theirs = { command: process.execPath, args: [original, ...allowed], cwd: folder };
    const options = { answers, normalize: withoutTimes };
    // It asks for the roots some time after the handshake.
    const isReady = async (client: AnyClient): Promise<boolean> =>
      JSON.stringify(await client.callTool({ name: 'list_allowed_directories', arguments: {} })).includes(second);
    const expected = await play(oldWay, theirs, calls, { ...options, isReady });
    const left = treeOf(world);
    makeWorld();
    const ours = await play(way, serve(pack, { FS_DIRECTORIES: allowed.join(delimiter) }), calls, options);
    expect(ours).toEqual(expected);
    expect(treeOf(world)).toEqual(left);
    expect(expected.filter(({ answer }) => answer === 'refused').length).toBeGreaterThan(20);
  }

  it('fix-P2 examples/filesystem passes `check`, `generate --check` and `typecheck` without workarounds', () => {
    run(pack, 'check', '--strict');
    run(pack, 'generate', '--check');
    run(pack, 'typecheck');
  });

  it.each(stdio)('fix-P2 fix-P6 X4 X6 examples/filesystem answers as the original does, to a $name', async way => {
    expect(calls.length).toBeGreaterThanOrEqual(50);
    await compared(way, [data, second]);
  });

  it('X4 X6 a build of examples/filesystem answers as the original does', async () => {
    if (oldWay === undefined) throw new Error('there is no old client');
    await compared(oldWay, [data, second], { serve: builtOf });
  });

  it.each(stdio)('C7 roots of the client replace the folders of the operator, for a $name', async way => {
    const roots = [{ uri: pathToFileURL(data).href }, { uri: pathToFileURL(second).href }];
    await compared(way, [outside], { answers: { roots: () => ({ roots }) } });
  });
});
