// What everybody but the protocol gets for process.stdout: a stream to stderr. And the real one, out of their reach.
import { Writable } from 'node:stream';
import type { Output } from './line-writer.js';
import { type AnyFunction, type Patch, replace, type Tell } from './patch.js';

/** Writes to stderr, at its pace. */
class RedirectedStdout extends Writable {
  /** For those who write to the descriptor themselves. */
  readonly fd = 2;
  readonly #tell: Tell;

  constructor(tell: Tell) {
    super({
      decodeStrings: false,
      write: (chunk, encoding, callback) => {
        process.stderr.write(chunk, encoding, () => callback());
      },
    });
    this.#tell = tell;
  }

  override write(...args: unknown[]): boolean {
    this.#tell('code', RedirectedStdout.prototype.write);
    return Reflect.apply(super.write, this, args) as boolean;
  }

  /** Nobody may end the stdout of all. */
  override end(...args: unknown[]): this {
    const [chunk] = args;
    if (chunk !== undefined && chunk !== null && typeof chunk !== 'function') this.write(chunk);
    return this;
  }

  override destroy(): this {
    return this;
  }
}

export function makeRedirectedStdout(tell: Tell): Writable {
  return new RedirectedStdout(tell);
}

/** Anyone who kept the real stream from before is sent to the spare one; only `output` still reaches the pipe. */
export function seizeStream(stdout: Writable, spare: Writable): { output: Output; patches: readonly Patch[] } {
  const write = stdout.write as (text: string, encoding: string, done?: () => void) => boolean;
  const to =
    (name: 'write' | 'end'): ((original: AnyFunction) => AnyFunction) =>
    () =>
    (...args: unknown[]) =>
      Reflect.apply(spare[name], spare, args);
  const nothing = (): AnyFunction =>
    function (this: unknown) {
      return this;
    };
  // Writers that had to wait wait for this one.
  const drained = (): boolean => stdout.emit('drain');
  spare.on('drain', drained);
  const patches: readonly Patch[] = [
    replace(stdout, 'write', to('write')),
    replace(stdout, 'end', to('end')),
    ...['cork', 'uncork', 'destroySoon'].map(name => replace(stdout, name, nothing)),
    // Node itself destroys a stream that fails, and only so do we learn of it.
    replace(stdout, 'destroy', original => (error: unknown) => {
      if (error instanceof Error) Reflect.apply(original, stdout, [error]);
      return stdout;
    }),
    { undo: () => void spare.off('drain', drained) },
  ];
  return {
    patches,
    output: {
      write: (text, done) => write.call(stdout, text, 'utf8', done),
      on: (event, listener) => stdout.on(event, listener),
    },
  };
}
