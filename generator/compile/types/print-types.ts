// In: a JSON Schema. Out: TypeScript that declares the type of its values, and where each name in it comes from.
import type { JsonSchema } from '../../../schema/definitions.js';
import type { Path } from '../../../schema/document.js';
import { type Dialect, effectiveDialect } from '../../../schema/json-schema/keywords.js';
import type { Filling } from '../../../schema/support/validator.js';
import { lower } from './lower.js';
import { saysOfObjects } from './lower-object.js';
import {
  allTypes,
  declaredTypes,
  makeScope,
  type Scope,
  type SharedTypes,
  type TypeMode,
  valueTypes,
  type Widening,
} from './scope.js';
import { emptyRecord, intersect, loosen, type ObjectNode, type TypeNode } from './type-node.js';
import { type Mark, type NamedType, writeTypes } from './write-types.js';

export interface PrintTypesOptions {
  /** Of the type of the root; helper types begin with it. */
  readonly name: string;
  readonly mode: TypeMode;
  /** What calls do with defaults; `always` where not given. */
  readonly filling?: Filling;
  /** Told by the schema itself where not given. */
  readonly dialect?: Dialect;
  readonly shared?: SharedTypes | undefined;
  /** Not the root of a message, so that nothing is known beyond what the schema says. */
  readonly isAnyValue?: boolean | undefined;
}

export interface PrintedTypes {
  readonly text: string;
  readonly marks: readonly Mark[];
  /** Where the types accept more than the schema does, though they could not be expected to say it all. */
  readonly widened: readonly Widening[];
}

/**
 * Prints the type of a schema's values as exported declarations. A value that the schema accepts is never refused.
 *
 * @example
 * printTypes({ type: 'object', properties: { key: { type: 'string' } }, required: ['key'] }, { name: 'GetArgs', mode: 'args' })
 * // text: 'export interface GetArgs {\n  readonly key: string;\n}\n'
 */
export function printTypes(schema: JsonSchema, options: PrintTypesOptions): PrintedTypes {
  const { name, mode, filling = 'always', dialect = effectiveDialect(schema), shared } = options;
  // Arguments are objects on the wire, and so is a result that is described like one, whatever the schema leaves out.
  const isObject =
    options.isAnyValue !== true && declaredTypes(schema) === allTypes && (mode !== 'output' || saysOfObjects(schema));
  const scope = makeScope({ root: schema, name, mode, filling, dialect, isObject, shared });
  const written: NamedType[] = [];
  // Lowering a type may ask for further ones.
  for (let index = 0; index < scope.declarations.length; index += 1) {
    const declaration = scope.declarations[index];
    if (declaration !== undefined) written.push(lowerDeclaration(declaration, scope));
  }
  const limited = limitUnions(written, at => scope.widen(at, 'it combines too many alternatives'));
  return { ...writeTypes(limited), widened: scope.widened };
}

function lowerDeclaration(
  { name, schema, path, fill, filled }: Scope['declarations'][number],
  scope: Scope,
): NamedType {
  const isRoot = schema === scope.root;
  const allowed = isRoot && scope.narrowRoot ? valueTypes.object : allTypes;
  const type = lower(schema, { path, allowed, fill, filled, flat: false, depth: 0 }, scope);
  return { name, path, type: isRoot ? rootType(type, scope) : type, docs: [schema] };
}

// Where there are no arguments, `args.x` should be an error; an index signature would make it `never`.
function rootType(type: TypeNode, { mode }: Scope): TypeNode {
  return type === emptyRecord && mode === 'args' ? { kind: 'object', properties: [], indexes: [] } : type;
}

// In: the types of a document. Out: the same, but with intersections that compilers can work out.
// TypeScript multiplies unions that are intersected, and gives up on large products: a part too many is loosened.

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
function limitUnions(declarations: readonly NamedType[], report: (path: Path) => void): readonly NamedType[] {
  const byName = new Map(declarations.map(one => [one.name, one]));
  const limitedNames = new Map<string, TypeNode>();
  const limited = new Map<TypeNode, TypeNode>();
  const sizes = new Map<TypeNode, Size>();

  const find = (name: string): TypeNode | undefined => {
    const named = byName.get(name);
    return named === undefined ? undefined : limitNamed(named);
  };

  const limitNamed = ({ name, path, type }: NamedType): TypeNode => {
    const known = limitedNames.get(name);
    if (known !== undefined) return known;
    // Code that asks for its size meanwhile stands inside it, so that nothing is multiplied.
    limitedNames.set(name, { kind: 'unknown' });
    const result = limit(type, path);
    limitedNames.set(name, result);
    return result;
  };

  /** A node can be part of several types: it is limited once, and stays the same where nothing is to be done. */
  const limit = (node: TypeNode, path: Path): TypeNode => {
    const known = limited.get(node);
    if (known !== undefined) return known;
    const result = limitParts(node, path);
    limited.set(node, result);
    return result;
  };

  const limitAll = (nodes: readonly TypeNode[], path: Path): readonly TypeNode[] => {
    const members = nodes.map(node => limit(node, path));
    return members.every((member, index) => member === nodes[index]) ? nodes : members;
  };

  const limitParts = (node: TypeNode, path: Path): TypeNode => {
    switch (node.kind) {
      case 'array': {
        const items = limit(node.items, path);
        return items === node.items ? node : { ...node, items };
      }
      case 'tuple': {
        const members = limitAll(node.members, path);
        const rest = node.rest === undefined ? undefined : limit(node.rest, path);
        return members === node.members && rest === node.rest ? node : { ...node, members, rest };
      }
      case 'object':
        return limitObject(node, path);
      case 'union': {
        const members = limitAll(node.members, path);
        if (sum(members).shaped > mostAlternatives) {
          report(path);
          return loosen(members, find);
        }
        return members === node.members ? node : { ...node, members };
      }
      case 'intersection':
        return limitIntersection(node, path);
      default:
        return node;
    }
  };

  const limitObject = (node: ObjectNode, path: Path): TypeNode => {
    const properties = node.properties.map(property => {
      const type = limit(property.type, property.path);
      return type === property.type ? property : { ...property, type };
    });
    const indexes = node.indexes.map(index => {
      const type = limit(index.type, path);
      return type === index.type ? index : { ...index, type };
    });
    const isSame =
      properties.every((one, index) => one === node.properties[index]) &&
      indexes.every((one, index) => one === node.indexes[index]);
    return isSame ? node : { ...node, properties, indexes };
  };

  const limitIntersection = (node: Extract<TypeNode, { kind: 'intersection' }>, path: Path): TypeNode => {
    const members = limitAll(node.members, path);
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
  for (const one of declarations.toReversed()) limitNamed(one);
  return declarations.map(one => ({ ...one, type: limitNamed(one) }));
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
