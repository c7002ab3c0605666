// Which request goes where, once its form and its era are known. In: a request. Out: the answer that is always the same, a plain call to
// run, or that it is for the SDK: whatever is odd, so that there is one place that refuses. ARCHITECTURE.md has the table.
import type { Client } from '../../schema/support/mcp/client.js';
import type { LogLevel } from '../call/ports.js';
import { canElicit } from '../context/can-elicit.js';
import type { ListName } from '../surface/surface.js';
import { logLevels, touchesEnvelope } from './envelope.js';
import { answerStatic, type Era, type Handshake } from './handshake.js';
import type { InboundRequest } from './inbound.js';

export type Route =
  /** JSON of the result. */
  | { readonly to: 'client'; readonly result: string }
  | { readonly to: 'call'; readonly name: string; readonly args: unknown }
  /** The client sets the level of its logs. */
  | { readonly to: 'session'; readonly logLevel: LogLevel }
  | { readonly to: 'sdk' }
  /** No server of ours has such a method. */
  | { readonly to: 'nobody' };

const toSdk: Route = Object.freeze({ to: 'sdk' });
const toNobody: Route = Object.freeze({ to: 'nobody' });

/**
 * The route of a request of an era.
 *
 * @example routeRequest(request, 'legacy', client, handshake).to
 */
export function routeRequest(request: InboundRequest, era: Era, client: Client, handshake: Handshake): Route {
  const { method, params } = request;
  if (method === 'tools/call' && handshake.lists.tools !== undefined) return routeCall(request, era);
  if (method === 'logging/setLevel' && era === 'legacy') {
    const logLevel = logLevels.find(known => known === params?.['level']);
    return logLevel === undefined ? toSdk : { to: 'session', logLevel };
  }
  const result = answerStatic(handshake, method, params, era, !canElicit(client, 'form'));
  if (result !== undefined) return { to: 'client', result };
  return mayExist(method, handshake) ? toSdk : toNobody;
}

/** Only a call of nothing but a name, arguments and `_meta` is plain: rounds of 2026-07-28 are sealed, so that the SDK can take the next. */
function routeCall({ params = {}, meta }: InboundRequest, era: Era): Route {
  for (const key in params) if (key !== 'name' && key !== 'arguments' && key !== '_meta') return toSdk;
  if (era === 'legacy' && meta !== undefined && touchesEnvelope(meta)) return toSdk;
  return { to: 'call', name: params['name'] as string, args: params['arguments'] ?? {} };
}

/** Methods by the list that a server must have for them; undefined: the SDK knows. */
const needs: ReadonlyMap<string, ListName | undefined> = new Map([
  ['tools/list', 'tools'],
  ['tools/call', 'tools'],
  ['prompts/list', 'prompts'],
  ['prompts/get', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resources'],
  ['resources/read', 'resources'],
  ['resources/subscribe', 'resources'],
  ['resources/unsubscribe', 'resources'],
  ['logging/setLevel', undefined],
  ['completion/complete', undefined],
  ['subscriptions/listen', undefined],
]);

/** False: nobody serves it, in whichever era. True: the SDK may still say that it does not. */
function mayExist(method: string, { lists }: Handshake): boolean {
  const list = needs.get(method);
  return list === undefined ? needs.has(method) : lists[list] !== undefined;
}
