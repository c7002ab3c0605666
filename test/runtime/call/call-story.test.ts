// A call from beginning to end: what it requires, its time, cancellation, questions, secrets, and that it always ends.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { text } from '../../../runtime/call/content.js';
import type { Asking, Request } from '../../../runtime/call/ports.js';
import { ProtocolError } from '../../../runtime/call/protocol-error.js';
import { ToolError } from '../../../runtime/call/tool-error.js';
import { callTool } from '../../../runtime/surface/call-tool.js';
import type { ErrorFactory, ToolContext } from '../../../schema/support/mcp/context.js';
import { type Handler, type Kit, makeKit, makeRequest, textsOf } from './call-kit.js';

const unheard: unknown[] = [];
const listen = (reason: unknown): void => {
  unheard.push(reason);
};
beforeEach(() => {
  unheard.length = 0;
  process.on('unhandledRejection', listen);
});
afterEach(async () => {
  vi.useRealTimers();
  // Node tells of rejections that nobody handled when the queue of microtasks is empty.
  await new Promise(resolve => setImmediate(resolve));
  process.off('unhandledRejection', listen);
  expect(unheard).toEqual([]);
});

const never = (): Promise<never> => new Promise(() => {});

/** Stops the clock; validators are compiled before, since that takes real time. */
async function frozen(kit: Kit): Promise<Kit> {
  await kit.host.validators(kit.served.tool);
  vi.useFakeTimers();
  return kit;
}

describe('time limit of a call', () => {
  it('C4 a handler that hangs is left behind after its time, and its signal is aborted', async () => {
    let signal: AbortSignal | undefined;
    const kit = await frozen(
      makeKit('{description: d, effect: read, limits: {timeoutMs: 1500}}', {
        handler: (_args, ctx) => {
          signal = ctx.signal;
          return never();
        },
      }),
    );
    const failed = kit.fail();
    await vi.advanceTimersByTimeAsync(1499);
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(2);
    expect(await failed).toEqual({
      message: 't took longer than 1500 ms',
      code: 'TIMEOUT',
      status: 504,
      is_retryable: true,
      suggested_fix: null,
      meta: { timeoutMs: 1500 },
    });
    expect(signal?.aborted).toBe(true);
    expect(kit.reports).toEqual(['t took longer than 1500 ms']);
  });

  it('C4 a tool without a limit of its own has a minute', async () => {
    const kit = await frozen(makeKit('description: d', { handler: never }));
    let isOver = false;
    const failed = kit.fail().finally(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(59_990);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(20);
    expect(await failed).toMatchObject({ code: 'TIMEOUT', is_retryable: false });
  });

  it('C4 calls that begin at different times end at different times', async () => {
    const ended: string[] = [];
    const kit = await frozen(
      makeKit('{description: d, parameters: {id: string}, limits: {timeoutMs: 1000}}', {
        handler: args => (args['id'] === 'quick' ? 'done' : never()),
      }),
    );
    const run = (id: string) => kit.call({ id }).then(() => ended.push(id));
    const calls = [run('a'), run('quick')];
    await vi.advanceTimersByTimeAsync(600);
    calls.push(run('b'));
    await vi.advanceTimersByTimeAsync(410);
    expect(ended).toEqual(['quick', 'a']);
    await vi.advanceTimersByTimeAsync(600);
    expect(ended).toEqual(['quick', 'a', 'b']);
    calls.push(run('c'));
    await vi.advanceTimersByTimeAsync(990);
    expect(ended).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(20);
    expect(ended).toEqual(['quick', 'a', 'b', 'c']);
    await Promise.all(calls);
  });

  it('C4 what a handler does after its time reaches nobody', async () => {
    const kit = await frozen(
      makeKit('{description: d, limits: {timeoutMs: 100}}', {
        handler: async (_args, ctx) => {
          await new Promise(resolve => setTimeout(resolve, 200));
          expect(ctx.signal.aborted).toBe(true);
          throw new Error('too late');
        },
      }),
    );
    const failed = kit.fail();
    await vi.advanceTimersByTimeAsync(300);
    expect((await failed).code).toBe('TIMEOUT');
    expect(kit.reports).toEqual(['t took longer than 100 ms']);
  });

  it('C4 a handler that fails because of its signal is too slow, not broken', async () => {
    const kit = await frozen(
      makeKit('{description: d, limits: {timeoutMs: 100}}', {
        handler: (_args, ctx) =>
          new Promise((_, reject) => {
            ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason));
          }),
      }),
    );
    const failed = kit.fail();
    await vi.advanceTimersByTimeAsync(150);
    expect((await failed).code).toBe('TIMEOUT');
  });

  it('W62 initialize counts against the time limit, and the handler does not start after it', async () => {
    const handler = vi.fn(() => 'never');
    const kit = await frozen(
      makeKit('{description: d, effect: write, initialize: src/i.ts, limits: {timeoutMs: 100}}', {
        handler,
        host: { initialize: () => new Promise(resolve => setTimeout(resolve, 500)) },
      }),
    );
    const failed = kit.fail();
    await vi.advanceTimersByTimeAsync(1000);
    // Nothing has happened, so that it may be tried again.
    expect(await failed).toMatchObject({ code: 'TIMEOUT', is_retryable: true });
    expect(handler).not.toHaveBeenCalled();
  });

  it('C4 a finished call leaves no timer behind', async () => {
    const kit = makeKit('description: d', { handler: () => 'x' });
    await kit.call();
    const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
    const before = timers();
    for (let index = 0; index < 100; index += 1) await kit.call();
    expect(timers()).toBeLessThanOrEqual(before);
  });
});

describe('cancellation of a call', () => {
  it('C4 a cancelled call aborts the signal of the handler and ends at once', async () => {
    const client = new AbortController();
    let signal: AbortSignal | undefined;
    const kit = makeKit('description: d', {
      handler: (_args, ctx) => {
        signal = ctx.signal;
        return never();
      },
    });
    const failed = kit.fail({}, { signal: client.signal });
    await vi.waitFor(() => expect(signal).toBeDefined());
    client.abort('went away');
    expect((await failed).code).toBe('CANCELLED');
    expect([signal?.aborted, signal?.reason]).toEqual([true, 'went away']);
  });

  it('C4 a call that was cancelled before it began runs nothing', async () => {
    const handler = vi.fn(() => 'x');
    const kit = makeKit('description: d', { handler });
    expect((await kit.fail({}, { signal: AbortSignal.abort() })).code).toBe('CANCELLED');
    expect(handler).not.toHaveBeenCalled();
  });

  it('C4 a signal that the handler asks for late is already aborted', async () => {
    const client = new AbortController();
    let context: ToolContext | undefined;
    const kit = makeKit('description: d', {
      handler: (_args, ctx) => {
        context = ctx;
        return never();
      },
    });
    const failed = kit.fail({}, { signal: client.signal });
    await vi.waitFor(() => expect(context).toBeDefined());
    client.abort(new Error('gone'));
    await failed;
    expect(context?.signal.aborted).toBe(true);
    expect(context?.signal.reason).toEqual(new Error('gone'));
  });

  it('C4 a call leaves no listener on the signal of the client', async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    const kit = makeKit('description: d', { handler: () => 'x' });
    await kit.call({}, { signal });
    expect(added).toHaveBeenCalledTimes(1);
    expect(removed.mock.calls[0]?.slice(0, 2)).toEqual(added.mock.calls[0]?.slice(0, 2));
  });

  it('C4 a handler that fails after the client went away is not reported', async () => {
    const client = new AbortController();
    const kit = makeKit('description: d', {
      handler: async (_args, ctx) => {
        await new Promise(resolve => ctx.signal.addEventListener('abort', resolve));
        throw new Error('cleaning up failed');
      },
    });
    const failed = kit.fail({}, { signal: client.signal });
    setImmediate(() => client.abort());
    expect((await failed).code).toBe('CANCELLED');
    expect(kit.reports).toEqual([]);
  });
});

describe('requirements of a call', () => {
  const manifest =
    'config: {JIRA_TOKEN: {type: string, secret: true, description: API token}, PAGE: {type: integer, default: 5}}';

  it('W97 absent config is an error that names it and the fix, and the handler does not run', async () => {
    const handler = vi.fn(() => 'x');
    const definition = '{description: d, requires: {JIRA_TOKEN: required, PAGE: required}}';
    const kit = makeKit(definition, { handler, manifest });
    const error = await kit.fail({ wrong: 1 });
    expect(error.code).toBe('CONFIG_MISSING');
    expect(error.message).toContain('JIRA_TOKEN');
    expect(error.message).not.toContain('PAGE');
    expect(error.suggested_fix).toContain('JIRA_TOKEN');
    expect(handler).not.toHaveBeenCalled();
    const set = makeKit(definition, { handler, manifest, env: { JIRA_TOKEN: 'hunter22' } });
    expect(textsOf(await set.call())).toEqual(['x']);
  });

  it('W97 a capability that the client lacks is an error that names it', async () => {
    const kit = makeKit('{description: d, requires: {sampling: required}}', { handler: () => 'x' });
    expect(await kit.fail()).toMatchObject({
      code: 'CAPABILITY_MISSING',
      message: expect.stringContaining('sampling'),
    });
    const client = { name: 'c', version: '1', capabilities: { sampling: {} } };
    expect(textsOf(await kit.call({}, { client }))).toEqual(['x']);
  });

  it('W97 config and capabilities that are only suggested may be absent', async () => {
    const kit = makeKit('{description: d, requires: {sampling: suggested, JIRA_TOKEN: suggested}}', {
      manifest,
      handler: (_args, ctx) => `${ctx.has('sampling')} ${ctx.has('JIRA_TOKEN')}`,
    });
    expect(textsOf(await kit.call())).toEqual(['false false']);
  });
});

describe('initialize and context of a call', () => {
  it('W62 initialize runs before the handler, its failure is a tool error, and the next call tries again', async () => {
    const handler = vi.fn(() => 'ready');
    const initialize = vi.fn(async () => {
      if (initialize.mock.calls.length === 1) throw new Error('database is down');
      if (initialize.mock.calls.length === 2)
        throw new ToolError('Still starting', { code: 'STARTING', retryable: true });
    });
    const kit = makeKit('{description: d, initialize: src/i.ts}', { handler, host: { initialize } });
    const first = await kit.fail();
    expect(first.code).toBe('UNEXPECTED_ERROR');
    expect(first.message).not.toContain('database');
    expect(kit.reports[0]).toContain('database is down');
    expect(await kit.fail()).toMatchObject({ code: 'STARTING', is_retryable: true });
    expect(handler).not.toHaveBeenCalled();
    expect(textsOf(await kit.call())).toEqual(['ready']);
  });

  it('W62 arguments are checked before initialize runs', async () => {
    const initialize = vi.fn(async () => {});
    const kit = makeKit('{description: d, initialize: src/i.ts}', { handler: () => 'x', host: { initialize } });
    expect((await kit.fail({ a: 1 })).code).toBe('BAD_ARGUMENTS');
    expect(initialize).not.toHaveBeenCalled();
  });

  it('M33 a context that cannot be built is a tool error, and the next call tries again', async () => {
    let tries = 0;
    const app = async () => {
      tries += 1;
      if (tries === 1) throw new Error('no connection');
      return { name: 'app' };
    };
    const kit = makeKit('description: d', { handler: (_args, ctx) => ctx.app, host: { app } });
    expect((await kit.fail()).code).toBe('UNEXPECTED_ERROR');
    expect((await kit.call()).structuredContent).toEqual({ name: 'app' });
  });
});

describe('handler of a call', () => {
  it('J85 a handler that is given by code needs no module', async () => {
    const kit = makeKit('{description: d, parameters: {n: integer}}', {
      host: {
        load: async () => {
          throw new Error('there is no module');
        },
      },
    });
    const served = { ...kit.served, handler: ({ n }: { n: number }) => n * 2 };
    const outcome = await callTool(served as never, { n: 4 }, makeRequest(), kit.services);
    expect('result' in outcome && textsOf(outcome.result)).toEqual(['8']);
  });

  it.each([
    ['nothing', undefined],
    ['an object', {}],
    ['a text', 'x'],
  ])('M20 an export that is %s is reported as not a function', async (_name, exported) => {
    const kit = makeKit('description: d', { host: { load: async () => exported } });
    expect((await kit.fail()).code).toBe('UNEXPECTED_ERROR');
    expect(kit.reports[0]).toContain('src/tools/t.ts#default is not a function');
  });

  it('M20 a module that cannot be loaded is an unexpected error', async () => {
    const kit = makeKit('description: d', {
      host: {
        load: async () => {
          throw new SyntaxError('Unexpected token');
        },
      },
    });
    expect((await kit.fail()).message).not.toContain('token');
    expect(kit.reports[0]).toContain('SyntaxError: Unexpected token');
  });

  it('M27 declared errors are the same for every call', async () => {
    const seen: unknown[] = [];
    const kit = makeKit('description: d\nerrors: {GONE: {message: It is gone, status: 410}}', {
      handler: (_args, ctx) => {
        seen.push(ctx.errors);
        throw (ctx.errors as Record<string, ErrorFactory>)['GONE']?.();
      },
    });
    expect(await kit.fail()).toMatchObject({ code: 'GONE', status: 410 });
    await kit.fail();
    expect(seen[0]).toBe(seen[1]);
  });

  it('M20 a forged state is a protocol error, not a result', async () => {
    const kit = makeKit('description: d', { handler: () => 'x' });
    await expect(kit.outcome({}, { state: 'forged' })).rejects.toBeInstanceOf(ProtocolError);
  });
});

const asking: Request['client'] = { name: 'c', version: '1', capabilities: { elicitation: {} } };
const question = { message: 'Which size?', schema: { size: { type: 'string' } } };

function askedBy(outcome: Awaited<ReturnType<Kit['outcome']>>): Asking {
  if ('result' in outcome) throw new Error(`no question: ${JSON.stringify(outcome.result)}`);
  return outcome.asking;
}

describe('questions of a call', () => {
  const order: Handler = async (_args, ctx) => {
    const answer = await ctx.elicit('size', question);
    return answer.action === 'accept' ? `ordered ${answer.content['size']}` : 'nothing ordered';
  };

  it('C6 a handler that waits for an answer is left behind and run again with it', async () => {
    const runs: string[] = [];
    const kit = makeKit('description: d', {
      handler: async (args, ctx) => {
        runs.push('begin');
        const result = await order(args, ctx);
        runs.push('end');
        return result;
      },
    });
    const { questions, state } = askedBy(await kit.outcome({}, { client: asking }));
    expect(questions).toMatchObject({ size: { kind: 'elicit', params: { message: 'Which size?' } } });
    const answers = { size: { action: 'accept', content: { size: 'M' } } };
    expect(textsOf(await kit.call({}, { client: asking, state, answers }))).toEqual(['ordered M']);
    expect(runs).toEqual(['begin', 'begin', 'end']);
  });

  it('C6 questions of one turn are asked together', async () => {
    const kit = makeKit('description: d', {
      handler: async (_args, ctx) => {
        const both = await Promise.all([ctx.elicit('a', question), ctx.elicit('b', question)]);
        return both.map(({ action }) => action);
      },
    });
    const { questions, state } = askedBy(await kit.outcome({}, { client: asking }));
    expect(Object.keys(questions)).toEqual(['a', 'b']);
    const answers = { a: { action: 'decline' }, b: { action: 'cancel' } };
    expect((await kit.call({}, { client: asking, state, answers })).structuredContent).toEqual({
      items: ['decline', 'cancel'],
    });
  });

  it('C6 a handler cannot catch an open question', async () => {
    const caught = vi.fn();
    const kit = makeKit('description: d', {
      handler: async (args, ctx) => {
        try {
          return await order(args, ctx);
        } catch (error) {
          caught(error);
          return 'caught';
        } finally {
          caught('finally');
        }
      },
    });
    askedBy(await kit.outcome({}, { client: asking }));
    await new Promise(resolve => setTimeout(resolve, 20));
    expect(caught).not.toHaveBeenCalled();
  });

  it('C6 a handler that does not wait for its question returns its result', async () => {
    const kit = makeKit('description: d', {
      handler: async (_args, ctx) => {
        void ctx.elicit('size', question);
        return 'no need';
      },
    });
    expect(textsOf(await kit.call({}, { client: asking }))).toEqual(['no need']);
  });

  it('C6 what fails beside an open question is not reported', async () => {
    let fail = (_error: Error): void => undefined;
    const late = new Promise((_, reject) => {
      fail = reject;
    });
    const kit = makeKit('description: d', {
      handler: async (_args, ctx) => {
        await Promise.all([ctx.elicit('size', question), late]);
      },
    });
    askedBy(await kit.outcome({}, { client: asking }));
    fail(new Error('late'));
    await new Promise(resolve => setTimeout(resolve, 30));
    expect(kit.reports).toEqual([]);
  });

  it('C6 a client without elicitation gets text that asks the model to pass the question on', async () => {
    const kit = makeKit('description: d', { handler: order });
    const result = await kit.call();
    expect(result.isError).toBeUndefined();
    expect(textsOf(result)[0]).toContain('Which size?');
    expect(textsOf(await kit.call({ _answers: { size: { size: 'S' } } }))).toEqual(['ordered S']);
  });

  it('fix-F7 C6 a tool that asks without having declared it is reported once', async () => {
    const kit = makeKit('description: d', { handler: order });
    await kit.call();
    await kit.call();
    expect(kit.reports).toEqual([expect.stringContaining('"requires: { elicitation: suggested }"')]);
    const said = makeKit('description: d\nrequires: { elicitation: suggested }', { handler: order });
    await said.call();
    expect(said.reports).toEqual([]);
  });

  it('C6 a tool with an output schema answers such a client with an error, because it has no data', async () => {
    const kit = makeKit('description: d\noutput: {size: string}', { handler: order });
    const result = await kit.call();
    expect(result.isError).toBe(true);
    expect(textsOf(result)[0]).toContain('Which size?');
  });
});

describe('confirm before a call', () => {
  const definition = '{description: d, effect: destructive, confirm: true, parameters: {key: string}}';

  it('C6 confirm asks the user before anything runs, but after the arguments were checked', async () => {
    const handler = vi.fn(() => 'deleted');
    const initialize = vi.fn(async () => {});
    const kit = makeKit(definition.replace('}}', '}, initialize: src/i.ts}'), { handler, host: { initialize } });
    expect((await kit.fail({ kye: 'A' }, { client: asking })).code).toBe('BAD_ARGUMENTS');
    const { questions, state } = askedBy(await kit.outcome({ key: 'A' }, { client: asking }));
    const [key = ''] = Object.keys(questions);
    expect(handler).not.toHaveBeenCalled();
    expect(initialize).not.toHaveBeenCalled();
    const yes = { [key]: { action: 'accept', content: {} } };
    expect(textsOf(await kit.call({ key: 'A' }, { client: asking, state, answers: yes }))).toEqual(['deleted']);
  });

  it('C6 nothing runs when the user says no', async () => {
    const handler = vi.fn(() => 'deleted');
    const kit = makeKit(definition, { handler });
    const { questions, state } = askedBy(await kit.outcome({ key: 'A' }, { client: asking }));
    const no = Object.fromEntries(Object.keys(questions).map(key => [key, { action: 'decline' }]));
    expect(textsOf(await kit.call({ key: 'A' }, { client: asking, state, answers: no }))[0]).toContain('did not run');
    expect(handler).not.toHaveBeenCalled();
  });

  it('C6 a model that must ask sends `confirmed`, which the handler does not see', async () => {
    const handler = vi.fn((args: object) => args);
    const kit = makeKit(definition, { handler });
    expect(textsOf(await kit.call({ key: 'A' }))[0]).toContain('"confirmed": true');
    expect(handler).not.toHaveBeenCalled();
    expect((await kit.call({ key: 'A', confirmed: true })).structuredContent).toEqual({ key: 'A' });
  });
});

describe('secrets in a call', () => {
  const manifest = 'config: {TOKEN: {type: string, secret: true}, PIN: {type: integer, secret: true}}';
  const env = { TOKEN: 'hun"ter22', PIN: '123456' };
  const leaking = (handler: Handler, definition = 'description: d', showCauses = false) =>
    makeKit(definition, { handler, manifest, env, services: { showCauses } });
  const forms = ['hun"ter22', 'hun\\"ter22', 'hun\\\\\\"ter22', '123456'];

  function expectNone(...values: unknown[]): void {
    for (const value of values) {
      for (const form of forms) expect(JSON.stringify(value)).not.toContain(form);
      expect(String(JSON.stringify(value))).not.toContain('ter22');
    }
  }

  it.each<[string, unknown]>([
    ['a text', 'token=hun"ter22!'],
    ['data', { headers: { auth: 'Bearer hun"ter22' }, list: ['hun"ter22', 123456, 7] }],
    ['names of properties', { 'hun"ter22': 1 }],
    ['content', [text('hun"ter22'), { type: 'resource', resource: { uri: 'a://hun"ter22', text: 'hun"ter22' } }]],
    [
      'a whole result',
      { content: [text('hun"ter22')], structuredContent: { a: 'hun"ter22' }, _meta: { b: 'hun"ter22' } },
    ],
    ['data inside JSON inside data', { body: JSON.stringify({ a: 'hun"ter22' }) }],
    ['a number', 123456],
    ['text with escapes inside the secret', 'hun\x1b[0m"ter22'],
  ])('W97 secrets never leave in %s', async (_name, value) => {
    const kit = leaking(() => value, '{description: d, clean: [ansi]}');
    const result = await kit.call();
    expect(result.isError).toBeUndefined();
    expectNone(result);
    const [first] = textsOf(result);
    if (result.structuredContent !== undefined && result.content.length === 1 && first?.startsWith('{')) {
      expect(JSON.parse(first)).toEqual(result.structuredContent);
    }
  });

  it('W97 a result without secrets is passed on as it is', async () => {
    const data = { a: 'hunter', list: [1, { b: null }] };
    const result = await leaking(() => data).call();
    expect(result.structuredContent).toBe(data);
  });

  it('W97 secrets never leave in errors and never reach the operator', async () => {
    for (const showCauses of [false, true]) {
      for (const thrown of [
        new Error('bad token hun"ter22', { cause: new Error('hun"ter22') }),
        new ToolError('bad token hun"ter22', {
          code: 'hun"ter22',
          suggestedFix: 'Try hun"ter22',
          meta: { a: ['hun"ter22', 123456], 'hun"ter22': 1 },
          cause: 'hun"ter22',
        }),
        'hun"ter22',
      ]) {
        const kit = leaking(() => Promise.reject(thrown), 'description: d', showCauses);
        expectNone(await kit.fail(), kit.reports);
        expect(kit.reports).toHaveLength(1);
      }
    }
  });

  it('W97 secrets never leave in messages about arguments or results', async () => {
    const kit = leaking(
      () => ({ total: 'hun"ter22' }),
      'description: d\nparameters: {n: integer}\noutput: {total: integer}',
    );
    expectNone(await kit.fail({ n: 'hun"ter22' }), await kit.fail({ n: 1 }), kit.reports);
  });

  it('W97 no half of a secret leaves when text is cut', async () => {
    const kit = leaking(
      () => `${'x'.repeat(295)}hun"ter22${'x'.repeat(500)}`,
      '{description: d, limits: {resultChars: 360}}',
    );
    expectNone(await kit.call());
  });

  it('W97 secrets never leave in a question that the model passes on', async () => {
    const kit = leaking(async (_args, ctx) =>
      ctx.elicit('q', { message: 'Is hun"ter22 right?', schema: { a: { type: 'string' } } }),
    );
    expectNone(await kit.call());
  });
});
