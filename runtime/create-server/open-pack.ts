// In: a pack in any form that code has it. Out: its program, and which of its items are broken.
import { resolve, sep } from 'node:path';
import type { Diagnostic } from '../../schema/diagnostics.js';
import type { Folder } from '../load/folder.js';
import type { ListedKind } from '../load/link-server.js';
import { load } from '../load/load.js';
import type { Program } from '../load/program.js';
import { printLine } from './definition-error.js';

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
  /** Errors only; the items they are about are no part of the program. */
  readonly errors: readonly Diagnostic[];
  /** Where the pack is read, if it is not its folder on disk. */
  readonly folder?: Folder | undefined;
  /** Whether the pack has such an item that is broken. */
  isBroken(kind: ListedKind, item: string): boolean;
}

/** Why there is no program. */
export interface UnusablePack {
  readonly unusable: readonly Diagnostic[];
}

export interface OpenOptions {
  /** Where relative paths start. */
  readonly cwd: string;
  readonly overlays: readonly (string | Folder)[];
}

export function isLoaded(source: PackSource): source is Program | LoadResult {
  return typeof source === 'object' && ('pack' in source || 'diagnostics' in source);
}

export function openPack(source: PackSource, { cwd, overlays }: OpenOptions): OpenPack | UnusablePack {
  const given = typeof source === 'string' ? resolve(cwd, source) : source;
  if (isLoaded(given)) return 'pack' in given ? toPack(given, []) : toPack(given.program, given.diagnostics);
  const patches = overlays.map(overlay => (typeof overlay === 'string' ? resolve(cwd, overlay) : overlay));
  const { program, diagnostics, catalog } = load(given, { overlays: patches });
  const pack = toPack(program, diagnostics, typeof given === 'string' ? given : given.path);
  if ('unusable' in pack) return pack;
  return {
    ...pack,
    ...(typeof given === 'string' ? {} : { folder: given }),
    isBroken: (kind, item) =>
      catalog[kind].some(({ name }) => name === item) && !pack.program[`${kind}s`].some(one => one.item === item),
  };
}

function toPack(
  program: Program | undefined,
  diagnostics: readonly Diagnostic[],
  folder = program?.pack.folder,
): OpenPack | UnusablePack {
  const errors = placed(diagnostics, folder).filter(({ severity }) => severity === 'error');
  return program === undefined ? { unusable: errors } : { program, errors, isBroken: () => false };
}

/** Files of a pack are named from its folder; somebody who uses several packs needs to know which. */
function placed(diagnostics: readonly Diagnostic[], folder: string | undefined): readonly Diagnostic[] {
  if (folder === undefined) return diagnostics;
  const start = folder.split(sep).join('/');
  return diagnostics.map(one => ({ ...one, file: `${start}/${one.file}` }));
}

/**
 * What the operator reads about items that are left out; undefined where all of the pack is fine.
 *
 * @example report(describeErrors(pack) ?? '')
 */
export function describeErrors({ program, errors }: OpenPack): string | undefined {
  if (errors.length === 0) return undefined;
  return [`Some items of ${program.pack.name} are left out:`, ...errors.map(printLine)].join('\n  ');
}
