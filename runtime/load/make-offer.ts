// In: a catalog and what is linked of it. Out: the pack as its servers see it: names, suggestions, places.
import type { Kind } from '../../schema/definitions.js';
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
    named: findNamed(catalog, inline),
    whole: { tool: whole('tool'), prompt: whole('prompt'), resource: whole('resource') },
    settled: new WeakMap(),
    matched: new Map(),
  };
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
