// In: the JSON of a request over HTTP. Out: what it asks of the server: work for handlers, or a stream that stays open.
import { isMap } from '../../schema/document.js';
import type { Weight } from '../protocol/in-flight.js';

/** Requests that are answered at once, or that only wait. */
const light: ReadonlySet<unknown> = new Set([
  ...['initialize', 'ping', 'server/discover', 'logging/setLevel', 'subscriptions/listen'],
  ...['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'],
]);

export const noCalls: Weight = Object.freeze({ calls: 0, bytes: 0 });

/** What a body of so many bytes costs. */
export function weighCalls({ value, size }: { readonly value: unknown; readonly size: number }): Weight {
  const calls = Array.isArray(value)
    ? value.reduce<number>((sum, message) => sum + countOne(message), 0)
    : countOne(value);
  return calls === 0 ? noCalls : { calls, bytes: size };
}

function countOne(message: unknown): 0 | 1 {
  if (!isMap(message) || message['method'] === undefined || light.has(message['method'])) return 0;
  return Object.hasOwn(message, 'id') ? 1 : 0;
}

export function isListening(value: unknown): value is Readonly<Record<string, unknown>> {
  return isMap(value) && value['method'] === 'subscriptions/listen';
}
