// In: a request over HTTP. Out: the era that it belongs to.
import { classifyInboundRequest } from '@modelcontextprotocol/server';
import { isMap } from '../../schema/document.js';
import { claimsEnvelope } from '../protocol/envelope.js';
import type { Era } from './manifest-server.js';

export interface EraSigns {
  readonly protocolVersion: string | undefined;
  readonly method: string | undefined;
  readonly body: unknown;
}

/** The revisions with a handshake. */
const handshakeVersion = /^202[45]-/;

/**
 * As the SDK classifies, without its many looks at the usual cases. What it would reject is modern: there it is
 * answered with the reason.
 *
 * @example eraOf({ protocolVersion: '2025-11-25', method: undefined, body }) // 'legacy'
 */
export function eraOf({ protocolVersion, method, body }: EraSigns): Era {
  if (isMap(body) && body['method'] !== 'initialize') {
    if (claimsEnvelope(body['params'])) return 'modern';
    if (protocolVersion === undefined || handshakeVersion.test(protocolVersion)) return 'legacy';
  }
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    ...(protocolVersion !== undefined && { protocolVersionHeader: protocolVersion }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    body,
  });
  if (outcome.kind !== 'reject') return outcome.kind;
  // What is not a message at all is answered better by our own check.
  return outcome.rung === 'jsonrpc-shape' ? 'legacy' : 'modern';
}

/** Whether a header names a revision without sessions. */
export function isModernVersion(protocolVersion: string | undefined): boolean {
  return protocolVersion !== undefined && protocolVersion >= '2026-07-28';
}
