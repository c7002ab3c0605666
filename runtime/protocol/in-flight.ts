// How many calls are running, over all connections of a server: a shutdown waits for them.

/** What a request costs as long as it is not answered. */
export interface Weight {
  /** Handlers that it sets to work. */
  readonly calls: number;
  /** What they work on, as it came. */
  readonly bytes: number;
}

/** Who wants to know how much is under way. */
export interface Load {
  begin(weight: Weight): void;
  end(weight: Weight): void;
}

export class InFlight {
  #count = 0;
  #waiters: (() => void)[] = [];

  get count(): number {
    return this.#count;
  }

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }

  /** When none is running any more. */
  async idle(): Promise<void> {
    while (this.#count > 0) {
      await new Promise<void>(resolve => {
        this.#waiters.push(resolve);
      });
    }
  }
}

// In: a promise and a time. Out: whichever comes first.

/** Waits until it is done, or gives up after that many milliseconds. */
export async function within(ms: number, done: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise(resolve => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}
