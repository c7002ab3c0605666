// Runs the built `toolwright call` as people and scripts do.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeFiles } from '../harness/files.js';

const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'toolwright call ünï-'));
let pack = '';

const tools = {
  greet: 'parameters: { name: string, times: { type: integer, default: 1 } }\nhandler: src/tools.ts#greet\n',
  data: 'output: { n: number, s: string }\nhandler: src/tools.ts#data\n',
  picture: 'handler: src/tools.ts#picture\n',
  fails:
    'handler: src/tools.ts#fails\nerrors: { GONE: { message: It is gone, status: 410, suggestedFix: "Call {{tool:greet}} instead." } }\n',
  crashes: 'handler: src/tools.ts#crashes\n',
  asks: 'handler: src/tools.ts#asks\n',
  talks: 'handler: src/tools.ts#talks\n',
  options: 'options: { size: { type: integer, default: 3 } }\nhandler: src/tools.ts#options\n',
  wire: 'name: Wire.Name\nhandler: src/tools.ts#data\n',
};
const source = `
export const greet = ({ name, times }: { name: string; times: number }): string => Array(times).fill(\`Hello \${name}\`).join('\\n');
export const data = () => ({ n: 1, s: 'two' });
export const picture = () => ({ content: [
  { type: 'text', text: 'A picture:' },
  { type: 'image', mimeType: 'image/png', data: Buffer.alloc(1234).toString('base64') },
  { type: 'resource', resource: { uri: 'x://1', mimeType: 'text/plain', text: 'inside' } },
  { type: 'resource_link', uri: 'x://2', name: 'two' },
] });
export const fails = (_: object, ctx: any) => { throw ctx.errors.GONE(undefined, { meta: { since: 2020 } }); };
export const crashes = () => { throw new TypeError('the reason'); };
export const asks = async (_: object, ctx: any) => {
  const size = await ctx.elicit('size', { message: 'Which size?', schema: { size: { type: 'string', enum: ['S', 'M'] }, gift: { type: 'boolean' }, note: { type: 'string', default: 'none' } } });
  return size.action === 'accept' ? \`\${size.content.size} \${size.content.gift} \${size.content.note}\` : size.action;
};
export const talks = async (_: object, ctx: any) => {
  console.log('printed'); ctx.log.info('logged', { x: 1 }); ctx.progress(1, 2, 'half');
  setInterval(() => {}, 1000);
  return \`\${(await ctx.roots()).length} \${'\\u001b'}[31m\`;
};
export const options = (_: object, ctx: any): number => ctx.options.size;
`;

beforeAll(() => {
  pack = writeFiles(join(folder, 'pack'), {
    'package.json': '{"name": "demo", "type": "module"}',
    'toolwright.yaml': '',
    'mcp/servers/main.yaml': 'description: Main\n',
    'src/tools.ts': source,
    ...Object.fromEntries(
      Object.entries(tools).map(([name, text]) => [`mcp/tools/${name}.yaml`, `description: ${name}\n${text}`]),
    ),
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Options {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

function call(args: readonly string[], { cwd = pack, input = '', env = {} }: Options = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'call', ...args], {
    ...{ cwd, input, encoding: 'utf8' },
    env: { ...process.env, TOOLWRIGHT_CACHE: join(folder, 'cache'), ...env },
  });
  return { status, stdout, stderr };
}

describe('`toolwright call` of a broken tool', () => {
  it('J71 `call` says with exit 1 that a tool is broken, not that it is missing', () => {
    const cwd = writeFiles(join(folder, 'broken'), {
      'toolwright.yaml': '',
      'mcp/servers/project.yaml': 'description: P\n',
      'mcp/tools/greet.yaml': 'descripton: Greets.\n',
      'mcp/tools/hello.yaml': 'description: Says hello.\nname: greet\nhandler: src/tools.ts\n',
      'src/tools.ts': 'export default () => 1;\n',
    });
    const { status, stdout, stderr } = call(['greet'], { cwd });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('mcp/tools/greet.yaml:1:1 error unknown key "descripton"');
    expect(stderr).toContain('toolwright: the tool "greet" is broken, as shown above\n');
    expect(stderr).not.toContain('has no tool');
    expect(call(['project', 'broken/greet'], { cwd }).status).toBe(1);
    expect(call(['hello'], { cwd })).toMatchObject({ status: 0, stdout: '1\n' });
    const unknown = call(['gret'], { cwd });
    expect([unknown.status, unknown.stderr.includes('has no tool "gret"')]).toEqual([2, true]);
  });
});

describe('output of `toolwright call`', () => {
  it('P22 `call` prints text as it is, data as JSON and everything else as one line', () => {
    expect(call(['greet', '{"name": "Ann", "times": 2}'])).toEqual({
      status: 0,
      stdout: 'Hello Ann\nHello Ann\n',
      stderr: '',
    });
    expect(call(['data'])).toEqual({ status: 0, stdout: '{\n  "n": 1,\n  "s": "two"\n}\n', stderr: '' });
    expect(call(['picture']).stdout).toBe(
      'A picture:\n[image image/png 1.2 KB]\n[resource x://1 text/plain]\ninside\n[link x://2 two]\n',
    );
  });

  it('P22 `call --format json` prints the whole result', () => {
    const { status, stdout } = call(['data', '--format', 'json']);
    expect([status, JSON.parse(stdout)]).toEqual([
      0,
      { content: [{ type: 'text', text: '{"n":1,"s":"two"}' }], structuredContent: { n: 1, s: 'two' } },
    ]);
    const failed = call(['fails', '--format', 'json']);
    expect([failed.status, JSON.parse(failed.stdout)]).toMatchObject([
      1,
      { isError: true, _meta: { 'toolwright/error': { code: 'GONE' } } },
    ]);
  });

  it('M25 M20 `call` prints errors and their causes on stderr and exits with 1', () => {
    expect(call(['fails'])).toEqual({
      status: 1,
      stdout: '',
      stderr: 'error GONE (410): It is gone\n  hint: Call greet instead.\n  {\n    "since": 2020\n  }\n',
    });
    const { status, stdout, stderr } = call(['crashes']);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/error UNEXPECTED_ERROR \(500\): crashes failed \([0-9a-f]+\): the reason/);
    const bad = call(['greet', '{"nam": "Ann"}']);
    expect([bad.status, bad.stdout]).toEqual([1, '']);
    expect(bad.stderr).toContain('error BAD_ARGUMENTS (400)');
    expect(bad.stderr).not.toContain('violations');
  });

  it('P22 `call` prints logs, progress and console output on stderr, `--quiet` hides them, and timers do not keep it alive', () => {
    const { status, stdout, stderr } = call(['talks']);
    expect([status, stdout]).toEqual([0, '1 \u001b[31m\n']);
    for (const text of ['printed', 'info: logged {"x":1}', '1 of 2 half']) expect(stderr).toContain(text);
    const quiet = call(['talks', '--quiet']);
    expect(quiet.stdout).toBe(stdout);
    expect(quiet.stderr).not.toContain('logged');
  });
});

describe('arguments of `toolwright call`', () => {
  it('P22 `call` accepts server, tool and arguments, item names and wire names, `--arg` and stdin', () => {
    for (const words of [
      ['main', 'greet', '{"name": "7"}'],
      ['greet', '{"name": "7"}'],
      ['greet', '--arg', 'name=7'],
      ['main', 'greet', '--arg', 'name=7', '--arg', 'times=1'],
      ['demo/main', 'greet', '{"name": "x"}', '--arg', 'name=7'],
    ]) {
      expect([words, call(words)]).toEqual([words, { status: 0, stdout: 'Hello 7\n', stderr: '' }]);
    }
    expect(call(['greet', '-'], { input: '{"name": "pipe"}\n' }).stdout).toBe('Hello pipe\n');
    expect([call(['wire']).status, call(['Wire.Name']).status]).toEqual([0, 0]);
    expect(call(['greet', '--arg', 'name=a=b']).stdout).toBe('Hello a=b\n');
  });

  it('P22 `call` shows a mistake in the JSON with a frame and a hint and exits with 2', () => {
    const { status, stdout, stderr } = call(['greet', "{name: 'Ann'}"]);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain("1 | {name: 'Ann'}\n  |  ^^^^");
    expect(stderr).toContain(`'{"key": "value"}', or use --arg key=value`);
    for (const words of [
      ['greet', '[1]'],
      ['greet', '"x"'],
      ['greet', '{"a": 1,}'],
      ['greet', 'Ann'],
      ['greet', '--arg', 'name'],
      ['a', 'b', 'c', 'd'],
      ['greet', '{"name": "a", "name": "b"}'],
    ]) {
      const wrong = call(words);
      expect([words, wrong.status, wrong.stdout]).toEqual([words, 2, '']);
      expect(wrong.stderr.length).toBeGreaterThan(20);
    }
  });

  it('P22 `call` lists what exists and suggests the closest name for an unknown tool or server', () => {
    const unknown = call(['gret']);
    expect([unknown.status, unknown.stdout]).toEqual([2, '']);
    expect(unknown.stderr).toMatch(
      /^toolwright: the server "main" has no tool "gret": did you mean "greet"\? \(it has .*Wire\.Name.*\)\n$/,
    );
    expect(call(['mian', 'greet', '{}']).stderr).toContain('did you mean "main"?');
    expect(call([]).status).toBe(2);
  });

  it('W88 `call` takes options from the environment before those of overlays', () => {
    expect(call(['options']).stdout).toBe('3\n');
    const overlay = writeFiles(join(folder, 'overlay'), { 'tools/options.yaml': 'options: { size: 5 }\n' });
    expect(call(['options', '--overlay', overlay]).stdout).toBe('5\n');
    const env = { TOOLWRIGHT_OPTIONS: '{"options": {"size": 9}}' };
    expect(call(['options', '--overlay', overlay], { env }).stdout).toBe('9\n');
    expect(call(['options'], { env: { TOOLWRIGHT_OPTIONS: '{' } })).toMatchObject({
      status: 0,
      stdout: '3\n',
      stderr: expect.stringContaining('TOOLWRIGHT_OPTIONS is ignored'),
    });
  });
});

describe('questions in `toolwright call`', () => {
  it('C6 `call` relays the question of a tool when there is no terminal', () => {
    const { status, stdout, stderr } = call(['asks']);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('asks needs an answer from the user');
    expect(call(['asks', '{"_answers": {"size": {"size": "M", "gift": true, "note": "x"}}}']).stdout).toBe(
      'M true x\n',
    );
  });

  it('C6 `call` asks the person at a terminal, and asks again after a wrong answer', () => {
    const typed = (input: string): string => {
      const line = `"${process.execPath}" "${command}" call asks`;
      const options = { cwd: pack, input, encoding: 'utf8' } as const;
      return spawnSync('script', ['-qec', line, '/dev/null'], options).stdout.replaceAll('\r', '');
    };
    const answered = typed('3\n2\nperhaps\nyes\n\n');
    expect(answered).toContain('Which size?');
    expect(answered).toContain('1) S  2) M');
    expect(answered).toContain('Please choose from 1 to 2.');
    expect(answered).toContain('Please answer yes or no.');
    expect(answered.trimEnd()).toMatch(/M true none$/);
    expect(typed('-\n').trimEnd()).toMatch(/decline$/);
  });
});
