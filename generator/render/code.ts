// How text from manifests stands in code. In: any text. Out: a literal, a comment or an identifier, and never anything else.
import { escapeUnit } from '../../schema/print/visible.js';

/** Text that is code already, made by a printer. Templates take nothing else for it: a string of a manifest is none. */
export class Code {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * A string literal, also inside a comment.
 *
 * @example printString("it's") // "'it\\'s'"
 */
export function printString(text: string): string {
  const inner = text
    .replace(/[\\']/g, '\\$&')
    .replace(/[\0-\x1f\x7f-\x9f\u2028\u2029\ufeff]|\p{Surrogate}|\p{Bidi_Control}/gu, escapeUnit)
    .replaceAll('*/', '*\\/');
  return `'${inner}'`;
}

/** The same in double quotes, as it stands in types. Lone surrogates are escaped by JSON.stringify, line separators of JavaScript here. */
export function printJsonString(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, escapeUnit);
}

/** The name of a property: quoted unless it is an identifier. */
export function printKey(name: string): string {
  return isIdentifier(name) ? name : printJsonString(name);
}

/** A scalar as a literal type; numbers that have no literal become `number`. */
export function printScalar(value: unknown): string {
  if (typeof value === 'string') return printJsonString(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value === 0 ? 0 : value) : 'number';
  if (typeof value === 'boolean' || value === null) return String(value);
  return 'unknown';
}

/** An identifier; anything else is a bug of the view model. */
export function printIdentifier(name: string): string {
  if (!isIdentifier(name)) throw new Error(`${JSON.stringify(name)} is not an identifier`);
  return name;
}

const width = 116;

/**
 * A JSDoc comment with the first paragraph of a string, and with tags that the caller made. Empty without both.
 *
 * @example printDoc('Get an issue.') // '/** Get an issue. *\/'
 */
export function printDoc(text: string, tags: readonly Code[] = []): string {
  const lines = [...wrap(tame(firstParagraph(text))), ...tags.map(tag => tag.text)];
  const [only] = lines;
  if (only === undefined) return '';
  return lines.length === 1 ? `/** ${only} */` : ['/**', ...lines.map(line => ` * ${line}`), ' */'].join('\n');
}

/** Tells whether a comment would show nothing of a string. */
export function isBlank(text: string): boolean {
  return !/[^\s\0-\x1f\x7f-\x9f\ufeff\p{Bidi_Control}]/u.test(firstParagraph(text));
}

function firstParagraph(text: string): string {
  return text.trim().split(/(?:\r\n|[\n\r\u2028\u2029])[^\S\n\r]*(?:\r\n|[\n\r\u2028\u2029])/, 1)[0] ?? '';
}

/** On one line, without the marks of a Markdown heading, and without anything that means more than itself in a comment. */
function tame(paragraph: string): string {
  const plain = paragraph.replace(/^#+\s+/, '');
  // Most texts, and a tenth of the time.
  if (/^[\w ,.;:!?'"()-]*$/.test(plain)) return plain.replace(/ +/g, ' ').trim();
  return (
    plain
      .replace(/\p{Surrogate}/gu, '\ufffd')
      .replace(/[\s\0-\x1f\x7f-\x9f\ufeff\p{Bidi_Control}]+/gu, ' ')
      .trim()
      .replaceAll('*/', '*\\/')
      // `@word` would be a tag, also in the middle of a line, and `@ts-ignore` would switch the compiler off.
      .replace(/(^|[^\p{L}\p{N}])@/gu, '$1\\@')
      // Compilers look for these anywhere in a comment.
      .replace(/@(?=jsx)/gi, '@ ')
      .replace(/(source(?:Mapping)?URL)(?==)/g, '$1 ')
  );
}

/** Lines of at most `width` characters where there are spaces. */
function wrap(text: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(line);
  return lines;
}

// Words of JavaScript and TypeScript. In: names from manifests. Out: whether and how they can be used in code.

/** Never names of variables in modules, which are strict code. */
const reserved: ReadonlySet<string> = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends false
  finally for function if implements import in instanceof interface let new null package private protected public return
  static super switch this throw true try typeof var void while with yield`.split(/\s+/),
);

/** Names that a module has already, or that compilers keep for themselves at the top of one. */
const taken: ReadonlySet<string> = new Set(
  'Object Promise exports generated globalThis handlers module prompts require resources tools undefined'.split(' '),
);

/**
 * Tells whether a string is one identifier, reserved or not.
 *
 * @example isIdentifier('größe') // true
 * @example isIdentifier('issue-key') // false
 */
export function isIdentifier(text: string): boolean {
  // Most names, and quicker.
  return /^[A-Za-z_$][\w$]*$/.test(text) || /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(text);
}

/** Tells whether a function may call a parameter so. */
export function isParameterName(text: string): boolean {
  return isIdentifier(text) && !reserved.has(text);
}

/**
 * A name for a variable at the top of a module: the wanted one, or that with underscores before it.
 *
 * @example localName('delete', new Set()) // '_delete'
 */
export function localName(wanted: string, used: ReadonlySet<string>): string {
  let name = wanted;
  while (reserved.has(name) || taken.has(name) || used.has(name)) name = `_${name}`;
  return name;
}

// In: any text. Out: the same text inside HTML, in an element or a quoted attribute; it never becomes a tag.

const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, character => names[character] ?? character).replaceAll('\0', '\ufffd');
}
