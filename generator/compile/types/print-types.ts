// In: a JSON Schema. Out: TypeScript that declares the type of its values, and where each name in it comes from.
import type { JsonSchema } from '../../../schema/definitions.js';
import { type Dialect, effectiveDialect } from '../../../schema/json-schema/dialect.js';
import type { Filling } from '../../../schema/support/validator.js';
import { easeTypes } from './ease.js';
import { lower } from './lower.js';
import { saysOfObjects } from './lower-object.js';
import { makeScope, type Scope, type TypeMode, type Widening } from './scope.js';
import { emptyRecord, type TypeNode } from './type-node.js';
import { allTypes, declaredTypes, valueTypes } from './value-types.js';
import { type Mark, type WrittenDeclaration, writeTypes } from './write-types.js';

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
