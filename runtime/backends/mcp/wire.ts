// The protocol as its client sees it. In: nothing. Out: the shapes of messages, names and versions of both eras, and what we say about
// ourselves. Types and constants; nothing here sends anything.
import { isMap } from '../../../schema/document.js';
import { ownVersion } from '../../load/own-package.js';

/** A message as it came: an object, of which nothing else is known. */
export type Message = Readonly<Record<string, unknown>>;
export type Params = Readonly<Record<string, unknown>>;

/** `legacy`: the revisions up to 2025-11-25; `modern`: 2026-07-28. */
export type UpstreamEra = 'legacy' | 'modern';

export const newestVersion = '2026-07-28';
/** The first is the one that we ask for. */
export const handshakeVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

const metaPrefix = 'io.modelcontextprotocol/';
export const metaKeys = {
  version: `${metaPrefix}protocolVersion`,
  client: `${metaPrefix}clientInfo`,
  capabilities: `${metaPrefix}clientCapabilities`,
  logLevel: `${metaPrefix}logLevel`,
  server: `${metaPrefix}serverInfo`,
} as const;

/** Errors of the protocol that a client acts upon. */
export const wireCodes = { methodNotFound: -32601, internalError: -32603, headerMismatch: -32020 } as const;

/** What a server says about itself, in either era. */
export interface ServerFacts {
  readonly era: UpstreamEra;
  readonly version: string;
  readonly capabilities: Params;
  readonly serverInfo: Params;
  readonly instructions: string | undefined;
}

/** One connection serves all clients, so that it must be able to do what any of them can. */
export const sharedCapabilities: Params = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: {},
};

let info: Params | undefined;

/** Who we are to other servers. */
export function ownInfo(): Params {
  info ??= { name: 'toolwright', version: ownVersion() };
  return info;
}

/** Of what a client sent along, that which is not about its own connection to us. */
export function foreignMeta(meta: Params): Params | undefined {
  let kept: Record<string, unknown> | undefined;
  for (const key in meta) {
    if (key === 'progressToken' || key.startsWith(metaPrefix)) continue;
    kept ??= {};
    kept[key] = meta[key];
  }
  return kept;
}

/** A result without what says something about the connection that it came over. */
export function bareResult(result: Params): Params {
  const isBare =
    result['resultType'] === undefined && (!isMap(result['_meta']) || !(metaKeys.server in result['_meta']));
  if (isBare) return result;
  const { resultType, _meta, ...rest } = result;
  if (!isMap(_meta)) return _meta === undefined ? rest : { ...rest, _meta };
  const { [metaKeys.server]: _server, ...meta } = _meta;
  return Object.keys(meta).length === 0 ? rest : { ...rest, _meta: meta };
}
