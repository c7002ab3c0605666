// In: what the build knows of a server, the words of its command line and its environment. Out: whether it may answer from its
// stored handshake before anything else is loaded. Where something could change an answer or stop the start, it may not.
import type { ConfigEntry } from '../../schema/definitions.js';

export interface StaticData {
  /** Code of the pack runs at start. */
  readonly startsWithCode: boolean;
  /** The server's own transport. */
  readonly isHttp: boolean;
  /** Of external definitions as they were built; a file more, less or changed, and the stored answers do not hold. */
  readonly definitions?: string;
  /** Variables of `config:` whose values may be wrong. */
  readonly config: readonly (readonly [name: string, type: ConfigEntry['type'], allowed: readonly unknown[] | null])[];
}

/** What changes no answer. */
const harmless: ReadonlySet<string> = new Set(['--stdio', '--strict', '--quiet', '--no-initialize', '--no-color']);
/** These change lists, or may be wrong. */
const weighty = ['TOOLWRIGHT_OVERLAY', 'TOOLWRIGHT_OPTIONS', 'TOOLWRIGHT_STATE_KEY'] as const;

export function mayStartStatic(
  { startsWithCode, isHttp, config }: StaticData,
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (startsWithCode && !words.includes('--no-initialize')) return false;
  if (isHttp && !words.includes('--stdio')) return false;
  if (!words.every(word => harmless.has(word))) return false;
  if (weighty.some(name => (env[name] ?? '') !== '')) return false;
  return config.every(([name, type, allowed]) => surelyFits(env[name], type, allowed));
}

/** Readings of numbers and flags that nobody doubts; the rest is judged, and explained, by the configuration itself. */
function surelyFits(text: string | undefined, type: ConfigEntry['type'], allowed: readonly unknown[] | null): boolean {
  if (text === undefined) return true;
  if (allowed !== null) return type === 'string' && allowed.includes(text);
  switch (type) {
    case 'string':
      return true;
    case 'boolean':
      return text === 'true' || text === 'false';
    case 'integer':
      return /^\d{1,15}$/.test(text);
    case 'number':
      return /^\d{1,15}(\.\d{1,15})?$/.test(text);
    default:
      return type satisfies never;
  }
}
