// Which methods exist beside those that are answered from the handshake. In: a method and a handshake. Out: whether anybody serves it.
import type { Handshake, ListName } from './handshake.js';

/** By the list that a server must have for it; undefined: the SDK knows. */
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

/**
 * False: nobody serves it, in whichever era. True: the SDK may still say that it does not.
 *
 * @example mayExist('tasks/get', handshake) // false
 */
export function mayExist(method: string, { lists }: Handshake): boolean {
  const list = needs.get(method);
  return list === undefined ? needs.has(method) : lists[list] !== undefined;
}
