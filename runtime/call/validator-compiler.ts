// In: a tool's schemas. Out: ajv's compiled functions, by the same rules whether they are run now or printed for later.
import type { Options, ValidateFunction } from 'ajv';
import type { ValueScope } from 'ajv/dist/compile/codegen/index.js';
import type { CodeOptions } from 'ajv/dist/core.js';
import type * as Library from '../../schema/json-schema/ajv.js';
import { type Dialect, effectiveDialect } from '../../schema/json-schema/dialect.js';
import { isSchemaObject, type JsonSchemaObject } from '../../schema/json-schema/keywords.js';
import { formats } from '../../schema/support/formats.js';
import type { Filling } from '../../schema/support/validator.js';
import { equal, type Steps } from '../../schema/support.js';
import { keepAlternativesPlain } from './plain-refs.js';
import { searchByKeys } from './unique-items.js';

/** Compiles schemas that belong together: names are unique among them. `fills`: what is absent gets its default first. */
export type Compile = (schema: unknown, fills: boolean, mode: Mode) => ValidateFunction;

/** Whether each of ajv's passes over a value fills in defaults. */
export function passesOf(filling: Filling): readonly [boolean, boolean?] {
  return filling === 'late' ? [false, true] : [filling === 'always'];
}

/** `first` stops at the first violation, `all` lists them: see boundValidator of toolwright/support. */
export type Mode = 'first' | 'all';

/** Keywords whose values are addresses: where one is rewritten, all of them are, so that they still meet. */
const addressKeywords: ReadonlySet<string> = new Set(['$id', '$ref', '$dynamicRef', '$recursiveRef']);

/** How ajv's code names its comparison of values. */
const ajvEqual = 'require("ajv/dist/runtime/equal").default';

interface Compiler {
  scope: ValueScope;
  readonly opts: { unevaluated?: boolean; useDefaults?: boolean | 'empty'; allErrors?: boolean };
  removeSchema(): unknown;
  compile(schema: object | boolean): ValidateFunction;
}

/** Starts a module; `steps` is what code that counts its steps finds as `self.steps`. */
export type Start = (steps?: Steps) => Compile;

/**
 * Loads ajv (some 70 ms the first time). What it returns starts a module: `start()` gives the compiler of one tool.
 * `code` decides what ajv makes of its code; without it there are functions to call.
 *
 * @example
 * const start = await loadCompiler(countedCode);
 * const validate = start(new Steps(1))({ type: 'object' }, true, 'first');
 */
export async function loadCompiler(code: (library: typeof Library) => CodeOptions): Promise<Start> {
  const library = await import('../../schema/json-schema/ajv.js');
  const { makeAjv, ValueScope } = library;
  const options: Options = {
    strict: false,
    validateSchema: false,
    meta: false,
    logger: false,
    // Else `{}` would have the properties `constructor` and `toString`.
    ownProperties: true,
    // A large definition that is written out wherever it is referred to makes a huge file.
    inlineRefs: false,
    formats,
    code: code(library),
  };
  const made = new Map<Dialect, Compiler>();

  /** ajv's own comparison throws at keys such as `toString`: functions use the one that printed code imports. */
  class Scope extends ValueScope {
    override value(...[name, value]: Parameters<ValueScope['value']>): ReturnType<ValueScope['value']> {
      return super.value(name, String(value.code) === ajvEqual ? { ...value, ref: equal } : value);
    }
  }

  const makeOne = (dialect: Dialect): Compiler =>
    searchByKeys(keepAlternativesPlain(makeAjv(dialect, options), library), library);

  return steps => {
    let scope: ValueScope | undefined;
    return (schema, fills, mode) => {
      const text = String(JSON.stringify(schema));
      const dialect = effectiveDialect(schema);
      const compiler = made.get(dialect) ?? makeOne(dialect);
      made.set(dialect, Object.assign(compiler, { steps }));
      // Making an instance is an eighth of the time for a tool. One without schemas and with an empty scope is as new.
      compiler.removeSchema();
      scope ??= new Scope({ ...compiler.scope.opts, scope: {} });
      compiler.scope = scope;
      compiler.opts.useDefaults = fills;
      compiler.opts.allErrors = mode === 'all';
      compiler.opts.unevaluated = dialect !== 'draft-07' && text.includes('"unevaluated');
      return compiler.compile(toCompilable(text));
    };
  };
}

/** A copy for ajv to keep, since it knows schemas by identity. */
function toCompilable(text: string): object | boolean {
  // ajv writes a schema's $id into a comment, which `*/` would end.
  const endsComment = /"\$id":"(?:[^"\\]|\\.)*\*\//.test(text);
  const isTree = /"\$(?:ref|dynamicRef|recursiveRef)":/.test(text) && /"(?:anyOf|oneOf)":/.test(text);
  if (!endsComment && !isTree) return JSON.parse(text);
  return JSON.parse(text, (key, value: unknown) => {
    if (endsComment && typeof value === 'string' && addressKeywords.has(key)) return value.replaceAll('*/', '%2A/');
    return isTree && key === 'properties' && isSchemaObject(value) ? withTagsFirst(value) : value;
  });
}

/**
 * The properties of a schema, first those that tell alternatives apart: the functions that stop at the first violation
 * then leave a form that was not meant before they go further down. Otherwise every level of a tree multiplies.
 */
function withTagsFirst(properties: JsonSchemaObject): JsonSchemaObject {
  const isTag = (one: unknown): boolean => isSchemaObject(one) && ('const' in one || 'enum' in one);
  const entries = Object.entries(properties);
  const [tags, others] = [entries.filter(([, one]) => isTag(one)), entries.filter(([, one]) => !isTag(one))];
  return tags.length === 0 || others.length === 0 ? properties : Object.fromEntries([...tags, ...others]);
}
