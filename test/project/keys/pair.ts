// A key, two values for it, and where the difference shows.

import { createTestClient } from '../../../runtime/server/testing/index.js';
import type { Files } from '../../harness/pack.js';
import { writeFolder } from '../../runtime/packs/code-packs.js';
import { findingsOf, fixtures, startEditor } from '../editor/editor.js';
import type { Circumstances, Manifests, View } from './kit.js';

export interface Pair extends Circumstances {
  /** Where in the manifests; default: the key itself. */
  readonly at?: string;
  /** undefined: the key is absent. */
  readonly values: readonly [unknown, unknown];
  /** What both packs have besides. */
  readonly base?: Manifests;
  /** A view, or a look of its own. */
  readonly shows: View | ((files: Files, overlay: Files) => Promise<unknown>);
}

export const absent = undefined;
export const a = (parts: object): Manifests => ({ tool: { parameters: { a: parts } } });
export const call = (args: object = {}): readonly [string, Record<string, unknown>] => [
  'tools/call',
  { name: 't', arguments: args },
];

const say: Record<string, unknown> = { 'src/tools/t.ts': (args: object) => JSON.stringify(args) };
export const fail = {
  'src/tools/t.ts': (_: object, ctx: { errors: Record<string, () => unknown> }) => {
    throw ctx.errors['GONE']?.();
  },
};
export const error = { message: 'Gone' };
export const gone: Manifests = { tool: { errors: { GONE: error } } };
export const icon = { src: 'https://example.com/a.png' };
export const example = { name: 'one', input: {} };
export const shown = (shows: Pair['shows'], before: unknown, after: unknown, more: Partial<Pair> = {}): Pair => ({
  values: [before, after],
  shows,
  ...more,
});
export const listed = (before: unknown, after: unknown, more: Partial<Pair> = {}): Pair =>
  shown('lists', before, after, more);
export const documented = (before: unknown, after: unknown, more: Partial<Pair> = {}): Pair =>
  shown('docs', before, after, more);
export const refused = (before: unknown, after: unknown, more: Partial<Pair> = {}): Pair =>
  shown('diagnostics', before, after, more);
export const answered = (before: unknown, after: unknown, more: Partial<Pair> = {}): Pair =>
  shown('answers', before, after, { handlers: say, asked: [call()], ...more });
export const generated = (before: unknown, after: unknown, more: Partial<Pair> = {}): Pair =>
  shown('generated', before, after, more);

/** The key binds a file to its schema in editors, and does nothing else: a real language server shows it. */
export const bound = (subject: string): Pair => ({
  values: [absent, `../../../../schema/${subject}.schema.json`],
  shows: async files => {
    const [text = ''] = Object.values(files).filter(text => typeof text === 'string' && text.includes('nonsense'));
    const server = await startEditor();
    try {
      return await findingsOf(server, `${fixtures}/keys/${subject}.yaml`, String(text));
    } finally {
      await server.stop();
    }
  },
  base: { [subject]: { nonsense: true } },
});

export const media: Files = {
  'docs/a.png': 'A',
  'docs/b.png': 'B',
  'docs/a.mp3': 'A',
  'docs/b.mp3': 'B',
  'docs/a.md': 'One',
  'docs/b.md': 'Two',
};

/** Whether a handler runs in the main thread: only real files are imported in another one. */
export const whereItRuns = async (files: Files): Promise<unknown> => {
  const code = `import { isMainThread } from 'node:worker_threads';\nexport default () => isMainThread;\n`;
  const texts = Object.entries(files).map(([path, text]) => [path, String(text)] as const);
  const client = await createTestClient(writeFolder({ ...Object.fromEntries(texts), 'src/tools/t.mjs': code }));
  try {
    return await client.call('t');
  } finally {
    await client.close();
  }
};
