// In: a request. Out: the JSON of its body, or why there is none.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

export type Body =
  | { readonly value: unknown }
  | { readonly status: number; readonly code: number; readonly message: string };

/** Reads at most `limit` bytes; what comes after them is thrown away. Undefined: the client left meanwhile. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Body | undefined> {
  const { headers } = request;
  if (!/^\s*application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '')) {
    return { status: 415, code: -32000, message: 'Unsupported Media Type: Content-Type must be application/json' };
  }
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') {
    return { status: 415, code: -32000, message: 'Unsupported Media Type: the body must not be compressed' };
  }
  const tooLarge = { status: 413, code: -32000, message: `Payload Too Large: a body has at most ${limit} bytes` };
  if (Number(headers['content-length']) > limit) return tooLarge;
  const bytes = await collect(request, limit);
  if (bytes === undefined) return undefined;
  if (bytes === 'too large') return tooLarge;
  const wrong = (why: string): Body => ({ status: 400, code: -32700, message: `Parse error: ${why}` });
  if (!isUtf8(bytes)) return wrong('the body is not UTF-8');
  try {
    return { value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    return wrong('the body is not JSON');
  }
}

function collect(request: IncomingMessage, limit: number): Promise<Buffer | 'too large' | undefined> {
  return new Promise(resolve => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      resolve('too large');
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', () => resolve(undefined));
    request.on('close', () => resolve(undefined));
  });
}
