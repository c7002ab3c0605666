// In: texts. Out: lines to a pipe: all of one turn in one write, at the pace of who reads them.

/** What a pipe to the client must be able to do; every Writable can. */
export interface Output {
  /** False: hold back until it has drained. `done` tells that the system has this and all before it, or never will. */
  write(text: string, done?: () => void): boolean;
  on(event: 'drain' | 'error' | 'close', listener: () => void): unknown;
}

export interface WriterEvents {
  /** More waits than should: the other side reads too slowly, or not at all. And when it has caught up. */
  pressure(isHigh: boolean): void;
  /** Nobody reads any more. */
  gone(): void;
}

/** What may wait before pressure is told, in characters. */
const mostWaiting = 16 * 1024 * 1024;
/** What is joined into one write: texts have a largest length. */
const mostJoined = 64 * 1024 * 1024;

export class LineWriter {
  readonly #output: Output;
  readonly #events: WriterEvents;
  #queue: string[] = [];
  #queued = 0;
  #isScheduled = false;
  #isBlocked = false;
  #isHigh = false;
  #isGone = false;
  #onDrained: (() => void)[] = [];

  constructor(output: Output, events: WriterEvents) {
    this.#output = output;
    this.#events = events;
    output.on('drain', () => this.#drained());
    output.on('error', () => this.#end());
    output.on('close', () => this.#end());
  }

  write(line: string): void {
    if (this.#isGone) return;
    this.#queue.push(line, '\n');
    this.#queued += line.length;
    if (this.#isBlocked) {
      if (this.#queued > mostWaiting && !this.#isHigh) {
        this.#isHigh = true;
        this.#events.pressure(true);
      }
      return;
    }
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // After all promises of this turn: whatever they answer goes out in one write.
    process.nextTick(this.#flushLater);
  }

  /** When the system has everything, or the other side is gone. */
  async idle(): Promise<void> {
    this.#flush();
    while (this.#queue.length > 0 && !this.#isGone) {
      await new Promise<void>(resolve => {
        this.#onDrained.push(resolve);
      });
    }
    if (this.#isGone) return;
    await new Promise<void>(resolve => {
      this.#onDrained.push(resolve);
      this.#output.write('', resolve);
    });
  }

  readonly #flushLater = (): void => {
    this.#isScheduled = false;
    this.#flush();
  };

  #flush(): void {
    if (this.#queue.length === 0 || this.#isBlocked || this.#isGone) return;
    const texts = this.#queued > mostJoined ? this.#queue : [this.#queue.join('')];
    this.#queue = [];
    this.#queued = 0;
    for (const text of texts) this.#isBlocked = !this.#output.write(text);
  }

  #drained(): void {
    this.#isBlocked = false;
    this.#flush();
    if (this.#queue.length === 0 && !this.#isBlocked) this.#wake();
    if (this.#isHigh && !this.#isBlocked) {
      this.#isHigh = false;
      this.#events.pressure(false);
    }
  }

  #end(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#queue = [];
    this.#wake();
    this.#events.gone();
  }

  #wake(): void {
    const waiting = this.#onDrained;
    this.#onDrained = [];
    for (const wake of waiting) wake();
  }
}
