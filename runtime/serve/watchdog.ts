// Guards a process whose main thread a handler may block. In: which calls begin and end. Out: a thread, from the first call until
// nothing has been called for a while, that can still speak and end the process (watchdog-thread.ts).
import { constants } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { RunningCalls } from '../call/ports.js';
import { shared, type ThreadData, watch } from './watchdog-thread.js';

/** How the server ends. */
export interface WatchdogOptions {
  /** Whether the client's end of stdin ends the server. */
  readonly hasStdin: boolean;
  /** What the server gives its calls to finish once it is asked to end; default 5000. */
  readonly graceMs?: number | undefined;
  /** Those that the main thread listens to; default SIGTERM, SIGINT and SIGHUP. Any other would no longer end the process. */
  readonly signals?: readonly NodeJS.Signals[] | undefined;
}

export interface Watchdog extends RunningCalls {
  /** What is under way, by name. */
  names(): readonly string[];
  /** From now on: only for a process that listens to signals itself, since the thread keeps them from ending it. */
  arm(options: WatchdogOptions): void;
}

/** More names than that are not told apart. */
const mostNames = 1000;
const tellMs = 5000;
/** A thread is about 8 MB of memory, and takes half a millisecond to start again. */
const idleMs = 10_000;

/**
 * Counts calls; once it is armed, the next call starts the thread.
 *
 * @example
 * const watchdog = createWatchdog();
 * watchdog.arm({ hasStdin: true });
 */
export function createWatchdog(): Watchdog {
  const memory = new Int32Array(new SharedArrayBuffer(4 * (shared.names + mostNames)));
  const names: string[] = [];
  const slots = new Map<string, number>();
  let thread: Worker | undefined;
  let armed: WatchdogOptions | undefined;
  let lastCall = 0;

  function slotOf(name: string): number {
    const known = slots.get(name);
    if (known !== undefined) return known;
    const isFull = names.length === mostNames - 1;
    const slot = names.length;
    slots.set(name, isFull ? slot - 1 : slot);
    if (isFull) return slot - 1;
    names.push(name);
    thread?.postMessage(name);
    return slot;
  }

  function add(place: number, difference: number): number {
    const value = (memory[place] ?? 0) + difference;
    memory[place] = value;
    return value;
  }

  function start(): void {
    if (armed === undefined || isDebugged()) return;
    const { hasStdin, graceMs = 5000, signals: listened = ['SIGTERM', 'SIGINT', 'SIGHUP'] } = armed;
    try {
      const places = shared;
      const signals = Object.fromEntries(listened.map(name => [name, constants.signals[name]]));
      memory[shared.answered] = 0;
      const data: ThreadData = { memory, places, names, hasStdin, graceMs, tellMs, signals };
      const { Worker } = process.getBuiltinModule('node:worker_threads');
      const made = new Worker(`(${watch.toString()})(require)`, {
        eval: true,
        workerData: data,
        env: {},
        // Only so does a thread get at signals in newer versions of Node.
        execArgv: ['--expose-internals'],
        resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 },
        trackUnmanagedFds: false,
      });
      made.unref();
      made.on('message', (ping: number) => Atomics.store(memory, shared.answered, ping));
      // A watchdog that cannot live is no reason to end the server.
      made.on('error', () => {
        armed = undefined;
        thread = undefined;
      });
      thread = made;
      setTimeout(rest, idleMs).unref();
    } catch {
      // No threads here: not allowed, or not there.
      armed = undefined;
    }
  }

  /** Ends the thread where nothing was called for a while. */
  function rest(): void {
    const left = lastCall + idleMs - performance.now();
    if (memory[shared.running] !== 0 || left > 0) {
      setTimeout(rest, Math.max(left, 1000)).unref();
      return;
    }
    void thread?.terminate();
    thread = undefined;
  }

  return {
    begin(name) {
      add(shared.names + slotOf(name), 1);
      if (add(shared.running, 1) === 1 && thread === undefined) start();
    },
    end(name) {
      add(shared.names + slotOf(name), -1);
      if (add(shared.running, -1) === 0) lastCall = performance.now();
    },
    arm(options) {
      armed = options;
    },
    names: () => names.filter((_, slot) => (memory[shared.names + slot] ?? 0) > 0),
  };
}

/** Whoever stops at a breakpoint blocks the process on purpose. */
function isDebugged(): boolean {
  // Some builds of Node have none.
  const inspector: Partial<typeof import('node:inspector')> | undefined = process.getBuiltinModule('node:inspector');
  return inspector?.url?.() !== undefined;
}
