// In: chunks of bytes as they come from a pipe. Out: lines of text; what is not text or has no end is reported, not kept.
import { isUtf8 } from 'node:buffer';

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
