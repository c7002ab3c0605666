// What an import was asked for, beside its source. In: flags, and what toolwright.import.json remembers. Out: the settings that hold now, and the
// JSON that is remembered. A flag that is given again replaces what is remembered of it.
import { isMap } from '../../schema/document.js';
import { UsageError } from '../terminal/usage-error.js';
import type { ImportFlags } from './flags.js';
import type { Source } from './source.js';

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

/** Flags that mean nothing for what was named. `of`: what it is, where that is known. */
export function refuseFlags(flags: ImportFlags, source: Source['of'], of: 'document' | 'server' | undefined): void {
  const wrong: readonly (readonly [what: string, keys: readonly FlagKey[]])[] = [
    ['MCP servers', of === 'document' ? ofServers : []],
    ['OpenAPI documents', of === 'server' ? ofDocuments : []],
    ['addresses', source === 'address' ? [] : ['bearer']],
    ['servers that are started', source === 'command' ? [] : ['env', 'merge']],
  ];
  for (const [what, keys] of wrong) {
    const found = keys.find(key => isGiven(flags, key));
    if (found === undefined) continue;
    const words = found.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
    throw new UsageError(`--${found === 'outputs' ? 'no-outputs' : words} is for ${what}: leave it out`);
  }
}

type FlagKey = (typeof ofServers)[number] | (typeof ofDocuments)[number] | 'bearer';

function isGiven(flags: ImportFlags, key: FlagKey): boolean {
  const value = flags[key];
  if (key === 'outputs') return value === false;
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}

/** A value of the environment that the settings name. */
export function fromEnvironment(name: string, flag: string): string {
  // What is not a name may be the value: it is not shown.
  if (!/^[A-Za-z_]\w*$/.test(name))
    throw new UsageError(`${flag} takes the name of an environment variable, such as API_TOKEN, and never its value`);
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
