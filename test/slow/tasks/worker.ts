// One process of the crash trial: the real engine on the real files, with a tool that writes down what it does where no store knows of it.
import { appendFileSync } from 'node:fs';
import { codeOf } from '../../../runtime/load/folder.js';
import { type Disk, nodeDisk } from '../../../runtime/tasks/files/disk.js';
import { openFileStore } from '../../../runtime/tasks/files/file-store.js';
import type { Store } from '../../../runtime/tasks/store.js';
import type { ToolContext } from '../../../schema/support.js';
import { accept } from '../../runtime/call/context-round.js';
import { openTasksBench, text } from '../../runtime/tasks/tasks-kit.js';

export type Order =
  | { readonly start: number }
  | { readonly get: readonly string[] }
  | { readonly answer: string }
  | { readonly cancel: string }
  | { readonly full: boolean }
  | { readonly jumpMs: number };

export type Report =
  | { readonly ready: true }
  | { readonly handle: string; readonly n: number }
  | { readonly refused: number; readonly why: string }
  | { readonly seen: readonly { readonly id: string; readonly isAsking: boolean; readonly end: string | undefined }[] };

const [folder = '', oracle = '', lease = '0'] = process.argv.slice(2);
const leaseMs = Number(lease);
let isFull = false;
let jumpMs = 0;

const say = (line: string): void => appendFileSync(oracle, `${line} ${process.pid}\n`);
const report = (message: Report): void => void process.send?.(message);
const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

/** Takes only the first bytes while it is full. */
const disk: Disk = {
  ...nodeDisk,
  write(file, bytes, at) {
    nodeDisk.write(file, isFull ? bytes.subarray(0, 9) : bytes, at);
    if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
  },
};

const files = openFileStore({ folder, leaseMs, disk, now: () => Date.now() + jumpMs });
const store: Store = {
  accept: (...given) => files.accept(...given),
  take: mayRun => files.take(mayRun),
  renew: (...given) => files.renew(...given),
  keep: (...given) => files.keep(...given),
  note: (...given) => files.note(...given),
  ask: (...given) => files.ask(...given),
  leave: (...given) => files.leave(...given),
  async finish(ref, run, end) {
    const isFirst = await files.finish(ref, run, end);
    if (isFirst) say(`finished ${ref.id} 0 ${run}`);
    return isFirst;
  },
  answer: (...given) => files.answer(...given),
  cancel: ref => files.cancel(ref),
  get: ref => files.get(ref),
  list: (...given) => files.list(...given),
  onChange: (...given) => files.onChange(...given),
  sweep: late => files.sweep(late),
  close: () => files.close(),
};

async function work({ n }: Record<string, unknown>, ctx: ToolContext) {
  const { id = '', attempt = 0 } = ctx.task ?? {};
  const number = Number(n);
  say(`begun ${id} 0 ${attempt}`);
  for (let step = 1; step <= 2 + (number % 3); step += 1) {
    await ctx.once(`step ${step}`, async () => {
      await sleep(Math.random() * 10);
      say(`effect ${id} ${step} ${attempt}`);
      await sleep(Math.random() * 5);
      return { step, attempt };
    });
    say(`kept ${id} ${step} ${attempt}`);
    await sleep(Math.random() * 20);
    if (step === 2 && number % 5 === 0)
      await ctx.elicit('go', { message: `Go on with ${number}?`, schema: { go: 'boolean' } });
  }
  return text(`${number} in run ${attempt} by ${process.pid}`);
}

const bench = await openTasksBench(work, {
  ...{ store, leaseMs, definition: { task: { mode: 'optional', restart: 'resume' } } },
  now: () => Date.now() + jumpMs,
  limits: { mostCrashes: 1000, mostOpen: 1000 },
});

async function obey(order: Order): Promise<void> {
  if ('full' in order) isFull = order.full;
  else if ('jumpMs' in order) jumpMs = order.jumpMs;
  else if ('answer' in order) await bench.tasks.answer(order.answer, 'alice', { go: accept({ go: true }) });
  else if ('cancel' in order) await bench.tasks.cancel(order.cancel, 'alice');
  else if ('start' in order) {
    try {
      const { id } = await bench.start({ n: order.start });
      report({ handle: id, n: order.start });
    } catch (error) {
      report({ refused: order.start, why: error instanceof Error ? error.message : String(codeOf(error)) });
    }
  } else {
    const seen = await Promise.all(
      order.get.map(async id => {
        const task = await bench.tasks.get(id, 'alice');
        const end = task === undefined ? 'UNKNOWN' : task.end && JSON.stringify(task.end);
        return { id, isAsking: Object.keys(task?.asking ?? {}).length > 0, end };
      }),
    );
    report({ seen });
  }
}

process.on('message', order => {
  // An answer that meets a full disk is given again.
  obey(order as Order).catch(() => undefined);
});
process.on('disconnect', () => process.exit());
report({ ready: true });
