// In: a schema of common keywords. Out: a validator that answers as ajv's compiled one does, without any code made for it.
// Part of toolwright/support: imports only other parts of it, and a published pack's validators rely on what is here.
import { type Filled, fits } from './support-fits.js';
import type { Violation } from './support-limits.js';
import { makeNode, type Node } from './support-nodes.js';
import type { Schema } from './support-rules.js';
import { listViolations } from './support-violations.js';

/** Tells whether a value fits; `errors` are of the last call. */
export interface Validator {
  (value: unknown): boolean;
  errors: readonly Violation[] | null;
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
  let rules: Schema | undefined;
  let node: Node | undefined;
  const validate: Validator = (value: unknown): boolean => {
    rules ??= schema() as Schema;
    node ??= makeNode(rules, fill);
    validate.errors = null;
    const filled: Filled = [];
    if (isPrototypeBare() && fits(node, value, filled)) return true;
    // What was filled in up to the first mistake is taken out: in the order of ajv, some rules must not see it.
    for (let index = filled.length - 2; index >= 0; index -= 2)
      delete (filled[index] as Record<string, unknown>)[filled[index + 1] as string];
    const violations = listViolations(rules, value, fill);
    if (violations.length === 0) return true;
    validate.errors = violations;
    return false;
  };
  validate.errors = null;
  return validate;
}

/**
 * Two validators as one: the second sees only what the first lets pass. The errors are those of the one that refused.
 *
 * @example const validate = inTurn(check, checkAndFill);
 */
export function inTurn<V extends AnyValidator>(first: V, second: V): V {
  const validate = ((value: unknown): boolean => {
    const refusing = [first, second].find(one => !one(value));
    validate.errors = refusing?.errors ?? null;
    return refusing === undefined;
  }) as V;
  validate.errors = null;
  return validate;
}

/** Those that ajv compiled have no errors before their first run. */
interface AnyValidator {
  (value: unknown): boolean;
  errors?: readonly unknown[] | null | undefined;
}

const bare = {};

/** `fits` walks over maps in the quickest way, which would also find what somebody put into the prototype of all maps. */
function isPrototypeBare(): boolean {
  for (const _name in bare) return false;
  return true;
}
