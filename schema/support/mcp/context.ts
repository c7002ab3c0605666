// What handlers are given besides their arguments, as types: generated declarations build on them.
import type {
  Auth,
  Client,
  ElicitAnswer,
  ElicitContent,
  ElicitForm,
  ElicitSchema,
  ElicitUrl,
  Log,
  Notify,
  Root,
  SampleAnswer,
  SampleRequest,
} from './client.js';
import type { CallToolResult, HandlerResult } from './content.js';

/**
 * What every handler can use. Each part works with every client: where a client lacks a capability, it degrades.
 *
 * @example
 * export default tools.search(async ({ query }, ctx) => {
 *   ctx.log.info('searching', { query });
 *   return await ctx.app.jira.search(query, { signal: ctx.signal });
 * });
 */
export interface BaseContext {
  /** What `context:` in toolwright.yaml builds; one object for all calls. */
  readonly app: unknown;
  /** The values of `config:` in toolwright.yaml, from the environment. */
  readonly config: object;
  /**
   * What `backends:` in toolwright.yaml declares, by name; absent where it declares nothing.
   *
   * @example const issue = await ctx.backends.jira.request({ path: path`/issue/${issueKey}` });
   */
  readonly backends?: object;
  /**
   * Aborted when the client cancels the call, the time limit is over, or the handler waits for an answer with which it is
   * run again: release what you hold.
   *
   * @example await fetch(url, { signal: ctx.signal });
   */
  readonly signal: AbortSignal;
  /** Messages for the client's log; on stderr where the client takes none. */
  readonly log: Log;
  /** The client that called, as far as it says who it is. */
  readonly client: Client;
  /** Who called, where the server asks for authentication. */
  readonly auth: Auth | undefined;
  /** The id of the request in the protocol, for correlating logs. */
  readonly requestId: string | number;
  /**
   * The client's connection in revisions of 2025: the session over HTTP, `stdio` over a pipe. Undefined where a request stands
   * for itself, as in 2026-07-28. Keep what belongs to a connection under it, in `ctx.app`.
   *
   * @example const seen = ctx.app.seen.get(ctx.sessionId) ?? new Set();
   */
  readonly sessionId: string | undefined;
  /** What came with the request beside its arguments. */
  readonly request: RequestInfo;
  /** Tells clients that something changed. */
  readonly notify: Notify;
  /**
   * Tells whether a name of `requires` is there: a config key or a client capability.
   *
   * @example const summary = ctx.has('sampling') ? await summarise(ctx, text) : text.slice(0, 200);
   */
  has(name: string): boolean;
  /**
   * Asks the user. In the newest protocol the handler runs again from the top with the answers so far, so `key` must be
   * stable, and side effects belong after the last question or into `once`.
   *
   * @example
   * const answer = await ctx.elicit('size', { message: 'Which size?', schema: { size: { type: 'string' } } });
   * if (answer.action !== 'accept') return 'Nothing was ordered.';
   * return `Ordered in ${answer.content.size}.`;
   */
  elicit<const Schema extends ElicitSchema>(
    key: string,
    request: ElicitForm<Schema> | ElicitUrl,
  ): Promise<ElicitAnswer<ElicitContent<Schema>>>;
  /**
   * Asks the client's model. Without that capability: the `fallback`, else the error CAPABILITY_MISSING.
   *
   * @example const { text } = await ctx.sample('summary', { prompt: `Summarise:\n${body}`, maxTokens: 200 });
   */
  sample(key: string, request: SampleRequest): Promise<SampleAnswer>;
  /**
   * The folders that the client works in.
   *
   * @example const [root] = await ctx.roots();
   */
  roots(key?: string): Promise<readonly Root[]>;
  /**
   * Runs a side effect once, also where the handler runs again after a question. The result must be JSON.
   *
   * In a task its result is kept before the handler sees it, and then it never runs again, not even in another process. It runs again if it
   * failed, or if its run ended after it had begun and before its result was kept: send `ctx.task.id` and the key along where the other
   * side knows requests that come twice.
   *
   * @example const { id } = await ctx.once('order', () => ctx.app.shop.order(size));
   */
  once<T>(key: string, run: () => T | Promise<T>): Promise<T>;
  /**
   * The error of a handler that nobody has written yet.
   *
   * @example throw ctx.notImplemented();
   */
  notImplemented(): Error;
}

/**
 * What came with a request beside its arguments. The caller writes it, so it proves nothing about them.
 *
 * @example const tenant = ctx.request.headers['x-tenant'];
 */
export interface RequestInfo {
  /** The HTTP headers that `http.headers` of the server names, by names in lower case; empty over stdio. */
  readonly headers: { readonly [name: string]: string | undefined };
  /** `_meta` as the client sent it, such as `traceparent`; empty where it sent none. */
  readonly meta: { readonly [name: string]: unknown };
}

/**
 * What the handler of a tool is given; generated types narrow app, config, errors and options to the tool's own.
 *
 * @example export default async (args: object, ctx: ToolContext) => ctx.client.name;
 */
export interface ToolContext extends BaseContext {
  /** The tool that runs: one function can serve several. */
  readonly tool: ToolInfo;
  /** Makes the errors that the tool declares. */
  readonly errors: object;
  /** The operator's settings of the tool, defaults filled in. */
  readonly options: object;
  /** The task that the call runs as; undefined for a plain call. */
  readonly task?: TaskInfo | undefined;
  /**
   * Says how far the call is; nothing happens where the client did not ask. In a task, its status shows the message.
   *
   * @example ctx.progress(3, 10, 'Fetched page 3');
   */
  progress(done: number, total?: number, message?: string): void;
  /**
   * Calls another tool of this server, by its item name. A failing tool is a result with `isError`.
   *
   * @example const { structuredContent } = await ctx.call('get-issue', { issueKey });
   */
  call(tool: string, args?: object): Promise<CallToolResult>;
}

/**
 * The task that a call runs as. The client has its handle, and looks at it from time to time; the call has no time limit of its tool.
 *
 * The handler runs at least once. It runs again from the top, with all answers and all kept results of `ctx.once`, after each question, and
 * where the tool resumes also after its process has ended. One result is recorded, the first: a run that was overtaken changes nothing
 * any more. So every effect belongs in `ctx.once`, and whatever decides which of them run must come from arguments, answers and
 * results of `ctx.once`, not from a clock or from what only this process has. `ctx.call` is an effect, too.
 *
 * @example
 * ctx.task?.note('Reading the archive');
 * const archive = await ctx.once('archive', () => ctx.app.store.archive({ idempotencyKey: `${ctx.task?.id ?? ctx.requestId}/archive` }));
 */
export interface TaskInfo {
  /** The same in all runs. On servers without authentication it is all that a client needs to see the task: keep it out of logs. */
  readonly id: string;
  /** How often the handler has begun, this time included: 1 for the first run. */
  readonly attempt: number;
  /** Says what the handler is doing: the status of the task shows it. `ctx.progress` with a message does the same. */
  note(message: string): void;
}

/**
 * Which tool runs.
 *
 * @example const path = ctx.tool.tags.includes('admin') ? `/admin/${ctx.tool.item}` : `/${ctx.tool.item}`;
 */
export interface ToolInfo {
  /** As clients see it. */
  readonly name: string;
  /** As the pack calls it: the same in every server. */
  readonly item: string;
  /** The pack that it belongs to, such as `acme/jira`. */
  readonly pack: string;
  readonly tags: readonly string[];
}

/**
 * `ctx.call` of generated contexts: what the tools of the pack take and give. Tools of other packs are called by their
 * qualified names, such as `acme/jira/get-issue`, and any tool by a name that is known only when the handler runs.
 *
 * @example const found = await ctx.call('get-issue', { issueKey });
 * if (!found.isError) ctx.log.info(found.structuredContent.title);
 */
export interface CallTool<Calls> {
  <Name extends string>(tool: OtherTool<Name, keyof Calls>, args?: object): Promise<CallToolResult>;
  // The last one is what TypeScript explains a mistake by: nearly every call is of a tool of the pack.
  <Name extends keyof Calls>(
    tool: Name,
    ...args: Calls[Name] extends { readonly input: infer Input }
      ? object extends Input
        ? [args?: Input]
        : [args: Input]
      : [args?: object]
  ): Promise<Calls[Name] extends { readonly output: infer Output } ? CallResult<Output> : CallToolResult>;
}

/**
 * A name that is written out and not qualified is a tool of the pack, or misspelt. Any other is taken: of many names at
 * once, those of the pack as well. (An empty object fits a record whose keys are not written out.)
 */
type OtherTool<Name extends string, Own> = [Name] extends [Own]
  ? never
  : Name extends Own | `${string}/${string}`
    ? Name
    : Record<never, never> extends Record<Name, unknown>
      ? Name
      : never;

/**
 * A whole result of a tool with an output: its data with your own text beside it, or an error. Handlers may return it
 * in place of the data alone, and `ctx.call` gives it.
 *
 * @example return { content: [text(`Wrote ${path}`)], structuredContent: { path, bytes } };
 */
export type CallResult<Output> = FailedResult | DataResult<Output>;

/** A result that says what went wrong. */
export interface FailedResult extends CallToolResult {
  readonly isError: true;
}

/** A result with the data that its tool promises. */
export interface DataResult<Output> extends CallToolResult {
  readonly isError?: false | undefined;
  readonly structuredContent: Output;
}

/**
 * A tool's handler where no generated type says more: `args` fit its input schema.
 *
 * @example const handler: ToolHandler<{ name: string }> = ({ name }) => `Hello ${name}`;
 */
export type ToolHandler<Args = object> = (args: Args, ctx: ToolContext) => HandlerResult | Promise<HandlerResult>;

/**
 * What the handler of a prompt is given.
 *
 * @example export default prompts.issueText(({ issueKey }, ctx) => `Summarise ${issueKey} for ${ctx.client.name}.`);
 */
export interface PromptContext extends BaseContext {}

/**
 * What the handler of a resource is given.
 *
 * @example export default resources.issue(({ key }, ctx) => `${ctx.uri} has the key ${key}`);
 */
export interface ResourceContext extends BaseContext {
  /** The address that was asked for. */
  readonly uri: string;
}

/**
 * What the function of a completion (`complete:`) is given besides what the user has typed. It cannot ask questions.
 *
 * @example
 * export async function issueKeys(typed: string, ctx: CompletionContext) {
 *   return await ctx.app.jira.keysLike(typed, ctx.arguments.project);
 * }
 */
export interface CompletionContext extends BaseContext {
  /** The other arguments or variables that the user has filled in. */
  readonly arguments: { readonly [name: string]: string };
}

/**
 * Makes one declared error, ready to be thrown; without a message it has the declared one.
 *
 * @example throw ctx.errors.ISSUE_NOT_FOUND(`There is no ${issueKey}`, { meta: { issueKey } });
 */
export type ErrorFactory = (message?: string | ErrorExtras, extras?: ErrorExtras) => DeclaredError;

/**
 * What one error says beyond its declaration.
 *
 * @example throw ctx.errors.RATE_LIMITED({ meta: { seconds: 30 }, cause: error });
 */
export interface ErrorExtras {
  /** Reaches the client as it is; must be JSON. */
  readonly meta?: { readonly [key: string]: unknown } | undefined;
  /** Stays on the server, for its log. */
  readonly cause?: unknown;
  /** Instead of the declared one. */
  readonly suggestedFix?: string | undefined;
}

/**
 * An error that reaches the client with all its fields.
 *
 * @example const { code, status } = ctx.errors.ISSUE_NOT_FOUND();
 */
export interface DeclaredError extends Error {
  readonly code: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly suggestedFix: string | undefined;
  readonly meta: { readonly [key: string]: unknown };
}

/**
 * What the function of `context:` is given. Whatever it returns is `ctx.app` of every handler; a method `dispose` of it (or
 * `Symbol.asyncDispose`, or an export `dispose` of the same module) runs when the server ends.
 *
 * @example
 * export async function create({ config, log }: SetupContext) {
 *   const pool = await connect(config.DATABASE_URL);
 *   log.info('connected');
 *   return { pool, dispose: () => pool.end() };
 * }
 */
export interface SetupContext<Config = Readonly<Record<string, unknown>>> {
  /** The values of `config:` in toolwright.yaml, from the environment. */
  readonly config: Config;
  /** For the operator, on stderr: there is no client yet. */
  readonly log: Log;
  /** Aborted when the server ends. */
  readonly signal: AbortSignal;
}

/**
 * What the functions of `initialize` are given. One that takes no argument runs without the shared context being built.
 *
 * @example export const connect = async ({ app }: InitializeContext<App>) => app.pool.ping();
 */
export interface InitializeContext<App = unknown, Config = Readonly<Record<string, unknown>>>
  extends SetupContext<Config> {
  /** What `context:` in toolwright.yaml builds. */
  readonly app: App;
}

/**
 * What the function of `routes:` is given besides the request, which is a web-standard `Request`.
 *
 * @example export default (request: Request, { app }: RoutesContext<App>) => Response.json({ open: app.pool.size });
 */
export interface RoutesContext<App = unknown, Config = Readonly<Record<string, unknown>>>
  extends InitializeContext<App, Config> {
  /** Who calls, where the server has `auth`. */
  readonly auth: Auth | undefined;
}
