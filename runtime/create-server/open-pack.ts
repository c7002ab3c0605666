// In: a pack in any form that code has it. Out: its program, and which of its items are broken.
import { resolve, sep } from 'node:path';
import { type Diagnostic, hasErrors } from '../../schema/diagnostics.js';
import type { Folder } from '../load/folder.js';
import type { ListedKind } from '../load/link-server.js';
import { load } from '../load/load.js';
import type { Program } from '../load/program.js';
import { DefinitionError, printLine } from './definition-error.js';

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
  /** Whether the pack has such an item that is broken. */
  isBroken(kind: ListedKind, item: string): boolean;
}

export interface OpenOptions {
  /** Where relative paths start. */
  readonly cwd: string;
  readonly overlays: readonly (string | Folder)[];
}

/** Throws a DefinitionError where there is no pack. */
export function openPack(source: PackSource, { cwd, overlays }: OpenOptions): OpenPack {
  const given = typeof source === 'string' ? resolve(cwd, source) : source;
  if (typeof given === 'object' && 'pack' in given) return openProgram(given, []);
  if (typeof given === 'object' && 'diagnostics' in given) return openProgram(given.program, given.diagnostics);
  const patches = overlays.map(overlay => (typeof overlay === 'string' ? resolve(cwd, overlay) : overlay));
  const { program, diagnostics, catalog } = load(given, { overlays: patches });
  const pack = openProgram(program, diagnostics);
  return {
    ...pack,
    isBroken: (kind, item) =>
      catalog[kind].some(({ name }) => name === item) && !pack.program[`${kind}s`].some(one => one.item === item),
  };
}

function openProgram(program: Program | undefined, diagnostics: readonly Diagnostic[]): OpenPack {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (program === undefined) throw new DefinitionError('The pack cannot be loaded:', errors);
  return { program, errors: placed(errors, program), isBroken: () => false };
}

/** Files of a pack are named from its folder; somebody who uses several packs needs to know which. */
function placed(diagnostics: readonly Diagnostic[], { pack }: Program): readonly Diagnostic[] {
  const folder = pack.folder.split(sep).join('/');
  return diagnostics.map(one => ({ ...one, file: `${folder}/${one.file}` }));
}

/**
 * What the operator reads about items that are left out; undefined where all of the pack is fine.
 *
 * @example report(describeErrors(pack) ?? '')
 */
export function describeErrors({ program, errors }: OpenPack): string | undefined {
  if (!hasErrors(errors)) return undefined;
  return [`some items of ${program.pack.name} are left out:`, ...errors.map(printLine)].join('\n  ');
}
