// Limits of values in a schema of a document: lengths, amounts, counts. Out: those that are numbers and say something about the types
// beside them, as 2020-12 says them.
import { type JsonSchemaObject, own } from '../../../schema/json-schema/keywords.js';

export interface ReadLimits {
  readonly kept: Readonly<Record<string, number | boolean>>;
  /** What no keyword can say. */
  readonly note?: string | undefined;
  readonly ignored: readonly { readonly keyword: string; readonly reason: string }[];
}

/** Of which types each says something. */
const amounts = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const;
const counts: readonly (readonly [keyword: string, type: string])[] = [
  ['minLength', 'string'],
  ['maxLength', 'string'],
  ['minItems', 'array'],
  ['maxItems', 'array'],
  ['minContains', 'array'],
  ['maxContains', 'array'],
  ['minProperties', 'object'],
  ['maxProperties', 'object'],
];

const pairs: readonly (readonly [least: string, most: string, isOpen: boolean])[] = [
  ['minimum', 'maximum', false],
  ['exclusiveMinimum', 'maximum', true],
  ['minimum', 'exclusiveMaximum', true],
  ['exclusiveMinimum', 'exclusiveMaximum', true],
  ['minLength', 'maxLength', false],
  ['minItems', 'maxItems', false],
  ['minProperties', 'maxProperties', false],
  ['minContains', 'maxContains', false],
];

/**
 * Reads limits as they were written in any version.
 *
 * @example readLimits({ minimum: 0, exclusiveMinimum: true }, ['integer']).kept // { exclusiveMinimum: 0 }
 */
export function readLimits(written: JsonSchemaObject, types: readonly string[]): ReadLimits {
  const kept: Record<string, number | boolean> = {};
  const ignored: { keyword: string; reason: string }[] = [];
  const isAbout = (...meant: readonly string[]): boolean =>
    types.length === 0 || meant.some(type => types.includes(type));
  const read = (keyword: string, isRight: (value: number) => boolean, reason: string): void => {
    const value = own(written, keyword);
    if (value === undefined || value === null) return;
    const number = toNumber(value);
    if (number !== undefined && isRight(number)) kept[keyword] = number;
    else ignored.push({ keyword, reason });
  };
  if (isAbout('number', 'integer')) {
    for (const keyword of amounts)
      if (typeof own(written, keyword) !== 'boolean') read(keyword, Number.isFinite, 'it is not a number');
    // Before draft-06 they said how the others are meant.
    exclude('minimum', 'exclusiveMinimum');
    exclude('maximum', 'exclusiveMaximum');
  }
  for (const [keyword, type] of counts)
    if (isAbout(type)) read(keyword, value => Number.isInteger(value) && value >= 0, 'it is not a count');
  if (isAbout('array') && own(written, 'uniqueItems') === true) kept['uniqueItems'] = true;
  for (const [least, most, isOpen] of pairs) {
    const [low, high] = [kept[least], kept[most]];
    if (typeof low !== 'number' || typeof high !== 'number' || (isOpen ? low < high : low <= high)) continue;
    delete kept[least];
    delete kept[most];
    ignored.push({ keyword: most, reason: `no value is within ${least} and ${most}` });
  }
  const step = isAbout('number', 'integer') ? toNumber(own(written, 'multipleOf')) : undefined;
  const isExact = step !== undefined && step > 0 && isBinary(step);
  if (isExact) kept['multipleOf'] = step;
  return { kept, ignored, ...(step === undefined || step <= 0 || isExact ? {} : { note: `A multiple of ${step}.` }) };

  function exclude(keyword: string, exclusive: string): void {
    const limit = kept[keyword];
    if (own(written, exclusive) !== true || limit === undefined) return;
    delete kept[keyword];
    kept[exclusive] = limit;
  }
}

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value.trim())) return Number(value);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Steps such as 0.01 have no exact form: 19.99 would not be a multiple of it. */
function isBinary(step: number): boolean {
  return Number.isInteger(step * 1024);
}
