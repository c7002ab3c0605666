// Pages that are joined.
import { describe, expect, it } from 'vitest';
import type { Lookup } from '../../../../runtime/backends/http/resolve-name.js';
import type { HttpRequest } from '../../../../schema/support/mcp/backends.js';
import { failureOf, openBackend, type Received, type Service, startService } from './service.js';

type Page = { readonly body: unknown; readonly link?: string };

async function pages(
  answer: (query: URLSearchParams, request: Received) => Page,
): Promise<{ service: Service; ask(request: HttpRequest, limits?: object): Promise<unknown> }> {
  const service = await startService((request, response) => {
    const { body, link } = answer(new URL(request.url, 'http://x').searchParams, request);
    response
      .writeHead(200, { 'content-type': 'application/json', ...(link === undefined ? {} : { link }) })
      .end(JSON.stringify(body));
  });
  return { service, ask: (request, limits = {}) => openBackend({ url: service.origin, limits }).request(request) };
}

describe('pages', () => {
  it('B5 a cursor goes into its parameter until there is none', async () => {
    const { service, ask } = await pages(query => {
      const at = Number(query.get('pageToken') ?? 0);
      return { body: { items: [{ id: at }, { id: at + 1 }], next: at < 4 ? at + 2 : null } };
    });
    const request = { path: '/list', query: { q: 'x' }, result: { at: '/items', pick: { n: '/id' } } };
    expect(await ask({ ...request, paginate: { cursor: '/next', param: 'pageToken' } })).toEqual(
      [0, 1, 2, 3, 4, 5].map(n => ({ n })),
    );
    expect(service.received.map(({ url }) => url)).toEqual([
      '/list?q=x',
      '/list?q=x&pageToken=2',
      '/list?q=x&pageToken=4',
    ]);
  });

  it.each([[''], [null], [false], [undefined], ['same']])('B5 the cursor %j ends the pages', async next => {
    let count = 0;
    const { ask } = await pages(() => {
      count += 1;
      return { body: { items: [count], next } };
    });
    const items = await ask({ result: { at: '/items' }, paginate: { cursor: '/next', param: 'c' } });
    expect(items).toEqual(next === 'same' ? [1, 2] : [1]);
  });

  it('B5 elements over the limit are cut and no further page is asked for', async () => {
    const { service, ask } = await pages(query => ({ body: { items: [1, 2, 3], next: `${query.get('c') ?? ''}x` } }));
    expect(await ask({ result: { at: '/items' }, paginate: { cursor: '/next', param: 'c', maxItems: 5 } })).toEqual([
      1, 2, 3, 1, 2,
    ]);
    expect(service.received).toHaveLength(2);
  });

  it('B5 a cursor that is an address is followed at the same origin only', async () => {
    const { service, ask } = await pages((query, { headers }) => ({
      body: {
        items: [query.get('p')],
        next: { null: '?p=2', 2: `http://${headers.host}/other/..%2Fx?p=3`, 3: 'http://127.0.0.1:1/?p=4' }[
          String(query.get('p'))
        ],
      },
    }));
    const failure = await failureOf(ask({ path: '/a/list', result: { at: '/items' }, paginate: { cursor: '/next' } }));
    expect(failure).toMatchObject({
      code: 'UPSTREAM_REDIRECT',
      message: 'jira has its next page at http://127.0.0.1:1, which is another origin',
    });
    expect(service.received.map(({ url }) => url)).toEqual(['/a/list', '/a/list?p=2', '/other/..%2Fx?p=3']);
  });

  it('B5 the header Link is followed', async () => {
    const { ask } = await pages(query => {
      const page = Number(query.get('page') ?? 1);
      const next = `<?page=${page + 1}&x=a,b>; title="a, <b>"; rel="next prefetch"`;
      return { body: [page], link: `<?page=1>; rel=first, ${page < 3 ? next : '<?page=9>; rel="last"'}` };
    });
    expect(await ask({ path: '/list', paginate: { link: true } })).toEqual([1, 2, 3]);
  });

  it('B5 pages at the origin of a redirect learn no more than the redirect told it', async () => {
    // A proxy plays both.
    const proxy = await startService((request, response, nth) => {
      if (new URL(request.url).hostname === 'first.example') {
        response.writeHead(302, { location: 'http://second.example/1' }).end();
        return;
      }
      const link = nth === 1 ? { link: '</2>; rel=next' } : {};
      response.writeHead(200, { 'content-type': 'application/json', ...link }).end('[1]');
    });
    const lookup: Lookup = (_name, _options, done) => done(null, [{ address: '1.1.1.1', family: 4 }]);
    const { request } = openBackend(null, { env: { http_proxy: proxy.origin } }, { lookup });
    const paginate = { link: true } as const;
    const headers = { 'x-key': 'y' };
    expect(await request({ url: 'http://first.example/', headers, cookies: { a: 'b' }, paginate })).toEqual([1]);
    expect(proxy.received.map(({ url, headers: { cookie, 'x-key': key } }) => [url, cookie, key])).toEqual([
      ['http://first.example/', 'a=b', 'y'],
      ['http://second.example/1', undefined, undefined],
      ['http://second.example/2', undefined, undefined],
    ]);
  });

  it('B5 pages and elements are counted until a page is empty', async () => {
    const all = ['a', 'b', 'c', 'd', 'e'];
    const { service, ask } = await pages(query => {
      const from =
        query.has('page') || !query.has('offset')
          ? (Number(query.get('page') ?? 1) - 1) * 2
          : Number(query.get('offset'));
      return { body: all.slice(from, from + 2) };
    });
    expect(await ask({ paginate: { page: 'page' } })).toEqual(all);
    expect(service.received.at(-1)?.url).toBe('/?page=4');
    expect(await ask({ query: { offset: '1' }, paginate: { offset: 'offset' } })).toEqual(all.slice(1));
    expect(await ask({ query: { page: 2 }, paginate: { page: 'page' } })).toEqual(all.slice(2));
  });

  it('B5 a service that does not know pages is asked twice', async () => {
    const { service, ask } = await pages(() => ({ body: [1, 2] }));
    expect(await ask({ paginate: { page: 'page' } })).toEqual([1, 2]);
    expect(service.received).toHaveLength(2);
  });

  it('B5 all pages together are limited in size', async () => {
    const { ask } = await pages(query => ({ body: { items: ['x'.repeat(400)], next: `${query.get('c') ?? ''}x` } }));
    const failure = await failureOf(
      ask({ result: { at: '/items' }, paginate: { cursor: '/next', param: 'c' } }, { bytes: 1000 }),
    );
    expect(failure['code']).toBe('UPSTREAM_TOO_LARGE');
  });

  it('B5 pages without a list, and cursors that are none, are UPSTREAM_INVALID', async () => {
    const { ask } = await pages(() => ({ body: { items: { a: 1 }, list: [1], next: { a: 1 } } }));
    const paginate = { cursor: '/next', param: 'c' };
    expect((await failureOf(ask({ result: { at: '/items' }, paginate }))).message).toBe(
      'A page of jira has no list at /items',
    );
    expect((await failureOf(ask({ result: { at: '/list' }, paginate }))).message).toContain(
      'neither a string nor a number',
    );
  });
});
