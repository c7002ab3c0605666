// Requests of 2026-07-28 over HTTP, right and wrong in every way we could think of, made from a seed.
import type { Random } from '../../harness/random.js';
import { envelope } from '../serve/serve-pipes.js';
import { makeSurface, said } from '../serve/serve-surface.js';
import { messagesOf } from '../serve/serve-web.js';

export interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What must be equal: the words of errors may differ, and what they say beside them. */
export interface Told {
  readonly status: number;
  readonly type: string | null;
  readonly challenge: string | null;
  readonly messages: readonly unknown[];
}

export async function tell(response: Response): Promise<Told> {
  const type = response.headers.get('content-type');
  const messages = response.body === null ? [] : await messagesOf(response);
  return {
    status: response.status,
    type,
    challenge: response.headers.get('www-authenticate'),
    messages: messages.map(message => {
      const { error, ...rest } = message as { error?: { code: number } };
      return error === undefined ? rest : { ...rest, code: error.code };
    }),
  };
}

type Json = Record<string, unknown>;

const content = (...items: object[]): never => ({ result: { content: items } }) as never;

/** Tools whose results take every way out of our own code. */
export function makeOddSurface(): ReturnType<typeof makeSurface> {
  return makeSurface({
    instructions: 'Be kind.',
    cache: { ttlMs: 5000, scope: 'public' },
    tools: {
      add: {
        outputSchema: { type: 'object' },
        run: ({ a, b }) => ({ result: { content: [], structuredContent: { sum: Number(a) + Number(b) } } }),
      },
      echo: { run: args => said(JSON.stringify(args)) },
      list: { outputSchema: { type: 'array' }, run: () => ({ result: { content: [], structuredContent: [1, 2] } }) },
      region: {
        inputSchema: {
          type: 'object',
          properties: {
            region: { type: 'string', 'x-mcp-header': 'Region' },
            zone: { type: 'integer', 'x-mcp-header': 'Zone' },
            deep: { type: 'object', properties: { flag: { type: 'boolean', 'x-mcp-header': 'Deep-Flag' } } },
          },
        },
        run: args => said(JSON.stringify(args)),
      },
      // Not a place for a header: the SDK does not look at it, so neither may we.
      odd: {
        inputSchema: { type: 'object', anyOf: [{ properties: { x: { type: 'string', 'x-mcp-header': 'X' } } }] },
        run: () => said('odd'),
      },
      'näme ✓': { run: () => said('named') },
      image: { run: () => content({ type: 'image', data: 'AAAA', mimeType: 'image/png' }) },
      notes: { run: () => content({ type: 'text', text: 'x', annotations: { priority: 1 }, extra: 1 }) },
      link: { run: () => content({ type: 'resource_link', uri: 'a:b', name: 'n', stray: true }) },
      task: { entry: { execution: { taskSupport: 'optional' } }, run: () => said('task') },
      meta: { run: () => ({ result: { content: [], _meta: { own: 1 } } }) },
      named: {
        run: () => ({ result: { content: [], _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'x' } } } }),
      },
      more: { run: () => ({ result: { content: [], other: 1 } as never }) },
      typed: { run: () => ({ result: { content: [], resultType: 'complete' } as never }) },
      wrong: { run: () => ({ result: { content: [], isError: 'yes' } as never }) },
      error: { run: () => ({ result: { content: [{ type: 'text', text: 'no' }], isError: true } }) },
      fail: {
        run: () => {
          throw new Error('nobody foresaw it');
        },
      },
      missing: {
        run: () => ({
          result: {
            content: [],
            isError: true,
            _meta: {
              'toolwright/error': { code: 'CAPABILITY_MISSING', meta: { requiredCapabilities: { sampling: {} } } },
            },
          },
        }),
      },
      ask: {
        run: (_, { answers }) =>
          answers['size'] === undefined
            ? {
                asking: {
                  questions: {
                    size: {
                      kind: 'elicit',
                      params: { message: 'Size?', requestedSchema: { type: 'object', properties: {} } },
                    },
                  },
                  state: 'sealed',
                },
              }
            : said(JSON.stringify(answers['size'])),
      },
      who: { run: (_, { client, principal, auth }) => said(JSON.stringify({ client, principal, auth })) },
      progress: {
        run: (_, request) => {
          request.progress(1, 2, 'half');
          request.log('error', 'careful', { x: 1 });
          return said('done');
        },
      },
    },
    prompts: { greet: () => ({ result: { messages: [] } }) },
    resources: { 'memo://1': { read: () => ({ result: { contents: [{ uri: 'memo://1', text: 'm' }] } }) } },
  });
}

const methods = [
  ...['server/discover', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'ping'],
  ...['prompts/get', 'resources/read', 'completion/complete', 'initialize', 'logging/setLevel', 'no/such'],
  ...['notifications/cancelled', 'notifications/initialized', 'subscriptions/unlisten', ''],
];
const calls: readonly Json[] = [
  { name: 'add', arguments: { a: 1, b: 2 } },
  { name: 'region', arguments: { region: 'eu', zone: 7, deep: { flag: true } } },
  { name: 'region', arguments: { region: 'bär', zone: 7.5 } },
  { name: 'odd', arguments: { x: 'y' } },
  { name: 'nope' },
  { name: 'ask', inputResponses: { size: { action: 'accept', content: {} } }, requestState: 'sealed' },
  ...['echo', 'list', 'näme ✓', 'image', 'notes', 'link', 'task', 'meta', 'named', 'more', 'typed'],
  ...['wrong', 'error', 'fail', 'missing', 'ask', 'who', 'progress'],
].map(call => (typeof call === 'string' ? { name: call, arguments: {} } : call));

const capabilities: readonly unknown[] = [
  {},
  { elicitation: {} },
  { elicitation: { form: { applyDefaults: true }, url: {} }, sampling: { tools: {} }, roots: { listChanged: true } },
  { experimental: { x: { y: 1 } }, extensions: { 'io.x/y': {} }, tasks: { list: 1 }, unknown: 5 },
  { elicitation: null },
  { elicitation: { form: 1 } },
  { elicitation: { form: { applyDefaults: 'no' } } },
  { sampling: [] },
  { roots: { listChanged: 'x' } },
  { experimental: { x: 1 } },
];
const junk: readonly unknown[] = [
  null,
  0,
  -1,
  1.5,
  '',
  'x',
  true,
  [],
  [1],
  {},
  { a: { b: 1 } },
  2 ** 53,
  '=?base64?eA==?=',
];
const prefix = 'io.modelcontextprotocol/';

/** One request; about a third of them are as they should be. */
export function makeRequest(random: Random, id: number): Sent {
  const meta: Json = { ...envelope, [`${prefix}clientCapabilities`]: pick(random, capabilities) };
  const isCall = random.below(100) < 60;
  const method = isCall ? 'tools/call' : pick(random, methods);
  const params: Json = { ...(isCall ? pick(random, calls) : otherParams(method)), _meta: meta };
  const message: Json = { jsonrpc: '2.0', id, method, params };
  const headers = headersFor(method, params);
  const isBent = random.below(100) < 65;
  for (let count = isBent ? 1 + random.below(2) : 0; count > 0; count -= 1)
    bend(random, { message, params, meta, headers });
  if (isBent && random.below(100) < 3)
    return { headers, body: pick(random, ['', '{', '[]', 'null', '"x"', '{}', '[{}]']) };
  return { headers, body: JSON.stringify(random.below(100) < 2 ? [message] : message) };
}

function otherParams(method: string): Json {
  if (method === 'prompts/get') return { name: 'greet' };
  if (method === 'resources/read') return { uri: 'memo://1' };
  return {};
}

const isSendable = (text: string): boolean => /^[\x20-\x7e]*$/.test(text) && text.trim() === text;
export const encodeHeader = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;
const toHeader = (value: unknown): string => (isSendable(String(value)) ? String(value) : encodeHeader(String(value)));

function headersFor(method: string, params: Json): Record<string, string> {
  const { name, uri, arguments: args } = params;
  const { region, zone, deep } = (args ?? {}) as { region?: unknown; zone?: unknown; deep?: { flag?: unknown } };
  const named = name ?? uri;
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(named !== undefined && { 'mcp-name': toHeader(named) }),
    ...(region !== undefined && { 'mcp-param-region': toHeader(region) }),
    ...(zone !== undefined && { 'mcp-param-zone': toHeader(zone) }),
    ...(deep?.flag !== undefined && { 'mcp-param-deep-flag': toHeader(deep.flag) }),
  };
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[random.below(list.length)] as T;
}

interface Parts {
  readonly message: Json;
  readonly params: Json;
  readonly meta: Json;
  readonly headers: Record<string, string>;
}

function bend(random: Random, { message, params, meta, headers }: Parts): void {
  switch (random.below(10)) {
    case 0:
      delete headers[pick(random, Object.keys(headers))];
      return;
    case 1:
      headers[pick(random, Object.keys(headers))] = pick(random, [
        'x',
        '2025-11-25',
        '2027-01-01',
        'text/plain',
        '=?base64?!?=',
      ]);
      return;
    case 2: {
      const name = pick(random, Object.keys(headers));
      const value = headers[name] ?? '';
      headers[name] = pick(random, [
        encodeHeader(value),
        `${value}.0`,
        value.toUpperCase(),
        `${value}, ${value}`,
        ` ${value} `,
      ]);
      return;
    }
    case 3:
      message[pick(random, ['jsonrpc', 'id', 'method', 'params', 'extra'])] = pick(random, junk);
      return;
    case 4:
      delete message[pick(random, ['jsonrpc', 'id', 'method', 'params'])];
      return;
    case 5:
      params[pick(random, ['name', 'arguments', '_meta', 'cursor', 'inputResponses', 'requestState', 'task', 'uri'])] =
        pick(random, junk);
      return;
    case 6:
      delete params[pick(random, Object.keys(params))];
      return;
    case 7:
      meta[pick(random, ['progressToken', `${prefix}related-task`, `${prefix}logLevel`, 'traceparent', 'x'])] = pick(
        random,
        [...junk, 'debug', { taskId: 't' }],
      );
      return;
    case 8:
      meta[`${prefix}${pick(random, ['protocolVersion', 'clientInfo', 'clientCapabilities'])}`] = pick(random, [
        ...junk,
        { name: 'n', version: '1', title: 't', icons: [{ src: 'a:b' }] },
        { name: 'n', version: 1 },
        '2025-11-25',
      ]);
      return;
    default:
      delete meta[pick(random, Object.keys(meta))];
  }
}
