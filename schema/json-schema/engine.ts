// In: a schema document and a value. Out: whether the value fits a schema of the document, and everything that is wrong with
// it, as ajv says it with `allErrors` and `verbose`. The same engine as in toolwright/support, for authors instead of callers:
// they get the mistakes of every alternative.
import { fits } from '../support/fits.js';
import { makeNodes, plainReading, type Reading } from '../support/nodes.js';
import type { FullViolation, Looking } from '../support/places.js';
import type { Schema } from '../support/rules.js';
import { isTooMuch, Steps } from '../support/steps.js';
import { listViolations, makeLooking } from '../support/violations.js';

export interface Engine {
  /** Whether a value fits a schema of the document; false also where that would take too many steps to know. */
  fits(schema: Schema, value: unknown): boolean;
  /**
   * What is wrong with a value. The last violation has the keyword `more` where the search ended early, and the only one
   * `steps` where it found nothing by then.
   */
  explain(schema: Schema, value: unknown): readonly FullViolation[];
}

export interface EngineOptions extends Partial<Reading>, Partial<Pick<Looking, 'order'>> {
  /** Whether what is absent gets its default first. That changes the value, which then must not be the author's. */
  readonly fill?: boolean;
}

/**
 * Makes the engine of a document that has common keywords only; nothing is read before it is asked for.
 *
 * @example openEngine(document).explain(document.definitions.tool, value)
 */
export function openEngine(root: Schema, { fill = false, ...options }: EngineOptions = {}): Engine {
  const nodes = makeNodes(root, { ...plainReading, ...options });
  const steps = new Steps(0);
  let looking: Looking | undefined;
  return {
    fits(schema, value) {
      const node = nodes.nodeOf(schema, fill);
      steps.rules = nodes.count();
      steps.begin(value);
      try {
        return fits(node, value, steps);
      } catch (error) {
        if (isTooMuch(error)) return false;
        throw error;
      } finally {
        steps.end();
      }
    },
    explain(schema, value) {
      steps.rules = nodes.count();
      looking ??= makeLooking(root, { nodes, steps }, { ...options, isFull: true });
      const found = listViolations(looking, schema, value, { fill });
      steps.end();
      return found as readonly FullViolation[];
    },
  };
}
