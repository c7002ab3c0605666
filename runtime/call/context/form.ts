// In: the fields of a question as an author wrote them. Out: the flat schema that clients can show, or what is wrong with it.
import { isMap } from '../../../schema/document.js';
import { surelyMatches, toRegex } from '../../../schema/json-schema/regex-steps.js';
import { formats, ucs2length } from '../../../schema/support.js';
import { ToolError } from '../tool-error.js';

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

interface Choice {
  readonly const: string;
  readonly title?: string | undefined;
}

/** The forms of the protocol, and patterns. */
export interface Field {
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array';
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly enumNames?: readonly string[];
  readonly oneOf?: readonly Choice[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: { readonly type?: 'string'; readonly enum?: readonly string[]; readonly anyOf?: readonly Choice[] };
}

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
const isText = (value: unknown): boolean => typeof value === 'string';
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isText);
const areChoices = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(choice => isMap(choice) && isText(choice['const']));
const anything = (): boolean => true;

type Keywords = Readonly<Record<string, (value: unknown) => boolean>>;
const common: Keywords = { type: isText, title: isText, description: isText, default: anything };
const ofString: Keywords = {
  ...common,
  enum: areTexts,
  enumNames: areTexts,
  oneOf: areChoices,
  minLength: isNumber,
  maxLength: isNumber,
  pattern: value => toRegex(value) !== undefined,
  format: value => ['email', 'uri', 'date', 'date-time'].includes(String(value)),
};
const ofNumber: Keywords = { ...common, minimum: isNumber, maximum: isNumber };
const keywordsOf: Readonly<Record<string, Keywords>> = {
  string: ofString,
  number: ofNumber,
  integer: ofNumber,
  boolean: common,
  array: {
    ...common,
    minItems: isNumber,
    maxItems: isNumber,
    uniqueItems: value => typeof value === 'boolean',
    items: isItems,
  },
};

function isItems(value: unknown): boolean {
  if (!isMap(value)) return false;
  const { type, enum: members, anyOf, ...rest } = value;
  if ((type !== undefined && type !== 'string') || Object.keys(rest).length > 0) return false;
  return anyOf === undefined ? areTexts(members) : members === undefined && areChoices(anyOf);
}

/**
 * Why a schema cannot be a field, as the end of a sentence; undefined where it can.
 *
 * @example findFault({ type: 'object' }) // 'is of type "object": ...'
 */
function findFault(schema: unknown): string | undefined {
  if (!isMap(schema)) return 'must be a JSON Schema';
  const type = schema['type'] ?? (schema['enum'] !== undefined || schema['oneOf'] !== undefined ? 'string' : undefined);
  if (type === undefined) return 'has no type';
  const keywords = typeof type === 'string' && Object.hasOwn(keywordsOf, type) ? keywordsOf[type] : undefined;
  if (keywords === undefined) {
    return `has the type ${JSON.stringify(type)}: only string, number, integer, boolean and lists of choices can be asked for`;
  }
  for (const [keyword, rule] of Object.entries(schema)) {
    if (rule === undefined) continue;
    const test = Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined;
    if (test === undefined) return `has the keyword ${JSON.stringify(keyword)}, which a form cannot have`;
    if (!test(rule)) return `has a wrong value for ${JSON.stringify(keyword)}`;
  }
  if (type === 'array' && schema['items'] === undefined) return 'is a list without "items"';
  const field = { type, ...schema } as Field;
  const fault = field.default === undefined ? undefined : findProblem(field, field.default);
  return fault === undefined ? undefined : `has a default that ${fault}`;
}

/** The values that a field allows, where it lists them. */
export function choicesOf(field: Field): readonly Choice[] | undefined {
  const { enum: members, enumNames, oneOf, items } = field;
  if (members !== undefined) return members.map((value, index) => ({ const: value, title: enumNames?.[index] }));
  return oneOf ?? items?.anyOf ?? items?.enum?.map(value => ({ const: value }));
}

/** Long enough for any address; longer ones are no use to anybody and cost time. */
const longestFormatted = 2048;

/**
 * Why a value does not fit a field, as the end of a sentence; undefined where it fits.
 *
 * @example findProblem({ type: 'integer', minimum: 1 }, 0) // 'must be at least 1'
 */
export function findProblem(field: Field, value: unknown): string | undefined {
  switch (field.type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'number':
    case 'integer':
      return findNumberProblem(field, value);
    case 'array':
      return findListProblem(field, value);
    case 'string':
    case undefined:
      return findTextProblem(field, value);
    default:
      return field.type satisfies never;
  }
}

function findNumberProblem({ type, minimum, maximum }: Field, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
  if (type === 'integer' && !Number.isInteger(value)) return 'must be a whole number';
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
  return maximum !== undefined && value > maximum ? `must be at most ${maximum}` : undefined;
}

function findTextProblem(field: Field, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  const { minLength, maxLength, pattern, format } = field;
  const choices = choicesOf(field);
  if (choices !== undefined && !choices.some(choice => choice.const === value)) return mustBeOneOf(choices);
  const length = ucs2length(value);
  if (minLength !== undefined && length < minLength) return `must have at least ${minLength} characters`;
  if (maxLength !== undefined && length > maxLength) return `must have at most ${maxLength} characters`;
  if (pattern !== undefined && !surelyMatches(pattern, value)) return `must match ${pattern}`;
  if (format === undefined) return undefined;
  const test = formats[format]?.validate as ((text: string) => boolean) | undefined;
  return value.length <= longestFormatted && test?.(value) === true ? undefined : `must be a valid ${format}`;
}

function findListProblem(field: Field, value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'must be a list';
  const { minItems, maxItems, uniqueItems } = field;
  if (minItems !== undefined && value.length < minItems) return `must have at least ${minItems} of the choices`;
  if (maxItems !== undefined && value.length > maxItems) return `must have at most ${maxItems} of the choices`;
  const choices = choicesOf(field) ?? [];
  const allowed = new Set<unknown>(choices.map(choice => choice.const));
  if (!value.every(member => allowed.has(member))) return `may only hold what ${mustBeOneOf(choices)}`;
  return uniqueItems === true && new Set(value).size < value.length ? 'must not repeat a choice' : undefined;
}

function mustBeOneOf(choices: readonly Choice[]): string {
  return `must be one of ${choices.map(choice => JSON.stringify(choice.const)).join(', ')}`;
}
