// B3. In: a command that is ready, and a signal. Out: how its process ended and what it printed. Settles once, and never waits for
// what the program has left running.
import type { ChildProcess } from 'node:child_process';
import type { Environment } from '../../call/context/config.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import { keepTail } from '../../packs/child-output.js';
import type { ReadyCommand } from './prepare-command.js';
import { endTree, hasEnded, watchTree } from './process-tree.js';
import { startFailure, startProgram } from './start-program.js';

export interface EndedProgram {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  /** The end of it. */
  readonly stderr: string;
}

const mostStderr = 64 * 1024;
/** How long the output of a program that has ended may be silent, while something that it started holds the pipe. */
const quietMs = 1000;

/** Rejects with an UpstreamFailure, or with the reason of the signal. */
export function runProgram(
  ready: ReadyCommand,
  { env, signal, maxBytes }: { readonly env: Environment; readonly signal: AbortSignal; readonly maxBytes: number },
): Promise<EndedProgram> {
  return new Promise((resolve, reject) => {
    const child = startProgram(ready, env);
    child.once('error', error => reject(startFailure(error, ready)));
    const { stdout, stderr } = child;
    if (child.pid === undefined || stdout === null || stderr === null) return;
    watchTree(child);

    const chunks: Buffer[] = [];
    let size = 0;
    let lost: { readonly reason: unknown } | undefined;
    const said = keepTail(stderr, mostStderr);

    let isSettled = false;
    const settle = (): void => {
      if (isSettled) return;
      isSettled = true;
      signal.removeEventListener('abort', cancel);
      // Whatever still holds the other ends must not keep them open here.
      stdout.destroy();
      stderr.destroy();
      const { exitCode: code, signalCode } = child;
      if (lost !== undefined) reject(lost.reason);
      else resolve({ code, signal: signalCode, stdout: Buffer.concat(chunks, size), stderr: said.text() });
    };
    const lose = (reason: unknown): void => {
      if (lost !== undefined) return;
      lost = { reason };
      chunks.length = 0;
      endTree(child, settle);
      if (hasEnded(child)) settle();
    };
    const cancel = (): void => lose(signal.reason);
    signal.addEventListener('abort', cancel, { once: true });

    stdout.on('data', (chunk: Buffer) => {
      if (lost !== undefined) return;
      size += chunk.length;
      if (size <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      stdout.destroy();
      lose(new UpstreamFailure('UPSTREAM_TOO_LARGE', `${ready.name} printed more than ${maxBytes} bytes`));
    });
    for (const stream of [stdout, stderr]) stream.on('error', ignore);
    child.once('exit', () => {
      if (lost === undefined) whenQuiet(() => size, settle);
      else settle();
    });
    child.once('close', settle);
    writeInput(child, ready.stdin);
  });
}

/** A program need not read its input to the end. */
function writeInput({ stdin }: ChildProcess, input: ReadyCommand['stdin']): void {
  stdin?.on('error', ignore);
  stdin?.end(input);
}

/** What has arrived in the pipe is read before the turn of the loop ends, however late the timer is. */
function whenQuiet(count: () => number, then: () => void): void {
  const before = count();
  const timer = setTimeout(() => {
    setImmediate(() => (count() === before ? then() : whenQuiet(count, then)));
  }, quietMs);
  timer.unref();
}

function ignore(): void {}
