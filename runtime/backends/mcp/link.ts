// What a connection needs of a way to another server, be it a process or an address. Types only.
import type { CallScope } from '../ports.js';
import type { Message, Params, ServerFacts } from './wire.js';

/** Whom a request is sent for: their token, where the backend wants it. */
export type Sender = Pick<CallScope, 'request'>;

/** A message on its way. `text` is all of it; the rest is for ways that repeat parts of it in headers. */
export interface Outgoing {
  readonly text: string;
  /** Of a request; absent for notifications and answers. */
  readonly id?: number | undefined;
  readonly method?: string | undefined;
  readonly params?: Params | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Undefined: the connection itself sends it. */
  readonly sender?: Sender | undefined;
  /** It is answered when it ends, if at all: a stream of news. */
  readonly isListening?: boolean | undefined;
}

export interface Link {
  send(message: Outgoing): void;
  /** Nobody waits for the answer any more. True: the other side learns of it without a message. */
  drop(id: number): boolean;
  /** What the server said about itself, once that is known. */
  settle(facts: ServerFacts): void;
  close(): Promise<void>;
}

export interface LinkEvents {
  /** `of`: the request that it was sent with, where the way tells. */
  message(message: Message, of?: number): void;
  /** This request has no answer, and the others go on. */
  failed(id: number, failure: unknown): void;
  /** Nothing more will come. Requests in `unsent` never left. */
  gone(failure: unknown, unsent: ReadonlySet<number>): void;
}

/** A request that never left, because its connection ended before: another one may take it. */
export class NeverSent extends Error {
  override readonly name = 'NeverSent';
}
