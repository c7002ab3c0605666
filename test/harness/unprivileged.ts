// Commands run by a user whom permissions stop: nothing is forbidden to root, as whom containers run tests.
import { spawnSync } from 'node:child_process';
import { chmodSync, lchownSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import type { Ran } from './commands.js';

const command = join(import.meta.dirname, '../../dist/cli/main.js');

/** The user for `spawn`: an unprivileged one for root, else oneself. */
export const unprivileged: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Gives a folder of a test, with all that it has, to that user, and lets the user come in. */
export function handOver(folder: string): void {
  const { uid, gid } = unprivileged;
  if (uid === undefined || gid === undefined) return;
  lchownSync(folder, uid, gid);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    lchownSync(join(entry.parentPath, entry.name), uid, gid);
  for (let above = dirname(folder); above.startsWith(join(realpathSync(tmpdir()), sep)); above = dirname(above))
    chmodSync(above, (statSync(above).mode & 0o7777) | 0o055);
}

/** Runs the built command as that user. */
export function runUnprivileged(words: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }): Ran {
  return spawnSync(process.execPath, [command, ...words], { ...options, ...unprivileged, encoding: 'utf8' });
}
