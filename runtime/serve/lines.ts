// Lines over a pipe. In: chunks of bytes as they come; what is not text or has no end is reported, not kept. Out: texts, all of one turn in
// one write, at the pace of who reads them.
import { isUtf8 } from 'node:buffer';
import type { MessageId } from '../protocol/ports.js';

export interface LineEvents {
  /** Without its line break; never blank. */
  line(text: string): void;
  /** A line that is not UTF-8, or longer than the limit: it is skipped. */
  broken(why: 'encoding' | 'length'): void;
}

const lineFeed = 10;

/** Splits bytes at line feeds. Keeps at most one line of at most `limit` bytes, and that without copying it twice. */
export class LineSplitter {
  readonly #limit: number;
  readonly #events: LineEvents;
  #kept: Buffer[] = [];
  #size = 0;
  #isSkipping = false;

  constructor(limit: number, events: LineEvents) {
    this.#limit = limit;
    this.#events = events;
  }

  push(chunk: Buffer): void {
    let bytes = chunk;
    if (this.#isSkipping) {
      const end = bytes.indexOf(lineFeed);
      if (end === -1) return;
      this.#isSkipping = false;
      bytes = bytes.subarray(end + 1);
    }
    const last = bytes.lastIndexOf(lineFeed);
    if (last === -1) {
      this.#keep(bytes);
      return;
    }
    const head = bytes.subarray(0, last);
    const whole = this.#size === 0 ? head : Buffer.concat([...this.#kept, head], this.#size + head.length);
    this.#kept = [];
    this.#size = 0;
    this.#emit(whole);
    this.#keep(bytes.subarray(last + 1));
  }

  /** What came after the last line feed, when nothing more will come. */
  end(): void {
    const rest = Buffer.concat(this.#kept, this.#size);
    this.#kept = [];
    this.#size = 0;
    if (rest.length > 0) this.#emit(rest);
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#kept.push(bytes);
    this.#size += bytes.length;
    if (this.#size <= this.#limit) return;
    this.#kept = [];
    this.#size = 0;
    this.#isSkipping = true;
    this.#events.broken('length');
  }

  /** Many lines are decoded at once; one by one only where something is wrong with one of them. */
  #emit(bytes: Buffer): void {
    if (bytes.length <= this.#limit && isUtf8(bytes)) {
      this.#emitText(bytes.toString('utf8'));
      return;
    }
    for (let start = 0; start <= bytes.length; ) {
      const found = bytes.indexOf(lineFeed, start);
      const end = found === -1 ? bytes.length : found;
      const line = bytes.subarray(start, end);
      if (line.length > this.#limit) this.#events.broken('length');
      else if (!isUtf8(line)) this.#events.broken('encoding');
      else this.#emitText(line.toString('utf8'));
      start = end + 1;
    }
  }

  #emitText(text: string): void {
    for (let start = 0; start <= text.length; ) {
      const found = text.indexOf('\n', start);
      const end = found === -1 ? text.length : found;
      const line = text.slice(start, end);
      if (/\S/.test(line)) this.#events.line(line);
      start = end + 1;
    }
  }
}

/** What a pipe to the client must be able to do; every Writable can. */
export interface Output {
  /** False: hold back until it has drained. `done` tells that the system has this and all before it, or never will. */
  write(text: string, done?: () => void): boolean;
  on(event: 'drain' | 'error' | 'close', listener: () => void): unknown;
}

interface WriterEvents {
  /** More waits than should: the other side reads too slowly, or not at all. And when it has caught up. */
  pressure(isHigh: boolean): void;
  /** Nobody reads any more. */
  gone(): void;
}

/** What may wait before pressure is reported, in characters. */
const mostWaiting = 16 * 1024 * 1024;
/** What is joined into one write. The rest waits until the pipe has taken that. */
const mostJoined = 1024 * 1024;

export class LineWriter {
  readonly #output: Output;
  readonly #events: WriterEvents;
  #queue: string[] = [];
  #queued = 0;
  #isScheduled = false;
  #isBlocked = false;
  #isHigh = false;
  #isGone = false;
  /** What waits and need not be said twice. */
  readonly #notes = new Set<string>();
  #onDrained: (() => void)[] = [];

  constructor(output: Output, events: WriterEvents) {
    this.#output = output;
    this.#events = events;
    output.on('drain', () => this.#drained());
    output.on('error', () => this.#end());
    output.on('close', () => this.#end());
  }

  /** More waits than should: what can be lost had better not be written. */
  get isFull(): boolean {
    return this.#queued > mostWaiting;
  }

  /** A line that says the same however often it is written: once is enough, as long as it waits. */
  note(line: string): void {
    if (this.#isGone || this.#notes.has(line)) return;
    this.#notes.add(line);
    this.write(line);
  }

  write(line: string): void {
    if (this.#isGone) return;
    this.#queue.push(`${line}\n`);
    this.#queued += line.length;
    if (this.#queued > mostWaiting && !this.#isHigh) {
      this.#isHigh = true;
      this.#events.pressure(true);
    }
    if (this.#isBlocked || this.#isScheduled) return;
    this.#isScheduled = true;
    // After all promises of this turn: whatever they answer goes out in one write.
    process.nextTick(this.#flushLater);
  }

  /** Everything that waits, now: the process is about to end. */
  flush(): void {
    this.#isBlocked = false;
    this.#flush();
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
    const lines = this.#queue;
    let start = 0;
    while (start < lines.length && !this.#isBlocked && !this.#isGone) {
      let end = start;
      for (let size = 0; end < lines.length && size < mostJoined; end += 1) size += lines[end]?.length ?? 0;
      const text = start === 0 && end === lines.length ? lines.join('') : lines.slice(start, end).join('');
      for (; start < end; start += 1) this.#queued -= (lines[start]?.length ?? 1) - 1;
      this.#isBlocked = !this.#output.write(text);
    }
    this.#queue = start === lines.length ? [] : lines.slice(start);
    if (this.#queue.length === 0) this.#notes.clear();
    this.#relax();
  }

  #drained(): void {
    this.#isBlocked = false;
    this.#flush();
    if (this.#queue.length === 0 && !this.#isBlocked) this.#wake();
  }

  #relax(): void {
    if (!this.#isHigh || this.#queued > mostWaiting / 2) return;
    this.#isHigh = false;
    this.#events.pressure(false);
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

// Requests that wait for their turn, in the order in which they came. Kept as text: parsed, they could take ten times as much.

interface Held {
  readonly id: MessageId;
  readonly text: string;
}

export class HeldRequests {
  #queue: Held[] = [];
  #head = 0;
  /** How many of an id wait; clients may use one twice. */
  readonly #ids = new Map<MessageId, number>();
  #size = 0;

  get isEmpty(): boolean {
    return this.#ids.size === 0;
  }

  ids(): readonly MessageId[] {
    return [...this.#ids.keys()];
  }

  /** In characters. */
  get size(): number {
    return this.#size;
  }

  add(id: MessageId, text: string): void {
    this.#queue.push({ id, text });
    this.#ids.set(id, (this.#ids.get(id) ?? 0) + 1);
    this.#size += text.length;
  }

  /** It will never be asked for. False: none of that id waits. */
  cancel(id: MessageId): boolean {
    return this.#ids.delete(id);
  }

  /** The next that is still wanted. */
  take(): string | undefined {
    while (this.#head < this.#queue.length) {
      const { id, text } = this.#queue[this.#head] as Held;
      this.#head += 1;
      this.#size -= text.length;
      const count = this.#ids.get(id) ?? 0;
      if (count === 0) continue;
      if (count === 1) this.#ids.delete(id);
      else this.#ids.set(id, count - 1);
      this.#tidy();
      return text;
    }
    this.clear();
    return undefined;
  }

  clear(): void {
    this.#queue = [];
    this.#head = 0;
    this.#size = 0;
    this.#ids.clear();
  }

  /** Taking from the front of a list one by one would move the rest each time. */
  #tidy(): void {
    if (this.#head < 1000 || this.#head * 2 < this.#queue.length) return;
    this.#queue = this.#queue.slice(this.#head);
    this.#head = 0;
  }
}
