// The whole way from a folder to a program, stage by stage: what the generator compiles and the runtime serves.
import {
  addAll,
  type Diagnostic,
  diagnose,
  keyOfDiagnostic,
  sortDiagnostics,
  startOf,
} from '../../schema/diagnostics.js';
import { readMeantKeys, validate } from '../../schema/validate/validate.js';
import { type Folder, nodeFolder, relativePath } from './folder.js';
import { itemKey, type Linked, link } from './link.js';
import { type Manifest, readManifest } from './manifest.js';
import { applyOverlays, type ForeignPatch, type OverlayNames } from './overlay.js';
import type { Program } from './program.js';
import { type ContentCache, createReader, type Reader } from './read.js';
import { type Catalog, emptyCatalog, type IsBuiltIn, makeCatalog, makeIsBuiltIn, resolveRoot } from './resolve.js';

export interface LoadOptions {
  /** Folders of patches for texts and policy; later ones win. */
  readonly overlays?: readonly (string | Folder)[];
  /** Keeps parsed values between runs, by content hash. */
  readonly cache?: ContentCache;
  /** Positions in most files will be asked for. */
  readonly keepsTrees?: boolean;
  /**
   * Whose items a key without a slash means in overlays: this pack's (the default), or those of another pack, which calls
   * this one's by their qualified names.
   */
  readonly overlayNames?: OverlayNames;
  /** Whether the overlays are given for this pack: it tells what is wrong with them as a whole. Default: where the names are `own`. */
  readonly judgesOverlays?: boolean;
  /**
   * By which name others find the pack, where that is not the one it gives itself: an alias of a package manager, or a
   * package that pretends to be another. Overlays, locks and texts name it so.
   */
  readonly calledAs?: string | undefined;
  /** How folders of other packs are opened, for those who want to know what was looked at. */
  readonly open?: (path: string) => Folder;
  /** Where the built-in pack is not on disk. */
  readonly isBuiltIn?: IsBuiltIn;
}

export interface LoadedPack {
  /** Undefined where there is no usable toolwright.yaml. Items with errors are left out of it. */
  readonly program: Program | undefined;
  readonly manifest: Manifest | undefined;
  readonly catalog: Catalog;
  readonly tools: Linked['tools'];
  /** Shared schemas, broken ones too. */
  readonly schemas: Linked['schemas'];
  /** Broken ones too. */
  readonly servers: Linked['servers'];
  /** Tools of other packs that texts mention. */
  readonly mentions: Linked['mentions'];
  /** What is wrong with patches: part of the diagnostics. */
  readonly wrongPatches: readonly Diagnostic[];
  /** Patches for items of other packs; those who find packs know whether there are any. */
  readonly foreignPatches: readonly ForeignPatch[];
  /** Sorted by file and position. */
  readonly diagnostics: readonly Diagnostic[];
  /** The hash of a file's content, empty where it cannot be read. */
  hashOf(file: string): string;
}

export function load(where: string | Folder, options: LoadOptions = {}): LoadedPack {
  const folder = typeof where === 'string' ? nodeFolder(where) : where;
  const reader = createReader(folder, { cache: options.cache, keepsTrees: options.keepsTrees });
  const hashOf = (file: string): string => reader.text(file).value?.hash ?? '';
  const diagnostics: Diagnostic[] = [];
  const { value: manifest, diagnostics: wrongManifest } = readManifest(reader);
  addAll(diagnostics, wrongManifest);
  if (manifest === undefined) return { ...nothing, diagnostics: sortDiagnostics(diagnostics), hashOf };

  const resolved = resolveRoot(manifest, reader, diagnostics);

  const isBuiltIn = options.isBuiltIn ?? makeIsBuiltIn(options.open ?? nodeFolder);
  const { overlayNames: names = 'own', judgesOverlays: isJudge = names === 'own' } = options;
  const { value: overlays, diagnostics: wrongPatches } = openOverlays(folder, options, isJudge);
  const scope = { pack: options.calledAs ?? manifest.name, names, isJudge, isBuiltIn };
  const { value: patched, diagnostics: wrong } = applyOverlays(resolved, overlays, scope);
  addAll(wrongPatches, wrong);
  addAll(diagnostics, wrongPatches);

  const { malformed, readable } = validateItems(patched.catalog, diagnostics);

  const mayHide = (): boolean => [reader, ...overlays].some(one => one.mayHide());
  const { cache, open, keepsTrees } = options;
  const foreign = { cache, open, keepsTrees };
  const linked = link(readable, manifest, reader, malformed, { mayHide, isBuiltIn, foreign });
  // What the form says of a place is said once.
  const judged = new Set(diagnostics.filter(({ severity }) => severity === 'error').map(placeOf));
  addAll(
    diagnostics,
    linked.diagnostics.filter(one => one.severity === 'error' || !judged.has(placeOf(one))),
  );
  return {
    program: options.calledAs === undefined ? linked.program : callAs(linked.program, options.calledAs),
    manifest,
    catalog: patched.catalog,
    tools: linked.tools,
    schemas: linked.schemas,
    servers: linked.servers,
    mentions: linked.mentions,
    wrongPatches,
    foreignPatches: patched.foreign,
    diagnostics: sortDiagnostics(resolved.schema.length === 0 ? diagnostics : withoutRepeats(diagnostics)),
    hashOf: file => linked.foreign.hashOf(file) ?? hashOf(file),
  };
}

/** A file in the folder of shared schemas may also be one that a tool names: what is wrong with it is said once. */
function withoutRepeats(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...new Map(diagnostics.map(one => [`${placeOf(one)} ${keyOfDiagnostic(one)}`, one])).values()];
}

function placeOf({ file, line, column }: Diagnostic): string {
  return `${file}:${line}:${column}`;
}

const nothing: Omit<LoadedPack, 'diagnostics' | 'hashOf'> = {
  program: undefined,
  manifest: undefined,
  catalog: emptyCatalog,
  tools: [],
  schemas: [],
  servers: [],
  mentions: [],
  wrongPatches: [],
  foreignPatches: [],
};

function openOverlays(
  pack: Folder,
  { overlays = [], cache }: LoadOptions,
  isJudge: boolean,
): { readonly value: readonly Reader[]; readonly diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const value = overlays.flatMap(overlay => {
    const folder = typeof overlay === 'string' ? nodeFolder(overlay) : overlay;
    const shown = relativePath(pack.path, folder.path);
    if (folder.status('') !== 'folder') {
      if (isJudge) diagnostics.push(diagnose('overlay/not-found', { folder: shown }, startOf(shown)));
      return [];
    }
    return [createReader(folder, { cache, prefix: `${shown}/` })];
  });
  return { value, diagnostics };
}

interface Validated {
  /** The keys of items whose form is wrong. */
  readonly malformed: ReadonlySet<string>;
  /** These are only linked to find their other mistakes: what hangs on a misspelt key is none, so that it is read as it was meant. */
  readonly readable: Catalog;
}

function validateItems(catalog: Catalog, diagnostics: Diagnostic[]): Validated {
  const malformed = new Set<string>();
  const readable = makeCatalog(kind =>
    catalog[kind].map(entry => {
      const { winner } = entry;
      if (winner === undefined) return entry;
      const wrong = validate(kind, winner.definition, winner.at);
      if (wrong.length === 0) return entry;
      malformed.add(itemKey(entry));
      addAll(diagnostics, wrong);
      const { value, at } = readMeantKeys(kind, winner.definition, winner.at);
      return value === winner.definition ? entry : { ...entry, winner: { ...winner, definition: value, at } };
    }),
  );
  return { malformed, readable };
}

function callAs(program: Program, name: string): Program {
  return { ...program, pack: { ...program.pack, name } };
}
