// In: a name or address that nobody has, or what a handler of a prompt or resource threw. Out: what the client may read; the cause goes
// to the operator.

import { nearest } from '../../schema/nearest.js';
import { cleanProtocolError, hideCause, printCauseOf } from '../call/failure.js';
import { salvageJson } from '../call/plain-json.js';
import type { CallServices, PackHost } from '../call/ports.js';
import { messageOf } from '../call/print-cause.js';
import { isBranded, ProtocolError, protocolCodes } from '../call/protocol-error.js';
import { makeRedaction, redactionOf } from '../call/redact.js';
import { isToolError, type ToolError } from '../call/tool-error.js';

/** What failed, as messages call it. */
export interface Failing {
  readonly name: string;
  readonly host: PackHost;
  readonly services: CallServices;
}

/** The message of a ToolError is meant to be read; of anything else only an id, by which the operator finds it. */
export function explainFailure(error: unknown, { name, host, services }: Failing): string {
  const redact = (text: string): string => host.settings.redact(text);
  if (isToolError(error)) {
    const message = redact(String(error.message));
    const cause = printCauseOf(error);
    if (cause !== undefined) services.report(redact(`${name}: ${message}\ncaused by ${cause}`));
    return message;
  }
  const { text } = hideCause(error, { name, services, redact });
  return services.showCauses ? redact(`${text}: ${messageOf(error)}`) : text;
}

/** What goes to the client in place of a result. Errors of the protocol are that already, ours and those of handlers. */
export function problemOf(error: unknown, failing: Failing): ProtocolError {
  if (error instanceof ResourceNotFound) return error;
  if (error instanceof ProtocolError) return cleanProtocolError(error, makeRedaction(failing.host));
  const message = explainFailure(error, failing);
  return new ProtocolError(
    protocolCodes.internalError,
    message,
    isToolError(error) ? dataOf(error, failing) : undefined,
  );
}

/** What programs may want to know of a ToolError. */
function dataOf({ code, meta }: ToolError, { host }: Failing): unknown {
  const data = salvageJson({ code, meta });
  return redactionOf(host)?.value(data) ?? data;
}

const notFoundBrand: unique symbol = Symbol.for('toolwright.resource-not-found') as never;

/**
 * Nothing can be read at `uri`. A class of its own, so that it stays one on its way between processes of `dev`.
 *
 * @example if (error instanceof ResourceNotFound) console.error(error.uri);
 */
export class ResourceNotFound extends ProtocolError {
  readonly [notFoundBrand] = true;
  readonly uri: string;

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(value, notFoundBrand);
  }

  constructor(uri: string) {
    super(protocolCodes.invalidParams, `Resource not found: ${uri}`, { uri });
    this.uri = uri;
  }
}

/** Anyone who sends a megabyte as a name does not need to read it again. */
const mostChars = 200;
/** Searching more names costs more than the hint is worth. */
const mostNames = 1000;

/** W80: with the name that may have been meant. `names` are those that exist. */
export function unknownName(kind: 'tool' | 'prompt', name: string, names: Iterable<string>): ProtocolError {
  const didYouMean = nearest(name, [...names].slice(0, mostNames));
  const data = { name: clipName(name), ...(didYouMean === undefined ? {} : { didYouMean }) };
  return new ProtocolError(protocolCodes.invalidParams, `Unknown ${kind}: ${clipName(name)}`, data);
}

export function clipName(text: string): string {
  return text.length > mostChars ? `${text.slice(0, mostChars)}...` : text;
}
