// In: a pack in any form that code has it. Out: its program, and which of its items are broken.
import { posix, resolve, sep } from 'node:path';
import { type HandledKind, kinds } from '../../schema/definitions.js';
import type { Diagnostic } from '../../schema/diagnostics.js';
import { printLine } from '../../schema/print/diagnostics.js';
import type { Folder } from '../load/folder.js';
import { type LoadedPack, type LoadOptions, load } from '../load/load.js';
import type { Program } from '../load/program.js';
import type { Catalog } from '../load/resolve.js';

/** What `loadPack` gives. */
export interface LoadResult {
  /** Undefined where there is no usable toolwright.yaml. Items with errors are left out of it. */
  readonly program: Program | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** A folder by its path, a folder as a port, or what is loaded already. */
export type PackSource = string | Folder | Program | LoadResult;

export interface OpenPack {
  readonly program: Program;
  /** Errors only, with full paths; the items they are about are not part of the program. */
  readonly errors: readonly Diagnostic[];
  /** Where texts hold characters without ink: the file in the pack, and what is reported, with the full path. */
  readonly hidden?: readonly { readonly file: string; readonly told: Diagnostic }[] | undefined;
  /** What is wrong with overlays for it, warnings too, with full paths. */
  readonly wrongPatches?: readonly Diagnostic[] | undefined;
  /** Where the pack is read, if it is not its folder on disk. */
  readonly folder?: Folder | undefined;
  /** Where items are declared and defined; unknown for a bare program. */
  readonly catalog?: Catalog | undefined;
}

/** Why there is no program. */
export interface UnusablePack {
  readonly unusable: readonly Diagnostic[];
}

export interface OpenOptions extends Omit<LoadOptions, 'overlays'> {
  /** Where relative paths start. */
  readonly cwd: string;
  readonly overlays: readonly (string | Folder)[];
}

export function isLoaded(source: PackSource): source is Program | LoadResult {
  return typeof source === 'object' && ('pack' in source || 'diagnostics' in source);
}

export function openPack(source: PackSource, { cwd, overlays, ...options }: OpenOptions): OpenPack | UnusablePack {
  const given = typeof source === 'string' ? resolve(cwd, source) : source;
  if (isLoaded(given)) return 'pack' in given ? toPack({ program: given, diagnostics: [] }) : toPack(given);
  const patches = overlays.map(overlay => (typeof overlay === 'string' ? resolve(cwd, overlay) : overlay));
  const pack = toPack(load(given, { ...options, overlays: patches }), typeof given === 'string' ? given : given.path);
  return typeof given === 'string' || 'unusable' in pack ? pack : { ...pack, folder: given };
}

/** What loading gave, as others see it. */
export function toPack(
  { program, diagnostics, catalog, wrongPatches }: LoadResult & Partial<Pick<LoadedPack, 'catalog' | 'wrongPatches'>>,
  folder = program?.pack.folder,
): OpenPack | UnusablePack {
  const found = withFullPaths(diagnostics, folder);
  const errors = found.filter(({ severity }) => severity === 'error');
  if (program === undefined) return { unusable: errors };
  const ofPatches = new Set(wrongPatches);
  return {
    program,
    errors,
    catalog,
    hidden: found.flatMap((told, index) =>
      told.code === 'text/zero-width' ? [{ told, file: diagnostics[index]?.file ?? '' }] : [],
    ),
    wrongPatches: found.filter((_, index) => ofPatches.has(diagnostics[index] as Diagnostic)),
  };
}

/** Items that the pack has, but that cannot be used. */
export function brokenItems({ program, catalog }: OpenPack, kind: HandledKind): readonly string[] {
  if (catalog === undefined) return [];
  const sound = new Set(program[`${kind}s`].map(({ item }) => item));
  return catalog[kind].map(({ name }) => name).filter(name => !sound.has(name));
}

/** Files of a pack are named from its folder; somebody who uses several packs needs to know which. */
function withFullPaths(diagnostics: readonly Diagnostic[], folder: string | undefined): readonly Diagnostic[] {
  if (folder === undefined) return diagnostics;
  const start = folder.split(sep).join('/');
  return diagnostics.map(one => ({ ...one, file: posix.join(start, one.file) }));
}

/** Of texts with characters without ink, those that somebody who uses these items may serve. */
export function hiddenTexts(
  { hidden = [], catalog }: OpenPack,
  items: readonly { readonly item: { readonly file: string } }[],
): readonly Diagnostic[] {
  if (hidden.length === 0 || items.length === 0) return [];
  const used = new Set(items.map(({ item }) => item.file));
  const idle = new Set(kinds.flatMap(kind => catalog?.[kind] ?? []).map(({ file }) => file));
  return hidden.filter(({ file }) => used.has(file) || !idle.has(file)).map(({ told }) => told);
}

/** What keeps patches from being applied: what somebody wants changed or switched off must not be served as it was. */
export function refusedPatches({ wrongPatches = [] }: OpenPack): readonly Diagnostic[] {
  return wrongPatches.filter(({ severity }) => severity === 'error');
}

/**
 * What the operator reads about items that are left out; undefined where all of the pack is fine.
 *
 * @example report(describeErrors(pack) ?? '')
 */
export function describeErrors({ program, errors }: OpenPack): string | undefined {
  if (errors.length === 0) return undefined;
  return [`Some items in ${program.pack.name} are left out:`, ...errors.map(printLine)].join('\n  ');
}

/**
 * Thrown by `createServer`, `add` and `createRegistry` where what they are given cannot be used. The message has every
 * mistake, one a line; `diagnostics` has them as data.
 *
 * @example
 * try {
 *   await createServer({ name: 'shop', tools: ['acme/shop/order'] });
 * } catch (error) {
 *   if (error instanceof DefinitionError) console.error(error.diagnostics);
 * }
 */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError';
  readonly diagnostics: readonly Diagnostic[];

  constructor(what: string, diagnostics: readonly Diagnostic[]) {
    super([what, ...diagnostics.map(printLine)].join('\n  '));
    this.diagnostics = diagnostics;
  }
}
