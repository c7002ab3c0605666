// In: TOOLWRIGHT_ROOTS. Out: the folders for clients that name none (C7).
import { delimiter } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Root } from '../../../schema/support/mcp/client.js';

/**
 * Folders, separated as in PATH; relative ones start where the server was started.
 *
 * @example readRoots('/home/me/a:/home/me/b') // [{ uri: 'file:///home/me/a' }, { uri: 'file:///home/me/b' }]
 */
export function readRoots(text: string | undefined): readonly Root[] {
  const paths = (text ?? '').split(delimiter).map(path => path.trim());
  return Object.freeze(paths.filter(path => path !== '').map((path): Root => ({ uri: pathToFileURL(path).href })));
}
