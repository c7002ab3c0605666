// toolwright init: new folders, packages that are there, what it keeps and what it refuses.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { scripts } from '../../../generator/author/init-package.js';
import { toPackageName, toServerName } from '../../../generator/author/init-settings.js';
import {
  command,
  filesOf,
  linkDependencies,
  makeAuthorWorld,
  npmPack,
  npmRun,
  runScript,
} from '../../cli/author-world.js';
import { talkTo } from '../../cli/terminal.js';

const world = makeAuthorWorld();
afterAll(() => world.remove());

const read = (pack: string, path: string): string => readFileSync(join(pack, path), 'utf8');
const ours = ['generated', 'node_modules'] as const;

/** The whole way of a user, with everything but the downloads. */
function expectWorking(pack: string, run: typeof npmRun, ...more: readonly string[]): void {
  linkDependencies(pack);
  for (const script of ['test', ...more])
    expect({ script, ...run(pack, script, world) }).toMatchObject({ script, status: 0 });
  const called = world.run(pack, 'call', 'greet', '--arg', 'name=Ada', '--arg', 'language=de', '--format', 'json');
  expect(JSON.parse(called.stdout).structuredContent).toEqual({ greeting: 'Hallo, Ada!' });
  expect(world.run(pack, 'docs', '--check')).toMatchObject({ status: 0 });
}

describe('P22 `toolwright init` in a new folder', { timeout: 120_000 }, () => {
  it.each(['ts', 'js'] as const)('P22 `init` makes a pack that passes its tests and builds at once: %s', language => {
    const where = `neu für ${language}`;
    const done = world.run(world.folder, 'init', where, '--language', language, '--format', 'json');
    expect(done).toMatchObject({ status: 0, stderr: '' });
    const { operations, ...more } = JSON.parse(done.stdout);
    expect(more).toEqual({
      ok: true,
      applied: true,
      name: `neu-fur-${language}`,
      language,
      transport: 'stdio',
      manager: 'npm',
      notes: [],
      diagnostics: [],
    });
    const pack = join(world.folder, where);
    const written = Object.keys(filesOf(pack, 'generated'));
    expect(written.sort()).toEqual(
      [
        '.gitattributes',
        '.github/workflows/toolwright.yml',
        '.gitignore',
        '.vscode/extensions.json',
        '.vscode/settings.json',
        'README.md',
        `mcp/servers/neu-fur-${language}.yaml`,
        'mcp/prompts/introduce.yaml',
        'mcp/tools/greet.yaml',
        'package.json',
        `src/tools/greet.${language}`,
        'toolwright.yaml',
        ...(language === 'ts' ? ['tsconfig.json'] : []),
      ].sort(),
    );
    const paths = operations.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(expect.arrayContaining(written));
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'));
    expect(JSON.parse(read(pack, 'package.json')).dependencies).toEqual({ toolwright: `^${version}` });
    expectWorking(pack, language === 'ts' ? npmRun : runScript, 'check', 'build');
  });

  it.each(['ts', 'js'] as const)('P22 a new pack that npm has packed runs where it is installed: %s', language => {
    const pack = join(world.folder, `to publish ${language}`);
    world.run(world.folder, 'init', pack, '--language', language, '--name', `@acme/hello-${language}`);
    linkDependencies(pack);
    expect(npmPack(pack, world)).toMatchObject({ status: 0 });
    const packed = join(pack, `acme-hello-${language}-0.1.0.tgz`);
    const dependencies = { [`@acme/hello-${language}`]: '^0.1.0' };
    const user = world.make({ 'package.json': JSON.stringify({ name: 'user', dependencies }) });
    const installed = join(user, 'node_modules/@acme', `hello-${language}`);
    mkdirSync(installed, { recursive: true });
    expect(spawnSync('tar', ['xzf', packed, '--strip-components=1'], { cwd: installed }).status).toBe(0);
    expect(existsSync(join(installed, 'src'))).toBe(language === 'js');
    const name = `acme/hello-${language}/hello-${language}`;
    const called = world.run(user, 'call', name, 'greet', '--arg', 'name=Ada', '--format', 'json');
    expect(JSON.parse(called.stdout).structuredContent).toEqual({ greeting: 'Hello, Ada!' });
    const short = world.run(user, 'call', 'greet');
    expect(short).toMatchObject({ status: 2, stderr: expect.stringContaining(`what is installed has ${name}`) });
  });

  it('P22 `init` leaves no item without an example', () => {
    const pack = world.make({});
    world.run(pack, 'init');
    linkDependencies(pack);
    expect(JSON.parse(world.run(pack, 'test', '--format', 'json').stdout)).toMatchObject({ ok: true, untested: [] });
  });

  it.each(['ts', 'js'])(
    'fix-B15 `init --empty` makes a pack with a server alone, to which tools are added: %s',
    language => {
      const pack = world.make({});
      const { status, stdout, stderr } = world.run(pack, 'init', '--empty', '--language', language);
      expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('create  mcp/servers/') });
      expect(stderr).toContain('npx toolwright add tool <name>');
      for (const text of [stdout, stderr, read(pack, 'README.md')]) expect(text).not.toMatch(/greet|introduce/);
      linkDependencies(pack);
      expect(runScript(pack, 'test', world)).toMatchObject({ status: 0 });
      expect(world.run(pack, 'add', 'tool', 'get-issue')).toMatchObject({ status: 0 });
    },
  );

  it('P22 `init --dry-run` lists the same files and writes nothing, even if there is no folder yet', () => {
    const { stdout, status } = world.run(world.folder, 'init', 'trial', '--dry-run', '--format', 'json');
    expect(status).toBe(0);
    const { applied, operations } = JSON.parse(stdout);
    expect(applied).toBe(false);
    expect(existsSync(join(world.folder, 'trial'))).toBe(false);
    const made = JSON.parse(world.run(world.folder, 'init', 'trial', '--format', 'json').stdout);
    expect(made.operations).toEqual(expect.arrayContaining(operations));
    const own = made.operations.filter(({ path }: { path: string }) => !path.startsWith('generated/'));
    expect(own).toEqual(operations);
  });

  it('P22 a second `init` changes nothing and says what it kept', () => {
    const pack = world.make({});
    expect(world.run(pack, 'init')).toMatchObject({ status: 0 });
    const before = filesOf(pack);
    const { operations } = JSON.parse(world.run(pack, 'init', '--format', 'json').stdout);
    expect(new Set(operations.map(({ op }: { op: string }) => op))).toEqual(new Set(['keep']));
    expect(filesOf(pack)).toEqual(before);
  });

  it('P22 `init` accepts a server over HTTP, a scoped name and any description', () => {
    const pack = world.make({});
    const description = 'Tools: "of" *mine* | <b> # no comment';
    const args = ['--name', 'acme/jira', '--transport', 'http', '--description', description];
    expect(world.run(pack, 'init', ...args)).toMatchObject({ status: 0 });
    expect(JSON.parse(read(pack, 'package.json'))).toMatchObject({ name: '@acme/jira', description });
    const { servers } = JSON.parse(world.run(pack, 'list', '--format', 'json').stdout);
    expect(servers).toMatchObject([{ name: 'acme/jira/jira', transport: 'http', tools: 1, prompts: 1 }]);
    const { definition } = JSON.parse(world.run(pack, 'explain', 'server:jira', '--format', 'json').stdout);
    expect(definition.description).toBe(description);
  });

  it('P22 every script that `init` writes runs an existing command', () => {
    const help = world.run(world.folder, '--help').stdout;
    for (const line of [scripts('ts'), scripts('js')].flatMap(all => Object.values(all)))
      for (const [, name] of line.matchAll(/toolwright ([a-z]+)/g))
        expect(help).toMatch(new RegExp(`^  ${name} `, 'm'));
  });
});

describe('P22 `toolwright init` in an existing package', { timeout: 120_000 }, () => {
  const tabbed = '{\n\t"name": "mine",\n\t"version": "3.0.0",\n\t"scripts": { "lint": "x" },\n\t"private": true\n}\n';

  it.each([
    ['CommonJS, JavaScript', tabbed, {}, 'greet.js', /^module\.exports/m],
    [
      'ES modules, JavaScript',
      tabbed.replace('"private"', '"type": "module",\n\t"private"'),
      {},
      'greet.js',
      /^export default/m,
    ],
    [
      'ES modules, TypeScript',
      tabbed.replace('"private"', '"type": "module",\n\t"private"'),
      {
        'tsconfig.json':
          '{"compilerOptions": {"module": "nodenext", "strict": true, "rootDir": "src", "noEmit": true}}',
      },
      'greet.ts',
      /^import \{ tools \}/m,
    ],
    [
      'CommonJS, TypeScript, strict about parameters',
      tabbed,
      {
        'tsconfig.json':
          '{"compilerOptions": {"module": "nodenext", "strict": true, "rootDir": "src", "verbatimModuleSyntax": true, "noUnusedParameters": true, "noEmit": true}}',
      },
      'greet.ts',
      /^export = /m,
    ],
  ])('P22 `init` in an existing package works: %s', (_, packageJson, files: Record<string, string>, handler, form) => {
    const pack = world.make({ 'package.json': packageJson, 'src/mine.txt': 'x', ...files });
    const done = world.run(pack, 'init');
    expect(done).toMatchObject({ status: 0 });
    const after = read(pack, 'package.json');
    // Tabs, order and what was there: byte for byte up to what is added.
    expect(after.startsWith(packageJson.slice(0, packageJson.indexOf('"lint": "x"') + 11))).toBe(true);
    expect(after).toContain('\t"dependencies": {\n\t\t"toolwright": ');
    for (const [name, text] of Object.entries(files)) expect(read(pack, name)).toBe(text);
    expect(read(pack, `src/tools/${handler}`)).toMatch(form);
    expectWorking(pack, runScript, ...(handler === 'greet.ts' ? ['check'] : []));
  });

  it('P22 `init` keeps scripts, settings with comments, lines and files, and lists what it kept', () => {
    const settings =
      '{\n  // mine\n  "yaml.schemas": { "./x.json": ["a.yaml"] }, // schemas\n  "editor.tabSize": 3,\n}\n';
    const files = {
      'package.json': '{"name": "mine", "version": "1.0.0", "scripts": {"test": "mine"}}',
      '.vscode/settings.json': settings,
      '.gitignore': '/node_modules\r\nlogs\r\n',
      '.gitattributes': 'generated/** linguist-generated=true',
      'README.md': '# Mine\n',
      'src/tools/greet.js': '// mine\n',
    };
    const pack = world.make(files);
    const { operations } = JSON.parse(world.run(pack, 'init', '--format', 'json').stdout);
    const kept = operations.filter(({ op }: { op: string }) => op === 'keep');
    expect(kept.map(({ path, why }: { path: string; why: string }) => `${path}: ${why}`)).toEqual([
      'package.json: its own script "test"; "mcp:test" is Toolwright\'s',
      '.gitattributes: there already',
      'src/tools/greet.js: there already',
      'README.md: there already',
    ]);
    const { scripts: own, ...more } = JSON.parse(read(pack, 'package.json'));
    expect(own).toMatchObject({ test: 'mine', generate: 'toolwright generate', 'mcp:test': scripts('js')['test'] });
    // How a package is published is the business of whoever has one.
    expect([own.prepack, more.files, more.keywords]).toEqual([undefined, undefined, undefined]);
    const after = read(pack, '.vscode/settings.json');
    for (const part of ['// mine', '"./x.json": ["a.yaml"]', '// schemas', '"editor.tabSize": 3,', 'tool.schema.json'])
      expect(after).toContain(part);
    expect(read(pack, '.gitignore')).toBe('/node_modules\r\nlogs\r\ndist/\r\n.env\r\n');
    for (const name of ['README.md', 'src/tools/greet.js', '.gitattributes'] as const)
      expect(read(pack, name)).toBe(files[name]);
  });

  it('P22 `init` replaces the test script that npm writes by default', () => {
    const test = 'echo "Error: no test specified" && exit 1';
    const packageJson = JSON.stringify({ name: 'mine', version: '1.0.0', scripts: { test } });
    const pack = world.make({ 'package.json': packageJson, 'index.js': '' });
    expect(world.run(pack, 'init').status).toBe(0);
    expect(JSON.parse(read(pack, 'package.json')).scripts.test).toBe(scripts('js')['test']);
  });

  it('P22 `init` in an existing pack keeps its items and folders and adds the rest', () => {
    const pack = world.make({
      'toolwright.yaml': 'root: defs\ngenerated: out\n',
      'defs/tools/mine.yaml': 'description: Mine\n',
      '.idea/misc.xml': '<project />\n',
    });
    const { status, stderr } = world.run(pack, 'init', '--editor', 'vscode', '--editor', 'jetbrains');
    expect(status).toBe(0);
    // There is no such tool.
    for (const text of [stderr, read(pack, 'README.md')]) expect(text).not.toContain('greet');
    expect(existsSync(join(pack, 'defs/tools/greet.yaml'))).toBe(false);
    expect(read(pack, '.gitattributes')).toBe('out/** linguist-generated=true\n');
    expect(read(pack, '.vscode/settings.json')).toContain('"./out/schema/tool.schema.json"');
    expect(read(pack, '.idea/jsonSchemas.xml')).toContain('value="defs/tools/*.yaml"');
  });

  it('P22 `init` in workspaces that are not a repository yet writes no workflow below their root', () => {
    const root = world.make({ 'package.json': '{"name": "root", "private": true, "workspaces": ["packages/*"]}' });
    expect(world.run(root, 'init', 'packages/a', '--yes').stdout).toContain('toolwright.yml (not written');
    expect(existsSync(join(root, 'packages/a/.github'))).toBe(false);
  });

  it('P22 `init` in a workspace writes no workflow below the root and names the package manager of the root', () => {
    const root = world.make({
      'package.json': '{"name": "root", "private": true, "workspaces": ["packs/*"]}',
      'pnpm-lock.yaml': '',
      '.git/HEAD': 'ref: refs/heads/main\n',
    });
    const { status, stdout, stderr } = world.run(root, 'init', 'packs/one');
    expect(status).toBe(0);
    expect(stdout).toContain('keep    .github/workflows/toolwright.yml (not written');
    expect(existsSync(join(root, 'packs/one/.github'))).toBe(false);
    expect(stderr).toContain('cd packs/one\n  pnpm install\n');
    expect(JSON.parse(read(root, 'package.json'))).toEqual({ name: 'root', private: true, workspaces: ['packs/*'] });
  });
});

describe('P22 refusals of `toolwright init`', () => {
  it.each([
    [
      'a broken package.json',
      { 'package.json': '{\n  "name": mine\n}\n' },
      1,
      /package\.json:2:11 error .*author\/not-editable/,
    ],
    ['broken settings', { '.vscode/settings.json': '{\n  "a": tru\n}' }, 1, /settings\.json:2:8 error/],
    ['scripts that are a list', { 'package.json': '{"scripts": []}' }, 1, /"scripts" is not a map/],
    ['a pack with mistakes', { 'toolwright.yaml': 'toools: []\n' }, 1, /toolwright\.yaml:1:1 error/],
    ['items with mistakes', { 'mcp/tools/x.yaml': 'descripton: X\n' }, 1, /mcp\/tools\/x\.yaml:1:1 error/],
  ])('P22 `init` refuses %s and writes nothing', (_, files: Record<string, string>, status, message) => {
    const pack = world.make(files);
    const done = world.run(pack, 'init');
    expect({ status: done.status, stderr: done.stderr }).toEqual({ status, stderr: '' });
    expect(done.stdout).toMatch(message);
    expect(filesOf(pack)).toEqual(files);
  });

  it('P22 `init` refuses names that npm would refuse, another name than the package has, and a file as folder', () => {
    const pack = world.make({ 'package.json': '{"name": "mine"}' });
    for (const args of [
      ['sub', '--name', 'Nicht Gut'],
      ['sub', '--name', 'toolwright'],
      ['sub', '--name', '../x'],
      ['.', '--name', 'other'],
      ['package.json'],
      ['package.json/sub'],
      ['sub', '--language', 'py'],
    ]) {
      const { status, stdout, stderr } = world.run(pack, 'init', ...args);
      expect({ args, status, stdout }).toEqual({ args, status: 2, stdout: '' });
      expect(stderr).toMatch(/^(toolwright|error): /);
    }
    expect(Object.keys(filesOf(pack))).toEqual(['package.json']);
  });

  it('P22 `init` does not write through a link that leads out of the folder', () => {
    const outside = world.make({});
    const pack = world.make({});
    symlinkSync(outside, join(pack, '.vscode'));
    expect(world.run(pack, 'init').status).toBe(1);
    expect(filesOf(outside)).toEqual({});
    expect(existsSync(join(pack, 'toolwright.yaml'))).toBe(false);
  });

  it('P22 names of packages and servers are made from any folder', () => {
    const names = [
      'Mein Päckchen',
      'ok',
      '日本',
      'toolwright',
      '.hidden',
      'node_modules',
      '-x-',
      'a..b',
      'x'.repeat(300),
    ];
    expect(names.map(toPackageName).map(name => name.slice(0, 20))).toEqual([
      'mein-packchen',
      'ok',
      'my-pack',
      'my-toolwright',
      'hidden',
      'my-node_modules',
      'x',
      'a..b',
      'x'.repeat(20),
    ]);
    expect(['@acme/jira', 'a~b', '_x', '~'].map(toServerName)).toEqual(['jira', 'a-b', 'x', 'main']);
  });
});

describe('P22 `toolwright init` on a terminal', () => {
  it('P22 `init` asks on a terminal what no flag says, and uses the answers', async () => {
    const pack = world.make({});
    // The last question is told by its hint.
    const answers = [
      ['Package name', '\r'],
      ['JavaScript', '\u001b[B'],
      ['● JavaScript', '\r'],
      ['they start it', '\r'],
      ['Install dependencies now (npm install)?', 'n'],
    ] as const;
    const line = `"${process.execPath}" "${command}" init --description x`;
    const talk = await talkTo(line, answers, { cwd: pack });
    expect(talk).toMatchObject({ status: 0, next: answers.length });
    expect(existsSync(join(pack, 'src/tools/greet.js'))).toBe(true);
    expect(existsSync(join(pack, 'tsconfig.json'))).toBe(false);
  });
});

describe('P19 `toolwright init` for editors', () => {
  it('P19 every schema that settings and first lines name exists', () => {
    const pack = world.make({});
    world.run(pack, 'init', '--editor', 'vscode', '--editor', 'jetbrains');
    const globs = JSON.parse(read(pack, '.vscode/settings.json'))['yaml.schemas'] as Record<string, string[]>;
    for (const schema of Object.keys(globs)) expect(existsSync(join(pack, schema))).toBe(true);
    const named = [...read(pack, '.idea/jsonSchemas.xml').matchAll(/relativePathToSchema" value="([^"]+)"/g)];
    expect(named.map(([, path]) => `./${path}`)).toEqual(Object.keys(globs));
    for (const [path, text] of Object.entries(filesOf(pack, ...ours)).filter(([name]) =>
      /^(mcp|toolwright)/.test(name),
    )) {
      const [, schema = ''] = /^# \$schema: (\S+)\n/.exec(text) ?? [];
      expect(existsSync(join(pack, path, '..', schema))).toBe(true);
    }
  });
});
