// In: a value of const or enum. Out: the type that has this value only.
import type { Path } from '../../../schema/document.js';
import { isMap } from '../../../schema/document.js';
import { printScalar } from './print-literal.js';
import { emptyRecord, type TypeNode, unknownNode } from './type-node.js';

const deepest = 60;

export function lowerLiteral(value: unknown, path: Path, depth: number): TypeNode {
  if (depth > deepest) return unknownNode;
  if (Array.isArray(value)) {
    const members = value.map((member, index) => lowerLiteral(member, [...path, index], depth + 1));
    return { kind: 'tuple', members, required: members.length, rest: undefined };
  }
  if (!isMap(value)) return { kind: 'atom', text: printScalar(value) };
  const properties = Object.keys(value).map(name => ({
    name,
    type: lowerLiteral(value[name], [...path, name], depth + 1),
    optional: false,
    path: [...path, name],
    docs: [],
  }));
  return properties.length === 0 ? emptyRecord : { kind: 'object', properties, indexes: [] };
}
