// In: a server of a pack, and a way to find other packs. Out: what it serves: the items of all packs in list order, under
// the names that clients see. The same for check, inspect, start, call and code; nothing of it is kept (W46).
import { keyOf } from '../../schema/definitions.js';
import { addAll, type Diagnostic, diagnose, type Site } from '../../schema/diagnostics.js';
import type { Path } from '../../schema/document.js';
import { assignWireNames, packOf } from '../../schema/names.js';
import { isUnchecked, uncheckedForeign } from '../load/link-checks.js';
import type { ListedKind } from '../load/link-server.js';
import type { Listed, Server } from '../load/program.js';
import type { PackLookup } from './look-up.js';
import { hiddenTexts, type OpenPack } from './open-pack.js';
import { type ItemOf, type PickedItem, pickItems } from './pick-items.js';

export interface ComposedItem<K extends ListedKind> extends PickedItem<K> {
  /** What clients see, after collisions are settled. */
  readonly name: string;
  /** Where the server names it, relative to its definition; absent for the items of its own pack. */
  readonly path?: Path | undefined;
}

/** A pack that is not installed, and who needs it. */
export interface MissingPack {
  readonly pack: string;
  /** What a person runs to have it. */
  readonly command: string;
  readonly kind: ListedKind;
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
interface Line<K extends ListedKind> {
  readonly name: string;
  readonly picked?: PickedItem<K> | undefined;
  readonly path?: Path | undefined;
}

/**
 * Resolves what a server takes from other packs.
 *
 * @example const { tools, diagnostics } = compose(pack, server, lookUp);
 */
export function compose(pack: OpenPack, server: Server, lookUp: PackLookup): ComposedServer {
  const diagnostics: Diagnostic[] = [];
  const missing = new Map<string, MissingPack>();
  const told = new Set<Diagnostic>();
  let isComplete = true;
  const tools = settle('tool', linesOf('tool')).filter(isChecked);
  const prompts = settle('prompt', linesOf('prompt'));
  const resources = distinct(linesOf('resource'));
  return { server, pack, tools, prompts, resources, missing: [...missing.values()], isComplete, diagnostics };

  function linesOf<K extends ListedKind>(kind: K): readonly Line<K>[] {
    const listed: readonly Listed[] = server[`${kind}s`];
    const items: readonly ItemOf<K>[] = pack.program[`${kind}s`];
    const own = new Map(items.map(item => [item.item, item]));
    const lines = new Map<string, Line<K>>();
    for (const line of listed) {
      if (line.from === 'own') {
        const item = own.get(line.item);
        lines.set(line.item, { name: line.name, picked: item && { item, pack } });
        continue;
      }
      for (const one of pickForeign(kind, line)) {
        const { picked } = one;
        const key = `${picked?.pack.program.pack.name ?? JSON.stringify(line.reference)}/${picked?.item.item ?? one.name}`;
        // A pattern may overlap with names that are listed already: they keep their place.
        if (!lines.has(key)) lines.set(key, one);
      }
    }
    return [...lines.values()];
  }

  function pickForeign<K extends ListedKind>(
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
  function settle<K extends ListedKind>(kind: K, lines: readonly Line<K>[]): readonly ComposedItem<K>[] {
    // Lists without foreign items were settled when they were linked, and their collisions told.
    if (!isForeign(server[`${kind}s`])) return present(lines);
    const given = assignWireNames(lines.map(({ name }) => name));
    const renamed = new Map<string, string[]>();
    for (const [index, { name }] of lines.entries()) {
      const final = given[index] ?? name;
      if (final !== name) renamed.set(name, [...(renamed.get(name) ?? []), final]);
    }
    for (const [name, names] of renamed) {
      const params = { name, kind, server: server.item, renamed: names };
      diagnostics.push(diagnose('link/wire-name-collision', params, server.at.site([keyOf(kind)], 'key')));
    }
    return present(lines.map((line, index) => ({ ...line, name: given[index] ?? line.name })));
  }

  /** Clients read resources by URI: of two with the same one, the first is served. */
  function distinct(lines: readonly Line<'resource'>[]): readonly ComposedItem<'resource'>[] {
    const all = present(lines);
    if (!isForeign(server.resources)) return all;
    const seen = new Set<string>();
    return all.filter(({ item, path }) => {
      const { uri } = item.definition;
      const isTaken = uri !== undefined && seen.has(uri);
      if (uri !== undefined) seen.add(uri);
      if (isTaken) diagnostics.push(diagnose('link/duplicate-uri', { uri }, server.at.site(path ?? ['resources'])));
      return !isTaken;
    });
  }
}

function present<K extends ListedKind>(lines: readonly Line<K>[]): readonly ComposedItem<K>[] {
  return lines.flatMap(({ name, picked, path }) => (picked === undefined ? [] : [{ ...picked, name, path }]));
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
