// What a tag refers to. In: `name`, `a.b`, `this.x`, `../name`, `@index`. Out: a Path, or why it is none.

export type Origin = 'context' | 'root' | 'index' | 'key' | 'first' | 'last';

export interface TemplatePath {
  readonly from: Origin;
  /** How many `{{#each}}` to step out of first. */
  readonly up: number;
  readonly parts: readonly string[];
}

export type ParsedPath = { readonly path: TemplatePath } | { readonly reason: string };

// The identifiers of Handlebars, and its [names with spaces].
const segment = /\[([^\]]*)\]|([^\s!"#%&'()*+,./;<=>@[\\\]^`{|}~]+)/y;
const literals: ReadonlySet<string> = new Set(['true', 'false', 'null', 'undefined']);
const data: ReadonlyMap<string, Origin> = new Map([
  ['@index', 'index'],
  ['@key', 'key'],
  ['@first', 'first'],
  ['@last', 'last'],
]);

/** `depth`: how many `{{#each}}` stand around the tag. */
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
      reason: `"../" steps out of {{#each}}; ${depth === 0 ? 'there is none' : 'there are fewer'} around this tag`,
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
