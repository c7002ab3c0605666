// In: a surface. Out: its handshake: everything that clients ask first, printed, with each entry of a list a piece of its own.
import type { CacheHints } from '../../schema/definitions.js';
import { isMap } from '../../schema/document.js';
import type { Wire } from '../packs/list-entries.js';
import { openCursor } from '../surface/cursor.js';
import type { ListName, Page, Surface } from '../surface/surface.js';
import type { Handshake, Piece, Pieces } from './handshake.js';
import { isWrapped, wrapOutputSchema } from './wrap-output.js';

/** What a server tells its clients that it can do, in the protocol's shape. */
export interface Capabilities {
  readonly tools?: { readonly listChanged: true };
  readonly prompts?: { readonly listChanged: true };
  readonly resources?: { readonly listChanged: true; readonly subscribe?: true };
  readonly completions?: Readonly<Record<string, never>>;
  readonly logging: Readonly<Record<string, never>>;
}

export function capabilitiesOf({ offers }: Pick<Surface, 'offers'>): Capabilities {
  return {
    ...(offers.tools && { tools: { listChanged: true } }),
    ...(offers.prompts && { prompts: { listChanged: true } }),
    ...(offers.resources && { resources: { listChanged: true, ...(offers.subscribe && { subscribe: true }) } }),
    ...(offers.completions && { completions: {} }),
    logging: {},
  };
}

/**
 * Prints all lists of a surface. What a server can do must not change while it runs: pass what it was when it started.
 *
 * @example const handshake = makeHandshake(surface);
 */
export function makeHandshake(surface: Surface, capabilities: Capabilities = capabilitiesOf(surface)): Handshake {
  const lists: { [name in ListName]?: Read } = {
    ...(capabilities.tools && { tools: readPieces(surface, 'tools', entry => relayPiece(entry, surface)) }),
    ...(capabilities.prompts && { prompts: readPieces(surface, 'prompts', plainPiece) }),
    ...(capabilities.resources && {
      resources: readPieces(surface, 'resources', plainPiece),
      resourceTemplates: readPieces(surface, 'resourceTemplates', plainPiece),
    }),
  };
  const sizes = Object.values(lists).flatMap(({ pageSize }) => pageSize ?? []);
  const entries = Object.entries(lists).map(([name, { pieces }]) => [name, pieces]);
  return {
    info: JSON.stringify(surface.info),
    capabilities: JSON.stringify(capabilities),
    instructions: surface.instructions,
    cache: cacheOf(surface.cache),
    ...(sizes[0] === undefined ? {} : { pageSize: sizes[0] }),
    lists: Object.fromEntries(entries) as Handshake['lists'],
  };
}

/** Where a server says nothing, clients keep nothing. */
function cacheOf(cache: CacheHints | undefined): Handshake['cache'] {
  return { ttlMs: cache?.ttlMs ?? 0, cacheScope: cache?.scope ?? 'private' };
}

interface Read {
  readonly pieces: Pieces;
  /** Undefined where all fits into one. */
  readonly pageSize?: number;
}

function readPieces(surface: Surface, name: ListName, print: (entry: Wire) => Piece): Read {
  const first = surface.list(name);
  const entries = [...first.entries];
  let page: Page = first;
  while (page.nextCursor !== undefined) {
    page = surface.list(name, page.nextCursor);
    entries.push(...page.entries);
  }
  const pieces = entries.map(print);
  if (first.nextCursor === undefined) return { pieces: { pieces } };
  const version = openCursor(first.nextCursor)?.version;
  return { pieces: { pieces, ...(version !== undefined && { version }) }, pageSize: first.entries.length };
}

function plainPiece(entry: Wire): Piece {
  const name = entry['uri'] ?? entry['uriTemplate'] ?? entry['name'];
  return { name: String(name), text: JSON.stringify(entry) };
}

/** C6: clients that cannot ask their user see what a tool takes from them in addition. */
function relayPiece(entry: Wire, surface: Surface): Piece {
  const piece = toolPiece(entry);
  const inputSchema = surface.relayedInput(piece.name);
  if (inputSchema === undefined) return piece;
  const { name: _, ...relay } = toolPiece({ ...entry, inputSchema });
  return { ...piece, relay };
}

/** What clients of either era may not see of a tool, or see differently. */
function toolPiece(entry: Wire): Piece {
  const { execution, ...rest } = entry;
  const { outputSchema } = entry;
  const plain = plainPiece(entry);
  const isTurned = isMap(outputSchema) && isWrapped(outputSchema);
  if (!isTurned && execution === undefined) return plain;
  return {
    ...plain,
    ...(isTurned && { text: JSON.stringify({ ...entry, outputSchema: wrapOutputSchema(outputSchema) }) }),
    modern: JSON.stringify(execution === undefined ? entry : rest),
  };
}
