// In: a folder of patches, and the pack that they are for. Out: its patches by kind and item, and those for other packs.
import { type Kind, kinds } from '../../schema/definitions.js';
import { addAll, type Diagnostic, diagnose } from '../../schema/diagnostics.js';
import { packOf, parseName } from '../../schema/names.js';
import type { IsBuiltIn } from './builtin-names.js';
import { discover } from './discover.js';
import type { Reader } from './read.js';
import { type Item, split } from './split.js';

/** `foreign`: a key without a slash means an item of some other pack. `builtin`: it may mean one of this pack's. */
export type OverlayNames = 'own' | 'foreign' | 'builtin';

export interface OverlayScope {
  readonly pack: string;
  readonly names: OverlayNames;
  /** Whether the overlays are given for this pack: then it tells what is wrong with them as a whole, once for all packs. */
  readonly isJudge: boolean;
  readonly isBuiltIn: IsBuiltIn;
}

export interface Patches {
  readonly patches: ReadonlyMap<Kind, Map<string, Item>>;
  /** Those that are for other packs, as far as the judge is concerned. */
  readonly elsewhere: readonly Item[];
}

/** The patches of one folder by kind and item: a file of its own beats the combined file, as in a root. */
export function readPatches(reader: Reader, scope: OverlayScope, diagnostics: Diagnostic[]): Patches {
  const found = discover(reader.folder, '');
  const { isJudge } = scope;
  // The name of a file has no slash: it never means an item of another pack.
  const hasFiles = scope.names !== 'foreign';
  if (isJudge)
    addAll(
      diagnostics,
      found.diagnostics.map(one => ({ ...one, file: reader.shown(one.file) })),
    );
  const patches = new Map<Kind, Map<string, Item>>(kinds.map(kind => [kind, new Map()]));
  const elsewhere: Item[] = [];
  const taken = new Set<string>();
  for (const ref of found.value) {
    const slot = `${ref.kind}:${ref.item ?? ''}`;
    if (taken.has(slot)) continue;
    taken.add(slot);
    const { items, diagnostics: broken } = split(ref, reader);
    if (isJudge) addAll(diagnostics, broken);
    for (const item of items) {
      const name = ownItem(item, scope, diagnostics);
      const mine = patches.get(item.kind);
      if (name === undefined && isJudge) elsewhere.push(item);
      const isShadowed = item.form === 'combined' && hasFiles && taken.has(`${item.kind}:${name}`);
      if (name !== undefined && mine?.has(name) === false && !isShadowed) mine.set(name, item);
    }
  }
  return { patches, elsewhere };
}

/** Keys of combined overlays may be qualified; patches for other packs are not ours to judge. */
function ownItem(patch: Item, { pack, names, isJudge }: OverlayScope, diagnostics: Diagnostic[]): string | undefined {
  const parsed = parseName(patch.name);
  if ('problem' in parsed) {
    if (!isJudge) return undefined;
    const params = { name: patch.name, reason: parsed.problem };
    diagnostics.push(diagnose('link/invalid-name', params, patch.site()));
    return undefined;
  }
  const { item } = parsed.name;
  const named = packOf(parsed.name);
  if (named === undefined) return names === 'foreign' ? undefined : item;
  return named === pack ? item : undefined;
}
