// What the watchdog's thread runs. In: memory that it shares with the main thread, and names of tools. Out: a line on stderr
// for a loop that is blocked; the end of the process where it is blocked and was asked to end, by a signal or by its client.
// Its text is what the thread gets (watchdog.ts), so that it may use nothing but its arguments and what Node has.

/** Places in the shared memory. */
export const shared = {
  /** The last ping that the main thread has answered. */
  answered: 0,
  /** How many calls are under way. */
  running: 1,
  /** From here on: the same for each name. */
  names: 2,
} as const;

export interface ThreadData {
  readonly memory: Int32Array;
  readonly places: typeof shared;
  readonly names: readonly string[];
  /** Whether the client's end of stdin ends the server. */
  readonly hasStdin: boolean;
  readonly graceMs: number;
  /** A loop that is blocked for so long is reported. */
  readonly tellMs: number;
  readonly signals: Readonly<Record<string, number>>;
}

interface SignalHandle {
  onsignal: (signal: number) => void;
  start(signal: number): void;
  stop(): void;
}

type SignalClass = new () => SignalHandle;

type MemoryClass = new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer };

/** What the thread uses of `node:worker_threads`. */
interface Port {
  postMessage(value: unknown): void;
  on(event: 'message', listen: (value: unknown) => void): void;
}

export function watch(require: NodeJS.Require): void {
  const { workerData, parentPort } = require('node:worker_threads') as {
    readonly workerData: ThreadData;
    readonly parentPort: Port;
  };
  const { writeSync } = require('node:fs') as typeof import('node:fs');
  const { memory, places, hasStdin, graceMs, tellMs, signals } = workerData;
  const names = [...workerData.names];
  const tickMs = 250;
  /** Less is no sign of trouble. */
  const blockedMs = 1000;
  const parent = process.ppid;
  const handles: SignalHandle[] = [];
  let sent = 0;
  let sentAt = 0;
  let lastTick = 0;
  let isTold = false;
  let askedAt: number | undefined;
  let why = '';
  let received = 0;
  let isHungUp: (() => boolean) | undefined;

  // What is deprecated or experimental here is nobody's business but ours.
  process.emitWarning = () => undefined;
  parentPort.on('message', name => names.push(String(name)));
  for (const [name, number] of Object.entries(signals)) listen(name, number);
  setInterval(tick, tickMs);

  function say(text: string): void {
    try {
      writeSync(2, `toolwright: ${text}\n`);
    } catch {
      // Nobody reads it.
    }
  }

  function running(): string {
    const busy = names.filter((_, index) => (memory[places.names + index] ?? 0) > 0);
    return busy.length === 0 ? 'something' : busy.map(name => JSON.stringify(name)).join(' or ');
  }

  function tick(): void {
    const now = performance.now();
    // The whole process was stopped for a while, or the machine slept.
    if (now - lastTick > 8 * tickMs) sentAt = now;
    lastTick = now;
    if (Atomics.load(memory, places.answered) === sent) {
      isTold = false;
      sent += 1;
      sentAt = now;
      parentPort.postMessage(sent);
      return;
    }
    const blocked = now - sentAt;
    if (blocked < blockedMs) return;
    if (blocked >= tellMs && !isTold) {
      isTold = true;
      const seconds = Math.round(blocked / 1000);
      say(`${running()} has blocked this process for ${seconds} s: until it returns, nothing is answered or timed out`);
    }
    if (askedAt === undefined && hasStdin && hasClientLeft()) {
      askedAt = now;
      why = 'its client has left';
    }
    if (askedAt !== undefined && now - askedAt >= graceMs) {
      say(`the process is killed: ${why}, and ${running()} blocks it`);
      process.kill(process.pid, 'SIGKILL');
    }
  }

  /** Only a thread with a handle of its own hears of a signal while the main thread is blocked. */
  function listen(name: string, number: number): void {
    const Signal = findSignal();
    if (Signal === undefined) return;
    const handle = new Signal();
    handle.onsignal = () => {
      received += 1;
      askedAt ??= performance.now();
      why = `it received ${name}`;
      if (received < 2) return;
      // Without any handle a signal does what it does to any process; the main thread gives up its own.
      for (const one of handles) one.stop();
      process.kill(process.pid, number);
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), tickMs);
    };
    handle.start(number);
    handles.push(handle);
  }

  function findSignal(): SignalClass | undefined {
    const ways = [
      () => require('internal/test/binding').internalBinding('signal_wrap'),
      () => (process as unknown as { binding(name: string): unknown }).binding('signal_wrap'),
    ];
    for (const way of ways) {
      try {
        const { Signal } = way() as { readonly Signal?: SignalClass };
        if (Signal !== undefined) return Signal;
      } catch {
        // Not in this version of Node.
      }
    }
    return undefined;
  }

  function hasClientLeft(): boolean {
    if (process.ppid !== parent) return true;
    isHungUp ??= makePoll();
    return isHungUp();
  }

  /** Whether the other side of stdin is closed, without reading what is in it: `poll` is only to be had from WASI. */
  function makePoll(): () => boolean {
    try {
      const { WASI } = require('node:wasi') as typeof import('node:wasi');
      const { Memory } = Reflect.get(globalThis, 'WebAssembly') as { readonly Memory: MemoryClass };
      const pages = new Memory({ initial: 1 });
      const wasi = new WASI({ version: 'preview1', stdin: 0, stdout: 2, stderr: 2 });
      wasi.initialize({ exports: { memory: pages } });
      const poll = wasi.wasiImport['poll_oneoff'] as (from: number, to: number, count: number, found: number) => number;
      const view = new DataView(pages.buffer);
      return () => {
        new Uint8Array(pages.buffer).fill(0);
        // Whether it can be written to: a pipe never can, so that it answers only once it is closed, data in it or not.
        view.setUint8(8, 2);
        // And a clock, which ends the wait.
        view.setUint8(48 + 8, 0);
        view.setUint32(48 + 16, 1, true);
        view.setBigUint64(48 + 24, 1_000_000n, true);
        if (poll(0, 1024, 2, 4096) !== 0) return false;
        const count = view.getUint32(4096, true);
        for (let at = 1024; at < 1024 + 32 * count; at += 32) {
          const isOfFd = view.getUint8(at + 10) === 2 && view.getUint16(at + 8, true) === 0;
          if (isOfFd && view.getUint16(at + 24, true) === 1) return true;
        }
        return false;
      };
    } catch {
      return () => false;
    }
  }
}
