// A process that ends though nobody asked it to. In: what runs, and how to answer all requests at once. Out: a line for the operator,
// and an error for every client that waits.
import { setTimeout as sleep } from 'node:timers/promises';
import { types } from 'node:util';
import { printCause } from '../../runtime/call/print-cause.js';
import { LeftBehind } from '../../runtime/call/time-limit.js';
import { placeOf } from '../../runtime/serve/patch.js';
import { printReport } from '../../runtime/serve/print-report.js';
import type { OpenedServer } from './opened-server.js';

interface LastWordsOptions {
  /** What is under way, by name. */
  names(): readonly string[];
  /** Answers every open request with an error, as far as that can be done at once. */
  abandon(reason: string): void;
  /** Writes before it returns: there is no later. */
  report(text: string): void;
  /** What ends with the process. */
  readonly ends?: string;
}

export interface LastWords {
  /** The process is about to end for a reason that was reported. */
  abandon(): void;
  /** The server ends as it should. */
  stop(): void;
}

const reason = 'The server process ended before the call did';

/**
 * `process.exit` of a handler would leave all clients without an answer, and the operator without a word.
 *
 * @example const exit = listenForExit({ names, abandon, report }); await server.closed; exit.stop();
 */
export function listenForExit({ names, abandon, report, ends = 'the server' }: LastWordsOptions): LastWords {
  const onExit = (code: number): void => {
    // Anybody can emit events.
    if (Reflect.get(process, '_exiting') !== true) return;
    const calls = printCalls(names());
    report(`process.exit(${code})${placeOf(onExit)} ends ${ends}${calls}`);
    end();
  };
  const stop = (): void => void process.off('exit', onExit);
  const end = (): void => {
    stop();
    try {
      abandon(reason);
    } catch {
      // Nobody is there to hear it.
    }
  };
  process.on('exit', onExit);
  return { abandon: end, stop };
}

/** `; under way: "a", "b"`, or nothing. */
function printCalls(names: readonly string[]): string {
  return names.length === 0 ? '' : `; under way: ${names.map(name => JSON.stringify(name)).join(', ')}`;
}

/** Ends the process, whatever those do who listen to that. */
export function leave(code: number, report: (text: string) => void): never {
  try {
    process.exit(code);
  } catch (error) {
    report(`an exit listener failed: ${printCause(error)}`);
    // They are not asked twice.
    process.exit(code);
  }
}

// In: an opened server. Out: what its handlers forgot to catch is reported without secrets, and does not end other people's calls.

/** A promise that a handler forgot is its author's mistake; other clients must not lose their server by it. */
export function surviveRejections(
  { hosts, watchdog }: Pick<OpenedServer, 'hosts' | 'watchdog'>,
  report = printReport,
  /** Answers those who wait. */
  abandon: () => void = () => undefined,
): void {
  process.on('unhandledRejection', reason => {
    // Work of a handler that waits for an answer: it is done again.
    // Even asking a proxy what it is may fail.
    if (!types.isProxy(reason) && reason instanceof LeftBehind) return;
    report(hosts.redact(`a promise that nobody awaited was rejected: ${printCause(reason)}`));
  });
  process.on('uncaughtException', error => {
    const calls = printCalls(watchdog.names());
    report(hosts.redact(`an uncaught exception ends the server${calls}: ${printCause(error)}`));
    abandon();
    // What state the process is in is unknown; shared things get a moment to be closed.
    void Promise.race([hosts.close(), sleep(1000)]).finally(() => process.exit(1));
  });
}
