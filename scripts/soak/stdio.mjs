// The soak over stdio: one server, many requests in flight, raw lines on both sides so that nothing hides a second answer.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { start } from '../served.mjs';
import { envelope, initialize, pick, random } from './mix.mjs';
import { Tally } from './tally.mjs';

/** A client that sends lines and knows which answers are still to come. */
class LineClient {
  constructor(child, era) {
    this.child = child;
    this.era = era;
    this.open = new Map();
    this.settled = new Set();
    this.strays = [];
    this.lastId = 0;
    createInterface({ input: child.stdout }).on('line', line => this.take(line));
  }

  take(line) {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      this.strays.push(`no JSON on stdout: ${line.slice(0, 80)}`);
      return;
    }
    if (message.method !== undefined) return;
    const waiting = this.open.get(message.id);
    if (waiting === undefined)
      this.strays.push(`answer to ${message.id}, which is ${this.settled.has(message.id) ? 'over' : 'unknown'}`);
    this.open.delete(message.id);
    this.settled.add(message.id);
    waiting?.(message);
  }

  async write(message) {
    const line = `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
    if (!this.child.stdin.write(line)) await once(this.child.stdin, 'drain');
  }

  async request({ method, params }) {
    const id = ++this.lastId;
    const answer = new Promise(resolve => this.open.set(id, resolve));
    const sent = this.era === '2026-07-28' ? { ...params, _meta: envelope } : params;
    await this.write({ id, method, params: sent });
    return { id, answer };
  }

  /** Gives up on a request; an answer that was on its way may still come, so it is only counted. */
  async cancel(id) {
    await this.write({ method: 'notifications/cancelled', params: { requestId: id } });
    await new Promise(resolve => setTimeout(resolve, 50));
    const wasOpen = this.open.delete(id);
    this.settled.add(id);
    return wasOpen;
  }
}

async function open(child, era) {
  const client = new LineClient(child, era);
  if (era === '2025-11-25') {
    const { answer } = await client.request(initialize);
    await answer;
    await client.write({ method: 'notifications/initialized' });
  }
  return client;
}

export async function soakStdio(pack, { calls, concurrency, era, seed, file }) {
  const child = start(pack, wordsFor(file), { flags: ['--expose-gc'], stdio: ['pipe', 'pipe', 'ignore'], file });
  const client = await open(child, era);
  const tally = new Tally();
  const next = random(seed);
  const every = Math.floor(calls / 16);
  let index = 0;
  const began = performance.now();

  async function measure() {
    const { answer } = await client.request({ method: 'tools/call', params: { name: 'memory', arguments: {} } });
    const { result } = await answer;
    tally.heaps.push(result.structuredContent.heapUsed);
  }

  async function work() {
    while (index < calls) {
      const turn = index++;
      const request = pick(next, turn);
      tally.asked += 1;
      const { id, answer } = await client.request(request);
      if (request.fate !== undefined) {
        if (await client.cancel(id)) tally.cancelled += 1;
        else tally.answered += 1;
      } else {
        const message = await answer;
        tally.answered += 1;
        if (!request.isRight(message)) {
          tally.complain(`${request.method} ${request.params.name ?? ''}: ${JSON.stringify(message).slice(0, 300)}`);
        }
      }
      if (turn % every === every - 1) await measure();
    }
  }

  const died = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the server exited with ${code}`)));
  await Promise.race([Promise.all(Array.from({ length: concurrency }, work)), died]);
  died.catch(() => {});
  for (const stray of client.strays) tally.complain(stray);
  child.stdin.end();
  const [code] = await once(child, 'exit');
  if (code !== 0) tally.complain(`exit code ${code} after the end of input`);
  return tally.report(`stdio ${era}`, (performance.now() - began) / 1000);
}

/** Clients that vanish in the middle of a call: the server must end by itself, with exit code 0. */
export async function vanish(pack, times, file) {
  let wrong = 0;
  for (let round = 0; round < times; round++) {
    const child = start(pack, wordsFor(file), { stdio: ['pipe', 'pipe', 'ignore'], file });
    const client = await open(child, '2025-11-25');
    for (let call = 0; call < 8; call++) {
      await client.request({
        method: 'tools/call',
        params: { name: call % 2 ? 'hang' : 'wait', arguments: call % 2 ? {} : { ms: 500 } },
      });
    }
    if (round % 2 === 0) child.stdin.destroy();
    child.stdout.destroy();
    if (round % 2 === 1) child.stdin.end();
    const [code] = await once(child, 'exit');
    if (code !== 0) wrong += 1;
  }
  console.log(`stdio, clients that vanish: ${times} servers, ${wrong} did not end with 0`);
  return wrong === 0;
}

/** A built server is one server. */
function wordsFor(file) {
  return file === undefined ? ['soak'] : [];
}
