// In: the schemas that describe one thing. Out: the lines of its JSDoc, in which no text can end the comment or be a tag.
import type { JsonSchemaObject } from '../../../schema/json-schema/keywords.js';

const limitWords: readonly (readonly [string, string])[] = [
  ['format', 'format'],
  ['pattern', 'pattern'],
  ['minLength', 'at least {} character|s'],
  ['maxLength', 'at most {} character|s'],
  ['minimum', 'at least {}'],
  ['exclusiveMinimum', 'more than {}'],
  ['maximum', 'at most {}'],
  ['exclusiveMaximum', 'less than {}'],
  ['multipleOf', 'a multiple of {}'],
  ['minItems', 'at least {} item|s'],
  ['maxItems', 'at most {} item|s'],
  ['minProperties', 'at least {} propert|ies|y'],
  ['maxProperties', 'at most {} propert|ies|y'],
];
const mostExamples = 3;
const longestValue = 200;

const docKeywords: ReadonlySet<string> = new Set([
  ...limitWords.map(([keyword]) => keyword),
  'type',
  'uniqueItems',
  'description',
  'title',
  'default',
  'examples',
  'deprecated',
]);

/** The comment before a declaration or property, with its line break; empty where nothing is to be said. */
export function printDoc(docs: readonly JsonSchemaObject[], indent: string): string {
  const lines = docLines(docs);
  const [only] = lines;
  if (only === undefined) return '';
  if (lines.length === 1) return `${indent}/** ${only} */\n`;
  return `${indent}/**\n${lines.map(line => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

function docLines(docs: readonly JsonSchemaObject[]): readonly string[] {
  const said = collectSaid(docs);
  if (said === undefined) return [];
  const text = said.get('description') ?? said.get('title');
  const lines = typeof text === 'string' ? textLines(text) : [];
  const limits = printLimits(said);
  if (limits !== '') {
    if (lines.length > 0) lines.push('');
    lines.push(limits);
  }
  lines.push(...tagLines(said));
  return lines;
}

/** What the schemas say of one thing; of each keyword the nearest counts. */
function collectSaid(docs: readonly JsonSchemaObject[]): ReadonlyMap<string, unknown> | undefined {
  let said: Map<string, unknown> | undefined;
  for (const doc of docs) {
    for (const keyword of Object.keys(doc)) {
      if (!docKeywords.has(keyword) || said?.has(keyword)) continue;
      const value = doc[keyword];
      if (keyword === 'type' && value !== 'integer') continue;
      // A default further away is filled in by nobody.
      if (keyword === 'default' && doc !== docs[0]) continue;
      if ((keyword === 'description' || keyword === 'title') && !hasText(value)) continue;
      said ??= new Map();
      said.set(keyword, value);
    }
  }
  return said;
}

function hasText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function tagLines(said: ReadonlyMap<string, unknown>): string[] {
  const tags: string[] = [];
  const add = (tag: string, value: unknown): void => {
    const text = printValue(value);
    if (text !== undefined) tags.push(`${tag} ${text}`);
  };
  if (said.has('default')) add('@default', said.get('default'));
  const examples = said.get('examples');
  if (Array.isArray(examples)) for (const example of examples.slice(0, mostExamples)) add('@example', example);
  if (said.get('deprecated') === true) tags.push('@deprecated');
  return tags;
}

function printLimits(said: ReadonlyMap<string, unknown>): string {
  const words: string[] = [];
  if (said.has('type')) words.push('integer');
  for (const [keyword, phrase] of limitWords) {
    const value = said.get(keyword);
    if (typeof value !== 'number' && typeof value !== 'string') continue;
    const text = safeText(String(value)).replaceAll('\n', ' ');
    words.push(phrase.includes('{}') ? printCount(phrase, text) : `${phrase} ${printCode(text)}`);
  }
  if (said.get('uniqueItems') === true) words.push('no item twice');
  const sentence = words.join('; ');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** `item|s` has its ending unless there is one; a third part is the ending for one. */
function printCount(phrase: string, count: string): string {
  const [stem = '', many = '', one = ''] = phrase.split('|');
  return stem.replace('{}', () => count) + (count === '1' ? one : many);
}

function printCode(text: string): string {
  return text.includes('`') ? text : `\`${text}\``;
}

function printValue(value: unknown): string | undefined {
  const text = JSON.stringify(value);
  if (text === undefined || text.length > longestValue) return undefined;
  return safeText(text);
}

function textLines(text: string): string[] {
  return safeText(text.trim())
    .split('\n')
    .map(line => line.trimEnd());
}

// Printable ASCII without `*` and `@`.
const harmless = /^[ -)+-?A-~]*$/;

/** No end of the comment, no tags, no odd line breaks, nothing that UTF-8 cannot hold. */
function safeText(text: string): string {
  if (harmless.test(text)) return text;
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff]/g, ' ')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replaceAll('*/', '*\\/')
    .replace(/(^|[\s{*])@/g, '$1\\@');
}
