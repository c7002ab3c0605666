// X10: what threads are for: calls that do not end, threads that do, and what is built in each.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createServer, type InvokeResult } from '../../../runtime/index.js';
import { checkPlaces, tool } from '../../harness/pack.js';
import { writeFolder } from '../packs/code-packs.js';
import { type IsolatedTool, openIsolated } from './isolation-kit.js';

const thread = `import { threadId, isMainThread } from 'node:worker_threads';\n`;
const spin: IsolatedTool = ['limits: { timeoutMs: 100 }\n', '() => { for (;;); }'];
const here: IsolatedTool = ['isolate: none\n', `${thread}export default () => String(isMainThread);`];
const there: IsolatedTool = ['', `${thread}export default () => String(isMainThread);`];

async function answerOf(calling: Promise<InvokeResult>): Promise<unknown> {
  const called = await calling;
  if (!called.ok) throw new Error(called.error.message);
  return called.value;
}

/** A log file that handlers in any thread write to. */
function logOf(): { readonly env: Readonly<Record<string, string>>; read(): readonly string[] } {
  const file = join(writeFolder({ 'x/y': '' }), 'log');
  return {
    env: { LOG: file },
    read: () =>
      existsSync(file)
        ? readFileSync(file, 'utf8')
            .split('\n')
            .filter(line => line !== '')
        : [],
  };
}
const logged = 'config: { LOG: string }\n';
const log = `import { appendFileSync } from 'node:fs';\n${thread}const log = (ctx, text) => appendFileSync(ctx.config.LOG, text + '\\n');\n`;

describe('where handlers run', () => {
  it('X10 a tool says for itself where it runs, else the pack does', async () => {
    const apart = await openIsolated({ here, there });
    expect(await answerOf(apart.call('there'))).toBe('false');
    expect(await answerOf(apart.call('here'))).toBe('true');
    const plain = await openIsolated(
      { here: ['', there[1]], there: ['isolate: thread\n', there[1]] },
      { isolate: 'none' },
    );
    expect(await answerOf(plain.call('there'))).toBe('false');
    expect(await answerOf(plain.call('here'))).toBe('true');
  });

  it('X10 a test that passes its own app or loads modules itself runs handlers in its own thread', async () => {
    const given = await openIsolated({ t: ['', `(_, ctx) => ctx.app.run()`] }, { app: { run: () => 'of the test' } });
    expect(await answerOf(given.call('t'))).toBe('of the test');
    const loaded = await openIsolated(
      { there },
      { load: async path => ({ default: () => `loaded ${path.slice(-8)}` }) },
    );
    expect(await answerOf(loaded.call('there'))).toBe('loaded there.js');
  });

  it('X10 an unknown value, a pack without tools and a function in code get a diagnostic each', async () => {
    expect(await checkPlaces(tool('description: d\nisolate: process\n'))).toEqual([
      'validate/value mcp/tools/t.yaml:2:10',
    ]);
    expect(
      await checkPlaces({ 'toolwright.yaml': 'isolate: threads\n', 'mcp/tools/t.yaml': 'description: d\n' }),
    ).toEqual(['validate/value toolwright.yaml:1:10']);
    expect(await checkPlaces({ 'toolwright.yaml': 'isolate: thread\n' })).toContain(
      'link/idle-isolate toolwright.yaml:1:1',
    );
    const inCode = { name: 't', description: 'd', isolate: 'thread' as const, handler: () => 'x' };
    await expect(createServer({ name: 's', version: '1.0.0', tools: [inCode] })).rejects.toThrow(
      'the tool "t" cannot run in a thread: its handler is a function in code',
    );
  });
});

describe('calls that do not end', () => {
  it('X10 a busy loop gets TIMEOUT while other calls are answered, and leaves its place to the next', async () => {
    const client = await openIsolated({ spin, here, there });
    await client.call('there');
    let isOver = false;
    const spinning = Promise.all(Array.from({ length: 6 }, () => client.call('spin'))).finally(() => {
      isOver = true;
    });
    expect(await answerOf(client.call('here'))).toBe('true');
    expect(isOver).toBe(false);
    for (const called of await spinning)
      expect(called).toMatchObject({ ok: false, error: { code: 'TIMEOUT', status: 504 } });
    expect(await answerOf(client.call('there'))).toBe('false');
  });

  it('X10 a cancelled call tells its handler, which may still undo something and keeps its thread', async () => {
    const { env, read } = logOf();
    const waits: IsolatedTool = [
      'parameters: { n: integer }\n',
      `${log}export default ({ n }, ctx) => new Promise((_, fail) => {
        log(ctx, 'waits in ' + threadId);
        ctx.progress(n);
        ctx.signal.addEventListener('abort', () => { log(ctx, 'undone: ' + ctx.signal.reason); fail(ctx.signal.reason); });
      });`,
    ];
    const client = await openIsolated(
      { waits, where: ['', `${thread}export default () => new Promise(done => setTimeout(done, 50, threadId));`] },
      { manifest: logged, env },
    );
    const stop = new AbortController();
    const called = await client.call(
      'waits',
      { n: 1 },
      { signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) },
    );
    expect(called).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    await expect.poll(read).toEqual([expect.stringMatching(/^waits in \d+$/), 'undone: Error: enough']);
    const ids = await Promise.all([answerOf(client.call('where')), answerOf(client.call('where'))]);
    expect(ids.map(id => `waits in ${id}`)).toContain(read()[0]);
  });

  it('X10 a handler that does not listen is ended with its thread, and only then lets the next of its group begin', async () => {
    const { env, read } = logOf();
    const client = await openIsolated(
      {
        deaf: [
          'serial: g\nlimits: { timeoutMs: 300 }\nparameters: { quick: { type: boolean, default: false } }\n',
          `${log}export default ({ quick }, ctx) => {
            if (quick) return 'loaded';
            log(ctx, 'begins');
            return new Promise(() => setInterval(() => log(ctx, 'works'), 20));
          };`,
        ],
        next: ['serial: g\n', `${log}export default (_, ctx) => { log(ctx, 'next'); return 'done'; };`],
      },
      { manifest: logged, env },
    );
    // Loading it does not count.
    await expect.poll(() => client.call('deaf', { quick: true })).toMatchObject({ ok: true });
    const deaf = client.call('deaf');
    const next = client.call('next');
    expect(await deaf).toMatchObject({ ok: false, error: { code: 'TIMEOUT' } });
    expect(await next).toMatchObject({ ok: true, value: 'done' });
    expect(read()[0]).toBe('begins');
    expect(read().at(-1)).toBe('next');
  });

  it('X10 calls inside calls never wait for a thread that only their end would free', async () => {
    const client = await openIsolated({
      outer: ['', `async (_, ctx) => (await ctx.call('middle')).content`],
      middle: ['', `async (_, ctx) => (await ctx.call('inner')).content`],
      inner: ['', `() => 'reached'`],
    });
    const all = await Promise.all(Array.from({ length: 10 }, () => answerOf(client.call('outer'))));
    expect(all).toEqual(Array(10).fill('reached'));
  });

  it('X10 a handler that waits for an answer frees its thread', async () => {
    const asks: IsolatedTool = [
      '',
      `async (_, ctx) => (await ctx.elicit('a', { message: 'a?', schema: { a: 'string' } })).content.a`,
    ];
    const users = 12;
    let asked = 0;
    let all = (): void => undefined;
    const everybody = new Promise<void>(resolve => {
      all = resolve;
    });
    const elicit = async () => {
      asked += 1;
      if (asked === users) all();
      await everybody;
      return { action: 'accept' as const, content: { a: 'yes' } };
    };
    const client = await openIsolated({ asks }, { elicit });
    const answers = await Promise.all(Array.from({ length: users }, () => client.call('asks')));
    expect(answers).toEqual(Array(users).fill(expect.objectContaining({ ok: true, value: 'yes' })));
  });
});

describe('threads that end', () => {
  it.each([
    ['process.exit', '() => process.exit(7)', 'exit code 7'],
    [
      'an uncaught exception',
      `() => new Promise(() => setTimeout(() => { throw new Error('in a timer'); }))`,
      'in a timer',
    ],
    ['process.abort', '() => process.abort()', 'process.abort() is not supported in workers'],
  ])('X10 %s ends one call, and the operator learns why', async (_, handler, why) => {
    const reports: string[] = [];
    const client = await openIsolated({ ends: ['', handler], there }, { report: text => void reports.push(text) });
    const called = await client.call('ends');
    expect(called.ok).toBe(false);
    expect(called).toMatchObject({
      error: { code: expect.stringMatching(/THREAD_ENDED|UNEXPECTED_ERROR/), status: 500 },
    });
    expect(reports.join('\n')).toContain(why);
    expect(await answerOf(client.call('there'))).toBe('false');
  });

  it('X10 a rejection that nobody awaited is reported, and its thread goes on', async () => {
    const reports: string[] = [];
    const client = await openIsolated(
      { forgets: ['', `() => { Promise.reject(new Error('forgotten')); return 'done'; }`], there },
      {
        report: text => void reports.push(text),
        manifest: 'config: { TOKEN: { type: string, secret: true } }\n',
        env: { TOKEN: 'forgotten' },
      },
    );
    expect(await answerOf(client.call('forgets'))).toBe('done');
    await expect
      .poll(() => reports.join('\n'))
      .toContain('a promise that nobody awaited was rejected: Error: [secret TOKEN]');
  });

  it('X10 a thread that cannot open its pack fails its calls with the reason', async () => {
    const reports: string[] = [];
    const report = (text: string): void => void reports.push(text);
    const broken = await openIsolated({ t: ['', `export default (`] }, { report });
    expect(await broken.call('t')).toMatchObject({ ok: false, error: { code: 'UNEXPECTED_ERROR' } });
    expect(reports.join('\n')).toMatch(/t\.js/);
    const missing = await openIsolated({ t: ['handler: src/gone.js\n', `() => 1`] }, { report });
    expect(await missing.call('t')).toMatchObject({ ok: false, error: { code: 'NOT_IMPLEMENTED' } });
    const noApp = await openIsolated(
      { t: ['', `() => 1`] },
      {
        ...{ report, manifest: 'context: src/app.js#create\n' },
        files: { 'src/app.js': `export const create = () => { throw new Error('no database'); };` },
      },
    );
    expect(await noApp.call('t')).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('no database') },
    });
  });

  it('X10 what cannot be sent to a thread, or leave it, is an error that names the tool', async () => {
    const client = await openIsolated({
      gives: ['', `(_, ctx) => ctx.call('there', { run() {} })`],
      there,
    });
    expect(await client.call('gives')).toMatchObject({
      error: { message: expect.stringContaining('ctx.call in gives was given a value that cannot leave its thread') },
    });
    const claims = { run: () => 1 };
    expect(await client.call('there', {}, { auth: { token: 't', clientId: 'c', scopes: [], claims } })).toMatchObject({
      error: {
        message: expect.stringContaining(
          'there runs in a thread (isolate: thread), and something that it is called with',
        ),
      },
    });
    expect(await answerOf(client.call('there'))).toBe('false');
  });
});

describe('what handlers share', () => {
  it('X10 ctx.app is built once in each thread, and disposed of when the server ends', async () => {
    const { env, read } = logOf();
    const files = {
      'src/app.js': `${log}export const create = ctx => {
        log(ctx, 'built in ' + threadId);
        return { calls: 0, dispose: () => log(ctx, 'disposed in ' + threadId) };
      };`,
    };
    const counts: IsolatedTool = [
      '',
      `async (_, ctx) => { ctx.app.calls += 1; await new Promise(done => setTimeout(done, 30)); return ctx.app.calls; }`,
    ];
    const client = await openIsolated({ counts }, { files, env, manifest: `context: src/app.js#create\n${logged}` });
    await Promise.all([client.call('counts'), client.call('counts')]);
    expect(await answerOf(client.call('counts'))).toBe('2');
    await client.close();
    const ids = read().flatMap(line => /^built in (\d+)$/.exec(line)?.[1] ?? []);
    expect(new Set(ids).size).toBe(2);
    expect([...read()].sort()).toEqual(ids.flatMap(id => [`built in ${id}`, `disposed in ${id}`]).sort());
  });

  it('X10 initialize of a tool runs once in each thread, and at start where it says so', async () => {
    const { env, read } = logOf();
    const files = {
      'src/ready.js': `${log}export const ready = ctx => log(ctx, 'ready in ' + (isMainThread ? 'main' : threadId));`,
    };
    const tools: Readonly<Record<string, IsolatedTool>> = {
      t: ['initialize: { handler: src/ready.js#ready, when: start }\n', `${thread}export default () => threadId;`],
    };
    const client = await openIsolated(tools, { files, env, manifest: logged });
    expect(read()).toEqual([expect.stringMatching(/^ready in \d+$/)]);
    const used = await answerOf(client.call('t'));
    await client.call('t');
    expect(read()).toEqual([`ready in ${used}`]);
  });
});
