// In: folders of packs that code names, and a place to look for others. Out: each pack by name, opened once.
import { type Diagnostic, diagnose, startOf } from '../../../schema/diagnostics.js';
import { makeLookup, type PackLookup } from '../../packs/look-up.js';
import {
  describeErrors,
  type OpenOptions,
  type OpenPack,
  openPack,
  type PackSource,
  refusedPatches,
} from '../../packs/open-pack.js';

export interface Packs {
  /** Those that code has listed, in its order. */
  readonly listed: readonly OpenPack[];
  /** Of those that code has listed and that are not packs. */
  readonly diagnostics: readonly Diagnostic[];
  /** Why overlays cannot be applied to the packs that were opened so far. */
  refusedPatches(): readonly Diagnostic[];
  readonly lookUp: PackLookup;
}

export interface FindOptions extends Pick<OpenOptions, 'cwd' | 'overlays'> {
  readonly sources: readonly PackSource[];
  readonly report: (text: string) => void;
}

export function findPacks({ sources, report, cwd, overlays }: FindOptions): Packs {
  const opened = sources.map(source => openPack(source, { cwd, overlays }));
  const listed = opened.flatMap(pack => ('unusable' in pack ? [] : [pack]));
  const used = new Set<OpenPack>();
  for (const pack of listed) tell(pack);
  return {
    listed,
    diagnostics: [...opened.flatMap(pack => ('unusable' in pack ? pack.unusable : [])), ...namedTwice(listed)],
    refusedPatches: () => [...used].flatMap(refusedPatches),
    // In code no pack is nearer than another: a key without a slash means the items of all.
    lookUp: makeLookup({ starts: [cwd], project: cwd, overlays, overlayNames: 'own', known: listed, opened: tell }),
  };

  function tell(pack: OpenPack): void {
    used.add(pack);
    if (refusedPatches(pack).length > 0) return;
    const leftOut = describeErrors(pack);
    if (leftOut !== undefined) report(leftOut);
  }
}

function namedTwice(packs: readonly OpenPack[]): readonly Diagnostic[] {
  const names = packs.map(({ program }) => program.pack.name);
  const again = names.filter((name, index) => names.indexOf(name) < index);
  return again.map(item => diagnose('resolve/duplicate-item', { kind: 'pack', item }, startOf('options.packs')));
}
