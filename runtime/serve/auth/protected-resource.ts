// What a server tells about itself to callers without a token (RFC 9728): who issues tokens for it, and with which scopes.
const wellKnown = '/.well-known/oauth-protected-resource';

export interface ProtectedResource {
  /** The address of the metadata, for challenges. */
  readonly url: string;
  /** Undefined where another path is asked for. */
  metadata(path: string): object | undefined;
}

export interface ResourceOptions {
  /** The address under which clients know the server. */
  readonly resource: string;
  /** Where it listens; behind a proxy, the path may be another one. */
  readonly endpoint: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
}

export function describeResource({ resource, endpoint, issuer, scopes }: ResourceOptions): ProtectedResource {
  const { origin, pathname } = new URL(resource);
  const document = {
    resource,
    authorization_servers: [issuer],
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
  };
  const paths = new Set([wellKnown, ...[pathname, new URL(endpoint).pathname].map(path => wellKnown + trimmed(path))]);
  return {
    url: origin + wellKnown + trimmed(pathname),
    metadata: path => (paths.has(trimmed(path)) ? document : undefined),
  };
}

function trimmed(path: string): string {
  return path.replace(/\/$/, '');
}
