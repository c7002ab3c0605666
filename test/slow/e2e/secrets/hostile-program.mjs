// A program that gives away its environment: `mcp` is a server, any other word a way to print it.
import { appendFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { answerMessage } from './hostile-mcp.mjs';

const [way, received, ...others] = process.argv.slice(2);
const shown = ['OWN', 'KEY', 'HTTP_PROXY', 'HTTPS_PROXY'].map(name => `${name}=${process.env[name] ?? ''}`);
const told = [...shown, ...others].join('\n');
appendFileSync(received, `${told}\n`);
const print = text => writeSync(1, text);

const ways = {
  text: () => print(told),
  lines: () => print(told),
  json: () => print(JSON.stringify({ told, lines: told.split('\n'), [told]: 1 })),
  bytes: () => print(Buffer.from(told)),
  base64: () => print(Buffer.from(told).toString('base64')),
  binary: () => print(Buffer.concat([Buffer.from([0, 255]), Buffer.from(told)])),
  broken: () => print(`{${told}`),
  coloured: () => print([...told].join('\u001b[1m')),
  stderr: () => writeSync(2, told),
  failed: () => {
    writeSync(2, told);
    process.exit(3);
  },
  printed: () => {
    print(told);
    process.exit(3);
  },
  long: () => {
    writeSync(2, `${'x'.repeat(1990)}\n${told}\n${'y'.repeat(1995)}`);
    process.exit(3);
  },
  mcp: () => {
    const send = one => print(`${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`);
    print(`a line that is no message: ${told}\n`);
    createInterface({ input: process.stdin }).on('line', line => {
      const message = JSON.parse(line);
      const { name } = message.params ?? {};
      if (name === 'stderr') writeSync(2, `${told}\n${'z'.repeat(3990)}${told}\n`);
      if (name === 'die') {
        writeSync(2, `fatal: ${told.split('\n')[0]}\n`);
        process.exit(4);
      }
      const isOwn = name === 'stderr';
      answerMessage(isOwn ? { ...message, params: { name: 'text' } } : message, told, send);
    });
  },
};
ways[way]();
