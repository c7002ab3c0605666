// In: a JSON Schema. Out: TypeScript that declares the type of its values, and where each name in it comes from.
import type { JsonSchema } from '../../../schema/definitions.js';
import type { Path } from '../../../schema/document.js';
import { type Dialect, effectiveDialect, type JsonSchemaObject } from '../../../schema/json-schema/keywords.js';
import type { Filling } from '../../../schema/support/validator.js';
import { easeTypes } from './limit-unions.js';
import { lower } from './lower.js';
import { saysOfObjects } from './lower-object.js';
import { printDoc } from './print-doc.js';
import { printKey } from './print-literal.js';
import { allTypes, declaredTypes, valueTypes } from './schema-values.js';
import { makeScope, type Scope, type TypeMode, type Widening } from './scope.js';
import {
  emptyRecord,
  isInherited,
  type ObjectNode,
  type PropertyNode,
  type TupleNode,
  type TypeNode,
} from './type-node.js';

export interface PrintTypesOptions {
  /** Of the type of the root; helper types begin with it. */
  readonly name: string;
  readonly mode: TypeMode;
  /** What calls do with defaults; `always` where not given. */
  readonly filling?: Filling;
  /** Told by the schema itself where not given. */
  readonly dialect?: Dialect;
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
  const { name, mode, filling = 'always', dialect = effectiveDialect(schema) } = options;
  // Arguments are objects on the wire, and so is a result that is described like one, whatever the schema leaves out.
  const isObject = declaredTypes(schema) === allTypes && (mode !== 'output' || saysOfObjects(schema));
  const scope = makeScope({ root: schema, name, mode, filling, dialect, isObject });
  const written: WrittenDeclaration[] = [];
  // Lowering a type may ask for further ones.
  for (let index = 0; index < scope.declarations.length; index += 1) {
    const declaration = scope.declarations[index];
    if (declaration !== undefined) written.push(lowerDeclaration(declaration, scope));
  }
  const eased = easeTypes(written, at => scope.widen(at, 'it combines too many alternatives'));
  return { ...writeTypes(eased), widened: scope.widened };
}

function lowerDeclaration(
  { name, schema, path, fill, filled }: Scope['declarations'][number],
  scope: Scope,
): WrittenDeclaration {
  const isRoot = schema === scope.root;
  const allowed = isRoot && scope.narrowRoot ? valueTypes.object : allTypes;
  const type = lower(schema, { path, allowed, fill, filled, flat: false, depth: 0 }, scope);
  return { name, path, type: isRoot ? rootType(type, scope) : type, docs: [schema] };
}

// Where there are no arguments, `args.x` should be an error; an index signature would make it `never`.
function rootType(type: TypeNode, { mode }: Scope): TypeNode {
  return type === emptyRecord && mode === 'args' ? { kind: 'object', properties: [], indexes: [] } : type;
}

// In: types as data. Out: their text, and where in it each name of a property and of a type stands.

/** A name in the text, and the part of the schema that it stands for. */
interface Mark {
  /** In UTF-16 units, like columns of source maps. */
  readonly offset: number;
  readonly length: number;
  readonly path: Path;
}

interface WrittenDeclaration {
  readonly name: string;
  readonly path: Path;
  readonly type: TypeNode;
  readonly docs: readonly JsonSchemaObject[];
}

const widest = 100;

function writeTypes(declarations: readonly WrittenDeclaration[]): { text: string; marks: Mark[] } {
  let text = '';
  const marks: Mark[] = [];

  const mark = (name: string, path: Path): void => {
    marks.push({ offset: text.length, length: name.length, path });
    text += name;
  };

  const writeDeclaration = ({ name, path, type, docs }: WrittenDeclaration): void => {
    if (text !== '') text += '\n';
    text += printDoc(docs, '');
    const isInterface = type.kind === 'object';
    text += isInterface ? 'export interface ' : 'export type ';
    mark(name, path);
    if (isInterface) {
      text += ' ';
      writeObject(type, '');
      text += '\n';
    } else {
      text += ' =';
      if (!isLong(type)) text += ' ';
      write(type, '');
      text += ';\n';
    }
  };

  const write = (node: TypeNode, indent: string): void => {
    switch (node.kind) {
      case 'unknown':
      case 'never':
        text += node.kind;
        return;
      case 'atom':
      case 'name':
        text += node.text;
        return;
      case 'array':
        text += 'readonly ';
        writeTight(node.items, indent);
        text += '[]';
        return;
      case 'tuple':
        writeTuple(node, indent);
        return;
      case 'object':
        writeObject(node, indent);
        return;
      case 'union':
        writeUnion(node, indent);
        return;
      case 'intersection':
        node.members.forEach((member, index) => {
          if (index > 0) text += ' & ';
          if (member.kind === 'union') writeTight(member, indent);
          else write(member, indent);
        });
        return;
      default:
        node satisfies never;
    }
  };

  /** In parentheses where what follows or precedes would else bind more tightly. */
  const writeTight = (node: TypeNode, indent: string): void => {
    const isLoose =
      node.kind === 'union' || node.kind === 'intersection' || node.kind === 'array' || node.kind === 'tuple';
    if (isLoose) text += '(';
    write(node, indent);
    if (isLoose) text += isLong(node) ? `\n${indent})` : ')';
  };

  const writeUnion = (node: Extract<TypeNode, { kind: 'union' }>, indent: string): void => {
    const long = isLong(node);
    node.members.forEach((member, index) => {
      if (long) text += `\n${indent}  | `;
      else if (index > 0) text += ' | ';
      write(member, long ? `${indent}    ` : indent);
    });
  };

  const writeTuple = ({ members, required, rest }: TupleNode, indent: string): void => {
    text += 'readonly [';
    members.forEach((member, index) => {
      if (index > 0) text += ', ';
      if (index < required) {
        write(member, indent);
      } else {
        writeTight(member, indent);
        text += '?';
      }
    });
    if (rest !== undefined) {
      text += members.length > 0 ? ', ...' : '...';
      writeTight(rest, indent);
      text += '[]';
    }
    text += ']';
  };

  const writeObject = (node: ObjectNode, indent: string): void => {
    const { properties, indexes } = node;
    const [index] = indexes;
    if (properties.length === 0 && indexes.length === 0) {
      text += '{}';
      return;
    }
    if (properties.length === 0 && indexes.length === 1 && index !== undefined) {
      text += `{ readonly [key: ${index.keys}]:`;
      if (!isLong(index.type)) text += ' ';
      write(index.type, indent);
      text += isLong(index.type) ? `\n${indent}}` : ' }';
      return;
    }
    const inner = `${indent}  `;
    text += '{\n';
    for (const property of properties) writeProperty(property, inner);
    for (const { keys, type } of indexes) {
      text += `${inner}readonly [key: ${keys}]:`;
      if (!isLong(type)) text += ' ';
      write(type, inner);
      text += ';\n';
    }
    text += `${indent}}`;
  };

  const writeProperty = (property: PropertyNode, indent: string): void => {
    const { name, type, optional, path, docs } = property;
    text += `${printDoc(docs, indent)}${indent}readonly `;
    mark(printKey(name), path);
    text += optional ? '?:' : ':';
    if (isInherited(property)) {
      text += ' unknown;\n';
      return;
    }
    if (!isLong(type)) text += ' ';
    if (optional && type.kind === 'never') text += 'undefined';
    else write(type, indent);
    if (optional && type.kind !== 'unknown' && type.kind !== 'never') {
      text += isLong(type) ? `\n${indent}  | undefined` : ' | undefined';
    }
    text += ';\n';
  };

  for (const declaration of declarations) writeDeclaration(declaration);
  return { text, marks };
}

/** Whether a type is a union that gets a line for each member. */
function isLong(node: TypeNode): boolean {
  return node.kind === 'union' && widthOf(node, widest) > widest;
}

/** The width of a type on one line, or something above `limit`. */
function widthOf(node: TypeNode, limit: number): number {
  if (limit < 0) return 1;
  switch (node.kind) {
    case 'atom':
    case 'name':
      return node.text.length;
    case 'unknown':
    case 'never':
      return node.kind.length;
    case 'array':
      return 13 + widthOf(node.items, limit - 13);
    case 'tuple':
      return sumWidths([...node.members, ...(node.rest === undefined ? [] : [node.rest])], limit - 12);
    case 'object':
      return node.properties.length === 0 ? 40 : 0;
    case 'union':
    case 'intersection':
      return sumWidths(node.members, limit);
    default:
      return node satisfies never;
  }
}

function sumWidths(nodes: readonly TypeNode[], limit: number): number {
  let sum = 0;
  for (const node of nodes) {
    sum += widthOf(node, limit - sum) + 3;
    if (sum > limit) break;
  }
  return sum;
}
