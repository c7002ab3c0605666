// In: `config:` of toolwright.yaml and an environment. Out: typed values, and everything that is wrong with them at once.
import { isUtf8 } from 'node:buffer';
import { brokenLimit } from '../../../schema/config-limits.js';
import { readList } from '../../../schema/config-list.js';
import type { ConfigEntry } from '../../../schema/definitions.js';
import { type Diagnostic, diagnose, type Site, startOf } from '../../../schema/diagnostics.js';
import type { Locator } from '../../../schema/document.js';
import { escapeUnit } from '../../../schema/print/visible.js';
import type { Program } from '../../load/program.js';
import { readBytes } from '../../load/read-file.js';
import type { Settings } from '../ports.js';
import { messageOf } from '../print-cause.js';

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
  const settings = {
    values: Object.freeze(Object.fromEntries(values)),
    redact: createRedact(secrets),
  };
  return { settings, diagnostics };
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

// In: secret values by name. Out: a function that takes them out of any text, however they were encoded on their way.

/** Shorter texts appear by chance; taking them out would only garble results. */
const shortestSecret = 4;
/** Bytes that a secret needs before the middle of its base64 is looked for. */
const leastInside = 6;

/** Characters that a form needs before its case does not count: a short one is a word that may be meant. */
const leastAnyCase = 8;

interface Form {
  readonly text: string;
  readonly name: string;
  /** Alternatives without repetition: matching cannot backtrack. */
  readonly pattern: string;
}

/**
 * Makes the function that writes `[secret NAME]` in the place of each secret: as it is, trimmed, inside JSON (also with \\uXXXX), URLs
 * and HTML, all of these in upper and lower case; in hex; and inside base64 (also where more was encoded with it, as in
 * `Authorization: Basic`). One pass finds whether there is anything to do.
 *
 * @example createRedact([['TOKEN', 'hunter22']])('got hunter22') // 'got [secret TOKEN]'
 */
export function createRedact(secrets: Iterable<readonly [string, string]>): (text: string) => string {
  const forms = [...secrets].flatMap(([name, value]) => formsOf(value, name));
  if (forms.length === 0) return text => text;
  forms.sort((a, b) => b.text.length - a.text.length);
  const any = new RegExp([...new Set(forms.map(({ pattern }) => pattern))].join('|'));
  return text => (any.test(text) ? replace(text, forms) : text);
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Letters in either case. Those whose other case is longer stay as they are. */
function inAnyCase(text: string): string {
  return text.replace(/[\s\S]/g, sign => {
    const [lower, upper] = [sign.toLowerCase(), sign.toUpperCase()];
    return lower === upper || lower.length + upper.length > 2 ? literally(sign) : `[${lower}${upper}]`;
  });
}

function formsOf(value: string, name: string): readonly Form[] {
  const { written, encoded } = textsOf(value);
  const exact = (text: string): Form => ({ name, text, pattern: literally(text) });
  return [
    ...written.map(text => (text.length < leastAnyCase ? exact(text) : { name, text, pattern: inAnyCase(text) })),
    // Letters of another case mean something else there.
    ...encoded.map(exact),
  ];
}

function textsOf(value: string): { readonly written: readonly string[]; readonly encoded: readonly string[] } {
  const plain = [value, value.trim()];
  const written = plain.flatMap(text => [
    text,
    JSON.stringify(text).slice(1, -1),
    // JSON inside JSON, as errors of HTTP clients have it.
    JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1),
    ...escapedForms(text),
    ...htmlForms(text),
    ...urlForms(text),
  ]);
  const hex = Buffer.from(value.trim(), 'utf8').toString('hex');
  const isLong = (text: string): boolean => text.length >= shortestSecret;
  // In any case, a string in upper case is the one in lower case.
  const distinct = new Map([...written, hex].filter(isLong).map(text => [text.toLowerCase(), text]));
  const short = written.filter(text => isLong(text) && text.length < leastAnyCase);
  return { written: [...new Set([...distinct.values(), ...short])], encoded: [...new Set(base64Forms(value.trim()))] };
}

/** JSON that is ASCII only, and texts of which every character is escaped. */
function escapedForms(text: string): readonly string[] {
  const ascii = JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^ -~]/g, escapeUnit);
  return [ascii, text.replace(/[\s\S]/g, escapeUnit)];
}

/** As error pages echo it: quotes have three names. */
function htmlForms(text: string): readonly string[] {
  const base = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = base.replaceAll('"', '&quot;');
  const names = ['&#39;', '&#x27;', '&apos;'].map(name => quoted.replaceAll("'", name));
  return [base, quoted, ...names, base.replaceAll('"', '&#34;')];
}

function urlForms(text: string): readonly string[] {
  // Half a surrogate pair cannot be encoded.
  const whole = Buffer.from(text, 'utf8').toString('utf8');
  // URLSearchParams encodes a little more, and writes spaces as plus.
  const form = new URLSearchParams([['', whole]]).toString().slice(1);
  return [encodeURIComponent(whole), encodeURI(whole), form].flatMap(one => [
    one,
    one.replace(/%[0-9A-F]{2}/g, hex => hex.toLowerCase()),
  ]);
}

/** Three bytes become four characters, so that what is encoded looks different behind one, two or three other bytes. */
function base64Forms(text: string): readonly string[] {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length < shortestSecret) return [];
  const whole = bytes.toString('base64').replace(/=+$/, '');
  const inside =
    bytes.length < leastInside
      ? []
      : [0, 1, 2].map(before => {
          const padded = Buffer.concat([Buffer.alloc(before), bytes]);
          const start = Math.ceil((before * 8) / 6);
          const end = Math.floor((padded.length * 8) / 6);
          return padded.toString('base64').slice(start, end);
        });
  return [whole, ...inside].flatMap(one => [one, one.replaceAll('+', '-').replaceAll('/', '_')]);
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** Secrets may overlap: then all of them go, under the name of the longest. */
function replace(text: string, forms: readonly Form[]): string {
  const found: Found[] = [];
  for (const { pattern, name } of forms) {
    for (const { index, 0: match } of text.matchAll(new RegExp(pattern, 'g'))) {
      found.push({ start: index, end: index + match.length, name });
    }
  }
  found.sort((a, b) => a.start - b.start);
  const pieces: string[] = [];
  let at = 0;
  for (let index = 0; index < found.length; ) {
    const first = found[index] as Found;
    let { end } = first;
    let longest = first;
    for (index += 1; index < found.length; index += 1) {
      const next = found[index] as Found;
      if (next.start >= end) break;
      end = Math.max(end, next.end);
      if (next.end - next.start > longest.end - longest.start) longest = next;
    }
    pieces.push(text.slice(at, first.start), `[secret ${longest.name}]`);
    at = end;
  }
  return [...pieces, text.slice(at)].join('');
}
