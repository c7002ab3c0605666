// In: an answer whose head is read. Out: its bytes, decompressed, at most so many; what is too much ends the connection at once.
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import type { Attempt } from './attempt.js';
import { codeOf, networkFailure, tooLarge } from './network-failure.js';

/** It is read once, by whichever way. */
export interface AnswerBody extends AsyncIterable<Uint8Array> {
  /** All of it. */
  read(): Promise<Buffer>;
  /** Its beginning: the rest is not waited for. */
  readHead(bytes: number): Promise<Buffer>;
  /** Nobody reads it. */
  discard(): void;
}

export interface BodyScope {
  readonly name: string;
  readonly attempt: Attempt;
  /** Infinity: who reads it counts. */
  readonly maxBytes: number;
  readonly hasBody: boolean;
}

export function openBody(response: IncomingMessage, scope: BodyScope): AnswerBody {
  const { name, attempt, maxBytes } = scope;
  const { stream, first, isUnknown } = decompress(response, scope);
  const failureOf = (error: unknown): unknown =>
    attempt.failure === undefined ? networkFailure(name, error) : attempt.failure.reason;
  const checkFailure = (): void => {
    if (attempt.failure !== undefined) throw attempt.failure.reason;
  };
  const unknown = (): UpstreamFailure =>
    new UpstreamFailure('UPSTREAM_INVALID', `${name} answered in an encoding that nobody asked for`);
  /** Decompressors take the end for a mistake where nothing came before it, which is an answer without a body. */
  const isNothing = (error: unknown): boolean =>
    first?.bytesWritten === 0 && response.complete && codeOf(error) === 'Z_BUF_ERROR';
  const quit = (): void => {
    response.destroy();
    stream.destroy();
  };

  const collect = (most: number, isCut: boolean): Promise<Buffer> =>
    new Promise<Buffer>((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      let isOver = false;
      const finish = (): void => {
        isOver = true;
        attempt.end();
        const [first] = chunks;
        resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
      };
      const fail = (reason: unknown): void => {
        isOver = true;
        attempt.end();
        reject(reason);
      };
      attempt.onStop = () => {
        quit();
        fail(attempt.failure?.reason);
      };
      if (attempt.failure !== undefined) {
        attempt.onStop();
        return;
      }
      if (isUnknown) {
        quit();
        fail(unknown());
        return;
      }
      // The answer to HEAD has the size of what GET would get.
      if (!isCut && scope.hasBody && Number(response.headers['content-length'] ?? 0) > most) {
        quit();
        fail(tooLarge(name, most));
        return;
      }
      const breakOff = (): void => {
        // Every stream closes at its end, and an error takes time to make.
        if (!isOver) fail(failureOf(response.errored ?? Object.assign(new Error('aborted'), { code: 'ECONNRESET' })));
      };
      if (stream.destroyed) {
        breakOff();
        return;
      }
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size <= most) return;
        stream.removeAllListeners('data');
        quit();
        if (isCut) finish();
        else fail(tooLarge(name, most));
      });
      stream.on('end', finish);
      stream.on('error', error => (isNothing(error) ? finish() : fail(failureOf(error))));
      stream.on('close', breakOff);
    });

  async function* iterate(): AsyncGenerator<Uint8Array> {
    let size = 0;
    attempt.onStop = quit;
    try {
      checkFailure();
      if (isUnknown) throw unknown();
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > maxBytes) throw tooLarge(name, maxBytes);
        yield chunk;
      }
      checkFailure();
    } catch (error) {
      if (!isNothing(error)) throw failureOf(error);
    } finally {
      // Also where nobody wants the rest.
      if (!response.complete) quit();
      attempt.end();
    }
  }

  return {
    [Symbol.asyncIterator]: iterate,
    read: () => collect(maxBytes, false),
    readHead: bytes => collect(bytes, true),
    discard() {
      // An answer without a body leaves its connection for the next request.
      if (scope.hasBody) quit();
      else response.resume();
      attempt.end();
    },
  };
}

interface Decompressed {
  readonly stream: Readable;
  /** What the bytes of the answer go into. */
  readonly first?: (Transform & { readonly bytesWritten?: number }) | undefined;
  /** Its bytes are of no use, but its status and its headers are. */
  readonly isUnknown?: boolean;
}

/** Servers may use several, one after the other. */
function decompress(response: IncomingMessage, { hasBody }: BodyScope): Decompressed {
  const header = response.headers['content-encoding'];
  if (header === undefined || !hasBody) return { stream: response };
  const encodings = header
    .toLowerCase()
    .split(',')
    .map(encoding => encoding.trim())
    .filter(encoding => encoding !== '' && encoding !== 'identity');
  if (encodings.length === 0) return { stream: response };
  if (encodings.length > mostEncodings || !encodings.every(encoding => known.has(encoding)))
    return { stream: response, isUnknown: true };
  const decoders = encodings.reverse().map(decoderOf);
  // The reader of the last one learns of the errors of all.
  return { stream: pipeline([response, ...decoders], () => {}) as unknown as Readable, first: decoders[0] };
}

const known = new Set(['gzip', 'x-gzip', 'br', 'deflate']);
const mostEncodings = 2;

function decoderOf(encoding: string): Transform {
  switch (encoding) {
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      return makeInflate();
    default:
      return createGunzip();
  }
}

/** `deflate` means zlib, and some servers send it without the head of zlib. The first byte tells. */
function makeInflate(): Transform {
  let inner: Transform | undefined;
  const feed = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      if (inner === undefined) {
        inner = ((chunk[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
        inner.on('data', part => feed.push(part));
        inner.on('error', error => feed.destroy(error));
      }
      inner.write(chunk, error => done(error));
    },
    flush(done: TransformCallback) {
      if (inner === undefined) done();
      else inner.once('end', () => done()).end();
    },
    destroy(error, done) {
      inner?.destroy();
      done(error);
    },
  });
  return feed;
}
