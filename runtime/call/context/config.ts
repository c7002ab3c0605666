// In: `config:` of toolwright.yaml and an environment. Out: typed values, and everything that is wrong with them at once.
import { isUtf8 } from 'node:buffer';
import { brokenLimit } from '../../../schema/config-limits.js';
import { readList } from '../../../schema/config-list.js';
import type { ConfigEntry } from '../../../schema/definitions.js';
import { type Diagnostic, diagnose, type Site, startOf } from '../../../schema/diagnostics.js';
import type { Locator } from '../../../schema/document.js';
import type { Program } from '../../load/program.js';
import { readBytes } from '../../load/read-file.js';
import type { Settings } from '../ports.js';
import { messageOf } from '../print-cause.js';
import { createRedact, passwordsOf, shortestSecret } from './secret-forms.js';

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
    const site = (): Site => at?.site(['config', name], 'key') ?? startOf('toolwright.yaml');
    const given = textOf(name, config, env);
    if (typeof given === 'object') {
      diagnostics.push(diagnose('config/file', { name, ...given }, site()));
      continue;
    }
    if (given === undefined || isAbsent(entry, given)) {
      if (entry.default !== undefined) values.push([name, frozen(entry.default)]);
      continue;
    }
    const value = convert(entry, given);
    if (entry.secret === true && entry.type !== 'boolean') {
      const texts = Array.isArray(value) ? [...value, given] : [given];
      const short = texts.filter(text => text.trim().length < shortestSecret);
      secrets.push(...texts.filter(text => !short.includes(text)).map((text): [string, string] => [name, text]));
      if (short.some(text => text.trim() !== ''))
        diagnostics.push(diagnose('config/short-secret', { name, least: shortestSecret }, site()));
    }
    const isMember = value !== undefined && isAllowed(entry, value);
    const expected = isMember ? brokenLimit(entry, value) : expectationOf(entry);
    if (value === undefined || expected !== undefined) {
      const params = {
        name,
        expected: expected ?? '',
        actual: shown(entry, Array.isArray(value) ? value.join(',') : given),
      };
      diagnostics.push(diagnose(value === undefined ? 'config/wrong-type' : 'config/not-allowed', params, site()));
      continue;
    }
    values.push([name, frozen(value)]);
    // `007` is printed as 7 later.
    if (typeof value === 'number' && entry.secret === true) secrets.push([name, String(value)]);
  }
  secrets.push(...proxyPasswords(env));
  const settings = {
    values: Object.freeze(Object.fromEntries(values)),
    redact: createRedact(secrets),
    hasSecrets: secrets.length > 0,
  };
  return { settings, diagnostics };
}

/** No key has them, and yet requests and programs do: a proxy that answers with what it was sent must not give them away. */
function proxyPasswords(env: Environment): readonly [string, string][] {
  const proxies = Object.entries(env).filter(([name]) => /^(?:HTTPS?|ALL)_PROXY$/i.test(name));
  return proxies.flatMap(([name, text = '']) => {
    const address = text.includes('://') ? text : `http://${text}`;
    return passwordsOf(address.trim()).map((password): [string, string] => [name, password]);
  });
}

/** Handlers share it. */
function frozen(value: unknown): unknown {
  return Array.isArray(value) ? Object.freeze([...value]) : value;
}

function isAllowed({ enum: allowed }: ConfigEntry, value: unknown): boolean {
  if (allowed === undefined) return true;
  return Array.isArray(value) ? value.every(item => allowed.includes(item)) : allowed.includes(value);
}

// X3: TOKEN_FILE names a file with the value of TOKEN, as containers are given secrets.

/** Far above any key or certificate. */
const maxFileBytes = 1024 * 1024;

/**
 * The file that has the value of a key: the variable itself counts more, unless it is empty. A key of that name is a key.
 *
 * @example fileOfKey('TOKEN', config, { TOKEN_FILE: '/run/secrets/token' }) // '/run/secrets/token'
 */
export function fileOfKey(name: string, config: Config, env: Environment): string | undefined {
  const variable = `${name}_FILE`;
  const path = Object.hasOwn(env, variable) ? env[variable] : undefined;
  if (path === undefined || path === '' || Object.hasOwn(config, variable)) return undefined;
  return Object.hasOwn(env, name) && (env[name] ?? '') !== '' ? undefined : path;
}

/** Of the variable, or of the file that another one names; else why that cannot be read. */
function textOf(
  name: string,
  config: Config,
  env: Environment,
): string | undefined | { readonly path: string; readonly reason: string } {
  const path = fileOfKey(name, config, env);
  if (path === undefined) return Object.hasOwn(env, name) ? env[name] : undefined;
  try {
    const bytes = readBytes(path, maxFileBytes);
    if (!isUtf8(bytes)) return { path, reason: 'it is not text in UTF-8' };
    // Editors and `echo` end files with a line break that is not part of the value.
    return bytes
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .replace(/\r?\n$/, '');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return { path, reason: isMissing ? 'there is no such file' : messageOf(error) };
  }
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

function convert({ type }: ConfigEntry, text: string): string | number | boolean | readonly string[] | undefined {
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
    case 'array':
      return readList(text);
    default:
      return type satisfies never;
  }
}

const expectations: Readonly<Record<ConfigEntry['type'], string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list, as a,b or as a JSON array of strings',
};

function expectationOf({ type, enum: allowed, secret }: ConfigEntry): string {
  if (allowed === undefined) return expectations[type];
  if (type === 'array' && secret !== true) return `a list of ${allowed.map(value => JSON.stringify(value)).join(', ')}`;
  return secret === true
    ? 'one of its allowed values'
    : `one of ${allowed.map(value => JSON.stringify(value)).join(', ')}`;
}

const longestShown = 60;

function shown({ secret }: ConfigEntry, text: string): string {
  if (secret === true) return 'which its value is not (it is secret)';
  return `not ${JSON.stringify(text.length > longestShown ? `${text.slice(0, longestShown)}...` : text)}`;
}
