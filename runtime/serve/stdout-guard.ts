// W85: from here on fd 1 is the protocol's. Whatever else writes there goes to stderr, with one hint who it was.

import net from 'node:net';
import { Writable } from 'node:stream';
import tty from 'node:tty';
import { isMap } from '../../schema/document.js';
import { guardChildren, guardWorkers } from './guard-children.js';
import { guardFiles } from './guard-files.js';
import type { Output } from './lines.js';
import { type AnyFunction, type Patch, placeOf, replace, syncModules, type Tell } from './patch.js';

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

// What everybody but the protocol gets for process.stdout: a stream to stderr; and the real one, out of their reach. Streams that code makes
// itself are kept off fd 1 as well: `new net.Socket({ fd: 1 })`, `new tty.WriteStream(1)`.

function guardStreams(tell: Tell): readonly Patch[] {
  const { Socket } = net;
  const guard = (owner: object, prefix: string, name: string, isStdout: (first: unknown) => boolean): Patch =>
    replace(owner, name, original => {
      const instead = (make: () => object): object => {
        tell(`${prefix}.${name}`, instead);
        return Object.assign(make(), toStderr);
      };
      // Both can be called with and without `new`, and are classes that others extend.
      return new Proxy(original, {
        apply(target, self: unknown, args: unknown[]) {
          if (!isStdout(args[0])) return Reflect.apply(target, self, args) as unknown;
          if (!(self instanceof Socket)) return instead(() => Reflect.construct(Socket, [{}], target) as object);
          Reflect.apply(Socket, self, [{}]);
          return instead(() => self);
        },
        construct(target, args: unknown[], newTarget: AnyFunction) {
          if (!isStdout(args[0])) return Reflect.construct(target, args, newTarget) as object;
          return instead(() => Reflect.construct(Socket, [{}], newTarget) as object);
        },
      });
    });
  const isSocketOfStdout = (options: unknown): boolean => isMap(options) && options['fd'] === 1;
  return [
    guard(net, 'net', 'Socket', isSocketOfStdout),
    guard(net, 'net', 'Stream', isSocketOfStdout),
    guard(tty, 'tty', 'WriteStream', fd => fd === 1),
  ];
}

/** A second handle on stderr would fight with the first, and close it for all: so that it has none, and writes to the one there is. */
const toStderr = {
  fd: 2,
  _write(chunk: Uint8Array, _encoding: string, callback: () => void): void {
    process.stderr.write(chunk, () => callback());
  },
  _writev: null,
  _final(callback: () => void): void {
    callback();
  },
  _read(): void {},
  _destroy(this: net.Socket, error: unknown, callback: (error?: unknown) => void): void {
    callback(error);
    // Sockets say so themselves.
    process.nextTick(() => this.emit('close', error !== null));
  },
};

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

function makeRedirectedStdout(tell: Tell): Writable {
  return new RedirectedStdout(tell);
}

/** Anyone who kept the real stream from before is sent to the spare one; only `output` still reaches the pipe. */
function seizeStream(stdout: Writable, spare: Writable): { output: Output; patches: readonly Patch[] } {
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
