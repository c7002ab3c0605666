// In: a number, a string or a count of parts, and rules. Out: which limits are broken, in ajv's words and ajv's order.
// Part of toolwright/support: imports only other parts of it.
import { formats } from './formats.js';
import { type Place, regexOf, report } from './places.js';
import type { Rules } from './rules.js';
import { costOfText } from './steps.js';
import { ucs2length } from './values.js';

export function lookAtNumber(schema: Rules, value: number, place: Place): void {
  const limit = (
    keyword: 'maximum' | 'minimum' | 'exclusiveMaximum' | 'exclusiveMinimum',
    comparison: string,
    isWrong: (limit: number) => boolean,
  ): void => {
    const bound = schema[keyword];
    if (bound === undefined || !(isWrong(bound) || Number.isNaN(value))) return;
    report(place, keyword, { comparison, limit: bound }, `must be ${comparison} ${bound}`);
  };
  limit('maximum', '<=', bound => value > bound);
  limit('minimum', '>=', bound => value < bound);
  limit('exclusiveMaximum', '<', bound => value >= bound);
  limit('exclusiveMinimum', '>', bound => value <= bound);
  const { multipleOf } = schema;
  if (multipleOf !== undefined && value / multipleOf !== Number.parseInt(String(value / multipleOf), 10))
    report(place, 'multipleOf', { multipleOf }, `must be multiple of ${multipleOf}`);
  lookAtFormat(schema, value, place);
}

function lookAtFormat({ format }: Rules, value: string | number, place: Place): void {
  const known = format === undefined ? undefined : formats[format];
  if (known === undefined || known.type !== typeof value || known.validate(value as never)) return;
  report(place, 'format', { format }, `must match format "${format}"`);
}

/** Reports a number of parts that is beyond a limit. */
export function lookAtCount(schema: Rules, count: number, kind: 'Length' | 'Items' | 'Properties', place: Place): void {
  const parts = { Length: 'characters', Items: 'items', Properties: 'properties' }[kind];
  const [most, least] = [schema[`max${kind}`], schema[`min${kind}`]];
  if (most !== undefined && count > most)
    report(place, `max${kind}`, { limit: most }, `must NOT have more than ${most} ${parts}`);
  if (least !== undefined && count < least)
    report(place, `min${kind}`, { limit: least }, `must NOT have fewer than ${least} ${parts}`);
}

export function lookAtText(schema: Rules, text: string, place: Place): void {
  place.looking.steps.take(costOfText(text));
  lookAtCount(schema, ucs2length(text), 'Length', place);
  const { pattern } = schema;
  if (pattern !== undefined && !regexOf(place, pattern).test(text))
    report(place, 'pattern', { pattern }, `must match pattern "${pattern}"`);
  lookAtFormat(schema, text, place);
}
