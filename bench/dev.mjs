// `npm run bench:dev`: how long `toolwright dev` takes from a saved file to a client that is notified (a description) or gets
// the new answer (a handler). Options: --quick, --sizes 10,100, --rounds n, --assert, see options.mjs.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { median } from './measure.mjs';
import { askedRounds, commands, makeBenchFolder, options, sizesOf } from './options.mjs';

const [{ cli }] = commands;
const rounds = askedRounds ?? (options.quick ? 5 : 15);
/** Of milliseconds, at 100 tools. */
const limit = 300;
const folder = makeBenchFolder();

let isMet = true;
for (const size of sizesOf([10, 100, 1000])) {
  const { text, handler } = await measureDev(size);
  for (const [what, times] of [
    ['text', text],
    ['handler', handler],
  ]) {
    const ms = median(times);
    const isCounted = size === 100;
    if (isCounted && ms > limit) isMet = false;
    const verdict = isCounted ? (ms <= limit ? 'ok' : 'NOT MET') : '';
    const least = Math.min(...times)
      .toFixed(0)
      .padStart(5);
    console.log(
      `${verdict.padEnd(8)} ${String(size).padStart(5)} tools  ${what.padEnd(8)} median ${ms.toFixed(0).padStart(5)} ms  least ${least} ms`,
    );
  }
}
console.log(
  `\nFrom the write to the client, ${rounds} rounds; 40 ms of each are the wait for the end of a burst of saves.`,
);
console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown CPU'}`);
if (options.assert && !isMet) process.exitCode = 1;

async function measureDev(size) {
  const pack = join(folder, String(size));
  const write = (path, text) => {
    mkdirSync(dirname(join(pack, path)), { recursive: true });
    writeFileSync(join(pack, path), text);
  };
  write('toolwright.yaml', '');
  write('package.json', '{"name": "bench", "version": "1.0.0", "type": "module"}');
  write('mcp/servers/main.yaml', 'description: Main\n');
  const definition = (index, words) =>
    `description: Tool ${index}. ${words}\nparameters:\n  key: { type: string, description: A key }\n  limit: { type: integer, default: 20, minimum: 1 }\noutput:\n  total: integer\n`;
  for (let index = 0; index < size; index += 1) {
    write(`mcp/tools/tool-${index}.yaml`, definition(index, 'As it was.'));
    write(`src/tools/tool-${index}.js`, 'export default () => ({ total: 0 });\n');
  }
  const env = { ...process.env, TOOLWRIGHT_CACHE: join(folder, 'cache') };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli, 'dev', '--quiet'],
    cwd: pack,
    env,
    stderr: 'inherit',
  });
  const client = new Client({ name: 'bench', version: '1' });
  let told = () => {};
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => told());
  await client.connect(transport);
  const found = { text: [], handler: [] };
  for (let round = 1; round <= rounds; round += 1) {
    await sleep(300);
    const changed = new Promise(resolve => {
      told = resolve;
    });
    let start = performance.now();
    write('mcp/tools/tool-1.yaml', definition(1, `Round ${round}.`));
    await changed;
    found.text.push(performance.now() - start);
    // A handler is read by its first call: without one, the old process would read the new code.
    await client.callTool({ name: 'tool-1', arguments: { key: 'x' } });
    await sleep(300);
    start = performance.now();
    write('src/tools/tool-1.js', `export default () => ({ total: ${round} });\n`);
    for (;;) {
      const { structuredContent } = await client.callTool({ name: 'tool-1', arguments: { key: 'x' } });
      if (structuredContent.total === round) break;
      await sleep(2);
    }
    found.handler.push(performance.now() - start);
  }
  await client.close();
  return found;
}
