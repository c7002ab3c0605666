// In: bytes and what is known of their type. Out: contents in the protocol's shape: text where it is text, else base64.
import type { ResourceContents } from '../../schema/support/mcp/content.js';
import { encodeBytes } from '../call/content.js';
import { isTextType } from '../load/mime-type.js';
import { decodeText } from './pack-file.js';

const unknownBytes = 'application/octet-stream';

/**
 * Bytes of a type of text are text if they are UTF-8. Of an unknown type: `textType` if they are UTF-8 and it is given.
 *
 * @example contentsOfBytes('doc://a', bytes, 'text/markdown') // { uri: 'doc://a', mimeType: 'text/markdown', text: ... }
 */
export function contentsOfBytes(
  uri: string,
  bytes: Uint8Array,
  mimeType: string | undefined,
  textType?: string,
): ResourceContents {
  const type = mimeType ?? textType;
  const text = type === undefined || !isTextType(type) ? undefined : decodeText(bytes);
  if (text !== undefined) return { uri, mimeType: type, text };
  return { uri, mimeType: mimeType ?? unknownBytes, blob: encodeBytes(bytes) };
}
