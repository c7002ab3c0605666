// B4: bytes become lines and events, wherever they are cut.
import { describe, expect, it } from 'vitest';
import { EventReader } from '../../../../runtime/backends/mcp/event-reader.js';
import { idOfEnds, LineReader } from '../../../../runtime/backends/mcp/line-reader.js';
import { headerValue } from '../../../../runtime/backends/mcp/param-headers.js';

/** The bytes in pieces of that size. */
function* pieces(text: string, size: number): Generator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const sizes = [1, 2, 3, 5, 7, 1000];

describe('lines', () => {
  it.each(sizes)('B4 lines are whole, however the bytes arrive: %i', size => {
    const lines: string[] = [];
    const reader = new LineReader(20, {
      line: text => lines.push(text),
      tooLong: (head, tail) => lines.push(`! ${head} ${tail}`),
    });
    for (const piece of pieces(`ä😀\n\nb\n${'x'.repeat(30)}\nc\nlast`, size)) reader.push(piece);
    reader.end();
    expect(lines).toEqual(
      ['ä😀', '', 'b', `! ${'x'.repeat(30)} ${'x'.repeat(30)}`, 'c', 'last'].map(line =>
        line.startsWith('!') ? expect.stringMatching(/^! x+ x+$/) : line,
      ),
    );
  });

  it('B4 the ends of a line tell whose answer it was', () => {
    expect(idOfEnds('{"jsonrpc":"2.0","id":7,"result":{', '}}')).toBe(7);
    expect(idOfEnds('{"result":{"content":[{"text":"', '"}]},"jsonrpc":"2.0","id":12}')).toBe(12);
    expect(idOfEnds('{"jsonrpc":"2.0","method":"x"', '"id":3}}')).toBeUndefined();
  });
});

describe('events', () => {
  it.each(sizes)('B4 events are whole, however the bytes arrive: %i', size => {
    const data: string[] = [];
    const reader = new EventReader(1000, { data: text => data.push(text), tooLong: () => data.push('!') });
    const text =
      ': hello\r\nid: 1\r\ndata: {"a":\r\ndata:"ü"}\r\n\r\nevent: ping\ndata: x\n\nretry: 50\nid:2\nevent: message\ndata: {}\n\ndata\n\ndata: unfinished';
    for (const piece of pieces(text, size)) reader.push(piece);
    expect(data).toEqual(['{"a":\n"ü"}', '{}']);
    expect(reader).toMatchObject({ lastId: '2', retryMs: 50 });
  });

  it('B4 an event of many lines has the same limit as one of a single line', () => {
    const heard: string[] = [];
    const reader = new EventReader(100, { data: text => heard.push(text), tooLong: () => heard.push('!') });
    for (let count = 0; count < 50; count += 1) reader.push(Buffer.from('data: 0123456789\n'));
    expect(heard[0]).toBe('!');
  });
});

describe('headers', () => {
  it('B4 what a header cannot have goes as base64', () => {
    expect(['eu', 'a b', '', ' a', 'ü', '=?base64?x?=', 'a\r\nb'].map(headerValue)).toEqual([
      'eu',
      'a b',
      '=?base64??=',
      '=?base64?IGE=?=',
      '=?base64?w7w=?=',
      '=?base64?PT9iYXNlNjQ/eD89?=',
      '=?base64?YQ0KYg==?=',
    ]);
  });
});
