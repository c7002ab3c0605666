// In: side effects by key, and the results of those that ran in earlier rounds. Out: each effect run once, its result kept.
import { isPlainObject } from '../plain-json.js';
import { ToolError } from '../tool-error.js';

export interface Once {
  /** Runs it, or gives what it gave before. */
  run<T>(key: string, effect: () => T | Promise<T>): Promise<T>;
  /** Whether an effect is under way, whose result would be lost. */
  isBusy(): boolean;
  /** Whether this very moment belongs to an effect, as far as can be told: until it first waits for something. */
  isInside(): boolean;
  /** All results so far, in the form that `stored` takes. */
  results(): Readonly<Record<string, unknown>>;
}

/** `onIdle` is called when the last effect under way has ended. */
export function createOnce(stored: Readonly<Record<string, unknown>>, onIdle: () => void): Once {
  // A result may be nothing, which JSON cannot say: so that each is a list of one or none.
  const results = new Map<string, unknown>(Object.entries(stored));
  const running = new Map<string, Promise<unknown>>();
  let isInside = false;
  const start = async (key: string, effect: () => unknown): Promise<unknown> => {
    // A run that throws at once must find itself among the running.
    await undefined;
    try {
      const result = await enter(effect);
      const kept = result === undefined ? [] : [toJson(key, result)];
      results.set(key, kept);
      return kept[0];
    } finally {
      running.delete(key);
      if (running.size === 0) onIdle();
    }
  };
  const enter = (effect: () => unknown): unknown => {
    isInside = true;
    try {
      return effect();
    } finally {
      isInside = false;
    }
  };
  return {
    async run<T>(key: string, effect: () => T | Promise<T>) {
      if (typeof key !== 'string' || key === '') throw notJson('', 'needs a key that is a string');
      const done = results.get(key);
      // What was sealed was made here; the handler promises to ask for the same under the same key.
      if (Array.isArray(done)) return structuredClone(done[0]) as T;
      const started = running.get(key) ?? start(key, effect);
      running.set(key, started);
      return structuredClone(await started) as T;
    },
    isBusy: () => running.size > 0,
    isInside: () => isInside,
    results: () => Object.fromEntries(results),
  };
}

function notJson(key: string, reason: string): ToolError {
  return new ToolError(`ctx.once(${JSON.stringify(key)}) ${reason}`, { code: 'BAD_ONCE', status: 500, meta: { key } });
}

/** The result as it will come back in a later round, so that handlers never see a difference. */
function toJson(key: string, value: unknown): unknown {
  const fault = findFault(value, '', new Set());
  if (fault !== undefined) throw notJson(key, `must return JSON, but ${fault}`);
  return JSON.parse(JSON.stringify(value));
}

function findFault(value: unknown, path: string, around: Set<object>): string | undefined {
  const here = path === '' ? 'its result' : path;
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : `${here} is ${value}`;
    case 'object':
      break;
    default:
      return `${here} is a ${typeof value}`;
  }
  if (value === null) return undefined;
  if (around.has(value)) return `${here} contains itself`;
  if (!Array.isArray(value) && !isPlainObject(value))
    return `${here} is a ${value.constructor?.name ?? 'class instance'}`;
  around.add(value);
  for (const [step, member] of Object.entries(value)) {
    const fault = findFault(member, `${path}/${step}`, around);
    if (fault !== undefined) return fault;
  }
  around.delete(value);
  return undefined;
}
