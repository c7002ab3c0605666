// Arguments of tools by chance. In: the input schema of a tool. Out: values that mostly fit it, with few or many of the optional ones, and with
// texts that mean something to those who write addresses, headers and forms.
import type { Random } from '../../../harness/random.js';

type Schema = Readonly<Record<string, unknown>>;

const pieces = [
  ...['a', 'B7', 'ü', '日本', '😀', ' ', '&', '=', '%', '%2F', '+', '/', '?', '#', ';', ',', '"', "'", '\\', '<x>'],
  ...['[0]', '{x}', '{{y}}', '$', ':', '@', '|', '..x', '-', '_', '\n', 'null', 'true', '0'],
] as const;

/** Of formats that the validators know. */
const ofFormat: Readonly<Record<string, (random: Random) => string>> = {
  'date-time': random => `2024-0${1 + random.below(9)}-1${random.below(9)}T0${random.below(9)}:00:00Z`,
  date: random => `2024-0${1 + random.below(9)}-1${random.below(9)}`,
  time: random => `0${random.below(9)}:00:00Z`,
  uri: random => `https://example.com/${random.below(1e6)}?a=b&c=%20d`,
  url: random => `https://example.com/${random.below(1e6)}`,
  email: random => `a.b+${random.below(1e6)}@example.com`,
  uuid: random => `123e4567-e89b-42d3-a456-${String(100_000_000_000 + random.below(1e9))}`,
  hostname: random => `h${random.below(1e6)}.example.com`,
  ipv4: random => `10.0.${random.below(255)}.${random.below(255)}`,
  ipv6: () => '2001:db8::1',
  byte: random => Buffer.from(String(random.below(1e6))).toString('base64'),
};

/** For patterns that nothing above fits. */
const guesses = [
  ...['a', 'A', '1', '0', 'abc', 'ABC', 'a-b', 'a_b', '12', '2024', '1.2.3', '#a1B2c3', 'a1b2c3', 'us', 'YWJj'],
  ...['https://example.com/x', 'refs/heads/a', 'pkg:npm/a', 'ssh-rsa AAAA', `sha256:${'a'.repeat(64)}`, 'a'.repeat(40)],
];

const deepest = 6;

interface Making {
  readonly random: Random;
  readonly defs: Schema;
  /** Which share of what is optional is given. */
  readonly share: number;
  /** Queries and forms cannot say that a list or an object is empty. */
  readonly hasEmpty: boolean;
  /** Each value is another one, as far as its schema allows. */
  count: number;
}

/** @example randomArguments(tool.inputSchema, { random, share: 0.5, hasEmpty: true }) // { owner: 'a&', repo: '日本7' } */
export function randomArguments(
  input: Schema,
  { random, share, hasEmpty }: Omit<Making, 'defs' | 'count'>,
): Readonly<Record<string, unknown>> {
  const defs = (input['$defs'] ?? {}) as Schema;
  return makeValue(input, { random, defs, share, hasEmpty, count: 0 }, 0) as Readonly<Record<string, unknown>>;
}

function makeValue(given: unknown, making: Making, depth: number): unknown {
  const schema = resolve(given, making);
  const { random } = making;
  if (schema['const'] !== undefined) return schema['const'];
  if (Array.isArray(schema['enum'])) return random.pick(schema['enum']);
  for (const key of ['oneOf', 'anyOf']) {
    const some = schema[key];
    if (!Array.isArray(some) || some.length === 0) continue;
    const { [key]: _, ...rest } = schema;
    return makeValue(merge([rest, resolve(random.pick(some), making)]), making, depth);
  }
  const { type } = schema;
  switch (Array.isArray(type) ? random.pick(type) : (type ?? typeBy(schema))) {
    case 'object':
      return makeObject(schema, making, depth);
    case 'array':
      return makeList(schema, making, depth);
    case 'integer':
      return makeNumber(schema, making, 1);
    case 'number':
      return makeNumber(schema, making, random.chance(0.5) ? 1 : 0.5);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    default:
      return makeText(schema, making);
  }
}

function typeBy(schema: Schema): string {
  if (schema['properties'] !== undefined || schema['additionalProperties'] !== undefined) return 'object';
  return schema['items'] === undefined ? 'string' : 'array';
}

/** With what it refers to, and all that it is made of. */
function resolve(given: unknown, making: Making, passed = 0): Schema {
  const schema = (typeof given === 'object' && given !== null ? given : {}) as Schema;
  if (passed > 20) return schema;
  const { $ref: ref, allOf, ...rest } = schema;
  const parts: Schema[] = [];
  if (typeof ref === 'string') parts.push(resolve(making.defs[ref.replace('#/$defs/', '')], making, passed + 1));
  if (Array.isArray(allOf)) for (const one of allOf) parts.push(resolve(one, making, passed + 1));
  return parts.length === 0 ? schema : merge([...parts, rest]);
}

function merge(parts: readonly Schema[]): Schema {
  const made: Record<string, unknown> = {};
  for (const part of parts)
    for (const [key, value] of Object.entries(part)) {
      const before = made[key];
      if (key === 'properties') made[key] = { ...(before as object), ...(value as object) };
      else if (key === 'required') made[key] = [...((before as string[]) ?? []), ...(value as string[])];
      else if (key !== 'type' || before === undefined || Array.isArray(before)) made[key] = value;
    }
  return made;
}

function makeObject(schema: Schema, making: Making, depth: number): unknown {
  const { random, share } = making;
  const { properties = {}, required = [], additionalProperties, minProperties = 0 } = schema;
  const needed = new Set(required as string[]);
  const made: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(properties as Schema)) {
    const isWanted = depth < deepest && random.chance(depth === 0 ? share : share / 2);
    if (needed.has(name) || isWanted) made[name] = makeValue(member, making, depth + 1);
  }
  const [first] = Object.entries(properties as Schema);
  if (depth > 0 && !making.hasEmpty && first !== undefined && Object.keys(made).length === 0)
    made[first[0]] = makeValue(first[1], making, depth + 1);
  const isOpen = depth > 0 && typeof additionalProperties === 'object' && additionalProperties !== null;
  const more = isOpen
    ? Math.max(Number(minProperties) - Object.keys(made).length, making.hasEmpty ? 0 : 1, random.below(3))
    : 0;
  for (let index = 0; index < more && depth < deepest; index += 1)
    made[`key ${index}`] = makeValue(additionalProperties, making, depth + 1);
  return made;
}

function makeList(schema: Schema, making: Making, depth: number): unknown {
  const { minItems = 0, maxItems = 3, items, uniqueItems } = schema;
  const least = Math.max(Number(minItems), making.hasEmpty ? 0 : 1);
  const most = Math.max(least, Math.min(Number(maxItems), depth > 3 ? 1 : 3));
  const length = least + making.random.below(most - least + 1);
  const list = Array.from({ length }, () => makeValue(items, making, depth + 1));
  if (uniqueItems !== true) return list;
  return [...new Map(list.map(one => [JSON.stringify(one), one])).values()];
}

function makeNumber(schema: Schema, making: Making, step: number): number {
  const read = (key: string): number | undefined =>
    typeof schema[key] === 'number' ? (schema[key] as number) : undefined;
  const by = read('multipleOf') ?? step;
  const low = read('minimum') ?? (read('exclusiveMinimum') ?? Number.NaN) + by;
  const high = read('maximum') ?? (read('exclusiveMaximum') ?? Number.NaN) - by;
  const from = Number.isNaN(low) ? (Number.isNaN(high) ? 1 : high - 1000) : low;
  const to = Number.isNaN(high) ? from + 100_000 : high;
  const start = Math.ceil(from / by);
  making.count += 1;
  return (start + making.random.below(Math.max(1, Math.floor(to / by) - start + 1))) * by;
}

function makeText(schema: Schema, making: Making): string {
  const { random } = making;
  const { format, pattern, minLength = 0, maxLength = 40, contentEncoding } = schema;
  making.count += 1;
  if (contentEncoding === 'base64') return Buffer.from(`bytes ${making.count} ${random.below(1e6)}`).toString('base64');
  const known = typeof format === 'string' && Object.hasOwn(ofFormat, format) ? ofFormat[format] : undefined;
  if (known !== undefined) return known(random);
  if (typeof pattern === 'string') {
    const fits = new RegExp(pattern, 'u');
    return [freeText(random, making.count, 1, 20), ...guesses].find(one => fits.test(one)) ?? 'a';
  }
  return freeText(random, making.count, Math.max(1, Number(minLength)), Math.min(60, Math.max(1, Number(maxLength))));
}

/** Never empty, no step upwards, and no blank at either end: what paths and headers cannot have is another test. */
function freeText(random: Random, count: number, least: number, most: number): string {
  let text = String(count);
  const length = least + random.below(Math.max(1, Math.min(12, most - least + 1)));
  while ([...text].length < length) text += random.pick(pieces);
  while ([...text].length < least) text += 'x';
  // As schemas count characters, and never half of one.
  const cut = [...text].slice(0, most).join('');
  return cut.endsWith(' ') || cut.endsWith('\n') ? `${cut.slice(0, -1)}x` : cut;
}
