// The whole way from a folder to a program, stage by stage: what the generator compiles and the runtime serves.
import { kinds } from '../../schema/definitions.js';
import { addAll, type Diagnostic, diagnose, sortDiagnostics, startOf } from '../../schema/diagnostics.js';
import { readMeantKeys, validate } from '../../schema/validate/validate.js';
import { type IsBuiltIn, makeIsBuiltIn } from './builtin-pack.js';
import { type Folder, nodeFolder, relativePath } from './folder.js';
import { itemKey, type Linked, link } from './link.js';
import { type Manifest, readManifest } from './manifest.js';
import { applyOverlays, type ForeignPatch, type OverlayNames } from './overlay.js';
import type { Program } from './program.js';
import { type ContentCache, createReader, type Reader } from './read.js';
import { type Catalog, type Entry, emptyCatalog, resolveRoot } from './resolve.js';
import type { Item } from './split.js';

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
  if (manifest === undefined) {
    return {
      program: undefined,
      manifest,
      catalog: emptyCatalog,
      tools: [],
      servers: [],
      mentions: [],
      wrongPatches: [],
      foreignPatches: [],
      diagnostics: sortDiagnostics(diagnostics),
      hashOf,
    };
  }
  const isBuiltIn = options.isBuiltIn ?? makeIsBuiltIn(options.open ?? nodeFolder);
  const resolved = resolveRoot(manifest, reader, diagnostics);
  const { overlayNames: names = 'own', judgesOverlays: isJudge = names === 'own' } = options;
  const { value: overlays, diagnostics: wrongPatches } = openOverlays(folder, options, isJudge);
  const {
    value: { catalog, foreign: foreignPatches },
    diagnostics: wrong,
  } = applyOverlays(resolved, overlays, { pack: options.calledAs ?? manifest.name, names, isJudge, isBuiltIn });
  addAll(wrongPatches, wrong);
  addAll(diagnostics, wrongPatches);
  const malformed = new Set<string>();
  const asMeant = new Map<Item, Item>();
  for (const entry of kinds.flatMap(kind => catalog[kind])) {
    if (entry.winner === undefined) continue;
    const wrong = validate(entry.kind, entry.winner.definition, entry.winner.at);
    if (wrong.length === 0) continue;
    malformed.add(itemKey(entry));
    asMeant.set(entry.winner, readAsMeant(entry.winner));
    addAll(diagnostics, wrong);
  }
  const mayHide = (): boolean => [reader, ...overlays].some(one => one.mayHide());
  const linked = link(replaceItems(catalog, asMeant), manifest, reader, malformed, { mayHide, isBuiltIn });
  addAll(diagnostics, linked.diagnostics);
  return {
    program: options.calledAs === undefined ? linked.program : callAs(linked.program, options.calledAs),
    manifest,
    catalog,
    tools: linked.tools,
    servers: linked.servers,
    mentions: linked.mentions,
    wrongPatches,
    foreignPatches,
    diagnostics: sortDiagnostics(diagnostics),
    hashOf,
  };
}

/** Items whose form is wrong are only linked to find their other mistakes; what hangs on a misspelt key is none. */
function readAsMeant(item: Item): Item {
  const { value, at } = readMeantKeys(item.kind, item.definition, item.at);
  return value === item.definition ? item : { ...item, definition: value, at };
}

function replaceItems(catalog: Catalog, others: ReadonlyMap<Item, Item>): Catalog {
  if (others.size === 0) return catalog;
  const replace = (entry: Entry): Entry => {
    const other = entry.winner && others.get(entry.winner);
    return other === undefined ? entry : { ...entry, winner: other };
  };
  return {
    server: catalog.server.map(replace),
    tool: catalog.tool.map(replace),
    prompt: catalog.prompt.map(replace),
    resource: catalog.resource.map(replace),
  };
}

function callAs(program: Program, name: string): Program {
  return { ...program, pack: { ...program.pack, name } };
}

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
