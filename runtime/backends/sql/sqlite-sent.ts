// In: a statement of SQLite with its limits. Out: the same as JSON has it, as sessions take it.
import type { Bind, Limits, Statement } from './database.js';
import type { SentBind, SentStatement } from './sqlite-session.js';
import { isSetting } from './sqlite-settings.js';

export function toSend(
  { text, head, binds }: Statement,
  { rows, bytes }: Limits,
  isRead: boolean,
  isOneRow = false,
): SentStatement {
  return { text, binds: binds.map(sentBind), isRead, isSetting: isSetting(head), isOneRow, rows, bytes };
}

export function sentBind(bind: Bind): SentBind {
  if (typeof bind === 'bigint') return { i: String(bind) };
  if (bind instanceof Uint8Array) return { b: Buffer.from(bind).toString('base64') };
  if (typeof bind === 'string' || typeof bind === 'number' || bind === null) return bind;
  return typeof bind === 'boolean' ? Number(bind) : JSON.stringify(bind);
}
