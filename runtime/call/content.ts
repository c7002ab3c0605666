// The builders of content that handlers return: text, images, sound, resources and links to them.
import type {
  AudioContent,
  Content,
  ContentAnnotations,
  ImageContent,
  LinkContent,
  ResourceContent,
  TextContent,
} from '../../schema/support/mcp/content.js';

/** Copies of this package know each other's content by it. It is not part of what reaches clients. */
const brand = Symbol.for('toolwright.content');

/** What any content may say beside itself. */
export interface ContentOptions {
  /** Hints to clients, such as `{ audience: ['user'], priority: 1 }`. */
  readonly annotations?: ContentAnnotations | undefined;
  readonly _meta?: { readonly [key: string]: unknown } | undefined;
}

/** What is in a resource: its text, or bytes. */
export interface ResourceOptions extends ContentOptions {
  readonly text?: string | undefined;
  /** Bytes, or base64 of them. */
  readonly blob?: Uint8Array | ArrayBuffer | string | undefined;
  readonly mimeType?: string | undefined;
}

/** What a link says about its resource. */
export interface LinkOptions extends ContentOptions {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
  /** In bytes. */
  readonly size?: number | undefined;
}

/**
 * Text, where a plain string is not enough: among other content, with annotations, or with an output schema.
 *
 * @example return [text('The chart:'), image(png, 'image/png')];
 * @example return text('For your eyes only', { annotations: { audience: ['user'] } });
 */
export function text(content: string, options: ContentOptions = {}): TextContent {
  return mark({ type: 'text', text: String(content), ...given(options) });
}

/**
 * An image, from bytes or base64.
 *
 * @example return image(await readFile('chart.png'), 'image/png');
 */
export function image(
  data: Uint8Array | ArrayBuffer | string,
  mimeType: string,
  options: ContentOptions = {},
): ImageContent {
  return mark({ type: 'image', data: toBase64(data, 'image'), mimeType, ...given(options) });
}

/**
 * Sound, from bytes or base64.
 *
 * @example return audio(await readFile('bell.wav'), 'audio/wav');
 */
export function audio(
  data: Uint8Array | ArrayBuffer | string,
  mimeType: string,
  options: ContentOptions = {},
): AudioContent {
  return mark({ type: 'audio', data: toBase64(data, 'audio'), mimeType, ...given(options) });
}

/**
 * A resource with what is in it: a string, or bytes.
 *
 * @example return resource('issue://PROJ-1', { text: body, mimeType: 'text/markdown' });
 * @example return resource('file:///report.pdf', { blob: bytes, mimeType: 'application/pdf' });
 */
export function resource(uri: string, options: ResourceOptions): ResourceContent {
  const { text: content, blob, mimeType } = options;
  if ((content === undefined) === (blob === undefined))
    throw new TypeError('resource() takes either a string or a blob');
  const kind = mimeType === undefined ? {} : { mimeType };
  const inside = blob === undefined ? { text: String(content) } : { blob: toBase64(blob, 'resource') };
  return mark({ type: 'resource', resource: { uri, ...kind, ...inside }, ...given(options) });
}

/**
 * A resource by its address only; clients read it if they need it.
 *
 * @example return link('issue://PROJ-1', { name: 'PROJ-1', mimeType: 'text/markdown' });
 */
export function link(uri: string, options: LinkOptions): LinkContent {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError("link() takes what it says about the resource: link(uri, { name: 'PROJ-1' })");
  }
  const { annotations, _meta, ...about } = options;
  const said = Object.entries(about).filter(([, value]) => value !== undefined);
  return mark({ type: 'resource_link', uri, ...(Object.fromEntries(said) as { name: string }), ...given(options) });
}

/** Whether content was made by a builder, also one of another copy of this package. */
export function isBuilt(value: unknown): value is Content {
  return typeof value === 'object' && value !== null && (value as { [brand]?: unknown })[brand] === true;
}

/** Base64 of bytes, without copying them first. */
export function encodeBytes(bytes: Uint8Array | ArrayBuffer): string {
  const view = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('base64');
}

function toBase64(data: Uint8Array | ArrayBuffer | string, builder: string): string {
  if (typeof data !== 'string') {
    if (ArrayBuffer.isView(data) || data instanceof ArrayBuffer) return encodeBytes(data);
    throw new TypeError(`${builder}() takes bytes or base64`);
  }
  if (data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data)) return data;
  throw new TypeError(`${builder}() takes bytes or base64, and this text is not base64`);
}

function given({ annotations, _meta }: ContentOptions): ContentOptions {
  return { ...(annotations === undefined ? {} : { annotations }), ...(_meta === undefined ? {} : { _meta }) };
}

function mark<T extends Content>(content: T): T {
  return Object.defineProperty(content, brand, { value: true });
}
