// In: the winning definition of a server and the pack's items. Out: the server with its lists resolved and names settled.
import type { Renamed } from '../../schema/codes/link.js';
import {
  type HandledKind,
  handledKinds,
  isHandled,
  type Kind,
  keyOf,
  type ServerDefinition,
  type When,
} from '../../schema/definitions.js';
import { diagnose, type Site } from '../../schema/diagnostics.js';
import { isMap, type Path, within } from '../../schema/document.js';
import { assignWireNames, isItemName, makePattern, packOf, parseReference } from '../../schema/names.js';
import { didYouMean, makeSuggester, type Suggester } from '../../schema/nearest.js';
import { type Conditions, excludeEachOther } from './conditions.js';
import { checkPlainText, type Declared, linkHandler, linkItem, linkText, rawOf, type Scope } from './link-item.js';
import { linkWhen } from './link-when.js';
import type { Manifest } from './manifest.js';
import type { Listed, Server } from './program.js';
import type { Catalog } from './resolve.js';
import type { Item } from './split.js';

/** W22: an inline definition is an item of the pack that only its server lists. */
export function inlineItems(server: Item): readonly Item[] {
  const raw = isMap(server.definition) ? server.definition : {};
  return handledKinds.flatMap(kind => {
    const list = raw[keyOf(kind)];
    if (!Array.isArray(list)) return [];
    return list.flatMap((definition, index): Item[] => {
      if (
        !isMap(definition) ||
        definition['tag'] !== undefined ||
        typeof definition['name'] !== 'string' ||
        !isItemName(definition['name'])
      )
        return [];
      const at = within(server.at, [keyOf(kind), index]);
      const site = () => at.site(['name']);
      return [
        {
          kind,
          name: definition['name'],
          file: server.file,
          form: 'inline',
          server: server.name,
          definition,
          at,
          site,
        },
      ];
    });
  });
}

/** The place of `name`, or of the whole item where it is called by its item name. */
interface Named {
  readonly hasName: boolean;
  readonly when: When | undefined;
  site(): Site;
}

/** The pack as servers see it. */
export interface Offer {
  readonly pack: string;
  readonly version: string;
  /** Wire names by item; items whose definition is broken are there too, so that they are not called unknown. */
  readonly names: Readonly<Record<HandledKind, ReadonlyMap<string, string>>>;
  /** Items that are not inline: what patterns can match. */
  readonly items: Readonly<Record<HandledKind, readonly string[]>>;
  readonly suggestions: Readonly<Record<HandledKind, Suggester>>;
  /** X12: items by tag, without inline ones. */
  tags(kind: HandledKind): ReadonlyMap<string, readonly string[]>;
  /** Where an item has its wire name from; undefined where nothing defines it. */
  named(kind: HandledKind, item: string): Named | undefined;
  /** What servers without a list serve, and its names once they are settled: thousands of servers share one list. */
  readonly whole: Readonly<Record<HandledKind, readonly Listed[]>>;
  readonly settled: WeakMap<readonly Listed[], Settled>;
  /** The same for servers that list the same patterns. */
  readonly matched: Map<string, readonly Listed[]>;
}

export function linkServer(entry: Declared, item: Item, offer: Offer, scope: Scope): Server {
  const raw = rawOf(item);
  linkHandler(raw['initialize'], ['initialize'], item.at, scope);
  linkHandler(raw['routes'], ['routes'], item.at, scope);
  return {
    kind: 'server',
    ...linkItem<ServerDefinition>(entry, item, scope),
    version: typeof raw['version'] === 'string' ? raw['version'] : offer.version,
    instructions: linkInstructions(raw['instructions'], item, scope),
    tools: settleNames('tool', linkList('tool', raw['tools'], item, offer, scope), item, offer, scope),
    prompts: settleNames('prompt', linkList('prompt', raw['prompts'], item, offer, scope), item, offer, scope),
    resources: linkList('resource', raw['resources'], item, offer, scope),
  };
}

/** Paragraphs of a list become one text. */
export function linkInstructions(value: unknown, { at }: Item, scope: Scope): string {
  const parts = Array.isArray(value)
    ? value.map((part, index) => linkText(part, ['instructions', index], at, scope))
    : [linkText(value, ['instructions'], at, scope)];
  for (const part of parts) checkPlainText(part, scope);
  return parts.flatMap(part => part?.text ?? []).join('\n\n');
}

function linkList(kind: HandledKind, value: unknown, item: Item, offer: Offer, scope: Scope): readonly Listed[] {
  if (!Array.isArray(value)) return offer.whole[kind];
  const patterns = value.every(one => typeof one === 'string' && one.includes('*'))
    ? JSON.stringify([kind, value])
    : '';
  const known = offer.matched.get(patterns);
  if (known !== undefined) return known;
  const before = scope.diagnostics.length;
  const names = offer.names[kind];
  const own = (name: string): Listed => ({ from: 'own', item: name, name: names.get(name) ?? name });
  const listed = new Map<string, Listed>();
  for (const [index, reference] of value.entries()) {
    const path: Path = [keyOf(kind), index];
    const when = isMap(reference) ? linkWhen(reference['when'], [...path, 'when'], item.at, scope) : undefined;
    if (isMap(reference) && typeof reference['tag'] === 'string') {
      addTagged(reference['tag'], [...path, 'tag'], when);
    } else if (isMap(reference) && reference['name'] === undefined && typeof reference['item'] === 'string') {
      addNamed(reference['item'], [...path, 'item'], when);
    } else if (isMap(reference) && typeof reference['name'] === 'string') {
      add(reference['name'], own(reference['name']), path);
    } else if (typeof reference === 'string') {
      addNamed(reference, path, undefined);
    }
  }
  const list = [...listed.values()];
  // A mistake must be reported for each server.
  if (patterns !== '' && scope.diagnostics.length === before) offer.matched.set(patterns, list);
  return list;

  /** Twice under conditions is fine: either of them may hold. */
  function add(key: string, one: Listed, path: Path, when?: When): void {
    const before = listed.get(key);
    if (before !== undefined && (when === undefined || before.when === undefined)) {
      scope.diagnostics.push(diagnose('link/duplicate-reference', { name: key }, item.at.site(path)));
    } else put(key, one, when);
  }

  /** What is listed already keeps its place, and is served if any of its entries says so. */
  function put(key: string, one: Listed, when: When | undefined): void {
    const before = listed.get(key);
    if (before === undefined) listed.set(key, when === undefined ? one : { ...one, when: [when] });
    else if (before.when !== undefined)
      listed.set(key, { ...before, when: when === undefined ? undefined : [...before.when, when] });
  }

  function addNamed(reference: string, path: Path, when: When | undefined): void {
    if (reference.includes('*') && !reference.includes('/')) addMatches(reference, path, when);
    else addReference(reference, path, when);
  }

  function addMatches(pattern: string, path: Path, when: When | undefined): void {
    const matches = offer.items[kind].filter(makePattern(pattern));
    if (matches.length === 0) {
      scope.diagnostics.push(diagnose('link/empty-pattern', { pattern, kind }, item.at.site(path)));
    }
    for (const name of matches) put(name, own(name), when);
  }

  /** X12. */
  function addTagged(tag: string, path: Path, when: When | undefined): void {
    // An empty one has been reported already.
    if (tag.trim() === '') return;
    const tagged = offer.tags(kind);
    for (const name of tagged.get(tag) ?? []) put(name, own(name), when);
    if (tagged.has(tag)) return;
    const hint = didYouMean(tag, [...tagged.keys()]) ?? otherKind(tag, kind, offer);
    scope.diagnostics.push(diagnose('link/no-such-tag', { tag, kind }, item.at.site(path), { hint }));
  }

  /** W32: an own item, then a built-in one, then by its qualified name. */
  function addReference(reference: string, path: Path, when: When | undefined): void {
    // The form of a string with spaces, or of none, was reported already.
    if (!/^\S+$/.test(reference)) return;
    const parsed = parseReference(reference);
    if ('problem' in parsed) {
      const params = { name: reference, reason: parsed.problem };
      scope.diagnostics.push(diagnose('link/invalid-name', params, item.at.site(path)));
      return;
    }
    const { item: name } = parsed.name;
    const pack = packOf(parsed.name);
    if (pack !== undefined && pack !== offer.pack) {
      add(reference, { from: 'foreign', reference: parsed.name, path }, path, when);
    } else if (name.includes('*')) {
      addMatches(name, path, when);
    } else if (names.has(name)) {
      add(name, own(name), path, when);
    } else if (pack === undefined && scope.isBuiltIn(kind, name)) {
      add(name, { from: 'foreign', reference: parsed.name, path }, path, when);
    } else {
      const hint = offer.suggestions[kind].didYouMean(name);
      scope.diagnostics.push(
        diagnose('link/unknown-reference', { kind, name: reference }, item.at.site(path), { hint }),
      );
    }
  }
}

function otherKind(tag: string, kind: HandledKind, offer: Offer): string | undefined {
  const other = handledKinds.find(one => one !== kind && offer.tags(one).has(tag));
  return other === undefined ? undefined : `${keyOf(other)} have it: list it under \`${keyOf(other)}\``;
}

/** A list with its names settled, and the groups of which every member was renamed: their items and new names. */
interface Settled {
  readonly listed: readonly Listed[];
  readonly renamed: ReadonlyMap<string, readonly Renamed[]>;
}

/** Each place means reading a file again. */
const mostRelated = 10;

/** W56-W59: every member of a group that shares a wire name is numbered, whether enabled or not. */
function settleNames(
  kind: HandledKind,
  listed: readonly Listed[],
  item: Item,
  offer: Offer,
  scope: Scope,
): readonly Listed[] {
  const settled = offer.settled.get(listed) ?? settle(kind, listed, offer, scope);
  offer.settled.set(listed, settled);
  for (const [name, group] of settled.renamed) {
    const params = { name, kind, server: item.name, renamed: group };
    const places = group.flatMap(one => offer.named(kind, one.item) ?? []);
    // What is written there can be changed without renaming a file.
    const marked = places.findLast(({ hasName }) => hasName) ?? places.at(-1);
    const others = places.filter(one => one !== marked).slice(0, mostRelated);
    const related = others.map(one => ({ ...one.site(), message: 'another one with this name' }));
    const site = marked?.site() ?? item.at.site([keyOf(kind)], 'key');
    const old = group.find(one => one.item === name);
    const hint =
      old === undefined
        ? undefined
        : `give the other one another \`name\`, or ${JSON.stringify(name)} changes for clients that use it, with the permissions that users gave it`;
    scope.diagnostics.push(diagnose('link/wire-name-collision', params, site, { hint, related }));
  }
  return settled.listed;
}

function settle(kind: HandledKind, listed: readonly Listed[], offer: Offer, scope: Scope): Settled {
  const own = listed.flatMap(one => (one.from === 'own' ? [one] : []));
  // Names of foreign items are known to anyone who composes the server: that settles them all.
  const names = own.map(({ name }) => name);
  const conditionsAt = (index: number): Conditions => {
    const one = own[index];
    return one === undefined ? {} : { when: offer.named(kind, one.item)?.when, listed: one.when };
  };
  const areApart = (one: number, other: number): boolean =>
    excludeEachOther(conditionsAt(one), conditionsAt(other), Object.fromEntries(scope.config));
  const given = own.length < listed.length ? names : assignWireNames(names, areApart);
  const renamed = new Map<string, Renamed[]>();
  const final = new Map<Listed, Listed>();
  for (const [index, one] of own.entries()) {
    const name = given[index] ?? one.name;
    if (name === one.name) continue;
    final.set(one, { ...one, name });
    const group = renamed.get(one.name);
    if (group === undefined) renamed.set(one.name, [{ item: one.item, name }]);
    else group.push({ item: one.item, name });
  }
  return { listed: final.size === 0 ? listed : listed.map(one => final.get(one) ?? one), renamed };
}

/** A declared name that nothing defines may be the misspelt one. */
export function suggestDefined(kind: Kind, catalog: Catalog, inline: readonly Item[]): Suggester {
  const defined = catalog[kind].filter(({ isMissing }) => isMissing !== true);
  return makeSuggester([...defined, ...inline.filter(item => item.kind === kind)].map(({ name }) => name));
}

export function makeOffer(
  manifest: Manifest,
  catalog: Catalog,
  inline: readonly Item[],
  linked: readonly { readonly kind: Kind; readonly item: string; readonly name: string }[],
): Offer {
  const names: Record<HandledKind, Map<string, string>> = { tool: new Map(), prompt: new Map(), resource: new Map() };
  for (const kind of handledKinds) for (const { name } of catalog[kind]) names[kind].set(name, name);
  for (const { kind, name } of inline) if (isHandled(kind)) names[kind].set(name, name);
  for (const { kind, item, name } of linked) if (isHandled(kind)) names[kind].set(item, name);
  const items = (kind: HandledKind): readonly string[] => catalog[kind].map(({ name }) => name);
  const whole = (kind: HandledKind): readonly Listed[] =>
    items(kind).map(item => ({ from: 'own', item, name: names[kind].get(item) ?? item }));
  return {
    pack: manifest.name,
    version: manifest.version,
    names,
    items: { tool: items('tool'), prompt: items('prompt'), resource: items('resource') },
    suggestions: {
      tool: suggestDefined('tool', catalog, inline),
      prompt: suggestDefined('prompt', catalog, inline),
      resource: suggestDefined('resource', catalog, inline),
    },
    tags: indexTags(catalog),
    named: findNamed(catalog, inline),
    whole: { tool: whole('tool'), prompt: whole('prompt'), resource: whole('resource') },
    settled: new WeakMap(),
    matched: new Map(),
  };
}

/** Made for the first server that picks by a tag. Items with a mistake are there too, so that their tags are known. */
function indexTags(catalog: Catalog): Offer['tags'] {
  const made = new Map<HandledKind, ReadonlyMap<string, readonly string[]>>();
  return kind => {
    const known = made.get(kind) ?? groupByTag(catalog[kind].flatMap(({ winner }) => winner ?? []));
    made.set(kind, known);
    return known;
  };
}

/** The names of items by tag, in their order. */
export function groupByTag(
  items: readonly Pick<Item, 'name' | 'definition'>[],
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const { name, definition } of items) {
    const tags: unknown = isMap(definition) ? definition['tags'] : undefined;
    for (const tag of new Set(Array.isArray(tags) ? tags : [])) {
      if (typeof tag !== 'string') continue;
      const group = groups.get(tag);
      if (group === undefined) groups.set(tag, [name]);
      else group.push(name);
    }
  }
  return groups;
}

/** Looked up only where names collide. */
function findNamed(catalog: Catalog, inline: readonly Item[]): Offer['named'] {
  let items: ReadonlyMap<string, Item> | undefined;
  return (kind, name) => {
    items ??= new Map([...inline, ...winnersOf(catalog)].map(item => [`${item.kind}:${item.name}`, item]));
    const item = items.get(`${kind}:${name}`);
    if (item === undefined) return undefined;
    const hasName = rawOf(item)['name'] !== undefined;
    const { when } = rawOf(item);
    return {
      hasName,
      when: isMap(when) ? when : undefined,
      site: () => (hasName ? item.at.site(['name']) : item.site()),
    };
  };
}

function winnersOf(catalog: Catalog): readonly Item[] {
  return handledKinds.flatMap(kind => catalog[kind].flatMap(({ winner }) => winner ?? []));
}
