// Options of tools, as operators set them.
import { describe, expect, it } from 'vitest';
import { readOptions } from '../../../runtime/call/context/options.js';
import type { Program, Tool } from '../../../runtime/load/program.js';
import { memoryFolder } from '../../harness/memory-folder.js';
import { loadFiles } from '../../harness/pack.js';
import { programOf } from './context-round.js';

const definition = `
description: Finds.
options:
  limit: { type: integer, default: 20 }
  mode: { type: string, enum: [fast, good], default: fast }
  tags: { type: array }
  extra: { type: object, default: {} }
`;
const program = programOf('name: acme/jira\n', definition);
const tool = program.tools[0] as Tool;
const read = (text: string | undefined) => {
  const { optionsOf, diagnostics } = readOptions(text, [program]);
  return { values: optionsOf(tool), codes: diagnostics.map(({ code }) => code), diagnostics };
};

describe('TOOLWRIGHT_OPTIONS', () => {
  it('W88 options have their defaults without TOOLWRIGHT_OPTIONS', () => {
    for (const text of [undefined, '', '  ', '{}']) {
      expect(read(text)).toMatchObject({ values: { limit: 20, mode: 'fast', extra: {} }, codes: [] });
    }
    expect(Object.keys(read(undefined).values)).not.toContain('tags');
  });

  it('W88 TOOLWRIGHT_OPTIONS sets values by item or by pack and item, and null removes a default', () => {
    const { values, codes } = read(
      '{"t": {"limit": 5, "tags": ["a"]}, "acme/jira/t": {"mode": "good", "extra": null}}',
    );
    expect(codes).toEqual([]);
    expect(values).toEqual({ limit: 5, tags: ['a'], mode: 'good' });
    expect(Object.isFrozen(values)).toBe(true);
  });

  it.each(['{', '[1]', '"t"', '{"t": {"limit": 1}, "t": {}}', '{t: 1}', 'null'])(
    'W88 TOOLWRIGHT_OPTIONS with %s is a warning, and the defaults hold',
    text => {
      const { values, codes, diagnostics } = read(text);
      expect(codes).toEqual(['options/json']);
      expect(diagnostics[0]).toMatchObject({ severity: 'warning', file: 'TOOLWRIGHT_OPTIONS' });
      expect(values).toEqual({ limit: 20, mode: 'fast', extra: {} });
    },
  );

  it('W88 unknown tools and options and wrong values are warnings with a position, and the rest counts', () => {
    const text = '{"tt": {},\n "t": {"limt": 1,\n "limit": "5", "mode": "slow", "tags": ["x"]}}';
    const { values, diagnostics } = read(text);
    expect(diagnostics.map(({ code, line, column, severity }) => `${severity} ${code} ${line}:${column}`)).toEqual([
      'warning options/unknown-tool 1:2',
      'warning options/unknown-option 2:8',
      'warning options/wrong-type 3:11',
      'warning options/wrong-type 3:24',
    ]);
    expect(diagnostics[1]?.hint).toBe('did you mean "limit"?');
    expect(values).toEqual({ limit: 20, mode: 'fast', tags: ['x'], extra: {} });
  });

  it('W88 the options of one tool must be a map', () => {
    expect(read('{"t": 5}').codes).toEqual(['options/json']);
    expect(read('{"t": null}').codes).toEqual(['options/json']);
  });

  it('W88 inherited names are not options', () => {
    expect(read('{"t": {"constructor": 1, "toString": {}}}').codes).toEqual([
      'options/unknown-option',
      'options/unknown-option',
    ]);
    expect(read('{"t": {"__proto__": {"limit": 1}}}')).toMatchObject({
      codes: ['options/json'],
      values: { limit: 20 },
    });
    expect(read('{"constructor": {}}').codes).toEqual(['options/unknown-tool']);
  });

  it('W88 an unqualified name means the first pack that has it', () => {
    const other = programOf('name: other\n', definition);
    const { optionsOf } = readOptions('{"t": {"limit": 1}, "other/t": {"limit": 2}}', [program, other]);
    expect(optionsOf(tool)).toMatchObject({ limit: 1 });
    expect(optionsOf(other.tools[0] as Tool)).toMatchObject({ limit: 2 });
  });

  it('W88 TOOLWRIGHT_OPTIONS wins over overlays', () => {
    const overlay = memoryFolder({ 'tools/t.yaml': 'options: { limit: 7, mode: good }\n' }, '/overlay');
    const files = { 'toolwright.yaml': '', 'mcp/tools/t.yaml': definition };
    const patched = loadFiles(files, { overlays: [overlay] }).program as Program;
    const { optionsOf } = readOptions('{"t": {"limit": 9}}', [patched]);
    expect(optionsOf(patched.tools[0] as Tool)).toMatchObject({ limit: 9, mode: 'good' });
  });
});
