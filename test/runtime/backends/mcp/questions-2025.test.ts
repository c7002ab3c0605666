// B4: a server of 2025 that asks while a call is pending: the call stays pending between the rounds of ours.
import { describe, expect, it, vi } from 'vitest';
import type { CallScope } from '../../../../runtime/backends/ports.js';
import type { Asking } from '../../../../runtime/call/ports.js';
import type { CallToolResult } from '../../../../schema/support/mcp/content.js';
import { able, later, makeCall, open, program, runRound, runRounds, until } from './mcp-kit.js';

const server = program('server-2025.mjs');
const textOf = ({ content }: CallToolResult): string => (content[0]?.type === 'text' ? content[0].text : '');
const call = (name: string) => (client: { callTool(name: string): Promise<CallToolResult> }) => client.callTool(name);
const accept = ({ questions }: Asking) =>
  Object.fromEntries(Object.keys(questions).map(key => [key, { action: 'accept', content: { size: 'M' } }]));

describe('questions of 2025', () => {
  it('B4 a question reaches our client as it was asked, and the answer the server as it was given', async () => {
    const backend = open(server);
    const first = await runRound(backend, call('ask'));
    if (!('asking' in first)) throw new Error('it did not ask');
    const [question] = Object.values(first.asking.questions);
    expect(question).toEqual({
      kind: 'elicit',
      params: {
        message: 'Size?',
        requestedSchema: { type: 'object', properties: { size: { type: 'string', 'x-own': 1 } } },
      },
    });
    const next = { answers: accept(first.asking), state: first.asking.state };
    const second = await runRound(backend, call('ask'), next);
    if (!('result' in second)) throw new Error('there is no result');
    expect(JSON.parse(textOf(second.result))).toEqual({ action: 'accept', content: { size: 'M' } });
  });

  it('B4 one question after the other, each in a round of its own', async () => {
    const asked: string[] = [];
    const result = await runRounds(open(server), call('ask-twice'), asking => {
      asked.push(
        ...Object.values(asking.questions).map(one => (one.kind === 'roots' ? '' : String(one.params['message']))),
      );
      return accept(asking);
    });
    expect(asked).toEqual(['One?', 'Two?']);
    expect(textOf(result)).toBe('accept accept');
  });

  it('B4 questions at the same time are all asked, and each gets its answer', async () => {
    const result = await runRounds(open(server), call('ask-both'), ({ questions }) => {
      const answers = Object.entries(questions).map(([key, question]) => [
        key,
        question.kind === 'sample'
          ? { role: 'assistant', model: 'm', content: { type: 'text', text: 'Ho' } }
          : { action: 'decline' },
      ]);
      for (const one of Object.values(questions)) expect(one.kind === 'roots' || one.params['_meta']).toBeUndefined();
      return Object.fromEntries(answers);
    });
    expect(JSON.parse(textOf(result))).toEqual([
      { action: 'decline' },
      { role: 'assistant', model: 'm', content: { type: 'text', text: 'Ho' } },
    ]);
  });

  it('B4 the same request in two calls of a handler is told apart', async () => {
    const result = await runRounds(
      open(server),
      async client => {
        const echoed = await client.callTool('echo', { n: 1 });
        const [one, two] = await Promise.all([client.callTool('ask'), client.callTool('ask')]);
        const three = await client.callTool('ask');
        return [textOf(echoed), ...[one, two, three].map(each => JSON.parse(textOf(each)).action)];
      },
      accept,
    );
    expect(result).toEqual(['{"n":1}', 'accept', 'accept', 'accept']);
  });

  it('B4 a question stays open when the call ends that it was taken for', async () => {
    let asked = 0;
    const result = await runRounds(
      open(server),
      async client => {
        const [behind, first] = await Promise.all([client.callTool('ask-behind'), client.callTool('end-first')]);
        return [JSON.parse(textOf(behind)).action, textOf(first)];
      },
      asking => {
        asked += Object.keys(asking.questions).length;
        return accept(asking);
      },
    );
    expect(result).toEqual(['accept', 'ended']);
    expect(asked).toBe(1);
  });

  it('B4 a question stays open when the call is cancelled that it was taken for', async () => {
    const backend = open(server);
    const [one, other] = [new AbortController(), new AbortController()];
    const passed: string[] = [];
    const callOf = (signal: AbortSignal) => {
      const questions = {
        isOver: () => false,
        once: (_: string, run: () => unknown) => Promise.resolve(run()),
        pass: (key: string) => {
          passed.push(key);
          return passed.length === 1 ? new Promise(() => undefined) : Promise.resolve({ action: 'accept' });
        },
      } as unknown as NonNullable<CallScope['questions']>;
      return makeCall({ request: { client: able }, questions, signal });
    };
    const behind = backend.of(callOf(other.signal)).callTool('ask-behind');
    const first = backend.of(callOf(one.signal)).callTool('end-never');
    await until(() => passed.length === 1);
    one.abort(new Error('cancelled'));
    await expect(first).rejects.toThrow('cancelled');
    expect(JSON.parse(textOf(await behind))).toEqual({ action: 'accept' });
  });

  it('B4 what a handler asks beside them does not repeat them', async () => {
    const backend = open(server);
    let asked = 0;
    const result = await runRounds(
      backend,
      async client => {
        const one = await client.callTool('ask');
        const two = await client.callTool('ask-twice');
        return [JSON.parse(textOf(one)).action, textOf(two)];
      },
      asking => {
        asked += Object.keys(asking.questions).length;
        return accept(asking);
      },
    );
    expect(result).toEqual(['accept', 'accept accept']);
    expect(asked).toBe(3);
  });

  it('B4 a client that cannot be asked is for the server a client without the capability', async () => {
    const backend = open(server);
    const client = { name: 'poor', version: '1', capabilities: {} };
    const round = await runRound(backend, call('ask'), { client });
    if (!('result' in round)) throw new Error('there is no result');
    expect(JSON.parse(textOf(round.result))).toMatchObject({ code: -32601 });
    const alone = await backend.of(makeCall()).callTool('ask');
    expect(JSON.parse(textOf(alone))).toMatchObject({ code: -32601 });
  });

  it('B4 folders are those of the client, else those of the operator', async () => {
    const backend = open(server, { env: { ...process.env, TOOLWRIGHT_ROOTS: '/of/the/environment' } });
    const named = await runRounds(backend, call('roots'), ({ questions }) =>
      Object.fromEntries(Object.keys(questions).map(key => [key, { roots: [{ uri: 'file:///client' }] }])),
    );
    expect(JSON.parse(textOf(named))).toEqual({ roots: [{ uri: 'file:///client' }] });
    const none = await runRound(backend, call('roots'), { client: { name: 'x', version: '1', capabilities: {} } });
    expect('result' in none && JSON.parse(textOf(none.result))).toEqual({ roots: [{ uri: 'file:///operator' }] });
    const alone = await backend.of(makeCall()).callTool('roots');
    expect(JSON.parse(textOf(alone))).toEqual({ roots: [{ uri: 'file:///of/the/environment' }] });
  });

  it('B4 nobody is asked what a call of somebody else may have led to', async () => {
    const backend = open(server);
    const holding = backend.of(makeCall({ request: { principal: 'somebody' } })).callTool('hold');
    const round = await runRound(backend, call('ask'));
    if (!('result' in round)) throw new Error('there is no result');
    expect(JSON.parse(textOf(round.result)).message).toContain('several users');
    await backend.of(makeCall()).callTool('release');
    await holding;
  });

  it('B4 an answer to a server that has died meanwhile is UPSTREAM_UNREACHABLE', async () => {
    const backend = open(server);
    const first = await runRound(backend, call('ask-and-die'));
    if (!('asking' in first)) throw new Error('it did not ask');
    const next = { answers: accept(first.asking), state: first.asking.state };
    const second = await runRound(backend, call('ask-and-die'), next);
    expect(second).toMatchObject({ error: { code: 'UPSTREAM_UNREACHABLE', retryable: true } });
  });

  it('B4 a server is not kept waiting for ever: the call is cancelled there', async () => {
    const backend = open(server);
    await backend.of(makeCall()).callTool('echo', {});
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    later(() => vi.useRealTimers());
    const first = await runRound(backend, call('ask'));
    if (!('asking' in first)) throw new Error('it did not ask');
    expect(textOf(await backend.of(makeCall()).callTool('cancelled'))).toBe('[]');
    vi.advanceTimersByTime(300_000);
    vi.useRealTimers();
    expect(JSON.parse(textOf(await backend.of(makeCall()).callTool('cancelled')))).toHaveLength(1);
    const next = await runRound(backend, call('ask'), { answers: accept(first.asking), state: first.asking.state });
    expect(next).toMatchObject({ error: { code: 'UPSTREAM_UNREACHABLE' } });
  });

  it('B4 an answer that comes to another process of ours is told apart from a call', async () => {
    const first = await runRound(open(server), call('ask'));
    if (!('asking' in first)) throw new Error('it did not ask');
    const other = await runRound(open(server), call('ask'), {
      answers: accept(first.asking),
      state: first.asking.state,
    });
    expect(other).toMatchObject({
      error: { code: 'UPSTREAM_UNREACHABLE', message: 'other no longer waits for this answer' },
    });
  });
});
