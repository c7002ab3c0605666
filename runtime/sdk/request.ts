// In: what the SDK knows about a request, in either era. Out: the Request that calls of a surface take.
import {
  type AuthInfo,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Client } from '../../schema/support/mcp/client.js';
import type { LogLevel } from '../call/ports.js';
import { Caller } from '../protocol/caller.js';
import { sizeOf, toClient } from '../protocol/envelope.js';
import {
  ClientRequest,
  type NotificationPort,
  pickHeaders,
  SignalledCall,
  toNotifications,
} from '../protocol/request.js';

/** What a request of 2025 takes from its connection, and every request from its server. */
export interface Connection extends Pick<NotificationPort, 'session' | 'logger' | 'notify'> {
  readonly isModern: boolean;
  /** Of the handshake; a modern request brings its own. */
  readonly client: Client;
  /** Names of headers that handlers see. */
  readonly allowedHeaders: readonly string[];
  /** Something for the client was lost, because it does not read. */
  onDropped(): void;
}

/** What one turn of a handler may say, in characters. */
const mostUnsent = 16 * 1024 * 1024;

/** Rounds of one call in 2025 share its signal. */
const pending = new WeakMap<AbortSignal, SignalledCall>();

/**
 * Opens a request for one round of a call.
 *
 * @example const request = openRequest(ctx, connection);
 */
export function openRequest(ctx: ServerContext, connection: Connection): ClientRequest {
  const { mcpReq, sessionId, http } = ctx;
  const { isModern, session, logger, notify } = connection;
  const { id, signal, inputResponses, _meta, envelope: given } = mcpReq;
  const headers = http?.req === undefined ? undefined : pickHeaders(connection.allowedHeaders, http.req.headers);
  const caller = callerOf(http?.authInfo);
  const state = mcpReq.requestState<unknown>();
  const logLevel = (given as Readonly<Record<string, unknown>> | undefined)?.[LOG_LEVEL_META_KEY];
  let unsent = 0;
  const send: NotificationPort['send'] = (method, params) => {
    // The SDK takes everything, and sends nothing before the handler has let go.
    if (unsent > mostUnsent) {
      connection.onDropped();
      return;
    }
    const size = sizeOf(params, mostUnsent);
    unsent += size;
    const sent = (): void => {
      unsent -= size;
    };
    // A client that is gone, or data that is not JSON: neither is the handler's business.
    mcpReq.notify({ method, params }).then(sent, sent);
  };
  const call = pending.get(signal) ?? new SignalledCall(signal);
  pending.set(signal, call);
  return new ClientRequest(
    {
      id,
      client: clientOf(ctx, connection),
      auth: caller?.auth,
      isRemote: http !== undefined,
      principal: caller?.principal ?? sessionId ?? '',
      headers,
      meta: _meta,
      ...(isModern ? { envelope: { logLevel: logLevel as LogLevel | undefined } } : { session }),
    },
    call,
    toNotifications({ session, notify, logger, send }),
    inputResponses,
    typeof state === 'string' ? state : undefined,
  );
}

/** Of a connection, or of a single request. */
export function clientOf(
  { mcpReq }: ServerContext,
  { isModern, client }: Pick<Connection, 'isModern' | 'client'>,
): Client {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  return isModern ? toClient(envelope[CLIENT_INFO_META_KEY], envelope[CLIENT_CAPABILITIES_META_KEY]) : client;
}

export function toAuthInfo(caller: Caller): AuthInfo {
  const { token, clientId, scopes, expiresAt } = caller.auth;
  return {
    token,
    clientId,
    scopes: [...scopes],
    ...(expiresAt !== undefined && { expiresAt }),
    extra: { caller },
  };
}

export function callerOf(authInfo: AuthInfo | undefined): Caller | undefined {
  const caller = authInfo?.extra?.['caller'];
  return caller instanceof Caller ? caller : undefined;
}
