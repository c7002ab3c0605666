// In: a blueprint. Out: the SDK's answers to web-standard requests without a session; each has a server of its own.
import {
  type CreateMcpHandlerOptions,
  createMcpHandler,
  SERVER_INFO_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
} from '@modelcontextprotocol/server';
import type { Caller } from '../protocol/caller.js';
import type { Change, Surface } from '../surface/surface.js';
import { type Blueprint, makeBlueprint } from './blueprint.js';
import { refuseOversize } from './inbound.js';
import { ManifestServer } from './manifest-server.js';
import { toAuthInfo } from './request.js';

/** What the SDK looks at in a web-standard Request, whose body was read already. Making a real one costs as much as a small call. */
export interface HttpRequest {
  readonly method: string;
  readonly headers: {
    /** Names in any case; null where there is none. */
    get(name: string): string | null;
  };
  /** Aborted when the client hangs up. */
  readonly signal?: AbortSignal | undefined;
}

export interface SdkHttp {
  /** `body` is the parsed JSON of a request whose own body was read; undefined: it was not. */
  serve(request: HttpRequest, body: unknown, caller: Caller | undefined): Promise<Response>;
  /** C9: tells everybody who listens. */
  announce(change: Change): void;
  /** The last event for somebody who listens under this id. */
  farewell(id: unknown): string;
  /** Ends the listeners in good form, and aborts calls. */
  close(): Promise<void>;
}

/** `legacy`: what becomes of requests of 2025. */
export function openSdkHttp(
  blueprint: Blueprint,
  options: Pick<CreateMcpHandlerOptions, 'legacy' | 'maxRequestBodySize'>,
): SdkHttp {
  const handler = createMcpHandler(({ era }) => new ManifestServer(blueprint, era), options);
  return {
    async serve(request, body, caller) {
      const refusal = refuseOversize(body);
      if (refusal !== undefined) return Response.json(refusal, { status: 400 });
      return await handler.fetch(request as globalThis.Request, {
        ...(body !== undefined && { parsedBody: body }),
        ...(caller && { authInfo: toAuthInfo(caller) }),
      });
    },
    farewell(id) {
      const _meta = { [SUBSCRIPTION_ID_META_KEY]: id, [SERVER_INFO_META_KEY]: blueprint.info };
      const last = { jsonrpc: '2.0', id, result: { resultType: 'complete', _meta } };
      return `event: message\ndata: ${JSON.stringify(last)}\n\n`;
    },
    announce(change) {
      const { notify } = handler;
      if ('uri' in change) notify.resourceUpdated(change.uri);
      else if (change.list === 'tools') notify.toolsChanged();
      else if (change.list === 'prompts') notify.promptsChanged();
      else notify.resourcesChanged();
    },
    close: () => handler.close(),
  };
}

/** The same for hosts that bring their own HTTP; requests of 2025 have no session there. */
export function openSdkFetch(surface: Surface, maxBodyBytes: number): SdkHttp {
  const http = openSdkHttp(makeBlueprint(surface), { legacy: 'stateless', maxRequestBodySize: maxBodyBytes });
  const stopListening = surface.onChange(change => http.announce(change));
  return {
    ...http,
    async close() {
      stopListening();
      await http.close();
    },
  };
}
