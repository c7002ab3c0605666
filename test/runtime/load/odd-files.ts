// Things that a stranger may have put where a file is expected.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export type Kind = 'pipe' | 'endless' | 'huge' | 'folder';

export function plant(kind: Kind, path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  if (kind === 'pipe') execFileSync('mkfifo', [path]);
  else if (kind === 'endless') symlinkSync('/dev/zero', path);
  else if (kind === 'folder') mkdirSync(path);
  else {
    writeFileSync(path, '');
    truncateSync(path, 3 * 1024 ** 3);
  }
}
