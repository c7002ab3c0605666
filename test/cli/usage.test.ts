// What commands say to words that they cannot use: exit code 2, and what to type instead.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandGroups, commands as rows } from '../../cli/commands.js';
import { openCommands, type Ran } from '../harness/commands.js';
import { writeFiles } from '../harness/files.js';

const commands = openCommands();
const folder = mkdtempSync(join(tmpdir(), 'toolwright-usage-'));
const pack = join(folder, 'pack');
const empty = join(folder, 'empty');

const files = {
  'package.json': '{"name": "@acme/demo", "version": "1.0.0", "type": "module"}',
  'toolwright.yaml': '',
  'mcp/servers/one.yaml': 'description: One\n',
  'mcp/servers/two.yaml': 'description: Two\n',
  'mcp/tools/get.yaml':
    'description: Get\nparameters:\n  key:\n    type: string\n    description: Which\noptions:\n  size: { type: integer, default: 3 }\nexamples:\n  - name: first\n    input: { key: a }\n',
  'mcp/prompts/ask.yaml': 'description: Ask\ntext: Ask\n',
};

beforeAll(() => {
  mkdirSync(empty);
  writeFiles(pack, files);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  commands.close();
});

function run(cwd: string, ...words: readonly string[]): Ran {
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '', TOOLWRIGHT_CACHE: 'off' };
  return commands.runSync(words, { cwd, env });
}

describe('P22 usage mistakes', () => {
  it.each([
    [['start', '--port', '3000'], '--http 3000'],
    [['dev', 'one', '--port=81'], '--http 81'],
    [['start', '--port'], '--http <port>'],
  ])('fix-A22 `toolwright` names --http where somebody typed --port: %j', (words, meant) => {
    const stderr = `toolwright: there is no option --port: did you mean ${meant}?\n`;
    expect(run(pack, ...words)).toMatchObject({ status: 2, stdout: '', stderr });
  });

  it.each([[['insall', '--help']], [['insall', '-h']], [['insall', 'cursor', '--help']]])(
    'fix-A12 `toolwright` refuses help of a command that does not exist: %j',
    words => {
      const ran = run(pack, ...words);
      expect(ran).toMatchObject({ status: 2, stdout: '' });
      expect(ran.stderr).toContain("unknown command 'insall'\n(Did you mean install?)");
    },
  );

  it.each([
    [['--cwd', 'x', 'check'], 'toolwright check --cwd x'],
    [['--cwd', 'check', 'check', '--quiet'], 'toolwright check --cwd check --quiet'],
    [['--format=json', 'explain', 'a b'], "toolwright explain --format=json 'a b'"],
    [['--quiet', 'list'], 'toolwright list --quiet'],
  ])('`toolwright` says where an option belongs that comes before the command: %j', (words, line) => {
    const stderr = `toolwright: options come after the command: ${line}\n`;
    expect(run(pack, ...words)).toMatchObject({ status: 2, stdout: '', stderr });
  });

  it('`toolwright` reports unknown options and accepts its own before a command', () => {
    expect(run(pack, '--nonsense')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("unknown option '--nonsense'"),
    });
    expect(run(pack, '--help', 'check')).toMatchObject({ status: 0, stderr: '' });
    expect(run(pack, 'check', '--nonsense').stderr).toContain("unknown option '--nonsense'");
  });

  it('`call` without a tool lists the tools of the servers', () => {
    expect(run(pack, 'call')).toMatchObject({
      status: 2,
      stderr: 'toolwright: which tool? one has get; two has get\n',
    });
  });

  it.each([
    ['inspect'],
    ['install', 'cursor'],
    ['install', 'cursor', 'x'],
    ['uninstall', 'cursor'],
    ['start'],
    ['check'],
  ])('a command without a pack exits with 2: %s %s', (...words) => {
    const { status, stdout, stderr } = run(empty, ...words.filter(word => word !== undefined));
    expect([status, (stdout + stderr).includes('[discover/no-manifest]')]).toEqual([2, true]);
  });

  it.each([
    [['start'], 'toolwright start one'],
    [['install', 'cursor'], 'toolwright install cursor one'],
    [['uninstall', 'cursor'], 'toolwright uninstall cursor one'],
  ])('a command that needs a server says what to type: %j', (words, line) => {
    const stderr = `toolwright: which server? acme/demo has one, two\n  hint: name it, as in ${line}; or write "servers: [one, two]" into toolwright.yaml: the first is the default\n`;
    expect(run(pack, ...words)).toMatchObject({ status: 2, stdout: '', stderr });
  });
});

describe('P18 `toolwright explain --field`', () => {
  it.each([
    ['parameters.key', 3, '{"type":"string","description":"Which"}'],
    ['parameters.key.description', 5, '"Which"'],
    ['options.size', 7, '3'],
    ['options.size.type', 7, '"integer"'],
    ['examples.0.input.key', 10, '"a"'],
  ])('`explain --field` shows a part of a field: %s', (field, line, value) => {
    const { status, stdout } = run(pack, 'explain', 'get', '--field', field);
    expect([status, stdout.trimEnd().split('\n').at(-1)]).toEqual([
      0,
      `    ${field}  mcp/tools/get.yaml:${line}  ${value}`,
    ]);
  });

  it('`explain --field` lists the existing fields with an example when the field does not exist', () => {
    const has = 'it has description, parameters, options, examples; a part of one: --field parameters.key';
    expect(run(pack, 'explain', 'get', '--field', 'parameters.nix').stderr).toContain(has);
    expect(run(pack, 'explain', 'get', '--field', 'paramters')).toMatchObject({
      status: 2,
      stderr: `toolwright: the tool "get" has no field "paramters": did you mean "parameters"? (${has})\n`,
    });
    expect(run(pack, 'explain', 'get', '--field', 'constructor').status).toBe(2);
  });
});

describe('`toolwright rename` of an unknown item', () => {
  it('`rename` lists the existing items when the item does not exist', () => {
    expect(run(pack, 'rename', 'tool', 'something', 'x').stderr).toContain('it has get\n');
    expect(run(pack, 'rename', 'prompt', 'something', 'x').stderr).toContain('it has ask\n');
    expect(run(pack, 'rename', 'resource', 'something', 'x').stderr).toContain('it has no resources\n');
  });
});

describe('`toolwright --help`', () => {
  it('`--help` shows every command under a heading, and a line for each option that every command has', () => {
    const { stdout } = run(pack, '--help');
    const headings = stdout.split('\n').filter(line => /^[A-Z].*:$/.test(line));
    expect(headings).toEqual(['Options:', ...commandGroups.map(({ heading }) => heading)]);
    const visible = rows.filter(({ isHidden }) => isHidden !== true).map(({ name }) => name);
    expect(stdout.match(/^ {2}[a-z]+ /gm)?.map(word => word.trim())).toEqual(visible);
    for (const name of visible) expect(run(pack, name, '--help').stdout).toContain('-h, --help');
  });
});
