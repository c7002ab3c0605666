// What a tag says. In: the text between its braces. Out: its meaning, or in plain words why it has none here.

export type BlockKind = 'if' | 'unless' | 'each';

export interface BlockStart {
  readonly block: BlockKind;
  readonly path: string;
}

export type Meaning =
  | { readonly kind: 'value'; readonly path: string }
  | { readonly kind: 'tool'; readonly item: string }
  | { readonly kind: 'open'; readonly start: BlockStart }
  | { readonly kind: 'else'; readonly start?: BlockStart }
  | { readonly kind: 'close'; readonly name: string }
  /** `opens` names the block that the tag opens all the same, so that its closing tag is not a second problem. */
  | { readonly kind: 'wrong'; readonly reason: string; readonly opens?: string };

const knownWords = 'a template has {{name}}, {{#if name}}, {{#unless name}} and {{#each name}}';

function isBlockKind(name: string): name is BlockKind {
  return name === 'if' || name === 'unless' || name === 'each';
}

export function readTag(body: string): Meaning {
  const text = body.trim();
  if (text === '') return wrong('the tag is empty');
  if (body !== body.trimStart() && /^[#/^>&*]/.test(text)) {
    return wrong(
      `no space may stand between {{ and ${text.charAt(0)}`,
      text.startsWith('#') ? wordOf(text) : undefined,
    );
  }
  if (text === 'else' || text === '^') return { kind: 'else' };
  if (/^else\s/.test(text)) return readElse(text.slice(4).trim());
  const rest = text.slice(1).trim();
  switch (text.charAt(0)) {
    case '#':
      return readOpen(rest);
    case '/':
      return { kind: 'close', name: rest };
    case '>':
      return wrong(`partials ({{> name}}) are not supported: ${knownWords}`);
    case '*':
      return wrong(`decorators ({{* name}}) are not supported: ${knownWords}`);
    case '&':
      return wrong('values are never escaped: write {{name}} instead of {{&name}}');
    case '^':
      return wrong(`write {{#unless ${rest}}} instead of {{^${rest}}}`, rest);
    default:
      return readValue(text);
  }
}

function readValue(text: string): Meaning {
  if (text.startsWith('tool:')) {
    const item = text.slice('tool:'.length).trim();
    if (item === '') return wrong("the tool's name is missing: write {{tool:name}}");
    if (/\s/.test(item)) return wrong('a tool name has no spaces');
    return { kind: 'tool', item };
  }
  const reason = whyTooMuch(text);
  if (reason !== undefined) return wrong(reason);
  const [first = '', ...others] = splitWords(text);
  if (others.length === 0 && !isBlockKind(first)) return { kind: 'value', path: text };
  if (isBlockKind(first)) return wrong(`a block starts with #: write {{#${text}}}`);
  if (first === 'elseif' || first === 'elif') return wrong(`write {{else if ${others.join(' ')}}}`);
  if (first === 'lookup' || first === 'log' || first === 'with') return wrong(noHelper(first));
  return wrong(`${noHelper(first)}. A name with spaces is written {{[${text}]}}`);
}

function readOpen(text: string): Meaning {
  const name = wordOf(text);
  if (name.startsWith('>'))
    return wrong(`partials ({{#> name}}) are not supported: ${knownWords}`, text.slice(1).trim());
  if (name.startsWith('*'))
    return wrong(`decorators ({{#* name}}) are not supported: ${knownWords}`, wordOf(text.slice(1)));
  const start = readStart(text);
  return 'reason' in start ? wrong(start.reason, name) : { kind: 'open', start };
}

function readElse(text: string): Meaning {
  const start = readStart(text);
  return 'reason' in start ? wrong(start.reason) : { kind: 'else', start };
}

function readStart(text: string): BlockStart | { readonly reason: string } {
  const tooMuch = whyTooMuch(text);
  const [block = '', path, ...others] = splitWords(text);
  if (block === '') return { reason: 'the tag is empty' };
  if (!isBlockKind(block)) return { reason: `the block {{#${block}}} is not supported: ${knownWords}` };
  if (tooMuch !== undefined) return { reason: tooMuch };
  if (path === undefined) return { reason: `{{#${block}}} needs a name: {{#${block} name}}` };
  if (others.length > 0) return { reason: `{{#${block}}} takes one name, not ${others.length + 1}` };
  return { block, path };
}

/** What Handlebars computes and this language does not. */
function whyTooMuch(text: string): string | undefined {
  const plain = text.replace(/\[[^\]]*\]/g, '');
  if (/[()]/.test(plain)) return `subexpressions (in parentheses) are not supported: ${knownWords}`;
  if (plain.includes('|')) return 'block parameters (as |name|) are not supported: inside {{#each}} write {{this}}';
  if (/["']/.test(plain)) return `texts in quotes are not supported: ${knownWords}`;
  if (plain.includes('=')) return `named parameters (key=value) are not supported: ${knownWords}`;
  return undefined;
}

function noHelper(name: string): string {
  return `helpers such as ${JSON.stringify(name)} are not supported: ${knownWords}`;
}

/** By spaces, except those in [brackets]. */
function splitWords(text: string): string[] {
  return text.match(/(?:\[[^\]]*(?:\]|$)|[^\s[])+/g) ?? [];
}

function wordOf(text: string): string {
  return /^#?\s*(\S*)/.exec(text)?.[1] ?? '';
}

function wrong(reason: string, opens?: string): Meaning {
  return { kind: 'wrong', reason, ...(opens === undefined || opens === '' ? {} : { opens }) };
}

type Origin = 'context' | 'root' | 'index' | 'key' | 'first' | 'last';

export interface TemplatePath {
  readonly from: Origin;
  /** How many `{{#each}}` to step out of first. */
  readonly up: number;
  readonly parts: readonly string[];
}

type ParsedPath = { readonly path: TemplatePath } | { readonly reason: string };

// The identifiers of Handlebars, and its [names with spaces].
const segment = /\[([^\]]*)\]|([^\s!"#%&'()*+,./;<=>@[\\\]^`{|}~]+)/y;
const literals: ReadonlySet<string> = new Set(['true', 'false', 'null', 'undefined']);
const data: ReadonlyMap<string, Origin> = new Map([
  ['@index', 'index'],
  ['@key', 'key'],
  ['@first', 'first'],
  ['@last', 'last'],
]);

/** What a tag refers to: `name`, `a.b`, `this.x`, `../name`, `@index`. `depth`: how many `{{#each}}` stand around the tag. */
export function parsePath(text: string, depth: number): ParsedPath {
  if (text.startsWith('@')) return parseData(text, depth);
  let rest = text;
  let up = 0;
  while (rest === '..' || rest.startsWith('../')) {
    up++;
    rest = rest.slice(3);
  }
  if (up > depth)
    return {
      reason: `"../" leaves {{#each}}; ${depth === 0 ? 'there is none' : 'there are fewer'} around this tag`,
    };
  const own = /^(?:this|\.)(?:[./]|$)/.exec(rest)?.[0];
  if (own !== undefined) rest = rest.slice(own.length);
  const parts = parseParts(rest);
  if (parts === undefined) return { reason: `${JSON.stringify(text)} is not a valid argument name` };
  if (parts.length === 0 && up === depth) return { reason: '{{this}} only works inside {{#each}}' };
  if (own === undefined && up === 0 && parts.length === 1 && literals.has(rest)) {
    return { reason: `${rest} is a value, not the name of an argument` };
  }
  return { path: { from: 'context', up, parts } };
}

function parseData(text: string, depth: number): ParsedPath {
  if (text.startsWith('@root.') || text.startsWith('@root/')) {
    const parts = parseParts(text.slice('@root.'.length));
    if (parts !== undefined && parts.length > 0) return { path: { from: 'root', up: 0, parts } };
  }
  const from = data.get(text);
  if (from === undefined) return { reason: `unknown ${text}; there are @index, @key, @first, @last and @root.name` };
  if (depth === 0) return { reason: `${text} only works inside {{#each}}` };
  return { path: { from, up: 0, parts: [] } };
}

function parseParts(text: string): string[] | undefined {
  const parts: string[] = [];
  let position = 0;
  while (position < text.length) {
    segment.lastIndex = position;
    const found = segment.exec(text);
    if (found === null) return undefined;
    parts.push(found[1] ?? found[2] ?? '');
    position = segment.lastIndex;
    if (position === text.length) return parts;
    if (text[position] !== '.' && text[position] !== '/') return undefined;
    position++;
    if (position === text.length) return undefined;
  }
  return parts;
}

/** The argument of the prompt that a path reads, if it reads one. */
export function rootName(path: TemplatePath, depth: number): string | undefined {
  return path.from === 'root' || (path.from === 'context' && path.up === depth) ? path.parts[0] : undefined;
}
