// In: a schema, and the values that stand in it or beside it. Out: which of them the schema itself refuses.
import { type Diagnostic, diagnose } from '../diagnostics.js';
import { type Path, pathOfPointer } from '../document.js';
import type { Filling } from '../support/validator.js';
import type { SchemaSource } from './check-context.js';
import { lenientSeverity } from './check-context.js';
import { makeValueChecker } from './check-value.js';
import { effectiveDialect } from './dialect.js';
import { own } from './keywords.js';
import { explainErrors, type TypedAt, type Violation } from './reasons.js';
import { listNodes, pathOf, type SchemaNode } from './walk.js';

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
export async function checkValues(source: SchemaSource): Promise<Diagnostic[]> {
  const { schema, filling } = source;
  const values = listValues(source);
  if (values.length === 0) return [];
  const diagnostics: Diagnostic[] = [];
  const checker = makeValueChecker(schema, { fill: filling === 'always' });
  const unusable = new Set<string>();
  let failures = 0;
  for (const { code, node, keys, value } of values) {
    if (diagnostics.length === mostInvalid || failures === mostUnusable) break;
    const path = pathOf(node);
    try {
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

function listValues({ schema }: SchemaSource): SchemaValue[] {
  const values: SchemaValue[] = [];
  for (const node of listNodes(schema, effectiveDialect(schema)).nodes) {
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
export function makeValueCheck(schema: unknown, filling: Filling, onUnusable: (reason: string) => void): ValueCheck {
  const checker = makeValueChecker(schema, { fill: filling === 'always' });
  let isUnusable = false;
  return async (value, typedAt) => {
    if (isUnusable) return [];
    try {
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
