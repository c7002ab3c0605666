// X13: resources that code lists: what it may return, and what becomes of mistakes.
import { describe, expect, it } from 'vitest';
import type { Page } from '../../../runtime/surface/surface.js';
import { loadFiles } from '../../harness/pack.js';
import { problem, request, type Served, serve } from './surface-pack.js';

const note = `uriTemplate: note://{id}
title: Note
description: A note
annotations: { priority: 0.5 }
handler: src/note.ts
list: src/note.ts#list
`;

function open(list: unknown, secret?: string): Served {
  return serve(
    {
      'mcp/resources/note.yaml': note,
      'mcp/resources/rules.yaml': 'uri: doc://rules\ndescription: Rules\ntext: Be kind.\n',
      ...(secret !== undefined && { 'toolwright.yaml': 'config: { TOKEN: { type: string, secret: true } }\n' }),
    },
    { handlers: { 'src/note.ts#list': list }, secret },
  );
}

const urisOf = ({ entries }: Page): readonly unknown[] => entries.map(({ uri }) => uri);

describe('resources that code lists', () => {
  it('X13 entries have what code says, and the rest from the manifest', async () => {
    const size = { uri: 'note://b', name: 'b', title: 'B', size: 3, annotations: { priority: 1 }, extra: 'dropped' };
    const { surface } = open(() => ['note://a', size]);
    expect(surface.listsByCode).toBe(true);
    const { entries } = await surface.listResources(undefined, request());
    expect(entries).toEqual([
      expect.objectContaining({ uri: 'doc://rules' }),
      { uri: 'note://a', name: 'note://a', title: 'Note', description: 'A note', annotations: { priority: 0.5 } },
      { uri: 'note://b', name: 'b', title: 'B', description: 'A note', annotations: { priority: 1 }, size: 3 },
    ]);
    expect(urisOf(surface.list('resources'))).toEqual(['doc://rules']);
  });

  it('X13 pages go over both, and a cursor of a list that changed is refused', async () => {
    let count = 4;
    const { surface } = serve(
      { 'mcp/resources/note.yaml': note, 'mcp/servers/s.yaml': 'pageSize: 3\n' },
      { handlers: { 'src/note.ts#list': () => Array.from({ length: count }, (_, index) => `note://${index}`) } },
    );
    const first = await surface.listResources(undefined, request());
    expect(urisOf(first)).toEqual(['note://0', 'note://1', 'note://2']);
    expect(urisOf(await surface.listResources(first.nextCursor, request()))).toEqual(['note://3']);
    count = 5;
    expect(await problem(() => surface.listResources(first.nextCursor, request()))).toMatchObject({ code: -32602 });
  });

  it.each([
    ['is not a list', { uri: 'note://a' }, 'it did not return a list'],
    ['has an entry without an address', [{ name: 'a' }], 'it returned an entry without a uri'],
    ['has an entry of another form', [5], 'it returned an entry whose uri is not of type string'],
    [
      'has a title that is a number',
      [{ uri: 'note://a', title: 5 }],
      'it returned an entry whose title is not of type string',
    ],
    ['has an address of another resource', ['doc://x'], 'it returned doc://x, which note://{id} does not match'],
  ])('X13 a result that %s fails the list, and the operator learns why', async (_, result, why) => {
    const { surface, reports } = open(() => result);
    expect(await problem(() => surface.listResources(undefined, request()))).toMatchObject({ code: -32603 });
    expect(reports.join('\n')).toContain(why);
  });

  it('X13 a function that throws or asks fails the list', async () => {
    const thrown = open(() => {
      throw new Error('no database');
    });
    expect(await problem(() => thrown.surface.listResources(undefined, request()))).toMatchObject({ code: -32603 });
    const client = { name: 'c', version: '1', capabilities: { elicitation: {} } };
    const asks = open((ctx: { elicit(key: string, asked: object): unknown }) =>
      ctx.elicit('q', { message: 'Which?', schema: { a: 'string' } }),
    );
    await problem(() => asks.surface.listResources(undefined, request({ client })));
    expect(asks.reports.join()).toContain('a list cannot ask questions');
  });

  it('X13 secrets and what is not JSON stay out of the list', async () => {
    const { surface } = open(
      () => [{ uri: 'note://a', name: 'k3y-of-it', _meta: { at: new Date(0), big: 1n } }],
      'k3y-of-it',
    );
    const { entries } = await surface.listResources(undefined, request());
    expect(JSON.stringify(entries)).not.toContain('k3y-of-it');
  });

  it('X13 list beside a fixed address is a mistake', () => {
    const { diagnostics } = loadFiles({
      'toolwright.yaml': '',
      'mcp/resources/r.yaml': 'uri: doc://r\ndescription: d\ntext: t\nlist: src/r.ts#list\n',
    });
    expect(diagnostics.map(({ code }) => code)).toContain('link/idle-list');
  });
});
