// X10. In: what a worker thread runs. Out: handlers of a pack in such threads. What knows `node:worker_threads`, at both ends.
import { startOf } from '../../../schema/diagnostics.js';
import { locatorOf, type Program, type Tool } from '../../load/program.js';
import type { Isolation, PackHost, Settings } from '../ports.js';
import { openIsolation } from './isolation.js';
import type { ThreadOrder } from './messages.js';
import { reportRejections, serveThread, type ThreadPort } from './serve-thread.js';

export interface WorkersOptions {
  /** What a new thread runs: a module, or the text of a script. */
  file(): URL | string;
  readonly order: ThreadOrder;
  readonly settings: Settings;
  report(text: string): void;
}

const mostThreads = 4;
/** One that does not come to an end must leave room for others. */
const leastThreads = 2;

/** Marks the data of our own threads. */
const marker = 'toolwright/thread';

export function openWorkers({ file, order, settings, report }: WorkersOptions): Isolation {
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  const { availableParallelism } = process.getBuiltinModule('node:os');
  return openIsolation({
    settings,
    report,
    most: Math.max(leastThreads, Math.min(mostThreads, availableParallelism())),
    start() {
      const run = file();
      const options = { eval: typeof run === 'string', workerData: { [marker]: order } };
      try {
        return new Worker(run, options);
      } catch (error) {
        const words = allowedWords(error);
        if (words === undefined) throw error;
        return new Worker(run, { ...options, execArgv: words });
      }
    },
  });
}

/** Some words of Node are for a whole process, such as --max-old-space-size; the stdout guard passes them all on. */
function allowedWords(error: unknown): string[] | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_WORKER_INVALID_EXEC_ARGV')
    return undefined;
  return process.execArgv.filter(word => !error.message.includes(word));
}

/** The order of this thread; undefined where it is none of ours. */
export function threadOrder(): unknown {
  const { workerData, isMainThread } = process.getBuiltinModule('node:worker_threads');
  return isMainThread || typeof workerData !== 'object' || workerData === null ? undefined : workerData[marker];
}

/** Serves this thread. */
export function serveWorker<Order extends ThreadOrder>(
  order: Order,
  open: (order: Order, tools: readonly Tool[], report: (text: string) => void) => PackHost | Promise<PackHost>,
): void {
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  if (parentPort === null) throw new Error('this is not a thread');
  const port = parentPort as ThreadPort;
  process.on(
    'unhandledRejection',
    reportRejections(text => port.postMessage({ type: 'report', text })),
  );
  serveThread(order, {
    port,
    open: (_, tools, report) => open(order, tools, report),
  });
}

/** The program that a thread knows. */
export function threadProgram(pack: ThreadOrder['pack'], tools: readonly Tool[]): Program {
  const at = locatorOf(() => startOf('toolwright.yaml'));
  return { pack: { ...pack, at }, servers: [], prompts: [], resources: [], schemas: [], tools };
}
