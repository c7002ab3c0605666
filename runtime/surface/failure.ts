// In: what a handler of a prompt or resource threw. Out: what the client may read; the cause goes to the operator.
import { hideCause } from '../call/hide-cause.js';
import { salvage } from '../call/plain-json.js';
import type { Desk, PackHost } from '../call/ports.js';
import { messageOf, printCause } from '../call/print-cause.js';
import { ProtocolProblem, protocolCodes } from '../call/protocol-problem.js';
import { redactionOf } from '../call/redact.js';
import { isToolError, type ToolError } from '../call/tool-error.js';

/** What failed, as messages call it. */
export interface Failing {
  readonly name: string;
  readonly host: PackHost;
  readonly desk: Desk;
}

/** The message of a ToolError is meant to be read; of anything else only an id, by which the operator finds it. */
export function explainFailure(error: unknown, { name, host, desk }: Failing): string {
  const redact = (text: string): string => host.settings.redact(text);
  if (isToolError(error)) {
    const message = redact(String(error.message));
    if (error.cause !== undefined) desk.report(redact(`${name}: ${message}\ncaused by ${printCause(error.cause)}`));
    return message;
  }
  const { text } = hideCause(error, { name, desk, redact });
  return desk.showCauses ? redact(`${text}: ${messageOf(error)}`) : text;
}

/** What goes to the client in place of a result. Problems of the protocol are that already. */
export function problemOf(error: unknown, failing: Failing): ProtocolProblem {
  if (error instanceof ProtocolProblem) return error;
  const message = explainFailure(error, failing);
  return new ProtocolProblem(
    protocolCodes.internalError,
    message,
    isToolError(error) ? dataOf(error, failing) : undefined,
  );
}

/** What programs may want to know of a ToolError. */
function dataOf({ code, meta }: ToolError, { host }: Failing): unknown {
  const data = salvage({ code, meta });
  return redactionOf(host)?.value(data) ?? data;
}
