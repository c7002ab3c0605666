// `toolwright generate` as people and scripts run it: the built command, real pipes, real folders.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tree } from '../generator/compile/golden-generate-cases.js';
import { openCommands, type Ran } from '../harness/commands.js';
import { readTree, writeFiles } from '../harness/files.js';
import { handOver, runUnprivileged } from '../harness/unprivileged.js';

const commands = openCommands();
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright generate ünï 日本-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  commands.close();
});

const base: Tree = {
  'package.json': '{ "type": "module" }\n',
  'tsconfig.json': '{ "compilerOptions": { "module": "nodenext" } }\n',
  'toolwright.yaml': 'config: { TOKEN: { type: string } }\n',
  'mcp/tools/get-issue.yaml': 'description: Get an issue.\nparameters: { issueKey: string }\n',
  'mcp/tools/other.yaml': 'description: Another.\n',
};

/** A pack in a folder of its own whose name has spaces and more. */
function makePack(name: string, files: Tree = {}): string {
  const pack = join(folder, `${name} päck`);
  writeFiles(pack, { ...base, ...files });
  return pack;
}

function generate(cwd: string, ...flags: readonly string[]): Ran {
  const env = {
    ...process.env,
    TOOLWRIGHT_CACHE: join(folder, 'cache'),
    NO_COLOR: undefined,
    FORCE_COLOR: undefined,
  };
  return commands.runSync(['generate', ...flags], { cwd, env });
}

interface Report {
  readonly ok: boolean;
  readonly operations: readonly { readonly op: string; readonly path: string }[];
  readonly diagnostics: readonly { readonly code: string; readonly file: string; readonly message: string }[];
}

function report({ stdout }: Ran): Report {
  return JSON.parse(stdout) as Report;
}

/** `op path` of all that is not kept. */
function changes(run: Ran): readonly string[] {
  return report(run)
    .operations.filter(({ op }) => op !== 'keep')
    .map(({ op, path }) => `${op} ${path}`);
}

const declarations = 'generated/tools.d.ts';

describe('`toolwright generate`', () => {
  it('P12 `generate` creates all files, then keeps them, from any folder of the pack', () => {
    const pack = makePack('create');
    const first = generate(pack);
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(first.stdout).toContain(`create  ${declarations}\n`);
    expect(first.stdout).toContain('create  src/tools/get-issue.ts\n');
    expect(first.stdout).toMatch(/\n\d+ created\n$/);
    expect(first.stdout).not.toContain('.toolwright.json');
    const files = readTree(pack);
    expect(files['src/tools/get-issue.ts']).toContain('tools.getIssue(');

    const second = generate(join(pack, 'mcp/tools'));
    expect(second).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringMatching(/^generated code is up to date \(\d+ files\)\n$/m),
    });
    expect(readTree(pack)).toEqual(files);
    expect(generate(folder, join('create päck', 'mcp/tools/other.yaml')).stdout).toMatch(
      /^generated code is up to date/m,
    );
    expect(generate(folder, '--cwd', pack, '--quiet')).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('P11 `generate` replaces what changed, deletes what is gone and never touches a handler', () => {
    const pack = makePack('replace');
    generate(pack);
    const handler = '// the work of the author\nexport default async () => 1;\n';
    writeFiles(pack, {
      'src/tools/get-issue.ts': handler,
      'mcp/tools/get-issue.yaml': 'description: Get an issue.\nparameters: { issueKey: integer }\n',
    });
    expect(changes(generate(pack, '--format', 'json'))).toEqual([
      `replace ${declarations}`,
      'replace generated/tools.d.ts.map',
      'replace generated/tools/get-issue.mjs',
    ]);
    expect(readFileSync(join(pack, declarations), 'utf8')).toContain('readonly issueKey: number;');

    rmSync(join(pack, 'mcp/tools/get-issue.yaml'));
    const gone = generate(pack);
    expect(gone.status).toBe(0);
    expect(gone.stdout).toContain('delete  generated/tools/get-issue.mjs\n');
    expect(readFileSync(join(pack, declarations), 'utf8')).not.toContain('GetIssue');
    expect(gone.stdout).toContain('[generate/leftover-stub]');
    expect(readFileSync(join(pack, 'src/tools/get-issue.ts'), 'utf8')).toBe(handler);
    expect(existsSync(join(pack, 'generated/tools/get-issue.mjs'))).toBe(false);
  });

  it('P11 `generate` refuses to replace an edited file unless it gets `--force`', () => {
    const pack = makePack('refuse');
    generate(pack);
    const edited = `${readFileSync(join(pack, declarations), 'utf8')}export type Mine = 1;\n`;
    writeFiles(pack, { [declarations]: edited, 'mcp/tools/get-issue.yaml': 'description: Changed.\n' });
    const refused = generate(pack);
    expect(refused).toMatchObject({ status: 1, stderr: '' });
    expect(refused.stdout).toContain(`refuse  ${declarations}\n`);
    expect(refused.stdout).toMatch(/\[generate\/edited\][^[]*run toolwright generate --force/);
    expect(readFileSync(join(pack, declarations), 'utf8')).toBe(edited);
    const text = readFileSync(join(pack, 'generated/tools/get-issue.mjs'), 'utf8');
    expect(text).not.toContain('issueKey');

    const forced = generate(pack, '--force', '--format', 'json');
    expect([forced.status, changes(forced)]).toEqual([0, [`replace ${declarations}`]]);
    expect(generate(pack).stdout).toMatch(/^generated code is up to date \(\d+ files\)\n$/m);
  });

  it('P10 `generate --check` writes nothing and exits with 1 where something would change', () => {
    const pack = makePack('check');
    const missing = generate(pack, '--check');
    expect(missing).toMatchObject({ status: 1, stderr: '' });
    expect(missing.stdout).toContain(`create  ${declarations}\n`);
    expect(missing.stdout).toMatch(/\n\d+ would be created: run toolwright generate\n$/);
    expect(readTree(pack)).toEqual({ ...base });

    generate(pack);
    const files = readTree(pack);
    expect(generate(pack, '--check')).toMatchObject({ status: 0, stderr: '' });
    writeFiles(pack, { 'mcp/tools/other.yaml': 'description: Changed.\n' });
    const stale = generate(pack, '--check', '--format', 'json');
    expect([stale.status, report(stale).ok]).toEqual([1, false]);
    expect(changes(stale)).toContain('replace generated/tools.d.ts');
    expect(readTree(pack)).toEqual({ ...files, 'mcp/tools/other.yaml': 'description: Changed.\n' });

    generate(pack);
    rmSync(join(pack, 'src/tools/other.ts'));
    expect(generate(pack, '--check').stdout).toContain('create  src/tools/other.ts\n');
    const unwritten = generate(pack, '--check', '--format', 'json');
    expect(unwritten.status).toBe(1);
    expect(report(unwritten).diagnostics.map(({ code }) => code)).toEqual([
      'generate/missing-handler',
      'generate/unwritten',
    ]);
    generate(pack);
    writeFiles(pack, { 'src/tools/other.ts': 'export const something = 1;\n' });
    const wrong = generate(pack, '--check');
    expect([wrong.status, wrong.stdout.includes('[generate/missing-export]')]).toEqual([1, true]);
  });

  it.each([
    ['ES modules', 'CommonJS', '{ "type": "module" }\n', '{}\n'],
    ['CommonJS', 'ES modules', '{}\n', '{ "type": "module" }\n'],
  ])('fix-N5 `generate --check` says that modules were %s and are %s now', (before, now, first, second) => {
    const pack = makePack(`flip ${now}`, { 'package.json': first });
    expect(generate(pack).status).toBe(0);
    expect(generate(pack, '--check').status).toBe(0);
    writeFileSync(join(pack, 'package.json'), second);
    const why = `the module format changed from ${before} to ${now} ("type" in package.json, or "module" in tsconfig.json)`;
    const text = generate(pack, '--check');
    expect(text.status).toBe(1);
    expect(text.stdout).toContain(`: ${why}; run toolwright generate\n`);
    const { diagnostics } = JSON.parse(generate(pack, '--check', '--format', 'json').stdout);
    expect(diagnostics[0].hint).toBe(`${why}; run toolwright generate`);
    expect(generate(pack).status).toBe(0);
    expect(generate(pack, '--check').status).toBe(0);
  });

  it('P10 `generate --check` reports each file that would change as a diagnostic, in every format', () => {
    const written = 'export default async () => 1;\n';
    const pack = makePack('stale', { 'src/tools/get-issue.ts': written, 'src/tools/other.ts': written });
    generate(pack);
    writeFiles(pack, { 'mcp/tools/other.yaml': 'description: Changed.\n' });
    const run = (...flags: readonly string[]): string => {
      const { status, stdout, stderr } = generate(pack, '--check', ...flags);
      expect([flags, status, stderr]).toEqual([flags, 1, '']);
      return stdout;
    };
    const json = JSON.parse(run('--format', 'json')) as Report;
    const paths = json.operations.filter(({ op }) => op !== 'keep').map(({ path }) => path);
    expect(paths).toContain('generated/tools.d.ts');
    expect(json.operations.some(({ op }) => op === 'keep')).toBe(true);
    expect(json.diagnostics.map(({ code, file }) => `${code} ${file}`)).toEqual(
      paths.map(path => `generate/out-of-date ${path}`),
    );
    expect(json.diagnostics[0]).toMatchObject({ severity: 'error', line: 1, hint: 'run toolwright generate' });
    const github = run('--format', 'github');
    const sarif = JSON.parse(run('--format', 'sarif')) as { runs: { results: { ruleId: string }[] }[] };
    expect(sarif.runs[0]?.results.map(({ ruleId }) => ruleId)).toEqual(paths.map(() => 'generate/out-of-date'));
    const quiet = run('--quiet');
    for (const path of paths) {
      expect(github).toContain(`::error file=${path},line=1,`);
      expect(quiet).toContain(`"${path}" is out of date  [generate/out-of-date]`);
    }
    const text = run();
    expect(text).toMatch(/^(?:would replace \S+\n)+\d+ would be replaced, \d+ kept: run toolwright generate\n$/);
    expect(generate(pack, '--dry-run')).toEqual({
      status: 0,
      stdout: text.replaceAll(/^would /gm, '').replace(': run toolwright generate', ''),
      stderr: '',
    });
  });

  it('P10 `generate --check` reports more than twenty files as one diagnostic, and a missing ledger as one', () => {
    const pack = makePack('stale-many', { ...base, 'mcp/prompts/ask.yaml': 'description: Ask.\n' });
    const all = report(generate(pack, '--check', '--format', 'json'));
    const late = all.diagnostics.filter(({ code }) => code === 'generate/out-of-date');
    const generated = all.operations.filter(({ path }) => path.startsWith('generated/'));
    expect(generated.length).toBeGreaterThan(20);
    expect([all.ok, late.length]).toEqual([false, 1]);
    const [{ message = '' } = {}] = late;
    expect(message).toContain(`${generated.length} files are out of date: `);
    expect(generated.filter(({ path }) => !message.includes(`"${path}"`))).toEqual([]);

    generate(pack);
    rmSync(join(pack, 'generated/.toolwright.json'));
    const lost = generate(pack, '--check');
    expect(lost.status).toBe(1);
    expect(lost.stdout).toContain('"generated/.toolwright.json" is out of date');
    expect(lost.stdout).toMatch(/\n\d+ kept: run toolwright generate\n$/);
  });

  it('P19 `generate` prints one line for all editor schemas', () => {
    const pack = makePack('schemas');
    const { stdout } = generate(pack);
    expect(stdout).toContain('create  generated/schema/*.json (13 files)\n');
    expect(stdout).not.toContain('.schema.json');
    rmSync(join(pack, 'generated/schema/tool.schema.json'));
    expect(generate(pack).stdout).toMatch(
      /^create {2}generated\/schema\/tool\.schema\.json\n[\s\S]*\n1 created, \d+ kept\n$/,
    );
  });

  it('P10 `generate` accepts files that git checked out with other line ends, and writes a lost ledger again', () => {
    const pack = makePack('checkout');
    generate(pack);
    for (const path of ['generated/index.d.ts', 'generated/tools/other.mjs', 'src/tools/other.ts', 'toolwright.yaml']) {
      writeFileSync(join(pack, path), readFileSync(join(pack, path), 'utf8').replaceAll('\n', '\r\n'));
    }
    expect(generate(pack, '--check')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^generated code is up to date \(\d+ files\)/m),
    });
    rmSync(join(pack, 'generated/.toolwright.json'));
    const { stdout, status } = generate(pack);
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^generated code is up to date \(\d+ files\)\n$/m)]);
    expect(existsSync(join(pack, 'generated/.toolwright.json'))).toBe(true);
  });

  it('P10 `generate --dry-run` prints the same as a real run and exits with 0', () => {
    const pack = makePack('dry');
    const dry = generate(pack, '--dry-run');
    expect(dry).toMatchObject({ status: 0, stderr: '' });
    expect(dry.stdout).toContain(`create  ${declarations}\n`);
    expect(readTree(pack)).toEqual({ ...base });
    const real = generate(pack);
    expect(dry.stdout).toBe(real.stdout.replace(/ created\n$/, ' would be created\n'));
  });

  it('P10 `generate --format json` prints ok, operations and diagnostics, and nothing else', () => {
    const pack = makePack('json');
    const first = report(generate(pack, '--format', 'json'));
    expect(Object.keys(first)).toEqual(['ok', 'operations', 'diagnostics']);
    expect(first.ok).toBe(true);
    expect(first.diagnostics).toEqual([]);
    expect(first.operations.every(one => Object.keys(one).join() === 'op,path' && one.op === 'create')).toBe(true);
    const paths = first.operations.map(({ path }) => path);
    expect(paths).toEqual([...paths].sort());
    expect(paths).toContain('generated/schema/tool.schema.json');
    expect(paths.filter(path => !existsSync(join(pack, path)))).toEqual([]);
    const github = generate(makePack('github', { 'mcp/tools/other.yaml': 'descripton: x\n' }), '--format', 'github');
    expect(github.stdout).toMatch(/^::error file=mcp\/tools\/other\.yaml,line=1,col=1,/);
  });

  it('W67 `generate` writes nothing for a pack with errors, keeps what exists and exits with 1', () => {
    const pack = makePack('errors', { 'mcp/tools/broken.yaml': 'description: [\n' });
    const first = generate(pack);
    expect(first).toMatchObject({ status: 1, stderr: '' });
    expect(first.stdout).toContain('[parse/yaml]');
    expect(first.stdout).not.toContain('nothing to generate');
    expect(existsSync(join(pack, 'generated'))).toBe(false);
    expect(existsSync(join(pack, 'src'))).toBe(false);
    const { operations, ok } = report(generate(pack, '--format', 'json'));
    expect({ operations, ok }).toEqual({ operations: [], ok: false });

    rmSync(join(pack, 'mcp/tools/broken.yaml'));
    generate(pack);
    const files = readTree(pack);
    writeFiles(pack, { 'mcp/tools/other.yaml': 'parameters: 1\n' });
    expect(generate(pack, '--force').status).toBe(1);
    expect(readTree(pack)).toEqual({ ...files, 'mcp/tools/other.yaml': 'parameters: 1\n' });
  });

  it('P15 `generate` reports a handler that does not fit on every run, not only on the first', () => {
    const pack = makePack('handlers', { 'src/tools/other.ts': 'export const something = 1;\n' });
    for (const _ of [1, 2]) {
      const { status, stdout } = generate(pack);
      expect([status, stdout.includes('[generate/missing-export]')]).toEqual([1, true]);
    }
  });

  it('`generate` exits with 2 for a usage mistake and gives the reason on stderr', () => {
    const pack = makePack('usage');
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    expect(generate(empty)).toMatchObject({ status: 2, stdout: expect.stringContaining('[discover/no-manifest]') });
    for (const flags of [
      ['--watch', '--check'],
      ['--watch', '--dry-run'],
      ['--chek'],
      ['nowhere'],
      ['--format', 'xml'],
    ]) {
      const { status, stdout, stderr } = generate(pack, ...flags);
      expect([flags, status, stdout]).toEqual([flags, 2, '']);
      expect(stderr.length).toBeGreaterThan(10);
    }
    expect(readTree(pack)).toEqual({ ...base });
    expect(readdirSync(empty)).toEqual([]);
  });

  it('`generate` handles folders for output, handlers and manifests whose names have spaces and other letters', () => {
    const files = {
      'toolwright.yaml': 'root: "mä nifests"\ngenerated: "out put/日本"\nhandlers: "hånd lers"\n',
      'mä nifests/tools/get-issue.yaml': 'description: Get an issue.\n',
    };
    const pack = makePack('odd', files);
    expect(generate(pack).status).toBe(0);
    expect(readFileSync(join(pack, 'hånd lers/tools/get-issue.ts'), 'utf8')).toContain(
      "from '../../out put/日本/index.js'",
    );
    const map = JSON.parse(readFileSync(join(pack, 'out put/日本/tools.d.ts.map'), 'utf8')) as {
      readonly sources: readonly string[];
    };
    const [source = ''] = map.sources;
    expect(existsSync(join(pack, 'out put/日本', decodeURIComponent(source)))).toBe(true);
    expect(generate(pack, '--check').status).toBe(0);
  });

  it('`generate` reports a folder in the place of a file and a file in the place of a folder, and writes everything else', () => {
    const pack = makePack('blocked', { 'generated/index.js/x': '', 'src/tools': '' });
    const { status, stdout, stderr } = generate(pack);
    expect([status, stderr]).toEqual([1, '']);
    expect(stdout).toContain('generated/index.js');
    expect(stdout).toContain('"src/tools"');
    expect(stdout).not.toContain('bug in toolwright');
    expect(existsSync(join(pack, declarations))).toBe(true);
    expect(statSync(join(pack, 'src/tools')).isFile()).toBe(true);
  });

  it('`generate` reports a folder that cannot be written to and loses nothing', () => {
    const pack = makePack('read-only');
    generate(pack);
    const files = readTree(pack);
    writeFiles(pack, { 'mcp/tools/other.yaml': 'description: Another.\nparameters: { more: string }\n' });
    const closed = join(pack, 'generated/tools');
    handOver(pack);
    chmodSync(closed, 0o555);
    try {
      const env = { ...process.env, TOOLWRIGHT_CACHE: 'off' };
      const { status, stdout } = runUnprivileged(['generate'], { cwd: pack, env });
      expect([status, stdout.includes('[generate/write-failed]')]).toEqual([1, true]);
      expect(readTree(pack)['generated/tools/other.mjs']).toBe(files['generated/tools/other.mjs']);
    } finally {
      chmodSync(closed, 0o755);
    }
  });
});
