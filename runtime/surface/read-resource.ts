// In: the resources of a server and a URI. Out: which resource it is of, and what is in it now.
import { makeUriMatcher, type UriMatcher } from '../../schema/uri-template-match.js';
import type { Desk, Outcome, Request, ServedResource } from '../call/ports.js';
import { redactionOf } from '../call/redact.js';
import { listedMimeType } from '../packs/list-entries.js';
import { problemOf } from './failure.js';
import { readPackFile } from './pack-file.js';
import { contentsOfBytes } from './resource-bytes.js';
import { ResourceNotFound } from './resource-not-found.js';
import { toContents } from './resource-result.js';
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
  desk: Desk,
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
    if (handler === undefined) throw new ResourceNotFound(uri);
    const call = { host, handler, name: resource.name, subject: `resource:${uri}`, args: variables };
    const outcome = await runHandler(call, request, desk);
    if ('asking' in outcome) return outcome;
    const asked = { uri, mimeType: definition.mimeType, redaction: redactionOf(host) };
    const contents = toContents(outcome.result, asked);
    // A handler that has nothing for this URI says so by returning nothing.
    if (contents === undefined) throw new ResourceNotFound(uri);
    const told = contents.map(one => (one.uri === uri && one._meta === undefined ? { ...one, ...meta } : one));
    return { result: { contents: told, ...cache } };
  } catch (error) {
    throw problemOf(error, { name: resource.name, host, desk });
  }
}
