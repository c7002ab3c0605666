// The nouns of the language after validation: what a pack declares and what definitions say.

export const kinds = ['server', 'tool', 'prompt', 'resource', 'schema'] as const;
export type Kind = (typeof kinds)[number];

/** The kinds whose items have handlers, and are listed by servers. */
export const handledKinds = ['tool', 'prompt', 'resource'] as const satisfies readonly Kind[];
export type HandledKind = (typeof handledKinds)[number];

export function isHandled(kind: Kind): kind is HandledKind {
  return handledKinds.some(one => one === kind);
}

/** `tool` -> `tools`: the key in toolwright.yaml, the folder and the combined file. */
export type KindKey = `${Kind}s`;
export function keyOf(kind: Kind): KindKey {
  return `${kind}s`;
}

/** What can be validated: the manifest of a pack, a definition of each kind, a patch of an overlay. */
export type Subject = 'pack' | Kind | 'overlay';

export interface FileRef {
  readonly file: string;
}
export type Text = string | FileRef;
export type JsonSchema = Readonly<Record<string, unknown>>;
export const scalarTypes = ['string', 'integer', 'number', 'boolean'] as const;

export type ScalarType = (typeof scalarTypes)[number];

/** The types of config keys; an array is one of strings. */
export const configTypes = [...scalarTypes, 'array'] as const;

export function isConfigType(value: unknown): value is ConfigEntry['type'] {
  return configTypes.some(type => type === value);
}

export interface ConfigEntry {
  readonly type: (typeof configTypes)[number];
  readonly secret?: boolean;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** X3: `caps` is `--caps` on the command line of a server. */
  readonly flag?: string;
  /** Its place among the words of a command line that are not flags, from 1; `rest`: all that are left. */
  readonly argument?: number | 'rest';
}

export interface ErrorEntry {
  /** Codes of thrown errors, statuses of HTTP (404) or classes of them (5xx). */
  readonly match?: readonly (string | number)[];
  readonly message: string;
  readonly status?: number;
  readonly retryable?: boolean;
  readonly suggestedFix?: string;
}

export interface OptionEntry {
  readonly type: ScalarType | 'array' | 'object';
  readonly default?: unknown;
  readonly description?: string;
  readonly enum?: readonly unknown[];
}

export interface Example {
  readonly name?: string;
  readonly description?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly output?: unknown;
  readonly error?: string;
}

export interface Guidelines {
  readonly whenToUse?: string | readonly string[];
  readonly avoidIf?: string | readonly string[];
  readonly prerequisites?: string | readonly string[];
  readonly sideEffects?: string | readonly string[];
  readonly additionalInfo?: string | readonly string[];
}

/** A service, a database or another server that tools talk to. */
export type BackendDefinition = HttpBackendDefinition | SqlBackendDefinition | McpBackendDefinition;

export function isBackendType(value: unknown): value is BackendDefinition['type'] {
  return value === 'http' || value === 'sqlite' || value === 'postgres' || value === 'sql' || value === 'mcp';
}

export interface BackendLimits {
  readonly timeoutMs?: number;
  readonly concurrency?: number;
  readonly queue?: number;
  /** Of one answer. */
  readonly bytes?: number;
  readonly rows?: number;
}

/** Names are keys of `config:`. */
export type BackendAuth =
  | { readonly bearer: string }
  | { readonly basic: readonly [string, string] }
  | { readonly header: string; readonly value: string }
  | { readonly query: string; readonly value: string }
  | { readonly clientCredentials: ClientCredentials }
  | { readonly caller: { readonly audience: string } };

export interface ClientCredentials {
  readonly tokenUrl: string;
  readonly id: string;
  readonly secret: string;
  readonly scope?: string;
}

export interface HttpBackendDefinition {
  readonly type: 'http';
  readonly url: string;
  readonly auth?: BackendAuth;
  readonly headers?: Readonly<Record<string, string>>;
  readonly limits?: BackendLimits;
  readonly retries?: number;
  readonly allowAddresses?: readonly string[];
}

export interface SqlBackendDefinition {
  readonly type: 'postgres' | 'sqlite' | 'sql';
  readonly url: string;
  readonly readOnly?: boolean;
  readonly pool?: number;
  readonly limits?: BackendLimits;
}

export interface McpBackendDefinition {
  readonly type: 'mcp';
  /** `if` of a condition is a key of `config`. */
  readonly command?: readonly (string | ExecCondition)[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly auth?: BackendAuth;
  readonly headers?: Readonly<Record<string, string>>;
  readonly limits?: BackendLimits;
  readonly allowAddresses?: readonly string[];
}

/** `GET /issue/{issueKey}` is the short form. */
export interface HttpCall {
  readonly backend?: string;
  readonly method?: string;
  readonly path?: string;
  readonly url?: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly style?: Readonly<Record<string, 'form' | 'comma' | 'space' | 'pipe' | 'deepObject' | 'members'>>;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly cookies?: Readonly<Record<string, unknown>>;
  /** `rest`: the arguments that nothing else uses. */
  readonly body?: unknown;
  readonly form?: Readonly<Record<string, unknown>>;
  readonly multipart?: Readonly<Record<string, unknown>>;
  /** The body as it is. */
  readonly file?: {
    readonly text?: string;
    readonly base64?: string;
    readonly resource?: string;
    readonly type?: string;
  };
  readonly optionalBody?: boolean;
  readonly result?: { readonly at?: string; readonly pick?: Readonly<Record<string, string>> };
  readonly paginate?: {
    readonly cursor?: string;
    readonly param?: string;
    readonly link?: boolean;
    readonly page?: string;
    readonly offset?: string;
    readonly maxItems?: number;
  };
}

export interface SqlCall {
  readonly backend?: string;
  readonly text: string;
  readonly result?: 'rows' | 'row' | 'value' | 'count';
}

export interface McpCall {
  readonly backend?: string;
  /** Default: the wire name of the item; of a resource its URI. */
  readonly name?: string;
}

/** B3: a program that does the work of a tool. */
export interface ExecCall {
  readonly command: string;
  readonly args?: readonly (string | ExecCondition)[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly result?: 'text' | 'json' | 'lines' | 'bytes';
  readonly ok?: readonly number[];
}

/** Arguments that need a parameter, or words that need a key of `config`. */
export interface ExecCondition {
  readonly if: string;
  readonly args: readonly string[];
}

export interface ToolDefinition {
  readonly name?: string;
  readonly title?: string;
  readonly description?: Text;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly inputSchema?: JsonSchema | FileRef;
  readonly output?: Readonly<Record<string, unknown>>;
  readonly outputSchema?: JsonSchema | FileRef;
  readonly defaults?: 'fill' | 'advertise';
  readonly result?: 'plain' | 'envelope';
  readonly resultText?: string;
  readonly handler?: string;
  readonly http?: string | HttpCall;
  readonly sql?: SqlCall;
  readonly exec?: ExecCall;
  readonly mcp?: McpCall;
  readonly effect?: 'read' | 'write' | 'destructive';
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly guidelines?: Guidelines;
  readonly guidelinesIn?: 'description' | 'instructions';
  readonly errors?: Readonly<Record<string, ErrorEntry>>;
  readonly options?: Readonly<Record<string, OptionEntry>>;
  readonly requires?: Readonly<Record<string, 'required' | 'suggested'>>;
  readonly initialize?: string | { readonly handler: string; readonly when?: 'first-call' | 'start' };
  readonly examples?: readonly Example[];
  readonly limits?: {
    readonly timeoutMs?: number;
    readonly resultChars?: number;
    readonly concurrency?: number;
    readonly queue?: number;
  };
  readonly serial?: string;
  readonly isolate?: 'thread' | 'none';
  readonly scopes?: readonly string[];
  readonly modes?: readonly string[];
  readonly when?: When;
  readonly tags?: readonly string[];
  readonly enabled?: boolean;
  readonly confirm?: boolean;
  readonly additionalParameters?: boolean;
  readonly clean?: readonly ('progress' | 'repeats' | 'ansi' | 'truncate')[];
  readonly icons?: readonly Icon[];
  readonly ui?: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly task?: TaskMode | TaskOptions;
}

export type TaskMode = 'forbidden' | 'optional' | 'required';

/** T1. */
export interface TaskOptions {
  readonly mode?: TaskMode;
  /** Whether questions come before the task, as far as they come at once, or within. */
  readonly ask?: 'before' | 'inside';
  /** What becomes of a task whose process ended. */
  readonly restart?: 'resume' | 'fail';
}

export interface CacheHints {
  readonly ttlMs?: number;
  readonly scope?: 'public' | 'private';
}

export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
}

/** X2: values of keys of `config:`, all of which must hold; a list means any of its values. */
export type When = Readonly<Record<string, unknown>>;

/** Picks an item by its name, or several by a pattern, under a condition. */
export interface ItemSelector {
  readonly item: string;
  readonly when: When;
}

/** Picks the items of a pack that have a tag. */
export interface TagSelector {
  readonly tag: string;
  readonly when?: When;
}

export interface ServerDefinition {
  readonly name?: string;
  readonly title?: string;
  readonly description?: Text;
  readonly version?: string;
  readonly instructions?: Text | readonly string[];
  readonly tools?: readonly (string | TagSelector | ItemSelector | (ToolDefinition & { readonly name: string }))[];
  readonly prompts?: readonly (string | TagSelector | ItemSelector | (PromptDefinition & { readonly name: string }))[];
  readonly resources?: readonly (
    | string
    | TagSelector
    | ItemSelector
    | (ResourceDefinition & { readonly name: string })
  )[];
  readonly transport?: 'stdio' | 'http';
  readonly http?: {
    readonly host?: string;
    readonly port?: number;
    readonly path?: string;
    readonly allowedHosts?: readonly string[];
    readonly allowedOrigins?: readonly string[];
    readonly cors?: boolean;
    readonly maxBodyBytes?: number;
    readonly headers?: readonly string[];
  };
  readonly auth?:
    | { readonly type: 'bearer'; readonly env: string }
    | {
        readonly type: 'oauth';
        readonly issuer: string;
        readonly audience: string;
        readonly jwks?: string;
        readonly scopes?: readonly string[];
      };
  readonly initialize?: string;
  readonly routes?: string;
  readonly configName?: string;
  readonly cache?: CacheHints;
  readonly strictArguments?: boolean;
  readonly enabled?: boolean;
  readonly pageSize?: number;
  readonly icons?: readonly Icon[];
  readonly websiteUrl?: string;
}

export interface PromptArgument {
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly type?: 'string' | 'list';
  readonly complete?: readonly string[] | string;
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly text?: string;
  readonly image?: string | { readonly file: string; readonly mimeType?: string };
  readonly audio?: string | { readonly file: string; readonly mimeType?: string };
  readonly resource?: {
    readonly uri: string;
    readonly mimeType?: string;
    readonly text?: string;
    readonly file?: string;
  };
  readonly link?: {
    readonly uri: string;
    readonly name: string;
    readonly title?: string;
    readonly description?: string;
    readonly mimeType?: string;
  };
}

export interface PromptDefinition {
  readonly name?: string;
  readonly title?: string;
  readonly description?: Text;
  readonly type?: 'text' | 'messages' | 'handler' | 'mcp';
  readonly onError?: 'error' | 'message';
  readonly arguments?: Readonly<Record<string, null | string | PromptArgument>>;
  readonly text?: Text;
  readonly messages?: readonly PromptMessage[];
  readonly handler?: string;
  readonly mcp?: McpCall;
  readonly examples?: readonly Example[];
  readonly tags?: readonly string[];
  readonly modes?: readonly string[];
  readonly when?: When;
  readonly enabled?: boolean;
  readonly icons?: readonly Icon[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface ResourceDefinition {
  readonly uri?: string;
  readonly uriTemplate?: string;
  readonly name?: string;
  readonly title?: string;
  readonly description?: Text;
  readonly mimeType?: string;
  readonly size?: number;
  readonly file?: string;
  readonly text?: string;
  readonly handler?: string;
  readonly http?: string | HttpCall;
  readonly sql?: SqlCall;
  readonly mcp?: McpCall;
  readonly complete?: Readonly<Record<string, readonly string[] | string>>;
  readonly list?: string;
  readonly subscribe?: boolean;
  readonly enabled?: boolean;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly cache?: CacheHints;
  readonly tags?: readonly string[];
  readonly modes?: readonly string[];
  readonly when?: When;
  readonly icons?: readonly Icon[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface Definitions {
  readonly server: ServerDefinition;
  readonly tool: ToolDefinition;
  readonly prompt: PromptDefinition;
  readonly resource: ResourceDefinition;
  readonly schema: JsonSchema;
}
