// Timers that can be told not to keep a process alive, where there is none to keep: a worker's are numbers.

class Timer {
  #id: unknown;

  constructor(start: () => unknown) {
    this.#id = start();
  }

  get id(): unknown {
    return this.#id;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

const web = globalThis as unknown as Record<'setTimeout' | 'setInterval', (run: () => void, ms?: number) => unknown> &
  Record<'clearTimeout' | 'clearInterval', (id: unknown) => void>;
const idOf = (timer: unknown): unknown => (timer instanceof Timer ? timer.id : timer);

export const setTimeout = (run: () => void, ms?: number): Timer => new Timer(() => web.setTimeout(run, ms));
export const setInterval = (run: () => void, ms?: number): Timer => new Timer(() => web.setInterval(run, ms));
export const clearTimeout = (timer: unknown): void => web.clearTimeout(idOf(timer));
export const clearInterval = (timer: unknown): void => web.clearInterval(idOf(timer));
export const setImmediate = (run: () => void): Timer => setTimeout(run, 0);
