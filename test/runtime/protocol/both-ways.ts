// Plays the same traffic through our own code or the SDK, and tells what the server said in a form that can be compared.
import type { ProtocolName } from '../../../runtime/serve/stdio-connection.js';
import type { Surface } from '../../../runtime/surface/surface.js';
import { connectRaw, type Message, type RawClient } from '../serve/serve-pipes.js';

/** Messages that go out together, raw bytes, or something to wait for. */
export type Step = readonly unknown[] | string | Uint8Array | ((client: RawClient) => Promise<unknown>);

/** What a client answers when it is asked; undefined: nothing. */
export type Reply = (question: Message) => object | undefined;

/** Says yes to everything. */
export const usualReply: Reply = ({ method, params }) => {
  switch (method) {
    case 'elicitation/create': {
      const { properties = {} } = (params?.['requestedSchema'] ?? {}) as { properties?: Record<string, unknown> };
      const content = Object.fromEntries(Object.keys(properties).map(name => [name, `my ${name}`]));
      return { result: { action: 'accept', content } };
    }
    case 'sampling/createMessage':
      return { result: { role: 'assistant', model: 'm', content: { type: 'text', text: 'pong' } } };
    case 'roots/list':
      return { result: { roots: [{ uri: 'file:///home', name: 'home' }] } };
    default:
      return undefined;
  }
};

export interface Play {
  readonly steps: readonly Step[];
  readonly reply?: Reply;
}

/** Everything that the server said to a client that went away afterwards. */
export async function play(
  surface: Surface,
  { steps, reply = usualReply }: Play,
  protocol: ProtocolName,
): Promise<unknown> {
  const client = connectRaw(surface, { protocol, graceMs: 3000 });
  const answered = new Set<unknown>();
  client.output.on('data', () => {
    for (const message of client.received) {
      if (message.method === undefined || message.id === undefined || answered.has(message.id)) continue;
      answered.add(message.id);
      const answer = reply(message);
      if (answer !== undefined) client.send({ jsonrpc: '2.0', id: message.id, ...answer });
    }
  });
  for (const step of steps) {
    if (typeof step === 'function') await step(client);
    else if (typeof step === 'string' || step instanceof Uint8Array) client.write(step);
    else client.send(...step);
  }
  client.input.end();
  await client.connection.closed;
  return compare(client.received);
}

/** Neither the order of answers nor the wording of errors counts, nor what is made up anew each time. */
export function compare(received: readonly Message[]): unknown {
  const names = new Map<unknown, string>();
  const plain = received.map(message => {
    if (message.method !== undefined && message.id !== undefined) names.set(message.id, `question ${names.size}`);
    const told = JSON.parse(JSON.stringify(message, simplify)) as Record<string, unknown>;
    if (message.method === undefined) return { answer: told };
    const { params } = told as { params?: Record<string, unknown> };
    const meta = params?.['_meta'] as Record<string, unknown> | undefined;
    if (message.id !== undefined && meta !== undefined) meta['progressToken'] = 'the question';
    const requestId = params?.['requestId'];
    if (params !== undefined && names.has(requestId)) params['requestId'] = names.get(requestId);
    delete params?.['reason'];
    if (message.id === undefined) return { notification: told };
    delete told['id'];
    return { question: told };
  });
  return plain.map(message => sorted(message)).sort();
}

function simplify(key: string, value: unknown): unknown {
  if (key === 'requestState' && typeof value === 'string') return 'a state';
  if (key === 'elicitationId') return 'an id';
  if (key === 'error' && typeof value === 'object' && value !== null && 'code' in value) {
    return { code: (value as { code: unknown }).code };
  }
  if (typeof value !== 'string') return value;
  if (key === 'text' && /^(Fulfilling|Cannot request) input/.test(value)) return value.slice(0, 20);
  return value.replace(/\([0-9a-f]{8}\)/g, '(id)');
}

/** JSON in one order of keys. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** The same numbers for the same seed. */
export function makeRandom(seed: number): { below(most: number): number; pick<T>(list: readonly T[]): T } {
  let state = seed * 2_654_435_761 + 1;
  const below = (most: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0;
    const mixed = Math.imul(state ^ (state >>> 13), 3_266_489_917);
    return ((mixed ^ (mixed >>> 16)) >>> 0) % most;
  };
  return { below, pick: list => list[below(list.length)] as never };
}
