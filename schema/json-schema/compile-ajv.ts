// ajv as we use it. In: schemas. Out: its compiled functions, by the same rules whether they are run now, printed for later or
// asked about the values in a schema. The only place that compiles; ajv.ts is loaded when the first schema needs it.
import type { Ajv, CodeKeywordDefinition, KeywordCxt, Options, SchemaObjCxt, ValidateFunction } from 'ajv';
import type { ValueScope } from 'ajv/dist/compile/codegen/index.js';
import type { SchemaEnv } from 'ajv/dist/compile/index.js';
import type { CodeOptions } from 'ajv/dist/core.js';
import { formats } from '../support/formats.js';
import type { Steps } from '../support/steps.js';
import type { Filling } from '../support/validator.js';
import { equal, findSame } from '../support/values.js';
import type * as Library from './ajv.js';
import { type Dialect, effectiveDialect, isSchemaObject, type JsonSchemaObject, typeNames } from './keywords.js';

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

/** An instance of ajv, and what is changed in it. */
interface Compiler {
  scope: ValueScope;
  readonly opts: { unevaluated?: boolean; useDefaults?: boolean | 'empty'; allErrors?: boolean };
  addSchema(schema: object, key: string): unknown;
  removeSchema(): unknown;
  compile(schema: object | boolean): ValidateFunction;
}

function makeCompiler(library: typeof Library, dialect: Dialect, code: CodeOptions): Compiler {
  const ajv = library.makeAjv(dialect, {
    strict: false,
    validateSchema: false,
    meta: false,
    logger: false,
    // Else `{}` would have the properties `constructor` and `toString`.
    ownProperties: true,
    // A large definition that is written out wherever it is referred to makes a huge file.
    inlineRefs: false,
    formats,
    code,
  } satisfies Options);
  return searchByKeys(keepAlternativesPlain(ajv, library), library);
}

/** ajv 8.20 throws on some schemas while it keeps track of evaluated properties; only the unevaluated keywords need that. */
function isTracking(dialect: Dialect, text: string): boolean {
  return dialect !== 'draft-07' && text.includes('"unevaluated');
}

/** ajv's own comparison throws at keys such as `toString`: functions use the one that printed code imports. */
function makeScope({ ValueScope: Base }: typeof Library, { scope }: Compiler): ValueScope {
  class Scope extends Base {
    override value(...[name, value]: Parameters<ValueScope['value']>): ReturnType<ValueScope['value']> {
      return super.value(name, String(value.code) === ajvEqual ? { ...value, ref: equal } : value);
    }
  }
  return new Scope({ ...scope.opts, scope: {} });
}

/** Starts a module; `steps` is what code that counts its steps finds as `self.steps`. */
export type Start = (steps?: Steps) => Compile;

/**
 * Loads ajv (some 70 ms the first time). What it returns starts a module: `start()` gives the compiler of one tool.
 * `code` decides what ajv makes of its code.
 *
 * @example
 * const start = await loadCompiler(countedCode);
 * const validate = start(new Steps(1))({ type: 'object' }, true, 'first');
 */
export async function loadCompiler(code: (library: typeof Library) => CodeOptions): Promise<Start> {
  const library = await import('./ajv.js');
  const made = new Map<Dialect, Compiler>();
  return steps => {
    let scope: ValueScope | undefined;
    return (schema, fills, mode) => {
      const text = String(JSON.stringify(schema));
      const dialect = effectiveDialect(schema);
      const compiler = made.get(dialect) ?? makeCompiler(library, dialect, code(library));
      made.set(dialect, Object.assign(compiler, { steps }));
      // Making an instance is an eighth of the time for a tool. One without schemas and with an empty scope is as new.
      compiler.removeSchema();
      scope ??= makeScope(library, compiler);
      compiler.scope = scope;
      compiler.opts.useDefaults = fills;
      compiler.opts.allErrors = mode === 'all';
      compiler.opts.unevaluated = isTracking(dialect, text);
      return compiler.compile(toCompilable(text));
    };
  };
}

const rootKey = 'root-of-toolwright';

export interface DocumentOptions {
  readonly fill: boolean;
  readonly steps: Steps;
  readonly toRegex: (pattern: string) => { test(text: string): boolean };
}

/** Gives the function for the schema at a pointer of a document, such as `#/properties/a`; it lists everything, with values and schemas. */
export type CompileAt = (pointer: string, schema: object | boolean) => ValidateFunction;

/** Loads ajv for one document; nothing is compiled before it is asked for, and what is referred to is compiled once. */
export async function loadDocumentCompiler(
  root: unknown,
  { fill, steps, toRegex }: DocumentOptions,
): Promise<CompileAt> {
  const library = await import('./ajv.js');
  const dialect = effectiveDialect(root);
  // ajv calls the function itself, never code made of it, so that the name under `code` is not used.
  const regExp = Object.assign((pattern: string) => toRegex(pattern) as RegExp, { code: 'new RegExp' });
  const compiler = Object.assign(makeCompiler(library, dialect, { ...countedCode(), regExp }), { steps });
  compiler.scope = makeScope(library, compiler);
  const text = String(JSON.stringify(root));
  Object.assign(compiler.opts, {
    allErrors: true,
    verbose: true,
    useDefaults: fill,
    unevaluated: isTracking(dialect, text),
  });
  // Where nothing refers, an inner schema is compiled without the document around it, at a fraction of the cost.
  const refers = /"\$(?:ref|dynamicRef|recursiveRef)"/.test(text);
  if (refers && isSchemaObject(root)) compiler.addSchema(root, rootKey);
  return (pointer, schema) => compiler.compile(refers ? { $ref: `${rootKey}${pointer}` } : schema);
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

/** What stands in a string never looks like a line of its own: a line break in it is escaped. */
const repeated = /^(?:(?:return )?function validate\d+\(|for ?\().*\{$/gm;
/** Where it stops at the first violation, ajv 8 skips what follows the places of a tuple that the list does not reach. */
const skipping = /^if\((valid\d+)\)\{$/gm;

/**
 * Has every function and every round of a loop take a step of `steps`, which throws where there are no more.
 *
 * @example countSteps('for(const key0 in data){\n}') // 'for(const key0 in data){\nsteps.take(1);\n}'
 */
export function countSteps(code: string): string {
  return code.replaceAll(repeated, '$&\nsteps.take(1);').replaceAll(skipping, 'if($1 !== false){');
}

/** How ajv makes functions to be called at once: they find their steps where `start` put them. */
export function countedCode() {
  const process = (code: string): string => `const steps = self.steps;\n${countSteps(code)}`;
  return { optimize: false, lines: true, process };
}

/** How code names our search; printed code imports it. */
export const findSameCode = 'require("toolwright/support").findSame';

/** Changes the rule of `uniqueItems` in one instance of ajv: it asks `findSame`, which names the same two items. */
function searchByKeys<Core extends Pick<Ajv, 'RULES'>>(
  ajv: Core,
  { _, Name, stringify }: Pick<typeof Library, '_' | 'Name' | 'stringify'>,
): Core {
  const rule = ajv.RULES.all['uniqueItems'];
  if (typeof rule !== 'object') throw new Error('ajv has no rule of uniqueItems');
  // What countSteps gives every function.
  const steps = new Name('steps');
  const definition = rule.definition as CodeKeywordDefinition;
  definition.code = (context: KeywordCxt) => {
    const { gen, data, schema, parentSchema } = context;
    if (schema !== true) return;
    const find = gen.scopeValue('func', { ref: findSame, code: _`require("toolwright/support").findSame` });
    const same = gen.const('same', _`${find}(${data}, ${stringify(typesOfItems(parentSchema['items']))}, ${steps})`);
    context.setParams({ i: _`${same}.i`, j: _`${same}.j` });
    context.fail(_`${same} !== undefined`);
  };
  return ajv;
}

function typesOfItems(items: unknown): readonly string[] {
  if (!isSchemaObject(items)) return [];
  const types = typeNames(items['type']);
  return items['nullable'] === true && types.length > 0 ? [...types, 'null'] : types;
}

/**
 * Changes the rule of `$ref` in one instance of ajv: from alternatives it leads to a twin compiled without defaults. ajv fills
 * none in below anyOf, oneOf, not and if, since the value may turn out to be of another form, but it forgets about that
 * behind a $ref: there the defaults of one form end up in values of another, which then refuses them.
 */
function keepAlternativesPlain<Core extends Pick<Ajv, 'RULES'>>(
  ajv: Core,
  { SchemaEnv, compileSchema }: Pick<typeof Library, 'SchemaEnv' | 'compileSchema'>,
): Core {
  const rule = ajv.RULES.all['$ref'];
  if (typeof rule !== 'object') throw new Error('ajv has no rule of $ref');
  const definition = rule.definition as CodeKeywordDefinition;
  const print = definition.code;
  const twins = new WeakMap<SchemaEnv, SchemaEnv>();

  definition.code = (context: KeywordCxt, ruleType) => {
    const it = context.it as { -readonly [K in keyof SchemaObjCxt]: SchemaObjCxt[K] };
    const { opts, schemaEnv } = it;
    if (it.compositeRule !== true || opts.useDefaults !== true) return print(context, ruleType);
    const { root } = schemaEnv;
    const { schema, schemaId, baseId, localRefs } = root;
    const twin = twins.get(root) ?? Object.assign(new SchemaEnv({ schema }), { schemaId, baseId, localRefs });
    twins.set(root, twin);
    // Everything that is compiled from here on belongs to the twin, which refers only to itself.
    const { refs } = it.self;
    const registered = refs[baseId];
    opts.useDefaults = false;
    it.schemaEnv = Object.assign(new SchemaEnv(schemaEnv), schemaEnv, { root: twin });
    refs[baseId] = twin;
    try {
      // The only reference that does not compile what it leads to: ajv takes it for the function that it stands in.
      if (/^#\/?$/.test(context.schema) && twin.validate === undefined) compileSchema.call(it.self, twin);
      print(context, ruleType);
    } finally {
      refs[baseId] = registered;
      it.schemaEnv = schemaEnv;
      opts.useDefaults = true;
    }
  };
  return ajv;
}
