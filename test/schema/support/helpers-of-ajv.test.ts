// What compiled validators call: the same answers as ajv's own helpers.
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { equal, ucs2length } from '../../../schema/support.js';

const require = createRequire(import.meta.url);
const ajvLength = (require('ajv/dist/runtime/ucs2length') as { default: (text: string) => number }).default;
const ajvEqual = (require('ajv/dist/runtime/equal') as { default: (one: unknown, other: unknown) => boolean }).default;

describe('P21 `ucs2length`', () => {
  it.each(['', 'abc', 'ä', '😀', 'a😀b😀', '\ud83d', '\ude00', '\ud83d\ud83d\ude00', 'x\ud83d'])(
    '`ucs2length` of %j equals that of ajv',
    text => {
      expect(ucs2length(text)).toBe(ajvLength(text));
    },
  );
});

describe('P21 `equal`', () => {
  const values: readonly unknown[] = [
    null,
    undefined,
    0,
    1,
    '1',
    true,
    false,
    '',
    [],
    {},
    [1],
    [1, 2],
    [[1]],
    { a: 1 },
    { a: 1, b: 2 },
    { b: 2, a: 1 },
    { a: undefined },
    { a: { b: [1, { c: null }] } },
    { constructor: 1 },
    Number.NaN,
    { 0: 1 },
  ];

  it('`equal` agrees with ajv on every pair', () => {
    const differing = values.flatMap(one =>
      values
        .filter(other => equal(one, structuredClone(other)) !== ajvEqual(one, structuredClone(other)))
        .map(other => [one, other]),
    );
    expect(differing).toEqual([]);
  });

  it('`equal` is not misled by keys that every object inherits, where ajv throws', () => {
    expect(equal({ toString: 1 }, { toString: 1 })).toBe(true);
    expect(equal({ toString: 1 }, { a: 1 })).toBe(false);
    expect(equal({}, { valueOf: undefined })).toBe(false);
  });
});
