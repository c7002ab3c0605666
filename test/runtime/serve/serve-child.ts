// The shared test surface as a process of its own: bundled by bundleChild, started by tests.
import childProcess, { execSync, fork, spawn, spawnSync } from 'node:child_process';
import fs, { createWriteStream, writeFileSync, writeSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import net from 'node:net';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import tty from 'node:tty';
import { Worker } from 'node:worker_threads';
import { serveStdio } from '../../../runtime/serve/serve-stdio.js';
import { onShutdown } from '../../../runtime/serve/signals.js';
import { installStdoutGuard } from '../../../runtime/serve/stdout-guard.js';
import { said } from './serve-surface.js';
import { makeTools, nobodyWatches } from './serve-tools.js';

const { env } = process;
const early = process.stdout;
const guard = installStdoutGuard();
if (env['RESTORE'] === 'yes') {
  guard.restore();
  console.log('REAL 1');
  writeSync(1, 'REAL 2\n');
  spawnSync(process.execPath, ['-e', `console.log('REAL 3')`], { stdio: 'inherit' });
  process.exit(0);
}
const require = createRequire(import.meta.url);
const ended = (child: { on(event: 'close' | 'exit', listener: () => void): unknown }): Promise<void> =>
  new Promise(resolve => {
    child.on(child instanceof Worker ? 'exit' : 'close', resolve);
  });
/** And closed, which must not close the descriptor. */
const written = (stream: Writable): Promise<void> =>
  new Promise(resolve => {
    stream.write('NOISE\n', () => stream.destroy());
    stream.on('close', resolve);
  });
const printer = `process.stdout.write('NOISE child\\n')`;
const node = process.execPath;

/** Every way to stdout that we know of. */
const ways: Readonly<Record<string, () => unknown>> = {
  'console.log': () => console.log('NOISE'),
  'console.info': () => console.info('NOISE'),
  'console.table': () => console.table([{ noise: 'NOISE' }]),
  'console.dir': () => console.dir({ noise: 'NOISE' }),
  'process.stdout.write': () => process.stdout.write('NOISE\n'),
  'process.stdout.end': () => process.stdout.end('NOISE\n'),
  'process.stdout.destroy': () => process.stdout.destroy(),
  'early stream': () => early.write('NOISE\n'),
  'early end': () => early.end('NOISE\n'),
  'early cork': () => early.cork(),
  'fs.writeSync': () => writeSync(1, 'NOISE\n'),
  'fs.writeSync by require': () => (require('node:fs') as typeof fs).writeSync(1, Buffer.from('NOISE\n')),
  'fs.write': () => new Promise(resolve => fs.write(1, 'NOISE\n', resolve)),
  'fs.writev': () => new Promise(resolve => fs.writev(1, [Buffer.from('NOISE\n')], resolve)),
  'fs.writevSync': () => fs.writevSync(1, [Buffer.from('NOISE\n')]),
  'fs.writeFileSync fd': () => writeFileSync(1, 'NOISE\n'),
  'fs.writeFileSync path': () => writeFileSync('/dev/stdout', 'NOISE\n'),
  'fs.writeFileSync proc': () => writeFileSync('/proc/self/fd/1', 'NOISE\n'),
  'fs.appendFileSync': () => fs.appendFileSync('/dev/fd/1', 'NOISE\n'),
  'fs.writeFile': () => new Promise(resolve => fs.writeFile('/dev/stdout', 'NOISE\n', resolve)),
  'fs.promises.writeFile': () => writeFile(new URL('file:///dev/stdout'), 'NOISE\n'),
  'fs.createWriteStream fd': () => ended(createWriteStream('', { fd: 1 }).end('NOISE\n')),
  'fs.createWriteStream path': () => ended(createWriteStream('/dev/stdout').end('NOISE\n')),
  'fs.closeSync': () => fs.closeSync(1),
  'fs.close': () => new Promise(resolve => fs.close(1, resolve)),
  pipe: () => {
    Readable.from(['NOISE\n']).pipe(process.stdout);
    return sleep(50);
  },
  pipeline: () => pipeline(Readable.from([`NOISE ${'x'.repeat(300_000)}\n`]), process.stdout, { end: false }),
  'spawn inherit': () => ended(spawn(node, ['-e', printer], { stdio: 'inherit' })),
  'spawn list': () => ended(spawn(node, ['-e', printer], { stdio: ['ignore', 'inherit', 'inherit'] })),
  'spawn fd': () => ended(spawn(node, ['-e', printer], { stdio: ['pipe', 1, 2] })),
  'spawn stream': () => ended(spawn(node, ['-e', printer], { stdio: ['ignore', process.stdout, 2] })),
  'spawn early stream': () => ended(spawn(node, ['-e', printer], { stdio: ['ignore', early, 2] })),
  'spawnSync inherit': () => spawnSync(node, ['-e', printer], { stdio: 'inherit' }),
  'execSync inherit': () => execSync(`"${node}" -e "process.stdout.write('NOISE')"`, { stdio: 'inherit' }),
  'execFileSync inherit': () => childProcess.execFileSync(node, ['-e', printer], { stdio: [0, 1, 2] }),
  fork: () => ended(fork('data:,', { execArgv: ['-e', printer] })),
  worker: () =>
    new Promise(resolve => {
      new Worker(`console.log('NOISE')`, { eval: true }).on('exit', resolve);
    }),
  'tty.WriteStream': () => written(new tty.WriteStream(1)),
  'tty.WriteStream without new': () => written((tty.WriteStream as unknown as (fd: number) => Writable)(1)),
  'net.Socket': () => written(new net.Socket({ fd: 1 })),
  'net.Socket of a class': () => {
    class Mine extends net.Socket {}
    return written(new Mine({ fd: 1 }));
  },
  ...Object.fromEntries(
    [
      `require('fs').writeSync(1, 'NOISE\\n')`,
      `require('fs').writeFileSync('/dev/stdout', 'NOISE\\n')`,
      `require('child_process').spawnSync(process.execPath, ['-e', 'console.log("NOISE")'], { stdio: 'inherit' })`,
      `require('child_process').spawn(process.execPath, ['-e', 'console.log("NOISE")'], { stdio: 'inherit' })`,
      `new (require('worker_threads').Worker)("require('fs').writeSync(1, 'NOISE\\\\n')", { eval: true })`,
    ].flatMap(code => [
      [`worker: ${code}`, () => ended(new Worker(code, { eval: true }))],
      [`worker with words: ${code}`, () => ended(new Worker(code, { eval: true, execArgv: [] }))],
    ]),
  ),
  'stdin of a child': () =>
    spawnSync(node, ['-e', `process.stdin.on('data', d => console.log('NOISE ' + d))`], { stdio: 'inherit' }),
};

const surface = makeTools(nobodyWatches(), {
  tools: {
    noise: {
      run: async ({ way }) => {
        await ways[String(way)]?.();
        return said(`made ${String(way)}`);
      },
    },
    ways: { run: () => said(JSON.stringify(Object.keys(ways))) },
    pipes: {
      // What a child prints into a pipe of its own is nobody's business.
      run: () => said(execSync(`"${node}" -e "process.stdout.write('mine')"`).toString()),
    },
  },
});
const server = serveStdio(surface, {
  guard,
  graceMs: Number(env['GRACE'] ?? 5000),
  onClose: () => console.error('CLOSED'),
});
const stop = onShutdown(signal => {
  console.error(signal);
  void server.close();
});
await server.closed;
stop();
