// In: a schema, and the values that stand in it or beside it. Out: which of them the schema itself refuses.
import { type Diagnostic, diagnose } from '../diagnostics.js';
import type { Path } from '../document.js';
import { lenientSeverity } from './check-context.js';
import { effectiveDialect } from './dialect.js';
import { own } from './keywords.js';
import { makeQuickCheck } from './quick.js';
import { explainErrors, type Violation } from './reasons.js';
import type { SchemaRole, SchemaSource } from './source.js';
import { loadValidator } from './validator.js';
import { listNodes, pathOf, type SchemaNode } from './walk.js';

const mostReasons = 5;

interface SchemaValue {
  readonly code: 'schema/invalid-default' | 'schema/invalid-example';
  readonly node: SchemaNode;
  readonly keys: Path;
  readonly value: unknown;
}

/**
 * Checks every `default` and every member of `examples` against the schema that it stands in. Meant for schemas in
 * which `checkSchema` found no error. Loads ajv only where a value is not plainly right.
 *
 * @example const diagnostics = await checkValues(source);
 */
export async function checkValues(source: SchemaSource): Promise<Diagnostic[]> {
  const { schema, role } = source;
  const options = { fillDefaults: role === 'input' };
  const isSurelyValid = makeQuickCheck(schema, options);
  const doubtful = listValues(source).filter(({ node, value }) => !isSurelyValid(node.schema, value));
  if (doubtful.length === 0) return [];
  const diagnostics: Diagnostic[] = [];
  try {
    const validator = await loadValidator(schema, options);
    for (const { code, node, keys, value } of doubtful) {
      const path = pathOf(node);
      const violations = explainErrors(validator.validate(value, path));
      if (violations.length === 0) continue;
      const hint = violations.find(violation => violation.hint !== undefined)?.hint;
      const params = { reason: printViolations(violations) };
      diagnostics.push(
        diagnose(code, params, source.site([...path, ...keys], 'value'), { severity: lenientSeverity(source), hint }),
      );
    }
  } catch (error) {
    diagnostics.push(diagnose('schema/uncheckable', { reason: messageOf(error) }, source.site([], 'value')));
  }
  return diagnostics;
}

function listValues({ schema }: SchemaSource): SchemaValue[] {
  const values: SchemaValue[] = [];
  for (const node of listNodes(schema, effectiveDialect(schema))) {
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

/** Tells what is wrong with a value, or undefined where it is valid. `at` is the path of a schema inside the document. */
export type ValueCheck = (value: unknown, at?: Path) => Promise<string | undefined>;

/**
 * Makes the check of values against one schema, such as a tool's examples. The check is asynchronous, so that ajv is
 * loaded only when a value is not plainly right. Defaults count as given in input, but not in output.
 *
 * @example
 * const check = makeValueCheck(tool.inputSchema, 'input');
 * await check({ limit: 'ten' }) // '/limit must be integer'
 */
export function makeValueCheck(schema: unknown, role: SchemaRole = 'input'): ValueCheck {
  const options = { fillDefaults: role === 'input' };
  const isSurelyValid = makeQuickCheck(schema, options);
  let validator: ReturnType<typeof loadValidator> | undefined;
  return async (value, at = []) => {
    // Only the root is asked quickly: finding an inner schema is the validator's work.
    if (at.length === 0 && isSurelyValid(schema, value)) return undefined;
    try {
      validator ??= loadValidator(schema, options);
      const violations = explainErrors((await validator).validate(value, at));
      return violations.length === 0 ? undefined : printViolations(violations);
    } catch (error) {
      return `the schema cannot be used: ${messageOf(error)}`;
    }
  };
}

function printViolations(violations: readonly Violation[]): string {
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
