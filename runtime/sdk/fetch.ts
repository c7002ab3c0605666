// In: a surface. Out: the SDK's answers to web-standard requests, for what the lane does not take.
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Calling } from '../call/ports.js';
import type { Caller } from '../protocol/caller.js';
import type { Surface } from '../surface/surface.js';
import { toAuthInfo } from './auth-info.js';
import { makeBlueprint } from './blueprint.js';
import { publish, settled } from './http-modern.js';
import { refuseOversize } from './inbound.js';
import { ManifestServer } from './manifest-server.js';

/** What is known of a request already. */
export interface Known {
  readonly caller: Caller | undefined;
  /** The JSON of its body, where that has been read. */
  readonly body?: unknown;
  /** What the call in it has come to. */
  readonly outcome?: Calling | undefined;
}

export interface SdkFetch {
  fetch(request: globalThis.Request, known: Known): Promise<Response>;
  close(): Promise<void>;
}

export function openSdkFetch(surface: Surface, maxBodyBytes: number): SdkFetch {
  const blueprint = makeBlueprint(surface);
  const outcomes = new WeakMap<object, Calling>();
  const handler = createMcpHandler(
    ({ era, requestInfo }) => new ManifestServer(settled(blueprint, outcomes.get(requestInfo ?? {})), era),
    { legacy: 'stateless', maxRequestBodySize: maxBodyBytes },
  );
  const stopListening = surface.onChange(change => publish(handler.notify, change));
  return {
    async fetch(request, { caller, body, outcome }) {
      const refusal = refuseOversize(body);
      if (refusal !== undefined) return Response.json(refusal, { status: 400 });
      if (outcome !== undefined) outcomes.set(request, outcome);
      return await handler.fetch(request, {
        ...(body !== undefined && { parsedBody: body }),
        ...(caller && { authInfo: toAuthInfo(caller) }),
      });
    },
    async close() {
      stopListening();
      await handler.close();
    },
  };
}
