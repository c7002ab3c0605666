// Questions of handlers: asked together, answered in later rounds, whatever clients send.
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createBaseContext } from '../../../runtime/call/context/create-context.js';
import { readRoots } from '../../../runtime/call/context/roots.js';
import { createSeal } from '../../../runtime/call/context/seal.js';
import { isToolError } from '../../../runtime/call/tool-error.js';
import type { ElicitForm } from '../../../schema/support.js';
import { check, tool } from '../../harness/pack.js';
import { accept, everything, type Handler, makeRequest, nobody, play, runRound, setStage } from './context-round.js';

const size: ElicitForm = { message: 'Which size?', schema: { size: { type: 'string', enum: ['S', 'M'] } } };
const colour: ElicitForm = { message: 'Which colour?', schema: { colour: 'string' } };

async function codeOf(run: Promise<unknown>): Promise<string> {
  try {
    await run;
  } catch (error) {
    if (isToolError(error)) return error.code;
    throw error;
  }
  return 'no error';
}

describe('one question', () => {
  it('C6 a question is asked in the form of the protocol, and the handler gets the answer in the next round', async () => {
    let runs = 0;
    const { result, rounds } = await play(
      setStage(),
      async (_, ctx) => {
        runs += 1;
        return await ctx.elicit('size', size);
      },
      () => accept({ size: 'M', unknown: 1 }),
    );
    expect(result).toEqual({ action: 'accept', content: { size: 'M' } });
    expect(runs).toBe(2);
    const requestedSchema = {
      type: 'object',
      properties: { size: { type: 'string', enum: ['S', 'M'] } },
      required: ['size'],
    };
    expect(rounds).toEqual([
      { size: { kind: 'elicit', params: { mode: 'form', message: 'Which size?', requestedSchema } } },
    ]);
  });

  it.each(['decline', 'cancel'])('C6 the answer %s reaches the handler', async action => {
    const handler: Handler = (_, ctx) => ctx.elicit('size', size);
    expect((await play(setStage(), handler, () => ({ action, content: { size: 'M' } }))).result).toEqual({ action });
  });

  it('C6 a page is asked for in url mode, and its answer has no content', async () => {
    const { result, rounds } = await play(
      setStage(),
      (_, ctx) => ctx.elicit('pay', { message: 'Please pay', url: 'https://pay.test/1' }),
      () => ({ action: 'accept' }),
    );
    expect(result).toEqual({ action: 'accept', content: {} });
    expect(rounds[0]).toEqual({
      pay: { kind: 'elicit', params: { mode: 'url', message: 'Please pay', url: 'https://pay.test/1' } },
    });
  });

  it('C6 a handler that does not ask ends in its first round', async () => {
    const { result, rounds } = await play(
      setStage(),
      () => 'done',
      () => undefined,
    );
    expect([result, rounds]).toEqual(['done', []]);
  });

  it('C6 a question that nobody waits for delays no result and, if it is wrong, does not end the process', async () => {
    const handler: Handler = (_, ctx) => {
      void ctx.elicit('size', size);
      void ctx.elicit('bad', { message: '', schema: {} });
      return 'done';
    };
    expect(await runRound(setStage(), handler, makeRequest())).toEqual({ result: 'done' });
    await turn();
  });
});

describe('several questions', () => {
  it('C6 questions come one after the other, and each round carries the earlier answers in a new state', async () => {
    const { result, rounds, states } = await play(
      setStage(),
      async (_, ctx) => {
        const first = await ctx.elicit('size', size);
        const second = await ctx.elicit('colour', {
          ...colour,
          message: `A ${JSON.stringify(first.content)} of which?`,
        });
        const third = await ctx.sample('name', { prompt: 'Name it', maxTokens: 5 });
        return [first.content, second.content, third.text];
      },
      (key, question) => {
        if (question.kind === 'sample')
          return { role: 'assistant', model: 'm', content: { type: 'text', text: 'Bob' } };
        return key === 'size' ? accept({ size: 'S' }) : accept({ colour: 'red' });
      },
    );
    expect(result).toEqual([{ size: 'S' }, { colour: 'red' }, 'Bob']);
    expect(rounds.map(questions => Object.keys(questions))).toEqual([['size'], ['colour'], ['name']]);
    expect(new Set(states).size).toBe(3);
  });

  it('C6 an answer once given cannot be changed by a later round', async () => {
    const stage = setStage();
    const handler: Handler = async (_, ctx) => [
      (await ctx.elicit('size', size)).content,
      (await ctx.elicit('colour', colour)).content,
    ];
    const first = await runRound(stage, handler, makeRequest());
    if (!('asking' in first)) throw new Error('no question');
    const second = await runRound(
      stage,
      handler,
      makeRequest({ state: first.asking.state, answers: { size: accept({ size: 'S' }) } }),
    );
    if (!('asking' in second)) throw new Error('no question');
    const answers = { size: accept({ size: 'M' }), colour: accept({ colour: 'red' }) };
    const third = await runRound(stage, handler, makeRequest({ state: second.asking.state, answers }));
    expect(third).toEqual({ result: [{ size: 'S' }, { colour: 'red' }] });
  });

  it('C6 questions of branches that run at the same time are asked together', async () => {
    const { rounds, result } = await play(
      setStage(),
      async (_, ctx) => {
        const late = async () => {
          for (let index = 0; index < 20; index += 1) await undefined;
          await turn();
          return await ctx.roots('folders');
        };
        const all = await Promise.all([
          ctx.elicit('size', size),
          ctx.sample('name', { prompt: 'Name it', maxTokens: 5 }),
          late(),
        ]);
        return all.length;
      },
      (_, { kind }) => {
        if (kind === 'roots') return { roots: [] };
        return kind === 'elicit' ? accept({ size: 'S' }) : { model: 'm', content: [{ type: 'text', text: 'x' }] };
      },
    );
    expect(rounds.map(questions => Object.keys(questions).sort())).toEqual([['folders', 'name', 'size']]);
    expect(result).toBe(3);
  });

  it('C6 a question after timers and other work is asked in a round of its own', async () => {
    const { rounds, result } = await play(
      setStage(),
      async (_, ctx) => {
        await new Promise(resolve => setTimeout(resolve, 5));
        const later = async () => {
          await new Promise(resolve => setTimeout(resolve, 30));
          return await ctx.elicit('colour', colour);
        };
        const [a, b] = await Promise.all([ctx.elicit('size', size), later()]);
        return [a.action, b.action];
      },
      key => accept(key === 'size' ? { size: 'S' } : { colour: 'red' }),
    );
    expect(rounds.map(questions => Object.keys(questions))).toEqual([['size'], ['colour']]);
    expect(result).toEqual(['accept', 'accept']);
  });

  it('C6 a partly answered round asks for the rest', async () => {
    let round = 0;
    const { rounds, result } = await play(
      setStage(),
      async (_, ctx) => {
        round += 1;
        const [a, b] = await Promise.all([ctx.elicit('size', size), ctx.elicit('colour', colour)]);
        return [a.content, b.content];
      },
      key => (key === 'size' && round === 1 ? undefined : accept(key === 'size' ? { size: 'S' } : { colour: 'red' })),
    );
    expect(rounds.map(questions => Object.keys(questions))).toEqual([['size', 'colour'], ['size']]);
    expect(result).toEqual([{ size: 'S' }, { colour: 'red' }]);
  });

  it('C6 the same question twice has the same answer, and two questions with one key are a clear error', async () => {
    const same: Handler = async (_, ctx) => {
      const [a, b] = await Promise.all([ctx.elicit('size', size), ctx.elicit('size', { ...size })]);
      return [a.content, b.content];
    };
    expect((await play(setStage(), same, () => accept({ size: 'M' }))).result).toEqual([{ size: 'M' }, { size: 'M' }]);
    const two: Handler = async (_, ctx) => await Promise.all([ctx.elicit('size', size), ctx.elicit('size', colour)]);
    expect(await codeOf(runRound(setStage(), two, makeRequest()))).toBe('BAD_QUESTION');
    const kinds: Handler = async (_, ctx) => await Promise.all([ctx.elicit('size', size), ctx.roots('size')]);
    expect(await codeOf(runRound(setStage(), kinds, makeRequest()))).toBe('BAD_QUESTION');
  });

  it('C6 keys that mean something to JavaScript are ordinary keys', async () => {
    const handler: Handler = async (_, ctx) => [
      (await ctx.elicit('__proto__', size)).content,
      (await ctx.elicit('constructor', size)).content,
    ];
    const { result, rounds } = await play(setStage(), handler, () => accept({ size: 'M' }));
    expect(result).toEqual([{ size: 'M' }, { size: 'M' }]);
    expect(rounds.map(questions => Object.keys(questions))).toEqual([['__proto__'], ['constructor']]);
  });
});

describe('untrusted answers', () => {
  it.each([
    [12345],
    [null],
    ['accept'],
    [[]],
    [{}],
    [{ action: 'ACCEPT', content: { size: 'M' } }],
    [{ action: 'accept' }],
    [{ action: 'accept', content: null }],
    [{ action: 'accept', content: 'M' }],
    [{ action: 'accept', content: ['M'] }],
    [{ action: 'accept', content: { size: 'XXL' } }],
    [{ action: 'accept', content: { size: ['M'] } }],
    [{ action: 'accept', content: { size: { toString: 'M' } } }],
    [{ method: 'elicitation/create', result: { action: 'accept', content: { size: 'M' } } }],
    [{ role: 'assistant', content: { type: 'text', text: 'M' } }],
    [{ roots: [] }],
  ])('C6 the answer %j leaves the question open, and the user sees why', async answer => {
    let round = 0;
    const { rounds, result } = await play(
      setStage(),
      (_, ctx) => ctx.elicit('size', size),
      () => {
        round += 1;
        return round === 1 ? answer : accept({ size: 'M' });
      },
    );
    expect(rounds).toHaveLength(2);
    const again = rounds[1]?.['size'];
    expect(again?.kind === 'elicit' && again.params['message']).toContain('Please answer again: ');
    expect(result).toEqual({ action: 'accept', content: { size: 'M' } });
  });

  it('C6 answers to nothing that was asked are dropped, not carried', async () => {
    const stage = setStage();
    const answers = { stray: accept({ size: 'M' }), other: 'x'.repeat(1_000_000) };
    const ended = await runRound(stage, (_, ctx) => ctx.elicit('size', size), makeRequest({ answers }));
    expect('asking' in ended && ended.asking.state.length).toBeLessThan(1000);
  });

  it('C6 an answer without a state counts, unless the tool is destructive', async () => {
    const handler: Handler = (_, ctx) => ctx.elicit('size', size);
    const request = makeRequest({ answers: { size: accept({ size: 'M' }) } });
    expect(await runRound(setStage(), handler, request)).toMatchObject({ result: { action: 'accept' } });
    for (const tool of ['effect: destructive', 'annotations: { destructiveHint: true }']) {
      const stage = setStage({ tool: `description: D.\n${tool}\n` });
      expect(await runRound(stage, handler, request)).toHaveProperty('asking');
    }
  });

  it('C6 answers that are not a map are ignored', async () => {
    const handler: Handler = (_, ctx) => ctx.elicit('size', size);
    for (const answers of [null, 'size', 5, [accept({ size: 'M' })]]) {
      const ended = await runRound(setStage(), handler, makeRequest({ answers: answers as never }));
      expect(ended).toHaveProperty('asking');
    }
  });

  const form: ElicitForm = {
    message: 'All',
    schema: {
      text: { type: 'string', minLength: 2, maxLength: 3, pattern: '^[a-z😀]+$', required: false },
      mail: { type: 'string', format: 'email', required: false },
      link: { type: 'string', format: 'uri', required: false },
      day: { type: 'string', format: 'date', required: false },
      time: { type: 'string', format: 'date-time', required: false },
      count: { type: 'integer', minimum: 1, maximum: 9, required: false },
      rate: { type: 'number', minimum: 0.5, required: false },
      flag: { type: 'boolean', required: false },
      one: {
        type: 'string',
        oneOf: [
          { const: 'a', title: 'A' },
          { const: 'b', title: 'B' },
        ],
        required: false,
      },
      old: { type: 'string', enum: ['x', 'y'], enumNames: ['X', 'Y'], required: false },
      many: { type: 'array', items: { type: 'string', enum: ['p', 'q'] }, minItems: 1, maxItems: 2, required: false },
      titled: { type: 'array', items: { anyOf: [{ const: 'v', title: 'V' }] }, required: false },
      filled: { type: 'integer', default: 30 },
    },
  };
  const answerOf = async (content: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const request = makeRequest({ answers: { all: accept(content) } });
    const ended = await runRound(setStage(), (_, ctx) => ctx.elicit('all', form), request);
    return 'asking' in ended ? 'asked again' : (ended.result as { content: unknown }).content;
  };
  it.each([
    [{ text: 'ab' }],
    [{ text: '😀😀😀' }],
    [{ mail: 'a@b.test' }],
    [{ link: 'https://a.test/x' }],
    [{ day: '2026-02-28' }],
    [{ time: '2026-02-28T10:00:00Z' }],
    [{ count: 9 }],
    [{ rate: 0.5 }],
    [{ flag: false }],
    [{ one: 'b' }],
    [{ old: 'y' }],
    [{ many: ['q', 'p'] }],
    [{ titled: ['v'] }],
    [{ titled: [] }],
    [{ filled: 31 }],
  ])('C6 the content %j fits the form', async content => {
    expect(await answerOf(content)).toEqual({ filled: 30, ...content });
  });
  it.each([
    [{ text: 'a' }],
    [{ text: 'abcd' }],
    [{ text: 'A1' }],
    [{ text: 5 }],
    [{ mail: 'nobody' }],
    [{ mail: `${'a'.repeat(5000)}@b.test` }],
    [{ link: 'no link' }],
    [{ day: '2026-02-30' }],
    [{ time: '10:00' }],
    [{ count: 0 }],
    [{ count: 10 }],
    [{ count: 1.5 }],
    [{ count: '5' }],
    [{ rate: 0.4 }],
    [{ flag: 'true' }],
    [{ flag: 1 }],
    [{ one: 'A' }],
    [{ old: 'X' }],
    [{ many: [] }],
    [{ many: ['p', 'q', 'p'] }],
    [{ many: ['z'] }],
    [{ many: 'p' }],
    [{ titled: ['V'] }],
    [{ titled: [['v']] }],
    [{ filled: 'x' }],
  ])('C6 the content %j does not fit the form', async content => {
    expect(await answerOf(content)).toBe('asked again');
  });
  it('C6 null means an empty field, unknown fields are dropped, and inherited ones do not count', async () => {
    expect(await answerOf({ text: null, more: 1 })).toEqual({ filled: 30 });
    const needed: Handler = (_, ctx) => ctx.elicit('x', { message: 'm', schema: { constructor: { type: 'string' } } });
    expect(await runRound(setStage(), needed, makeRequest({ answers: { x: accept({}) } }))).toHaveProperty('asking');
  });
  it('C6 a pattern that could run for years refuses the answer instead', async () => {
    const handler: Handler = (_, ctx) =>
      ctx.elicit('x', { message: 'm', schema: { x: { type: 'string', pattern: '^(a+)+$' } } });
    const request = makeRequest({ answers: { x: accept({ x: `${'a'.repeat(60)}!` }) } });
    expect(await runRound(setStage(), handler, request)).toHaveProperty('asking');
  });
});

describe('forms of authors', () => {
  it('C6 a whole schema is sent as it is, also under the name `requestedSchema`', async () => {
    const schema = {
      type: 'object',
      properties: { type: { type: 'string' }, n: { type: 'integer' } },
      required: ['n'],
    };
    for (const request of [
      { message: 'm', schema },
      { message: 'm', requestedSchema: schema },
    ]) {
      const ended = await runRound(setStage(), (_, ctx) => ctx.elicit('x', request as never), makeRequest());
      const question = 'asking' in ended ? ended.asking.questions['x'] : undefined;
      expect(question?.kind === 'elicit' && question.params['requestedSchema']).toEqual(schema);
    }
  });

  it('C6 fields are required unless they have a default or say otherwise, and one may be called type', async () => {
    const schema = {
      type: { type: 'string' },
      b: { enum: ['x'], required: false },
      c: { type: 'boolean', default: false },
    };
    const ended = await runRound(setStage(), (_, ctx) => ctx.elicit('x', { message: 'm', schema }), makeRequest());
    const question = 'asking' in ended ? ended.asking.questions['x'] : undefined;
    expect(question?.kind === 'elicit' && question.params['requestedSchema']).toEqual({
      type: 'object',
      properties: {
        type: { type: 'string' },
        b: { type: 'string', enum: ['x'] },
        c: { type: 'boolean', default: false },
      },
      required: ['type'],
    });
  });

  it.each([
    ['no message', { schema: {} }],
    ['an empty message', { message: ' ', schema: {} }],
    ['nothing', undefined],
    ['a nested object', { message: 'm', schema: { a: { type: 'object', properties: {} } } }],
    ['a list of anything', { message: 'm', schema: { a: { type: 'array', items: { type: 'number' } } } }],
    ['a list without items', { message: 'm', schema: { a: { type: 'array' } } }],
    ['several types', { message: 'm', schema: { a: { type: ['string', 'null'] } } }],
    ['no type', { message: 'm', schema: { a: {} } }],
    ['a keyword that cannot be checked', { message: 'm', schema: { a: { type: 'number', multipleOf: 2 } } }],
    ['a broken pattern', { message: 'm', schema: { a: { type: 'string', pattern: '(' } } }],
    ['a format nobody knows', { message: 'm', schema: { a: { type: 'string', format: 'ssn' } } }],
    ['a default that does not fit', { message: 'm', schema: { a: { type: 'integer', default: 'x' } } }],
    [
      'a required field that is not there',
      { message: 'm', schema: { type: 'object', properties: {}, required: ['a'] } },
    ],
    ['a composed schema', { message: 'm', schema: { type: 'object', properties: {}, allOf: [] } }],
    ['a schema that is a text', { message: 'm', schema: 'string' }],
    ['a relative url', { message: 'm', url: '/pay' }],
    ['a url that runs code', { message: 'm', url: 'javascript:alert(1)' }],
  ])('C6 a question with %s is a clear error of the handler', async (_, request) => {
    const handler: Handler = (_args, ctx) => ctx.elicit('x', request as never);
    expect(await codeOf(runRound(setStage(), handler, makeRequest()))).toBe('BAD_QUESTION');
  });

  it.each(['', 5, undefined, 'x'.repeat(201), 'toolwright/confirm'])('C6 the key %j is refused', async key => {
    const handler: Handler = (_args, ctx) => ctx.elicit(key as string, size);
    expect(await codeOf(runRound(setStage(), handler, makeRequest()))).toBe('BAD_QUESTION');
  });
});

describe('states of questions', () => {
  const handler: Handler = async (_, ctx) => (await ctx.elicit('size', size)).content;
  const ask = async (stage = setStage(), args: unknown = { a: 1 }) => {
    const ended = await runRound(stage, handler, makeRequest(), args);
    if (!('asking' in ended)) throw new Error('no question');
    return { stage, state: ended.asking.state };
  };
  const answers = { size: accept({ size: 'M' }) };
  const invalid = { code: -32602, message: 'Invalid or expired requestState' };

  it('C6 a state opens only for the same client and arguments', async () => {
    const { stage, state } = await ask();
    await expect(
      runRound(stage, handler, makeRequest({ state, answers, principal: 'bob' }), { a: 1 }),
    ).rejects.toMatchObject(invalid);
    await expect(runRound(stage, handler, makeRequest({ state, answers }), { a: 2 })).rejects.toMatchObject(invalid);
    await expect(
      runRound(stage, handler, makeRequest({ state: `${state}x`, answers }), { a: 1 }),
    ).rejects.toMatchObject(invalid);
    await expect(runRound(stage, handler, makeRequest({ state: '', answers }), { a: 1 })).rejects.toMatchObject(
      invalid,
    );
    expect(await runRound(stage, handler, makeRequest({ state, answers }), { a: 1 })).toEqual({
      result: { size: 'M' },
    });
  });

  it('C6 the state of one pack does not open in another with the same key', async () => {
    const services = { seal: createSeal({ key: 'one key for all servers', now: Date.now }) };
    const { state } = await ask(setStage({ manifest: 'name: acme/one\n', services }));
    const other = setStage({ manifest: 'name: acme/two\n', services });
    await expect(runRound(other, handler, makeRequest({ state, answers }), { a: 1 })).rejects.toMatchObject(invalid);
  });

  it('C6 a replica with the same key continues a call, and that of a destructive tool only once', async () => {
    const replica = () =>
      setStage({
        tool: 'description: D.\neffect: destructive\n',
        services: { seal: createSeal({ key: 'one key for all servers', now: Date.now }) },
      });
    // A state from before the start of a replica is refused.
    const [first, second] = [replica(), replica()];
    const { state } = await ask(first);
    expect(await runRound(second, handler, makeRequest({ state, answers }), { a: 1 })).toEqual({
      result: { size: 'M' },
    });
    await expect(runRound(second, handler, makeRequest({ state, answers }), { a: 1 })).rejects.toMatchObject(invalid);
  });

  it('C6 answers too large to carry are a clear error, and only where they must be carried', async () => {
    const big = { message: 'm', schema: { text: { type: 'string' } } };
    const content = { text: 'x'.repeat(300_000) };
    const one: Handler = async (_, ctx) => (await ctx.elicit('big', big)).action;
    expect((await play(setStage(), one, () => accept(content))).result).toBe('accept');
    const two: Handler = async (_, ctx) => [await ctx.elicit('big', big), await ctx.elicit('size', size)];
    expect(await codeOf(play(setStage(), two, () => accept(content)))).toBe('STATE_TOO_LARGE');
  });
});

describe('`ctx.once`', () => {
  it('C6 `once` runs a side effect once, however many rounds there are', async () => {
    let orders = 0;
    const { result, rounds } = await play(
      setStage(),
      async (_, ctx) => {
        const order = await ctx.once('order', async () => {
          orders += 1;
          return { id: orders, at: undefined };
        });
        await ctx.elicit('size', size);
        await ctx.elicit('colour', colour);
        return order;
      },
      key => accept(key === 'size' ? { size: 'S' } : { colour: 'red' }),
    );
    expect([result, orders, rounds.length]).toEqual([{ id: 1 }, 1, 2]);
  });

  it.each([undefined, null, false, 0, ''])('C6 `once` keeps the result %j', async value => {
    let runs = 0;
    const { result } = await play(
      setStage(),
      async (_, ctx) => {
        const got = await ctx.once('x', () => {
          runs += 1;
          return value;
        });
        await ctx.elicit('size', size);
        return { got };
      },
      () => accept({ size: 'S' }),
    );
    expect([result, runs]).toEqual([{ got: value }, 1]);
  });

  it('C6 a side effect that is still running when a question is asked is waited for', async () => {
    let orders = 0;
    const { result, rounds } = await play(
      setStage(),
      async (_, ctx) => {
        const order = ctx.once('order', async () => {
          orders += 1;
          await new Promise(resolve => setTimeout(resolve, 30));
          return orders;
        });
        const [answer, id] = await Promise.all([ctx.elicit('size', size), order]);
        return [answer.action, id];
      },
      () => accept({ size: 'S' }),
    );
    expect([result, orders, rounds.length]).toEqual([['accept', 1], 1, 1]);
  });

  it('C6 a side effect that a finished round still wants is left to the next round', async () => {
    let effects = 0;
    const stage = setStage();
    const late: Handler = async (_, ctx) => {
      const effect = async () => {
        await new Promise(resolve => setTimeout(resolve, 20));
        await ctx.once('late', () => {
          effects += 1;
        });
      };
      await Promise.all([ctx.elicit('size', size), effect()]);
      return 'done';
    };
    const first = await runRound(stage, late, makeRequest());
    expect(first).toHaveProperty('asking');
    await new Promise(resolve => setTimeout(resolve, 60));
    expect(effects).toBe(0);
    const state = 'asking' in first ? first.asking.state : undefined;
    const request = makeRequest({ state, answers: { size: accept({ size: 'S' }) } });
    expect(await runRound(stage, late, request)).toEqual({ result: 'done' });
    expect(effects).toBe(1);
  });

  it('C6 `once` does not keep a failure, which does not block questions, and runs a key once at a time', async () => {
    let tries = 0;
    const seen: string[] = [];
    const { result } = await play(
      setStage(),
      async (_, ctx) => {
        const attempt = () =>
          ctx.once('x', () => {
            tries += 1;
            if (tries === 1) throw new Error('busy');
            return tries;
          });
        const [first, second] = await Promise.allSettled([attempt(), attempt()]);
        seen.push(first.status, second.status);
        const values = await Promise.all([attempt(), attempt()]);
        await ctx.elicit('size', size);
        return values;
      },
      () => accept({ size: 'S' }),
    );
    expect(tries).toBe(2);
    expect(seen).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled']);
    expect(result).toEqual([2, 2]);
  });

  it('C6 keys of side effects and of questions do not collide', async () => {
    const handler: Handler = async (_, ctx) => [
      await ctx.once('size', () => 1),
      (await ctx.elicit('size', size)).content,
    ];
    expect((await play(setStage(), handler, () => accept({ size: 'S' }))).result).toEqual([1, { size: 'S' }]);
  });

  it('C6 a handler may change the result of `once` without changing what is kept', async () => {
    const handler: Handler = async (_, ctx) => {
      const list = await ctx.once<number[]>('list', () => [1]);
      list.push(2);
      const again = await ctx.once<number[]>('list', () => [9]);
      await ctx.elicit('size', size);
      return again;
    };
    expect((await play(setStage(), handler, () => accept({ size: 'S' }))).result).toEqual([1]);
  });

  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  it.each([
    ['a Date', { at: new Date() }, '/at is a Date'],
    ['a Map', new Map(), 'its result is a Map'],
    ['a function', { f: () => 1 }, '/f is a function'],
    ['a bigint', [1n], '/0 is a bigint'],
    ['NaN', Number.NaN, 'its result is NaN'],
    ['a circle', circle, '/self contains itself'],
  ])('C6 `once` refuses %s with a clear error, because it is not JSON', async (_, value, reason) => {
    const run = runRound(setStage(), (_args, ctx) => ctx.once('x', () => value), makeRequest());
    await expect(run).rejects.toMatchObject({ code: 'BAD_ONCE', message: expect.stringContaining(reason) });
  });

  it('C6 `once` accepts the same value in two places, and objects of other realms', async () => {
    const { runInNewContext } = await import('node:vm');
    const shared = { a: 1 };
    const value = { one: shared, two: shared, far: runInNewContext('({ b: [1] })') };
    const ended = await runRound(setStage(), (_, ctx) => ctx.once('x', () => value), makeRequest());
    expect(ended).toEqual({ result: { one: { a: 1 }, two: { a: 1 }, far: { b: [1] } } });
  });

  it('C6 a question inside a side effect is a clear error, not an endless wait', async () => {
    const handler: Handler = (_, ctx) => ctx.once('x', async () => await ctx.elicit('size', size));
    expect(await codeOf(runRound(setStage(), handler, makeRequest()))).toBe('BAD_QUESTION');
  });
});

describe('`ctx.sample`', () => {
  it('C5 `ctx.sample` asks the model in the form of the protocol', async () => {
    const { rounds, result } = await play(
      setStage(),
      (_, ctx) =>
        ctx.sample('q', {
          messages: [
            { role: 'user', content: 'Hi' },
            { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
            {
              role: 'user',
              content: [
                { type: 'text', text: 'a' },
                { type: 'image', data: 'AA==', mimeType: 'image/png' },
              ],
            },
          ],
          system: 'Be short',
          maxTokens: 10,
          temperature: 0.5,
          stopSequences: ['.'],
          models: ['best', 'good'],
        }),
      () => ({
        role: 'assistant',
        model: 'some-model',
        stopReason: 'endTurn',
        content: [{ type: 'text', text: 'One ' }, { type: 'nonsense' }, { type: 'text', text: 'two' }],
      }),
    );
    expect(rounds[0]?.['q']).toEqual({
      kind: 'sample',
      params: {
        messages: [
          { role: 'user', content: { type: 'text', text: 'Hi' } },
          { role: 'assistant', content: { type: 'text', text: 'Hello' } },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'a' },
              { type: 'image', data: 'AA==', mimeType: 'image/png' },
            ],
          },
        ],
        systemPrompt: 'Be short',
        maxTokens: 10,
        temperature: 0.5,
        stopSequences: ['.'],
        modelPreferences: { hints: [{ name: 'best' }, { name: 'good' }] },
      },
    });
    expect(result).toEqual({
      text: 'One two',
      content: [
        { type: 'text', text: 'One ' },
        { type: 'text', text: 'two' },
      ],
      toolUses: [],
      model: 'some-model',
      stopReason: 'endTurn',
    });
  });

  const lookUp = { name: 'look-up', inputSchema: { type: 'object' } } as const;
  const withTools = { ...everything, capabilities: { sampling: { tools: {} } } };

  it('fix-P7 C5 `ctx.sample` sends tools and toolChoice to the model and returns its calls', async () => {
    const handler: Handler = async (_, ctx) => {
      const first = await ctx.sample('q', { prompt: 'p', maxTokens: 9, tools: [lookUp], toolChoice: { mode: 'auto' } });
      const results = first.toolUses.map(({ id, input }) => ({
        type: 'tool_result' as const,
        toolUseId: id,
        content: [{ type: 'text' as const, text: `found ${input['word']}` }],
      }));
      const messages = [
        { role: 'user' as const, content: 'p' },
        { role: 'assistant' as const, content: [...first.content, ...first.toolUses] },
        { role: 'user' as const, content: results },
      ];
      return await ctx.sample('again', { messages, maxTokens: 9, tools: [lookUp] });
    };
    const { rounds, result } = await play(
      setStage(),
      handler,
      key => {
        const use = { type: 'tool_use', id: 'u1', name: 'look-up', input: { word: 'w' } };
        const content = key === 'q' ? [use, { type: 'tool_use', id: 1 }] : [{ type: 'text', text: 'done' }];
        return { role: 'assistant', model: 'm', stopReason: 'toolUse', content };
      },
      { request: { client: withTools } },
    );
    expect(rounds[0]?.['q']).toMatchObject({ params: { tools: [lookUp], toolChoice: { mode: 'auto' } } });
    expect(rounds[1]?.['again']).toMatchObject({
      params: {
        messages: [
          {},
          { content: { type: 'tool_use', id: 'u1' } },
          { content: { type: 'tool_result', toolUseId: 'u1', content: [{ text: 'found w' }] } },
        ],
      },
    });
    expect(result).toMatchObject({ text: 'done', toolUses: [] });
  });

  it('fix-P7 C5 a client whose model takes no tools gets the fallback, else an error that names sampling.tools', async () => {
    const request = makeRequest();
    const bare: Handler = (_, ctx) => ctx.sample('q', { prompt: 'p', maxTokens: 1, tools: [lookUp] });
    await expect(runRound(setStage(), bare, request)).rejects.toMatchObject({
      code: 'CAPABILITY_MISSING',
      message: expect.stringContaining('sampling.tools'),
      meta: { requiredCapabilities: { sampling: { tools: {} } } },
    });
    const kind: Handler = (_, ctx) => ctx.sample('q', { prompt: 'p', maxTokens: 1, tools: [], fallback: 'none' });
    expect(await runRound(setStage(), kind, request)).toMatchObject({ result: { text: 'none' } });
    const unasked = { role: 'assistant', content: [{ type: 'tool_use', id: 'u', name: 'n', input: {} }], model: 'm' };
    const plain: Handler = (_, ctx) => ctx.sample('q', { prompt: 'p', maxTokens: 1 });
    expect(await runRound(setStage(), plain, makeRequest({ answers: { q: unasked } }))).toHaveProperty('asking');
  });

  it.each([[{}], [{ content: { type: 'text' } }], [{ content: 'Paris' }], [{ content: [] }], [accept({})], [null]])(
    'C5 the answer %j of a model leaves the question open',
    async answer => {
      const handler: Handler = (_, ctx) => ctx.sample('q', { prompt: 'p', maxTokens: 1 });
      expect(await runRound(setStage(), handler, makeRequest({ answers: { q: answer } }))).toHaveProperty('asking');
    },
  );

  it('C5 `ctx.sample` without the capability gives the fallback, else CAPABILITY_MISSING', async () => {
    const request = makeRequest({ client: nobody });
    const ended = await runRound(
      setStage(),
      (_, ctx) => ctx.sample('q', { prompt: 'p', maxTokens: 1, fallback: 'none' }),
      request,
    );
    const content = [{ type: 'text', text: 'none' }];
    expect(ended).toEqual({ result: { text: 'none', content, toolUses: [], model: undefined, stopReason: undefined } });
    const bare: Handler = (_, ctx) => ctx.sample('q', { prompt: 'p', maxTokens: 1 });
    await expect(runRound(setStage(), bare, request)).rejects.toMatchObject({
      code: 'CAPABILITY_MISSING',
      status: 424,
      meta: { capability: 'sampling', requiredCapabilities: { sampling: {} } },
    });
  });

  it.each([
    [{ maxTokens: 5 }],
    [{ prompt: 'p' }],
    [{ prompt: 'p', maxTokens: 0 }],
    [{ messages: [], maxTokens: 5 }],
    [{ messages: [{ role: 'system', content: 'x' }], maxTokens: 5 }],
    [{ messages: [{ role: 'user', content: { type: 'resource_link', uri: 'x:y', name: 'n' } }], maxTokens: 5 }],
    [{ prompt: 'p', maxTokens: 5, tools: {} }],
    [{ prompt: 'p', maxTokens: 5, tools: [{ name: 'n' }] }],
    [{ prompt: 'p', maxTokens: 5, toolChoice: 'auto' }],
    [{ prompt: 'p', maxTokens: 5, toolChoice: { mode: 'maybe' } }],
    [{ messages: [{ role: 'user', content: { type: 'tool_result', toolUseId: 'x' } }], maxTokens: 5 }],
    [undefined],
  ])('C5 `ctx.sample` with %j is a clear error of the handler', async request => {
    const handler: Handler = (_, ctx) => ctx.sample('q', request as never);
    expect(await codeOf(runRound(setStage(), handler, makeRequest()))).toBe('BAD_QUESTION');
  });
});

describe('`ctx.roots`', () => {
  it('C7 `ctx.roots` returns the folders of the client, without those that are not addresses', async () => {
    const { result, rounds } = await play(
      setStage(),
      (_, ctx) => ctx.roots(),
      () => ({
        roots: [{ uri: 'file:///a', name: 'A' }, { uri: 'https://b.test/' }, { uri: 'no address' }, null, { uri: 5 }],
      }),
    );
    expect(result).toEqual([{ uri: 'file:///a', name: 'A' }, { uri: 'https://b.test/' }]);
    expect(Object.values(rounds[0] ?? {})).toEqual([{ kind: 'roots' }]);
  });

  it.each([[{}], [{ roots: 'file:///a' }], [null], [accept({})]])(
    'C7 the answer %j to `ctx.roots` leaves the question open',
    async answer => {
      const request = makeRequest({ answers: { folders: answer } });
      expect(await runRound(setStage(), (_, ctx) => ctx.roots('folders'), request)).toHaveProperty('asking');
    },
  );

  it('C7 `ctx.roots` without the capability returns TOOLWRIGHT_ROOTS, else nothing', async () => {
    const { delimiter } = await import('node:path');
    const { pathToFileURL } = await import('node:url');
    const text = ['/srv/one two', '', ' /srv/ü ', 'here'].join(delimiter);
    const roots = readRoots(text);
    const request = makeRequest({ client: nobody });
    const ended = await runRound(setStage({ services: { roots } }), (_, ctx) => ctx.roots(), request);
    const uris = ['/srv/one two', '/srv/ü', 'here'].map(path => ({ uri: pathToFileURL(path).href }));
    expect(ended).toEqual({ result: uris });
    expect(await runRound(setStage(), (_, ctx) => ctx.roots(), request)).toEqual({ result: [] });
    expect(readRoots(undefined)).toEqual([]);
  });
});

describe('C12 capabilities that are deprecated in 2026-07-28', () => {
  it('C12 `check` mentions deprecated capabilities as information', async () => {
    const found = await check(
      tool('description: T.\nrequires: { sampling: suggested, elicitation: required, roots: required }\n'),
    );
    expect(found.map(({ code, severity, line, column }) => `${severity} ${code} ${line}:${column}`)).toEqual([
      'info link/deprecated-capability 2:13',
      'info link/deprecated-capability 2:57',
    ]);
  });

  it('C12 sampling and roots work as long as clients have them', async () => {
    const handler: Handler = async (_, ctx) => [
      (await ctx.sample('q', { prompt: 'p', maxTokens: 1 })).text,
      (await ctx.roots()).length,
    ];
    const { result } = await play(setStage(), handler, (_, { kind }) =>
      kind === 'roots' ? { roots: [{ uri: 'file:///a' }] } : { content: { type: 'text', text: 'x' } },
    );
    expect(result).toEqual(['x', 1]);
  });
});

describe('questions of prompts and resources', () => {
  it('C6 prompts and resources ask as tools do, with a state of their own', async () => {
    const stage = setStage();
    const { host } = stage.served;
    const { services } = stage;
    const { signal } = new AbortController();
    const make = (subject: string, request = makeRequest()) =>
      createBaseContext({ host, subject, args: {}, request, services, signal });
    const first = await make('prompt:p');
    void first.ctx.elicit('size', size);
    await new Promise<void>(resolve => first.questions.onSuspended(resolve));
    const state = first.questions.asking()?.state;
    const answers = { size: accept({ size: 'M' }) };
    const second = await make('prompt:p', makeRequest({ state, answers }));
    expect(await second.ctx.elicit('size', size)).toEqual({ action: 'accept', content: { size: 'M' } });
    expect(second.questions.asking()).toBeUndefined();
    await expect(make('resource:p', makeRequest({ state, answers }))).rejects.toMatchObject({ code: -32602 });
    expect((await make('resource:issue://PROJ-1')).ctx.uri).toBe('issue://PROJ-1');
  });

  it('C6 prompts and resources cannot pass a question on to the model', async () => {
    const { served, services } = setStage();
    const request = makeRequest({ client: { ...everything, capabilities: { elicitation: { url: {} } } } });
    const { signal } = request;
    const { ctx } = await createBaseContext({
      host: served.host,
      subject: 'prompt:p',
      args: {},
      request,
      services,
      signal,
    });
    expect(await codeOf(ctx.elicit('size', size))).toBe('CAPABILITY_MISSING');
    expect(String(ctx.notImplemented())).toContain('The prompt p is not implemented yet');
  });
});
