// W85: from here on fd 1 is the protocol's. Whatever else writes there goes to stderr, with one hint who it was.

import { guardChildren } from './guard-children.js';
import { guardFiles } from './guard-files.js';
import { guardStreams, makeRedirectedStdout, seizeStream } from './guard-streams.js';
import { guardWorkers } from './guard-workers.js';
import type { Output } from './lines.js';
import { type AnyFunction, type Patch, placeOf, syncModules } from './patch.js';

export interface StdoutGuard {
  /** The only way to the real stdout. */
  readonly output: Output;
  /** Gives stdout back to everybody. */
  restore(): void;
}

/**
 * Takes stdout for the protocol. Do it before any code of a pack is loaded: what has kept `fs.writeSync` by then
 * cannot be kept from using it. Native code is out of reach, and so is what guard-workers.ts does not name inside of threads.
 *
 * @example const guard = installStdoutGuard(); serveStdio(surface, { guard });
 */
export function installStdoutGuard(): StdoutGuard {
  let isTold = false;
  const tell = (what: string, entry: AnyFunction): void => {
    if (isTold) return;
    isTold = true;
    process.stderr.write(
      `toolwright: ${what}${placeOf(entry)} writes to stdout, which is reserved for the protocol; ` +
        'redirected to stderr. Use console.error or ctx.log instead.\n',
    );
  };
  // A client that closes our stderr does not end the server.
  process.stderr.on('error', ignore);
  const { stdout } = process;
  const spare = makeRedirectedStdout(tell);
  const { output, patches: seized } = seizeStream(stdout, spare);
  const described = Object.getOwnPropertyDescriptor(process, 'stdout');
  Object.defineProperty(process, 'stdout', { configurable: true, enumerable: true, get: () => spare });
  const patches: readonly Patch[] = [
    ...seized,
    ...guardFiles(tell),
    ...guardChildren(tell),
    ...guardStreams(tell),
    ...guardWorkers(),
  ];
  syncModules();
  return {
    output,
    restore() {
      for (const { undo } of patches.toReversed()) undo();
      if (described !== undefined) Object.defineProperty(process, 'stdout', described);
      process.stderr.off('error', ignore);
      syncModules();
    },
  };
}

function ignore(): void {}
