// Handlers and clients that do what they should not: what one call does must not reach another, a client or a log.
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { image, text } from '../../../runtime/call/content.js';
import { readOptions } from '../../../runtime/call/context/options.js';
import { redactionOf } from '../../../runtime/call/redact.js';
import { toPromptAnswer } from '../../../runtime/surface/get-prompt.js';
import { toContents } from '../../../runtime/surface/read-resource.js';
import { freezeDeep } from '../../../schema/freeze.js';
import type { Client } from '../../../schema/support/mcp/client.js';
import type { ToolContext } from '../../../schema/support/mcp/context.js';
import { loadFiles } from '../../harness/pack.js';
import { makeKit } from './call-kit.js';

const asking: Client = { name: 'c', version: '1', capabilities: { elicitation: {}, sampling: {} } };
const secret = 'p@ss/w+rd "ünï" 77';
const manifest = 'config:\n  TOKEN: { type: string, secret: true }\n';

describe('arguments of calls', () => {
  it('M16 a number that is too large is refused or becomes null, so that handlers never see Infinity', async () => {
    const kit = makeKit(
      'description: T\nparameters: { n: { type: integer }, any: { type: array, required: false } }\n',
      {
        handler: args => JSON.stringify(args),
      },
    );
    expect(await kit.fail(JSON.parse('{"n":1e400}'))).toMatchObject({
      code: 'BAD_ARGUMENTS',
      message: expect.stringContaining('n must be an integer'),
    });
    const { content } = await kit.call(JSON.parse('{"n":1,"any":[-1e999]}'));
    expect(content).toEqual([{ type: 'text', text: '{"n":1,"any":[null]}' }]);
  });
});

describe('results of calls', () => {
  const resultOf = (value: unknown) => makeKit('description: T\n', { handler: () => value });

  it('J56 a promise that was not awaited is an error, not an empty object', async () => {
    for (const value of [
      [Promise.resolve(1)],
      { a: { b: Promise.resolve(1) } },
      new Map([['a', Promise.resolve(1)]]),
    ]) {
      expect(await resultOf(value).fail()).toMatchObject({
        code: 'BAD_OUTPUT',
        message: 't returned a value with a promise in it, which must be awaited first',
      });
    }
  });

  it('J56 a stream is refused, and nothing of its insides is sent', async () => {
    expect(await resultOf(Readable.from(['a'])).fail()).toMatchObject({
      code: 'BAD_OUTPUT',
      message: 't returned a Readable, which shows nothing of its content',
    });
  });

  it.each([
    [{ type: 'image', data: 'data:image/png;base64,AAAA', mimeType: 'image/png' }, 'data must be base64'],
    [{ type: 'audio', data: 'AAAAA', mimeType: 'audio/wav' }, 'data must be base64'],
    [{ type: 'resource', resource: { uri: 'a:b', blob: '***' } }, 'resource.blob must be base64'],
    [text('a', { annotations: { priority: 5 } }), 'annotations.priority must be a number from 0 to 1'],
    [text('a', { annotations: { audience: ['me' as 'user'] } }), 'annotations.audience must be a list of'],
    [text('a', { annotations: { lastModified: 'yesterday' } }), 'annotations.lastModified must be a date and time'],
    [text('a', { _meta: [] as never }), '_meta must be a map'],
  ])('J65 content that clients would refuse is an error of the tool: %j', async (content, reason) => {
    for (const value of [content, [content], { content: [content] }]) {
      expect(await resultOf(value).fail()).toMatchObject({
        code: 'BAD_OUTPUT',
        message: expect.stringContaining(reason),
      });
    }
  });

  it('J65 content that clients accept passes', async () => {
    const content = [
      { type: 'image', data: 'AAAA\nAAA=', mimeType: 'image/png' },
      {
        type: 'text',
        text: 'a',
        annotations: { audience: ['user'], priority: 1, lastModified: '2025-01-12T15:00:58Z' },
      },
    ];
    expect((await resultOf({ content }).call()).content).toEqual(content);
  });
});

describe('data that calls share', () => {
  it('W88 a handler cannot change the options of later calls', async () => {
    const tool = 'description: T\noptions: { list: { type: array, default: [1] } }\n';
    const { program } = loadFiles({ 'toolwright.yaml': '', 'mcp/tools/t.yaml': tool });
    const [only] = program?.tools ?? [];
    if (program === undefined || only === undefined) throw new Error('no tool');
    const options = readOptions(undefined, [program]).optionsOf(only);
    expect(() => (options['list'] as number[]).push(2)).toThrow(TypeError);
    expect(options).toEqual({ list: [1] });
    expect(Object.isFrozen(only.definition.options?.['list']?.default)).toBe(false);
  });

  it('W88 `freezeDeep` freezes down to the last list and ends in circles', () => {
    const circle: { inner: unknown[] } = { inner: [{}] };
    circle.inner.push(circle);
    expect(() => ((freezeDeep(circle).inner[0] as Record<string, number>)['a'] = 1)).toThrow(TypeError);
  });

  it('C4 a hundred listeners of ctx.signal cause no warning about a leak', async () => {
    const warnings: string[] = [];
    const listen = (warning: Error): void => void warnings.push(warning.message);
    process.on('warning', listen);
    const kit = makeKit('description: T\n', {
      handler: (_, { signal }) => {
        for (let index = 0; index < 100; index += 1) signal.addEventListener('abort', () => undefined);
        return 'ok';
      },
    });
    await kit.call();
    await new Promise(resolve => setTimeout(resolve, 20));
    process.off('warning', listen);
    expect(warnings).toEqual([]);
  });
});

describe('secrets in calls', () => {
  it('J58 a secret inside bytes is removed, and what is left is still base64', async () => {
    const kit = makeKit('description: T\n', {
      manifest,
      env: { TOKEN: secret },
      handler: () => [
        image(Buffer.from(`x${secret}y`), 'image/svg+xml'),
        image(Buffer.concat([Buffer.of(255, 0, 254), Buffer.from(secret)]), 'image/png'),
        { data: Buffer.from(`xx${secret}`), mimeType: 'application/pdf' },
      ],
    });
    const { content } = await kit.call();
    const bytes = content.map(item =>
      Buffer.from(
        item.type === 'image' ? item.data : item.type === 'resource' ? (item.resource.blob ?? '') : '',
        'base64',
      ),
    );
    expect(bytes.map(String)).toEqual(['x[secret TOKEN]y', '[redacted]', 'xx[secret TOKEN]']);
  });

  it('J80 W78 a secret inside the bytes of a resource or a prompt is removed', () => {
    const redaction = redactionOf(makeKit('description: T\n', { manifest, env: { TOKEN: secret } }).host);
    const asked = { uri: 'x://a', mimeType: undefined, redaction };
    const [contents] = toContents(Buffer.from(`zz${secret}`), asked) ?? [];
    const { messages } = toPromptAnswer(image(Buffer.from(`z${secret}`), 'image/svg+xml'), '', redaction);
    const [message] = messages as { content: { data: string } }[];
    const decoded = [contents?.blob, message?.content.data].map(data => String(Buffer.from(data ?? '', 'base64')));
    expect(decoded).toEqual(['zz[secret TOKEN]', 'z[secret TOKEN]']);
  });

  it('C6 a secret does not reach the client in a question', async () => {
    const ask = async (_: object, { config, elicit, sample }: ToolContext): Promise<void> => {
      const { TOKEN } = config as { TOKEN: string };
      await Promise.all([
        elicit('k', { message: `Use ${TOKEN}?`, schema: { a: { type: 'string', description: TOKEN } } }),
        sample('m', { prompt: encodeURIComponent(TOKEN), maxTokens: 5 }),
      ]);
    };
    const kit = makeKit('description: T\n', { manifest, env: { TOKEN: secret }, handler: ask });
    const outcome = await kit.outcome({}, { client: asking });
    const shown = JSON.stringify('asking' in outcome ? outcome.asking.questions : undefined);
    expect(shown).toContain('Use [secret TOKEN]?');
    expect(shown).toContain('"description":"[secret TOKEN]"');
    expect(shown).not.toMatch(/p@ss|p%40ss/);
  });
});

describe('questions of calls', () => {
  it('C6 a round that ends in a question aborts its signal and reports nothing', async () => {
    const reasons: unknown[] = [];
    const late: boolean[] = [];
    const kit = makeKit('description: T\n', {
      handler: async (_, ctx) => {
        ctx.signal.addEventListener('abort', () => reasons.push(ctx.signal.reason));
        const answer = await ctx.elicit('k', { message: 'Sure?', schema: {} });
        late.push(ctx.signal.aborted);
        return answer.action;
      },
    });
    const outcome = await kit.outcome({}, { client: asking });
    if (!('asking' in outcome)) throw new Error('it did not ask');
    expect(reasons).toMatchObject([{ name: 'LeftBehind' }]);
    const { state } = outcome.asking;
    const { content } = await kit.call(
      {},
      { client: asking, state, answers: { k: { action: 'accept', content: {} } } },
    );
    expect([content, late, reasons.length, kit.reports]).toEqual([[{ type: 'text', text: 'accept' }], [false], 1, []]);
  });
});
