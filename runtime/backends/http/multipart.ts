// B1. In: the fields of a multipart form, or a file that is the whole body. Out: its bytes, with a boundary that occurs in none of them.
import { randomBytes } from 'node:crypto';
import { isFilePart } from '../../../schema/backend/calls.js';
import { isMap } from '../../../schema/document.js';
import type { FilePart } from '../../../schema/support/mcp/backends.js';
import { badValue, plainText } from './place-values.js';

export interface EncodedBody {
  readonly type: string;
  readonly body: Uint8Array | string;
}

interface Part {
  readonly name: string;
  readonly filename: string | undefined;
  readonly type: string | undefined;
  readonly content: Buffer;
}

const octets = 'application/octet-stream';
/** Where the contents of a file may be. */
const fileSources = ['text', 'base64', 'resource'] as const;
const partKeys: ReadonlySet<string> = new Set([...fileSources, 'filename', 'type']);

/** Lists repeat their name; what is absent is left out. */
export function encodeMultipart(fields: Readonly<Record<string, unknown>>): EncodedBody {
  const parts = Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter(one => one !== undefined && one !== null && !isAbsentFile(one))
      .map(one => checkedPart(makePart(name, one, `The form field ${name}`), `The form field ${name}`)),
  );
  const boundary = findBoundary(parts);
  const pieces: Uint8Array[] = [];
  for (const { name, filename, type, content } of parts) {
    const file = filename === undefined ? '' : `; filename="${quote(filename)}"`;
    const typeLine = type === undefined ? '' : `Content-Type: ${type}\r\n`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quote(name)}"${file}\r\n${typeLine}\r\n`;
    pieces.push(Buffer.from(head), content, Buffer.from('\r\n'));
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return { type: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(pieces) };
}

/** It says where its contents are, and there is nothing. */
function isAbsentFile(value: unknown): boolean {
  const file = isMap(value) && !(value instanceof Uint8Array) && isFilePart(value) ? value : undefined;
  return file !== undefined && fileSources.every(key => file[key] === undefined);
}

/** A body that is one file; undefined where it is absent. */
export function encodeFile(value: FilePart | Uint8Array): EncodedBody | undefined {
  const place = 'The body';
  if (!(value instanceof Uint8Array)) {
    if (!isMap(value)) throw badValue(place, 'is neither bytes nor text, base64 or a resource');
    const unknown = Object.keys(value).find(key => !partKeys.has(key));
    if (unknown !== undefined) throw badValue(place, `has ${JSON.stringify(unknown)}, which a file does not have`);
    if (!fileSources.some(key => value[key] !== undefined && value[key] !== null)) return undefined;
  }
  const { type = octets, content } = makePart('', value, place);
  return { type, body: content };
}

function findBoundary(parts: readonly Part[]): string {
  for (;;) {
    const boundary = `toolwright-${randomBytes(16).toString('hex')}`;
    if (!parts.some(({ content }) => content.includes(boundary))) return boundary;
  }
}

/** As browsers do it. What readers take for an escape, or understand in more than one way, has no way of its own. */
function quote(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function checkedPart(part: Part, place: string): Part {
  const { name, filename = '' } = part;
  if (/[\\\0-\x09\x0b\x0c\x0e-\x1f\x7f\p{Surrogate}]|%(?:22|0d|0a)/iu.test(`${name}\n${filename}`))
    throw badValue(place, 'has a name with a character that names in forms cannot have');
  return part;
}

function makePart(name: string, value: unknown, place: string): Part {
  if (value instanceof Uint8Array) return { name, filename: 'file', type: octets, content: Buffer.from(value) };
  if (!isMap(value) || value instanceof Date)
    return { name, filename: undefined, type: undefined, content: utf8Of(plainText(value, place), place) };
  const given = fileSources.filter(key => value[key] !== undefined && value[key] !== null);
  const [source] = given;
  if (source === undefined || given.length > 1 || !Object.keys(value).every(key => partKeys.has(key))) {
    if (Object.keys(value).some(key => key === 'base64' || key === 'resource') && given.length !== 1)
      throw badValue(place, 'needs one of text, base64 and resource');
    return { name, filename: undefined, type: 'application/json', content: Buffer.from(JSON.stringify(value)) };
  }
  const file = source === 'resource' ? readResource(value[source], place) : readFile(source, value[source], place);
  return {
    name,
    filename: optionalText(value['filename'], place) ?? file.filename,
    type: typeOf(optionalText(value['type'], place) ?? file.type, place),
    content: file.content,
  };
}

type File = Omit<Part, 'name'>;

function readFile(source: 'text' | 'base64', value: unknown, place: string): File {
  if (source === 'text')
    return { filename: undefined, type: 'text/plain; charset=utf-8', content: utf8Of(plainText(value, place), place) };
  return { filename: 'file', type: octets, content: readBase64(value, place) };
}

/** Contents as servers give them: `{ uri, mimeType, text }` or with `blob`. */
function readResource(value: unknown, place: string): File {
  if (!isMap(value)) throw badValue(place, 'has a resource that is not an object');
  // Embedded in a result it has a shell around it.
  const { uri, mimeType, text, blob } = isMap(value['resource']) ? value['resource'] : value;
  const isText = typeof text === 'string';
  if (!isText && typeof blob !== 'string') throw badValue(place, 'has a resource with neither text nor blob');
  const [address = ''] = typeof uri === 'string' ? uri.split(/[?#]/, 1) : [];
  const filename = address.split('/').findLast(segment => segment !== '');
  return {
    filename: filename ?? 'file',
    type: typeof mimeType === 'string' ? mimeType : isText ? 'text/plain; charset=utf-8' : octets,
    content: isText ? utf8Of(text, place) : readBase64(blob, place),
  };
}

function readBase64(value: unknown, place: string): Buffer {
  const text = typeof value === 'string' ? value.replace(/\s+/g, '') : undefined;
  if (text === undefined || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(text) || text.replace(/=+$/, '').length % 4 === 1)
    throw badValue(place, 'is not base64');
  return Buffer.from(text, 'base64');
}

/** Half a character would arrive as another one. */
function utf8Of(text: string, place: string): Buffer {
  if (/\p{Surrogate}/u.test(text)) throw badValue(place, 'has half of a character');
  return Buffer.from(text);
}

function optionalText(value: unknown, place: string): string | undefined {
  return value === undefined || value === null ? undefined : plainText(value, place);
}

function typeOf(type: string | undefined, place: string): string | undefined {
  if (type === undefined || /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *;[\x20-\x7e]*)?$/.test(type)) return type;
  throw badValue(place, 'has a type that is not a MIME type');
}
