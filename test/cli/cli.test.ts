// Runs the built command as people and scripts do: real pipes, and real processes where they matter.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCommands, type Ran } from '../harness/commands.js';
import { writeFiles } from '../harness/files.js';

const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const commands = openCommands();
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright cli ünï-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  commands.close();
});

function pack(name: string, files: Readonly<Record<string, string>>): string {
  const path = join(folder, name);
  writeFiles(path, { 'toolwright.yaml': '', ...files });
  return path;
}

interface Where {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

function environment({ env }: Where): NodeJS.ProcessEnv {
  const usual = { TOOLWRIGHT_CACHE: join(folder, 'cache'), NO_COLOR: undefined, FORCE_COLOR: undefined };
  return { ...process.env, ...usual, ...env };
}

function run(args: readonly string[], where: Where = {}): Ran {
  return commands.runSync(args, { cwd: where.cwd ?? folder, env: environment(where) });
}

/** In a process of its own. */
function runAlone(args: readonly string[], where: Where = {}): Ran {
  const options = { cwd: where.cwd ?? folder, env: environment(where) };
  return spawnSync(process.execPath, [command, ...args], { encoding: 'utf8', ...options });
}

const good = { 'mcp/tools/a.yaml': 'description: A\n' };
const bad = { 'mcp/tools/a.yaml': 'descripton: A\n' };

describe('`toolwright check`', () => {
  it('W68 `check` prints the name and the counts of a good pack and exits with 0', () => {
    const path = pack('good', { ...good, 'toolwright.yaml': 'name: acme/good\nversion: 2.0.0\n' });
    const text = runAlone(['check'], { cwd: path });
    expect(text).toEqual({
      ...text,
      status: 0,
      stdout:
        'acme/good 2.0.0: 0 servers, 1 tool, 0 prompts, 0 resources\nmanifests: no problems (handlers are checked by generate --check and typecheck)\n',
      stderr: '',
    });
    const json = run(['check', path, '--format', 'json']);
    expect(JSON.parse(json.stdout)).toEqual({
      ok: true,
      pack: 'acme/good',
      version: '2.0.0',
      items: { servers: [], tools: ['a'], prompts: [], resources: [], schemas: [] },
      diagnostics: [],
    });
  });

  it('`check` prints frame, code, hint and the count of a bad pack on stdout and exits with 1', () => {
    const { status, stdout, stderr } = runAlone(['check', pack('bad', bad)]);
    expect(status).toBe(1);
    expect(stderr).toBe('');
    expect(stdout).toContain(
      'bad/mcp/tools/a.yaml:1:1 error unknown key "descripton" in the tool  [validate/unknown-key]',
    );
    expect(stdout).toContain('1 | descripton: A');
    expect(stdout).toContain('did you mean "description"?');
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('1 error in 1 file');
  });

  it.each(['http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2019-09/schema', undefined])(
    'J51 `check` contains the validators of every dialect: %s',
    dialect => {
      const inputSchema = {
        ...(dialect === undefined ? {} : { $schema: dialect }),
        type: 'object',
        properties: { a: { type: 'string', default: 1 } },
      };
      const path = pack(`dialect ${dialect?.length}`, {
        'mcp/tools/a.json': JSON.stringify({ description: 'A', inputSchema }),
      });
      const { stdout, stderr } = run(['check', '--format', 'json'], { cwd: path });
      expect(stderr).toBe('');
      const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly { code: string }[] };
      const found = diagnostics.map(({ code }) => code).filter(code => code !== 'schema/dialect');
      expect(found).toEqual(['schema/invalid-default']);
    },
  );

  it('W72 `check` finds a pack by folder, package name, pack name and manifest path, from any working directory', () => {
    const path = pack('named', { 'package.json': '{"name": "@acme/named"}', ...bad });
    const project = pack('project', {});
    mkdirSync(join(project, 'node_modules/@acme'), { recursive: true });
    symlinkSync(path, join(project, 'node_modules/@acme/named'));
    for (const [typed, cwd] of [
      [path, folder],
      ['named', folder],
      ['./named/toolwright.yaml', folder],
      ['named/mcp/tools/a.yaml', folder],
      ['@acme/named', project],
      ['acme/named', project],
      ['.', join(path)],
    ] as const) {
      const { status, stdout } = run(['check', typed, '--format', 'json'], { cwd });
      expect([typed, status]).toEqual([typed, 1]);
      expect(JSON.parse(stdout).diagnostics).toHaveLength(1);
    }
    const inside = run(['check', '--format', 'json'], { cwd: join(path, 'mcp/tools') });
    expect(JSON.parse(inside.stdout).diagnostics[0].file).toBe('a.yaml');
    expect(JSON.parse(run(['check', '--cwd', path, '--format', 'json']).stdout).diagnostics[0].file).toBe(
      'mcp/tools/a.yaml',
    );
  });

  it('`check` checks several packs in one run', () => {
    const { status, stdout } = run(['check', pack('one', good), pack('two', bad), '--format', 'json']);
    expect(status).toBe(1);
    const report = JSON.parse(stdout);
    expect([report.ok, report.packs.length, report.packs[0].ok, report.packs[1].ok]).toEqual([false, 2, true, false]);
  });

  it('`check` prints the same findings in the github and sarif formats', () => {
    const path = pack('formats', bad);
    expect(run(['check', '--format', 'github'], { cwd: path }).stdout).toMatch(
      /^::error file=mcp\/tools\/a\.yaml,line=1,col=1,/,
    );
    const sarif = JSON.parse(run(['check', '--format', 'sarif'], { cwd: path }).stdout);
    expect(sarif.version).toBe('2.1.0');
    expect(sarif.runs[0].results[0].ruleId).toBe('validate/unknown-key');
  });

  it('`check --format github` prints paths that start at the root of the repository', () => {
    const path = pack('monorepo/packs/one', bad);
    const env = { GITHUB_WORKSPACE: join(folder, 'monorepo') };
    expect(run(['check', '--format', 'github'], { cwd: join(path, 'mcp'), env }).stdout).toContain(
      'file=packs/one/mcp/tools/a.yaml,',
    );
  });

  it('`check --strict` fails on warnings, and `check --quiet` prints only errors', () => {
    const path = pack('warned', { 'mcp/tools/a.yaml': 'title: A\n' });
    expect(run(['check', path]).status).toBe(0);
    expect(run(['check', path, '--strict']).status).toBe(1);
    expect(run(['check', path, '--quiet'])).toMatchObject({ status: 0, stdout: '' });
    expect(run(['check', pack('quiet', bad), '--quiet']).stdout).toContain('1 error');
  });

  it('`check` uses colours only on a terminal', () => {
    expect(run(['check', pack('colours', bad)]).stdout).not.toContain('\u001b');
    const script = spawnSync(
      'script',
      ['-qec', `"${process.execPath}" "${command}" check "${join(folder, 'colours')}"`, '/dev/null'],
      {
        encoding: 'utf8',
        env: { ...process.env, TERM: 'xterm', NO_COLOR: undefined, CI: undefined },
      },
    );
    expect(script.stdout).toContain('\u001b[');
  });

  it('`toolwright` exits with 2 for a usage mistake, with the reason on stderr and nothing on stdout', () => {
    for (const args of [
      ['chek'],
      ['check', '--formt', 'json'],
      ['check', '--format', 'xml'],
      ['check', 'nowhere'],
      ['explain'],
      [],
    ]) {
      const { status, stdout, stderr } = run(args);
      expect([args, status, stdout]).toEqual([args, 2, '']);
      expect(stderr.length).toBeGreaterThan(10);
    }
    expect(run(['chek']).stderr).toContain('Did you mean check?');
    const empty = join(folder, 'empty');
    mkdirSync(empty, { recursive: true });
    const { status, stdout } = run(['check', empty, '--format', 'json']);
    expect([status, JSON.parse(stdout).diagnostics[0]]).toMatchObject([
      2,
      {
        code: 'discover/no-manifest',
        hint: 'toolwright init starts a pack here; an empty toolwright.yaml will do, too',
      },
    ]);
  });

  it('`--help` prints on stdout and exits with 0', () => {
    expect(run(['--help'])).toMatchObject({ status: 0, stderr: '' });
    for (const one of ['check', 'explain', 'schema', 'rename', 'typecheck']) {
      const { stdout } = run([one, '--help']);
      expect([one, stdout.includes('--overlay'), stdout.includes('default: []')]).toEqual([one, true, false]);
    }
  });

  it('P22 `help` prints what `--help` prints, for all commands and for one', () => {
    expect(run(['help'])).toEqual(run(['--help']));
    expect(run(['help', 'install'])).toEqual(run(['install', '--help']));
    expect(run(['help', 'help'])).toEqual(run(['help', '--help']));
    expect(run(['help', 'chek'])).toMatchObject({ status: 2, stderr: expect.stringContaining('check') });
  });

  it('`--version` prints the version of the package', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(runAlone(['--version'])).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('`toolwright` exits with 70 for a bug of its own and says so', () => {
    const broken = join(folder, 'broken.mjs');
    // Only once: what reports a bug must be able to work.
    const planted = 'Object.hasOwn = () => { Object.hasOwn = real; throw new Error("planted"); };';
    writeFileSync(broken, `const real = Object.hasOwn;\n${planted}\n`);
    const result = runAlone(['check', pack('bug', good)], {
      env: { NODE_OPTIONS: `--import=${JSON.stringify(`file://${encodeURI(broken)}`)}` },
    });
    expect(result.status).toBe(70);
    expect(result.stderr).toContain('bug in toolwright');
  });

  it('`check` does not complain about a reader that closes the pipe early', () => {
    const many = Array.from({ length: 400 }, (_, index) => `k${index}: 1\n`).join('');
    const path = pack('pipe', { 'toolwright.yaml': many });
    const shell = spawnSync('sh', ['-c', `"${process.execPath}" "${command}" check "${path}" | head -1`], {
      encoding: 'utf8',
    });
    expect(shell.stderr).toBe('');
  });

  it('P2 overlays come from flags and from the environment, and the flags win', () => {
    const path = pack('patched', { 'mcp/tools/a.yaml': 'description: own\n' });
    const environment = pack('overlay-env', { 'tools/a.yaml': 'description: environment\ntitle: kept\n' });
    const flag = pack('overlay-flag', { 'tools/a.yaml': 'description: flag\n' });
    const result = run(['explain', 'a', '--cwd', path, '--overlay', flag, '--format', 'json'], {
      env: { TOOLWRIGHT_OVERLAY: environment },
    });
    expect(JSON.parse(result.stdout).definition).toEqual({ description: 'flag', title: 'kept' });
    expect(run(['check', path, '--overlay', join(folder, 'no-such')]).status).toBe(1);
  });
});

describe('cache of `toolwright check`', () => {
  it('W21 `check` prints the same from the cache, reads a changed file again and survives a damaged cache', () => {
    const path = pack('cached', { 'mcp/tools/a.yaml': 'descripton: {a: [A]}\n' });
    const cache = join(folder, 'own-cache');
    const env = { TOOLWRIGHT_CACHE: cache };
    const first = run(['check', path], { env });
    const [stored = ''] = readdirSync(join(cache, 'memory-1'));
    expect(run(['check', path], { env }).stdout).toBe(first.stdout);
    writeFileSync(join(cache, 'memory-1', stored), '{"broken');
    expect(run(['check', path], { env }).stdout).toBe(first.stdout);
    writeFileSync(join(path, 'mcp/tools/a.yaml'), 'description: mended\n');
    expect(run(['check', path], { env }).status).toBe(0);
    expect(readdirSync(path).sort()).toEqual(['mcp', 'toolwright.yaml']);
  });

  it('P11 `check` prints the same in every format for a pack that has not changed', async () => {
    const path = pack('settled', { ...bad, 'mcp/tools/b.yaml': 'title: B\n', 'mcp/tools/c.yaml': 'a: [\n' });
    await sleep(150);
    const env = { TOOLWRIGHT_CACHE: join(folder, 'settled-cache') };
    const lines = ['text', 'json', 'github', 'sarif'].map(format => ['check', path, '--format', format]);
    const all = [...lines, ['check', path, '--quiet'], ['check', '--strict', '--cwd', path]];
    const plain = all.map(args => run(args, { env: { TOOLWRIGHT_CACHE: 'off' } }));
    run(['check', path], { env });
    expect(readdirSync(env.TOOLWRIGHT_CACHE)).toContain('memory-1');
    expect(all.map(args => run(args, { env }))).toEqual(plain);
  });

  it('`check` works when the cache folder cannot be written', () => {
    const path = pack('uncached', good);
    const file = join(folder, 'not-a-folder');
    writeFileSync(file, '');
    chmodSync(file, 0o444);
    expect(run(['check', path], { env: { TOOLWRIGHT_CACHE: file } }).status).toBe(0);
    expect(run(['check', path], { env: { TOOLWRIGHT_CACHE: 'off' } }).status).toBe(0);
  });
});

describe('`toolwright explain`', () => {
  const files = {
    'mcp/tools/a.yaml': 'title: A\ndescription: own\n',
    'mcp/tools.yaml': 'a: {description: combined}\n',
    'mcp/prompts/a.yaml': 'description: p\ntext: hi\n',
    'mcp/tools/broken.yaml': 'description: [\n',
  };

  it('P18 `explain` shows the winner, what it shadows and the fields, with file and line', () => {
    const path = pack('explained', files);
    const text = run(['explain', 'tool:a'], { cwd: path });
    expect(text.status).toBe(0);
    expect(text.stdout).toContain('defined   mcp/tools/a.yaml:1');
    expect(text.stdout).toContain('shadows   mcp/tools.yaml:1');
    expect(text.stdout).toMatch(/description {2}mcp\/tools\/a\.yaml:2/);
    const json = JSON.parse(run(['explain', 'tool:a', '--format', 'json', '--field', 'title'], { cwd: path }).stdout);
    expect(json).toMatchObject({ item: 'a', kind: 'tool', fields: { title: { line: 1 } }, definition: { title: 'A' } });
    expect(Object.keys(json)).toEqual(['item', 'kind', 'winner', 'shadowed', 'fields', 'definition']);
  });

  it('P18 `explain` exits with 2 for an ambiguous or unknown name and says what to write instead', () => {
    const path = pack('ambiguous', files);
    expect(run(['explain', 'a'], { cwd: path })).toMatchObject({ status: 2, stdout: '' });
    expect(run(['explain', 'a'], { cwd: path }).stderr).toContain('write tool:a or prompt:a');
    expect(run(['explain', 'brokn'], { cwd: path }).stderr).toContain('did you mean "broken"?');
    expect(run(['explain', 'tool:a', '--field', 'titel'], { cwd: path }).stderr).toContain('did you mean "title"?');
  });

  it('P2 `explain` and `rename` report an overlay that does not exist', () => {
    const path = pack('explain-overlay', files);
    for (const format of ['text', 'github', 'sarif', 'json']) {
      const args = ['explain', 'tool:a', '--overlay', 'nope', '--format', format];
      const { status, stdout, stderr } = run(args, { cwd: path });
      expect([format, status]).toEqual([format, 1]);
      expect(format === 'json' ? stderr : stdout).toContain('overlay/not-found');
      if (format === 'json') expect(JSON.parse(stdout)).toMatchObject({ item: 'a', kind: 'tool' });
    }
    const renamed = run(['rename', 'tool', 'a', 'b', '--overlay', 'nope'], { cwd: path });
    expect(renamed).toMatchObject({ status: 1, stdout: expect.stringContaining('nope:1:1 error'), stderr: '' });
    expect(renamed.stdout).toContain('[overlay/not-found]');
    expect(existsSync(join(path, 'mcp/tools/a.yaml'))).toBe(true);
  });

  it('P18 `explain` exits with 1 for a broken item and prints its diagnostics', () => {
    const { status, stdout } = run(['explain', 'broken'], { cwd: pack('explain-broken', files) });
    expect(status).toBe(1);
    expect(stdout).toContain('[parse/yaml]');
  });
});

describe('`toolwright schema`', () => {
  it('P19 `schema` prints each schema and where it is installed', () => {
    const paths = JSON.parse(run(['schema', '--format', 'json']).stdout) as Record<string, string>;
    expect(Object.keys(paths)).toHaveLength(13);
    expect(Object.values(paths).filter(path => !existsSync(path))).toEqual([]);
    expect(run(['schema', 'tool']).stdout).toBe(readFileSync(paths['tool'] ?? '', 'utf8'));
    expect(run(['schema', 'overlays', '--path']).stdout).toBe(`${paths['overlays']}\n`);
    expect(run(['schema', 'tool', '--overlay', 'a', '--overlay', 'b'])).toMatchObject({ status: 0, stderr: '' });
    expect(run(['schema', 'tol'])).toMatchObject({ status: 2, stdout: '' });
  });

  it('Q4 fix-N1 `schema` explains keys on a terminal, and prints JSON into a pipe', () => {
    const whole = run(['schema', 'tool', '--format', 'text']);
    expect(whole.stdout).toMatch(
      /^Tool {2}A tool that models can call\.\n[\s\S]*\n {2}parameters +The input, in short form\.\n/,
    );
    expect(run(['schema', 'tools', 'parameters', '--format', 'text']).stdout).toContain('Not with     inputSchema');
    expect(JSON.parse(run(['schema', 'server', 'http.port']).stdout)).toMatchObject({
      type: 'integer',
      default: '3000',
    });
    expect(JSON.parse(run(['schema', 'tool', '--format', 'json']).stdout)).toMatchObject({ title: 'Tool' });
    expect(run(['schema', 'tool', 'paramters'])).toMatchObject({
      status: 2,
      stdout: '',
      stderr: 'toolwright: a tool has no key "paramters": did you mean parameters?\n',
    });
  });

  it.runIf(process.platform === 'linux')(
    'Q4 `schema` without a format explains keys where stdout is a terminal',
    () => {
      const line = `stty cols 60; ${process.execPath} ${command} schema server http`;
      const { stdout } = spawnSync('script', ['-qec', line, '/dev/null'], { encoding: 'utf8', env: environment({}) });
      const text = stdout.replaceAll('\r', '').replaceAll(/\u001b\[\d+m/g, '');
      expect(text).toContain('server http\n\nHow the server listens');
      expect(stdout).toContain('\u001b[');
      expect(text.split('\n').filter(one => one.length > 60)).toEqual([]);
    },
  );
});
