// The way from a connection over stdio to the SDK, which is loaded when it is first needed. What it would have seen of the connection by then is
// repeated to it, and its answers to that are kept from the client.

import type { LoadSdk, Message, MessageId, SdkPort, Session } from '../protocol/ports.js';
import type { Change } from '../surface/surface.js';

export interface LinkOptions {
  readonly load: LoadSdk;
  readonly session: Session;
  /** A message of the SDK for the client. */
  send(message: Message): void;
  /** It cannot be loaded. */
  onFailure(error: unknown, waiting: readonly Message[]): void;
}

export class SdkLink {
  readonly #options: LinkOptions;
  /** What came since loading began, in order. */
  #waiting: ({ readonly message: Message } | { readonly change: Change })[] = [];
  #loading: Promise<void> | undefined;
  #port: SdkPort | undefined;
  #isBroken = false;
  #isClosed = false;
  /** Of requests that no client made. */
  readonly #told = new Set<unknown>();
  #count = 0;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /** Loaded, or about to be: whatever changes the state of a connection must be reported to it. */
  get isOpen(): boolean {
    return this.#loading !== undefined;
  }

  /** Begins to load; `past` is what it should have seen. */
  open(past: readonly Message[]): void {
    if (this.#loading !== undefined) return;
    this.#loading = this.#load();
    for (const message of past) this.tell(message);
  }

  /** A message of the client. */
  pass(message: Message): void {
    if (this.#port !== undefined) this.#port.receive(message);
    else if (this.#isBroken) this.#options.onFailure(undefined, [message]);
    else this.#waiting.push({ message });
  }

  /** A message whose answer the client has already. */
  tell(message: Message): void {
    if (!('id' in message)) {
      this.pass(message);
      return;
    }
    this.#count += 1;
    const id = `told-${this.#count}`;
    this.#told.add(id);
    this.pass({ ...message, id });
  }

  announce(change: Change): void {
    if (this.#port !== undefined) this.#port.announce(change);
    else this.#waiting.push({ change });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#loading;
    await this.#port?.close();
  }

  async #load(): Promise<void> {
    const { load, session, send, onFailure } = this.#options;
    // What has been answered in this turn is written first.
    await new Promise(setImmediate);
    try {
      if (this.#isClosed) return;
      const port = await load({
        session,
        send: message => {
          const id = 'method' in message ? undefined : (message['id'] as MessageId | undefined);
          if (id === undefined || !this.#told.delete(id)) send(message);
        },
      });
      await this.#catchUp(port);
    } catch (error) {
      this.#isBroken = true;
      const messages = this.#waiting.flatMap(one => ('message' in one ? [one.message] : []));
      this.#waiting = [];
      onFailure(error, messages);
    }
  }

  /** Changes are reported only after the messages before them had their effect. */
  async #catchUp(port: SdkPort): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if ('message' in next) {
        port.receive(next.message);
        continue;
      }
      await new Promise(setImmediate);
      port.announce(next.change);
    }
    this.#port = port;
  }
}
