// In: a request. Out: the JSON of its body, or why there is none.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';

export type Body =
  | { readonly value: unknown }
  | { readonly status: number; readonly code: number; readonly message: string };

/**
 * Reads at most `limit` bytes; what comes after them is thrown away. `done` is called once, or never where the client
 * leaves meanwhile. No promise: that and what it holds on to cost more than reading a small body.
 */
export function readBody(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  limit: number,
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
  const tooLarge = (): Body => ({
    status: 413,
    code: -32000,
    message: `Payload Too Large: a body has at most ${limit} bytes`,
  });
  if (Number(headers['content-length']) > limit) {
    done(tooLarge());
    return;
  }
  // The client waits for this before it sends; anyone who may not pass or has too much never hears it.
  if (headers.expect !== undefined) response.writeContinue();
  let first: Buffer | undefined;
  let others: Buffer[] | undefined;
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    if (size > limit) return;
    size += chunk.length;
    if (size > limit) {
      others = undefined;
      done(tooLarge());
    } else if (first === undefined) {
      first = chunk;
    } else {
      others ??= [];
      others.push(chunk);
    }
  });
  request.on('end', () => {
    if (size <= limit) done(parse(first ?? Buffer.alloc(0), others));
  });
}

function parse(first: Buffer, others: readonly Buffer[] | undefined): Body {
  const bytes = others === undefined ? first : Buffer.concat([first, ...others]);
  if (!isUtf8(bytes)) return wrong('the body is not UTF-8');
  try {
    return { value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    return wrong('the body is not JSON');
  }
}

function wrong(why: string): Body {
  return { status: 400, code: -32700, message: `Parse error: ${why}` };
}
