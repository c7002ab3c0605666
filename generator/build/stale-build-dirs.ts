// Folders in which builds put together what they make. In: the folder of builds. Out: those that a killed build has left are gone.
import { createHash } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** A stage of another machine can only be judged by its age. */
const longestMs = 24 * 60 * 60 * 1000;

/** The beginning of its name tells whose it is: the machine and the process. */
export function buildDirPrefix(): string {
  return `.toolwright-${machine()}-${process.pid}-`;
}

export function removeStaleBuildDirs(out: string): void {
  for (const name of readdirSync(out)) {
    const [, host, pid] = /^\.toolwright-([0-9a-f]{8})-(\d+)-\w+$/.exec(name) ?? [];
    if (host === undefined || pid === undefined) continue;
    const path = join(out, name);
    const isLeft = host === machine() ? !isRunning(Number(pid)) : isOld(path);
    if (isLeft) rmSync(path, { recursive: true, force: true });
  }
}

function machine(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, but somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function isOld(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < Date.now() - longestMs;
}
