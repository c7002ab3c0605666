// What everybody but the protocol gets for process.stdin: a stream that is at its end. And the real one, out of their reach.
import { Readable } from 'node:stream';
import { syncModules } from './patch.js';
import type { Input } from './pipe.js';

export interface StdinGuard {
  /** The only way to the real stdin. */
  readonly input: Input;
  /** Gives stdin back to everybody. */
  restore(): void;
}

/** For those who hand the descriptor to a child: these get nothing to read (guard-children.ts). */
class EndedStdin extends Readable {
  readonly fd = 0;
  readonly isTTY = false;

  override _read(): void {
    this.push(null);
  }
}

/**
 * Takes stdin for the protocol. A handler that asks there for a line, pauses or closes it would leave the client without
 * answers for good.
 *
 * @example const stdin = takeStdin(); serveStdio(surface, { stdin });
 */
export function takeStdin(): StdinGuard {
  const { stdin } = process;
  const described = Object.getOwnPropertyDescriptor(process, 'stdin');
  let spare = new EndedStdin();
  const get = (): Readable => {
    // Anyone who reads next finds its end as well.
    if (spare.destroyed) spare = new EndedStdin();
    return spare;
  };
  Object.defineProperty(process, 'stdin', { configurable: true, enumerable: true, get });
  syncModules();
  return {
    input: stdin,
    restore() {
      if (described !== undefined) Object.defineProperty(process, 'stdin', described);
      syncModules();
    },
  };
}
