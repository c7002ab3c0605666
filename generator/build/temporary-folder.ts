// A folder that exists only while it is needed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf } from '../../runtime/load/folder.js';

/** The error names what the user can set: the system's own names a folder that nobody knows. */
export async function inTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = makeFolder();
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'toolwright-build-'));
  } catch (error) {
    const why = codeOf(error) === 'ENOENT' ? 'does not exist' : `cannot be written (${codeOf(error)})`;
    throw new Error(`the folder for temporary files ${why}: ${tmpdir()} (set TMPDIR)`, { cause: error });
  }
}
