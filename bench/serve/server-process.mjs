// In: a contender that is written to a folder. Out: its server as a process that has answered its first list.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { overHttp, overPipes } from './clients.mjs';

const usage = fileURLToPath(new URL('usage.cjs', import.meta.url));

/** `{contender, folder, made}`, as `prepare` gives it; `tells` preloads what tells the CPU time. */
export async function startServer({ contender, folder, made }, { transport, era, tells = false }) {
  const port = transport === 'http' ? (made?.port ?? (await freePort())) : 0;
  const args = contender.command({ transport, port, made });
  const began = performance.now();
  const child = spawn(process.execPath, [...(tells ? ['--require', usage] : []), ...args], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['pipe', 'pipe', 'pipe', ...(tells ? ['pipe'] : [])],
  });
  let log = '';
  for (const stream of [child.stderr, ...(transport === 'http' ? [child.stdout] : [])])
    stream.setEncoding('utf8').on('data', text => {
      log = (log + text).slice(-10_000);
    });
  let isStopped = false;
  const closed = new Promise(resolve => child.on('close', resolve));
  const failed = closed.then(code => {
    if (!isStopped) throw new Error(`${contender.id} ended with ${code}:\n${log}`);
  });
  const client = transport === 'stdio' ? overPipes(child, era) : overHttp(`http://127.0.0.1:${port}/mcp`, era);
  const opened = (async () => {
    if (transport === 'http') await listening(port, () => isStopped);
    await client.open();
  })();
  const stop = async () => {
    isStopped = true;
    await client.close();
    child.kill('SIGKILL');
    await closed;
  };
  try {
    await Promise.race([opened, failed, late(contender.id, () => log)]);
  } catch (error) {
    await stop();
    throw error;
  }
  failed.catch(() => undefined);
  return { child, client, stop, ms: performance.now() - began };
}

function late(id, log) {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`${id} did not answer within 60 seconds:\n${log()}`)), 60_000).unref();
  });
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise(resolve => server.close(resolve));
  return port;
}

async function listening(port, isOver) {
  while (!isOver()) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise(resolve => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}

/** What a server that tells has used so far, in milliseconds. */
export function cpuOf(child) {
  return new Promise(resolve => {
    child.stdio[3].once('data', chunk => resolve(Number(String(chunk))));
    child.kill('SIGUSR2');
  });
}

/** Resident memory in megabytes; undefined where the system has no /proc. */
export function memoryOf(child) {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}
