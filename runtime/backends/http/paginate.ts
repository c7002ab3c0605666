// B5. In: a request for the first page, and how the next one is asked for. Out: the elements of all pages, up to a limit. A service that
// names the same page again, or another origin, is not followed.
import type { HttpRequest, Paginate } from '../../../schema/support/mcp/backends.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import { tooLarge } from './network-failure.js';
import { findAt, partOf } from './pointers.js';
import type { Answer } from './read-answer.js';
import { leavesOrigin } from './redirects.js';

const defaultItems = 1_000;
/** Of a service that has a next page for ever and nothing on it. */
const mostPages = 1_000;

export interface PagesScope {
  readonly name: string;
  readonly maxBytes: number;
  fetch(request: HttpRequest): Promise<Answer>;
}

export async function collectPages(
  first: HttpRequest,
  paginate: Paginate,
  { name, maxBytes, fetch }: PagesScope,
): Promise<readonly unknown[]> {
  const { maxItems = defaultItems } = paginate;
  const items: unknown[] = [];
  const seen = new Set<unknown>();
  let request: HttpRequest | undefined = first;
  let before: Buffer | undefined;
  let size = 0;
  for (let pages = 0; request !== undefined && pages < mostPages; pages += 1) {
    const answer: Answer = await fetch(request);
    size += answer.bytes.length;
    if (size > maxBytes) throw tooLarge(name, maxBytes);
    // A service that does not know pages sends the same one for ever.
    if (before?.equals(answer.bytes) === true) break;
    before = answer.bytes;
    const page = listOf(name, answer.value, first.result?.at);
    for (const item of page) items.push(item);
    if (items.length >= maxItems) break;
    request = nextRequest(request, paginate, { name, answer, seen, count: page.length });
  }
  return items.length > maxItems ? items.slice(0, maxItems) : items;
}

function listOf(name: string, value: unknown, at: string | undefined): readonly unknown[] {
  const part = partOf(name, value, at);
  if (Array.isArray(part)) return part;
  throw new UpstreamFailure('UPSTREAM_INVALID', `A page of ${name} has no list${at === undefined ? '' : ` at ${at}`}`, {
    meta: { pointer: at ?? '' },
  });
}

interface PageFacts {
  readonly name: string;
  readonly answer: Answer;
  readonly seen: Set<unknown>;
  readonly count: number;
}

/** Undefined: this was the last one. */
function nextRequest(
  request: HttpRequest,
  { cursor, param, link, page, offset }: Paginate,
  facts: PageFacts,
): HttpRequest | undefined {
  const { name, answer, seen, count } = facts;
  const ask = (key: string, value: unknown): HttpRequest => ({ ...request, query: { ...request.query, [key]: value } });
  const isNew = (value: unknown): boolean => {
    const isKnown = seen.has(value);
    seen.add(value);
    return !isKnown;
  };
  if (cursor !== undefined) {
    const next = findAt(answer.value, cursor);
    if (next === undefined || next === null || next === '' || next === false) return undefined;
    if (typeof next !== 'string' && typeof next !== 'number')
      throw new UpstreamFailure(
        'UPSTREAM_INVALID',
        `A page of ${name} has a cursor that is neither a string nor a number`,
      );
    if (param === undefined) return visit(String(next));
    return isNew(next) ? ask(param, next) : undefined;
  }
  if (link === true) {
    const next = nextLink(answer.headers['link'] ?? '');
    return next === undefined ? undefined : visit(next);
  }
  if (count === 0) return undefined;
  if (page !== undefined) return ask(page, numberOf(request.query?.[page], 1) + 1);
  return offset === undefined ? undefined : ask(offset, numberOf(request.query?.[offset], 0) + count);

  /** The address has all that the query of the first page had. */
  function visit(address: string): HttpRequest | undefined {
    const url = URL.canParse(address, answer.url) ? new URL(address, answer.url) : undefined;
    if (url === undefined)
      throw new UpstreamFailure('UPSTREAM_INVALID', `${name} has its next page at something that is not an address`);
    if (url.origin !== new URL(answer.url).origin) throw leavesOrigin(name, 'has its next page at', url.origin);
    seen.add(new URL(answer.url).href);
    if (!isNew(url.href)) return undefined;
    const next = { ...request, path: undefined, query: undefined, url: url.href };
    // Without a backend the first page may have been at another origin, to which alone headers and cookies were meant.
    const isHome = request.url === undefined || new URL(request.url).origin === url.origin;
    return isHome ? next : { ...next, headers: undefined, cookies: undefined };
  }
}

function numberOf(value: unknown, otherwise: number): number {
  const number = Number(value ?? otherwise);
  return Number.isFinite(number) ? number : otherwise;
}

/** `<https://api.example.com/?page=2>; rel="next", <...>; rel="last"`: addresses may have commas in them. */
function nextLink(header: string): string | undefined {
  for (const [, address, params = ''] of header.matchAll(/<([^<>]*)>((?:[^,"<]|"(?:[^"\\]|\\.)*")*)/g)) {
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(params) ?? [];
    if ((quoted ?? bare ?? '').toLowerCase().split(/\s+/).includes('next')) return address;
  }
  return undefined;
}
