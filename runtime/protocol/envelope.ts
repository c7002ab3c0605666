// In: what a client says about itself: in a handshake of 2025, or with every request of 2026-07-28. Out: the same, checked; undefined
// where it is not surely what the protocol's schemas allow. Then the SDK decides, whose answer also says what is wrong.
import { isMap } from '../../schema/document.js';
import { freezeDeep } from '../../schema/freeze.js';
import type { Client } from '../../schema/support/mcp/client.js';
import type { LogLevel } from '../call/ports.js';
import { modernVersion } from './handshake.js';

// In: JSON of a client. Out: whether it is small enough to be kept or walked through, without walking further than that.

export interface Bounds {
  /** In characters, roughly as JSON would have. */
  readonly size: number;
  /** Of objects and lists inside each other. */
  readonly depth: number;
}

/** What a client may say about itself: it is kept as long as its session, and handlers see it. */
const clientBounds: Bounds = { size: 16_384, depth: 32 };

/** The answer to a question, which may have a picture in it. */
export const answerBounds: Bounds = { size: Number.POSITIVE_INFINITY, depth: 200 };

/** Roughly, and at most about `most`: nobody looks further. */
export function sizeOf(value: unknown, most: number): number {
  const left = { size: most };
  // What is nested deeper than this is not sent either.
  look(value, 500, left);
  return most - left.size;
}

/** Undefined: it is within bounds. */
export function exceeds(value: unknown, bounds: Bounds): keyof Bounds | undefined {
  const left = { size: bounds.size };
  return look(value, bounds.depth, left);
}

function look(value: unknown, depth: number, left: { size: number }): keyof Bounds | undefined {
  left.size -= typeof value === 'string' ? value.length + 2 : 4;
  if (left.size < 0) return 'size';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === 0) return 'depth';
  // By key: a list of all entries of a large object would cost more than what is looked at.
  for (const key in value) {
    left.size -= key.length;
    const found = look((value as Readonly<Record<string, unknown>>)[key], depth - 1, left);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Properties = Readonly<Record<string, unknown>>;

export const protocolVersionKey = 'io.modelcontextprotocol/protocolVersion';
const clientInfoKey = 'io.modelcontextprotocol/clientInfo';
const clientCapabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';
const logLevelKey = 'io.modelcontextprotocol/logLevel';

/** The levels in order, from chatty to alarming. */
export const logLevels: readonly LogLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** What a request of 2026-07-28 says about its client. */
export interface Envelope {
  readonly client: Client;
  /** Absent: the client wants no logs. */
  readonly logLevel: LogLevel | undefined;
}

export const unknownClient: Client = Object.freeze({ name: '', version: '', capabilities: Object.freeze({}) });

/** Who the client says it is. Untrusted, but for the shape. */
export function toClient(info: unknown, capabilities: unknown): Client {
  const { name, version, title } = isMap(info) ? info : {};
  return {
    name: typeof name === 'string' ? name : '',
    version: typeof version === 'string' ? version : '',
    ...(typeof title === 'string' && { title }),
    capabilities: isMap(capabilities) ? capabilities : {},
  };
}

/** What is wrong with the size of what a client says about itself; undefined: nothing. */
export function oversizeOf(info: unknown, capabilities: unknown): string | undefined {
  const over = exceeds(toClient(info, capabilities), { size, depth: depth + 1 });
  return over && `Invalid params: ${described[over]}`;
}

const { size, depth } = clientBounds;
const described: Readonly<Record<keyof Bounds, string>> = {
  size: `capabilities, name, version and title of a client may have ${size} characters of JSON together`,
  depth: `capabilities of a client may be nested ${depth} levels deep`,
};

/** The same of a request of 2026-07-28. */
export function oversizeOfEnvelope(params: unknown): string | undefined {
  const meta = isMap(params) ? params['_meta'] : undefined;
  return isMap(meta) ? oversizeOf(meta[clientInfoKey], meta[clientCapabilitiesKey]) : undefined;
}

/** Whether params carry the per-request envelope of 2026-07-28, valid or not. */
export function claimsEnvelope(params: unknown): boolean {
  return isMap(params) && isMap(params['_meta']) && protocolVersionKey in params['_meta'];
}

/** Whether anything of the envelope is there, which requests of 2025 have no use for. */
export function touchesEnvelope(meta: Properties): boolean {
  return protocolVersionKey in meta || clientInfoKey in meta || clientCapabilitiesKey in meta || logLevelKey in meta;
}

/**
 * The envelope of a request for 2026-07-28, which is in the `_meta` of its params.
 *
 * @example readEnvelope(request.meta)?.client.name
 */
export function readEnvelope(meta: Properties | undefined): Envelope | undefined {
  if (meta === undefined || meta[protocolVersionKey] !== modernVersion) return undefined;
  const { [clientInfoKey]: info, [clientCapabilitiesKey]: capabilities, [logLevelKey]: level } = meta;
  if (!isCapabilities(capabilities) || (info !== undefined && !isImplementation(info))) return undefined;
  const logLevel = level === undefined ? undefined : logLevels.find(known => known === level);
  if (level !== undefined && logLevel === undefined) return undefined;
  if (oversizeOf(info, capabilities) !== undefined) return undefined;
  return { client: toClient(info, capabilities), logLevel };
}

/**
 * The client that a handshake of 2025 introduces. Capabilities that the protocol does not know are left out.
 *
 * @example readInitialize(message.params)?.capabilities
 */
export function readInitialize(params: unknown): Client | undefined {
  if (!isMap(params)) return undefined;
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== 'string' || !isImplementation(clientInfo)) return undefined;
  if (oversizeOf(clientInfo, capabilities) !== undefined) return undefined;
  if (!isCapabilities(capabilities) || !isTasks(capabilities['tasks'])) return undefined;
  // All calls of the connection share it.
  return freezeDeep(toClient(clientInfo, knownCapabilities(capabilities)));
}

/** As the protocol's schemas leave them. */
function knownCapabilities(given: Properties): Properties {
  const { experimental, sampling, elicitation, roots, tasks, extensions } = given;
  const asks = isMap(elicitation) && Object.keys(elicitation).length === 0 ? { form: {} } : elicitation;
  return {
    ...(experimental !== undefined && { experimental }),
    ...(sampling !== undefined && { sampling: pick(sampling, ['context', 'tools']) }),
    ...(asks !== undefined && { elicitation: asks }),
    ...(roots !== undefined && { roots: pick(roots, ['listChanged']) }),
    ...(tasks !== undefined && { tasks }),
    ...(extensions !== undefined && { extensions }),
  };
}

function pick(value: unknown, keys: readonly string[]): Properties {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([key]) => keys.includes(key)));
}

function isCapabilities(value: unknown): value is Properties {
  if (!isMap(value)) return false;
  const { experimental, sampling, elicitation, roots, extensions } = value;
  return (
    isTable(experimental) &&
    isMapOf(sampling, ({ context, tools }) => isMapOrNone(context) && isMapOrNone(tools)) &&
    isMapOf(elicitation, ({ form, url }) => isMapOrNone(url) && isMapOf(form, isForm)) &&
    isMapOf(roots, ({ listChanged }) => isFlag(listChanged)) &&
    isTable(extensions)
  );
}

function isTasks(value: unknown): boolean {
  return isMapOf(
    value,
    ({ list, cancel, requests }) =>
      isMapOrNone(list) &&
      isMapOrNone(cancel) &&
      isMapOf(
        requests,
        ({ sampling, elicitation }) =>
          isMapOf(sampling, ({ createMessage }) => isMapOrNone(createMessage)) &&
          isMapOf(elicitation, ({ create }) => isMapOrNone(create)),
      ),
  );
}

function isForm({ applyDefaults }: Properties): boolean {
  return isFlag(applyDefaults);
}

/** What a client or a server says it is. */
export function isImplementation(value: unknown): boolean {
  if (!isMap(value)) return false;
  const { name, version, title, websiteUrl, description, icons } = value;
  return (
    typeof name === 'string' &&
    typeof version === 'string' &&
    isTextOrNone(title) &&
    isTextOrNone(websiteUrl) &&
    isTextOrNone(description) &&
    (icons === undefined || (Array.isArray(icons) && icons.every(isIcon)))
  );
}

export function isIcon(value: unknown): boolean {
  if (!isMap(value)) return false;
  const { src, mimeType, sizes, theme } = value;
  return (
    typeof src === 'string' &&
    isTextOrNone(mimeType) &&
    (sizes === undefined || (Array.isArray(sizes) && sizes.every(size => typeof size === 'string'))) &&
    (theme === undefined || theme === 'light' || theme === 'dark')
  );
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

function isMapOrNone(value: unknown): boolean {
  return value === undefined || isMap(value);
}

function isMapOf(value: unknown, fits: (map: Properties) => boolean): boolean {
  return value === undefined || (isMap(value) && fits(value));
}

/** Maps by name. */
function isTable(value: unknown): boolean {
  return isMapOf(value, map => Object.values(map).every(isMap));
}
