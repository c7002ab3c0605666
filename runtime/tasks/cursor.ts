// In: the last task of a page. Out: the cursor of the next one, and back.
import { ProtocolError, protocolCodes } from '../call/protocol-error.js';
import { isTaskId } from './task-id.js';

export function closeCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

export function openCursor(cursor: string): string {
  const id = cursor.length > 100 ? '' : Buffer.from(cursor, 'base64url').toString('latin1');
  if (!isTaskId(id)) throw new ProtocolError(protocolCodes.invalidParams, 'Invalid cursor');
  return id;
}
