// In: a schema, and the values that stand in it or beside it. Out: which of them the schema itself refuses.
import { type Diagnostic, diagnose } from '../diagnostics.js';
import { type Path, pathOfPointer } from '../document.js';
import type { FullViolation } from '../support/places.js';
import type { Rules, Schema } from '../support/rules.js';
import { isTooMuch, outOfSteps, Steps } from '../support/steps.js';
import type { Filling } from '../support/validator.js';
import { lenientSeverity, listOwnNodes, type SchemaSource } from './check-context.js';
import { type CompileAt, loadDocumentCompiler } from './compile-ajv.js';
import { type Engine, isCommon, openEngine } from './engine.js';
import { effectiveDialect, isSchemaObject, own } from './keywords.js';
import { explainErrors, type TypedAt, type Violation } from './reasons.js';
import { printPointer } from './refs.js';
import { isSoonMatched } from './regex-steps.js';
import { countSchemas, pathOf, type SchemaNode } from './walk.js';

const mostReasons = 5;
/** Each of them costs a validator, and nobody reads the next hundred. */
const mostInvalid = 100;
/** Values that could not be checked, most often all for one reason. */
const mostUnusable = 10;

interface SchemaValue {
  readonly code: 'schema/invalid-default' | 'schema/invalid-example';
  readonly node: SchemaNode;
  readonly keys: Path;
  readonly value: unknown;
}

/**
 * Checks every `default` and every member of `examples` against the schema that it stands in. Meant for schemas in
 * which `checkSchema` found no error.
 *
 * @example const diagnostics = await checkValues(source);
 */
export async function checkValues(source: SchemaSource, checker = openValueChecker(source)): Promise<Diagnostic[]> {
  const values = listValues(source);
  if (values.length === 0) return [];
  const diagnostics: Diagnostic[] = [];
  const unusable = new Set<string>();
  let failures = 0;
  for (const { code, node, keys, value } of values) {
    if (diagnostics.length === mostInvalid || failures === mostUnusable) break;
    try {
      if (checker.passes(value, node.schema)) continue;
      const path = pathOf(node);
      const typedAt = (pointer: string): string | undefined =>
        source.typed?.([...path, ...keys, ...pathOfPointer(pointer, value)]);
      const violations = explainErrors(await checker.check(value, path), typedAt);
      if (violations.length === 0) continue;
      const hint = violations.find(violation => violation.hint !== undefined)?.hint;
      const params = { reason: printViolations(violations) };
      diagnostics.push(
        diagnose(code, params, source.site([...path, ...keys], 'value'), { severity: lenientSeverity(source), hint }),
      );
    } catch (error) {
      // One schema that ajv refuses does not keep the others from being checked.
      unusable.add(messageOf(error));
      failures += 1;
    }
  }
  for (const reason of unusable) diagnostics.push(diagnose('schema/uncheckable', { reason }, source.site([], 'value')));
  return diagnostics;
}

function listValues(source: SchemaSource): SchemaValue[] {
  const values: SchemaValue[] = [];
  for (const node of listOwnNodes(source, effectiveDialect(source.schema)).nodes) {
    if (Object.hasOwn(node.schema, 'default')) {
      values.push({ code: 'schema/invalid-default', node, keys: ['default'], value: node.schema.default });
    }
    const examples = own(node.schema, 'examples');
    if (!Array.isArray(examples)) continue;
    for (const [index, value] of examples.entries()) {
      values.push({ code: 'schema/invalid-example', node, keys: ['examples', index], value });
    }
  }
  return values;
}

/** The checker of one schema, which its defaults and the examples of its tool can share. */
export function openValueChecker({ schema, filling }: Pick<SchemaSource, 'schema' | 'filling'>): ValueChecker {
  return makeValueChecker(schema, { fill: filling === 'always' });
}

/** Finds everything that is wrong with a value; nothing where it is valid. */
export type ValueCheck = (value: unknown, typedAt?: TypedAt) => Promise<readonly Violation[]>;

/**
 * Makes the check of values against one schema, such as a tool's examples. The check is asynchronous, since ajv is
 * loaded where our engine cannot judge a schema. Defaults count as given where they are filled in before anything is
 * judged. If ajv cannot compile the schema, `onUnusable` is called with the reason, and every value passes.
 *
 * @example
 * const check = makeValueCheck(tool.inputSchema, tool.filling.input, reason => console.warn(reason));
 * await check({ limit: 'ten' }) // [{ pointer: '/limit', reason: 'must be integer' }]
 */
export function makeValueCheck(
  schema: unknown,
  filling: Filling,
  onUnusable: (reason: string) => void,
  checker = openValueChecker({ schema, filling }),
): ValueCheck {
  let isUnusable = false;
  return async (value, typedAt) => {
    if (isUnusable) return [];
    try {
      if (checker.passes(value, schema)) return [];
      return explainErrors(await checker.check(value, []), typedAt);
    } catch (error) {
      isUnusable = true;
      onUnusable(messageOf(error));
      return [];
    }
  };
}

/** `/limit must be integer; needs the property "key"`, cut after a few. */
export function printViolations(violations: readonly Violation[]): string {
  const lines = [
    ...new Set(violations.map(({ pointer, reason }) => (pointer === '' ? reason : `${pointer} ${reason}`))),
  ];
  const further = lines.length - mostReasons;
  return [...lines.slice(0, mostReasons), ...(further > 0 ? [`and ${further} more`] : [])].join('; ');
}

function messageOf(error: unknown): string {
  // ajv adds the name under which it knows the schema, which tells an author nothing.
  return error instanceof Error ? error.message.replace(/ from id \S*$/, '') : String(error);
}

// In: a schema document. Out: what is wrong with values by any schema inside it. Our engine answers wherever it can; ajv is loaded
// for the first value that it cannot judge.

export interface ValueChecker {
  /** Whether a value surely fits a schema of the document. Nearly all do, and this takes neither a path nor a promise. */
  passes(value: unknown, schema: unknown): boolean;
  /** What is wrong with a value by the schema at `at`; rejects where nobody can tell. The value stays as it is. */
  check(value: unknown, at: Path): Promise<readonly FullViolation[]>;
}

/** Beyond this a schema was made to keep a compiler busy; the largest of real servers have hundreds. */
const mostSchemas = 10_000;
const tooManySteps = 'a value would take too many steps: its references multiply';

/**
 * Makes the checker of one document. `fill`: what is absent gets its default before anything is judged.
 *
 * @example await makeValueChecker(schema, { fill: true }).check({ limit: 'ten' }, [])
 */
export function makeValueChecker(root: unknown, { fill }: { readonly fill: boolean }): ValueChecker {
  const dialect = effectiveDialect(root);
  const engines = new Map<unknown, Engine | undefined>();
  const engineOf = (document: unknown): Engine | undefined => {
    if (!engines.has(document)) {
      const isOurs = typeof document === 'boolean' || (isCommon(document, { dialect }) && isClosed(document));
      engines.set(document, isOurs ? openEngine(document as Schema, { fill, toRegex: guard }) : undefined);
    }
    return engines.get(document);
  };
  /** References lead from the root of the whole document. */
  const isClosed = (part: unknown): boolean => part === root || !JSON.stringify(part).includes('"$ref":');
  let compiled: Promise<(at: Path) => Check> | undefined;
  const check = async (value: unknown, at: Path): Promise<readonly FullViolation[]> => {
    const schema = schemaAt(root, at);
    // Whatever is read of the document serves all its values. Many a one with an unusual keyword has plain schemas where its
    // defaults stand.
    const engine = engineOf(root) ?? engineOf(schema);
    if (engine !== undefined) return askEngine(engine, schema, value, fill);
    compiled ??= loadChecks(root, fill);
    return (await compiled)(at)(value);
  };
  return {
    passes(value, schema) {
      try {
        return isSchemaObject(schema) && engineOf(root)?.fits(schema as Schema, value) === true;
      } catch {
        // Why nobody can tell is what `check` says.
        return false;
      }
    },
    check: async (value, at) => {
      try {
        return await check(value, at);
      } catch (error) {
        throw isTooMuch(error) ? new Error(tooManySteps) : error;
      }
    },
  };
}

function askEngine(engine: Engine, schema: Schema, value: unknown, fill: boolean): readonly FullViolation[] {
  // Filling in defaults changes the value, which belongs to the caller and may not be changed at all.
  const copy = (): unknown => (fill ? structuredClone(value) : value);
  if (engine.fits(schema, copy())) return [];
  const found = engine.explain(schema, copy());
  if (found[0]?.keyword === 'steps') throw outOfSteps;
  return found.filter(({ keyword }) => keyword !== 'more');
}

type Check = (value: unknown) => readonly FullViolation[];

async function loadChecks(root: unknown, fill: boolean): Promise<(at: Path) => Check> {
  const count = countSchemas(root);
  if (count > mostSchemas) throw new Error(`it holds more than ${mostSchemas} schemas`);
  const steps = new Steps(count);
  const compileAt: CompileAt = await loadDocumentCompiler(root, { fill, steps, toRegex: guard });
  const made = new Map<string, Check>();
  return at => {
    const pointer = printPointer(at);
    const check = made.get(pointer) ?? makeCheck(pointer, schemaAt(root, at));
    made.set(pointer, check);
    return check;
  };

  function makeCheck(pointer: string, schema: Schema): Check {
    const validate = compileAt(pointer, schema);
    // ajv's own keyword makes it answer with a promise, which would pass for a valid value.
    if (Object.hasOwn(validate, '$async')) throw new Error('"$async" is not a JSON Schema keyword');
    return value => {
      const copy = structuredClone(value);
      steps.begin(copy);
      try {
        const errors: readonly unknown[] = validate(copy) ? [] : (validate.errors ?? []);
        return errors as readonly FullViolation[];
      } finally {
        steps.end();
      }
    };
  }
}

function schemaAt(root: unknown, path: Path): Schema {
  let at = root;
  for (const key of path) {
    if (Array.isArray(at)) at = at[Number(key)];
    else at = isSchemaObject(at) ? own(at, String(key)) : undefined;
  }
  if (isSchemaObject(at) || typeof at === 'boolean') return at as Rules | boolean;
  throw new Error(`there is no schema at ${printPointer(path)}`);
}

/** An author's pattern may be a stranger's: one that takes for ever on some text is not tried on it. */
function guard(pattern: string): { test(text: string): boolean } {
  const regex = new RegExp(pattern, 'u');
  return {
    test: text => {
      if (isSoonMatched(pattern, text)) return regex.test(text);
      throw new Error(`the pattern ${JSON.stringify(pattern)} takes too long on one of the strings`);
    },
  };
}
