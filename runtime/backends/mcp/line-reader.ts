// In: bytes as a program prints them. Out: its lines as text, up to a limit; of a longer one the two ends, by which it may be known
// whose answer it was.

export interface LineEvents {
  /** Without its line feed; it may be blank. */
  line(text: string): void;
  /** The line is lost. `head` and `tail` are its first and last characters. */
  tooLong(head: string, tail: string): void;
}

const lineFeed = 10;
const endLength = 200;

/** Splits at line feeds. Bytes that are not UTF-8 become replacement characters, as everywhere else. */
export class LineReader {
  readonly #most: number;
  readonly #events: LineEvents;
  #kept: Buffer[] = [];
  #size = 0;
  /** Of a line that is too long: its beginning, and its end so far. */
  #ends: { readonly head: string; tail: Buffer } | undefined;

  constructor(most: number, events: LineEvents) {
    this.#most = most;
    this.#events = events;
  }

  push(chunk: Buffer): void {
    const last = chunk.lastIndexOf(lineFeed);
    if (last === -1) {
      this.#keep(chunk);
      return;
    }
    let start = 0;
    // The first line may have begun in an earlier chunk; all others are decoded at once.
    if (this.#size > 0 || this.#ends !== undefined) {
      const end = chunk.indexOf(lineFeed);
      this.#keep(chunk.subarray(0, end));
      this.#finish();
      start = end + 1;
    }
    if (start <= last) this.#emit(chunk.subarray(start, last));
    if (last + 1 < chunk.length) this.#keep(chunk.subarray(last + 1));
  }

  /** Nothing more will come; what has no line feed is a line, too. */
  end(): void {
    if (this.#size > 0 || this.#ends !== undefined) this.#finish();
  }

  #keep(bytes: Buffer): void {
    if (this.#ends !== undefined) {
      this.#ends.tail = Buffer.concat([this.#ends.tail, bytes.subarray(-endLength)]).subarray(-endLength);
      return;
    }
    this.#kept.push(bytes);
    this.#size += bytes.length;
    if (this.#size <= this.#most) return;
    const whole = Buffer.concat(this.#kept, this.#size);
    this.#ends = { head: whole.toString('utf8', 0, endLength), tail: Buffer.from(whole.subarray(-endLength)) };
    this.#forget();
  }

  #finish(): void {
    const ends = this.#ends;
    if (ends !== undefined) {
      this.#ends = undefined;
      this.#events.tooLong(ends.head, ends.tail.toString('utf8'));
      return;
    }
    const whole = Buffer.concat(this.#kept, this.#size);
    this.#forget();
    this.#emit(whole);
  }

  #forget(): void {
    this.#kept = [];
    this.#size = 0;
  }

  #emit(bytes: Buffer): void {
    const text = bytes.toString('utf8');
    for (let start = 0; start <= text.length; ) {
      const found = text.indexOf('\n', start);
      const end = found === -1 ? text.length : found;
      const line = text.slice(start, end);
      start = end + 1;
      if (line.length > this.#most) this.#events.tooLong(line.slice(0, endLength), line.slice(-endLength));
      else this.#events.line(line);
    }
  }
}

/** Whose answer a line was, as far as its ends tell: servers write the id first or last. */
export function idOfEnds(head: string, tail: string): number | undefined {
  const found =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)/.exec(head) ?? /"id"\s*:\s*(\d+)\s*\}\s*$/.exec(tail);
  return found === null ? undefined : Number(found[1]);
}
