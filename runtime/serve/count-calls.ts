// In: the JSON of a request over HTTP. Out: what it asks of the server: work for handlers, or a stream that stays open.
import { isMap } from '../../schema/document.js';
import type { Weight } from '../protocol/in-flight.js';
import type { Inbound } from '../protocol/inbound.js';

/** Requests that are answered at once, or that only wait. */
const light: ReadonlySet<unknown> = new Set([
  ...['initialize', 'ping', 'server/discover', 'logging/setLevel', 'subscriptions/listen'],
  ...['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'],
]);

export const noCalls: Weight = Object.freeze({ calls: 0, bytes: 0 });

/** What a body of so many bytes costs; `inbound` is what it says where it is one message. */
export function weighCalls(
  { value, size }: { readonly value: unknown; readonly size: number },
  inbound: Inbound,
): Weight {
  const calls = inbound.kind === 'request' ? Number(!light.has(inbound.method)) : countCalls(value);
  return calls === 0 ? noCalls : { calls, bytes: size };
}

/** Of several messages, or of one that does not have its form. */
function countCalls(value: unknown): number {
  return [value].flat().filter(message => {
    if (!isMap(message) || message['method'] === undefined || light.has(message['method'])) return false;
    return Object.hasOwn(message, 'id');
  }).length;
}

export function isListening(value: unknown): value is Readonly<Record<string, unknown>> {
  return isMap(value) && value['method'] === 'subscriptions/listen';
}
