// In: whatever the handler of a resource returned. Out: contents in the protocol's shape (J80); undefined for nothing.
import { isMap } from '../../schema/document.js';
import type { ResourceContents } from '../../schema/support-content.js';
import { isPlainJson, salvage } from '../call/plain-json.js';
import type { Redaction } from '../call/redact.js';
import { isJsonType } from './mime-type.js';
import { contentsOfBytes } from './resource-bytes.js';

/** What is known before the handler runs. */
export interface Asked {
  readonly uri: string;
  /** Of the definition. */
  readonly mimeType: string | undefined;
  readonly redaction: Redaction | undefined;
}

export function toContents(value: unknown, asked: Asked): readonly ResourceContents[] | undefined {
  const { uri, mimeType } = asked;
  if (value === undefined || value === null) return undefined;
  const list = contentsList(value, asked);
  if (list !== undefined) return list.map(contents => redacted(contents, asked));
  const bytes = bytesOf(value);
  if (bytes !== undefined) return [redacted(contentsOfBytes(uri, bytes, mimeType), asked)];
  if (isTyped(value)) {
    const typed = bytesOf(value.data);
    if (typed !== undefined) return [redacted(contentsOfBytes(uri, typed, value.mimeType), asked)];
    if (typeof value.data === 'string') return [redacted({ uri, mimeType: value.mimeType, text: value.data }, asked)];
  }
  if (typeof value === 'object') {
    return [redacted({ uri, mimeType: mimeType ?? 'application/json', text: JSON.stringify(value) ?? 'null' }, asked)];
  }
  if (typeof value === 'function' || typeof value === 'symbol') throw new Error(`it returned a ${typeof value}`);
  return [redacted({ uri, mimeType: mimeType ?? 'text/plain', text: String(value) }, asked)];
}

/** Contents, a list of them, or a whole result. An empty list of data is data where the resource is JSON. */
function contentsList(value: unknown, { mimeType }: Asked): readonly ResourceContents[] | undefined {
  const given =
    isMap(value) && Object.keys(value).length === 1 && Array.isArray(value['contents']) ? value['contents'] : value;
  if (!Array.isArray(given)) return isContents(given) ? [toPlain(given)] : undefined;
  if (given.length === 0 && given === value && mimeType !== undefined && isJsonType(mimeType)) return undefined;
  return given.every(isContents) ? given.map(toPlain) : undefined;
}

const contentsKeys = ['uri', 'mimeType', 'text', 'blob', '_meta'];

/** Nothing but what contents have: an object with a `uri` and a `text` among other things is data. */
function isContents(value: unknown): value is ResourceContents {
  if (!isMap(value) || typeof value['uri'] !== 'string') return false;
  if ((typeof value['text'] === 'string') === (typeof value['blob'] === 'string')) return false;
  return Object.keys(value).every(key => contentsKeys.includes(key));
}

/** `_meta` may hold anything. */
function toPlain(contents: ResourceContents): ResourceContents {
  return isPlainJson(contents) ? contents : (salvage(contents) as ResourceContents);
}

function isTyped(value: unknown): value is { readonly data: unknown; readonly mimeType: string } {
  return (
    isMap(value) &&
    typeof value['mimeType'] === 'string' &&
    Object.hasOwn(value, 'data') &&
    Object.keys(value).length === 2
  );
}

function bytesOf(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : undefined;
}

/** Without secrets; base64 is left as it is. */
function redacted(contents: ResourceContents, { redaction }: Asked): ResourceContents {
  if (redaction === undefined) return contents;
  const { blob, ...parts } = contents;
  const shown = redaction.value(parts) as ResourceContents;
  return blob === undefined ? shown : { ...shown, blob };
}
