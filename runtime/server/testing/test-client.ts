/// <reference lib="esnext.disposable" preserve="true" />
// What tests of authors call. Types only: open-test-client.ts makes one.
import type { ResourceContents } from '../../../schema/support/mcp/content.js';
import type { Wire } from '../../packs/list-entries.js';
import type { Change, Completion, CompletionQuery } from '../../surface/surface.js';
import type { RegistryOptions } from '../registry/create-registry.js';
import type { InvokeOptions, InvokeResult, LogEntry, Progress, ToolEntry } from '../registry/registry.js';
import type { TestTask, TestTaskOptions } from './test-task.js';

/**
 * The world of a test. What a client can do follows from the callbacks: one without `elicit` cannot ask its user, and tools
 * that need that say so.
 *
 * @example await createTestClient('.', { app: fakeApp, sample: () => 'a short summary' });
 */
export interface TestClientOptions
  extends Pick<RegistryOptions, 'app' | 'overlays' | 'mode' | 'strictArguments' | 'report'>,
    Pick<InvokeOptions, 'elicit' | 'sample' | 'roots' | 'auth'> {
  /** Default: the pack's one server, else all items of the pack. */
  readonly server?: string | undefined;
  /** All of the environment: nothing of the process is seen unless it is passed on. Default: empty. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Imports the pack's modules by path. With `path => import(path)` in a test file of vitest they go through vitest, so that
   * `vi.mock` and coverage know them. Default: Node imports them, TypeScript included.
   */
  readonly load?: ((path: string) => Promise<object>) | undefined;
}

/** What became of a call, and what the handler said on the way. */
export type TestCall<Output = unknown> = {
  readonly logs: readonly LogEntry[];
  readonly progress: readonly Progress[];
} & (
  | (Omit<Extract<InvokeResult, { readonly ok: true }>, 'value'> & {
      /** The structured data, else the text, else the content. */
      readonly value: Output;
    })
  | Extract<InvokeResult, { readonly ok: false }>
);

export interface TestPrompt {
  readonly description?: string | undefined;
  readonly messages: readonly Wire[];
  /** The texts of all messages, in lines of their own. */
  readonly text: string;
}

export interface TestResource {
  readonly contents: readonly ResourceContents[];
  /** The texts of all contents, in lines of their own. */
  readonly text: string;
}

/** What calls of any tool take and give. */
type AnyCall = <Output = unknown>(name: string, args?: object, options?: InvokeOptions) => Promise<TestCall<Output>>;

/** The same for the tools of a pack, by the generated `Tool_Calls`; tools of other packs by their qualified names. */
interface TypedCall<Calls> {
  (name: `${string}/${string}`, args?: object, options?: InvokeOptions): Promise<TestCall>;
  // The last one is what TypeScript explains a mistake by.
  <Name extends string & keyof Calls>(
    name: Name,
    ...rest: RestOf<Calls[Name], InvokeOptions>
  ): Promise<TestCall<OutputOf<Calls[Name]>>>;
}

type RestOf<Call, Options> = Call extends { readonly input: infer Input }
  ? object extends Input
    ? [args?: Input, options?: Options]
    : [args: Input, options?: Options]
  : [args?: object, options?: Options];

type OutputOf<Call> = Call extends { readonly output: infer Output } ? Output : unknown;

type AnyStart = <Output = unknown>(name: string, args?: object, options?: TestTaskOptions) => Promise<TestTask<Output>>;

interface TypedStart<Calls> {
  (name: `${string}/${string}`, args?: object, options?: TestTaskOptions): Promise<TestTask>;
  <Name extends string & keyof Calls>(
    name: Name,
    ...rest: RestOf<Calls[Name], TestTaskOptions>
  ): Promise<TestTask<OutputOf<Calls[Name]>>>;
}

/**
 * A client of a server in the same process. With the generated `Tool_Calls`, names, arguments and results of calls are typed.
 *
 * @example let client: TestClient<Tool_Calls>;
 */
export interface TestClient<Calls = unknown> {
  /** As clients see it. */
  readonly server: { readonly name: string; readonly version: string; readonly instructions: string };
  tools(): readonly ToolEntry[];
  /**
   * Calls a tool by its item name, or without `Tool_Calls` by its wire name too. Never throws for what a tool does. A tool with `task` runs
   * as a task that lasts as long as the call.
   *
   * @example const { ok } = await client.call('get-issue', { issueKey: 'PROJ-1' });
   */
  readonly call: unknown extends Calls ? AnyCall : TypedCall<Calls>;
  /**
   * Starts a tool as a task, as clients do that support tasks. Throws where the tool does not run as a task, or cannot be called.
   *
   * @example
   * const task = await client.startTask('make-report', { year: 2026 });
   * expect(await task.status()).toMatchObject({ status: 'working', note: 'Reading the archive' });
   * expect(await task.result()).toMatchObject({ ok: true });
   */
  readonly startTask: unknown extends Calls ? AnyStart : TypedStart<Calls>;
  /** As clients list them. */
  prompts(): readonly Wire[];
  /**
   * Throws where a client would get an error: an unknown name, a missing argument.
   *
   * @example const { text } = await client.getPrompt('issue-text', { topic: 'login' });
   */
  getPrompt(name: string, args?: Readonly<Record<string, string>>, options?: InvokeOptions): Promise<TestPrompt>;
  /** As clients list them; those with a template apart. */
  resources(): readonly Wire[];
  resourceTemplates(): readonly Wire[];
  /** @example const { text } = await client.readResource('doc://workflow'); */
  readResource(uri: string, options?: InvokeOptions): Promise<TestResource>;
  /** What a client offers while its user types. */
  complete(query: Omit<CompletionQuery, 'context'> & Partial<Pick<CompletionQuery, 'context'>>): Promise<Completion>;
  /** What clients heard has changed, since the start. */
  readonly changes: readonly Change[];
  /** Disposes of what the pack has built; not of an `app` that was passed. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
