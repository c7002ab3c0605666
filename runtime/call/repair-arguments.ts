// In: arguments that do not fit, and why. Out: the same with JSON in strings put in the place of the strings (M16).
// Models often send "[1, 2]" or "5" where a list or a number is wanted.
import { isMap, pathOfPointer, setOwn } from '../../schema/document.js';
import { isOfType, typeNames } from '../../schema/json-schema/keywords.js';
import type { Violation } from '../../schema/support/places.js';
import { equal } from '../../schema/support.js';
import { deepest } from './plain-json.js';
import type { Validate } from './ports.js';

/** A string inside a string inside a string: nobody means more than that. */
const mostRounds = 8;

/** Alternatives that were not meant fail as well, but so many of them that cannot be repaired are no accident. */
const mostFailures = 1_000;

/** What only texts can break: where one of these is broken, a string was welcome. */
const textKeywords: ReadonlySet<string> = new Set(['pattern', 'format', 'minLength', 'maxLength']);

export interface Repaired {
  readonly value: unknown;
}

/**
 * Repairs a copy of the arguments in place and validates it again. Undefined where that does not make it fit.
 *
 * @example repairArguments({ ids: '[1]' }, validate) // { value: { ids: [1] } }
 */
export function repairArguments(copy: unknown, validate: Validate): Repaired | undefined {
  let value = copy;
  for (let round = 0; round < mostRounds; round += 1) {
    if (validate(value)) return { value };
    const repairs = findRepairs(validate.errors ?? [], value);
    if (repairs.length === 0) return undefined;
    for (const { pointer, replacement } of repairs) value = replaceAt(value, pointer, replacement);
  }
  return undefined;
}

interface Repair {
  readonly pointer: string;
  readonly replacement: unknown;
}

function findRepairs(violations: readonly Violation[], value: unknown): readonly Repair[] {
  const wanted = new Map<string, Wanted[]>();
  const asText = new Set<string>();
  for (const { instancePath, keyword, params } of violations) {
    if (textKeywords.has(keyword)) asText.add(instancePath);
    const want = wantOf(keyword, params);
    if (want === undefined) continue;
    const known = wanted.get(instancePath);
    if (known === undefined) wanted.set(instancePath, [want]);
    else known.push(want);
  }
  const repairs: Repair[] = [];
  let failures = 0;
  for (const [pointer, wants] of wanted) {
    const text = asText.has(pointer) ? undefined : valueAt(value, pointer);
    const parsed = typeof text === 'string' ? parse(text) : undefined;
    if (parsed !== undefined && wants.some(fits => fits(parsed))) repairs.push({ pointer, replacement: parsed });
    else failures += 1;
    if (failures > mostFailures) return [];
  }
  return repairs;
}

type Wanted = (parsed: unknown) => boolean;

function wantOf(keyword: string, params: Violation['params']): Wanted | undefined {
  switch (keyword) {
    case 'type': {
      const types = typeNames(params['type']).filter(type => type !== 'string');
      return parsed => types.some(type => isOfType(parsed, type));
    }
    case 'const':
      return wantOf('enum', { allowedValues: [params['allowedValue']] });
    case 'enum': {
      const allowed = Array.isArray(params['allowedValues']) ? params['allowedValues'] : [];
      return allowed.some(member => typeof member === 'string')
        ? undefined
        : parsed => allowed.some(member => equal(member, parsed));
    }
    default:
      return undefined;
  }
}

/** Undefined where a string is not JSON, or JSON that would not be the same number. */
function parse(text: string): unknown {
  // Most texts are none, and a failure of JSON.parse is costly.
  if (!/^[ \t\r\n]*[-0-9tfn[{]/.test(text)) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'number') return typeof parsed === 'string' || isTooDeep(parsed) ? undefined : parsed;
    const isExact = Number.isFinite(parsed) && (!Number.isInteger(parsed) || Number.isSafeInteger(parsed));
    return isExact ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth >= deepest || Object.values(value).some(member => isTooDeep(member, depth + 1));
}

function valueAt(root: unknown, pointer: string): unknown {
  let at = root;
  for (const key of pathOfPointer(pointer, root)) {
    if (!(isMap(at) || Array.isArray(at)) || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string | number, unknown>)[key];
  }
  return at;
}

function replaceAt(root: unknown, pointer: string, replacement: unknown): unknown {
  if (pointer === '') return replacement;
  const end = pointer.lastIndexOf('/');
  const [key] = pathOfPointer(pointer.slice(end), undefined);
  const parent = valueAt(root, pointer.slice(0, end));
  if (typeof parent === 'object' && parent !== null) setOwn(parent, String(key), replacement);
  return root;
}
