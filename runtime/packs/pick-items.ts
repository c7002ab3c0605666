// In: references such as `acme/jira/get-issue` and `acme/jira/get-*`. Out: the items of packs that they name, in order.
import { addAll, type Diagnostic, diagnose, type Site } from '../../schema/diagnostics.js';
import { makePattern, packOf, printName, type QualifiedName } from '../../schema/names.js';
import { didYouMean } from '../../schema/nearest.js';
import type { ListedKind } from '../load/link-server.js';
import type { Program } from '../load/program.js';
import type { PackLookup } from './look-up.js';
import { brokenItems, type OpenPack } from './open-pack.js';

export interface Reference {
  /** Without a pack: a built-in item. */
  readonly name: QualifiedName;
  site(): Site;
}

export type ItemOf<K extends ListedKind> = Program[`${K}s`][number];

export interface PickedItem<K extends ListedKind> {
  readonly item: ItemOf<K>;
  readonly pack: OpenPack;
}

export interface Picked<K extends ListedKind> {
  readonly items: readonly PickedItem<K>[];
  /** Items that a pattern matches and that cannot be used. */
  readonly broken: readonly string[];
  /** The pack, where there is one. */
  readonly pack?: OpenPack;
  /** The name of a pack that is not installed. */
  readonly missing?: string;
}

/** Picks what one reference names; a mistake is a diagnostic and picks nothing. */
export function pickItems<K extends ListedKind>(
  kind: K,
  reference: Reference,
  lookUp: PackLookup,
  diagnostics: Diagnostic[],
): Picked<K> {
  const { item: wanted } = reference.name;
  const packName = packOf(reference.name);
  const pack = packName === undefined ? lookUp.builtin() : findNamed(packName, reference, lookUp, diagnostics);
  if (pack === undefined || 'missing' in pack) {
    if (packName === undefined) diagnostics.push(unknownBuiltIn(kind, reference));
    return { items: [], broken: [], ...pack };
  }
  const isPattern = wanted.includes('*');
  const matches = makePattern(wanted);
  const items: readonly ItemOf<K>[] = pack.program[`${kind}s`];
  // What a server of the pack defines inline is there for that server; only its name leads to it.
  const picked = isPattern
    ? items.filter(({ server, item }) => server === undefined && matches(item))
    : items.filter(({ item }) => item === wanted);
  const broken = picked.length > 0 && !isPattern ? [] : brokenItems(pack, kind).filter(matches);
  if (picked.length === 0 && !(isPattern && broken.length > 0)) {
    if (packName === undefined) diagnostics.push(unknownBuiltIn(kind, reference));
    else addAll(diagnostics, explainNothing(kind, reference, pack, broken));
  }
  return { items: picked.map(item => ({ item, pack })), broken: isPattern ? broken : [], pack };
}

function unknownBuiltIn(kind: ListedKind, { name: { item }, site }: Reference): Diagnostic {
  const hint = `items of packs are named pack/${item} or publisher/pack/${item}`;
  return diagnose('pack/unknown-built-in', { kind, name: item }, site(), { hint });
}

function findNamed(
  packName: string,
  { name, site }: Reference,
  lookUp: PackLookup,
  diagnostics: Diagnostic[],
): OpenPack | { readonly missing: string } | undefined {
  const found = lookUp.pack(packName);
  if ('program' in found) return found;
  if ('unusable' in found) {
    addAll(diagnostics, found.unusable);
    return undefined;
  }
  if ('plainPackage' in found) {
    diagnostics.push(diagnose('pack/no-manifest', { pack: packName, folder: found.plainPackage }, site()));
    return undefined;
  }
  // `acme/jira` may mean the whole pack, but names the item jira of the pack acme.
  const reference = printName(name);
  const isWhole = name.publisher === undefined && 'program' in lookUp.pack(reference);
  const hint = isWhole ? `for all of the pack write ${reference}/*` : lookUp.missingHint(packName);
  diagnostics.push(diagnose('pack/not-installed', { pack: packName }, site(), { hint }));
  return { missing: packName };
}

function explainNothing(
  kind: ListedKind,
  { name: { item: wanted }, site }: Reference,
  pack: OpenPack,
  broken: readonly string[],
): readonly Diagnostic[] {
  if (wanted.includes('*')) return [diagnose('link/empty-pattern', { pattern: wanted, kind }, site())];
  const params = { pack: pack.program.pack.name, kind, item: wanted };
  if (broken.length > 0) return [diagnose('pack/broken-item', params, site()), ...pack.errors];
  const known = pack.program[`${kind}s`].map(({ item }) => item);
  return [diagnose('pack/unknown-item', params, site(), { hint: didYouMean(wanted, known) })];
}
