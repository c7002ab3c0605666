// A program that starts another one; both hold a connection, which tells whether they still live.
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { later, program } from './mcp-kit.js';

export { failureOf } from '../exec/exec-kit.js';

export interface Lifelines {
  /** Of a server that never says a word, and ignores that its stdin ends. */
  readonly command: readonly string[];
  /** The ends of so many programs. */
  begun(count: number): Promise<readonly Promise<unknown>[]>;
}

export async function holdLifeline(): Promise<Lifelines> {
  const sockets: Socket[] = [];
  const server = createServer(socket => {
    sockets.push(socket);
    server.emit('life');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  later(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  const { command } = program('stubborn.mjs', String(port), 'parent');
  return {
    command,
    async begun(count) {
      while (sockets.length < count) await once(server, 'life');
      return sockets.map(socket => {
        socket.resume();
        return once(socket, 'close');
      });
    },
  };
}
