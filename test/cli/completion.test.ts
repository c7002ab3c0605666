// toolwright completion: what the shells are offered, asked of the command itself and through real shells.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { Language, Parser } from '@vscode/tree-sitter-wasm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { command, makeAuthorWorld } from './author-world.js';

const world = makeAuthorWorld();
let pack = '';
let bin = '';

beforeAll(() => {
  pack = world.make({
    'toolwright.yaml': 'name: acme/p\n',
    'mcp/servers/main.yaml': 'description: S\n',
    'mcp/servers/other.yaml': 'transport: http\n',
    'mcp/tools.yaml': 'get-issue: { description: A }\nget-user: { description: B }\n',
    'mcp/prompts/ask.yaml': 'text: x\n',
    'mcp/schemas/issue.yaml': 'type: string\n',
    'mcp/schemas.yaml': 'user: { type: string }\n',
  });
  bin = join(world.folder, 'bin');
  mkdirSync(bin);
  symlinkSync(command, join(bin, 'toolwright'));
  chmodSync(command, 0o755);
});
afterAll(() => world.remove());

function offered(...words: readonly string[]): readonly string[] {
  const { status, stdout, stderr } = world.run(pack, '__complete', '--', ...words);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.split('\n').flatMap(line => (line === '' ? [] : [line.split('\t')[0] ?? '']));
}

describe('`toolwright __complete`', () => {
  it.each([
    [['ren'], ['rename']],
    [['--v'], ['--version']],
    [
      ['start', ''],
      ['main', 'other', 'pack-development'],
    ],
    [['inspect', 'o'], ['other']],
    [
      ['list', ''],
      ['acme/p/main', 'acme/p/other'],
    ],
    [
      ['explain', 'get-'],
      ['get-issue', 'get-user'],
    ],
    [
      ['explain', ''],
      ['main', 'other', 'get-issue', 'get-user', 'ask', 'issue', 'user'],
    ],
    [
      ['call', ''],
      ['get-issue', 'get-user', 'main', 'other'],
    ],
    [['call', 'main', 'get-u'], ['get-user']],
    [['call', 'get-user', ''], []],
    [
      ['rename', ''],
      ['server', 'tool', 'prompt', 'resource', 'schema'],
    ],
    [['rename', 'prompt', ''], ['ask']],
    [['rename', 'prompt', 'ask', ''], []],
    [['add', 'to'], ['tool']],
    [['add', 'tool', 'x', '--server', 'm'], ['main']],
    [['install', 'claude-c'], ['claude-code']],
    [['install', 'cursor', 'ma'], ['main']],
    [['install', 'cursor', '--disable', 'get-i'], ['get-issue']],
    [
      ['schema', 'overlay'],
      ['overlay', 'overlays'],
    ],
    [['schema', 'iss'], ['issue']],
    [
      ['rename', 'schema', ''],
      ['issue', 'user'],
    ],
    [['remove', 'schema', 'u'], ['user']],
    [['schema', 'server', 'http.po'], ['http.port']],
    [
      ['schema', 'tools', 'errors.s'],
      ['errors.status', 'errors.suggestedFix'],
    ],
    [['schema', 'nothing', ''], []],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish', 'powershell'],
    ],
    [['check', '--format', 's'], ['sarif']],
    [['check', '--format=s'], ['--format=sarif']],
    [['check', '--format', '=', 's'], ['sarif']],
    [
      ['check', '--format', '='],
      ['text', 'json', 'github', 'sarif'],
    ],
    [['check', '--strict', '--str'], []],
    [['check', '--overlay', 'x', '--ov'], ['--overlay']],
    [['check', '--cwd', ''], []],
    [['start', '--cwd', '/nowhere', ''], ['pack-development']],
    [
      ['start', '""'],
      ['main', 'other', 'pack-development'],
    ],
    [['nonsense', ''], []],
    [['call', 'pack-development', 'add'], ['add_item']],
    [
      ['inspect', 'pack-development', '--tag', ''],
      ['look', 'verify', 'write'],
    ],
  ])('`__complete` answers %j', (words, expected) => {
    expect(offered(...words)).toEqual(expected);
  });

  it('`__complete` offers every command that `--help` lists, with what it does', () => {
    const { stdout } = world.run(pack, '__complete', '--', '');
    const names = stdout
      .trimEnd()
      .split('\n')
      .map(line => line.split('\t'));
    const help = world.run(pack, '--help').stdout;
    const listed = [...help.slice(help.indexOf('Write a pack:')).matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
    expect(names.map(([name]) => name)).toEqual(listed);
    expect(names.every(([, hint = '']) => hint.length > 10)).toBe(true);
    expect(help).not.toContain('__complete');
  });

  it('`__complete` never fails: not for a broken pack, without a pack or without words', () => {
    const broken = world.make({ 'toolwright.yaml': 'tools: [\n' });
    for (const cwd of [broken, world.folder])
      for (const words of [[], ['start', ''], ['explain', ''], ['call', ''], ['--', ''], ['rename', 'x', '']])
        expect(world.run(cwd, '__complete', '--', ...words)).toMatchObject({ status: 0, stderr: '' });
  });
});

/** What a shell gives back, in which `toolwright` is the built command. */
function shell(name: string, script: string) {
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}`, TOOLWRIGHT_CACHE: 'off' };
  return spawnSync(name, ['-c', script], { cwd: pack, env, encoding: 'utf8' });
}

describe('`toolwright completion`', () => {
  it('`completion` prints a script for each shell and refuses shells it does not know', () => {
    for (const name of ['bash', 'zsh', 'fish', 'powershell'])
      expect(world.run(pack, 'completion', name).stdout).toContain('toolwright __complete'.slice(11));
    expect(world.run(pack, 'completion', 'csh')).toMatchObject({ status: 2, stdout: '' });
  });

  it.each([
    ['toolwright call get-', ['get-issue', 'get-user']],
    ['toolwright check --format=', ['text', 'json', 'github', 'sarif']],
    ['toolwright rename tool get-u', ['get-user']],
    ['toolwright check mcp', []],
  ])('bash completes `%s`', (line, expected) => {
    // As readline does: words split at blanks and at `=`, the function called, its answer read.
    const words = line.split(/( |=)/).filter(word => word !== ' ' && word !== '');
    if (line.endsWith(' ')) words.push('');
    const quoted = words.map(word => `'${word}'`).join(' ');
    const { stdout, stderr, status } = shell(
      'bash',
      `eval "$(toolwright completion bash)"
COMP_WORDS=(${quoted}) COMP_CWORD=${words.length - 1}
_toolwright_complete
printf '%s\\n' "\${COMPREPLY[@]}"
complete -p toolwright`,
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const lines = stdout.split('\n').filter(one => one !== '');
    expect(lines.pop()).toBe('complete -o default -F _toolwright_complete toolwright');
    expect(lines).toEqual(expected);
  });

  it('bash completes on a real terminal when Tab is pressed', () => {
    const rc = join(world.folder, 'rc');
    writeFileSync(rc, 'eval "$(toolwright completion bash)"\nPS1="$ "\n');
    const typed = 'toolwright explain get-is\t --field description\nexit\n';
    const env = {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env['PATH']}`,
      TERM: 'dumb',
      TOOLWRIGHT_CACHE: 'off',
    };
    const { stdout } = spawnSync(
      'script',
      ['-qec', `stty cols 200; bash --noprofile --rcfile '${rc}' -i`, '/dev/null'],
      {
        cwd: pack,
        env,
        encoding: 'utf8',
        input: typed,
      },
    );
    expect(stdout).toContain('explain get-issue');
  });

  /** Machines without one of these shells show its test as skipped; `.ci/run` installs them. */
  const isMissing = (name: string): boolean => spawnSync(name, ['--version']).error !== undefined;

  it.skipIf(isMissing('zsh'))('zsh parses its completion script without errors', () => {
    expect(shell('bash', 'toolwright completion zsh | zsh -n')).toMatchObject({ status: 0, stderr: '' });
  });

  it.skipIf(isMissing('fish'))('fish completes the names of tools', () => {
    const line = 'toolwright completion fish | source; complete -C "toolwright call get-"';
    expect(shell('fish', line)).toMatchObject({ status: 0, stdout: 'get-issue\ttool\nget-user\ttool\n', stderr: '' });
  });

  it('PowerShell parses its completion script without errors', async () => {
    if (isMissing('pwsh')) return expectPowerShell(world.run(pack, 'completion', 'powershell').stdout);
    const line = '$null = [scriptblock]::Create((toolwright completion powershell | Out-String))';
    expect(shell('pwsh', line)).toMatchObject({ status: 0, stderr: '' });
  });

  /** Few machines have PowerShell, and Debian does not: the grammar of an editor reads the script there. */
  async function expectPowerShell(script: string): Promise<void> {
    await Parser.init();
    const grammar = createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-powershell.wasm');
    const parser = new Parser().setLanguage(await Language.load(grammar));
    const hasError = (text: string): boolean | undefined => parser.parse(text)?.rootNode.hasError;
    expect(script).toContain('Register-ArgumentCompleter');
    expect(hasError(script)).toBe(false);
    expect(hasError(script.replace('}', ''))).toBe(true);
  }
});
