// What calling anything needs from both sides: the request of a client above, the code of a pack below. Types only.
// Nothing here knows a transport or the MCP SDK, so that tests, the registry and every protocol era use the same calls.

import type { Backends, Command, HttpRequest } from '../../schema/support/mcp/backends.js';
import type { Auth, Client, Log, Notify, Root } from '../../schema/support/mcp/client.js';
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import type { ToolContext } from '../../schema/support/mcp/context.js';
import type { Violation } from '../../schema/support/places.js';
import type { Folder } from '../load/folder.js';
import type { HandlerRef, Program, Prompt, Resource, Tool } from '../load/program.js';
import type { BoundParameters } from './bound-arguments.js';
import type { Gate } from './turns.js';

/** The levels of the protocol, from chatty to alarming. */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** What is needed of a signal to learn that a call is cancelled; every AbortSignal has it. */
export interface Cancellation {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: { handleEvent(): void }): void;
  removeEventListener(type: 'abort', listener: { handleEvent(): void }): void;
}

/** What one request brings: made by the SDK adapter for clients, by the registry for code. */
export interface Request {
  readonly id: string | number;
  /** Aborted when the client cancels or goes away. */
  readonly signal: AbortSignal;
  /** The same at less cost, where there is a way: a signal is only made for who asks for it. */
  readonly cancellation?: Cancellation | undefined;
  readonly client: Client;
  readonly auth: Auth | undefined;
  /** It came over HTTP, where the scopes of a tool count: nobody without them calls it, directly or through another tool. */
  readonly isRemote?: boolean | undefined;
  /** Whom a sealed state belongs to: subject and client id, else the session, else empty. */
  readonly principal: string;
  /** X8: the connection that it came over; undefined where it stands for itself, as in 2026-07-28. */
  readonly sessionId?: string | undefined;
  /** X11: of that connection. */
  readonly roots?: KeptRoots | undefined;
  /** X15: those that the server lets through, by names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** X15: `_meta` as the client sent it. Untrusted. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Answers as the client sent them with this round, by key. Untrusted. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** What an earlier round of the same call sealed. Untrusted. */
  readonly state: string | undefined;
  /** X9: what the calls around this one are in (`Gate` of turns.ts): it need not wait for them. */
  readonly held?: readonly Gate[] | undefined;
  /** T1: the task that it is a run of. */
  readonly task?: TaskRun | undefined;
  /** Nothing is run: the result says what would be. */
  readonly isDryRun?: boolean | undefined;
  /** How many `ctx.call` are around this one: nobody can be asked there. Absent for what a client sent. */
  readonly depth?: number | undefined;
  readonly notify: Notify;
  /** False where the client takes no logs at this level, or at all. */
  log(level: LogLevel, message: string, data?: unknown): boolean;
  /** Does nothing where the client did not ask. */
  progress(done: number, total?: number, message?: string): void;
}

/** T1: one run of a task, as far as the call needs it. No time limit of the tool holds for it; its signal is the run's. */
export interface TaskRun {
  readonly id: string;
  /** How often the handler has begun, with this time. */
  readonly attempt: number;
  /** What earlier runs were answered and have done. The runner of the task opens it with the call (`openToolJournal`) and adds to it. */
  readonly journal: SealedState;
  /**
   * Asked before each effect of `ctx.once`. False: another run has taken over, and this one must not go on: it hangs until its signal is
   * aborted. What it throws is what `ctx.once` throws.
   */
  mayBegin(): Promise<boolean>;
  /** Keeps what an effect gave (a list of one, or of none for nothing) before the handler sees it. Otherwise as above. */
  keep(key: string, kept: unknown): Promise<boolean>;
  /** For people: what the handler is doing. */
  note(text: string): void;
}

/** X11: the folders that a client named, kept until it says that they changed. */
export interface KeptRoots {
  /** As it came; undefined: nobody has asked, or they changed. */
  answer: unknown;
  /** The client was asked, and they have not changed since: its answer may be kept. */
  isAsked: boolean;
}

/** A question that only the client can answer. `params` are those of the protocol's request. */
export type Question =
  | { readonly kind: 'elicit'; readonly params: Readonly<Record<string, unknown>> }
  | { readonly kind: 'sample'; readonly params: Readonly<Record<string, unknown>> }
  | { readonly kind: 'roots' };

/** The questions that are open, and the sealed state that must come back with their answers. */
export interface Asking {
  readonly questions: Readonly<Record<string, Question>>;
  /** T1: empty in a run of a task. */
  readonly state: string;
}

/** A call is over, or it needs answers and is then run again from the top. */
export type Outcome<T> = { readonly result: T } | { readonly asking: Asking };

/** A call of a tool that is under way, or over. */
export type Calling = Promise<Outcome<CallToolResult>>;

/** Fills defaults into `value` and tells whether it fits; `errors` belong to the last run. */
export interface Validate {
  (value: unknown): boolean;
  errors?: readonly Violation[] | null | undefined;
}

export interface Validators {
  readonly input: Validate;
  readonly output?: Validate | undefined;
}

/** The values of `config:`, typed; a secret one is known to `redact`. */
export interface Settings {
  readonly values: Readonly<Record<string, unknown>>;
  /** A string without any secret value in it. */
  redact(text: string): string;
  /** Whether `redact` has anything to look for. */
  readonly hasSecrets?: boolean | undefined;
}

/** A pack whose code may run: everything is loaded on first use, once. */
export interface PackHost {
  readonly program: Program;
  /** Where files that definitions name are read; absent: the pack's folder on disk. */
  readonly folder?: Folder | undefined;
  /** Of a pack that may vanish or change: throws a ToolError where its files are no longer those that were loaded. */
  readonly checkFiles?: (() => void) | undefined;
  readonly settings: Settings;
  /** The export that a manifest names. Throws a HandlerProblem where there is none. */
  load(ref: HandlerRef): Promise<unknown>;
  /** Of a tool: the generated ones where they are of this very definition, else compiled now. */
  validators(tool: Tool): Promise<Validators>;
  /** What `context:` builds; undefined without one. A failure is retried on the next call. */
  app(): Promise<unknown>;
  /** Runs `initialize` of a tool once; concurrent calls share it, a failure is retried on the next call. */
  initialize(tool: Tool): Promise<void>;
  /** What does the work of an item without code, loaded with the first of them; absent where every item has code. */
  readonly work?: ((item: Tool | Prompt | Resource) => Promise<ItemWork>) | undefined;
  /** The same for handlers: the backends of the pack, and programs. */
  readonly items?: (() => Promise<BackendItems>) | undefined;
  /** X10: opens what runs handlers in threads, once; absent where there are none, or where what handlers share is the caller's. */
  readonly threads?: (() => Promise<Isolation>) | undefined;
  /** Disposes of what `context:` built. */
  close(): Promise<void>;
}

/** What does the work of an item without code. */
export interface ItemWork {
  /** What it gives, or a promise of it: what is there at once is not waited for. */
  run(args: unknown, call: CallScope): unknown;
  /** What would be sent or run, in lines, without secrets. Nothing is: an address that is not set stays a placeholder. */
  preview(args: unknown, call: Pick<CallScope, 'uri'>): string;
}

/** Everything that does work without code, of one pack. */
export interface BackendItems {
  work(item: Tool | Prompt | Resource): Promise<ItemWork>;
  /** What handlers have as `ctx.backends`. */
  clients(): Promise<MakeClients>;
  exec(command: Command, call: CallScope): Promise<unknown>;
  /** To an address that belongs to no backend. */
  request(request: HttpRequest, call: CallScope): Promise<unknown>;
  /** Ends connections and processes. */
  close(): Promise<void>;
}

/** Makes the clients of all backends for one call. */
export type MakeClients = (call: CallScope) => Backends;

/** One call, as far as backends need it. */
export interface CallScope {
  /** Of a resource: the address that was asked for. */
  readonly uri?: string | undefined;
  readonly signal: AbortSignal;
  /** The signal at less cost, where there is a way: to listen to one costs as much as the rest of a call to another server. */
  readonly cancellation?: Cancellation | undefined;
  readonly log: Log;
  readonly request: Request;
  progress(done: number, total?: number, message?: string): void;
}

/** X10: runs handlers of a pack in threads of their own, each of which has its own `ctx.app`. */
export interface Isolation {
  /** What the handler returns, shaped already (`ThreadResult`). */
  run(served: ServedTool, args: unknown, ctx: ToolContext): Promise<unknown>;
  /** Runs `initialize` of a tool in one of them. */
  initialize(tool: Tool): Promise<void>;
  close(): Promise<void>;
}

/** A tool as one server offers it. */
export interface ServedTool {
  readonly tool: Tool;
  /** The final wire name, after collisions are settled. */
  readonly name: string;
  readonly host: PackHost;
  /** The operator's settings, defaults filled in. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Given by code (`add`, inline tools) instead of a module. */
  readonly handler?: ((args: never, ctx: never) => unknown) | undefined;
  /** X2: no entry of the server's list has a condition that holds. */
  readonly isLeftOut?: boolean | undefined;
  /** X14: absent where callers choose all arguments. */
  readonly bound?: BoundParameters | undefined;
}

export interface ServedPrompt {
  readonly prompt: Prompt;
  readonly name: string;
  readonly host: PackHost;
  /** X2: no entry of the server's list has a condition that holds. */
  readonly isLeftOut?: boolean | undefined;
}

export interface ServedResource {
  readonly resource: Resource;
  readonly host: PackHost;
  /** X2: no entry of the server's list has a condition that holds. */
  readonly isLeftOut?: boolean | undefined;
}

/** Who wants to know what runs: it may have to say what blocked or ended the process. */
export interface RunningCalls {
  begin(name: string): void;
  end(name: string): void;
}

/** What calls of one server share. */
export interface CallServices {
  /** Of servers that are a process of their own. */
  readonly running?: RunningCalls | undefined;
  /** Seals and opens the state of questions. */
  readonly seal: Seal;
  /** On: JSON in a string is not repaired, but refused. */
  readonly strictArguments: boolean;
  /** On in dev, call and test: messages of unexpected errors reach the client. */
  readonly showCauses: boolean;
  /** C7: for clients that name no folders, from TOOLWRIGHT_ROOTS (`readRoots`). */
  readonly roots?: readonly Root[] | undefined;
  /** For the operator: one line or several, without a line break at the end. Secrets are already out. */
  report(text: string): void;
  /** Calls another tool of the same server by item or wire name, in the name of the same request. */
  call(tool: string, args: object, request: Request): Promise<CallToolResult>;
  /** A string with `{{tool:X}}` rendered to final wire names. */
  render(text: string): string;
}

/** What a state says once it is opened. */
export interface SealedState {
  /** Answers of earlier rounds, by key. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** Results of `ctx.once`, by key. */
  readonly once: Readonly<Record<string, unknown>>;
}

/** Whom and what a state belongs to; it opens only for the same. */
export interface StateOwner {
  readonly principal: string;
  /** `tool:get-issue`, `prompt:x`, `resource:uri`. */
  readonly subject: string;
  /** The arguments as they were sent. */
  readonly args: unknown;
  /** A destructive tool accepts a state once. */
  readonly single: boolean;
}

export interface Seal {
  close(state: SealedState, owner: StateOwner): string;
  /** Throws a ProtocolError (-32602) where it is not ours, expired, used or of another call. */
  open(sealed: string, owner: StateOwner): SealedState;
}
