// What a handler says it is doing, as often as it likes. Out: at most one write in a second, and the last word in any case.

export interface Notes {
  add(text: string): void;
  /** Now, if there is something that was not written. */
  flush(): Promise<void>;
  stop(): void;
}

const everyMs = 1000;

export function makeNotes(write: (text: string) => Promise<unknown>): Notes {
  let waiting: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let last: string | undefined;

  async function flush(): Promise<void> {
    const text = waiting;
    waiting = undefined;
    if (text === undefined || text === last) return;
    last = text;
    await write(text);
  }

  function wait(): void {
    timer = setTimeout(() => {
      timer = undefined;
      if (waiting === undefined) return;
      void flush();
      wait();
    }, everyMs).unref();
  }

  return {
    add(text) {
      waiting = text;
      if (timer !== undefined) return;
      void flush();
      wait();
    },
    flush,
    stop() {
      clearTimeout(timer);
      waiting = undefined;
    },
  };
}
