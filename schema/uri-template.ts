// The syntax of URI templates (RFC 6570, all four levels). In: a template. Out: its variables, or the first mistake.

export type ParsedUriTemplate =
  | { readonly variables: readonly string[] }
  | { readonly problem: string; readonly offset: number };

interface Problem {
  readonly problem: string;
  readonly offset: number;
}

const operators = '+#./;?&';
const reservedOperators = '=,!@|';
const variableName = /^(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*$/;
const percentEncoded = /%[0-9A-Fa-f]{2}/y;
// Section 2.1, with the apostrophe that erratum 6937 adds. Not here: controls, space, " % < > \ ^ ` { | },
// lone surrogates and code points that are not characters.
const literal =
  /^[!#$&-;=?-[\]_a-z~\u00a0-\ud7ff\ue000-\ufdcf\ufdf0-\uffef\u{10000}-\u{1fffd}\u{20000}-\u{2fffd}\u{30000}-\u{3fffd}\u{40000}-\u{dfffd}\u{e0000}-\u{efffd}\u{f0000}-\u{ffffd}\u{100000}-\u{10fffd}]$/u;

/**
 * Reads a URI template. Variables come in the order of their first use, each once; the offset of a mistake is
 * counted in UTF-16 units from 0.
 *
 * @example parseUriTemplate('issue://{project}/{+path*}{?limit:3}') // { variables: ['project', 'path', 'limit'] }
 * @example parseUriTemplate('issue://{project') // { problem: 'the { is not closed', offset: 8 }
 */
export function parseUriTemplate(text: string): ParsedUriTemplate {
  const variables = new Set<string>();
  let offset = 0;
  while (offset < text.length) {
    if (text[offset] === '{') {
      const close = text.indexOf('}', offset);
      if (close < 0) return { problem: 'the { is not closed', offset };
      const problem = readExpression(text.slice(offset + 1, close), offset + 1, variables);
      if (problem !== undefined) return problem;
      offset = close + 1;
    } else {
      const read = readLiteral(text, offset);
      if (typeof read !== 'number') return read;
      offset += read;
    }
  }
  return { variables: [...variables] };
}

/** The length of the literal at `offset`: a character, or %XX. */
function readLiteral(text: string, offset: number): number | Problem {
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  if (literal.test(character)) return character.length;
  if (character === '}') return { problem: 'the } closes nothing', offset };
  percentEncoded.lastIndex = offset;
  if (percentEncoded.test(text)) return 3;
  if (character === '%') return { problem: 'a % must be followed by two hexadecimal digits', offset };
  return { problem: `the character ${describe(character)} must be percent-encoded`, offset };
}

/** `+path*,other:3`: what stands between braces. */
function readExpression(text: string, start: number, variables: Set<string>): Problem | undefined {
  if (text === '') return { problem: 'the expression {} names no variable', offset: start - 1 };
  const first = text.charAt(0);
  if (reservedOperators.includes(first)) {
    return { problem: `the operator ${JSON.stringify(first)} is reserved and has no meaning yet`, offset: start };
  }
  const hasOperator = operators.includes(first);
  let offset = start + (hasOperator ? 1 : 0);
  for (const variable of text.slice(hasOperator ? 1 : 0).split(',')) {
    const name = readVariable(variable, offset);
    if (typeof name !== 'string') return name;
    variables.add(name);
    offset += variable.length + 1;
  }
  return undefined;
}

function readVariable(text: string, offset: number): string | Problem {
  const colon = text.indexOf(':');
  const name = colon >= 0 ? text.slice(0, colon) : text.endsWith('*') ? text.slice(0, -1) : text;
  if (name === '') return { problem: 'a variable name is missing', offset };
  if (!variableName.test(name)) {
    const open = name.indexOf('{');
    if (open >= 0) return { problem: 'expressions cannot be nested', offset: offset + open };
    return {
      problem: `${JSON.stringify(name)} is not a valid variable name: use letters, digits, underscores, and dots between them`,
      offset,
    };
  }
  if (colon >= 0 && !/^[1-9][0-9]{0,3}$/.test(text.slice(colon + 1))) {
    return { problem: 'the length after ":" must be a number from 1 to 9999', offset: offset + colon };
  }
  return name;
}

function describe(character: string): string {
  if (character === ' ') return '" " (space)';
  const code = character.codePointAt(0) ?? 0;
  return code > 0x20 && code < 0x7f
    ? JSON.stringify(character)
    : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
