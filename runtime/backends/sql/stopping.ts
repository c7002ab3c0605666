// In: a call, and the backend that it uses. Out: whether either has ended, for what a statement waits for.
import type { Cancellation } from '../../call/ports.js';

type Listener = Parameters<Cancellation['addEventListener']>[1];

/** A signal would be the costliest part of a short statement. */
export class Stopping implements Cancellation {
  aborted = false;
  reason: unknown;
  readonly #call: Cancellation;
  readonly #listeners = new Set<Listener>();

  constructor(call: Cancellation) {
    this.#call = call;
    if (call.aborted) this.stop(call.reason);
    else call.addEventListener('abort', this);
  }

  /** The call's signal calls it. */
  handleEvent(): void {
    this.stop(this.#call.reason);
  }

  stop(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.#listeners) listener.handleEvent();
  }

  addEventListener(_: 'abort', listener: Listener): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_: 'abort', listener: Listener): void {
    this.#listeners.delete(listener);
  }

  end(): void {
    this.#call.removeEventListener('abort', this);
  }
}
