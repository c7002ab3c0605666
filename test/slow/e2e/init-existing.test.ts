// toolwright init where there is a package.json: what is taken for an existing package, and that its build goes on as before.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { scripts } from '../../../generator/author/init-package.js';
import { linkDependencies, makeAuthorWorld, runScript } from '../../cli/author-world.js';

const world = makeAuthorWorld();
afterAll(() => world.remove());

const root = join(import.meta.dirname, '../../..');
const read = (pack: string, path: string): string => readFileSync(join(pack, path), 'utf8');
const packageOf = (pack: string): Record<string, unknown> => JSON.parse(read(pack, 'package.json'));
const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
const init = (pack: string, ...args: readonly string[]): Record<string, unknown> =>
  JSON.parse(world.run(pack, 'init', '--yes', '--format', 'json', ...args).stdout);

const noTest = 'echo "Error: no test specified" && exit 1';
const npmInit = {
  ...{ name: 'mine', version: '1.0.0', description: '', main: 'index.js', scripts: { test: noTest } },
  ...{ keywords: [], author: '', license: 'ISC', type: 'commonjs' },
};
const pnpmEngines = { packageManager: { name: 'pnpm', version: '12.18.0', onFail: 'download' } };

/** As each manager of today writes them, with what the installation of this package adds. */
const skeletons: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'npm init': { 'package.json': json({ ...npmInit, dependencies: { toolwright: '^0.1.0' } }) },
  'pnpm init': {
    'package.json': json({ ...npmInit, devEngines: pnpmEngines, packageManager: 'pnpm@12.18.0', type: 'module' }),
  },
  'yarn init, version 1': {
    'package.json': json({ name: 'mine', version: '1.0.0', main: 'index.js', license: 'MIT' }),
  },
  'yarn init, version 4': {
    'package.json': json({ name: 'mine', packageManager: 'yarn@4.18.1' }),
    'README.md': '# mine\n',
    '.editorconfig': 'root = true\n',
  },
  'bun init': {
    'package.json': json({
      ...{ name: 'mine', module: 'index.ts', type: 'module', private: true, scripts: { typecheck: 'bun check' } },
      ...{ devDependencies: { '@types/bun': 'latest' }, peerDependencies: { typescript: '^7' } },
    }),
    'index.ts': 'console.log("Hello via Bun!");',
    'README.md': '# mine\n\nTo install dependencies:\n',
  },
  'npm install alone': { 'package.json': json({ dependencies: { toolwright: '^0.1.0' } }) },
};

describe('fix-N5 a package that nobody wrote', { timeout: 60_000 }, () => {
  it.each(Object.entries(skeletons))('fix-N5 what %s writes becomes a TypeScript pack', (_, files) => {
    const pack = world.make(files);
    const { notes, ...said } = init(pack);
    expect(said).toMatchObject({ ok: true, language: 'ts' });
    expect(notes).toContain('TypeScript, ES modules: because there is no code yet; use --language js for JavaScript');
    const made = packageOf(pack);
    expect(made).toMatchObject({ type: 'module', keywords: ['toolwright-pack'] });
    expect(made['files']).toEqual(['dist', 'generated', '!generated/schema', 'mcp', 'toolwright.yaml']);
    expect(made['scripts']).toEqual({ ...scripts('ts'), prepack: expect.stringContaining('build --pack') });
    expect([made['main'], made['author']]).toEqual([undefined, undefined]);
    expect(existsSync(join(pack, 'tsconfig.json')) && existsSync(join(pack, 'src/tools/greet.ts'))).toBe(true);
    // What names a person, a licence or a manager stays.
    const before = JSON.parse(files['package.json'] ?? '') as Record<string, unknown>;
    for (const key of ['license', 'packageManager', 'devEngines', 'private', 'peerDependencies'])
      expect(made[key]).toEqual(before[key]);
  });

  it('fix-B14 `init` says what it changed in the package.json of `npm init`, and why', () => {
    const changed =
      'package.json: "type" is now "module"; "main" is removed, because there is no index.js; "description" is now "My first tools"';
    expect(init(world.make({ 'package.json': json(npmInit) }))['notes']).toContain(changed);
    const described = json({ ...npmInit, type: 'module', main: undefined, description: 'Mine' });
    expect(init(world.make({ 'package.json': described }))['notes']).toHaveLength(1);
  });

  it.each([
    ['a script', { ...npmInit, scripts: { test: noTest, lint: 'eslint .' } }, {}, 'there is no tsconfig.json'],
    ['a source', npmInit, { 'src/index.js': '' }, 'there is src/index.js'],
    ['its main file', npmInit, { 'index.js': '' }, 'there is index.js'],
    ['a keyword', { ...npmInit, keywords: ['x'] }, {}, 'there is no tsconfig.json'],
  ])('fix-N5 a package with %s is followed, and `init` says why', (_, { type: __, ...packageJson }, files, reason) => {
    const pack = world.make({ 'package.json': json(packageJson), ...files });
    const { stdout, status } = world.run(pack, 'init', '--yes');
    expect(status).toBe(0);
    const line = `JavaScript, CommonJS: because package.json has no "type" and ${reason}; use --language ts for TypeScript\n`;
    expect(stdout).toContain(line);
    expect(read(pack, 'src/tools/greet.js')).toContain('module.exports');
    expect(packageOf(pack)['keywords']).toEqual(packageJson.keywords);
  });

  it('fix-N5 `--language ts` in an existing JavaScript package gives TypeScript that runs and is checked', () => {
    const pack = world.make({ 'package.json': json(npmInit), 'index.js': 'module.exports = 1;\n' });
    expect(world.run(pack, 'init', '--language', 'ts').status).toBe(0);
    linkDependencies(pack);
    for (const script of ['test', 'check', 'build'])
      expect({ script, ...runScript(pack, script, world) }).toMatchObject({ script, status: 0 });
  });

  it('fix-B14 an empty package.json is that of a new package, and a flag is named as the reason', () => {
    const pack = world.make({ 'package.json': '' });
    expect(init(pack)).toMatchObject({ ok: true, language: 'ts', notes: [] });
    expect(packageOf(pack)).toMatchObject({ type: 'module', keywords: ['toolwright-pack'] });
    const other = world.make({ 'package.json': json(npmInit), 'index.js': '' });
    expect(init(other, '--language', 'ts')['notes']).toEqual([
      'TypeScript, CommonJS: because package.json has "type": "commonjs" and --language says so',
    ]);
  });

  it('fix-N5 `init` says of a TypeScript package what decided', () => {
    const pack = world.make({
      'package.json': json({ name: 'mine', version: '1.0.0', scripts: { build: 'tsc' } }),
      'tsconfig.json': '{"compilerOptions": {"module": "commonjs"}}',
    });
    const { notes } = init(pack);
    expect(notes).toEqual(['TypeScript, CommonJS: because tsconfig.json has "module": "commonjs"']);
  });
});

/** The build of an existing package, before and after. */
function buildsAfter(files: Readonly<Record<string, string>>, compiler: 'typescript' | 'typescript7'): void {
  const pack = world.make({
    'package.json': json({ name: 'mine', version: '1.0.0', main: 'dist/index.js', scripts: { build: 'tsc -p .' } }),
    'src/index.ts': 'export const one: number = 1;\n',
    ...files,
  });
  linkDependencies(pack);
  const build = () => {
    const tsc = join(root, 'node_modules', compiler, 'bin/tsc');
    const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', '.'], { cwd: pack, encoding: 'utf8' });
    return { status, stdout, hasMain: existsSync(join(pack, 'dist/index.js')) };
  };
  const good = { status: 0, stdout: '', hasMain: true };
  expect(build()).toEqual(good);
  const before = packageOf(pack)['scripts'] as Record<string, string>;
  expect(init(pack)).toMatchObject({ ok: true });
  rmSync(join(pack, 'dist'), { recursive: true });
  expect(build()).toEqual(good);
  const after = packageOf(pack)['scripts'] as Record<string, string>;
  expect(after).toMatchObject(before);
  // Nothing of ours runs before or after a script of theirs.
  expect(Object.keys(after).filter(key => /^(?:pre|post)/.test(key) && before[key] === undefined)).toEqual([]);
  expect(runScript(pack, 'test', world)).toMatchObject({ status: 0 });
}

const options = (more: object, rest: object = {}): Readonly<Record<string, string>> => ({
  'tsconfig.json': json({ compilerOptions: { target: 'es2020', outDir: 'dist', strict: true, ...more }, ...rest }),
});
const esm = {
  'package.json': json({ name: 'mine', version: '1.0.0', type: 'module', scripts: { build: 'tsc -p .' } }),
};
const strictest = {
  ...{ noUnusedLocals: true, noUnusedParameters: true, exactOptionalPropertyTypes: true, declaration: true },
  ...{ noUncheckedIndexedAccess: true, noPropertyAccessFromIndexSignature: true, isolatedModules: true },
};

describe('fix-N3 the build of an existing package', { timeout: 120_000 }, () => {
  it.each([
    ['commonjs, node', options({ module: 'commonjs', moduleResolution: 'node' })],
    ['node16, strictest', options({ module: 'node16', ...strictest })],
    [
      'node10, all files, its own checks',
      options({ module: 'commonjs', moduleResolution: 'node10', types: [], ...strictest }, { include: ['**/*'] }),
    ],
    ['nodenext, ES modules', { ...esm, ...options({ module: 'nodenext', verbatimModuleSyntax: true }) }],
    [
      'bundler, ES modules, JavaScript too',
      { ...esm, ...options({ module: 'esnext', moduleResolution: 'bundler', checkJs: true, allowJs: true }) },
    ],
    [
      'commonjs, JavaScript too',
      options(
        { module: 'commonjs', moduleResolution: 'node', allowJs: true },
        { include: ['./**/*.ts', '**/*.js'], exclude: ['node_modules', 'dist'] },
      ),
    ],
  ])('fix-N3 `init` does not change what TypeScript 5.9 makes of %s', (_, files) => buildsAfter(files, 'typescript'));

  it.each([
    ['nodenext', options({ module: 'nodenext', rootDir: 'src' })],
    [
      'bundler, JavaScript too',
      { ...esm, ...options({ module: 'esnext', moduleResolution: 'bundler', allowJs: true, rootDir: 'src' }) },
    ],
  ])('fix-N3 `init` does not change what TypeScript 7 makes of %s', (_, files) => buildsAfter(files, 'typescript7'));

  it('fix-N3 scripts of the author stay, and the workflow runs those of the pack', () => {
    const own = { pretest: 'a', test: 'vitest run', prebuild: 'b', build: 'tsc -p .', dev: 'tsc -w' };
    const pack = world.make({
      'package.json': json({ name: 'mine', version: '1.0.0', scripts: own }),
      '.git/HEAD': '',
    });
    expect(init(pack)).toMatchObject({ ok: true });
    const ours = scripts('js');
    const { generate, check, docs } = ours;
    const prefixed = { 'mcp:test': ours['test'], 'mcp:build': ours['build'], 'mcp:dev': ours['dev'] };
    expect(packageOf(pack)['scripts']).toEqual({ ...own, generate, check, docs, ...prefixed });
    const workflow = read(pack, '.github/workflows/toolwright.yml');
    expect(workflow).toContain('- run: npm test\n      - run: npm run mcp:test\n      - run: npm run mcp:build\n');
    expect(workflow).not.toContain('#');
    expect(read(pack, 'README.md')).toMatch(/^npm run mcp:test # checks/m);
    expect(read(pack, 'README.md')).not.toContain('npm test');
    expect(world.run(pack, 'init', '--yes').stderr).toContain('npm run mcp:test');
  });

  it("fix-B25 the workflow beside others of an existing package runs what is Toolwright's, and says so", () => {
    const pack = world.make({
      'package.json': json({ name: 'mine', version: '1.0.0', scripts: { test: 'vitest run' } }),
      '.github/workflows/ci.yml': 'name: CI\n',
      '.git/HEAD': '',
    });
    expect(init(pack)).toMatchObject({ ok: true });
    const workflow = read(pack, '.github/workflows/toolwright.yml');
    expect(workflow).toContain('Its own tests are left to the other workflows.\nname: Toolwright\n');
    expect(workflow).toContain('- run: npm ci\n      - run: npm run mcp:test\n      - run: npm run build\n');
  });

  it.each([
    ['nothing of it', {}, {}, 'dist/\n.env\n'],
    ['the folder already', {}, { 'dist/index.js': '' }, '.env\n'],
    ['it as its main file', { main: 'dist/index.js' }, {}, '.env\n'],
  ])('fix-B8 `init` lets git ignore what a build writes, where the package has %s', (_, more, files, added) => {
    const pack = world.make({
      'package.json': json({ name: 'mine', version: '1.0.0', scripts: { test: 'x' }, ...more }),
      '.gitignore': 'node_modules\n',
      ...files,
    });
    expect(init(pack)).toMatchObject({ ok: true });
    expect(read(pack, '.gitignore')).toBe(`node_modules\n${added}`);
  });

  it('fix-N3 `init` says what to change where what tsconfig.json leaves out is written elsewhere', () => {
    const tsconfig = json({ extends: './base.json', compilerOptions: { outDir: 'dist' } });
    const pack = world.make({
      'package.json': json({ name: 'mine', version: '1.0.0', scripts: { build: 'tsc' } }),
      'tsconfig.json': tsconfig,
      'base.json': json({ compilerOptions: { allowJs: true }, exclude: ['x'] }),
    });
    const { notes } = init(pack);
    expect(notes).toContainEqual(expect.stringContaining('add "generated" to its "exclude"'));
    expect(read(pack, 'tsconfig.json')).toBe(tsconfig);
  });

  it('fix-N3 comments of tsconfig.json stay where `init` adds to it', () => {
    const pack = world.make({
      'package.json': json({ name: 'mine', version: '1.0.0', scripts: { build: 'tsc' } }),
      'tsconfig.json': '{\n  // ours\n  "compilerOptions": { "checkJs": true, "outDir": "out" }, // x\n}\n',
    });
    const { operations } = init(pack);
    expect(operations).toContainEqual({ op: 'update', path: 'tsconfig.json' });
    const after = read(pack, 'tsconfig.json');
    for (const part of ['// ours', '// x', '"exclude"', '"out"', '"generated"']) expect(after).toContain(part);
  });
});

describe('fix-N36 what `init` writes for editors and how it says it', { timeout: 60_000 }, () => {
  it.each([
    ['nothing', {}, [], ['.vscode']],
    ['a folder of JetBrains', { '.idea/misc.xml': '' }, [], ['.idea']],
    ['folders of both', { '.idea/misc.xml': '', '.vscode/x.json': '{}' }, [], ['.idea', '.vscode']],
    ['nothing, and is asked for JetBrains', {}, ['--editor', 'jetbrains'], ['.idea']],
    ['nothing, and is asked for no editor', {}, ['--editor', 'none'], []],
  ])(
    'fix-N36 `init` writes settings of an editor where there is %s',
    (_, files: Record<string, string>, args, expected) => {
      const pack = world.make(files);
      const { operations } = init(pack, ...args) as { operations: readonly { path: string }[] };
      const folders = operations.flatMap(({ path }) => /^\.(?:idea|vscode)/.exec(path)?.[0] ?? []);
      expect([...new Set(folders)].sort()).toEqual(expected);
    },
  );

  it('fix-N36 `init` refuses an editor that it does not know', () => {
    const { status, stderr } = world.run(world.make({}), 'init', '--editor', 'emacs');
    expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining('vscode, jetbrains, none') });
  });

  it('fix-N36 a file that is extended is updated, not replaced', () => {
    const pack = world.make({ 'package.json': json(npmInit), 'index.js': '', '.gitignore': 'x\n' });
    const { stdout } = world.run(pack, 'init', '--yes');
    expect(stdout).toMatch(/^update {2}package\.json$/m);
    expect(stdout).toMatch(/^update {2}\.gitignore$/m);
    expect(stdout).not.toMatch(/^replace/m);
  });
});

describe('fix-N31 the README of a new pack', { timeout: 60_000 }, () => {
  it('fix-N31 the page shows whatever the pack has, and nothing of what it has not', () => {
    const pack = world.make({});
    init(pack);
    const headings = (): readonly string[] => read(pack, 'README.md').match(/^## .*/gm) ?? [];
    expect(headings()).toEqual(['## Servers', '## Tools', '## Prompts']);
    expect(world.run(pack, 'add', 'resource', 'note').status).toBe(0);
    expect(world.run(pack, 'docs')).toMatchObject({ status: 0, stderr: 'README.md written\n' });
    expect(headings()).toEqual(['## Servers', '## Tools', '## Prompts', '## Resources']);
    expect(read(pack, 'README.md').split('<!-- toolwright:all -->')[0]).not.toContain('greet');
  });

  it('fix-N31 `docs` names the kinds that a README has no region for', () => {
    const pack = world.make({});
    init(pack);
    writeFileSync(join(pack, 'README.md'), '# x\n\n<!-- toolwright:tools -->\n<!-- /toolwright -->\n');
    const hint =
      'README.md has no region for servers, prompts: add <!-- toolwright:servers -->, or one <!-- toolwright:all -->\n';
    expect(world.run(pack, 'docs').stderr).toBe(`README.md written\n${hint}`);
    expect(JSON.parse(world.run(pack, 'docs', '--format', 'json').stdout).operations).toEqual([
      { op: 'keep', path: 'README.md', missing: ['servers', 'prompts'] },
    ]);
  });
});
