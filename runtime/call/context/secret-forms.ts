// W97. In: secret values by name. Out: a function that takes them out of any text, however they were encoded on their way.

/** Shorter texts appear by chance; taking them out would only garble results. */
export const shortestSecret = 4;
/** Bytes that a secret needs before the middle of its base64 is looked for. */
const leastInside = 6;
/** Characters that a form needs before its case does not count: a short one is a word that may be meant. */
const leastAnyCase = 8;
/** Characters of a word of a key or another file that is a secret by itself: texts come back line by line. */
const leastWord = 20;

interface Form {
  readonly name: string;
  readonly pattern: string;
  readonly needle: string;
}

interface Pattern {
  /** No part of it can be repeated without end: matching cannot take long. */
  readonly pattern: string;
  /** In lower case: no text without it matches. Empty where there is nothing of the kind. */
  readonly needle: string;
}

/**
 * Makes the function that writes `[secret NAME]` in the place of each secret: as it is, trimmed, with signs escaped as in JSON, URLs and HTML,
 * also one in the other, all of these in upper and lower case; in hex; and inside base64 (also where more was encoded with it, as in
 * `Authorization: Basic`). Of a secret of several lines each word goes that is long enough, of an address the password.
 *
 * @example createRedact([['TOKEN', 'hunter22']])('got hunter22') // 'got [secret TOKEN]'
 */
export function createRedact(secrets: Iterable<readonly [string, string]>): (text: string) => string {
  const forms = [...secrets].flatMap(([name, value]) => formsOf(value, name));
  if (forms.length === 0) return text => text;
  // Those of a key take a second to compile, and nearly all texts have none of them.
  const compiled = new Map<string, RegExp>();
  const compile = ({ pattern }: Form): RegExp => {
    const known = compiled.get(pattern) ?? new RegExp(pattern, 'g');
    compiled.set(pattern, known);
    return known;
  };
  return text => {
    const lower = text.toLowerCase();
    const possible = forms.filter(({ needle }) => lower.includes(needle));
    return possible.length === 0 ? text : replace(text, possible, compile);
  };
}

/**
 * The password in an address, as it is written there and as it is used; none where it has none.
 *
 * @example passwordsOf('postgres://app:p%40ss@localhost/main') // ['p%40ss', 'p@ss']
 */
export function passwordsOf(text: string): readonly string[] {
  const [, written] = /^[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:([^\s/]+)@/i.exec(text) ?? [];
  if (written === undefined || written.length < shortestSecret) return [];
  try {
    return [...new Set([written, decodeURIComponent(written)])];
  } catch {
    return [written];
  }
}

function formsOf(value: string, name: string): readonly Form[] {
  const whole = value.trim().replace(/\r\n?/g, '\n');
  const texts = [whole, ...passwordsOf(whole)].filter(text => text.length >= shortestSecret);
  // Encoded they are found in the whole.
  const words = whole.includes('\n') ? whole.split(/\s+/).filter(word => word.length >= leastWord) : [];
  const patterns = [...texts.flatMap(patternsOf), ...words.map(word => writtenPattern(word, false))];
  return [...new Map(patterns.map(one => [one.pattern, one])).values()].map(one => ({ ...one, name }));
}

function patternsOf(text: string): readonly Pattern[] {
  const hex = Buffer.from(text, 'utf8').toString('hex');
  // Letters of another case mean something else in base64.
  const base64 = base64Forms(text).map(one => writtenPattern(one, false));
  const isAnyCase = text.length >= leastAnyCase;
  return [writtenPattern(text, isAnyCase), ...escaped(text), { pattern: inAnyCase(hex), needle: hex }, ...base64];
}

/** Letters and digits stay as they are: the longest run of them is in every match. */
function writtenPattern(text: string, isAnyCase: boolean): Pattern {
  const runs = text.match(/[A-Za-z0-9]+/g) ?? [];
  const needle = runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '');
  return { pattern: written(text, isAnyCase), needle: needle.toLowerCase() };
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

/** Every character escaped, as no service needs to. */
function escaped(text: string): readonly Pattern[] {
  const [units, bytes] = [text.split(''), [...Buffer.from(text, 'utf8')]];
  const [unit = '', byte = 0] = [units[0], bytes[0]];
  return [
    { pattern: units.map(unicodeEscape).join(''), needle: `u${digitsOf(unit.charCodeAt(0), 4)}` },
    { pattern: bytes.map(percentEscape).join(''), needle: `${digitsOf(byte, 2)}%` },
  ];
}

/** JSON inside JSON doubles them, and again inside that. */
const slashes = '\\\\{1,8}';
/** An address inside an address, HTML inside HTML. */
const percent = '%(?:25){0,3}';
const ampersand = '&(?:amp;){0,3}';

/** Letters and digits as they are, each other sign in all the ways in which it is escaped. */
function written(text: string, isAnyCase: boolean): string {
  return text.replace(/\\+|[^\\A-Za-z0-9]|[A-Za-z0-9]+/gu, part => {
    if (/^[A-Za-z0-9]/.test(part)) return isAnyCase ? inAnyCase(part) : part;
    if (part.startsWith('\\'))
      return `(?:\\\\{${part.length},${8 * part.length}}|(?:${waysOf('\\').join('|')}){${part.length}})`;
    return `(?:${[...plainWays(part, isAnyCase), ...waysOf(part)].join('|')})`;
  });
}

/** What has no code in it. Some encodings put a backslash before any sign. */
function plainWays(sign: string, isAnyCase: boolean): readonly string[] {
  const letter = shortEscapes[sign];
  const short = letter === undefined ? [] : [`${slashes}${letter}`];
  switch (sign) {
    case '\n':
      return ['\\r?\\n', `${slashes}r${slashes}n`, `${percent}0[dD]${percent}0[aA]`, ...short];
    // Lines are wrapped there, and forms have a plus.
    case ' ':
      return ['[\\s+]', ...short];
    case '&':
      return [`\\\\{0,8}${ampersand}`];
    default:
      break;
  }
  const name = entities[sign];
  const named = name === undefined ? [] : [`${ampersand}${name};`];
  const bytes = Buffer.from(sign, 'utf8');
  // Taken for another encoding than it is in.
  const misread = bytes.length === 1 ? [] : ['\ufffd', [...bytes.toString('latin1')].map(anyWay).join('')];
  return [`\\\\{0,8}${isAnyCase ? inAnyCase(sign) : literally(sign)}`, ...short, ...named, ...misread];
}

const shortEscapes: Readonly<Record<string, string>> = { '\n': 'n', '\t': 't', '\b': 'b', '\f': 'f' };
const entities: Readonly<Record<string, string>> = { '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/** By its code, in the notations of JSON and JavaScript, addresses and HTML. */
function waysOf(sign: string): readonly string[] {
  const code = sign.codePointAt(0) ?? 0;
  const bytes = [...Buffer.from(sign, 'utf8')];
  const isByte = code < 256;
  return [
    sign.split('').map(unicodeEscape).join(''),
    ...(isByte ? [`${slashes}x${hexOf(code, 2)}`] : []),
    bytes.map(percentEscape).join(''),
    ...(isByte && bytes.length > 1 ? [percentEscape(code)] : []),
    `${ampersand}#(?:0{0,4}${code}|[xX]0{0,4}${hexOf(code, 1)});`,
  ];
}

function anyWay(sign: string): string {
  return `(?:${[literally(sign), ...waysOf(sign)].join('|')})`;
}

function unicodeEscape(unit: string): string {
  return `${slashes}u${hexOf(unit.charCodeAt(0), 4)}`;
}

function percentEscape(byte: number): string {
  return `${percent}${hexOf(byte, 2)}`;
}

function hexOf(code: number, digits: number): string {
  return inAnyCase(digitsOf(code, digits));
}

function digitsOf(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

/** Three bytes become four characters, so that what is encoded looks different behind one, two or three other bytes. */
function base64Forms(text: string): readonly string[] {
  const [utf8, latin1] = [Buffer.from(text, 'utf8'), Buffer.from(text, 'latin1')];
  return [...new Set((utf8.equals(latin1) ? [utf8] : [utf8, latin1]).flatMap(base64OfBytes))];
}

function base64OfBytes(bytes: Buffer): readonly string[] {
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
function replace(text: string, forms: readonly Form[], compile: (form: Form) => RegExp): string {
  const found: Found[] = [];
  for (const form of forms) {
    const pattern = compile(form);
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text))
      found.push({ start: match.index, end: pattern.lastIndex, name: form.name });
  }
  if (found.length === 0) return text;
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
