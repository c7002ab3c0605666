// Keeps streams that code makes itself off fd 1: `new net.Socket({ fd: 1 })`, `new tty.WriteStream(1)`.
import net from 'node:net';
import tty from 'node:tty';
import { isMap } from '../../schema/document.js';
import { type AnyFunction, type Patch, replace, type Tell } from './patch.js';

export function guardStreams(tell: Tell): readonly Patch[] {
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
