// An answer that is not a result: the protocol's errors, without its SDK.
const brand: unique symbol = Symbol.for('toolwright.protocol-error') as never;

const ordinary = Function.prototype[Symbol.hasInstance];

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
 * A protocol error in place of a result: the client's request fails with this code, and the model sees no result. Most failures
 * are for the model to read, and are a ToolError. A task whose handler throws it has failed.
 *
 * The code is any integer. Codes of your own are best outside of -32768 to -32000, which JSON-RPC and MCP keep for themselves; within,
 * a code means to clients what the protocol says: -32602 that the arguments are wrong, -32603 that the server failed, -32601 that
 * there is no such method. Message and data reach the client, without secrets of the configuration; data must be JSON.
 *
 * @example throw new ProtocolError(-32602, `There is no project ${project}`, { project });
 */
export class ProtocolError extends Error {
  readonly [brand] = true;
  override readonly name = 'ProtocolError';
  readonly code: number;
  readonly data: unknown;

  /** Also of another copy of this package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a class that extends this one inherits the method, and knows only its own
    return this === ProtocolError ? isBranded(value, brand) : ordinary.call(this, value);
  }

  constructor(code: number, message: string, data?: unknown) {
    if (!Number.isSafeInteger(code))
      throw new TypeError(`the code of a ProtocolError is an integer, not ${String(code)}`);
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
