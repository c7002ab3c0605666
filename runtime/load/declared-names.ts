// W3: what toolwright.yaml says about an item beside its name. In: declarations and the linked items. Out: names and addresses that
// the definitions do not have, which would mislead anyone who only looks at the list.
import { type Kind, kinds } from '../../schema/definitions.js';
import { type Diagnostic, diagnose } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import { makePattern, printName } from '../../schema/names.js';
import { didYouMean } from '../../schema/nearest.js';
import { listedKinds } from './link-server.js';
import type { Listed, Program, Prompt, Resource, Server, Tool } from './program.js';
import type { Catalog } from './resolve.js';

/** The names that a definition has, and whether a declared one is among them. */
interface Known {
  readonly names: readonly string[];
  has(name: string): boolean;
}

type Item = Server | Tool | Prompt | Resource;

export function checkDeclared(catalog: Catalog, program: Omit<Program, 'pack'>): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const kind of kinds) {
    const declared = catalog[kind].filter(({ declaration }) => declaration?.more !== undefined);
    if (declared.length === 0) continue;
    const items = new Map<string, Item>(itemsOf(kind, program).map(item => [item.item, item]));
    for (const { name, declaration } of declared) {
      const item = items.get(name);
      const more = declaration?.more;
      // A broken definition has its diagnostic already.
      if (item === undefined || more === undefined) continue;
      for (const [key, known] of Object.entries(knownTo(item))) {
        const list = Object.hasOwn(more.value, key) ? more.value[key] : undefined;
        for (const [index, declaredName] of (Array.isArray(list) ? list : []).entries()) {
          if (typeof declaredName !== 'string' || known.has(declaredName)) continue;
          const params = { kind, item: name, part: key.slice(0, -1), name: declaredName };
          const hint = didYouMean(declaredName, known.names);
          found.push(diagnose('link/declared-name', params, more.at.site([key, index]), { hint }));
        }
      }
      const { uri } = more.value;
      const actual = item.kind === 'resource' ? (item.definition.uri ?? item.definition.uriTemplate) : undefined;
      if (typeof uri === 'string' && actual !== undefined && uri !== actual)
        found.push(diagnose('link/declared-uri', { item: name, uri, actual }, more.at.site(['uri'])));
    }
  }
  return found;
}

function itemsOf(kind: Kind, program: Omit<Program, 'pack'>): readonly Item[] {
  return program[`${kind}s`];
}

function knownTo(item: Item): Readonly<Record<string, Known>> {
  switch (item.kind) {
    case 'tool': {
      const { properties } = item.inputSchema;
      return { parameters: listed(isMap(properties) ? Object.keys(properties) : []) };
    }
    case 'prompt':
      return { arguments: listed(item.arguments.map(({ name }) => name)) };
    case 'server':
      return Object.fromEntries(listedKinds.map(kind => [`${kind}s`, served(item[`${kind}s`])]));
    case 'resource':
      return {};
  }
}

function listed(names: readonly string[]): Known {
  return { names, has: name => names.includes(name) };
}

/** Items of other packs may be called by their qualified or by their item name; of a pattern nobody knows what it matches. */
function served(list: readonly Listed[]): Known {
  const own = list.flatMap(one => (one.from === 'own' ? [one.item] : []));
  const foreign = list.flatMap(one => (one.from === 'foreign' ? [one.reference] : []));
  const names = [...own, ...foreign.map(({ item }) => item).filter(item => !item.includes('*'))];
  const fits = foreign.flatMap(reference => [makePattern(reference.item), makePattern(printName(reference))]);
  const wireNames = list.flatMap(one => (one.from === 'own' ? [one.name] : []));
  return {
    names,
    has: name => names.includes(name) || wireNames.includes(name) || fits.some(matches => matches(name)),
  };
}
