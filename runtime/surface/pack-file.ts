// In: a path that a manifest names. Out: the bytes of that file now, never from outside the pack; bytes as contents of the protocol.

import type { ResourceContents } from '../../schema/support/mcp/content.js';
import { encodeBytes } from '../call/content.js';
import type { PackHost } from '../call/ports.js';
import { nodeFolder, normalizePath } from '../load/folder.js';
import { isTextType } from '../load/mime-type.js';

/** What one resource or message may hold; base64 adds a third to it. */
export const mostFileBytes = 16 * 1024 * 1024;

/**
 * Reads a file of a pack. Whatever is wrong is an Error whose message is meant for the operator; of a pack that is gone or
 * another one by now, a ToolError.
 */
export function readPackFile(
  { program, checkFiles, folder = nodeFolder(program.pack.folder) }: PackHost,
  path: string,
): Uint8Array {
  checkFiles?.();
  const inside = normalizePath(path);
  const status = inside === undefined ? 'outside' : folder.status(inside);
  if (inside === undefined || status !== 'file') throw new Error(`${path}: ${reasons[status]}`);
  const bytes = folder.read(inside, mostFileBytes);
  if (typeof bytes !== 'number') return bytes;
  throw new Error(`${path}: it has ${bytes} bytes, and the limit is ${mostFileBytes}`);
}

const reasons = {
  file: 'it cannot be read',
  folder: 'it is a folder, not a file',
  other: 'it is not a file',
  missing: 'there is no such file',
  outside: 'it is outside the pack',
} as const;

/** The text of bytes that are UTF-8, without a byte order mark. */
function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

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
