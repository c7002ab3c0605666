// X10: calls in threads that end at random, in every way in which a thread can end: every call is answered exactly once, by an answer of its own
// or by an error that says why. `npm run slow:isolation` makes ten thousand of them; TOOLWRIGHT_ISOLATION says how many otherwise.
import { afterAll, expect, it } from 'vitest';
import { createTestClient } from '../../../runtime/server/testing/index.js';
import { makeRandom } from '../../harness/random.js';
import { writeFolder } from '../../runtime/packs/code-packs.js';

const count = Number(process.env['TOOLWRIGHT_ISOLATION'] ?? 1000);
const atOnce = 20;

/** How a call goes, and the codes with which it may end; undefined: it is answered. */
const ways = {
  answer: undefined,
  wait: undefined,
  exit: 'THREAD_ENDED',
  late: 'THREAD_ENDED',
  spin: 'TIMEOUT',
  hang: 'TIMEOUT',
  refuse: 'REFUSED',
  ask: undefined,
  call: undefined,
} as const;
type Way = keyof typeof ways;

const handler = `
export default async ({ way, id }, ctx) => {
  switch (way) {
    case 'wait': await new Promise(done => setTimeout(done, id % 10)); return { id };
    case 'exit': process.exit(id % 3);
    case 'late': setTimeout(() => { throw new Error('late'); }, id % 5); return new Promise(() => {});
    case 'spin': for (;;);
    case 'hang': return new Promise(() => {});
    case 'refuse': throw ctx.errors.REFUSED({ meta: { id } });
    case 'ask': return { id: Number((await ctx.elicit('q', { message: String(id), schema: { id: 'string' } })).content.id) };
    case 'call': return (await ctx.call('work', { way: 'answer', id })).structuredContent;
  }
  return { id };
};`;

const folder = writeFolder({
  'package.json': '{"name": "crashes", "version": "1.0.0", "type": "module"}',
  'toolwright.yaml': 'isolate: thread\n',
  'mcp/tools/work.yaml': `description: Works
effect: write
limits: { timeoutMs: 20000 }
parameters: { way: string, id: integer }
output: { id: integer }
errors: { REFUSED: { message: No } }
`,
  'src/tools/work.js': handler,
  'mcp/tools/brief.yaml': `description: The same, for what does not end by itself
effect: write
limits: { timeoutMs: 60 }
handler: src/tools/work.js
parameters: { way: string, id: integer }
output: { id: integer }
`,
});

const client = await createTestClient(folder, {
  report: () => undefined,
  elicit: ({ message }) => ({ action: 'accept', content: { id: String(message) } }),
});
afterAll(() => client.close());

it(
  `X10 each of ${count} calls in threads that end at random is answered once`,
  async () => {
    const chance = makeRandom(Number(process.env['FUZZ_SEED'] ?? 10));
    const chosen = Array.from({ length: count }, () => chance.pick(Object.keys(ways) as Way[]));
    const answers = new Map<number, number>();
    const wrong: unknown[] = [];
    let started = 0;
    const work = async (): Promise<void> => {
      while (started < count) {
        const id = started;
        started += 1;
        const way = chosen[id] ?? 'answer';
        const isBrief = way === 'spin' || way === 'hang';
        const called = await client.call(isBrief ? 'brief' : 'work', { way, id });
        answers.set(id, (answers.get(id) ?? 0) + 1);
        const isRight = called.ok
          ? ways[way] === undefined && JSON.stringify(called.value) === JSON.stringify({ id })
          : called.error.code === ways[way] && (way !== 'refuse' || called.error.meta['id'] === id);
        if (!isRight) wrong.push({ id, way, called });
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    expect(wrong).toEqual([]);
    expect(answers.size).toBe(count);
    expect([...answers.values()].every(times => times === 1)).toBe(true);
  },
  60 * 60_000,
);
