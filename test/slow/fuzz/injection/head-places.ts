// Values in paths, queries, headers and cookies.
import { strict as assert } from 'node:assert';
import { anything, type HttpPlace, hasKey, hasText, isDots, scalars, takeHeader, takeQuery, textOf } from './place.js';
import { isSame, isSameTree, readDeep } from './same.js';
import { isBroken } from './values.js';
import { percentDecode, readCookies, readHeaderList } from './wire.js';

export const path: HttpPlace = {
  tool: { ...scalars('v'), http: { path: '/p/{v}/pre-{v}-post/end?fixed={v}' } },
  plain: { v: 'plain' },
  make: values => ({ v: values.scalar() }),
  take(parsed, { v }) {
    const [, , whole = ''] = parsed.segments.splice(2, 1, 'v').length === 1 ? [0, 0, parsed.target.segments[2]] : [];
    const inside = parsed.target.segments[3] ?? '';
    parsed.segments[3] = 'v';
    const [fixed] = takeQuery(parsed, name => name === 'fixed');
    assert(inside.startsWith('pre-') && inside.endsWith('-post'));
    return isSame(v, whole) && isSame(v, inside.slice(4, -5)) && isSame(v, percentDecode(fixed?.[1] ?? ''));
  },
  mayRefuse: ({ v }) => v === '' || isDots(textOf(v)) || isBroken(textOf(v)),
};

export const joined: HttpPlace = {
  tool: { ...scalars('v', 'w'), http: { path: '/j/{v}{w}/.{v}/{v};p={w}/%2e{w}' } },
  plain: { v: 'x', w: 'y' },
  make(values) {
    const one = (): string =>
      values.random.pick(['', '.', '..', '.;', ';', '/', '%2e', 'e', ...values.text()] as const);
    return { v: one(), w: one() };
  },
  take(parsed, { v, w }) {
    const [, , both, dotted, param] = parsed.target.segments;
    const last = parsed.target.segments[5];
    parsed.segments.splice(2, 4, 'v', 'v', 'v', 'v');
    assert.equal(parsed.target.rawSegments[4]?.split(';').length, 2, 'one parameter of a segment');
    return both === `${v}${w}` && dotted === `.${v}` && param === `${v};p=${w}` && last === `.${w}`;
  },
  mayRefuse: ({ v, w }) =>
    `${v}${w}` === '' || [`${v}${w}`, `.${v}`, `${v};`, `.${w}`].some(isDots) || isBroken(`${v}`) || isBroken(`${w}`),
};

export const short: HttpPlace = {
  tool: { ...scalars('v'), http: 'DELETE /s/{v}' },
  plain: { v: 'plain' },
  make: values => ({ v: values.scalar() }),
  take(parsed, { v }) {
    const arrived = parsed.segments[2] ?? '';
    parsed.segments[2] = 'v';
    return isSame(v, arrived);
  },
  mayRefuse: path.mayRefuse,
};

export const query: HttpPlace = {
  tool: { ...scalars('v'), http: { path: '/q', query: { q: '{v}', fixed: 'a b&c', mixed: 'x {v} y' } } },
  plain: { v: 'plain' },
  make: values => ({ v: values.scalar() }),
  take(parsed, { v }) {
    const [one, ...more] = takeQuery(parsed, name => name === 'q');
    const [mixed] = takeQuery(parsed, name => name === 'mixed');
    assert.equal(more.length, 0);
    const text = percentDecode(mixed?.[1] ?? '');
    return (
      isSame(v, percentDecode(one?.[1] ?? '')) &&
      text.startsWith('x ') &&
      text.endsWith(' y') &&
      isSame(v, text.slice(2, -2))
    );
  },
  mayRefuse: ({ v }) => isBroken(textOf(v)),
};

/** A list in a query: which characters cannot stand in its elements, and what separates these on the wire. */
export function queryList(
  style: 'form' | 'comma' | 'space' | 'pipe',
  separator: string | undefined,
  forbidden: string,
): HttpPlace {
  return {
    tool: { ...anything('v'), http: { path: '/l', query: { before: 1, q: '{v}', after: 2 }, style: { q: style } } },
    plain: { v: ['plain'] },
    make: values => ({ v: values.list() }),
    take(parsed, { v }) {
      const mine = takeQuery(parsed, name => name === 'q').map(([, raw]) => raw);
      const elements = separator === undefined ? mine : mine.flatMap(raw => raw.split(separator));
      assert(separator === undefined || mine.length <= 1);
      const list = v as readonly unknown[];
      return (
        elements.length === list.length && list.every((one, index) => isSame(one, percentDecode(elements[index] ?? '')))
      );
    },
    mayRefuse: ({ v }) => hasText(v, text => isBroken(text) || (forbidden !== '' && text.includes(forbidden))),
  };
}

export const deepQuery: HttpPlace = {
  tool: { ...anything('v'), http: { path: '/d', query: { q: '{v}', after: 2 }, style: { q: 'deepObject' } } },
  plain: { v: { a: 'plain' } },
  make: values => ({ v: values.map(() => values.any()) }),
  take(parsed, { v }) {
    const mine = takeQuery(parsed, name => /^q(?:\[|$)/.test(name));
    return isSameTree(
      v,
      readDeep(
        mine.map(([name, raw]) => [name, percentDecode(raw)] as const),
        'q',
        v,
      ),
    );
  },
  mayRefuse: ({ v }) => hasText(v, isBroken) || hasKey(v, key => key === '' || /[[\]]/.test(key)),
};

/** What a header can have: Latin 1, and no space at its ends, which readers take away. */
const fitsHeader = (text: string): boolean =>
  /^(?:[\x21-\x7e\xa0-\xff](?:[\x20-\x7e\xa0-\xff]*[\x21-\x7e\xa0-\xff])?)?$/.test(text);

export const header: HttpPlace = {
  tool: { ...scalars('v'), http: { path: '/h', headers: { 'X-V': '{v}', 'X-Fixed': 'a, b' } } },
  plain: { v: 'plain' },
  make: values => ({ v: values.scalar() }),
  take: (parsed, { v }) => isSame(v, takeHeader(parsed, 'x-v') ?? ''),
  mayRefuse: ({ v }) => !fitsHeader(textOf(v)),
};

export const headerText: HttpPlace = {
  tool: { ...scalars('v'), http: { path: '/ht', headers: { 'X-V': 'tag="{v}"; role=guest, n={v}; second' } } },
  plain: { v: 'plain' },
  make: values => ({ v: values.scalar() }),
  take(parsed, { v }) {
    const list = readHeaderList(takeHeader(parsed, 'x-v') ?? '');
    assert.deepEqual(
      list.map(element => element.length),
      [2, 2],
    );
    const [[tag = '', role] = [], [n = '', second] = []] = list;
    assert.deepEqual([role, second], ['role=guest', 'second']);
    return (
      tag.startsWith('tag="') &&
      tag.endsWith('"') &&
      isSame(v, tag.slice(5, -1)) &&
      n.startsWith('n=') &&
      isSame(v, n.slice(2))
    );
  },
  mayRefuse: ({ v }) => !fitsHeader(textOf(v)) || /[",;\\]/.test(textOf(v)),
};

export const headerList: HttpPlace = {
  tool: { ...anything('v'), http: { path: '/hl', headers: { 'X-V': '{v}' } } },
  plain: { v: ['plain'] },
  make: values => ({ v: values.list() }),
  take(parsed, { v }) {
    const text = takeHeader(parsed, 'x-v') ?? '';
    const elements = text === '' ? [] : text.split(',').map(one => one.replace(/^[ \t]+|[ \t]+$/g, ''));
    const list = v as readonly unknown[];
    return elements.length === list.length && list.every((one, index) => isSame(one, elements[index] ?? ''));
  },
  mayRefuse: ({ v }) => hasText(v, text => text === '' || !fitsHeader(text) || text.includes(',')),
};

export const cookie: HttpPlace = {
  tool: { ...scalars('v'), http: { path: '/c', cookies: { a: '{v}', b: 'fixed' }, headers: { Cookie: 'z=0' } } },
  plain: { v: 'plain' },
  make: values => ({ v: values.scalar() }),
  take(parsed, { v }) {
    const cookies = readCookies(takeHeader(parsed, 'cookie') ?? '');
    assert.deepEqual(
      cookies.map(([name]) => name),
      ['z', 'a', 'b'],
    );
    return isSame(v, cookies[1]?.[1] ?? '') && cookies[2]?.[1] === 'fixed';
  },
  mayRefuse: ({ v }) => isBroken(textOf(v)),
};

/** Members of an object as parameters: none of them can say a fixed one again. */
export const members: HttpPlace = {
  tool: { ...anything('v'), http: { path: '/m', query: { fixed: '1', v: '{v}' }, style: { v: 'members' } } },
  plain: { v: { plain: '1' } },
  make: values => ({ v: { ...values.map(() => values.scalar()), [values.random.pick(['x', 'y', 'fixed', 'v'])]: 1 } }),
  take(parsed, { v }) {
    const given = Object.entries(v as object);
    const arrived = takeQuery(parsed, name => name !== 'fixed');
    return (
      arrived.length === given.length &&
      given.every(
        ([key, one], index) => arrived[index]?.[0] === key && isSame(one, percentDecode(arrived[index]?.[1] ?? '')),
      )
    );
  },
  mayRefuse: ({ v }) => hasKey(v, key => /^(?:fixed|v)(?:\[|$)/.test(key)) || hasText(v, isBroken),
};

export const pathList: HttpPlace = {
  tool: {
    inputSchema: {
      type: 'object',
      properties: { v: { type: 'array', items: { type: ['string', 'number', 'boolean'] } } },
      required: ['v'],
      additionalProperties: false,
    },
    http: { path: '/l/{v}/end' },
  },
  plain: { v: ['plain'] },
  make: values => ({ v: values.list(() => values.scalar()) }),
  take(parsed, { v }) {
    const raw = parsed.target.rawSegments[2] ?? '';
    parsed.segments[2] = 'plain';
    const arrived = raw.split(',').map(one => percentDecode(one));
    const given = v as readonly unknown[];
    return arrived.length === given.length && given.every((one, index) => isSame(one, arrived[index] ?? ''));
  },
  mayRefuse: ({ v }) => {
    const texts = (v as readonly unknown[]).map(String);
    return texts.join(',') === '' || isDots(texts.join(',')) || texts.some(isBroken);
  },
};
