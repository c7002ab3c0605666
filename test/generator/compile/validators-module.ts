// What the tests of validators share: a printed module as functions, ajv itself with the same rules, and random cases.
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { expect } from 'vitest';
import type { ValidatorSource } from '../../../generator/compile/validators/print.js';
import type { Fillings } from '../../../runtime/load/program.js';
import type { JsonSchema } from '../../../schema/definitions.js';
import { isCommon } from '../../../schema/json-schema/engine.js';
import { effectiveDialect } from '../../../schema/json-schema/keywords.js';
import * as support from '../../../schema/support.js';
import type { Random } from '../../harness/random.js';

export type Check = ((value: unknown) => boolean) & { errors?: readonly ErrorObject[] | null };

export interface ValidatorModule {
  readonly hash: string;
  readonly validateInput: Check;
  readonly validateOutput?: Check;
}

/** Filled in as `parameters` are, and a raw outputSchema. */
const usual: Fillings = { input: 'always', output: 'never' };

export function toolOf(inputSchema: unknown, outputSchema?: unknown, filling = usual): ValidatorSource {
  return {
    item: 'sample',
    file: 'mcp/tools/sample.yaml',
    inputSchema: inputSchema as JsonSchema,
    filling,
    ...(outputSchema === undefined ? {} : { outputSchema: outputSchema as JsonSchema }),
  };
}

/** Runs a module without the disk: its imports become the sources of toolwright/support. */
export function evaluate(text: string): ValidatorModule {
  const body = text
    .replace(/^import \{ (.+) \} from 'toolwright\/support';$/m, 'const { $1 } = support;')
    .replaceAll(/^export const (\w+) =/gm, 'exported.$1 =');
  const exported = {};
  new Function('support', 'exported', `'use strict';\n${body}`)(support, exported);
  return exported as ValidatorModule;
}

/** ajv at run time, with its own formats and its own optimizer. */
export function compileWithAjv(schema: unknown, role: 'input' | 'output', allErrors = true): ValidateFunction {
  const dialect = effectiveDialect(schema);
  const options: Options = {
    strict: false,
    validateSchema: false,
    logger: false,
    meta: false,
    allErrors,
    ownProperties: true,
    inlineRefs: false,
    useDefaults: role === 'input',
    formats: fullFormats,
  };
  const ajv =
    dialect === 'draft-07' ? new Ajv(options) : dialect === '2019-09' ? new Ajv2019(options) : new Ajv2020(options);
  if (!JSON.stringify(schema).includes('"unevaluated')) ajv.opts.unevaluated = false;
  return ajv.compile(structuredClone(schema) as object);
}

export interface Outcome {
  readonly isValid: boolean | 'throws';
  readonly errors: unknown;
  /** The value afterwards, with the defaults filled in. */
  readonly value: unknown;
}

export function outcomeOf(check: Check | ValidateFunction, given: unknown): Outcome {
  const value = structuredClone(given);
  try {
    const isValid = check(value) === true;
    return { isValid, errors: structuredClone(check.errors ?? null), value };
  } catch (error) {
    // Keeping track of what was evaluated, ajv 8.20 trips over its own variables in rare combinations.
    return { isValid: 'throws', errors: String(error), value };
  }
}

/**
 * Ours against ajv's: the same verdict and the same defaults. Of what is wrong, ours tells nothing that ajv does not, and
 * outside of alternatives all of it, each once.
 */
export function expectLikeAjv(ours: Outcome, ajv: Outcome, schema: unknown, note = ''): void {
  const isCompiled = !isCommon(schema);
  const told = `${note}\n${JSON.stringify(schema)}\nours ${JSON.stringify(ours)}\najv ${JSON.stringify(ajv)}`;
  // Where references lead to themselves, ajv has no end; a pack with such a schema is refused.
  if (ajv.isValid === 'throws') return;
  // Listing all errors, ajv at times takes what a failed alternative evaluated for evaluated. With its usual options not.
  if (ours.isValid !== ajv.isValid && JSON.stringify(schema).includes('"unevaluated')) {
    expect(ours.isValid, told).toBe(compileWithAjv(schema, 'output', false)(structuredClone(ours.value)));
    return;
  }
  expect(ours.isValid, told).toBe(ajv.isValid);
  if (ajv.isValid || !isCompiled) expect(ours.value, told).toEqual(ajv.value);
  const [mine, all] = [new Set(printErrors(ours)), new Set(printErrors(ajv))];
  expect(mine.size > 0, told).toBe(all.size > 0);
  // ajv's function that lists violations runs after the one that decides, and sees the defaults that this one filled in.
  if (isCompiled && JSON.stringify(schema).includes('"default":')) return;
  expect(
    [...mine].filter(one => !all.has(one)),
    told,
  ).toEqual([]);
  if (/"(?:anyOf|oneOf)":/.test(JSON.stringify(schema))) return;
  expect(
    [...all].filter(one => !mine.has(one)),
    told,
  ).toEqual([]);
}

function printErrors({ errors }: Outcome): readonly string[] {
  const listed = ((errors ?? []) as readonly ErrorObject[]).filter(({ keyword }) => keyword !== 'more');
  return listed.map(({ instancePath, schemaPath, keyword, params, message, propertyName }) =>
    JSON.stringify([instancePath, schemaPath, keyword, params, message, propertyName]),
  );
}

const names = ['a', 'b', 'constructor', 'x-1', 'a"b', "it's", 'a/b~c', 'é 日'] as const;
const scalars = [
  ...([null, true, false, 0, 1, -3, 2.5, 6, 1e21, '', 'a', 'ab', 'éa', '𝒳', '2026-01-02', 'x-1'] as const),
  ...(['ada@example.com', '2026-11-16T10:00:00Z', 'https://example.com/a', '10.0.0.1', '::1', 'P1D'] as const),
] as const;

export function makeValue(random: Random, depth = 0): unknown {
  const kind = depth > 3 ? 0 : random.below(4);
  if (kind < 1 || (depth > 0 && kind < 2)) return random.pick(scalars);
  const size = random.below(5);
  if (kind === 2) return Array.from({ length: size }, () => makeValue(random, depth + 1));
  return Object.fromEntries(Array.from({ length: size }, () => [random.pick(names), makeValue(random, depth + 1)]));
}

const formats = [
  'date',
  'date-time',
  'email',
  'uri',
  'ipv4',
  'ipv6',
  'duration',
  'int32',
  'cidrv4',
  'password',
] as const;
const types = ['string', 'integer', 'number', 'boolean', 'null', 'array', 'object'] as const;

function makeSchema(random: Random, $schema: string, depth = 0): unknown {
  if (depth > 0 && random.chance(0.04)) return random.chance(0.8);
  const inner = (): unknown => makeSchema(random, $schema, depth + 1);
  const small = (): number => random.below(4);
  const schema: Record<string, unknown> = {};
  const add = (share: number, keyword: string, make: () => unknown): void => {
    if (random.chance(share)) schema[keyword] = make();
  };
  add(0.6, 'type', () => (random.chance(0.7) ? random.pick(types) : [random.pick(types), random.pick(types)]));
  add(0.12, 'enum', () => Array.from({ length: 1 + small() }, () => makeValue(random, 2)));
  add(0.05, 'const', () => makeValue(random, 2));
  add(0.1, 'minimum', small);
  add(0.05, 'exclusiveMaximum', small);
  add(0.05, 'multipleOf', () => random.pick([1, 2, 0.5, 3] as const));
  add(0.1, 'minLength', small);
  add(0.1, 'maxLength', small);
  add(0.08, 'pattern', () => random.pick(['^a', '[0-9]', '^.$', 'b$', '"\\/`\\u2028'] as const));
  add(0.12, 'format', () => random.pick(formats));
  add(0.1, 'description', () => 'a text */ ` ${x} valid0 _errs1');
  add(0.25, 'default', () => makeValue(random, 2));
  if (depth > 2) return schema;
  add(0.5, 'properties', () => Object.fromEntries(names.filter(() => random.chance(0.4)).map(name => [name, inner()])));
  add(0.2, 'required', () => [random.pick(names)]);
  add(0.2, 'additionalProperties', inner);
  add(0.1, 'patternProperties', () => ({ '^x-': inner(), b: inner() }));
  add(0.06, 'propertyNames', inner);
  add(0.06, 'minProperties', small);
  add(0.06, 'maxProperties', small);
  add(0.08, $schema.includes('draft-07') ? 'dependencies' : 'dependentSchemas', () => ({ a: inner() }));
  add(0.05, 'dependentRequired', () => ({ a: ['b', 'constructor'] }));
  add(0.25, 'items', inner);
  if ($schema.includes('2020')) add(0.1, 'prefixItems', () => [inner(), inner()]);
  else add(0.1, 'items', () => [inner(), inner()]);
  add(0.06, 'contains', inner);
  add(0.04, 'minContains', small);
  add(0.08, 'minItems', small);
  add(0.08, 'uniqueItems', () => random.chance(0.8));
  add(0.08, 'allOf', () => [inner(), inner()]);
  add(0.1, 'anyOf', () => [inner(), inner()]);
  add(0.1, 'oneOf', () => [inner(), inner(), inner()]);
  add(0.04, 'not', inner);
  if (random.chance(0.08)) Object.assign(schema, { if: inner(), then: inner(), else: inner() });
  if (!$schema.includes('draft-07')) {
    add(0.05, 'unevaluatedProperties', () => (random.chance(0.5) ? false : { type: 'string' }));
    add(0.04, 'unevaluatedItems', () => false);
  }
  add(0.08, '$ref', () => random.pick(['#/$defs/one', '#/$defs/two', '#/$defs/list'] as const));
  return schema;
}

/** A schema as authors write them, only with more keywords at once; references lead down or through an array. */
export function makeDocument(random: Random, $schema: string): Record<string, unknown> {
  const root = makeSchema(random, $schema) as Record<string, unknown>;
  // Without defaults: ajv lets them leak out of alternatives, which printed validators do not (see validators.test.ts).
  const leaf = (): unknown =>
    JSON.parse(JSON.stringify(makeSchema(random, $schema, 3)).replaceAll('"default":', '"x":'));
  return {
    $schema,
    ...root,
    $defs: {
      one: leaf(),
      two: { type: 'object', properties: { a: leaf(), b: leaf() } },
      list: { type: 'array', items: { anyOf: [{ $ref: '#/$defs/list' }, leaf()] } },
    },
  };
}
