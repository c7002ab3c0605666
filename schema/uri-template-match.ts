// In: a URI template without mistakes, then URIs. Out: what its variables stand for, or that a URI is none of its.
// Never slow: which ends are possible is computed from the end of the URI first, so that the walk from the start knows
// where it may go; only variables that are named twice make it turn back, and that is bounded.

export type UriMatcher = (uri: string) => Readonly<Record<string, string>> | undefined;

/** Longer URIs are nobody's. */
const longestUri = 16_384;
/** Ways to try for variables that are named twice. */
const mostTries = 1000;

interface Bound {
  readonly value: string;
  /** Of `{x:3}`: the value is known only so far. */
  readonly isStart: boolean;
}
type Bindings = ReadonlyMap<string, Bound>;

/**
 * Makes the matcher of a template (RFC 6570): values are percent-decoded, a variable that is named twice must have one
 * value, queries may have any order and leave variables out. Where a URI can be read in several ways, the first
 * variables take as much as they can.
 *
 * @example makeUriMatcher('issue://{project}/{key}{?full}')('issue://shop/A%201') // { project: 'shop', key: 'A 1' }
 */
export function makeUriMatcher(template: string): UriMatcher {
  const parts = readParts(template);
  const [first] = parts;
  const starts = first?.kind === 'literal' ? first.texts : undefined;
  return given => {
    if (given.length > longestUri) return undefined;
    const uri = normaliseHex(given);
    if (starts !== undefined && !starts.some(start => uri.startsWith(start))) return undefined;
    const bindings = walk(parts, uri);
    if (bindings === undefined) return undefined;
    return Object.fromEntries([...bindings].map(([name, { value }]) => [name, value]));
  };
}

/** For each part and position: whether the URI can be read to its end from there. */
function reachable(parts: readonly Part[], uri: string): readonly Uint8Array[] {
  const size = uri.length + 1;
  const rows: Uint8Array[] = [];
  let next = new Uint8Array(size);
  next[uri.length] = 1;
  rows.unshift(next);
  for (const part of [...parts].reverse()) {
    const row = new Uint8Array(size);
    if (part.kind === 'literal') {
      for (const text of part.texts) {
        for (let at = uri.indexOf(text); at >= 0; at = uri.indexOf(text, at + 1)) {
          if (next[at + text.length] === 1) row[at] = 1;
        }
      }
    } else {
      // Whether some end after a position is possible, without a stop in between.
      let hasEnd = false;
      for (let at = uri.length - 1; at >= 0; at--) {
        hasEnd = !part.stop.test(uri.charAt(at)) && (hasEnd || next[at + 1] === 1);
        if (hasEnd && (part.kind === 'slot' || uri[at] === part.lead)) row[at] = 1;
      }
      // Pairs may all be left out.
      if (part.kind === 'pairs') for (let at = 0; at < size; at++) if (next[at] === 1) row[at] = 1;
    }
    rows.unshift(row);
    next = row;
  }
  return rows;
}

function walk(parts: readonly Part[], uri: string): Bindings | undefined {
  const rows = reachable(parts, uri);
  if (rows[0]?.[0] !== 1) return undefined;
  let tries = 0;
  const step = (index: number, at: number, bound: Bindings): Bindings | undefined => {
    const part = parts[index];
    if (part === undefined) return at === uri.length ? bound : undefined;
    const next = rows[index + 1];
    if (next === undefined) return undefined;
    for (const end of endsOf(part, uri, at, next)) {
      tries++;
      if (tries > mostTries) return undefined;
      const more = bind(part, uri.slice(at, end), bound);
      const found = more === undefined ? undefined : step(index + 1, end, more);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return step(0, 0, new Map());
}

/** The longest first. */
function* endsOf(part: Part, uri: string, at: number, next: Uint8Array): Generator<number> {
  if (part.kind === 'literal') {
    for (const text of part.texts) {
      const end = at + text.length;
      if (uri.startsWith(text, at) && next[end] === 1) yield end;
    }
    return;
  }
  let last = at;
  if (part.kind === 'slot' || uri[at] === part.lead) {
    if (part.kind === 'pairs') last++;
    while (last < uri.length && !part.stop.test(uri.charAt(last))) last++;
  }
  for (let end = last; end > at; end--) if (next[end] === 1) yield end;
  if (part.kind === 'pairs' && next[at] === 1) yield at;
}

function bind(part: Part, text: string, bound: Bindings): Bindings | undefined {
  if (part.kind === 'literal') return bound;
  return part.kind === 'slot' ? bindSlot(part, text, bound) : bindPairs(part, text, bound);
}

function bindSlot({ name, prefix }: Slot, text: string, bound: Bindings): Bindings | undefined {
  const value = decode(text);
  return value === undefined ? undefined : agree(bound, name, value, prefix);
}

function bindPairs({ lead, variables }: Pairs, text: string, bound: Bindings): Bindings | undefined {
  if (text === '') return bound;
  let result: Bindings | undefined = bound;
  const lists = new Map<string, string[]>();
  for (const pair of text.slice(1).split(lead === ';' ? ';' : '&')) {
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1));
    const variable = variables.find(one => one.name === name || decode(one.name) === name);
    if (value === undefined || variable === undefined) return undefined;
    if (variable.explode) {
      const list = lists.get(variable.name);
      if (list === undefined) lists.set(variable.name, [value]);
      else list.push(value);
    } else result = result && agree(result, variable.name, value, variable.prefix);
  }
  for (const [name, list] of lists) result = result && agree(result, name, list.join(','), undefined);
  return result;
}

/** Adds a value, unless the variable has another one already. */
function agree(bound: Bindings, name: string, value: string, prefix: number | undefined): Bindings | undefined {
  const isStart = prefix !== undefined && [...value].length === prefix;
  if (prefix !== undefined && [...value].length > prefix) return undefined;
  const known = bound.get(name);
  if (known === undefined) return new Map(bound).set(name, { value, isStart });
  if (known.value === value) return new Map(bound).set(name, { value, isStart: known.isStart && isStart });
  if (known.isStart && value.startsWith(known.value)) return new Map(bound).set(name, { value, isStart });
  return isStart && known.value.startsWith(value) ? bound : undefined;
}

/** Undefined where the encoding is broken: `%zz`, or bytes that are not UTF-8. */
function decode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** One variable in its place: `{x}`, and each of `{/x,y}`. */
interface Slot {
  readonly kind: 'slot';
  readonly name: string;
  /** Characters that end it. */
  readonly stop: RegExp;
  /** `{x:3}`: the first characters of the value only. */
  readonly prefix: number | undefined;
}

/** Named values that may come in any order and be left out: `{?x,y}`, `{&x}`, `{;x}`. */
interface Pairs {
  readonly kind: 'pairs';
  /** What stands before the first pair; between pairs stands `&`, or `;` after `;`. */
  readonly lead: '?' | '&' | ';';
  readonly stop: RegExp;
  readonly variables: readonly Variable[];
}

interface Literal {
  readonly kind: 'literal';
  /** As clients may write it: as it is, or with the characters beyond ASCII encoded. */
  readonly texts: readonly string[];
}

interface Variable {
  readonly name: string;
  /** `{?x*}`: may come several times. */
  readonly explode: boolean;
  readonly prefix: number | undefined;
}

type Part = Literal | Slot | Pairs;

/** Where in a URI a part stands: what ends a value differs. */
type Place = 'path' | 'query' | 'fragment';

/** `%c3` and `%C3` are the same character; only one of them is compared. */
function normaliseHex(uri: string): string {
  return uri.includes('%') ? uri.replaceAll(/%[0-9a-fA-F]{2}/g, code => code.toUpperCase()) : uri;
}

/** The pieces that a URI must have one after the other. */
function readParts(template: string): readonly Part[] {
  const parts: Part[] = [];
  let place: Place = 'path';
  for (const [piece] of template.matchAll(/\{[^}]*\}|[^{]+/g)) {
    if (!piece.startsWith('{')) {
      addLiteral(parts, piece);
      place = piece.includes('#') ? 'fragment' : piece.includes('?') && place === 'path' ? 'query' : place;
      continue;
    }
    const operator = /^[+#./;?&]/.exec(piece.slice(1))?.[0] ?? '';
    const variables = piece
      .slice(1 + operator.length, -1)
      .split(',')
      .map(readVariable);
    if (operator === '?' || operator === '&' || operator === ';') {
      addPairs(parts, operator, variables);
    } else {
      addSlots(parts, operator, variables, place, template);
    }
    if (operator === '#') place = 'fragment';
    else if (operator === '?') place = 'query';
  }
  return parts;
}

function readVariable(text: string): Variable {
  const [name = '', length] = text.split(':');
  const explode = name.endsWith('*');
  return {
    name: explode ? name.slice(0, -1) : name,
    explode,
    prefix: length === undefined ? undefined : Number(length),
  };
}

function addLiteral(parts: Part[], text: string): void {
  const plain = normaliseHex(text);
  // Half a character has no place in a URI.
  const whole = plain.replaceAll(/\p{Surrogate}/gu, '\ufffd');
  const encoded = whole.replaceAll(/[^\u0000-\u007f]+/gu, encodeURIComponent);
  const last = parts.at(-1);
  if (last?.kind === 'literal') {
    parts[parts.length - 1] = {
      kind: 'literal',
      texts: [...new Set([`${last.texts[0]}${plain}`, `${last.texts.at(-1)}${encoded}`])],
    };
  } else parts.push({ kind: 'literal', texts: [...new Set([plain, encoded])] });
}

/** `{?x}{&y}` is one query: its pairs may come in any order, too. */
function addPairs(parts: Part[], lead: Pairs['lead'], variables: readonly Variable[]): void {
  const last = parts.at(-1);
  const stop = lead === ';' ? /[/?#]/ : /#/;
  if (last?.kind === 'pairs' && lead === '&' && last.lead !== ';') {
    parts[parts.length - 1] = { ...last, variables: [...last.variables, ...variables] };
  } else parts.push({ kind: 'pairs', lead, stop, variables });
}

function addSlots(
  parts: Part[],
  operator: string,
  variables: readonly Variable[],
  place: Place,
  template: string,
): void {
  const isOpen = operator === '+' || operator === '#';
  const separator = operator === '/' || operator === '.' ? operator : ',';
  variables.forEach(({ name, explode, prefix }, index) => {
    if (index > 0) addLiteral(parts, separator);
    else if (operator !== '' && operator !== '+') addLiteral(parts, operator);
    const stops = stopsOf(operator === '#' ? 'fragment' : place, isOpen, template);
    // What stands between the values of one expression separates them.
    const ends = variables.length > 1 && separator === ',' ? `${stops},` : stops;
    const open = explode && operator === '/' ? ends.replace('/', '') : ends;
    parts.push({ kind: 'slot', name, prefix, stop: open === '' ? /(?!)/ : new RegExp(`[${open}]`) });
  });
}

/** `{+path}` takes everything, but not the query or fragment that the template has a place for. */
function stopsOf(place: Place, isOpen: boolean, template: string): string {
  if (place === 'fragment') return '';
  if (!isOpen) return place === 'query' ? '&#' : '/?#';
  const marks = place === 'query' ? ['#'] : ['?', '#'];
  return marks.filter(mark => template.includes(mark)).join('');
}
