// Slips in the layout of YAML: one slip is one diagnostic, and everything else is judged as it was meant.
import { describe, expect, it } from 'vitest';
import { check, type Files, tool } from '../../harness/pack.js';

const found = async (files: Files): Promise<readonly (string | undefined)[][]> =>
  (await check(files)).map(({ code, line, column, hint }) => [code, `${line}:${column}`, hint]);

const prompt = (definition: string): Files => ({ 'toolwright.yaml': '', 'mcp/prompts/p.yaml': definition });

describe('a comma inside braces', () => {
  it.each([
    ['City, such as Oslo', '4:44'],
    ['One of a, b, c', '4:48'],
    ['City,such as Oslo', '4:43'],
    ['"City", Oslo', undefined],
    ['City, such as: Oslo', '4:44'],
  ])('fix-N10 text with a comma gets one diagnostic, with the text in quotes: %s', async (text, place) => {
    const files = tool(`description: d\nparameters:\n  a: string\n  city: { type: string, description: ${text} }\n`);
    const quoted = `put the text in quotes: description: ${JSON.stringify(text)}`;
    if (place === undefined) expect((await found(files)).map(([code]) => code)).toEqual(['validate/unknown-key']);
    else expect(await found(files)).toEqual([['validate/flow-comma', place, quoted]]);
  });

  it('fix-N10 the message says where the text ends now', async () => {
    const [one] = await check(
      tool('description: d\nparameters: { c: { type: string, description: City, such as Oslo } }\n'),
    );
    expect(one?.message).toBe('a comma inside { } begins a new key, so parameters.c.description is only "City"');
  });

  it.each([
    ['an error', 'errors:\n  GONE: { message: Gone, try again }\n', '3:26', 'message: "Gone, try again"'],
    [
      'the input of an example',
      'parameters: { q: string }\nexamples:\n  - input: { q: Oslo, Norway }\n',
      '4:23',
      'q: "Oslo, Norway"',
    ],
    [
      'a nested property',
      'parameters:\n  a: { type: object, properties: { b: { type: string, title: B, or not } } }\n',
      '3:65',
      'title: "B, or not"',
    ],
    [
      'a raw schema',
      'inputSchema:\n  type: object\n  properties: { a: { type: string, description: A, or not } }\n',
      '4:52',
      'description: "A, or not"',
    ],
    ['guidelines', 'guidelines: { whenToUse: Now, or later }\n', '2:31', 'whenToUse: "Now, or later"'],
  ])('fix-N10 a comma is recognised in %s', async (_where, more, place, quoted) => {
    expect(await found(tool(`description: d\n${more}`))).toEqual([
      ['validate/flow-comma', place, `put the text in quotes: ${quoted}`],
    ]);
  });

  it('fix-N10 a number with a comma is written with a point', async () => {
    expect(await found(tool('description: d\nparameters: { a: { type: number, default: 1,5 } }\n'))).toEqual([
      ['validate/flow-comma', '2:45', 'write the number with a point: 1.5'],
    ]);
  });

  it('fix-N10 a parameter without a type in braces is not taken for text', async () => {
    expect((await found(tool('description: d\nparameters: { a: string, b }\n'))).map(([code]) => code)).toEqual([
      'validate/type',
    ]);
  });

  it('fix-N10 a declaration whose description has a comma is shown with quotes', async () => {
    const files = {
      'toolwright.yaml': 'tools:\n  - [get, Get it, quickly]\n',
      'mcp/tools/get.yaml': 'description: d\n',
    };
    const [one, ...others] = await found(files);
    expect(one).toEqual(['validate/limit', '2:5', 'put the text in quotes: [get, "Get it, quickly"]']);
    expect(others.map(([code]) => code)).toEqual([]);
  });

  it('fix-N10 words that come twice between commas get the same advice', async () => {
    const [one] = await found(tool('description: d\nparameters:\n  a: { type: string, description: x, y, z, y }\n'));
    expect(one).toEqual([
      'parse/duplicate-key',
      '3:44',
      'a comma inside { } begins a new key: text with a comma needs quotes',
    ]);
  });

  it('fix-N10 a second colon in text inside braces is named', async () => {
    expect(await found(tool('description: d\nparameters:\n  a: { type: string, description: Note: the a }\n'))).toEqual(
      [['parse/yaml', '3:35', 'write "Note: the a"']],
    );
  });
});

describe('lines that are not indented', () => {
  it('fix-N13 the keys of a parameter in its own column are one mistake', async () => {
    const [one, ...others] = await check(
      tool('description: d\nparameters:\n  a:\n  type: string\n  description: The a\n  b: integer\n'),
    );
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      code: 'validate/indentation',
      message: '"type" and "description" belong under "a", but are not indented',
      hint: 'indent these lines under a',
      line: 4,
      column: 3,
    });
    expect(one?.related).toMatchObject([{ line: 3, column: 3, message: '"a" has no value' }]);
  });

  it.each([
    [
      'parameters',
      tool('description: d\nparameters:\na:\n  type: string\nb: string\n'),
      '3:1',
      'these lines under parameters',
    ],
    ['one parameter', tool('description: d\nparameters:\n  a:\n  type: string\n'), '4:3', 'this line under a'],
    [
      'properties',
      tool('description: d\nparameters:\n  a:\n    type: object\n    properties:\n    b: string\n'),
      '6:5',
      'this line under properties',
    ],
    [
      'a property',
      tool('description: d\nparameters:\n  a:\n    type: object\n    properties:\n      b:\n      type: string\n'),
      '7:7',
      'this line under b',
    ],
    [
      'an error',
      tool('description: d\nerrors:\n  GONE:\n  message: Gone\n  retryable: true\n'),
      '4:3',
      'these lines under GONE',
    ],
    [
      'an option',
      tool('description: d\noptions:\n  size:\n  type: integer\n  default: 5\n'),
      '4:3',
      'these lines under size',
    ],
    ['guidelines', tool('description: d\nguidelines:\nwhenToUse: Now\n'), '3:1', 'this line under guidelines'],
    [
      'a raw schema',
      tool('description: d\ninputSchema:\n  type: object\n  properties:\n    a:\n    type: string\n'),
      '6:5',
      'this line under a',
    ],
    [
      'an argument',
      prompt('description: d\ntext: "{{a}}"\narguments:\n  a:\n  description: The a\n  required: true\n'),
      '5:3',
      'these lines under a',
    ],
    [
      'configuration',
      { 'toolwright.yaml': 'config:\n  KEY:\n  type: string\n  secret: true\n' },
      '3:3',
      'these lines under KEY',
    ],
    [
      'the whole configuration',
      { 'toolwright.yaml': 'config:\nKEY:\n  type: string\n' },
      '2:1',
      'this line under config',
    ],
  ])('fix-N13 lines that belong below a key get one diagnostic: %s', async (_what, files: Files, place, hint) => {
    expect(await found(files)).toEqual([['validate/indentation', place, `indent ${hint}`]]);
  });

  it('fix-N13 what is wrong below such a key is still found, at its place', async () => {
    const files = tool('description: d\nparameters:\n  a:\n  type: integer\n  default: x\n  b: strin\n');
    expect((await found(files)).map(([code, place]) => `${code} ${place}`)).toEqual([
      'validate/indentation 4:3',
      'schema/invalid-default 5:12',
      'validate/value 6:6',
    ]);
  });

  it.each([
    ['a parameter without a value', tool('description: d\nparameters:\n  a:\n  title: string\n'), ['validate/type']],
    ['a key without a value', tool('description: d\nparameters:\n'), ['validate/type']],
    [
      'arguments that need nothing',
      prompt('description: d\ntext: "{{a}} {{description}}"\narguments:\n  a:\n  description: The text\n'),
      [],
    ],
    [
      'a null in JSON',
      {
        'toolwright.yaml': '',
        'mcp/tools/t.json': '{"description": "d", "parameters": {"a": null, "type": "string"}}',
      },
      ['validate/type'],
    ],
  ])('fix-N13 nothing is moved without need: %s', async (_what, files: Files, codes) => {
    expect((await found(files)).map(([code]) => code)).toEqual(codes);
  });
});
