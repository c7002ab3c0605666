// A server at an address. In: how requests are sent there. Out: a link: each message is a POST, whose answer is a message or a stream of
// them. In 2025 there is a session and a stream for what belongs to no request; in 2026 every request stands for itself.

import { isMap } from '../../../schema/document.js';
import { pause } from '../../call/pause.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import type { Sender as HttpSender, Sent } from '../http/sender.js';
import { EventReader } from './event-reader.js';
import { failureOf, isLostSession, readError } from './http-errors.js';
import type { Link, LinkEvents, Outgoing, Sender } from './link.js';
import { headerValue } from './param-headers.js';
import { type Message, metaKeys, newestVersion, type Params, type ServerFacts } from './wire.js';

export interface HttpInput {
  readonly name: string;
  readonly sender: HttpSender;
  readonly mostBytes: number;
  /** Whom it is opened for: requests without a call are sent as theirs. */
  readonly opener: Sender;
  /** Whether to listen to what belongs to no call: not in the name of somebody whose token may end. */
  readonly hasNews: boolean;
  readonly events: LinkEvents;
}

const accepted = 'application/json, text/event-stream';
/** Which member of the params a header repeats, by method. */
const named: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);
const mostResumes = 5;
const resumeMs = 1000;
/** Servers say how long to wait: not so short that nothing else is done. */
const shortestPauseMs = 100;
const longestPauseMs = 30_000;
/** A stream should end with its answer. One that goes on must not keep a connection for every call. */
const afterAnswerMs = 1000;

/**
 * @example const link = openHttpLink({ name: 'docs', sender, mostBytes, opener: call, hasNews: true, events });
 */
export function openHttpLink(input: HttpInput): Link {
  return new HttpLink(input);
}

class HttpLink implements Link {
  readonly #input: HttpInput;
  readonly #active = new Map<number, AbortController>();
  readonly #others = new Set<AbortController>();
  #facts: ServerFacts | undefined;
  #session: string | undefined;
  /** Nothing overtakes the end of the handshake. */
  #barrier: Promise<void> | undefined;
  /** Closed, or without its session: nothing more is sent. */
  #isOver = false;

  constructor(input: HttpInput) {
    this.#input = input;
  }

  send(message: Outgoing): void {
    if (this.#isOver) return;
    const posting = this.#post(message, this.#barrier);
    if (message.method !== 'notifications/initialized') return;
    this.#barrier = posting.then(() => {
      this.#barrier = undefined;
      if (this.#input.hasNews && !this.#isOver) void this.#listen();
    });
  }

  /** In 2026 a server learns from the end of the request that nobody waits. */
  drop(id: number): boolean {
    this.#active.get(id)?.abort();
    this.#active.delete(id);
    return this.#facts?.era === 'modern';
  }

  settle(facts: ServerFacts): void {
    this.#facts = facts;
  }

  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const session = this.#session;
    this.#abortAll();
    if (session === undefined) return;
    const { sender, opener } = this.#input;
    const call = { signal: AbortSignal.timeout(1000), request: opener.request };
    await sender.send({ method: 'DELETE', headers: this.#headers({ text: '' }), isStream: true }, call).then(
      ({ body }) => body.discard(),
      () => undefined,
    );
  }

  #abortAll(): void {
    for (const controller of [...this.#active.values(), ...this.#others]) controller.abort();
    this.#active.clear();
    this.#others.clear();
  }

  async #post(message: Outgoing, before: Promise<void> | undefined): Promise<void> {
    const { sender, opener, events } = this.#input;
    const { id, text } = message;
    const controller = new AbortController();
    if (id === undefined) this.#others.add(controller);
    else this.#active.set(id, controller);
    try {
      if (before !== undefined) await before;
      const headers = this.#headers(message);
      headers['content-type'] = 'application/json';
      const call = { signal: controller.signal, request: (message.sender ?? opener).request };
      const sent = await sender.send({ method: 'POST', headers, body: text, isStream: true }, call);
      if (message.method === 'initialize' && sent.status < 300) this.#session = sent.headers['mcp-session-id'];
      await this.#read(sent, message, controller);
    } catch (error) {
      // What is no longer active was answered, or nobody waits for it.
      if (id !== undefined && this.#active.get(id) === controller) events.failed(id, error);
    } finally {
      this.#others.delete(controller);
      if (id !== undefined) this.#active.delete(id);
    }
  }

  #headers({ method, params, headers }: Outgoing): Record<string, string> {
    const all: Record<string, string> = { accept: accepted, ...headers };
    const meta = params?.['_meta'];
    const isModern = method !== undefined && isMap(meta) && meta[metaKeys.version] !== undefined;
    if (!isModern) {
      if (this.#session !== undefined && method !== 'initialize') all['mcp-session-id'] = this.#session;
      if (this.#facts !== undefined) all['mcp-protocol-version'] = this.#facts.version;
      return all;
    }
    all['mcp-protocol-version'] = newestVersion;
    all['mcp-method'] = method;
    const name = params?.[named.get(method) ?? ''];
    if (typeof name === 'string') all['mcp-name'] = headerValue(name);
    return all;
  }

  async #read(sent: Sent, { id, sender = this.#input.opener }: Outgoing, controller: AbortController): Promise<void> {
    const { name, mostBytes, events } = this.#input;
    if (sent.status >= 300) return this.#refused(sent, id, sender);
    if (id === undefined) return sent.body.discard();
    const isWaiting = (): boolean => this.#active.get(id) === controller;
    const take = (message: Message): void => {
      // Before: a caller that is answered may send the next request at once.
      if (message['id'] === id && message['method'] === undefined) this.#active.delete(id);
      events.message(message, id);
    };
    switch (mediaType(sent)) {
      case 'application/json': {
        const text = await readText(sent, mostBytes, name);
        for (const message of this.#parse(text, sender)) take(message);
        if (isWaiting()) throw new UpstreamFailure('UPSTREAM_INVALID', `${name} answered another request`);
        return;
      }
      case 'text/event-stream': {
        let late: NodeJS.Timeout | undefined;
        const takeEvent = (message: Message): void => {
          take(message);
          if (late !== undefined || isWaiting()) return;
          this.#others.add(controller);
          late = setTimeout(() => controller.abort(), afterAnswerMs).unref();
        };
        try {
          const reader = await this.#readEvents(sent, takeEvent, sender);
          for (let count = 0; isWaiting() && reader.lastId !== undefined && count < mostResumes; count += 1)
            await this.#resume(reader, takeEvent, controller, sender);
        } finally {
          clearTimeout(late);
        }
        if (isWaiting())
          throw new UpstreamFailure('UPSTREAM_UNREACHABLE', `${name} ended the connection before its answer was there`);
        return;
      }
      default:
        sent.body.discard();
        throw new UpstreamFailure(
          'UPSTREAM_INVALID',
          `${name} answered with ${mediaType(sent) || 'nothing'}, which is not a message`,
        );
    }
  }

  async #refused(sent: Sent, id: number | undefined, sender: Sender): Promise<void> {
    const { name, events, sender: http } = this.#input;
    const text = (await sent.body.readHead(65_536)).toString('utf8');
    const error = readError(http.hideTokens(text, sender));
    if (isLostSession(sent.status, this.#session, error)) {
      const failure = new UpstreamFailure('UPSTREAM_UNREACHABLE', `${name} no longer knows this session`);
      this.#isOver = true;
      this.#session = undefined;
      this.#abortAll();
      events.gone(failure, new Set(id === undefined ? [] : [id]));
      return;
    }
    if (id === undefined) return;
    if (error !== undefined && error['id'] === id) events.message(error, id);
    else throw failureOf(name, sent, error, words => http.redact(words, sender));
  }

  /** Gives back where the stream has ended. */
  async #readEvents(
    sent: Sent,
    take: (message: Message) => void,
    sender: Sender,
    last?: EventReader,
  ): Promise<EventReader> {
    const { name, mostBytes } = this.#input;
    const reader = new EventReader(mostBytes, {
      data: text => this.#parse(text, sender).forEach(take),
      tooLong: () => {
        throw new UpstreamFailure('UPSTREAM_TOO_LARGE', `${name} answered with more than ${mostBytes} bytes`);
      },
    });
    reader.lastId = last?.lastId;
    reader.retryMs = last?.retryMs;
    try {
      for await (const chunk of sent.body) reader.push(chunk);
    } catch (error) {
      // A stream that can be taken up again may break.
      if (reader.lastId === undefined || !(error instanceof UpstreamFailure) || error.code !== 'UPSTREAM_UNREACHABLE')
        throw error;
    }
    return reader;
  }

  /** 2025: a server may end a stream and go on with it later. */
  async #resume(
    reader: EventReader,
    take: (message: Message) => void,
    { signal }: AbortController,
    sender: Sender,
  ): Promise<void> {
    await pause(pauseOf(reader) ?? resumeMs, signal);
    if (signal.aborted) return;
    const headers = {
      ...this.#headers({ text: '' }),
      accept: 'text/event-stream',
      'last-event-id': reader.lastId ?? '',
    };
    const sent = await this.#input.sender.send(
      { method: 'GET', headers, isStream: true },
      { signal, request: sender.request },
    );
    if (sent.status >= 300 || mediaType(sent) !== 'text/event-stream') return sent.body.discard();
    const next = await this.#readEvents(sent, take, sender, reader);
    reader.lastId = next.lastId;
    reader.retryMs = next.retryMs;
  }

  /** 2025: what the server says by itself. Servers need not offer it. */
  async #listen(): Promise<void> {
    const { sender, opener, events } = this.#input;
    const controller = new AbortController();
    const { signal } = controller;
    this.#others.add(controller);
    let last: EventReader | undefined;
    for (let pauseMs = resumeMs; !signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        const headers = { ...this.#headers({ text: '' }), accept: 'text/event-stream' };
        if (last?.lastId !== undefined) Object.assign(headers, { 'last-event-id': last.lastId });
        const sent = await sender.send({ method: 'GET', headers, isStream: true }, { signal, request: opener.request });
        if (mediaType(sent) !== 'text/event-stream') sent.body.discard();
        if (sent.status >= 400 && sent.status < 500) break;
        if (sent.status < 300 && mediaType(sent) === 'text/event-stream') {
          pauseMs = resumeMs;
          last = await this.#readEvents(sent, message => events.message(message), opener, last);
        }
      } catch {
        // It is tried again; calls find out by themselves whether the server is there.
      }
      await pause(pauseOf(last) ?? pauseMs, signal);
    }
    this.#others.delete(controller);
  }

  /** Secrets of the configuration leave results later, with all others; tokens are only known here. */
  #parse(text: string, sender: Sender): readonly Params[] {
    const { name, sender: http } = this.#input;
    return parseMessages(http.hideTokens(text, sender), name);
  }
}

/** As the server wants it, within reason. */
function pauseOf(reader: EventReader | undefined): number | undefined {
  const wanted = reader?.retryMs;
  return wanted === undefined ? undefined : Math.min(Math.max(wanted, shortestPauseMs), longestPauseMs);
}

function mediaType({ headers }: Sent): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

async function readText({ body }: Sent, most: number, name: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > most) throw new UpstreamFailure('UPSTREAM_TOO_LARGE', `${name} answered with more than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size).toString('utf8');
}

function parseMessages(text: string, name: string): readonly Params[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UpstreamFailure('UPSTREAM_INVALID', `${name} answered with something that is not JSON`);
  }
  return (Array.isArray(value) ? value : [value]).filter(isMap);
}
