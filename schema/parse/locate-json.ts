// The places of a JSON text, read when one is asked for. The text is known to be valid: it was parsed before.
// In: the text. Out: the place of its root.
import { type Node, parseTree } from 'jsonc-parser';
import type { Span } from './lines.js';
import type { Place } from './locate.js';

/**
 * Where the parts of a JSON text stand.
 *
 * @example locateJson('{"a": 1}').child('a')?.span // { start: 6, end: 7 }
 */
export function locateJson(text: string): Place {
  const root = parseTree(text);
  if (root === undefined) throw new Error('no JSON value to locate');
  return placeOf(root, undefined);
}

/** Recursion is safe: what is too deep was refused by the parser. */
function placeOf(node: Node, key: Span | undefined): Place {
  const span = spanOf(node);
  const { children } = node;
  if (children === undefined) {
    const inner = node.type === 'string' ? { start: span.start + 1, end: span.end - 1 } : span;
    const scalar = { raw: span, inner, value: node.value as unknown };
    return { span, key, scalar, child: () => undefined, firstKey: () => undefined };
  }
  if (node.type === 'array') {
    const child = (step: string | number): Place | undefined => {
      const item = /^\d+$/.test(String(step)) ? children[Number(step)] : undefined;
      return item === undefined ? undefined : placeOf(item, undefined);
    };
    return { span, key, scalar: undefined, child, firstKey: () => undefined };
  }
  /** By name, made when one is asked for: a combined file has thousands. */
  let members: Map<string, Place> | undefined;
  const child = (step: string | number): Place | undefined => {
    members ??= new Map(children.flatMap(memberOf));
    return members.get(String(step));
  };
  const [first] = children[0]?.children ?? [];
  return { span, key, scalar: undefined, child, firstKey: () => (first === undefined ? undefined : spanOf(first)) };
}

function memberOf({ children: [name, value] = [] }: Node): readonly (readonly [string, Place])[] {
  return name === undefined || value === undefined ? [] : [[name.value as string, placeOf(value, spanOf(name))]];
}

function spanOf({ offset, length }: Node): Span {
  return { start: offset, end: offset + length };
}
