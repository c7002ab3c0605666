// What stands in for Node's modules in a worker, against Node itself.
import * as node from 'node:crypto';
import { types } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Buffer as WebBuffer } from '../../../runtime/worker/bytes.js';
import { isUtf8 } from '../../../runtime/worker/node-absent.js';
import * as web from '../../../runtime/worker/node-crypto.js';
import { types as webTypes } from '../../../runtime/worker/node-util.js';
import { clearTimeout as clearLater, setTimeout as later } from '../../../runtime/worker/timers.js';

const sizes = [0, 1, 15, 16, 17, 55, 56, 63, 64, 65, 119, 120, 1000, 5000];

describe('the replacement of node:crypto', () => {
  it.each(sizes)('P21 SHA-256 of %i bytes equals what Node computes', size => {
    const bytes = node.randomBytes(size);
    expect(web.createHash('sha256').update(bytes).digest('hex')).toBe(
      node.createHash('sha256').update(bytes).digest('hex'),
    );
    expect(web.hash('sha256', bytes, 'base64url')).toBe(node.createHash('sha256').update(bytes).digest('base64url'));
  });

  it.each(sizes)('P21 AES-256-GCM of %i bytes opens on either side, and not once it was changed', size => {
    const [key, nonce, about, plain] = [32, 12, size % 50, size].map(length => node.randomBytes(length)) as [
      ...Buffer[],
    ] as [Buffer, Buffer, Buffer, Buffer];
    const own = web.createCipheriv('aes-256-gcm', key, nonce).setAAD(about);
    own.update(plain);
    const body = own.final();
    const theirs = node.createCipheriv('aes-256-gcm', key, nonce).setAAD(about);
    expect(Buffer.from(body)).toEqual(Buffer.concat([theirs.update(plain), theirs.final()]));
    expect(Buffer.from(own.getAuthTag())).toEqual(theirs.getAuthTag());
    const open = (data: Uint8Array, tag: Uint8Array): Uint8Array => {
      const cipher = web.createDecipheriv('aes-256-gcm', key, nonce).setAuthTag(tag).setAAD(about);
      cipher.update(data);
      return cipher.final();
    };
    expect(Buffer.from(open(body, own.getAuthTag()))).toEqual(plain);
    const bent = Uint8Array.from(own.getAuthTag(), (byte, index) => (index === 3 ? byte ^ 1 : byte));
    expect(() => open(body, bent)).toThrow('changed');
    expect(() => open(body, own.getAuthTag().subarray(0, 4))).toThrow('changed');
  });

  it('P21 random bytes differ, equal bytes compare equal, and an unknown hash throws', () => {
    const bytes = web.randomBytes(32);
    expect(web.timingSafeEqual(bytes, WebBuffer.from(bytes))).toBe(true);
    expect(web.timingSafeEqual(bytes, web.randomBytes(32))).toBe(false);
    expect(web.randomUUID()).toMatch(/^[0-9a-f-]{36}$/);
    expect(() => web.createHash('md5')).toThrow('md5');
  });
});

describe('the replacements of Buffer, node:util and timers', () => {
  it.each(['', 'a', 'ab', 'abc', 'bär ✓ 😀', '\ud800', '\ufeffx'])(
    'P21 WebBuffer encodes and decodes %j as Node does',
    text => {
      const [own, theirs] = [WebBuffer.from(text), Buffer.from(text)];
      for (const encoding of ['utf8', 'base64', 'base64url', 'latin1', 'hex'] as const) {
        expect(own.toString(encoding)).toBe(theirs.toString(encoding));
        const written = theirs.toString(encoding);
        expect([...WebBuffer.from(written, encoding)]).toEqual([...Buffer.from(written, encoding)]);
      }
      expect(WebBuffer.byteLength(text)).toBe(Buffer.byteLength(text));
      expect([own.equals(theirs), own.equals(own.subarray(1))]).toEqual([true, theirs.equals(theirs.subarray(1))]);
      expect([...WebBuffer.concat([own, WebBuffer.alloc(2), own.subarray(1)])]).toEqual([
        ...Buffer.concat([theirs, Buffer.alloc(2), theirs.subarray(1)]),
      ]);
    },
  );

  it.each(['YWI', 'YWJj=', 'Y W\nI=', 'YWIj!x', 'YWI=YWI', 'A', '====', 'ab-_'])(
    'P21 WebBuffer reads broken base64 %j as Node does',
    text => {
      expect([...WebBuffer.from(text, 'base64')]).toEqual([...Buffer.from(text, 'base64')]);
    },
  );

  it('P21 `types` of node:util and `isUtf8` answer as in Node', () => {
    const values = [
      1,
      'x',
      null,
      {},
      [],
      new Map(),
      new Set(),
      Promise.resolve(),
      new Uint8Array(1),
      new ArrayBuffer(1),
    ];
    const names = [
      'isMap',
      'isSet',
      'isPromise',
      'isUint8Array',
      'isArrayBuffer',
      'isAnyArrayBuffer',
      'isNativeError',
    ] as const;
    for (const value of [...values, new Error('x'), new TypeError('x'), Buffer.from('x')]) {
      for (const name of names) expect([name, webTypes[name](value)]).toEqual([name, types[name](value)]);
    }
    expect([isUtf8(Buffer.from('ä')), isUtf8(Buffer.of(0xff))]).toEqual([true, false]);
  });

  it('P21 timers run, can be stopped, and accept ref and unref', async () => {
    const ran: string[] = [];
    const stopped = later(() => ran.push('stopped'), 1);
    clearLater(stopped.ref().unref());
    await new Promise<void>(resolve => void later(resolve, 5).unref().ref());
    expect(ran).toEqual([]);
  });
});
