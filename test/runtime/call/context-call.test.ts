// The context inside whole calls: questions, consent and errors as a client gets them.
import { describe, expect, it } from 'vitest';
import type { Request, ServedTool } from '../../../runtime/call/ports.js';
import { callTool } from '../../../runtime/surface/call-tool.js';
import type { ElicitForm, ToolContext } from '../../../schema/support.js';
import { accept, makeRequest, nobody, setStage, textOf } from './context-round.js';

const size: ElicitForm = { message: 'Which size?', schema: { size: { type: 'string' } } };

function callable(definition: string, handler: (args: Record<string, unknown>, ctx: ToolContext) => unknown) {
  const { served, services, reported } = setStage({ tool: definition });
  const validators = async () => ({ input: () => true });
  const tool: ServedTool = { ...served, host: { ...served.host, validators }, handler: handler as never };
  return {
    call: (args: unknown, given?: Partial<Request>) => callTool(tool, args, makeRequest(given), services),
    reported,
  };
}

describe('calls that ask', () => {
  it('C6 a question is an outcome, its answer gives a result, and a forged state is a protocol error', async () => {
    const { call } = callable('description: D.\n', async (args, ctx) => {
      args['changed'] = true;
      return (await ctx.elicit('size', size)).content;
    });
    const first = await call({ a: 1 });
    if (!('asking' in first)) throw new Error('no question');
    const { state } = first.asking;
    const answers = { size: accept({ size: 'M' }) };
    const second = await call({ a: 1 }, { state, answers });
    expect('result' in second && second.result.structuredContent).toEqual({ size: 'M' });
    await expect(call({ a: 2 }, { state, answers })).rejects.toMatchObject({ code: -32602 });
  });

  it('fix-A14 a secret in the key of a question is not sent, and the answer is still found', async () => {
    const { served, services } = setStage({
      manifest: 'config:\n  TOKEN: { type: string, secret: true }\n',
      env: { TOKEN: 'hunter22-hunter22' },
    });
    const validators = async () => ({ input: () => true });
    const handler = async (_: object, ctx: ToolContext) => [
      (await ctx.elicit('ask hunter22-hunter22', size)).content,
      (await ctx.sample('HUNTER22-HUNTER22', { prompt: 'p', maxTokens: 1 })).text,
    ];
    const tool: ServedTool = { ...served, host: { ...served.host, validators }, handler: handler as never };
    const first = await callTool(tool, {}, makeRequest(), services);
    if (!('asking' in first)) throw new Error('no question');
    expect(Object.keys(first.asking.questions)).toEqual(['ask [secret TOKEN]']);
    const answers = { 'ask [secret TOKEN]': accept({ size: 'M' }) };
    const second = await callTool(tool, {}, makeRequest({ state: first.asking.state, answers }), services);
    if (!('asking' in second)) throw new Error('no question');
    expect(Object.keys(second.asking.questions)).toEqual(['[secret TOKEN]']);
    const said = { '[secret TOKEN]': { role: 'assistant', model: 'm', content: { type: 'text', text: 'yes' } } };
    const third = await callTool(tool, {}, makeRequest({ state: second.asking.state, answers: said }), services);
    expect('result' in third && textOf(third.result)).toContain('yes');
    const relayed = await callTool(tool, {}, makeRequest({ client: nobody }), services);
    expect(JSON.stringify(relayed)).not.toContain('hunter22');
  });

  it('C6 a client without the capability gets text for the model, which can finish the call', async () => {
    const { call } = callable('description: D.\n', async (_, ctx) => (await ctx.elicit('size', size)).content);
    const first = await call({}, { client: nobody });
    expect('result' in first && textOf(first.result)).toContain('Question "size": Which size?');
    const second = await call({ _answers: { size: { size: 'M' } } }, { client: nobody });
    expect('result' in second && second.result.structuredContent).toEqual({ size: 'M' });
  });

  it('C6 consent comes before the handler', async () => {
    let runs = 0;
    const { call } = callable('description: D.\nconfirm: true\n', () => {
      runs += 1;
      return 'done';
    });
    const first = await call({});
    if (!('asking' in first)) throw new Error('no question');
    const answers = { 'toolwright/confirm': { action: 'decline' } };
    const declined = await call({}, { state: first.asking.state, answers });
    expect('result' in declined && textOf(declined.result)).toContain('the user declined');
    const told = await call({ confirmed: true }, { client: nobody });
    expect('result' in told && textOf(told.result)).toBe('done');
    expect(runs).toBe(1);
  });

  it('C5 C6 mistakes of handlers and missing capabilities are results with an error', async () => {
    const codeOf = async (handler: (ctx: ToolContext) => unknown, given?: Partial<Request>): Promise<unknown> => {
      const outcome = await callable('description: D.\n', (_, ctx) => handler(ctx)).call({}, given);
      if (!('result' in outcome) || outcome.result.isError !== true) return outcome;
      return JSON.parse(textOf(outcome.result)).code;
    };
    const big = 'x'.repeat(300_000);
    expect(await codeOf(ctx => ctx.sample('q', { prompt: 'p', maxTokens: 1 }), { client: nobody })).toBe(
      'CAPABILITY_MISSING',
    );
    expect(await codeOf(ctx => ctx.elicit('x', { message: '', schema: {} }))).toBe('BAD_QUESTION');
    expect(await codeOf(ctx => ctx.once('x', () => new Date()))).toBe('BAD_ONCE');
    expect(await codeOf(ctx => Promise.reject(ctx.notImplemented()))).toBe('NOT_IMPLEMENTED');
    const tooMuch = async (ctx: ToolContext) => [await ctx.once('x', () => big), await ctx.elicit('size', size)];
    expect(await codeOf(tooMuch)).toBe('STATE_TOO_LARGE');
  });

  it('W97 missing requirements are reported before anything runs', async () => {
    const { call } = callable('description: D.\nrequires: { sampling: required }\n', () => 'ran');
    const outcome = await call({}, { client: nobody });
    expect('result' in outcome && JSON.parse(textOf(outcome.result)).code).toBe('CAPABILITY_MISSING');
  });
});
