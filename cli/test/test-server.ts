// In: the tests of one server. Out: their results, from a real process of that server; a new one where it ended.
import { runTests, type TestResult, type TestSession, titleOf } from '../../runtime/server/examples/run-tests.js';
import { visible } from '../../schema/print/visible.js';
import type { PlannedServer } from './plan-test-run.js';
import { FailedStart, openProcess, type ServerCommand, type ServerProcess } from './server-process.js';

/** A result, and who it is about. */
export type ServerTest = TestResult & {
  readonly server: string | undefined;
  /** What the server wrote to stderr meanwhile; only of failures. */
  readonly log?: string;
  /** The server did not start, for the reason that the first of its tests has. */
  readonly isRepeated?: true;
};

export interface RunOptions extends ServerCommand {
  readonly bail: boolean;
  /** A test of another server failed already. */
  readonly hasFailed: boolean;
  readonly isolate: boolean;
  readonly progress: { readonly done: number; readonly total: number; readonly isShown: boolean };
}

/** Stderr is another pipe than the answers: what belongs to an answer may come a moment later. */
const logDelayMs = 50;
/** One that does not even answer this is replaced. */
const pingMs = 10_000;

export async function runServer({ server, cases }: PlannedServer, options: RunOptions): Promise<readonly ServerTest[]> {
  const { isolate, progress, bail, hasFailed } = options;
  const logs = new Map<number, string>();
  const repeated = new Set<number>();
  let open: ServerProcess | undefined;
  let hasStarted = false;
  let failure: FailedStart | undefined;
  const show = makeProgress(progress);
  const close = async (): Promise<void> => {
    const last = open;
    open = undefined;
    await last?.close();
  };
  const connect = async (): Promise<ServerProcess> => {
    if (open !== undefined && (isolate || open.isOver)) await close();
    if (failure !== undefined) throw failure;
    if (open === undefined) {
      try {
        open = await openProcess({ ...options, args: [...options.args, '--stdio'] });
      } catch (error) {
        // It would not start for the next test either.
        if (error instanceof FailedStart) failure = error;
        throw error;
      }
      // What it says at each start is said once, and belongs to no test.
      const log = open.takeLog();
      if (!hasStarted && log !== '') {
        show(-1, '');
        process.stderr.write(log);
      }
      hasStarted = true;
    }
    return open;
  };
  try {
    const results = await runTests(cases, {
      // Nothing is started for tests that only say why they do not run.
      connect: server === undefined ? async () => noSession : connect,
      bail,
      hasFailed,
      now: () => performance.now(),
      onStart(test, index) {
        open?.takeLog();
        show(index, titleOf(test));
      },
      async onResult({ status }, index) {
        if (status !== 'failed') return;
        if (failure !== undefined) {
          if (logs.size === 0) logs.set(index, failure.log);
          else repeated.add(index);
        }
        if (open === undefined) return;
        // A server that answered and is about to end must not be taken for one that the next test can use.
        await open.request('ping', {}, { timeoutMs: pingMs }).catch(() => undefined);
        await new Promise(done => setTimeout(done, logDelayMs));
        logs.set(index, open.takeLog().trim());
      },
    });
    return results.map((result, index) => {
      const log = logs.get(index);
      return {
        ...result,
        server,
        ...(log === undefined || log === '' ? {} : { log }),
        ...(repeated.has(index) ? { isRepeated: true as const } : {}),
      };
    });
  } finally {
    show(-1, '');
    await close();
  }
}

const noSession: TestSession = {
  request: () => Promise.reject(new Error('there is no server')),
  unanswered: () => undefined,
};

/** One line of a terminal that is written over; nothing where there is none. */
function makeProgress({ done, total, isShown }: RunOptions['progress']): (index: number, what: string) => void {
  if (!isShown) return () => {};
  return (index, what) => {
    const width = Math.max(process.stderr.columns || 80, 20) - 1;
    const line = index < 0 ? '' : `${done + index + 1} of ${total}  ${visible(what)}`.slice(0, width);
    process.stderr.write(`\r\u001b[2K${line}`);
  };
}
