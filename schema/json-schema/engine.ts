// Our engine, the same as in toolwright/support, for authors instead of callers: they get the mistakes of every alternative.
// In: a schema document and a value. Out: whether the value fits a schema of the document, and everything that is wrong with
// it, as ajv says it with `allErrors` and `verbose`. Which documents it reads as ajv does is decided below.
import { fits } from '../support/fits.js';
import { formats } from '../support/formats.js';
import { makeNodes, plainReading, type Reading } from '../support/nodes.js';
import type { FullViolation, Looking } from '../support/places.js';
import type { Schema } from '../support/rules.js';
import { type Filled, isTooMuch, Steps } from '../support/steps.js';
import { listViolations, makeLooking } from '../support/violations.js';
import {
  type Dialect,
  effectiveDialect,
  isInheritedName,
  isSchemaObject,
  type JsonSchemaObject,
  jsonTypes,
  own,
  schemaKeywords,
  wordKeywords,
} from './keywords.js';
import { toRegex } from './regex-steps.js';

export interface Engine {
  /**
   * Whether a value fits a schema of the document; false also where that would take too many steps to know. Throws where
   * a default would have to be filled into a value that cannot be changed.
   */
  fits(schema: Schema, value: unknown): boolean;
  /**
   * What is wrong with a value. The last violation has the keyword `more` where the search ended early, and the only one
   * `steps` where it found nothing by then.
   */
  explain(schema: Schema, value: unknown): readonly FullViolation[];
}

export interface EngineOptions extends Partial<Reading>, Partial<Pick<Looking, 'order'>> {
  /** Whether what is absent gets its default first. `fits` takes it out again; `explain` leaves it in the value. */
  readonly fill?: boolean;
}

/**
 * Makes the engine of a document that has common keywords only; nothing is read before it is asked for.
 *
 * @example openEngine(document).explain(document.definitions.tool, value)
 */
export function openEngine(root: Schema, { fill = false, ...options }: EngineOptions = {}): Engine {
  const nodes = makeNodes(root, { ...plainReading, ...options });
  const steps = new Steps(0);
  let looking: Looking | undefined;
  return {
    fits(schema, value) {
      const node = nodes.nodeOf(schema, fill);
      steps.rules = nodes.count();
      steps.begin(value);
      try {
        return fits(node, value, steps);
      } catch (error) {
        if (isTooMuch(error)) return false;
        throw error;
      } finally {
        takeOut(steps.filled);
        steps.end();
      }
    },
    explain(schema, value) {
      steps.rules = nodes.count();
      looking ??= makeLooking(root, { nodes, steps }, { ...options, isFull: true });
      const found = listViolations(looking, schema, value, { fill });
      steps.end();
      return found as readonly FullViolation[];
    },
  };
}

/** The last first, as if they had never been there. */
function takeOut(filled: Filled): void {
  for (let index = filled.length - 2; index >= 0; index -= 2) {
    delete (filled[index] as Record<string, unknown>)[filled[index + 1] as string];
  }
}

// In: a schema. Out: whether it has common keywords only, so that our engine (and `makeValidator` of toolwright/support) reads it as
// ajv does. The slightest doubt is a no: then ajv makes the validator.

/** Places for definitions. As for words, ajv has no rules for them. */
const placeKeywords: ReadonlySet<string> = new Set(['$defs', '$schema', 'definitions']);

interface Walk {
  readonly root: JsonSchemaObject;
  readonly dialect: Dialect;
  readonly seen: Set<unknown>;
  /** Those that are still to be looked at. */
  readonly waiting: unknown[];
}

type Form = (value: unknown, walk: Walk) => boolean;

/** Addresses decide where references lead, also from places that nothing else looks at. */
const addresses = /"\$(?:id|anchor|dynamicAnchor|recursiveAnchor)":/;

/** Most schemas have no such name at all, which is sooner found out. */
function hasAddresses(json: string): boolean {
  return json.includes('"$') && addresses.test(json);
}

/**
 * Decides who validates: true where our engine reads a whole schema document as ajv does. `dialect` is asked for where the
 * document is a part of another one.
 *
 * @example isCommon({ type: 'object', properties: {} }) // true
 */
export function isCommon(
  root: unknown,
  { dialect = effectiveDialect(root) }: { readonly dialect?: Dialect } = {},
): boolean {
  if (!isSchemaObject(root) || hasAddresses(JSON.stringify(root))) return false;
  const walk: Walk = { root, dialect, seen: new Set(), waiting: [root] };
  // What is added meanwhile is looked at as well.
  for (const schema of walk.waiting) if (!isCommonSchema(schema, walk)) return false;
  return true;
}

function isCommonSchema(schema: unknown, walk: Walk): boolean {
  if (typeof schema === 'boolean') return true;
  if (!isSchemaObject(schema)) return false;
  if (walk.seen.has(schema)) return true;
  walk.seen.add(schema);
  for (const keyword of Object.keys(schema)) {
    const form = forms.get(keyword);
    if (form === undefined ? !keyword.startsWith('x-') : !form(schema[keyword], walk)) return false;
  }
  return true;
}

/** Schemas may be nested deeper than any stack, and lead to each other: they are looked at one after the other. */
const isSchema: Form = (value, walk) => walk.waiting.push(value) > 0;
const isNumber: Form = value => typeof value === 'number';
const isText = (value: unknown): value is string => typeof value === 'string';
/** Inside `not` and `if`, ajv never misses a property with an empty name. */
const isNames: Form = value => Array.isArray(value) && value.every(name => isText(name) && name !== '');
const isSchemas: Form = (value, walk) =>
  Array.isArray(value) && value.length > 0 && value.every(one => isSchema(one, walk));
/** A half character has no place in a path, and ajv does not accept `__proto__` as a name. Halves of whole characters are rare, too. */
const isName = (name: string): boolean =>
  name !== '__proto__' && !(/[\ud800-\udfff]/.test(name) && /\p{Cs}/u.test(name));

/** What a value under a keyword must be; other keywords are not ours. */
const rules: Readonly<Record<string, Form>> = {
  $ref: isRef,
  type: isType,
  const: value => value !== undefined,
  enum: value => Array.isArray(value) && value.length > 0,
  not: isSchema,
  if: isSchema,
  then: isSchema,
  else: isSchema,
  items: isSchema,
  additionalProperties: isSchema,
  propertyNames: isSchema,
  anyOf: isSchemas,
  oneOf: isSchemas,
  allOf: isSchemas,
  prefixItems: (value, walk) => walk.dialect === '2020-12' && isSchemas(value, walk),
  maximum: isNumber,
  minimum: isNumber,
  exclusiveMaximum: isNumber,
  exclusiveMinimum: isNumber,
  maxLength: isNumber,
  minLength: isNumber,
  maxItems: isNumber,
  minItems: isNumber,
  maxProperties: isNumber,
  minProperties: isNumber,
  multipleOf: value => typeof value === 'number' && value > 0,
  pattern: isPattern,
  format: value => isText(value) && (Object.hasOwn(formats, value) || !isInheritedName(value)),
  uniqueItems: value => typeof value === 'boolean',
  required: isNames,
  properties: isProperties,
  patternProperties: isPatterns,
  dependentRequired: (value, walk) =>
    walk.dialect !== 'draft-07' && isSchemaObject(value) && isMapOf(value, isNames, walk),
};

const forms: ReadonlyMap<string, Form> = new Map<string, Form>([
  ...[...wordKeywords, ...placeKeywords].map((keyword): [string, Form] => [keyword, () => true]),
  ...Object.entries(rules),
]);

function isMapOf(map: JsonSchemaObject, form: Form, walk: Walk): boolean {
  return Object.keys(map).every(name => isName(name) && form(map[name], walk));
}

function isType(value: unknown): boolean {
  if (!Array.isArray(value)) return jsonTypes.has(String(value));
  return value.length > 0 && value.every(name => isText(name) && jsonTypes.has(name));
}

function isPattern(value: unknown): boolean {
  return toRegex(value) !== undefined;
}

function isProperties(value: unknown, walk: Walk): boolean {
  if (!isSchemaObject(value) || !isMapOf(value, isSchema, walk)) return false;
  // ajv takes `toString` and the like for present when it fills in defaults.
  return !Object.keys(value).some(name => isInheritedName(name) && Object.hasOwn(Object(value[name]), 'default'));
}

function isPatterns(value: unknown, walk: Walk): boolean {
  return isSchemaObject(value) && Object.keys(value).every(isPattern) && isMapOf(value, isSchema, walk);
}

/** A plain pointer that passes only places of schemas; what has percent signs is for ajv's library of addresses. */
function isRef(ref: unknown, walk: Walk): boolean {
  if (!isText(ref) || !/^#(?:\/[\w$.~-]+)*$/.test(ref)) return false;
  const keys = ref.split('/').slice(1);
  const shapes = schemaKeywords(walk.dialect);
  let at: unknown = walk.root;
  while (keys.length > 0) {
    const keyword = keys.shift() ?? '';
    const shape = shapes.get(keyword);
    if (shape === undefined || !isSchemaObject(at)) return false;
    at = own(at, keyword);
    const isInside = shape === 'map' || Array.isArray(at);
    const name = isInside ? keys.shift()?.replaceAll('~1', '/').replaceAll('~0', '~') : undefined;
    if (!isInside) continue;
    if (name === undefined || typeof at !== 'object' || at === null) return false;
    at = own(at as JsonSchemaObject, name);
  }
  return isSchema(at, walk);
}
