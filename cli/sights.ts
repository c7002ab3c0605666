// What was found at a path, for what changed too recently for its stamp to be trusted: a second change within one tick of
// the clock would leave the stamp as it is. In: bytes, names or a type as they were seen. Out: a word that can be compared later.
import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { codeOf, type Entry, nodeFolder } from '../runtime/load/folder.js';
import { maxBytes, readBytes } from '../runtime/load/read-file.js';

/** One word without spaces; undefined where it could not be compared. */
export type Sight = string | undefined;

const require = createRequire(import.meta.url);

/** SHA-256, as the loader takes it. Its library is loaded on first use: most runs need none. */
export function digest(content: Uint8Array | string): string {
  const { hash } = require('node:crypto') as typeof import('node:crypto');
  return hash('sha256', content, 'base64url');
}

export function sightOfBytes(bytes: Uint8Array): Sight {
  return `bytes:${digest(bytes)}`;
}

/** Undefined entries: there is no such folder. */
export function sightOfNames(entries: readonly Entry[] | undefined): Sight {
  if (entries === undefined) return sightOfNothing;
  return `names:${digest(JSON.stringify(entries.map(({ name, type }) => [name, type])))}`;
}

export function sightOfType(type: string): Sight {
  if (type === 'missing') return sightOfNothing;
  return type === 'file' || type === 'folder' ? `type:${type}` : undefined;
}

export const sightOfNothing = 'nothing';

/** Whether what is at a path now is what was seen. Nothing but files and folders is opened: a pipe would hang. */
export function isStill(path: string, sight: string): boolean {
  try {
    const stats = statSync(path);
    const type = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
    if (sight.startsWith('type:')) return sight === sightOfType(type);
    if (sight.startsWith('bytes:'))
      return type === 'file' && stats.size <= maxBytes && sight === sightOfBytes(readBytes(path));
    return sight.startsWith('names:') && type === 'folder' && sight === sightOfNames(nodeFolder(path).list(''));
  } catch (error) {
    return sight === sightOfNothing && isMissing(error);
  }
}

export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
}

/** Whether a folder has a name that passes a test; false where it cannot be listed. */
export function hasName(path: string, test: (name: string) => boolean): boolean {
  try {
    return readdirSync(path).some(test);
  } catch {
    return false;
  }
}
