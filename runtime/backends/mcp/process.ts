// In: a command that is ready. Out: a process with pipes, in a group of its own, which ends with ours at the latest.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { waitAtMost } from '../../call/wait-at-most.js';
import { environmentOf, type ReadyCommand } from '../exec/prepare-command.js';
import { endTree, hasEnded, treeOptions, watchTree } from '../exec/process-tree.js';
import type { BackendScope } from '../ports.js';

/** What goes wrong becomes the event `error` of the process, like any other start that fails, or is thrown. */
export function startServer(
  { file, args, folder, ownEnv }: ReadyCommand,
  scope: Pick<BackendScope, 'env' | 'folder'>,
): ChildProcessWithoutNullStreams {
  // npx and its like are scripts on Windows, which only a shell starts. All words are the manifest's, none is of a call.
  const isScript = process.platform === 'win32' && !/\.(?:exe|com)$/i.test(file);
  const child = spawn(isScript ? quoted(file) : file, isScript ? args.map(quoted) : args, {
    ...treeOptions,
    cwd: folder ?? scope.folder,
    env: environmentOf({ ownEnv }, scope.env),
    stdio: 'pipe',
    shell: isScript,
  });
  if (child.pid !== undefined) watchTree(child);
  return child;
}

function quoted(word: string): string {
  return /^[\w./\\:@=+-]+$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`;
}

/** A server that is idle ends at once when nobody writes to it any more. */
const politeMs = 1000;
/** After this much the tree has been ended the hard way. */
const patientMs = 4000;

/** Ends a server: it may end by itself, then it is asked to, then it must. */
export async function endServer(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.pid !== undefined) {
    const ended = hasEnded(child) ? Promise.resolve() : once(child, 'exit').catch(() => undefined);
    child.stdin.end();
    await waitAtMost(politeMs, ended);
    // What it has started may be there still.
    endTree(child, () => undefined);
    await waitAtMost(patientMs, ended);
  }
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
}
