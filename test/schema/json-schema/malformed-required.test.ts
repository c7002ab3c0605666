// What examples hear of a schema whose `required` is malformed.
import { expect, it } from 'vitest';
import { check, tool } from '../../harness/pack.js';

it('W67 an example of a schema with a malformed `required` hears of no property that has no name', async () => {
  const diagnostics = await check(
    tool(`description: A
inputSchema:
  type: object
  properties: { q: { type: string } }
  required: [[{ text: q }]]
examples:
  - input: { q: x }
`),
  );
  const messages = diagnostics.map(({ message }) => message).join('\n');
  expect(messages).toContain('required[0] must be a string');
  expect(messages).not.toContain('[object Object]');
});
