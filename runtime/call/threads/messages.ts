// X10. What the main thread and a thread that runs handlers say to each other. Types only: what a structured clone carries. Either end
// calls the other: the main thread has handlers run, and these ask, call other tools and tell things through the main thread.
import type { ToolDefinition } from '../../../schema/definitions.js';
import type { Auth, Client } from '../../../schema/support/mcp/client.js';
import type { RequestInfo, TaskInfo } from '../../../schema/support/mcp/context.js';
import type { Program, Tool } from '../../load/program.js';
import type { Environment } from '../context/config.js';
import type { LogLevel } from '../ports.js';
import type { Shaped } from '../shape-result.js';
import type { CarriedError } from './errors.js';

/** The pack whose handlers a thread runs. */
export interface ThreadOrder {
  readonly pack: Omit<Program['pack'], 'at'>;
  /** Where `config:` is read from. */
  readonly env: Environment;
}

/** A tool as a thread has to know it. */
export interface ThreadTool {
  /** Of the tool, however many servers offer it under whatever names. */
  readonly id: number;
  readonly tool: Omit<Tool, 'at' | 'inputSite' | 'outputSite' | 'description' | 'inputSchema' | 'definition'> & {
    readonly definition: Pick<ToolDefinition, 'initialize' | 'errors' | 'tags' | 'result' | 'handler'>;
  };
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** The names that clients see of the tools that its errors mention. */
  readonly mentioned: Readonly<Record<string, string>>;
}

/** The part of a context that is data. */
export interface CallData {
  readonly client: Client;
  readonly auth: Auth | undefined;
  readonly requestId: string | number;
  readonly sessionId: string | undefined;
  readonly request: RequestInfo;
  /** T1: what a run of a task keeps, the main thread keeps. */
  readonly task?: Pick<TaskInfo, 'id' | 'attempt'> | undefined;
  /** The names for which `ctx.has` is true. */
  readonly has: readonly string[];
}

/** What the main thread has a thread do. */
export type Task =
  /** `known` comes with the first call of a tool in a thread. */
  | {
      readonly task: 'run';
      readonly tool: number;
      readonly known?: ThreadTool | undefined;
      readonly args: unknown;
      readonly data: CallData;
    }
  | { readonly task: 'initialize'; readonly tool: number; readonly known?: ThreadTool | undefined }
  /** The side effect that a handler gave to `ctx.once`. */
  | { readonly task: 'effect'; readonly effect: number };

/** What a handler has returned. */
export interface ThreadResult {
  readonly shaped: Shaped;
  /** Members that the output schema does not allow. */
  readonly removed?: readonly string[] | undefined;
}

/** What a handler needs the main thread for: these parts of its context. */
export interface Wish {
  /** The call that its handler runs in. */
  readonly of: number;
  readonly wish: 'elicit' | 'sample' | 'roots' | 'once' | 'call';
  readonly params: readonly unknown[];
}

export type Answer =
  | { readonly type: 'answer'; readonly call: number; readonly answer: unknown }
  | { readonly type: 'problem'; readonly call: number; readonly problem: CarriedError };

/** What a call says on its way. */
export type News =
  | {
      readonly type: 'log';
      readonly call: number;
      readonly level: LogLevel;
      readonly message: string;
      readonly data?: unknown;
    }
  | {
      readonly type: 'progress';
      readonly call: number;
      readonly done: number;
      readonly total?: number | undefined;
      readonly message?: string | undefined;
    }
  /** T1. */
  | { readonly type: 'note'; readonly call: number; readonly text: string };

export type ToThread =
  | { readonly type: 'call'; readonly call: number; readonly body: Task }
  | { readonly type: 'cancel'; readonly call: number; readonly reason: CarriedError }
  | Answer
  /** Answers what is under way, disposes of what was built. */
  | { readonly type: 'close' };

export type FromThread =
  /** Several at once: questions that are asked together. */
  | { readonly type: 'wishes'; readonly wishes: readonly (Wish & { readonly call: number })[] }
  | Answer
  /** The handler of a tool, for the first time. */
  | { readonly type: 'loaded'; readonly tool: number }
  /** That a call is cancelled. */
  | { readonly type: 'heard'; readonly call: number }
  | News
  | {
      readonly type: 'notify';
      readonly call: number;
      readonly what: 'toolsChanged' | 'promptsChanged' | 'resourcesChanged' | 'resourceUpdated';
      readonly uri?: string | undefined;
    }
  /** For the operator. */
  | { readonly type: 'report'; readonly text: string }
  /** What it had built is disposed of. */
  | { readonly type: 'closed' };
