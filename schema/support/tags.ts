// In: the nodes of `anyOf` or `oneOf`. Out: those that a value can fit, by the property that tells them apart.
// Part of toolwright/support: imports only other parts of it.
// Of a union of a hundred forms, a value is tried on the one whose `kind: {const: a}` it has, wherever it stands in the value.
import type { JoinedRules, Node, ValueRules } from './nodes.js';
import type { JsonMap } from './rules.js';

/** Null: nothing tells them apart. */
export interface Tags {
  readonly name: string;
  /** By the value of the property: the forms that allow it, and those that do not care, in their order. */
  readonly forms: ReadonlyMap<unknown, readonly Node[]>;
  /** Those that do not care. */
  readonly others: readonly Node[];
}

/** A few forms are tried faster than they are looked up. */
const few = 3;
/** References that lead from one to the next. */
const mostHops = 16;

/** The forms that a value may fit: all others surely do not. */
export function formsOf(nodes: readonly Node[], value: unknown, joined: JoinedRules): readonly Node[] {
  if (nodes.length <= few || typeof value !== 'object' || value === null || Array.isArray(value)) return nodes;
  let tags = joined.tags.get(nodes);
  if (tags === undefined) {
    tags = findTags(nodes);
    joined.tags.set(nodes, tags);
  }
  if (tags === null || !Object.hasOwn(value, tags.name)) return nodes;
  const tag = (value as JsonMap)[tags.name];
  // A list or map may be equal to one of the values; what is not there decides nothing.
  if (tag === undefined || (typeof tag === 'object' && tag !== null)) return nodes;
  return tags.forms.get(tag) ?? tags.others;
}

/** The property for which most of the forms name their values. Found with the first value: then all references are read. */
function findTags(nodes: readonly Node[]): Tags | null {
  const counts = new Map<string, number>();
  for (const node of nodes) for (const name of namesOf(node)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const [name, count] = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), ['', few]);
  if (count <= few) return null;
  const listed = nodes.map(node => valuesOf(memberOf(node, name)));
  const forms = new Map<unknown, Node[]>();
  for (const values of listed) for (const value of plainOf(values)) forms.set(value, []);
  const others: Node[] = [];
  for (const [index, node] of nodes.entries()) {
    const values = listed[index];
    if (values === undefined) others.push(node);
    const plain = new Set(plainOf(values));
    for (const [value, into] of forms) if (values === undefined || plain.has(value)) into.push(node);
  }
  return { name, forms, others };
}

function plainOf(values: ValueRules | undefined): Iterable<unknown> {
  return values?.few ?? values?.many ?? [];
}

/** A node, and what its references lead to. */
function chainOf(node: Node | null | undefined): readonly Node[] {
  const chain: Node[] = [];
  for (let at = node; at !== null && at !== undefined && chain.length < mostHops; at = at.joined?.also) chain.push(at);
  return chain;
}

/** The properties of a form that have a list of values. */
function namesOf(form: Node): readonly string[] {
  const members = chainOf(form).flatMap(node => [...(node.map?.members.values() ?? [])]);
  return members.filter(({ node }) => valuesOf(node) !== undefined).map(({ name }) => name);
}

function memberOf(form: Node, name: string): Node | null | undefined {
  const members = chainOf(form).map(node => node.map?.members.get(name)?.node);
  return members.find(node => valuesOf(node) !== undefined);
}

function valuesOf(member: Node | null | undefined): ValueRules | undefined {
  for (const node of chainOf(member)) {
    const values = node.values ?? node.joined?.values[0];
    if (values !== null && values !== undefined) return values;
  }
  return undefined;
}
