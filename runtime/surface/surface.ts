// What one server offers its clients, in the protocol's shapes but without its SDK. Types only: create-surface.ts makes one.

import type { CacheHints, JsonSchema } from '../../schema/definitions.js';
import type { Auth } from '../../schema/support/mcp/client.js';
import type { CallToolResult, ResourceContents } from '../../schema/support/mcp/content.js';
import type { Change } from '../call/notify-of.js';
import type { CallServices, Outcome, Request, ServedPrompt, ServedResource, ServedTool } from '../call/ports.js';
import type { Wire } from '../packs/list-entries.js';
import type { Tasks } from '../tasks/tasks.js';

export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly websiteUrl?: string | undefined;
  readonly icons?: readonly Wire[] | undefined;
}

export type ListName = 'tools' | 'prompts' | 'resources' | 'resourceTemplates';

export interface Page {
  readonly entries: readonly Wire[];
  readonly nextCursor?: string | undefined;
}

export interface PromptAnswer {
  readonly description?: string | undefined;
  readonly messages: readonly Wire[];
  readonly _meta?: Wire | undefined;
}

export interface ResourceAnswer {
  readonly contents: readonly ResourceContents[];
  /** Of the resource, where its definition has some. */
  readonly cache?: CacheHints | undefined;
}

export interface CompletionQuery {
  readonly ref:
    | { readonly type: 'ref/prompt'; readonly name: string }
    | { readonly type: 'ref/resource'; readonly uri: string };
  readonly argument: { readonly name: string; readonly value: string };
  /** The other arguments that the user has filled in. */
  readonly context: Readonly<Record<string, string>>;
}

export interface Completion {
  readonly values: readonly string[];
  readonly total: number;
  readonly hasMore: boolean;
}

/** HTTP beside the endpoint, by the author's own code. Undefined: there is nothing at this address. */
export type Route = (request: globalThis.Request, auth: Auth | undefined) => Promise<Response | undefined>;

export type { Change };

export interface Surface {
  /** Absent: every other address is unknown. */
  readonly route?: Route | undefined;
  readonly info: ServerInfo;
  /** Empty where there are none. */
  readonly instructions: string;
  /** Of lists, from the server's definition. */
  readonly cache: CacheHints | undefined;
  readonly services: CallServices;
  /** X15: names in lower case of the HTTP headers that handlers see. */
  readonly requestHeaders: readonly string[];
  /** Which kinds it has, now or by `add` later; `subscribe`: some resource allows it. */
  readonly offers: {
    readonly tools: boolean;
    readonly prompts: boolean;
    readonly resources: boolean;
    readonly completions: boolean;
    readonly subscribe: boolean;
  };
  /** The whole list where the server has no pageSize. A cursor that is not ours is a ProtocolError (-32602). */
  list(name: ListName, cursor?: string): Page;
  /** X13: some resources are listed by code, and only `listResources` has all of them. */
  readonly listsByCode: boolean;
  listResources(cursor: string | undefined, request: Request): Promise<Page>;
  /** C6: of a tool whose list entry is another one for clients that cannot ask their user: its input schema there. */
  relayedInput(name: string): JsonSchema | undefined;
  /** By final wire name; only what is enabled. */
  tool(name: string): ServedTool | undefined;
  prompt(name: string): ServedPrompt | undefined;
  resource(uri: string): ServedResource | undefined;
  /** T1: absent where no tool runs as a task, or nothing keeps tasks. Opened with the first request for a task, once. */
  readonly tasks?: (() => Promise<Tasks>) | undefined;
  /** Unknown names are a ProtocolError (-32602); whatever else goes wrong is a result with isError. */
  callTool(name: string, args: unknown, request: Request): Promise<Outcome<CallToolResult>>;
  getPrompt(name: string, args: unknown, request: Request): Promise<Outcome<PromptAnswer>>;
  readResource(uri: string, request: Request): Promise<Outcome<ResourceAnswer>>;
  complete(query: CompletionQuery, request: Request): Promise<Completion>;
  /** J85: listed at once; never renames what is there. A name in use is an error. */
  addTool(tool: ServedTool): void;
  /** False where there is none of that name. */
  removeTool(name: string): boolean;
  /** The same for prompts, by wire name, and for resources, by address or template. */
  addPrompt(prompt: ServedPrompt): void;
  removePrompt(name: string): boolean;
  addResource(resource: ServedResource): void;
  removeResource(address: string): boolean;
  /** Tells every listener, in order; returns how to stop listening. */
  onChange(listen: (change: Change) => void): () => void;
  announce(change: Change): void;
}
