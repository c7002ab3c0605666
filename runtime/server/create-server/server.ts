/// <reference lib="esnext.disposable" preserve="true" />
// A server made by code. Types only: create-server.ts makes one.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerDefinition } from '../../../schema/definitions.js';
import type { Auth } from '../../../schema/support/mcp/client.js';
import type { Registry, ToolEntry } from '../registry/registry.js';
import type { CodePrompt, CodeResource, CodeTool, CodeToolDefinition, HandlerFor } from './code-types.js';

export interface ServeStdioOptions {
  /** How long calls may go on once the client has left, in milliseconds; default 5000. */
  readonly graceMs?: number | undefined;
}

/** A server on stdin and stdout. */
export interface StdioServing {
  /** When the client has left and the last answer is written. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** As `http` and `auth` of the server; what is given here wins. */
export type ServeHttpOptions = NonNullable<ServerDefinition['http']> & {
  readonly auth?: ServerDefinition['auth'] | undefined;
  /** Listens on a host that is not this machine without `auth`. */
  readonly insecure?: boolean | undefined;
  readonly graceMs?: number | undefined;
};

/** A server that listens. */
export interface HttpServing {
  /** Where clients connect: `http://127.0.0.1:3000/mcp`. */
  readonly url: string;
  readonly port: number;
  /** Lets calls finish within the grace time, then listens no more. */
  close(): Promise<void>;
}

/** What a host knows about a request. */
export interface HandleOptions {
  /** Who calls; `auth` of the server is not asked then. */
  readonly auth?: Auth | undefined;
}

/** What frameworks pass as their third argument. It is not called: every request is answered here. */
export type NextHandler = (error?: unknown) => void;

/**
 * A server made by `createServer`. It may be served in several ways at once.
 *
 * @example
 * const server = await createServer({ name: 'desk', tools: ['acme/jira/*'] });
 * await server.serveStdio();
 */
export interface ToolServer {
  readonly name: string;
  /** As clients see them now. */
  readonly tools: readonly ToolEntry[];
  /** The same tools for code of this process and for model providers. */
  readonly registry: Registry;
  /**
   * Serves the process that started this one. From then on stdout is reserved for the protocol.
   *
   * @example await (await server.serveStdio()).closed;
   */
  serveStdio(options?: ServeStdioOptions): Promise<StdioServing>;
  /**
   * Listens for requests, on this machine only unless told otherwise.
   *
   * @example const { url } = await server.serveHttp({ port: 3000 });
   */
  serveHttp(options?: ServeHttpOptions): Promise<HttpServing>;
  /**
   * Answers one request, for hosts that bring their own HTTP: Hono, Bun, Deno, workers. `auth` of the server is checked,
   * unless the host has done so and says who calls. The origin of requests is for the host to check.
   *
   * @example export default { fetch: (request: Request) => server.fetch(request) };
   */
  fetch(request: Request, options?: HandleOptions): Promise<Response>;
  /**
   * Answers one request of Node's, for hosts such as Express, and for `http.createServer`. Clients of 2025 have sessions, as with
   * `serveHttp`, and its checks hold: Host, Origin, size, limits, and `auth` of the server, unless the host has asked and says who
   * calls. A body that the host has parsed is taken from `request.body`.
   *
   * @example app.all('/mcp', server.handle);
   * @example app.all('/mcp', (req, res) => server.handle(req, res, { auth: callerOf(req) }));
   */
  handle(request: IncomingMessage, response: ServerResponse, options?: HandleOptions | NextHandler): void;
  /**
   * Adds a tool while clients are connected; they are notified. Throws a DefinitionError where it cannot be used or its
   * name is taken: nothing that clients know is ever renamed.
   *
   * @example server.add({ name: 'ping', description: 'Answer.' }, () => 'pong');
   */
  add<const D extends CodeToolDefinition>(definition: D, handler: HandlerFor<D>): void;
  add(tool: CodeTool): void;
  /**
   * The same for an item of any kind.
   *
   * @example server.add('prompt', { name: 'hello', description: 'Say hello.', text: 'Hello' });
   * @example server.add('resource', { name: 'now', uri: 'clock://now', handler: () => new Date().toISOString() });
   */
  add(kind: 'tool', tool: CodeTool): void;
  add(kind: 'prompt', prompt: CodePrompt): void;
  add(kind: 'resource', resource: CodeResource): void;
  /**
   * Removes a tool by the name that clients see; they are notified. Calls that are under way go on.
   *
   * @example server.remove('ping') // true: it was there
   */
  remove(name: string): boolean;
  /**
   * The same for an item of any kind: a prompt goes by its name, a resource by its address or template.
   *
   * @example server.remove('resource', 'clock://now') // true: it was there
   */
  remove(kind: 'tool' | 'prompt' | 'resource', name: string): boolean;
  /** Ends every way of serving, lets calls finish, and disposes of what packs have built. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
