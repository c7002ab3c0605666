// What somebody meets who calls tools by hand: agreement, files, lists, a handler that ends the process, an empty pipe.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readArguments } from '../../cli/call/call-arguments.js';
import { writeFiles } from '../harness/files.js';
import { command } from './install-home.js';
import { talkTo } from './terminal.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-newcomer-')));
const handlers = {
  wipe: ['confirm: true\nparameters: { what: string }\n', 'export default ({ what }: any) => `wiped ${what}`;\n'],
  count: ['confirm: true\noutput: { n: number }\n', 'export default () => ({ n: 1 });\n'],
  chart: [
    '',
    "export default () => ({ content: [{ type: 'text', text: 'A chart' }, { type: 'image', mimeType: 'image/png', data: Buffer.from('png!').toString('base64') }] });\n",
  ],
  both: [
    '',
    "export default () => ({ content: [{ type: 'audio', mimeType: 'audio/wav', data: 'AAAA' }, { type: 'resource', resource: { uri: 'x://a/report.pdf', mimeType: 'application/pdf', blob: 'AAAA' } }, { type: 'resource', resource: { uri: 'x://../../evil', mimeType: 'x/y', blob: 'AAAA' } }] });\n",
  ],
  tag: [
    'parameters:\n  tags: { type: array, items: { type: string }, description: T }\n  sizes: { type: array, items: { type: integer }, description: S, required: false }\n',
    'export default (args: any) => JSON.stringify(args);\n',
  ],
  leaves: ['parameters: { code: integer }\n', 'export default ({ code }: any) => process.exit(code);\n'],
} as const;
beforeAll(() => {
  writeFiles(folder, {
    'package.json': '{"name": "demo", "type": "module"}',
    'toolwright.yaml': '',
    'mcp/servers/main.yaml': `description: Main\ntools: [${Object.keys(handlers).join(', ')}]\nprompts: [remind, talk]\n`,
    'mcp/tools/idle.yaml': 'description: Idle\n',
    'mcp/tools/off.yaml': 'description: Off\nenabled: false\n',
    'mcp/prompts/remind.yaml': 'description: R\narguments: { id: { description: The id } }\ntext: "About {{id}}"\n',
    'mcp/prompts/talk.yaml':
      'description: T\nmessages:\n  - { role: user, text: Hi }\n  - { role: assistant, text: Ho }\n',
    'mcp/prompts/hidden.yaml': 'description: H\ntext: Hidden\n',
    'mcp/resources/doc.yaml': 'description: D\nuri: demo://doc\ntext: The doc\n',
    'mcp/resources/logo.yaml': 'description: L\nuri: demo://logo.png\nmimeType: image/png\nfile: logo.png\n',
    'logo.png': '\u0089'.repeat(2),
    'mcp/resources/invoice.yaml': 'description: I\nuriTemplate: "demo://invoices/{id}"\nhandler: src/invoice.ts\n',
    'src/invoice.ts':
      'export default ({ id }: any) => { if (id === "0") throw new Error("broken"); return id === "9" ? undefined : `invoice ${id}`; };\n',
    ...Object.fromEntries(
      Object.entries(handlers).flatMap(([name, [yaml, code]]) => [
        [`mcp/tools/${name}.yaml`, `description: ${name}\n${yaml}`],
        [`src/tools/${name}.ts`, code],
      ]),
    ),
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = { ...process.env, TOOLWRIGHT_CACHE: join(folder, 'cache') };
function call(args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'call', ...args], {
    ...{ cwd: folder, input, encoding: 'utf8', env },
  });
  return { status, stdout, stderr };
}

describe('fix-N33 `toolwright call`', () => {
  it('`call` of a tool that needs agreement exits with 1 and says how to agree', () => {
    const { status, stdout, stderr } = call(['wipe', '--arg', 'what=all']);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain("wipe did not run: it needs the user's agreement first");
    expect(stderr.endsWith('toolwright: wipe did not run; --arg confirmed=true agrees to it\n')).toBe(true);
    expect(call(['wipe', '--arg', 'what=all', '--arg', 'confirmed=true'])).toEqual({
      ...{ status: 0, stdout: 'wiped all\n', stderr: '' },
    });
    expect(call(['count']).status).toBe(1);
    const json = call(['wipe', '--arg', 'what=all', '--format', 'json']);
    expect([json.status, JSON.parse(json.stdout)._meta]).toEqual([1, { 'toolwright/unfinished': true }]);
  });

  it('`call` exits with 1 when the person at a terminal declines, and with 0 when they agree', async () => {
    const line = `"${process.execPath}" "${command}" call wipe --arg what=all`;
    const no = await talkTo(line, [['Allow wipe to run', 'n\n']], { cwd: folder, env });
    expect([no.status, no.next, no.shown.includes('did not run: the user declined')]).toEqual([1, 1, true]);
    const yes = await talkTo(line, [['Allow wipe to run', 'y\n']], { cwd: folder, env });
    expect([yes.status, yes.shown.includes('wiped all')]).toEqual([0, true]);
  });

  it('`call --save` writes an image to a file, or everything into a folder, and keeps existing files', () => {
    const { status, stdout, stderr } = call(['chart', '--save', 'out/chart.png']);
    expect([status, stdout]).toEqual([0, 'A chart\n[image image/png 4 B]\n']);
    expect(stderr).toBe(`saved ${join(folder, 'out/chart.png')} (image/png, 4 bytes)\n`);
    expect(readFileSync(join(folder, 'out/chart.png'), 'utf8')).toBe('png!');
    mkdirSync(join(folder, 'all'));
    for (const _ of [1, 2]) expect(call(['chart', '--save', 'all']).status).toBe(0);
    expect(readdirSync(join(folder, 'all'))).toEqual(['chart-1.png', 'chart-2.png']);
    expect(call(['both', '--save', 'more/']).status).toBe(0);
    expect(readdirSync(join(folder, 'more')).sort()).toEqual(['both-1.bin', 'both-1.wav', 'report.pdf']);
    expect(call(['chart', '--save', 'fresh/']).status).toBe(0);
    expect(readdirSync(join(folder, 'fresh'))).toEqual(['chart-1.png']);
    expect(call(['tag', '--arg', 'tags=a', '--save', 'none.png']).stderr).toContain('the result has nothing to save');
    expect(existsSync(join(folder, 'none.png'))).toBe(false);
    const bad = call(['chart', '--save', 'package.json/x.png']);
    expect([bad.status, bad.stderr]).toEqual([1, expect.stringContaining('a folder above it is a file')]);
  });

  it.each([
    [['tags=a'], '{"tags":["a"]}'],
    [['tags=a', 'tags=b'], '{"tags":["a","b"]}'],
    [['tags=1', 'sizes=1', 'sizes=2'], '{"tags":["1"],"sizes":[1,2]}'],
    [['tags=["a","b"]'], '{"tags":["a","b"]}'],
    [['tags=a', 'tags=["b"]'], '{"tags":["b"]}'],
  ])('`call` takes each --arg of an array as an element, or the whole as JSON: %j', (pairs, shown) => {
    expect(call(['tag', ...pairs.flatMap(pair => ['--arg', pair])])).toEqual({
      status: 0,
      stdout: `${shown}\n`,
      stderr: '',
    });
  });

  it('`call` passes on every --arg, whatever its name is and however its null is written', () => {
    const args = readArguments(undefined, ['__proto__={"a":1}', 'b= null'], {});
    expect(Object.entries(args)).toEqual([
      ['__proto__', { a: 1 }],
      ['b', null],
    ]);
  });
});

describe('what newcomers type after `toolwright call`', () => {
  it.each([
    [['wipe', '--what', 'all'], 'there is no option --what: to pass it to the tool, write --arg what=all'],
    [['wipe', '--what=a b'], "there is no option --what: to pass it to the tool, write --arg 'what=a b'"],
    [['wipe', '--what'], 'there is no option --what: to pass it to the tool, write --arg what=...'],
    [['wipe', 'what=all'], 'arguments are given with --arg: did you mean --arg what=all?'],
    [
      ['main', 'wipe', 'what=all', 'how=x y'],
      "arguments are given with --arg: did you mean --arg what=all --arg 'how=x y'?",
    ],
    [[], 'which tool? main has wipe, count, chart, both, tag, leaves'],
    [['main'], '"main" is a server: name a tool after it, as in toolwright call main wipe'],
    [
      ['idle'],
      'the server "main" has no tool "idle" (it has wipe, count, chart, both, tag, leaves)\n  hint: add it to "tools:" in mcp/servers/main.yaml',
    ],
    [
      ['hidden'],
      'the server "main" has no tool "hidden"; "hidden" is a prompt, and the server does not have it either (it has wipe, count, chart, both, tag, leaves)\n  hint: add it to "prompts:" in mcp/servers/main.yaml',
    ],
    [
      ['remnd'],
      'the server "main" has no tool "remnd": did you mean "remind"? (it has wipe, count, chart, both, tag, leaves)',
    ],
    [
      ['demo://nothing'],
      'the server "main" has no resource "demo://nothing" (it has demo://doc, demo://invoices/{id}, demo://logo.png)',
    ],
    [
      ['invoice'],
      'the resource "invoice" has many addresses: name one, as in toolwright call \'demo://invoices/{id}\' with values in the braces',
    ],
    [['doc', '--arg', 'a=1'], '"doc" is a resource, which takes no arguments: they are part of its address'],
  ])('`call` answers %j with what to type or write instead', (words, message) => {
    expect(call(words)).toEqual({ status: 2, stdout: '', stderr: `toolwright: ${message}\n` });
  });

  it('`call` still lets commander name a misspelt option, and does not take a value for an option', () => {
    expect(call(['wipe', '--args', 'a=1']).stderr).toContain('Did you mean --arg?');
    expect(call(['tag', '--arg', 'tags=--what'])).toMatchObject({ status: 0, stdout: '{"tags":["--what"]}\n' });
    expect(call(['--help']).status).toBe(0);
  });

  it.each([
    [['remind', '--arg', 'id=7'], 'About 7\n'],
    [['main', 'remind', '{"id": "7"}'], 'About 7\n'],
    [['talk'], '[user]\nHi\n[assistant]\nHo\n'],
    [['doc'], 'The doc\n'],
    [['demo://doc'], 'The doc\n'],
    [['demo://invoices/3'], 'invoice 3\n'],
    [['logo'], '[resource demo://logo.png image/png 4 B]\n'],
  ])('fix-B20 `call %j` shows a prompt or a resource', (words, stdout) => {
    expect(call(words)).toEqual({ status: 0, stdout, stderr: '' });
  });

  it('fix-B20 `call` prints a prompt as clients get it, saves a resource, and exits with 1 if it fails', () => {
    expect(JSON.parse(call(['remind', '--arg', 'id=7', '--format', 'json']).stdout)).toEqual({
      description: 'R',
      messages: [{ role: 'user', content: { type: 'text', text: 'About 7' } }],
    });
    expect(call(['logo', '--save', 'saved/']).stderr).toContain(join(folder, 'saved/logo.png'));
    expect(call(['demo://invoices/9']).status).toBe(1);
    const broken = call(['demo://invoices/0']);
    expect([broken.status, broken.stdout]).toEqual([1, '']);
    expect(broken.stderr).toContain('broken');
  });

  it('fix-B28 `call` ends if the input of its terminal ends, even before the question, and after Ctrl+C', async () => {
    const line = `"${process.execPath}" "${command}" call wipe --arg what=all`;
    const words = ['-qec', line, '/dev/null'];
    const { status, stdout } = spawnSync('script', words, { cwd: folder, env, input: '', encoding: 'utf8' });
    expect([status, stdout.includes('did not run: the user declined')]).toEqual([1, true]);
    const ended = await talkTo(line, [['Allow wipe to run', '\u0004']], { cwd: folder, env });
    expect([ended.status, ended.next]).toEqual([1, 1]);
    const stopped = await talkTo(line, [['Allow wipe to run', '\u0003']], { cwd: folder, env });
    expect([stopped.status, stopped.shown.includes('cancelled')]).toEqual([130, true]);
  });
});

describe('fix-N34 `toolwright call`', () => {
  it.each([
    [3, 3],
    [0, 1],
  ])('`call` says that a handler ended the process: process.exit(%d) exits with %d', (code, expected) => {
    const { status, stdout, stderr } = call(['leaves', '--arg', `code=${code}`]);
    expect([status, stdout]).toEqual([expected, '']);
    expect(stderr).toContain(`process.exit(${code})`);
    expect(stderr).toContain('src/tools/leaves.ts:1:');
    expect(stderr).toContain('ends the call; under way: "leaves"');
  });

  it.each(['', ' \n'])('`call -` says that stdin was empty and what to send: %j', input => {
    const { status, stdout, stderr } = call(['wipe', '-'], input);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      `toolwright: stdin was empty: send the arguments as a JSON object, as in echo '{"key": "value"}' | toolwright call ...\n`,
    );
  });
});
