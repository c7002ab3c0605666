// B3, B8: what `call --dry-run` shows of a program, and what Windows is asked for.
import { describe, expect, it } from 'vitest';
import { environmentOf } from '../../../../runtime/backends/exec/prepare-command.js';
import { previewCommand } from '../../../../runtime/backends/exec/run-command.js';
import { findWindowsProgram } from '../../../../runtime/backends/exec/start-program.js';
import { makeScope } from './exec-kit.js';

const scope = makeScope('/pack', {}, { TOKEN: `hunter'22 secret` });

describe('a preview', () => {
  it('B3 the words of a command are shown on one line, quoted where they need it', () => {
    const args = ['log', '--max-count=2', '--', 'a b', '', `it's`, '$x', 'a\nb', '\x1b[31m'];
    const shown = `git log --max-count=2 -- 'a b' '' 'it'\\''s' '$x' $'a\\nb' $'\\x1b[31m'`;
    expect(previewCommand({ command: 'git', args }, scope)).toBe(shown);
  });

  it('B3 the folder, the variables and the input are shown', () => {
    const command = { command: 'jq', cwd: 'data', env: { A: 1, B: 'x y' }, stdin: { a: 1 } };
    expect(previewCommand(command, scope)).toBe(`jq\ncwd: data\nenv: A=1 B='x y'\nstdin: '{"a":1}'`);
    expect(previewCommand({ command: 'jq', stdin: new Uint8Array(3) }, scope)).toBe('jq\nstdin: 3 bytes');
  });

  it('B8 secrets are masked wherever they stand', () => {
    const secret = `hunter'22 secret`;
    const env = { TOKEN: secret, AUTH: `Bearer ${secret}`, PLAIN: 'x' };
    const shown = previewCommand({ command: 'git', args: [`-H${secret}`], env, stdin: secret, cwd: secret }, scope);
    expect(shown).toContain('env: TOKEN=*** AUTH=*** PLAIN=x');
    expect(shown).not.toContain('hunter');
    expect(shown).not.toContain('22 secret');
  });

  it('B8 input is cut after secrets are removed', () => {
    const stdin = `${'x'.repeat(495)}hunter'22 secret${'y'.repeat(1000)}`;
    const shown = previewCommand({ command: 'cat', stdin }, scope);
    expect(shown).not.toContain('hunt');
    expect(shown).toMatch(/\.\.\. \(\d+ more characters\)$/);
  });

  it('B3 a value that cannot be an argument is refused in a preview, too', () => {
    expect(() => previewCommand({ command: 'git', args: ['\0'] }, scope)).toThrow(
      'argument 1 of git has a NUL character',
    );
  });
});

describe('programs of Windows', () => {
  const files = ['C:\\Git\\git.exe', 'C:\\Git\\git.cmd', 'C:\\Node\\npm.cmd', 'C:\\Node\\node.exe'];
  const find = (file: string): string =>
    findWindowsProgram({ file, name: file }, { Path: '"C:\\Git";;C:\\Node' }, path => files.includes(path));

  it('B3 a program is looked up in PATH alone', () => {
    expect(find('git')).toBe('C:\\Git\\git.exe');
    expect(find('node.exe')).toBe('C:\\Node\\node.exe');
    expect(find('C:\\x\\y.exe')).toBe('C:\\x\\y.exe');
    expect(() => find('svn')).toThrow('the program svn is not installed');
  });

  it('B3 a script that needs a shell is refused with a reason', () => {
    for (const name of ['npm', 'npm.cmd', 'C:\\x\\run.BAT', 'run.bat. '])
      expect(() => find(name)).toThrow(/is a script that only a shell of Windows runs/);
  });

  it('B3 variables of Windows are known in any case of the letters', () => {
    const env = { Path: 'C:\\a;.;D:\\b;c', SystemRoot: 'C:\\Windows', ComSpec: 'x', Temp: 't', Secret: 's' };
    expect(environmentOf({ ownEnv: { TEMP: 'own' } }, env, 'win32')).toEqual({
      Path: 'C:\\a;D:\\b',
      SystemRoot: 'C:\\Windows',
      ComSpec: 'x',
      TEMP: 'own',
    });
  });
});
