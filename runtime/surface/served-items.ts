// The prompts and resources of one server while it runs: found as clients name them, added and removed (J85).
import type { ServedPrompt, ServedResource } from '../call/ports.js';
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
