// X4: `resultText` is the text beside the data, unless the handler has said something itself.
import { describe, expect, it } from 'vitest';
import { text } from '../../../runtime/call/content.js';
import { ToolError } from '../../../runtime/call/tool-error.js';
import type { CallToolResult } from '../../../schema/support/mcp/content.js';
import { type KitOptions, makeKit, textsOf } from './call-kit.js';

const parameters =
  'parameters: { path: string, size: { type: integer, default: 4 }, note: { type: string, required: false } }';
const output =
  'output: { path: string, file: { type: object, required: false, properties: { bytes: integer } }, rows: { type: array, required: false } }';

async function run(resultText: string, value: unknown, more = '', options: KitOptions = {}): Promise<CallToolResult> {
  const definition = `description: d\n${parameters}\nresultText: ${JSON.stringify(resultText)}\n${more}`;
  return await makeKit(definition, { handler: () => value, ...options }).call({ path: 'a.txt' });
}

describe('X4 resultText', () => {
  it('resultText fills in members of the output and arguments, and the output wins', async () => {
    const data = { path: '/x/a.txt', file: { bytes: 12 }, rows: [1, 2, 3] };
    const got = await run('Wrote {{file.bytes}} of {{size}} to {{path}}, {{rows.length}} rows', data, output);
    expect(got).toEqual({
      content: [{ type: 'text', text: 'Wrote 12 of 4 to /x/a.txt, 3 rows' }],
      structuredContent: data,
    });
    expect(textsOf(await run('{{path}}|{{note}}|', { path: '{{size}}' }, output))).toEqual(['{{size}}||']);
  });

  it('resultText has blocks, tools and literal braces', async () => {
    const told = '{{#if note}}no{{else}}Done{{/if}}: {{#each rows}}<{{this}}>{{/each}} then {{tool:other}} \\{{x}}';
    const kit = makeKit(
      `description: d\n${parameters}\nresultText: ${JSON.stringify(told)}\n${output}`.replace(
        '{{tool:other}}',
        '{{tool:t}}',
      ),
      {
        handler: () => ({ path: 'p', rows: ['a', 'b'] }),
      },
    );
    expect(textsOf(await kit.call({ path: 'a' }))).toEqual(['Done: <a><b> then wire-t {{x}}']);
  });

  it('resultText stands for the result of a handler that returns nothing', async () => {
    expect(await run('Deleted {{path}}', undefined)).toEqual({ content: [{ type: 'text', text: 'Deleted a.txt' }] });
    expect(textsOf(await run('Deleted {{path}}', null))).toEqual(['Deleted a.txt']);
    expect(textsOf(await run('Done.', { any: 1 }))).toEqual(['Done.']);
    expect((await run('Done.', { any: 1 })).structuredContent).toEqual({ any: 1 });
    expect(textsOf(await run('{{message}}!', 'Created', 'result: envelope'))).toEqual(['Created!']);
  });

  it.each([
    ['a text', 'mine', '', ['mine']],
    ['content', text('mine'), '', ['mine']],
    [
      'a whole result',
      { content: [{ type: 'text', text: 'mine' }], structuredContent: { path: 'p' } },
      output,
      ['mine'],
    ],
    ['a whole result without text', { content: [], structuredContent: { path: 'p' } }, output, []],
    ['a failed result', { content: [{ type: 'text', text: 'mine' }], isError: true }, output, ['mine']],
  ])('resultText gives way to %s', async (_name, value, more, expected) => {
    expect(textsOf(await run('Wrote {{path}}', value, more))).toEqual(expected);
  });

  it('resultText is for results, not for errors', async () => {
    const handler = (): never => {
      throw new ToolError('no');
    };
    const definition = `description: d\n${parameters}\nresultText: "Wrote {{path}}"`;
    expect((await makeKit(definition, { handler }).fail({ path: 'a' })).message).toBe('no');
    expect((await makeKit(definition, { handler }).fail({})).code).toBe('BAD_ARGUMENTS');
    const wrong = makeKit(`${definition}\n${output}`, { handler: () => ({}) });
    expect((await wrong.fail({ path: 'a' })).code).toBe('BAD_OUTPUT');
  });

  it('resultText shows the arguments as they were, whatever the handler does to them', async () => {
    const kit = makeKit(`description: d\n${parameters}\nresultText: "{{path}}"`, {
      handler: args => {
        args['path'] = 'changed';
      },
    });
    expect(textsOf(await kit.call({ path: 'a' }))).toEqual(['a']);
  });

  it('resultText is subject to redaction and limits', async () => {
    const options = { manifest: 'config: { TOKEN: { type: string, secret: true } }', env: { TOKEN: 'hunter22' } };
    expect(textsOf(await run('Saw {{path}}', { path: 'hunter22' }, output, options))).toEqual(['Saw [secret TOKEN]']);
    const [cut = ''] = textsOf(await run('Saw {{path}}', { path: 'x' }, `${output}\nlimits: { resultChars: 20 }`));
    expect(cut).toBe('Saw x');
    const long = await run(`${'x'.repeat(50)} {{size}}`, undefined, 'limits: { resultChars: 20 }');
    expect(textsOf(long)[0]).toContain('characters were cut');
  });
});
