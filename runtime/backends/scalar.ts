// In: a value that becomes a part of a string. Out: its text; for a list or an object the error of the one who sent it, since nothing could
// read back what JavaScript makes of it.
import { scalarText, UnfitValue } from '../../schema/backend/fill.js';
import { UpstreamFailure } from '../call/upstream-failure.js';

/**
 * The text of a string, number or boolean. Anything else is refused with BAD_VALUE; `name` is what the message calls it.
 *
 * @example const words = ['log', `--since=${scalar(since, 'since')}`];
 */
export function scalar(value: unknown, name: string): string {
  try {
    return scalarText(value, { of: 'argument', name, tag: `{${name}}`, nth: 0 });
  } catch (thrown) {
    throw explainUnfit(thrown);
  }
}

/** A value that does not fit its place is the mistake of the one who sent it. */
export function explainUnfit(thrown: unknown): unknown {
  if (!(thrown instanceof UnfitValue)) return thrown;
  return new UpstreamFailure('BAD_VALUE', thrown.message, { meta: { name: thrown.placeholder.name } });
}
