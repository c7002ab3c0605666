// Marks: each name in the text, with the part of the schema it stands for. Source maps are made of them.
import { describe, expect, it } from 'vitest';
import { printTypes } from '../../../../generator/compile/types/print-types.js';
import type { TypeMode } from '../../../../generator/compile/types/scope.js';
import type { Path } from '../../../../schema/document.js';
import { typeCases } from './cases.js';

/** What a mark covers, and its path. */
function listMarks(schema: Readonly<Record<string, unknown>>, mode: TypeMode = 'args'): [string, Path][] {
  const { text, marks } = printTypes(schema, { name: 'GetArgs', mode });
  return marks.map(({ offset, length, path }) => [text.slice(offset, offset + length), path]);
}

/** The value of a schema document at a path. */
function valueAt(schema: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], schema);
}

describe('P13 marks of types', () => {
  it('P13 marks name the root, its properties and nested ones, with their paths', () => {
    const schema = {
      type: 'object',
      properties: {
        issueKey: { type: 'string', description: 'The key' },
        'x-y': { type: 'array', items: { type: 'object', properties: { 'ü"': { type: 'string' } } } },
      },
    };
    expect(listMarks(schema)).toEqual([
      ['GetArgs', []],
      ['issueKey', ['properties', 'issueKey']],
      ['"x-y"', ['properties', 'x-y']],
      ['"ü\\""', ['properties', 'x-y', 'items', 'properties', 'ü"']],
    ]);
  });

  it('P13 marks name the types of definitions and lead into them', () => {
    const schema = {
      type: 'object',
      properties: { user: { $ref: '#/$defs/user' } },
      $defs: { user: { type: 'object', properties: { name: { type: 'string' } } } },
    };
    expect(listMarks(schema)).toEqual([
      ['GetArgs', []],
      ['user', ['properties', 'user']],
      ['GetArgs_User', ['$defs', 'user']],
      ['name', ['$defs', 'user', 'properties', 'name']],
    ]);
  });

  it('P13 marks of merged properties lead to where the type is given', () => {
    const schema = {
      type: 'object',
      required: ['a', 'b'],
      allOf: [{ required: ['a'] }, { properties: { a: { type: 'string' } } }],
    };
    expect(listMarks(schema)).toEqual([
      ['GetArgs', []],
      ['a', ['allOf', 1, 'properties', 'a']],
      ['b', ['required', 1]],
    ]);
  });

  it('P13 marks cover choices, conditions and literals', () => {
    const schema = {
      type: 'object',
      properties: { k: { const: { deep: [{ er: 1 }] } } },
      oneOf: [{ properties: { x: true } }],
      if: { required: ['k'] },
      then: { properties: { y: true } },
    };
    expect(listMarks(schema)).toEqual([
      ['GetArgs', []],
      ['k', ['properties', 'k']],
      ['deep', ['properties', 'k', 'const', 'deep']],
      ['er', ['properties', 'k', 'const', 'deep', 0, 'er']],
      ['y', ['then', 'properties', 'y']],
      ['x', ['oneOf', 0, 'properties', 'x']],
    ]);
  });

  it('P13 marks are exact beside emoji and every kind of line break', () => {
    const schema = {
      type: 'object',
      description: '😀 one\r\ntwo\u2028three\u0085four',
      properties: { a: { type: 'string', description: '😀\n😀' }, '😀': { enum: ['😀'] }, z: true },
    };
    expect(listMarks(schema).map(([name]) => name)).toEqual(['GetArgs', 'a', '"😀"', 'z']);
  });

  it.each(Object.entries(typeCases))('P13 marks are in order and lead to something: %s', (_name, { schema }) => {
    for (const mode of ['args', 'input', 'output'] as const) {
      const { text, marks } = printTypes(schema, { name: 'GetArgs', mode });
      let end = 0;
      for (const { offset, length, path } of marks) {
        expect(offset).toBeGreaterThanOrEqual(end);
        end = offset + length;
        expect(valueAt(schema, path)).toBeDefined();
        const name = text.slice(offset, end);
        const last = path.at(-1);
        if (!name.startsWith('GetArgs')) {
          const expected = path.at(-2) === 'required' ? valueAt(schema, path) : last;
          expect(name.startsWith('"') ? JSON.parse(name) : name).toBe(expected);
        }
      }
      // Every member of every object type has one.
      const members = text.match(/^ *readonly (?!\[)/gm) ?? [];
      const declarations = text.match(/^export /gm) ?? [];
      expect(marks).toHaveLength(members.length + declarations.length);
    }
  });
});
