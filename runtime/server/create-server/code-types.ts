// What code may define in place of a manifest, as types: arguments, options and errors follow from the definition.
import type {
  ErrorEntry,
  OptionEntry,
  PromptArgument,
  PromptDefinition,
  ResourceDefinition,
  ToolDefinition,
} from '../../../schema/definitions.js';
import type { HandlerResult, ListResult, PromptResult, ResourceResult } from '../../../schema/support/mcp/content.js';
import type {
  BaseContext,
  ErrorFactory,
  InitializeContext,
  PromptContext,
  ResourceContext,
  ToolContext,
} from '../../../schema/support/mcp/context.js';

/** Arguments of which only the names are known. A handler may name a narrower type: they fit the schema. */
export interface Arguments {
  readonly [name: string]: unknown;
}

/** A tool as data: what a manifest says of it, but no module. */
export interface CodeToolDefinition extends Omit<ToolDefinition, 'name' | 'handler' | 'initialize'> {
  /** What clients see. */
  readonly name: string;
  /** Runs once before the first call; a failure is tried again on the next one. */
  readonly initialize?: ((ctx: InitializeContext) => unknown) | undefined;
}

interface Types {
  string: string;
  integer: number;
  number: number;
  boolean: boolean;
  array: readonly unknown[];
  object: Arguments;
}

type TypeOf<P> = P extends keyof Types
  ? Types[P]
  : P extends { readonly enum: readonly (infer Member)[] }
    ? Member
    : P extends { readonly type: infer T extends keyof Types }
      ? Types[T]
      : unknown;

/** A parameter that may be absent: `required: false`, and no default that would fill it in. */
type IsOptional<P> = P extends { readonly default: unknown }
  ? false
  : P extends { readonly required: false }
    ? true
    : false;

type ShorthandOf<P> = { readonly [K in keyof P as IsOptional<P[K]> extends true ? never : K]: TypeOf<P[K]> } & {
  readonly [K in keyof P as IsOptional<P[K]> extends true ? K : never]?: TypeOf<P[K]>;
};

/**
 * The arguments of a tool, as far as `parameters` tells them.
 *
 * @example type Args = ArgumentsOf<{ name: 'greet'; parameters: { who: 'string' } }>; // { readonly who: string }
 */
export type ArgumentsOf<D> = D extends { readonly parameters: infer P } ? ShorthandOf<P> : Arguments;

/** M27: a code that the tool does not declare does not compile. */
type ErrorsOf<D> = D extends { readonly errors: infer E } ? { readonly [K in keyof E]: ErrorFactory } : object;

type OptionsOf<D> = D extends { readonly options: infer O } ? { readonly [K in keyof O]: TypeOf<O[K]> } : object;

/** What the handler of a tool that code defines is given. */
export interface CodeToolContext<D> extends Omit<ToolContext, 'errors' | 'options'> {
  readonly errors: ErrorsOf<D>;
  readonly options: OptionsOf<D>;
}

/** The handler that fits a definition. */
export type HandlerFor<D> = (args: ArgumentsOf<D>, ctx: CodeToolContext<D>) => HandlerResult | Promise<HandlerResult>;

interface AnyTool {
  readonly errors: Readonly<Record<string, ErrorEntry>>;
  readonly options: Readonly<Record<string, OptionEntry>>;
}

/**
 * A tool in one piece: its definition and its function.
 *
 * @example
 * const greet: CodeTool = {
 *   name: 'greet',
 *   description: 'Greet somebody.',
 *   parameters: { who: 'string' },
 *   handler: ({ who }) => `Hello ${who}`,
 * };
 */
export interface CodeTool extends CodeToolDefinition {
  // A method, so that handlers may name the type of their own arguments.
  handler(args: Arguments, ctx: CodeToolContext<AnyTool>): HandlerResult | Promise<HandlerResult>;
}

/**
 * A tool without a function: a request, a statement, a program or the tool of another server does its work.
 *
 * @example
 * const status: BackendTool = { name: 'status', description: 'Is it up?', http: { url: 'https://status.example.com/api' } };
 */
export type BackendTool = CodeToolDefinition &
  (
    | { readonly http: NonNullable<ToolDefinition['http']> }
    | { readonly sql: NonNullable<ToolDefinition['sql']> }
    | { readonly exec: NonNullable<ToolDefinition['exec']> }
    | { readonly mcp: NonNullable<ToolDefinition['mcp']> }
  );

interface CodeArgument extends Omit<PromptArgument, 'complete'> {
  readonly complete?: readonly string[] | ((value: string, ctx: never) => unknown) | undefined;
}

/**
 * A prompt: a `text`, `messages` or a function.
 *
 * @example
 * const hello: CodePrompt = { name: 'hello', description: 'Say hello.', arguments: { who: {} }, text: 'Hello {{who}}' };
 */
export interface CodePrompt extends Omit<PromptDefinition, 'name' | 'handler' | 'arguments'> {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, null | string | CodeArgument>> | undefined;
  handler?(args: { readonly [name: string]: string }, ctx: PromptContext): PromptResult | Promise<PromptResult>;
}

/**
 * A resource: a `text`, a `file` or a function.
 *
 * @example const rules: CodeResource = { name: 'rules', uri: 'doc://rules', text: 'Be kind.' };
 */
export interface CodeResource extends Omit<ResourceDefinition, 'name' | 'handler' | 'complete' | 'list'> {
  readonly name: string;
  readonly complete?:
    | Readonly<Record<string, readonly string[] | ((value: string, ctx: never) => unknown)>>
    | undefined;
  /** X13: the resources that exist, with a `uriTemplate`. */
  list?(ctx: BaseContext): ListResult | Promise<ListResult>;
  handler?(
    variables: { readonly [name: string]: unknown },
    ctx: ResourceContext,
  ): ResourceResult | Promise<ResourceResult>;
}
