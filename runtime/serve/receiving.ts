// What clients are sending: bodies lie in memory until their last byte has come, which may take a while. Small ones are not counted.
import type { IncomingMessage } from 'node:http';
import { addressOf, type Busy } from './caller-usage.js';
import type { HttpLimits } from './http-limits.js';

/** From here on a body counts. */
export const worthCounting = 64 * 1024;

export class Receiving {
  readonly #limits: Pick<HttpLimits, 'receiving' | 'receivingPerAddress'>;
  readonly #byAddress = new Map<string, number>();
  #all = 0;

  constructor(limits: Pick<HttpLimits, 'receiving' | 'receivingPerAddress'>) {
    this.#limits = limits;
  }

  /** Counts a body as it grows; what it gives back says why there is no room for more. */
  open(request: IncomingMessage): (size: number) => Busy | undefined {
    let counted = 0;
    let address = '';
    return size => {
      if (size < worthCounting) return undefined;
      if (counted === 0) {
        address = addressOf(request.socket.remoteAddress);
        request.once('close', () => this.#add(address, -counted));
      }
      const busy = this.#refuse(address, size - counted);
      this.#add(address, size - counted);
      counted = size;
      return busy;
    };
  }

  #refuse(address: string, more: number): Busy | undefined {
    const { receiving, receivingPerAddress } = this.#limits;
    if ((this.#byAddress.get(address) ?? 0) + more > receivingPerAddress) {
      return { status: 429, message: 'Too Many Requests: too much comes from this address at the same time' };
    }
    if (this.#all + more <= receiving) return undefined;
    return { status: 503, message: 'Service Unavailable: too much comes at the same time' };
  }

  #add(address: string, more: number): void {
    this.#all += more;
    const sum = (this.#byAddress.get(address) ?? 0) + more;
    if (sum > 0) this.#byAddress.set(address, sum);
    else this.#byAddress.delete(address);
  }
}
