// fix-F11: a hint that says "in quotes" keeps what the author typed: following it must not lose a digit.
import { describe, expect, it } from 'vitest';
import { check, tool } from '../../harness/pack.js';

const spellings = ['1.10', '007', '0x1F', '1e3', '01234', '1.0', '-0', 'true'];

const hints = async (definition: string) => (await check(tool(definition))).map(({ hint }) => hint);

describe('hints keep the text of the author', () => {
  it.each(spellings)('fix-F11 fix-N8 P3 a hint keeps what the author typed: %s', async typed => {
    const quoted = `write it in quotes: ${JSON.stringify(typed)}`;
    const enumHint = `write ${JSON.stringify(typed)} in quotes`;
    expect(await hints(`description: d\nparameters: { a: { type: string, default: ${typed} } }\n`)).toEqual([quoted]);
    expect(await hints(`description: d\nparameters: { a: { type: string, enum: [b, ${typed}] } }\n`)).toEqual([
      enumHint,
    ]);
    expect(await hints(`description: d\nparameters: { a: { type: string, examples: [b, ${typed}] } }\n`)).toEqual([
      quoted,
    ]);
    const raw = (more: string) =>
      `description: d\ninputSchema: { type: object, properties: { a: { type: object, properties: { b: { type: string, ${more} } } } } }\n`;
    expect(await hints(raw(`default: ${typed}`))).toEqual([quoted]);
    expect(await hints(raw(`enum: [${typed}]`))).toEqual([enumHint]);
    const example = `description: d\nparameters: { a: string, l: { type: array, items: string } }\nexamples:\n  - input: { a: x, l: [y, ${typed}] }\n`;
    expect(await hints(example)).toEqual([quoted]);
    const output = `description: d\noutput: { a: string }\nexamples:\n  - { input: {}, output: { a: ${typed} } }\n`;
    expect(await hints(output)).toEqual([quoted]);
  });

  it('fix-F11 fix-N8 P3 a hint keeps what the author typed in JSON', async () => {
    const files = {
      'toolwright.yaml': '',
      'mcp/tools/t.json': '{"description": "d", "parameters": {"a": {"type": "string", "default": 1.10}}}',
    };
    expect((await check(files)).map(({ hint }) => hint)).toEqual(['write it in quotes: "1.10"']);
  });
});
