// X3: configuration on the command line of a server, lists, and values in files.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printHelp } from '../../cli/built-server/read-words.js';
import { serveCommands } from '../../cli/commands/serve.js';
import { ownFlags } from '../../schema/own-flags.js';
import { openCommands, type Ran } from '../harness/commands.js';
import { writeFiles } from '../harness/files.js';
import { command, openHome } from './install-home.js';

const commands = openCommands();
const folder = mkdtempSync(join(tmpdir(), 'toolwright-flags-'));
const pack = join(folder, 'pack');
const files = {
  'package.json': '{"name": "demo", "version": "1.0.0", "type": "module"}',
  'toolwright.yaml': `config:
  CAPS: { type: array, flag: caps, enum: [pdf, vision, network], description: Extra capabilities }
  LIMIT: { type: integer, flag: limit, default: 5, maximum: 100, description: How many }
  READ_ONLY: { type: boolean, flag: read-only, default: false }
  URL: { type: string, argument: 1 }
  DIRS: { type: array, argument: rest, description: Folders that may be read }
  TOKEN: { type: string, secret: true }
`,
  'mcp/servers/main.yaml': 'description: Main\n',
  'mcp/tools/show.yaml': 'description: Shows\nrequires: { DIRS: suggested }\n',
  'src/tools/show.js':
    'export default (_, ctx) => JSON.stringify({ ...ctx.config, TOKEN: ctx.config.TOKEN?.length, has: ctx.has("DIRS") });\n',
};
beforeAll(() => {
  writeFiles(pack, { ...files, 'token.txt': 'abcdefgh\n' });
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  commands.close();
});

type Variables = Readonly<Record<string, string>>;

function run(words: readonly string[], env: Variables = {}, cwd = pack): Ran {
  return commands.runSync(words, { cwd, env: { ...process.env, TOOLWRIGHT_CACHE: 'off', ...env } });
}

/** What `show` says of its configuration. */
function shown(words: readonly string[], env: Variables = {}, cwd = pack): unknown {
  const { stdout, stderr } = run(['call', 'show', '--', ...words], env, cwd);
  return stdout === '' ? stderr : JSON.parse(stdout);
}

const defaults = { LIMIT: 5, READ_ONLY: false, has: false };

/** What `show` says when a client calls it. */
function session(words: readonly string[], env: Variables = {}) {
  const messages = [
    {
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    },
    { method: 'notifications/initialized' },
    { id: 1, method: 'tools/call', params: { name: 'show', arguments: {} } },
  ];
  const { stdout, stderr, status } = spawnSync(process.execPath, words, {
    cwd: pack,
    input: messages.map(message => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''),
    encoding: 'utf8',
    env: { ...process.env, TOOLWRIGHT_CACHE: 'off', ...env },
  });
  const answer = stdout.split('\n').find(line => line.includes('"id":1'));
  return answer === undefined ? { status, stderr } : JSON.parse(JSON.parse(answer).result.content[0].text);
}

describe('X3 the words after --', () => {
  it('X3 flags, repeated and comma-separated lists and arguments set configuration', () => {
    expect(
      shown(['--caps=pdf,vision', '--limit', '7', '--caps', 'network', '--read-only', 'http://x', 'a,b', 'c']),
    ).toEqual({
      CAPS: ['pdf', 'vision', 'network'],
      LIMIT: 7,
      READ_ONLY: true,
      URL: 'http://x',
      DIRS: ['a,b', 'c'],
      has: true,
    });
  });

  it('X3 a flag overrides the environment, also to switch something off', () => {
    const env = { LIMIT: '9', READ_ONLY: 'true', CAPS: 'pdf' };
    expect(shown([], env)).toEqual({ CAPS: ['pdf'], LIMIT: 9, READ_ONLY: true, has: false });
    expect(shown(['--no-read-only', '--limit=8', '--caps='], env)).toEqual({ ...defaults, CAPS: [], LIMIT: 8 });
  });

  it('X3 words after a second -- are arguments, whatever they look like, and negative numbers are values', () => {
    expect(shown(['--', 'u', '--caps', '-x'])).toMatchObject({ URL: 'u', DIRS: ['--caps', '-x'] });
    expect(shown(['--limit', '-5', '-7'])).toMatchObject({ LIMIT: -5, URL: '-7' });
  });

  it.each([
    [['--cap', 'pdf'], 'the server has no flag --cap: did you mean "--caps"? (it has --caps, --limit, '],
    [['--htp'], 'the server has no flag --htp: did you mean "--http"?'],
    [['--http', '3'], '--http is an option of toolwright: write it before --'],
    [['--limit'], '--limit needs a value: --limit <n>'],
    [['--limit='], '--limit needs a value'],
    [['--limit', '--read-only'], '--limit needs a value: --limit <n>'],
    [['--no-read-only=true'], '--no-read-only takes no value'],
    [['--caps=["pdf"'], '--caps needs a list, as a,b or as a JSON array of strings, not '],
    [['-c'], 'the server has no flag -c'],
  ])('X3 `-- %j` is a usage error that says what is wrong', (words, message) => {
    const { status, stderr } = run(['start', 'main', '--', ...words]);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('X3 a word that no key takes is refused', () => {
    const cwd = join(folder, 'plain');
    writeFiles(cwd, { ...files, 'toolwright.yaml': 'config: { LIMIT: integer }\n' });
    expect(run(['start', '--', 'dir'], {}, cwd)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('the server takes no argument "dir" (it has no flags)'),
    });
  });

  it('X3 values that a key does not allow stop the start, at the line of the key', () => {
    expect(shown(['--caps', 'pdg'])).toContain(
      'toolwright.yaml:2:3 error CAPS must be a list of "pdf", "vision", "network", not "pdg"',
    );
    expect(shown(['--limit', '500'])).toContain('LIMIT must be at most 100, not "500"');
  });

  it('X3 a flag before -- is refused with a word about --', () => {
    const { status, stderr } = run(['start', 'main', '--caps', 'pdf']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('Flags of the server itself come after --')]);
  });

  it('X3 the help of `start main` and of `start main -- --help` lists the flags', () => {
    const row = /--caps <a,b> +Extra capabilities \(any of pdf, vision, network\) \[CAPS\]/;
    for (const words of [
      ['start', 'main', '--help'],
      ['start', '--help'],
      ['start', 'main', '--', '--help'],
    ]) {
      const { status, stdout } = run(words);
      expect([status, stdout]).toEqual([0, expect.stringMatching(row)]);
    }
    expect(run(['start', 'nobody', '--help'])).toMatchObject({ status: 0, stdout: expect.not.stringMatching(row) });
  });

  it('X3 `test` starts the server with them', () => {
    const cwd = join(folder, 'tested');
    writeFiles(cwd, {
      ...files,
      'mcp/tools/first.yaml': 'description: First\nexamples: [{ name: one, input: {}, output: pdf }]\n',
      'src/tools/first.js': 'export default (_, ctx) => ctx.config.CAPS?.[0] ?? "none";\n',
    });
    expect(run(['test', 'first', '--', '--caps', 'pdf'], {}, cwd).status).toBe(0);
    expect(run(['test', 'first'], {}, cwd).status).toBe(1);
  });
});

describe('X3 a built server', () => {
  const built = join(pack, 'dist/main.cjs');
  beforeAll(() => {
    expect(run(['build', 'main']).status).toBe(0);
  });

  it('X3 a built server takes flags and arguments between its own options', () => {
    expect(session([built, '--caps', 'pdf', '--stdio', 'u', '--limit=8', '/data'], { LIMIT: '4' })).toEqual({
      CAPS: ['pdf'],
      LIMIT: 8,
      READ_ONLY: false,
      URL: 'u',
      DIRS: ['/data'],
      has: true,
    });
    expect(session([command, 'start', 'main', '--', '--limit', '8'])).toEqual({ ...defaults, LIMIT: 8 });
  });

  it('X3 a built server answers from what the build stored where the flags are surely right', () => {
    const runtime = join(pack, 'dist/main/runtime/main.cjs');
    const text = readFileSync(runtime);
    // What is started instead of the stored answers.
    rmSync(runtime);
    try {
      expect(session([built, '--caps=pdf,vision', '--no-read-only', 'u', 'a', '--', '--stdio'])).toEqual({
        ...defaults,
        CAPS: ['pdf', 'vision'],
        URL: 'u',
        DIRS: ['a', '--stdio'],
        has: true,
      });
      for (const words of [['--caps=pdg'], ['--limit=many'], ['--wat']])
        expect(session([built, ...words])).toHaveProperty('status', 70);
      expect(session([built], { TOKEN_FILE: 'token.txt' })).toHaveProperty('status', 70);
    } finally {
      writeFileSync(runtime, text);
    }
  });

  it('X3 a built server says what is wrong with words, with suggestions among its own options and its flags', () => {
    const wrong = (...words: readonly string[]) => session([built, ...words]);
    expect(wrong('--limt', '3')).toEqual({ status: 2, stderr: expect.stringContaining('did you mean "--limit"?') });
    expect(wrong('--quit')).toEqual({ status: 2, stderr: expect.stringContaining('did you mean "--quiet"?') });
    expect(wrong('--limit', 'x')).toEqual({
      status: 1,
      stderr: expect.stringContaining('LIMIT must be an integer, not "x"'),
    });
  });

  it('X3 a built server lists its flags and arguments in --help', () => {
    const { stdout } = spawnSync(process.execPath, [built, '--help'], { encoding: 'utf8' });
    expect(stdout).toMatch(/^Usage: main \[options\] \[url\] \[dirs\.\.\.\]\n/);
    expect(stdout).toMatch(/\n {2}--read-only, --no-read-only +\(default: false\) \[READ_ONLY\]\n/);
  });

  it('X3 a built server reads the file that TOKEN_FILE names', () => {
    expect(session([built], { TOKEN_FILE: 'token.txt' })).toEqual({ ...defaults, TOKEN: 8 });
    expect(session([built], { TOKEN_FILE: 'gone.txt' })).toEqual({
      status: 1,
      stderr: expect.stringContaining('TOKEN_FILE names gone.txt, which cannot be read: there is no such file'),
    });
  });
});

describe('X3 lists', () => {
  const cwd = join(folder, 'lists');
  beforeAll(() => {
    writeFiles(cwd, {
      ...files,
      'toolwright.yaml': `config:
  CAPS: { type: array, flag: caps, enum: [pdf, vision], minItems: 1 }
  DIRS: { type: array, argument: rest }
  KEYS: { type: array, secret: true }
`,
      'mcp/tools/need.yaml': 'description: Needs\nrequires: { CAPS: required, DIRS: required }\n',
      'src/tools/need.js': 'export default (_, ctx) => `${ctx.config.DIRS} ${ctx.config.KEYS?.join(" and ")}`;\n',
    });
  });
  const need = (env: Variables) => run(['call', 'need'], { CAPS: 'pdf', ...env }, cwd);

  it('X3 a variable is a comma-separated list or a JSON array of strings', () => {
    expect(need({ DIRS: ' a, b,,' }).stdout).toContain('a,b undefined');
    expect(need({ DIRS: '["a,b", ""]' }).stdout).toContain('a,b, undefined');
    for (const wrong of ['[1]', '["a"', '[a]'])
      expect(need({ DIRS: wrong }).stderr).toContain('DIRS must be a list, as a,b or as a JSON array of strings, not ');
  });

  it('X3 a tool that requires a list does not run with an empty one', () => {
    for (const empty of ['', '[]', ' , '])
      expect(need({ DIRS: empty })).toMatchObject({ status: 1, stderr: expect.stringContaining('CONFIG_MISSING') });
  });

  it('X3 the limits of a list and of its items are checked', () => {
    expect(need({ CAPS: '[]' }).stderr).toContain('CAPS must be a list of at least 1 item');
    expect(need({ CAPS: 'pdf,wat' }).stderr).toContain('CAPS must be a list of "pdf", "vision", not "pdf,wat"');
  });

  it('X3 each item of a secret list is kept out of results', () => {
    const { stdout } = need({ DIRS: 'x', KEYS: 'hunter22,swordfish' });
    expect(stdout).toBe('x [secret KEYS] and [secret KEYS]\n');
  });

  it('X3 handlers have lists as readonly arrays of what is allowed', () => {
    expect(run(['generate'], {}, cwd).status).toBe(0);
    const config = readFileSync(join(cwd, 'generated/config.d.ts'), 'utf8');
    expect(config).toContain('readonly CAPS?: readonly ("pdf" | "vision")[] | undefined;');
    expect(config).toContain('readonly DIRS?: readonly string[] | undefined;');
    const tools = readFileSync(join(cwd, 'generated/tools.d.ts'), 'utf8');
    expect(tools).toContain('readonly CAPS: readonly ("pdf" | "vision")[];');
    expect(tools).toContain('readonly DIRS: readonly string[];');
  });

  it('X3 `docs` says how a key is given on a command line', () => {
    const { stdout } = run(['docs', '--stdout'], {}, cwd);
    expect(stdout).toContain('| `CAPS`, `--caps` | `array of "pdf" \\| "vision"` |');
    expect(stdout).toContain('| `DIRS`, `remaining arguments` | `array of strings` |');
  });
});

describe('X3 values in files', () => {
  it('X3 the environment overrides a file, which overrides .env', () => {
    const cwd = join(folder, 'files');
    writeFiles(cwd, { ...files, '.env': 'TOKEN=dot-env-12345\nLIMIT=3\n', 'token.txt': 'abcdefgh\r\n' });
    const token = (env: Variables) => (shown([], env, cwd) as { readonly TOKEN?: number }).TOKEN;
    expect(token({})).toBe('dot-env-12345'.length);
    expect(token({ TOKEN_FILE: 'token.txt' })).toBe(8);
    expect(token({ TOKEN_FILE: 'token.txt', TOKEN: '12345' })).toBe(5);
    // A container passes on what was never set.
    expect(token({ TOKEN_FILE: 'token.txt', TOKEN: '' })).toBe(8);
    expect(token({ TOKEN_FILE: '' })).toBe('dot-env-12345'.length);
  });

  it('X3 a value from a file is converted and checked like any other', () => {
    writeFiles(pack, { 'limit.txt': '12\n', 'many.txt': 'many', 'two.txt': 'pdf\n\n' });
    expect(shown([], { LIMIT_FILE: 'limit.txt' })).toMatchObject({ LIMIT: 12 });
    expect(shown([], { LIMIT_FILE: 'many.txt' })).toContain('LIMIT must be an integer, not "many"');
    // One line break is the end of the file, a second one is part of the value.
    expect(shown([], { TOKEN_FILE: 'two.txt' })).toMatchObject({ TOKEN: 4 });
  });

  it('X3 binary files, folders and files that are too large are refused', () => {
    writeFileSync(join(pack, 'binary'), Buffer.from([0xff, 0xfe, 0x00]));
    writeFileSync(join(pack, 'large'), 'x'.repeat(1024 * 1024 + 1));
    expect(shown([], { TOKEN_FILE: 'binary' })).toContain('it is not text in UTF-8');
    expect(shown([], { TOKEN_FILE: 'large' })).toContain('more than 1048576');
    expect(shown([], { TOKEN_FILE: 'mcp' })).toContain('TOKEN_FILE names mcp, which cannot be read');
  });

  it('X3 a key whose name ends in _FILE is a key', () => {
    const cwd = join(folder, 'file-key');
    writeFiles(cwd, { ...files, 'toolwright.yaml': 'config: { TOKEN: string, TOKEN_FILE: string, DIRS: array }\n' });
    expect(shown([], { TOKEN_FILE: 'gone.txt' }, cwd)).toEqual({ TOKEN_FILE: 'gone.txt', has: false });
  });

  it('X3 `doctor` names the variable of a file that cannot be read', () => {
    expect(run(['doctor'], { TOKEN_FILE: 'gone.txt' }).stdout).toContain('TOKEN_FILE in the environment names a file');
  });
});

describe('X3 `install`', () => {
  const home = openHome(pack);
  afterAll(() => home.remove());
  const install = (...words: readonly string[]) => home.run('install', 'cursor', 'main', '--yes', ...words);
  const entry = (): { readonly args: readonly string[] } =>
    JSON.parse(readFileSync(join(home.path, '.cursor/mcp.json'), 'utf8')).mcpServers.main;

  it('X3 `install` passes flags on, keeps them when it installs again, and changes how it runs with them', () => {
    home.renew();
    expect(install('--run', 'start', '--', '--caps', 'pdf', 'u').status).toBe(0);
    expect(entry().args.slice(-5)).toEqual(['--stdio', '--', '--caps', 'pdf', 'u']);
    install();
    expect(entry().args.slice(-5)).toEqual(['--stdio', '--', '--caps', 'pdf', 'u']);
    install('--run', 'built');
    expect(entry().args.slice(1)).toEqual(['--stdio', '--caps', 'pdf', 'u']);
    install('--env', 'LIMIT=4');
    expect(entry().args.slice(1)).toEqual(['--stdio', '--caps', 'pdf', 'u']);
    install('--', '--limit', '6');
    expect(entry().args.slice(1)).toEqual(['--stdio', '--limit', '6']);
    install('--');
    expect(entry().args.slice(1)).toEqual(['--stdio']);
  });

  it('X3 the entry that `install` writes starts the server', () => {
    home.renew();
    install('--run', 'start', '--', '--limit=6', 'u');
    expect(session(entry().args)).toEqual({ ...defaults, LIMIT: 6, URL: 'u' });
  });

  it('X3 `install` refuses words that the server would not start with, and changes nothing', () => {
    home.renew();
    const before = '{}';
    const file = home.put('.cursor/mcp.json', before);
    expect(install('--', '--limit', '1000')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('LIMIT must be at most 100'),
    });
    expect(install('--', '--wat').status).toBe(2);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('X3 `install` takes no flags over from an entry of the same name that is not ours', () => {
    home.renew();
    const foreign = { command: 'node', args: ['/elsewhere/other.cjs', '--stdio', '--caps', 'pdf', 'u'] };
    const before = JSON.stringify({ mcpServers: { main: foreign } });
    const file = home.put('.cursor/mcp.json', before);
    expect(install('--', '--limit', '6').status).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(install('--force', '--run', 'built').status).toBe(0);
    expect(entry().args.slice(1)).toEqual(['--stdio']);
  });

  it('X3 `install` says which flags of an entry the pack no longer has', () => {
    home.renew();
    install('--run', 'start', '--', '--caps', 'pdf');
    const file = join(home.path, '.cursor/mcp.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('--caps', '--gone'));
    expect(install().stderr).toContain('the flags of the entry are not kept');
    expect(entry().args).not.toContain('--gone');
  });

  it('X3 `doctor` counts flags of an entry as set, and names those that are wrong', () => {
    home.renew();
    install('--run', 'start', '--', '--limit', '6');
    expect(home.run('doctor').stdout).toContain('Cursor has "main", and its command exists');
    const file = join(home.path, '.cursor/mcp.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"6"', '"many"'));
    expect(home.run('doctor').stdout).toContain(
      'Cursor starts "main" with flags that are wrong: LIMIT must be an integer, not "many"',
    );
  });

  it('X3 NAME_FILE is a variable of the server', () => {
    home.renew();
    const { status, stderr } = install('--env', 'TOKEN_FILE=/run/secrets/token');
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('TOKEN_FILE')]);
  });
});

describe('X3 `check`', () => {
  const check = (config: string): string => {
    const cwd = mkdtempSync(join(folder, 'check-'));
    writeFiles(cwd, {
      ...files,
      'mcp/tools/show.yaml': 'description: Shows\n',
      'toolwright.yaml': `config:\n${config}`,
    });
    return run(['check'], {}, cwd).stdout;
  };

  it.each([
    ['  A: { type: string, flag: http }\n', '2:28 error the flag --http is an option of every server'],
    ['  A: { type: boolean, flag: color }\n', 'error the flag --color is an option of every server'],
    ['  A: { type: boolean, flag: install }\n', 'error the flag --install is an option of every server'],
    ['  A: { type: string, flag: a }\n  B: { type: string, flag: a }\n', '3:28 error the flag --a belongs to A'],
    ['  A: { type: boolean, flag: a }\n  B: { type: string, flag: no-a }\n', 'error the flag --no-a belongs to A'],
    ['  A: { type: string, argument: 1 }\n  B: { type: string, argument: 1 }\n', 'error argument 1 belongs to A'],
    ['  A: { type: string, argument: 2 }\n', 'error there is an argument 2, but no argument 1'],
    ['  A: { type: string, argument: rest }\n', 'error "rest" may be several words, and A has one value'],
    ['  A: { type: string, secret: true, flag: a }\n', '2:36 warning the secret A can be given on the command line'],
    ['  A: { type: string, flag: --a }\n', 'a flag is written without its dashes'],
    ['  A: { type: string, argument: last }\n', 'argument'],
    ['  A: { type: string, argument: 0 }\n', 'argument'],
    ['  A: { type: array, default: [1] }\n', 'default'],
    ['  A: { type: array, enum: [x, y], default: [z] }\n', 'it is not in enum'],
    ['  A: { type: array, minItems: 2, default: [z] }\n', 'must be a list of at least 2 items'],
    [
      '  A: { type: array, minLength: 2, default: [z] }\n',
      'must be a list of strings, each at least 2 characters long',
    ],
    ['  A: { type: array, minimum: 2 }\n', 'minimum'],
    ['  A: { type: string, minItems: 2 }\n', 'minItems'],
  ])('X3 `check` says one thing about %j', (config, message) => {
    const stdout = check(config);
    expect(stdout).toContain(message);
    expect(stdout).toMatch(/\n1 (error|warning) in 1 file/);
  });

  it('X3 the names that flags cannot have are the options of servers and of `start`', () => {
    const start = serveCommands.find(({ name }) => name === 'start')?.options.map(([form]) => form) ?? [];
    const typed = [...start, printHelp('main', {})].flatMap(text => text.match(/--[a-z-]+/g) ?? []);
    const both = typed.flatMap(word => [word.slice(2), word.slice(2).replace(/^no-/, '')]);
    // "lane" is what --protocol was called before, and in no help.
    expect([...ownFlags].sort()).toEqual([...new Set([...both, 'lane'])].sort());
  });
});
