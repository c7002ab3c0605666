// In: a server of a pack, and a way to find other packs. Out: what it serves: the items of all packs in list order, under
// the names that clients see. The same for check, inspect, start, call and code; nothing of it is kept (W46).
import type { Renamed } from '../../schema/codes/link.js';
import { type HandledKind, keyOf, type When } from '../../schema/definitions.js';
import { addAll, type Diagnostic, diagnose, type Site } from '../../schema/diagnostics.js';
import type { Path } from '../../schema/document.js';
import { assignWireNames, makePattern, packOf, printName, type QualifiedName } from '../../schema/names.js';
import { didYouMean } from '../../schema/nearest.js';
import { type Conditions, excludeEachOther, holds } from '../load/conditions.js';
import { isUnchecked, uncheckedForeign } from '../load/link-checks.js';
import type { Listed, Program, Server } from '../load/program.js';
import type { PackLookup } from './look-up.js';
import { brokenItems, hiddenTexts, type OpenPack } from './open-pack.js';

export interface ComposedItem<K extends HandledKind> extends PickedItem<K> {
  /** What clients see, after collisions are settled. */
  readonly name: string;
  /** Where the server names it, relative to its definition; absent for the items of its own pack. */
  readonly path?: Path | undefined;
  /** X2: it is listed if one of these holds for the configuration of the server's pack; absent: always. */
  readonly when?: readonly When[] | undefined;
}

/** A pack that is not installed, and who needs it. */
export interface MissingPack {
  readonly pack: string;
  /** What a person runs to have it. */
  readonly command: string;
  readonly kind: HandledKind;
  /** The first item that is missing for it. */
  readonly item: string;
  readonly path: Path;
}

export interface ComposedServer {
  readonly server: Server;
  /** The pack of the server. */
  readonly pack: OpenPack;
  readonly tools: readonly ComposedItem<'tool'>[];
  readonly prompts: readonly ComposedItem<'prompt'>[];
  readonly resources: readonly ComposedItem<'resource'>[];
  readonly missing: readonly MissingPack[];
  /** False where the server names something that is not there; a broken item is only left out (J71). */
  readonly isComplete: boolean;
  /** Positions are relative to the server's pack, mistakes of other packs have full paths. */
  readonly diagnostics: readonly Diagnostic[];
}

/** One line of a list: an item, or the place of one that cannot be used, which keeps its name and so its number. */
interface Line<K extends HandledKind> {
  readonly name: string;
  readonly picked?: PickedItem<K> | undefined;
  readonly path?: Path | undefined;
  readonly when?: readonly When[] | undefined;
}

/**
 * Resolves what a server takes from other packs.
 *
 * @example const { tools, diagnostics } = composeServer(pack, server, lookUp);
 */
export function composeServer(pack: OpenPack, server: Server, lookUp: PackLookup): ComposedServer {
  const diagnostics: Diagnostic[] = [];
  const missing = new Map<string, MissingPack>();
  const told = new Set<Diagnostic>();
  let isComplete = true;
  const tools = settle('tool', linesOf('tool')).filter(isChecked);
  const prompts = settle('prompt', linesOf('prompt'));
  const resources = distinct(linesOf('resource'));
  return { server, pack, tools, prompts, resources, missing: [...missing.values()], isComplete, diagnostics };

  function linesOf<K extends HandledKind>(kind: K): readonly Line<K>[] {
    const listed: readonly Listed[] = server[`${kind}s`];
    const items: readonly ItemOf<K>[] = pack.program[`${kind}s`];
    const own = new Map(items.map(item => [item.item, item]));
    const lines = new Map<string, Line<K>>();
    for (const line of listed) {
      if (line.from === 'own') {
        const item = own.get(line.item);
        lines.set(line.item, { name: line.name, picked: item && { item, pack }, when: line.when });
        continue;
      }
      for (const one of pickForeign(kind, line)) {
        const { picked } = one;
        const key = `${picked?.pack.program.pack.name ?? JSON.stringify(line.reference)}/${picked?.item.item ?? one.name}`;
        // A pattern may overlap with names that are listed already: they keep their place, and any of the conditions is enough.
        const before = lines.get(key);
        const when = before?.when && line.when && [...before.when, ...line.when];
        lines.set(key, before === undefined ? { ...one, when: line.when } : { ...before, when });
      }
    }
    return [...lines.values()];
  }

  function pickForeign<K extends HandledKind>(
    kind: K,
    { reference, path }: Extract<Listed, { from: 'foreign' }>,
  ): readonly Line<K>[] {
    const site = (): Site => server.at.site(path);
    const found: Diagnostic[] = [];
    const { items, broken, pack: foreign, missing: absent } = pickItems(kind, { name: reference, site }, lookUp, found);
    if (absent !== undefined) {
      // Anyone who installs the pack has cured them all.
      if (!missing.has(absent)) {
        addAll(diagnostics, found);
        const command = lookUp.installCommand(absent);
        missing.set(absent, { pack: absent, command, kind, item: reference.item, path });
      }
      isComplete = false;
      return [{ name: reference.item, path }];
    }
    for (const one of foreign?.wrongPatches ?? []) {
      // What an operator wants changed or switched off must not be served as it was.
      if (one.severity === 'error') isComplete = false;
      addOnce(one);
    }
    const name = packOf(reference) ?? '';
    if ('unusable' in (name === '' ? {} : lookUp.pack(name)))
      diagnostics.push(diagnose('pack/unusable', { pack: name }, site()));
    for (const one of found) addOnce(one);
    if (foreign === undefined || found.some(({ code }) => code === 'pack/unknown-item')) isComplete = false;
    for (const item of broken) {
      const params = { pack: foreign?.program.pack.name ?? '', kind, item };
      diagnostics.push(diagnose('pack/broken-item', params, site()));
    }
    if (broken.length > 0) for (const one of foreign?.errors ?? []) addOnce(one);
    if (foreign !== undefined) for (const one of hiddenTexts(foreign, items)) addOnce(one);
    const isNamed = !reference.item.includes('*');
    if (items.length === 0 && isNamed) return [{ name: reference.item, path }];
    return [
      ...items.map((picked): Line<K> => ({ name: picked.item.name, picked, path })),
      ...broken.map((name): Line<K> => ({ name, path })),
    ];
  }

  /** F4: what is wrong with an own tool was reported when the pack was linked. */
  function isChecked({ item, pack: whose, path }: ComposedItem<'tool'>): boolean {
    if (!isUnchecked(item, server, whose === pack ? 'own' : 'foreign')) return true;
    if (whose !== pack) diagnostics.push(uncheckedForeign(item, server, server.at.site(path ?? ['tools'])));
    return false;
  }

  /** What is wrong inside another pack is reported once, however many references lead there. */
  function addOnce(diagnostic: Diagnostic): void {
    if (told.has(diagnostic)) return;
    told.add(diagnostic);
    diagnostics.push(diagnostic);
  }

  /** W56-W59: every member of a group that shares a wire name is numbered, whether it is enabled, sound or neither. */
  function settle<K extends HandledKind>(kind: K, lines: readonly Line<K>[]): readonly ComposedItem<K>[] {
    // Lists without foreign items were settled when they were linked, and their collisions told.
    if (!isForeign(server[`${kind}s`])) return present(lines);
    const given = assignWireNames(
      lines.map(({ name }) => name),
      (one, other) => areApart(lines[one], lines[other]),
    );
    const renamed = new Map<string, Renamed[]>();
    for (const [index, { name, picked }] of lines.entries()) {
      const final = given[index] ?? name;
      const item = picked === undefined ? name : `${picked.pack.program.pack.name}/${picked.item.item}`;
      if (final !== name) renamed.set(name, [...(renamed.get(name) ?? []), { item, name: final }]);
    }
    for (const [name, group] of renamed) {
      const params = { name, kind, server: server.item, renamed: group };
      diagnostics.push(diagnose('link/wire-name-collision', params, server.at.site([keyOf(kind)], 'key')));
    }
    return present(lines.map((line, index) => ({ ...line, name: given[index] ?? line.name })));
  }

  /** X2: conditions of an item speak of its own pack's configuration, those of a list of the server's. */
  function areApart(one: Line<HandledKind> | undefined, other: Line<HandledKind> | undefined): boolean {
    const [first, second] = [one?.picked, other?.picked];
    if (one === undefined || other === undefined || first === undefined || second === undefined) return false;
    const own = (line: Line<HandledKind>, { item, pack: whose }: PickedItem<HandledKind>): Conditions => ({
      listed: line.when,
      when: whose === pack ? item.definition.when : undefined,
    });
    if (excludeEachOther(own(one, first), own(other, second), pack.program.pack.config)) return true;
    return areForms(first, second);
  }

  /** Clients read resources by URI: of two with the same one, the first is served. */
  function distinct(lines: readonly Line<'resource'>[]): readonly ComposedItem<'resource'>[] {
    const all = present(lines);
    if (!isForeign(server.resources)) return all;
    const seen = new Map<string, ComposedItem<'resource'>[]>();
    return all.filter(one => {
      const { item, path, name, when } = one;
      const { uri } = item.definition;
      const others = seen.get(uri ?? '') ?? [];
      const isTaken =
        uri !== undefined &&
        others.some(other => !areApart({ name, picked: one, when }, { name, picked: other, when: other.when }));
      if (uri !== undefined && !isTaken) seen.set(uri, [...others, one]);
      if (isTaken) diagnostics.push(diagnose('link/duplicate-uri', { uri }, server.at.site(path ?? ['resources'])));
      return !isTaken;
    });
  }
}

function present<K extends HandledKind>(lines: readonly Line<K>[]): readonly ComposedItem<K>[] {
  return lines.flatMap(({ name, picked, path, when }) =>
    picked === undefined ? [] : [{ ...picked, name, path, ...(when !== undefined && { when }) }],
  );
}

/** X2: items of one pack that no configuration offers together, whatever lists them. */
export function areForms(one: PickedItem<HandledKind>, other: PickedItem<HandledKind>): boolean {
  const [{ when }, { when: otherWhen }] = [one.item.definition, other.item.definition];
  return one.pack === other.pack && excludeEachOther({ when }, { when: otherWhen }, one.pack.program.pack.config);
}

/** X2: whether a server offers an item with some values of each pack's configuration. */
export function isOfferedWith(
  valuesOf: (pack: OpenPack) => Readonly<Record<string, unknown>>,
  { item, pack, when }: ComposedItem<HandledKind>,
  server: OpenPack,
): boolean {
  const isTrue = (condition: When | undefined, whose: OpenPack): boolean =>
    condition === undefined || holds(condition, whose.program.pack.config, valuesOf(whose));
  return isTrue(item.definition.when, pack) && (when === undefined || when.some(one => isTrue(one, server)));
}

function isForeign(listed: readonly Listed[]): boolean {
  return listed.some(({ from }) => from === 'foreign');
}

/** Names of the packs that a server takes something from, by its own words. */
export function foreignPacks({ tools, prompts, resources }: Server): readonly string[] {
  const listed = [...tools, ...prompts, ...resources];
  return listed.flatMap(one => (one.from === 'foreign' ? (packOf(one.reference) ?? []) : []));
}

/** Whether a server takes anything from other packs. */
export function hasForeign({ tools, prompts, resources }: Server): boolean {
  return isForeign(tools) || isForeign(prompts) || isForeign(resources);
}

/** Whether it does, or its own tools use schemas of other packs. */
export function dependsOnOthers(server: Server, { foreignSchemas = [] }: Program): boolean {
  return hasForeign(server) || foreignSchemas.length > 0;
}

/** The pack of the server comes first. */
export function packsOf({ pack, tools, prompts, resources }: ComposedServer): readonly OpenPack[] {
  return [...new Set([pack, ...[...tools, ...prompts, ...resources].map(item => item.pack)])];
}

/** Only what the server takes from a pack. */
export function takenOf(
  pack: OpenPack,
  { tools, prompts, resources }: ComposedServer,
): Pick<Program, 'tools' | 'prompts' | 'resources'> {
  const isMine = (item: { readonly pack: OpenPack }): boolean => item.pack === pack;
  return {
    tools: tools.filter(isMine).map(({ item }) => item),
    prompts: prompts.filter(isMine).map(({ item }) => item),
    resources: resources.filter(isMine).map(({ item }) => item),
  };
}

/** Such as `acme/jira/get-issue` and `acme/jira/get-*`. */
interface Reference {
  /** Without a pack: a built-in item. */
  readonly name: QualifiedName;
  site(): Site;
}

export type ItemOf<K extends HandledKind> = Program[`${K}s`][number];

export interface PickedItem<K extends HandledKind> {
  readonly item: ItemOf<K>;
  readonly pack: OpenPack;
}

interface Picked<K extends HandledKind> {
  readonly items: readonly PickedItem<K>[];
  /** Items that a pattern matches and that cannot be used. */
  readonly broken: readonly string[];
  /** The pack, where there is one. */
  readonly pack?: OpenPack;
  /** The name of a pack that is not installed. */
  readonly missing?: string;
}

/** Picks what one reference names; a mistake is a diagnostic and picks nothing. */
export function pickItems<K extends HandledKind>(
  kind: K,
  reference: Reference,
  lookUp: PackLookup,
  diagnostics: Diagnostic[],
): Picked<K> {
  const { item: wanted } = reference.name;
  const packName = packOf(reference.name);
  const pack = packName === undefined ? lookUp.builtin() : findPackOf(packName, reference, lookUp, diagnostics);
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

function unknownBuiltIn(kind: HandledKind, { name: { item }, site }: Reference): Diagnostic {
  const hint = `items in packs are named pack/${item} or publisher/pack/${item}`;
  return diagnose('pack/unknown-built-in', { kind, name: item }, site(), { hint });
}

function findPackOf(
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
  const hint = isWhole ? `for all of its items, write ${reference}/*` : lookUp.missingHint(packName);
  diagnostics.push(diagnose('pack/not-installed', { pack: packName }, site(), { hint }));
  return { missing: packName };
}

function explainNothing(
  kind: HandledKind,
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
