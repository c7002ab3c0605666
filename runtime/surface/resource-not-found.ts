// An address that no resource has. Its own class, so that it stays one on its way between processes of `dev`.
import { isBranded } from '../call/brand.js';
import { ProtocolProblem, protocolCodes } from '../call/protocol-problem.js';

const brand: unique symbol = Symbol.for('toolwright.resource-not-found') as never;

/**
 * Nothing can be read at `uri`.
 *
 * @example if (error instanceof ResourceNotFound) console.error(error.uri);
 */
export class ResourceNotFound extends ProtocolProblem {
  readonly [brand] = true;
  readonly uri: string;

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(value, brand);
  }

  constructor(uri: string) {
    super(protocolCodes.invalidParams, `Resource not found: ${uri}`, { uri });
    this.uri = uri;
  }
}
