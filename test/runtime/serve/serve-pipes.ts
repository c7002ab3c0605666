// A raw client over pipes in memory: lines in, messages out.
import { PassThrough } from 'node:stream';
import { connectStdio } from '../../../runtime/serve/serve-stdio.js';
import type { StdioConnection } from '../../../runtime/serve/stdio-connection.js';
import type { Surface } from '../../../runtime/surface/surface.js';

export interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface RawClient {
  readonly connection: StdioConnection;
  readonly input: PassThrough;
  readonly output: PassThrough;
  /** Everything the server wrote so far. */
  readonly received: Message[];
  /** How often it wrote. */
  readonly writes: () => number;
  send(...messages: unknown[]): void;
  write(bytes: string | Uint8Array): void;
  /** The first message that fits, also if it came before. */
  wait(fits: (message: Message) => boolean): Promise<Message>;
  answer(id: string | number | null): Promise<Message>;
  initialize(capabilities?: object): Promise<Message>;
}

export const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '2' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export interface RawOptions {
  readonly protocol?: 'own' | 'sdk';
  readonly graceMs?: number;
  readonly maxLineBytes?: number;
}

let usual: RawOptions['protocol'];

/** Who answers clients that do not ask for one. */
export function useProtocol(protocol: RawOptions['protocol']): void {
  usual = protocol;
}

export function connectRaw(surface: Surface, options: RawOptions = {}): RawClient {
  const input = new PassThrough();
  const output = new PassThrough();
  const received: Message[] = [];
  const waiting = new Set<() => void>();
  let writes = 0;
  let rest = '';
  const connection = connectStdio(surface, { input, output, protocol: usual, ...options });
  output.setEncoding('utf8');
  output.on('data', (text: string) => {
    writes += 1;
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    received.push(...lines.map(line => JSON.parse(line) as Message));
    for (const look of waiting) look();
  });
  const client: RawClient = {
    connection,
    input,
    output,
    received,
    writes: () => writes,
    send: (...messages) => void input.write(messages.map(message => `${JSON.stringify(message)}\n`).join('')),
    write: bytes => void input.write(bytes),
    wait: fits =>
      new Promise(resolve => {
        const look = (): void => {
          const found = received.find(fits);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    answer: id => client.wait(message => message.id === id && message.method === undefined),
    async initialize(capabilities = {}) {
      const clientInfo = { name: 'raw', version: '1', title: 'Raw' };
      client.send(request('init', 'initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo }));
      const answer = await client.answer('init');
      client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      return answer;
    },
  };
  return client;
}

export function request(id: unknown, method: string, params?: object): object {
  return { jsonrpc: '2.0', id, method, ...(params && { params }) };
}

/** A request of 2026-07-28. */
export function modern(id: unknown, method: string, params: object = {}, meta: object = {}): object {
  return request(id, method, { ...params, _meta: { ...envelope, ...meta } });
}

export function call(id: unknown, name: string, args: object = {}): object {
  return request(id, 'tools/call', { name, arguments: args });
}
