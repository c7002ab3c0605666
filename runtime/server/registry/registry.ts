/// <reference lib="esnext.disposable" preserve="true" />
// Tools in the same process, without MCP. Types only: create-registry.ts makes one.
import type { JsonSchema } from '../../../schema/definitions.js';
import type { Auth, ElicitAnswer, Root, SampleContent } from '../../../schema/support/mcp/client.js';
import type { CallToolResult, Content } from '../../../schema/support/mcp/content.js';
import type { LogLevel } from '../../call/ports.js';
import type { AiSdkTool } from './ai-sdk.js';
import type { AnthropicTool, OpenAiResponsesTool, OpenAiTool } from './provider-tools.js';

/** A tool as MCP clients see it, and the item that it comes from. */
export interface ToolEntry {
  readonly name: string;
  readonly item: string;
  readonly title?: string | undefined;
  /** With guidelines, as the model reads it. */
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema | undefined;
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Why a call gave nothing: what a ToolError says, or what the runtime found wrong.
 *
 * @example if (!result.ok && result.error.retryable) await wait(1000);
 */
export interface CallError {
  readonly message: string;
  /** Of the tool, or of the runtime: BAD_ARGUMENTS, UNKNOWN_TOOL, UNEXPECTED_ERROR, UNANSWERED, CANCELLED, ... */
  readonly code: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly suggestedFix: string | null;
  readonly meta: Readonly<Record<string, unknown>>;
}

/**
 * What became of a call.
 *
 * @example
 * const result = await registry.invoke('get-issue', { issueKey: 'PROJ-1' });
 * console.log(result.ok ? result.value : result.error.message);
 */
export type InvokeResult =
  | {
      readonly ok: true;
      /** The structured data, else the text, else the content; undefined where the tool gave nothing. */
      readonly value: unknown;
      readonly content: readonly Content[];
      readonly result: CallToolResult;
    }
  | {
      readonly ok: false;
      readonly error: CallError;
      /** As an MCP client would get it; absent where the tool was never reached. */
      readonly result?: CallToolResult | undefined;
    };

/** Whether arguments fit a tool; where they do, with defaults filled in. */
export type ValidateResult =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: CallError };

/** What a callback knows about the question that it answers. */
export interface QuestionInfo {
  /** The key that the handler gave the question. */
  readonly key: string;
  readonly tool: string;
  readonly signal: AbortSignal;
}

/** Parameters of the protocol's request: `message`, `requestedSchema`, `messages`, `maxTokens`, ... */
export type QuestionParams = Readonly<Record<string, unknown>>;

/** What a model said: its text, or a whole answer of the protocol. */
export type SampleReply =
  | string
  | {
      readonly content: SampleContent | readonly SampleContent[];
      readonly model?: string | undefined;
      readonly stopReason?: string | undefined;
    };

/**
 * What a call may bring. A handler that asks is answered by the callbacks; without one the capability is absent, as
 * with a client that lacks it.
 *
 * @example await registry.invoke('order', { size: 'M' }, { elicit: async () => ({ action: 'accept', content: {} }) });
 */
export interface InvokeOptions {
  readonly signal?: AbortSignal | undefined;
  readonly auth?: Auth | undefined;
  /** `ctx.requestId`; a number of its own where absent. */
  readonly requestId?: string | number | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly onLog?: ((entry: LogEntry) => void) | undefined;
  readonly elicit?: ((params: QuestionParams, info: QuestionInfo) => ElicitAnswer | Promise<ElicitAnswer>) | undefined;
  readonly sample?: ((params: QuestionParams, info: QuestionInfo) => SampleReply | Promise<SampleReply>) | undefined;
  readonly roots?: readonly Root[] | ((info: QuestionInfo) => readonly Root[] | Promise<readonly Root[]>) | undefined;
}

export interface Progress {
  readonly done: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * The tools of a pack, callable from the same process, and their definitions for model providers. All of it comes
 * from the program that the MCP server serves, so that schemas and texts are the same everywhere.
 */
export interface Registry {
  /** In the order of the server. */
  list(): readonly ToolEntry[];
  /**
   * Checks arguments as a call would, without calling.
   *
   * @example const { ok } = await registry.validate('get-issue', { issueKey: 'PROJ-1' });
   */
  validate(name: string, args?: unknown): Promise<ValidateResult>;
  /**
   * Calls a tool. Never throws, whatever the tool does and whatever the arguments are. `name` is what MCP clients
   * see, what a provider was given, or the item.
   *
   * A tool with `task` runs as a task that lasts as long as the call: it has no time limit, and its notes come to `onProgress`. Nothing of
   * it is kept.
   *
   * @example const result = await registry.invoke('get-issue', { issueKey: 'PROJ-1' });
   */
  invoke(name: string, args?: unknown, options?: InvokeOptions): Promise<InvokeResult>;
  /**
   * What MCP clients call a tool that a provider calls `name`; undefined where there is none.
   *
   * @example registry.toolName('jira_search') // 'jira.search'
   */
  toolName(name: string): string | undefined;
  /**
   * Definitions for the Messages API of Anthropic.
   *
   * @example await anthropic.messages.create({ model, max_tokens, messages, tools: registry.anthropic() });
   */
  anthropic(): AnthropicTool[];
  /**
   * Definitions for the Chat Completions API of OpenAI.
   *
   * @example await openai.chat.completions.create({ model, messages, tools: registry.openai() });
   */
  openai(): OpenAiTool[];
  /**
   * Definitions for the Responses API of OpenAI.
   *
   * @example await openai.responses.create({ model, input, tools: registry.openaiResponses() });
   */
  openaiResponses(): OpenAiResponsesTool[];
  /**
   * Tools for the Vercel AI SDK (version 5 and later), which calls them itself. `options` go to every call.
   *
   * @example await generateText({ model, prompt, tools: registry.aiSdk() });
   */
  aiSdk(options?: Omit<InvokeOptions, 'signal' | 'requestId'>): Record<string, AiSdkTool>;
  /** Disposes of what the pack has built. Calls after it give an error. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
