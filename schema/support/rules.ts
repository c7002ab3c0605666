// What the two ways to check a value share: how JSON Schema names types, and where references lead.
// Part of toolwright/support: imports nothing, and a published pack's validators rely on what is here.

/** A schema of the kind that `makeValidator` takes: plain data, every keyword of the form that JSON Schema gives it. */
export interface Rules {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly not?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
  readonly maximum?: number;
  readonly minimum?: number;
  readonly exclusiveMaximum?: number;
  readonly exclusiveMinimum?: number;
  readonly multipleOf?: number;
  readonly format?: string;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly prefixItems?: readonly Schema[];
  readonly items?: Schema;
  readonly uniqueItems?: boolean;
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly propertyNames?: Schema;
  readonly additionalProperties?: Schema;
  readonly properties?: { readonly [name: string]: Schema };
  readonly patternProperties?: { readonly [pattern: string]: Schema };
  readonly dependentRequired?: { readonly [name: string]: readonly string[] };
  readonly default?: unknown;
}

export type Schema = Rules | boolean;

export type JsonMap = { [key: string]: unknown };

/** The bits of types: a value of type integer is also a number, so that it has two of them. */
const bits: Readonly<Record<string, number>> = {
  string: 1,
  number: 2,
  integer: 4,
  boolean: 8,
  null: 16,
  array: 32,
  object: 64,
};
/** What is not JSON, such as a function, has no type, but passes where none is asked for. */
export const noType = 128;
export const anyType = 255;

/** The bits of a value. */
export function bitsOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return 1;
    case 'number':
      // As ajv has it: whatever leaves no fraction, also Infinity.
      return value % 1 || Number.isNaN(value) ? 2 : 6;
    case 'boolean':
      return 8;
    case 'object':
      if (value === null) return 16;
      return Array.isArray(value) ? 32 : 64;
    default:
      return noType;
  }
}

/** The bits that a `type` allows. */
export function bitsAllowed(type: Rules['type']): number {
  if (type === undefined) return anyType;
  if (typeof type === 'string') return bits[type] ?? 0;
  return type.reduce((all, name) => all | (bits[name] ?? 0), 0);
}

export function typesOf(type: Rules['type']): readonly string[] {
  if (type === undefined) return [];
  return typeof type === 'string' ? [type] : type;
}

/** Follows a reference such as `#/$defs/issue` inside the document. */
export function resolveRef(root: Schema, ref: string): Schema {
  let at: unknown = root;
  for (const part of ref.split('/').slice(1)) {
    const name = part.includes('~') ? part.replaceAll('~1', '/').replaceAll('~0', '~') : part;
    if (part !== '' || ref !== '#/') at = (at as JsonMap)[name];
  }
  return at as Schema;
}

/** Tells like ajv whether a property counts as present. */
export function isPresent(map: JsonMap, name: string): boolean {
  return Object.hasOwn(map, name) && map[name] !== undefined;
}
