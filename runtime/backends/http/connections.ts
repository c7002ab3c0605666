// In: an origin. Out: how a request gets there: directly or through a proxy, over connections that are kept and whose addresses were
// checked.
import http from 'node:http';
import https from 'node:https';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import type { Environment } from '../../call/context/config.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import type { Origin } from './base-url.js';
import { networkFailure } from './network-failure.js';
import { type HttpProxy, proxyFor } from './proxy.js';
import type { Resolver } from './resolve-name.js';

/** What Node needs to send a request to an origin. */
export interface Route {
  readonly isSecure: boolean;
  /** Who is at the other end, for messages. */
  readonly peer: string;
  readonly hostname: string;
  readonly port: number;
  /** Keeps its connections. */
  readonly agent: http.Agent;
  /** Has a new connection for each request. */
  readonly freshAgent: http.Agent;
  /** Before the path: a proxy for http: wants whole addresses. */
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Before each request; undefined where the connection itself checks. */
  readonly check: (() => Promise<void>) | undefined;
}

export interface Connections {
  /** Throws where the origin has an address that is refused. */
  routeTo(origin: Origin): Route;
  close(): void;
}

interface Agents {
  readonly kept: http.Agent;
  readonly fresh: http.Agent;
}

export interface ConnectionsScope {
  readonly name: string;
  readonly env: Environment;
  readonly resolver: Resolver;
  readonly timeoutMs: number;
}

/** Connections that nobody uses are closed, before something on the way forgets them and says nothing. */
const idleMs = 30_000;

/** Agents are made with the first request that needs them. */
export function openConnections({ name, env, resolver, timeoutMs }: ConnectionsScope): Connections {
  const known = new Map<string, Agents>();
  const tunnels = new Set<http.ClientRequest>();
  const proxyName = `the proxy on the way to ${name}`;
  const agentsOf = (key: string, make: (options: http.AgentOptions) => http.Agent): Agents => {
    const agents = known.get(key) ?? {
      kept: make({ keepAlive: true, timeout: idleMs }),
      fresh: make({ keepAlive: false }),
    };
    known.set(key, agents);
    return agents;
  };
  const lookup = resolver.lookup === undefined ? {} : { lookup: resolver.lookup };

  const direct = (origin: Origin): Route => {
    const { isSecure, hostname, port } = origin;
    const { kept, fresh } = agentsOf(isSecure ? 'https' : 'http', options =>
      isSecure ? new https.Agent({ ...options, ...lookup }) : new http.Agent({ ...options, ...lookup }),
    );
    const ends = { isSecure, hostname, port, peer: name };
    return { ...ends, agent: kept, freshAgent: fresh, prefix: '', headers: {}, check: undefined };
  };

  // The proxy resolves the name once more; that it comes to the same address cannot be had.
  const through = (proxy: HttpProxy, origin: Origin): Route => {
    const { kept, fresh } = agentsOf(`${origin.isSecure} ${proxy.origin}`, options => {
      if (!origin.isSecure) return proxy.isSecure ? new https.Agent(options) : new http.Agent(options);
      const agent = new https.Agent(options);
      agent.createConnection = (target, done) => openTunnel(proxy, target, done);
      return agent;
    });
    const { isSecure, hostname, port } = origin.isSecure ? origin : proxy;
    const authorization =
      origin.isSecure || proxy.authorization === undefined ? {} : { 'proxy-authorization': proxy.authorization };
    return {
      ...{ isSecure, hostname, port, agent: kept, freshAgent: fresh },
      peer: origin.isSecure ? name : proxyName,
      prefix: origin.isSecure ? '' : origin.origin,
      headers: authorization,
      check: resolver.lookup === undefined ? undefined : () => resolver.check(origin.hostname),
    };
  };

  /** A tunnel through the proxy, with TLS to the target in it. */
  const openTunnel = (
    proxy: HttpProxy,
    target: https.RequestOptions,
    done: ((error: Error | null, stream: never) => void) | undefined,
  ): undefined => {
    const host = String(target.host);
    const authority = `${host.includes(':') ? `[${host}]` : host}:${target.port}`;
    const authorization = proxy.authorization === undefined ? {} : { 'proxy-authorization': proxy.authorization };
    const request = (proxy.isSecure ? https : http).request({
      method: 'CONNECT',
      host: proxy.hostname,
      port: proxy.port,
      path: authority,
      headers: { host: authority, ...authorization },
      agent: false,
      timeout: timeoutMs,
    });
    tunnels.add(request.once('close', () => tunnels.delete(request)));
    const fail = (error: Error): void => done?.(error, undefined as never);
    request.once('timeout', () => request.destroy(proxyFailure(name, 'does not answer')));
    request.once('error', error => fail(networkFailure(proxyName, error)));
    request.once('response', response => {
      response.destroy();
      fail(proxyFailure(name, `answered ${response.statusCode}`));
    });
    request.once('connect', ({ statusCode }, socket, head) => {
      socket.setTimeout(0);
      if (statusCode === 200 && head.length === 0) {
        done?.(null, connectTls({ ...(target as ConnectionOptions), socket }) as never);
        return;
      }
      socket.destroy();
      fail(proxyFailure(name, `answered ${statusCode}`));
    });
    request.end();
  };

  return {
    routeTo(origin) {
      resolver.checkLiteral(origin.hostname);
      const proxy = proxyFor(origin, env);
      return proxy === undefined ? direct(origin) : through(proxy, origin);
    },
    close() {
      for (const { kept, fresh } of known.values()) {
        kept.destroy();
        fresh.destroy();
      }
      known.clear();
      // Those that are not open yet belong to no agent.
      for (const tunnel of tunnels) tunnel.destroy();
    },
  };
}

function proxyFailure(name: string, what: string): UpstreamFailure {
  return new UpstreamFailure('UPSTREAM_UNREACHABLE', `The proxy on the way to ${name} ${what}`, { upstream: 'EPROXY' });
}
