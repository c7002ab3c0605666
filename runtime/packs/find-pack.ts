// In: the name of a pack that a person types. Out: the folder of the pack, also of a workspace that is not linked.
import { type FoundPack, findPack } from '../load/find-pack.js';
import { nodeFolder } from '../load/folder.js';
import { readManifest } from '../load/manifest.js';
import { createReader } from '../load/read.js';
import { findProject } from './workspaces.js';

/**
 * As a server finds it; else a workspace of this project that is not linked yet. What `list` shows as the project's
 * own must never be looked for in a registry.
 *
 * @example findByName('acme/jira', process.cwd()) // { folder: '/app/packages/jira' }
 */
export function findByName(pack: string, cwd: string): FoundPack {
  const found = findPack(pack, [cwd]);
  if ('folder' in found) return found;
  const member = findProject(cwd).packages.find(
    folder => readManifest(createReader(nodeFolder(folder))).value?.name === pack,
  );
  return member === undefined ? found : { folder: member };
}
