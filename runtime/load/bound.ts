// X14. Parameters that are not the caller's to choose: `from: config.ORG`, `from: auth.sub`. In: a tool and its bindings. Out: what is left for
// callers.
import type { JsonSchema } from '../../schema/definitions.js';
import { isMap } from '../../schema/document.js';
import type { Tool } from './program.js';

interface Source {
  readonly of: 'config' | 'auth';
  /** The key of `config`, or the claim. */
  readonly name: string;
}

/**
 * Undefined where it is not a source: that is reported by the form.
 *
 * @example sourceOf('config.ORG') // { of: 'config', name: 'ORG' }
 */
export function sourceOf(from: unknown): Source | undefined {
  if (typeof from !== 'string') return undefined;
  const [, of, name] = /^(config|auth)\.([A-Za-z_][\w-]*)$/.exec(from) ?? [];
  return of === undefined || name === undefined ? undefined : { of: of as Source['of'], name };
}

type Bindable = Pick<Tool, 'inputSchema' | 'bound'>;

/** The names of parameters with their sources. */
export function sourcesOf({ bound = {} }: Bindable): readonly (readonly [parameter: string, source: Source])[] {
  return Object.entries(bound).flatMap(([parameter, from]) => {
    const source = sourceOf(from);
    return source === undefined ? [] : [[parameter, source] as const];
  });
}

/**
 * What callers send, as it is listed. `values`: the configuration as far as it is known.
 *
 * @example callerInput(tool, { ORG: 'acme' }).properties // without `org: { from: config.ORG }`
 */
export function callerInput(tool: Bindable, values: Readonly<Record<string, unknown>> = {}): JsonSchema {
  if (tool.bound === undefined) return tool.inputSchema;
  const isTaken = ({ of, name }: Source): boolean => of === 'auth' || Object.hasOwn(values, name);
  const taken = new Set(sourcesOf(tool).flatMap(([parameter, source]) => (isTaken(source) ? [parameter] : [])));
  return taken.size === 0 ? tool.inputSchema : withoutParameters(tool.inputSchema, taken);
}

function withoutParameters(schema: JsonSchema, taken: ReadonlySet<string>): JsonSchema {
  const { required, properties, ...rest } = schema;
  const names = Array.isArray(required) ? required.filter(name => !taken.has(String(name))) : [];
  const kept = Object.entries(isMap(properties) ? properties : {}).filter(([name]) => !taken.has(name));
  const { type, ...others } = rest;
  return {
    type,
    properties: Object.fromEntries(kept),
    ...(names.length === 0 ? {} : { required: names }),
    ...others,
  } as JsonSchema;
}

/**
 * Whether a value can be that of one parameter: a schema for an object that has only this one. References lead where they led before.
 *
 * @example makeValidator(() => aloneSchema(tool.inputSchema), 'never')({ org: 'acme' })
 */
export function aloneSchema(input: JsonSchema): JsonSchema {
  const { required: _, ...rest } = input;
  return rest as JsonSchema;
}

/** What callers may leave out, for the types of what they send: the operator may have set it. */
export function sentInput(tool: Bindable): JsonSchema {
  if (tool.bound === undefined) return tool.inputSchema;
  const schema = callerInput(tool);
  const { required } = schema;
  if (!Array.isArray(required)) return schema;
  return { ...schema, required: required.filter(name => !Object.hasOwn(tool.bound ?? {}, String(name))) };
}

/** Of arguments as a handler gets them: those that a caller sends. */
export function listedArguments(
  args: Readonly<Record<string, unknown>>,
  { properties }: JsonSchema,
): Readonly<Record<string, unknown>> {
  const listed = isMap(properties) ? properties : {};
  return Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(listed, name)));
}
