// In: the entries of lists, a page size. Out: their pages, each made once (J84).
import { createHash } from 'node:crypto';
import { ProtocolError, protocolCodes } from '../call/protocol-error.js';
import type { Wire } from '../packs/list-entries.js';
import { closeCursor, openCursor } from './cursor.js';
import type { ListName, Page } from './surface.js';

/** The lists of a server, each made when it is first asked for. */
export class PagedLists {
  readonly #entriesOf: (name: ListName) => readonly Wire[];
  readonly #pageSize: number | undefined;
  readonly #made = new Map<ListName, PagedList>();

  constructor(entriesOf: (name: ListName) => readonly Wire[], pageSize: number | undefined) {
    this.#entriesOf = entriesOf;
    this.#pageSize = pageSize;
  }

  page(name: ListName, cursor?: string): Page {
    const list = this.#made.get(name) ?? makePagedList(name, this.#entriesOf(name), this.#pageSize);
    this.#made.set(name, list);
    return list(cursor);
  }

  /** They are made anew. */
  forget(names: Iterable<ListName> = [...this.#made.keys()]): void {
    for (const name of names) this.#made.delete(name);
  }
}

/** Gives the page that a cursor stands for; without a cursor the first. */
type PagedList = (cursor?: string) => Page;

/**
 * A list in pages. Cursors say which list they are of and what it held, so that they work in every process that
 * serves the same list and in no other.
 *
 * @example const { entries, nextCursor } = makePagedList('tools', tools, 50)();
 */
export function makePagedList(name: ListName, entries: readonly Wire[], pageSize: number = entries.length): PagedList {
  const size = Math.max(1, pageSize);
  const pages = new Map<number, Page>();
  let version: string | undefined;
  const getVersion = (): string => {
    version ??= versionOf(name, entries);
    return version;
  };
  return cursor => {
    const start = cursor === undefined ? 0 : startOf(cursor, getVersion);
    if (start > 0 && start >= entries.length) throw badCursor();
    const known = pages.get(start);
    if (known !== undefined) return known;
    const end = start + size;
    const page: Page = Object.freeze({
      entries: Object.freeze(entries.slice(start, end)),
      ...(end < entries.length ? { nextCursor: closeCursor({ start: end, version: getVersion() }) } : {}),
    });
    // Only what was given: a client that makes up cursors must not fill the memory.
    if (start % size === 0) pages.set(start, page);
    return page;
  };
}

/** The same names in the same order are the same version. */
function versionOf(list: ListName, entries: readonly Wire[]): string {
  const names = entries.map(entry => entry['uri'] ?? entry['uriTemplate'] ?? entry['name']);
  return createHash('sha256')
    .update(JSON.stringify([list, names]))
    .digest('base64url')
    .slice(0, 16);
}

function startOf(cursor: string, getVersion: () => string): number {
  const opened = openCursor(cursor);
  if (opened === undefined) throw badCursor();
  if (opened.version !== getVersion()) {
    const message = 'The list has changed since this cursor was given; start again without a cursor';
    throw new ProtocolError(protocolCodes.invalidParams, message);
  }
  return opened.start;
}

function badCursor(): ProtocolError {
  return new ProtocolError(protocolCodes.invalidParams, 'Invalid cursor');
}
