// The calls that go over a channel, to a thread (X10) or to a process (`dev`). At the end that calls: what waits for an answer. At the
// end that answers: what runs, and can be cancelled. What the messages are is for the owner of the channel to say.

interface Waiting<About> {
  readonly about: About;
  resolve(answer: unknown): void;
  reject(problem: unknown): void;
}

/** What a call is sent and taken back with. */
export interface Sending {
  post(call: number): void;
  cancel(call: number): void;
}

/**
 * The end that calls. `About` is what it remembers of a call until that is answered.
 *
 * @example
 * const sent = new SentCalls<Request>();
 * const answer = sent.send(request, request.signal, { post: call => port.postMessage({ call }), cancel });
 */
export class SentCalls<About> {
  readonly #waiting = new Map<number, Waiting<About>>();
  readonly #whenIdle = new WhenIdle(() => this.#waiting.size === 0);
  #count = 0;

  /** How many there have been. */
  get count(): number {
    return this.#count;
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0;
  }

  send(about: About, signal: AbortSignal, { post, cancel }: Sending): Promise<unknown> {
    this.#count += 1;
    const call = this.#count;
    const stop = (): void => cancel(call);
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(call, { about, resolve, reject });
      try {
        post(call);
      } catch (error) {
        // What cannot be sent is never answered.
        this.fail(call, error);
        return;
      }
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    }).finally(() => signal.removeEventListener('abort', stop));
  }

  /** Undefined: it is over, or was never sent. */
  about(call: number): About | undefined {
    return this.#waiting.get(call)?.about;
  }

  answer(call: number, answer: unknown): void {
    this.#take(call)?.resolve(answer);
  }

  fail(call: number, problem: unknown): void {
    this.#take(call)?.reject(problem);
  }

  /** Nobody is left to answer. */
  failAll(problem: (about: About) => unknown): void {
    for (const [call, { about }] of [...this.#waiting]) this.fail(call, problem(about));
  }

  idle(): Promise<void> {
    return this.#whenIdle.wait();
  }

  #take(call: number): Waiting<About> | undefined {
    const found = this.#waiting.get(call);
    this.#waiting.delete(call);
    this.#whenIdle.look();
    return found;
  }
}

/**
 * The end that answers.
 *
 * @example
 * const taken = new TakenCalls();
 * taken.run(call, async signal => port.postMessage({ call, answer: await work(signal) }));
 */
export class TakenCalls {
  readonly #running = new Map<number, AbortController>();
  readonly #whenIdle = new WhenIdle(() => this.#running.size === 0);

  /** `work` sends the answer itself, and never fails. */
  run(call: number, work: (signal: AbortSignal) => Promise<void>): void {
    const aborting = new AbortController();
    this.#running.set(call, aborting);
    void work(aborting.signal).finally(() => {
      this.#running.delete(call);
      this.#whenIdle.look();
    });
  }

  cancel(call: number, reason?: unknown): void {
    this.#running.get(call)?.abort(reason);
  }

  idle(): Promise<void> {
    return this.#whenIdle.wait();
  }
}

class WhenIdle {
  readonly #isIdle: () => boolean;
  #wake: (() => void)[] = [];

  constructor(isIdle: () => boolean) {
    this.#isIdle = isIdle;
  }

  look(): void {
    if (this.#isIdle()) for (const go of this.#wake.splice(0)) go();
  }

  async wait(): Promise<void> {
    while (!this.#isIdle()) {
      await new Promise<void>(resolve => {
        this.#wake = [...this.#wake, resolve];
      });
    }
  }
}
