// Errors of handlers on their way to the client: declared ones with all they say, unexpected ones with an id only.
import { describe, expect, it } from 'vitest';
import { declareErrors } from '../../../runtime/call/declared-errors.js';
import { HandlerProblem } from '../../../runtime/call/handler-problem.js';
import { isToolError, ToolError } from '../../../runtime/call/tool-error.js';
import type { ErrorFactory } from '../../../schema/support/mcp/context.js';
import { makeKit } from './call-kit.js';

const failing = (thrown: unknown, definition = 'description: d') =>
  makeKit(definition, {
    handler: () => {
      throw thrown;
    },
  });

describe('M21 ToolError', () => {
  it('M21 a ToolError has defaults for everything but its message', async () => {
    expect(await failing(new ToolError('No such issue')).fail()).toEqual({
      message: 'No such issue',
      code: 'TOOL_ERROR',
      status: 400,
      is_retryable: false,
      suggested_fix: null,
      meta: {},
    });
  });

  it('M21 a ToolError arrives with all its fields, but without its cause', async () => {
    const cause = new Error('connect ECONNREFUSED');
    const thrown = new ToolError('Jira is busy', {
      code: 'BUSY',
      status: 503,
      retryable: true,
      suggestedFix: 'Wait a minute.',
      meta: { seconds: 60, nested: { list: [1, null] } },
      cause,
    });
    const kit = failing(thrown);
    expect(await kit.fail()).toEqual({
      message: 'Jira is busy',
      code: 'BUSY',
      status: 503,
      is_retryable: true,
      suggested_fix: 'Wait a minute.',
      meta: { seconds: 60, nested: { list: [1, null] } },
    });
    expect(thrown.cause).toBe(cause);
    expect(kit.reports).toHaveLength(1);
    expect(kit.reports[0]).toMatch(/^t: BUSY: Jira is busy\ncaused by Error: connect ECONNREFUSED\n\s+at /);
  });

  it('M21 a ToolError without a cause reports nothing to the operator', async () => {
    const kit = failing(new ToolError('No such issue'));
    await kit.fail();
    expect(kit.reports).toEqual([]);
  });

  it('M34 a ToolError of another copy of the package is recognized and passes through async code', async () => {
    const brand = Symbol.for('toolwright.error');
    const foreign = Object.assign(new Error('from afar'), { [brand]: true, code: 'FAR', status: 418, meta: { a: 1 } });
    expect(isToolError(foreign)).toBe(true);
    const kit = makeKit('description: d', { handler: () => Promise.reject(foreign) });
    expect(await kit.fail()).toMatchObject({ message: 'from afar', code: 'FAR', status: 418, meta: { a: 1 } });
    expect(isToolError(new Error('x'))).toBe(false);
  });

  it('M21 a ToolError can be subclassed like any error', async () => {
    class NotFound extends ToolError {
      override readonly name = 'NotFound';
      constructor(key: string) {
        super(`There is no ${key}`, { code: 'NOT_FOUND', status: 404 });
      }
    }
    expect(await failing(new NotFound('PROJ-1')).fail()).toMatchObject({ message: 'There is no PROJ-1', status: 404 });
  });

  const circular: Record<string, unknown> = { name: 'a' };
  circular['self'] = circular;
  it.each([
    ['a cycle', circular, { name: 'a', self: '[circular]' }],
    ['a bigint', { id: 12345678901234567890n }, { id: '12345678901234567890' }],
    [
      'a getter that throws',
      Object.defineProperty({ ok: 1 }, 'bad', {
        enumerable: true,
        get() {
          throw new Error('no');
        },
      }),
      { ok: 1, bad: '[unreadable]' },
    ],
    [
      'a toJSON that throws',
      {
        ok: 1,
        toJSON() {
          throw new Error('no');
        },
      },
      { ok: 1 },
    ],
    ['what JSON leaves out', { a: undefined, f: () => 1, s: Symbol('s'), n: Number.NaN }, { n: null }],
    [
      'a name that every object has',
      JSON.parse('{"__proto__": {"admin": true}}'),
      JSON.parse('{"__proto__": {"admin": true}}'),
    ],
    ['a Map, which JSON knows nothing of', { map: new Map([[1, 2]]) }, { map: {} }],
    ['a list in place of a map', [1, 2], { value: [1, 2] }],
  ])('M21 a ToolError does not crash on meta with %s', async (_name, meta, expected) => {
    const error = await failing(new ToolError('x', { meta: meta as Record<string, unknown> })).fail();
    expect(error.meta).toEqual(expected);
  });

  it('M21 a ToolError does not crash on meta that is a revoked proxy, or a proxy that refuses', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect((await failing(new ToolError('x', { meta: { proxy } })).fail()).meta).toEqual({ proxy: '[unreadable]' });
    const refusing = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no');
        },
      },
    );
    expect((await failing(new ToolError('x', { meta: { refusing } })).fail()).meta).toEqual({
      refusing: '[unreadable]',
    });
  });

  it('M21 a ToolError leaves out meta that is far too large and cuts endless messages', async () => {
    const big = new ToolError('m'.repeat(1_000_000), { meta: { text: 'x'.repeat(5_000_000) } });
    const error = await failing(big).fail();
    expect(error.meta).toEqual({ left_out: '5000011 characters' });
    expect(error.message.length).toBeLessThan(30_000);
    const wide: Record<string, unknown> = { bad: 1n };
    for (let index = 0; index < 50_000; index += 1) wide[`k${index}`] = {};
    expect(JSON.stringify((await failing(new ToolError('x', { meta: wide })).fail()).meta).length).toBeLessThan(
      300_000,
    );
  });

  it('M21 a ToolError with fields of the wrong type has the defaults', async () => {
    const odd = new ToolError('x') as unknown as Record<string, unknown>;
    Object.assign(odd, { code: 7, status: '404', retryable: 'yes', suggestedFix: {}, meta: null });
    expect(await failing(odd).fail()).toEqual({
      message: 'x',
      code: 'TOOL_ERROR',
      status: 400,
      is_retryable: false,
      suggested_fix: null,
      meta: {},
    });
  });

  it('M25 the text of an error is compact JSON with the keys in their order', async () => {
    const { content } = await failing(new ToolError('x', { meta: { b: 1, a: 2 } })).call();
    expect(content).toEqual([
      {
        type: 'text',
        text: '{"message":"x","code":"TOOL_ERROR","status":400,"is_retryable":false,"suggested_fix":null,"meta":{"b":1,"a":2}}',
      },
    ]);
  });
});

describe('M20 unexpected errors', () => {
  const idOf = (message: string): string => /^t failed \(([0-9a-f]{8})\)/.exec(message)?.[1] ?? 'none';

  it('M20 an unexpected error hides its message and stack, and its id finds both on the server', async () => {
    const kit = failing(new Error('password is hunter2'));
    const result = await kit.call();
    expect(JSON.stringify(result)).not.toContain('hunter2');
    const { message, ...error } = await kit.fail();
    expect(error).toEqual({
      code: 'UNEXPECTED_ERROR',
      status: 500,
      is_retryable: false,
      suggested_fix: null,
      meta: {},
    });
    expect(message).toMatch(/^t failed \([0-9a-f]{8}\)$/);
    expect(kit.reports[1]).toContain(`t failed (${idOf(message)}): Error: password is hunter2\n    at `);
    expect(kit.reports[0]).not.toContain(idOf(message));
  });

  it.each([
    ['read', true],
    ['write', false],
    ['destructive', false],
  ])('M20 an unexpected error of a tool with effect %s may be retried: %s', async (effect, expected) => {
    expect((await failing(new Error('x'), `{description: d, effect: ${effect}}`).fail()).is_retryable).toBe(expected);
  });

  it('M20 an error that an author has to fix first is not retryable', async () => {
    const problem = new HandlerProblem('generate/missing-handler', 'it is missing');
    expect((await failing(problem, '{description: d, effect: read}').fail()).is_retryable).toBe(false);
  });

  it('M20 an unexpected error shows its message in dev, call and test', async () => {
    const kit = makeKit('description: d', {
      services: { showCauses: true },
      handler: () => {
        throw new TypeError('x is not a function');
      },
    });
    const { message } = await kit.fail();
    expect(message).toMatch(/^t failed \([0-9a-f]{8}\): x is not a function$/);
  });

  it('M20 an unexpected error reports all its causes to the operator, each once', async () => {
    const root = new Error('no route to host');
    const middle = new Error('fetch failed', { cause: root });
    Object.assign(root, { cause: middle });
    const kit = failing(new AggregateError([middle, new Error('second')], 'all failed'));
    await kit.fail();
    const [report = ''] = kit.reports;
    for (const line of [
      'AggregateError: all failed',
      'with Error: fetch failed',
      'with Error: second',
      'caused by Error: no route to host',
    ]) {
      expect(report.split(line)).toHaveLength(2);
    }
  });

  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();
  const trap = (): never => {
    throw new Error('do not touch');
  };
  const everyTrap = { get: trap, has: trap, getPrototypeOf: trap, ownKeys: trap, getOwnPropertyDescriptor: trap };
  it.each([
    ['a string', 'just a text', 'just a text'],
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a number', 0, '0'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['a frozen object', Object.freeze({ a: 1 }), '{ a: 1 }'],
    ['a function', function oops() {}, '[Function: oops]'],
    ['a proxy that throws at every touch', new Proxy({}, everyTrap), '{}'],
    ['a proxy of an error', new Proxy(new Error('inside'), everyTrap), 'Error: inside'],
    ['a revoked proxy', revoked, '<Revoked Proxy>'],
    ['an object without a prototype', Object.create(null), '[Object: null prototype] {}'],
    ['an error whose message throws', Object.defineProperty(new Error('x'), 'message', { get: trap }), 't failed'],
    ['an error whose stack throws', Object.defineProperty(new Error('here'), 'stack', { get: trap }), 'here'],
    ['an error without a stack', Object.assign(new Error('bare'), { stack: undefined }), 'bare'],
    ['an error whose stack is no text', Object.assign(new Error('bare'), { stack: 5 }), 'bare'],
    [
      'an object whose own printing throws',
      { [Symbol.for('nodejs.util.inspect.custom')]: trap },
      'something that cannot be printed',
    ],
    ['an abort', new DOMException('was aborted', 'AbortError'), 'was aborted'],
    [
      'an error whose cause is itself',
      (() => {
        const e = new Error('loop');
        e.cause = e;
        return e;
      })(),
      'Error: loop',
    ],
  ])('M20 a call survives that %s is thrown', async (_name, thrown, shown) => {
    for (const showCauses of [false, true]) {
      for (const handler of [
        () => {
          throw thrown;
        },
        () => Promise.reject(thrown),
      ]) {
        const kit = makeKit('description: d', { handler, services: { showCauses } });
        const { message, code } = await kit.fail();
        expect(code).toBe('UNEXPECTED_ERROR');
        expect(idOf(message)).not.toBe('none');
        expect(kit.reports).toEqual([expect.stringContaining(shown)]);
        expect(kit.reports[0]).toContain(idOf(message));
      }
    }
  });

  it('M20 an error that is returned counts as thrown', async () => {
    const kit = makeKit('description: d', { handler: () => new Error('secret message') });
    expect((await kit.fail()).code).toBe('UNEXPECTED_ERROR');
    const declared = makeKit('description: d', { handler: async () => new ToolError('x', { code: 'MINE' }) });
    expect((await declared.fail()).code).toBe('MINE');
  });

  it('M20 a report that would fill the log is cut', async () => {
    const kit = failing(new Error('x'.repeat(1_000_000)));
    await kit.fail();
    expect(kit.reports[0]?.length).toBeLessThan(25_000);
  });

  it('M20 a validator that throws is an unexpected error', async () => {
    const kit = makeKit('description: d', {
      handler: () => 'never',
      host: {
        validators: async () => ({
          input: () => {
            throw new ReferenceError('props0 is not defined');
          },
        }),
      },
    });
    expect((await kit.fail()).code).toBe('UNEXPECTED_ERROR');
    expect(kit.reports[0]).toContain('props0 is not defined');
  });
});

describe('M27 declared errors', () => {
  const definition = `
description: d
errors:
  NOT_FOUND:
    message: There is no such issue; see {{tool:t}}
    status: 404
    suggestedFix: "Search with {{tool:t}} first"
  BUSY: { message: Try later, retryable: true, status: 503 }
  PLAIN: { message: Something is wrong }
`;
  const throwing = (make: (errors: Record<string, ErrorFactory>) => Error) =>
    makeKit(definition, {
      handler: (_args, ctx) => {
        throw make(ctx.errors as Record<string, ErrorFactory>);
      },
    });

  it('M27 a factory makes the declared error', async () => {
    expect(await throwing(({ BUSY }) => BUSY?.() ?? new Error()).fail()).toEqual({
      message: 'Try later',
      code: 'BUSY',
      status: 503,
      is_retryable: true,
      suggested_fix: null,
      meta: {},
    });
    expect(await throwing(({ PLAIN }) => PLAIN?.() ?? new Error()).fail()).toMatchObject({
      status: 400,
      is_retryable: false,
    });
  });

  it('M28 declared errors render names of tools to wire names', async () => {
    expect(await throwing(({ NOT_FOUND }) => NOT_FOUND?.() ?? new Error()).fail()).toMatchObject({
      message: 'There is no such issue; see wire-t',
      suggested_fix: 'Search with wire-t first',
    });
  });

  it('M27 message, meta, fix and cause of a declared error can be given for one case', async () => {
    const kit = throwing(
      ({ NOT_FOUND }) =>
        NOT_FOUND?.('There is no PROJ-1', {
          meta: { key: 'PROJ-1' },
          suggestedFix: 'Ask {{tool:t}}',
          cause: 'HTTP 404',
        }) ?? new Error(),
    );
    expect(await kit.fail()).toMatchObject({
      message: 'There is no PROJ-1',
      status: 404,
      suggested_fix: 'Ask wire-t',
      meta: { key: 'PROJ-1' },
    });
    expect(kit.reports).toEqual(['t: NOT_FOUND: There is no PROJ-1\ncaused by HTTP 404']);
  });

  it('M27 the declared message stays when only meta or a caught error is given', () => {
    const { A } = declareErrors({ A: { message: 'declared' } }, text => text).factories(undefined);
    const caught = new Error('inner');
    expect(A?.({ meta: { key: 1 } })).toMatchObject({ message: 'declared', meta: { key: 1 } });
    expect(A?.(caught)).toMatchObject({ message: 'declared', cause: caught });
    expect(A?.({ city: 'Oslo' } as never)).toMatchObject({ message: 'declared', meta: {} });
    expect(A?.(404 as never).message).toBe('404');
    expect(A?.(null as never).message).toBe('declared');
  });

  it('M27 there are no other factories than the declared ones, not even inherited ones', () => {
    const errors = declareErrors({ A: { message: 'a' } }, text => text).factories(undefined);
    expect(Object.keys(errors)).toEqual(['A']);
    expect(errors['constructor']).toBeUndefined();
    expect(Object.isFrozen(errors)).toBe(true);
    expect(declareErrors(undefined, text => text).factories(undefined)['A']).toBeUndefined();
  });

  it('M27 the text of a message that somebody else wrote is not rendered', async () => {
    const kit = throwing(({ PLAIN }) => PLAIN?.('{{tool:t}} is what the user typed') ?? new Error());
    expect((await kit.fail()).message).toBe('{{tool:t}} is what the user typed');
  });
});
