// In: data that does not fit its output schema. Out: the same without the members that the schema does not allow, where nothing else
// is wrong with it (X5): what the tool has done is done, and a member too many is no reason to say that it failed. Else an error.

import { asList, isMap, type Path, printPointer, setOwn } from '../../schema/document.js';
import { isCommon } from '../../schema/json-schema/engine.js';
import {
  type Dialect,
  effectiveDialect,
  isSchemaObject,
  type JsonSchemaObject,
  own,
  ownMap,
} from '../../schema/json-schema/keywords.js';

import { indexRefs, type RefIndex } from '../../schema/json-schema/refs.js';
import type { Content } from '../../schema/support/mcp/content.js';
import type { Violation } from '../../schema/support/places.js';
import { makeValidator, type Validator } from '../../schema/support/validator.js';
import type { Tool } from '../load/program.js';
import { explainViolations } from './explain-violations.js';
import type { Validate } from './ports.js';
import { proveResult, type Shaped } from './shape-result.js';
import { ToolError } from './tool-error.js';

export interface WrongOutput {
  readonly tool: Tool;
  /** The wire name. */
  readonly name: string;
  readonly fits: Validate;
  readonly violations: readonly Violation[];
  /** Hears where members were removed. */
  removed(pointers: readonly string[]): void;
}

/**
 * Throws a ToolError (BAD_OUTPUT) where there is another fault.
 *
 * @example correctOutput(shaped, { tool, name, fits, violations, removed }).result.structuredContent // { total: 3 }
 */
export function correctOutput(shaped: Shaped, wrong: WrongOutput): Shaped {
  const { structuredContent } = shaped.result;
  // What could not even be checked is not corrected.
  const stripped = isUnchecked(wrong) ? undefined : stripMembers(wrong.tool.outputSchema ?? {}, structuredContent);
  const proved = stripped === undefined ? undefined : proveResult(withData(shaped, stripped.value), wrong.fits, wrong);
  if (stripped === undefined || proved === undefined) throw explainOutput(structuredContent, wrong);
  wrong.removed(stripped.removed);
  return proved;
}

function withData(shaped: Shaped, structuredContent: unknown): Shaped {
  const { result, isUntold } = shaped;
  const json = JSON.stringify(structuredContent);
  const content: readonly Content[] = isUntold === true ? [{ type: 'text', text: json }] : result.content;
  return { ...shaped, result: { ...result, content, structuredContent }, json };
}

function isUnchecked({ violations }: WrongOutput): boolean {
  return violations[0]?.keyword === 'steps';
}

/** J62: the client learns where, the operator learns all of it, and nobody gets the wrong data. */
function explainOutput(value: unknown, wrong: WrongOutput): ToolError {
  const { tool, name, violations } = wrong;
  const { listed, more, isCut } = explainViolations(violations, {
    value,
    schema: tool.outputSchema ?? {},
    name: 'the result',
    property: 'property',
    showValues: false,
  });
  const [first] = listed;
  const where = first === undefined ? '' : `: ${first.message} (at "${first.pointer}")`;
  const lines = listed.map(({ pointer, message }) => `${pointer === '' ? '/' : pointer}: ${message}`);
  const problem = isUnchecked(wrong) ? 'cannot be checked against its output schema' : 'does not fit its output schema';
  return new ToolError(`${name} returned a result that ${problem}${where}`, {
    code: 'BAD_OUTPUT',
    status: 500,
    meta: { violations: listed, ...(more === 0 ? {} : { more }), ...(isCut ? { incomplete: true } : {}) },
    cause: lines.join('\n'),
  });
}

/** One part of the data, as one schema leaves it. */
interface Part {
  readonly value: unknown;
  /** Paths from this part on. */
  readonly removed: readonly Path[];
  /** As far as can be told here: it decides between alternatives, never about the result. */
  readonly fits: boolean;
  /** The members that the schema has something to say about. */
  readonly seen: ReadonlySet<string>;
}

/** Data made to keep this busy is refused instead. */
const mostSteps = 200_000;

/**
 * Takes out the members that closed objects of the schema (`additionalProperties` or `unevaluatedProperties: false`) do not allow.
 * Whether the rest fits, only a validator can tell. Where alternatives differ, the one that fits with the fewest members less counts.
 * Undefined where there is nothing to take out, or too much to look at.
 *
 * @example stripMembers({ properties: { a: {} }, additionalProperties: false }, { a: 1, b: 2 }) // { value: { a: 1 }, removed: ['/b'] }
 */
export function stripMembers(
  schema: JsonSchemaObject,
  value: unknown,
): { readonly value: unknown; readonly removed: readonly string[] } | undefined {
  try {
    const part = new Stripping(schema).strip(schema, value);
    return part.removed.length === 0 ? undefined : { value: part.value, removed: part.removed.map(printPointer) };
  } catch (cause) {
    // Deeper than the stack, or too many steps.
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

class Stripping {
  readonly #root: JsonSchemaObject;
  readonly #dialect: Dialect;
  #refs: RefIndex | undefined;
  #steps = 0;
  /** By schema and value: alternatives ask for the same parts again and again. */
  readonly #known = new Map<JsonSchemaObject, Map<unknown, Part>>();
  readonly #assertions = new Map<JsonSchemaObject, Validator | undefined>();

  constructor(root: JsonSchemaObject) {
    this.#root = root;
    this.#dialect = effectiveDialect(root);
  }

  strip(schema: unknown, value: unknown): Part {
    const untouched: Part = { value, removed: [], fits: schema !== false, seen: new Set() };
    if (!isSchemaObject(schema)) return untouched;
    const known = this.#known.get(schema) ?? new Map<unknown, Part>();
    this.#known.set(schema, known);
    const before = known.get(value);
    if (before !== undefined) return before;
    this.#steps += 1;
    if (this.#steps > mostSteps) throw new RangeError('too many steps');
    // A reference that leads back to itself has nothing more to say.
    known.set(value, untouched);
    const draft = new Draft(value);
    this.#inPlace(schema, draft);
    if (Array.isArray(draft.value)) this.#items(schema, draft, draft.value);
    else if (isMap(draft.value)) this.#members(schema, draft, draft.value);
    draft.fits &&= this.#holds(schema, draft.value);
    const part = draft.finish();
    known.set(value, part);
    return part;
  }

  /** Schemas of the very same value. */
  #inPlace(schema: JsonSchemaObject, draft: Draft): void {
    for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef'] as const) {
      const ref = own(schema, keyword);
      if (typeof ref !== 'string') continue;
      this.#refs ??= indexRefs(this.#root);
      const target = this.#refs.resolve(ref, schema, keyword);
      if (target.kind === 'found') draft.take(this.strip(target.schema, draft.value));
    }
    for (const one of asList(own(schema, 'allOf'))) draft.take(this.strip(one, draft.value));
    for (const keyword of ['anyOf', 'oneOf']) this.#choose(asList(own(schema, keyword)), draft);
    const condition = own(schema, 'if');
    if (condition !== undefined) {
      const asked = this.strip(condition, draft.value);
      const holds = asked.fits && asked.removed.length === 0;
      if (holds) draft.see(asked.seen);
      draft.take(this.strip(own(schema, holds ? 'then' : 'else') ?? true, draft.value));
    }
    for (const [name, one] of Object.entries(ownMap(schema, 'dependentSchemas')))
      if (isMap(draft.value) && Object.hasOwn(draft.value, name)) draft.take(this.strip(one, draft.value));
  }

  #choose(alternatives: readonly unknown[], draft: Draft): void {
    if (alternatives.length === 0) return;
    const fitting = alternatives.map(one => this.strip(one, draft.value)).filter(part => part.fits);
    const [best] = [...fitting].sort((a, b) => a.removed.length - b.removed.length);
    if (best === undefined) draft.fits = false;
    else {
      for (const part of fitting) if (part.removed.length === 0) draft.see(part.seen);
      draft.take(best);
    }
  }

  #items(schema: JsonSchemaObject, draft: Draft, list: readonly unknown[]): void {
    const items = own(schema, 'items');
    const first = [...asList(own(schema, 'prefixItems')), ...asList(items)];
    const rest = Array.isArray(items) ? own(schema, 'additionalItems') : (items ?? own(schema, 'unevaluatedItems'));
    for (const [index, item] of list.entries()) draft.put(index, this.strip(first[index] ?? rest ?? true, item));
  }

  #members(schema: JsonSchemaObject, draft: Draft, map: Readonly<Record<string, unknown>>): void {
    const properties = ownMap(schema, 'properties');
    const patterns = Object.entries(ownMap(schema, 'patternProperties')).map(
      ([pattern, one]) => [new RegExp(pattern, 'u'), one] as const,
    );
    const additional = own(schema, 'additionalProperties');
    const unevaluated = this.#dialect === 'draft-07' ? undefined : own(schema, 'unevaluatedProperties');
    for (const key of Object.keys(map)) {
      const ours = Object.hasOwn(properties, key) ? [properties[key]] : [];
      const named = [...ours, ...patterns.flatMap(([regex, one]) => (regex.test(key) ? [one] : []))];
      const others = named.length > 0 ? named : additional === undefined ? [] : [additional];
      const isNew = others.length === 0 && unevaluated !== undefined && !draft.hasSeen(key);
      const schemas = isNew ? [unevaluated] : others;
      if (schemas.length > 0) draft.see([key]);
      if (named.length === 0 && schemas[0] === false) draft.drop(key);
      else for (const one of schemas) draft.put(key, this.strip(one, (draft.value as typeof map)[key]));
    }
  }

  /** What the schema says of the value itself. */
  #holds(schema: JsonSchemaObject, value: unknown): boolean {
    if (own(schema, 'nullable') === true && value === null) return true;
    if (!this.#assertions.has(schema)) this.#assertions.set(schema, makeAssertions(schema));
    return this.#assertions.get(schema)?.(value) ?? true;
  }
}

/** A part while it is put together; the value is copied with the first change. */
class Draft {
  value: unknown;
  fits = true;
  #isCopy = false;
  readonly #seen = new Set<string>();
  readonly #removed: Path[] = [];

  constructor(value: unknown) {
    this.value = value;
  }

  /** What another schema of the same value has left. */
  take({ value, removed, fits, seen }: Part): void {
    this.fits &&= fits;
    this.see(seen);
    if (removed.length === 0) return;
    this.value = value;
    this.#isCopy = false;
    this.#removed.push(...removed);
  }

  see(names: Iterable<string>): void {
    for (const name of names) this.#seen.add(name);
  }

  hasSeen(name: string): boolean {
    return this.#seen.has(name);
  }

  drop(key: string): void {
    Reflect.deleteProperty(this.#copy(), key);
    this.#removed.push([key]);
  }

  put(key: string | number, { value, removed, fits }: Part): void {
    this.fits &&= fits;
    if (removed.length === 0) return;
    setOwn(this.#copy() as Record<string, unknown>, String(key), value);
    this.#removed.push(...removed.map(path => [key, ...path]));
  }

  #copy(): object {
    if (!this.#isCopy) this.value = Array.isArray(this.value) ? [...this.value] : { ...(this.value as object) };
    this.#isCopy = true;
    return this.value as object;
  }

  finish(): Part {
    return { value: this.value, removed: this.#removed, fits: this.fits, seen: this.#seen };
  }
}

const assertions = [
  ...['type', 'const', 'enum', 'maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum', 'multipleOf'],
  ...['maxLength', 'minLength', 'pattern', 'format', 'maxItems', 'minItems', 'uniqueItems'],
  ...['maxProperties', 'minProperties', 'required', 'dependentRequired'],
];

/** Undefined where there is nothing to check, or only ajv could. */
function makeAssertions(schema: JsonSchemaObject): Validator | undefined {
  const said = Object.fromEntries(Object.entries(schema).filter(([keyword]) => assertions.includes(keyword)));
  const isCheckable = Object.keys(said).length > 0 && isCommon(said);
  return isCheckable ? makeValidator(() => said, 'output') : undefined;
}
