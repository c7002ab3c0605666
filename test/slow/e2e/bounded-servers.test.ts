// A call with a mistake far down a tree, over real servers: it is answered, and so is the next one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, root, toolwright, writePack } from '../../harness/build-pack.js';
import { makeChain, makeTree } from '../../schema/json-schema/tree-schemas.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-bounded-'));
const pack = join(folder, 'pack');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const unusual = { dependentSchemas: { 'not there': false } };
const wrong = makeChain(60, { type: 'txt', text: 'a' });
const right = makeChain(60, { type: 'text', text: 'a' });

beforeAll(() => {
  const tool = (schemas: object): string => `${JSON.stringify({ description: 'd', ...schemas })}\n`;
  writePack(pack, {
    'package.json': '{ "name": "trees", "version": "1.0.0", "type": "module" }\n',
    'toolwright.yaml': 'name: trees\n',
    'mcp/servers/trees.yaml': 'description: Takes trees\n',
    'mcp/tools/own.yaml': tool({ inputSchema: makeTree({ tag: 'last' }) }),
    'mcp/tools/other.yaml': tool({ inputSchema: makeTree({ more: unusual }) }),
    'mcp/tools/unique.yaml': tool({
      inputSchema: { type: 'object', properties: { list: { type: 'array', uniqueItems: true } } },
    }),
    'mcp/tools/gives.yaml': tool({
      inputSchema: { type: 'object', properties: { leaf: { type: 'string' } } },
      outputSchema: makeTree(),
    }),
    'src/tools/own.js': "export default () => 'taken';\n",
    'src/tools/other.js': "export default () => 'taken';\n",
    'src/tools/unique.js': 'export default ({ list }) => String(list.length);\n',
    'src/tools/gives.js': `export default ({ leaf }) => {
  let node = { type: leaf };
  for (let level = 1; level < 60; level += 1) node = { content: [node], type: 'panel' };
  return { doc: node };
};
`,
  });
});

const calls: readonly (readonly [string, object])[] = [
  ['own', wrong],
  ['own', right],
  ['other', wrong],
  ['other', right],
  ['unique', { list: Array.from({ length: 50_000 }, (_, index) => ({ index })) }],
  ['gives', { leaf: 'txt' }],
  ['gives', { leaf: 'text' }],
];
const requests = calls.map(([name, args]) => ['tools/call', { name, arguments: args }] as const);

function expectAnswers(replies: Awaited<ReturnType<typeof ask>>['replies']): void {
  const told = replies.slice(1).map(({ result }) => {
    const { content, isError } = result as { content: readonly { text: string }[]; isError?: boolean };
    return { isError: isError === true, text: content[0]?.text ?? '' };
  });
  const typo = { isError: true, text: expect.stringContaining('type must be one of the allowed values') };
  expect(told).toEqual([
    typo,
    { isError: false, text: 'taken' },
    typo,
    { isError: false, text: 'taken' },
    { isError: false, text: '50000' },
    { isError: true, text: expect.stringContaining('does not fit its output schema') },
    { isError: false, text: expect.stringContaining('"panel"') },
  ]);
}

describe('fix-A1 real servers with a wrong tree', () => {
  it('`start` over stdio answers a wrong tree and the next call', async () => {
    const main = join(root, 'dist/cli/main.js');
    const { replies, code } = await ask(main, requests, { args: ['start', '--stdio'], cwd: pack });
    expectAnswers(replies);
    expect(code).toBe(0);
  });

  it('`start` with generated validators and a built server without eval answer a wrong tree and the next call', async () => {
    expect(toolwright(pack, 'generate')).toMatchObject({ status: 0 });
    const main = join(root, 'dist/cli/main.js');
    const flags = ['--disallow-code-generation-from-strings'];
    expectAnswers((await ask(main, requests, { args: ['start', '--stdio'], cwd: pack, flags })).replies);
    expect(toolwright(pack, 'build', '--out', join(folder, 'built'))).toMatchObject({ status: 0 });
    const { replies, code } = await ask(join(folder, 'built', 'trees.cjs'), requests, { flags, cwd: folder });
    expectAnswers(replies);
    expect(code).toBe(0);
  });
});
