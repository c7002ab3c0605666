// In: a schema document with references. Out: the references that lead back to their own schema for the same value.
import { isSchemaObject, type JsonSchemaObject, own } from './keywords.js';
import type { RefIndex, RefKeyword } from './refs.js';
import type { SchemaNode } from './walk.js';

/** One reference: its text, the keyword it stands under, and the schema that has it. */
export interface RefPlace {
  readonly schema: JsonSchemaObject;
  readonly keyword: RefKeyword;
  readonly ref: string;
}

interface Step {
  readonly to: JsonSchemaObject;
  /** Undefined where the step is one of structure: from allOf to its member. */
  readonly by: RefPlace | undefined;
}

interface SessionLease {
  readonly schema: JsonSchemaObject;
  readonly by: RefPlace | undefined;
  readonly steps: readonly Step[];
  next: number;
}

/** Keywords that are always tried on the same value. `then` and `else` are left out: what guards them may end it. */
const alwaysTried = ['allOf', 'anyOf', 'oneOf', 'not', 'if'];

/**
 * Finds references that a validator could follow forever: `a -> b -> a`, or a schema whose own anyOf refers to it.
 * Recursion through properties or items is ordinary and ends with the value.
 */
export function findRefCycles(
  nodes: readonly SchemaNode[],
  refs: RefIndex,
  keywords: readonly RefKeyword[],
): RefPlace[] {
  const found: RefPlace[] = [];
  const done = new Set<JsonSchemaObject>();
  for (const node of nodes) {
    if (!done.has(node.schema)) visitFrom(node.schema, { refs, keywords, done, found });
  }
  return found;
}

interface Search {
  readonly refs: RefIndex;
  readonly keywords: readonly RefKeyword[];
  readonly done: Set<JsonSchemaObject>;
  readonly found: RefPlace[];
}

function visitFrom(start: JsonSchemaObject, search: Search): void {
  const { done, found } = search;
  const open = new Set<JsonSchemaObject>([start]);
  const trail: SessionLease[] = [{ schema: start, by: undefined, steps: stepsFrom(start, search), next: 0 }];
  for (let visit = trail.at(-1); visit !== undefined; visit = trail.at(-1)) {
    const step = visit.steps[visit.next];
    visit.next += 1;
    if (step === undefined) {
      open.delete(visit.schema);
      done.add(visit.schema);
      trail.pop();
    } else if (open.has(step.to)) {
      // The cycle is the end of the trail; its last reference is the one to name.
      const place = step.by ?? trail.findLast(one => one.by !== undefined)?.by;
      if (place !== undefined) found.push(place);
    } else if (!done.has(step.to)) {
      open.add(step.to);
      trail.push({ schema: step.to, by: step.by, steps: stepsFrom(step.to, search), next: 0 });
    }
  }
}

function stepsFrom(schema: JsonSchemaObject, { refs, keywords }: Search): Step[] {
  const steps: Step[] = [];
  for (const keyword of alwaysTried) {
    const value = own(schema, keyword);
    for (const member of Array.isArray(value) ? value : [value]) {
      if (isSchemaObject(member)) steps.push({ to: member, by: undefined });
    }
  }
  for (const keyword of keywords) {
    const ref = own(schema, keyword);
    if (typeof ref !== 'string') continue;
    const target = refs.resolve(ref, schema, keyword);
    if (target.kind === 'found' && isSchemaObject(target.schema)) {
      steps.push({ to: target.schema, by: { schema, keyword, ref } });
    }
  }
  return steps;
}
