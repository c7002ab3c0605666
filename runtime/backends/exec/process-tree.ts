// B3. In: a process that was started as the leader of a group. Out: an end of it and of all that it has started, also when this
// process ends first, in whatever way.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { groupsBelow } from './process-groups.js';
import { guardTree, unguardTree } from './tree-guard.js';

const isWindows = process.platform === 'win32';

/** A group of its own is what can be ended as a whole. On Windows it would open a console, and there are no groups. */
export const treeOptions = { detached: !isWindows, windowsHide: true } as const;

/** How long a program may take to end when it is asked to. */
const graceMs = 2000;

/** Those that must not outlive this process, with the groups that they are known to have made. */
const live = new Map<ChildProcess, ReadonlySet<number>>();
let isWatching = false;

/** What the program leaves behind when it ends by itself, such as an agent, is meant to stay. */
export function watchTree(child: ChildProcess): void {
  if (!isWatching) {
    isWatching = true;
    process.once('exit', () => {
      for (const [one, groups] of live) signalTree(one, groups, 'SIGKILL', true);
    });
  }
  keep(child, groupOf(child));
  child.once('exit', () => forget(child));
}

function keep(child: ChildProcess, groups: ReadonlySet<number>): void {
  if (!live.has(child) && !isWindows && child.pid !== undefined) guardTree(child.pid);
  live.set(child, groups);
}

function forget(child: ChildProcess): void {
  if (live.delete(child) && !isWindows && child.pid !== undefined) unguardTree(child.pid);
}

/** Asks the whole tree to end, and ends what is left of it a little later; `onKill` is then called. */
export function endTree(child: ChildProcess, onKill: () => void): void {
  const groups = signalTree(child, groupOf(child), 'SIGTERM');
  keep(child, groups);
  const timer = setTimeout(() => {
    signalTree(child, groups, 'SIGKILL');
    forget(child);
    onKill();
  }, graceMs);
  // The handler of 'exit' does the same, should this process end before.
  timer.unref();
  // What is left of the groups may ignore the first signal, and have no pipe to us that would tell.
  const onExit = (): void => {
    if (!areGone(groups)) {
      keep(child, groups);
      return;
    }
    forget(child);
    clearTimeout(timer);
  };
  if (hasEnded(child)) onExit();
  else child.once('exit', onExit);
}

/** The program itself; what it has started may still run. */
export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** It is the leader of its own. */
function groupOf({ pid }: ChildProcess): ReadonlySet<number> {
  return new Set(isWindows || pid === undefined ? [] : [pid]);
}

function areGone(groups: ReadonlySet<number>): boolean {
  return [...groups].every(group => !signalGroup(group, 0));
}

/** Gives the groups that had the signal. */
function signalTree(
  child: ChildProcess,
  known: ReadonlySet<number>,
  signal: 'SIGTERM' | 'SIGKILL',
  isLast = false,
): ReadonlySet<number> {
  if (isWindows) {
    if (child.pid !== undefined) endWindowsTree(child, child.pid, isLast);
    return known;
  }
  const groups = groupsBelow(known);
  for (const group of groups) signalGroup(group, signal);
  return groups;
}

/** False: the group is empty, or another user's. */
function signalGroup(group: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
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
