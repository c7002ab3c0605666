// Whether what arrived is what was given, where everything is text on the way. Null and what is empty have no text: they are absent.
import { strict as assert } from 'node:assert';
import { readBrackets } from './wire.js';

/** A leaf of what arrived. */
export function isSame(given: unknown, arrived: string): boolean {
  if (typeof given === 'string') return arrived === given;
  if (typeof given === 'number') return /^-?\d+(?:\.\d+)?(?:e[+-]\d+)?$/.test(arrived) && Number(arrived) === given;
  return typeof given === 'boolean' && arrived === String(given);
}

export type Tree = string | readonly Tree[] | { readonly [key: string]: Tree };

export function isSameTree(given: unknown, arrived: Tree | undefined): boolean {
  const wanted = present(given);
  if (wanted === undefined || arrived === undefined) return wanted === undefined && arrived === undefined;
  if (typeof arrived === 'string') return isSame(wanted, arrived);
  if (Array.isArray(wanted)) {
    const elements = Array.isArray(arrived) ? arrived : undefined;
    return elements?.length === wanted.length && wanted.every((one, index) => isSameTree(one, elements[index]));
  }
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(arrived)) return false;
  const members = Object.entries(wanted);
  const keys = Object.keys(arrived);
  return (
    members.length === keys.length &&
    members.every(
      ([key, one]) => Object.hasOwn(arrived, key) && isSameTree(one, (arrived as Record<string, Tree>)[key]),
    )
  );
}

/** Without what has no text. */
function present(given: unknown): unknown {
  if (given === null || given === undefined) return undefined;
  if (typeof given !== 'object') return given;
  if (Array.isArray(given)) {
    const kept = given.map(present).filter(one => one !== undefined);
    return kept.length === 0 ? undefined : kept;
  }
  const kept = Object.entries(given).flatMap(([key, one]) => {
    const inner = present(one);
    return inner === undefined ? [] : [[key, inner] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** `a[b]=1&a[c][]=2` as a tree. `like` says which members that are numbers are a list. */
export function readDeep(pairs: readonly (readonly [string, string])[], name: string, like: unknown): Tree | undefined {
  const root: Node = { members: new Map(), leaf: undefined };
  for (const [full, value] of pairs) {
    const [head, ...steps] = readBrackets(full);
    assert.equal(head, name);
    let node = root;
    for (const step of steps) {
      const key = step === '' ? `#${node.members.size}` : `.${step}`;
      const next = node.members.get(key) ?? { members: new Map(), leaf: undefined };
      node.members.set(key, next);
      node = next;
    }
    assert.equal(node.leaf, undefined, `two values for ${full}`);
    node.leaf = value;
  }
  return pairs.length === 0 ? undefined : toTree(root, present(like));
}

interface Node {
  readonly members: Map<string, Node>;
  leaf: string | undefined;
}

function toTree({ members, leaf }: Node, like: unknown): Tree {
  if (leaf !== undefined) {
    assert.equal(members.size, 0);
    return leaf;
  }
  const keys = [...members.keys()];
  const isPushed = keys.every(key => key.startsWith('#'));
  assert(isPushed || keys.every(key => key.startsWith('.')), 'a list and an object at once');
  if (isPushed || Array.isArray(like)) {
    const list = Object(like) as Record<string, unknown>;
    return [...members.values()].map((node, index) => toTree(node, list[index]));
  }
  const inner = Object(like) as Record<string, unknown>;
  return Object.fromEntries(
    [...members].map(([key, node]) => [
      key.slice(1),
      toTree(node, Object.hasOwn(inner, key.slice(1)) ? inner[key.slice(1)] : undefined),
    ]),
  );
}
