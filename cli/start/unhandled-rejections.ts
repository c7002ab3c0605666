// In: an opened server. Out: what its handlers forgot to catch is reported without secrets, and does not end other people's calls.
import { setTimeout as sleep } from 'node:timers/promises';
import { types } from 'node:util';
import { printCause } from '../../runtime/call/print-cause.js';
import { LeftBehind } from '../../runtime/call/time-limit.js';
import { printReport } from '../../runtime/serve/print-report.js';
import { printCalls } from './last-words.js';
import type { OpenedServer } from './opened-server.js';

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
    report(hosts.redact(`a promise was rejected that nobody waited for: ${printCause(reason)}`));
  });
  process.on('uncaughtException', error => {
    const calls = printCalls(watchdog.names());
    report(
      hosts.redact(`an exception was thrown that nobody caught, which ends the server${calls}: ${printCause(error)}`),
    );
    abandon();
    // What state the process is in is unknown; shared things get a moment to be closed.
    void Promise.race([hosts.close(), sleep(1000)]).finally(() => process.exit(1));
  });
}
