// How much of a result leaves, and how text of programs is cleaned first.
import { describe, expect, it } from 'vitest';
import { text } from '../../../runtime/call/content.js';
import { cleanText } from '../../../runtime/call/finish-result.js';
import { headOf, tailOf } from '../../../runtime/call/print-cause.js';
import type { CallToolResult } from '../../../schema/support/mcp/content.js';
import { makeKit, textsOf } from './call-kit.js';

const limited = (value: unknown, resultChars: number | undefined, more = ''): Promise<CallToolResult> =>
  makeKit(`description: d\n${resultChars === undefined ? '' : `limits: {resultChars: ${resultChars}}\n`}${more}`, {
    handler: () => value,
  }).call();

describe('limits of results', () => {
  it('J57 text within the limit is left alone', async () => {
    expect(textsOf(await limited('x'.repeat(1000), 1000))).toEqual(['x'.repeat(1000)]);
  });

  it('J57 longer text is cut at its end, says how much, and keeps to the limit including that note', async () => {
    const [cut = ''] = textsOf(await limited('x'.repeat(5000), 1000));
    const [, kept = '', chars = ''] = /^(x+)\n\[(\d+) characters were cut\]$/.exec(cut) ?? [];
    expect(kept.length + Number(chars)).toBe(5000);
    expect(kept.length).toBeGreaterThan(900);
    expect(cut.length).toBeLessThanOrEqual(1000);
  });

  it('J57 text cut to a tiny limit still says how much was cut', async () => {
    expect(textsOf(await limited('abcdef', 2))).toEqual(['ab\n[4 characters were cut]']);
  });

  it('J57 a tool without a limit of its own may return 130,000 characters', async () => {
    expect(textsOf(await limited('x'.repeat(130_000), undefined))[0]?.length).toBe(130_000);
    expect(textsOf(await limited('x'.repeat(130_001), undefined))[0]).toContain('characters were cut]');
  });

  it('J57 no character is cut in two', async () => {
    for (const most of [300, 301, 302, 303]) {
      for (const clean of ['', 'clean: [truncate]']) {
        const [cut = ''] = textsOf(await limited(`a${'😀'.repeat(500)}`, most, clean));
        expect(cut).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
        const kept = cut.replace(/\n\[\d+ characters were cut\]\n?/, '');
        expect(kept.length + Number(/\[(\d+) /.exec(cut)?.[1])).toBe(1001);
      }
    }
    expect([headOf('a😀b', 2), headOf('a😀b', 3), tailOf('a😀b', 2), tailOf('a😀b', 3)]).toEqual([
      'a',
      'a😀',
      'b',
      '😀b',
    ]);
    expect([headOf('ab', 0), headOf('ab', 9), tailOf('ab', 0), tailOf('ab', 9)]).toEqual(['', 'ab', '', 'ab']);
  });

  it('J57 all texts together count, including those of resources, but bytes do not', async () => {
    const big = 'y'.repeat(600);
    const value = [
      text(big, { annotations: { priority: 1 } }),
      { type: 'resource', resource: { uri: 'a://b', text: big } },
      { type: 'image', data: 'AAAA'.repeat(5000), mimeType: 'image/png' },
      text(big),
    ];
    const { content } = await limited(value, 1000);
    const [first, second, third, last] = content;
    expect(first).toEqual({ type: 'text', text: big, annotations: { priority: 1 } });
    expect(second?.type === 'resource' && second.resource.text).toMatch(/^y{340}\n\[260 characters were cut\]$/);
    expect(third).toEqual(value[2]);
    expect(last).toEqual({ type: 'text', text: '\n[600 characters were cut]' });
  });

  it('J57 the content of the handler is not changed', async () => {
    const item = Object.freeze({ type: 'text', text: 'z'.repeat(50) });
    const whole = Object.freeze({ content: Object.freeze([item]) });
    expect(textsOf(await limited(whole, 10))[0]).toContain('40 characters were cut');
    expect(item.text.length).toBe(50);
  });

  it.each([
    ['without an output schema', ''],
    ['with an output schema', 'outputSchema: {type: object}'],
  ])('J56 structured data that is too large is refused, %s', async (_name, more) => {
    const data = { list: 'x'.repeat(989) };
    expect((await limited(data, 1000, more)).structuredContent).toEqual(data);
    const kit = makeKit(`description: d\nlimits: {resultChars: 1000}\n${more}`, {
      handler: () => ({ list: 'x'.repeat(990) }),
    });
    expect(await kit.fail()).toEqual({
      message: 't returned 1001 characters, and 1000 are allowed',
      code: 'RESULT_TOO_LARGE',
      status: 413,
      is_retryable: false,
      suggested_fix: 'Ask for less: fewer items, fewer fields, a narrower search.',
      meta: { chars: 1001, limit: 1000 },
    });
  });

  it('J63 structured data of a whole result counts, too', async () => {
    const kit = makeKit('description: d\nlimits: {resultChars: 100}', {
      handler: () => ({ content: [], structuredContent: { a: 'x'.repeat(200) } }),
    });
    expect((await kit.fail()).code).toBe('RESULT_TOO_LARGE');
  });

  it('J57 results of ten megabytes are handled', async () => {
    expect(textsOf(await limited('x'.repeat(10_000_000), 1000))[0]?.length).toBeLessThanOrEqual(1000);
    const rows = Array.from({ length: 100_000 }, (_, id) => ({ id, name: 'n'.repeat(80) }));
    const kit = makeKit('description: d', { handler: () => rows });
    expect((await kit.fail()).code).toBe('RESULT_TOO_LARGE');
    const image = { data: new Uint8Array(10_000_000), mimeType: 'image/png' };
    const { content } = await makeKit('description: d', { handler: () => image }).call();
    expect(content[0]?.type === 'image' && content[0].data.length).toBe(13_333_336);
  });
});

describe('`clean`', () => {
  const cleaned = async (given: unknown, clean: string): Promise<readonly string[]> =>
    textsOf(await makeKit(`description: d\nclean: [${clean}]`, { handler: () => given }).call());

  it('M45 `clean: [progress]` leaves what a progress bar shows in the end', async () => {
    expect(await cleaned('start\n 10%\r 50%\r100% done\nend\n', 'progress')).toEqual(['start\n100% done\nend\n']);
    expect(await cleaned('10%\r20%\r', 'progress')).toEqual(['20%']);
    expect(await cleaned('a\r\nb\r\n', 'progress')).toEqual(['a\nb\n']);
    expect(await cleaned('wait |\b/\b-\b done', 'progress')).toEqual(['wait  done']);
    expect(await cleaned('\r\r\r', 'progress')).toEqual(['']);
  });

  it('M45 `clean: [repeats]` replaces repeated lines by one with their number', async () => {
    expect(await cleaned('a\na\na\nb\na\n', 'repeats')).toEqual(['a [repeated 3 times]\nb\na\n']);
    expect(await cleaned('x\nx', 'repeats')).toEqual(['x [repeated 2 times]']);
    expect(await cleaned('a\n\n\n\nb\n\n\n', 'repeats')).toEqual(['a\n\nb\n\n']);
    expect(await cleaned('one\ntwo', 'repeats')).toEqual(['one\ntwo']);
  });

  it.each([
    ['colours', '\x1b[31mred\x1b[0m', 'red'],
    ['long colours', '\x1b[38;2;1;2;3mred\x1b[m', 'red'],
    ['cursor and erasing', 'a\x1b[2Kb\x1b[1;1Hc\x1b[?25l', 'abc'],
    ['titles, ended by BEL', '\x1b]0;title\x07text', 'text'],
    ['links, ended by ST', '\x1b]8;;https://x.test\x1b\\link\x1b]8;;\x1b\\', 'link'],
    ['device control', '\x1bPq#0\x1b\\x', 'x'],
    ['character sets', '\x1b(Bx\x1b=y\x1b7z', 'xyz'],
    ['codes of eight bits', 'a\x9b31mb\x9d0;t\x9cc', 'abc'],
    ['a code that never ends', 'a\x1b[31', 'a31'],
    ['a title that never ends', 'a\x1b]0;text stays', 'a0;text stays'],
    ['a lone escape', 'a\x1b', 'a'],
    ['no escapes', 'plain [31m text', 'plain [31m text'],
  ])('M45 `clean: [ansi]` removes escapes: %s', async (_name, given, expected) => {
    expect(await cleaned(given, 'ansi')).toEqual([expected]);
  });

  it('M45 several ways of cleaning are combined in a fixed order', async () => {
    const given = '\x1b[32mok\x1b[0m\nok\n\x1b[2K\r50%\r\x1b[2Kok\n';
    for (const order of ['ansi, progress, repeats', 'repeats, progress, ansi']) {
      expect(await cleaned(given, order)).toEqual(['ok [repeated 3 times]\n']);
    }
  });

  it('M45 `clean: [truncate]` cuts in the middle', async () => {
    const kit = makeKit('description: d\nclean: [truncate]\nlimits: {resultChars: 1000}', {
      handler: () => `begin${'-'.repeat(5000)}end`,
    });
    const [cut = ''] = textsOf(await kit.call());
    expect(cut).toMatch(/^begin-+\n\[\d+ characters were cut\]\n-+end$/);
    expect(cut.length).toBeLessThanOrEqual(1000);
  });

  it('M45 only the named ways of cleaning are applied, and only to text', async () => {
    expect(await cleaned('a\na\x1b[0m\r', 'progress')).toEqual(['a\na\x1b[0m']);
    expect(await cleaned({ line: 'a\r\x1b[0mb' }, 'progress, ansi')).toEqual(['{"line":"a\\r\\u001b[0mb"}']);
    expect(await cleaned({ content: [{ type: 'text', text: 'a\rb' }] }, 'progress')).toEqual(['b']);
  });

  it.each([
    ['escapes that never end', '\x1b['.repeat(200_000)],
    ['parameters that never end', `\x1b[${'0;'.repeat(300_000)}`],
    ['parameters and spaces', `\x1b[${'0'.repeat(200_000)}${' '.repeat(200_000)}\x01`],
    ['titles that never end', '\x1b]0;'.repeat(100_000)],
    ['a long title that never ends', `\x1b]${'x'.repeat(500_000)}`],
    ['strings of eight bits', '\x90'.repeat(400_000)],
    ['other strings of eight bits', '\x9dx'.repeat(200_000)],
    ['character sets that never end', `\x1b${' '.repeat(400_000)}`],
    ['carriage returns', '\r'.repeat(500_000)],
    ['short states', 'a\r'.repeat(300_000)],
    ['backspaces', `${'a'.repeat(200_000)}${'\b'.repeat(300_000)}`],
    ['line breaks', '\n'.repeat(500_000)],
    ['alternating lines', 'a\nb\n'.repeat(150_000)],
  ])('M45 `cleanText` takes time in proportion to the text: %s', (_name, hostile) => {
    // Twice as long must not take much more than twice: quadratic ways would take minutes here.
    expect(typeof cleanText(hostile, ['ansi', 'progress', 'repeats'])).toBe('string');
  });
});
