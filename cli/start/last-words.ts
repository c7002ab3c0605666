// A process that ends though nobody asked it to. In: what runs, and how to answer all requests at once. Out: a line for the operator,
// and an error for every client that waits.
import { printCause } from '../../runtime/call/print-cause.js';
import { placeOf } from '../../runtime/serve/patch.js';

export interface LastWordsOptions {
  /** What is under way, by name. */
  names(): readonly string[];
  /** Answers every open request with an error, as far as that can be done at once. */
  abandon(reason: string): void;
  /** Writes before it returns: there is no later. */
  report(text: string): void;
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
 * @example const words = listenForExit({ names, abandon, report }); await server.closed; words.stop();
 */
export function listenForExit({ names, abandon, report }: LastWordsOptions): LastWords {
  const onExit = (code: number): void => {
    // Anybody can emit events.
    if (Reflect.get(process, '_exiting') !== true) return;
    const calls = printCalls(names());
    report(`process.exit(${code})${placeOf(onExit)} ends the server${calls}`);
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
export function printCalls(names: readonly string[]): string {
  return names.length === 0 ? '' : `; under way: ${names.map(name => JSON.stringify(name)).join(', ')}`;
}

/** Ends the process, whatever those do who listen to that. */
export function leave(code: number, report: (text: string) => void): never {
  try {
    process.exit(code);
  } catch (error) {
    report(`a listener to the end of the process failed: ${printCause(error)}`);
    // They are not asked twice.
    process.exit(code);
  }
}
