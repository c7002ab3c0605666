import { afterEach, describe, expect, it, vi } from 'vitest';
import { image, text } from '../../../runtime/call/content.js';
import { ToolError } from '../../../runtime/call/tool-error.js';
import type { PromptContext } from '../../../schema/support/mcp/context.js';
import { entry, type Options, over, problem, request, serve } from './surface-pack.js';

const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);
const say = (said: string) => ({ role: 'user', content: { type: 'text', text: said } });

/** One prompt `p` that is made by a function. */
function handled(handler: unknown, definition = '', options: Options = {}) {
  const files = {
    'toolwright.yaml': 'config: {TOKEN: {type: string, secret: true}}\n',
    'mcp/prompts/p.yaml': `description: d\nhandler: src/p.ts\n${definition}`,
  };
  return serve(files, { handlers: { 'src/p.ts': handler }, ...options });
}

afterEach(() => {
  vi.useRealTimers();
});

describe('the list of prompts', () => {
  it('W75 a listed prompt describes its arguments and whether they are required, or has none', () => {
    const { surface } = serve({
      'mcp/prompts.yaml': [
        'bare: {text: x}',
        'full:',
        '  title: Full',
        '  description: d',
        '  text: x',
        '  icons: [{src: "data:,"}]',
        '  _meta: {example.com/a: 1}',
        '  arguments:',
        '    nothing:',
        '    said: What it means',
        '    needed: {required: true, title: Needed, description: Why, complete: [a]}',
      ].join('\n'),
    });
    expect(entry(surface, 'prompts', 'bare')).toEqual({ name: 'bare', description: '' });
    expect(entry(surface, 'prompts', 'full')).toEqual({
      name: 'full',
      title: 'Full',
      description: 'd',
      arguments: [
        { name: 'nothing', description: '', required: false },
        { name: 'said', description: 'What it means', required: false },
        { name: 'needed', title: 'Needed', description: 'Why', required: true },
      ],
      icons: [{ src: 'data:,' }],
      _meta: { 'example.com/a': 1 },
    });
    expect(surface.offers).toMatchObject({ prompts: true, completions: true });
  });
});

describe('prompts of text', () => {
  const files = {
    'mcp/prompts.yaml': [
      'hello:',
      '  description: Says hello',
      '  arguments: {name: {required: true}, tone: {}, place: {required: true}}',
      '  text: "{{#if tone}}[{{tone}}] {{/if}}Hello {{name}} in {{place}} \\\\{{x}}"',
    ].join('\n'),
  };

  it('W73 W74 a prompt of text is one message of the user with its arguments filled in', async () => {
    const { surface } = serve(files);
    const answer = await over(surface.getPrompt('hello', { name: 'Ada', place: 'Rome' }, request()));
    expect(answer).toEqual({ description: 'Says hello', messages: [say('Hello Ada in Rome {{x}}')] });
    const loud = await over(surface.getPrompt('hello', { name: 'Ada', place: 'Rome', tone: 'loud' }, request()));
    expect(loud.messages).toEqual([say('[loud] Hello Ada in Rome {{x}}')]);
  });

  describe('fix-F2 W74 arguments that are lists', () => {
    const listed = serve(
      {
        'mcp/prompts.yaml': [
          'plain:',
          '  description: d',
          '  arguments: {items: {type: list, description: What to do}, more: {type: list}}',
          '  text: "{{#each items}}{{@index}}:[{{this}}]{{#unless @last}} {{/unless}}{{else}}nothing{{/each}}{{#if more}}+{{more}}{{/if}}"',
          'nested:',
          '  description: d',
          '  arguments: {rows: {type: list, required: true}, title: {}}',
          '  messages:',
          '    - {role: user, text: "{{#each rows}}{{../title}}{{name}}({{#each tags}}{{this}}{{/each}}){{/each}}"}',
          '    - {role: user, text: "{{#each rows}}{{#each this}}<{{this}}>{{/each}}{{/each}}"}',
          'made: {description: d, arguments: {items: {type: list, required: true}, one: {type: string}}, handler: src/p.ts}',
        ].join('\n'),
      },
      { handlers: { 'src/p.ts': (args: unknown) => JSON.stringify(args) } },
    ).surface;
    const ask = async (name: string, args: object) =>
      (await over(listed.getPrompt(name, args, request()))).messages.map(one => Object(one['content'])['text']);

    it.each([
      ['["a","b"]', '0:[a] 1:[b]'],
      [' [ "a" , 2, null, true ] ', '0:[a] 1:[2] 2:[] 3:[true]'],
      ['a\nb', '0:[a] 1:[b]'],
      ['a\r\nb\r\n', '0:[a] 1:[b]'],
      ['a\n\nb\n', '0:[a] 1:[] 2:[b]'],
      ['a,b', '0:[a,b]'],
      ['[draft] one\ntwo', '0:[[draft] one] 1:[two]'],
      ['["a",', '0:[["a",]'],
      ['{"a": 1}', '0:[{"a": 1}]'],
      ['[]', 'nothing'],
      ['', 'nothing'],
      ['{{more}}', '0:[{{more}}]'],
    ])('the list argument %j is split into items', async (items, expected) => {
      expect(await ask('plain', { items })).toEqual([expected]);
    });

    it('list arguments are described to clients and may be left out', async () => {
      expect(entry(listed, 'prompts', 'plain')['arguments']).toEqual([
        { name: 'items', description: 'What to do (a JSON array, or one entry per line)', required: false },
        { name: 'more', description: 'A JSON array, or one entry per line', required: false },
      ]);
      expect(await ask('plain', {})).toEqual(['nothing']);
      expect(await ask('plain', { more: 'x\ny' })).toEqual(['nothing+x,y']);
      expect(await problem(() => listed.getPrompt('plain', { items: ['a'] }, request()))).toMatchObject({
        message: 'Prompt arguments must be strings, and items in plain is not',
      });
    });

    it('list arguments may contain lists and maps', async () => {
      const rows = JSON.stringify([{ name: 'A', tags: ['x', 'y'] }, { name: 'B' }, ['p', 'q']]);
      expect(await ask('nested', { rows, title: '#' })).toEqual(['#A(xy)#B()#()', '<A><x,y><B><p><q>']);
    });

    it('list arguments reach handlers as lists', async () => {
      expect(await ask('made', { items: 'a\nb', one: 'a\nb' })).toEqual(['{"items":["a","b"],"one":"a\\nb"}']);
    });
  });

  it('W73 the text of a prompt may be a file', async () => {
    const { surface } = serve({
      'mcp/prompts/p.yaml': 'description: d\ntext: {file: texts/p.md}\narguments: {a: {}}\n',
      'texts/p.md': 'From a file: {{a}}',
    });
    expect((await over(surface.getPrompt('p', { a: 'x' }, request()))).messages).toEqual([say('From a file: x')]);
  });

  it.each([
    '{{place}}',
    '{{#if a}}',
    '\\{{',
    '{{tool:x}}',
    '$&',
    "$'",
    '\u2028\0</script>',
    '👩‍👩‍👧 \ud800',
    '__proto__',
  ])('J76 the value %j is put in as it is', async value => {
    const { surface } = serve(files);
    const { messages } = await over(surface.getPrompt('hello', { name: value, place: 'P' }, request()));
    expect(messages).toEqual([say(`Hello ${value} in P {{x}}`)]);
  });

  it('W76 required arguments are enforced all at once, even if none are sent', async () => {
    const { surface } = serve(files);
    const both = {
      code: -32602,
      message: 'hello needs the arguments name, place',
      data: { missing: ['name', 'place'] },
    };
    for (const none of [undefined, null, {}]) {
      expect(await problem(() => surface.getPrompt('hello', none, request()))).toEqual(both);
    }
    expect(await problem(() => surface.getPrompt('hello', { name: 'a' }, request()))).toMatchObject({
      message: 'hello needs the argument place',
    });
    // Inherited from every object, but sent by nobody.
    const inherited = serve({
      'mcp/prompts/p.yaml': 'description: d\ntext: x\narguments: {constructor: {required: true}}\n',
    });
    expect(await problem(() => inherited.surface.getPrompt('p', {}, request()))).toMatchObject({ code: -32602 });
  });

  it('W76 arguments must be strings, and those that the prompt does not have are ignored', async () => {
    const { surface } = serve(files);
    const wrong = { name: 1, place: ['x'], tone: null };
    expect(await problem(() => surface.getPrompt('hello', wrong, request()))).toEqual({
      code: -32602,
      message: 'Prompt arguments must be strings, and name, tone, place in hello are not',
      data: { wrong: ['name', 'tone', 'place'] },
    });
    for (const none of ['text', 3, ['a']]) {
      expect(await problem(() => surface.getPrompt('hello', none, request()))).toMatchObject({ code: -32602 });
    }
    const more = { name: 'a', place: 'b', other: 3 };
    expect((await over(surface.getPrompt('hello', more, request()))).messages).toHaveLength(1);
    expect((await over(surface.getPrompt('hello', { name: '', place: '' }, request()))).messages).toHaveLength(1);
  });

  it('W80 an unknown prompt gets -32602', async () => {
    const { surface } = serve(files);
    expect(await problem(() => surface.getPrompt('helo', {}, request()))).toEqual({
      code: -32602,
      message: 'Unknown prompt: helo',
      data: { name: 'helo', didYouMean: 'hello' },
    });
  });
});

describe('prompts of messages', () => {
  it('W78 messages keep their roles and every kind of content', async () => {
    const { surface } = serve({
      'assets/a.png': png,
      'assets/b.bin': png,
      'assets/c.wav': png,
      'docs/d.md': '# Title\n',
      'docs/e': Uint8Array.of(0xff),
      'mcp/prompts/p.yaml': [
        'description: d',
        'arguments: {key: {}}',
        'messages:',
        '  - {role: assistant, text: "About {{key}}"}',
        '  - {role: user, image: assets/a.png}',
        '  - {role: user, image: {file: assets/b.bin, mimeType: image/x-own}}',
        '  - {role: user, audio: assets/c.wav}',
        '  - {role: user, resource: {uri: "doc://{{key}}", file: docs/d.md}}',
        '  - {role: user, resource: {uri: "doc://e", file: docs/e}}',
        '  - {role: user, resource: {uri: "doc://f", mimeType: text/x-own, text: "Text of {{key}}"}}',
        '  - {role: user, link: {uri: "i://{{key}}", name: "{{key}}", title: "{{key}}", description: "The {{key}}", mimeType: a/b}}',
        '  - {role: user, link: {uri: "i://1", name: one}}',
      ].join('\n'),
    });
    const { messages } = await over(surface.getPrompt('p', { key: 'K' }, request()));
    const base64 = Buffer.from(png).toString('base64');
    expect(messages).toEqual([
      { role: 'assistant', content: { type: 'text', text: 'About K' } },
      { role: 'user', content: { type: 'image', data: base64, mimeType: 'image/png' } },
      { role: 'user', content: { type: 'image', data: base64, mimeType: 'image/x-own' } },
      { role: 'user', content: { type: 'audio', data: base64, mimeType: 'audio/wav' } },
      {
        role: 'user',
        content: { type: 'resource', resource: { uri: 'doc://K', mimeType: 'text/markdown', text: '# Title\n' } },
      },
      {
        role: 'user',
        content: { type: 'resource', resource: { uri: 'doc://e', mimeType: 'application/octet-stream', blob: '/w==' } },
      },
      {
        role: 'user',
        content: { type: 'resource', resource: { uri: 'doc://f', mimeType: 'text/x-own', text: 'Text of K' } },
      },
      {
        role: 'user',
        content: {
          type: 'resource_link',
          uri: 'i://K',
          name: 'K',
          title: '{{key}}',
          description: 'The K',
          mimeType: 'a/b',
        },
      },
      { role: 'user', content: { type: 'resource_link', uri: 'i://1', name: 'one' } },
    ]);
  });

  it('W78 a file is read when it is asked for, and never from outside the pack', async () => {
    const { surface, folder, reports } = serve({
      'docs/d.md': 'old',
      'mcp/prompts/p.yaml': 'description: d\nmessages: [{role: user, resource: {uri: "d://d", file: docs/d.md}}]\n',
    });
    folder.write('docs/d.md', 'new');
    const { messages } = await over(surface.getPrompt('p', {}, request()));
    expect(messages).toMatchObject([{ content: { resource: { text: 'new' } } }]);
    folder.write('docs/d.md', { link: 'outside' });
    const { message, code } = await problem(() => surface.getPrompt('p', {}, request()));
    expect(code).toBe(-32603);
    expect(message).toMatch(/^p failed \([0-9a-f]{8}\)$/);
    expect(reports.join()).toContain('docs/d.md: it is outside the pack');
  });
});

describe('prompts of handlers', () => {
  it.each([
    ['a text', 'hi', [say('hi')]],
    ['a message', { role: 'assistant', content: 'hi' }, [{ role: 'assistant', content: { type: 'text', text: 'hi' } }]],
    ['messages', [say('a'), { role: 'user', content: 'b' }], [say('a'), say('b')]],
    ['texts', ['a', 'b'], [say('a'), say('b')]],
    ['a whole answer', { messages: [say('a')] }, [say('a')]],
    ['no messages', { messages: [] }, []],
    ['content of a builder', text('a'), [say('a')]],
    ['several contents', { role: 'user', content: ['a', text('b')] }, [say('a'), say('b')]],
    ['a message without a role', { content: 'a' }, [say('a')]],
    [
      'an image',
      [{ role: 'user', content: image('AAAA', 'image/png') }],
      [{ role: 'user', content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } }],
    ],
  ])('W73 a prompt handler may return %s', async (_, returned, messages) => {
    for (const handler of [() => returned, async () => returned]) {
      const answer = await over(handled(handler).surface.getPrompt('p', {}, request()));
      expect(answer).toEqual({ description: 'd', messages });
    }
  });

  it('W73 a prompt handler gets its arguments and its context', async () => {
    const seen: unknown[] = [];
    const handler = (args: object, ctx: PromptContext) => {
      seen.push(args, ctx.app, ctx.client.name, ctx.requestId, ctx.signal.aborted);
      return { description: 'own', messages: ['x'] };
    };
    const { surface } = handled(handler, 'arguments: {a: {}, b: {}}\n', { app: { db: 1 } });
    const answer = await over(surface.getPrompt('p', { a: '1', c: '2' }, request({ id: 'r7' })));
    expect(answer.description).toBe('own');
    expect(seen).toEqual([{ a: '1' }, { db: 1 }, 'tests', 'r7', false]);
  });

  it.each([
    ['nothing', undefined, 'not nothing'],
    ['a number', 3, 'not a number'],
    ['an object', { a: 1 }, 'not a object'],
    ['lists in lists', [['a', ['b']]], 'not a list in a list'],
    ['another role', { role: 'system', content: 'x' }, 'the role "system"'],
    ['content that lacks something', { role: 'user', content: { type: 'image', data: 'x' } }, '"mimeType"'],
    ['content of no known type', { role: 'user', content: { type: 'video' } }, 'no content type "video"'],
    [
      'a resource without contents',
      { role: 'user', content: { type: 'resource', resource: {} } },
      'a uri and a string',
    ],
    ['a prototype as type', { role: 'user', content: { type: 'constructor' } }, 'no content type'],
  ])('W77 a prompt handler that returns %s has failed', async (_, returned, reason) => {
    const { surface, reports } = handled(() => returned);
    const { code, message } = await problem(() => surface.getPrompt('p', {}, request()));
    expect(code).toBe(-32603);
    expect(message).toMatch(/^p failed \([0-9a-f]{8}\)$/);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toContain(reason);
    expect(reports[0]).toContain(/\(.*\)/.exec(String(message))?.[0] ?? '?');
  });

  it('W77 what a prompt handler throws is hidden, except for the message of a ToolError', async () => {
    const fail = (error: unknown, options?: Options) =>
      handled(
        () => {
          throw error;
        },
        '',
        options,
      );
    const hidden = fail(new Error('password is hunter2', { cause: new Error('deep') }));
    const told = await problem(() => hidden.surface.getPrompt('p', {}, request()));
    expect(JSON.stringify(told)).not.toContain('hunter2');
    expect(hidden.reports.join()).toContain('password is hunter2');
    expect(hidden.reports.join()).toContain('deep');
    const shown = fail(new ToolError('The board is closed', { code: 'CLOSED' }));
    expect(await problem(() => shown.surface.getPrompt('p', {}, request()))).toEqual({
      code: -32603,
      message: 'The board is closed',
      data: { code: 'CLOSED', meta: {} },
    });
    expect(shown.reports).toEqual([]);
    const open = fail(new Error('no such host'), { showCauses: true });
    expect((await problem(() => open.surface.getPrompt('p', {}, request())))['message']).toMatch(
      /^p failed \([0-9a-f]{8}\): no such host$/,
    );
    for (const odd of [undefined, null, 'text', Symbol('s'), new Proxy({}, { get: () => expect.fail() })]) {
      expect(await problem(() => fail(odd).surface.getPrompt('p', {}, request()))).toMatchObject({ code: -32603 });
    }
  });

  it('W77 `onError: message` gives a message of the user instead of an error', async () => {
    const failing = handled(() => {
      throw new Error('secret reason');
    }, 'onError: message\n');
    const { messages, description } = await over(failing.surface.getPrompt('p', {}, request()));
    expect(description).toBe('d');
    expect(messages).toEqual([say(expect.stringMatching(/^p failed \([0-9a-f]{8}\)$/))]);
    expect(failing.reports.join()).toContain('secret reason');
    const kind = handled(() => {
      throw new ToolError('Try again tomorrow');
    }, 'onError: message\n');
    expect((await over(kind.surface.getPrompt('p', {}, request()))).messages).toEqual([say('Try again tomorrow')]);
    // A wrong request is wrong all the same.
    const needy = handled(() => 'x', 'onError: message\narguments: {a: {required: true}}\n');
    expect(await problem(() => needy.surface.getPrompt('p', {}, request()))).toMatchObject({ code: -32602 });
  });

  it('W77 a missing prompt handler is a failure that says nothing about the disk', async () => {
    const { surface, reports } = serve({ 'mcp/prompts/p.yaml': 'description: d\nhandler: src/p.ts\n' });
    expect((await problem(() => surface.getPrompt('p', {}, request())))['message']).not.toContain('src');
    expect(reports.join()).toContain('src/p.ts');
    const noFunction = handled({ a: 1 });
    expect(await problem(() => noFunction.surface.getPrompt('p', {}, request()))).toMatchObject({ code: -32603 });
    expect(noFunction.reports.join()).toContain('is not a function');
  });

  it('secrets never leave with a prompt', async () => {
    const secret = 's3cr3t-value';
    const returned = {
      description: `d ${secret}`,
      messages: [
        `a ${secret}`,
        { role: 'user', content: { type: 'resource', resource: { uri: 'a://b', text: `b ${secret}` } } },
        { role: 'user', content: { type: 'resource_link', uri: 'a://b', name: 'n', description: `c ${secret}` } },
      ],
    };
    const { surface } = handled(() => returned, '', { secret });
    expect(JSON.stringify(await over(surface.getPrompt('p', {}, request())))).not.toContain(secret);
    const failing = handled(
      () => {
        throw new ToolError(`bad ${secret}`);
      },
      '',
      { secret },
    );
    expect(await problem(() => failing.surface.getPrompt('p', {}, request()))).toMatchObject({
      message: 'bad [secret]',
    });
    const crashing = handled(
      () => {
        throw new Error(`bad ${secret}`);
      },
      '',
      { secret, showCauses: true },
    );
    expect(JSON.stringify(await problem(() => crashing.surface.getPrompt('p', {}, request())))).not.toContain(secret);
    expect(crashing.reports.join()).not.toContain(secret);
  });

  it('W77 a prompt handler that never ends is given up after a minute', async () => {
    vi.useFakeTimers();
    let signal: AbortSignal | undefined;
    const { surface, reports } = handled((_: unknown, ctx: PromptContext) => {
      signal = ctx.signal;
      return new Promise(() => {});
    });
    const told = problem(() => surface.getPrompt('p', {}, request()));
    await vi.advanceTimersByTimeAsync(59_999);
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await told).toEqual({
      code: -32603,
      message: 'p took longer than 60000 ms',
      data: { code: 'TIMEOUT', meta: {} },
    });
    expect(signal?.aborted).toBe(true);
    expect(reports).toEqual(['p took longer than 60000 ms']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('C4 a cancelled request aborts its prompt handler', async () => {
    const controller = new AbortController();
    let signal: AbortSignal | undefined;
    const { surface, reports } = handled((_: unknown, ctx: PromptContext) => {
      signal = ctx.signal;
      queueMicrotask(() => controller.abort());
      return new Promise((_resolve, reject) => ctx.signal.addEventListener('abort', () => reject(new Error('late'))));
    }, 'onError: message\n');
    expect(await problem(() => surface.getPrompt('p', {}, request({ signal: controller.signal })))).toMatchObject({
      message: 'the call was cancelled',
    });
    expect(signal?.aborted).toBe(true);
    expect(reports).toEqual([]);
  });
});

describe('prompts that ask', () => {
  const ask = async (_: unknown, ctx: PromptContext) => {
    const question = { message: 'What for?', schema: { why: { type: 'string' } } };
    const answer = await ctx.elicit('why', question);
    return answer.action === 'accept' ? `Because ${String(answer.content['why'])}` : 'No reason';
  };
  const client = { name: 'c', version: '1', capabilities: { elicitation: {} } };

  it('W73 a prompt asks a question, and the answer comes with the same prompt', async () => {
    const { surface } = handled(ask);
    const first = await surface.getPrompt('p', {}, request({ client }));
    if (!('asking' in first)) throw new Error('nothing is asked');
    expect(Object.keys(first.asking.questions)).toEqual(['why']);
    const { state } = first.asking;
    const answers = { why: { action: 'accept', content: { why: 'I want' } } };
    const second = await over(surface.getPrompt('p', {}, request({ client, answers, state })));
    expect(second.messages).toEqual([say('Because I want')]);
    // The state belongs to somebody.
    const stolen = request({ client, answers, state, principal: 'somebody else' });
    expect(await problem(() => surface.getPrompt('p', {}, stolen))).toMatchObject({ code: -32602 });
  });

  it('C6 a client that cannot be asked gets an error', async () => {
    const { surface } = handled(ask);
    expect(await problem(() => surface.getPrompt('p', {}, request()))).toMatchObject({
      code: -32603,
      data: { code: 'CAPABILITY_MISSING' },
    });
  });
});
