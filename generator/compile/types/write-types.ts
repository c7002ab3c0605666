// In: types as data. Out: their text, and where in it each name of a property and of a type stands.
import type { Path } from '../../../schema/document.js';
import type { JsonSchemaObject } from '../../../schema/json-schema/keywords.js';
import { printKey } from '../../render/code.js';
import { isInherited, type ObjectNode, type PropertyNode, type TupleNode, type TypeNode } from './type-node.js';

/** A name in the text, and the part of the schema that it stands for. */
export interface Mark {
  /** In UTF-16 units, like columns of source maps. */
  readonly offset: number;
  readonly length: number;
  readonly path: Path;
}

/** A type to be declared. */
export interface NamedType {
  readonly name: string;
  readonly path: Path;
  readonly type: TypeNode;
  readonly docs: readonly JsonSchemaObject[];
}

const widest = 100;

export function writeTypes(declarations: readonly NamedType[]): { text: string; marks: Mark[] } {
  let text = '';
  const marks: Mark[] = [];

  const mark = (name: string, path: Path): void => {
    marks.push({ offset: text.length, length: name.length, path });
    text += name;
  };

  const writeDeclaration = ({ name, path, type, docs }: NamedType): void => {
    if (text !== '') text += '\n';
    text += printDoc(docs, '');
    const isInterface = type.kind === 'object';
    text += isInterface ? 'export interface ' : 'export type ';
    mark(name, path);
    if (isInterface) {
      text += ' ';
      writeObject(type, '');
      text += '\n';
    } else {
      text += ' =';
      if (!isLong(type)) text += ' ';
      write(type, '');
      text += ';\n';
    }
  };

  const write = (node: TypeNode, indent: string): void => {
    switch (node.kind) {
      case 'unknown':
      case 'never':
        text += node.kind;
        return;
      case 'atom':
      case 'name':
        text += node.text;
        return;
      case 'array':
        text += 'readonly ';
        writeTight(node.items, indent);
        text += '[]';
        return;
      case 'tuple':
        writeTuple(node, indent);
        return;
      case 'object':
        writeObject(node, indent);
        return;
      case 'union':
        writeUnion(node, indent);
        return;
      case 'intersection':
        node.members.forEach((member, index) => {
          if (index > 0) text += ' & ';
          if (member.kind === 'union') writeTight(member, indent);
          else write(member, indent);
        });
        return;
      default:
        node satisfies never;
    }
  };

  /** In parentheses where what follows or precedes would else bind more tightly. */
  const writeTight = (node: TypeNode, indent: string): void => {
    const isLoose =
      node.kind === 'union' || node.kind === 'intersection' || node.kind === 'array' || node.kind === 'tuple';
    if (isLoose) text += '(';
    write(node, indent);
    if (isLoose) text += isLong(node) ? `\n${indent})` : ')';
  };

  const writeUnion = (node: Extract<TypeNode, { kind: 'union' }>, indent: string): void => {
    const long = isLong(node);
    node.members.forEach((member, index) => {
      if (long) text += `\n${indent}  | `;
      else if (index > 0) text += ' | ';
      write(member, long ? `${indent}    ` : indent);
    });
  };

  const writeTuple = ({ members, required, rest }: TupleNode, indent: string): void => {
    text += 'readonly [';
    members.forEach((member, index) => {
      if (index > 0) text += ', ';
      if (index < required) {
        write(member, indent);
      } else {
        writeTight(member, indent);
        text += '?';
      }
    });
    if (rest !== undefined) {
      text += members.length > 0 ? ', ...' : '...';
      writeTight(rest, indent);
      text += '[]';
    }
    text += ']';
  };

  const writeObject = (node: ObjectNode, indent: string): void => {
    const { properties, indexes } = node;
    const [index] = indexes;
    if (properties.length === 0 && indexes.length === 0) {
      text += '{}';
      return;
    }
    if (properties.length === 0 && indexes.length === 1 && index !== undefined) {
      text += `{ readonly [key: ${index.keys}]:`;
      if (!isLong(index.type)) text += ' ';
      write(index.type, indent);
      text += isLong(index.type) ? `\n${indent}}` : ' }';
      return;
    }
    const inner = `${indent}  `;
    text += '{\n';
    for (const property of properties) writeProperty(property, inner);
    for (const { keys, type } of indexes) {
      text += `${inner}readonly [key: ${keys}]:`;
      if (!isLong(type)) text += ' ';
      write(type, inner);
      text += ';\n';
    }
    text += `${indent}}`;
  };

  const writeProperty = (property: PropertyNode, indent: string): void => {
    const { name, type, optional, path, docs } = property;
    text += `${printDoc(docs, indent)}${indent}readonly `;
    mark(printKey(name), path);
    text += optional ? '?:' : ':';
    if (isInherited(property)) {
      text += ' unknown;\n';
      return;
    }
    if (!isLong(type)) text += ' ';
    if (optional && type.kind === 'never') text += 'undefined';
    else write(type, indent);
    if (optional && type.kind !== 'unknown' && type.kind !== 'never') {
      text += isLong(type) ? `\n${indent}  | undefined` : ' | undefined';
    }
    text += ';\n';
  };

  for (const declaration of declarations) writeDeclaration(declaration);
  return { text, marks };
}

/** Whether a type is a union that gets a line for each member. */
function isLong(node: TypeNode): boolean {
  return node.kind === 'union' && widthOf(node, widest) > widest;
}

/** The width of a type on one line, or something above `limit`. */
function widthOf(node: TypeNode, limit: number): number {
  if (limit < 0) return 1;
  switch (node.kind) {
    case 'atom':
    case 'name':
      return node.text.length;
    case 'unknown':
    case 'never':
      return node.kind.length;
    case 'array':
      return 13 + widthOf(node.items, limit - 13);
    case 'tuple':
      return sumWidths([...node.members, ...(node.rest === undefined ? [] : [node.rest])], limit - 12);
    case 'object':
      return node.properties.length === 0 ? 40 : 0;
    case 'union':
    case 'intersection':
      return sumWidths(node.members, limit);
    default:
      return node satisfies never;
  }
}

function sumWidths(nodes: readonly TypeNode[], limit: number): number {
  let sum = 0;
  for (const node of nodes) {
    sum += widthOf(node, limit - sum) + 3;
    if (sum > limit) break;
  }
  return sum;
}

// In: the schemas that describe one thing. Out: the lines of its JSDoc, in which no text can end the comment or be a tag.

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
