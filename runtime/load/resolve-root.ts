// In: a manifest and its folder. Out: the catalog of what lies below its root; empty where there is none.
import { addAll, type Diagnostic, diagnose, startOf } from '../../schema/diagnostics.js';
import { discover } from './discover.js';
import { type Folder, nameOf, parentOf } from './folder.js';
import { type Manifest, manifestFile } from './manifest.js';
import type { Reader } from './read.js';
import { type Catalog, resolve } from './resolve.js';

export const emptyCatalog: Catalog = { server: [], tool: [], prompt: [], resource: [] };

/** Discover, read, split and resolve below the root; without a root there are no items. */
export function resolveRoot(manifest: Manifest, reader: Reader, diagnostics: Diagnostic[]): Catalog {
  const { root, declarations } = manifest;
  if (root === undefined) return emptyCatalog;
  const status = reader.folder.status(root);
  const place = manifest.rootIsGiven ? manifest.at.site(['root']) : startOf(manifestFile);
  if (status === 'outside') {
    diagnostics.push(diagnose('resolve/path-escape', { path: root }, place));
    return emptyCatalog;
  }
  if (status !== 'folder') {
    // W10: an empty pack needs no root. A link that leads to none was meant to.
    const isExpected =
      manifest.rootIsGiven || Object.values(declarations).some(list => list.length > 0) || isLink(reader.folder, root);
    if (isExpected) diagnostics.push(diagnose('resolve/missing-root', { root }, place));
    return emptyCatalog;
  }
  const { value: refs, diagnostics: unreadable } = discover(reader.folder, root);
  const { value: catalog, diagnostics: unresolved } = resolve({ root, refs, reader, declarations });
  addAll(diagnostics, unreadable);
  addAll(diagnostics, unresolved);
  return catalog;
}

function isLink(folder: Folder, path: string): boolean {
  return folder.list(parentOf(path))?.some(({ name, type }) => type === 'link' && name === nameOf(path)) ?? false;
}
