// In: something that nobody foresaw. Out: what a client may know of it; the cause goes to the operator under the same id.
import { randomBytes } from 'node:crypto';
import type { Desk } from './ports.js';
import { printCause } from './print-cause.js';

export interface Hiding {
  /** What failed, as messages call it. */
  readonly name: string;
  readonly desk: Pick<Desk, 'report'>;
  /** Takes secrets out of what is reported. */
  redact(text: string): string;
  /** Made anew unless given. */
  readonly id?: string | undefined;
}

/** Short enough to be read out, long enough to be found in a log. */
export function makeCauseId(): string {
  return randomBytes(4).toString('hex');
}

/**
 * Reports a cause under a new id, by which the answer leads to it.
 *
 * @example hideCause(error, { name: 'get-issue', desk, redact }) // { id: '5f2c9a01', text: 'get-issue failed (5f2c9a01)' }
 */
export function hideCause(
  cause: unknown,
  { name, desk, redact, id = makeCauseId() }: Hiding,
): { readonly id: string; readonly text: string } {
  const text = `${name} failed (${id})`;
  desk.report(redact(`${text}: ${printCause(cause)}`));
  return { id, text };
}
