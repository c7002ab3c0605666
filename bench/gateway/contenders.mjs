// In: how many tools. Out: what stands between a client and a server that costs next to nothing: a forwarder written by hand, which is the limit,
// and gateways of ours, started and built.
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commands } from '../options.mjs';
import { limit as upstream } from '../serve/limit.mjs';
import { inputSchema, outputSchema, toolsOf, writeFiles } from '../serve/work.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const transports = { stdio: ['2025', '2026'] };

/**
 * Parses every message, gives requests ids of its own and tools the names of the server, prints it again, and sends it on. It checks nothing,
 * cancels nothing and never starts the server again. `isBatched`: what comes at once goes out at once, which few take the trouble of.
 */
const forwarderOf = (names, isBatched) => `const { spawn } = require('node:child_process');
const server = spawn(process.execPath, ['upstream/stdio.cjs'], { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map();
const names = new Map(${JSON.stringify(names)});
let next = 0;
function pass(from, to, change) {
  let rest = '';
  from.setEncoding('utf8').on('data', chunk => {
    const lines = (rest + chunk).split('\\n');
    rest = lines.pop();
    let text = '';
    for (const line of lines) {
      const message = JSON.parse(line);
      change(message);
      ${isBatched ? "text += JSON.stringify(message) + '\\n';" : "to.write(JSON.stringify(message) + '\\n');"}
    }
    ${isBatched ? 'to.write(text);' : ''}
  });
}
pass(process.stdin, server.stdin, message => {
  if (message.id !== undefined) {
    waiting.set(++next, message.id);
    message.id = next;
  }
  if (message.method === 'tools/call') message.params.name = names.get(message.params.name);
});
pass(server.stdout, process.stdout, message => {
  const id = waiting.get(message.id);
  waiting.delete(message.id);
  message.id = id;
});
process.stdin.on('end', () => server.stdin.end());
`;

export function prepare(folder, count) {
  const byHand = join(folder, 'by-hand');
  upstream.write(join(byHand, 'upstream'), count);
  const names = toolsOf(count).map(({ name }) => [name, name]);
  writeFiles(byHand, { 'forwarder.cjs': forwarderOf(names, false), 'batched.cjs': forwarderOf(names, true) });
  const pack = join(folder, 'pack');
  upstream.write(join(pack, 'upstream'), count);
  const tools = toolsOf(count).map(({ name, description }) => [
    name,
    { description, inputSchema, outputSchema, mcp: {} },
  ]);
  const up = { type: 'mcp', command: [process.execPath, join(pack, 'upstream/stdio.cjs')] };
  writeFiles(pack, {
    'package.json': '{ "name": "bench", "version": "1.0.0", "type": "module" }\n',
    'toolwright.yaml': JSON.stringify({ name: 'bench', backends: { up } }),
    'mcp/servers/bench.yaml': 'description: Forwards\n',
    'mcp/tools.yaml': JSON.stringify(Object.fromEntries(tools)),
  });
  mkdirSync(join(pack, 'node_modules'), { recursive: true });
  symlinkSync(root, join(pack, 'node_modules/toolwright'), 'dir');
  return [
    { contender: { id: 'limit', transports, command: () => ['forwarder.cjs'] }, folder: byHand },
    { contender: { id: 'by hand, batched', transports, command: () => ['batched.cjs'] }, folder: byHand },
    ...commands.flatMap(({ cli, mark }) => [
      { contender: { id: `start${mark}`, transports, command: () => [cli, 'start'] }, folder: pack },
      { contender: { id: `build${mark}`, transports, command: () => [buildWith(cli, pack, mark)] }, folder: pack },
    ]),
  ];
}

function buildWith(cli, pack, mark) {
  const out = `dist${mark.replaceAll(/\W/g, '')}`;
  const args = [cli, 'build', '--out', out];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: pack, encoding: 'utf8' });
  if (status !== 0) throw new Error(`toolwright build failed:\n${stdout}${stderr}`);
  return join(out, 'bench.cjs');
}
