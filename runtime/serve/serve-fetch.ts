// In: a surface. Out: a web-standard fetch function, for hosts that bring their own HTTP: workers, Hono, Deno, Bun.
// Nothing here needs Node, nor the SDK, which is loaded for the first request that is not plain.
import { parseJson } from '../../schema/json-text.js';
import type { Auth } from '../../schema/support/mcp/client.js';
import { type Caller, callerOfHost } from '../protocol/caller.js';
import { modernVersion } from '../protocol/handshake.js';
import { readInbound } from '../protocol/inbound.js';
import type { HttpAnswer } from '../protocol/plain-calls.js';
import { HttpCall, HttpListening, openPlainHttp } from '../protocol/plain-http.js';
import type { EventReply } from '../protocol/plain-tasks.js';
import { InFlight } from '../protocol/request.js';
import type { Surface } from '../surface/surface.js';
import type { ProtocolName } from './stdio-connection.js';

export interface FetchOptions {
  /** Default 4 MiB; a larger request is answered with 413. */
  readonly maxBodyBytes?: number | undefined;
  /** Default `own`; `sdk`: every request goes through the SDK. */
  readonly protocol?: ProtocolName | undefined;
}

export interface FetchHandler {
  /**
   * One request of 2026-07-28, or of 2025 without a session: there nobody can be asked, and nothing is announced.
   * Who calls, and from which origin, is for the host to check.
   */
  fetch(request: globalThis.Request, options?: { readonly auth?: Auth | undefined }): Promise<Response>;
  close(): Promise<void>;
}

export const defaultBodyBytes = 4 * 1024 * 1024;

/**
 * Serves a surface without a server of ours.
 *
 * @example export default { fetch: createFetch(surface).fetch };
 */
export function createFetch(surface: Surface, options: FetchOptions = {}): FetchHandler {
  const { maxBodyBytes = defaultBodyBytes, protocol = 'own' } = options;
  const plain = protocol === 'own' ? openPlainHttp(surface, new InFlight()) : undefined;
  const running = new Set<HttpCall>();
  const listening = new Set<HttpListening>();
  let sdk: Promise<import('../sdk/http.js').SdkHttp> | undefined;
  let isClosed = false;

  const loadSdk = (): NonNullable<typeof sdk> => {
    sdk ??= import('../sdk/http.js').then(({ openSdkFetch }) => openSdkFetch(surface, maxBodyBytes));
    return sdk;
  };

  async function take(request: globalThis.Request, caller: Caller | undefined): Promise<Response> {
    const text = await readText(request, maxBodyBytes);
    if (text === undefined) return toResponse(tooLarge(maxBodyBytes));
    const body = parseJson(text);
    if (body === undefined) {
      const { url, headers, signal } = request;
      const again = new globalThis.Request(url, { method: 'POST', headers, body: text, signal });
      return await (await loadSdk()).serve(again, undefined, caller);
    }
    const inbound = readInbound(body);
    const taken = inbound.kind === 'request' ? plain?.take(request.headers, inbound, caller) : undefined;
    if (taken === undefined) return await (await loadSdk()).serve(request, body, caller);
    if (taken instanceof HttpListening) return await listen(taken, request.signal);
    if (!(taken instanceof HttpCall)) return toResponse(taken);
    const answer = await run(taken, request.signal);
    return taken.aborted ? new Response(null, { status: 499 }) : toResponse(answer);
  }

  /** T1: somebody who listens to tasks, until they go or we do. */
  async function listen(one: HttpListening, signal: AbortSignal | undefined): Promise<Response> {
    listening.add(one);
    const gone = (): void => {
      listening.delete(one);
      one.abort(undefined);
    };
    if (signal?.aborted) gone();
    signal?.addEventListener('abort', gone);
    const { reply, body } = streamOf(gone);
    const answer = await one.open(reply);
    if (answer === undefined) return new Response(body, { headers: streamHeaders });
    gone();
    return toResponse(answer);
  }

  async function run(call: HttpCall, signal: AbortSignal | undefined): Promise<HttpAnswer> {
    const cancel = (): void => call.abort(undefined);
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel);
    running.add(call);
    const answer = await new Promise<HttpAnswer>(resolve => call.run(resolve));
    running.delete(call);
    signal?.removeEventListener('abort', cancel);
    return answer;
  }

  return {
    async fetch(request, { auth } = {}) {
      if (isClosed) throw new Error('This server is closed');
      const caller = auth && callerOfHost(auth);
      return plain !== undefined && mayBeTaken(request)
        ? await take(request, caller)
        : await (await loadSdk()).serve(request, undefined, caller);
    },
    async close() {
      isClosed = true;
      plain?.close();
      for (const call of running) call.abort(undefined);
      for (const one of listening) one.leave();
      await (await sdk)?.close();
    },
  };
}

/** Whether it is worth reading: whatever else it may be, the SDK must have its body unread. */
function mayBeTaken({ method, headers }: globalThis.Request): boolean {
  if (method !== 'POST' || headers.get('mcp-protocol-version') !== modernVersion) return false;
  return /^application\/json\s*(?:;|$)/i.test(headers.get('content-type') ?? '');
}

function tooLarge(limit: number): HttpAnswer {
  const error = { code: -32000, message: `Payload Too Large: a body has at most ${limit} bytes` };
  return { status: 413, text: JSON.stringify({ jsonrpc: '2.0', error, id: null }) };
}

const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

/** A stream of events; `gone`: nobody reads it any more. */
function streamOf(gone: () => void): { readonly reply: EventReply; readonly body: ReadableStream<Uint8Array> } {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(own) {
      controller = own;
    },
    cancel() {
      controller = undefined;
      gone();
    },
  });
  const reply: EventReply = {
    openStream: () => undefined,
    writeStream: text => controller?.enqueue(encoder.encode(text)),
    endStream() {
      controller?.close();
      controller = undefined;
    },
  };
  return { reply, body };
}

function toResponse({ status, text }: HttpAnswer): Response {
  return new Response(text, { status, headers: { 'content-type': 'application/json' } });
}

/** Reads at most `limit` bytes, whatever the headers say. */
async function readText(request: globalThis.Request, limit: number): Promise<string | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) return undefined;
  if (request.body === null) return '';
  const reader = request.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.byteLength;
    if (size > limit) {
      await reader.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(read.value, { stream: true });
  }
  return text + decoder.decode();
}
