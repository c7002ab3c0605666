// In: a catalog and what is linked of it. Out: the pack as its servers see it: names, suggestions, places.
import type { Kind } from '../../schema/definitions.js';
import { isMap } from '../../schema/document.js';
import { makeSuggester, type Suggester } from '../../schema/nearest.js';
import { rawOf } from './link-item.js';
import { type ListedKind, listedKinds, type Offer } from './link-server.js';
import type { Manifest } from './manifest.js';
import type { Listed } from './program.js';
import type { Catalog } from './resolve.js';
import type { Item } from './split.js';

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
  const names: Record<ListedKind, Map<string, string>> = { tool: new Map(), prompt: new Map(), resource: new Map() };
  for (const kind of listedKinds) for (const { name } of catalog[kind]) names[kind].set(name, name);
  for (const { kind, name } of inline) if (kind !== 'server') names[kind].set(name, name);
  for (const { kind, item, name } of linked) if (kind !== 'server') names[kind].set(item, name);
  const items = (kind: ListedKind): readonly string[] => catalog[kind].map(({ name }) => name);
  const whole = (kind: ListedKind): readonly Listed[] =>
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
  const made = new Map<ListedKind, ReadonlyMap<string, readonly string[]>>();
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
    return { hasName, site: () => (hasName ? item.at.site(['name']) : item.site()) };
  };
}

function winnersOf(catalog: Catalog): readonly Item[] {
  return listedKinds.flatMap(kind => catalog[kind].flatMap(({ winner }) => winner ?? []));
}
