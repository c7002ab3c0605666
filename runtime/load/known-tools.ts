// In: a catalog and what earlier runs remember. Out: the tools in which nothing was found and of which nothing changed since:
// they are linked without being looked through again.
import { isMap } from '../../schema/document.js';
import { rawOf } from './link-item.js';
import { inlineItems } from './link-server.js';
import type { Manifest } from './manifest.js';
import type { Reader } from './read.js';
import { crypto } from './read-source.js';
import type { Catalog, Entry } from './resolve.js';
import type { Item } from './split.js';

/** Of a tool without a mistake, warning, note or mention of another pack's tool; how and where it is kept is the caller's business. */
export interface KnownTool {
  /** Its schemas have defaults or examples. */
  readonly hasValues: boolean;
}

/** Keys stand for everything that linking looks at, but for Node and this package themselves. */
export interface ToolMemo {
  get(key: string): KnownTool | undefined;
  set(key: string, tool: KnownTool): void;
}

export interface KnownTools {
  /** What a tool of the catalog comes from; undefined where that cannot be told. */
  originOf(tool: { readonly item: string }): string | undefined;
  find(item: Item): KnownTool | undefined;
  learn(item: Item, tool: KnownTool): void;
}

export const nothingKnown: KnownTools = { originOf: () => undefined, find: () => undefined, learn: () => {} };

/** Only definitions as they are in the pack's own files: patched ones come from more than one. */
export function recallTools(catalog: Catalog, manifest: Manifest, reader: Reader, memo: ToolMemo): KnownTools {
  const surroundings = hashSurroundings(catalog, manifest);
  const keys = new Map<Item, string>();
  const byName = new Map<string, string>();
  for (const entry of catalog.tool) {
    const { winner } = entry;
    if (winner === undefined || namesFiles(winner)) continue;
    const key = makeKey(surroundings, entry, winner, reader);
    keys.set(winner, key);
    byName.set(winner.name, key);
  }
  return {
    originOf: ({ item }) => byName.get(item),
    find(item) {
      const key = keys.get(item);
      return key === undefined ? undefined : memo.get(key);
    },
    learn(item, tool) {
      const key = keys.get(item);
      if (key !== undefined) memo.set(key, tool);
    },
  };
}

/** A tool may name the tools and config keys of its pack. */
function hashSurroundings(catalog: Catalog, { name, config, handlers }: Manifest): string {
  const inline = catalog.server.flatMap(({ winner }) => (winner === undefined ? [] : inlineItems(winner)));
  const names = [...catalog.tool, ...inline.filter(({ kind }) => kind === 'tool')].map(one => one.name);
  return digest([name, Object.keys(config), names, handlers]);
}

/** 132 bits: keys are kept by the thousand. */
function digest(parts: readonly unknown[]): string {
  return crypto().hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22);
}

function makeKey(surroundings: string, { declaration }: Entry, item: Item, reader: Reader): string {
  const hash = reader.text(item.file).value?.hash ?? '';
  return digest([surroundings, hash, item.form, item.file, item.name, declaration?.description ?? '']);
}

/** Texts and schemas in other files, which would have to be looked at too. */
function namesFiles(item: Item): boolean {
  const { description, inputSchema, outputSchema } = rawOf(item);
  return [description, inputSchema, outputSchema].some(value => isMap(value) && Object.hasOwn(value, 'file'));
}
