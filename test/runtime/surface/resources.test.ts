import { describe, expect, it } from 'vitest';
import { image, link, resource, text } from '../../../runtime/call/content.js';
import { ToolError } from '../../../runtime/call/tool-error.js';
import { ResourceNotFound } from '../../../runtime/surface/problems.js';
import type { ResourceContents } from '../../../schema/support/mcp/content.js';
import type { ResourceContext } from '../../../schema/support/mcp/context.js';
import { entry, names, type Options, over, problem, request, serve } from './surface-pack.js';

/** What one resource at `r://r` gives that is made by a function. */
function handled(handler: unknown, definition = '', options: Options = {}) {
  const files = {
    'toolwright.yaml': 'config: {TOKEN: {type: string, secret: true}}\n',
    'mcp/resources/r.yaml': `uri: r://r\nhandler: src/r.ts\n${definition}`,
  };
  return serve(files, { handlers: { 'src/r.ts': handler }, ...options });
}

async function contentsOf(returned: unknown, definition = ''): Promise<readonly ResourceContents[]> {
  return (await over(handled(() => returned, definition).surface.readResource('r://r', request()))).contents;
}

const bytes = Uint8Array.of(0xff, 0x00, 0x01);
const base64 = '/wAB';

describe('the lists of resources', () => {
  it('J81 fixed addresses and templates have lists of their own', () => {
    const { surface } = serve({
      'docs/a.md': 'x',
      'mcp/resources.yaml': [
        'a: {uri: "r://a", file: docs/a.md, size: 7, title: A, description: d, annotations: {priority: 0.5}}',
        'b: {name: Bee, uriTemplate: "r://{x}", handler: src/b.ts, mimeType: a/b, size: 3, icons: [{src: "data:,"}]}',
        'c: {uri: "r://c", text: x, _meta: {example.com/a: 1}, subscribe: true}',
      ].join('\n'),
    });
    expect(surface.list('resources').entries).toEqual([
      {
        uri: 'r://a',
        name: 'a',
        title: 'A',
        description: 'd',
        mimeType: 'text/markdown',
        size: 7,
        annotations: { priority: 0.5 },
      },
      { uri: 'r://c', name: 'c', _meta: { 'example.com/a': 1 } },
    ]);
    expect(surface.list('resourceTemplates').entries).toEqual([
      { uriTemplate: 'r://{x}', name: 'Bee', mimeType: 'a/b', icons: [{ src: 'data:,' }] },
    ]);
    expect(surface.offers).toMatchObject({ resources: true, subscribe: true, completions: false });
  });
});

describe('addresses of resources', () => {
  const files = {
    'mcp/servers/s.yaml': 'resources: [any, issue, one, off, path]\n',
    'mcp/resources.yaml': [
      'any: {uriTemplate: "r://issue/{key}", handler: src/echo.ts}',
      'issue: {uriTemplate: "r://issue/{key}{?full}", handler: src/echo.ts}',
      'one: {uri: "r://issue/1", text: The first}',
      'off: {uri: "r://issue/2", text: Off, enabled: false}',
      'path: {uriTemplate: "f://{+path}", handler: src/echo.ts}',
    ].join('\n'),
  };
  const echo = (variables: object, ctx: ResourceContext) => ({ variables, uri: ctx.uri });
  const { surface } = serve(files, { handlers: { 'src/echo.ts': echo } });
  const read = async (uri: string): Promise<unknown> => {
    const [first] = (await over(surface.readResource(uri, request()))).contents;
    return first?.mimeType === 'application/json' ? JSON.parse(first.text ?? '') : first?.text;
  };

  it('J81 an exact address comes before every template, and templates in their order', async () => {
    expect(await read('r://issue/1')).toBe('The first');
    expect(await read('r://issue/7')).toEqual({ variables: { key: '7' }, uri: 'r://issue/7' });
    expect(surface.resource('r://issue/7')?.resource.item).toBe('any');
    expect(surface.resource('r://issue/7?full=yes')?.resource.item).toBe('issue');
    // What is off is not there, so that the address is one of the template's.
    expect(surface.resource('r://issue/2')?.resource.item).toBe('any');
  });

  it('J81 variables arrive decoded, and the address as it was asked for', async () => {
    expect(await read('r://issue/a%20b%2Fc')).toEqual({ variables: { key: 'a b/c' }, uri: 'r://issue/a%20b%2Fc' });
    expect(await read('f://a/b/c.md')).toMatchObject({ variables: { path: 'a/b/c.md' } });
  });

  it('J81 an unknown address gets -32602 with a ResourceNotFound of limited length', async () => {
    for (const uri of ['r://issue/', 'r://other', '', 'r://issue/%zz', 'r://issue/1/2', '__proto__']) {
      expect(await problem(() => surface.readResource(uri, request()))).toEqual({
        code: -32602,
        message: `Resource not found: ${uri}`,
        data: { uri },
      });
      expect(surface.resource(uri)).toBeUndefined();
    }
    await expect(surface.readResource('x', request())).rejects.toBeInstanceOf(ResourceNotFound);
    const long = await problem(() => surface.readResource(`x:${'y'.repeat(1_000_000)}`, request()));
    expect(JSON.stringify(long).length).toBeLessThan(1000);
  });

  it('J81 two resources with addresses of their own are both listed', () => {
    const twice = serve({ 'mcp/resources.yaml': 'a: {uri: "r://a", text: x}\nb: {uri: "r://b", text: y}\n' });
    expect(names(twice.surface, 'resources')).toEqual(['a', 'b']);
    expect(twice.surface.resource('r://a')?.resource.item).toBe('a');
  });
});

describe('texts and files of resources', () => {
  it('J80 a text resource is sent as it is, with its cache hints', async () => {
    const { surface } = serve({
      'mcp/resources.yaml': [
        'a: {uri: "r://a", text: "{{as}} it is"}',
        'b: {uri: "r://b", text: "{}", mimeType: application/json, cache: {ttlMs: 10, scope: public}}',
      ].join('\n'),
    });
    expect(await over(surface.readResource('r://a', request()))).toEqual({
      contents: [{ uri: 'r://a', mimeType: 'text/plain', text: '{{as}} it is' }],
    });
    expect(await over(surface.readResource('r://b', request()))).toEqual({
      contents: [{ uri: 'r://b', mimeType: 'application/json', text: '{}' }],
      cache: { ttlMs: 10, scope: 'public' },
    });
  });

  it.each([
    ['a.md', '# Hi\n', undefined, { mimeType: 'text/markdown', text: '# Hi\n' }],
    ['a.png', bytes, undefined, { mimeType: 'image/png', blob: base64 }],
    ['text.png', 'only text', undefined, { mimeType: 'image/png', blob: 'b25seSB0ZXh0' }],
    ['unknown', 'grüße', undefined, { mimeType: 'text/plain', text: 'grüße' }],
    ['unknown', bytes, undefined, { mimeType: 'application/octet-stream', blob: base64 }],
    ['broken.md', bytes, undefined, { mimeType: 'text/markdown', blob: base64 }],
    ['a.svg', '<svg/>', undefined, { mimeType: 'image/svg+xml', text: '<svg/>' }],
    ['A.JSON', '\ufeff{}', undefined, { mimeType: 'application/json', text: '{}' }],
    ['a.bin', 'x', 'application/ld+json; charset=utf-8', { mimeType: 'application/ld+json; charset=utf-8', text: 'x' }],
    ['empty', '', undefined, { mimeType: 'text/plain', text: '' }],
  ])('J80 the file %s is text or bytes by its type and content', async (name, content, mimeType, expected) => {
    const { surface } = serve({
      [`docs/${name}`]: content,
      'mcp/resources/r.yaml': JSON.stringify({ uri: 'r://r', file: `docs/${name}`, ...(mimeType && { mimeType }) }),
    });
    const { contents } = await over(surface.readResource('r://r', request()));
    expect(contents).toEqual([{ uri: 'r://r', ...expected }]);
  });

  it('fix-P7 J80 _meta of the definition is in the contents, unless a handler gives its own', async () => {
    const { surface } = serve(
      {
        'a.html': '<p>',
        'mcp/resources.yaml': [
          'a: {uri: "ui://a", text: x, _meta: {ui: {csp: {}}}}',
          'b: {uri: "ui://b", file: a.html, _meta: {ui: {csp: {}}}}',
          'c: {uri: "ui://c", handler: src/c.ts, _meta: {ui: {csp: {}}}}',
        ].join('\n'),
      },
      {
        handlers: {
          'src/c.ts#default': () => [
            { uri: 'ui://c', text: 'x' },
            { uri: 'ui://c', text: 'y', _meta: { own: 1 } },
            { uri: 'ui://other', text: 'z' },
          ],
        },
      },
    );
    const metas = async (uri: string) =>
      (await over(surface.readResource(uri, request()))).contents.map(({ _meta }) => _meta);
    expect(await metas('ui://a')).toEqual([{ ui: { csp: {} } }]);
    expect(await metas('ui://b')).toEqual([{ ui: { csp: {} } }]);
    expect(await metas('ui://c')).toEqual([{ ui: { csp: {} } }, { own: 1 }, undefined]);
  });

  it('J80 the file of a resource is read when it is asked for', async () => {
    const { surface, folder } = serve({ 'a.txt': 'old', 'mcp/resources/r.yaml': 'uri: r://r\nfile: a.txt\n' });
    folder.write('a.txt', 'new');
    expect((await over(surface.readResource('r://r', request()))).contents[0]?.text).toBe('new');
  });

  it.each([
    ['gone', { error: 'ENOENT' }, 'ENOENT'],
    ['a link out of the pack', { link: 'outside' }, 'a.txt: it is outside the pack'],
    ['too large', new Uint8Array(16 * 1024 * 1024 + 1), 'the limit is 16777216'],
  ])('J80 a file that is %s is an error without details', async (_, file, reason) => {
    const { surface, folder, reports } = serve({ 'a.txt': 'x', 'mcp/resources/r.yaml': 'uri: r://r\nfile: a.txt\n' });
    folder.write('a.txt', file);
    const { code, message } = await problem(() => surface.readResource('r://r', request()));
    expect(code).toBe(-32603);
    expect(message).toMatch(/^r failed \([0-9a-f]{8}\)$/);
    expect(reports.join()).toContain(reason);
  });
});

const circle: unknown[] = [];
circle.push(circle);

describe('handlers of resources', () => {
  const at = (rest: object): object[] => [{ uri: 'r://r', ...rest }];

  it.each([
    ['a text', 'hi', at({ mimeType: 'text/plain', text: 'hi' })],
    ['an empty text', '', at({ mimeType: 'text/plain', text: '' })],
    ['a number', 7, at({ mimeType: 'text/plain', text: '7' })],
    ['false', false, at({ mimeType: 'text/plain', text: 'false' })],
    ['bytes', bytes, at({ mimeType: 'application/octet-stream', blob: base64 })],
    ['a buffer', Buffer.from(bytes), at({ mimeType: 'application/octet-stream', blob: base64 })],
    ['an ArrayBuffer', bytes.slice().buffer, at({ mimeType: 'application/octet-stream', blob: base64 })],
    ['bytes with a type', { data: bytes, mimeType: 'image/png' }, at({ mimeType: 'image/png', blob: base64 })],
    ['bytes of text', { data: Buffer.from('a,b'), mimeType: 'text/csv' }, at({ mimeType: 'text/csv', text: 'a,b' })],
    ['a text with a type', { data: 'a,b', mimeType: 'text/csv' }, at({ mimeType: 'text/csv', text: 'a,b' })],
    ['an object', { a: [1] }, at({ mimeType: 'application/json', text: '{"a":[1]}' })],
    ['a list of data', [{ a: 1 }], at({ mimeType: 'application/json', text: '[{"a":1}]' })],
    ['contents', { uri: 'r://r', text: 'x' }, at({ text: 'x' })],
    ['contents of another address', { uri: 'r://s', blob: 'AA==' }, [{ uri: 'r://s', blob: 'AA==' }]],
    [
      'a list of contents',
      [
        { uri: 'r://r', text: 'x' },
        { uri: 'r://r/2', text: 'y' },
      ],
      [
        { uri: 'r://r', text: 'x' },
        { uri: 'r://r/2', text: 'y' },
      ],
    ],
    ['a whole result', { contents: [{ uri: 'r://r', text: 'x' }] }, at({ text: 'x' })],
    ['no contents', [], []],
    [
      'data with a uri and a text',
      { uri: 'r://r', text: 'x', title: 'y' },
      at({ mimeType: 'application/json', text: '{"uri":"r://r","text":"x","title":"y"}' }),
    ],
    ['what a builder made', text('x'), at({ mimeType: 'text/plain', text: 'x' })],
    ['an image of a builder', image('AAAA', 'image/png'), at({ mimeType: 'image/png', blob: 'AAAA' })],
    ['a resource of a builder', [resource('r://s', { text: 'x' })], [{ uri: 'r://s', text: 'x' }]],
  ])('J80 a resource handler may return %s', async (_, returned, expected) => {
    expect(await contentsOf(returned)).toEqual(expected);
  });

  it('J80 the media type of the definition wins over a guessed one', async () => {
    const type = 'mimeType: application/geo+json\n';
    expect(await contentsOf({ a: 1 }, type)).toEqual(at({ mimeType: 'application/geo+json', text: '{"a":1}' }));
    expect(await contentsOf(Buffer.from('{}'), type)).toEqual(at({ mimeType: 'application/geo+json', text: '{}' }));
    expect(await contentsOf('{}', type)).toEqual(at({ mimeType: 'application/geo+json', text: '{}' }));
    // A list of data that is empty today.
    expect(await contentsOf([], type)).toEqual(at({ mimeType: 'application/geo+json', text: '[]' }));
  });

  it.each([undefined, null])('J80 a resource handler that returns %s has nothing at this address', async nothing => {
    const { surface, reports } = handled(() => nothing);
    expect(await problem(() => surface.readResource('r://r', request()))).toEqual({
      code: -32602,
      message: 'Resource not found: r://r',
      data: { uri: 'r://r' },
    });
    expect(reports).toEqual([]);
  });

  it.each([
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a link', link('r://x', { name: 'x' })],
    ['an object that shows nothing', new (class Response {})()],
    ['what contains itself', circle],
    ['what cannot be read', new Proxy({}, { ownKeys: () => expect.fail('a trap') })],
  ])('J80 a resource handler that returns %s has failed', async (_, returned) => {
    const { surface, reports } = handled(() => returned);
    expect(await problem(() => surface.readResource('r://r', request()))).toMatchObject({ code: -32603 });
    expect(reports).toHaveLength(1);
  });

  it('J80 what a resource handler throws is hidden, except for the message of a ToolError', async () => {
    const fail = (error: unknown) =>
      handled(() => {
        throw error;
      });
    const hidden = fail(new Error('hunter2'));
    const told = await problem(() => hidden.surface.readResource('r://r', request()));
    expect(told['message']).toMatch(/^r failed \([0-9a-f]{8}\)$/);
    expect(hidden.reports.join()).toContain('hunter2');
    const shown = fail(new ToolError('Closed on Sundays'));
    expect(await problem(() => shown.surface.readResource('r://r', request()))).toEqual({
      code: -32603,
      message: 'Closed on Sundays',
      data: { code: 'TOOL_ERROR', meta: {} },
    });
  });

  it('secrets never leave with a resource', async () => {
    const secret = 's3cr3t-value';
    for (const returned of [
      `a ${secret}`,
      { a: secret },
      [{ uri: 'r://r', text: secret, _meta: { a: secret } }],
      { data: Buffer.from(secret), mimeType: 'text/plain' },
    ]) {
      const { surface } = handled(() => returned, '', { secret });
      const answer = await over(surface.readResource('r://r', request()));
      expect(JSON.stringify(answer)).not.toContain(secret);
      expect(JSON.stringify(answer)).toContain('[secret]');
    }
  });

  it('J80 a resource may ask a question first', async () => {
    const ask = async (_: unknown, ctx: ResourceContext) => {
      const answer = await ctx.elicit('size', { message: 'Which?', schema: { size: { type: 'string' } } });
      return `size ${String(answer.content?.['size'])}`;
    };
    const { surface } = handled(ask);
    const client = { name: 'c', version: '1', capabilities: { elicitation: {} } };
    const first = await surface.readResource('r://r', request({ client }));
    if (!('asking' in first)) throw new Error('nothing is asked');
    const answers = { size: { action: 'accept', content: { size: 'M' } } };
    const second = surface.readResource('r://r', request({ client, answers, state: first.asking.state }));
    expect((await over(second)).contents[0]?.text).toBe('size M');
  });

  it('listed resources do not mention handlers', () => {
    const { surface } = handled(() => 'x');
    expect(JSON.stringify(entry(surface, 'resources', 'r'))).not.toContain('src/r.ts');
  });
});
