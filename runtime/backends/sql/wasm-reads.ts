// In: a database. Out: what goes around a read by `node-sqlite3-wasm` in this process.
import fs, { existsSync } from 'node:fs';
import path from 'node:path';
import type { Around } from './sqlite-here.js';
import { type LockGuard, makeLockGuard } from './wasm-lock.js';

/**
 * Anyone who removes a lock must know that it was ours, should this process be killed inside a read. A journal is for the helper: the driver
 * would not undo what it has (wasm-lock.ts). One that comes in between needs a lock of its own, which ends the read; the look behind it is
 * for a process that was stopped for a second just then, which may have slept through a writer that was killed.
 */
export function wasmReads(file: string): Around {
  const journal = `${file}-journal`;
  let guard: LockGuard | undefined;
  return {
    enter() {
      if (existsSync(journal)) return false;
      guard ??= makeLockGuard(fs, path, file, false);
      guard.enter();
      return true;
    },
    leave() {
      guard?.leave();
      return !existsSync(journal);
    },
  };
}
