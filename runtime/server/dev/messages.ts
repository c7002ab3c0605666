// What the process that clients talk to and the process that runs handlers say to each other. Types only: plain JSON, which
// the channel between them carries.
import type { CacheHints, JsonSchema, ServerDefinition, ToolDefinition } from '../../../schema/definitions.js';
import type { Diagnostic } from '../../../schema/diagnostics.js';
import type { KeptRoots, Request, TaskRun } from '../../call/ports.js';
import type { News } from '../../call/threads/messages.js';
import type { Wire } from '../../packs/list-entries.js';
import type { Change, ListName, ServerInfo } from '../../surface/surface.js';

/** Everything that clients get to know without running anything. */
export interface Snapshot {
  readonly info: ServerInfo;
  readonly instructions: string;
  readonly cache?: CacheHints | undefined;
  readonly pageSize?: number | undefined;
  readonly requestHeaders: readonly string[];
  readonly listsByCode: boolean;
  readonly hasRoutes: boolean;
  readonly lists: Readonly<Record<ListName, readonly Wire[]>>;
  /** C6: by wire name, input schemas for clients that cannot ask, where these differ. */
  readonly relayed: Readonly<Record<string, JsonSchema>>;
  /** By wire name, of tools that have some. */
  readonly scopes: Readonly<Record<string, readonly string[]>>;
  /** T1: by wire name, what decides how a tool runs as a task; of those that do. */
  readonly tasks: Readonly<Record<string, Pick<ToolDefinition, 'task' | 'effect' | 'annotations' | 'confirm'>>>;
  /** Addresses and templates of resources that allow subscriptions. */
  readonly watchable: readonly string[];
}

/** Mistakes, and the folders whose files may be shown with them. Files are relative to where the command was started. */
export interface Findings {
  readonly diagnostics: readonly Diagnostic[];
  readonly folders: readonly string[];
}

/** A pack whose files matter. */
export interface WatchedPack {
  readonly folder: string;
  readonly root: string;
  readonly handlers: string;
  /** Folders that are written, never by an author. */
  readonly outputs: readonly string[];
  /** Files that definitions name: texts, schemas, images. */
  readonly files: readonly string[];
  /** Modules that manifests name, whether they are there or not; undefined while nobody knows. */
  readonly modules?: readonly string[];
}

/** The packs are loaded, nothing of them has run. */
export interface Opened extends Findings {
  readonly packs: readonly WatchedPack[];
  /** Which server was chosen, where nobody named one of several. */
  readonly note?: string | undefined;
}

/** It answers calls now. */
export interface Ready extends Opened {
  readonly snapshot: Snapshot;
  readonly definition: Pick<ServerDefinition, 'transport' | 'http' | 'auth'>;
}

/** It cannot be served; the process ends. */
export interface Failure extends Opened {
  readonly failed: true;
  /** Where there is more to say than the diagnostics. */
  readonly message?: string | undefined;
  /** The command line asks for something that does not exist. */
  readonly isUsage?: boolean | undefined;
}

/** The calls of a surface that run code. */
export type Method = 'callTool' | 'getPrompt' | 'readResource' | 'complete' | 'listResources' | 'route';

/** The part of a Request that is data. */
export type RequestData = Pick<
  Request,
  'id' | 'client' | 'auth' | 'isRemote' | 'principal' | 'sessionId' | 'roots' | 'headers' | 'meta' | 'answers' | 'state'
> & {
  /** T1: the tasks are with the process that stays. */
  readonly task?: Pick<TaskRun, 'id' | 'attempt' | 'journal'> | undefined;
};

export type ToWorker =
  | { readonly type: 'open'; readonly order: unknown }
  /** `initialize` may run. */
  | { readonly type: 'go' }
  | {
      readonly type: 'call';
      readonly call: number;
      readonly method: Method;
      readonly params: readonly unknown[];
      readonly request: RequestData;
    }
  | { readonly type: 'cancel'; readonly call: number }
  | Told
  /** Answers what is under way, disposes of what was built, ends. */
  | { readonly type: 'close' };

export type FromWorker =
  | { readonly type: 'opened'; readonly opened: Opened }
  | { readonly type: 'ready'; readonly ready: Ready }
  | { readonly type: 'failed'; readonly failure: Failure }
  | {
      readonly type: 'answer';
      readonly call: number;
      readonly answer: unknown;
      /** As the call has left them. */
      readonly roots?: KeptRoots | undefined;
    }
  | { readonly type: 'problem'; readonly call: number; readonly problem: ProblemData }
  | News
  | { readonly type: 'step'; readonly step: number; readonly call: number; readonly kept?: Kept | undefined }
  | { readonly type: 'change'; readonly change: Change };

/** T1: what a step of `ctx.once` gave. Without it the step asks whether it may begin. */
export interface Kept {
  readonly key: string;
  readonly value: unknown;
}

/** T1: whether the run of a task may go on, or why nobody knows. */
export type Told =
  | { readonly type: 'told'; readonly step: number; readonly mayGoOn: boolean }
  | { readonly type: 'told'; readonly step: number; readonly problem: string };

/** What was thrown instead of an answer: a protocol error, or something that nobody foresaw (without a code). */
export interface ProblemData {
  readonly message: string;
  readonly code?: number | undefined;
  readonly data?: unknown;
  /** Of a resource that does not exist: older revisions have their own code for it. */
  readonly uri?: string | undefined;
}
