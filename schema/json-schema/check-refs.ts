// Rules on references: each must lead to a schema of the same document, and following them must come to an end.
import type { Path } from '../document.js';
import { didYouMean } from '../nearest.js';
import type { CheckContext, Place } from './check-context.js';
import { isSchemaObject, type JsonSchemaObject, own } from './keywords.js';
import {
  printPointer,
  type RefIndex,
  type RefKeyword,
  type RefTarget,
  refKeywords,
  sharedName,
  sharedPrefix,
} from './refs.js';
import { listNodes, pathOf, type SchemaNode, type Walk } from './walk.js';

const idKeywords = ['$id', '$anchor', '$dynamicAnchor'];

/** A schema without any of them, as most are, has nothing to follow or to check here. */
export const addressKeywords = ['$ref', '$recursiveRef', '$dynamicRef', ...idKeywords];

/**
 * Adds the schemas that only references reach (below keywords that the dialect does not know, or inside data) to those
 * that a walk finds: a mistake in them is one as well.
 */
export function followRefs(walk: Walk, context: CheckContext): Walk {
  const { nodes } = walk;
  const all = [...nodes];
  const keywords = new Set(walk.keywords);
  const known = new Set<JsonSchemaObject>(nodes.map(node => node.schema));
  // The list grows while it is read: what a reference reaches may refer further.
  for (const node of all) {
    for (const { target } of referencesOf(node.schema, context)) {
      if (target.kind !== 'found' || !isSchemaObject(target.schema) || known.has(target.schema)) continue;
      if (isShared(target.path, context)) continue;
      const further = listNodes(target.schema, context.dialect, target.path);
      for (const keyword of further.keywords) keywords.add(keyword);
      for (const reached of further.nodes) {
        if (known.has(reached.schema)) continue;
        known.add(reached.schema);
        all.push(reached);
      }
    }
  }
  return { nodes: all, keywords };
}

/** What is checked where it is written. */
function isShared([first, key]: Path, { source }: CheckContext): boolean {
  return first === '$defs' && source.shared?.keys.has(String(key)) === true;
}

function referencesOf(schema: JsonSchemaObject, context: CheckContext) {
  return refKeywords[context.dialect].flatMap(keyword => {
    const ref = own(schema, keyword);
    return typeof ref === 'string' ? [{ keyword, ref, target: context.refs().resolve(ref, schema, keyword) }] : [];
  });
}

export function checkRefs(walk: Walk, context: CheckContext): void {
  const { nodes, keywords } = walk;
  if (idKeywords.some(keyword => keywords.has(keyword))) checkIds(context);
  const referring = new Map<JsonSchemaObject, SchemaNode>();
  for (const node of nodes) {
    for (const { keyword, ref, target } of referencesOf(node.schema, context)) {
      referring.set(node.schema, node);
      reportTarget({ node, keyword, ref, target }, context);
    }
  }
  if (referring.size === 0) return;
  for (const { last, first } of findRefCycles(nodes, context.refs(), refKeywords[context.dialect])) {
    // Of a cycle through other shared schemas each of them has the reference that begins it.
    const { schema, keyword, ref } = referring.has(last.schema) || context.source.role !== 'shared' ? last : first;
    const node = referring.get(schema);
    if (node !== undefined)
      context.report('schema/ref-cycle', { ref: asWritten(ref, context) }, { path: [...pathOf(node), keyword] });
  }
}

function checkIds(context: CheckContext): void {
  for (const { path, keyword, reason } of context.refs().idMistakes) {
    context.report('schema/keyword', { keyword, reason }, { path: [...path, keyword] });
  }
}

interface Reference {
  readonly node: SchemaNode;
  readonly keyword: string;
  readonly ref: string;
  readonly target: RefTarget;
}

function reportTarget({ node, keyword, ref, target }: Reference, context: CheckContext): void {
  // The form rules have already refused every other $recursiveRef and $dynamicRef.
  if (keyword === '$recursiveRef' && ref !== '#') return;
  if (keyword === '$dynamicRef' && !ref.startsWith('#')) return;
  const at = (): { path: (string | number)[] } => ({ path: [...pathOf(node), keyword] });
  switch (target.kind) {
    case 'found':
      return;
    case 'unsupported':
      context.report('schema/keyword', { keyword, reason: 'leads to an anchor that validators do not find' }, at(), {
        hint: `write ${JSON.stringify(printPointer(target.path))} under $ref`,
      });
      return;
    case 'dangling':
      context.report('schema/dangling-ref', { ref }, at(), { hint: refHint(ref, context) });
      return;
    case 'remote':
      reportRemote(ref, at(), context);
      return;
    default:
      target satisfies never;
  }
}

function reportRemote(ref: string, at: Place, context: CheckContext): void {
  const name = sharedName(ref);
  if (name === undefined) context.report('schema/remote-ref', { ref }, at, { hint: refHint(ref, context) });
  // One that exists and cannot be taken has its diagnostic already.
  else if (context.source.sharedNames?.has(name) !== true)
    context.report('schema/unknown-shared', { name }, at, { hint: context.source.sharedNames?.suggest(name) });
}

/** The definition that was probably meant: `Issue`, `#Issue` and `#/definitions/issue` all mean `#/$defs/Issue`. */
function refHint(ref: string, context: CheckContext): string | undefined {
  const { schema, style } = context.source;
  const wanted = ref.slice(Math.max(ref.lastIndexOf('/'), ref.lastIndexOf('#')) + 1);
  if (isSchemaObject(schema)) {
    const definitions = ['$defs', 'definitions'].flatMap(keyword => {
      const map = own(schema, keyword);
      return isSchemaObject(map)
        ? Object.keys(map).map(name => ({ name, pointer: printPointer([keyword, name]) }))
        : [];
    });
    const exact = definitions.find(definition => definition.name === wanted);
    if (exact !== undefined) return `did you mean ${JSON.stringify(exact.pointer)}?`;
    const pointers = definitions.map(definition => definition.pointer);
    const near = didYouMean(ref, pointers);
    if (near !== undefined) return near;
  }
  return style === 'shorthand'
    ? 'parameters have no $defs: refer to #/properties/<name>, or write the whole schema as JSON Schema'
    : undefined;
}

// In: a schema document with references. Out: the references that lead back to their own schema for the same value.

/** One reference: its text, the keyword it stands under, and the schema that has it. */
export interface RefPlace {
  readonly schema: JsonSchemaObject;
  readonly keyword: RefKeyword;
  readonly ref: string;
}

/** References to shared schemas are pointers by now. */
function asWritten(ref: string, { source }: CheckContext): string {
  const [, key] = /^#\/\$defs\/([^/]+)$/.exec(ref) ?? [];
  const name = key === undefined ? undefined : source.shared?.keys.get(key);
  return name === undefined ? ref : `${sharedPrefix}${name}`;
}

interface RefCycle {
  /** The reference that closes it, and the first on the way to it. */
  readonly last: RefPlace;
  readonly first: RefPlace;
}

interface Step {
  readonly to: JsonSchemaObject;
  /** Undefined where the step is one of structure: from allOf to its member. */
  readonly by: RefPlace | undefined;
}

interface Visit {
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
function findRefCycles(nodes: readonly SchemaNode[], refs: RefIndex, keywords: readonly RefKeyword[]): RefCycle[] {
  const found: RefCycle[] = [];
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
  readonly found: RefCycle[];
}

function visitFrom(start: JsonSchemaObject, search: Search): void {
  const { done, found } = search;
  const open = new Set<JsonSchemaObject>([start]);
  const trail: Visit[] = [{ schema: start, by: undefined, steps: stepsFrom(start, search), next: 0 }];
  for (let visit = trail.at(-1); visit !== undefined; visit = trail.at(-1)) {
    const step = visit.steps[visit.next];
    visit.next += 1;
    if (step === undefined) {
      open.delete(visit.schema);
      done.add(visit.schema);
      trail.pop();
    } else if (open.has(step.to)) {
      // The cycle is the end of the trail; its last reference is the one to name.
      const last = step.by ?? trail.findLast(one => one.by !== undefined)?.by;
      const first = trail.find(one => one.by !== undefined)?.by ?? last;
      if (last !== undefined && first !== undefined) found.push({ last, first });
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
