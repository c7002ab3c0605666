// An answer that is not a result: the protocol's errors, without its SDK.
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
 * @example throw new ProtocolError(protocolCodes.invalidParams, `Unknown tool: ${name}`);
 */
export class ProtocolError extends Error {
  readonly [brand] = true;
  override readonly name = 'ProtocolError';
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

// In: anything that was thrown. Out: whether it is of a class of ours, also of another copy of it: a built server keeps what it loads
// first and what it may never load in files of their own, each with its own classes.

/** Nothing can make it throw, not even a proxy that does not want to be asked. */
export function isBranded(value: unknown, brand: symbol): boolean {
  if (typeof value !== 'object' || value === null) return false;
  try {
    return (value as Readonly<Record<symbol, unknown>>)[brand] === true;
  } catch {
    return false;
  }
}
