// What our own protocol code needs of the rest, which it loads when it is needed and not before. Types only.
import type { Notify } from '../../schema/support/mcp/client.js';
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import type { Asking, KeptRoots, LogLevel, Request } from '../call/ports.js';
import type { Change } from '../surface/surface.js';
import type { Era } from './handshake.js';
import type { TaskPort } from './task-port.js';

export type MessageId = string | number;

/** A message as it came: an object of JSON-RPC whose form was looked at already. */
export type Message = Readonly<Record<string, unknown>>;

/** The error of an answer. */
export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** What a call came to, in the shape that clients of its era get. */
export type CallAnswer =
  | { readonly result: CallToolResult }
  /** In 2026-07-28 the questions are the result; in 2025 each is a request to the client, after which the call is made again. */
  | { readonly asking: Asking }
  | { readonly error: WireError };

/** Plain calls of tools: our own `call`, without the SDK. */
export interface CallPort {
  /** Never fails: whatever goes wrong is an answer. */
  callTool(name: string, args: unknown, request: Request, era: Era): Promise<CallAnswer>;
  /** T1: absent where no tool runs as a task. Loaded with the first request for a task. */
  readonly tasks?: (() => Promise<TaskPort>) | undefined;
  /** What handlers may announce. */
  readonly notify: Notify;
}

/** What our own code and the SDK must agree on, in a connection of 2025. */
export interface Session {
  /** Undefined where each request has a connection of its own. */
  readonly id: string | undefined;
  /** As the client set it; undefined: all. */
  logLevel: LogLevel | undefined;
  readonly roots: KeptRoots;
  /** T1: what the handshake said of tasks; undefined: nothing, as in revisions before 2025-11-25. */
  tasks: TaskOffer | undefined;
}

/** T1. */
export interface TaskOffer {
  /** Callers can be told apart, so that each may list its own. */
  readonly canList: boolean;
}

/** The way back from the SDK to the client. */
export interface SdkWire {
  readonly session: Session;
  /** A message for the client: an answer, a question or a notification. */
  send(message: Message): void;
}

/** The SDK at the other end of a pipe that exists only in our heads. */
export interface SdkPort {
  receive(message: Message): void;
  announce(change: Change): void;
  /** Ends the connection: listeners get their last answer, calls are aborted. */
  close(): Promise<void>;
}

/** Loaded with the first call. */
export type LoadCalls = () => Promise<CallPort>;
/** Loaded with the first message that only the SDK knows, and after the first answer was written. */
export type LoadSdk = (wire: SdkWire) => Promise<SdkPort>;
