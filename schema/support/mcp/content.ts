// What handlers may return, as types. The runtime turns each form into the protocol's result.

/** Hints to clients about one piece of content. */
export interface ContentAnnotations {
  readonly audience?: readonly ('user' | 'assistant')[] | undefined;
  /** From 0 (optional) to 1 (required reading). */
  readonly priority?: number | undefined;
  /** ISO 8601. */
  readonly lastModified?: string | undefined;
}

interface ContentBase {
  readonly annotations?: ContentAnnotations | undefined;
  readonly _meta?: { readonly [key: string]: unknown } | undefined;
}

/**
 * Text, as the builder `text` makes it.
 *
 * @example return text('Done.');
 */
export interface TextContent extends ContentBase {
  readonly type: 'text';
  readonly text: string;
}

/**
 * An image, as the builder `image` makes it. `data` is base64.
 *
 * @example return image(png, 'image/png');
 */
export interface ImageContent extends ContentBase {
  readonly type: 'image';
  readonly data: string;
  readonly mimeType: string;
}

/**
 * Sound, as the builder `audio` makes it. `data` is base64.
 *
 * @example return audio(wav, 'audio/wav');
 */
export interface AudioContent extends ContentBase {
  readonly type: 'audio';
  readonly data: string;
  readonly mimeType: string;
}

/**
 * A resource with what is in it, as the builder `resource` makes it.
 *
 * @example return resource('issue://PROJ-1', { text: body, mimeType: 'text/markdown' });
 */
export interface ResourceContent extends ContentBase {
  readonly type: 'resource';
  readonly resource: ResourceContents;
}

/**
 * A resource by its address only, as the builder `link` makes it.
 *
 * @example return link('issue://PROJ-1', { name: 'PROJ-1' });
 */
export interface LinkContent extends ContentBase {
  readonly type: 'resource_link';
  readonly uri: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly size?: number | undefined;
}

/**
 * One piece of a result.
 *
 * @example return [text('The chart:'), image(png, 'image/png')];
 */
export type Content = TextContent | ImageContent | AudioContent | ResourceContent | LinkContent;

/**
 * What is in one resource: text, or bytes as base64.
 *
 * @example return { uri: 'issue://PROJ-1', mimeType: 'text/plain', text: 'It is broken.' };
 */
export interface ResourceContents {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  readonly text?: string | undefined;
  readonly blob?: string | undefined;
  readonly _meta?: { readonly [key: string]: unknown } | undefined;
}

/**
 * Bytes with their type. From a tool: an image or sound if the type says so, else an embedded resource.
 *
 * @example return { data: await readFile('chart.png'), mimeType: 'image/png' };
 */
export interface Bytes {
  readonly data: Uint8Array;
  readonly mimeType: string;
}

/**
 * The same as a pair.
 *
 * @example return [await readFile('chart.png'), 'image/png'];
 */
export type BytesPair = readonly [data: Uint8Array, mimeType: string];

/**
 * A whole result of a tool; it reaches the client as it is.
 *
 * @example return { content: [text('No such issue')], isError: true };
 */
export interface CallToolResult {
  readonly content: readonly Content[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
  readonly _meta?: { readonly [key: string]: unknown } | undefined;
}

/**
 * What the handler of a tool without output schema may return. An object becomes text and structured content,
 * nothing becomes an empty result.
 *
 * @example export default tools.ping(() => 'pong');
 */
export type HandlerResult =
  | string
  | number
  | boolean
  | Bytes
  | BytesPair
  | Content
  | readonly Content[]
  | CallToolResult
  | object
  | null
  | undefined
  // biome-ignore lint/suspicious/noConfusingVoidType: handlers without a return statement are welcome
  | void;

/**
 * What `result: envelope` adds to an output; all of it may be left out.
 *
 * @example return { key: 'PROJ-1', message: 'Created.', next_steps: ['Assign it.'] };
 */
export interface Envelope {
  readonly status?: string | undefined;
  readonly message?: string | undefined;
  readonly next_steps?: readonly string[] | undefined;
  readonly action_url?: string | undefined;
  readonly auth_required?: boolean | undefined;
  readonly meta?: { readonly [key: string]: unknown } | undefined;
}

/**
 * One message of a prompt.
 *
 * @example return [{ role: 'user', content: text('Summarise PROJ-1') }];
 */
export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: Content | string;
}

/**
 * What the handler of a prompt may return: a string stands for one message of the user.
 *
 * @example export default prompts.issueText(({ issueKey }) => `Summarise ${issueKey}.`);
 */
export type PromptResult =
  | string
  | PromptMessage
  | readonly PromptMessage[]
  | { readonly description?: string | undefined; readonly messages: readonly PromptMessage[] };

/**
 * What the handler of a resource may return: text, bytes, an object (as JSON) or the contents themselves; nothing where
 * there is nothing at the address.
 *
 * @example export default resources.issue(async ({ key }, ctx) => ctx.app.jira.text(key));
 */
export type ResourceResult =
  | string
  | Uint8Array
  | Bytes
  | BytesPair
  | ResourceContents
  | readonly ResourceContents[]
  | object
  | null
  | undefined;

/**
 * What the function of `list:` returns: the resources that exist now. Addresses must match the resource's `uriTemplate`; what an
 * entry leaves out is as the manifest says.
 *
 * @example return notes.map(({ id, title }) => ({ uri: `notes://${id}`, name: id, title }));
 */
export type ListResult = readonly (string | ListedResource)[];

/** One resource in `resources/list`. */
export interface ListedResource {
  readonly uri: string;
  /** Default: the address. */
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
  /** In bytes. */
  readonly size?: number | undefined;
  readonly annotations?: object | undefined;
  readonly icons?: readonly object[] | undefined;
  readonly _meta?: { readonly [name: string]: unknown } | undefined;
}

/**
 * What the function of a completion may return: values in the order in which they are offered, or these with how many there are.
 *
 * @example return { values: keys.slice(0, 100), total: keys.length, hasMore: keys.length > 100 };
 */
export type CompletionResult =
  | readonly (string | number)[]
  | {
      readonly values: readonly (string | number)[];
      readonly total?: number | undefined;
      readonly hasMore?: boolean | undefined;
    }
  | null
  | undefined;
