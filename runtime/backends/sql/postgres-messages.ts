// B2. What PostgreSQL is sent: a statement with its values, and the statements around it, as one piece of the protocol, since `pg` writes each of
// its messages by itself. In: text and binds. Out: bytes.
import type { Bind, Statement } from './database.js';

/** Statements that go in the same piece, ready to be sent. After one that fails none is run. */
export interface Around {
  readonly before: Uint8Array;
  /** How many there are before. */
  readonly count: number;
  readonly after: Uint8Array;
}

/** They answer with no rows. */
export function makeAround(before: readonly string[], after: readonly string[]): Around {
  const join = (texts: readonly string[], end: readonly Uint8Array[]): Uint8Array =>
    Buffer.concat([...texts.flatMap(text => [message('P', `\0${text}\0\0\0`), bindNothing, executeAll]), ...end]);
  return { before: join(before, []), count: before.length, after: join(after, [message('S', '')]) };
}

/** A letter, how long it is, and what it says. */
function message(kind: string, body: string): Uint8Array {
  const bytes = Buffer.from(`${kind}\0\0\0\0${body}`);
  bytes.writeUInt32BE(bytes.length - 1, 1);
  return bytes;
}

/** No name, no values, all rows. */
const bindNothing = message('B', '\0'.repeat(8));
const executeAll = message('E', '\0'.repeat(5));
const describe = message('D', 'P\0');
const executeBytes = executeAll.length;

/** Parse, Bind, Describe and Execute, without names, for at most so many rows. */
export function wholeMessage({ text, binds }: Statement, { before, after }: Around, rows: number): Uint8Array {
  const values = binds.map(toSend);
  const textBytes = Buffer.byteLength(text);
  const parseBytes = 9 + textBytes;
  let bindBytes = 13;
  for (const value of values) bindBytes += 6 + lengthOf(value);
  const all = before.length + parseBytes + bindBytes + describe.length + executeBytes + after.length;
  const bytes = Buffer.allocUnsafe(all);
  bytes.set(before);
  let at = before.length;
  const head = (kind: number, length: number): void => {
    at = bytes.writeUInt8(kind, at);
    at = bytes.writeUInt32BE(length - 1, at);
  };

  head(0x50, parseBytes);
  at = bytes.writeUInt8(0, at);
  at += bytes.write(text, at);
  // The end of the text, and no types.
  at = bytes.writeUIntBE(0, at, 3);

  head(0x42, bindBytes);
  at = bytes.writeUInt16BE(0, at);
  at = bytes.writeUInt16BE(values.length, at);
  for (const value of values) at = bytes.writeUInt16BE(value instanceof Uint8Array ? 1 : 0, at);
  at = bytes.writeUInt16BE(values.length, at);
  for (const value of values) {
    at = bytes.writeInt32BE(value === null ? -1 : lengthOf(value), at);
    if (typeof value === 'string') at += bytes.write(value, at);
    else if (value !== null) {
      bytes.set(value, at);
      at += value.length;
    }
  }
  // The rows come as text.
  at = bytes.writeUInt16BE(0, at);

  bytes.set(describe, at);
  at += describe.length;
  head(0x45, executeBytes);
  at = bytes.writeUInt8(0, at);
  at = bytes.writeUInt32BE(rows, at);
  bytes.set(after, at);
  return bytes;
}

type Sent = string | Uint8Array | null;

function lengthOf(value: Sent): number {
  return value === null ? 0 : typeof value === 'string' ? Buffer.byteLength(value) : value.length;
}

function toSend(bind: Bind): Sent {
  if (bind === null || typeof bind === 'string' || bind instanceof Uint8Array) return bind;
  return Array.isArray(bind) ? printArray(bind) : String(bind);
}

/** @example printArray([1, 'a "b"', null]) // {"1","a \"b\"",NULL} */
function printArray(elements: readonly unknown[]): string {
  return `{${elements.map(printElement).join(',')}}`;
}

function printElement(element: unknown): string {
  if (element === null || element === undefined) return 'NULL';
  if (Array.isArray(element)) return printArray(element);
  const text =
    element instanceof Uint8Array
      ? `\\x${Buffer.from(element.buffer, element.byteOffset, element.byteLength).toString('hex')}`
      : String(element);
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
