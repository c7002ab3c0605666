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
