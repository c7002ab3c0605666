// What a tool can say while it runs.
import { setTimeout as sleep } from 'node:timers/promises';

export async function progress(_, ctx) {
  for (const done of [0, 50, 100]) {
    ctx.progress(done, 100, `Completed step ${done} of 100`);
    if (done < 100) await sleep(50, undefined, { signal: ctx.signal });
  }
  return 'Done.';
}

export async function logging(_, ctx) {
  for (const message of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    ctx.log.info(message);
    await sleep(50, undefined, { signal: ctx.signal });
  }
  return 'Logged three messages.';
}

export function loggingOnRequest(_, ctx) {
  ctx.log.info('The tool ran.');
  return 'Logged.';
}

export function toolChange(_, ctx) {
  ctx.notify.toolsChanged();
  return 'Announced.';
}

export function promptChange(_, ctx) {
  ctx.notify.promptsChanged();
  return 'Announced.';
}

export async function reconnection(_, ctx) {
  await sleep(100, undefined, { signal: ctx.signal });
  return 'Reconnected.';
}
