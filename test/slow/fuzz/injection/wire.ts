// The other side of a request: a server that keeps the bytes of what it gets, and readers of them that share nothing with our encoders.

import { strict as assert } from 'node:assert';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

export interface WireRequest {
  readonly method: string;
  readonly target: string;
  /** As they came, names in lower case, values without the space around them. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

export interface WireServer {
  readonly origin: string;
  readonly host: string;
  /** What came since the last time. Fails where bytes came that are not a whole request. */
  take(): readonly WireRequest[];
  close(): Promise<void>;
}

const answer = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{"ok":true}';

/** It has no limit of its own, so that nothing is refused on the way. */
export async function startWireServer(): Promise<WireServer> {
  let received: WireRequest[] = [];
  const pending = new Map<Socket, Buffer>();
  const server = createServer(socket => {
    pending.set(socket, Buffer.alloc(0));
    socket.on('data', chunk => {
      let rest = Buffer.concat([pending.get(socket) ?? Buffer.alloc(0), chunk]);
      for (;;) {
        const found = readRequest(rest);
        if (found === undefined) break;
        received.push(found.request);
        rest = rest.subarray(found.length);
        socket.write(answer);
      }
      pending.set(socket, rest);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => pending.delete(socket));
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: `http://${host}`,
    host,
    take() {
      const taken = received;
      received = [];
      for (const rest of pending.values())
        assert.equal(rest.length, 0, `bytes beyond a request: ${rest.subarray(0, 200)}`);
      return taken;
    },
    async close() {
      for (const socket of pending.keys()) socket.destroy();
      await new Promise(done => server.close(done));
    },
  };
}

function readRequest(bytes: Buffer): { request: WireRequest; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const [, method = '', target = ''] = /^([A-Z]+) ([\x21-\x7e]+) HTTP\/1\.1$/.exec(first) ?? [];
  assert.notEqual(method, '', `not a request line: ${JSON.stringify(first.slice(0, 200))}`);
  const headers = lines.map(line => {
    const [, name = '', value = ''] = /^([!-9;-~]+):[ \t]*([^\r\n\0]*?)[ \t]*$/.exec(line) ?? [];
    assert.notEqual(name, '', `not a header: ${JSON.stringify(line.slice(0, 200))}`);
    return [name.toLowerCase(), value] as const;
  });
  assert(!headers.some(([name]) => name === 'transfer-encoding'), 'a body without a length');
  const lengths = headers.filter(([name]) => name === 'content-length').map(([, value]) => value);
  assert(lengths.length <= 1, 'two lengths');
  const length = Number(lengths[0] ?? 0);
  if (bytes.length < end + 4 + length) return undefined;
  const body = Buffer.from(bytes.subarray(end + 4, end + 4 + length));
  return { request: { method, target, headers, body }, length: end + 4 + length };
}

/** Fails where it is not UTF-8. */
export function percentDecode(text: string, plusIsSpace = false): string {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '%') {
      const code = text.slice(at + 1, at + 3);
      assert.match(code, /^[0-9A-Fa-f]{2}$/, `a broken escape in ${text.slice(0, 200)}`);
      bytes.push(Number.parseInt(code, 16));
      at += 2;
    } else bytes.push(plusIsSpace && sign === '+' ? 0x20 : sign.charCodeAt(0));
  }
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
}

export interface Target {
  readonly segments: readonly string[];
  /** As they are. */
  readonly rawSegments: readonly string[];
  readonly query: readonly (readonly [name: string, raw: string])[];
}

/** As a router reads it, and as one that walks the steps `.` and `..` first: both must see the same. */
export function readTarget(target: string): Target {
  const [path = '', ...more] = target.split('?');
  assert(more.length <= 1, `two queries in ${target.slice(0, 200)}`);
  assert.match(target, /^\/[^#]*$/);
  const walked = new URL(`http://host${target}`);
  assert.equal(walked.pathname, path, 'a step in the path');
  assert(!path.split('/').some(segment => /^(?:\.|%2e){1,2}(?:;|$)/i.test(segment)), 'a step before a parameter');
  const rawSegments = path.slice(1).split('/');
  return { segments: rawSegments.map(one => percentDecode(one)), rawSegments, query: readPairs(more[0] ?? '', false) };
}

/** Names decoded, values as they are. */
export function readPairs(text: string, plusIsSpace: boolean): readonly (readonly [string, string])[] {
  if (text === '') return [];
  return text.split('&').map(pair => {
    const at = pair.indexOf('=');
    assert(at >= 0, `a name without a value: ${pair.slice(0, 100)}`);
    return [percentDecode(pair.slice(0, at), plusIsSpace), pair.slice(at + 1)] as const;
  });
}

/** `a[b][]` as ['a', 'b', '']. */
export function readBrackets(name: string): readonly string[] {
  const [, head = '', rest = ''] = /^([^[\]]*)((?:\[[^[\]]*\])*)$/.exec(name) ?? [];
  assert.notEqual(head, '', `odd brackets: ${name}`);
  return [head, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, key = '']) => key)];
}

export function readCookies(header: string): readonly (readonly [string, string])[] {
  return header.split(';').map(pair => {
    const [name = '', value = '', ...more] = pair.trim().split('=');
    assert.equal(more.length, 0, 'a cookie with two values');
    assert.match(value, /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/);
    return [name, percentDecode(value)] as const;
  });
}

/** Elements of a list and their parameters: commas and semicolons in quoted strings are not separators. */
export function readHeaderList(text: string): readonly (readonly string[])[] {
  const list: string[][] = [['']];
  let isQuoted = false;
  const add = (sign: string): void => {
    const element = list.at(-1) ?? [];
    element.push(`${element.pop() ?? ''}${sign}`);
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (isQuoted && sign === '\\') {
      add(text.slice(at, at + 2));
      at += 1;
    } else if (sign === '"') {
      isQuoted = !isQuoted;
      add(sign);
    } else if (!isQuoted && sign === ',') list.push(['']);
    else if (!isQuoted && sign === ';') list.at(-1)?.push('');
    else add(sign);
  }
  assert(!isQuoted, 'a string that does not end');
  return list.map(element => element.map(part => part.replace(/^[ \t]+|[ \t]+$/g, '')));
}

export interface WirePart {
  readonly name: string;
  readonly filename: string | undefined;
  readonly type: string | undefined;
  readonly content: Buffer;
}

export function readMultipart(type: string, body: Buffer): readonly WirePart[] {
  const [, boundary = ''] = /^multipart\/form-data; boundary=([\w-]+)$/.exec(type) ?? [];
  assert.notEqual(boundary, '');
  // Binary as Latin 1, so that indexes are bytes.
  const [before = '', ...pieces] = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`);
  assert.equal(before, '');
  assert.equal(pieces.pop(), '--\r\n');
  return pieces.map(piece => {
    const end = piece.indexOf('\r\n\r\n');
    const [first, ...lines] = Buffer.from(piece.slice(0, end), 'latin1').toString('utf8').split('\r\n');
    assert.equal(first, '');
    const headers = lines.map(
      line => /^(Content-Disposition|Content-Type): ([^\r\n]*)$/.exec(line) ?? assert.fail(line),
    );
    assert.equal(new Set(headers.map(([, name]) => name)).size, headers.length, 'a header twice');
    const headerOf = (name: string): string | undefined => headers.find(one => one[1] === name)?.[2];
    const disposition = headerOf('Content-Disposition') ?? '';
    // No backslash: some readers take it for an escape.
    const [, name, , filename] =
      /^form-data; name="([^"\\]*)"(; filename="([^"\\]*)")?$/.exec(disposition) ?? assert.fail(disposition);
    const content = Buffer.from(piece.slice(end + 4), 'latin1');
    return {
      name: unquote(name ?? ''),
      filename: filename === undefined ? undefined : unquote(filename),
      type: headerOf('Content-Type'),
      content,
    };
  });
}

/** The three escapes that browsers write. */
function unquote(text: string): string {
  return text.replace(/%(22|0D|0A)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
