// In: a blueprint. Out: how one HTTP request of 2026-07-28 is served; there are no sessions, each has a server of its own.
import { createMcpHandler, type ServerNotifier } from '@modelcontextprotocol/server';
import type { Calling } from '../call/ports.js';
import type { Change, Surface } from '../surface/surface.js';
import type { Blueprint } from './blueprint.js';
import { type Grant, toAuthInfo } from './grant.js';
import { asRequest, type HttpRequest } from './http-request.js';
import { ManifestServer } from './manifest-server.js';

export interface ModernHttp {
  /**
   * `body` is the parsed JSON of `request`, whose own body is not read. With an `outcome` the tool that it calls is not
   * run: it has been already, and its answer is made of that.
   */
  serve(request: HttpRequest, body: unknown, grant: Grant | undefined, outcome?: Calling): Promise<Response>;
  /** C9: tells everybody who listens. */
  announce(change: Change): void;
  /** Ends the listeners in good form, and aborts calls. */
  close(): Promise<void>;
}

export function openModernHttp(blueprint: Blueprint): ModernHttp {
  const outcomes = new WeakMap<object, Calling>();
  const handler = createMcpHandler(
    ({ era, requestInfo }) => new ManifestServer(settled(blueprint, outcomes.get(requestInfo ?? {})), era),
    { legacy: 'reject' },
  );
  return {
    serve(request, body, grant, outcome) {
      if (outcome !== undefined) outcomes.set(request, outcome);
      return handler.fetch(asRequest(request), { parsedBody: body, ...(grant && { authInfo: toAuthInfo(grant) }) });
    },
    announce: change => publish(handler.notify, change),
    close: () => handler.close(),
  };
}

/** The same, but that its one call has come to something already. */
export function settled(blueprint: Blueprint, outcome: Calling | undefined): Blueprint {
  if (outcome === undefined) return blueprint;
  const surface: Surface = Object.create(blueprint.surface, { callTool: { value: () => outcome } });
  return Object.create(blueprint, { surface: { value: surface } });
}

export function publish(notify: ServerNotifier, change: Change): void {
  if ('uri' in change) notify.resourceUpdated(change.uri);
  else if (change.list === 'tools') notify.toolsChanged();
  else if (change.list === 'prompts') notify.promptsChanged();
  else notify.resourcesChanged();
}
