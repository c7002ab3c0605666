// In: where to look for packs. Out: each pack by name, opened once: what servers are composed from.

import { type Diagnostic, diagnose } from '../../schema/diagnostics.js';
import { didYouMean } from '../../schema/nearest.js';
import { findPack, type OpenFolder } from '../load/find-pack.js';
import type { Folder } from '../load/folder.js';
import type { LoadOptions } from '../load/load.js';
import type { ForeignPatch } from '../load/overlay.js';
import { builtinPack } from '../load/own-package.js';
import { type OpenPack, openPack, type UnusablePack } from './open-pack.js';
import { findProject, installCommand, missingHint, type Project } from './package-manager.js';

/** A pack by name; else why there is none: its manifest is broken, it is a plain package, nothing has that name. */
export type FoundByName = OpenPack | UnusablePack | { readonly plainPackage: string } | { readonly missing: true };

export interface PackLookup {
  pack(name: string): FoundByName;
  /** The package's own pack; undefined where it is not there. */
  builtin(): OpenPack | undefined;
  /** What a person runs to have a pack. */
  installCommand(pack: string): string;
  /** The same as a hint, with the pack that may have been meant. */
  missingHint(pack: string): string;
}

export interface LookupOptions extends Pick<LoadOptions, 'cache' | 'overlayNames'> {
  /** Folders to start from, in order. */
  readonly starts: readonly string[];
  /** Where the project is that would install packs. */
  readonly project: string;
  readonly overlays?: readonly (string | Folder)[] | undefined;
  /** Packs that need not be looked for. */
  readonly known?: readonly OpenPack[] | undefined;
  readonly open?: OpenFolder | undefined;
  /** Called for each pack that was found and opened. */
  readonly opened?: ((pack: OpenPack) => void) | undefined;
}

export function makeLookup(options: LookupOptions): PackLookup {
  const { starts, project: start, overlays = [], overlayNames = 'foreign', open, cache } = options;
  const known = new Map<string, FoundByName>(options.known?.map(pack => [pack.program.pack.name, pack]));
  let builtin: { readonly pack: OpenPack | undefined } | undefined;
  let project: { readonly found: Project | undefined } | undefined;
  return {
    pack(name) {
      const found = known.get(name) ?? find(name);
      known.set(name, found);
      return found;
    },
    builtin() {
      builtin ??= { pack: openBuiltin() };
      return builtin.pack;
    },
    installCommand: pack => installCommand(pack, ofProject()),
    missingHint: pack => missingHint(pack, ofProject()),
  };

  function ofProject(): Project | undefined {
    project ??= { found: findProject(start, open) };
    return project.found;
  }

  function find(name: string): FoundByName {
    const found = findPack(name, starts, open);
    if (!('folder' in found)) return found;
    const pack = openFolder(found.folder, overlayNames, name);
    if (!('unusable' in pack)) options.opened?.(pack);
    return pack;
  }

  function openBuiltin(): OpenPack | undefined {
    const pack = openFolder(builtinPack(), 'builtin');
    return 'unusable' in pack ? undefined : pack;
  }

  function openFolder(
    folder: string,
    names: NonNullable<LoadOptions['overlayNames']>,
    calledAs?: string,
  ): OpenPack | UnusablePack {
    return openPack(open === undefined ? folder : open(folder), {
      cwd: start,
      overlays,
      overlayNames: names,
      calledAs,
      ...(cache === undefined ? {} : { cache }),
      ...(open === undefined ? {} : { open }),
    });
  }
}

/**
 * A warning for each pack that patches are for and that is not there: what such a patch switches off would be served after all, and
 * nobody would know. `used`: names of packs that may have been meant.
 */
export function checkPatches(
  patches: readonly ForeignPatch[],
  lookUp: PackLookup,
  used: Iterable<string>,
): readonly Diagnostic[] {
  const isThere = (pack: string): boolean => {
    const found = lookUp.pack(pack);
    return 'program' in found || 'unusable' in found;
  };
  const known = [...new Set(used)];
  return patches
    .filter(({ pack }) => !isThere(pack))
    .map(({ kind, item, pack, site }) =>
      diagnose('overlay/unknown-pack', { kind, item, pack }, site(), { hint: didYouMean(pack, known) }),
    );
}
