// An answer that is not a result: the protocol's errors, without its SDK.
import { isBranded } from './brand.js';

const brand: unique symbol = Symbol.for('toolwright.protocol-problem') as never;

export const protocolCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** 2026-07-28: the client lacks a capability. */
  missingCapability: -32021,
} as const;

/**
 * Thrown where the protocol wants an error in place of a result: unknown names, missing arguments, a forged state.
 *
 * @example throw new ProtocolProblem(protocolCodes.invalidParams, `Unknown tool: ${name}`);
 */
export class ProtocolProblem extends Error {
  readonly [brand] = true;
  override readonly name = 'ProtocolProblem';
  readonly code: number;
  readonly data: unknown;

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(value, brand);
  }

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
