// The other parts of the context: log, progress, signal, requirements, shared context, calls of other tools.
import { describe, expect, it } from 'vitest';
import { findUnmetRequirement } from '../../../runtime/call/context/capabilities.js';
import {
  createToolContext,
  createToolQuestions,
  type ToolContextInput,
} from '../../../runtime/call/context/create-context.js';
import type { Request } from '../../../runtime/call/ports.js';
import { ProtocolError, protocolCodes } from '../../../runtime/call/protocol-error.js';
import { ToolError } from '../../../runtime/call/tool-error.js';
import type { CallToolResult, ToolContext } from '../../../schema/support.js';
import { everything, makeRequest, nobody, runRound, type Stage, setStage } from './context-round.js';

async function contextOf(stage: Stage, request = makeRequest()): Promise<ToolContext> {
  const { served, services } = stage;
  const { signal } = request;
  return await makeContext({ served, args: {}, request, services, signal, errors: {} });
}

/** As a call makes it. */
async function makeContext(input: Omit<ToolContextInput, 'questions'>): Promise<ToolContext> {
  const missing = findUnmetRequirement(input.served, input.request);
  if (missing !== undefined) throw missing;
  // Not a copy: a signal may be made only when it is asked for.
  return createToolContext(
    Object.assign(input, { questions: createToolQuestions(input) }),
    await input.served.host.app(),
  );
}

describe('`ctx.tool`', () => {
  it('X7 `ctx.tool` says which tool runs, is the same for every call and cannot be changed', async () => {
    const stage = setStage();
    const { tool } = await contextOf(stage);
    const { served } = stage;
    expect(tool).toEqual({ name: served.name, item: served.tool.item, pack: served.host.program.pack.name, tags: [] });
    expect((await contextOf(stage)).tool).toBe(tool);
    expect(Object.isFrozen(tool) && Object.isFrozen(tool.tags)).toBe(true);
  });
});

describe('`ctx.log`', () => {
  it('C2 a log message goes to the client that accepts it, and to stderr otherwise', async () => {
    const stage = setStage();
    const sent: unknown[] = [];
    const log: Request['log'] = (...message) => {
      sent.push(message);
      return message[0] === 'error';
    };
    const ctx = await contextOf(stage, makeRequest({ log }));
    ctx.log.error('broken', { n: 1 });
    ctx.log.debug('detail', { n: 2 });
    ctx.log.notice('nothing more');
    expect(sent).toEqual([
      ['error', 'broken', { n: 1 }],
      ['debug', 'detail', { n: 2 }],
      ['notice', 'nothing more', undefined],
    ]);
    expect(stage.reported).toEqual(['[debug] t: detail {"n":2}', '[notice] t: nothing more']);
  });

  it('C2 `ctx.log` has all levels of the protocol', async () => {
    const stage = setStage();
    const { log } = await contextOf(stage);
    const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
    for (const level of levels) log[level]('x');
    expect(stage.reported).toEqual(levels.map(level => `[${level}] t: x`));
  });

  it('C2 `ctx.log` never shows a secret to anyone', async () => {
    const stage = setStage({
      manifest: 'config: { TOKEN: { type: string, secret: true } }\n',
      env: { TOKEN: 'hunter"22' },
    });
    const sent: unknown[] = [];
    const log: Request['log'] = (...message) => {
      sent.push(message);
      return false;
    };
    const ctx = await contextOf(stage, makeRequest({ log }));
    ctx.log.info('got hunter"22', { 'hunter"22': ['hunter"22', new Error('no hunter"22')] });
    expect(JSON.stringify(sent)).not.toContain('hunter');
    expect(stage.reported).toEqual([
      '[info] t: got [secret TOKEN] {"[secret TOKEN]":["[secret TOKEN]",{"name":"Error","message":"no [secret TOKEN]"}]}',
    ]);
  });

  it('C2 `ctx.log` accepts anything as data, and one message is one line', async () => {
    const stage = setStage();
    const { log } = await contextOf(stage);
    const circle: Record<string, unknown> = { big: 1n, f: () => 1, at: new Date(0), bytes: new Uint8Array(3) };
    circle['self'] = circle;
    const proxy = new Proxy(
      {},
      {
        ownKeys: () => ['a'],
        getOwnPropertyDescriptor: () => {
          throw new Error('no');
        },
      },
    );
    log.info('a\nb\u001b[31m', circle);
    log.info('x', proxy);
    log.info(undefined as never, { set: new Set([1]), map: new Map([['k', Number.NaN]]), none: undefined, null: null });
    log.info('x'.repeat(100_000));
    expect(stage.reported).toHaveLength(4);
    expect(stage.reported[0]).toMatch(/^\[info\] t: a\\nb\\x1b\[31m \{"big":"1"/);
    expect(stage.reported[0]).toContain('"at":"1970-01-01T00:00:00.000Z","bytes":"[3 bytes]","self":{"big":"1"');
    expect(stage.reported[1]).toBe('[info] t: x "[unreadable]"');
    expect(stage.reported[2]).toBe('[info] t: undefined {"set":[1],"map":{"k":"NaN"},"none":"undefined","null":null}');
    expect(stage.reported.every(line => line.length < 9000 && !/[\n\u001b]/.test(line))).toBe(true);
  });

  it('C2 `ctx.log` does not fail when the client is gone', async () => {
    const stage = setStage();
    const log = (): boolean => {
      throw new Error('closed');
    };
    const ctx = await contextOf(stage, makeRequest({ log }));
    ctx.log.info('still here');
    expect(stage.reported).toEqual(['[info] t: still here']);
  });
});

describe('`ctx.progress`', () => {
  it('C3 `ctx.progress` sends only steps that grow and make sense', async () => {
    const sent: unknown[] = [];
    const stage = setStage({ manifest: 'config: { T: { type: string, secret: true } }\n', env: { T: 'hunter22' } });
    const progress: Request['progress'] = (...step) => void sent.push(step);
    const ctx = await contextOf(stage, makeRequest({ progress }));
    ctx.progress(0, 10, 'start');
    ctx.progress(0);
    ctx.progress(5, 10, 'hunter22');
    ctx.progress(4, 10);
    ctx.progress(Number.NaN);
    ctx.progress(Number.POSITIVE_INFINITY);
    ctx.progress('7' as never);
    ctx.progress(6.5, Number.NaN, 5 as never);
    expect(sent).toEqual([
      [0, 10, 'start'],
      [5, 10, '[secret T]'],
      [6.5, undefined, undefined],
    ]);
  });
});

describe('data of the request in the context', () => {
  it('C4 the context has signal, client, auth, id, options, errors and config', async () => {
    const controller = new AbortController();
    const auth = { token: 't', clientId: 'c', scopes: ['a'], claims: {} };
    const stage = setStage({ manifest: 'config: { LIMIT: { type: integer, default: 5 } }\n' });
    const request = makeRequest({ id: 'r1', auth, signal: controller.signal });
    const { served, services } = stage;
    const errors = { X: () => new Error('x') };
    const options = { limit: 3 };
    const input = { served: { ...served, options }, args: {}, request, services, signal: controller.signal, errors };
    const ctx = await makeContext(input);
    expect(ctx).toMatchObject({ requestId: 'r1', auth, client: everything, options, errors, config: { LIMIT: 5 } });
    expect(ctx.notify).toBe(request.notify);
    controller.abort();
    expect(ctx.signal.aborted).toBe(true);
    expect(Object.isFrozen(ctx.config)).toBe(true);
  });

  it('M20 `ctx.notImplemented` makes an error that says so', async () => {
    const problem = (await contextOf(setStage())).notImplemented();
    expect(problem).toMatchObject({
      code: 'NOT_IMPLEMENTED',
      status: 501,
      message: 'The tool t is not implemented yet',
    });
  });

  it('C6 parts of the context work when destructured', async () => {
    const { has, log, elicit, once } = await contextOf(setStage());
    expect(has('sampling')).toBe(true);
    log.info('x');
    expect(await once('k', () => 1)).toBe(1);
    expect(elicit).toBeTypeOf('function');
  });
});

describe('`ctx.app`', () => {
  it('M33 the shared context is built before the handler runs and is the same for all', async () => {
    let built = 0;
    const app = { name: 'app' };
    const stage = setStage({
      app: async () => {
        built += 1;
        return app;
      },
    });
    expect((await contextOf(stage)).app).toBe(app);
    expect(built).toBe(1);
    expect((await contextOf(setStage())).app).toBeUndefined();
  });

  it('M34 a ToolError from building the shared context passes through unchanged', async () => {
    const problem = new ToolError('no session', { code: 'NO_SESSION' });
    const stage = setStage({ app: () => Promise.reject(problem) });
    await expect(contextOf(stage)).rejects.toBe(problem);
  });

  it('M34 a ToolError that a lookup in the shared context throws passes through unchanged, even inside `once`', async () => {
    const problem = new ToolError('no session', { code: 'NO_SESSION' });
    const find = (): never => {
      throw problem;
    };
    const stage = setStage({ app: async () => ({ find }) });
    const run = runRound(stage, (_, ctx) => ctx.once('x', () => (ctx.app as { find(): never }).find()), makeRequest());
    await expect(run).rejects.toBe(problem);
  });

  it('C6 the shared context is not built for a call that the user declines', async () => {
    let built = 0;
    const app = async (): Promise<void> => {
      built += 1;
    };
    const stage = setStage({ tool: 'description: D.\nconfirm: true\n', app });
    await runRound(stage, () => 'ran', makeRequest());
    expect(built).toBe(0);
  });
});

describe('requirements and `ctx.has`', () => {
  const manifest =
    'config:\n  TOKEN: { type: string, secret: true, description: API token }\n  LIMIT: { type: integer }\n';
  const tool = (requires: string): string => `description: D.\nrequires: ${requires}\n`;

  it('W97 a required value that is absent is a clear error with the fix', async () => {
    const stage = setStage({ manifest, tool: tool('{ TOKEN: required, LIMIT: required, sampling: suggested }') });
    await expect(contextOf(stage)).rejects.toMatchObject({
      code: 'CONFIG_MISSING',
      status: 503,
      message: 't needs configuration that is not set: TOKEN (API token), LIMIT',
      suggestedFix:
        "Set TOKEN and LIMIT in the server's environment and start it again (toolwright dev, call and test also read the pack's .env; start needs --env-file).",
      meta: { missing: ['TOKEN', 'LIMIT'] },
    });
  });

  it('W97 a required value that is set is accepted, and an empty secret counts as absent', async () => {
    const text = tool('{ TOKEN: required }');
    const ctx = await contextOf(setStage({ manifest, tool: text, env: { TOKEN: 'hunter22' } }));
    expect([ctx.has('TOKEN'), ctx.has('LIMIT'), ctx.has('OTHER'), ctx.has('toString')]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    const empty = setStage({ manifest, tool: text, env: { TOKEN: '' } });
    await expect(contextOf(empty)).rejects.toMatchObject({ code: 'CONFIG_MISSING' });
  });

  it('W97 a required capability that the client lacks is CAPABILITY_MISSING', async () => {
    const stage = setStage({ tool: tool('{ sampling: required }') });
    await expect(contextOf(stage, makeRequest({ client: nobody }))).rejects.toMatchObject({
      code: 'CAPABILITY_MISSING',
      meta: { requiredCapabilities: { sampling: {} } },
    });
    expect((await contextOf(stage)).has('sampling')).toBe(true);
  });

  it('W97 a suggested value or capability that is absent lets the handler run, and `has` returns false', async () => {
    const stage = setStage({ manifest, tool: tool('{ TOKEN: suggested, sampling: suggested, tasks: suggested }') });
    const ctx = await contextOf(stage, makeRequest({ client: nobody }));
    expect(['TOKEN', 'sampling', 'elicitation', 'roots', 'tasks'].map(name => ctx.has(name))).toEqual(
      Array(5).fill(false),
    );
    const rich = await contextOf(stage);
    expect(['sampling', 'elicitation', 'roots', 'tasks'].map(name => rich.has(name))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it('W97 capabilities that are not objects do not count', async () => {
    const client = { ...nobody, capabilities: { sampling: true, roots: null, elicitation: 'form' } as never };
    const ctx = await contextOf(setStage(), makeRequest({ client }));
    expect(['sampling', 'roots', 'elicitation'].map(name => ctx.has(name))).toEqual([false, false, false]);
  });
});

describe('`ctx.call`', () => {
  const done: CallToolResult = { content: [{ type: 'text', text: 'done' }] };

  it('M35 `ctx.call` calls in the name of the same client, without its answers and state', async () => {
    const seen: [string, object, Request][] = [];
    const stage = setStage({
      services: {
        call: async (tool, args, request) => {
          seen.push([tool, args, request]);
          return done;
        },
      },
    });
    const request = makeRequest({ answers: { x: 1 }, id: 7 });
    const ctx = await contextOf(stage, request);
    expect(await ctx.call('other', { a: 1 })).toBe(done);
    await ctx.call('bare');
    expect(seen.map(([tool, args]) => [tool, args])).toEqual([
      ['other', { a: 1 }],
      ['bare', {}],
    ]);
    expect(seen[0]?.[2]).toMatchObject({ id: 7, principal: 'alice', answers: {}, state: undefined, depth: 1 });
  });

  it('M35 a tool that calls itself ends with a clear error', async () => {
    let deepest = 0;
    const stage: Stage = setStage({
      services: {
        call: async (_, __, request) => {
          deepest = Math.max(deepest, request.depth ?? 0);
          return await (await contextOf(stage, request)).call('t');
        },
      },
    });
    await expect((await contextOf(stage)).call('t')).rejects.toMatchObject({ code: 'CALL_TOO_DEEP' });
    expect(deepest).toBe(16);
  });

  it('M35 `ctx.call` of an unknown tool is a ToolError, not a protocol error of the outer call', async () => {
    const call = (): never => {
      throw new ProtocolError(protocolCodes.invalidParams, 'Unknown tool: nope');
    };
    const ctx = await contextOf(setStage({ services: { call } }));
    await expect(ctx.call('nope')).rejects.toMatchObject({
      code: 'CALL_FAILED',
      message: expect.stringContaining('nope'),
    });
  });

  it('M35 a tool inside `ctx.call` cannot ask anyone, and the error says so', async () => {
    const ctx = await contextOf(setStage(), makeRequest({ depth: 1 }));
    const form = { message: 'm', schema: { a: 'string' } };
    await expect(ctx.elicit('x', form)).rejects.toMatchObject({ code: 'QUESTION_IN_CALL' });
    await expect(ctx.roots()).rejects.toMatchObject({ code: 'QUESTION_IN_CALL' });
    await expect(ctx.sample('x', { prompt: 'p', maxTokens: 1 })).rejects.toMatchObject({ code: 'QUESTION_IN_CALL' });
    expect((await ctx.sample('x', { prompt: 'p', maxTokens: 1, fallback: 'f' })).text).toBe('f');
    expect(ctx.has('elicitation')).toBe(false);
    const poor = await contextOf(setStage(), makeRequest({ depth: 1, client: nobody }));
    expect(await poor.roots()).toEqual([]);
  });

  it('C6 a handler whose round is over calls nothing more', async () => {
    let calls = 0;
    const call = async (): Promise<CallToolResult> => {
      calls += 1;
      return done;
    };
    const stage = setStage({ services: { call } });
    let goOn = (): void => undefined;
    const isOver = new Promise<void>(resolve => {
      goOn = resolve;
    });
    const ended = await runRound(
      stage,
      async (_, ctx) => {
        const later = async () => {
          await isOver;
          await ctx.call('other');
        };
        await Promise.all([ctx.elicit('x', { message: 'm', schema: { a: 'string' } }), later()]);
      },
      makeRequest(),
    );
    expect(ended).toHaveProperty('asking');
    goOn();
    await new Promise(setImmediate);
    expect(calls).toBe(0);
  });
});

describe('`ctx.signal`', () => {
  it('C4 the signal is made only when a handler asks for it, and is included when the context is spread', async () => {
    const { served, services } = setStage();
    let asked = 0;
    const { signal } = new AbortController();
    const ctx = await makeContext({
      served,
      args: {},
      request: makeRequest(),
      services,
      errors: {},
      get signal() {
        asked += 1;
        return signal;
      },
    });
    expect(asked).toBe(0);
    expect(ctx.signal).toBe(signal);
    expect({ ...ctx }.signal).toBe(signal);
    expect(Object.keys(ctx)).toContain('signal');
  });
});
