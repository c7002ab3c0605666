// In: a blueprint. Out: how one HTTP request of 2026-07-28 is served; there are no sessions, each has a server of its own.
import {
  createMcpHandler,
  SERVER_INFO_META_KEY,
  type ServerNotifier,
  SUBSCRIPTION_ID_META_KEY,
} from '@modelcontextprotocol/server';
import type { Calling } from '../call/ports.js';
import type { Caller } from '../protocol/caller.js';
import type { Change, Surface } from '../surface/surface.js';
import { toAuthInfo } from './auth-info.js';
import type { Blueprint } from './blueprint.js';
import { asRequest, type HttpRequest } from './http-request.js';
import { refuseOversize } from './inbound.js';
import { ManifestServer } from './manifest-server.js';

export interface ModernHttp {
  /**
   * `body` is the parsed JSON of `request`, whose own body is not read. With an `outcome` the tool that it calls is not
   * run: it has been already, and its answer is made of that.
   */
  serve(request: HttpRequest, body: unknown, caller: Caller | undefined, outcome?: Calling): Promise<Response>;
  /** C9: tells everybody who listens. */
  announce(change: Change): void;
  /** The last event for somebody who listens under this id. */
  farewell(id: unknown): string;
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
    async serve(request, body, caller, outcome) {
      const refusal = refuseOversize(body);
      if (refusal !== undefined) return Response.json(refusal, { status: 400 });
      if (outcome !== undefined) outcomes.set(request, outcome);
      return await handler.fetch(asRequest(request), {
        parsedBody: body,
        ...(caller && { authInfo: toAuthInfo(caller) }),
      });
    },
    farewell(id) {
      const _meta = { [SUBSCRIPTION_ID_META_KEY]: id, [SERVER_INFO_META_KEY]: blueprint.info };
      const last = { jsonrpc: '2.0', id, result: { resultType: 'complete', _meta } };
      return `event: message\ndata: ${JSON.stringify(last)}\n\n`;
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
