// Circles in a graph. In: what each node leads to, asked for when it is needed. Out: which nodes lead back to themselves, and with whom.

export interface Groups {
  /** Whether a way leads from a node back to it. */
  isRecursive(node: string): boolean;
  /** Whether two nodes lie on one circle; a node with itself only where it is recursive. */
  areTogether(one: string, other: string): boolean;
}

interface Visit {
  readonly node: string;
  readonly next: Iterator<string>;
  readonly index: number;
  lowest: number;
}

/**
 * Tarjan's groups, with a stack of its own: chains of references may be long.
 *
 * @example findGroups(node => ({ a: ['b'], b: ['a'], c: ['c'] })[node] ?? []).areTogether('a', 'b') // true
 */
export function findGroups(linksOf: (node: string) => readonly string[]): Groups {
  const groups = new Map<string, number>();
  const recursive = new Set<string>();
  const indexes = new Map<string, number>();
  let count = 0;

  function visitFrom(start: string): void {
    if (groups.has(start)) return;
    const open: string[] = [];
    const trail: Visit[] = [];
    const enter = (node: string): void => {
      const index = indexes.size;
      indexes.set(node, index);
      open.push(node);
      trail.push({ node, next: linksOf(node)[Symbol.iterator](), index, lowest: index });
    };
    enter(start);
    for (let visit = trail.at(-1); visit !== undefined; visit = trail.at(-1)) {
      const step = visit.next.next();
      if (step.done !== true) {
        const known = indexes.get(step.value);
        if (known === undefined) enter(step.value);
        else if (!groups.has(step.value)) visit.lowest = Math.min(visit.lowest, known);
        if (step.value === visit.node) recursive.add(visit.node);
        continue;
      }
      trail.pop();
      const above = trail.at(-1);
      if (above !== undefined) above.lowest = Math.min(above.lowest, visit.lowest);
      if (visit.lowest === visit.index) close(open.splice(open.lastIndexOf(visit.node)));
    }
  }

  function close(members: readonly string[]): void {
    count += 1;
    for (const member of members) {
      groups.set(member, count);
      if (members.length > 1) recursive.add(member);
    }
  }

  const isRecursive = (node: string): boolean => {
    visitFrom(node);
    return recursive.has(node);
  };
  return {
    isRecursive,
    areTogether: (one, other) => isRecursive(one) && isRecursive(other) && groups.get(one) === groups.get(other),
  };
}
