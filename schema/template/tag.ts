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

const known = 'a template has {{name}}, {{#if name}}, {{#unless name}} and {{#each name}}';

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
      return wrong(`partials ({{> name}}) are not supported: ${known}`);
    case '*':
      return wrong(`decorators ({{* name}}) are not supported: ${known}`);
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
    if (item === '') return wrong('the name of the tool is missing: write {{tool:name}}');
    if (/\s/.test(item)) return wrong('the name of a tool has no spaces');
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
  if (name.startsWith('>')) return wrong(`partials ({{#> name}}) are not supported: ${known}`, text.slice(1).trim());
  if (name.startsWith('*')) return wrong(`decorators ({{#* name}}) are not supported: ${known}`, wordOf(text.slice(1)));
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
  if (!isBlockKind(block)) return { reason: `the block {{#${block}}} is not supported: ${known}` };
  if (tooMuch !== undefined) return { reason: tooMuch };
  if (path === undefined) return { reason: `{{#${block}}} needs a name: {{#${block} name}}` };
  if (others.length > 0) return { reason: `{{#${block}}} takes one name, not ${others.length + 1}` };
  return { block, path };
}

/** What Handlebars computes and this language does not. */
function whyTooMuch(text: string): string | undefined {
  const plain = text.replace(/\[[^\]]*\]/g, '');
  if (/[()]/.test(plain)) return `subexpressions (in parentheses) are not supported: ${known}`;
  if (plain.includes('|')) return 'block parameters (as |name|) are not supported: inside {{#each}} write {{this}}';
  if (/["']/.test(plain)) return `texts in quotes are not supported: ${known}`;
  if (plain.includes('=')) return `named parameters (key=value) are not supported: ${known}`;
  return undefined;
}

function noHelper(name: string): string {
  return `helpers such as ${JSON.stringify(name)} are not supported: ${known}`;
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
