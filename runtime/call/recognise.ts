// In: a value that a handler returned. Out: which of the protocol's shapes it has, told by its properties alone.

import { types } from 'node:util';
import { isMap } from '../../schema/document.js';
import type { Bytes, CallToolResult, Content } from '../../schema/support/mcp/content.js';
import { isBuilt } from './content.js';
import type { OutputMembers } from './output-members.js';

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
