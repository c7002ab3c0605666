// What `toolwright test` is made of: comparing, judging what an answer is about, junk, and the order of a run.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareValues, printDifferences, readPrompt, readResult } from '../../../runtime/server/examples/judge.js';
import { makeJunk } from '../../../runtime/server/examples/plan-tests.js';
import { NoAnswer, runTests, type TestCase, type TestSession } from '../../../runtime/server/examples/run-tests.js';
import { startOf } from '../../../schema/diagnostics.js';

describe('`compareValues`', () => {
  it('P24 `compareValues` names what differs by path, ignoring the order of keys but not of lists', () => {
    expect(compareValues({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 })).toEqual([]);
    const expected = { a: [1, 2], gone: 1, same: 1, type: 1 };
    const found = compareValues(expected, { a: [2, 1, 3], same: 1, more: undefined, type: '1' });
    expect(found).toEqual([
      { path: ['a', 0], expected: 1, actual: 2 },
      { path: ['a', 1], expected: 2, actual: 1 },
      { path: ['a', 2], actual: 3 },
      { path: ['gone'], expected: 1 },
      { path: ['type'], expected: 1, actual: '1' },
      { path: ['more'], actual: undefined },
    ]);
    expect(printDifferences(found)).toBe('a[0] is 2, not 1; a[1] is 1, not 2; a[2] is not expected; and 3 more');
    expect(printDifferences(compareValues('a', 'b'))).toBe('it is "b", not "a"');
  });

  it('P24 `compareValues` is bounded and treats keys of Object.prototype like others', () => {
    const long = Array.from({ length: 5000 }, (_, index) => index);
    expect(compareValues(long, [])).toHaveLength(100);
    expect(compareValues({ constructor: 1 }, {})).toEqual([{ path: ['constructor'], expected: 1 }]);
    expect(compareValues({}, { toString: 1 })).toEqual([{ path: ['toString'], actual: 1 }]);
  });
});

describe('`readResult` and `readPrompt`', () => {
  const text = (value: string) => ({ type: 'text', text: value });

  it('P24 `readResult` reads text, data, JSON in text, content or nothing', () => {
    expect(readResult({ content: [text('a'), text('b')] }, 'x')).toBe('a\nb');
    expect(readResult({ content: [text('{"a":1}')], structuredContent: { a: 1 } }, { a: 2 })).toEqual({ a: 1 });
    expect(readResult({ content: [text('{"a":1}')], structuredContent: { a: 1 } }, 'x')).toBe('{"a":1}');
    expect(readResult({ content: [text('[1]')] }, [2])).toEqual([1]);
    expect(readResult({ content: [text('[1]')] }, [text('x')])).toEqual([text('[1]')]);
    expect(readResult({ content: [] }, null)).toBeNull();
  });

  it('P24 `readPrompt` reads the text of all messages, the messages or the whole answer', () => {
    const messages = [
      { role: 'user', content: text('a') },
      { role: 'assistant', content: text('b') },
    ];
    expect(readPrompt({ messages }, 'x')).toBe('a\nb');
    expect(readPrompt({ messages, description: 'D' }, [])).toBe(messages);
    expect(readPrompt({ messages, description: 'D' }, {})).toEqual({ messages, description: 'D' });
  });
});

describe('`makeJunk`', () => {
  it('M48 `makeJunk` makes only what the schema refuses, so that a tool that accepts anything is not blamed', async () => {
    const closed = {
      ...{ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      additionalProperties: false,
    };
    const makeJunkOf = (inputSchema: object, sample: Readonly<Record<string, unknown>>) =>
      makeJunk({ inputSchema: { ...inputSchema }, filling: { input: 'always', output: 'always' } }, sample);
    expect((await makeJunkOf(closed, { a: 'x' })).map(({ what }) => what)).toEqual([
      'an argument that it does not have',
      'a call without its required arguments',
      'a wrong type of a',
      'arguments that are not an object',
    ]);
    expect((await makeJunkOf({ type: 'object' }, {})).map(({ what }) => what)).toEqual([
      'arguments that are not an object',
    ]);
    expect(await makeJunkOf({ type: 'object', properties: { a: true } }, {})).toHaveLength(1);
  });
});

describe('`runTests`', () => {
  const session: TestSession = { request: async () => ({ result: {} }), unanswered: () => undefined };
  const make = (title: string, run: TestCase['run']): TestCase => ({
    ...{ kind: 'tool', item: 'a', check: 'example', title, site: startOf('a.yaml'), run },
  });

  it('P24 a server that does not answer fails its test, and a bug of ours does not count as a failure of the pack', async () => {
    let time = 0;
    const now = () => ++time;
    const silent = make('silent', async () => {
      throw new NoAnswer('it is gone');
    });
    const fine = make('fine', async () => ({ status: 'passed' }));
    const results = await runTests([silent, fine], { connect: async () => session, now });
    expect(results).toMatchObject([
      { status: 'failed', diagnostic: { code: 'test/no-answer', message: '"a > silent" got no answer: it is gone' } },
      { status: 'passed' },
    ]);
    const bug = make('bug', async () => {
      throw new TypeError('ours');
    });
    await expect(runTests([bug], { connect: async () => session, now })).rejects.toThrow('ours');
  });

  it('P24 `test` shows its progress on a terminal, and only there', () => {
    const root = join(import.meta.dirname, '../../..');
    const line = `${process.execPath} dist/cli/main.js test --cwd examples/weather`;
    const shown = execFileSync('script', ['-qec', line, '/dev/null'], { cwd: root, encoding: 'utf8' });
    expect(shown).toContain('\r\u001b[2K2 of 8  get-weather > default unit');
    const plain = execFileSync(process.execPath, line.split(' ').slice(1), { cwd: root, encoding: 'utf8' });
    expect(plain).not.toContain('\u001b');
  });
});
