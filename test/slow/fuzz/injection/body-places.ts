// Values in bodies: JSON, forms and multipart.
import { strict as assert } from 'node:assert';
import {
  anything,
  type HttpPlace,
  hasKey,
  hasText,
  isSameJson,
  scalars,
  takeBody,
  takeHeader,
  textOf,
} from './place.js';
import { isSame, isSameTree, readDeep, type Tree } from './same.js';
import { isBroken } from './values.js';
import { percentDecode, readMultipart, readPairs } from './wire.js';

export const tree: HttpPlace = {
  tool: {
    ...anything('v', 's'),
    http: {
      method: 'POST',
      path: '/b',
      body: { a: '{v}', deep: { list: ['{v}', 1, '{s}'], text: 'x {s} y' }, role: 'guest' },
    },
  },
  plain: { v: 'plain', s: 'plain' },
  make: values => ({ v: values.any(), s: values.text() }),
  take: (parsed, { v, s }) =>
    isSameJson({ a: v, deep: { list: [v, 1, s], text: `x ${s} y` }, role: 'guest' }, takeBody(parsed)),
  mayRefuse: () => false,
};

export const whole: HttpPlace = {
  tool: { ...anything('v'), http: { method: 'PUT', path: '/w', body: '{v}' } },
  plain: { v: 'plain' },
  make: values => ({ v: values.any() }),
  take: (parsed, { v }) => isSameJson(v, takeBody(parsed)),
  mayRefuse: () => false,
};

export const rest: HttpPlace = {
  tool: {
    inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    http: { method: 'PATCH', path: '/r/{id}', body: 'rest' },
  },
  plain: { id: 'x' },
  make: values => ({ ...values.map(() => values.any()), id: 'x' }),
  take(parsed, { id: _, ...others }) {
    return isSameJson(others, takeBody(parsed));
  },
  mayRefuse: () => false,
};

/** Bodies of any type: text that is sent as it is. */
export const file: HttpPlace = {
  tool: { ...scalars('v'), http: { method: 'POST', path: '/b', file: { text: '{v}', type: 'text/xml' } } },
  plain: { v: 'plain' },
  make: values => ({ v: values.scalar() }),
  take: (parsed, { v }) => isSame(v, takeBody(parsed).toString('utf8')),
  mayRefuse: ({ v }) => isBroken(textOf(v)),
};

export const form: HttpPlace = {
  tool: {
    ...anything('v', 's'),
    http: { method: 'POST', path: '/f', form: { before: 1, q: '{v}', s: '{s}', after: 'a b' } },
  },
  plain: { v: 'plain', s: 'plain' },
  make: values => ({ v: values.any(), s: values.scalar() }),
  take(parsed, { v, s }) {
    const pairs = readPairs(takeBody(parsed).toString('latin1'), true).map(
      ([name, raw]) => [name, percentDecode(raw, true)] as const,
    );
    const mine = pairs.filter(([name]) => /^q(?:\[|$)/.test(name));
    const others = pairs.filter(([name]) => !/^q(?:\[|$)/.test(name));
    assert.deepEqual(
      others.map(([name]) => name),
      ['before', 's', 'after'],
    );
    return isSame(s, others[1]?.[1] ?? '') && others[2]?.[1] === 'a b' && isSameTree(v, readFormValue(mine, v));
  },
  mayRefuse: ({ v, s }) => hasText([v, s], isBroken) || hasKey(v, key => key === '' || /[[\]]/.test(key)),
};

/** A flat list repeats its name. */
function readFormValue(pairs: readonly (readonly [string, string])[], like: unknown): Tree | undefined {
  if (pairs.length === 0 || pairs.some(([name]) => name !== 'q')) return readDeep(pairs, 'q', like);
  return Array.isArray(like) ? pairs.map(([, value]) => value) : pairs.length === 1 ? pairs[0]?.[1] : [];
}

export const multipart: HttpPlace = {
  tool: {
    ...scalars('v', 'f', 't'),
    http: {
      method: 'POST',
      path: '/m',
      multipart: {
        before: 'x',
        q: '{v}',
        file: { text: '{t}', filename: '{f}', type: 'text/csv' },
        raw: { base64: 'AAEC', filename: 'a.bin' },
      },
    },
  },
  plain: { v: 'plain', f: 'plain', t: 'plain' },
  make: values => ({ v: values.scalar(), f: values.scalar(), t: values.scalar() }),
  take(parsed, { v, f, t }) {
    const parts = readMultipart(takeHeader(parsed, 'content-type') ?? '', takeBody(parsed));
    assert.deepEqual(
      parts.map(({ name }) => name),
      ['before', 'q', 'file', 'raw'],
    );
    const [before, q, file, raw] = parts;
    assert.deepEqual(
      [before?.content.toString(), raw?.content.toString('hex'), raw?.filename],
      ['x', '000102', 'a.bin'],
    );
    assert.deepEqual([q?.filename, file?.type], [undefined, 'text/csv']);
    const utf8 = (bytes: Buffer | undefined): string =>
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return isSame(v, utf8(q?.content)) && isSame(t, utf8(file?.content)) && isSame(f, file?.filename ?? '');
  },
  mayRefuse: ({ v, f, t }) =>
    [v, f, t].some(one => isBroken(textOf(one))) || /[\\\x00-\x1f\x7f]|%(?:22|0d|0a)/i.test(textOf(f)),
};
