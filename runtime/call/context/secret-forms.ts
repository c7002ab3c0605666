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
  /** No part of it can be repeated without end: matching cannot take long. */
  readonly pattern: string;
}

/**
 * Makes the function that writes `[secret NAME]` in the place of each secret: as it is, trimmed, with signs escaped as in JSON, URLs and HTML,
 * also one in the other, all of these in upper and lower case; in hex; and inside base64 (also where more was encoded with it, as in
 * `Authorization: Basic`). Of a secret of several lines each word goes that is long enough, of an address the password. One pass finds whether
 * there is anything to do.
 *
 * @example createRedact([['TOKEN', 'hunter22']])('got hunter22') // 'got [secret TOKEN]'
 */
export function createRedact(secrets: Iterable<readonly [string, string]>): (text: string) => string {
  const forms = [...secrets].flatMap(([name, value]) => formsOf(value, name));
  if (forms.length === 0) return text => text;
  const any = new RegExp([...new Set(forms.map(({ pattern }) => pattern))].join('|'));
  return text => (any.test(text) ? replace(text, forms) : text);
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
  const patterns = [...texts.flatMap(patternsOf), ...words.map(word => written(word, false))];
  return [...new Set(patterns)].map(pattern => ({ name, pattern }));
}

function patternsOf(text: string): readonly string[] {
  const hex = Buffer.from(text, 'utf8').toString('hex');
  // Letters of another case mean something else in base64.
  const base64 = base64Forms(text).map(one => written(one, false));
  return [written(text, text.length >= leastAnyCase), ...escaped(text), inAnyCase(hex), ...base64];
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
function escaped(text: string): readonly string[] {
  const units = [...text.split('')].map(unit => unicodeEscape(unit)).join('');
  return [units, [...Buffer.from(text, 'utf8')].map(percentEscape).join('')];
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
  return inAnyCase(code.toString(16).padStart(digits, '0'));
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
