// In: bytes of a client. Out: messages that have their form; and answers back, as lines. Knows when every request is answered.
// A client may send as much as it likes: beyond a limit its requests wait here, and then in the pipe.
import { ById } from '../call/by-id.js';
import { protocolCodes } from '../call/protocol-error.js';
import {
  cancelledId,
  type InboundNotification,
  type InboundRequest,
  type InboundResponse,
  makeRefusal,
  readInbound,
} from '../protocol/inbound.js';
import type { MessageId } from '../protocol/ports.js';
import { HeldRequests, LineSplitter, LineWriter, type Output } from './lines.js';

/** What a pipe from the client must be able to do; every Readable can. */
export interface Input {
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'end' | 'close' | 'error', listener: () => void): unknown;
  off(event: 'data', listener: (chunk: Buffer) => void): unknown;
  off(event: 'end' | 'close' | 'error', listener: () => void): unknown;
  pause(): unknown;
  resume(): unknown;
  readonly readableEnded: boolean;
  readonly destroyed: boolean;
}

export interface PipeOptions {
  readonly input: Input;
  readonly output: Output;
  /** A line with more bytes is refused and skipped. */
  readonly maxLineBytes: number;
  onMessage(inbound: InboundRequest | InboundNotification | InboundResponse): void;
  /** The client sends no more. */
  onEnd(): void;
  /** The client takes no more. */
  onGone(): void;
  /** For the operator. */
  report(text: string): void;
}

/** Requests that run at the same time, and their characters; the next ones wait for their turn. Parsed, each may be ten times as large. */
const mostOpen = 100;
const mostOpenSize = 4 * 1024 * 1024;
/** What may wait, in characters; then nothing more is read, not even cancellations. */
const mostHeld = 16 * 1024 * 1024;

/** Lines of JSON over two pipes. */
export class LinePipe {
  readonly #options: PipeOptions;
  readonly #splitter: LineSplitter;
  readonly #writer: LineWriter;
  /** The lengths of the requests of an id that wait for an answer; clients may use one twice. */
  readonly #open = new ById<MessageId, number[]>();
  #running = 0;
  #runningSize = 0;
  readonly #held = new HeldRequests();
  #isPaused = false;
  #isReleasing = false;
  /** The client has enough to read. */
  #isHigh = false;
  #hasDropped = false;
  #onAnswered: (() => void)[] = [];
  #isStopped = false;
  #isClosed = false;

  constructor(options: PipeOptions) {
    const { output, maxLineBytes } = options;
    this.#options = options;
    this.#splitter = new LineSplitter(maxLineBytes, {
      line: text => this.#receive(text),
      broken: why =>
        this.#refuse(why === 'length' ? `a line has at most ${maxLineBytes} bytes` : 'a line is not UTF-8'),
    });
    this.#writer = new LineWriter(output, {
      pressure: isHigh => {
        this.#isHigh = isHigh;
        this.#pace();
        if (!isHigh) this.#release();
      },
      gone: () => {
        this.stop();
        this.#forget();
        this.#wake();
        options.onGone();
      },
    });
  }

  start(): void {
    const { input } = this.#options;
    if (input.readableEnded || input.destroyed) {
      setImmediate(this.#onEnd);
      return;
    }
    input.on('data', this.#onData);
    input.on('end', this.#onEnd);
    input.on('close', this.#onEnd);
    // Stays: a pipe that breaks later must not end the process.
    input.on('error', this.#onEnd);
  }

  /** One message that is not an answer. */
  write(text: string): void {
    if (!this.#isClosed) this.#writer.write(text);
  }

  /** The answer to a request. */
  answer(id: MessageId, text: string): void {
    this.write(text);
    this.#settle(id);
  }

  /** A notification that is the same however often it comes. */
  note(text: string): void {
    if (!this.#isClosed) this.#writer.note(text);
  }

  /** Logs and progress: lost where the client has not read what came before. */
  offer(print: () => string): void {
    if (this.#isClosed) return;
    if (!this.#writer.isFull) {
      this.#writer.write(print());
    } else if (!this.#hasDropped) {
      this.#hasDropped = true;
      this.#options.report('the client is not reading: logs and progress are dropped until it catches up');
    }
  }

  /** Answers everything that waits, and hands it to the system before it returns. */
  abandon(print: (id: MessageId) => string): void {
    const ids = [...this.#open.keys(), ...this.#held.ids()];
    this.stop();
    this.#forget();
    for (const id of ids) this.write(print(id));
    this.#writer.flush();
  }

  /** Reads no more; what is under way goes on. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    const { input } = this.#options;
    input.off('data', this.#onData);
    input.off('end', this.#onEnd);
    input.off('close', this.#onEnd);
    input.pause();
  }

  /** When every request has its answer, or the client is gone. */
  async answered(): Promise<void> {
    while (this.#open.size > 0 || !this.#held.isEmpty) {
      await new Promise<void>(resolve => {
        this.#onAnswered.push(resolve);
      });
    }
  }

  /** Takes nothing more to write; settled when everything before is handed to the system. */
  close(): Promise<void> {
    this.#isClosed = true;
    this.stop();
    this.#forget();
    this.#wake();
    return this.#writer.idle();
  }

  readonly #onData = (chunk: Buffer): void => this.#splitter.push(chunk);

  readonly #onEnd = (): void => {
    if (this.#isStopped) return;
    this.stop();
    this.#splitter.end();
    this.#options.onEnd();
  };

  #receive(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#refuse('a line is not JSON');
      return;
    }
    const inbound = readInbound(value);
    switch (inbound.kind) {
      case 'refused':
        this.#writer.write(JSON.stringify(inbound.refusal));
        return;
      case 'ignored':
        return;
      case 'request':
        if (this.#mustWait(inbound)) {
          this.#held.add(inbound.id, text);
          this.#pace();
          return;
        }
        this.#begin(inbound, text.length);
        break;
      case 'notification': {
        const id = cancelledId(inbound);
        if (id === undefined) break;
        // One that has not begun never will, and is nobody else's business.
        if (this.#held.cancel(id)) {
          this.#wakeIfDone();
          return;
        }
        this.#settle(id);
        break;
      }
      case 'response':
        break;
      default:
        inbound satisfies never;
    }
    this.#options.onMessage(inbound);
  }

  #refuse(why: string): void {
    this.#writer.write(JSON.stringify(makeRefusal(null, protocolCodes.parseError, `Parse error: ${why}`)));
  }

  /** A client that asks whether we live hears it, unless it asks that without end. */
  #mustWait({ method }: InboundRequest): boolean {
    if (this.#isReleasing) return false;
    if (this.#isHigh || this.#running >= 2 * mostOpen) return true;
    return this.#isFull && method !== 'ping';
  }

  get #isFull(): boolean {
    return this.#running >= mostOpen || this.#runningSize > mostOpenSize;
  }

  #begin({ id, method }: InboundRequest, length: number): void {
    // This one is answered when the connection ends.
    if (method === 'subscriptions/listen') return;
    const lengths = this.#open.get(id);
    if (lengths === undefined) this.#open.set(id, [length]);
    else lengths.push(length);
    this.#running += 1;
    this.#runningSize += length;
  }

  #settle(id: MessageId): void {
    const lengths = this.#open.get(id);
    if (lengths === undefined) return;
    this.#running -= 1;
    this.#runningSize -= lengths.pop() ?? 0;
    if (lengths.length === 0) this.#open.delete(id);
    this.#release();
    this.#wakeIfDone();
  }

  /** Lets those begin that waited, as far as there is room. */
  #release(): void {
    if (this.#isReleasing || this.#held.isEmpty) return;
    this.#isReleasing = true;
    while (!this.#isFull && !this.#isHigh) {
      const text = this.#held.take();
      if (text === undefined) break;
      this.#receive(text);
    }
    this.#isReleasing = false;
    this.#pace();
  }

  /** Reads on, or waits. */
  #pace(): void {
    const isPaused = this.#isHigh || this.#held.size > mostHeld;
    if (this.#isStopped || isPaused === this.#isPaused) return;
    this.#isPaused = isPaused;
    const { input } = this.#options;
    isPaused ? input.pause() : input.resume();
  }

  #forget(): void {
    this.#open.clear();
    this.#held.clear();
    this.#running = 0;
    this.#runningSize = 0;
  }

  #wakeIfDone(): void {
    if (this.#open.size === 0 && this.#held.isEmpty) this.#wake();
  }

  /** Nothing more will be answered, or everything is. */
  #wake(): void {
    const waiting = this.#onAnswered;
    if (waiting.length === 0) return;
    this.#onAnswered = [];
    for (const wake of waiting) wake();
  }
}
