// Broken JSON-RPC traffic from a seed: good messages, bent in one or two places.
import type { Random } from '../../harness/random.js';

/** One line as bytes, without its line break, and what a right server does with it. */
export interface Bent {
  readonly bytes: Buffer;
  /** `error`: one error without an id; `answer`: one answer with `id`; `silence`: nothing; `any`: at most one answer. */
  readonly expected: 'error' | 'answer' | 'silence' | 'any';
  readonly id?: string | number;
}

type Message = Record<string, unknown>;

const requests: readonly [Message, ...Message[]] = [
  { method: 'ping' },
  { method: 'tools/list', params: {} },
  { method: 'tools/call', params: { name: 'echo', arguments: { text: 'a' } } },
  { method: 'tools/call', params: { name: 'fail' } },
  { method: 'prompts/list' },
  { method: 'prompts/get', params: { name: 'greet', arguments: { name: 'Ada' } } },
  { method: 'resources/list' },
  { method: 'resources/templates/list' },
  { method: 'resources/read', params: { uri: 'soak://note' } },
  {
    method: 'completion/complete',
    params: { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'name', value: 'A' } },
  },
  { method: 'logging/setLevel', params: { level: 'error' } },
  { method: 'resources/subscribe', params: { uri: 'soak://note' } },
];

const notifications: readonly [Message, ...Message[]] = [
  { method: 'notifications/cancelled', params: { requestId: 'nobody' } },
  { method: 'notifications/progress', params: { progressToken: 'none', progress: 1 } },
  { method: 'notifications/roots/list_changed' },
  { method: 'notifications/no/such' },
];

const junk: readonly [unknown, ...unknown[]] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  '',
  'x',
  [],
  [1],
  {},
  { a: 1 },
  'x'.repeat(5_000),
  '\u0000',
  '\ud800',
  '__proto__',
];

/** Texts that are no JSON at all, or JSON that is no message. */
const texts: readonly [string, ...string[]] = [
  '{',
  '}',
  '[',
  'nul',
  '"open',
  '{"jsonrpc":"2.0","id":1,"method":"ping"',
  "{'jsonrpc':'2.0'}",
  'GET / HTTP/1.1',
  '\ufeff{',
  '{"a":}',
  '\u0000',
  '{"jsonrpc":"2.0","method":"ping","id":1}}',
];
const values: readonly [string, ...string[]] = [
  'null',
  '1',
  '"text"',
  'true',
  '{}',
  '[]',
  '[1,2]',
  '{"jsonrpc":"2.0"}',
  '{"jsonrpc":"1.0","id":7}',
];

export function bend(random: Random, id: number): Bent {
  switch (random.below(12)) {
    case 0:
      return { bytes: Buffer.from(random.pick(texts)), expected: 'error' };
    case 1:
      return { bytes: Buffer.from(random.pick(values)), expected: 'any' };
    case 2:
      return { bytes: invalidUtf8(random), expected: 'any' };
    case 3:
      return truncated(random, id);
    case 4:
      return line({ jsonrpc: '2.0', ...random.pick(notifications) }, 'silence');
    case 5:
      return line({ jsonrpc: '2.0', id, method: `no/${'x'.repeat(random.below(300))}` }, 'answer', id);
    case 6:
      return deep(random, id);
    case 7:
      return line([{ jsonrpc: '2.0', id, ...random.pick(requests) }], 'any');
    case 8:
      return line({ jsonrpc: '2.0', id: random.pick(junk), ...random.pick(requests) }, 'any');
    case 9:
      return line({ jsonrpc: random.pick(junk), id, ...random.pick(requests) }, 'any');
    case 10:
      return line({ jsonrpc: '2.0', id, result: random.pick(junk) }, 'any');
    default:
      return line({ jsonrpc: '2.0', id, ...wrongTypes(random) }, 'answer', id);
  }
}

function line(value: unknown, expected: Bent['expected'], id?: number): Bent {
  return { bytes: Buffer.from(JSON.stringify(value)), expected, ...(id === undefined ? {} : { id }) };
}

/** A good request with one value below `params` replaced. */
function wrongTypes(random: Random): Message {
  const request = structuredClone(random.pick(requests));
  if (random.below(4) === 0 || !isObject(request['params'])) return { ...request, params: random.pick(junk) };
  let place = request['params'];
  for (;;) {
    const keys = Object.keys(place);
    const key = random.pick(keys) ?? 'extra';
    const inner = place[key];
    if (isObject(inner) && random.below(2) === 0) {
      place = inner;
      continue;
    }
    place[key] = random.pick(junk);
    return request;
  }
}

function truncated(random: Random, id: number): Bent {
  const text = JSON.stringify({ jsonrpc: '2.0', id, ...random.pick(requests) });
  return { bytes: Buffer.from(text.slice(0, 1 + random.below(text.length - 1))), expected: 'error' };
}

function invalidUtf8(random: Random): Buffer {
  const text = JSON.stringify({
    jsonrpc: '2.0',
    id: 'bytes',
    method: 'tools/call',
    params: { name: 'echo', arguments: { text: 'äöü' } },
  });
  const bytes = Buffer.from(text);
  bytes[bytes.indexOf(0xc3) + 1 + random.below(3)] = 0xff;
  return bytes;
}

function deep(random: Random, id: number): Bent {
  const depth = 10 ** (1 + random.below(4));
  const open = random.below(2) === 0 ? '[' : '{"a":';
  const close = open === '[' ? ']' : '}';
  const value = `${open.repeat(depth)}1${close.repeat(depth)}`;
  const text = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":{"text":${value}}}}`;
  return { bytes: Buffer.from(text), expected: 'any', id };
}

function isObject(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
