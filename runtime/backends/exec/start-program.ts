// B3. In: a command that is ready. Out: its process, never through a shell; or why it cannot be started, in words.
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { win32 } from 'node:path';
import type { Environment } from '../../call/context/config.js';
import { type FailureFacts, UpstreamFailure } from '../../call/upstream-failure.js';
import { environmentOf, type ReadyCommand } from './prepare-command.js';
import { treeOptions } from './process-tree.js';

/** Throws an UpstreamFailure; a process without a pid reports what is wrong with 'error', which `startFailure` explains. */
export function startProgram(ready: ReadyCommand, env: Environment): ChildProcess {
  const made = environmentOf(ready, env);
  const file = process.platform === 'win32' ? findWindowsProgram(ready, made, isFile) : ready.file;
  try {
    return spawn(file, ready.args, {
      ...treeOptions,
      shell: false,
      cwd: ready.folder,
      env: made,
      stdio: [ready.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
  } catch (error) {
    throw startFailure(error, ready);
  }
}

/** The system has one code for several mistakes: what is missing is looked up. */
export function startFailure(error: unknown, { name, file, cwd, folder }: Attempt): UpstreamFailure {
  const code = String((error as NodeJS.ErrnoException | undefined)?.code ?? 'unknown');
  const failed = (message: string, facts: FailureFacts = {}): UpstreamFailure =>
    new UpstreamFailure('UPSTREAM_UNREACHABLE', message, { upstream: code, retryable: false, cause: error, ...facts });
  const place = folder === undefined ? undefined : folderProblem(folder);
  // A code of its own, so that `match: [ENOENT]` is about the program.
  if (place !== undefined)
    return failed(`${name} cannot be run in the folder ${cwd}: ${place}`, { upstream: 'ENOTDIR' });
  switch (code) {
    case 'E2BIG':
    case 'ENAMETOOLONG':
      return new UpstreamFailure('BAD_VALUE', `the arguments of ${name} are too long for this system`, {
        upstream: code,
      });
    case 'ENOENT':
      if (!/[\\/]/.test(file)) {
        const suggestedFix = `Install ${name}, and make sure that its folder is in PATH.`;
        return failed(`the program ${name} is not installed`, { suggestedFix });
      }
      if (!isFile(file)) return failed(`the program ${name} does not exist`);
      return failed(`the program ${name} cannot be started: what its first line names is not installed`);
    case 'EACCES':
    case 'EPERM':
      return failed(`the program ${name} cannot be started: it is not executable`);
    case 'ENOEXEC':
      return failed(`the program ${name} cannot be started: this system does not know its format`);
    case 'EAGAIN':
    case 'EMFILE':
    case 'ENFILE':
    case 'ENOMEM':
      return failed(`the system cannot start ${name} now: it is out of resources`, { retryable: true });
    default:
      return failed(`the program ${name} cannot be started (${code})`);
  }
}

type Attempt = Pick<ReadyCommand, 'name' | 'file'> & Partial<Pick<ReadyCommand, 'cwd' | 'folder'>>;

function folderProblem(path: string): string | undefined {
  try {
    if (!statSync(path).isDirectory()) return 'it is not a folder';
    accessSync(path, constants.X_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'it does not exist' : 'it cannot be opened';
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Windows looks into the working folder before PATH, which may be anybody's; and it has scripts that only its shell runs, for which no
 * argument is safe.
 *
 * @example findWindowsProgram({ file: 'git', name: 'git' }, { PATH: 'C:\\Git\\bin' }, isFile) // 'C:\\Git\\bin\\git.exe'
 */
export function findWindowsProgram(
  { file, name }: Pick<ReadyCommand, 'file' | 'name'>,
  env: Readonly<Record<string, string>>,
  exists: (path: string) => boolean,
): string {
  if (/\.(?:cmd|bat)[. ]*$/i.test(file)) throw scriptFailure(name);
  if (/[\\/]/.test(file)) return file;
  const [, path = ''] = Object.entries(env).find(([key]) => key.toUpperCase() === 'PATH') ?? [];
  const folders = path.split(';').map(folder => folder.replaceAll('"', ''));
  const found = (extensions: readonly string[]): string | undefined =>
    folders
      .filter(folder => folder !== '')
      .flatMap(folder => extensions.map(extension => win32.join(folder, `${file}${extension}`)))
      .find(exists);
  const program = found(/\.(?:exe|com)$/i.test(file) ? [''] : ['.com', '.exe']);
  if (program !== undefined) return program;
  if (found(['.cmd', '.bat']) !== undefined) throw scriptFailure(name);
  throw startFailure({ code: 'ENOENT' }, { name, file });
}

function scriptFailure(name: string): UpstreamFailure {
  return new UpstreamFailure(
    'UPSTREAM_UNREACHABLE',
    `${name} is a script that only a shell of Windows runs (.cmd, .bat), which is never used`,
    {
      upstream: 'EINVAL',
      retryable: false,
      suggestedFix: 'Run the program that the script starts, such as node with the path of a file.',
    },
  );
}
