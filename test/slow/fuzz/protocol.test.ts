// Traffic that nobody would write: envelopes, params and ids at random, in pieces. Our own code and the SDK must say the same to it.
import { expect, it } from 'vitest';
import { makeRandom, play, type Step } from '../../runtime/protocol/both-ways.js';
import { envelope } from '../../runtime/serve/serve-pipes.js';
import { makeTools, nobodyWatches } from '../../runtime/serve/serve-tools.js';

type Random = ReturnType<typeof makeRandom>;

const methods = [
  ...['initialize', 'ping', 'tools/list', 'tools/call', 'tools/call', 'tools/call', 'prompts/list', 'prompts/get'],
  ...['resources/list', 'resources/templates/list', 'resources/read', 'resources/subscribe', 'completion/complete'],
  ...['logging/setLevel', 'server/discover', 'tasks/get', 'sampling/createMessage', 'roots/list', 'made/up', ''],
  ...['__proto__', 'notifications/initialized', 'notifications/cancelled', 'notifications/progress', 'toString'],
];
const junk: readonly unknown[] = [null, 0, -1, 1.5, '', 'x', true, [], {}, [1], { a: 1 }, '\u2028', 1e300];
// Not `changes`: whether the handshake was over by then would be left to chance.
const tools = ['add', 'list', 'who', 'ask', 'sample', 'missing', 'fail', 'circular', 'nope', '__proto__'];
const key = 'io.modelcontextprotocol/';

function meta(random: Random): unknown {
  switch (random.below(12)) {
    case 0:
      return random.pick(junk);
    case 1:
      return { progressToken: random.pick([1, 'tok', ...junk]) };
    case 2:
      return { ...envelope, [random.pick(Object.keys(envelope))]: random.pick(junk) };
    case 3:
      return Object.fromEntries(Object.entries(envelope).filter(() => random.below(3) > 0));
    case 4:
      return { [`${key}logLevel`]: 'info' };
    case 5:
      return { [`${key}related-task`]: random.pick([{ taskId: 'x' }, ...junk]) };
    case 6:
      return { ...envelope, [`${key}clientCapabilities`]: capabilities(random) };
    case 7:
      return { ...envelope, [`${key}logLevel`]: random.pick(['debug', 'error', ...junk]) };
    case 8:
      return { ...envelope, [`${key}clientInfo`]: info(random) };
    default:
      return envelope;
  }
}

function capabilities(random: Random): unknown {
  const part = (): unknown =>
    random.pick([{}, { form: {} }, { url: {} }, { listChanged: true }, { tools: {} }, ...junk]);
  const names = ['elicitation', 'sampling', 'roots', 'experimental', 'extensions', 'tasks', 'other'];
  return Object.fromEntries(names.filter(() => random.below(3) === 0).map(name => [name, part()]));
}

function info(random: Random): unknown {
  const icon = random.pick([{ src: 'x' }, { src: 'x', theme: 'dark' }, { src: 'x', sizes: ['1x1'] }, ...junk]);
  return random.pick([
    { name: 'n', version: 'v' },
    { name: 'n', version: 'v', title: 't', websiteUrl: 'w', description: 'd', icons: [icon], more: 1 },
    { name: 'n', version: random.pick(junk) },
    { name: 'n', version: 'v', title: random.pick(junk) },
    random.pick(junk),
  ]);
}

function params(random: Random, method: string, isModern: boolean): unknown {
  const own: Record<string, unknown> = {};
  if (method === 'initialize') {
    own['protocolVersion'] = random.pick(['2025-11-25', '2024-11-05', '2026-07-28', 'x', ...junk]);
    own['capabilities'] = random.below(4) === 0 ? random.pick(junk) : capabilities(random);
    own['clientInfo'] = info(random);
  }
  if (/call|get/.test(method))
    own['name'] = random.below(9) === 0 ? random.pick(junk) : random.pick([...tools, 'hello']);
  if (/call|get/.test(method) && random.below(2) === 0) own['arguments'] = random.pick([{ a: 1, b: 2 }, ...junk]);
  if (/list/.test(method) && random.below(4) === 0) own['cursor'] = random.pick(junk);
  if (/read|subscribe/.test(method)) own['uri'] = random.pick(['memo://1', 'memo://2', 'memo://3', ...junk]);
  if (/setLevel/.test(method)) own['level'] = random.pick(['info', 'error', ...junk]);
  // Requests that are under way are cancelled elsewhere: here who is faster would be left to chance.
  if (/cancelled/.test(method)) own['requestId'] = random.pick(['none', null, 1.5, true, [], {}]);
  if (random.below(12) === 0) own[random.pick(['task', 'inputResponses', 'requestState', 'extra'])] = random.pick(junk);
  if (isModern ? random.below(12) > 0 : random.below(6) === 0)
    own['_meta'] = isModern ? (random.below(3) ? envelope : meta(random)) : meta(random);
  if (random.below(15) === 0) return random.pick(junk);
  return Object.keys(own).length === 0 && random.below(2) === 0 ? undefined : own;
}

function line(random: Random, id: number, isModern: boolean): string {
  const method = random.pick(methods);
  const message: Record<string, unknown> = { jsonrpc: '2.0', id: `m${id}`, method };
  const given = params(random, method, isModern);
  if (given !== undefined) message['params'] = given;
  switch (random.below(25)) {
    case 0:
      return random.pick(['{', 'nonsense', '[]', `[${JSON.stringify(message)}]`, '5', 'null', '"x"', '\r', '{}']);
    case 1:
      message['id'] = random.pick(junk);
      break;
    case 2:
      delete message['id'];
      break;
    case 3:
      message['jsonrpc'] = random.pick(junk);
      break;
    case 4:
      return JSON.stringify({ jsonrpc: '2.0', id: random.pick([`x${id}`, 99, ...junk]), result: random.pick(junk) });
    case 5:
      message['method'] = random.pick(junk);
      break;
    case 6:
      message['extra'] = random.pick(junk);
      break;
    default:
      if (method.startsWith('notifications/')) delete message['id'];
  }
  return JSON.stringify(message);
}

function traffic(seed: number): readonly Step[] {
  const random = makeRandom(seed);
  const isModern = seed % 2 === 0;
  const clientInfo = { name: 'f', version: '1' };
  const hello = { jsonrpc: '2.0', id: 'hello', method: 'initialize' };
  const lines = Array.from({ length: 25 }, (_, id) => line(random, id, isModern));
  // A third begins as clients do, the others with whatever comes first.
  if (random.below(3) === 0) {
    const first = isModern
      ? { ...hello, method: 'server/discover', params: { _meta: envelope } }
      : { ...hello, params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } };
    lines.unshift(JSON.stringify(first));
  }
  return lines.map(text => `${text}\n`);
}

it.each(Array.from({ length: 8 }, (_, group) => group))(
  'W82 our own code and the SDK answer random traffic alike (%i)',
  async group => {
    for (let seed = group * 40; seed < group * 40 + 40; seed += 1) {
      const script = { steps: traffic(seed), reply: () => undefined };
      const protocols = ['own', 'sdk'] as const;
      const [own, sdk] = await Promise.all(
        protocols.map(protocol => play(makeTools(nobodyWatches()), script, protocol)),
      );
      expect([seed, own]).toEqual([seed, sdk]);
    }
  },
  120_000,
);
