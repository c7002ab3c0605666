// In: what a server tells its clients about itself, printed once: when it starts, or when it was built. Out: answers to the
// handshake and to lists. Imports next to nothing: a built server has no time for more before its first answer.
import { isMap } from '../../schema/document.js';
import { closeCursor, openCursor } from '../surface/cursor.js';
import type { ListName } from '../surface/surface.js';
import type { TaskOffer } from './ports.js';

/** `legacy`: the revisions up to 2025-11-25; `modern`: 2026-07-28. */
export type Era = 'legacy' | 'modern';

/** One entry of a list, ready for the wire. */
export interface Piece {
  /** The wire name; of resources the URI or its template. */
  readonly name: string;
  /** JSON. */
  readonly text: string;
  /** JSON for clients of 2026-07-28, where these get something else. */
  readonly modern?: string;
  /** C6: the same for clients that cannot ask their user, where these get something else. */
  readonly relay?: Pick<Piece, 'text' | 'modern'>;
}

export interface Pieces {
  readonly pieces: readonly Piece[];
  /** What cursors of this very list carry; absent: there are none, or somebody else must make them. */
  readonly version?: string;
  /** X13: there are more, which only code knows: the list is somebody else's to give. */
  readonly isPartial?: true;
}

/** Plain data, so that it can be written into a built server as JSON. */
export interface Handshake {
  /** JSON of the server's name and version. */
  readonly info: string;
  /** JSON of what the server can do. */
  readonly capabilities: string;
  /** As it is, not JSON; empty: none. */
  readonly instructions: string;
  /** How long clients of 2026-07-28 may keep lists. */
  readonly cache: { readonly ttlMs: number; readonly cacheScope: 'public' | 'private' };
  /** Absent: every list is one page. */
  readonly pageSize?: number;
  /** T1: absent where no tool runs as a task. */
  readonly tasks?: TaskModes;
  /** Only the kinds that the server has; methods of the others do not exist. */
  readonly lists: { readonly [name in ListName]?: Pieces };
}

export interface TaskModes {
  /** By wire name. */
  readonly modes: Readonly<Record<string, 'optional' | 'required'>>;
}

export const modernVersion = '2026-07-28';
/** The only one with a handshake that knows tasks. */
export const taskVersion = '2025-11-25';
/** The newest first, which clients get that ask for one we do not know. */
const legacyVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

export const serverInfoKey = 'io.modelcontextprotocol/serverInfo';
/** The extension of 2026-07-28, as both sides declare it. */
export const tasksKey = 'io.modelcontextprotocol/tasks';

/** By the methods that ask for them. */
export const listsByMethod: ReadonlyMap<string, ListName> = new Map([
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
]);

/** Whether clients that cannot ask their user get another list. */
function hasRelays({ lists }: Handshake): boolean {
  return lists.tools?.pieces.some(({ relay }) => relay !== undefined) === true;
}

/**
 * The JSON of the result of `initialize` and `ping` (2025), `server/discover` (2026), or of a list (both). Undefined: not for
 * here, because the method is another, its params are odd, or the server has no such list. `relays`: the client cannot ask
 * its user (see can-elicit.ts).
 *
 * @example answerStatic(handshake, 'tools/list', {}, 'legacy') // '{"tools":[{"name":"add",...}]}'
 */
export function answerStatic(
  handshake: Handshake,
  method: string,
  params: unknown,
  era: Era,
  relays = false,
): string | undefined {
  const list = listsByMethod.get(method);
  if (list !== undefined)
    return answerList(handshake, list, params, { era, relays: relays && list === 'tools' && hasRelays(handshake) });
  switch (method) {
    case 'ping':
      return era === 'legacy' ? '{}' : undefined;
    case 'initialize':
      return era === 'legacy' ? answerInitialize(handshake, params) : undefined;
    case 'server/discover':
      return era === 'modern' ? remember(handshake, method, () => printDiscover(handshake)) : undefined;
    default:
      return undefined;
  }
}

/** What every result of 2026-07-28 ends with: put it before the last brace of a result that has no `_meta`, after a comma. */
export function modernMembers(handshake: Handshake): string {
  return remember(handshake, 'members', () => `"resultType":"complete","_meta":{"${serverInfoKey}":${handshake.info}}`);
}

/**
 * The same with fewer entries in a list: what an operator has switched off, what a caller may not see.
 *
 * @example selectPieces(handshake, 'tools', ({ name }) => name !== 'delete-issue')
 */
export function selectPieces(handshake: Handshake, list: ListName, isKept: (piece: Piece) => boolean): Handshake {
  const before = handshake.lists[list];
  if (before === undefined) return handshake;
  const pieces = before.pieces.filter(isKept);
  if (pieces.length === before.pieces.length) return handshake;
  const { tasks, ...rest } = handshake;
  const left = list === 'tools' ? tasks && selectModes(tasks, pieces) : tasks;
  return {
    ...rest,
    ...(left && { tasks: left }),
    lists: { ...handshake.lists, [list]: { pieces, ...(before.isPartial && { isPartial: true }) } },
  };
}

/** Undefined: none of them runs as a task. */
function selectModes({ modes }: TaskModes, pieces: readonly Piece[]): TaskModes | undefined {
  const names = new Set(pieces.map(({ name }) => name));
  const left = Object.entries(modes).filter(([name]) => names.has(name));
  return left.length === 0 ? undefined : { modes: Object.fromEntries(left) };
}

/** The same with other entries in place of those with their names. */
export function replacePieces(handshake: Handshake, list: ListName, others: ReadonlyMap<string, Piece>): Handshake {
  const before = handshake.lists[list];
  if (before === undefined || others.size === 0) return handshake;
  const pieces = before.pieces.map(piece => others.get(piece.name) ?? piece);
  return { ...handshake, lists: { ...handshake.lists, [list]: { ...before, pieces } } };
}

/** Texts of a handshake that were asked for before. */
const printed = new WeakMap<Handshake, Map<string, string>>();

function remember(handshake: Handshake, key: string, print: () => string): string {
  let texts = printed.get(handshake);
  if (texts === undefined) {
    texts = new Map();
    printed.set(handshake, texts);
  }
  let text = texts.get(key);
  if (text === undefined) {
    text = print();
    texts.set(key, text);
  }
  return text;
}

function answerInitialize(handshake: Handshake, params: unknown): string | undefined {
  const wanted = isMap(params) ? params['protocolVersion'] : undefined;
  if (typeof wanted !== 'string') return undefined;
  const version = legacyVersion(wanted);
  const { info } = handshake;
  const capabilities = version === taskVersion ? withTasks(handshake, true) : handshake.capabilities;
  return `{"protocolVersion":"${version}","capabilities":${capabilities},"serverInfo":${info}${instructionsOf(handshake)}}`;
}

/** The revision that is spoken with a client of 2025 that wants this one. */
export function legacyVersion(wanted: string): string {
  return legacyVersions.includes(wanted) ? wanted : (legacyVersions[0] as string);
}

/** T1: the JSON of the capabilities for clients of 2025-11-25. */
function withTasks({ capabilities, tasks }: Handshake, canList: boolean): string {
  if (tasks === undefined) return capabilities;
  return JSON.stringify({ ...(JSON.parse(capabilities) as object), tasks: taskCapability({ canList }) });
}

/** T1: what clients of 2025-11-25 hear. */
export function taskCapability({ canList }: TaskOffer): object {
  return { ...(canList && { list: {} }), cancel: {}, requests: { tools: { call: {} } } };
}

function withExtension({ capabilities, tasks }: Handshake): string {
  if (tasks === undefined) return capabilities;
  return JSON.stringify({ ...(JSON.parse(capabilities) as object), extensions: { [tasksKey]: {} } });
}

function printDiscover(handshake: Handshake): string {
  const start = `{"supportedVersions":["${modernVersion}"],"capabilities":${withExtension(handshake)}`;
  return `${start}${instructionsOf(handshake)},${cacheOf(handshake)},${modernMembers(handshake)}}`;
}

function instructionsOf({ instructions }: Handshake): string {
  return instructions === '' ? '' : `,"instructions":${JSON.stringify(instructions)}`;
}

/** What depends on the client is for it alone. */
function cacheOf({ cache }: Handshake, relays = false): string {
  return `"ttlMs":${cache.ttlMs},"cacheScope":"${relays ? 'private' : cache.cacheScope}"`;
}

/** Who reads a list. */
interface Reader {
  readonly era: Era;
  readonly relays: boolean;
}

function answerList(handshake: Handshake, name: ListName, params: unknown, reader: Reader): string | undefined {
  const list = handshake.lists[name];
  if (list === undefined || list.isPartial) return undefined;
  const cursor = isMap(params) ? params['cursor'] : undefined;
  const { pieces, version } = list;
  const size = Math.max(1, handshake.pageSize ?? pieces.length);
  const isPaged = pieces.length > size;
  if (isPaged && version === undefined) return undefined;
  const key = `${reader.era} ${reader.relays} ${name}`;
  if (cursor === undefined) return remember(handshake, `${key} 0`, () => printList(handshake, name, reader, 0, size));
  // Errors are for those who can word them.
  const opened = typeof cursor === 'string' && isPaged ? openCursor(cursor) : undefined;
  if (opened === undefined || opened.version !== version || opened.start >= pieces.length) return undefined;
  const { start } = opened;
  // Only pages that we gave out are kept: a client that makes up cursors must not fill the memory.
  if (start % size !== 0) return printList(handshake, name, reader, start, size);
  return remember(handshake, `${key} ${start}`, () => printList(handshake, name, reader, start, size));
}

function printList(handshake: Handshake, name: ListName, { era, relays }: Reader, start: number, size: number): string {
  const { pieces, version } = handshake.lists[name] ?? { pieces: [] };
  const end = start + size;
  const texts = pieces.slice(start, end).map(piece => {
    const { text, modern } = (relays ? piece.relay : undefined) ?? piece;
    return era === 'modern' ? (modern ?? text) : text;
  });
  const next =
    end < pieces.length && version !== undefined ? `,"nextCursor":"${closeCursor({ start: end, version })}"` : '';
  const more = era === 'modern' ? `,${cacheOf(handshake, relays)},${modernMembers(handshake)}` : '';
  return `{"${name}":[${texts.join(',')}]${next}${more}}`;
}
