// B3: the arguments of exec tools, before a program sees them.
import { describe, expect, it } from 'vitest';
import { findLooseArguments, findLostValues, makeFillArgs } from '../../../schema/backend/exec-args.js';
import { UnfitValue } from '../../../schema/backend/fill.js';
import type { ExecCall } from '../../../schema/definitions.js';

const never = (): boolean => false;

/** Placeholders and where they stand. */
function loose(args: ExecCall['args'], isSafe: (name: string) => boolean = never): readonly string[] {
  return findLooseArguments(args, isSafe).map(({ path, placeholder: { tag } }) => `${path.join('.')} ${tag}`);
}

function fill(args: ExecCall['args'], values: Readonly<Record<string, unknown>>, config = {}): readonly string[] {
  return makeFillArgs(args)({ args: values, config });
}

describe('values that could become options', () => {
  it('B3 a value at the start of a word is reported, with how to write it', () => {
    const [found] = findLooseArguments(['log', '{path}'], never);
    expect(found).toMatchObject({ path: [1], placeholder: { name: 'path', tag: '{path}' } });
    expect(found?.reason).toContain('put -- before it in the list, or write --name={path}');
    expect(loose(['{a}/{b}'])).toEqual(['0 {a}']);
  });

  it('B3 a value after literal text, = or -- is fine', () => {
    expect(loose(['log', '--max-count={count}', '-n{count}', 'refs/{name}', '--', '{path}', '{other}'])).toEqual([]);
    expect(loose(['show', '--end-of-options', '{revision}'])).toEqual([]);
    expect(loose(undefined)).toEqual([]);
  });

  it('B3 a value before -- is reported all the same', () => {
    expect(loose(['{path}', '--', '{path}'])).toEqual(['0 {path}']);
  });

  it('B3 a word that only looks like -- ends no options', () => {
    expect(loose(['--{x}--', '-- ', '---', '{path}'], name => name === 'x')).toEqual(['3 {path}']);
    expect(loose(['{dashes}', '{path}'], name => name === 'dashes')).toEqual(['1 {path}']);
  });

  it('B3 an argument that cannot begin with a dash is fine', () => {
    expect(loose(['{count}', '{path}'], name => name === 'count')).toEqual(['1 {path}']);
  });

  it('B3 a value that chooses the option is reported', () => {
    expect(loose(['-{x}', '--{x}', '--out{x}'])).toEqual(['0 {x}', '1 {x}', '2 {x}']);
    expect(findLooseArguments(['--out{x}'], never)[0]?.reason).toContain('write = before {x}');
    expect(loose(['-{x}', '--{x}'], () => true)).toEqual([]);
    expect(loose(['--{x}{y}', '--{x}-{y}={z}'], name => name === 'x')).toEqual(['0 {y}', '1 {y}']);
  });

  it('B3 a value that may be absent behind an option is reported', () => {
    const lost = (args: ExecCall['args']) => findLostValues(args, name => name === 'x').map(({ option }) => option);
    expect(lost(['--author', '{x}', '-n', '{y}', '--', '{x}'])).toEqual(['--author']);
    expect(lost(['--author={x}', '--a=b', '{x}', 'log', '{x}', { if: 'x', args: ['-n', '{x}'] }])).toEqual([]);
  });

  it('B3 the operator may configure an option', () => {
    expect(loose(['{config.FLAG}', '{config.ROOT}/{x}'])).toEqual([]);
  });

  it('B3 a value right after a setting, which may be empty, is reported', () => {
    expect(loose(['{config.PREFIX}{x}'])).toEqual(['0 {x}']);
  });

  it('B3 conditions are read in order, and -- inside of one counts only there', () => {
    const args = [{ if: 'path', args: ['{before}', '--', '{path}'] }, '{after}', '--', { if: 'x', args: ['{x}'] }];
    expect(loose(args)).toEqual(['0.args.0 {before}', '1 {after}']);
  });
});

describe('arguments of another form', () => {
  it('B3 a list that is not well-formed has no loose arguments of its own', () => {
    const odd = [1, null, { if: 'x' }, { if: 'x', args: [2, '{x}'] }] as unknown as ExecCall['args'];
    expect(loose(odd)).toEqual(['3.args.1 {x}']);
    expect(loose('log {x}' as unknown as ExecCall['args'])).toEqual([]);
  });
});

describe('arguments that are filled in', () => {
  it('B3 a value is one word, whatever it holds', () => {
    const value = '$(touch x); `id` "a" \'b\' *\n-rf';
    expect(fill(['a={x}', '--', '{x}', 'plain'], { x: value })).toEqual([`a=${value}`, '--', value, 'plain']);
  });

  it('B3 numbers and booleans become text, and braces are written twice', () => {
    expect(fill(['{n}', '--big={b}', '{t}', '{{{n}}}', '{{}}'], { n: 3, b: 12n, t: true })).toEqual([
      '3',
      '--big=12',
      'true',
      '{3}',
      '{}',
    ]);
  });

  it('B3 a list is several words where its placeholder stands alone', () => {
    expect(fill(['--', '{paths}', 'end'], { paths: ['a', '-b', 3] })).toEqual(['--', 'a', '-b', '3', 'end']);
    expect(fill(['--', '{paths}'], { paths: [] })).toEqual(['--']);
    expect(() => fill(['--x={paths}'], { paths: ['a'] })).toThrow('{paths} is a list, which is not text');
    expect(() => fill(['--', '{paths}'], { paths: [['a']] })).toThrow(UnfitValue);
    expect(() => fill(['--', '{paths}'], { paths: { a: 1 } })).toThrow('{paths} is an object, which is not text');
  });

  it('B3 a word whose value is absent or null is left out, and an empty one stays', () => {
    expect(fill(['a', '{x}', '--y={y}', '{z}', ''], { y: null, z: '' })).toEqual(['a', '', '']);
    expect(fill(['{toString}', '{constructor}'], {})).toEqual([]);
  });

  it('B3 conditional words are there with their argument', () => {
    const args = [{ if: 'depth', args: ['--depth', '{depth}'] }, { if: 'all', args: ['--all'] }, 'end'];
    expect(fill(args, { depth: 2, all: true })).toEqual(['--depth', '2', '--all', 'end']);
    expect(fill(args, { depth: 0 })).toEqual(['--depth', '0', 'end']);
    expect(fill(args, { depth: null, all: false })).toEqual(['end']);
    expect(fill([{ if: 'toString', args: ['x'] }], {})).toEqual([]);
  });

  it('B3 settings are filled in', () => {
    expect(fill(['{config.FLAG}', '{config.NONE}'], {}, { FLAG: '-v' })).toEqual(['-v']);
  });

  it.each([
    [['{x}'], { x: '-rf' }],
    [['{x}'], { x: '--' }],
    [['{x}'], { x: -1 }],
    [['{x}'], { x: ['a', '--output=b'] }],
    [['{a}{x}'], { a: '', x: '-rf' }],
    [['{config.EMPTY}{x}'], { x: '-rf' }],
    [['--{x}'], { x: 'output=b' }],
    [['-{x}'], { x: '-output' }],
    [['--{a}{x}'], { a: 'git', x: '-dir=b' }],
    [['-m{x}', '--', 'end'], { x: '' }],
    [['--author', '{none}', '--', '{x}'], { x: '--output=b' }],
    [['--author', '{none}', '--', 'a', '{x}'], { none: [], x: '-rf' }],
    [[{ if: 'x', args: ['-m', '{none}'] }, '--end-of-options', '{x}'], { x: '-rf' }],
    [[{ if: 'a', args: ['--'] }, '{x}'], { a: true, x: '-rf' }],
  ] as const)('B3 the words %j refuse %j', (args, values) => {
    expect(() => fill(args, values, { EMPTY: '' })).toThrow(UnfitValue);
  });

  it('B3 what is left out elsewhere does not matter', () => {
    expect(fill(['log', '{none}', '--', '{x}'], { x: '-rf' })).toEqual(['log', '--', '-rf']);
    expect(fill(['--a', '--author={none}', { if: 'none', args: ['-m', '{x}'] }, '--', '{x}'], { x: '-rf' })).toEqual([
      '--a',
      '--',
      '-rf',
    ]);
    expect(fill(['--author', '{none}', '--', '{x}'], { x: 'a' })).toEqual(['--author', '--', 'a']);
    expect(fill(['--m={x}', '-n{x}', '--', '-m{y}'], { x: '1', y: '' })).toEqual(['--m=1', '-n1', '--', '-m']);
  });

  it('B3 a value that is refused is named with its reason', () => {
    expect(() => fill(['{x}'], { x: '-rf' })).toThrow('{x} begins with -, which would make it an option');
  });
});
