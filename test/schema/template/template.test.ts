import { describe, expect, it } from 'vitest';
import { parseTemplate, renderTemplate, templateNames, toolMentions } from '../../../schema/template/template.js';

const wire = (item: string): string => `${item}_wire`;

function render(text: string, args: Readonly<Record<string, unknown>> = {}): string {
  const { template, problems } = parseTemplate(text);
  expect(problems).toEqual([]);
  return renderTemplate(template, args, wire);
}

const reasons = (text: string): string[] => parseTemplate(text).problems.map(problem => problem.reason);
const names = (text: string): string[] => templateNames(parseTemplate(text).template).map(use => use.name);

describe('values in templates', () => {
  it.each([
    ['Hello {{name}}!', { name: 'Ada' }, 'Hello Ada!'],
    ['{{ name }}{{{name}}}{{~name~}}', { name: 'x' }, 'xxx'],
    ['{{name}}', {}, ''],
    ['{{name}}', { name: null }, ''],
    ['{{a}} {{b}} {{c}}', { a: 0, b: false, c: '' }, '0 false '],
    ['{{a.b}} {{a/b}} {{a.b.c}}', { a: { b: 'x' } }, 'x x '],
    ['{{this.a}} {{./a}} {{@root.a}}', { a: 1 }, '1 1 1'],
    ['{{[my file]}} {{a.[b c]}} {{list.0}} {{list.length}}', { 'my file': 1, a: { 'b c': 2 }, list: [3] }, '1 2 3 1'],
    ['{{issue-key}} {{größe}} {{名前}} {{$x}}', { 'issue-key': 1, größe: 2, 名前: 3, $x: 4 }, '1 2 3 4'],
    ['{{list}} {{nested}}', { list: [1, 'a', null], nested: [{ a: 1 }] }, '1,a, [{"a":1}]'],
    ['{{o}}', { o: { toString: 'no function' } }, '{"toString":"no function"}'],
    ['{{name}}}', { name: 'x' }, 'x}'],
    ['{"a":{"b":1}} $ {', {}, '{"a":{"b":1}} $ {'],
  ])('W74 a template fills in values: %j with %j', (text, args, expected) => {
    expect(render(text, args)).toBe(expected);
  });

  it('J76 values are inserted literally: no escaping, no expansion, no replacement patterns, any Unicode', () => {
    const value = '<b>&"\'`{{name}} {{#if x}} \\{{ $& $1 {{tool:x}} 👩‍👩‍👧 \ud800 \u0000\u2028';
    expect(render('[{{name}}|{{{name}}}]', { name: value })).toBe(`[${value}|${value}]`);
  });

  it('W74 a template sees only own members', () => {
    expect(render('{{constructor}}{{a.__proto__}}{{toString}}{{a.constructor.name}}', { a: {} })).toBe('');
    expect(render('{{constructor}}', { constructor: 'own' })).toBe('own');
    expect(render('{{name.length}}', { name: 'text' })).toBe('');
  });

  it('W74 escaped braces are text', () => {
    expect(render('\\{{name}} {{name}}', { name: 'x' })).toBe('{{name}} x');
    expect(render('\\\\{{name}}', { name: 'x' })).toBe('\\x');
    expect(render('\\{{{name}}} \\{{#if x}}', {})).toBe('{{{name}}} {{#if x}}');
    expect(render('C:\\dir {{name}}\\', { name: 'x' })).toBe('C:\\dir x\\');
  });
});

describe('blocks in templates', () => {
  it.each([
    ['text', 'yes'],
    ['', 'no'],
    [0, 'no'],
    [false, 'no'],
    [null, 'no'],
    [undefined, 'no'],
    [[], 'no'],
    [[0], 'yes'],
    [{}, 'yes'],
    [1, 'yes'],
  ])('W74 {{#if}} of %j is %s, and {{#unless}} the opposite', (x, expected) => {
    expect(render('{{#if x}}yes{{else}}no{{/if}}', { x })).toBe(expected);
    expect(render('{{#unless x}}no{{else}}yes{{/unless}}', { x })).toBe(expected);
    expect(render('{{#if x}}yes{{/if}}{{#unless x}}no{{^}}{{/unless}}', { x })).toBe(expected);
  });

  it('W74 {{else if}} can be chained', () => {
    const text = '{{#if a}}A{{else if b}}B{{else unless c}}C{{else}}D{{/if}}.';
    expect(render(text, { a: 1 })).toBe('A.');
    expect(render(text, { b: 1 })).toBe('B.');
    expect(render(text, {})).toBe('C.');
    expect(render(text, { c: 1 })).toBe('D.');
  });

  it('W74 {{#each}} goes over lists', () => {
    const text =
      '{{#each list}}{{@index}}{{#if @first}}<{{/if}}{{this}}{{#unless @last}}, {{/unless}}{{else}}none{{/each}}';
    expect(render(text, { list: ['a', 'b', 'c'] })).toBe('0<a, 1b, 2c');
    expect(render(text, { list: [] })).toBe('none');
    expect(render(text, {})).toBe('none');
    expect(render(text, { list: 'a text is no list' })).toBe('none');
    expect(render('{{#each list}}{{@first}}-{{@last}} {{/each}}', { list: [1, 2] })).toBe('true-false false-true ');
  });

  it('W74 names inside {{#each}} are those of the member, and ../ and @root lead out', () => {
    const list = [
      { title: 'T1', tags: ['x', 'y'] },
      { title: 'T2', tags: [] },
    ];
    const text = '{{#each list}}{{title}}/{{this.title}}/{{name}}/{{../name}}/{{@root.name}};{{/each}}';
    expect(render(text, { list, name: 'N' })).toBe('T1/T1//N/N;T2/T2//N/N;');
    expect(
      render('{{#each list}}{{#each tags}}{{../title}}{{this}}{{../../name}} {{else}}{{title}}{{/each}}{{/each}}', {
        list,
        name: 'N',
      }),
    ).toBe('T1xN T1yN T2');
  });

  it('W74 {{#each}} goes over maps', () => {
    expect(render('{{#each o}}{{@key}}={{this}} {{/each}}', { o: { b: 1, a: 2 } })).toBe('b=1 a=2 ');
    expect(render('{{#each o}}{{.}}{{/each}}', { o: JSON.parse('{"__proto__":1,"constructor":2}') })).toBe('12');
  });

  it('W74 mentions of tools become their wire names', () => {
    expect(
      render('Use {{tool:get-issue}}, {{~ tool: acme/jira/search ~}} , {{#if x}}{{tool:a}}{{/if}}', { x: 1 }),
    ).toBe('Use get-issue_wire,acme/jira/search_wire, a_wire');
  });
});

describe('whitespace in templates', () => {
  it.each([
    ['a block tag takes its line', 'a\n  {{#if x}}\n  b\n  {{/if}}\nc', 'a\n  b\nc'],
    ['also the first and the last line', '{{#if x}}\nb\n{{/if}}', 'b\n'],
    ['also with trailing spaces and CRLF', 'a\r\n{{#if x}} \t\r\nb\r\n{{/if}}\r\nc', 'a\r\nb\r\nc'],
    ['{{else}} too', '{{#if y}}\na\n{{else}}\nb\n{{/if}}\nc', 'b\nc'],
    ['a comment too', 'a\n  {{! note }}\nb\n{{!-- }} --}}\nc', 'a\nb\nc'],
    ['a value does not', 'a\n  {{x}}\nb', 'a\n  1\nb'],
    ['a tag with text beside it does not', 'a\nb {{#if x}}\nc\n{{/if}} d', 'a\nb \nc\n d'],
    ['two tags on one line do not', '{{#if x}}{{#if x}}\nb\n{{/if}}{{/if}}', '\nb\n'],
    ['a mention does not', 'a\n{{tool:t}}\nb', 'a\nt_wire\nb'],
    ['empty lines stay', '{{#if x}}\n\nb\n\n{{/if}}\n\nc', '\nb\n\n\nc'],
    ['~ takes all whitespace', 'a \n {{~x~}} \n b', 'a1b'],
    ['~ on one side', 'a {{~x}} b {{x~}} c', 'a1 b 1c'],
    ['~ in blocks', 'a {{~#if x~}} b {{~else~}} c {{~/if~}} d', 'abd'],
    ['~ in comments', 'a {{~! c ~}} b {{~!-- c --~}} d', 'abd'],
    ['~ in triple braces', 'a {{~{x}~}} b', 'a1b'],
    ['a list', 'Items:\n{{#each list}}\n- {{this}}\n{{/each}}\nEnd', 'Items:\n- p\n- q\nEnd'],
  ])('W74 a template treats whitespace as Handlebars does: %s', (_, text, expected) => {
    expect(render(text, { x: 1, list: ['p', 'q'] })).toBe(expected);
  });
});

describe('lines of whole blocks', () => {
  const args = { x: 1, list: ['p', '', 'q'] };

  it.each([
    ['goes when nothing is left of it', 'a\n{{#if y}}Y {{y}}{{/if}}\nb', 'a\nb'],
    ['goes as the first line', '{{#if y}}Y{{/if}}\nb', 'b'],
    ['goes with its indentation and CRLF', 'a\r\n  {{#if y}}Y{{/if}} \r\nb', 'a\r\nb'],
    ['goes with all its blocks', 'a\n{{#if y}}Y{{/if}} {{#each none}}n{{/each}}\nb', 'a\nb'],
    ['goes inside a block', 'a\n{{#if x}}\n{{#if y}}Y{{/if}}\nb\n{{/if}}\nc', 'a\nb\nc'],
    ['goes in each turn of a loop', '{{#each list}}\n{{#if this}}- {{this}}{{/if}}\n{{/each}}\nb', '- p\n- q\nb'],
    ['goes line by line', 'a\n{{#if y}}1{{/if}}\n{{#if y}}2{{/if}}\n{{#if x}}3{{/if}}\nb', 'a\n3\nb'],
    ['stays when something is left', 'a\n{{#if y}}Y{{else}}N{{/if}}\nb', 'a\nN\nb'],
    ['stays with text beside the block', 'a\n- {{#if y}}Y{{/if}}\nb', 'a\n- \nb'],
    ['stays with a value beside the block', 'a\n{{y}}{{#if y}}Y{{/if}}\nb', 'a\n\nb'],
    ['stays for a value alone', 'a\n{{y}}\nb', 'a\n\nb'],
    ['leaves empty lines around it', 'a\n\n{{#if y}}Y{{/if}}\n\nb', 'a\n\n\nb'],
    ['leaves the end of the line before it', 'a\n{{#if y}}Y{{/if}}', 'a\n'],
    ['leaves a block of several lines alone', 'a\n{{#if x}}b\nc{{/if}}\nd', 'a\nb\nc\nd'],
    ['is nothing special with ~', 'a\n{{~#if y}}Y{{/if~}}\nb', 'ab'],
  ])('W74 a line of whole blocks %s', (_, text, expected) => {
    expect(render(text, args)).toBe(expected);
  });
});

describe('problems of templates', () => {
  it.each([
    ['{{> header}}', 'partials'],
    ['{{#> layout}}x{{/layout}}', 'partials'],
    ['{{#with a}}{{b}}{{/with}}', '{{#with}} is not supported'],
    ['{{#repeat 3}}x{{else}}y{{/repeat}}', '{{#repeat}} is not supported'],
    ['{{lookup a b}}', 'helpers such as "lookup"'],
    ['{{upper name}}', 'helpers such as "upper"'],
    ['{{file name}}', '{{[file name]}}'],
    ['{{name key=1}}', 'named parameters'],
    ['{{#if (eq a b)}}x{{/if}}', 'subexpressions'],
    ['{{#if a "b"}}x{{/if}}', 'quotes'],
    ['{{#if a b}}x{{/if}}', 'takes one name, not 2'],
    ['{{#if}}x{{/if}}', 'needs a name'],
    ['{{if a}}', 'write {{#if a}}'],
    ['{{each}}', 'write {{#each}}'],
    ['{{#if a}}x{{elseif b}}y{{/if}}', 'write {{else if b}}'],
    ['{{#each a as |b|}}x{{/each}}', 'block parameters'],
    ['{{^a}}x{{/a}}', 'write {{#unless a}}'],
    ['{{&a}}', 'write {{name}}'],
    ['{{* a}}', 'decorators'],
    ['{{#* inline}}x{{/inline}}', 'decorators'],
    ['{{ #if a}}x{{/if}}', 'no space'],
    ['{{}}', 'empty'],
    ['{{~ ~}}', 'empty'],
    ['{{#}}', 'empty'],
    ['{{name', 'not closed'],
    ['{{name}', 'not closed'],
    ['{{name {{other}}', 'not closed'],
    ['{{{name}}', 'closed by }}}'],
    ['{{{{raw}}}}', 'raw blocks'],
    ['{{!-- never', 'comment is not closed'],
    ['{{! never }', 'comment is not closed'],
    ['{{else}}', 'outside a block'],
    ['{{#if a}}x{{else}}y{{else}}z{{/if}}', 'an {{else}} already'],
    ['{{/if}}', 'not open'],
    ['{{#if a}}x', '{{#if a}} is not closed'],
    ['{{#if a}}x{{/each}}', '{{/if}} is expected'],
    ['{{#each a}}{{#if b}}x{{/each}}', '{{#if b}} is not closed'],
    ['{{this}}', 'only works inside {{#each}}'],
    ['{{.}}', 'only works inside {{#each}}'],
    ['{{@index}}', 'only works inside {{#each}}'],
    ['{{#each a}}x{{else}}{{@index}}{{/each}}', 'only works inside {{#each}}'],
    ['{{#each a}}{{@level}}{{/each}}', 'unknown @level'],
    ['{{../a}}', 'there is none around'],
    ['{{#each a}}{{../../a}}{{/each}}', 'there are fewer around'],
    ['{{true}}', 'a value, not the name'],
    ['{{a..b}}', 'is not a valid argument name'],
    ['{{a.}}', 'is not a valid argument name'],
    ['{{a,b}}', 'is not a valid argument name'],
    ['{{[a}}', 'is not a valid argument name'],
    ['{{tool:}}', 'name is missing'],
    ['{{tool:a b}}', 'no spaces'],
  ])('W74 the template %s has one problem: %s', (text, part) => {
    const found = reasons(text);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(part);
  });

  it('W74 every problem is found, in order, each with the position of its tag', () => {
    const text = '{{x}} {{> p}} {{{x}}} {{> p}} {{/if}}';
    expect(parseTemplate(text).problems.map(({ tag, nth, offset }) => ({ tag, nth, offset }))).toEqual([
      { tag: '{{> p}}', nth: 0, offset: 6 },
      { tag: '{{> p}}', nth: 1, offset: 22 },
      { tag: '{{/if}}', nth: 0, offset: 30 },
    ]);
  });

  it('W74 an unclosed block is reported at its opening tag', () => {
    expect(parseTemplate('a {{#if x}} b').problems).toMatchObject([{ tag: '{{#if x}}', nth: 0, offset: 2 }]);
  });
});

describe('`templateNames`', () => {
  it('W74 `templateNames` finds the arguments that a template uses', () => {
    expect(
      names('{{a}} {{#if b}}{{c.d}}{{else}}{{{e}}}{{/if}} {{this.f}} {{[g h]}} {{! no }} \\{{no}} {{tool:no}}'),
    ).toEqual(['a', 'b', 'c', 'e', 'f', 'g h']);
  });

  it('W74 members of a list are not arguments, but what ../ and @root lead to is', () => {
    expect(
      names(
        '{{#each list}}{{title}}{{this}}{{@index}}{{../a}}{{@root.b}}{{#each tags}}{{../x}}{{../../c}}{{/each}}{{else}}{{d}}{{/each}}',
      ),
    ).toEqual(['list', 'a', 'b', 'c', 'd']);
  });

  it('W74 names in an unknown block are not judged', () => {
    expect(names('{{#with a}}{{b}}{{/with}}{{c}}')).toEqual(['c']);
  });

  it('W74 equal tags are numbered as a search of the raw text counts them', () => {
    const text = '{{x}} {{{x}}} \\{{x}} {{! {{x}} {{ x }} {{x}}';
    const uses = templateNames(parseTemplate(text).template);
    expect(uses.length).toBeGreaterThan(3);
    for (const use of uses) {
      let at = -1;
      for (let count = 0; count <= use.nth; count++) at = text.indexOf(use.tag, at + 1);
      expect([use.tag, at]).toEqual([use.tag, use.offset]);
    }
  });
});

describe('`toolMentions`', () => {
  it('W70 `toolMentions` works on any text', () => {
    expect(toolMentions('Call {{tool:a}}, {{ tool:b/c }}, {{tool:a}}, {{~tool:d~}} and {{x}}.')).toEqual([
      { name: 'a', tag: '{{tool:a}}', nth: 0 },
      { name: 'b/c', tag: '{{ tool:b/c }}', nth: 0 },
      { name: 'a', tag: '{{tool:a}}', nth: 1 },
      { name: 'd', tag: '{{~tool:d~}}', nth: 0 },
    ]);
  });

  it('W70 an impossible name is still a mention, and escaped braces are not', () => {
    expect(toolMentions('{{tool:get issue}} {{tool:}}').map(mention => mention.name)).toEqual(['get issue', '']);
    expect(toolMentions('\\{{tool:a}} tool:b {tool:c} {{tool:d')).toEqual([]);
    expect(toolMentions('\\\\{{tool:a}}')).toHaveLength(1);
  });
});

describe('hostile templates', () => {
  it('W74 ten thousand nested blocks neither overflow nor lose anything', () => {
    const depth = 10_000;
    expect(render(`${'{{#if x}}'.repeat(depth)}deep{{x}}${'{{/if}}'.repeat(depth)}`, { x: 1 })).toBe('deep1');
    expect(render(`${'{{#each x}}'.repeat(500)}{{this}}${'{{/each}}'.repeat(500)}`, { x: [1] })).toBe('');
    const problems = reasons('{{#if x}}'.repeat(depth));
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.length).toBeLessThanOrEqual(100);
  });

  it.each([
    ['{{', 500_000],
    ['{{ ', 300_000],
    ['{{!--', 200_000],
    ['{{!', 300_000],
    ['{{x', 300_000],
    ['}}', 500_000],
    ['\\{{', 300_000],
    ['{{/if}}', 100_000],
    ['{{#if', 200_000],
    [' {{#if x}}', 100_000],
    ['{{tool:', 150_000],
  ])('W74 the template %j, %d times, ends and has few problems', (piece, times) => {
    const text = piece.repeat(times);
    const { template, problems } = parseTemplate(text);
    expect(problems.length).toBeLessThanOrEqual(100);
    expect(renderTemplate(template, {}, wire).length).toBeLessThanOrEqual(text.length);
    expect(toolMentions(text)).toEqual([]);
  });

  it('W74 long runs of spaces and many different names are read once', () => {
    const spaces = ' '.repeat(200_000);
    expect(render(`a${spaces}b{{#if x}}${spaces}c{{/if}}${spaces}`, {})).toBe(`a${spaces}b${spaces}`);
    const many = Array.from({ length: 50_000 }, (_, index) => `{{name${index}}}`).join('');
    expect(names(many)).toHaveLength(50_000);
  });

  it('W74 random text never throws', () => {
    const pieces = [
      '{{',
      '}}',
      '{',
      '}',
      '#if x',
      '/if',
      'else',
      '~',
      '!',
      '--',
      '\\',
      'x',
      '.',
      '@',
      '[',
      ']',
      ' ',
      '\n',
      'each',
      '#',
    ];
    let seed = 5;
    const random = (below: number): number => {
      seed = (seed * 48271) % 2147483647;
      return seed % below;
    };
    for (let round = 0; round < 3_000; round++) {
      const text = Array.from({ length: random(25) }, () => pieces[random(pieces.length)]).join('');
      const { template, problems } = parseTemplate(text);
      expect(typeof renderTemplate(template, { x: [1, 2] }, wire)).toBe('string');
      for (const problem of problems) expect(text.startsWith(problem.tag, problem.offset)).toBe(true);
    }
  });
});
