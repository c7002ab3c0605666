// In: what a validator says about one value. Out: what is wrong with it in plain words, one line per mistake.
import { limitRules } from '../config-limits.js';
import { didYouMean, nearest } from '../nearest.js';
import { type FullViolation, startOfAlternatives } from '../support/places.js';
import { isSchemaObject, own, typeNames } from './keywords.js';

export interface Violation {
  /** The JSON pointer into the value, empty for the value itself. */
  readonly pointer: string;
  readonly reason: string;
  /** The property that is wrong by being there. */
  readonly property?: string;
  readonly hint?: string;
  /** The value would be right as a string: the hint says so. */
  readonly wantsQuotes?: true;
}

/** How the author typed the scalar at a pointer into the value (`1.10`, `007`); undefined where nobody knows. */
export type TypedAt = (pointer: string) => string | undefined;

/** Explains everything that a validator found, with values and schemas. */
export function explainErrors(errors: readonly FullViolation[], typedAt?: TypedAt): Violation[] {
  const found = explainAll(errors.filter(error => !isMisspelt(error, errors)));
  return typedAt === undefined ? found : found.map(one => asTyped(one, typedAt));
}

/** YAML has read 1.10 as 1.1 by now: the hint must not lose what the author meant. */
function asTyped(one: Violation, typedAt: TypedAt): Violation {
  const typed = one.wantsQuotes ? typedAt(one.pointer) : undefined;
  return typed === undefined ? one : { ...one, hint: quoteHint(typed) };
}

function quoteHint(text: string): string {
  return `write it in quotes: ${JSON.stringify(text)}`;
}

/** A property that is missing because it is misspelt is reported once, as the unknown one. */
function isMisspelt({ keyword, instancePath, params }: FullViolation, all: readonly FullViolation[]): boolean {
  if (keyword !== 'required') return false;
  return all.some(
    other =>
      other.instancePath === instancePath &&
      other.keyword === 'additionalProperties' &&
      nearest(String(other.params['additionalProperty']), knownProperties(other)) === params['missingProperty'],
  );
}

function explainAll(errors: readonly FullViolation[]): Violation[] {
  const kept = errors.filter(error => error.keyword !== 'if' && error.propertyName === undefined);
  const last = kept.findLastIndex(error => error.keyword === 'anyOf' || error.keyword === 'oneOf');
  const union = kept[last];
  if (union === undefined) return kept.map(explainError);
  const first = startOfAlternatives(kept, last);
  return [
    ...explainAll(kept.slice(0, first)),
    ...explainUnion(union, kept.slice(first, last)),
    ...explainAll(kept.slice(last + 1)),
  ];
}

function explainUnion(union: FullViolation, inside: readonly FullViolation[]): Violation[] {
  const pointer = union.instancePath;
  if (Array.isArray(union.params['passingSchemas']))
    return [{ pointer, reason: 'matches several of the alternatives, not one' }];
  const branches = [...groupByBranch(union, inside).values()];
  const isOfWrongType = (branch: readonly FullViolation[]): boolean =>
    branch.some(error => error.keyword === 'type' && error.instancePath === pointer);
  const likely = branches.filter(branch => !isOfWrongType(branch));
  if (likely.length === 0 && branches.length > 0) {
    const types = branches.flatMap(branch =>
      branch.flatMap(error =>
        error.keyword === 'type' && error.instancePath === pointer ? typeNames(error.params['type']) : [],
      ),
    );
    return [typeViolation(pointer, [...new Set(types)], union.data)];
  }
  // An alternative whose own tag (`kind: {const: a}`) differs is not the one that was meant.
  const tagged = likely.filter(branch => !branch.some(error => isTagError(error, pointer)));
  const [meant, ...others] = likely.length === 1 ? likely : tagged;
  if (meant !== undefined && others.length === 0) return explainAll(meant);
  return [{ pointer, reason: `matches none of the ${branches.length} alternatives` }];
}

function isTagError(error: FullViolation, pointer: string): boolean {
  if (error.keyword !== 'const' && error.keyword !== 'enum') return false;
  return error.instancePath.startsWith(`${pointer}/`) && !error.instancePath.slice(pointer.length + 1).includes('/');
}

/** The errors of each alternative. Behind a reference their path starts anew; they still follow each other in order. */
function groupByBranch(union: FullViolation, inside: readonly FullViolation[]): Map<number, FullViolation[]> {
  const alternatives: readonly unknown[] = listAt(union.parentSchema, union.keyword);
  const refs = alternatives.map(one => (isSchemaObject(one) ? own(one, '$ref') : undefined));
  const groups = new Map<number, FullViolation[]>();
  let branch = 0;
  for (const error of inside) {
    const rest = error.schemaPath.startsWith(`${union.schemaPath}/`)
      ? error.schemaPath.slice(union.schemaPath.length + 1)
      : undefined;
    const referred = refs.findIndex(
      (ref, index) => index >= branch && typeof ref === 'string' && error.schemaPath.startsWith(`${ref}/`),
    );
    if (rest !== undefined) branch = Number.parseInt(rest, 10);
    else if (referred !== -1) branch = referred;
    groups.set(branch, [...(groups.get(branch) ?? []), error]);
  }
  return groups;
}

function listAt(schema: unknown, keyword: string): readonly unknown[] {
  const list = isSchemaObject(schema) ? own(schema, keyword) : undefined;
  return Array.isArray(list) ? list : [];
}

function knownProperties({ parentSchema }: FullViolation): readonly string[] {
  const properties = isSchemaObject(parentSchema) ? own(parentSchema, 'properties') : undefined;
  return isSchemaObject(properties) ? Object.keys(properties) : [];
}

function violation(pointer: string, reason: string, hint: string | undefined): Violation {
  return hint === undefined ? { pointer, reason } : { pointer, reason, hint };
}

function unknownProperty(error: FullViolation, property: string): Violation {
  const hint = didYouMean(property, knownProperties(error));
  return { ...violation(error.instancePath, `has the unknown property ${print(property)}`, hint), property };
}

function explainError(error: FullViolation): Violation {
  const pointer = error.instancePath;
  const { params } = error;
  switch (error.keyword) {
    case 'type':
      return typeViolation(pointer, typeNames(params['type']), error.data);
    case 'enum': {
      const members: readonly unknown[] = listAt(error.parentSchema, 'enum');
      const listed = members.slice(0, 12).map(print).join(', ');
      const further = members.length > 12 ? `, ... (${members.length} values)` : '';
      const texts = members.filter(member => typeof member === 'string');
      const hint = typeof error.data === 'string' ? didYouMean(error.data, texts) : undefined;
      return violation(pointer, `${print(error.data)} is not one of ${listed}${further}`, hint);
    }
    case 'const':
      return { pointer, reason: `must be ${print(params['allowedValue'])}` };
    case 'required': {
      const name = params['missingProperty'];
      // A name that is not a string has its diagnostic in the schema, and no form that can be printed.
      const isWritten = listAt(error.parentSchema, 'required').includes(name);
      return { pointer, reason: isWritten ? `needs the property ${print(name)}` : 'lacks what `required` says' };
    }
    case 'additionalProperties':
      return unknownProperty(error, String(params['additionalProperty']));
    case 'unevaluatedProperties':
      return unknownProperty(error, String(params['unevaluatedProperty']));
    case 'propertyNames':
      return { pointer, reason: `has a property named ${print(params['propertyName'])}, which is not allowed` };
    case 'pattern':
      return { pointer, reason: `${print(error.data)} does not match the pattern ${print(params['pattern'])}` };
    case 'format':
      return { pointer, reason: `${print(error.data)} is not a valid ${String(params['format'])}` };
    case 'uniqueItems':
      return {
        pointer,
        reason: `has the same item twice (at ${[Number(params['i']), Number(params['j'])].sort((a, b) => a - b).join(' and ')})`,
      };
    case 'not':
      return { pointer, reason: 'is what the schema excludes with "not"' };
    case 'false schema':
      return { pointer, reason: 'is not allowed' };
    case 'minItems':
    case 'maxItems':
    case 'minLength':
    case 'maxLength':
    case 'minProperties':
    case 'maxProperties':
      return { pointer, reason: countReason(error.keyword, Number(params['limit'])) };
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
    case 'multipleOf':
      return { pointer, reason: `${boundReason(error.keyword, params)}, not ${print(error.data)}` };
    default:
      return { pointer, reason: error.message.replace('NOT', 'not') };
  }
}

function typeViolation(pointer: string, types: readonly string[], value: unknown): Violation {
  const reason = `must be ${types.join(' or ')}`;
  if (types.includes('string') && (typeof value === 'number' || typeof value === 'boolean'))
    return { pointer, reason, hint: quoteHint(String(value)), wantsQuotes: true };
  const hint = typeHint(types, value);
  return { pointer, reason, ...(hint === undefined ? {} : { hint }) };
}

function typeHint(types: readonly string[], value: unknown): string | undefined {
  if (value === null) return `leave it out, or allow null: \`type: [${types.join(', ')}, "null"]\``;
  if (types.includes('boolean') && (value === 'true' || value === 'false')) return `write ${value} without quotes`;
  if (types.some(isNumeric) && typeof value === 'string' && plainNumber.test(value)) {
    const isOfType = types.includes('number') || Number.isInteger(Number(value));
    return isOfType ? `write ${value} without quotes` : undefined;
  }
  if (types.includes('array') && typeof value === 'string') return `write a list: [${print(value)}]`;
  if (types.includes('boolean') && typeof value === 'string') {
    if (/^(?:yes|on|y)$/i.test(value)) return `YAML reads ${value} as a string here: write true`;
    if (/^(?:no|off|n)$/i.test(value)) return `YAML reads ${value} as a string here: write false`;
  }
  return undefined;
}

const plainNumber = /^-?\d+(?:\.\d+)?$/;

function isNumeric(type: string): boolean {
  return type === 'integer' || type === 'number';
}

function print(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

const counted: Readonly<Record<string, readonly [one: string, many: string]>> = {
  Items: ['item', 'items'],
  Length: ['character', 'characters'],
  Properties: ['property', 'properties'],
};

/** @example countReason('minItems', 1) // 'must have at least 1 item' */
export function countReason(keyword: string, limit: number): string {
  const [one, many] = counted[keyword.slice(3)] ?? ['part', 'parts'];
  return `must have at ${keyword.startsWith('min') ? 'least' : 'most'} ${limit} ${limit === 1 ? one : many}`;
}

/** @example boundReason('minimum', { limit: 1 }) // 'must be at least 1' */
export function boundReason(keyword: string, params: Readonly<Record<string, unknown>>): string {
  return `must be ${limitRules[keyword]?.(params['limit'] ?? params['multipleOf'])}`;
}
