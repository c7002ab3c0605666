// In: `config:` of toolwright.yaml and an environment. Out: typed values, and everything that is wrong with them at once.
import type { ConfigEntry } from '../../../schema/definitions.js';
import { type Diagnostic, diagnose, type Site, startOf } from '../../../schema/diagnostics.js';
import type { Locator } from '../../../schema/document.js';
import type { Program } from '../../load/program.js';
import type { Settings } from '../ports.js';
import { createRedact, shortestSecret } from './redact-text.js';

type Config = Program['pack']['config'];
export type Environment = Readonly<Record<string, string | undefined>>;

export interface ReadConfig {
  readonly settings: Settings;
  /** An error among them must stop the start. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the configuration of a pack. What is absent takes its default, else has no key; that is never a mistake here: the
 * tools that require it say so when they are called. `at` finds the entries in toolwright.yaml.
 *
 * @example const { settings, diagnostics } = readConfig(program.pack.config, env, program.pack.at);
 */
export function readConfig(config: Config, env: Environment, at?: Locator): ReadConfig {
  const values: [string, unknown][] = [];
  const secrets: [string, string][] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [name, entry] of Object.entries(config)) {
    const text = Object.hasOwn(env, name) ? env[name] : undefined;
    const site = (): Site => at?.site(['config', name], 'key') ?? startOf('toolwright.yaml');
    if (text === undefined || isAbsent(entry, text)) {
      if (entry.default !== undefined) values.push([name, entry.default]);
      continue;
    }
    if (entry.secret === true && entry.type !== 'boolean') {
      if (text.trim().length >= shortestSecret) secrets.push([name, text]);
      else if (text.trim() !== '') {
        diagnostics.push(diagnose('config/short-secret', { name, least: shortestSecret }, site()));
      }
    }
    const value = convert(entry, text);
    if (value === undefined || (entry.enum !== undefined && !entry.enum.includes(value))) {
      const params = { name, expected: expectationOf(entry), actual: shown(entry, text) };
      diagnostics.push(diagnose('config/wrong-type', params, site()));
      continue;
    }
    values.push([name, value]);
    // `007` is printed as 7 later.
    if (typeof value === 'number' && entry.secret === true) secrets.push([name, String(value)]);
  }
  const settings = {
    values: Object.freeze(Object.fromEntries(values)),
    redact: createRedact(secrets),
  };
  return { settings, diagnostics };
}

/** Shells and containers pass on variables that were never set as empty ones. An empty text can be meant. */
function isAbsent({ type, enum: allowed }: ConfigEntry, text: string): boolean {
  if (type === 'string' && allowed === undefined) return false;
  return text.trim() === '' && allowed?.includes(text) !== true;
}

const words: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['off', false],
  ['0', false],
]);

function convert({ type }: ConfigEntry, text: string): string | number | boolean | undefined {
  const trimmed = text.trim();
  switch (type) {
    case 'string':
      return text;
    case 'boolean':
      return words.get(trimmed.toLowerCase());
    case 'integer':
      return /^[+-]?\d+$/.test(trimmed) && Number.isSafeInteger(Number(trimmed)) ? Number(trimmed) : undefined;
    case 'number':
      return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed) && Number.isFinite(Number(trimmed))
        ? Number(trimmed)
        : undefined;
    default:
      return type satisfies never;
  }
}

const expectations: Readonly<Record<ConfigEntry['type'], string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
};

function expectationOf({ type, enum: allowed, secret }: ConfigEntry): string {
  if (allowed === undefined) return expectations[type];
  return secret === true
    ? 'one of its allowed values'
    : `one of ${allowed.map(value => JSON.stringify(value)).join(', ')}`;
}

const longestShown = 60;

function shown({ secret }: ConfigEntry, text: string): string {
  if (secret === true) return 'which its value is not (it is secret)';
  return `not ${JSON.stringify(text.length > longestShown ? `${text.slice(0, longestShown)}...` : text)}`;
}
