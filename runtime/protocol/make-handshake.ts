// In: a surface. Out: its handshake: everything that clients ask first, printed, with each entry of a list a piece of its own.
import type { CacheHints } from '../../schema/definitions.js';
import { isMap } from '../../schema/document.js';
import { taskPolicyOf } from '../load/program.js';
import type { Wire } from '../packs/list-entries.js';
import { openCursor } from '../surface/cursor.js';
import type { ListName, Page, Surface } from '../surface/surface.js';
import type { Handshake, Piece, Pieces, TaskModes } from './handshake.js';

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
    ...(capabilities.tools && {
      tools: readPieces(surface, 'tools', entry => relayPiece(withMode(entry, surface), surface)),
    }),
    ...(capabilities.prompts && { prompts: readPieces(surface, 'prompts', plainPiece) }),
    ...(capabilities.resources && {
      resources: withOthers(readPieces(surface, 'resources', plainPiece), surface),
      resourceTemplates: readPieces(surface, 'resourceTemplates', plainPiece),
    }),
  };
  const sizes = Object.values(lists).flatMap(({ pageSize }) => pageSize ?? []);
  const entries = Object.entries(lists).map(([name, { pieces }]) => [name, pieces]);
  const tasks = modesOf(surface, lists.tools?.pieces.pieces.map(({ name }) => name) ?? []);
  return {
    info: JSON.stringify(surface.info),
    capabilities: JSON.stringify(capabilities),
    instructions: surface.instructions,
    cache: cacheOf(surface.cache),
    ...(sizes[0] === undefined ? {} : { pageSize: sizes[0] }),
    ...(tasks && { tasks }),
    lists: Object.fromEntries(entries) as Handshake['lists'],
  };
}

/** T1: undefined: no tool runs as a task, or nothing keeps tasks. */
function modesOf(surface: Surface, names: readonly string[]): TaskModes | undefined {
  if (surface.tasks === undefined) return undefined;
  const modes = names.flatMap(name => {
    const mode = modeOf(surface, name);
    return mode === undefined ? [] : [[name, mode] as const];
  });
  return modes.length === 0 ? undefined : { modes: Object.fromEntries(modes) };
}

function modeOf(surface: Surface, name: string): 'optional' | 'required' | undefined {
  const served = surface.tasks === undefined ? undefined : surface.tool(name);
  return served && taskPolicyOf(served.tool)?.mode;
}

/** T1: how clients of 2025-11-25 learn of it. Only our own code serves tasks, so that entries of the SDK say nothing. */
function withMode(entry: Wire, surface: Surface): Wire {
  const mode = modeOf(surface, String(entry['name']));
  return mode === undefined ? entry : { ...entry, execution: { taskSupport: mode } };
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

function withOthers(read: Read, { listsByCode }: Surface): Read {
  return listsByCode ? { ...read, pieces: { ...read.pieces, isPartial: true } } : read;
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

// The one rewriting of schemas on the wire: clients of 2025 take an output schema only if its root is an object, so that any
// other is put under `result`, in the list and in results alike. The SDK does the same; test/runtime/protocol/handshake.test.ts holds us to it.

type Schema = Readonly<Record<string, unknown>>;

const dataKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);
const mapKeywords: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);
const root = '#/properties/result';

/** Whether clients of 2025 get what a tool gives under `result`. */
export function isWrapped(outputSchema: Schema | undefined): boolean {
  return outputSchema !== undefined && outputSchema['type'] !== 'object';
}

/**
 * @example wrapOutputSchema({ type: 'array' }) // { type: 'object', properties: { result: { type: 'array' } }, required: ['result'] }
 */
export function wrapOutputSchema(schema: Schema): Schema {
  const { $schema } = schema;
  const isMoved = !hasOwnBase(schema);
  const turnsRecursion =
    typeof $schema === 'string' &&
    /^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/.test($schema) &&
    schema['$recursiveAnchor'] !== true;
  return {
    ...(typeof $schema === 'string' ? { $schema } : {}),
    type: 'object',
    properties: { result: isMoved ? move(schema, turnsRecursion) : schema },
    required: ['result'],
  };
}

/** References into the document lead one level deeper now. */
function move(node: unknown, turnsRecursion: boolean): unknown {
  if (Array.isArray(node)) return node.map(item => move(item, turnsRecursion));
  if (!isMap(node) || hasOwnBase(node)) return node;
  const moved: Record<string, unknown> = {};
  let isRecursive = false;
  for (const [key, value] of Object.entries(node)) {
    if ((key === '$ref' || key === '$dynamicRef') && typeof value === 'string') moved[key] = moveReference(value);
    else if (key === '$recursiveRef' && value === '#' && turnsRecursion) isRecursive = true;
    else if (dataKeywords.has(key)) moved[key] = value;
    else if (mapKeywords.has(key) && isMap(value)) {
      const entries = Object.entries(value).map(([name, schema]) => [name, move(schema, turnsRecursion)]);
      moved[key] = Object.fromEntries(entries);
    } else moved[key] = move(value, turnsRecursion);
  }
  if (!isRecursive) return moved;
  if (!('$ref' in moved)) return { ...moved, $ref: root };
  const { allOf } = moved;
  return { ...moved, allOf: [...(Array.isArray(allOf) ? (allOf as unknown[]) : []), { $ref: root }] };
}

function moveReference(reference: string): string {
  if (reference === '#') return root;
  return reference.startsWith('#/') ? `${root}${reference.slice(1)}` : reference;
}

/** What has an address of its own is not moved; a name inside the document is none. */
function hasOwnBase({ $id }: Schema): boolean {
  return $id !== undefined && !(typeof $id === 'string' && $id.startsWith('#'));
}
