// A service that gives away whatever it is sent, each time in another way; also a token service, a proxy and an MCP server. It stands for
// careless ones: pages and messages that quote the request that failed.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { accessToken } from './canaries.js';
// @ts-expect-error a script without types
import { answerMcp } from './hostile-mcp.mjs';

interface Told {
  /** The request as it came: its line, its headers, its body. */
  readonly raw: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly json: string;
  /** Of the request: what it proves itself with. */
  readonly proof: string;
  readonly origin: string;
}

type Answer = readonly [status: number, headers: Readonly<Record<string, string>>, body: string | Buffer];

const jsonType = { 'content-type': 'application/json' };
const textType = { 'content-type': 'text/plain; charset=utf-8' };
const escapeWith = (text: string, signs: RegExp, print: (sign: string) => string): string => text.replace(signs, print);
const unicode = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
const strict = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*~]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
const named: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
};
const mustache: Readonly<Record<string, string>> = {
  ...named,
  "'": '&#39;',
  '/': '&#x2F;',
  '`': '&#x60;',
  '=': '&#x3D;',
};
const go: Readonly<Record<string, string>> = { ...named, '"': '&#34;', "'": '&#39;', '+': '&#43;' };
const page = (text: string, names: Readonly<Record<string, string>>): string =>
  `<html><pre>${text.replace(/[&<>"'/`=+]/g, sign => names[sign] ?? sign)}</pre></html>`;
const refused = (body: string | Buffer, type = 'text/plain'): Answer => [500, { 'content-type': type }, body];

/** By the last part of the path. */
export const answers: Readonly<Record<string, (told: Told) => Answer>> = {
  json: ({ json }) => [200, jsonType, json],
  names: ({ headers }) => [
    200,
    jsonType,
    JSON.stringify(Object.fromEntries(Object.entries(headers).map(([a, b]) => [b, a]))),
  ],
  numbers: ({ headers }) => [200, jsonType, JSON.stringify(Object.values(headers).map(value => Number(value) || null))],
  text: ({ raw }) => [200, textType, raw],
  lines: ({ raw }) => [200, textType, raw.split(/[ ]/).join('\n')],
  latin1: ({ raw }) => [200, textType, Buffer.from(raw, 'latin1')],
  utf16: ({ raw }) => [200, { 'content-type': 'text/plain; charset=utf-16le' }, Buffer.from(raw, 'utf16le')],
  gzip: ({ json }) => [200, { ...jsonType, 'content-encoding': 'gzip' }, gzipSync(json)],
  bytes: ({ raw }) => [200, { 'content-type': 'application/octet-stream' }, raw],
  image: ({ raw }) => [
    200,
    { 'content-type': 'image/png' },
    Buffer.concat([Buffer.from([0, 255, 254]), Buffer.from(raw)]),
  ],
  hex: ({ raw }) => [200, textType, Buffer.from(raw).toString('hex')],
  base64: ({ raw }) => [200, textType, Buffer.from(raw).toString('base64')],
  html: ({ raw }) => [200, { 'content-type': 'text/html' }, page(raw, named)],
  type: ({ proof }) => [200, { 'content-type': `image/${proof}` }, 'x'],
  'error-json': ({ json }) => [400, jsonType, json],
  'error-text': ({ raw }) => [401, textType, raw],
  'error-long': ({ proof }) => [403, textType, `${'x'.repeat(1990)}${proof}${'y'.repeat(70_000)}`],
  'error-huge': ({ proof }) => [403, textType, `${'x'.repeat(64 * 1024 - 12)}${proof}`],
  'error-mustache': ({ raw }) => refused(page(raw, mustache), 'text/html'),
  'error-go-page': ({ raw }) => refused(page(raw, go), 'text/html'),
  'error-go': ({ json }) => refused(escapeWith(json, /[<>&]/g, unicode), 'application/json'),
  'error-php': ({ json }) => refused(escapeWith(json, /[^ -~]/g, unicode).replaceAll('/', '\\/'), 'application/json'),
  'error-slashes': ({ json }) => refused(json.replaceAll('/', '\\/'), 'application/json'),
  'error-net': ({ headers }) =>
    refused(
      JSON.stringify(headers)
        .replace(/\\"/g, '\\u0022')
        .replace(/['+<>&`]|[^ -~]/g, unicode),
    ),
  'error-nested': ({ json }) =>
    refused(JSON.stringify({ message: JSON.stringify({ cause: json }) }), 'application/json'),
  'error-form': ({ headers }) => refused(new URLSearchParams(headers as Record<string, string>).toString()),
  'error-address': ({ raw }) => refused(`https://example.com/?q=${encodeURIComponent(raw)}`),
  'error-strict': ({ raw }) => refused(strict(raw)),
  'error-upper': ({ raw }) => refused(raw.toUpperCase()),
  'error-broken': ({ proof }) => [200, jsonType, `{"headers": "${proof}`],
  again: ({ proof }) => [503, { 'retry-after': proof }, proof],
  away: ({ proof }) => [302, { location: `http://elsewhere.invalid/${strict(proof)}?q=${strict(proof)}` }, ''],
  home: ({ proof, origin }) => [302, { location: `${origin}/error-text?q=${strict(proof)}` }, ''],
};

const form = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

function answerToken({ json, proof }: Told, path: string): Answer {
  if (path.endsWith('/token'))
    return [200, jsonType, JSON.stringify({ access_token: accessToken, token_type: 'bearer' })];
  return [400, jsonType, JSON.stringify({ error: 'invalid_client', error_description: json, proof, ...form(json) })];
}

export interface HostileService {
  readonly origin: string;
  /** Everything that came. */
  received(): string;
  stop(): void;
}

export async function startHostileService(): Promise<HostileService> {
  let received = '';
  let origin = '';
  const server: Server = createServer(async (request, response) => {
    const told = await tell(request, origin);
    received += `${told.raw}\n${Buffer.from(request.url ?? '').toString()}\n`;
    answer(request, response, told);
  });
  // A proxy that refuses to make a tunnel, and says to whom.
  server.on('connect', ({ headers }, socket) => {
    received += `${JSON.stringify(headers)}\n`;
    socket.end(
      `HTTP/1.1 407 Refused ${headers['proxy-authorization']}\r\nx-echo: ${headers['proxy-authorization']}\r\n\r\n`,
    );
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    received: () => received,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function tell(request: IncomingMessage, origin: string): Promise<Told> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method, url = '', headers, rawHeaders } = request;
  const lines = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : []));
  const body = Buffer.concat(chunks).toString();
  const [, query = ''] = url.split('?');
  const known = headers.authorization ?? headers['proxy-authorization'] ?? headers['x-key'] ?? headers['x-own'];
  const proof = String(known ?? decodeURIComponent(query));
  const raw = [`${method} ${decodeURIComponent(url)}`, ...lines, '', body].join('\n');
  return { raw, headers, body, json: JSON.stringify({ url, query: form(query), headers, body }), proof, origin };
}

function answer({ url = '' }: IncomingMessage, response: ServerResponse, told: Told): void {
  const { pathname } = new URL(url, told.origin);
  const way = pathname.split('/').at(-1) ?? '';
  if (way === 'mcp') {
    answerMcp(told, response);
    return;
  }
  const found = Object.hasOwn(answers, way) ? answers[way] : undefined;
  const [status, headers, body] = found === undefined ? answerToken(told, pathname) : found(told);
  try {
    response.writeHead(status, `Status ${told.proof.slice(0, 200)}`.replace(/[^\x20-\x7e]/g, ' '), headers);
  } catch {
    response.writeHead(500);
  }
  response.end(body);
}
