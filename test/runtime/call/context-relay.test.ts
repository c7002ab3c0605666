// Clients that cannot ask their users: the model passes the question on and brings the answer back.
import { describe, expect, it } from 'vitest';
import { RelayQuestion, relayResult } from '../../../runtime/call/context/relay.js';
import type { ElicitForm } from '../../../schema/support.js';
import {
  accept,
  everything,
  type Handler,
  makeRequest,
  nobody,
  play,
  runRound,
  setStage,
  textOf,
} from './context-round.js';

const size: ElicitForm = {
  message: 'Which size?',
  schema: {
    size: { type: 'string', enum: ['S', 'M'], description: 'Of the shirt' },
    count: { type: 'integer', minimum: 1, maximum: 9, default: 1 },
  },
};
const colour: ElicitForm = { message: 'Which colour?', schema: { colour: 'string' } };
const request = makeRequest({ client: nobody });

/** What the text tells the model to send. */
function furtherOf(text: unknown): { _answers: Record<string, unknown>; _state?: string } {
  const line = String(text)
    .split('\n')
    .find(one => one.startsWith('{'));
  return JSON.parse(line ?? 'null');
}

async function say(stage: ReturnType<typeof setStage>, handler: Handler, args: unknown): Promise<unknown> {
  const ended = await runRound(stage, handler, request, args);
  return 'result' in ended ? ended.result : 'asking';
}

describe('questions that the client cannot ask', () => {
  const handler: Handler = async (args, ctx) => [args, (await ctx.elicit('size', size)).content];

  it('C6 a question that the client cannot ask is answered with what to ask and how to come back', async () => {
    const text = await say(setStage(), handler, { a: 1 });
    expect(text).toContain('Ask the user; do not answer for them.');
    expect(text).toContain('Question "size": Which size?');
    expect(text).toContain('- size (one of "S", "M", required): Of the shirt');
    expect(text).toContain('- count (integer, at least 1, at most 9, optional, default 1)');
    expect(text).toContain('call t again with the same arguments');
    expect(furtherOf(text)).toEqual({ _answers: { size: { size: '<string>', count: '<integer>' } } });
  });

  it.each([
    [{ size: { size: 'M' } }],
    [{ size: { action: 'accept', content: { size: 'M' } } }],
    [JSON.stringify({ size: { size: 'M' } })],
    [{ size: JSON.stringify({ size: 'M' }) }],
  ])('C6 the _answers %j finish the call and are not arguments of the tool', async _answers => {
    expect(await say(setStage(), handler, { a: 1, _answers })).toEqual([{ a: 1 }, { size: 'M', count: 1 }]);
  });

  it.each(['decline', 'cancel'])('C6 the user may %s a question that the model passes on', async action => {
    const plain: Handler = (_, ctx) => ctx.elicit('size', size);
    expect(await say(setStage(), plain, { _answers: { size: action } })).toEqual({ action });
    expect(await say(setStage(), plain, { _answers: { size: { action } } })).toEqual({ action });
  });

  it('C6 an answer that does not fit is asked for again, with the reason', async () => {
    const text = await say(setStage(), handler, { _answers: { size: { size: 'XXL' } } });
    expect(text).toContain('(The last answer did not fit: "size" must be one of "S", "M".)');
    for (const _answers of [5, null, 'nonsense', ['M'], { size: 5 }, { size: null }, {}, { other: { size: 'M' } }]) {
      expect(await say(setStage(), handler, { _answers })).toContain('Question "size"');
    }
  });

  it('C6 a field of the form may be called action', async () => {
    const form: ElicitForm = { message: 'm', schema: { action: { type: 'string', enum: ['buy', 'accept'] } } };
    const asks: Handler = async (_, ctx) => (await ctx.elicit('x', form)).content;
    expect(await say(setStage(), asks, { _answers: { x: { action: 'accept' } } })).toEqual({ action: 'accept' });
  });

  it('C6 questions of branches are passed on together', async () => {
    const both: Handler = async (_, ctx) => {
      const [a, b] = await Promise.all([ctx.elicit('size', size), ctx.elicit('colour', colour)]);
      return [a.content, b.content];
    };
    const text = await say(setStage(), both, {});
    expect(Object.keys(furtherOf(text)._answers)).toEqual(['size', 'colour']);
    const _answers = { size: { size: 'S' }, colour: { colour: 'red' } };
    expect(await say(setStage(), both, { _answers })).toEqual([{ size: 'S', count: 1 }, { colour: 'red' }]);
  });

  it('C6 the text of a second question repeats the earlier answers', async () => {
    const both: Handler = async (_, ctx) => [
      (await ctx.elicit('size', size)).content,
      (await ctx.elicit('colour', colour)).content,
    ];
    const text = await say(setStage(), both, { _answers: { size: { size: 'S' } } });
    expect(text).not.toContain('Which size?');
    expect(furtherOf(text)._answers).toEqual({ size: { size: 'S' }, colour: { colour: '<string>' } });
  });

  it('C6 a page is passed on as an address', async () => {
    const asks: Handler = (_, ctx) => ctx.elicit('pay', { message: 'Please pay', url: 'https://pay.test/1' });
    const text = await say(setStage(), asks, {});
    expect(text).toContain('https://pay.test/1');
    expect(furtherOf(text)).toEqual({ _answers: { pay: 'accept' } });
    expect(await say(setStage(), asks, furtherOf(text))).toEqual({ action: 'accept', content: {} });
  });

  it('C6 a handler may catch the error and continue without an answer', async () => {
    const asks: Handler = async (_, ctx) => {
      try {
        return await ctx.elicit('size', size);
      } catch (error) {
        return error instanceof RelayQuestion ? 'without' : 'else';
      }
    };
    expect(await say(setStage(), asks, {})).toBe('without');
  });

  it('C6 text in place of data is an error when the tool promises data', () => {
    const { served } = setStage();
    const _meta = { 'toolwright/unfinished': true };
    expect(relayResult(served, 'x')).toEqual({ content: [{ type: 'text', text: 'x' }], _meta });
    const promising = setStage({ tool: 'description: D.\noutput: { n: integer }\n' });
    expect(relayResult(promising.served, 'x').isError).toBe(true);
  });
});

describe('limits of answers by the model', () => {
  const handler: Handler = async (args, ctx) => [args, (await ctx.elicit('size', size)).content];
  const _answers = { size: { size: 'M' } };

  it('C6 _answers of a client that can ask are plain arguments, and the user is asked', async () => {
    for (const client of [everything, { ...nobody, capabilities: { elicitation: {} } }]) {
      const ended = await runRound(setStage(), handler, makeRequest({ client }), { _answers });
      expect(ended).toHaveProperty('asking');
    }
    const seesAll: Handler = args => args;
    const ended = await runRound(setStage(), seesAll, makeRequest({ client: everything }), { _answers });
    expect(ended).toEqual({ result: { _answers } });
  });

  it('C6 a client that only shows forms gets pages passed on, and forms asked', async () => {
    const client = { ...nobody, capabilities: { elicitation: { form: {} } } };
    const page: Handler = (_, ctx) => ctx.elicit('pay', { message: 'Please pay', url: 'https://pay.test/1' });
    const ended = await runRound(setStage(), page, makeRequest({ client }), {});
    expect('result' in ended && ended.result).toContain('https://pay.test/1');
    const paid = await runRound(setStage(), page, makeRequest({ client }), { _answers: { pay: 'accept' } });
    expect(paid).toEqual({ result: { action: 'accept', content: {} } });
  });

  it('C6 a destructive tool accepts answers only with the state that came with the question, and once', async () => {
    const stage = setStage({ tool: 'description: D.\neffect: destructive\n' });
    const text = await say(stage, handler, { a: 1, _answers });
    expect(text).toContain('Question "size"');
    const { _state } = furtherOf(text);
    expect(_state).toMatch(/^[A-Za-z0-9_-]{40,}$/);
    await expect(say(stage, handler, { a: 2, _answers, _state })).rejects.toMatchObject({ code: 'BAD_STATE' });
    expect(await say(stage, handler, { a: 1, _answers, _state })).toEqual([{ a: 1 }, { size: 'M', count: 1 }]);
    await expect(say(stage, handler, { a: 1, _answers, _state })).rejects.toMatchObject({ code: 'BAD_STATE' });
    await expect(say(stage, handler, { a: 1, _answers, _state: 'made up' })).rejects.toMatchObject({
      code: 'BAD_STATE',
    });
  });

  it('C6 the state of a passed-on question does not open for an asked one', async () => {
    const stage = setStage({ tool: 'description: D.\neffect: destructive\n' });
    const { _state } = furtherOf(await say(stage, handler, {}));
    const taken = runRound(stage, handler, makeRequest({ client: everything, state: _state }), {});
    await expect(taken).rejects.toMatchObject({ code: -32602 });
  });
});

describe('state of passed-on questions', () => {
  it('C6 side effects before a passed-on question run once', async () => {
    let orders = 0;
    const stage = setStage();
    const handler: Handler = async (_, ctx) => {
      const id = await ctx.once('order', () => {
        orders += 1;
        return orders;
      });
      return [id, (await ctx.elicit('size', size)).content];
    };
    const { _state } = furtherOf(await say(stage, handler, { a: 1 }));
    expect(_state).toBeDefined();
    const args = { a: 1, _answers: { size: { size: 'S' } }, _state };
    expect(await say(stage, handler, args)).toEqual([1, { size: 'S', count: 1 }]);
    expect(orders).toBe(1);
  });

  it('C6 answers of the model come first and are not asked for again', async () => {
    const client = { ...nobody, capabilities: { sampling: {} } };
    const stage = setStage();
    const handler: Handler = async (_, ctx) => {
      const [name, answer] = await Promise.all([
        ctx.sample('name', { prompt: 'Name it', maxTokens: 5 }),
        ctx.elicit('size', size),
      ]);
      return [name.text, answer.content];
    };
    const bob = () => ({ content: { type: 'text', text: 'Bob' } });
    const first = await play(stage, handler, bob, { request: { client }, args: { a: 1 } });
    expect(first.rounds.map(questions => Object.keys(questions))).toEqual([['name']]);
    const { _state } = furtherOf(first.result);
    const args = { a: 1, _answers: { size: { size: 'S' } }, _state };
    const second = await play(stage, handler, () => undefined, { request: { client }, args });
    expect(second.rounds).toEqual([]);
    expect(second.result).toEqual(['Bob', { size: 'S', count: 1 }]);
  });

  it('C6 a destructive tool may ask the model after the user has answered', async () => {
    const client = { ...nobody, capabilities: { sampling: {} } };
    const stage = setStage({ tool: 'description: D.\neffect: destructive\n' });
    const handler: Handler = async (_, ctx) => [
      (await ctx.elicit('size', size)).content,
      (await ctx.sample('name', { prompt: 'Name it', maxTokens: 5 })).text,
    ];
    const bob = () => ({ content: { type: 'text', text: 'Bob' } });
    const first = await play(stage, handler, bob, { request: { client }, args: {} });
    const args = { _answers: { size: { size: 'S' } }, _state: furtherOf(first.result)._state };
    const second = await play(stage, handler, bob, { request: { client }, args });
    expect(second.result).toEqual([{ size: 'S', count: 1 }, 'Bob']);
    await expect(play(stage, handler, bob, { request: { client }, args })).rejects.toMatchObject({ code: 'BAD_STATE' });
  });

  it('C6 a state that is too long for a model to copy is an error, not a lost result', async () => {
    const handler: Handler = async (_, ctx) => {
      await ctx.once('long', () => 'x'.repeat(10_000));
      return await ctx.elicit('size', size);
    };
    await expect(say(setStage(), handler, {})).rejects.toMatchObject({
      code: 'CAPABILITY_MISSING',
      meta: { capability: 'elicitation' },
    });
  });
});

describe('`confirm`', () => {
  const tool = (more = '') => setStage({ tool: `title: Delete issue\ndescription: D.\nconfirm: true\n${more}` });
  let runs = 0;
  const handler: Handler = args => {
    runs += 1;
    return args;
  };

  it('C6 confirm shows the user what would run before anything does', async () => {
    runs = 0;
    const args = { key: 'PROJ-1', text: `one\ntwo \u202e${'x'.repeat(500)}`, n: 5 };
    const stage = tool('effect: destructive\n');
    const { rounds, result } = await play(stage, handler, () => ({ action: 'accept' }), { args });
    expect(result).toEqual(args);
    expect(runs).toBe(1);
    const question = rounds[0]?.['toolwright/confirm'];
    if (question?.kind !== 'elicit') throw new Error('no question');
    expect(question.params['requestedSchema']).toEqual({ type: 'object', properties: {} });
    const lines = String(question.params['message']).split('\n');
    expect(lines[0]).toBe('Allow Delete issue (t) to run with these arguments?');
    expect(lines[1]).toBe('- key: "PROJ-1"');
    expect(lines[2]).toContain('- text: "one\\ntwo \\u202exxx');
    expect(lines[2]?.length).toBeLessThan(300);
    expect(lines.slice(3)).toEqual(['- n: 5', 'It may not be possible to undo this.']);
  });

  it('C6 confirm shows at most twenty arguments, and no list when there are none', async () => {
    const args = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`a${index}`, index]));
    const messageOf = async (given: unknown) => {
      const ended = await runRound(tool(), handler, makeRequest(), given);
      const question = 'asking' in ended ? ended.asking.questions['toolwright/confirm'] : undefined;
      return question?.kind === 'elicit' ? String(question.params['message']) : '';
    };
    expect((await messageOf(args)).split('\n').at(-1)).toBe('- and 10 more');
    expect(await messageOf(undefined)).toBe('Allow Delete issue (t) to run?');
  });

  it.each(['decline', 'cancel'])('C6 nothing runs when the user chooses %s', async action => {
    runs = 0;
    const { result } = await play(tool(), handler, () => ({ action }));
    expect(textOf(result)).toBe('t did not run: the user declined.');
    expect(runs).toBe(0);
  });

  it('C6 no argument, and no answer without a state, counts as the consent of the user', async () => {
    runs = 0;
    const answers = { 'toolwright/confirm': accept() };
    expect(await runRound(tool(), handler, makeRequest({ answers }))).toHaveProperty('asking');
    expect(await runRound(tool(), handler, makeRequest(), { confirmed: true })).toHaveProperty('asking');
    expect(await runRound(tool(), handler, makeRequest({ client: nobody }), { _answers: answers })).toHaveProperty(
      'result',
    );
    expect(runs).toBe(0);
  });

  it('C6 consent holds for one run with these arguments', async () => {
    const stage = tool();
    const ended = await runRound(stage, handler, makeRequest(), { key: 'A' });
    const state = 'asking' in ended ? ended.asking.state : undefined;
    const request = makeRequest({ state, answers: { 'toolwright/confirm': accept() } });
    await expect(runRound(stage, handler, request, { key: 'B' })).rejects.toMatchObject({ code: -32602 });
    expect(await runRound(stage, handler, request, { key: 'A' })).toEqual({ result: { key: 'A' } });
    await expect(runRound(stage, handler, request, { key: 'A' })).rejects.toMatchObject({ code: -32602 });
  });

  it('C6 questions of the handler come after the consent', async () => {
    const { rounds, result } = await play(
      tool(),
      async (_, ctx) => (await ctx.elicit('size', size)).content,
      key => accept(key === 'size' ? { size: 'S' } : {}),
    );
    expect(rounds.map(questions => Object.keys(questions))).toEqual([['toolwright/confirm'], ['size']]);
    expect(result).toEqual({ size: 'S', count: 1 });
  });

  it('C6 a model whose client cannot ask does so itself and sends confirmed', async () => {
    runs = 0;
    const first = await say(tool(), handler, { key: 'A' });
    expect(textOf(first)).toContain('t did not run');
    expect(textOf(first)).toContain('Allow Delete issue (t) to run with these arguments?\n- key: "A"');
    expect(textOf(first)).toContain('"confirmed": true');
    for (const confirmed of [false, 1, 'yes', null, {}]) {
      expect(textOf(await say(tool(), handler, { key: 'A', confirmed }))).toContain('did not run');
    }
    expect(runs).toBe(0);
    expect(await say(tool(), handler, { key: 'A', confirmed: true })).toEqual({ key: 'A' });
  });

  it('C6 a tool that calls another answers for the consent', async () => {
    const nested = makeRequest({ depth: 1 });
    const refused = await runRound(tool(), handler, nested, { key: 'A' });
    expect(refused).toMatchObject({ result: { isError: true } });
    expect(await runRound(tool(), handler, nested, { key: 'A', confirmed: true })).toEqual({ result: { key: 'A' } });
  });

  it('C6 a tool without confirm takes `confirmed` as an ordinary argument', async () => {
    expect(await say(setStage(), handler, { confirmed: true })).toEqual({ confirmed: true });
  });
});
