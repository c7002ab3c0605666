// In: patches of overlays for items of other packs, and a way to find packs. Out: a warning for each pack that is not there.
// What such a patch switches off would be served after all, and nobody would know.
import { type Diagnostic, diagnose } from '../../schema/diagnostics.js';
import { didYouMean } from '../../schema/nearest.js';
import type { ForeignPatch } from '../load/overlay.js';
import type { PackLookup } from './look-up.js';

/** `used`: names of packs that may have been meant. */
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
