// In: two functions that ajv made of one schema. Out: one validator that ends soon, whatever the value is.
// Part of toolwright/support: imports only other parts of it, and a published pack's validators rely on what is here.
import type { Violation } from './places.js';
import { isTooMuch, type Steps } from './steps.js';
import type { Validator } from './validator.js';
import { more, tooManySteps } from './violations.js';

/** As ajv makes it; each of its functions and loops takes a step of `steps`. */
export interface Compiled {
  (value: unknown): boolean;
  errors?: readonly Violation[] | null | undefined;
}

function isUnion({ keyword }: Violation): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf';
}

/**
 * Joins a function that stops at the first violation, which decides, and one that lists all of them, which is asked why.
 * Listing everything that is wrong by every alternative takes for ever in a tree: then the first violation is the answer.
 *
 * @example export const validateInput = boundValidator(steps, validate0, validate1);
 */
export function boundValidator(steps: Steps, first: Compiled, all: Compiled): Validator {
  let taken = 0;
  const judge = (value: unknown): readonly Violation[] | null => {
    steps.begin(value);
    const verdict = run(first, value);
    if (verdict === true) return null;
    const errors = first.errors ?? [];
    if (verdict === undefined || errors.length === 0) return [tooManySteps];
    // In a tree, what every form wants on every level hides what is wrong.
    if (new Set(errors.filter(isUnion).map(({ instancePath }) => instancePath)).size > 1) return [...errors, more];
    taken += steps.taken;
    steps.begin(value, 'short');
    const isValid = run(all, value);
    if (isValid === undefined) return [...errors, more];
    return isValid ? errors : (all.errors ?? errors);
  };
  const run = (check: Compiled, value: unknown): boolean | undefined => {
    try {
      return check(value);
    } catch (error) {
      if (!isTooMuch(error)) throw error;
      return undefined;
    }
  };
  const validate = (value: unknown): boolean => {
    taken = 0;
    validator.errors = judge(value);
    steps.end();
    return validator.errors === null;
  };
  const validator = Object.assign(validate, {
    errors: null as Validator['errors'],
    steps: () => taken + steps.taken,
  });
  return validator;
}
