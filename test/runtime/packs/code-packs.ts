// Packs on disk for the tests of createRegistry and createServer: written to a folder of their own, removed at the end.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { writeFiles } from '../../harness/files.js';

export type PackFiles = Readonly<Record<string, string>>;

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A new folder with these files; its path has no links in it. */
export function writeFolder(files: PackFiles): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-code-')));
  folders.push(folder);
  return writeFiles(folder, files);
}

/** The same files below a folder, as in `node_modules/@acme/jira`. */
export function below(folder: string, files: PackFiles): PackFiles {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
}

/** A pack of JavaScript handlers, one tool for each way in which a call can end. */
export const shop: PackFiles = {
  'package.json': '{"name": "@acme/shop", "version": "1.2.3", "type": "module"}',
  'toolwright.yaml': [
    'name: acme/shop',
    'handlers: lib',
    'context: lib/context.js#create',
    'config:',
    '  SHOP_TOKEN: { type: string, secret: true }',
    '  SHOP_LIMIT: { type: integer, default: 5 }',
    'tools: [find, order, fail, crash, show, ask, nothing, slow, progress, locked, shared]',
    '',
  ].join('\n'),
  'mcp/tools.yaml': `
find:
  name: shop.find
  title: Find articles
  description: Find articles.
  effect: read
  parameters:
    query: { type: string, minLength: 1, description: What to look for }
    limit: { type: integer, default: 10 }
    tags: { type: array, items: string, required: false }
  output:
    hits: { type: array, items: string }
    limit: integer
  guidelines: { whenToUse: The user names an article. }
order:
  description: Order an article, see {{tool:find}}.
  effect: write
  inputSchema:
    type: object
    properties: { article: { type: string }, count: { type: integer, default: 1, minimum: 1 } }
    required: [article]
    additionalProperties: false
fail:
  description: Fails as declared.
  errors:
    SOLD_OUT: { message: It is sold out., status: 409, retryable: true, suggestedFix: 'Look again with {{tool:find}}.' }
crash: { description: Fails unexpectedly. }
show: { description: Shows a picture. }
ask:
  description: Asks the user, the model and for folders.
  parameters: { what: string }
nothing: { description: Gives nothing. }
slow: { description: Takes its time., limits: { timeoutMs: 60000 } }
progress: { description: Tells how far it is. }
locked: { description: Needs a token., requires: { SHOP_TOKEN: required } }
shared: { description: Uses what is shared. }
`,
  'lib/tools/find.js': `export default ({ query, limit }) => ({ hits: [query], limit });`,
  'lib/tools/order.js': `export default ({ article, count = 1 }) => \`\${count} x \${article}\`;`,
  'lib/tools/fail.js': `export default (args, ctx) => { throw ctx.errors.SOLD_OUT(undefined, { meta: { left: 0 } }); };`,
  'lib/tools/crash.js': `export default () => { throw new Error('the password is hunter2'); };`,
  'lib/tools/show.js': `export default () => ({ data: new Uint8Array([1, 2]), mimeType: 'image/png' });`,
  'lib/tools/ask.js': `export default async ({ what }, ctx) => {
    const user = await ctx.elicit('user', { message: what, schema: { size: { type: 'string' } } });
    const model = ctx.has('sampling') ? await ctx.sample('model', { prompt: what, maxTokens: 10 }) : { text: 'no model' };
    const roots = await ctx.roots();
    return { user, model: model.text, roots };
  };`,
  'lib/tools/nothing.js': `export default () => {};`,
  'lib/tools/slow.js': `export default (args, ctx) => new Promise((resolve, reject) => {
    ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason), { once: true });
  });`,
  'lib/tools/progress.js': `export default (args, ctx) => {
    ctx.progress(1, 2, 'half');
    ctx.log.info('under way', { half: true });
    return String(ctx.requestId);
  };`,
  'lib/tools/locked.js': `export default (args, ctx) => ctx.config.SHOP_TOKEN.length;`,
  'lib/tools/shared.js': `export default (args, ctx) => ctx.app.next();`,
  'lib/context.js': `export function create({ config }) {
    let calls = 0;
    globalThis.shopsOpened = (globalThis.shopsOpened ?? 0) + 1;
    return {
      next: () => \`call \${(calls += 1)} of \${config.SHOP_LIMIT}\`,
      dispose() { globalThis.shopsClosed = (globalThis.shopsClosed ?? 0) + 1; },
    };
  }`,
};
