// In: a schema of common keywords. Out: a validator that answers as ajv's compiled one does, without any code made for it.
// Part of toolwright/support: imports only other parts of it, and a published pack's validators rely on what is here.
import { fits } from './fits.js';
import { makeNodes, type Node } from './nodes.js';
import type { Looking, Violation } from './places.js';
import type { Schema } from './rules.js';
import { isTooMuch, Steps } from './steps.js';
import { listViolations, makeLooking, more, tooManySteps } from './violations.js';

/** Tells whether a value fits; `errors` are of the last call. */
export interface Validator {
  (value: unknown): boolean;
  errors: readonly Violation[] | null;
  /** How many steps the last call took. They only grow with the size of the value: see steps.ts. */
  readonly steps: () => number;
}

/**
 * What becomes of defaults. `always`: they are filled in before a value is judged. `never`: they are annotations. `late`: a
 * value must fit as it is, and what it leaves out is filled in then, so that a default never stands in for what is required.
 */
export type Filling = 'always' | 'never' | 'late';

/**
 * Makes a validator of a schema that `toolwright generate` found to have common keywords only, each of its right form:
 * nothing of this is looked at again. The schema is given by a function, which is called for the first value: until then a
 * module of validators costs next to nothing. `input` and `output` are what older packs say for `always` and `never`.
 *
 * @example
 * const validate = makeValidator(() => ({ type: 'object', required: ['key'] }), 'always');
 * validate({}); // false
 * validate.errors; // [{ keyword: 'required', params: { missingProperty: 'key' }, ... }]
 */
export function makeValidator(schema: () => object, filling: Filling | 'input' | 'output'): Validator {
  if (filling === 'late') return inTurn(makeValidator(schema, 'never'), makeValidator(schema, 'always'));
  const fill = filling === 'always' || filling === 'input';
  let checked: Checked | undefined;
  const validate = (value: unknown): boolean => {
    checked ??= prepare(schema() as Schema, fill);
    validator.errors = null;
    const { steps } = checked;
    steps.begin(value);
    try {
      const isValid = fits(checked.node, value, steps);
      if (!isValid) validator.errors = explain(checked, value);
    } catch (error) {
      if (!isTooMuch(error)) throw error;
      validator.errors = [tooManySteps];
    }
    steps.end();
    return validator.errors === null;
  };
  // A getter would make every call slower.
  const steps = (): number => checked?.steps.taken ?? 0;
  const validator = Object.assign(validate, { errors: null as Validator['errors'], steps });
  return validator;
}

/**
 * Two validators as one: the second sees only what the first lets pass. The errors are those of the one that refused.
 *
 * @example const validate = inTurn(check, checkAndFill);
 */
export function inTurn<V extends AnyValidator>(first: V, second: V): V {
  const check = (value: unknown): boolean => {
    const refusing = [first, second].find(one => !one(value));
    validate.errors = refusing?.errors ?? null;
    return refusing === undefined;
  };
  const steps = (): number => (first.steps?.() ?? 0) + (second.steps?.() ?? 0);
  const validate = Object.assign(check, { errors: null, steps }) as unknown as V;
  return validate;
}

/** Those that ajv compiled have no errors before their first run. */
interface AnyValidator {
  (value: unknown): boolean;
  errors?: readonly unknown[] | null | undefined;
  readonly steps?: () => number;
}

interface Checked {
  readonly schema: Schema;
  readonly node: Node;
  readonly steps: Steps;
  readonly fill: boolean;
  readonly looking: Looking;
}

function prepare(schema: Schema, fill: boolean): Checked {
  const nodes = makeNodes(schema);
  const node = nodes.nodeOf(schema, fill);
  const steps = new Steps(nodes.count());
  return { schema, node, steps, fill, looking: makeLooking(schema, { nodes, steps }) };
}

/** Null where nothing is wrong after all. */
function explain(checked: Checked, value: unknown): readonly Violation[] | null {
  const { filled, taken } = checked.steps;
  // What was filled in up to the first mistake is taken out: in the order of ajv, some rules must not see it.
  for (let index = filled.length - 2; index >= 0; index -= 2)
    delete (filled[index] as Record<string, unknown>)[filled[index + 1] as string];
  const violations = listViolations(checked.looking, checked.schema, value, checked);
  checked.steps.taken += taken;
  return violations.length === 0 ? null : violations;
}

// In: two functions that ajv made of one schema. Out: one validator that ends soon, whatever the value is.
// Part of toolwright/support: imports only other parts of it, and a published pack's validators rely on what is here.

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
