// In: references such as `acme/jira/get-issue` and `acme/jira/get-*`. Out: the items of packs that they name, in order.
import { addAll, type Diagnostic, diagnose, type Site, startOf } from '../../schema/diagnostics.js';
import { makePattern, parseName } from '../../schema/names.js';
import { didYouMean } from '../../schema/nearest.js';
import type { ListedKind } from '../load/link-server.js';
import type { Program } from '../load/program.js';
import { packageOfPack } from './find-pack.js';
import type { OpenPack, UnusablePack } from './open-pack.js';

export interface Reference {
  readonly name: string;
  /** `tools[0]`. */
  readonly place: string;
}

export type ItemOf<K extends ListedKind> = Program[`${K}s`][number];

export interface PickedItem<K extends ListedKind> {
  readonly item: ItemOf<K>;
  readonly pack: OpenPack;
}

/** A pack by name; else why there is none: its manifest is broken, it is a plain package, nothing has that name. */
export type PackLookup = (
  name: string,
) => OpenPack | UnusablePack | { readonly plainPackage: string } | { readonly missing: true };

/** Picks what one reference names; a mistake is a diagnostic and picks nothing. */
export function pickItems<K extends ListedKind>(
  kind: K,
  { name, place }: Reference,
  lookUp: PackLookup,
  diagnostics: Diagnostic[],
): readonly PickedItem<K>[] {
  const site = startOf(place);
  const slash = name.lastIndexOf('/');
  const isPattern = name.includes('*', slash + 1);
  const parsed = parseName(isPattern ? `${name.slice(0, slash + 1)}any` : name);
  if ('problem' in parsed) {
    diagnostics.push(diagnose('link/invalid-name', { name, reason: parsed.problem }, site));
    return [];
  }
  const { publisher, pack: ownName } = parsed.name;
  if (ownName === undefined) {
    const hint = `items of packs are named pack/${name} or publisher/pack/${name}`;
    diagnostics.push(diagnose('pack/unknown-built-in', { kind, name }, site, { hint }));
    return [];
  }
  const packName = publisher === undefined ? ownName : `${publisher}/${ownName}`;
  const pack = findPack(packName, name, lookUp, site, diagnostics);
  if (pack === undefined) return [];
  const items: readonly ItemOf<K>[] = pack.program[`${kind}s`];
  const wanted = name.slice(slash + 1);
  // What a server of the pack defines inline is there for that server; only its name leads to it.
  const picked = isPattern
    ? items.filter(({ server }) => server === undefined).filter(({ item }) => makePattern(wanted)(item))
    : items.filter(({ item }) => item === wanted);
  if (picked.length === 0) addAll(diagnostics, explainNothing(kind, { wanted, isPattern }, pack, site));
  return picked.map(item => ({ item, pack }));
}

function findPack(
  packName: string,
  reference: string,
  lookUp: PackLookup,
  site: Site,
  diagnostics: Diagnostic[],
): OpenPack | undefined {
  const found = lookUp(packName);
  if ('program' in found) return found;
  if ('unusable' in found) {
    addAll(diagnostics, found.unusable);
    return undefined;
  }
  if ('plainPackage' in found) {
    diagnostics.push(diagnose('pack/no-manifest', { pack: packName, folder: found.plainPackage }, site));
    return undefined;
  }
  // `acme/jira` may mean the whole pack, but names the item jira of the pack acme.
  const isWhole = reference.split('/').length === 2 && 'program' in lookUp(reference);
  const hint = isWhole ? `for all of the pack write ${reference}/*` : `npm install ${packageOfPack(packName)}`;
  diagnostics.push(diagnose('pack/not-installed', { pack: packName }, site, { hint }));
  return undefined;
}

function explainNothing(
  kind: ListedKind,
  { wanted, isPattern }: { readonly wanted: string; readonly isPattern: boolean },
  pack: OpenPack,
  site: Site,
): readonly Diagnostic[] {
  if (isPattern) return [diagnose('link/empty-pattern', { pattern: wanted, kind }, site)];
  const params = { pack: pack.program.pack.name, kind, item: wanted };
  if (pack.isBroken(kind, wanted)) return [diagnose('pack/broken-item', params, site), ...pack.errors];
  const known = pack.program[`${kind}s`].map(({ item }) => item);
  return [diagnose('pack/unknown-item', params, site, { hint: didYouMean(wanted, known) })];
}
