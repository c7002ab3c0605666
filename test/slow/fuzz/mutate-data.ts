// In: the value of a manifest. Out: the same value with a part replaced, renamed, moved or nested.
import type { Random } from '../../harness/random.js';

type Json = unknown;
type Path = readonly (string | number)[];

const keys = [
  'name',
  'description',
  'type',
  'properties',
  'items',
  'required',
  'default',
  'enum',
  '$ref',
  'pattern',
  'file',
  'handler',
  'text',
  'uri',
  'tools',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'prototype',
  '',
  'a b',
  'a/b~c',
  'ünï\u0007',
  '\u001b[31m',
  '😀'.repeat(50),
] as const;

const scalars = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e300,
  '',
  ' ',
  'string',
  'integer',
  'yes',
  '*',
  '../..',
  '/etc/passwd',
  'C:\\x',
  'src/x.ts#run',
  '#/$defs/a',
  'https://example.com/schema',
  '(a+)+$',
  '[',
  '{{a}}',
  '{{tool:nobody}}',
  '{{#each a}}{{b}}',
  'x://{a}/{b*}',
  'x://{',
  '\u0000\u001b\u009b\u202e',
  'x'.repeat(300),
  'get-issue',
  'acme/jira/get-issue',
  'a//b',
] as const;

export function mutateData(value: Json, random: Random): Json {
  let mutated = value;
  for (let count = random.below(3); count >= 0; count -= 1) {
    const path = random.pick(pathsOf(mutated)) ?? [];
    mutated = change(mutated, path, part => mutatePart(part, random));
  }
  return mutated;
}

/** A value of any form. */
function makeValue(random: Random, depth = 3): Json {
  const form = random.below(depth > 0 ? 5 : 3);
  if (form < 3) return random.pick(scalars);
  const size = random.below(4);
  if (form === 3) return Array.from({ length: size }, () => makeValue(random, depth - 1));
  return Object.fromEntries(Array.from({ length: size }, () => [random.pick(keys), makeValue(random, depth - 1)]));
}

function mutatePart(part: Json, random: Random): Json {
  switch (random.below(6)) {
    case 0:
      return makeValue(random);
    case 1:
      return { [random.pick(keys)]: part };
    case 2:
      return [part, part];
    case 3:
      return isObject(part) ? renameKey(part, random) : random.pick(scalars);
    case 4:
      return isObject(part) ? { ...part, [random.pick(keys)]: makeValue(random) } : [part];
    default:
      return isObject(part) ? dropKey(part, random) : JSON.stringify(part);
  }
}

function renameKey(map: Readonly<Record<string, Json>>, random: Random): Json {
  const renamed = random.pick(Object.keys(map));
  return Object.fromEntries(
    Object.entries(map).map(([key, value]) => [key === renamed ? misspell(key, random) : key, value]),
  );
}

function misspell(key: string, random: Random): string {
  const at = random.below(key.length + 1);
  return random.below(2) === 0 ? random.pick(keys) : key.slice(0, at) + key.slice(at + 1);
}

function dropKey(map: Readonly<Record<string, Json>>, random: Random): Json {
  const dropped = random.pick(Object.keys(map));
  return Object.fromEntries(Object.entries(map).filter(([key]) => key !== dropped));
}

function pathsOf(value: Json, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...entries.flatMap(([key, part]) => pathsOf(part, [...path, key]))];
}

function change(value: Json, [step, ...rest]: Path, mutate: (part: Json) => Json): Json {
  if (step === undefined) return mutate(value);
  if (Array.isArray(value)) return value.map((part, index) => (index === step ? change(part, rest, mutate) : part));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, key === step ? change(part, rest, mutate) : part]),
  );
}

function isObject(value: Json): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
