// In: the resources of a server and a URI. Out: which resource it is of, and what is in it now.

import { callKindOf } from '../../schema/backend/calls.js';
import { isMap } from '../../schema/document.js';
import type { Content, ResourceContents } from '../../schema/support/mcp/content.js';
import { makeUriMatcher, type UriMatcher } from '../../schema/uri-template-match.js';
import { isBuilt } from '../call/content.js';
import { isOpaque, isPlainJson, isStream, salvageJson, toJson } from '../call/plain-json.js';
import type { CallServices, Outcome, Request, ServedResource } from '../call/ports.js';
import { isBytes, typedBytesOf } from '../call/recognise-result.js';
import { type Redaction, redactionOf } from '../call/redact.js';
import { Preview } from '../call/run-work.js';
import { isUpstreamFailure } from '../call/upstream-failure.js';
import { isJsonType } from '../load/mime-type.js';
import { listedMimeType } from '../packs/list-entries.js';
import { contentsOfBytes, readPackFile } from './pack-file.js';
import { problemOf, ResourceNotFound } from './problems.js';
import { runHandler } from './run-handler.js';
import type { ResourceAnswer } from './surface.js';

export interface FoundResource {
  readonly served: ServedResource;
  /** What the variables of its template stand for; empty for a fixed URI. */
  readonly variables: Readonly<Record<string, string>>;
}

/** J81: a fixed URI comes before every template, templates come in their order. */
export function makeResourceFinder(resources: readonly ServedResource[]): (uri: string) => FoundResource | undefined {
  const fixed = new Map<string, ServedResource>();
  const templates: { readonly served: ServedResource; readonly template: string; match?: UriMatcher }[] = [];
  for (const served of resources) {
    const { uri, uriTemplate } = served.resource.definition;
    if (uri !== undefined && !fixed.has(uri)) fixed.set(uri, served);
    else if (uriTemplate !== undefined) templates.push({ served, template: uriTemplate });
  }
  return uri => {
    const exact = fixed.get(uri);
    if (exact !== undefined) return { served: exact, variables: {} };
    for (const one of templates) {
      one.match ??= makeUriMatcher(one.template);
      const variables = one.match(uri);
      if (variables !== undefined) return { served: one.served, variables };
    }
    return undefined;
  };
}

export async function readResource(
  uri: string,
  { served, variables }: FoundResource,
  request: Request,
  services: CallServices,
): Promise<Outcome<ResourceAnswer>> {
  const { resource, host } = served;
  const { definition, handler } = resource;
  const cache = definition.cache === undefined ? {} : { cache: definition.cache };
  const mimeType = listedMimeType(resource);
  // Hosts that look at contents only would miss the CSP of a page in it. What a handler returns with its own keeps that.
  const meta = definition._meta === undefined ? {} : { _meta: definition._meta };
  try {
    if (definition.text !== undefined) {
      const contents = { uri, mimeType: mimeType ?? 'text/plain', text: definition.text, ...meta };
      return { result: { contents: [contents], ...cache } };
    }
    if (definition.file !== undefined) {
      const bytes = readPackFile(host, definition.file);
      return { result: { contents: [{ ...contentsOfBytes(uri, bytes, mimeType, 'text/plain'), ...meta }], ...cache } };
    }
    const work =
      handler ?? (callKindOf(definition as Readonly<Record<string, unknown>>) === undefined ? undefined : resource);
    if (work === undefined) throw new ResourceNotFound(uri);
    const call = { host, handler: work, name: resource.name, subject: `resource:${uri}`, args: variables };
    const outcome = await runHandler(call, request, services);
    if ('asking' in outcome) return outcome;
    if (outcome.result instanceof Preview)
      return { result: { contents: [{ uri, mimeType: 'text/plain', text: outcome.result.text }] } };
    const asked = { uri, mimeType: definition.mimeType, redaction: redactionOf(host) };
    const contents = toContents(outcome.result, asked);
    // A handler that has nothing for this URI says so by returning nothing.
    if (contents === undefined) throw new ResourceNotFound(uri);
    const told = contents.map(one => (one.uri === uri && one._meta === undefined ? { ...one, ...meta } : one));
    return { result: { contents: told, ...cache } };
  } catch (error) {
    if (isAbsence(error)) throw new ResourceNotFound(uri);
    throw problemOf(error, { name: resource.name, host, services });
  }
}

/** A database without the row, a service without the page. */
function isAbsence(error: unknown): boolean {
  if (!isUpstreamFailure(error)) return false;
  return error.code === 'NO_ROW' || (error.isAnswer && (error.status === 404 || error.status === 410));
}

/** What is known before the handler runs. */
interface Asked {
  readonly uri: string;
  /** Of the definition. */
  readonly mimeType: string | undefined;
  readonly redaction: Redaction | undefined;
}

/** J80: contents of whatever the handler of a resource returned; undefined for nothing. What cannot be contents is an Error for the author. */
export function toContents(value: unknown, asked: Asked): readonly ResourceContents[] | undefined {
  if (value === undefined || value === null) return undefined;
  const list = readContentsList(value, asked) ?? [readOne(value, asked)];
  return list.map(contents => redactContents(contents, asked));
}

/** Contents, a list of them, or a whole result; undefined where it is something else. */
function readContentsList(value: unknown, asked: Asked): readonly ResourceContents[] | undefined {
  const whole = isMap(value) && Object.keys(value).length === 1 ? value['contents'] : undefined;
  const given = Array.isArray(whole) ? whole : value;
  if (!Array.isArray(given)) return undefined;
  // Data that happens to be empty today is still data.
  if (given.length === 0 && given === value && asked.mimeType !== undefined && isJsonType(asked.mimeType)) {
    return undefined;
  }
  return given.every(one => isContents(one) || isBuilt(one)) ? given.map(one => readOne(one, asked)) : undefined;
}

function readOne(value: unknown, asked: Asked): ResourceContents {
  const { uri, mimeType } = asked;
  if (isBuilt(value)) return readContent(value, asked);
  // `_meta` may hold anything.
  if (isContents(value)) return isPlainJson(value) ? value : (salvageJson(value) as ResourceContents);
  if (isBytes(value)) return contentsOfBytes(uri, ArrayBuffer.isView(value) ? value : new Uint8Array(value), mimeType);
  const typed = typedBytesOf(value);
  if (typed !== undefined) return contentsOfBytes(uri, typed.data, typed.mimeType);
  if (typeof value === 'object' && value !== null) {
    if (isOpaque(value) || isStream(value))
      throw new Error(`it returned a ${value.constructor?.name ?? 'object'} that shows nothing`);
    if (isTypedText(value)) return { uri, mimeType: value.mimeType, text: value.data };
    return { uri, mimeType: mimeType ?? 'application/json', text: toJson(value)?.text ?? 'null' };
  }
  if (typeof value === 'function' || typeof value === 'symbol') throw new Error(`it returned a ${typeof value}`);
  return { uri, mimeType: mimeType ?? 'text/plain', text: String(value) };
}

/** What the builders make. */
function readContent(content: Content, { uri, mimeType }: Asked): ResourceContents {
  switch (content.type) {
    case 'text':
      return { uri, mimeType: mimeType ?? 'text/plain', text: content.text };
    case 'image':
    case 'audio':
      return { uri, mimeType: content.mimeType, blob: content.data };
    case 'resource':
      return content.resource;
    case 'resource_link':
      throw new Error('it returned a link, and a link holds nothing');
    default:
      return content satisfies never;
  }
}

const contentsKeys = ['uri', 'mimeType', 'text', 'blob', '_meta'];

/** Nothing but what contents have: an object with a `uri` and a `text` among other things is data. */
function isContents(value: unknown): value is ResourceContents {
  if (!isMap(value) || typeof value['uri'] !== 'string') return false;
  if ((typeof value['text'] === 'string') === (typeof value['blob'] === 'string')) return false;
  return Object.keys(value).every(key => contentsKeys.includes(key));
}

function isTypedText(value: object): value is { readonly data: string; readonly mimeType: string } {
  const { data, mimeType, ...others } = value as Readonly<Record<string, unknown>>;
  return typeof data === 'string' && typeof mimeType === 'string' && Object.keys(others).length === 0;
}

/** Without secrets, also in bytes. */
function redactContents(contents: ResourceContents, { redaction }: Asked): ResourceContents {
  if (redaction === undefined) return contents;
  const { blob, ...parts } = contents;
  const shown = redaction.value(parts) as ResourceContents;
  return blob === undefined ? shown : { ...shown, blob: redaction.base64(blob) };
}
