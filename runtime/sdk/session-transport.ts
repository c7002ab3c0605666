// In: the HTTP requests of one session of 2025. Out: messages for the SDK, and its answers on the right stream.
// Not the SDK's own transport: that keeps the stream of a cancelled call for ever, mixes up requests with the same id,
// and looks at each message a dozen times. A call that is quick is answered with plain JSON, any other with a stream.
import type { JSONRPCMessage, MessageExtraInfo, Transport } from '@modelcontextprotocol/server';
import { protocolCodes } from '../call/protocol-error.js';
import type { Load, Weight } from '../protocol/caller.js';
import { EventLog, type EventShare, EventStream, parseEventId, type Reply } from '../protocol/event-log.js';
import { makeRefusal } from '../protocol/inbound.js';
import type { MessageId } from '../protocol/ports.js';

/** The requests of one POST, until all of them are answered or cancelled. */
interface Exchange {
  /** Of its stream. */
  readonly number: number;
  /** Made when it is opened: most answers are one piece of JSON. */
  stream: EventStream | undefined;
  readonly open: Set<MessageId>;
  /** Until the stream is opened: the whole answer may still be JSON. */
  reply: Reply | undefined;
  readonly timer: NodeJS.Timeout;
  /** Clients since 2025-11-25 learn at once how to come back. */
  readonly canResume: boolean;
  /** What it costs as long as it is open. */
  readonly weight: Weight;
}

export interface Post {
  readonly messages: readonly JSONRPCMessage[];
  /** Of requests; none of them is open. */
  readonly ids: readonly MessageId[];
  readonly canResume: boolean;
  readonly weight: Weight;
  /** What the SDK tells handlers of requests. */
  readonly extra: MessageExtraInfo;
}

/** What the caller of a session takes of the server, over all its sessions. */
export interface SessionShare {
  readonly events: EventShare;
  /** Counts requests that are not answered yet. */
  readonly load: Load;
}

/** A call that takes longer is answered with a stream. */
const quickMs = 25;
const keepAliveMs = 15_000;
const retryMs = 1000;
/** The stream of what belongs to no request. */
const ownStream = 0;

export class SessionTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;

  readonly sessionId: string;
  readonly #load: Load;
  readonly #log: EventLog;
  readonly #own: EventStream;
  readonly #exchanges = new Map<MessageId, Exchange>();
  readonly #keepAlive: NodeJS.Timeout;
  #streams = ownStream;
  #isClosed = false;

  constructor(sessionId: string, { events, load }: SessionShare) {
    this.sessionId = sessionId;
    this.#load = load;
    this.#log = new EventLog(events);
    this.#own = new EventStream(ownStream, this.#log);
    this.#keepAlive = setInterval(() => {
      this.#own.keepAlive();
      for (const { stream } of new Set(this.#exchanges.values())) stream?.keepAlive();
    }, keepAliveMs);
    this.#keepAlive.unref();
  }

  /** How many requests are not answered yet. */
  get openRequests(): number {
    return this.#exchanges.size;
  }

  isOpen(id: MessageId): boolean {
    return this.#exchanges.has(id);
  }

  async start(): Promise<void> {}

  post({ messages, ids, canResume, weight, extra }: Post, reply: Reply): void {
    if (ids.length > 0) this.#begin(ids, { canResume, weight }, reply);
    for (const message of messages) this.onmessage?.(message, extra);
    if (ids.length === 0) reply.sendEmpty(202);
  }

  /** A request that is answered without the SDK. */
  begin(id: MessageId, about: Pick<Post, 'canResume' | 'weight'>, reply: Reply): void {
    this.#begin([id], about, reply);
  }

  /** `text`: the JSON of its answer. Nothing where it was cancelled. */
  answer(id: MessageId, text: string): void {
    const exchange = this.#exchanges.get(id);
    if (exchange !== undefined) this.#answer(exchange, id, text);
  }

  /** A GET: what the session has to say on its own, or what a broken stream has left to say. */
  listen(lastEventId: string | null, reply: Reply): void {
    if (lastEventId === null) {
      if (this.#own.isConnected) reply.sendError(409, 'Conflict: Only one SSE stream is allowed per session');
      else this.#own.connect(reply);
      return;
    }
    const place = parseEventId(lastEventId);
    if (place === undefined) {
      reply.sendError(400, 'Invalid event ID format');
      return;
    }
    const events = this.#log.after(place);
    const live = this.#findStream(place.stream);
    // In the language of event streams: do not come back. Old clients would, every second.
    if (live === undefined && events.length === 0) {
      reply.sendEmpty(204);
      return;
    }
    const stream = live ?? new EventStream(place.stream, this.#log);
    stream.end();
    stream.connect(reply);
    stream.replay(events);
    if (live === undefined) stream.end();
  }

  async send(message: JSONRPCMessage, options?: { relatedRequestId?: MessageId }): Promise<void> {
    if (this.#isClosed) throw new Error('The session has ended');
    const isAnswer = !('method' in message);
    const id = isAnswer ? message.id : options?.relatedRequestId;
    if (id === undefined) {
      this.#own.send(JSON.stringify(message));
      return;
    }
    const exchange = this.#exchanges.get(id);
    if (exchange === undefined) {
      // A late word of a call that is over is nothing; a question would never be answered.
      if (!isAnswer && 'id' in message) throw new Error('The call that asks is over');
      return;
    }
    if (isAnswer) this.#answer(exchange, id, toText(message, id));
    else this.#streamOf(exchange).send(JSON.stringify(message));
  }

  /** It is aborted and will have no answer. */
  cancel(id: MessageId): void {
    const exchange = this.#exchanges.get(id);
    if (exchange !== undefined) this.#settle(exchange, id);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#keepAlive);
    for (const exchange of new Set(this.#exchanges.values())) {
      clearTimeout(exchange.timer);
      exchange.reply?.sendError(404, 'Session not found', -32001);
      exchange.stream?.end();
      this.#load.end(exchange.weight);
    }
    this.#own.end();
    this.#exchanges.clear();
    this.#log.clear();
    this.onclose?.();
  }

  #begin(ids: readonly MessageId[], about: Pick<Post, 'canResume' | 'weight'>, reply: Reply): void {
    this.#streams += 1;
    const exchange: Exchange = {
      number: this.#streams,
      stream: undefined,
      open: new Set(ids),
      reply,
      canResume: about.canResume,
      weight: about.weight,
      timer: setTimeout(() => this.#streamOf(exchange), quickMs).unref(),
    };
    for (const id of ids) this.#exchanges.set(id, exchange);
    this.#load.begin(exchange.weight);
    reply.onClose(() => {
      exchange.reply = undefined;
    });
  }

  #answer(exchange: Exchange, id: MessageId, text: string): void {
    if (exchange.reply !== undefined && exchange.open.size === 1) {
      exchange.reply.sendJson(text);
      exchange.reply = undefined;
    } else {
      this.#streamOf(exchange).send(text);
    }
    this.#settle(exchange, id);
  }

  #settle(exchange: Exchange, id: MessageId): void {
    this.#exchanges.delete(id);
    if (!exchange.open.delete(id) || exchange.open.size > 0) return;
    this.#load.end(exchange.weight);
    clearTimeout(exchange.timer);
    exchange.reply?.sendEmpty(202);
    exchange.reply = undefined;
    exchange.stream?.end();
  }

  /** From now on it is a stream; if the client has left, only its log. */
  #streamOf(exchange: Exchange): EventStream {
    const { reply, canResume } = exchange;
    const stream = this.#makeStream(exchange);
    if (reply === undefined) return stream;
    exchange.reply = undefined;
    clearTimeout(exchange.timer);
    stream.connect(reply, canResume ? `id: ${this.#log.mark(stream.id)}\nretry: ${retryMs}\ndata: \n\n` : '');
    return stream;
  }

  #makeStream(exchange: Exchange): EventStream {
    exchange.stream ??= new EventStream(exchange.number, this.#log);
    return exchange.stream;
  }

  #findStream(number: number): EventStream | undefined {
    if (number === ownStream) return this.#own;
    for (const exchange of this.#exchanges.values()) if (exchange.number === number) return this.#makeStream(exchange);
    return undefined;
  }
}

function toText(message: JSONRPCMessage, id: MessageId): string {
  try {
    return JSON.stringify(message);
  } catch {
    // Too deep or not JSON after all: the request must still be answered.
    return JSON.stringify(makeRefusal(id, protocolCodes.internalError, 'Internal error'));
  }
}
