// The whole way from a folder to a program, stage by stage: what the generator compiles and the runtime serves.
import { relative, sep } from 'node:path';
import { kinds } from '../../schema/definitions.js';
import { addAll, type Diagnostic, diagnose, sortDiagnostics, startOf } from '../../schema/diagnostics.js';
import { validate } from '../../schema/validate/validate.js';
import { discover } from './discover.js';
import { type Folder, nodeFolder } from './folder.js';
import { itemKey, type Linked, link } from './link.js';
import { type Manifest, manifestFile, readManifest } from './manifest.js';
import { applyOverlays } from './overlay.js';
import type { Program } from './program.js';
import { createReader, type ParseCache, type Reader } from './read.js';
import { type Catalog, resolve } from './resolve.js';

export interface LoadOptions {
  /** Folders of patches for texts and policy; later ones win. */
  readonly overlays?: readonly (string | Folder)[];
  /** Keeps parsed values between runs, by content hash. */
  readonly cache?: ParseCache;
}

export interface LoadedPack {
  /** Undefined where there is no usable toolwright.yaml. Items with errors are left out of it. */
  readonly program: Program | undefined;
  readonly manifest: Manifest | undefined;
  readonly catalog: Catalog;
  readonly tools: Linked['tools'];
  /** Sorted by file and position. */
  readonly diagnostics: readonly Diagnostic[];
  /** The hash of a file's content, empty where it cannot be read. */
  hashOf(file: string): string;
}

const emptyCatalog: Catalog = { server: [], tool: [], prompt: [], resource: [] };

export function load(where: string | Folder, options: LoadOptions = {}): LoadedPack {
  const folder = typeof where === 'string' ? nodeFolder(where) : where;
  const reader = createReader(folder, options.cache);
  const hashOf = (file: string): string => reader.text(file).value?.hash ?? '';
  const diagnostics: Diagnostic[] = [];
  const { value: manifest, diagnostics: wrongManifest } = readManifest(reader);
  addAll(diagnostics, wrongManifest);
  if (manifest === undefined) {
    return {
      program: undefined,
      manifest,
      catalog: emptyCatalog,
      tools: [],
      diagnostics: sortDiagnostics(diagnostics),
      hashOf,
    };
  }
  const resolved = resolveRoot(manifest, reader, diagnostics);
  const overlays = openOverlays(folder, options, diagnostics);
  const { value: catalog, diagnostics: wrongPatches } = applyOverlays(resolved, manifest.name, overlays);
  addAll(diagnostics, wrongPatches);
  const malformed = new Set<string>();
  for (const entry of kinds.flatMap(kind => catalog[kind])) {
    if (entry.winner === undefined) continue;
    const wrong = validate(entry.kind, entry.winner.definition, entry.winner.at);
    if (wrong.length > 0) malformed.add(itemKey(entry));
    addAll(diagnostics, wrong);
  }
  const linked = link(catalog, manifest, reader, malformed);
  addAll(diagnostics, linked.diagnostics);
  return {
    program: linked.program,
    manifest,
    catalog,
    tools: linked.tools,
    diagnostics: sortDiagnostics(diagnostics),
    hashOf,
  };
}

/** Discover, read, split and resolve below the root; without a root there are no items. */
function resolveRoot(manifest: Manifest, reader: Reader, diagnostics: Diagnostic[]): Catalog {
  const { root, declarations } = manifest;
  if (root === undefined) return emptyCatalog;
  const status = reader.folder.status(root);
  const place = manifest.rootIsGiven ? manifest.at.site(['root']) : startOf(manifestFile);
  if (status === 'outside') {
    diagnostics.push(diagnose('resolve/path-escape', { path: root }, place));
    return emptyCatalog;
  }
  if (status !== 'folder') {
    // W10: an empty pack needs no root.
    const isExpected = manifest.rootIsGiven || Object.values(declarations).some(list => list.length > 0);
    if (isExpected) diagnostics.push(diagnose('resolve/missing-root', { root }, place));
    return emptyCatalog;
  }
  const { value: refs, diagnostics: unreadable } = discover(reader.folder, root);
  const { value: catalog, diagnostics: unresolved } = resolve({ root, refs, reader, declarations });
  addAll(diagnostics, unreadable);
  addAll(diagnostics, unresolved);
  return catalog;
}

function openOverlays(
  pack: Folder,
  { overlays = [], cache }: LoadOptions,
  diagnostics: Diagnostic[],
): readonly Reader[] {
  return overlays.flatMap(overlay => {
    const folder = typeof overlay === 'string' ? nodeFolder(overlay) : overlay;
    const shown = relative(pack.path, folder.path).split(sep).join('/');
    if (folder.status('') !== 'folder') {
      diagnostics.push(diagnose('overlay/not-found', { folder: shown }, startOf(shown)));
      return [];
    }
    return [createReader(folder, cache, `${shown}/`)];
  });
}
