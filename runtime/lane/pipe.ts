// In: bytes of a client. Out: messages that have their form; and answers back, as lines. Knows when every request is answered.
import { protocolCodes } from '../call/protocol-problem.js';
import {
  cancelledId,
  type InboundNotification,
  type InboundRequest,
  type InboundResponse,
  makeRefusal,
  readInbound,
} from './inbound.js';
import { LineWriter, type Output } from './line-writer.js';
import { LineSplitter } from './lines.js';
import type { MessageId } from './ports.js';

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
}

/** Lines of JSON over two pipes. */
export class LinePipe {
  readonly #options: PipeOptions;
  readonly #splitter: LineSplitter;
  readonly #writer: LineWriter;
  /** How many requests of an id wait for an answer; clients may use one twice. */
  readonly #open = new Map<MessageId, number>();
  #onAnswered: (() => void)[] = [];
  #isStopped = false;
  #isClosed = false;

  constructor(options: PipeOptions) {
    const { input, output, maxLineBytes } = options;
    this.#options = options;
    this.#splitter = new LineSplitter(maxLineBytes, {
      line: text => this.#receive(text),
      broken: why =>
        this.#refuse(why === 'length' ? `a line has at most ${maxLineBytes} bytes` : 'a line is not UTF-8'),
    });
    this.#writer = new LineWriter(output, {
      pressure: isHigh => {
        if (!this.#isStopped) isHigh ? input.pause() : input.resume();
      },
      gone: () => {
        this.stop();
        this.#open.clear();
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

  /** One message that is no answer. */
  write(text: string): void {
    if (!this.#isClosed) this.#writer.write(text);
  }

  /** The answer to a request. */
  answer(id: MessageId, text: string): void {
    this.#settle(id);
    this.write(text);
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
    while (this.#open.size > 0) {
      await new Promise<void>(resolve => {
        this.#onAnswered.push(resolve);
      });
    }
  }

  /** Takes nothing more to write; settled when everything before is handed to the system. */
  close(): Promise<void> {
    this.#isClosed = true;
    this.stop();
    this.#open.clear();
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
        // This one is answered when the connection ends.
        if (inbound.method !== 'subscriptions/listen') {
          this.#open.set(inbound.id, (this.#open.get(inbound.id) ?? 0) + 1);
        }
        break;
      case 'notification': {
        const id = cancelledId(inbound);
        if (id !== undefined) this.#settle(id);
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

  #settle(id: MessageId): void {
    const count = this.#open.get(id);
    if (count === undefined) return;
    if (count > 1) this.#open.set(id, count - 1);
    else this.#open.delete(id);
    if (this.#open.size === 0) this.#wake();
  }

  /** Nothing more will be answered, or everything is. */
  #wake(): void {
    const waiting = this.#onAnswered;
    if (waiting.length === 0) return;
    this.#onAnswered = [];
    for (const wake of waiting) wake();
  }
}
