// `toolwright list` over the layouts that package managers leave on disk.
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTree } from '../harness/files.js';
import { below, type PackFiles, writeFolder } from '../runtime/packs/code-packs.js';
import { brief, deskPack, listed, packageJson, runList } from '../runtime/packs/list-packs.js';

/** A folder of its own in which `app` is the project; the cache of a test lies beside it. */
function project(files: PackFiles): string {
  const folder = writeFolder(below('app', files));
  return join(folder, 'app');
}

const app = packageJson({ name: 'app', dependencies: { '@acme/jira': '^1.0.0', plain: '1' } });
const installed: PackFiles = {
  ...app,
  ...below('node_modules/@acme/jira', deskPack('@acme/jira', '1.2.0')),
  ...below('node_modules/plain', packageJson({ name: 'plain', version: '1.0.0' })),
  ...below('node_modules/unlisted', deskPack('unlisted', '3.0.0')),
};

describe('`toolwright list`', () => {
  it('W47 `list` shows the servers of the project and of the packs it lists, by qualified name, with counts', () => {
    const cwd = project({ ...installed, ...deskPack('@me/app', '0.1.0', { dependencies: { '@acme/jira': '1' } }) });
    expect(listed(cwd)).toEqual([
      {
        name: 'me/app/desk',
        description: 'The desk of me/app',
        version: '0.1.0',
        transport: 'stdio',
        source: 'project',
        tools: 2,
        prompts: 1,
        resources: 0,
      },
      {
        name: 'acme/jira/desk',
        description: 'The desk of acme/jira',
        version: '1.2.0',
        transport: 'stdio',
        source: 'installed',
        tools: 2,
        prompts: 1,
        resources: 0,
      },
    ]);
    expect(brief(listed(join(cwd, 'mcp', 'tools')))).toEqual(brief(listed(cwd)));
  });

  it('W47 `list` counts what servers list: names, patterns, inline definitions and items of other packs', () => {
    const cwd = project({
      ...installed,
      'toolwright.yaml': 'tools: [get-a, get-b, put-a]\n',
      'mcp/servers/all.yaml': 'transport: http\nversion: 9.0.0\n',
      'mcp/servers/some.yaml':
        'tools: [get-*, get-a, { name: inline, description: I }, app/put-a, put-a]\nprompts: []\n',
      'mcp/servers/foreign.yaml': 'tools: [acme/jira/*, acme/jira/get, other/pack/one]\n',
      'mcp/servers/unknown.yaml': 'tools: [other/pack/*]\n',
      'mcp/servers/off.yaml': 'enabled: false\n',
      'mcp/resources.yaml': 'one: { uri: "a://b", text: x }\ntwo: { uri: "a://c", text: x }\n',
    });
    const counts = listed(cwd, 'app/*').map(({ name, tools, prompts, resources, transport, version }) =>
      [name, tools, prompts, resources, transport, version].join(' '),
    );
    expect(counts).toEqual([
      'app/all 3 0 2 http 9.0.0',
      'app/foreign 3 0 2 stdio 0.0.0',
      'app/some 4 0 2 stdio 0.0.0',
      'app/unknown  0 2 stdio 0.0.0',
    ]);
  });

  it('W48 `list` shows other installed packages only with `--all`, and built-in ones only with `--builtin`', () => {
    const cwd = project(installed);
    expect(brief(listed(cwd))).toEqual(['acme/jira/desk 1.2.0 installed']);
    expect(brief(listed(cwd, '--all'))).toEqual(['acme/jira/desk 1.2.0 installed', 'unlisted/desk 3.0.0 installed']);
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    // W45: a server without a slash is a built-in.
    expect(brief(listed(cwd, 'pack-development', '--builtin'))).toEqual([`pack-development ${version} builtin`]);
    expect(listed(cwd, 'pack-development')).toEqual([]);
  });

  it('F20 `list --builtin` shows the built-in tools by their tags, and only where it lists their server', () => {
    const cwd = project(installed);
    const groups = [
      '  look    describe_schema, explain_item, inspect_server, list_servers',
      '  write   add_item, generate_pack, rename_item, write_docs',
      '  verify  check_pack, run_tests, typecheck_pack',
    ];
    const shown = (...words: readonly string[]): readonly string[] =>
      runList(cwd, '--builtin', ...words)
        .stdout.split('\n')
        .filter(line => line.startsWith('  '));
    expect([...shown()].sort()).toEqual([...groups].sort());
    expect(shown('--tag', 'write')).toEqual([groups[1]?.replace('write   ', 'write  ')]);
    expect(shown('acme/*')).toEqual([]);
    expect(runList(cwd).stdout).not.toContain('built-in');
  });

  it('W49 `list` matches a pattern with the whole qualified name, and no match is not an error', () => {
    const cwd = project(installed);
    expect(brief(listed(cwd, 'acme/*', '--all'))).toEqual(['acme/jira/desk 1.2.0 installed']);
    expect(brief(listed(cwd, '*/desk', '--all'))).toHaveLength(2);
    expect(listed(cwd, 'desk')).toEqual([]);
    const { status, stdout, stderr } = runList(cwd, 'nothing/*');
    expect([status, stdout]).toEqual([0, '']);
    expect(stderr).toContain('no server matches "nothing/*"');
    expect(runList(cwd, 'nothing/*', '--quiet')).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });

  it('W45 W50 `list` shows a server of the project instead of the installed pack of the same name', () => {
    const cwd = project({ ...installed, ...deskPack('@acme/jira', '9.0.0', { dependencies: { '@acme/jira': '1' } }) });
    expect(brief(listed(cwd, 'acme/jira/desk', '--all'))).toEqual(['acme/jira/desk 9.0.0 project']);
  });

  it('W51 `list` shows a broken pack with its reason, and everything else as usual', () => {
    const cwd = project({
      ...installed,
      'node_modules/plain/toolwright.yaml': 'servers: [a\n',
      'node_modules/unlisted/mcp/servers/desk.yaml': 'descripton: Desk\n',
    });
    expect(brief(listed(cwd, '--all'))).toEqual([
      'acme/jira/desk 1.2.0 installed',
      expect.stringMatching(/^plain installed broken: toolwright\.yaml:1:10 /),
      'unlisted/desk installed broken: mcp/servers/desk.yaml:1:1 unknown key "descripton" in the server',
    ]);
    const { stdout } = runList(cwd, '--all');
    expect(stdout).toMatch(/^plain +1\.0\.0 +- +- +- +- +installed\n {2}broken: toolwright\.yaml:1:10 /m);
  });

  it('W51 `list` shows declared servers without a definition, and problems of the whole pack at each server', () => {
    const cwd = project({
      'toolwright.yaml': 'servers: [one, two]\ntolls: [x]\n',
      'mcp/servers/one.yaml': 'description: One\n',
    });
    expect(brief(listed(cwd))).toEqual([
      expect.stringMatching(/^app\/one project broken: toolwright\.yaml:2:1 .*tolls/),
      expect.stringMatching(/^app\/two project broken: toolwright\.yaml:1:16 .*no definition/),
    ]);
  });

  it('`list` prints a table for people and names packs without servers on stderr', () => {
    const cwd = project({ ...installed, 'node_modules/unlisted/toolwright.yaml': 'servers: []\n' });
    const { stdout, stderr } = runList(cwd, '--all');
    expect(stdout).toBe(
      [
        'server          version  transport  tools  prompts  resources  source     description',
        'acme/jira/desk  1.2.0    stdio          2        1          0  installed  The desk of acme/jira',
        '',
      ].join('\n'),
    );
    expect(stderr).toBe('toolwright: without servers of their own: unlisted\n');
  });

  it('`list` notices what has changed since the last run', () => {
    const cwd = project(installed);
    const long = new Date(Date.now() - 60_000);
    const jira = join(cwd, 'node_modules/@acme/jira');
    for (const file of ['package.json', 'toolwright.yaml', 'mcp/servers/desk.yaml', 'mcp', '']) {
      utimesSync(join(jira, file), long, long);
    }
    expect(brief(listed(cwd))).toEqual(['acme/jira/desk 1.2.0 installed']);
    writeFileSync(join(jira, 'package.json'), JSON.stringify({ name: '@acme/jira', version: '1.3.0' }));
    expect(brief(listed(cwd))).toEqual(['acme/jira/desk 1.3.0 installed']);
    renameSync(join(jira, 'mcp/servers/desk.yaml'), join(jira, 'mcp/servers/desk.json'));
    expect(brief(listed(cwd))).toEqual([expect.stringContaining('broken: mcp/servers/desk.json:1:1')]);
    rmSync(jira, { recursive: true });
    expect(listed(cwd)).toEqual([]);
  });

  it('`list` exits with 2 for a usage mistake', () => {
    const cwd = project(app);
    expect(runList(cwd, '--refresh')).toMatchObject({ status: 2, stdout: '' });
    expect(runList(cwd, '--cwd', 'nowhere')).toMatchObject({ status: 2, stdout: '' });
    expect(runList(cwd, '--format', 'sarif')).toMatchObject({ status: 2, stdout: '' });
    expect(runList(cwd, 'a', 'b')).toMatchObject({ status: 2, stdout: '' });
  });
});

describe('`toolwright list` in layouts of package managers', () => {
  it('W47 `list` finds workspaces of npm, yarn and pnpm from anywhere in the repository', () => {
    const members = {
      ...below(
        'packages/one',
        deskPack('@acme/one', '1.0.0', { dependencies: { '@acme/jira': '1', '@acme/two': '*' } }),
      ),
      ...below('packages/two', deskPack('@acme/two')),
      ...below('packages/left-out', deskPack('left-out')),
      ...below('other/three', deskPack('three')),
      ...below('packages/one/node_modules/@acme/jira', deskPack('@acme/jira', '1.5.0')),
      ...below('node_modules/@acme/jira', deskPack('@acme/jira', '1.0.0')),
    };
    const patterns = ['packages/*', '!packages/left-out'];
    const roots: readonly PackFiles[] = [
      packageJson({ name: 'root', workspaces: patterns }),
      packageJson({ name: 'root', workspaces: { packages: ['./{packages,nothing}/*', '!packages/left-out'] } }),
      { ...packageJson({ name: 'root' }), 'pnpm-workspace.yaml': `packages: ${JSON.stringify(patterns)}\n` },
    ];
    for (const root of roots) {
      const cwd = project({ ...root, ...members });
      mkdirSync(join(cwd, 'node_modules/@acme'), { recursive: true });
      symlinkSync('../../packages/two', join(cwd, 'node_modules/@acme/two'));
      const expected = ['acme/one/desk 1.0.0 project', 'acme/two/desk 1.0.0 project', 'acme/jira/desk 1.5.0 installed'];
      expect(brief(listed(cwd))).toEqual(expected);
      expect(brief(listed(join(cwd, 'packages/two/src')))).toEqual(expected);
      // Not a member: a project of its own.
      expect(brief(listed(join(cwd, 'other/three')))).toEqual(['three/desk 1.0.0 project']);
    }
  });

  it('W47 `list` follows the links of pnpm and finds every version in its store', () => {
    const cwd = project({
      ...packageJson({ name: 'app', dependencies: { '@acme/jira': '1' } }),
      ...below('node_modules/.pnpm/@acme+jira@1.2.0/node_modules/@acme/jira', deskPack('@acme/jira', '1.2.0')),
      ...below('node_modules/.pnpm/deep@2.0.0/node_modules/deep', deskPack('deep', '2.0.0')),
    });
    mkdirSync(join(cwd, 'node_modules/@acme'));
    symlinkSync('../.pnpm/@acme+jira@1.2.0/node_modules/@acme/jira', join(cwd, 'node_modules/@acme/jira'));
    symlinkSync(
      '../../deep@2.0.0/node_modules/deep',
      join(cwd, 'node_modules/.pnpm/@acme+jira@1.2.0/node_modules/deep'),
    );
    expect(brief(listed(cwd))).toEqual(['acme/jira/desk 1.2.0 installed']);
    expect(brief(listed(cwd, '--all'))).toEqual(['acme/jira/desk 1.2.0 installed', 'deep/desk 2.0.0 installed']);
  });

  it('W47 `list` finds packs that are linked, hoisted above the project, nested or installed under another name', () => {
    const folder = writeFolder({
      ...below(
        'repo/app',
        packageJson({ dependencies: { linked: 'file:../../linked', up: '1', alias: 'npm:real@1' } }),
      ),
      ...below('linked', deskPack('linked', '0.0.1')),
      ...below('repo/node_modules/up', deskPack('up', '4.0.0')),
      ...below('repo/node_modules/alias', deskPack('real', '5.0.0')),
      ...below('repo/node_modules/up/node_modules/@in/side', deskPack('@in/side', '6.0.0')),
    });
    mkdirSync(join(folder, 'repo/app/node_modules'));
    symlinkSync('../../../linked', join(folder, 'repo/app/node_modules/linked'));
    const cwd = join(folder, 'repo/app');
    const direct = ['alias/desk 5.0.0 installed', 'linked/desk 0.0.1 installed', 'up/desk 4.0.0 installed'];
    expect(brief(listed(cwd))).toEqual(direct);
    expect(brief(listed(cwd, '--all'))).toEqual([direct[0], 'in/side/desk 6.0.0 installed', direct[1], direct[2]]);
  });

  it("`list` says that it does not look into packages of yarn's Plug'n'Play", () => {
    const cwd = project({ ...packageJson({ dependencies: { a: '1' } }), '.pnp.cjs': 'process.exit(3)\n' });
    const { status, stdout, stderr } = runList(cwd, '--format', 'json');
    expect([status, JSON.parse(stdout)]).toEqual([0, { servers: [] }]);
    expect(stderr).toContain('nodeLinker: node-modules');
  });

  it('`list` shows a pack that is not a package, and nothing where there is nothing', () => {
    const cwd = project({ 'toolwright.yaml': 'name: me/mine\nversion: 1.0.0\n', 'mcp/servers/a.yaml': '{}\n' });
    expect(brief(listed(cwd))).toEqual(['me/mine/a 1.0.0 project']);
    const { status, stderr } = runList(writeFolder({ 'a/b': '' }));
    expect(status).toBe(0);
    expect(stderr).toContain('try --all, --builtin, --remote to look further');
  });

  it('`list` changes no file of what it lists', () => {
    const cwd = project(installed);
    const before = readTree(cwd);
    runList(cwd, '--all');
    expect(readTree(cwd)).toEqual(before);
  });
});
