// In: a blueprint. Out: how one HTTP request of 2026-07-28 is served; there are no sessions, each has a server of its own.
import { createMcpHandler, type ServerNotifier } from '@modelcontextprotocol/server';
import type { Change } from '../surface/surface.js';
import type { Blueprint } from './blueprint.js';
import { type Grant, toAuthInfo } from './grant.js';
import { asRequest, type HttpRequest } from './http-request.js';
import { ManifestServer } from './manifest-server.js';

export interface ModernHttp {
  /** `body` is the parsed JSON of `request`, whose own body is not read. */
  serve(request: HttpRequest, body: unknown, grant: Grant | undefined): Promise<Response>;
  /** C9: tells everybody who listens. */
  announce(change: Change): void;
  /** Ends the listeners in good form, and aborts calls. */
  close(): Promise<void>;
}

export function openModernHttp(blueprint: Blueprint): ModernHttp {
  const handler = createMcpHandler(({ era }) => new ManifestServer(blueprint, era), { legacy: 'reject' });
  return {
    serve: (request, body, grant) =>
      handler.fetch(asRequest(request), { parsedBody: body, ...(grant && { authInfo: toAuthInfo(grant) }) }),
    announce: change => publish(handler.notify, change),
    close: () => handler.close(),
  };
}

export function publish(notify: ServerNotifier, change: Change): void {
  if ('uri' in change) notify.resourceUpdated(change.uri);
  else if (change.list === 'tools') notify.toolsChanged();
  else if (change.list === 'prompts') notify.promptsChanged();
  else notify.resourcesChanged();
}
