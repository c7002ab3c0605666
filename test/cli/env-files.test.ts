// X16: where the variables of a server come from: the environment, `.env` of the pack, files that a flag names.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../cli/terminal/exit-codes.js';
import { openCommands, type Ran } from '../harness/commands.js';
import { writeFiles } from '../harness/files.js';
import { command } from './install-home.js';

const commands = openCommands();
const folder = mkdtempSync(join(tmpdir(), 'toolwright-env-'));
const pack = join(folder, 'pack');
const files = {
  'package.json': '{"name": "demo", "version": "1.0.0", "type": "module"}',
  'toolwright.yaml':
    'config:\n  TOKEN: { type: string, secret: true, description: The key }\n  LIMIT: { type: integer, default: 5, description: How many }\n',
  'mcp/servers/main.yaml': 'description: Main\n',
  'mcp/tools/show.yaml':
    'description: Shows\nrequires: { TOKEN: required }\nexamples:\n  - { name: length, input: {}, output: 12 }\n',
  'src/tools/show.js': 'export default (_, ctx) => `${ctx.config.TOKEN.length} ${ctx.config.LIMIT}`;\n',
  'mcp/tools/leak.yaml': 'description: Leaks\n',
  'src/tools/leak.js':
    'export default (_, ctx) => { if (ctx.config.LIMIT === 1) throw new Error(`it is ${ctx.config.TOKEN}`); return ctx.config.TOKEN; };\n',
};
beforeAll(() => {
  writeFiles(pack, { ...files, '.env': 'TOKEN=from-dot-env\n' });
  writeFiles(join(folder, 'bare'), files);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  commands.close();
});

function run(cwd: string, words: readonly string[], env: Readonly<Record<string, string>> = {}): Ran {
  return commands.runSync(words, { cwd, env: { ...process.env, TOOLWRIGHT_CACHE: 'off', ...env } });
}

const hello = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const callShow = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'show', arguments: {} } };

/** What `show` says when a client calls it; stdin is a pipe, never a terminal. */
function session(words: readonly string[], cwd = pack, env: Readonly<Record<string, string>> = {}) {
  const input = [hello, { jsonrpc: '2.0', method: 'notifications/initialized' }, callShow]
    .map(message => `${JSON.stringify(message)}\n`)
    .join('');
  const { stdout, stderr, status } = spawnSync(process.execPath, words, {
    cwd,
    input,
    encoding: 'utf8',
    env: { ...process.env, TOOLWRIGHT_CACHE: 'off', ...env },
  });
  const answer = stdout.split('\n').find(line => line.includes('"id":1'));
  return { status, stderr, text: answer === undefined ? undefined : JSON.parse(answer).result.content[0].text };
}

/** As on a command line, where Node comes first. */
function typed(words: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = pack) {
  const own = { ...process.env, TOOLWRIGHT_CACHE: 'off', ...env };
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...words], {
    ...{ cwd, encoding: 'utf8', env: own },
  });
  return { status, stdout, stderr };
}

describe('what a newcomer meets', () => {
  it('fix-A29 Node itself refuses a missing --env-file, with the exit code that the reference names', () => {
    const { status, stderr } = typed(['start', '--env-file', '.envv']);
    expect([status, stderr]).toEqual([9, expect.stringContaining('.envv: not found')]);
    expect(exitCodes.map(({ code }) => code)).toContain(9);
  });

  it('fix-A28 `start` of a server whose token is only in .env names --env-file', () => {
    const cwd = join(folder, 'in-file');
    const server = 'description: Main\ntransport: http\nhttp: { port: 0 }\nauth: { type: bearer, env: MAIN_TOKEN }\n';
    writeFiles(cwd, { ...files, 'mcp/servers/main.yaml': server, '.env': 'MAIN_TOKEN=0123456789abcdef0123\n' });
    expect(typed(['start'], {}, cwd)).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'toolwright: the server asks callers for the token in MAIN_TOKEN, which is not set. It is in .env, but that file is read only with --env-file .env\n',
    });
  });
});

describe('fix-N19 X16 `.env`', () => {
  it('`call` reads `.env` of the pack, below the environment and files that are named', () => {
    writeFiles(folder, { 'more.env': 'TOKEN=from-a-file\nLIMIT=7\n', 'last.env': 'LIMIT=8\n' });
    expect(run(pack, ['call', 'show']).stdout).toBe('12 5\n');
    expect(run(pack, ['call', 'show', '--env-file', '../more.env']).stdout).toBe('11 7\n');
    const both = ['--env-file', '../more.env', '--env-file', '../last.env'];
    expect(run(pack, ['call', 'show', ...both]).stdout).toBe('11 8\n');
    expect(run(pack, ['call', 'show', ...both], { TOKEN: 'real', LIMIT: '9' }).stdout).toBe('4 9\n');
    expect(run(join(pack, 'src'), ['call', 'show']).stdout).toBe('12 5\n');
  });

  it('`call` keeps a secret of `.env` out of results and reports, as one of the environment', () => {
    expect(run(pack, ['call', 'leak'])).toMatchObject({ status: 0, stdout: '[secret TOKEN]\n', stderr: '' });
    const { status, stdout, stderr } = run(pack, ['call', 'leak'], { LIMIT: '1' });
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining('it is [secret TOKEN]')]);
    expect(stderr).not.toContain('from-dot-env');
  });

  it('`start` and a built server read no `.env`, but a file that `--env-file` names', () => {
    expect(session([command, 'start']).text).toContain('needs configuration that is not set: TOKEN');
    expect(session([command, 'start', '--env-file', '.env']).text).toBe('12 5');
    expect(session([command, 'start', '--env-file', '.env'], pack, { TOKEN: 'real' }).text).toBe('4 5');
    expect(run(pack, ['build', '--out', '../built'])).toMatchObject({ status: 0 });
    const built = join(folder, 'built/main.cjs');
    expect(session([built]).text).toContain('needs configuration that is not set: TOKEN');
    expect(session([built, '--env-file', '.env']).text).toBe('12 5');
    expect(session([built, '--env-file=.env', '--env-file', '../more.env']).text).toBe('11 7');
    // Some versions of Node read the flag themselves, wherever it stands, and end with 9.
    const missing = session([built, '--env-file', 'nix.env']);
    expect([[2, 9].includes(missing.status ?? 0), missing.stderr]).toEqual([true, expect.stringContaining('nix.env')]);
  });

  it('`dev` reads `.env` over stdio, without a terminal', () => {
    expect(session([command, 'dev', '--quiet', '--no-generate']).text).toBe('12 5');
  });

  it('`test` reads `.env`, and `.env.test` counts more', () => {
    const own = join(folder, 'tested');
    writeFiles(own, {
      ...files,
      '.env': 'TOKEN=from-dot-env\nLIMIT=1\n',
      'mcp/tools/show.yaml':
        'description: Shows\nrequires: { TOKEN: required }\nexamples:\n  - { name: length, input: {}, output: "12 1" }\n',
    });
    expect(run(own, ['test', 'show'])).toMatchObject({ status: 0, stderr: expect.stringContaining('from .env') });
    writeFiles(own, { '.env.test': 'TOKEN=test\n' });
    const { status, stdout, stderr } = run(own, ['test', 'show']);
    expect([status, stderr]).toEqual([1, expect.stringContaining('configuration from .env and .env.test')]);
    expect(stdout).toContain('4 1');
  });

  it('a folder called `.env`, as Python makes them, is nothing to `call`, `test` and `doctor`', () => {
    const other = join(folder, 'folder');
    writeFiles(other, { ...files, '.env/bin/activate': '' });
    for (const words of [['call', 'show'], ['test'], ['doctor']])
      expect(run(other, words, { TOKEN: 'twelve-chars' }).stderr).not.toContain('cannot be read');
    expect(run(other, ['call', 'show'], { TOKEN: 'twelve-chars' })).toMatchObject({ status: 0, stdout: '12 5\n' });
  });

  it('`.env` does not change what Node runs, but a file that is named does', () => {
    const other = join(folder, 'options');
    const text = 'TOKEN=twelve-chars\nNODE_OPTIONS=--require ./first.cjs\n';
    writeFiles(other, { ...files, '.env': text, 'named.env': text, 'first.cjs': 'console.error("came first");' });
    const { stderr } = run(other, ['test']);
    expect(stderr).not.toContain('came first');
    expect(stderr).toMatch(/\.env:2:1 warning .*NODE_OPTIONS.*--env-file.*\[config\/env-line\]/);
    rmSync(join(other, '.env'));
    expect(run(other, ['test', '--env-file', 'named.env']).stderr).toContain('came first');
  });

  it('a missing value tells the rule, and `doctor` agrees', () => {
    const { status, stderr } = run(join(folder, 'bare'), ['call', 'show']);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining("dev, call and test also read the pack's .env; start needs --env-file"),
    ]);
    expect(run(pack, ['doctor']).stdout).toContain(
      'TOKEN (needed by show) is in .env only: dev, call and test read it, start only with --env-file .env',
    );
  });

  it('`start` says that the token is not set, also where .env cannot be read', () => {
    const other = join(folder, 'token');
    writeFiles(other, {
      ...files,
      'mcp/servers/main.yaml': 'transport: http\nhttp: { port: 0 }\nauth: { type: bearer, env: MCP_TOKEN }\n',
    });
    symlinkSync('.env', join(other, '.env'));
    const { status, stderr } = run(other, ['start']);
    expect([status, stderr]).toEqual([1, expect.stringContaining('the token in MCP_TOKEN, which is not set')]);
  });

  it('`--env-file` refuses a file that is not there with exit code 2', () => {
    for (const words of [['call', 'show'], ['start'], ['test'], ['dev']]) {
      const { status, stderr } = run(pack, [...words, '--env-file', 'nix.env']);
      expect([words, status, stderr]).toEqual([
        words,
        2,
        expect.stringContaining('nix.env cannot be read: there is no such file'),
      ]);
    }
  });
});

describe('X16 lines of files of variables', () => {
  const texts: Readonly<Record<string, string>> = {
    plain: 'TOKEN=abcdef\n# a comment\n\n  LIMIT = 3 # how many\n',
    quotes: `TOKEN="a # b"\nOTHER='it\\'s'\nexport LIMIT=4\nB=\`x "y"\`\n`,
    lines: 'TOKEN="first\nsecond\nthird"\nLIMIT=2\n',
    windows: 'TOKEN=abcdef\r\nLIMIT=2\r\n',
    empty: '',
    mark: '\ufeffTOKEN=abcdef\n',
    last: 'TOKEN=abcdef',
  };
  it.each(Object.entries(texts))('`call` reads %s as Node does, without a warning', (name, text) => {
    writeFiles(folder, { [`${name}.env`]: text });
    const wanted = parseEnv(text.replace('\ufeff', ''));
    const { stdout, stderr } = run(join(folder, 'bare'), ['call', 'show', '--env-file', `../${name}.env`]);
    if (wanted['TOKEN'] === undefined) expect(stderr).toContain('CONFIG_MISSING');
    else expect([stdout, stderr]).toEqual([`${wanted['TOKEN'].length} ${wanted['LIMIT'] ?? 5}\n`, '']);
  });

  it.each([
    ['TOKEN=abcdef\n  hunter2 secret\n', '2:3', 'it has no "="'],
    ['TOKEN=abcdef\n1X=hunter2\n', '2:1', 'is not a variable name'],
    ['TOKEN=abcdef\nexport a b=hunter2\n', '2:8', 'is not a variable name'],
    ['TOKEN=abcdef\n=hunter2\n', '2:1', 'is not a variable name'],
    ['A="x\ny"\nTOKEN=abcdef\nB="hunter2\n', '4:3', 'the quote " is not closed'],
  ])('`call` reports a broken line with its place and without its text: %j', (text, place, reason) => {
    writeFiles(folder, { 'broken.env': text });
    const { status, stdout, stderr } = run(join(folder, 'bare'), ['call', 'show', '--env-file', '../broken.env']);
    expect([status, stdout]).toEqual([0, '6 5\n']);
    expect(stderr).toContain(`../broken.env:${place} warning`);
    expect(stderr).toContain(reason);
    expect(stderr).not.toContain('hunter2');
  });
});
