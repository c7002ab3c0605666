// Generated declarations under both compilers: handlers that fit compile, and each kind of mistake is an error.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  compile,
  complaints,
  declarationsOf,
  programOf,
  writeProject,
} from '../../generator/compile/declarations-pack.js';

const manifests = {
  'toolwright.yaml':
    'context: src/context.ts#create\nconfig:\n  TOKEN: { type: string }\n  LIMIT: { type: integer, default: 5 }\nbackends:\n  api: { type: http, url: "https://api.example.com" }\n  main: { type: sqlite, url: "sqlite:x.db" }\n  their-own: { type: mcp, command: [node] }\n',
  'mcp/tools/get-issue.yaml': `description: Get an issue.
parameters:
  issueKey: string
  limit: { type: integer, default: 10 }
  note: { type: string, required: false }
output: { title: string }
errors: { GONE: { message: Gone } }
options: { size: { type: integer, default: 1 } }
requires: { TOKEN: required }
`,
  'mcp/tools/sent.yaml': `description: A request.
parameters: { key: string, limit: { type: integer, default: 10 } }
output: { title: string }
errors: { GONE: { match: [404], message: Gone } }
http: GET /issue/{key}/{limit}
`,
  'mcp/prompts/theirs.yaml': 'description: x\nmcp: {}\n',
  'mcp/resources/page.yaml': 'uriTemplate: page://{id}\nhttp: GET /page/{id}\n',
  'mcp/tools/any.yaml': 'description: Returns anything.\n',
  'mcp/tools/tool.yaml': 'description: Named like a type of ours.\nresult: envelope\noutput: { a: string }\n',
  'mcp/tools.yaml':
    'new: {description: x}\nconstructor: {description: x}\ntoString: {description: x}\n2fa: {description: x}\n',
  'mcp/prompts/p.yaml': 'description: x\narguments: { a: { required: true }, b: { required: false } }\n',
  'mcp/resources/r.yaml': 'description: x\nuriTemplate: a://{id}{?q}\n',
};

const sources = {
  'src/context.ts': `import type { Config } from '../generated/index.js';
export const create = async ({ config }: { config: Config }) => ({ limit: config.LIMIT, find: (key: string) => key });
`,
  'src/right.ts': `import { prompts, resources, tools, type GetIssueHandler, type GetIssueInput, type GetIssueOutput } from '../generated/index.js';
import type { CallResult, Content, ToolHandler } from 'toolwright/support';
export const bare: GetIssueHandler = ({ issueKey }) => ({ title: issueKey });
export const sent: GetIssueInput = { issueKey: 'a' };
export const getIssue = tools.getIssue(async ({ issueKey, limit, note }, ctx) => {
  if (note === undefined) throw ctx.errors.GONE(undefined, { meta: { issueKey } });
  ctx.log.info('found', { limit: limit.toFixed() });
  ctx.progress(1, 2, 'half');
  const token: string = ctx.config.TOKEN;
  const size: number = ctx.options.size + ctx.app.limit + ctx.config.LIMIT;
  const answer = await ctx.elicit('size', { message: 'Size?', schema: { size: { type: 'string' } } });
  if (answer.action === 'accept') await ctx.once('order', () => answer.content.size.trim());
  const form = await ctx.elicit('form', {
    message: 'More?',
    schema: {
      colour: { type: 'string', enum: ['red', 'blue'] },
      count: { type: 'integer', default: 1 },
      gift: 'boolean',
      note: { type: 'string', required: false },
      tags: { type: 'array', items: { enum: ['a', 'b'] } },
      one: { oneOf: [{ const: 'x', title: 'X' }, { const: 'y' }] },
    },
  });
  if (form.action === 'accept') {
    const colour: 'red' | 'blue' = form.content.colour;
    const count: number = form.content.count;
    const gift: boolean = form.content.gift;
    const note: string | undefined = form.content.note;
    const tags: readonly ('a' | 'b')[] = form.content.tags;
    const one: 'x' | 'y' = form.content.one;
    ctx.log.info(colour, { count, gift, note, tags, one });
  }
  const whole = await ctx.elicit('whole', {
    message: 'x',
    schema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['a'] },
  });
  const ab: [string, number | undefined] = whole.action === 'accept' ? [whole.content.a, whole.content.b] : ['', 1];
  const page = await ctx.elicit('page', { message: 'Sign in', url: 'https://example.com' });
  const loose: { readonly [name: string]: unknown } = { ab, ...(page.content ?? {}) };
  const found = await ctx.call('get-issue', { issueKey: 'a' });
  if (!found.isError) ctx.log.info(found.structuredContent.title.trim(), loose);
  const { content } = await ctx.call('acme/jira/other', { a: 1 });
  ctx.log.info(content.length.toFixed());
  const names: readonly string[] = ['get-issue'];
  for (const name of names) await ctx.call(name, { a: 1 });
  for (const name of names) await ctx.call(\`get-\${name}\`, { a: 1 });
  for (const name of names) await ctx.call(name.toUpperCase() as Uppercase<string>);
  await ctx.call(size > 1 ? 'get-issue' : 'acme/jira/other', { a: 1 });
  const request = await ctx.call('sent', { key: 'a' });
  if (!request.isError) ctx.log.info(request.structuredContent.title.trim());
  const issue: unknown = await ctx.backends.api.request({ path: '/issue/1', query: { limit } });
  const rows: unknown = await ctx.backends.main.query('SELECT :a', { a: 1 }, { result: 'rows' });
  const { isError } = await ctx.backends['their-own'].callTool('x', { a: 1 });
  ctx.log.info('all', { issue, rows, isError });
  const { text } = await ctx.sample('s', { prompt: 'x', maxTokens: size, fallback: '' });
  const { structuredContent } = await ctx.call('any');
  await fetch('a:b', { signal: ctx.signal });
  ctx.notify.resourceUpdated('a://1');
  if (!ctx.has('sampling') && ctx.auth?.scopes.includes('x')) throw ctx.notImplemented();
  return { title: ctx.app.find(token) + text + structuredContent + ctx.client.name };
});
export const full = [
  tools.getIssue(({ issueKey }) => ({
    content: [{ type: 'text', text: issueKey }],
    structuredContent: { title: issueKey },
  })),
  tools.getIssue(async ({ issueKey }) => ({
    content: [{ type: 'text', text: issueKey }, content],
    structuredContent: { title: issueKey },
    _meta: { a: 1 },
  })),
  tools.getIssue(() => ({ content: [{ type: 'text', text: 'No.' }], isError: true })),
  tools.getIssue(({ note }) => {
    if (note === undefined) return { title: 'none' };
    return { content: [], structuredContent: { title: note } };
  }),
  tools.getIssue(async ({ note }, ctx) => {
    if (note === undefined) return await ctx.call('get-issue', { issueKey: 'a' });
    return { title: note };
  }),
];
const shown = (title: string): CallResult<GetIssueOutput> => ({ content: [content], structuredContent: { title } });
export const named = tools.getIssue(({ issueKey }) => shown(issueKey));
declare const content: Content;
interface Row { readonly id: number }
declare const row: Row;
export const results = [
  tools.any(() => 'text'),
  tools.any(() => 1),
  tools.any(() => true),
  tools.any(() => row),
  tools.any(() => [row]),
  tools.any(async () => ({ data: new Uint8Array(), mimeType: 'image/png' })),
  tools.any(() => content),
  tools.any(() => [content]),
  tools.any(() => ({ content: [content], isError: true })),
  tools.any(() => {}),
  tools.any(async () => {}),
  tools.any(() => undefined),
  tools.any((_, ctx) => { throw ctx.notImplemented(); }),
  tools.tool(() => ({ a: 'x', next_steps: ['y'] })),
  tools.new(() => 1),
  tools.constructor(() => 1),
  tools.toString(() => 1),
  tools._2fa(() => 1),
];
export const loose: ToolHandler<{ readonly a: string }> = ({ a }) => a;
export const p = prompts.p(({ a, b }) => [{ role: 'user', content: a + (b ?? '') }]);
export const r = resources.r(async ({ id, q }, ctx) => ({ uri: ctx.uri, text: id + (q ?? '') }));
export const nothing = resources.r(({ id }) => (id === 'a' ? 'text' : undefined));
export const nil = resources.r(async ({ id }) => (id === 'a' ? { id } : null));
`,
  'src/wrong.ts': `import { prompts, resources, tools, type GetIssueInput } from '../generated/index.js';
tools.any(async (_, ctx) => {
  const answer = await ctx.elicit('size', { message: 'Size?', schema: { size: { type: 'string' }, many: 'integer' } });
  if (answer.action !== 'accept') return;
  // @ts-expect-error a field that was not asked for
  answer.content.sise;
  // @ts-expect-error a text is no number
  const many: string = answer.content.many;
  // @ts-expect-error an argument that is missing
  await ctx.call('get-issue', {});
  // @ts-expect-error a tool that is not there
  await ctx.call('get-isue', { issueKey: 'a' });
  // @ts-expect-error one of two that is not there
  await ctx.call(many === '' ? 'get-issue' : 'get-isue', { issueKey: 'a' });
  // @ts-expect-error an argument of another type
  await ctx.call('get-issue', { issueKey: 1, note: many });
  const issue = await ctx.call('get-issue', { issueKey: 'a' });
  // @ts-expect-error it may have failed
  issue.structuredContent.title;
});
// @ts-expect-error an argument that does not exist
tools.getIssue(({ issuKey }) => ({ title: issuKey }));
// @ts-expect-error an argument that may be absent
tools.getIssue(({ note }) => ({ title: note }));
// @ts-expect-error an output without its field
tools.getIssue(() => ({}));
// @ts-expect-error an output of the wrong type
tools.getIssue(async () => ({ title: 1 }));
// @ts-expect-error content without its data
tools.getIssue(() => ({ content: [{ type: 'text', text: 'x' }] }));
// @ts-expect-error content with other data
tools.getIssue(async () => ({ content: [{ type: 'text', text: 'x' }], structuredContent: { title: 1 } }));
// @ts-expect-error data without content
tools.getIssue(() => ({ structuredContent: { title: '' } }));
// @ts-expect-error content that is no content
tools.getIssue(() => ({ content: ['x'], structuredContent: { title: '' } }));
// @ts-expect-error an error that is not declared (M27)
tools.getIssue((_, ctx) => { throw ctx.errors.OTHER(); });
// @ts-expect-error a tool without errors
tools.any((_, ctx) => { throw ctx.errors.GONE(); });
// @ts-expect-error an option that does not exist
tools.getIssue((_, ctx) => ({ title: String(ctx.options.sise) }));
// @ts-expect-error config that this tool does not require
tools.any((_, ctx) => ctx.config.TOKEN.length);
// @ts-expect-error a tool without code has no handler
tools.sent(() => ({ title: '' }));
// @ts-expect-error nor has a prompt
prompts.theirs(() => '');
// @ts-expect-error nor has a resource
resources.page(() => '');
// @ts-expect-error a backend that does not exist
tools.any((_, ctx) => ctx.backends.apis.request({ path: '/' }));
// @ts-expect-error what a backend of another kind can do
tools.any((_, ctx) => ctx.backends.main.request({ path: '/' }));
// @ts-expect-error an argument of another type, of a tool without code
tools.any((_, ctx) => ctx.call('sent', { key: 1 }));
// @ts-expect-error a tool that does not exist
tools.getIssues(() => 1);
// @ts-expect-error arguments cannot be assigned
tools.getIssue(args => { args.issueKey = ''; return { title: '' }; });
// @ts-expect-error what has no default must be sent
export const sent: GetIssueInput = { limit: 1 };
// @ts-expect-error a prompt's argument that may be absent
prompts.p(({ b }) => b.length.toString());
`,
};

describe('types of handlers', () => {
  const generated = declarationsOf(programOf(manifests));
  const { folder, remove } = writeProject({ ...sources, ...generated });
  afterAll(remove);

  it('B1 B2 B4 fix-P2 X4 M27 M33 W31 handlers that fit compile and mistakes do not, under TypeScript 5.9', () => {
    expect(complaints(compile(folder))).toEqual([]);
  });

  it('B1 B2 B4 fix-P2 X4 M27 M33 W31 handlers that fit compile and mistakes do not, under TypeScript 7', () => {
    const bin = join(dirname(createRequire(import.meta.url).resolve('typescript7/package.json')), 'bin/tsc');
    expect(run([bin, '--project', folder])).toBe('');
  });
});

/** What a script prints, also where it fails. */
function run(args: readonly string[]): string {
  try {
    return execFileSync(process.execPath, args, { encoding: 'utf8' });
  } catch (error) {
    return String((error as { readonly stdout?: unknown }).stdout);
  }
}
