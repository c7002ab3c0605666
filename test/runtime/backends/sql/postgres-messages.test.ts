// What PostgreSQL is sent, byte by byte: a length that is wrong would make data into protocol.
import { describe, expect, it } from 'vitest';
import type { Bind } from '../../../../runtime/backends/sql/database.js';
import { makeAround, wholeMessage } from '../../../../runtime/backends/sql/postgres-messages.js';

/** Kinds and bodies; throws where a length is wrong. */
function messagesIn(bytes: Uint8Array): readonly { readonly kind: string; readonly body: Buffer }[] {
  const all = Buffer.from(bytes);
  const found: { kind: string; body: Buffer }[] = [];
  for (let at = 0; at < all.length; ) {
    const end = at + 1 + all.readUInt32BE(at + 1);
    found.push({ kind: all.toString('latin1', at, at + 1), body: all.subarray(at + 5, end) });
    at = end;
  }
  return found;
}

/** Formats and values of a Bind message. */
function valuesIn(body: Buffer): readonly { readonly format: number; readonly value: string | null }[] {
  const count = body.readUInt16BE(2);
  const formats = Array.from({ length: count }, (_, index) => body.readUInt16BE(4 + index * 2));
  expect(body.readUInt16BE(4 + count * 2)).toBe(count);
  let at = 6 + count * 2;
  const values = formats.map(format => {
    const length = body.readInt32BE(at);
    at += 4;
    if (length === -1) return { format, value: null };
    at += length;
    return { format, value: body.toString(format === 1 ? 'hex' : 'utf8', at - length, at) };
  });
  expect(body.toString('hex', at)).toBe('0000');
  return values;
}

const sent = (binds: readonly Bind[], text = 'SELECT $1'): ReturnType<typeof messagesIn> =>
  messagesIn(wholeMessage({ text, binds, head: [] }, makeAround(['BEGIN', 'SELECT 2'], ['ROLLBACK']), 1001));

describe('a message to PostgreSQL', () => {
  it('B2 a message has the statement between those around it, and one end', () => {
    const messages = sent([1], `SELECT '\u00e4\u{1f600}', $1`);
    expect(messages.map(({ kind }) => kind).join('')).toBe('PBEPBEPBDEPBES');
    expect(messages[6]?.body.toString()).toBe(`\0SELECT '\u00e4\u{1f600}', $1\0\0\0`);
    expect(messages[8]?.body.toString()).toBe('P\0');
    expect(messages[9]?.body.toString('hex')).toBe('00000003e9');
    expect(messages[10]?.body.toString()).toBe('\0ROLLBACK\0\0\0');
  });

  it('B2 a message has each value as it is, whatever it is', () => {
    const values: readonly (readonly [Bind, string | null])[] = [
      ['', ''],
      ['\u00e4 \u{1f600} "\\', '\u00e4 \u{1f600} "\\'],
      [null, null],
      [-0.5, '-0.5'],
      [2n ** 62n, '4611686018427387904'],
      [true, 'true'],
      [[], '{}'],
      [[1, null, 'a "b\\', true], '{"1",NULL,"a \\"b\\\\","true"}'],
      [[[1], [2]], '{{"1"},{"2"}}'],
      [[new Uint8Array([0, 255])], '{"\\\\x00ff"}'],
      ['x'.repeat(10_000), 'x'.repeat(10_000)],
    ];
    const bind = sent(values.map(([value]) => value))[7]?.body ?? Buffer.alloc(0);
    expect(valuesIn(bind)).toEqual(values.map(([, value]) => ({ format: 0, value })));
  });

  it('B2 a message has bytes as bytes, and no value at all where there is none', () => {
    const bytes = new Uint8Array([9, 0, 255, 9]).subarray(1, 3);
    expect(valuesIn(sent([bytes, 'x'])[7]?.body ?? Buffer.alloc(0))).toEqual([
      { format: 1, value: '00ff' },
      { format: 0, value: 'x' },
    ]);
    expect(valuesIn(sent([])[7]?.body ?? Buffer.alloc(0))).toEqual([]);
  });
});
