// In: secret values by name. Out: a function that takes them out of any text, however they were encoded on their way.
import { escapeUnit } from '../../../schema/print/visible.js';

/** Shorter texts appear by chance; taking them out would only garble results. */
export const shortestSecret = 4;
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
