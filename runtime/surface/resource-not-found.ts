// An address that no resource has. Its own class, because older revisions of the protocol have their own code for it.
import { isBranded } from '../call/brand.js';
import { ProtocolProblem, protocolCodes } from '../call/protocol-problem.js';

const brand: unique symbol = Symbol.for('toolwright.resource-not-found') as never;

/**
 * Nothing can be read at `uri`.
 *
 * @example const code = problem instanceof ResourceNotFound && isOldEra ? problem.olderCode : problem.code;
 */
export class ResourceNotFound extends ProtocolProblem {
  readonly [brand] = true;
  /** Before 2026-07-28. */
  readonly olderCode = -32002;
  readonly uri: string;

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(value, brand);
  }

  constructor(uri: string) {
    super(protocolCodes.invalidParams, `Resource not found: ${uri}`, { uri });
    this.uri = uri;
  }
}
