// In: secret values by name. Out: a function that takes them out of any text, however they were encoded on their way.

/** Shorter texts appear by chance; taking them out would only garble results. */
export const shortestSecret = 4;
/** Bytes that a secret needs before the middle of its base64 is looked for. */
const leastInside = 6;

interface Form {
  readonly text: string;
  readonly name: string;
}

/**
 * Makes the function that writes `[secret NAME]` in the place of each secret: as it is, trimmed, inside JSON, inside a URL, and
 * inside base64 (also where more was encoded with it, as in `Authorization: Basic`). One pass finds whether there is anything to do.
 *
 * @example createRedact([['TOKEN', 'hunter22']])('got hunter22') // 'got [secret TOKEN]'
 */
export function createRedact(secrets: Iterable<readonly [string, string]>): (text: string) => string {
  const forms = [...secrets].flatMap(([name, value]) => formsOf(value).map((text): Form => ({ name, text })));
  if (forms.length === 0) return text => text;
  forms.sort((a, b) => b.text.length - a.text.length);
  // Alternatives without repetition: matching cannot backtrack.
  const any = new RegExp([...new Set(forms.map(({ text }) => literally(text)))].join('|'));
  return text => (any.test(text) ? replace(text, forms) : text);
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

function formsOf(value: string): readonly string[] {
  const plain = [value, value.trim()];
  const written = plain.flatMap(text => [
    text,
    JSON.stringify(text).slice(1, -1),
    // JSON inside JSON, as errors of HTTP clients have it.
    JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1),
    ...urlForms(text),
  ]);
  const encoded = base64Forms(value.trim());
  return [...new Set([...written.filter(text => text.length >= shortestSecret), ...encoded])];
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
  for (const form of forms) {
    for (let start = text.indexOf(form.text); start >= 0; start = text.indexOf(form.text, start + form.text.length)) {
      found.push({ start, end: start + form.text.length, name: form.name });
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
