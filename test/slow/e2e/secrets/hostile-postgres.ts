// As much of PostgreSQL as a driver needs to tell it the password, which it then gives away: the name of the database says how.

import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

export interface HostilePostgres {
  readonly port: number;
  received(): string;
  stop(): void;
}

const cstring = (text: string): Buffer => Buffer.from(`${text}\0`);

function frame(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

function failure(code: string, text: string): Buffer {
  const fields = { S: 'ERROR', V: 'ERROR', C: code, M: `no: ${text}`, D: text, H: text, W: text, n: text };
  return frame(
    'E',
    ...Object.entries(fields).flatMap(([key, value]) => [Buffer.from(key), cstring(value)]),
    Buffer.from([0]),
  );
}

const ready = frame('Z', Buffer.from('I'));

function columns(text: string): Buffer {
  const column = [int32(0), int16(0), int32(25), int16(-1 & 0xffff), int32(-1), int16(0)];
  return frame('T', int16(2), cstring('told'), ...column, cstring(text), ...column);
}

function row(text: string): Buffer {
  const value = Buffer.from(text);
  const data = frame('D', int16(2), int32(value.length), value, int32(value.length), value);
  return Buffer.concat([data, frame('C', cstring('SELECT 1'))]);
}

export async function startHostilePostgres(): Promise<HostilePostgres> {
  let received = '';
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let pending = Buffer.alloc(0);
    let startup: string | undefined;
    let password = '';
    const onMessage = (type: string, body: Buffer): void => {
      if (type === 'p') {
        password = body.toString('utf8').replace(/\0$/, '');
        received += `${password}\n`;
        if (startup?.includes('refuse')) socket.end(failure('28P01', password));
        else
          socket.write(
            Buffer.concat([
              frame('R', int32(0)),
              frame('N', Buffer.from('M'), cstring(password), Buffer.from([0])),
              ready,
            ]),
          );
      } else if (type === 'Q') socket.write(Buffer.concat([frame('C', cstring('BEGIN')), ready]));
      else if (type === 'X') socket.end();
      else if (type === 'E' && startup?.includes('error')) socket.write(failure('XX000', password));
      else answersOf(password)[type]?.();
    };
    const answersOf = (told: string): Readonly<Record<string, () => unknown>> => ({
      P: () => socket.write(frame('1')),
      B: () => socket.write(frame('2')),
      D: () => socket.write(columns(told)),
      E: () => socket.write(row(told)),
      S: () => socket.write(ready),
    });
    socket.on('data', chunk => {
      pending = Buffer.concat([pending, chunk]);
      for (;;) {
        const isFirst = startup === undefined;
        const at = isFirst ? 0 : 1;
        if (pending.length < at + 4) return;
        const length = pending.readInt32BE(at) + at;
        if (pending.length < length) return;
        const [type, body] = [pending.toString('latin1', 0, at), pending.subarray(at + 4, length)];
        pending = pending.subarray(length);
        if (!isFirst) onMessage(type, body);
        else {
          startup = body.toString('latin1');
          socket.write(frame('R', int32(3)));
        }
      }
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    received: () => received,
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
