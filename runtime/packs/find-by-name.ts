// In: the name of a pack as a person types it. Out: its folder: as Node would find it, else a workspace of this project that is
// not linked yet. What `list` shows as the project's own must never be looked for in a registry.
import { nodeFolder } from '../load/folder.js';
import { readManifest } from '../load/manifest.js';
import { createReader } from '../load/read.js';
import { type FoundPack, findPack } from './find-pack.js';
import { findProject } from './workspaces.js';

/** @example findByName('acme/jira', process.cwd()) // { folder: '/app/packages/jira' } */
export function findByName(pack: string, cwd: string): FoundPack {
  const found = findPack(pack, [cwd]);
  if ('folder' in found) return found;
  const member = findProject(cwd).packages.find(
    folder => readManifest(createReader(nodeFolder(folder))).value?.name === pack,
  );
  return member === undefined ? found : { folder: member };
}
