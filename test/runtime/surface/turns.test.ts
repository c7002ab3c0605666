// X9: which calls run at the same time, and what becomes of those that wait.
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Request } from '../../../runtime/call/ports.js';
import type { CallToolResult } from '../../../schema/support/mcp/content.js';
import type { ToolContext } from '../../../schema/support/mcp/context.js';
import { over, request, serve } from './surface-pack.js';

type Call = (name: string, parts?: Partial<Request>) => Promise<CallToolResult>;

interface Works {
  readonly call: Call;
  /** What began and ended, in order. */
  readonly log: string[];
  /** Lets the oldest call of a tool that is at work end. */
  finish(name: string): Promise<void>;
  readonly reports: readonly string[];
}

/** Tools that work until they are let go. */
function open(tools: Readonly<Record<string, string>>, handlers: Readonly<Record<string, unknown>> = {}): Works {
  const log: string[] = [];
  const working = new Map<string, (() => void)[]>();
  const work = (name: string) => async () => {
    log.push(`${name} begins`);
    await new Promise<void>(resolve => working.set(name, [...(working.get(name) ?? []), resolve]));
    log.push(`${name} ends`);
    return 'done';
  };
  const names = Object.keys(tools);
  const { surface, reports } = serve(
    Object.fromEntries(names.map(name => [`mcp/tools/${name}.yaml`, `description: d\n${tools[name]}\n`])),
    { handlers: { ...Object.fromEntries(names.map(name => [`src/tools/${name}.ts`, work(name)])), ...handlers } },
  );
  return {
    log,
    reports,
    call: (name, parts) => over(surface.callTool(name, {}, request(parts))),
    async finish(name) {
      while (working.get(name)?.length === undefined || working.get(name)?.length === 0) await turn();
      working.get(name)?.shift()?.();
      for (let index = 0; index < 20; index += 1) await turn();
    },
  };
}

const textOf = ({ content }: CallToolResult): string => content.map(one => ('text' in one ? one.text : '')).join('');
const codeOf = (result: CallToolResult): unknown => JSON.parse(textOf(result)).code;

describe('turns of calls', () => {
  it('X9 tools of one serial group run one call at a time, in the order of the calls, beside other tools', async () => {
    const { call, log, finish } = open({ a: 'serial: notes', b: 'serial: notes', c: 'serial: others' });
    const calls = [call('a'), call('b'), call('a'), call('c')];
    await finish('c');
    expect(log).toEqual(['a begins', 'c begins', 'c ends']);
    await finish('a');
    await finish('b');
    await finish('a');
    expect(log.slice(3)).toEqual(['a ends', 'b begins', 'b ends', 'a begins', 'a ends']);
    expect((await Promise.all(calls)).map(textOf)).toEqual(Array(4).fill('done'));
  });

  it('X9 concurrency lets so many calls of one tool run at a time', async () => {
    const { call, log, finish } = open({ a: 'limits: { concurrency: 2 }', b: '' });
    const calls = [call('a'), call('a'), call('a'), call('b')];
    await finish('b');
    expect(log.filter(one => one === 'a begins')).toHaveLength(2);
    await finish('a');
    expect(log.filter(one => one === 'a begins')).toHaveLength(3);
    await finish('a');
    await finish('a');
    await Promise.all(calls);
  });

  it('X9 a call that finds the queue full gets the error BUSY, which may be retried', async () => {
    const { call, finish } = open({ a: 'limits: { concurrency: 1, queue: 1 }', b: 'serial: s\nlimits: { queue: 0 }' });
    const calls = [call('a'), call('a')];
    const refused = await call('a');
    expect(JSON.parse(textOf(refused))).toMatchObject({ code: 'BUSY', status: 503, is_retryable: true });
    expect(textOf(refused)).toContain('a is busy: 1 call waits for its turn already');
    await finish('a');
    await finish('a');
    expect((await Promise.all(calls)).map(textOf)).toEqual(['done', 'done']);
    const running = call('b');
    expect(textOf(await call('b'))).toContain('b is busy: it is at work, and no call may wait');
    await finish('b');
    expect(textOf(await running)).toBe('done');
    // It is free again.
    const again = call('b');
    await finish('b');
    expect(textOf(await again)).toBe('done');
  });

  it('X9 a waiting call that is cancelled never runs and gives its place in the queue back', async () => {
    const { call, log, finish } = open({ a: 'limits: { concurrency: 1, queue: 1 }' });
    const running = call('a');
    const controller = new AbortController();
    const waiting = call('a', { signal: controller.signal });
    await turn();
    controller.abort();
    expect(codeOf(await waiting)).toBe('CANCELLED');
    const next = call('a');
    await finish('a');
    await finish('a');
    expect([textOf(await running), textOf(await next)]).toEqual(['done', 'done']);
    expect(log).toEqual(['a begins', 'a ends', 'a begins', 'a ends']);
  });

  it('X9 a handler that is too slow keeps its turn until it ends, and the call behind it says that it waited', async () => {
    const { call, log, finish, reports } = open({ a: 'serial: s\nlimits: { timeoutMs: 30 }', b: 'serial: s' });
    const [first, second, other] = [call('a'), call('a'), call('b')];
    expect(codeOf(await first)).toBe('TIMEOUT');
    expect(JSON.parse(textOf(await second))).toMatchObject({ code: 'TIMEOUT', is_retryable: true });
    expect(reports).toEqual(['a took longer than 30 ms', 'a waited for its turn for more than 30 ms']);
    expect(log).toEqual(['a begins']);
    await finish('a');
    await finish('b');
    expect(textOf(await other)).toBe('done');
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('X9 a tool that calls another one of its group does not wait for itself', async () => {
    const outer = async (_: object, ctx: ToolContext): Promise<string> => textOf(await ctx.call('inner'));
    const { call, log, finish } = open(
      { outer: 'serial: s\nlimits: { concurrency: 1 }', inner: 'serial: s', other: 'serial: s' },
      { 'src/tools/outer.ts': outer },
    );
    const calls = [call('outer'), call('other')];
    await finish('inner');
    await finish('other');
    expect((await Promise.all(calls)).map(textOf)).toEqual(['done', 'done']);
    expect(log).toEqual(['inner begins', 'inner ends', 'other begins', 'other ends']);
  });

  it('X9 a handler that waits for the user lets others have their turn', async () => {
    const { surface } = serve(
      { 'mcp/tools/asks.yaml': 'description: d\nserial: s\n', 'mcp/tools/other.yaml': 'description: d\nserial: s\n' },
      {
        handlers: {
          'src/tools/asks.ts': async (_: object, ctx: ToolContext) => {
            const answer = await ctx.elicit('size', { message: 'Which?', schema: { size: 'string' } });
            return answer.action;
          },
          'src/tools/other.ts': () => 'done',
        },
      },
    );
    const client = { name: 'c', version: '1', capabilities: { elicitation: {} } };
    const asked = await surface.callTool('asks', {}, request({ client }));
    expect(textOf(await over(surface.callTool('other', {}, request())))).toBe('done');
    if (!('asking' in asked)) throw new Error('it does not ask');
    const answers = { size: { action: 'accept', content: { size: 'M' } } };
    const last = surface.callTool('asks', {}, request({ client, answers, state: asked.asking.state }));
    expect(textOf(await over(last))).toBe('accept');
  });

  it('X9 a handler that fails, or is done at once, gives its turn back, and a lazy result is asked for once', async () => {
    let asked = 0;
    const lazy = {
      then(resolve: (value: string) => void) {
        asked += 1;
        resolve('lazy');
      },
    };
    const ends = [
      () => {
        throw new Error('at once');
      },
      () => Promise.reject(new Error('later')),
      () => 'at once',
      () => lazy,
    ];
    const { surface } = serve(
      { 'mcp/tools/t.yaml': 'description: d\nlimits: { concurrency: 1, queue: 0 }\n' },
      { handlers: { 'src/tools/t.ts': () => ends.shift()?.() } },
    );
    const said: string[] = [];
    while (ends.length > 0) said.push(textOf(await over(surface.callTool('t', {}, request()))));
    expect(said.map(text => (text.startsWith('{') ? JSON.parse(text).code : text))).toEqual([
      'UNEXPECTED_ERROR',
      'UNEXPECTED_ERROR',
      'at once',
      'lazy',
    ]);
    expect(asked).toBe(1);
  });

  it('X9 an operator limits concurrency by an overlay, which cannot touch serial', async () => {
    const files = { 'mcp/tools/t.yaml': 'description: d\n' };
    const { program } = serve(files, { overlays: [{ 'tools/t.yaml': 'limits: { concurrency: 3, queue: 5 }\n' }] });
    expect(program.tools[0]?.definition.limits).toEqual({ concurrency: 3, queue: 5 });
  });
});
