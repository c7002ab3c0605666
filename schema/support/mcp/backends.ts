// What handlers use of `backends:` in toolwright.yaml, as types. Tools without code are made of the same calls.
import type { CallToolResult, PromptResult, ResourceContents } from './content.js';

/**
 * A service that is reached over HTTP. Its address, credentials, limits and retries are those of toolwright.yaml.
 *
 * @example const issue = await ctx.backends.jira.request({ path: path`/issue/${issueKey}` });
 */
export interface HttpBackend {
  /**
   * Sends a request to the origin of the backend, and reads the answer: data for JSON, a string for text, `{ data, mimeType }` for
   * bytes. Throws an error with a `code` where there is none: UPSTREAM_ERROR, UPSTREAM_TIMEOUT and others. The type of the result is
   * what you expect it to be: nothing but the `output` of a tool checks it.
   */
  request<Result = unknown>(request: HttpRequest): Promise<Result>;
}

/**
 * What is sent. Every value is encoded for the place where it stands; a member that is undefined is left out.
 *
 * @example { method: 'POST', path: '/issue', body: { fields: { summary } } }
 */
export interface HttpRequest {
  /** Default GET. */
  readonly method?: string | undefined;
  /** Below the address of the backend. Values are put in with the tag `path`, which encodes them. */
  readonly path?: string | undefined;
  /** A whole address, for a tool that has no backend. Addresses of private networks are refused. */
  readonly url?: string | undefined;
  readonly query?: { readonly [name: string]: unknown } | undefined;
  /** How lists and objects of a query are written, by name. Default `form`: a list repeats its name. */
  readonly style?: { readonly [name: string]: QueryStyle } | undefined;
  readonly headers?: { readonly [name: string]: unknown } | undefined;
  readonly cookies?: { readonly [name: string]: unknown } | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as a form (`application/x-www-form-urlencoded`). */
  readonly form?: { readonly [name: string]: unknown } | undefined;
  /** Sent as `multipart/form-data`; see FilePart for files. */
  readonly multipart?: { readonly [name: string]: unknown } | undefined;
  /** The body as it is: text or bytes with their type. Without text, base64 or resource no body is sent. */
  readonly file?: FilePart | Uint8Array | undefined;
  /** No body is sent if it would have no member. */
  readonly optionalBody?: boolean | undefined;
  readonly result?: HttpResult | undefined;
  readonly paginate?: Paginate | undefined;
  /** The request may be sent again though its method is not idempotent: it changes nothing. */
  readonly isRead?: boolean | undefined;
}

/** `form`: a=1&a=2; `comma`: a=1,2; `space`: a=1%202; `pipe`: a=1|2; `deepObject`: a[b]=1; `members`: b=1, without the name. */
export type QueryStyle = 'form' | 'comma' | 'space' | 'pipe' | 'deepObject' | 'members';

/**
 * A file, in a multipart form or as the whole body: text, base64, or the contents of a resource (`{ uri, mimeType, text }` or with `blob`).
 *
 * @example { base64: image, filename: 'photo.png', type: 'image/png' }
 */
export interface FilePart {
  readonly text?: unknown;
  readonly base64?: unknown;
  readonly resource?: unknown;
  readonly filename?: unknown;
  readonly type?: unknown;
}

/**
 * Which part of an answer counts: JSON Pointers. Where the part is a list, `pick` is done for each of its elements.
 *
 * @example { at: '/issues', pick: { key: '/key', summary: '/fields/summary' } }
 */
export interface HttpResult {
  readonly at?: string | undefined;
  readonly pick?: { readonly [name: string]: string } | undefined;
}

/**
 * How the next page is asked for. The pages are joined: the list at `result.at` of each.
 *
 * @example { cursor: '/nextPageToken', param: 'pageToken', maxItems: 500 }
 */
export interface Paginate {
  /** Where an answer has the cursor of the next page, or its address. */
  readonly cursor?: string | undefined;
  /** The query parameter that the cursor goes into; without one the cursor is an address. */
  readonly param?: string | undefined;
  /** Follows the header `Link` with rel="next". */
  readonly link?: boolean | undefined;
  /** The query parameter that counts pages, from 1 or what the query says. */
  readonly page?: string | undefined;
  /** The query parameter that counts elements, from 0 or what the query says. */
  readonly offset?: string | undefined;
  /** Elements after which no further page is asked for, and the rest is cut. Default 1000. */
  readonly maxItems?: number | undefined;
}

/**
 * A database.
 *
 * @example const books = await ctx.backends.main.query('SELECT * FROM books WHERE author = :author', { author });
 */
export interface SqlBackend {
  /**
   * Runs one statement. `:name` is bound to a value, `{name}` is an identifier, quoted by the rules of the database. A list that is
   * bound expands in SQLite; in PostgreSQL it is an array.
   */
  query<Result = unknown>(
    text: string,
    values?: { readonly [name: string]: unknown },
    options?: SqlOptions,
  ): Promise<Result>;
}

export interface SqlOptions {
  /** Default `rows`. `row`: the first one, NO_ROW without; `value`: the first column of the first row, or null; `count`: rows changed. */
  readonly result?: 'rows' | 'row' | 'value' | 'count' | undefined;
  /** Runs in a transaction that cannot write. */
  readonly isRead?: boolean | undefined;
}

/**
 * Another MCP server.
 *
 * @example return await ctx.backends.browser.callTool('browser_click', args);
 */
export interface McpBackend {
  /** Progress, logs, questions and cancellation pass through. */
  callTool<Result = CallToolResult>(name: string, args?: object): Promise<Result>;
  getPrompt(name: string, args?: object): Promise<PromptResult>;
  readResource(uri: string): Promise<{ readonly contents: readonly ResourceContents[] }>;
}

/** What `ctx.backends` has; generated types say which backends are there. */
export interface Backends {
  readonly [name: string]: HttpBackend | SqlBackend | McpBackend;
}

/**
 * A program that is run, without a shell.
 *
 * @example await ctx.exec({ command: 'git', args: ['log', `--max-count=${count}`, '--', path], cwd: ctx.config.REPO });
 */
export interface Command {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Relative to the pack; default: the folder of the process. */
  readonly cwd?: string | undefined;
  /** Beside the few variables that programs need (PATH, HOME and the like). */
  readonly env?: { readonly [name: string]: unknown } | undefined;
  readonly stdin?: unknown;
  /** What is made of stdout. Default `text`. */
  readonly result?: 'text' | 'json' | 'lines' | 'bytes' | undefined;
  /** Exit codes of success. Default 0. */
  readonly ok?: readonly number[] | undefined;
  /** The most bytes of output that are read; more is an error. */
  readonly maxBytes?: number | undefined;
}
