// F4: scopes of tools mean something only where callers have access tokens. In: tools and the servers that list them. Out: the
// tools whose scopes nobody would check.
import { type Diagnostic, diagnose, type Site } from '../../schema/diagnostics.js';
import type { Server, Tool } from './program.js';

/** Whether callers of a server have tokens with scopes. */
export function checksScopes(auth: { readonly type?: unknown } | undefined): boolean {
  return auth?.type === 'oauth';
}

/**
 * Whether a tool must not be served, since nobody would compare its scopes. A tool of another pack may be served over stdio,
 * where nobody but the owner of the process calls: who composes the server cannot change the tool, and a call over HTTP is
 * refused all the same.
 */
export function isUnchecked(tool: Pick<Tool, 'definition'>, { definition }: Server, whose: 'own' | 'foreign'): boolean {
  if (checksScopes(definition.auth) || tool.definition.enabled === false) return false;
  return scopesOf(tool).length > 0 && (whose === 'own' || definition.transport === 'http');
}

/** One diagnostic for each tool of the pack, with all servers of the pack that cannot check it. */
export function findUncheckedScopes(tools: readonly Tool[], servers: readonly Server[]): readonly Diagnostic[] {
  const scoped = new Map(tools.filter(tool => scopesOf(tool).length > 0).map(tool => [tool.item, tool]));
  if (scoped.size === 0) return [];
  const unchecked = new Map<Tool, Server[]>();
  for (const server of servers) {
    for (const listed of server.tools) {
      const tool = listed.from === 'own' ? scoped.get(listed.item) : undefined;
      if (tool !== undefined && isUnchecked(tool, server, 'own'))
        unchecked.set(tool, [...(unchecked.get(tool) ?? []), server]);
    }
  }
  return [...unchecked].map(([tool, all]) => {
    const params = { tool: tool.item, servers: all.map(nameOf) };
    const related = all.map(server => ({ ...authSite(server), message: `the server ${server.item}` }));
    return diagnose('link/unchecked-scopes', params, tool.at.site(['scopes'], 'key'), { related });
  });
}

/** A tool of another pack, at the place where the server names it. */
export function uncheckedForeign(tool: Tool, server: Server, site: Site): Diagnostic {
  const params = { tool: tool.item, servers: [nameOf(server)] };
  const related = [{ ...tool.at.site(['scopes'], 'key'), message: 'its scopes' }];
  const hint = 'give the server `auth: { type: oauth, issuer: ..., audience: ... }`, or remove the tool from its list';
  return diagnose('link/unchecked-scopes', params, site, { hint, related });
}

/** With its file: that is where `auth` is missing. */
function nameOf({ item, file }: Server): string {
  return `${item} (${file})`;
}

function authSite({ at, definition }: Server): Site {
  return definition.auth === undefined ? at.site([]) : at.site(['auth'], 'key');
}

/** Of a malformed tool too. */
function scopesOf({ definition }: Pick<Tool, 'definition'>): readonly string[] {
  const scopes: unknown = definition.scopes;
  return Array.isArray(scopes) ? scopes : [];
}
