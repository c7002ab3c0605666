// In: an address that somebody typed. Out: what it answers; a document is text, a server of MCP has no page to read.
import { createSender } from '../../runtime/backends/http/sender.js';
import type { BackendScope, CallScope } from '../../runtime/backends/ports.js';
import { UpstreamFailure } from '../../runtime/call/upstream-failure.js';

export interface Fetched {
  readonly status: number;
  /** Without parameters, in small letters; empty where there is none. */
  readonly type: string;
  readonly text: string;
  /** Where it came from, after redirects. */
  readonly url: string;
}

export interface FetchScope {
  readonly scope: BackendScope;
  readonly call: Pick<CallScope, 'signal' | 'request'>;
  /** A key of the settings of `scope`. */
  readonly bearer?: string | undefined;
  readonly maxBytes: number;
}

const accept = 'application/json, application/yaml, application/vnd.oai.openapi+json, text/yaml, */*;q=0.5';

/**
 * Reads an address. Where it leads to this machine or network, that is what was typed; a redirect stays at its origin.
 *
 * @example (await fetchDocument('https://api.example.com/openapi.json', scope)).text
 */
export async function fetchDocument(url: string, { scope, call, bearer, maxBytes }: FetchScope): Promise<Fetched> {
  const auth = bearer === undefined ? {} : { auth: { bearer } };
  const sender = createSender('the address', { url, ...auth, limits: { bytes: maxBytes, timeoutMs: 60_000 } }, scope);
  try {
    const { pathname, search } = new URL(url);
    const sent = await sender.send({ method: 'GET', target: pathname + search, headers: { accept } }, call);
    const [type = ''] = (sent.headers['content-type'] ?? '').split(';');
    const isStream = type.trim().toLowerCase() === 'text/event-stream';
    const isRead = sent.status >= 200 && sent.status < 300 && !isStream;
    if (!isRead) sent.body.discard();
    const bytes = isRead ? await sent.body.read() : new Uint8Array();
    const { status } = sent;
    return { status, type: type.trim().toLowerCase(), text: new TextDecoder().decode(bytes), url: sent.url };
  } finally {
    sender.close();
  }
}

/** What went wrong, for somebody who typed the address. */
export function explainFetch(error: unknown): string | undefined {
  if (!(error instanceof UpstreamFailure)) return undefined;
  return error.message.endsWith('another origin') ? `${error.message}: import from there` : error.message;
}
