import { describe, expect, it } from 'vitest';
import { problem, request, serve } from './surface-pack.js';

const files = {
  'mcp/prompts/p.yaml': [
    'description: d',
    'text: x',
    'arguments:',
    '  colour: {complete: [Red, rose, GREEN, "Rot{{x}}"]}',
    '  many: {complete: [%MANY%]}',
    '  issue: {complete: src/complete.ts#issues}',
    '  bare: {complete: src/bare.ts}',
    '  plain: {}',
  ]
    .join('\n')
    .replace('%MANY%', Array.from({ length: 250 }, (_, index) => `v${index}`).join(', ')),
  'mcp/resources.yaml': [
    'r: {uriTemplate: "r://{kind}/{id}", handler: src/r.ts, complete: {kind: [bug, task], id: src/complete.ts#ids}}',
    's: {uri: "r://fixed", text: x}',
    't: {uriTemplate: "t://{__proto__}", handler: src/r.ts}',
  ].join('\n'),
};

const prompt = (name: string, value: string, context: Readonly<Record<string, string>> = {}) => ({
  ref: { type: 'ref/prompt', name: 'p' } as const,
  argument: { name, value },
  context,
});
const resource = (uri: string, name: string, value: string, context: Readonly<Record<string, string>> = {}) => ({
  ref: { type: 'ref/resource', uri } as const,
  argument: { name, value },
  context,
});
const nothing = { values: [], total: 0, hasMore: false };

describe('completions', () => {
  it('J83 C8 a list offers what begins with the text, in any case', async () => {
    const { surface } = serve(files);
    expect(surface.offers.completions).toBe(true);
    const values = async (typed: string) => (await surface.complete(prompt('colour', typed), request())).values;
    expect(await values('r')).toEqual(['Red', 'rose', 'Rot{{x}}']);
    expect(await values('RO')).toEqual(['rose', 'Rot{{x}}']);
    expect(await values('')).toHaveLength(4);
    expect(await values('x')).toEqual([]);
    expect(await values('.*')).toEqual([]);
  });

  it('J83 at most 100 values are returned, with how many there are', async () => {
    const { surface } = serve(files);
    const { values, total, hasMore } = await surface.complete(prompt('many', 'V'), request());
    expect([values.length, total, hasMore]).toEqual([100, 250, true]);
    const few = await surface.complete(prompt('many', 'v24'), request());
    expect([few.values.length, few.total, few.hasMore]).toEqual([11, 11, false]);
  });

  it('J83 a handler gets what was typed and the other arguments', async () => {
    const seen: unknown[] = [];
    const issues = async (typed: string, ctx: { arguments: object; app: unknown; client: { name: string } }) => {
      seen.push(typed, ctx.arguments, ctx.app, ctx.client.name);
      return ['A-1', 'A-2'];
    };
    const { surface } = serve(files, { app: 'the app', handlers: { 'src/complete.ts#issues': issues } });
    const answer = await surface.complete(prompt('issue', 'a', { colour: 'Red' }), request());
    expect(answer).toEqual({ values: ['A-1', 'A-2'], total: 2, hasMore: false });
    expect(seen).toEqual(['a', { colour: 'Red' }, 'the app', 'tests']);
  });

  it('J83 variables of templates are completed by the template', async () => {
    const ids = (typed: string, ctx: { arguments: { kind?: string } }) => [`${ctx.arguments.kind}-${typed}`];
    const { surface } = serve(files, { handlers: { 'src/complete.ts#ids': ids } });
    expect(await surface.complete(resource('r://{kind}/{id}', 'kind', 'T'), request())).toMatchObject({
      values: ['task'],
    });
    expect(await surface.complete(resource('r://{kind}/{id}', 'id', '4', { kind: 'bug' }), request())).toMatchObject({
      values: ['bug-4'],
    });
  });

  it.each([
    ['many values', Array.from({ length: 150 }, (_, index) => `v${index}`), [100, 150, true]],
    ['values and a total', { values: ['a'], total: 7 }, [1, 7, true]],
    ['a total that is too small', { values: ['a', 'b'], total: 1 }, [2, 2, false]],
    ['that there are more', { values: ['a'], hasMore: true }, [1, 1, true]],
    ['numbers', [1, 2], [2, 2, false]],
    ['nothing', undefined, [0, 0, false]],
  ])('J83 a completion handler may return %s', async (_, returned, expected) => {
    const { surface, reports } = serve(files, { handlers: { 'src/bare.ts': () => returned } });
    const { values, total, hasMore } = await surface.complete(prompt('bare', ''), request());
    expect([values.length, total, hasMore]).toEqual(expected);
    expect(values.every(value => typeof value === 'string')).toBe(true);
    expect(reports).toEqual([]);
  });

  it('J83 an argument that is unknown or has no completion gets no values', async () => {
    const { surface } = serve(files);
    for (const name of ['plain', 'unknown', '', '__proto__', 'constructor']) {
      expect(await surface.complete(prompt(name, ''), request())).toEqual(nothing);
      expect(await surface.complete(resource('r://{kind}/{id}', name, ''), request())).toEqual(nothing);
    }
    expect(await surface.complete(resource('t://{__proto__}', '__proto__', ''), request())).toEqual(nothing);
    expect(await surface.complete(resource('r://fixed', 'x', ''), request())).toEqual(nothing);
  });

  it('J83 an unknown prompt or resource gets -32602', async () => {
    const { surface } = serve(files);
    const wrong = { ...prompt('a', ''), ref: { type: 'ref/prompt', name: 'q' } as const };
    expect(await problem(() => surface.complete(wrong, request()))).toMatchObject({
      code: -32602,
      message: 'Unknown prompt: q',
    });
    expect(await problem(() => surface.complete(resource('r://none', 'a', ''), request()))).toMatchObject({
      code: -32602,
    });
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no luck');
      },
      'no luck',
    ],
    ['rejects', async () => Promise.reject('no luck'), 'no luck'],
    ['returns something else', () => ({ a: 1 }), 'neither a list'],
    ['returns objects', () => [{ a: 1 }], 'not a string, but object'],
    ['is not there', undefined, 'src/bare.ts'],
    [
      'asks a question',
      (_: string, ctx: { roots(): Promise<unknown> }) => ctx.roots(),
      'a completion cannot ask questions',
    ],
  ])('J83 a completion handler that %s offers nothing, and the operator sees why', async (_, handler, reason) => {
    const { surface, reports } = serve(files, { handlers: { 'src/bare.ts': handler } });
    const client = { name: 'c', version: '1', capabilities: { roots: {} } };
    expect(await surface.complete(prompt('bare', ''), request({ client }))).toEqual(nothing);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toContain('The completion for bare in p failed');
    expect(reports[0]).toContain(reason);
  });
});
