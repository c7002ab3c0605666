// Addresses of an API. In: `servers` of 3.x or host, base path and schemes of 2.0. Out: ApiServer[].
import type { ApiServer } from '../api.js';
import { below } from '../pointer.js';
import {
  asPlacedMap,
  assume,
  type Fields,
  ignore,
  listAt,
  mapAt,
  membersOf,
  type PlacedMap,
  type Reader,
  textOf,
  textsOf,
} from './reader.js';

/** Of the document, a path or an operation; none where it says nothing. */
export function readServers(reader: Reader, owner: PlacedMap): readonly ApiServer[] {
  if (owner.value.servers === undefined) return [];
  return listAt(reader, owner, 'servers').flatMap(placed => {
    const server = asPlacedMap(reader, placed, 'server');
    return server === undefined ? [] : (readServer(reader, server) ?? []);
  });
}

/** Where nothing is said, the API is where the document is. */
export function noServers(pointer: string): readonly ApiServer[] {
  return [{ url: '/', variables: {}, pointer }];
}

function readServer(reader: Reader, server: PlacedMap): ApiServer | undefined {
  const { value, pointer } = server;
  const written = textOf(value.url)?.trim();
  if (written === undefined) {
    ignore(reader, pointer, 'server', 'it has no url');
    return undefined;
  }
  const url = completeUrl(reader, written, below(pointer, 'url'));
  if (url === undefined) return undefined;
  const variables = readVariables(reader, server);
  for (const [, name = ''] of url.matchAll(/\{([^{}]+)\}/g)) {
    if (Object.hasOwn(variables, name)) continue;
    assume(reader, below(pointer, 'url'), `the variable ${name}`, 'the url has it, and nothing declares it');
    variables[name] = {};
  }
  return { url, variables, pointer };
}

/** `api.example.com/v1` is meant to be an address of the network: a relative one would begin with a slash or a dot. */
const hostWithoutScheme = /^(?:localhost|[a-z\d-]+(?:\.[a-z\d-]+)+)(?::\d+)?(?:\/|$)/i;

/** What runs on the same machine rarely has a certificate. */
function usualScheme(host: string): 'http' | 'https' {
  return /^(?:localhost|127\.[\d.]+)(?::|\/|$)/i.test(host) ? 'http' : 'https';
}

function completeUrl(reader: Reader, written: string, pointer: string): string | undefined {
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(written)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
    ignore(reader, pointer, written, 'requests are sent by http and https');
    return undefined;
  }
  if (scheme !== undefined) return withoutSlash(written);
  if (written.startsWith('//')) return withoutSlash(`https:${written}`);
  if (!hostWithoutScheme.test(written)) return written;
  const url = withoutSlash(`${usualScheme(written)}://${written}`);
  assume(reader, pointer, url, 'the url has no scheme');
  return url;
}

/** Paths begin with a slash of their own. */
function withoutSlash(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}

type Variables = Record<string, { default?: string; enum?: readonly string[]; description?: string }>;

function readVariables(reader: Reader, server: PlacedMap): Variables {
  const written = mapAt(reader, server, 'variables');
  const found: Variables = {};
  for (const [name, placed] of written === undefined ? [] : membersOf(written)) {
    const variable = asPlacedMap(reader, placed, name);
    if (variable === undefined) continue;
    const { value } = variable;
    const choices = value.enum === undefined || value.enum === null ? [] : textsOf(value.enum);
    const byDefault = textOf(value.default) ?? (value.default === '' ? '' : choices[0]);
    const description = textOf(value.description);
    found[name] = {
      ...(byDefault === undefined ? {} : { default: byDefault }),
      ...(choices.length === 0 ? {} : { enum: choices }),
      ...(description === undefined ? {} : { description }),
    };
  }
  return found;
}

/** 2.0: one address for each scheme, https first. */
export function readHost(reader: Reader, root: PlacedMap, schemesOf: Fields = root.value): readonly ApiServer[] {
  const typed = textOf(root.value.host);
  const host = typed === undefined ? undefined : withoutSlash(typed.trim().replace(/^[a-z]+:\/\//i, ''));
  const base = withoutSlash(textOf(root.value.basePath)?.trim() ?? '');
  const path = base === '' || base.startsWith('/') ? base : `/${base}`;
  const pointer = host === undefined ? root.pointer : below(root.pointer, 'host');
  if (host === undefined) return [{ url: path === '' ? '/' : path, variables: variablesOf(path), pointer }];
  const written = textsOf(schemesOf.schemes ?? root.value.schemes).map(scheme => scheme.toLowerCase());
  const schemes = ['https', 'http'].filter(scheme => written.includes(scheme));
  if (written.length > 0 && schemes.length === 0)
    ignore(reader, below(root.pointer, 'schemes'), written.join(', '), 'requests are sent by http and https');
  return (schemes.length === 0 ? [usualScheme(host)] : schemes).map(scheme => {
    const url = `${scheme}://${host}${path}`;
    return { url, variables: variablesOf(url), pointer };
  });
}

/** 2.0 has none, but some write them. */
function variablesOf(url: string): Variables {
  return Object.fromEntries([...url.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => [name, {}]));
}
