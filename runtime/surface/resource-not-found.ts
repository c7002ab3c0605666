// An address that no resource has. Its own class, because older revisions of the protocol have their own code for it.
import { ProtocolProblem, protocolCodes } from '../call/protocol-problem.js';

/**
 * Nothing can be read at `uri`: -32602 since 2026-07-28, -32002 before.
 *
 * @example const code = problem instanceof ResourceNotFound && isOldEra ? resourceNotFoundCode : problem.code;
 */
export class ResourceNotFound extends ProtocolProblem {
  readonly uri: string;

  constructor(uri: string) {
    super(protocolCodes.invalidParams, `Resource not found: ${uri}`, { uri });
    this.uri = uri;
  }
}

/** The code of older revisions. */
export const resourceNotFoundCode = -32002;
