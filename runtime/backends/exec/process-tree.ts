// B3. In: a process that was started as the leader of a group. Out: an end of it and of all that it has started, also when this
// process ends first.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { dirname } from 'node:path';

const isWindows = process.platform === 'win32';

/** A group of its own is what can be ended as a whole. On Windows it would open a console, and there are no groups. */
export const treeOptions = { detached: !isWindows, windowsHide: true } as const;

/** How long a program may take to end when it is asked to. */
const graceMs = 2000;

/** Those that must not outlive this process. */
const live = new Set<ChildProcess>();
let isWatching = false;

/** What the program leaves behind when it ends by itself, such as an agent, is meant to stay. */
export function watchTree(child: ChildProcess): void {
  if (!isWatching) {
    isWatching = true;
    process.once('exit', () => {
      for (const one of live) signalTree(one, 'SIGKILL', true);
    });
  }
  live.add(child);
  child.once('exit', () => live.delete(child));
}

/** Asks the whole tree to end, and ends what is left of it a little later; `onKill` is then called. */
export function endTree(child: ChildProcess, onKill: () => void): void {
  signalTree(child, 'SIGTERM');
  live.add(child);
  const timer = setTimeout(() => {
    signalTree(child, 'SIGKILL');
    live.delete(child);
    onKill();
  }, graceMs);
  // The handler of 'exit' does the same, should this process end before.
  timer.unref();
  // What is left of the group may ignore the first signal, and have no pipe to us that would tell.
  const onExit = (): void => {
    if (!isGone(child)) {
      live.add(child);
      return;
    }
    live.delete(child);
    clearTimeout(timer);
  };
  if (hasEnded(child)) onExit();
  else child.once('exit', onExit);
}

/** The program itself; what it has started may still run. */
export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function isGone({ pid }: ChildProcess): boolean {
  if (isWindows || pid === undefined) return true;
  try {
    return !process.kill(-pid, 0);
  } catch {
    return true;
  }
}

function signalTree(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL', isLast = false): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (isWindows) {
    endWindowsTree(child, pid, isLast);
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is empty, or another user's.
  }
}

/** There are no signals to ask with. A leader that has ended no longer says what it has started. */
function endWindowsTree(child: ChildProcess, pid: number, isLast: boolean): void {
  if (hasEnded(child)) return;
  const words = ['/pid', String(pid), '/T', '/F'];
  // Windows looks for programs in the working folder first, which may be anybody's.
  const options = { stdio: 'ignore', windowsHide: true, cwd: dirname(process.execPath) } as const;
  if (isLast) spawnSync('taskkill', words, options);
  else spawn('taskkill', words, options).once('error', () => child.kill());
}
