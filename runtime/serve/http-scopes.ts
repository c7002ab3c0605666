// In: the tools that a request calls and what its caller may do. Out: the refusal of a call whose tool needs more than that (C14).
import { isMap } from '../../schema/document.js';
import type { Caller } from '../protocol/caller.js';
import type { Blueprint } from '../sdk/blueprint.js';
import type { Authorizer } from './auth/authorizer.js';
import { insufficientScope } from './auth/challenge.js';

/** The names of the tools that a body calls, whatever else is wrong with it. */
export function toolsOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((message: unknown) => {
    const params = isMap(message) && message['method'] === 'tools/call' ? message['params'] : undefined;
    const name = isMap(params) ? params['name'] : undefined;
    return typeof name === 'string' ? [name] : [];
  });
}

/**
 * What a tool needs beyond what the server needs; the first of a batch that lacks something decides. Where nobody has said who
 * calls, a tool with scopes is refused.
 */
export function refuseForScopes(
  names: readonly string[],
  caller: Caller | undefined,
  authorizer: Authorizer | undefined,
  { surface }: Pick<Blueprint, 'surface'>,
): ReturnType<Authorizer['refuseScopes']> {
  for (const name of names) {
    const needed = surface.tool(name)?.tool.definition.scopes ?? [];
    if (needed.length === 0) continue;
    if (authorizer === undefined || caller === undefined) return insufficientScope(needed, {});
    const refused = authorizer.refuseScopes(caller.auth, needed);
    if (refused !== undefined) return refused;
  }
  return undefined;
}
