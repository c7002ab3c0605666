// B1. In: a request as handlers and manifests say it, and the address of its backend. Out: what is sent. There is no text that values are
// pasted into: each is encoded for the place where it stands.
import { isMap } from '../../../schema/document.js';
import type { HttpRequest } from '../../../schema/support/mcp/backends.js';
import { type BaseUrl, parseAddress } from './base-url.js';
import { encodeForm, encodeQuery } from './encode-query.js';
import { encodeCookies, encodeHeaders } from './header-values.js';
import { type EncodedBody, encodeFile, encodeMultipart } from './multipart.js';
import { encodePath } from './path-tag.js';
import { badValue } from './place-values.js';
import { type SendRequest, withQuery } from './sender.js';

type Place = Pick<BaseUrl, 'path' | 'wholePath' | 'query'>;

/**
 * @example encodeRequest({ path: '/issue', body: { summary } }, base).target // '/rest/api/3/issue'
 */
export function encodeRequest(request: HttpRequest, base: Place | undefined): SendRequest {
  const method = methodOf(request);
  const headers = request.headers === undefined ? {} : encodeHeaders(request.headers);
  if (request.cookies !== undefined) {
    const cookies = encodeCookies(request.cookies);
    const before = headers['cookie'];
    if (cookies !== '') headers['cookie'] = before === undefined ? cookies : `${before}; ${cookies}`;
  }
  const encoded = encodeBody(request);
  if (encoded !== undefined) {
    // A form or a file has its own type; JSON has many names.
    const isNamed = request.body !== undefined && headers['content-type'] !== undefined;
    if (!isNamed) headers['content-type'] = encoded.type;
  } else if (request.optionalBody === true) delete headers['content-type'];
  const isRepeatable = request.isRead === true ? true : undefined;
  return { method, ...addressOf(request, base), headers, body: encoded?.body, isRepeatable };
}

function methodOf({ method = 'GET' }: HttpRequest): string {
  const upper = String(method).toUpperCase();
  if (!/^[A-Z]+$/.test(upper) || upper === 'CONNECT' || upper === 'TRACE')
    throw badValue('The method', 'is not one that can be sent');
  return upper;
}

function addressOf(request: HttpRequest, base: Place | undefined): Pick<SendRequest, 'url' | 'target'> {
  const query = request.query === undefined ? '' : encodeQuery(request.query, request.style);
  if (request.url !== undefined) {
    if (request.path !== undefined) throw badValue('The request', 'has both a path and an address');
    const place = 'The address of the request';
    const text = String(request.url);
    // The parser leaves them out, or makes others of them, and says nothing.
    if (/[\0-\x1f\x7f\p{Surrogate}]|^ | $/u.test(text))
      throw badValue(place, 'has a character that an address cannot have');
    const url = parseAddress(text, place);
    url.hash = '';
    return { url: withQuery(url.href, query) };
  }
  if (base === undefined) throw badValue('The request', 'has no address');
  const path =
    request.path === undefined || request.path === '' ? base.wholePath : below(base.path, encodePath([request.path]));
  return { target: withQuery(withQuery(path, base.query), query) };
}

function below(base: string, path: string): string {
  const isJoined = path.startsWith('/') || (path.startsWith('?') && base !== '');
  return isJoined ? base + path : `${base}/${path}`;
}

function encodeBody({ body, form, multipart, file, style, optionalBody }: HttpRequest): EncodedBody | undefined {
  const given = [body, form, multipart, file].filter(one => one !== undefined);
  if (given.length > 1) throw badValue('The request', 'has more than one of body, form, multipart and file');
  const isOptional = optionalBody === true;
  if (file !== undefined) return encodeFile(file);
  if (form !== undefined) {
    const text = encodeForm(form, style);
    return isOptional && text === '' ? undefined : { type: 'application/x-www-form-urlencoded', body: text };
  }
  if (multipart !== undefined) return isOptional && isEmpty(multipart) ? undefined : encodeMultipart(multipart);
  if (isOptional && isMap(body) && !(body instanceof Uint8Array) && isEmpty(body)) return undefined;
  if (body === undefined) return undefined;
  if (body instanceof Uint8Array) return { type: 'application/octet-stream', body };
  return { type: 'application/json', body: printJson(body) };
}

/** Handlers write members that may be undefined. */
function isEmpty(members: Readonly<Record<string, unknown>>): boolean {
  return Object.values(members).every(one => one === undefined);
}

function printJson(value: unknown): string {
  const place = 'The body';
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    throw badValue(place, 'cannot be written as JSON');
  }
  if (text === undefined) throw badValue(place, 'cannot be written as JSON');
  return text;
}
