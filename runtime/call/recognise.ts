// In: a value that a handler returned. Out: which of the protocol's shapes it has, told by its properties alone.
import { types } from 'node:util';
import type { Bytes, CallToolResult, Content } from '../../schema/support-content.js';
import { isBuilt } from './content.js';

type Properties = Readonly<Record<string, unknown>>;

const isText = (value: unknown): boolean => typeof value === 'string';
const isMap = (value: unknown): value is Properties =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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

const resultKeys: ReadonlySet<string> = new Set(['content', 'structuredContent', 'isError', '_meta']);

/**
 * Whether a value is a whole result of the protocol: its content is content. Without any, only if it has nothing else.
 *
 * @example isResult({ content: [{ type: 'text', text: 'No such issue' }], isError: true }) // true
 */
export function isResult(value: unknown): value is CallToolResult {
  if (!isMap(value) || !Array.isArray(value['content'])) return false;
  if (value['content'].length > 0) return value['content'].every(isContent);
  return Object.keys(value).every(key => resultKeys.has(key));
}

/** Whether a value is bytes with their type. */
export function isTypedBytes(value: unknown): value is Bytes {
  return isMap(value) && isText(value['mimeType']) && isBytes(value['data']);
}

/** Whether a value is nothing but bytes. */
export function isBytes(value: unknown): value is Uint8Array | ArrayBuffer {
  return types.isUint8Array(value) || types.isAnyArrayBuffer(value);
}
