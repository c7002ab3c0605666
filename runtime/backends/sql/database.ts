// What a database is to the rest of the sql backend, whichever it is. Types only.

import type { Cancellation } from '../../call/ports.js';

/** Ready to be sent: every value is bound by its position. */
export interface Statement {
  readonly text: string;
  readonly binds: readonly Bind[];
  /** How it begins: words and signs in capitals. */
  readonly head: readonly string[];
}

export type Bind = string | number | bigint | boolean | null | Uint8Array | readonly unknown[];

export interface Limits {
  /** The most rows and bytes of an answer; more is a TooLarge. */
  readonly rows: number;
  readonly bytes: number;
  readonly timeoutMs: number;
}

export interface Run extends Limits {
  /** It must not write. */
  readonly isRead: boolean;
  readonly signal: Cancellation;
}

export type Row = Readonly<Record<string, unknown>>;

export interface Answer {
  /** Undefined where the driver does not tell. */
  readonly columns?: readonly string[] | undefined;
  readonly rows: readonly Row[];
  /** Rows changed; of a statement that only reads, rows read. */
  readonly count: number;
}

export interface Database {
  /** A read that is surely short, at once; undefined: it is for `query`, which also has the better words for what is wrong with it. */
  readNow?(statement: Statement, limits: Limits): Answer | undefined;
  /** Fails with a DatabaseError, with what a driver throws, or with the reason of the signal. */
  query(statement: Statement, run: Run): Promise<Answer>;
  close(): Promise<void>;
}

/** What is known about a failure before it gets a name for clients. */
export class DatabaseError extends Error {
  constructor(
    readonly kind: 'answered' | 'timeout' | 'rows' | 'bytes' | 'broken' | 'unsure' | 'no-file' | 'wal' | 'closed',
    message: string,
    /** SQLSTATE, or a name such as SQLITE_BUSY. */
    readonly code?: string | undefined,
  ) {
    super(message);
  }
}
