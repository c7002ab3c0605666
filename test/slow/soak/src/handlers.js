// Good and bad handlers.
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const tenMegabytes = 'x'.repeat(10_000_000);

export const echo = ({ text, count }) => ({ text, count });

export async function wait({ ms }, ctx) {
  await sleep(ms, undefined, { signal: ctx.signal });
  return `waited ${ms}`;
}

export const hang = () => new Promise(() => {});

export const fail = () => {
  throw new Error('the cause that no client may see');
};

export const refuse = (_, ctx) => {
  throw ctx.errors.REFUSED();
};

export const big = () => tenMegabytes;

export const wrong = () => ({ sum: 'many' });

export const noisy = () => {
  console.log('{"jsonrpc":"2.0","id":1,"result":"forged"}');
  process.stdout.write('not for clients\n');
  writeSync(1, 'nor this\n');
  return 'quiet';
};

export async function memory() {
  // Twice, and with time between: what finalizers let go of is collected as well.
  for (let round = 0; round < 2; round++) {
    globalThis.gc?.();
    await sleep(20);
  }
  return { heapUsed: process.memoryUsage().heapUsed, handles: process.getActiveResourcesInfo().length };
}
