// In: a tool's schemas. Out: ajv's compiled functions with their sources. The only place of this room that loads ajv.
import type { Options, ValidateFunction } from 'ajv';
import type { ValueScope } from 'ajv/dist/compile/codegen/index.js';
import type { CodeOptions } from 'ajv/dist/core.js';
import { type Dialect, effectiveDialect } from '../../schema/json-schema/dialect.js';
import { formats } from '../../schema/support-formats.js';
import { keepAlternativesPlain } from './plain-refs.js';

export type Role = 'input' | 'output';

/** Keywords whose values are addresses: where one is rewritten, all of them are, so that they still meet. */
const addressKeywords: ReadonlySet<string> = new Set(['$id', '$ref', '$dynamicRef', '$recursiveRef']);

/** Compiles schemas that end up in one module: names are unique among them. */
export type Compile = (schema: unknown, role: Role) => ValidateFunction;

interface Compiler {
  scope: ValueScope;
  readonly opts: { unevaluated?: boolean; useDefaults?: boolean | 'empty' };
  removeSchema(): unknown;
  compile(schema: object | boolean): ValidateFunction;
}

/**
 * Loads ajv (some 70 ms the first time). What it returns starts a module: `start()` gives the compiler of one tool.
 *
 * @example
 * const start = await loadCompiler();
 * const validate = start()({ type: 'object' }, 'input');
 */
export async function loadCompiler(): Promise<() => Compile> {
  const { _, Ajv, Ajv2019, Ajv2020, ValueScope, SchemaEnv, compileSchema } = await import(
    '../../schema/json-schema/ajv.js'
  );
  const code: CodeOptions = {
    source: true,
    esm: true,
    lines: true,
    formats: _`formats`,
    // See tidy.ts.
    optimize: false,
    // Only the source is wanted: what ajv makes a function of, and would have the engine parse, is this.
    process: () => 'return () => {}',
  };
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
    code,
  };
  const made = new Map<Dialect, Compiler>();
  const make = (dialect: Dialect) => {
    switch (dialect) {
      case 'draft-07':
        return new Ajv(options);
      case '2019-09':
        return new Ajv2019(options);
      case '2020-12':
        return new Ajv2020(options);
      default:
        return dialect satisfies never;
    }
  };
  return () => {
    let scope: ValueScope | undefined;
    return (schema, role) => {
      const text = String(JSON.stringify(schema));
      const dialect = effectiveDialect(schema);
      const compiler: Compiler =
        made.get(dialect) ?? keepAlternativesPlain(make(dialect), { SchemaEnv, compileSchema });
      made.set(dialect, compiler);
      // Making an instance is an eighth of the time for a tool. One without schemas and with an empty scope is as new.
      compiler.removeSchema();
      scope ??= new ValueScope({ ...compiler.scope.opts, scope: {} });
      compiler.scope = scope;
      compiler.opts.useDefaults = role === 'input';
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
