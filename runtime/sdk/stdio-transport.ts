// In: bytes of a client. Out: messages for the SDK; and back, many answers in one write. Knows when every request is answered.
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { protocolCodes } from '../call/protocol-problem.js';
import { cancelledId, type MessageId, makeRefusal, readInbound } from './inbound.js';
import { LineSplitter } from './lines.js';

/** What a pipe to the client must be able to do; every Writable can. */
export interface Output {
  /** False: hold back until it has drained. `done` tells that the system has it, or never will. */
  write(text: string, done: () => void): boolean;
  on(event: 'drain' | 'error' | 'close', listener: () => void): unknown;
}

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

export interface LineTransportOptions {
  readonly input: Input;
  readonly output: Output;
  /** A line with more bytes is refused and skipped. */
  readonly maxLineBytes: number;
  /** The client sends no more. */
  onEnd(): void;
  /** The client takes no more. */
  onGone(): void;
}

/** Answers that the client does not take: beyond this, nothing more is read from it. */
const mostWaiting = 16 * 1024 * 1024;
/** What is joined into one write: texts have a largest length. */
const mostJoined = 64 * 1024 * 1024;
const done = Promise.resolve();

/** Lines of JSON over two pipes. */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #options: LineTransportOptions;
  readonly #splitter: LineSplitter;
  /** How many requests of an id wait for an answer; clients may use one twice. */
  readonly #open = new Map<MessageId, number>();
  #waiters: (() => void)[] = [];
  #queue: string[] = [];
  #queued = 0;
  #inWriting = 0;
  #isScheduled = false;
  #isBlocked = false;
  #isPaused = false;
  #isStopped = false;
  #isGone = false;
  #isClosed = false;

  constructor(options: LineTransportOptions) {
    this.#options = options;
    this.#splitter = new LineSplitter(options.maxLineBytes, {
      line: text => this.#receive(text),
      broken: why =>
        this.#answer(
          null,
          protocolCodes.parseError,
          why === 'length' ? `a line has at most ${options.maxLineBytes} bytes` : 'a line is not UTF-8',
        ),
    });
  }

  async start(): Promise<void> {
    const { input, output } = this.#options;
    output.on('drain', this.#onDrain);
    output.on('error', this.#onGone);
    output.on('close', this.#onGone);
    if (input.readableEnded || input.destroyed) {
      setImmediate(this.#onEnd);
      return;
    }
    input.on('data', this.#onData);
    input.on('end', this.#onEnd);
    input.on('close', this.#onEnd);
    input.on('error', this.#onEnd);
  }

  send(message: JSONRPCMessage): Promise<void> {
    const isAnswer = !('method' in message);
    let text: string;
    try {
      text = JSON.stringify(message);
    } catch (error) {
      if (!isAnswer || message.id === undefined) return Promise.reject(error);
      // Too deep or not JSON after all: the request must still be answered.
      text = JSON.stringify(makeRefusal(message.id, protocolCodes.internalError, 'Internal error'));
    }
    if (isAnswer && message.id !== undefined) this.#settle(message.id);
    this.#write(text);
    return done;
  }

  /** Reads no more; what is under way goes on. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    const { input } = this.#options;
    input.off('data', this.#onData);
    input.off('end', this.#onEnd);
    input.off('close', this.#onEnd);
    // A pipe that breaks later must not end the process.
    input.pause();
  }

  /** When every request has its answer, or after that many milliseconds. */
  answered(withinMs: number): Promise<void> {
    return this.#until(() => this.#open.size === 0, withinMs);
  }

  /** When everything is handed to the system, or after that many milliseconds. */
  written(withinMs: number): Promise<void> {
    this.#flush();
    return this.#until(() => this.#queue.length === 0 && this.#inWriting === 0, withinMs);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.stop();
    this.#flush();
    this.#isClosed = true;
    this.#open.clear();
    this.#wake();
    this.onclose?.();
  }

  readonly #onData = (chunk: Buffer): void => this.#splitter.push(chunk);

  readonly #onEnd = (): void => {
    if (this.#isStopped) return;
    this.stop();
    this.#splitter.end();
    this.#options.onEnd();
  };

  readonly #onGone = (): void => {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#queue = [];
    this.#queued = 0;
    this.stop();
    this.#wake();
    this.#options.onGone();
  };

  readonly #onDrain = (): void => {
    this.#isBlocked = false;
    this.#flush();
    if (this.#isPaused && !this.#isBlocked) {
      this.#isPaused = false;
      if (!this.#isStopped) this.#options.input.resume();
    }
    this.#wake();
  };

  #receive(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#answer(null, protocolCodes.parseError, 'a line is not JSON');
      return;
    }
    const inbound = readInbound(value);
    switch (inbound.kind) {
      case 'refused':
        this.#write(JSON.stringify(inbound.refusal));
        return;
      case 'ignored':
        return;
      case 'request':
        // This one is answered when the connection ends.
        if (inbound.method !== 'subscriptions/listen') {
          this.#open.set(inbound.id, (this.#open.get(inbound.id) ?? 0) + 1);
        }
        break;
      case 'notification': {
        const id = cancelledId(inbound.message);
        if (id !== undefined) this.#settle(id);
        break;
      }
      case 'response':
        break;
    }
    this.onmessage?.(inbound.message);
  }

  #answer(id: MessageId | null, code: number, why: string): void {
    this.#write(JSON.stringify(makeRefusal(id, code, `Parse error: ${why}`)));
  }

  #settle(id: MessageId): void {
    const count = this.#open.get(id);
    if (count === undefined) return;
    if (count > 1) this.#open.set(id, count - 1);
    else this.#open.delete(id);
    if (this.#open.size === 0) this.#wake();
  }

  #write(text: string): void {
    if (this.#isGone || this.#isClosed) return;
    this.#queue.push(text, '\n');
    this.#queued += text.length;
    if (this.#isBlocked) {
      if (this.#queued > mostWaiting && !this.#isPaused && !this.#isStopped) {
        this.#isPaused = true;
        this.#options.input.pause();
      }
      return;
    }
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // After all promises of this turn: whatever they answer goes out in one write.
    process.nextTick(this.#flushLater);
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
    for (const text of texts) {
      this.#inWriting += 1;
      this.#isBlocked = !this.#options.output.write(text, this.#onWritten);
    }
  }

  readonly #onWritten = (): void => {
    this.#inWriting -= 1;
    if (this.#inWriting === 0) this.#wake();
  };

  #wake(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }

  async #until(isDone: () => boolean, withinMs: number): Promise<void> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#wake();
    }, withinMs);
    while (!isDone() && !isLate && !this.#isGone) {
      await new Promise<void>(resolve => {
        this.#waiters.push(resolve);
      });
    }
    clearTimeout(timer);
  }
}
