// What arrives at a service: every value stays in the place where it was put.
import { describe, expect, it } from 'vitest';
import { path } from '../../../../runtime/backends/http/path-tag.js';
import type { HttpRequest } from '../../../../schema/support/mcp/backends.js';
import { echo, failureOf, openBackend, type Received, startService } from './service.js';

async function arrives(request: HttpRequest, base = ''): Promise<Received> {
  const service = await startService(echo);
  await openBackend({ url: service.origin + base }).request(request);
  return service.received[0] as Received;
}

const refusal = async (request: HttpRequest): Promise<string> => {
  const failure = await failureOf(arrives(request));
  expect(failure['code']).toBe('BAD_VALUE');
  return failure.message;
};

describe('paths', () => {
  it.each([
    ['a slash', 'a/b', 'a%2Fb'],
    ['a query', '7?admin=1', '7%3Fadmin%3D1'],
    ['a fragment', 'x#y', 'x%23y'],
    ['steps upwards', '../admin', '..%2Fadmin'],
    ['an escape', '%2e%2e', '%252e%252e'],
    ['line breaks', 'a\r\nHost: x', 'a%0D%0AHost%3A%20x'],
    ['a backslash', 'a\\b', 'a%5Cb'],
    ['letters of the world', 'größe 😀', 'gr%C3%B6%C3%9Fe%20%F0%9F%98%80'],
    ['marks that encodeURIComponent leaves', "!'()*", '%21%27%28%29%2A'],
    ['a number', 7, '7'],
    ['a boolean', false, 'false'],
  ])('B1 a path value with %s stays one segment', async (_what, value, encoded) => {
    expect((await arrives({ path: path`/issue/${value}/x` })).url).toBe(`/issue/${encoded}/x`);
  });

  it.each([
    ['a dot', () => path`/issue/${'.'}/x`],
    ['two dots', () => path`/issue/${'..'}`],
    ['two dots at the end of the path', () => path`/issue/x/${'..'}?a=1`],
    ['a dot behind a literal one', () => path`/.${'.'}/x`],
    ['two values that are dots', () => path`/${'.'}${'.'}/x`],
    ['two dots before a parameter', () => path`/${'..'};v=1/x`],
    ['nothing', () => path`/issue/${''}`],
    ['nothing, twice', () => path`/issue/${''}${''}/x`],
    ['undefined', () => path`/issue/${undefined}`],
    ['null', () => path`/issue/${null}`],
    ['a list of nothing', () => path`/issue/${[]}`],
    ['a list in a list', () => path`/issue/${[['a']]}`],
    ['an object', () => path`/issue/${{}}`],
    ['half a character', () => path`/issue/${'\ud800'}`],
    ['not a number', () => path`/issue/${Number.NaN}`],
  ])('B1 a path value that is %s is refused', (_what, make) => {
    expect(make).toThrowError(expect.objectContaining({ code: 'BAD_VALUE' }));
  });

  it('B1 no value makes an escape of the text before it', () => {
    expect(path`/%2${'e'}/x`).toBe('/%252e/x');
  });

  it('B1 values beside literal text may be empty', () => {
    expect(path`/v${''}/a-${''}`).toBe('/v/a-');
    expect(path`/x?q=${''}&r=${'..'}`).toBe('/x?q=&r=..');
  });

  it('B1 a path is below the address of the backend, whose query is kept', async () => {
    expect((await arrives({ path: '/issue', query: { a: 1 } }, '/rest/api/?tenant=7')).url).toBe(
      '/rest/api/issue?tenant=7&a=1',
    );
    expect((await arrives({}, '/rest/api/')).url).toBe('/rest/api/');
    expect((await arrives({ path: 'issue' }, '/rest')).url).toBe('/rest/issue');
    expect((await arrives({ path: '?a=1' }, '/rest')).url).toBe('/rest?a=1');
    expect((await arrives({ path: '?a=1' })).url).toBe('/?a=1');
  });

  it('B1 a path that begins with two slashes stays at the origin', async () => {
    expect((await arrives({ path: '//other.example/x' })).url).toBe('//other.example/x');
  });

  it('B1 a path of a handler with a step upwards is refused', async () => {
    expect(await refusal({ path: '/issue/../admin' })).toBe('The path would have a segment that is . or ..');
    expect(await refusal({ path: '/issue/%2E./admin' })).toContain('. or ..');
  });

  it('B1 literal text with odd characters is encoded', async () => {
    expect((await arrives({ path: '/grün weiß/50%/#x' })).url).toBe('/gr%C3%BCn%20wei%C3%9F/50%25/%23x');
  });
});

describe('queries', () => {
  it('B1 values of a query add no parameters, and absent ones are left out', async () => {
    const { url } = await arrives({ query: { q: 'a&admin=1#x', n: null, u: undefined, b: false, 'x y': '+' } });
    expect(url).toBe('/?q=a%26admin%3D1%23x&b=false&x%20y=%2B');
  });

  it.each([
    ['form', '/?a=1&a=x%26y'],
    ['comma', '/?a=1,x%26y'],
    ['space', '/?a=1%20x%26y'],
    ['pipe', '/?a=1%7Cx%26y'],
    ['deepObject', '/?a%5B%5D=1&a%5B%5D=x%26y'],
  ] as const)('B1 a list in the style %s arrives as %s', async (style, url) => {
    expect((await arrives({ query: { a: [1, null, 'x&y'] }, style: { a: style } })).url).toBe(url);
  });

  it('B1 objects are written by their style', async () => {
    const a = { b: 1, c: { d: 'x' }, e: [{ f: 1 }, { f: 2 }], g: undefined };
    const { url } = await arrives({ query: { a }, style: { a: 'deepObject' } });
    expect(decodeURIComponent(url)).toBe('/?a[b]=1&a[c][d]=x&a[e][0][f]=1&a[e][1][f]=2');
    expect((await arrives({ query: { a: { b: 1, c: 2 } }, style: { a: 'comma' } })).url).toBe('/?a=b,1,c,2');
  });

  it('B1 what a query cannot have is refused with the name of the parameter', async () => {
    expect(await refusal({ query: { filter: { a: 1 } } })).toContain('The query parameter filter is an object');
    expect(await refusal({ query: { a: [[1]] } })).toContain('The query parameter a is a list');
    expect(await refusal({ query: { a: ['x|y'] }, style: { a: 'pipe' } })).toContain('separates elements');
    expect(await refusal({ query: { a: { 'b][admin': 1 } }, style: { a: 'deepObject' } })).toContain('bracket');
    expect(await refusal({ query: { a: { '': 1 } }, style: { a: 'deepObject' } })).toContain('without a name');
    expect(await refusal({ query: { a: '\udc00' } })).toContain('half of a character');
    expect(await refusal({ query: { a: Number.POSITIVE_INFINITY } })).toContain('finite');
  });
});

describe('headers and cookies', () => {
  it('B1 header values arrive as they are', async () => {
    const { headers } = await arrives({ headers: { 'X-Name': 'Jürgen', 'X-List': ['a', 1], 'X-None': null } });
    expect(headers).toMatchObject({ 'x-name': 'Jürgen', 'x-list': 'a, 1' });
    expect(headers).not.toHaveProperty('x-none');
  });

  it.each(['a\r\nx: y', 'a\nb', 'a\u0000', 'a\u007f', 'a\tb', '日本', {}, ['a\nb'], ' a', 'a ', ['a,b'], [''], ['a ']])(
    'B1 the header value %j is refused',
    async value => {
      expect(await refusal({ headers: { 'x-a': value } })).toContain('The header x-a');
    },
  );

  it.each(['Host', 'content-length', 'Transfer-Encoding', 'connection', 'a b', 'a:b', ''])(
    'B1 the header name %j is refused',
    async name => {
      expect(await refusal({ headers: { [name]: 'x' } })).toContain('The header');
    },
  );

  it('B1 cookies decode to what they were', async () => {
    const values = { a: 'x; admin=1', b: 'ü"\r\n', c: 5, d: null };
    const { headers } = await arrives({ cookies: values, headers: { cookie: 'z=0' } });
    const pairs = (headers.cookie ?? '').split('; ').map(pair => pair.split('='));
    expect(pairs.map(([key, value]) => [key, decodeURIComponent(value ?? '')])).toEqual([
      ['z', '0'],
      ['a', 'x; admin=1'],
      ['b', 'ü"\r\n'],
      ['c', '5'],
    ]);
    expect(await refusal({ cookies: { 'a=b': 1 } })).toContain('The cookie');
  });
});

describe('bodies', () => {
  it('B1 a body is JSON, in which null stays', async () => {
    const body = { a: '", "admin": "true', n: null, u: undefined, l: [1] };
    const { method, headers, body: sent } = await arrives({ method: 'post', body });
    expect([method, headers['content-type'], headers['content-length']]).toEqual([
      'POST',
      'application/json',
      String(sent.length),
    ]);
    expect(JSON.parse(sent.toString())).toEqual({ a: '", "admin": "true', n: null, l: [1] });
  });

  it('B1 the author names another kind of JSON', async () => {
    const { headers } = await arrives({
      method: 'POST',
      body: {},
      headers: { 'Content-Type': 'application/vnd.api+json' },
    });
    expect(headers['content-type']).toBe('application/vnd.api+json');
  });

  it('B1 a body that is not JSON is refused', async () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(await refusal({ method: 'POST', body: cycle })).toBe('The body cannot be written as JSON');
    expect(await refusal({ method: 'POST', body: () => 1 })).toContain('JSON');
    expect(await refusal({ method: 'POST', body: {}, form: {} })).toContain('more than one');
    expect(await refusal({ method: 'CONNECT' })).toContain('method');
    expect(await refusal({ method: 'GET /x' })).toContain('method');
  });

  it('B1 a form is encoded, with objects in brackets', async () => {
    const form = { a: 'x&y=1 2', list: ['p', 'q'], card: { number: 4, tags: ['t'] }, none: null };
    const { headers, body } = await arrives({ method: 'POST', form });
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(body.toString()).toContain('a=x%26y%3D1+2&');
    expect([...new URLSearchParams(body.toString())]).toEqual([
      ['a', 'x&y=1 2'],
      ['list', 'p'],
      ['list', 'q'],
      ['card[number]', '4'],
      ['card[tags][]', 't'],
    ]);
  });

  it('B1 the parts of a multipart form arrive as they were', async () => {
    const multipart = {
      title: 'Grüße',
      tags: ['a', 'b'],
      meta: { deep: [1] },
      photo: { base64: Buffer.from([0, 255, 13, 10]).toString('base64'), filename: 'a"\r\nx.png', type: 'image/png' },
      doc: { resource: { uri: 'file:///notes/read.md', mimeType: 'text/markdown', text: '# Hi' } },
      blob: { resource: { uri: 'x:y', blob: 'AAE=' } },
      note: { text: 'plain' },
      none: undefined,
    };
    const { headers, body } = await arrives({ method: 'POST', multipart });
    const type = headers['content-type'] ?? '';
    const form = await new Response(body, { headers: { 'content-type': type } }).formData();
    expect([form.get('title'), form.getAll('tags'), form.get('meta')]).toEqual(['Grüße', ['a', 'b'], '{"deep":[1]}']);
    const photo = form.get('photo') as File;
    expect([photo.name, photo.type]).toEqual(['a"\r\nx.png', 'image/png']);
    expect([...new Uint8Array(await photo.arrayBuffer())]).toEqual([0, 255, 13, 10]);
    const doc = form.get('doc') as File;
    expect([doc.name, doc.type, await doc.text()]).toEqual(['read.md', 'text/markdown', '# Hi']);
    expect((form.get('blob') as File).size).toBe(2);
    expect(form.get('note')).toBe('plain');
    expect(form.has('none')).toBe(false);
  });

  it('B1 the name of a file is found quickly in an address of any length', async () => {
    const uri = `file:///${'a'.repeat(300_000)}/read.md#top`;
    const { body } = await arrives({ method: 'POST', multipart: { doc: { resource: { uri, text: 'x' } } } });
    expect(body.toString()).toContain('filename="read.md"');
  });

  it('B1 files that are none are refused', async () => {
    const send = (file: unknown) => refusal({ method: 'POST', multipart: { file } });
    expect(await send({ base64: 'not base64!' })).toBe('The form field file is not base64');
    expect(await send({ base64: 'AAAA', text: 'x' })).toContain('one of text, base64 and resource');
    expect(await send({ resource: 'x' })).toContain('not an object');
    expect(await send({ resource: { uri: 'x' } })).toContain('neither text nor blob');
    expect(await send({ base64: 'AAAA', type: 'a/b\r\nX: y' })).toContain('MIME type');
    for (const filename of ['a\\', 'a%22b', '\u0000', '\ud800'])
      expect(await send({ base64: 'AAAA', filename })).toContain('names in forms cannot have');
    for (const file of ['\ud800', { text: '\udfff' }, { resource: { uri: 'x:y', text: 'a\ud800' } }])
      expect(await send(file)).toContain('half of a character');
  });

  it('B1 bytes are sent as they are', async () => {
    const { headers, body } = await arrives({ method: 'PUT', body: Buffer.from([1, 2, 255]) });
    expect([headers['content-type'], [...body]]).toEqual(['application/octet-stream', [1, 2, 255]]);
  });
});

it('B1 a header with letters of Latin 1 arrives as it is, with a body and without', async () => {
  for (const body of [undefined, { a: 'ü' }]) {
    const method = body === undefined ? 'GET' : 'POST';
    const { headers } = await arrives({ method, path: '/', headers: { 'x-own': 'café' }, body });
    expect(headers['x-own']).toBe('café');
  }
});

describe('bodies as they are', () => {
  const sends = async (request: HttpRequest): Promise<unknown> => {
    const { body, headers } = await arrives(request);
    return [body.toString(), headers['content-type']];
  };

  it('B1 a body that is one file has its own type, whatever the headers say', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const method = 'POST';
    expect(await sends({ method, headers, file: { text: '<a/>', type: 'text/xml' } })).toEqual(['<a/>', 'text/xml']);
    expect(await sends({ method, file: { base64: 'aGk=' } })).toEqual(['hi', 'application/octet-stream']);
    expect(await sends({ method, file: new Uint8Array([104, 105]) })).toEqual(['hi', 'application/octet-stream']);
    const uri = 'file:///a.csv';
    expect(await sends({ method: 'POST', file: { resource: { uri, mimeType: 'text/csv', text: 'a,b' } } })).toEqual([
      'a,b',
      'text/csv',
    ]);
  });

  it('B1 a file without its argument sends no body', async () => {
    expect(await sends({ method: 'POST', file: { text: undefined, type: 'text/xml' } })).toEqual(['', undefined]);
  });

  it('B1 a body that is neither bytes nor a file is refused', async () => {
    expect(await refusal({ method: 'POST', file: 'x' as never })).toContain('neither bytes nor text');
    expect(await refusal({ method: 'POST', file: { text: 'x', base64: 'aGk=' } })).toContain('one of text');
    expect(await refusal({ method: 'POST', file: { text: 'x', name: 'y' } as never })).toContain('"name"');
    expect(await refusal({ method: 'POST', file: { text: 'x', type: 'a\r\nb: c' } })).toContain('MIME');
    expect(await refusal({ method: 'POST', file: { text: 'x' }, body: {} })).toContain('more than one of');
  });

  it('B1 a file without contents is left out of its form', async () => {
    const multipart = { a: 1, file: { base64: undefined, filename: undefined, type: 'image/png' } };
    const { body } = await arrives({ method: 'POST', multipart });
    expect(body.toString().split('Content-Disposition')).toHaveLength(2);
  });

  it('B1 an optional body without a member is not sent', async () => {
    const a = undefined;
    for (const one of [
      { body: {} },
      { form: {} },
      { multipart: {} },
      { body: { a } },
      // Nothing has a type then.
      { body: {}, headers: { 'Content-Type': 'application/merge-patch+json' } },
      { form: { a: [] } },
      { multipart: { a } },
    ])
      expect(await sends({ method: 'DELETE', optionalBody: true, ...one })).toEqual(['', undefined]);
    const json = 'application/json';
    expect(await sends({ method: 'POST', optionalBody: true, body: { a: 1 } })).toEqual(['{"a":1}', json]);
    expect(await sends({ method: 'POST', optionalBody: true, body: [] })).toEqual(['[]', json]);
    expect(await sends({ method: 'POST', body: {} })).toEqual(['{}', json]);
  });
});

describe('lists in paths and members as parameters', () => {
  it('B1 a list in a path is joined by commas, and its own are escaped', () => {
    expect(path`/apps/${['a,b', 'c/d', 3]}/x`).toBe('/apps/a%2Cb,c%2Fd,3/x');
    expect(() => path`/apps/${['..']}`).toThrowError(expect.objectContaining({ code: 'BAD_VALUE' }));
  });

  it('B1 members of an object become parameters, and take the place of no other one', async () => {
    const style = { filter: 'members' } as const;
    const sent = await arrives({ path: '/x', query: { q: 1, filter: { a: 'b&c', d: [1, null, 2], e: null } }, style });
    expect(sent.url).toBe('/x?q=1&a=b%26c&d=1&d=2');
    expect(await refusal({ path: '/x', query: { admin: false, filter: { admin: true } }, style })).toContain('"admin"');
    const query = { deep: { a: 1 }, filter: { 'deep[a]': 2 } };
    expect(await refusal({ path: '/x', query, style: { deep: 'deepObject', filter: 'members' } })).toContain('deep[a]');
    expect(await refusal({ path: '/x', query: { filter: { a: { b: 1 } } }, style })).toContain('an object');
    expect(await refusal({ path: '/x', query: { filter: ['a'] }, style })).toContain('not an object');
  });
});
