// In: a surface. Out: a web-standard fetch function, for hosts that bring their own HTTP: workers, Hono, Deno, Bun.
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Auth } from '../../schema/support-client.js';
import type { Surface } from '../surface/surface.js';
import { makeBlueprint } from './blueprint.js';
import { Grant, toAuthInfo } from './grant.js';
import { publish } from './http-modern.js';
import { ManifestServer } from './manifest-server.js';

export interface FetchOptions {
  /** Default 4 MiB; a larger request is answered with 413. */
  readonly maxBodyBytes?: number | undefined;
}

export interface FetchHandler {
  /**
   * One request of 2026-07-28, or of 2025 without a session: there nobody can be asked, and nothing is announced.
   * Who calls, and from which origin, is for the host to check.
   */
  fetch(request: globalThis.Request, options?: { readonly auth?: Auth | undefined }): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Serves a surface without a server of ours.
 *
 * @example export default { fetch: createFetch(surface).fetch };
 */
export function createFetch(surface: Surface, { maxBodyBytes }: FetchOptions = {}): FetchHandler {
  const blueprint = makeBlueprint(surface);
  const handler = createMcpHandler(({ era }) => new ManifestServer(blueprint, era), {
    legacy: 'stateless',
    ...(maxBodyBytes !== undefined && { maxRequestBodySize: maxBodyBytes }),
  });
  const stopListening = surface.onChange(change => publish(handler.notify, change));
  return {
    fetch(request, { auth } = {}) {
      if (auth === undefined) return handler.fetch(request);
      const principal = `${auth.clientId} ${auth.subject ?? ''}`;
      return handler.fetch(request, { authInfo: toAuthInfo(new Grant(auth, principal, true)) });
    },
    async close() {
      stopListening();
      await handler.close();
    },
  };
}
