// A protocol error that a handler throws: what the client gets in place of a result, from wherever the handler runs.
import { describe, expect, it } from 'vitest';
import { Errors } from '../../../runtime/call/threads/errors.js';
import { ProtocolError } from '../../../runtime/index.js';
import { ResourceNotFound } from '../../../runtime/surface/problems.js';
import { makeKit } from './call-kit.js';
import { openIsolated } from './isolation-kit.js';

const problemOf = async (calling: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await calling.catch((thrown: unknown) => thrown);
  if (!(error instanceof ProtocolError)) throw new Error(`not a protocol error: ${String(error)}`);
  const { code, message, data } = error;
  return { code, message, data };
};

describe('a protocol error of a handler', () => {
  it('T1 a handler that throws one fails the request, with its code, message and data', async () => {
    const kit = makeKit('description: d', {
      handler() {
        throw new ProtocolError(4711, 'no', { why: ['full'] });
      },
    });
    expect(await problemOf(kit.outcome())).toEqual({ code: 4711, message: 'no', data: { why: ['full'] } });
    expect(kit.reports).toEqual([]);
  });

  it('T1 secrets and what is not JSON stay out of it', async () => {
    const kit = makeKit('description: d', {
      manifest: 'config: { TOKEN: { type: string, secret: true } }',
      env: { TOKEN: 'hush-hush-hush' },
      async handler() {
        throw new ProtocolError(1, 'with hush-hush-hush', { token: 'hush-hush-hush', run: () => 1, big: 5n });
      },
    });
    const problem = await problemOf(kit.outcome());
    expect(JSON.stringify(problem)).not.toContain('hush');
    expect(problem).toMatchObject({ code: 1, data: { big: '5' } });
  });

  it('T1 one whose fields were broken is an internal error', async () => {
    const kit = makeKit('description: d', {
      handler() {
        throw Object.assign(new ProtocolError(1, 'm'), { code: 'five', message: 7, data: 'x'.repeat(200_000) });
      },
    });
    expect(await problemOf(kit.outcome())).toEqual({
      code: -32603,
      message: 'the handler failed',
      data: { left_out: '200002 characters' },
    });
  });

  it.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, '5'])('T1 the code %s is refused', code => {
    expect(() => new ProtocolError(code as number, 'm')).toThrow(TypeError);
  });

  it('T1 a class of the author that extends it knows only its own errors', () => {
    class Full extends ProtocolError {}
    expect(new Full(1, 'm')).toBeInstanceOf(ProtocolError);
    expect(new Full(1, 'm')).toBeInstanceOf(Full);
    expect(new ProtocolError(1, 'm')).not.toBeInstanceOf(Full);
    expect(new ResourceNotFound('x:y')).toBeInstanceOf(ProtocolError);
    const brand = Symbol.for('toolwright.protocol-error');
    expect({ [brand]: true }).toBeInstanceOf(ProtocolError);
    expect({ [brand]: true }).not.toBeInstanceOf(Full);
  });

  it('T1 X10 it keeps its code and data on its way out of a thread', async () => {
    const sent = structuredClone(new Errors('thread').carry(new ProtocolError(12, 'm', { a: 1 })));
    const revived = new Errors('main').revive(sent);
    expect(revived).toBeInstanceOf(ProtocolError);
    expect(revived).toMatchObject({ code: 12, message: 'm', data: { a: 1 } });
    const client = await openIsolated({
      fail: [
        '',
        `() => { throw Object.assign(new Error('gone'), { code: 410, data: { a: 1 }, [Symbol.for('toolwright.protocol-error')]: true }) }`,
      ],
    });
    const error = { code: 'PROTOCOL_ERROR', message: 'gone', meta: { code: 410, data: { a: 1 } } };
    expect(await client.call('fail')).toMatchObject({ ok: false, error });
  });
});
