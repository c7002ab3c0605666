// In: a schema as the document has it. Out: what its values are like on the wire: scalars, lists, objects.
import { asList, asMap, isMap } from '../../../schema/document.js';
import type { Api, Placed } from './api.js';
import { below } from './pointer.js';

export type Shape = 'scalar' | 'list' | 'object';

type Resolve = Pick<Api, 'resolve'>;

const deepest = 12;

/** The schema itself, or what it refers to. */
export function followRef(api: Resolve, schema: Placed): Placed {
  let here = schema;
  for (let steps = 0; steps < deepest && isMap(here.value) && typeof here.value['$ref'] === 'string'; steps += 1) {
    const next = api.resolve(here.value['$ref'], here.pointer);
    if (next === undefined) return { value: {}, pointer: here.pointer };
    here = next;
  }
  return here;
}

/** The same where it is the only one of its alternatives and parts that says anything: many may be null, or have words of their own. */
export function followAlone(api: Resolve, schema: Placed, depth = 0): Placed {
  const here = followRef(api, schema);
  const { type, allOf, oneOf, anyOf } = asMap(here.value);
  const parts = Object.entries({ allOf, oneOf, anyOf }).flatMap(([key, list]) =>
    asList(list).map((value, index) => ({ value, pointer: below(here.pointer, key, index) })),
  );
  const [only, ...others] = parts.filter(({ value }) => !isNull(value));
  const isAlone = type === undefined && only !== undefined && others.length === 0;
  return isAlone && depth <= deepest ? followAlone(api, only, depth + 1) : here;
}

/** Also as people say it in 3.0. */
function isNull(schema: unknown): boolean {
  const { type, enum: values, nullable } = asMap(schema);
  if (type === 'null') return true;
  const hasOnlyNull = Array.isArray(values) && values.every(value => value === null);
  return nullable === true && (hasOnlyNull || Object.keys(asMap(schema)).length === 1);
}

/**
 * All that its values can be; empty where the document says nothing.
 *
 * @example shapesOf(api, { value: { type: ['array', 'null'] }, pointer }) // ['list']
 */
export function shapesOf(api: Resolve, schema: Placed, depth = 0): readonly Shape[] {
  if (depth > deepest) return [];
  const { value, pointer } = followRef(api, schema);
  if (!isMap(value)) return [];
  const { type, allOf, oneOf, anyOf } = value;
  if (type !== undefined) return each((Array.isArray(type) ? type : [type]).flatMap(shapeOfType));
  if (value['enum'] !== undefined || value['const'] !== undefined) return each(constantsOf(value).map(shapeOfValue));
  const inside = (key: string, list: unknown): readonly (readonly Shape[])[] =>
    asList(list).map((one, index) => shapesOf(api, { value: one, pointer: below(pointer, key, index) }, depth + 1));
  if (value['properties'] !== undefined) return ['object'];
  if (value['items'] !== undefined) return ['list'];
  const all = inside('allOf', allOf).find(shapes => shapes.length > 0);
  if (all !== undefined) return all;
  const some = each([...inside('oneOf', oneOf), ...inside('anyOf', anyOf)].flat());
  if (some.length > 0) return some;
  return isMap(value['additionalProperties']) ? ['object'] : [];
}

function each(shapes: readonly Shape[]): readonly Shape[] {
  return [...new Set(shapes)];
}

function shapeOfType(type: unknown): readonly Shape[] {
  if (type === 'array') return ['list'];
  if (type === 'object') return ['object'];
  return type === 'null' ? [] : ['scalar'];
}

function shapeOfValue(value: unknown): Shape {
  if (Array.isArray(value)) return 'list';
  return isMap(value) ? 'object' : 'scalar';
}

function constantsOf(schema: Readonly<Record<string, unknown>>): readonly unknown[] {
  return schema['const'] === undefined ? asList(schema['enum']) : [schema['const']];
}

/** The only value that a schema allows, if it is a scalar. */
export function constantOf(api: Resolve, schema: Placed): string | number | boolean | undefined {
  const [only, ...others] = constantsOf(asMap(followRef(api, schema).value));
  const isScalar = typeof only === 'string' || typeof only === 'number' || typeof only === 'boolean';
  return others.length === 0 && isScalar ? only : undefined;
}

/** Whether no element of its lists, and no member of its objects, is a list or an object; members may be lists of scalars. */
export function isFlat(api: Resolve, schema: Placed, depth = 0): boolean {
  const { value, pointer } = followRef(api, schema);
  if (!isMap(value) || depth > deepest) return true;
  const { items, properties, additionalProperties, allOf, oneOf, anyOf } = value;
  const scalar = (one: unknown, path: string, allowed: Shape | undefined): boolean => {
    const placed = { value: one, pointer: path };
    const shapes = shapesOf(api, placed);
    if (allowed !== undefined && shapes.includes(allowed)) return isFlat(api, placed, depth + 1);
    return !shapes.includes('list') && !shapes.includes('object');
  };
  if (items !== undefined && !scalar(items, below(pointer, 'items'), undefined)) return false;
  const members = Object.entries(asMap(properties)).map(
    ([key, one]) => [one, below(pointer, 'properties', key)] as const,
  );
  if (isMap(additionalProperties)) members.push([additionalProperties, below(pointer, 'additionalProperties')]);
  if (!members.every(([one, path]) => scalar(one, path, 'list'))) return false;
  return Object.entries({ allOf, oneOf, anyOf }).every(([key, list]) =>
    asList(list).every((one, index) => isFlat(api, { value: one, pointer: below(pointer, key, index) }, depth + 1)),
  );
}

/** Whether a member of a form is a file: bytes that stand there as they are. */
export function isFile(api: Resolve, schema: Placed): boolean {
  const { type, format, contentEncoding, contentMediaType } = asMap(followAlone(api, schema).value);
  if (type === 'file' || format === 'binary') return true;
  return (
    contentEncoding === undefined && typeof contentMediaType === 'string' && !/json|^text\//i.test(contentMediaType)
  );
}
