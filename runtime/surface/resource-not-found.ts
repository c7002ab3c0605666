// An address that no resource has. Its own class, because older revisions of the protocol have their own code for it.
import { ProtocolProblem, protocolCodes } from '../call/protocol-problem.js';

/**
 * Nothing can be read at `uri`.
 *
 * @example const code = problem instanceof ResourceNotFound && isOldEra ? problem.olderCode : problem.code;
 */
export class ResourceNotFound extends ProtocolProblem {
  /** Before 2026-07-28. */
  readonly olderCode = -32002;
  readonly uri: string;

  constructor(uri: string) {
    super(protocolCodes.invalidParams, `Resource not found: ${uri}`, { uri });
    this.uri = uri;
  }
}
