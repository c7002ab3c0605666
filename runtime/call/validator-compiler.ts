// In: a tool's schemas. Out: ajv's compiled functions, by the same rules whether they are run now or printed for later.
import type { Options, ValidateFunction } from 'ajv';
import type { ValueScope } from 'ajv/dist/compile/codegen/index.js';
import type { CodeOptions } from 'ajv/dist/core.js';
import type * as Library from '../../schema/json-schema/ajv.js';
import { type Dialect, effectiveDialect } from '../../schema/json-schema/dialect.js';
import { equal } from '../../schema/support.js';
import { formats } from '../../schema/support-formats.js';
import type { Filling } from '../../schema/support-validator.js';
import { keepAlternativesPlain } from './plain-refs.js';

/** Compiles schemas that belong together: names are unique among them. `fills`: what is absent gets its default first. */
export type Compile = (schema: unknown, fills: boolean) => ValidateFunction;

/** Whether each of ajv's passes over a value fills in defaults. */
export function passesOf(filling: Filling): readonly [boolean, boolean?] {
  return filling === 'late' ? [false, true] : [filling === 'always'];
}

/** Keywords whose values are addresses: where one is rewritten, all of them are, so that they still meet. */
const addressKeywords: ReadonlySet<string> = new Set(['$id', '$ref', '$dynamicRef', '$recursiveRef']);

/** How ajv's code names its comparison of values. */
const ajvEqual = 'require("ajv/dist/runtime/equal").default';

interface Compiler {
  scope: ValueScope;
  readonly opts: { unevaluated?: boolean; useDefaults?: boolean | 'empty' };
  removeSchema(): unknown;
  compile(schema: object | boolean): ValidateFunction;
}

/**
 * Loads ajv (some 70 ms the first time). What it returns starts a module: `start()` gives the compiler of one tool.
 * `code` decides what ajv makes of its code; without it there are functions to call.
 *
 * @example
 * const start = await loadCompiler(() => ({ optimize: false }));
 * const validate = start()({ type: 'object' }, true);
 */
export async function loadCompiler(code: (library: typeof Library) => CodeOptions): Promise<() => Compile> {
  const library = await import('../../schema/json-schema/ajv.js');
  const { makeAjv, ValueScope } = library;
  const options: Options = {
    strict: false,
    validateSchema: false,
    meta: false,
    logger: false,
    allErrors: true,
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

  return () => {
    let scope: ValueScope | undefined;
    return (schema, fills) => {
      const text = String(JSON.stringify(schema));
      const dialect = effectiveDialect(schema);
      const compiler: Compiler = made.get(dialect) ?? keepAlternativesPlain(makeAjv(dialect, options), library);
      made.set(dialect, compiler);
      // Making an instance is an eighth of the time for a tool. One without schemas and with an empty scope is as new.
      compiler.removeSchema();
      scope ??= new Scope({ ...compiler.scope.opts, scope: {} });
      compiler.scope = scope;
      compiler.opts.useDefaults = fills;
      compiler.opts.unevaluated = dialect !== 'draft-07' && text.includes('"unevaluated');
      return compiler.compile(toCompilable(text));
    };
  };
}

/** A copy for ajv to keep, since it knows schemas by identity. */
function toCompilable(text: string): object | boolean {
  // ajv writes a schema's $id into a comment, which `*/` would end.
  if (!/"\$id":"(?:[^"\\]|\\.)*\*\//.test(text)) return JSON.parse(text);
  return JSON.parse(text, (key, value: unknown) =>
    typeof value === 'string' && addressKeywords.has(key) ? value.replaceAll('*/', '%2A/') : value,
  );
}
