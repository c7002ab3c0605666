// B3: values that a program would run as code.
import { describe, expect, it } from 'vitest';
import { findCodeValues } from '../../../schema/backend/interpreters.js';

type Exec = Readonly<Record<string, unknown>>;

function code(exec: Exec): readonly string[] {
  return findCodeValues(exec).map(({ path }) => path.join('.'));
}

describe('values that would be code', () => {
  it.each<[string, Exec, readonly string[]]>([
    ['a shell', { command: 'bash', args: ['-c', 'echo {x}'] }, ['args.1']],
    ['a shell by its path', { command: '/usr/bin/sh', args: ['-ec', '--', '{x}'] }, ['args.2']],
    ['a shell with an option before its code', { command: 'bash', args: ['-c', '-x', '{x}'] }, ['args.2']],
    ['a shell behind another program', { command: 'env', args: ['-i', 'zsh', '-c', '{x}'] }, ['args.3']],
    ['a shell somewhere', { command: 'docker', args: ['exec', 'box', 'sh', '-c', 'ls {x}'] }, ['args.4']],
    ['the user of a shell', { command: 'su', args: ['-c', 'ls {x}', 'jane'] }, ['args.1']],
    ['the file of a shell', { command: 'sh', args: ['-o', 'pipefail', '--', '{x}'] }, ['args.3']],
    ['the input of a shell', { command: 'bash', args: ['-s'], stdin: 'ls {x}' }, ['stdin']],
    ['Node', { command: 'node', args: ['-e', 'f("{x}")'] }, ['args.1']],
    ['Node, in one word', { command: 'node20', args: ['--eval={x}', '-p{x}'] }, ['args.0', 'args.1']],
    ['a module of Node', { command: 'node', args: ['--import={x}', 'run.js'] }, ['args.0']],
    ['Python', { command: 'python3.12', args: ['-W', 'ignore', '-c', '{x}'] }, ['args.3']],
    ['a module of Python', { command: 'python3', args: ['-m', '{x}'] }, ['args.1']],
    ['Perl', { command: 'perl', args: [{ if: 'x', args: ['-ne', '{x}'] }] }, ['args.0.args.1']],
    ['PHP', { command: 'php', args: ['-r', '{x}'] }, ['args.1']],
    ['PowerShell', { command: 'pwsh', args: ['-Command', 'ls', '{x}'] }, ['args.2']],
    ['cmd', { command: 'cmd.exe', args: ['/c', 'dir', '{x}'] }, ['args.2']],
    ['awk', { command: 'awk', args: ['-v', 'a={y}', '/{x}/', 'file'] }, ['args.2']],
    ['sed', { command: 'sed', args: ['s/a/{x}/'] }, ['args.0']],
    ['another computer', { command: 'ssh', args: ['-p', '22', '{host}', 'tail', '{x}'] }, ['args.4']],
    ['a variable', { command: 'git', env: { GIT_SSH_COMMAND: '{x}', LANG: '{x}' } }, ['env.GIT_SSH_COMMAND']],
  ])('B3 a value that would be code of %s is found', (_what, exec, paths) => {
    expect(code(exec)).toEqual(paths);
  });

  it.each<Exec>([
    { command: 'bash', args: ['-c', 'wc -c < "$1"', '--', '{x}'], stdin: '{x}' },
    { command: 'sh', args: ['run.sh', '{x}'], stdin: '{x}' },
    { command: 'node', args: ['-e', 'f(process.argv[1])', '--', '{x}'] },
    { command: 'python3', args: ['-m', 'json.tool'], stdin: '{x}' },
    { command: 'awk', args: ['-v', 'a={x}', '{{ print a }}', 'file'], stdin: '{x}' },
    { command: 'sed', args: ['-f', 'run.sed', '--', '{x}'] },
    { command: 'ssh', args: ['-p', '22', '--', '{host}'] },
    { command: 'git', args: ['log', '-c', '{x}', '--', 'sh', '{x}'], env: { NAME: '{x}', NODE_OPTIONS: '{config.X}' } },
    { command: 'env', args: ['git', 'show'] },
    {},
  ])('B3 %j has no value that would be code', exec => {
    expect(code(exec)).toEqual([]);
  });
});
