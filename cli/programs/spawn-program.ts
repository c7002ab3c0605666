// In: a program of the user, with words for it. Out: its process. Nothing is looked up by name, and no shell reads a word of the words.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { join } from 'node:path';
import { type Program, safeEnvironment } from './find-program.js';

export interface ProgramOptions {
  readonly cwd: string;
  readonly stdio: NonNullable<SpawnOptions['stdio']>;
  /** In place of what the process has, but for PATH. */
  readonly env?: NodeJS.ProcessEnv;
  /** For `endProgram`: whatever it starts ends with it. It does not hear of Ctrl-C in the terminal then. */
  readonly isGroup?: boolean;
}

export function spawnProgram(program: Program, args: readonly string[], options: ProgramOptions): ChildProcess {
  const { cwd, stdio, env = process.env, isGroup = false } = options;
  const { PATH, NoDefaultCurrentDirectoryInExePath } = safeEnvironment(cwd);
  const others = Object.entries(env).filter(([key]) => key.toUpperCase() !== 'PATH');
  const { file, args: words, verbatim } = wordsFor(program, args);
  return spawn(file, words, {
    cwd,
    stdio,
    env: { ...Object.fromEntries(others), PATH, NoDefaultCurrentDirectoryInExePath },
    windowsVerbatimArguments: verbatim,
    // On Windows that would open a console, and there are no groups.
    detached: isGroup && process.platform !== 'win32',
  });
}

/** At once, with all that it has started where it has a group. */
export function endProgram(child: ChildProcess): void {
  if (child.pid === undefined || process.platform === 'win32') child.kill('SIGKILL');
  else
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
}

/**
 * A script of Windows needs its shell, which gets the path in quotes: then it looks for nothing.
 *
 * @example wordsFor({ file: 'C:\\a b\\pnpm.cmd', args: [], isScript: true }, ['install'])
 */
export function wordsFor(
  { file, args: first, isScript }: Program,
  rest: readonly string[],
): { readonly file: string; readonly args: readonly string[]; readonly verbatim: boolean } {
  const args = [...first, ...rest];
  if (!isScript) return { file, args, verbatim: false };
  const { ComSpec = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'cmd.exe') } = process.env;
  const line = [`"${file}"`, ...args.map(quote)].join(' ');
  return { file: ComSpec, args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}

function quote(word: string): string {
  if (/["%\r\n]/.test(word)) throw new Error(`this argument cannot be passed on: ${word}`);
  return /^[\w@:./\\=+,-]+$/.test(word) ? word : `"${word}"`;
}
