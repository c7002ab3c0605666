// A server of 2025 that shakes hands, answers, and then does what its first argument says.
import { closeSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [way] = process.argv.slice(2);
let isOdd = false;
const reply = (id, result) => writeSync(1, `${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
const odd = {
  /** Prints without ever ending the line, as progress bars do. */
  chatter() {
    const piece = Buffer.alloc(1024 * 1024, 'x');
    for (let count = 0; count < 64; count += 1) for (let at = 0; at < piece.length; ) at += tryWrite(piece, at);
  },
  deaf() {
    process.stdin.destroy();
    closeSync(0);
    stay();
  },
  mute() {
    closeSync(1);
    stay();
  },
};

function stay() {
  setInterval(() => undefined, 1000);
  writeSync(2, 'odd from now on\n');
}

/** A pipe that is full takes nothing for a moment. */
function tryWrite(bytes, at) {
  try {
    return writeSync(2, bytes, at);
  } catch (error) {
    if (error.code !== 'EAGAIN') throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    return 0;
  }
}

createInterface({ input: process.stdin }).on('line', line => {
  const { id, method } = JSON.parse(line);
  if (method === 'initialize')
    reply(id, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'odd', version: '1' } });
  else if (method === 'tools/call' && !isOdd) {
    isOdd = true;
    if (way === 'chatter') odd.chatter();
    reply(id, { content: [{ type: 'text', text: String(process.pid) }] });
    if (way !== 'chatter') odd[way]();
  } else if (id !== undefined && !isOdd) reply(id, { content: [] });
});
