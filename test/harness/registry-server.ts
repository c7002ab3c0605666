// A registry of npm packages on loopback, in memory. In: requests of npm clients (`registry-user.ts` has one).
// Out: publish, install, view, search by keyword, dist-tags and upgrades, as with a registry of the world.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a registry keeps of one package; `versions` are the package.json files as npm sent them. */
interface Packument {
  readonly name: string;
  readonly versions: Record<string, VersionData>;
  readonly 'dist-tags': Record<string, string>;
  readonly time: Record<string, string>;
}

interface VersionData {
  readonly keywords?: unknown;
  readonly description?: unknown;
  dist?: Record<string, unknown>;
}

interface Publication {
  readonly versions: Record<string, VersionData>;
  readonly 'dist-tags'?: Record<string, string>;
  readonly _attachments: Record<string, { readonly data: string }>;
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export interface RegistryServer {
  /** With a slash at the end. */
  readonly url: string;
  /** `GET /@acme/jira`, in order: what clients asked for. */
  readonly requests: readonly string[];
  /** From now on every request is answered with this status; undefined: as usual. */
  failWith(status: number | undefined): void;
  close(): Promise<void>;
}

export interface RegistryOptions {
  /** Requests without this token are refused. */
  readonly token?: string;
}

/**
 * A new, empty registry. Nothing is written to disk.
 *
 * @example const registry = await startRegistry(); afterAll(registry.close);
 */
export async function startRegistry({ token }: RegistryOptions = {}): Promise<RegistryServer> {
  const packages = new Map<string, Packument>();
  const tarballs = new Map<string, Buffer>();
  const requests: string[] = [];
  let failure: number | undefined;

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://registry');
    const path = decodeURIComponent(url.pathname);
    requests.push(`${request.method} ${path}${url.search}`);
    const tarball = tarballs.get(path);
    const isRefused = token !== undefined && request.headers.authorization !== `Bearer ${token}`;
    if (failure === undefined && !isRefused && tarball !== undefined) {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(tarball);
      return;
    }
    const { status, body } =
      failure !== undefined
        ? { status: failure, body: { error: 'the registry is told to fail' } }
        : isRefused
          ? { status: 401, body: { error: 'a token is needed' } }
          : await answer(request, url, path);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, url: URL, path: string): Promise<Reply> {
    if (path === '/-/ping') return { status: 200, body: {} };
    if (path === '/-/v1/search') return { status: 200, body: search(url.searchParams) };
    const [, tagged, tag] = /^\/-\/package\/(.+)\/dist-tags(?:\/(.+))?$/.exec(path) ?? [];
    if (tagged !== undefined) return answerTags(request, tagged, tag);
    const name = path.slice(1);
    if (request.method === 'PUT') return publish(name, JSON.parse(await bodyOf(request)) as Publication);
    const found = packages.get(name);
    return found === undefined ? { status: 404, body: { error: 'not found' } } : { status: 200, body: found };
  }

  function publish(name: string, sent: Publication): Reply {
    const known = packages.get(name) ?? { name, versions: {}, 'dist-tags': {}, time: {} };
    const [attachment] = Object.values(sent._attachments);
    for (const [version, data] of Object.entries(sent.versions)) {
      if (known.versions[version] !== undefined)
        return { status: 403, body: { error: `cannot publish over ${version}` } };
      const bytes = Buffer.from(attachment?.data ?? '', 'base64');
      const path = `/${name}/-/${name.split('/').at(-1)}-${version}.tgz`;
      tarballs.set(path, bytes);
      known.versions[version] = {
        ...data,
        dist: {
          ...data.dist,
          tarball: `${origin}${path}`,
          integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
          shasum: createHash('sha1').update(bytes).digest('hex'),
        },
      };
      known.time[version] = new Date(0).toISOString();
    }
    Object.assign(known['dist-tags'], sent['dist-tags']);
    packages.set(name, known);
    return { status: 201, body: { ok: true } };
  }

  async function answerTags(request: IncomingMessage, name: string, tag: string | undefined): Promise<Reply> {
    const found = packages.get(name);
    if (found === undefined) return { status: 404, body: { error: 'not found' } };
    if (tag !== undefined && request.method === 'PUT')
      found['dist-tags'][tag] = JSON.parse(await bodyOf(request)) as string;
    if (tag !== undefined && request.method === 'DELETE') delete found['dist-tags'][tag];
    return { status: 200, body: found['dist-tags'] };
  }

  /** `keywords:x` as the public registry reads it; other words are looked for in names and descriptions. */
  function search(query: URLSearchParams): unknown {
    const words = (query.get('text') ?? '').split(/\s+/).filter(word => word !== '');
    const matches = [...packages.values()].flatMap(({ name, versions, 'dist-tags': tags }) => {
      const version = tags['latest'] ?? '';
      const { keywords = [], description = '' } = versions[version] ?? {};
      const hit = words.every(word =>
        word.startsWith('keywords:')
          ? Array.isArray(keywords) && keywords.includes(word.slice('keywords:'.length))
          : `${name} ${description}`.includes(word),
      );
      const about = { date: new Date(0).toISOString(), links: { npm: `${origin}/${name}` }, maintainers: [] };
      return hit ? [{ package: { name, version, description, keywords, ...about } }] : [];
    });
    const from = Number(query.get('from') ?? 0);
    const size = Number(query.get('size') ?? 20);
    return { objects: matches.slice(from, from + size), total: matches.length, time: new Date(0).toISOString() };
  }

  return {
    url: `${origin}/`,
    requests,
    failWith(status) {
      failure = status;
    },
    close: () =>
      new Promise(done => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
