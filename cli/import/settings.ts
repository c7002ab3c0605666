// What an import was asked for, beside its source. In: flags, and what toolwright.import.json remembers. Out: the settings that hold now, and the
// JSON that is remembered. A flag that is given again replaces what is remembered of it.
import { isMap } from '../../schema/document.js';
import { UsageError } from '../terminal/usage-error.js';
import type { ImportFlags } from './flags.js';

export interface ImportSettings {
  /** It was a server, not a document. */
  readonly isServer?: boolean;
  /** Of a server that is started. */
  readonly command?: readonly string[];
  /** Where relative paths of the command start, from the pack. */
  readonly cwd?: string;
  readonly only?: readonly string[];
  readonly tag?: readonly string[];
  readonly method?: readonly string[];
  readonly path?: readonly string[];
  readonly exclude?: readonly string[];
  readonly deprecated?: boolean;
  readonly outputs?: boolean;
  readonly externalRefs?: boolean;
  readonly proxy?: boolean;
  readonly short?: boolean;
  /** Words of further captures. */
  readonly merge?: readonly string[];
  /** Names of environment variables. */
  readonly env?: readonly string[];
  readonly bearer?: string;
}

const lists = ['only', 'tag', 'method', 'path', 'exclude', 'merge', 'env', 'command'] as const;
const switches = ['deprecated', 'outputs', 'externalRefs', 'proxy', 'short', 'isServer'] as const;
const ofServers = ['proxy', 'short', 'merge', 'env'] as const;
const ofDocuments = ['only', 'tag', 'method', 'path', 'exclude', 'deprecated', 'outputs', 'externalRefs'] as const;

/** Reads what is remembered; keys that another version may have written are left alone. */
export function readSettings(remembered: Readonly<Record<string, unknown>> = {}): ImportSettings {
  const read: Record<string, unknown> = {};
  for (const key of lists) {
    const value = remembered[key];
    if (Array.isArray(value) && value.every(one => typeof one === 'string')) read[key] = value;
  }
  for (const key of switches) if (typeof remembered[key] === 'boolean') read[key] = remembered[key];
  for (const key of ['bearer', 'cwd']) if (typeof remembered[key] === 'string') read[key] = remembered[key];
  return read;
}

/** What the flags say, over what is remembered. */
export function settle(flags: ImportFlags, remembered: ImportSettings = {}): ImportSettings {
  const given: Record<string, unknown> = {};
  for (const key of lists) {
    const value = key === 'command' ? [] : flags[key];
    if (value.length > 0) given[key] = value;
  }
  for (const key of ['deprecated', 'externalRefs', 'proxy', 'short'] as const)
    if (flags[key] === true) given[key] = true;
  if (flags.outputs === false) given['outputs'] = false;
  if (flags.bearer !== undefined) given['bearer'] = flags.bearer;
  return { ...remembered, ...given };
}

/** Flags that mean nothing for what was named. */
export function refuseFlags(flags: ImportFlags, of: 'document' | 'server'): void {
  const wrong = (of === 'document' ? ofServers : ofDocuments).filter(key => isGiven(flags, key));
  const [first] = wrong;
  if (first === undefined) return;
  const name =
    first === 'outputs' ? '--no-outputs' : `--${first.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
  throw new UsageError(`${name} is for ${of === 'document' ? 'MCP servers' : 'OpenAPI documents'}: leave it out`);
}

function isGiven(flags: ImportFlags, key: (typeof ofServers)[number] | (typeof ofDocuments)[number]): boolean {
  const value = flags[key];
  if (key === 'outputs') return value === false;
  return Array.isArray(value) ? value.length > 0 : value === true;
}

/** A value of the environment that the settings name. */
export function fromEnvironment(name: string, flag: string): string {
  const value = process.env[name];
  if (value === undefined || value === '')
    throw new UsageError(
      `${flag} ${name}: there is no environment variable ${name}; set it, and never write its value on the command line`,
    );
  return value;
}

/** The same as JSON; empty settings say nothing. */
export function toRemember(settings: ImportSettings): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(settings).filter(
      ([, value]) =>
        value !== undefined &&
        !(Array.isArray(value) && value.length === 0) &&
        !(isMap(value) && Object.keys(value).length === 0),
    ),
  );
}
