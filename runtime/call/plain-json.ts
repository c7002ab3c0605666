// In: any value. Out: whether it is JSON as it stands, and if not, what JSON can be made of it without failing.

/** Beyond this depth no walk goes, so that none overflows the stack. Arguments that are nested deeper are refused. */
export const deepest = 500;

/**
 * Whether a value is exactly what a reader of its JSON gets: no dates, no undefined, no NaN, no classes.
 *
 * @example isPlainJson({ at: new Date() }) // false: it arrives as a string
 */
export function isPlainJson(value: unknown, depth = 0): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      return value === null || (depth < deepest && isPlainContainer(value, depth));
    default:
      return false;
  }
}

function isPlainContainer(value: object, depth: number): boolean {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) if (!isPlainJson(value[index], depth + 1)) return false;
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key of Object.keys(value)) {
    if (!isPlainJson((value as Record<string, unknown>)[key], depth + 1)) return false;
  }
  return true;
}

/** `{}` of this realm or another one, such as a test runner's: the prototype is absent, or the last one. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Beyond it a value in an error helps nobody. */
const mostSalvaged = 10_000;

/**
 * JSON of whatever can be read: what refers to itself, cannot be read or is too much is replaced by a word in brackets.
 *
 * @example salvage({ id: 1n, self: cyclic }) // { id: '1', self: '[circular]' }
 */
export function salvage(value: unknown): unknown {
  try {
    const text = JSON.stringify(value);
    // A copy: what is read twice may be another thing, or fail, the second time.
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return salvagePart(value, { ancestors: new Set(), left: mostSalvaged });
  }
}

interface Rescue {
  readonly ancestors: Set<object>;
  left: number;
}

function salvagePart(value: unknown, rescue: Rescue): unknown {
  switch (typeof value) {
    case 'bigint':
      return value.toString();
    case 'object':
      if (value === null) return null;
      break;
    case 'function':
    case 'symbol':
      return undefined;
    default:
      return value;
  }
  rescue.left -= 1;
  if (rescue.ancestors.has(value)) return '[circular]';
  if (rescue.left < 0 || rescue.ancestors.size >= 50) return '[cut]';
  rescue.ancestors.add(value);
  try {
    return salvageObject(value, rescue);
  } catch {
    return '[unreadable]';
  } finally {
    rescue.ancestors.delete(value);
  }
}

function salvageObject(value: object, rescue: Rescue): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) {
    return value.slice(0, mostSalvaged).map(member => salvagePart(member, rescue) ?? null);
  }
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value).slice(0, mostSalvaged)) {
    const member = readPart(value, key, rescue);
    if (member !== undefined) setOwn(copy, key, member);
  }
  return copy;
}

function readPart(value: object, key: string, rescue: Rescue): unknown {
  try {
    return salvagePart((value as Record<string, unknown>)[key], rescue);
  } catch {
    return '[unreadable]';
  }
}

/** Sets a property of its own, also where the name is `__proto__`. */
export function setOwn(target: object, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    (target as Record<string, unknown>)[key] = value;
  }
}
