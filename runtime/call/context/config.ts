// In: `config:` of toolwright.yaml and an environment. Out: typed values, and everything that is wrong with them at once.
import { brokenLimit } from '../../../schema/config-limits.js';
import type { ConfigEntry } from '../../../schema/definitions.js';
import { type Diagnostic, diagnose, type Site, startOf } from '../../../schema/diagnostics.js';
import type { Locator } from '../../../schema/document.js';
import { escapeUnit } from '../../../schema/print/visible.js';
import type { Program } from '../../load/program.js';
import type { Settings } from '../ports.js';

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
    const isMember = value !== undefined && (entry.enum === undefined || entry.enum.includes(value));
    const expected = isMember ? brokenLimit(entry, value) : expectationOf(entry);
    if (value === undefined || expected !== undefined) {
      const params = { name, expected: expected ?? '', actual: shown(entry, text) };
      diagnostics.push(diagnose(value === undefined ? 'config/wrong-type' : 'config/not-allowed', params, site()));
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
