// How handlers deal with the client, its user and its model, as types: what each part of the context takes and gives.
import type { Content } from './content.js';

/** Writes one message to the client's log; `data` must be JSON. */
export type LogFunction = (message: string, data?: unknown) => void;

/**
 * The levels of the protocol, from chatty to alarming.
 *
 * @example ctx.log.warning('slow answer', { ms: 1200 });
 */
export interface Log {
  readonly debug: LogFunction;
  readonly info: LogFunction;
  readonly notice: LogFunction;
  readonly warning: LogFunction;
  readonly error: LogFunction;
  readonly critical: LogFunction;
  readonly alert: LogFunction;
  readonly emergency: LogFunction;
}

/**
 * The client that called.
 *
 * @example if (ctx.client.capabilities.elicitation === undefined) return 'Please name a size.';
 */
export interface Client {
  /** Empty where the client does not say. */
  readonly name: string;
  readonly version: string;
  readonly title?: string | undefined;
  readonly capabilities: ClientCapabilities;
}

/** What a client says it can do; there may be more than is listed here. */
export interface ClientCapabilities {
  readonly sampling?: object | undefined;
  readonly elicitation?: object | undefined;
  readonly roots?: object | undefined;
  readonly [name: string]: unknown;
}

/**
 * Who called, by a bearer token or OAuth.
 *
 * @example if (!ctx.auth?.scopes.includes('issues:write')) throw ctx.errors.FORBIDDEN();
 */
export interface Auth {
  readonly token: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly subject?: string | undefined;
  /** In seconds since 1970. */
  readonly expiresAt?: number | undefined;
  readonly claims: { readonly [name: string]: unknown };
}

/**
 * Tells clients that something changed.
 *
 * @example ctx.notify.resourceUpdated(`issue://${issueKey}`);
 */
export interface Notify {
  toolsChanged(): void;
  promptsChanged(): void;
  resourcesChanged(): void;
  resourceUpdated(uri: string): void;
}

/**
 * A question with fields to fill in: one flat property of type string, number, integer, boolean or enum each.
 *
 * @example { message: 'Which size?', schema: { size: { type: 'string', enum: ['S', 'M'] } } }
 */
export interface ElicitForm<Schema extends ElicitSchema = ElicitSchema> {
  readonly message: string;
  /**
   * The fields by name as JSON Schemas, or a whole schema of type object. Fields by name are required unless they have a
   * default or say `required: false`; a whole schema says so itself, by its list `required`.
   */
  readonly schema: Schema;
}

/** Fields by name, each a JSON Schema or the name of its type; or a whole schema of type object. */
export interface ElicitSchema {
  readonly [name: string]: unknown;
}

/**
 * A question that is answered on a page, for what must not pass through the client: passwords, payments.
 *
 * @example { message: 'Please sign in', url: 'https://example.com/sign-in' }
 */
export interface ElicitUrl {
  readonly message: string;
  readonly url: string;
}

/**
 * What the user did.
 *
 * @example if (answer.action === 'accept') order(answer.content.size);
 */
export type ElicitAnswer<Content = { readonly [name: string]: unknown }> =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline' | 'cancel'; readonly content?: undefined };

/**
 * What the user has filled in, by the schema of the question. Fields that may be left out are perhaps not there.
 *
 * @example ElicitContent<{ size: { enum: ['S', 'M'] }; note: { type: 'string'; required: false } }> // size: 'S' | 'M'
 */
export type ElicitContent<Schema> = string extends keyof Schema
  ? { readonly [name: string]: unknown }
  : Schema extends { readonly type: 'object'; readonly properties: infer Properties }
    ? {
        readonly [Name in keyof Properties]: Schema extends { readonly required: readonly (infer Required)[] }
          ? ElicitField<Properties[Name], Name extends Required ? true : false>
          : ElicitField<Properties[Name], false>;
      }
    : { readonly [Name in keyof Schema]: ElicitField<Schema[Name], true> };

/** Defaults are filled in. */
type ElicitField<Field, IsRequired> = Field extends { readonly default: unknown }
  ? ElicitValue<Field>
  : IsRequired extends true
    ? Field extends { readonly required: false }
      ? ElicitValue<Field> | undefined
      : ElicitValue<Field>
    : ElicitValue<Field> | undefined;

interface ElicitTypes {
  readonly string: string;
  readonly number: number;
  readonly integer: number;
  readonly boolean: boolean;
}

type ElicitValue<Field> = Field extends keyof ElicitTypes
  ? ElicitTypes[Field]
  : Field extends { readonly type: 'array'; readonly items: infer Items }
    ? readonly ElicitChoice<Items>[]
    : Field extends { readonly enum: unknown } | { readonly oneOf: unknown }
      ? ElicitChoice<Field>
      : Field extends { readonly type: infer Type extends keyof ElicitTypes }
        ? ElicitTypes[Type]
        : unknown;

type ElicitChoice<Field> = Field extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : Field extends { readonly oneOf: readonly { readonly const: infer Value }[] }
    ? Value
    : Field extends { readonly anyOf: readonly { readonly const: infer Value }[] }
      ? Value
      : string;

/**
 * A question to the client's model.
 *
 * @example { prompt: 'Summarise this', maxTokens: 200, fallback: 'No summary' }
 */
export interface SampleRequest {
  /** One message of the user; `messages` for more. */
  readonly prompt?: string | undefined;
  readonly messages?: readonly SampleMessage[] | undefined;
  readonly system?: string | undefined;
  readonly maxTokens: number;
  readonly temperature?: number | undefined;
  readonly stopSequences?: readonly string[] | undefined;
  /** Names of models, best first; clients take them as hints. */
  readonly models?: readonly string[] | undefined;
  /**
   * Tools that the model may call; `toolUses` of the answer says which it wants. Only for clients with the capability
   * `sampling.tools`: any other gets the `fallback`, else the error CAPABILITY_MISSING.
   */
  readonly tools?: readonly SampleTool[] | undefined;
  /** Whether the model may, must or must not call a tool; default `auto`. */
  readonly toolChoice?: { readonly mode?: 'auto' | 'required' | 'none' | undefined } | undefined;
  /** The answer where the client cannot sample. */
  readonly fallback?: string | undefined;
}

export interface SampleMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string | SampleContent | readonly SampleContent[];
}

/** Content of a message. The user's message after one with tool calls has a result for each, and nothing else. */
export type SampleContent = Content | SampleToolUse | SampleToolResult;

/**
 * A tool that the client's model may call; the handler runs it.
 *
 * @example { name: 'look-up', description: 'Look a word up.', inputSchema: { type: 'object', properties: { word: { type: 'string' } } } }
 */
export interface SampleTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown };
}

/** A call that the model asks for. */
export interface SampleToolUse {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: { readonly [name: string]: unknown };
}

/** What such a call came to. */
export interface SampleToolResult {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly content: readonly Content[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/** What the model said. `model` is undefined for a fallback. */
export interface SampleAnswer {
  /** The text of the answer, empty where it has none. */
  readonly text: string;
  readonly content: readonly Content[];
  /** The calls that the model asks for; empty where the request has no `tools`. */
  readonly toolUses: readonly SampleToolUse[];
  readonly model: string | undefined;
  readonly stopReason: string | undefined;
}

/**
 * A folder that the client works in.
 *
 * @example const path = fileURLToPath(root.uri);
 */
export interface Root {
  readonly uri: string;
  readonly name?: string | undefined;
}
