// In: the fields of a question as an author wrote them. Out: the flat schema that clients can show, or what is wrong with it.
import { isMap } from '../../schema/document.js';
import { ToolError } from '../call/tool-error.js';
import { type Field, findFault } from './field.js';

/** A form as it is asked. `schema` is what goes over the wire. */
export interface Form {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly fields: ReadonlyMap<string, Field>;
  readonly required: ReadonlySet<string>;
}

/** A mistake in the handler: it cannot be the client's fault, so that it says what to change. */
export function badQuestion(key: string, reason: string): ToolError {
  return new ToolError(`The handler asks the question ${JSON.stringify(key)} wrongly: ${reason}`, {
    code: 'BAD_QUESTION',
    status: 500,
    meta: { key },
  });
}

/**
 * Reads fields by name, or a whole schema of type object. By name, a field is required unless it has a default or says
 * `required: false`, and `size: string` is short for a type, both as in manifests.
 *
 * @example readForm('size', { size: { type: 'string', enum: ['S', 'M'] } })
 */
export function readForm(key: string, given: unknown): Form {
  if (given === undefined) return makeForm(key, {}, [], {});
  if (!isMap(given)) throw badQuestion(key, 'its schema must be a map of fields');
  // A field may be called `type`, but then it is a map or the short form of one.
  if (given['type'] === 'object' && (given['properties'] === undefined || isMap(given['properties']))) {
    const { type, properties = {}, required = [], additionalProperties, ...rest } = given;
    if (!Array.isArray(required)) throw badQuestion(key, '"required" must be a list of fields');
    return makeForm(key, properties as Readonly<Record<string, unknown>>, required, rest);
  }
  const names: string[] = [];
  const fields = Object.entries(given).map(([name, field]): [string, unknown] => {
    const long = typeof field === 'string' ? { type: field } : field;
    if (!isMap(long)) return [name, long];
    const { required, ...schema } = long;
    if (required !== false && (required === true || schema['default'] === undefined)) names.push(name);
    return [name, schema];
  });
  return makeForm(key, Object.fromEntries(fields), names, {});
}

function makeForm(
  key: string,
  properties: Readonly<Record<string, unknown>>,
  required: readonly unknown[],
  rest: Readonly<Record<string, unknown>>,
): Form {
  const unknown = Object.keys(rest).find(keyword => !['title', 'description', '$schema'].includes(keyword));
  if (unknown !== undefined) throw badQuestion(key, `a form cannot have the keyword ${JSON.stringify(unknown)}`);
  const fields = new Map<string, Field>();
  for (const [name, schema] of Object.entries(properties)) {
    const fault = findFault(schema);
    if (fault !== undefined) throw badQuestion(key, `the field ${JSON.stringify(name)} ${fault}`);
    const field = schema as Field;
    // Clients know fields by their type, also those that only list their values.
    fields.set(name, field.type === undefined ? { type: 'string', ...field } : field);
  }
  const stray = required.find(name => typeof name !== 'string' || !fields.has(name));
  if (stray !== undefined) throw badQuestion(key, `"required" names ${JSON.stringify(stray)}, which is not a field`);
  const schema = {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(fields),
    ...(required.length > 0 ? { required } : {}),
  };
  return { schema, fields, required: new Set(required as readonly string[]) };
}
