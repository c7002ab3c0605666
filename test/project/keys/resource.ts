// The keys of resources.
import { absent, answered, documented, generated, icon, listed, media, type Pair } from './pair.js';

const read: readonly [string, Record<string, unknown>] = ['resources/read', { uri: 'doc://r' }];
const page = { resource: { uri: 'doc://r', text: 'Rules' } };
export const resource: Readonly<Record<string, Pair>> = {
  'resource.uri': listed('doc://r', 'doc://q', { base: { resource: { text: 'Rules' } } }),
  'resource.uriTemplate': listed('doc://{x}', 'note://{x}', { base: { resource: { handler: 'src/r.ts' } } }),
  'resource.name': listed(absent, 'other', { base: page }),
  'resource.title': listed(absent, 'Other', { base: page }),
  'resource.description': listed('The resource', 'Another', { base: page }),
  'resource.mimeType': listed(absent, 'text/markdown', { base: page }),
  'resource.size': listed(absent, 5, { base: page }),
  'resource.file': answered('docs/a.md', 'docs/b.md', {
    base: { resource: { uri: 'doc://r' }, files: media },
    asked: [read],
  }),
  'resource.text': answered('A', 'B', { base: { resource: { uri: 'doc://r' } }, asked: [read] }),
  'resource.handler': generated('src/a.ts', 'src/b.ts', { base: { resource: { uri: 'doc://r' } } }),
  'resource.list': answered(absent, 'src/list.ts#list', {
    base: { resource: { uriTemplate: 'doc://{id}', handler: 'src/r.ts' } },
    handlers: { 'src/list.ts#list': () => ['doc://a'] },
    asked: [['resources/list', {}]],
  }),
  'resource.complete': answered(
    { x: ['apple'] },
    { x: ['pear'] },
    {
      base: { resource: { uriTemplate: 'doc://{x}', handler: 'src/r.ts' } },
      asked: [
        [
          'completion/complete',
          { ref: { type: 'ref/resource', uri: 'doc://{x}' }, argument: { name: 'x', value: '' } },
        ],
      ],
    },
  ),
  'resource.subscribe': listed(absent, true, { base: page }),
  'resource.annotations': listed(absent, { priority: 1 }, { base: page }),
  'resource.annotations.audience': listed(absent, ['user'], {
    base: { resource: { ...page.resource, annotations: {} } },
  }),
  'resource.annotations.priority': listed(absent, 1, { base: { resource: { ...page.resource, annotations: {} } } }),
  'resource.annotations.lastModified': listed(absent, '2026-01-01T00:00:00Z', {
    base: { resource: { ...page.resource, annotations: {} } },
  }),
  'resource.cache': answered(absent, { ttlMs: 5 }, { base: page, asked: [read], era: '2026' }),
  'resource.tags': documented(absent, ['issues'], { base: page }),
  'resource.when': listed(
    absent,
    { ON: true },
    {
      base: { pack: { config: { ON: 'boolean' } }, resource: { uri: 'doc://r', text: 'Rules' } },
    },
  ),
  'resource.modes': listed(absent, ['admin'], { mode: 'user', base: page }),
  'resource.enabled': listed(absent, false, { base: page }),
  'resource.icons': listed(absent, [icon], { base: page }),
  'resource._meta': listed(absent, { 'example.com/x': 1 }, { base: page }),
};
