// B1. In: `http` of an item. Out: what runs it: the request with its values filled in, each encoded for the place where it stands.
import { isFilePart, textsOfCall } from '../../../schema/backend/calls.js';
import { type FillTree, type FillValues, makeFillText, makeFillTree, valueFor } from '../../../schema/backend/fill.js';
import { parseText, placeholdersOf } from '../../../schema/backend/text.js';
import type { HttpCall } from '../../../schema/definitions.js';
import type { HttpRequest } from '../../../schema/support/mcp/backends.js';
import { headerPart } from '../http/header-values.js';
import type { OpenHttp } from '../http/open-http.js';
import { encodePath } from '../http/path-tag.js';
import type { FilledWork } from './item-work.js';

export function httpWork(call: HttpCall, isRead: boolean, backend: OpenHttp): FilledWork {
  const fill = makeRequest(call, isRead);
  return {
    run: (values, scope) => backend.of(scope).request(fill(values)),
    preview: values => backend.preview(fill(values)),
  };
}

type Values = Readonly<Record<string, unknown>>;

/**
 * Compiles a request.
 *
 * @example makeRequest({ path: '/issue/{key}' }, true)({ args: { key: 'A/1' }, config: {} }).path // '/issue/A%2F1'
 */
export function makeRequest(call: HttpCall, isRead: boolean): (values: FillValues) => HttpRequest {
  const { method, path, url, query, style, headers, cookies, body, form, multipart, file } = call;
  const { optionalBody, result, paginate } = call;
  const fixed = { method, style, optionalBody, result, paginate, isRead } as HttpRequest;
  const parts: [string, FillTree][] = Object.entries({ query, cookies, form, file }).flatMap(([key, tree]) =>
    tree === undefined ? [] : [[key, makeFillTree(tree)] as [string, FillTree]],
  );
  if (multipart !== undefined) parts.push(['multipart', makeMultipart(multipart)]);
  if (headers !== undefined) parts.push(['headers', makeHeaders(headers)]);
  if (path !== undefined) parts.push(['path', makePath(path)]);
  if (url !== undefined) parts.push(['url', makeFillText(url)]);
  if (body !== undefined) parts.push(['body', body === 'rest' ? makeRest(call) : makeFillTree(body)]);
  return values => {
    const request: Record<string, unknown> = { ...fixed };
    for (const [key, fill] of parts) request[key] = fill(values);
    return request;
  };
}

function makePath(text: string): FillTree {
  const { parts } = parseText(text);
  if (parts.every(part => typeof part === 'string')) return () => parts.join('');
  return values => encodePath(parts.map(part => (typeof part === 'string' ? part : { value: valueFor(part, values) })));
}

/** Without its contents a file is left out as a whole. */
function makeMultipart(multipart: NonNullable<HttpCall['multipart']>): FillTree {
  const fill = makeFillTree(multipart);
  const files = Object.keys(multipart).filter(name => isFilePart(multipart[name]));
  return values => {
    const filled = { ...(fill(values) as Values) };
    for (const name of files) if (!isFilePart(filled[name])) delete filled[name];
    return filled;
  };
}

/** Beside other text, an argument must not be more than the part that it stands for. What the operator configures may be. */
function makeHeaders(headers: NonNullable<HttpCall['headers']>): FillTree {
  const fill = makeFillTree(headers);
  const inside = Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap(one => {
      const { parts } = parseText(typeof one === 'string' ? one : '');
      const mixed = parts.length > 1 ? placeholdersOf(parts) : [];
      return mixed.flatMap(placeholder => (placeholder.of === 'argument' ? [{ name, placeholder }] : []));
    }),
  );
  return values => {
    const filled = fill(values) as Values;
    for (const { name, placeholder } of inside)
      if (filled[name] !== undefined) headerPart(valueFor(placeholder, values));
    return filled;
  };
}

/** The arguments that nothing else uses. */
function makeRest(call: HttpCall): FillTree {
  const texts = textsOfCall('http', call).flatMap(({ text }) => placeholdersOf(parseText(text).parts));
  const used = new Set(texts.flatMap(({ of, name }) => (of === 'argument' ? [name] : [])));
  return ({ args }: { readonly args: Values }) =>
    Object.fromEntries(Object.entries(args).filter(([name, value]) => !used.has(name) && value !== undefined));
}
