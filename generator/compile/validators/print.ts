// In: a tool. Out: the text of its `generated/tools/<item>.mjs`: an ES module that checks input and output without ajv.

import { definitionHash, type Tool } from '../../../runtime/load/program.js';
import type { JsonSchema } from '../../../schema/definitions.js';
import { type Diagnostic, diagnose } from '../../../schema/diagnostics.js';
import { type Compile, loadCompiler, type Mode, passesOf } from '../../../schema/json-schema/compile-ajv.js';
import { isCommon } from '../../../schema/json-schema/engine.js';
import {
  isSchemaObject,
  type KeywordShape,
  schemaKeywords,
  wordKeywords,
} from '../../../schema/json-schema/keywords.js';
import { countSchemas } from '../../../schema/json-schema/walk.js';
import type { Filling } from '../../../schema/support/validator.js';
import { printHeader, supportModule } from '../../render/code.js';
import { assemble } from './assemble.js';

/** The functions of a schema, in the order in which `boundValidator` takes them. */
const modes: readonly Mode[] = ['first', 'all'];

/** What the validators of a tool are made from. */
export type ValidatorSource = Pick<Tool, 'item' | 'file' | 'inputSchema' | 'outputSchema' | 'filling'>;

export type Role = 'input' | 'output';

/** Prints the module of one tool; throws an `UnusableSchemaError` where ajv can make no validator of a schema. */
export type ValidatorPrinter = (tool: ValidatorSource) => string;

/** An author's schema that passed every check and that ajv refuses nevertheless. */
export class UnusableSchemaError extends Error {
  override readonly name = 'UnusableSchemaError';
  readonly item: string;
  readonly role: Role;
  readonly reason: string;

  constructor(where: { readonly item: string; readonly role: Role }, cause: unknown) {
    const message = cause instanceof Error ? cause.message : String(cause);
    // ajv adds the name under which it knows the schema, which tells an author nothing.
    const reason = message.replace(/ from id \S*$/, '');
    super(`the ${where.role} schema for ${where.item} cannot be compiled: ${reason}`, { cause });
    this.item = where.item;
    this.role = where.role;
    this.reason = reason;
  }
}

/**
 * Loads ajv, which is needed for some tools. The text of a tool depends on nothing but the tool: neither on the tools before it nor on
 * the machine.
 *
 * @example
 * const print = await loadValidatorPrinter();
 * const text = print(tool); // export const hash = ...; export const validateInput = ...
 */
export async function loadValidatorPrinter(): Promise<ValidatorPrinter> {
  const start = await loadPrintingCompiler();
  return tool => printModule(tool, listRoles(tool), start);
}

/**
 * The same for many tools: ajv is loaded with the first that needs it, and a schema of which it makes no code is a mistake of the pack.
 *
 * @example const texts = await Promise.all(program.tools.map(makeValidatorPrinter()));
 */
export function makeValidatorPrinter(): (tool: Tool) => Promise<string | Diagnostic> {
  let start: ReturnType<typeof loadPrintingCompiler> | undefined;
  return async tool => {
    const roles = listRoles(tool);
    if (roles.every(({ isPlain }) => isPlain)) return printModule(tool, roles, undefined);
    start ??= loadPrintingCompiler();
    const loaded = await start;
    try {
      return printModule(tool, roles, loaded);
    } catch (error) {
      if (!(error instanceof UnusableSchemaError)) throw error;
      const site = (error.role === 'input' ? tool.inputSite : tool.outputSite)?.([]) ?? tool.at.site([]);
      return diagnose('generate/unusable-schema', { role: error.role, reason: error.reason }, site);
    }
  };
}

/**
 * Prints the module of a single tool.
 *
 * @example const text = await printValidators(tool);
 */
export async function printValidators(tool: ValidatorSource): Promise<string> {
  return (await loadValidatorPrinter())(tool);
}

/** ajv's functions with their sources, which are never run here. `start()` gives the compiler of one tool. */
function loadPrintingCompiler(): Promise<() => Compile> {
  return loadCompiler(({ _ }) => ({
    source: true,
    esm: true,
    lines: true,
    formats: _`formats`,
    // See `tidy` of assemble.ts.
    optimize: false,
    // Only the source is wanted: what ajv makes a function of, and would have the engine parse, is this.
    process: () => 'return () => {}',
  }));
}

interface RoleSchema {
  readonly role: Role;
  readonly schema: JsonSchema;
  readonly filling: Filling;
  /** Common keywords only: the schema is printed as it is, and toolwright/support does the rest. */
  readonly isPlain: boolean;
}

const exportedNames: Readonly<Record<Role, string>> = { input: 'validateInput', output: 'validateOutput' };

function listRoles({ inputSchema, outputSchema, filling }: ValidatorSource): readonly RoleSchema[] {
  const toRole = (role: Role, schema: JsonSchema): RoleSchema => ({
    role,
    schema,
    filling: filling[role],
    isPlain: isCommon(schema),
  });
  const input = toRole('input', inputSchema);
  return outputSchema === undefined ? [input] : [input, toRole('output', outputSchema)];
}

function printModule(tool: ValidatorSource, roles: readonly RoleSchema[], start: (() => Compile) | undefined): string {
  const unusual = roles.filter(({ isPlain }) => !isPlain);
  const compile = unusual.length === 0 ? undefined : start?.();
  const passes = unusual.flatMap(one =>
    passesOf(one.filling).flatMap(fills => modes.map(mode => ({ one, fills, mode }))),
  );
  const functions = passes.map(({ one, ...pass }) => compileRole(tool, one, pass, compile));
  const compiled = functions.length === 0 ? undefined : assemble(functions, printSchemaConstant);
  const imports = new Set(compiled?.imports);
  const exported = roles.map(one => {
    const { role, schema, filling, isPlain } = one;
    const names = compiled?.names.filter((_, index) => passes[index]?.one === one) ?? [];
    for (const name of isPlain ? ['makeValidator'] : ['Steps', 'boundValidator']) imports.add(name);
    if (names.length > modes.length) imports.add('inTurn');
    const code = isPlain ? `makeValidator(() => (${printRules(schema, filling)}), '${filling}')` : printCompiled(names);
    return `export const ${exportedNames[role]} = ${code};`;
  });
  const count = unusual.reduce((all, { schema }) => all + countSchemas(schema), 0);
  const lines = [
    ...(imports.size === 0 ? [] : [`import { ${[...imports].sort().join(', ')} } from ${supportModule};`]),
    `export const hash = '${definitionHash(tool)}';`,
    ...(unusual.length === 0 ? [] : [`const steps = new Steps(${count});`]),
    // Functions may be used above their statements, constants may not: nothing is called before the module has run.
    ...[...exported, ...(compiled?.statements ?? [])].map(keepPrototypes),
  ];
  return `${printHeader(tool.file)}${lines.join('\n')}\n`;
}

/** The functions of a schema in the order of its passes, as one validator. */
function printCompiled(names: readonly string[]): string {
  const bound = names.flatMap((name, index) =>
    index % modes.length === 0 ? [`boundValidator(steps, ${name}, ${names[index + 1]})`] : [],
  );
  return bound.length > 1 ? `inTurn(${bound.join(', ')})` : bound.join();
}

interface Pass {
  readonly fills: boolean | undefined;
  readonly mode: Mode;
}

function compileRole(
  tool: ValidatorSource,
  { role, schema }: RoleSchema,
  { fills, mode }: Pass,
  compile: Compile | undefined,
) {
  if (compile === undefined) throw new Error(`ajv was not loaded for ${tool.item}`);
  try {
    return compile(schema, fills === true, mode);
  } catch (cause) {
    throw new UnusableSchemaError({ item: tool.item, role }, cause);
  }
}

// In: JSON values. Out: JavaScript expressions of them, in which every text stays a string.

/** What no validator reads. Defaults are another matter. */
const annotations: ReadonlySet<string> = new Set([
  ...[...wordKeywords].filter(keyword => keyword !== 'default'),
  '$schema',
]);

/** Every place that any dialect allows for a schema: leaving words out of one does no harm in the others. */
const shapes: ReadonlyMap<string, KeywordShape> = new Map([
  ...schemaKeywords('draft-07'),
  ...schemaKeywords('2019-09'),
  ...schemaKeywords('2020-12'),
]);

/** Prints a schema that a validator of ajv's reads limits and enums from: ajv has written defaults into the code. */
function printSchemaConstant(schema: unknown): string {
  return printJson(withoutWords(schema, keyword => keyword === 'default'));
}

/** Prints a schema that is itself the validator: with its defaults, if they are filled in, and what it refers to. */
function printRules(schema: unknown, filling: Filling): string {
  const refers = JSON.stringify(schema).includes('"$ref":');
  return printJson(
    withoutWords(schema, keyword => {
      if (keyword === 'default') return filling === 'never';
      return keyword.startsWith('x-') || (!refers && (keyword === '$defs' || keyword === 'definitions'));
    }),
  );
}

/**
 * Prints a value as an expression.
 *
 * @example printJson({ a: ['x'] }) // '{"a":["x"]}'
 */
function printJson(value: unknown): string {
  const text = String(JSON.stringify(value));
  return text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/**
 * In JSON `"__proto__":` is a key as any other, in JavaScript it sets the prototype, unless it is computed. A quotation
 * mark inside a string is always escaped there, so that what is found after `{` or `,` is a key.
 */
function keepPrototypes(code: string): string {
  return code.includes('"__proto__":') ? code.replaceAll(/([{,])"__proto__":/g, '$1["__proto__"]:') : code;
}

/** Whether a keyword that is not an annotation can go nevertheless. */
type IsIdle = (keyword: string) => boolean;

function withoutWords(schema: unknown, isIdle: IsIdle): unknown {
  if (!isSchemaObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !annotations.has(keyword) && !isIdle(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, withoutWordsBelow(value, shapes.get(keyword), isIdle)]),
  );
}

function withoutWordsBelow(value: unknown, shape: KeywordShape | undefined, isIdle: IsIdle): unknown {
  // Data, or a keyword that nobody knows: kept as it is.
  if (shape === undefined) return value;
  const shorten = (schema: unknown): unknown => withoutWords(schema, isIdle);
  if (Array.isArray(value)) return value.map(shorten);
  if (shape !== 'map' || !isSchemaObject(value)) return shorten(value);
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, shorten(schema)]));
}
