// `toolwright test` as authors and CI run it: the built command, real servers in processes of their own.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { openCommands, type Ran } from '../../harness/commands.js';
import { writeFiles } from '../../harness/files.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'toolwright test ünï-'));

const commands = openCommands(120_000);
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  commands.close();
});

type Files = Readonly<Record<string, string>>;

function pack(name: string, files: Files): string {
  const path = join(folder, name);
  const all = {
    'toolwright.yaml': '',
    'package.json': '{"name": "demo", "version": "1.0.0", "type": "module"}',
    'mcp/servers/main.yaml': 'description: Main\n',
    ...files,
  };
  writeFiles(path, all);
  return path;
}

function test(cwd: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Ran {
  const { TOKEN: _, ...rest } = process.env;
  return commands.runSync(['test', ...args], {
    cwd,
    env: { ...rest, TOOLWRIGHT_CACHE: join(folder, 'cache'), ...env },
  });
}

interface JsonTest {
  readonly server: string | null;
  readonly kind: string;
  readonly item: string;
  readonly check: string;
  readonly title: string;
  readonly status: string;
  readonly durationMs: number;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly code?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly log?: string;
}

function report(cwd: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = test(cwd, [...args, '--format', 'json'], env);
  const data = JSON.parse(stdout) as {
    readonly ok: boolean;
    readonly counts: Readonly<Record<string, number>>;
    readonly tests: readonly JsonTest[];
    readonly untested: readonly string[];
    readonly diagnostics: readonly { readonly code: string }[];
  };
  const find = (title: string): JsonTest | undefined => data.tests.find(one => `${one.item} > ${one.title}` === title);
  return { ...data, status, stderr, find };
}

/** `passed tool a > contract` */
const lines = (tests: readonly JsonTest[]): readonly string[] =>
  tests.map(({ status, item, title }) => `${status} ${item} > ${title}`);

const tool = (name: string, definition: string, handler: string): Files => ({
  [`mcp/tools/${name}.yaml`]: definition,
  [`src/tools/${name}.js`]: handler,
});

describe('examples in `toolwright test`', () => {
  it('T1 examples and the contract of a tool that only runs as a task are tested as tasks, of which nothing stays', () => {
    const cwd = pack('tasks', {
      ...tool(
        'required',
        'description: R\ntask: required\nparameters: { n: integer }\nexamples:\n  - { input: { n: 1 }, output: 2 1 }\n  - { input: { n: 2 }, output: wrong }\n',
        'export default ({ n }, ctx) => `${n + 1} ${ctx.task.attempt}`;\n',
      ),
      ...tool(
        'optional',
        'description: O\ntask: optional\nexamples: [{ output: plain }]\n',
        "export default (_, ctx) => (ctx.task === undefined ? 'plain' : 'task');\n",
      ),
    });
    const state = join(folder, 'state');
    const { tests, status } = report(cwd, [], { XDG_STATE_HOME: state, LOCALAPPDATA: state });
    expect(lines(tests)).toEqual([
      'passed optional > contract',
      'passed optional > example 1',
      'passed required > contract',
      'passed required > example 1',
      'failed required > example 2',
    ]);
    expect(status).toBe(1);
    expect(existsSync(state)).toBe(false);
  });

  it('P24 `test` runs examples against the server: results, texts, numbers, nothing, errors and bad arguments', () => {
    const cwd = pack('good', {
      ...tool(
        'get',
        [
          'description: Get',
          'parameters: { id: { type: integer, minimum: 1 }, deep: { type: boolean, default: false } }',
          'output: { id: integer, tags: { type: array, items: { type: string } } }',
          'errors: { GONE: { message: It is gone } }',
          'examples:',
          '  - { name: one, input: { id: 1 }, output: { tags: [a], id: 1 } }',
          '  - { name: form only, input: { id: 2 } }',
          '  - { name: gone, input: { id: 9 }, error: GONE }',
          '  - { name: bad, input: { id: 0 }, error: BAD_ARGUMENTS }',
        ].join('\n'),
        "export default ({ id }, ctx) => { if (id === 9) throw ctx.errors.GONE(); return { id, tags: ['a'] }; };",
      ),
      ...tool(
        'say',
        [
          'description: Say',
          'parameters: { what: string }',
          'examples:',
          '  - { name: text, input: { what: text }, output: "some\\ntext" }',
          '  - { name: number, input: { what: number }, output: 3 }',
          '  - { name: map, input: { what: map }, output: { a: [1, null] } }',
          '  - { name: nothing, input: { what: nothing }, output: null }',
          '  - { name: content, input: { what: link }, output: [{ type: resource_link, uri: "x://y", name: y }] }',
        ].join('\n'),
        "import { link } from 'toolwright';\nexport default ({ what }) => ({ text: 'some\\ntext', number: 3, map: { a: [1, null] }, link: link('x://y', { name: 'y' }) })[what];",
      ),
      'mcp/prompts/hello.yaml':
        'description: Hello\narguments: { who: { required: true } }\ntext: Hello {{who}}\nexamples:\n  - { name: Ada, input: { who: Ada }, output: Hello Ada }\n  - { name: messages, input: { who: B }, output: [{ role: user, content: { type: text, text: Hello B } }] }\n  - { name: nobody, input: {}, error: BAD_ARGUMENTS }\n',
    });
    const { status, ok, tests, untested, counts } = report(cwd);
    expect(lines(tests).filter(line => !line.startsWith('passed'))).toEqual([]);
    expect([status, ok, untested, counts]).toEqual([0, true, [], { passed: 15, failed: 0, skipped: 0 }]);
    expect(tests[1]).toMatchObject({
      ...{ server: 'main', kind: 'tool', item: 'get', check: 'example', title: 'one', status: 'passed' },
      ...{ file: 'mcp/tools/get.yaml', line: 6, column: 5, durationMs: expect.any(Number) },
    });
    expect(test(join(cwd, 'src/tools')).stdout).toMatch(/demo\/main\n {2}✓ get {2}5 passed {2}\d+ ms\n/);
  });

  it('P24 an example that differs fails at its position, with a code frame and a diff', () => {
    const cwd = pack('differs', {
      ...tool(
        'get',
        [
          'description: Get',
          'errors: { GONE: { message: It is gone } }',
          'parameters: { id: integer }',
          'examples:',
          '  - name: nested',
          '    input: { id: 1 }',
          '    output:',
          '      list: [1, 2, 3]',
          '      status: open',
          '  - { name: no error, input: { id: 1 }, error: GONE }',
          '  - { name: other error, input: { id: 7 }, error: GONE }',
          '  - { name: an error, input: { id: 7 } }',
        ].join('\n'),
        "export default ({ id }) => { if (id === 7) throw new Error('kaputt'); return { status: 'closed', list: [1, 5, 3], more: 1 }; };",
      ),
      'mcp/tools/typed.yaml':
        'description: Typed\noutput: { n: integer }\nexamples: [{ name: wrong type, input: {} }]\n',
      'src/tools/typed.js': "export default () => ({ n: 'x' });",
    });
    const { status, find, counts } = report(cwd);
    expect([status, counts]).toEqual([1, { passed: 2, failed: 5, skipped: 0 }]);
    expect(find('get > nested')).toMatchObject({
      ...{ code: 'test/wrong-output', file: 'mcp/tools/get.yaml', line: 8, column: 17 },
      message:
        '"get > nested" returns a different result: list[1] is 5, not 2; status is "closed", not "open"; more is not expected',
      expected: { list: [1, 2, 3], status: 'open' },
      actual: { status: 'closed', list: [1, 5, 3], more: 1 },
    });
    expect(find('get > no error')).toMatchObject({ code: 'test/wrong-error', line: 10 });
    expect(find('get > other error')).toMatchObject({
      code: 'test/wrong-error',
      log: expect.stringContaining('kaputt'),
    });
    expect(find('get > an error')).toMatchObject({
      code: 'test/unexpected-error',
      log: expect.stringContaining('get.js'),
    });
    expect(find('typed > wrong type')).toMatchObject({ message: expect.stringContaining('BAD_OUTPUT') });
    const { stdout } = test(cwd, ['-t', 'nested']);
    expect(stdout).toContain('8 |       list: [1, 2, 3]\n  |                 ^\n');
    expect(stdout).toContain('  -     2,\n  +     5,\n        3\n');
    expect(test(cwd, ['--reporter', 'github', '-t', 'nested']).stdout).toMatch(
      /^::error file=mcp\/tools\/get\.yaml,line=8,col=17,.*test\/wrong-output/,
    );
  });

  it('P24 an example that needs what is missing is skipped with the reason, and .env.test is read', () => {
    const cwd = pack('needs', {
      'toolwright.yaml': 'config: { TOKEN: { type: string, description: Of the service } }\n',
      ...tool(
        'token',
        'description: T\nrequires: { TOKEN: required }\nexamples:\n  - { name: tells, input: {}, output: test-token }\n',
        'export default (_, ctx) => ctx.config.TOKEN;',
      ),
      ...tool(
        'model',
        'description: M\nrequires: { sampling: required }\nexamples: [{ name: a, input: {}, output: x }]\n',
        "export default () => 'x';",
      ),
      ...tool(
        'asks',
        'description: A\nexamples: [{ name: a, input: {}, output: x }]\n',
        "export default async (_, ctx) => (await ctx.elicit('size', { message: 'Which size?', schema: { size: { type: 'string' } } })).action;",
      ),
      ...tool(
        'off',
        'description: O\nenabled: false\nexamples: [{ name: a, input: {} }]\n',
        "export default () => 'x';",
      ),
    });
    const { status, find } = report(cwd);
    expect(status).toBe(0);
    expect(find('token > tells')).toMatchObject({
      status: 'skipped',
      reason:
        'token needs configuration that is not set: TOKEN (Of the service); tests read it from the environment, .env.test or .env',
    });
    expect(find('model > a')?.reason).toContain('capability sampling');
    expect(find('asks > a')?.reason).toBe('it asks the user, and an example has no answer: Which size?');
    expect(find('off > a')?.reason).toBe('it is switched off');
    writeFileSync(join(cwd, '.env.test'), 'TOKEN=test-token\n');
    expect(report(cwd, ['token']).find('token > tells')?.status).toBe('passed');
    expect(report(cwd, ['token'], { TOKEN: 'other' }).find('token > tells')?.status).toBe('failed');
  });

  it('P24 a server that ends or is silent fails its test, and the next test has a new server', () => {
    const cwd = pack('dies', {
      ...tool(
        'dies',
        'description: D\nexamples: [{ name: exit, input: {} }]\n',
        "export default () => { console.error('goodbye'); process.exit(7); };",
      ),
      ...tool(
        'silent',
        'description: S\nlimits: { timeoutMs: 2000 }\nexamples: [{ name: busy, input: {} }]\n',
        'export default () => { for (;;); };',
      ),
      ...tool(
        'well',
        'description: W\nexamples: [{ name: fine, input: {}, output: fine }]\n',
        "export default () => 'fine';",
      ),
    });
    const { status, tests, find } = report(cwd);
    expect(status).toBe(1);
    expect(lines(tests)).toEqual([
      'passed dies > contract',
      'failed dies > exit',
      'passed silent > contract',
      'failed silent > busy',
      'passed well > contract',
      'passed well > fine',
    ]);
    // The call is answered before the process ends.
    expect(find('dies > exit')?.code).toBe('test/unexpected-error');
    expect(find('dies > exit')?.log).toMatch(
      /^goodbye\ntoolwright: process\.exit\(7\) at .*dies\.js:1:58 ends the server/,
    );
    expect(find('silent > busy')?.message).toContain('silent for');
  });

  it('P24 examples share one server in their order, `--isolate` gives each its own, `--bail` stops at the first failure', () => {
    const cwd = pack('state', {
      ...tool(
        'count',
        'description: C\nexamples:\n  - { name: first, input: {}, output: 1 }\n  - { name: second, input: {}, output: 2 }\n  - { name: third, input: {}, output: 3 }\n',
        'let n = 0;\nexport default () => ++n;',
      ),
    });
    expect(report(cwd).counts).toEqual({ passed: 4, failed: 0, skipped: 0 });
    expect(report(cwd, ['--isolate']).counts).toEqual({ passed: 2, failed: 2, skipped: 0 });
    const { tests } = report(cwd, ['--isolate', '--bail']);
    expect(lines(tests).slice(2)).toEqual(['failed count > second', 'skipped count > third']);
  });
});

describe('the contract of all tools', () => {
  it('M48 a tool must have a description and refuse junk, and destructive tools are called only by their examples', () => {
    const note =
      "import { appendFileSync } from 'node:fs';\nexport default args => { appendFileSync('calls.txt', JSON.stringify(args) + '\\n'); return 'x'; };";
    const cwd = pack('contract', {
      ...tool('plain', 'parameters: { a: integer }\n', note),
      ...tool('closed', 'description: C\nparameters: { a: integer, b: { type: string, required: false } }\n', note),
      ...tool(
        'open',
        'description: O\nadditionalParameters: true\nparameters: { a: { type: string, required: false } }\n',
        note,
      ),
      ...tool(
        'wipe',
        'description: W\neffect: destructive\nconfirm: true\nparameters: { a: string }\nexamples: [{ name: a, input: { a: x }, output: x }]\n',
        note,
      ),
      'mcp/prompts/ask.yaml': 'description: A\narguments: { who: { required: true } }\ntext: Hello {{who}}\n',
      'mcp/prompts/mute.yaml': 'text: Hello\n',
    });
    const { tests, find, untested } = report(cwd, ['--destructive']);
    expect(lines(tests).filter(line => line.startsWith('failed'))).toEqual([
      'failed plain > contract',
      'failed mute > contract',
    ]);
    expect(find('plain > contract')).toMatchObject({
      ...{ code: 'test/contract', file: 'mcp/tools/plain.yaml', line: 1 },
      message: '"plain" breaks the contract that all tools and prompts share: it has no description',
    });
    expect(readFileSync(join(cwd, 'calls.txt'), 'utf8')).toBe('{"a":"x"}\n');
    expect(untested).toEqual(['closed', 'open', 'plain', 'ask', 'mute']);
  });
});

it('M48 examples of tools that are destructive or ask first run only where the data is for tests', () => {
  const note =
    "import { appendFileSync } from 'node:fs';\nexport default ({ a }) => { appendFileSync('calls.txt', a + '\\n'); return 'x'; };";
  const example = (a: string) =>
    `parameters: { a: string }\nexamples: [{ name: one, input: { a: ${a} }, output: x }]\n`;
  const cwd = pack('destructive', {
    ...tool('ask', `description: A\neffect: write\nconfirm: true\n${example('ask')}`, note),
    ...tool('keep', `description: K\neffect: write\n${example('keep')}`, note),
    ...tool('wipe', `description: W\neffect: destructive\n${example('wipe')}`, note),
  });
  const spared = report(cwd);
  expect(spared.status).toBe(0);
  expect(lines(spared.tests).filter(line => line.endsWith('one'))).toEqual([
    'skipped ask > one',
    'passed keep > one',
    'skipped wipe > one',
  ]);
  const way = 'if its data is for tests, add .env.test or pass --destructive';
  expect(spared.find('wipe > one')?.reason).toBe(`it is destructive: ${way}`);
  expect(spared.find('ask > one')?.reason).toBe(`it asks before it runs: ${way}`);
  expect(readFileSync(join(cwd, 'calls.txt'), 'utf8')).toBe('keep\n');
  const allowed = report(cwd, ['--destructive']);
  expect(allowed.tests.every(({ status }) => status === 'passed')).toBe(true);
  expect(readFileSync(join(cwd, 'calls.txt'), 'utf8')).toBe('keep\nask\nkeep\nwipe\n');
  writeFileSync(join(cwd, '.env'), 'A=1\n');
  expect(report(cwd).find('wipe > one')?.status).toBe('skipped');
  writeFileSync(join(cwd, '.env.test'), '');
  expect(report(cwd).find('wipe > one')?.status).toBe('passed');
});

it('M48 P15 a tool without a handler fails its contract, and the others are tested', () => {
  const cwd = pack('unwritten', {
    'mcp/tools/later.yaml': 'description: Later\n',
    ...tool('now', 'description: Now\n', "export default () => 'now';"),
  });
  const { ok, status, tests, find } = report(cwd);
  expect([ok, status]).toEqual([false, 1]);
  expect(lines(tests)).toEqual(['failed later > contract', 'passed now > contract']);
  expect(find('later > contract')).toMatchObject({
    code: 'generate/missing-handler',
    file: 'mcp/tools/later.yaml',
    line: 1,
  });
});

describe('choice of tests', () => {
  const cwd = pack('several', {
    'mcp/servers/main.yaml': 'description: Main\ntools: [get-a]\n',
    'mcp/servers/web.yaml': 'description: Web\ntransport: http\ntools: [get-a, get-b]\nprompts: []\n',
    'mcp/servers/off.yaml': 'description: Off\nenabled: false\n',
    ...tool('get-a', 'description: A\nexamples: [{ name: one, input: {}, output: a }]\n', "export default () => 'a';"),
    ...tool('get-b', 'description: B\nexamples: [{ name: two, input: {}, output: b }]\n', "export default () => 'b';"),
    ...tool('lost', 'description: L\nexamples: [{ name: three, input: {} }]\n', "export default () => 'l';"),
  });

  it('P24 `test` tests every item once, whatever the transport of its server, and names what no server offers', () => {
    const { tests, find } = report(cwd);
    expect(tests.map(({ server, item, title }) => `${server} ${item} ${title}`)).toEqual([
      'main get-a contract',
      'main get-a one',
      'web get-b contract',
      'web get-b two',
      'null lost contract',
      'null lost three',
    ]);
    expect(find('lost > three')?.reason).toBe('no enabled server offers it');
  });

  it('P24 `test` accepts a server, a pattern, both, or a title', () => {
    const titles = (...args: string[]) =>
      report(cwd, args).tests.map(({ server, item, title }) => `${server} ${item} ${title}`);
    expect(titles('web')).toEqual(['web get-a contract', 'web get-a one', 'web get-b contract', 'web get-b two']);
    expect(titles('demo/web', '*-b')).toEqual(['web get-b contract', 'web get-b two']);
    expect(titles('-t', 'TWO')).toEqual(['web get-b two']);
    expect(titles('get-*', '-t', 'one')).toEqual(['main get-a one']);
  });

  it('P24 `test` exits with 2 for words that fit nothing and says what there is', () => {
    for (const [args, message] of [
      [['get-q*'], 'no test matches "get-q*"'],
      [['wbe', 'x'], 'there is no server "wbe": did you mean "web"?'],
      [['off', 'x'], 'the server "off" is disabled'],
      [['--reporter', 'xml'], 'Allowed choices are text, json, junit, github'],
      [['--reporter', 'json', '--format', 'junit'], 'exclude each other'],
      [['-t', 'one', '--output', 'toolwright.yaml/x.xml'], 'the report cannot be written to toolwright.yaml/x.xml'],
    ] as const) {
      const { status, stderr } = test(cwd, args);
      expect([args, status]).toEqual([args, 2]);
      expect(stderr).toContain(message);
    }
    expect(test(folder).status).toBe(2);
  });

  it('P24 `test` reports a broken manifest by its diagnostics and runs nothing', () => {
    const broken = pack('broken', {
      'toolwright.yaml': 'context: src/context.js\n',
      'src/context.js':
        "import { writeFileSync } from 'node:fs'; writeFileSync('ran.txt', ''); export default () => 1;",
      ...tool(
        'a',
        'description: A\ncolour: red\nexamples: [{ name: x, input: { b: 1 } }]\n',
        "export default () => 'a';",
      ),
    });
    const { status, stdout } = test(broken);
    expect(status).toBe(1);
    expect(stdout).toContain('mcp/tools/a.yaml:2:1 error');
    const { ok, diagnostics, tests } = report(broken);
    expect([ok, tests, diagnostics[0]?.code]).toEqual([false, [], 'validate/unknown-key']);
    expect(test(broken, ['--reporter', 'junit']).stdout).toContain('type="validate/unknown-key"');
    expect(existsSync(join(broken, 'ran.txt'))).toBe(false);
  });
});

describe('reports of `toolwright test`', () => {
  it('P24 fix-A15 `test --reporter junit` writes a file, prints text beside it, and hostile names stay data (fix-A15)', () => {
    const cwd = pack('junit', {
      ...tool(
        'a',
        'description: A\nexamples:\n  - { name: "<b>&\\"\\u0007\\u009b", input: {}, output: "]]>" }\n  - { name: fine, input: {}, output: "\\u001b[31m" }\n',
        "export default () => '\\u001b[31m';",
      ),
    });
    const { status, stdout } = test(cwd, ['--reporter', 'junit', '--output', 'reports/junit/out.xml']);
    expect([status, stdout.includes('1 failed')]).toEqual([1, true]);
    expect(stdout).not.toMatch(/[\u0007\u001b]/);
    const xml = readFileSync(join(cwd, 'reports/junit/out.xml'), 'utf8');
    expect(xml).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="demo" tests="3" failures="1" errors="0" skipped="0"/,
    );
    expect(xml).toContain('name="a &gt; &lt;b&gt;&amp;&quot;\\x07\\x9b"');
    expect(xml).not.toMatch(/[\u0007\u001b\u0080-\u009f]|]]>/);
  });

  it('P24 `test --quiet` prints only failures', () => {
    const cwd = pack(
      'quiet',
      tool('a', 'description: A\nexamples: [{ name: x, input: {}, output: a }]\n', "export default () => 'a';"),
    );
    expect(test(cwd, ['--quiet'])).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});

describe('`toolwright test --conformance`', () => {
  it('P24 `test --conformance` runs the scenarios that fit any server', () => {
    const { status, tests } = report(join(root, 'examples/weather'), ['-t', 'list-cities > all', '--conformance']);
    const suite = tests.filter(({ check }) => check === 'conformance');
    expect(suite.filter(one => one.status === 'passed').map(({ title }) => title)).toEqual(
      expect.arrayContaining(['server-initialize (2025-11-25)', 'tools-list (2026-07-28)']),
    );
    expect([status, suite.filter(one => one.status === 'failed')]).toEqual([0, []]);
    expect(suite.find(({ title }) => title.startsWith('resources-list'))?.reason).toBe('the server has no resources');
  }, 120_000);

  it('P24 `test --conformance` says how to get the suite when it is not installed', () => {
    const cwd = pack('alone', tool('a', 'description: A\n', "export default () => 'a';"));
    expect(test(cwd, ['--conformance'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('npm install --save-dev @modelcontextprotocol/conformance'),
    });
  });
});

describe('one cause', () => {
  it('fix-N marks: a variable with a wrong value is reported once, not once per test', () => {
    const path = pack('wrong-variable', {
      'toolwright.yaml': 'config:\n  LIMIT: { type: integer, minimum: 10 }\n',
      'mcp/tools.yaml': ['a', 'b', 'c']
        .map(name => `${name}: { description: d, examples: [{ input: {} }] }\n`)
        .join(''),
      ...Object.fromEntries(['a', 'b', 'c'].map(name => [`src/tools/${name}.js`, "export default () => 'x';\n"])),
    });
    const { status, stdout } = test(path, [], { LIMIT: '5' });
    expect(status).toBe(1);
    expect(stdout.split('LIMIT must be at least 10, not "5"')).toHaveLength(2);
    expect(stdout.split('got no answer')).toHaveLength(2);
    expect(stdout).toContain('5 more tests did not run, for the same reason');
    expect(stdout).toContain('0 passed, 6 failed');
  });
});
