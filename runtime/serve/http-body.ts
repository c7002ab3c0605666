// In: a request. Out: the JSON of its body, or why there is none. Bodies lie in memory until their last byte has come, which may take a
// while: what all clients are sending is counted, but for small ones.

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { addressOf, type Busy } from './caller-usage.js';
import type { HttpLimits } from './http-limits.js';

export type Body =
  | {
      readonly value: unknown;
      /** In bytes. */
      readonly size: number;
    }
  /** With 413 and those that may come again later the connection ends: the rest of the body is not wanted. */
  | { readonly status: number; readonly code: number; readonly message: string };

export interface BodyLimits {
  readonly limit: number;
  readonly receiving: Receiving;
  /** Why a large body is not even parsed: its values may take ten times as much. */
  refuse(size: number): Busy | undefined;
}

/**
 * Reads at most `limit` bytes; what comes after them is thrown away. `done` is called once, or never where the client
 * leaves meanwhile. No promise: that and what it holds on to cost more than reading a small body.
 */
export function readBody(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  { limit, receiving, refuse }: BodyLimits,
  done: (body: Body) => void,
): void {
  const { headers } = request;
  const type = headers['content-type'];
  if (type !== 'application/json' && !/^\s*application\/json\s*(?:;|$)/i.test(type ?? '')) {
    done({ status: 415, code: -32000, message: 'Unsupported Media Type: Content-Type must be application/json' });
    return;
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    done({ status: 415, code: -32000, message: 'Unsupported Media Type: the body must not be compressed' });
    return;
  }
  const transfer = headers['transfer-encoding'];
  if (transfer !== undefined && transfer.toLowerCase() !== 'chunked') {
    done({ status: 501, code: -32000, message: 'Not Implemented: the only Transfer-Encoding is chunked' });
    return;
  }
  const tooLarge = (): Body => ({
    status: 413,
    code: -32000,
    message: `Payload Too Large: a body has at most ${limit} bytes`,
  });
  if (Number(headers['content-length']) > limit) {
    done(tooLarge());
    return;
  }
  if (request.readableEnded) {
    done(takeParsed(request, limit, tooLarge));
    return;
  }
  // The client waits for this before it sends; a caller that may not pass or has too much never hears it.
  if (headers.expect !== undefined && request.httpVersion !== '1.0') response.writeContinue();
  let first: Buffer | undefined;
  let others: Buffer[] | undefined;
  let size = 0;
  let isOver = false;
  let count: ReturnType<Receiving['open']> | undefined;
  const stop = (why: Body): void => {
    isOver = true;
    first = undefined;
    others = undefined;
    done(why);
  };
  request.on('data', (chunk: Buffer) => {
    if (isOver) return;
    size += chunk.length;
    // Small ones are not worth it.
    if (size >= worthCounting) count ??= receiving.open(request);
    const busy = size > limit ? undefined : count?.(size);
    if (size > limit) {
      stop(tooLarge());
    } else if (busy !== undefined) {
      stop({ ...busy, code: -32000 });
    } else if (first === undefined) {
      first = chunk;
    } else {
      others ??= [];
      others.push(chunk);
    }
  });
  request.on('end', () => {
    if (isOver) return;
    const busy = size < worthCounting ? undefined : refuse(size);
    done(busy === undefined ? parse(first ?? Buffer.alloc(0), others) : { ...busy, code: -32000 });
  });
}

/**
 * What the parser of a host (express.json and the like) has left. Its limit has held already; ours holds as well, by the length that
 * the client said or else by what the value would take.
 */
function takeParsed(request: IncomingMessage, limit: number, tooLarge: () => Body): Body {
  const { body } = request as { readonly body?: unknown };
  if (body === undefined) {
    const message = 'Internal error: the body was read before the request came here, and is not in request.body';
    return { status: 500, code: -32603, message };
  }
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    const bytes = Buffer.from(body);
    return bytes.length > limit ? tooLarge() : parse(bytes, undefined);
  }
  const said = request.headers['content-length'];
  const size = said === undefined ? Buffer.byteLength(JSON.stringify(body)) : Number(said);
  return size > limit ? tooLarge() : { value: body, size };
}

function parse(first: Buffer, others: readonly Buffer[] | undefined): Body {
  const bytes = others === undefined ? first : Buffer.concat([first, ...others]);
  if (!isUtf8(bytes)) return wrong('the body is not UTF-8');
  try {
    return { value: JSON.parse(bytes.toString('utf8')), size: bytes.length };
  } catch {
    return wrong('the body is not JSON');
  }
}

function wrong(why: string): Body {
  return { status: 400, code: -32700, message: `Parse error: ${why}` };
}

/** From here on a body counts. */
const worthCounting = 64 * 1024;

export class Receiving {
  readonly #limits: Pick<HttpLimits, 'receiving' | 'receivingPerAddress'>;
  readonly #byAddress = new Map<string, number>();
  #all = 0;

  constructor(limits: Pick<HttpLimits, 'receiving' | 'receivingPerAddress'>) {
    this.#limits = limits;
  }

  /** Counts a body as it grows; what it gives back says why there is no room for more. */
  open(request: IncomingMessage): (size: number) => Busy | undefined {
    let counted = 0;
    let address = '';
    return size => {
      if (counted === 0) {
        address = addressOf(request.socket.remoteAddress);
        request.once('close', () => this.#add(address, -counted));
      }
      const busy = this.#refuse(address, size - counted);
      this.#add(address, size - counted);
      counted = size;
      return busy;
    };
  }

  #refuse(address: string, more: number): Busy | undefined {
    const { receiving, receivingPerAddress } = this.#limits;
    if ((this.#byAddress.get(address) ?? 0) + more > receivingPerAddress) {
      return { status: 429, message: 'Too Many Requests: too much comes from this address at the same time' };
    }
    if (this.#all + more <= receiving) return undefined;
    return { status: 503, message: 'Service Unavailable: too much comes at the same time' };
  }

  #add(address: string, more: number): void {
    this.#all += more;
    const sum = (this.#byAddress.get(address) ?? 0) + more;
    if (sum > 0) this.#byAddress.set(address, sum);
    else this.#byAddress.delete(address);
  }
}
