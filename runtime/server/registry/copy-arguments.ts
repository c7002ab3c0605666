// In: anything that code may pass as arguments. Out: the same as JSON would carry it, or why it cannot.
import { messageOf } from '../../call/print-cause.js';

export type CopiedArguments = { readonly value: unknown } | { readonly problem: string };

/**
 * A copy, so that filling in defaults changes nothing of the caller's, and so that getters and proxies run here once
 * and never inside a validator. Nothing at all stands for no arguments.
 *
 * @example copyArguments({ since: new Date(0), limit: undefined }) // { value: { since: '1970-01-01T00:00:00.000Z' } }
 */
export function copyArguments(given: unknown): CopiedArguments {
  if (given === undefined) return { value: {} };
  try {
    const text = JSON.stringify(given);
    if (text === undefined) return { problem: `a ${typeof given} is not JSON` };
    return { value: JSON.parse(text) };
  } catch (error) {
    // V8 draws circles over several lines.
    return { problem: messageOf(error).split('\n', 1).join('') };
  }
}
