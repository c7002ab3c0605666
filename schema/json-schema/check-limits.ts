// Rules on limits that contradict each other, so that no value fits.

import type { CheckContext } from './check-context.js';
import { typeNames } from './json-type.js';
import { own } from './keywords.js';
import { pathOf, type SchemaNode } from './walk.js';

/** A lower and an upper limit of values of some types. */
interface Limits {
  readonly least: string;
  readonly most: string;
  readonly types: readonly string[];
  /** Where one of them excludes its own value, equal limits leave nothing either. */
  readonly isOpen?: true;
}

const numbers = ['number', 'integer'];

const pairs: readonly Limits[] = [
  { least: 'minimum', most: 'maximum', types: numbers },
  { least: 'exclusiveMinimum', most: 'maximum', types: numbers, isOpen: true },
  { least: 'minimum', most: 'exclusiveMaximum', types: numbers, isOpen: true },
  { least: 'exclusiveMinimum', most: 'exclusiveMaximum', types: numbers, isOpen: true },
  { least: 'minLength', most: 'maxLength', types: ['string'] },
  { least: 'minItems', most: 'maxItems', types: ['array'] },
  { least: 'minProperties', most: 'maxProperties', types: ['object'] },
  { least: 'minContains', most: 'maxContains', types: ['array'] },
];

export const upperLimits: readonly string[] = [...new Set(pairs.map(({ most }) => most))];

/** Called for each upper limit of a schema. */
export function checkLimits(most: string, node: SchemaNode, context: CheckContext): void {
  for (const pair of pairs) {
    if (pair.most !== most || !isImpossible(pair, node, context)) continue;
    const { least } = pair;
    const keywords = Object.keys(node.schema);
    const isMostLater = keywords.indexOf(most) > keywords.indexOf(least);
    const [first, later] = isMostLater ? [least, most] : [most, least];
    const path = pathOf(node);
    const related = [{ ...context.source.site([...path, first]), message: 'the other limit is here' }];
    const params = {
      least: `${least} ${String(own(node.schema, least))}`,
      most: `${most} ${String(own(node.schema, most))}`,
    };
    context.report('schema/empty-range', params, { path: [...path, later] }, { related });
    return;
  }
}

function isImpossible(pair: Limits, node: SchemaNode, context: CheckContext): boolean {
  const { least, most, types, isOpen } = pair;
  const { schema } = node;
  const [low, high] = [own(schema, least), own(schema, most)];
  // The forms of draft-04, where exclusiveMinimum is true or false, are reported as mistakes in form.
  if (typeof low !== 'number' || typeof high !== 'number') return false;
  if (isOpen === true ? low < high : low <= high) return false;
  if (least === 'minContains' && (context.dialect === 'draft-07' || !Object.hasOwn(schema, 'contains'))) return false;
  // Limits on values of another type limit nothing.
  const allowed = typeNames(own(schema, 'type'));
  return (allowed.length === 0 || types.some(type => allowed.includes(type))) && !isRefused(node);
}

/** What fits nothing can be meant where a schema says what is not, or asks first. */
function isRefused(node: SchemaNode): boolean {
  for (let at: SchemaNode | undefined = node; at !== undefined; at = at.parent)
    if (at.keyword === 'not' || at.keyword === 'if') return true;
  return false;
}
