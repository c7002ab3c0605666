// In: the JSON of a request over HTTP. Out: what it asks of the server: work for handlers, or a stream that stays open.
import { isMap } from '../../schema/document.js';

/** Requests that are answered at once, or that only wait. */
const light: ReadonlySet<unknown> = new Set([
  ...['initialize', 'ping', 'server/discover', 'logging/setLevel', 'subscriptions/listen'],
  ...['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'],
]);

/** How many handlers a body may set to work. */
export function countCalls(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, message) => sum + countOne(message), 0);
  return countOne(value);
}

function countOne(message: unknown): 0 | 1 {
  if (!isMap(message) || message['method'] === undefined || light.has(message['method'])) return 0;
  return Object.hasOwn(message, 'id') ? 1 : 0;
}

export function isListening(value: unknown): value is Readonly<Record<string, unknown>> {
  return isMap(value) && value['method'] === 'subscriptions/listen';
}
