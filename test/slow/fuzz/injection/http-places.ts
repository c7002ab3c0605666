// Every place of a request that a value can go to, and all of them at once.
import { strict as assert } from 'node:assert';
import { file, form, multipart, rest, tree, whole } from './body-places.js';
import {
  cookie,
  deepQuery,
  header,
  headerList,
  headerText,
  joined,
  members,
  path,
  pathList,
  query,
  queryList,
  short,
} from './head-places.js';
import { type HttpPlace, isSameJson, scalars, takeBody, takeHeader, takeQuery } from './place.js';
import { isSame } from './same.js';
import { percentDecode, readCookies } from './wire.js';

const all: HttpPlace = {
  tool: {
    ...scalars('p', 'q', 'h', 'c', 'b'),
    http: {
      method: 'PUT',
      path: '/x/{p}',
      query: { q: '{q}' },
      headers: { 'X-H': '{h}' },
      cookies: { c: '{c}' },
      body: { b: '{b}' },
    },
  },
  plain: { p: 'x', q: 'x', h: 'x', c: 'x', b: 'x' },
  make(values) {
    const short = (): string => values.text().replace(/[^\x21-\x7e]|^\.+$/g, 'x');
    return { p: `p${short()}`, q: short(), h: short(), c: short(), b: values.text() };
  },
  take(parsed, { p, q, h, c, b }) {
    const segment = parsed.segments[2] ?? '';
    parsed.segments[2] = 'p';
    const queries = takeQuery(parsed, name => name === 'q').map(([, raw]) => percentDecode(raw));
    const cookies = readCookies(takeHeader(parsed, 'cookie') ?? '');
    assert.deepEqual([queries.length, cookies.length, cookies[0]?.[0]], [1, 1, 'c']);
    return (
      isSame(p, segment) &&
      isSame(q, queries[0] ?? '') &&
      isSame(h, takeHeader(parsed, 'x-h') ?? '') &&
      isSame(c, cookies[0]?.[1] ?? '') &&
      isSameJson({ b }, takeBody(parsed))
    );
  },
  mayRefuse: () => false,
};

export const httpPlaces: Readonly<Record<string, HttpPlace>> = {
  path,
  joined,
  short,
  query,
  form_list: queryList('form', undefined, ''),
  comma: queryList('comma', ',', ''),
  space: queryList('space', '%20', ' '),
  pipe: queryList('pipe', '%7C', '|'),
  deep: deepQuery,
  header,
  header_text: headerText,
  header_list: headerList,
  cookie,
  tree,
  whole,
  rest,
  file,
  members,
  path_list: pathList,
  form,
  multipart,
  all,
};
