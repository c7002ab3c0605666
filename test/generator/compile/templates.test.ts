// Templates print nothing but through a helper, and helpers print text only as what it is.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Handlebars from 'handlebars';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import {
  Code,
  isIdentifier,
  isParameterName,
  localName,
  printDoc,
  printIdentifier,
  printString,
} from '../../../generator/render/code.js';
import { createTemplates, helperNames, templateNames } from '../../../generator/render/templates.js';
import { hostile } from './hostile-texts.js';

const folder = fileURLToPath(new URL('../../../templates/', import.meta.url));

/** What a template does that the rules forbid. */
function breaches(source: string): readonly string[] {
  const found: string[] = [];
  const visitor = new Handlebars.Visitor();
  const words = (node: { readonly path: hbs.AST.PathExpression | hbs.AST.Literal }): string =>
    'original' in node.path ? String(node.path.original) : '?';
  const visitMustache = visitor.MustacheStatement.bind(visitor);
  visitor.MustacheStatement = mustache => {
    const name = words(mustache);
    if (!mustache.escaped) found.push(`{{{${name}}}}`);
    else if (!helperNames.includes(name)) found.push(`{{${name}}}`);
    else if (mustache.params.length === 0) found.push(`{{${name}}} without a value`);
    visitMustache(mustache);
  };
  const visitBlock = visitor.BlockStatement.bind(visitor);
  visitor.BlockStatement = block => {
    if (!['if', 'unless', 'each'].includes(words(block))) found.push(`{{#${words(block)}}}`);
    visitBlock(block);
  };
  visitor.PartialStatement = () => found.push('a partial');
  visitor.PartialBlockStatement = () => found.push('a partial');
  visitor.Decorator = () => found.push('a decorator');
  visitor.DecoratorBlock = () => found.push('a decorator');
  visitor.SubExpression = () => found.push('an expression');
  visitor.accept(Handlebars.parse(source));
  return found;
}

describe('template files', () => {
  it('P17 the templates on disk are those that the compiler knows', () => {
    expect(readdirSync(folder).sort()).toEqual(templateNames.map(name => `${name}.hbs`).sort());
  });

  it.each(templateNames)('P17 the template %s prints every value through a helper', name => {
    const source = readFileSync(`${folder}${name}.hbs`, 'utf8');
    expect(source).toContain('{{');
    expect(breaches(source)).toEqual([]);
  });

  it.each([
    ['{{x}}', ['{{x}}']],
    ['{{{str x}}}', ['{{{str}}}']],
    ['{{&str x}}', ['{{{str}}}']],
    ['{{#each xs}}{{this}}{{/each}}', ['{{this}}']],
    ['{{#if x}}{{else}}{{y}}{{/if}}', ['{{y}}']],
    ['{{> other}}', ['a partial']],
    ['{{#x}}a{{/x}}', ['{{#x}}']],
    ['{{str}}', ['{{str}} without a value']],
    ['{{str (lookup a b)}}', ['an expression']],
    ['{{log x}}', ['{{log}}']],
    ['{{str x}}{{#each xs}}{{id name}}{{/each}}', []],
  ])('P17 a template that breaks the rule is recognized: %s', (source, expected) => {
    expect(breaches(source)).toEqual(expected);
  });
});

describe('`createTemplates`', () => {
  const render = (source: string, view: object): string => createTemplates(() => source).render('handlers.ts', view);

  it('P17 `createTemplates` reads each template once, and only when it is needed', () => {
    const read: string[] = [];
    const templates = createTemplates(name => {
      read.push(name);
      return '{{id x}}';
    });
    expect(read).toEqual([]);
    expect(templates.render('handlers.ts', { x: 'a' }) + templates.render('handlers.ts', { x: 'b' })).toBe('a\nb\n');
    expect(read).toEqual(['handlers.ts']);
  });

  it('P17 `render` escapes nothing twice and nothing for HTML', () => {
    expect(render('{{str x}}', { x: '<a href="b">&\'' })).toBe(`'<a href="b">&\\''\n`);
  });

  it.each([
    ['a name that the view does not have', '{{str missing}}', {}, /undefined for a string/],
    ['a helper that does not exist', '{{nope x}}', { x: 'a' }, /nope/],
    ['a text for code', '{{code x}}', { x: 'process.exit()' }, /code/],
    ['an object that looks like code', '{{code x}}', { x: { text: 'process.exit()' } }, /code/],
    ['a number for a text', '{{str x}}', { x: 3 }, /number for a string/],
    ['a text that is not an identifier', '{{id x}}', { x: 'a b' }, /identifier/],
    ['texts for tags', '{{doc x tags}}', { x: 'a', tags: ['@type {x}'] }, /code/],
  ])('P17 `render` refuses %s', (_, source, view, message) => {
    expect(() => render(source, view)).toThrow(message);
  });

  it('P17 `render` prints the code of a printer as it is', () => {
    expect(render('{{code x}}', { x: new Code('a, b') })).toBe('a, b\n');
  });
});

describe('text in code', () => {
  const readLiteral = (literal: string): unknown => {
    const file = ts.createSourceFile('x.js', `(${literal})`, ts.ScriptTarget.Latest);
    const [statement, ...others] = file.statements;
    expect(others).toEqual([]);
    if (statement === undefined || !ts.isExpressionStatement(statement)) throw new Error('no expression');
    const inner = (statement.expression as ts.ParenthesizedExpression).expression;
    if (!ts.isStringLiteral(inner)) throw new Error('no string');
    return inner.text;
  };

  const expectString = (text: string): void => {
    const literal = printString(text);
    expect(readLiteral(literal)).toBe(text);
    expect(literal).not.toMatch(/\*\/|[\n\r\u2028\u2029\u202e]/);
  };

  const expectComment = (text: string): void => {
    const comment = printDoc(text, [new Code('@type {Mine}')]);
    const source = `${comment}\nexport const x = 1;\n`;
    const file = ts.createSourceFile('x.js', source, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
    expect(file.statements.map(({ kind }) => kind)).toEqual([ts.SyntaxKind.VariableStatement]);
    const [statement] = file.statements;
    if (statement === undefined) throw new Error('no statement');
    expect(ts.getJSDocTags(statement).map(tag => tag.getText().trim())).toEqual(['@type {Mine}']);
    expect(ts.getLeadingCommentRanges(source, 0)).toHaveLength(1);
    const { pragmas, commentDirectives } = file as unknown as {
      pragmas: ReadonlyMap<string, unknown>;
      commentDirectives?: readonly unknown[];
    };
    expect([...pragmas.keys()]).toEqual([]);
    expect(commentDirectives).toBeUndefined();
    expect(comment).not.toMatch(/source(Mapping)?URL=|[\0-\x09\x0b-\x1f\u2028\u2029\u202e]/);
  };

  it.each(hostile)('P17 text becomes a string with the same value: %j', expectString);

  it.each(hostile)('P17 text becomes a comment and nothing else: %j', expectComment);

  it('P17 any mixture of hostile parts becomes a string or a comment and nothing else', () => {
    const parts = [...hostile, ...'*/@{}\\\'"`$#<> \n\r\t\0\u2028\u202e\u200b\ud800\udc00ax', 'jsx', '*/', 'URL='];
    let seed = 7;
    const next = (limit: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * limit);
    };
    for (let round = 0; round < 500; round++) {
      const text = Array.from({ length: 1 + next(8) }, () => parts[next(parts.length)]).join('');
      expectString(text);
      expectComment(text);
    }
  });

  it.each([
    ['Get an issue.', '/** Get an issue. */'],
    ['First\nline.\n\nSecond paragraph.', '/** First line. */'],
    ['First.\r\n \t\r\nSecond.', '/** First. */'],
    ['# Heading\n\nText', '/** Heading */'],
    ['  ', ''],
    ['\u0000\u202e', ''],
    ['ask @team or a@b.example', '/** ask \\@team or a@b.example */'],
    [`${'word '.repeat(40)}`, `/**\n * ${'word '.repeat(23).trim()}\n * ${'word '.repeat(17).trim()}\n */`],
    ['x'.repeat(300), `/** ${'x'.repeat(300)} */`],
  ])('P17 `printDoc` shows the first paragraph: %j', (text, comment) => {
    expect(printDoc(text)).toBe(comment);
  });
});

describe('names in code', () => {
  it('P17 `printIdentifier` refuses what is not an identifier', () => {
    expect(['a', '$', '_x1', 'größe', '名', 'delete'].every(isIdentifier)).toBe(true);
    expect(['', '1a', 'a-b', 'a b', 'a\n', 'a;b', 'a\u2028', '\ud800'].some(isIdentifier)).toBe(false);
    expect(() => printIdentifier('a;b')).toThrow('"a;b" is not an identifier');
  });

  it('P17 `isParameterName` refuses reserved words', () => {
    expect(['delete', 'await', 'eval', 'arguments', 'static', 'let', 'a-b'].some(isParameterName)).toBe(false);
    expect(['of', 'async', 'get', 'type', 'as', 'name'].every(isParameterName)).toBe(true);
  });

  it('P17 `localName` changes a name that a module cannot have', () => {
    expect(localName('run', new Set())).toBe('run');
    expect(localName('delete', new Set(['_delete']))).toBe('__delete');
    expect(localName('tools', new Set())).toBe('_tools');
  });
});
