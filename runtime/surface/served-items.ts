// The tools, prompts and resources of one server while it runs: which of them clients get to see (M36), found as clients name them, added
// and removed (J85).

import type { When } from '../../schema/definitions.js';
import { nearest } from '../../schema/nearest.js';
import type { PackHost, ServedPrompt, ServedResource, ServedTool } from '../call/ports.js';
import { holds } from '../load/conditions.js';
import { type FoundResource, makeResourceFinder } from './read-resource.js';

export interface PromptTable {
  /** What clients see, by final wire name, in list order. */
  readonly offered: ReadonlyMap<string, ServedPrompt>;
  /** Throws where the name is in use, also by a prompt that is switched off. */
  add(served: ServedPrompt): void;
  remove(name: string): boolean;
}

export function makePromptTable(
  prompts: readonly ServedPrompt[],
  isOffered: (served: ServedPrompt) => boolean,
): PromptTable {
  const names = new Set<string>();
  const offered = new Map<string, ServedPrompt>();
  for (const served of prompts) put(served);
  return {
    offered,
    add(served) {
      if (names.has(served.name)) throw new Error(`This server has a prompt ${JSON.stringify(served.name)} already`);
      put(served);
    },
    remove(name) {
      offered.delete(name);
      return names.delete(name);
    },
  };

  function put(served: ServedPrompt): void {
    names.add(served.name);
    if (isOffered(served)) offered.set(served.name, served);
  }
}

export interface ResourceTable {
  /** What clients see, in list order. */
  readonly offered: readonly ServedResource[];
  find(uri: string): FoundResource | undefined;
  /** Throws where the address or template is in use, also by a resource that is switched off. */
  add(served: ServedResource): void;
  /** By address or template. */
  remove(address: string): boolean;
}

export function makeResourceTable(
  resources: readonly ServedResource[],
  isOffered: (served: ServedResource) => boolean,
): ResourceTable {
  let all = resources;
  let offered = all.filter(isOffered);
  let find = makeResourceFinder(offered);
  const replace = (next: readonly ServedResource[]): void => {
    all = next;
    offered = all.filter(isOffered);
    find = makeResourceFinder(offered);
  };
  return {
    get offered() {
      return offered;
    },
    find: uri => find(uri),
    add(served) {
      const address = addressOf(served);
      if (all.some(one => addressOf(one) === address))
        throw new Error(`This server has a resource ${JSON.stringify(address)} already`);
      replace([...all, served]);
    },
    remove(address) {
      const rest = all.filter(one => addressOf(one) !== address);
      const isRemoved = rest.length < all.length;
      if (isRemoved) replace(rest);
      return isRemoved;
    },
  };
}

/** What clients know a resource by. */
export function addressOf({ resource: { definition } }: ServedResource): string {
  return definition.uri ?? definition.uriTemplate ?? '';
}

/** Found by wire name and by item. */
export interface ToolTable {
  /** What clients see, by final wire name, in list order. */
  readonly offered: ReadonlyMap<string, ServedTool>;
  /** By item, offered or not: of the host's pack if it has one, else of any. A qualified name is of exactly that pack. */
  named(item: string, host: PackHost | undefined): ServedTool | undefined;
  /** Throws where the name is in use, also by a tool that is switched off. */
  add(served: ServedTool): void;
  remove(name: string): boolean;
}

export function makeToolTable(tools: readonly ServedTool[], isOffered: (served: ServedTool) => boolean): ToolTable {
  const all = new Map<string, readonly ServedTool[]>();
  const offered = new Map<string, ServedTool>();
  const byItem = new Map<string, ServedTool[]>();
  // X2: forms of one tool have one name, and at most one of them is offered.
  for (const served of tools) put(served);
  return { offered, named, add, remove };

  function named(name: string, host: PackHost | undefined): ServedTool | undefined {
    const slash = name.lastIndexOf('/');
    const group = byItem.get(name.slice(slash + 1)) ?? [];
    if (slash < 0) return group.find(served => served.host === host) ?? group[0];
    return group.find(served => served.host.program.pack.name === name.slice(0, slash));
  }

  function add(served: ServedTool): void {
    if (all.has(served.name)) throw new Error(`This server has a tool ${JSON.stringify(served.name)} already`);
    put(served);
  }

  function put(served: ServedTool): void {
    const { name, tool } = served;
    all.set(name, [...(all.get(name) ?? []), served]);
    if (isOffered(served)) offered.set(name, served);
    const group = byItem.get(tool.item);
    if (group === undefined) byItem.set(tool.item, [served]);
    else group.push(served);
  }

  function remove(name: string): boolean {
    const forms = all.get(name);
    if (forms === undefined) return false;
    all.delete(name);
    offered.delete(name);
    for (const served of forms) {
      const group = byItem.get(served.tool.item) ?? [];
      byItem.set(
        served.tool.item,
        group.filter(one => one !== served),
      );
    }
    return true;
  }
}

interface Switched {
  readonly enabled?: boolean | undefined;
  readonly modes?: readonly string[] | undefined;
}

/**
 * Off is off. An item without modes is in every mode; without a mode nothing is left out for its modes.
 *
 * @example isSwitchedOn({ modes: ['admin'] }, 'support') // false
 */
export function isSwitchedOn({ enabled, modes }: Switched, mode: string | undefined): boolean {
  if (enabled === false) return false;
  return mode === undefined || modes === undefined || modes.length === 0 || modes.includes(mode);
}

/** X2: also by its conditions, and those of the server's list. */
export function isOffered(
  { definition }: { readonly definition: Switched & { readonly when?: When | undefined } },
  { host, isLeftOut }: Pick<ServedPrompt, 'host' | 'isLeftOut'>,
  mode: string | undefined,
): boolean {
  if (isLeftOut === true || !isSwitchedOn(definition, mode)) return false;
  return definition.when === undefined || holds(definition.when, host.program.pack.config, host.settings.values);
}

/** A mode that no item has is probably misspelt. */
export function checkMode(mode: string | undefined, items: readonly Switched[]): string | undefined {
  if (mode === undefined) return undefined;
  const known = [...new Set(items.flatMap(({ modes }) => modes ?? []))].sort();
  if (known.includes(mode)) return undefined;
  const meant = nearest(mode, known);
  const hint = meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
  const list = known.length === 0 ? 'no item has modes' : `there are ${known.join(', ')}`;
  return `No item has the mode ${JSON.stringify(mode)}: ${list}${hint}`;
}
