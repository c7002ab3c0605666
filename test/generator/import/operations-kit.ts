// Operations in tests: a small document, the tools that an import makes of it, and the requests that these send.

import type { Imported, ImportedItem } from '../../../generator/import/imported.js';
import { type ImportApiOptions, importApi } from '../../../generator/import/openapi/import-api.js';
import { encodeRequest } from '../../../runtime/backends/http/encode-request.js';
import { makeRequest } from '../../../runtime/backends/items/http-work.js';
import type { HttpCall } from '../../../schema/definitions.js';
import { apiOf } from './read-harness.js';

type Json = Readonly<Record<string, unknown>>;

/** Parts of a document; the rest of it is as usual. */
export function importDocument(document: object, options: ImportApiOptions = {}): Imported {
  const usual = {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    servers: [{ url: 'https://shop.example/v1' }],
  };
  return importApi(apiOf(JSON.stringify({ ...usual, ...document }, null, 1), { file: 'api.json' }), options);
}

/** `GET /x`: an operation; several at once. */
export function importOperations(
  operations: Readonly<Record<string, object>>,
  more: object = {},
  options: ImportApiOptions = {},
): Imported {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [place, operation] of Object.entries(operations)) {
    const [method = '', path = ''] = place.split(' ');
    paths[path] ??= {};
    paths[path][method.toLowerCase()] = { responses: {}, ...operation };
  }
  return importDocument({ paths, ...more }, options);
}

/** The only tool. */
export function toolOf({ items, leftOut }: Imported): ImportedItem & { readonly definition: ToolJson } {
  const tools = items.filter(({ kind }) => kind === 'tool');
  const [tool] = tools;
  if (tool === undefined || tools.length > 1) throw new Error(`${tools.length} tools; ${JSON.stringify(leftOut)}`);
  return tool as ImportedItem & { readonly definition: ToolJson };
}

export interface ToolJson extends Json {
  readonly inputSchema: Json & {
    readonly properties: Readonly<Record<string, Json>>;
    readonly required?: readonly string[];
  };
  readonly http: Readonly<Record<string, unknown>>;
}

export interface Sent {
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** What a tool sends with some arguments: by the code that sends it. */
export function send({ definition }: ImportedItem, args: Json = {}): Sent {
  const request = makeRequest(definition['http'] as HttpCall, false)({ args, config: {} });
  const { method, target, headers, body } = encodeRequest(request, { path: '', wholePath: '', query: '' });
  const text = body === undefined ? undefined : typeof body === 'string' ? body : Buffer.from(body).toString();
  return { line: `${method} ${target}`, headers, body: text };
}

/** Of one operation: what it sends. */
export function sends(place: string, operation: object, args: Json = {}): Sent {
  return send(toolOf(importOperations({ [place]: operation })), args);
}

export function jsonBody(schema: object, more: object = {}): object {
  return { requestBody: { content: { 'application/json': { schema } }, ...more } };
}
