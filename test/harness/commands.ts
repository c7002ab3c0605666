// Commands of the built command line that share one process, for tests that run many of them: each has the folder and the
// environment of its own, prints into real pipes and may end or crash the process. What only a process of its own can show (its
// start, its end, signals, stdin) is for tests that start one.
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';

export interface Ran {
  /** null: it did not come to an end in time. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandCircumstances {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface Commands {
  /** One after the other, in the order of the calls. */
  run(words: readonly string[], circumstances: CommandCircumstances): Promise<Ran>;
  /** Waits without an event loop: for tests that serve nothing to the command. */
  runSync(words: readonly string[], circumstances: CommandCircumstances): Ran;
  /** What the process took at most until now; undefined where the last command ended it. */
  readonly megabytes: number | undefined;
  /** Ends the process; throws where something that a command left behind keeps it from ending. */
  close(): void;
}

/** How long the thread may take to answer after it has ended a command that took too long, or its process. */
const patience = 30_000;

/**
 * Each command may take `timeout` milliseconds.
 *
 * @example
 * const commands = openCommands();
 * afterAll(() => commands.close());
 * expect(commands.runSync(['check'], { cwd: pack, env: process.env }).status).toBe(0);
 */
export function openCommands(timeout = 30_000): Commands {
  const { port1: port, port2 } = new MessageChannel();
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(new URL('./command-thread.mjs', import.meta.url), {
    workerData: { port: port2, answered },
    transferList: [port2],
    // Those of the test runner are not for others.
    execArgv: [],
  });
  thread.unref();
  port.unref();
  let last: Promise<unknown> = Promise.resolve();
  let megabytes: number | undefined;
  const toRan = (answer: unknown): Ran => {
    const { problem, megabytes: taken, ...ran } = answer as Answer;
    if (problem !== undefined) throw new Error(problem);
    megabytes = taken;
    return ran;
  };

  const ask = (request: object): unknown => {
    Atomics.store(answered, 0, 0);
    port.postMessage(request);
    if (Atomics.wait(answered, 0, 0, timeout + patience) === 'timed-out')
      throw new Error('the thread of the commands is silent');
    return receiveMessageOnPort(port)?.message;
  };
  return {
    run(words, circumstances) {
      const ran = last.then(async () => {
        port.ref();
        const message = new Promise(done => port.once('message', done));
        port.postMessage({ ...toRequest(words, circumstances), timeout, isAwaited: true });
        return toRan(await message);
      });
      last = ran.catch(() => undefined).finally(() => port.unref());
      return ran;
    },
    runSync: (words, circumstances) => toRan(ask({ ...toRequest(words, circumstances), timeout })),
    get megabytes() {
      return megabytes;
    },
    close: () => void toRan(ask({})),
  };
}

function toRequest(words: readonly string[], { cwd, env }: CommandCircumstances): object {
  const set = Object.entries(env).filter(([, value]) => value !== undefined);
  return { words, cwd, env: Object.fromEntries(set) };
}

/** Of the thread. */
interface Answer extends Ran {
  readonly problem?: string;
  readonly megabytes?: number;
}
