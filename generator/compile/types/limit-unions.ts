// In: the types of a document. Out: the same, but with intersections that compilers can work out.
// TypeScript multiplies unions that are intersected, and gives up on large products: a part too many is loosened.
import type { Path } from '../../../schema/document.js';
import { intersect, loosen, type ObjectNode, type TypeNode } from './type-node.js';

export interface NamedType {
  readonly name: string;
  readonly path: Path;
  readonly type: TypeNode;
}

const mostCombinations = 2000;
/** Of one union. Names inside it count as what they stand for, which may double from one to the next. */
const mostAlternatives = 20_000;

/** How many alternatives a type has. Those that are not objects do not multiply among themselves: they are looked up. */
interface Size {
  readonly plain: number;
  readonly shaped: number;
}

const single: Size = { plain: 0, shaped: 1 };

/** `report` gets the path of what was loosened. */
export function easeTypes<Declaration extends NamedType>(
  declarations: readonly Declaration[],
  report: (path: Path) => void,
): Declaration[] {
  const byName = new Map(declarations.map(one => [one.name, one]));
  const easedNames = new Map<string, TypeNode>();
  const eased = new Map<TypeNode, TypeNode>();
  const sizes = new Map<TypeNode, Size>();

  const find = (name: string): TypeNode | undefined => {
    const named = byName.get(name);
    return named === undefined ? undefined : easeNamed(named);
  };

  const easeNamed = ({ name, path, type }: NamedType): TypeNode => {
    const known = easedNames.get(name);
    if (known !== undefined) return known;
    // Code that asks for its size meanwhile stands inside it, so that nothing is multiplied.
    easedNames.set(name, { kind: 'unknown' });
    const result = ease(type, path);
    easedNames.set(name, result);
    return result;
  };

  /** A node can be part of several types: it is eased once, and stays the same where nothing is to be done. */
  const ease = (node: TypeNode, path: Path): TypeNode => {
    const known = eased.get(node);
    if (known !== undefined) return known;
    const result = easeParts(node, path);
    eased.set(node, result);
    return result;
  };

  const easeAll = (nodes: readonly TypeNode[], path: Path): readonly TypeNode[] => {
    const members = nodes.map(node => ease(node, path));
    return members.every((member, index) => member === nodes[index]) ? nodes : members;
  };

  const easeParts = (node: TypeNode, path: Path): TypeNode => {
    switch (node.kind) {
      case 'array': {
        const items = ease(node.items, path);
        return items === node.items ? node : { ...node, items };
      }
      case 'tuple': {
        const members = easeAll(node.members, path);
        const rest = node.rest === undefined ? undefined : ease(node.rest, path);
        return members === node.members && rest === node.rest ? node : { ...node, members, rest };
      }
      case 'object':
        return easeObject(node, path);
      case 'union': {
        const members = easeAll(node.members, path);
        if (sum(members).shaped > mostAlternatives) {
          report(path);
          return loosen(members, find);
        }
        return members === node.members ? node : { ...node, members };
      }
      case 'intersection':
        return easeIntersection(node, path);
      default:
        return node;
    }
  };

  const easeObject = (node: ObjectNode, path: Path): TypeNode => {
    const properties = node.properties.map(property => {
      const type = ease(property.type, property.path);
      return type === property.type ? property : { ...property, type };
    });
    const indexes = node.indexes.map(index => {
      const type = ease(index.type, path);
      return type === index.type ? index : { ...index, type };
    });
    const isSame =
      properties.every((one, index) => one === node.properties[index]) &&
      indexes.every((one, index) => one === node.indexes[index]);
    return isSame ? node : { ...node, properties, indexes };
  };

  const easeIntersection = (node: Extract<TypeNode, { kind: 'intersection' }>, path: Path): TypeNode => {
    const members = easeAll(node.members, path);
    let product: Size | undefined;
    const excess: TypeNode[] = [];
    for (const member of members) {
      const size = sizeOf(member);
      if (product !== undefined && isTooMuch(product, size)) excess.push(member);
      else product = product === undefined ? size : multiply(product, size);
    }
    if (excess.length === 0) return members === node.members ? node : intersect(members);
    report(path);
    // All of them together, since even what is left of each would multiply.
    return intersect([...members.filter(member => !excess.includes(member)), loosen(excess, find)]);
  };

  const sizeOf = (node: TypeNode): Size => {
    const known = sizes.get(node);
    if (known !== undefined) return known;
    const size = measure(node);
    sizes.set(node, size);
    return size;
  };

  const sum = (nodes: readonly TypeNode[]): Size => {
    let [plain, shaped] = [0, 0];
    for (const size of nodes.map(sizeOf)) {
      plain = Math.min(plain + size.plain, Number.MAX_SAFE_INTEGER);
      shaped += size.shaped;
    }
    return { plain, shaped };
  };

  const measure = (node: TypeNode): Size => {
    switch (node.kind) {
      case 'atom':
        if (node.text === 'object') return single;
        // For TypeScript it is `true | false`.
        return { plain: node.text === 'boolean' ? 2 : 1, shaped: 0 };
      case 'name': {
        const named = find(node.text);
        return named === undefined ? single : sizeOf(named);
      }
      case 'union':
        return sum(node.members);
      case 'intersection':
        return node.members.map(sizeOf).reduce(multiply);
      default:
        return single;
    }
  };

  // From the last: a name mostly stands for something declared later, which then need not be looked for on the way.
  for (const one of declarations.toReversed()) easeNamed(one);
  return declarations.map(one => ({ ...one, type: easeNamed(one) }));
}

function total({ plain, shaped }: Size): number {
  return plain + shaped;
}

function isTooMuch(one: Size, other: Size): boolean {
  if (one.shaped + other.shaped === 0 || total(one) < 2 || total(other) < 2) return false;
  return total(one) * total(other) > mostCombinations;
}

/** `string & { a: string }` is something that TypeScript keeps, though no value of JSON is of it. */
function multiply(one: Size, other: Size): Size {
  const plain = Math.min(one.plain, other.plain);
  return { plain, shaped: total(one) * total(other) - one.plain * other.plain };
}
