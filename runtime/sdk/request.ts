// In: what the SDK knows about a request, in either era. Out: the Request that calls of a surface take.
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Client, Notify } from '../../schema/support/mcp/client.js';
import type { LogLevel, Request } from '../call/ports.js';
import { logLevels, toClient } from '../protocol/envelope.js';
import { sizeOf } from '../protocol/measure.js';
import { callerOf } from './auth-info.js';

/** What a request of 2025 takes from its connection, and every request from its server. */
export interface Connection {
  readonly isModern: boolean;
  /** Of the handshake; a modern request brings its own. */
  readonly client: Client;
  /** As the client set it; undefined: all. A modern request brings its own. */
  readonly logLevel: LogLevel | undefined;
  /** The name under which logs are sent. */
  readonly logger: string;
  readonly notify: Notify;
  /** Something for the client was lost, because it does not read. */
  onDropped(): void;
}

/** A request, and how to end it: a handler that goes on afterwards must not reach the client any more. */
export interface OpenRequest {
  readonly request: Request;
  end(): void;
}

/** What one turn of a handler may say, in characters. */
const mostUnsent = 16 * 1024 * 1024;

/** The largest progress sent so far: rounds of one call in 2025 share its signal. */
const reached = new WeakMap<AbortSignal, number>();
const noAnswers: Request['answers'] = Object.freeze({});

/**
 * Opens a request for one round of a call.
 *
 * @example const { request, end } = openRequest(ctx, connection);
 */
export function openRequest(ctx: ServerContext, connection: Connection): OpenRequest {
  const { mcpReq, sessionId, http } = ctx;
  const { isModern } = connection;
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const caller = callerOf(http?.authInfo);
  const state = mcpReq.requestState<unknown>();
  const progressToken = mcpReq._meta?.progressToken;
  let isOpen = true;
  let unsent = 0;
  const send = (method: string, params: Record<string, unknown>): void => {
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
  const request: Request = {
    id: mcpReq.id,
    signal: mcpReq.signal,
    client: clientOf(ctx, connection),
    auth: caller?.auth,
    isRemote: http !== undefined,
    principal: caller?.principal ?? sessionId ?? '',
    answers: mcpReq.inputResponses ?? noAnswers,
    state: typeof state === 'string' ? state : undefined,
    notify: connection.notify,
    log(level, message, data) {
      const least = isModern ? envelope[LOG_LEVEL_META_KEY] : (connection.logLevel ?? 'debug');
      if (!isOpen || least === undefined || rank(level) < rank(least)) return false;
      const { logger } = connection;
      send('notifications/message', { level, logger, data: data === undefined ? message : { message, data } });
      return true;
    },
    progress(done, total, message) {
      // The protocol wants it to grow.
      if (!isOpen || progressToken === undefined) return;
      if (!(done > (reached.get(mcpReq.signal) ?? Number.NEGATIVE_INFINITY))) return;
      reached.set(mcpReq.signal, done);
      send('notifications/progress', {
        progressToken,
        progress: done,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      });
    },
  };
  return {
    request,
    end() {
      isOpen = false;
    },
  };
}

/** Of a connection, or of a single request. */
export function clientOf(
  { mcpReq }: ServerContext,
  { isModern, client }: Pick<Connection, 'isModern' | 'client'>,
): Client {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  return isModern ? toClient(envelope[CLIENT_INFO_META_KEY], envelope[CLIENT_CAPABILITIES_META_KEY]) : client;
}

function rank(level: unknown): number {
  return logLevels.indexOf(level as LogLevel);
}
