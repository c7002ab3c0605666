// Messages of a language server, each behind a header that says how long it is.
import type { Readable } from 'node:stream';

export function readFramedMessages(output: Readable, receive: (message: unknown) => void): void {
  let buffer = Buffer.alloc(0);
  output.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const end = buffer.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(buffer.toString('latin1', 0, end))?.[1]);
      const start = end + 4;
      if (buffer.length < start + length) return;
      const message: unknown = JSON.parse(buffer.toString('utf8', start, start + length));
      buffer = buffer.subarray(start + length);
      receive(message);
    }
  });
}
