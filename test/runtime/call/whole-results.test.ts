// P3: which values of handlers are whole results and which are data, whatever the output schema looks like; and where lists go.
import { describe, expect, it } from 'vitest';
import { image, text } from '../../../runtime/call/content.js';
import { makeKit } from './call-kit.js';

const said = { type: 'text', text: 'said' };
const [open, closed, some, any] = [
  'output: { n: { type: integer, required: false } }',
  'outputSchema: { type: object, properties: { n: { type: integer } }, additionalProperties: false }',
  'output: { n: integer }',
  'outputSchema: { type: object }',
];
/** A schema that names what the protocol names, too. */
const relay = 'output: { content: { type: array }, structuredContent: { type: object, required: false } }';
const reader = 'output: { content: string }';
const media = 'output: { content: { type: array } }';

async function sent(value: unknown, schema: string): Promise<unknown> {
  const { content, structuredContent, ...rest } = await makeKit(`description: d\n${schema}`, {
    handler: () => value,
  }).call();
  const [first] = content;
  const code = rest.isError === true && rest._meta !== undefined ? JSON.parse(Object(first).text).code : undefined;
  return code ?? [content, structuredContent];
}

describe('fix-P3 whole results', () => {
  it.each([
    ['an open schema, all optional', open],
    ['a closed schema', closed],
    ['a schema with a required member', some],
    ['a schema of any object', any],
    ['an alternative', 'outputSchema: { type: object, anyOf: [{ properties: { n: { type: integer } } }] }'],
    ['an envelope', 'result: envelope'],
    ['no schema', ''],
  ])('a whole result is recognised with %s', async (_name, schema) => {
    const data = schema === 'result: envelope' ? { n: 1, status: 'partial' } : { n: 1 };
    expect(await sent({ content: [said], structuredContent: data }, schema)).toEqual([[said], data]);
    expect(await sent({ content: [said], structuredContent: data, isError: false }, schema)).toEqual([[said], data]);
    expect(await sent({ content: [], structuredContent: data, _meta: { a: 1 } }, schema)).toEqual([[], data]);
    expect(await sent({ structuredContent: data }, schema)).toEqual([
      [{ type: 'text', text: JSON.stringify(data) }],
      data,
    ]);
    const more = { ...said, extra: true };
    expect(await sent({ content: [more], structuredContent: data, other: 1 }, schema)).toEqual([[more], data]);
    expect(await sent({ content: [text('built')], structuredContent: data }, schema)).toEqual([
      [{ type: 'text', text: 'built' }],
      data,
    ]);
  });

  it.each([open, closed, some, any])('a whole result with an error is passed on unchecked (%s)', async schema => {
    expect(await sent({ content: [said], isError: true }, schema)).toEqual([[said], undefined]);
    expect(await sent({ content: [], isError: true }, schema)).toEqual([[], undefined]);
  });

  it.each([open, closed, some, any])('a whole result without its data is an error, not data (%s)', async schema => {
    expect(await sent({ content: [said] }, schema)).toBe('BAD_OUTPUT');
    expect(await sent({ content: [text('x')] }, schema)).toBe('BAD_OUTPUT');
    expect(await sent({ content: [] }, schema)).toBe('BAD_OUTPUT');
    expect(await sent({ content: [said], _meta: {} }, schema)).toBe('BAD_OUTPUT');
  });

  it.each([open, some, any, ''])('a whole result with broken content is an error, not data (%s)', async schema => {
    for (const content of ['said', ['said'], [{ type: 'text' }], [{ type: 'other', text: 'x' }], null, said]) {
      expect(await sent({ content, structuredContent: { n: 1 } }, schema)).toBe('BAD_OUTPUT');
    }
  });

  it.each([open, some])('a whole result with data that does not fit is an error (%s)', async schema => {
    expect(await sent({ content: [said], structuredContent: { n: 'x' } }, schema)).toBe('BAD_OUTPUT');
    expect(await sent({ content: [said], structuredContent: null }, schema)).toBe('BAD_OUTPUT');
    expect(await sent({ content: [said], structuredContent: 'x' }, schema)).toBe('BAD_OUTPUT');
  });

  it('the error says what to do when data looks like a result', async () => {
    const kit = makeKit(`description: d\n${open}`, { handler: () => ({ content: [said] }) });
    expect((await kit.fail()).message).toBe('t returned content without data, but it has an output schema');
    expect(kit.reports[0]).toContain('If this is the data, name "content" in the output schema.');
  });
});

describe('fix-P3 data that the schema names', () => {
  it('a member called content is data when the schema names it', async () => {
    expect(await sent({ content: 'x' }, reader)).toEqual([
      [{ type: 'text', text: '{"content":"x"}' }],
      { content: 'x' },
    ]);
    expect(await sent({ content: [said] }, media)).toEqual([expect.anything(), { content: [said] }]);
    const picture = image(new Uint8Array([1]), 'image/png');
    expect(await sent({ content: [picture] }, media)).toEqual([expect.anything(), { content: [picture] }]);
    expect(await sent({ content: [] }, media)).toEqual([expect.anything(), { content: [] }]);
    expect(await sent({ content: [said] }, reader)).toBe('BAD_OUTPUT');
  });

  it('a member called content beside structured content is part of a whole result', async () => {
    const read = { content: [said], structuredContent: { content: 'x' } };
    expect(await sent(read, reader)).toEqual([[said], { content: 'x' }]);
    const seen = { content: [said], structuredContent: { content: [said] } };
    expect(await sent(seen, media)).toEqual([[said], { content: [said] }]);
    expect(await sent({ content: [said], isError: true }, media)).toEqual([[said], undefined]);
  });

  it('members called content and structuredContent are data when the schema names both', async () => {
    const data = { content: [said], structuredContent: { a: 1 } };
    expect(await sent(data, relay)).toEqual([[{ type: 'text', text: JSON.stringify(data) }], data]);
    // Only the builders prove the other reading, or data that does not fit.
    const whole = { content: [text('built')], structuredContent: data };
    expect(await sent(whole, relay)).toEqual([[{ type: 'text', text: 'built' }], data]);
    const named =
      'outputSchema: { type: object, properties: { structuredContent: { type: string } }, required: [structuredContent] }';
    const inner = { content: [said], structuredContent: { structuredContent: 'x' } };
    expect(await sent(inner, named)).toEqual([[said], { structuredContent: 'x' }]);
  });

  it('a member called isError is data when the schema names it', async () => {
    const flagged = 'output: { content: { type: array }, isError: boolean }';
    const data = { content: [said], isError: true };
    expect(await sent(data, flagged)).toEqual([expect.anything(), data]);
    const alone = 'output: { isError: { type: string } }';
    expect(await sent(data, alone)).toEqual([[said], undefined]);
  });

  it.each([
    ['a reference', 'outputSchema: { type: object, $ref: "#/$defs/a", $defs: { a: { properties: { content: {} } } } }'],
    ['an alternative', 'outputSchema: { type: object, oneOf: [{ properties: { content: {} } }, { required: [x] }] }'],
    ['a pattern', 'outputSchema: { type: object, patternProperties: { "^con": {} } }'],
    ['a required member', 'outputSchema: { type: object, required: [content] }'],
    [
      'a condition',
      'outputSchema: { type: object, if: { required: [n] }, then: {}, else: { properties: { content: {} } } }',
    ],
  ])('content is data when the schema names it by %s', async (_name, schema) => {
    expect(await sent({ content: [said] }, schema)).toEqual([expect.anything(), { content: [said] }]);
  });

  it('content with further members is data', async () => {
    expect(await sent({ content: [said], n: 1 }, some)).toEqual([expect.anything(), { content: [said], n: 1 }]);
    expect(await sent({ content: [said], total: 1 }, open)).toEqual([expect.anything(), { content: [said], total: 1 }]);
    const mixed = { content: [said], structuredContent: {}, n: 1 };
    expect(await sent(mixed, some)).toEqual([expect.anything(), mixed]);
    expect(await sent({ type: 'text', text: 'x' }, any)).toEqual([expect.anything(), { type: 'text', text: 'x' }]);
  });
});

describe('X4 lists as results', () => {
  it.each([
    [
      'the only list that the output names',
      'output: { issues: { type: array }, total: { type: integer, required: false } }',
      'issues',
    ],
    ['the only list of an envelope', 'result: envelope\noutput: { issues: { type: array } }', 'issues'],
    [
      'a list behind a reference',
      'outputSchema: { type: object, properties: { rows: { $ref: "#/$defs/l" } }, $defs: { l: { type: array } } }',
      'rows',
    ],
    ['items, where the output names none', 'output: { total: { type: integer, required: false } }', 'items'],
    ['items of an envelope', 'result: envelope', 'items'],
    ['items, without an output', '', 'items'],
  ])('a list goes under %s', async (_name, schema, member) => {
    const status = schema.includes('envelope') ? { status: 'success' } : {};
    const data = { [member]: [1, 2], ...status };
    expect(await sent([1, 2], schema)).toEqual([[{ type: 'text', text: JSON.stringify(data) }], data]);
    expect(await sent(new Set([1, 2]), schema)).toEqual([expect.anything(), data]);
  });

  it('a list stays a list when the output is one, and is refused when the output has several', async () => {
    expect(await sent([1], 'outputSchema: { type: array }')).toEqual([expect.anything(), [1]]);
    expect(
      await sent([1], 'output: { a: { type: array, required: false }, b: { type: array, required: false } }'),
    ).toBe('BAD_OUTPUT');
    expect(await sent([1], 'output: { a: { type: array, items: string } }')).toBe('BAD_OUTPUT');
  });
});
