// B4: values that another server gets, which repeats the bytes of every message. Seeded, so that a failure can be repeated.
import { strict as assert } from 'node:assert';
import { afterAll, expect, it } from 'vitest';
import { createRegistry } from '../../../runtime/index.js';
import { createTestClient } from '../../../runtime/server/testing/index.js';
import { amount, seedOr } from '../../harness/amount.js';
import { writeFolder } from '../../runtime/packs/code-packs.js';
import { least } from './injection/least.js';
import { isBroken, makeValues, shown } from './injection/values.js';
import { percentDecode } from './injection/wire.js';

const seed = seedOr(17);
const calls = amount(800);
const reads = amount(400);

/** Answers with the params that it got, in hexadecimal digits, and with how many messages there were. */
const upstream = `
import { createInterface } from 'node:readline';
let count = 0;
const send = message => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
createInterface({ input: process.stdin, crlfDelay: Infinity }).on('line', line => {
  count += 1;
  const { id, method, params } = JSON.parse(line);
  const capabilities = { tools: {}, prompts: {}, resources: {} };
  if (method === 'initialize') {
    count = 0;
    return send({ id, result: { protocolVersion: '2025-06-18', capabilities, serverInfo: { name: 'up', version: '1' } } });
  }
  if (id === undefined) { count = 0; return; }
  const text = count + ' ' + method + ' ' + Buffer.from(JSON.stringify(params)).toString('hex');
  count = 0;
  if (method === 'tools/call') send({ id, result: { content: [{ type: 'text', text }] } });
  else if (method === 'prompts/get') send({ id, result: { messages: [{ role: 'user', content: { type: 'text', text } }] } });
  else send({ id, result: { contents: [{ uri: params.uri, text }] } });
});
`;

const folder = writeFolder({
  'toolwright.yaml': JSON.stringify({
    name: 'acme/demo',
    backends: { up: { type: 'mcp', command: ['node', 'up.mjs'] } },
  }),
  'mcp/servers/main.json': '{"description":"The server"}',
  'up.mjs': upstream,
  'mcp/tools/t.json': JSON.stringify({
    description: 'The tool',
    limits: { resultChars: 10_000_000 },
    inputSchema: { type: 'object' },
    mcp: { name: 'theirs' },
  }),
  'mcp/prompts/p.json': JSON.stringify({ description: 'A prompt', arguments: { topic: {} }, mcp: { name: 'theirs' } }),
  'mcp/resources/one.json': JSON.stringify({ uriTemplate: 'one://{id}', mcp: { name: 'theirs://a/{id}/x-{id}/end' } }),
  'mcp/resources/several.json': JSON.stringify({
    uriTemplate: 'several://{+path}',
    mcp: { name: 'theirs://b/{+path}/end' },
  }),
});
const env = { PATH: process.env['PATH'] };

/** What the other server got, after the one message that it was. */
function paramsOf(text: string, method: string): Readonly<Record<string, unknown>> {
  const [count, named, hex = ''] = text.split(' ');
  assert.deepEqual([count, named], ['1', method]);
  return JSON.parse(Buffer.from(hex, 'hex').toString('utf8')) as Record<string, unknown>;
}

it('B4 arguments of forwarded tools arrive as they were given, under the name that the author wrote', async () => {
  const registry = await createRegistry(folder, { env, report: () => undefined });
  afterAll(() => registry.close());
  const values = makeValues(seed);
  let tried = 0;
  for (let nth = 0; nth < calls; nth += 1) {
    const args = { v: values.any(), ...values.map(values.any) };
    const where = `FUZZ_SEED=${seed}, call ${nth}: ${shown(args)}`;
    const result = await registry.invoke('t', args);
    tried += 1;
    assert(result.ok, `${JSON.stringify(result)}\n${where}`);
    const [content] = result.result.content as readonly { readonly text: string }[];
    const { name, arguments: sent, _meta, ...more } = paramsOf(content?.text ?? '', 'tools/call');
    assert.deepEqual([name, more], ['theirs', {}], where);
    assert.equal(JSON.stringify(sent), JSON.stringify(JSON.parse(JSON.stringify(args))), where);
    assert.deepEqual(Object.keys(Object(_meta) as object), ['progressToken'], where);
  }
  expect(tried).toBe(calls);
}, 600_000);

it('B4 values in addresses and prompts arrive in their places, or the call is refused', async () => {
  const client = await createTestClient(folder, { env });
  afterAll(() => client.close());
  const values = makeValues(seed + 1);
  let tried = 0;
  let refused = 0;
  for (let nth = 0; nth < reads; nth += 1) {
    const value = values.text();
    // An address of more than 16 KB is nobody's.
    if (value.length > 2000) continue;
    const where = `FUZZ_SEED=${seed}, read ${nth}: ${shown(value)}`;
    tried += 3;
    const { messages } = await client.getPrompt('p', { topic: value });
    const [message] = messages as readonly { readonly content: { readonly text: string } }[];
    const { name, arguments: sent, _meta, ...more } = paramsOf(message?.content.text ?? '', 'prompts/get');
    assert.deepEqual([name, sent, more], ['theirs', { topic: value }, {}], where);
    if (isBroken(value)) continue;
    const escaped = value.replace(/./gsu, one =>
      encodeURIComponent(one).replace(/[!'()*.]/g, sign => `%${sign.charCodeAt(0).toString(16)}`),
    );
    for (const [kind, isSeveral] of [
      ['one', false],
      ['several', true],
    ] as const) {
      const given = isSeveral ? escaped.replaceAll('%2F', '/') : escaped;
      const read = await client.readResource(`${kind}://${given}`).catch((error: unknown) => error as Error);
      if (read instanceof Error) {
        const steps = isSeveral ? value.split('/') : [value];
        assert(value === '' || steps.some(step => /^\.{1,2}(?:;|$)/.test(step)), `${read.message}\n${where}`);
        refused += 1;
        continue;
      }
      const { uri, _meta: __, ...others } = paramsOf(read.text ?? '', 'resources/read');
      assert.deepEqual(others, {}, where);
      assert.match(String(uri), /^[\x21-\x7e]+$/, where);
      assert.equal(String(uri).split(/[?#]/).length, 1, where);
      const segments = String(uri)
        .split('/')
        .map(one => percentDecode(one));
      const expected = isSeveral
        ? ['theirs:', '', 'b', ...value.split('/'), 'end']
        : ['theirs:', '', 'a', value, `x-${value}`, 'end'];
      assert.deepEqual(segments, expected, where);
    }
  }
  expect(tried + calls).toBeGreaterThanOrEqual(amount(least.mcp));
  expect(refused).toBeGreaterThan(0);
  expect(refused).toBeLessThan(reads / 2);
}, 600_000);
