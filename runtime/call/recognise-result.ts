// In: a value that a handler returned. Out: which of the protocol's shapes it has, told by its properties and by the members that the
// output schema names; and what is wrong with content.

import { types } from 'node:util';
import type { JsonSchema } from '../../schema/definitions.js';
import { isMap } from '../../schema/document.js';
import { type JsonSchemaObject, own, ownMap } from '../../schema/json-schema/keywords.js';
import { makeSchemaFinder } from '../../schema/json-schema/walk.js';
import { formats } from '../../schema/support/formats.js';
import type { Bytes, CallToolResult, Content } from '../../schema/support/mcp/content.js';
import { isBuilt } from './content.js';

type Properties = Readonly<Record<string, unknown>>;

const isText = (value: unknown): boolean => typeof value === 'string';

/** What content of each type must have, and what it may have. */
const forms: Readonly<Record<string, { has(value: Properties): boolean; readonly may: readonly string[] }>> = {
  text: { has: ({ text }) => isText(text), may: ['text'] },
  image: { has: ({ data, mimeType }) => isText(data) && isText(mimeType), may: ['data', 'mimeType'] },
  audio: { has: ({ data, mimeType }) => isText(data) && isText(mimeType), may: ['data', 'mimeType'] },
  resource: {
    has: ({ resource }) =>
      isMap(resource) && isText(resource['uri']) && (isText(resource['text']) || isText(resource['blob'])),
    may: ['resource'],
  },
  resource_link: {
    has: ({ uri, name }) => isText(uri) && isText(name),
    may: ['uri', 'name', 'title', 'description', 'mimeType', 'size', 'icons'],
  },
};
const everywhere = ['type', 'annotations', '_meta'];

/**
 * Whether a value is content: made by a builder, or of exactly the protocol's form. Something with further properties
 * is an author's own data that happens to have a type.
 *
 * @example isContent({ type: 'text', text: 'Hello' }) // true
 */
export function isContent(value: unknown): value is Content {
  if (isBuilt(value)) return true;
  if (!isMap(value) || !isText(value['type'])) return false;
  const type = String(value['type']);
  const form = Object.hasOwn(forms, type) ? forms[type] : undefined;
  if (form?.has(value) !== true) return false;
  return Object.keys(value).every(key => form.may.includes(key) || everywhere.includes(key));
}

/**
 * Whether a part of a whole result is content; unlike `isContent` it may have more members than the protocol knows.
 *
 * @example isContentLike({ type: 'text', text: 'Hello', id: 1 }) // true
 */
export function isContentLike(value: unknown): value is Content {
  if (!isMap(value) || !isText(value['type'])) return false;
  const type = String(value['type']);
  return Object.hasOwn(forms, type) && forms[type]?.has(value) === true;
}

const resultKeys: ReadonlySet<string> = new Set(['content', 'structuredContent', 'isError', '_meta']);

/** A whole result as a handler gave it: what its content is has still to be looked at. */
export type GivenResult = Omit<CallToolResult, 'content'> & { readonly content?: unknown };

/**
 * Whether a value is a whole result of the protocol, and not data. What the output schema names is data; `members` is
 * undefined where there is none.
 *
 * - With `structuredContent` it is a result, unless the schema names that. (Content of the builders proves it all the same.)
 * - With `isError: true` and a list of content it is a result, unless the schema names `isError`.
 * - With a list of content and nothing else but `_meta` it is a result, unless the schema names `content`.
 * - With any further member that the schema names it is data.
 *
 * @example isWholeResult({ content: [{ type: 'text', text: 'x' }], structuredContent: { n: 1 } }, members) // true
 */
export function isWholeResult(value: unknown, members: OutputMembers | undefined): value is GivenResult {
  if (!isMap(value)) return false;
  const { content, structuredContent, isError } = value;
  const list = Array.isArray(content) ? content : undefined;
  if (list === undefined && structuredContent === undefined) return false;
  const names = (key: string): boolean => members?.names(key) === true;
  const others = Object.keys(value).filter(key => !resultKeys.has(key));
  if (others.some(names)) return false;
  if (structuredContent !== undefined) {
    return !names('structuredContent') || (list !== undefined && list.length > 0 && list.every(isBuilt));
  }
  if (list?.every(isContent) !== true) return false;
  if (isError === true) return !names('isError');
  // Among other members content says nothing, where there is a schema to go by.
  if (others.length > 0) return members === undefined && list.length > 0;
  return !names('content');
}

/** A type and a subtype, and maybe parameters: another string beside bytes is text. */
const mimeForm = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+ *(?:;|$)/;

/**
 * Bytes with their type, as an object or as a pair; undefined for anything else.
 *
 * @example typedBytesOf([bytes, 'image/png']) // { data: bytes, mimeType: 'image/png' }
 */
export function typedBytesOf(value: unknown): Bytes | undefined {
  if (Array.isArray(value)) {
    const [data, mimeType] = value;
    const isPair = value.length === 2 && isBytes(data) && typeof mimeType === 'string' && mimeForm.test(mimeType);
    return isPair ? { data: data as Uint8Array, mimeType } : undefined;
  }
  return isMap(value) && isText(value['mimeType']) && isBytes(value['data']) ? (value as unknown as Bytes) : undefined;
}

/** Whether a value is nothing but bytes. */
export function isBytes(value: unknown): value is Uint8Array | ArrayBuffer {
  return types.isUint8Array(value) || types.isAnyArrayBuffer(value);
}

interface OutputMembers {
  /** Whether the schema names a member: the value's meaning is then the schema's business. */
  names(member: string): boolean;
  /** Members that are lists. */
  readonly lists: readonly string[];
}

const noMembers: OutputMembers = { names: () => false, lists: [] };

/** Schemas are not changed, and asked about with every call. */
const knownMembers = new WeakMap<JsonSchema, OutputMembers>();

/**
 * What a schema names, in any of its alternatives and behind references.
 *
 * @example outputMembers({ type: 'object', properties: { content: {} } }).names('content') // true
 */
export function outputMembers(schema: JsonSchema | undefined): OutputMembers {
  if (schema === undefined) return noMembers;
  const members = knownMembers.get(schema) ?? findMembers(schema);
  knownMembers.set(schema, members);
  return members;
}

function findMembers(schema: JsonSchema): OutputMembers {
  const finder = makeSchemaFinder(schema);
  const roots = finder.at([]);
  const properties = new Set(roots.flatMap(root => Object.keys(ownMap(root, 'properties'))));
  const named = new Set([...properties, ...roots.flatMap(namedElsewhere)]);
  const patterns = roots.flatMap(root => Object.keys(ownMap(root, 'patternProperties'))).flatMap(toRegex);
  return {
    names: member => named.has(member) || patterns.some(pattern => pattern.test(member)),
    lists: [...properties].filter(name => finder.at([name]).some(isList)),
  };
}

function namedElsewhere(schema: JsonSchemaObject): readonly string[] {
  const required = own(schema, 'required');
  const lists = [required, ...Object.values(ownMap(schema, 'dependentRequired'))];
  return lists.flatMap(list => (Array.isArray(list) ? list.filter(name => typeof name === 'string') : []));
}

function toRegex(pattern: string): readonly RegExp[] {
  try {
    return [new RegExp(pattern, 'u')];
  } catch {
    return [];
  }
}

function isList(schema: JsonSchemaObject): boolean {
  const type = own(schema, 'type');
  return type === 'array' || (Array.isArray(type) && type.includes('array'));
}

const isRole = (value: unknown): boolean => value === 'user' || value === 'assistant';
const isShare = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1;
const isTime = (value: unknown): boolean => {
  const test = formats['date-time']?.validate as ((text: string) => boolean) | undefined;
  return typeof value === 'string' && test?.(value) === true;
};

type Rules = readonly (readonly [key: string, fits: (value: unknown) => boolean, wanted: string])[];

const ofContent: Rules = [
  ['mimeType', isText, 'a string'],
  ['data', isBase64, 'base64'],
  ['title', isText, 'a string'],
  ['description', isText, 'a string'],
  ['size', value => typeof value === 'number', 'a number'],
  ['icons', Array.isArray, 'a list'],
  ['_meta', isMap, 'a map'],
  ['annotations', isMap, 'a map'],
];
const ofResource: Rules = [
  ['mimeType', isText, 'a string'],
  ['blob', isBase64, 'base64'],
  ['_meta', isMap, 'a map'],
];
const ofAnnotations: Rules = [
  ['audience', value => Array.isArray(value) && value.every(isRole), 'a list of "user" and "assistant"'],
  ['priority', isShare, 'a number from 0 to 1'],
  ['lastModified', isTime, 'a date and time such as 2025-01-12T15:00:58Z'],
];

/**
 * What is wrong with content whose type and main parts are right.
 *
 * @example findContentFault({ type: 'image', data: 'no base64', mimeType: 'image/png' }) // 'data must be base64'
 */
export function findContentFault(content: object): string | undefined {
  const { resource, annotations } = content as Readonly<Record<string, unknown>>;
  return (
    findBroken(content, ofContent, '') ??
    findBroken(resource, ofResource, 'resource.') ??
    findBroken(annotations, ofAnnotations, 'annotations.')
  );
}

function findBroken(value: unknown, rules: Rules, prefix: string): string | undefined {
  if (!isMap(value)) return undefined;
  for (const [key, fits, wanted] of rules) {
    if (value[key] !== undefined && !fits(value[key])) return `${prefix}${key} must be ${wanted}`;
  }
  return undefined;
}

/** As browsers read it: line breaks are allowed, and the end may be left off. */
function isBase64(value: unknown): boolean {
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(value)) return false;
  return value.length % 4 === 0 || value.replace(/[\s=]/g, '').length % 4 !== 1;
}
