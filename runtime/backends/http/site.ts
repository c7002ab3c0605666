// In: the definition of a backend and the settings of the operator. Out: where its requests go, over which connections and with which
// headers: all that stays the same from request to request.
import type { HttpBackendDefinition } from '../../../schema/definitions.js';
import type { BackendScope } from '../ports.js';
import { makeGuard } from './address-guard.js';
import { type BaseUrl, parseBaseUrl } from './base-url.js';
import { configText, configValue, fillAddress, fillConfig, hasConfig } from './config-values.js';
import { type Connections, openConnections, type Route } from './connections.js';
import { encodeHeaders } from './header-values.js';
import { makeResolver, type NetworkHooks } from './resolve-name.js';

export type SenderDefinition = Pick<HttpBackendDefinition, 'url' | 'auth' | 'headers' | 'limits' | 'allowAddresses'>;

export interface Site {
  readonly base: BaseUrl | undefined;
  readonly connections: Connections;
  readonly route: Route | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

export interface SiteScope {
  readonly name: string;
  readonly scope: BackendScope;
  readonly hooks: NetworkHooks;
  readonly timeoutMs: number;
}

/** What requests say where nobody says otherwise. */
export const standardHeaders: Readonly<Record<string, string>> = {
  'user-agent': 'toolwright',
  accept: 'application/json, */*;q=0.8',
  'accept-encoding': 'gzip, br',
};

/** Without a definition requests name their own addresses, which are guarded. */
export function makeSite(definition: SenderDefinition | undefined, { name, scope, hooks, timeoutMs }: SiteScope): Site {
  const textOfKey = (key: string): string => configText(name, key, scope);
  const base = definition === undefined ? undefined : parseBaseUrl(fillAddress(definition.url, textOfKey), name);
  const isGuarded = definition === undefined || hasConfig(definition.url);
  const guard = isGuarded ? makeGuard(allowedOf(definition, scope), name) : undefined;
  const connections = openConnections({ name, env: scope.env, resolver: makeResolver(name, guard, hooks), timeoutMs });
  const own = Object.entries(definition?.headers ?? {}).map(([key, text]) => [key, fillConfig(text, textOfKey)]);
  return {
    base,
    connections,
    route: base === undefined ? undefined : connections.routeTo(base),
    headers: { ...standardHeaders, ...encodeHeaders(Object.fromEntries(own)) },
  };
}

/** `{config.X}` alone stands for what the key has: a string or a list. */
function allowedOf(definition: SenderDefinition | undefined, scope: BackendScope): readonly string[] {
  return (definition?.allowAddresses ?? []).flatMap(entry => {
    const [, key] = /^\{\s*config\.([^{}]+?)\s*\}$/.exec(entry) ?? [];
    if (key === undefined) return [entry];
    const value = configValue(key, scope) ?? [];
    return Array.isArray(value) ? value.map(String) : String(value).split(/[\s,]+/);
  });
}
