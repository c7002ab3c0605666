// In: whatever the handler of a resource returned. Out: contents in the protocol's shape (J80); undefined for nothing.
// What cannot be contents is an Error for the author.
import { isMap } from '../../schema/document.js';
import type { Content, ResourceContents } from '../../schema/support/mcp/content.js';
import { isBuilt } from '../call/content.js';
import { isPlainJson, salvage } from '../call/plain-json.js';
import { isBytes, typedBytesOf } from '../call/recognise.js';
import type { Redaction } from '../call/redact.js';
import { isOpaque, isStream, toJson } from '../call/to-json.js';
import { isJsonType } from '../load/mime-type.js';
import { contentsOfBytes } from './resource-bytes.js';

/** What is known before the handler runs. */
export interface Asked {
  readonly uri: string;
  /** Of the definition. */
  readonly mimeType: string | undefined;
  readonly redaction: Redaction | undefined;
}

export function toContents(value: unknown, asked: Asked): readonly ResourceContents[] | undefined {
  if (value === undefined || value === null) return undefined;
  const list = readList(value, asked) ?? [readOne(value, asked)];
  return list.map(contents => redact(contents, asked));
}

/** Contents, a list of them, or a whole result; undefined where it is something else. */
function readList(value: unknown, asked: Asked): readonly ResourceContents[] | undefined {
  const whole = isMap(value) && Object.keys(value).length === 1 ? value['contents'] : undefined;
  const given = Array.isArray(whole) ? whole : value;
  if (!Array.isArray(given)) return undefined;
  // Data that happens to be empty today is still data.
  if (given.length === 0 && given === value && asked.mimeType !== undefined && isJsonType(asked.mimeType)) {
    return undefined;
  }
  return given.every(one => isContents(one) || isBuilt(one)) ? given.map(one => readOne(one, asked)) : undefined;
}

function readOne(value: unknown, asked: Asked): ResourceContents {
  const { uri, mimeType } = asked;
  if (isBuilt(value)) return readContent(value, asked);
  // `_meta` may hold anything.
  if (isContents(value)) return isPlainJson(value) ? value : (salvage(value) as ResourceContents);
  if (isBytes(value)) return contentsOfBytes(uri, ArrayBuffer.isView(value) ? value : new Uint8Array(value), mimeType);
  const typed = typedBytesOf(value);
  if (typed !== undefined) return contentsOfBytes(uri, typed.data, typed.mimeType);
  if (typeof value === 'object' && value !== null) {
    if (isOpaque(value) || isStream(value))
      throw new Error(`it returned a ${value.constructor?.name ?? 'object'} that shows nothing`);
    if (isTypedText(value)) return { uri, mimeType: value.mimeType, text: value.data };
    return { uri, mimeType: mimeType ?? 'application/json', text: toJson(value)?.text ?? 'null' };
  }
  if (typeof value === 'function' || typeof value === 'symbol') throw new Error(`it returned a ${typeof value}`);
  return { uri, mimeType: mimeType ?? 'text/plain', text: String(value) };
}

/** What the builders make. */
function readContent(content: Content, { uri, mimeType }: Asked): ResourceContents {
  switch (content.type) {
    case 'text':
      return { uri, mimeType: mimeType ?? 'text/plain', text: content.text };
    case 'image':
    case 'audio':
      return { uri, mimeType: content.mimeType, blob: content.data };
    case 'resource':
      return content.resource;
    case 'resource_link':
      throw new Error('it returned a link, and a link holds nothing');
    default:
      return content satisfies never;
  }
}

const contentsKeys = ['uri', 'mimeType', 'text', 'blob', '_meta'];

/** Nothing but what contents have: an object with a `uri` and a `text` among other things is data. */
function isContents(value: unknown): value is ResourceContents {
  if (!isMap(value) || typeof value['uri'] !== 'string') return false;
  if ((typeof value['text'] === 'string') === (typeof value['blob'] === 'string')) return false;
  return Object.keys(value).every(key => contentsKeys.includes(key));
}

function isTypedText(value: object): value is { readonly data: string; readonly mimeType: string } {
  const { data, mimeType, ...others } = value as Readonly<Record<string, unknown>>;
  return typeof data === 'string' && typeof mimeType === 'string' && Object.keys(others).length === 0;
}

/** Without secrets, also in bytes. */
function redact(contents: ResourceContents, { redaction }: Asked): ResourceContents {
  if (redaction === undefined) return contents;
  const { blob, ...parts } = contents;
  const shown = redaction.value(parts) as ResourceContents;
  return blob === undefined ? shown : { ...shown, blob: redaction.base64(blob) };
}
