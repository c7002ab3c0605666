// fix-N9: ` #` behind text without quotes ends the text, which nobody sees until a model reads half a sentence.
import { describe, expect, it } from 'vitest';
import { check, checkPlaces, tool } from '../../harness/pack.js';

const cuts = async (definition: string): Promise<readonly string[]> =>
  (await check(tool(definition)))
    .filter(({ code }) => code === 'parse/cut-text')
    .map(({ line, column }) => `${line}:${column}`);

describe('text that a comment cuts', () => {
  it('fix-N9 a description that ends at # is a warning at the #, and the hint has the whole text', async () => {
    const [found, ...others] = await check(tool('description: Get issue #42 of a repo\n'));
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      code: 'parse/cut-text',
      severity: 'warning',
      message: 'a comment begins here, so the text is only "Get issue"',
      hint: 'write "Get issue #42 of a repo"; before a comment, leave two spaces',
      file: 'mcp/tools/t.yaml',
      line: 1,
      column: 24,
    });
  });

  it.each([
    ['a parameter', 'parameters:\n  a:\n    type: string\n    description: The a #1\n', '5:24'],
    ['a flow map over several lines', 'parameters:\n  a: {\n    type: string, description: The a #1\n  }\n', '4:38'],
    ['a guideline in a list', 'guidelines:\n  whenToUse:\n    - Before #2\n', '4:14'],
    ['an error', 'errors:\n  GONE:\n    message: Issue #1 is gone\n', '4:20'],
    ['a default', 'parameters:\n  a:\n    type: string\n    default: channel #general\n', '5:22'],
    ['the input of an example', 'parameters: { q: string }\nexamples:\n  - input:\n      q: issue #42\n', '5:16'],
    ['a raw schema', 'inputSchema:\n  type: object\n  description: See #3\n', '4:20'],
    ['the second line of some text', 'resultText: Found it\n  in issue #42\n', '3:12'],
  ])('fix-N9 text is not cut silently in %s', async (_where, more, place) => {
    expect(await cuts(`description: d\n${more}`)).toEqual([place]);
  });

  it.each([
    ['two spaces before it', 'description: Gets an issue  # see the manual\n'],
    ['a type that a parameter called description has', 'description: d\nparameters:\n  description: string # free\n'],
    ['a number', 'description: d\nparameters:\n  a:\n    type: integer\n    default: 50 # per page\n'],
    ['a key that is not prose', 'description: d\neffect: read # nothing changes\n'],
    ['a handler', 'description: d\nhandler: src/tools/x.ts#run # built before\n'],
    ['quotes', 'description: "Get issue #42"\n'],
    ['quotes before it', 'description: "Get an issue" # yes\n'],
    ['a block of text', 'description: |\n  Get issue #42\n'],
    ['a line of its own', 'description: d\n # a #comment #42\n'],
    [
      'words of data and a space after it',
      'description: d\nparameters:\n  a: { type: string, enum: [x, y] }\n  b:\n    type: string\n    default: x # the usual one\n',
    ],
  ])('fix-N9 a comment is a comment: %s', async (_why, definition) => {
    expect(await cuts(definition)).toEqual([]);
  });

  it('fix-N9 prompts, servers and toolwright.yaml are looked at like tools', async () => {
    const files = {
      'toolwright.yaml':
        'description: Issues of #support\nconfig:\n  KEY:\n    type: string\n    description: Ticket #1\n',
      'mcp/prompts/p.yaml': 'description: d\ntext: Summarise issue #42\n',
      'mcp/servers/s.yaml': 'description: d\ninstructions:\n  - Start in #general\n',
    };
    expect(await checkPlaces(files)).toEqual([
      'parse/cut-text mcp/prompts/p.yaml:2:23',
      'parse/cut-text mcp/servers/s.yaml:3:14',
      'parse/cut-text toolwright.yaml:1:24',
      'parse/cut-text toolwright.yaml:5:25',
    ]);
  });

  it('fix-N9 a run with a cache of earlier runs reports it again', async () => {
    const kept = new Map<string, readonly unknown[]>();
    const cache = {
      get: (hash: string) => kept.get(hash),
      set: (hash: string, values: readonly unknown[]) => kept.set(hash, values),
    };
    const files = {
      ...tool('description: Get issue #42\n'),
      'mcp/tools/u.yaml': 'description: "d #1"\nparameters:\n  a: string # a\n',
    };
    const first = await check(files, { cache });
    expect(kept.size).toBe(1);
    expect(await check(files, { cache })).toEqual(first);
    expect(first.map(({ code }) => code)).toEqual(['parse/cut-text']);
  });

  it.each([
    ['braces', 'description: d\nparameters:\n  a: { type: string, description: The a #1 }\n', '3:41'],
    ['text over several lines', 'description: Get issue\n  one or issue #42 and\n  so on\n', '2:16'],
  ])('fix-N9 a syntax error that a # causes points at the #: %s', async (_what, definition, place) => {
    const found = await check(tool(definition));
    expect(found.map(({ code, line, column, hint }) => [code, `${line}:${column}`, hint])).toEqual([
      ['parse/yaml', place, 'text with " #" needs quotes'],
    ]);
  });
});
