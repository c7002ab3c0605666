// createTestClient: what a handler says once its answer is out reaches nobody, as it would not reach a client.
import { afterAll, expect, it } from 'vitest';
import { createTestClient } from '../../../runtime/server/testing/index.js';
import { writeFolder } from '../packs/code-packs.js';

/** Logs while it runs, and once more when the test says that its round is over. */
const handler = (answer: string): string =>
  `export default (_, ctx) => {
    ctx.log.info('at work');
    globalThis.afterRound = [...(globalThis.afterRound ?? []), () => ctx.log.info('too late')];
    return ${answer};
  };`;

const folder = writeFolder({
  'package.json': '{"name": "late", "version": "1.0.0", "type": "module"}',
  'toolwright.yaml': 'description: Logs late\n',
  'mcp/tools/talk.yaml': 'description: Talks\n',
  'mcp/prompts/talk.yaml': 'description: Talks\nhandler: src/prompt.js\n',
  'mcp/resources/talk.yaml': 'uri: talk://late\ndescription: Talks\nhandler: src/resource.js\n',
  'src/tools/talk.js': handler(`'said'`),
  'src/prompt.js': handler(`'said'`),
  'src/resource.js': handler(`'said'`),
});

afterAll(() => {
  Reflect.deleteProperty(globalThis, 'afterRound');
});

it('P24 a handler of a tool, prompt or resource that goes on after its answer is heard no more', async () => {
  const reports: string[] = [];
  const client = await createTestClient(folder, { report: text => void reports.push(text) });
  const logs: string[] = [];
  const onLog = ({ message }: { readonly message: string }): void => void logs.push(message);
  await client.call('talk', {}, { onLog });
  await client.getPrompt('talk', {}, { onLog });
  await client.readResource('talk://late', { onLog });
  expect(logs).toEqual(['at work', 'at work', 'at work']);
  const later = (globalThis as { afterRound?: readonly (() => void)[] }).afterRound ?? [];
  for (const say of later) say();
  expect(later).toHaveLength(3);
  expect(logs).toEqual(['at work', 'at work', 'at work']);
  // The operator still sees it.
  expect(reports.filter(text => text.includes('too late'))).toHaveLength(3);
  await client.close();
});
