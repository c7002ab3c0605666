// Text is never code: with hostile texts in every place, the output has the same syntax as with harmless ones.
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { printTypes } from '../../../../generator/compile/types/print-types.js';

const hostileTexts: Readonly<Record<string, string>> = {
  'the end of a comment': '*/ export const evil = 1; /*',
  'the end of a comment, in pieces': '**//**/ *\n/ *\u2028/',
  backticks: '`${process.exit(1)}`',
  'a template': '${`${x}`}',
  'line separators': 'a\u2028export const evil = 1;\u2029b',
  'double quotes': '"; export const evil = 1; "',
  'single quotes': "'; export const evil = 1; '",
  backslashes: 'a\\',
  'a backslash and a quote': '\\"; export const evil = 1; //',
  'line breaks': 'a\nexport const evil = 1;\r\nb\rc',
  'an end of script': '</script><script>alert(1)</script>',
  emoji: '👩‍💻😀',
  'lone surrogates': '\ud800 x \udc00',
  'control characters': '\u0000\u0007\u001b[31m\u007f\u0085\u009f\ufeff',
  'a line comment': '// @ts-nocheck\n/// <reference path="evil" />',
  directives: '@ts-ignore\n@ts-expect-error',
  tags: '@deprecated {@link evil} @template T',
  'a source map': '//# sourceMappingURL=evil.map',
  'types and brackets': '}; type Evil = { [key: string]: never',
  'right to left': '\u202e\u2066evil\u2069',
  'an index': '[key: string]: any; x',
};

/** Every place of a schema that an author's text reaches. */
function schemaOf(text: string): Readonly<Record<string, unknown>> {
  const described = { description: text, title: text, default: text, examples: [text], pattern: text, format: text };
  return {
    type: 'object',
    title: text,
    description: text,
    properties: {
      [text]: { type: 'string', ...described },
      plain: { ...described, enum: [text, 1] },
      literal: { const: { [text]: [text] } },
      map: { type: 'object', patternProperties: { [text]: { type: 'string' }, [`^${text}`]: { type: 'string' } } },
      ref: { $ref: '#anchor' },
      type: { type: text },
    },
    required: [text, `required ${text}`],
    $defs: { [text]: { $anchor: 'anchor', description: text, enum: [text, 2] } },
  };
}

/** The kinds of all nodes, and how many comments stand before declarations and members. */
function skeleton(text: string): string {
  const file = ts.createSourceFile('types.d.ts', text, ts.ScriptTarget.ESNext, true);
  const kinds: string[] = [];
  const visit = (node: ts.Node): void => {
    const isName = ts.isIdentifier(node) || ts.isStringLiteral(node);
    const tags = ts.getJSDocTags(node).map(tag => tag.tagName.text);
    kinds.push(isName ? 'name' : ts.SyntaxKind[node.kind], ...tags);
    node.forEachChild(visit);
  };
  visit(file);
  expect((file as unknown as { parseDiagnostics: readonly unknown[] }).parseDiagnostics).toEqual([]);
  expect((file as unknown as { commentDirectives?: readonly unknown[] }).commentDirectives).toBeUndefined();
  expect(file.referencedFiles).toEqual([]);
  return kinds.join(' ');
}

describe('P17 hostile text in types', () => {
  // Quoted like most hostile ones; the pattern is one that no type can say, as theirs are.
  const harmless = 'plain text (of nobody)?';
  it.each(Object.entries(hostileTexts))('P17 hostile text never changes the syntax of the types: %s', (_name, text) => {
    for (const mode of ['args', 'input', 'output'] as const) {
      const printed = printTypes(schemaOf(text), { name: 'GetArgs', mode });
      const twin = printTypes(schemaOf(harmless), { name: 'GetArgs', mode });
      expect(skeleton(printed.text)).toBe(skeleton(twin.text));
      expect(printed.marks).toHaveLength(twin.marks.length);
    }
  });

  it.each(Object.entries(hostileTexts))('P17 hostile names and members keep their value: %s', (_name, text) => {
    const { text: printed } = printTypes(schemaOf(text), { name: 'GetArgs', mode: 'args' });
    const file = ts.createSourceFile('types.d.ts', printed, ts.ScriptTarget.ESNext, true);
    const strings = new Set<string>();
    const visit = (node: ts.Node): void => {
      if (ts.isStringLiteral(node)) strings.add(node.text);
      node.forEachChild(visit);
    };
    visit(file);
    expect([...strings].sort()).toEqual([text, `required ${text}`].sort());
  });

  it('P17 the printed types survive UTF-8', () => {
    for (const text of Object.values(hostileTexts)) {
      const printed = printTypes(schemaOf(text), { name: 'GetArgs', mode: 'args' }).text;
      expect(Buffer.from(printed, 'utf8').toString('utf8')).toBe(printed);
      expect(printed).not.toMatch(/[\u2028\u2029\r\u0000-\u0008\u007f]/);
    }
  });

  it('P17 random text never changes the syntax of the types', () => {
    const pieces = [
      '*',
      '/',
      '\\',
      '"',
      "'",
      '`',
      '$',
      '{',
      '}',
      '@',
      '\n',
      '\r',
      '\u2028',
      ' ',
      'x',
      '\ud83d',
      '\ude00',
      '//',
      '<',
    ];
    let state = 7;
    const next = (below: number): number => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state >>> 8) % below;
    };
    const twin = skeleton(printTypes(schemaOf('plain text (of nobody)?'), { name: 'GetArgs', mode: 'args' }).text);
    for (let round = 0; round < 300; round += 1) {
      // One letter before them, so that there is always something to say, and no pattern that a type can say.
      const text = `x(${Array.from({ length: 1 + next(12) }, () => pieces[next(pieces.length)]).join('')}`;
      expect(skeleton(printTypes(schemaOf(text), { name: 'GetArgs', mode: 'args' }).text), JSON.stringify(text)).toBe(
        twin,
      );
    }
  });
});
