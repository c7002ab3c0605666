// The quick look at a module, without a parser. In: its text. Out: what it exports, or undefined where only a parser can tell.
// It never finds a mistake: anyone who is not content with its answer asks the parser.

export interface ScannedModule {
  /** By exported name: what it is made by, such as `tools.getIssue`, or '' for anything else. */
  readonly exports: ReadonlyMap<string, string>;
  /** Every `tools.x`, `prompts.x` and `resources.x`, wherever it stands. */
  readonly members: ReadonlySet<string>;
}

const statement =
  /(?<![\w$.])export\s+(?:(default)\b\s*|(?:const|let|var)\s+([\w$]+)|(?:async\s+)?function\s*\*?\s*([\w$]+)|class\s+([\w$]+)|(type|interface)\s+[\w$]+|)/g;
const made = /^\s*(?::[^=]*)?=?\s*((?:tools|prompts|resources)\.[A-Za-z_$][\w$]*)\s*\(/;
const plain = /^\s*(?::[^=]*)?=?\s*(?:async\b|function\b|\(|class\b)/;
const member = /(?<![\w$.])(?:tools|prompts|resources)\s*\.\s*([A-Za-z_$][\w$]*)/g;
/** Other ways to the same functions: aliases, namespaces, computed names, destructuring, CommonJS. */
const indirect =
  /\b(?:tools|prompts|resources)\s+as\b|\*\s*as\b|\b(?:tools|prompts|resources)\s*(?:\[|\?\.)|=\s*(?:tools|prompts|resources)\s*[;\n,)]|\brequire\s*\(|\bexports\b/;

/** A module that has only comments and imports before its default export: every stub, as long as nobody adds to it. */
const stub =
  /^(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/|import\b[^;'"`]*['"][^'"\n]*['"];?)*export\s+default\s+((?:tools|prompts|resources)\.[A-Za-z_$][\w$]*)\s*\(/;

/**
 * Looks at the common forms of handlers only.
 *
 * @example scanModule("export default tools.getIssue(async () => 1);")?.exports.get('default') // 'tools.getIssue'
 */
export function scanModule(text: string): ScannedModule | undefined {
  const maker = stub.exec(text)?.[1];
  if (maker !== undefined && !indirect.test(text))
    return { exports: new Map([['default', maker]]), members: membersIn(text) };
  const blanked = blankOut(text);
  if (blanked === undefined || indirect.test(blanked.code)) return undefined;
  const { code, top } = blanked;
  const exports = new Map<string, string>();
  for (const found of top.matchAll(statement)) {
    const [whole, isDefault, variable, fn, type, isType] = found;
    const rest = top.slice(found.index + whole.length, found.index + whole.length + 400);
    if (isType !== undefined) continue;
    const name = isDefault ?? variable ?? fn ?? type;
    if (name === undefined) return undefined;
    const maker = made.exec(rest)?.[1];
    if (maker === undefined && (isDefault ?? variable) !== undefined && !plain.test(rest)) return undefined;
    exports.set(name, maker ?? '');
  }
  return { exports, members: membersIn(code) };
}

function membersIn(code: string): ReadonlySet<string> {
  return new Set([...code.matchAll(member)].map(([found]) => found.replaceAll(/\s/g, '')));
}

interface Blanked {
  /** Comments, and what is inside strings, templates and regular expressions, are spaces. */
  readonly code: string;
  /** So is everything inside brackets. */
  readonly top: string;
}

const beforeExpression =
  /(?:^|[=(,;:[!&|?{}+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|await|yield|void|delete|throw|new))$/;

/** Undefined where the text does not add up: an open string, brackets that do not match. */
function blankOut(text: string): Blanked | undefined {
  const code: string[] = [];
  const top: string[] = [];
  const open: string[] = [];
  let position = 0;
  const keep = (piece: string): void => {
    code.push(piece);
    top.push(open.length === 0 ? piece : ' '.repeat(piece.length));
    position += piece.length;
  };
  const blank = (end: number): void => {
    const spaces = ' '.repeat(end - position);
    code.push(spaces);
    top.push(spaces);
    position = end;
  };
  const sticky =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"|[A-Za-z0-9_$.]+|\s+|[\s\S]/y;
  let last = '';
  while (position < text.length) {
    sticky.lastIndex = position;
    const [token = ''] = sticky.exec(text) ?? [];
    const first = token.charAt(0);
    if (token === '/' && text[position + 1] === '*') return undefined;
    if (first === '/' && token.length > 1) {
      blank(position + token.length);
      continue;
    }
    if (token.trim() === '') {
      keep(token);
      continue;
    }
    if ((first === "'" || first === '"') && token.length > 1) blank(position + token.length);
    else if (first === "'" || first === '"') return undefined;
    else if (first === '`') {
      const end = endOfTemplate(text, position);
      if (end === undefined) return undefined;
      blank(end);
    } else if (first === '/' && beforeExpression.test(last)) {
      const end = endOfRegex(text, position);
      if (end === undefined) return undefined;
      blank(end);
    } else if (first === '(' || first === '[' || first === '{') {
      keep(token);
      open.push(first === '(' ? ')' : first === '[' ? ']' : '}');
    } else if (first === ')' || first === ']' || first === '}') {
      if (open.pop() !== first) return undefined;
      keep(token);
    } else keep(token);
    last = token;
  }
  return open.length > 0 ? undefined : { code: code.join(''), top: top.join('') };
}

/** Members used inside `${}` would be missed, so that only templates without code are read. */
function endOfTemplate(text: string, start: number): number | undefined {
  const found = /`(?:[^`\\$]|\\[\s\S]|\$(?!\{)|\$\{[\w$.\s]*\})*`/y;
  found.lastIndex = start;
  return found.test(text) ? found.lastIndex : undefined;
}

function endOfRegex(text: string, start: number): number | undefined {
  const found = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
  found.lastIndex = start;
  return found.test(text) ? found.lastIndex : undefined;
}
