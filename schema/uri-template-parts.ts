// In: a URI template without mistakes. Out: the pieces that a URI must have one after the other.

/** One variable in its place: `{x}`, and each of `{/x,y}`. */
export interface Slot {
  readonly kind: 'slot';
  readonly name: string;
  /** Characters that end it. */
  readonly stop: RegExp;
  /** `{x:3}`: the first characters of the value only. */
  readonly prefix: number | undefined;
}

/** Named values that may come in any order and be left out: `{?x,y}`, `{&x}`, `{;x}`. */
export interface Pairs {
  readonly kind: 'pairs';
  /** What stands before the first pair; between pairs stands `&`, or `;` after `;`. */
  readonly lead: '?' | '&' | ';';
  readonly stop: RegExp;
  readonly variables: readonly Variable[];
}

export interface Literal {
  readonly kind: 'literal';
  /** As clients may write it: as it is, or with the characters beyond ASCII encoded. */
  readonly texts: readonly string[];
}

export interface Variable {
  readonly name: string;
  /** `{?x*}`: may come several times. */
  readonly explode: boolean;
  readonly prefix: number | undefined;
}

export type Part = Literal | Slot | Pairs;

/** Where in a URI a part stands: what ends a value differs. */
type Place = 'path' | 'query' | 'fragment';

/** `%c3` and `%C3` are the same character; only one of them is compared. */
export function normaliseHex(uri: string): string {
  return uri.includes('%') ? uri.replaceAll(/%[0-9a-fA-F]{2}/g, code => code.toUpperCase()) : uri;
}

export function readParts(template: string): readonly Part[] {
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
