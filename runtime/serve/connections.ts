// In: the connections of a server. Out: those that are too many, by number and by address; their requests are sent away.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressOf, type Busy } from './caller-usage.js';
import type { HttpLimits } from './http-limits.js';

export class Connections {
  readonly #limits: HttpLimits;
  readonly #refused = new Map<Socket, Busy>();
  readonly #byAddress = new Map<string, number>();
  #count = 0;

  constructor(server: Server, limits: HttpLimits) {
    this.#limits = limits;
    // Beyond that there is not even an answer.
    server.maxConnections = 2 * limits.connections;
    server.on('connection', socket => this.#add(socket));
  }

  /** Why a request on this connection is not served; undefined: it is. */
  refuse(socket: Socket): Busy | undefined {
    return this.#refused.size === 0 ? undefined : this.#refused.get(socket);
  }

  #add(socket: Socket): void {
    const { connections, connectionsPerAddress } = this.#limits;
    const address = addressOf(socket.remoteAddress);
    const ofAddress = (this.#byAddress.get(address) ?? 0) + 1;
    this.#count += 1;
    this.#byAddress.set(address, ofAddress);
    if (ofAddress > connectionsPerAddress) {
      const message = `Too Many Requests: an address has at most ${connectionsPerAddress} connections`;
      this.#refused.set(socket, { status: 429, message });
    } else if (this.#count > connections) {
      const message = `Service Unavailable: the server has at most ${connections} connections`;
      this.#refused.set(socket, { status: 503, message });
    }
    socket.once('close', () => {
      this.#count -= 1;
      this.#refused.delete(socket);
      const left = (this.#byAddress.get(address) ?? 1) - 1;
      if (left > 0) this.#byAddress.set(address, left);
      else this.#byAddress.delete(address);
    });
  }
}
