// The keys of tools, and of what several kinds share.
import { taskPolicyOf } from '../../../runtime/load/program.js';
import { createTestClient } from '../../../runtime/server/testing/index.js';
import { writeFolder } from '../../runtime/packs/code-packs.js';
import { over, request, serve } from '../../runtime/surface/surface-pack.js';
import { type Manifests, printed } from './kit.js';
import {
  a,
  absent,
  answered,
  documented,
  error,
  example,
  fail,
  generated,
  gone,
  icon,
  listed,
  type Pair,
  refused,
  shown,
  whereItRuns,
} from './pair.js';

/** How many of two calls were at work at the same time, and what they came to. */
const together = (before: unknown, after: unknown, tool: object = {}): Pair => ({
  values: [before, after],
  base: { tool: { ...tool } },
  shows: async (files, overlay) => {
    let working = 0;
    let most = 0;
    const work = async (): Promise<string> => {
      working += 1;
      most = Math.max(most, working);
      await new Promise(resolve => setImmediate(resolve));
      working -= 1;
      return 'done';
    };
    const { surface } = serve(files, { handlers: { 'src/tools/t.ts': work }, overlays: [overlay] });
    const results = await Promise.all([1, 2].map(id => over(surface.callTool('t', {}, request({ id })))));
    return JSON.stringify([most, results]);
  },
});

/** How the tool runs as a task. */
const asTask = (before: unknown, after: unknown, more: Partial<Pair> = {}): Pair =>
  shown(async files => taskPolicyOf(serve(files).program.tools[0] ?? { definition: {} }), before, after, more);

/** A tool that runs a line of JavaScript. */
const program = (code: string): Manifests => ({ tool: { exec: { command: 'node', args: ['-p', code] } } });

/** What a tool without code answers: the program runs. */
const ran = (before: unknown, after: unknown, more: Partial<Pair>): Pair => ({
  values: [before, after],
  base: program('1'),
  shows: async files => {
    const texts = Object.entries(files).map(([path, text]) => [path, String(text)] as const);
    const client = await createTestClient(writeFolder(Object.fromEntries(texts)));
    try {
      return await client.call('t');
    } finally {
      await client.close();
    }
  },
  ...more,
});

export const tool: Readonly<Record<string, Pair>> = {
  'tool.name': listed(absent, 'other'),
  'tool.title': listed(absent, 'Other'),
  'tool.description': listed('The tool', 'Another'),
  'tool.parameters': listed(absent, { a: 'string' }),
  'tool.inputSchema': listed(absent, { type: 'object', properties: { a: { type: 'string' } } }),
  'tool.output': listed(absent, { a: 'string' }),
  'tool.outputSchema': listed(absent, { type: 'object', properties: { a: { type: 'string' } } }),
  'tool.defaults': answered(absent, 'fill', {
    base: { tool: { inputSchema: { type: 'object', properties: { a: { type: 'string', default: 'x' } } } } },
  }),
  'tool.resultText': answered(absent, 'Wrote {{a}}', {
    base: { tool: { output: { a: 'string' } } },
    handlers: { 'src/tools/t.ts': () => ({ a: 'x' }) },
  }),
  'tool.result': listed(absent, 'envelope', { base: { tool: { output: { a: 'string' } } } }),
  'tool.exec': generated(absent, { command: 'node' }),
  'execCall.command': ran('node', 'no-such-program', { at: 'tool.exec.command' }),
  'execCall.args': ran(['-p', '1'], ['-p', '2'], { at: 'tool.exec.args' }),
  'execCondition.if': refused('a', 'b', {
    at: 'tool.exec.args.0.if',
    base: { tool: { parameters: { a: 'string' }, exec: { command: 'node', args: [{ if: 'a', args: ['-v'] }] } } },
  }),
  'execCondition.args': ran(['-p', '1'], ['-p', '2'], {
    at: 'tool.exec.args.0.args',
    base: {
      tool: {
        parameters: { a: { type: 'string', default: 'x' } },
        exec: { command: 'node', args: [{ if: 'a', args: ['-v'] }] },
      },
    },
  }),
  'execCall.cwd': ran(absent, 'no-such-folder', { at: 'tool.exec.cwd' }),
  'execCall.env': ran(absent, { A: 'x' }, { at: 'tool.exec.env', base: program('process.env.A') }),
  'execCall.stdin': ran(absent, '42', {
    at: 'tool.exec.stdin',
    base: { tool: { exec: { command: 'node', args: ['-p', '-'] } } },
  }),
  'execCall.result': ran(absent, 'json', { at: 'tool.exec.result', base: program('[1]') }),
  'execCall.ok': ran(absent, [3], { at: 'tool.exec.ok', base: program('process.exit(3)') }),
  'tool.handler': generated(absent, 'src/other.ts#run'),
  'tool.effect': listed(absent, 'read'),
  'tool.annotations': listed(absent, { openWorldHint: true }),
  ...Object.fromEntries(
    ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'].map(hint => [
      `annotations.${hint}`,
      listed(absent, true, { at: `tool.annotations.${hint}` }),
    ]),
  ),
  'annotations.title': listed(absent, 'Other', { at: 'tool.annotations.title' }),
  'tool.guidelines': listed(absent, { whenToUse: 'Always' }),
  ...Object.fromEntries(
    ['whenToUse', 'avoidIf', 'prerequisites', 'sideEffects', 'additionalInfo'].map(key => [
      `guidelines.${key}`,
      listed(absent, 'Always', { at: `tool.guidelines.${key}` }),
    ]),
  ),
  'tool.guidelinesIn': listed(absent, 'instructions', { base: { tool: { guidelines: { whenToUse: 'Always' } } } }),
  'tool.errors': documented(absent, { GONE: error }),
  'toolError.message': answered('Gone', 'Away', { at: 'tool.errors.GONE.message', handlers: fail }),
  'toolError.match': answered(absent, ['ENOENT'], {
    at: 'tool.errors.GONE.match',
    base: gone,
    handlers: {
      'src/tools/t.ts': () => {
        throw Object.assign(new Error('gone'), { code: 'ENOENT' });
      },
    },
  }),
  'toolError.status': answered(absent, 410, { at: 'tool.errors.GONE.status', base: gone, handlers: fail }),
  'toolError.retryable': answered(absent, true, { at: 'tool.errors.GONE.retryable', base: gone, handlers: fail }),
  'toolError.suggestedFix': answered(absent, 'Look again', {
    at: 'tool.errors.GONE.suggestedFix',
    base: gone,
    handlers: fail,
  }),
  'tool.options': generated(absent, { size: { type: 'integer' } }),
  'option.type': generated('integer', 'string', { at: 'tool.options.size.type' }),
  'option.description': generated(absent, 'How many', {
    at: 'tool.options.size.description',
    base: { tool: { options: { size: { type: 'integer' } } } },
  }),
  'option.default': generated(absent, 5, {
    at: 'tool.options.size.default',
    base: { tool: { options: { size: { type: 'integer' } } } },
  }),
  'option.enum': generated(absent, [1, 2], {
    at: 'tool.options.size.enum',
    base: { tool: { options: { size: { type: 'integer' } } } },
  }),
  'tool.requires': answered(absent, { sampling: 'required' }),
  'tool.requires.sampling': answered(absent, 'required', { base: { tool: { requires: {} } } }),
  'tool.requires.elicitation': answered(absent, 'required', { base: { tool: { requires: {} } } }),
  'tool.requires.roots': answered(absent, 'required', { base: { tool: { requires: {} } } }),
  'tool.initialize': refused(absent, '../outside.ts'),
  'initializer.handler': refused('src/tools/t.ts#init', '../outside.ts', { at: 'tool.initialize.handler' }),
  'initializer.when': shown(files => printed(files, ['start']), absent, 'start', {
    at: 'tool.initialize.when',
    base: {
      tool: { initialize: { handler: 'src/tools/t.js#begin' } },
      files: {
        'package.json': '{"name": "@acme/demo", "version": "1.0.0", "type": "module"}',
        'src/tools/t.js': "export default () => 'done';\nexport const begin = () => { console.error('begun'); };\n",
      },
    },
  }),
  'tool.examples': documented(absent, [example]),
  'example.name': documented('one', 'two', {
    at: 'tool.examples.0.name',
    base: { tool: { examples: [{ input: {} }] } },
  }),
  'example.description': documented(absent, 'The usual case', {
    at: 'tool.examples.0.description',
    base: { tool: { examples: [example] } },
  }),
  'example.input': documented(
    { a: 'x' },
    { a: 'y' },
    { at: 'tool.examples.0.input', base: { tool: { parameters: { a: 'string' }, examples: [{ name: 'one' }] } } },
  ),
  'example.output': documented(absent, 'Done', {
    at: 'tool.examples.0.output',
    base: { tool: { examples: [example] } },
  }),
  'example.error': documented(absent, 'GONE', {
    at: 'tool.examples.0.error',
    base: { tool: { errors: { GONE: error }, examples: [example] } },
  }),
  'tool.limits': answered(absent, { resultChars: 5 }, { handlers: { 'src/tools/t.ts': () => 'a long text' } }),
  'limits.timeoutMs': answered(absent, 1, {
    at: 'tool.limits.timeoutMs',
    handlers: {
      'src/tools/t.ts': (_: object, { signal }: { signal: AbortSignal }) =>
        new Promise(resolve => {
          const timer = setTimeout(resolve, 300, 'done');
          signal.addEventListener('abort', () => clearTimeout(timer));
        }),
    },
  }),
  'limits.resultChars': answered(absent, 5, {
    at: 'tool.limits.resultChars',
    handlers: { 'src/tools/t.ts': () => 'a long text' },
  }),
  'tool.serial': together(absent, 'notes'),
  'tool.isolate': shown(whereItRuns, absent, 'thread'),
  'limits.concurrency': { at: 'tool.limits.concurrency', ...together(absent, 1) },
  'limits.queue': { at: 'tool.limits.queue', ...together(absent, 0, { serial: 'notes' }) },
  'tool.when': listed(absent, { ON: true }, { base: { pack: { config: { ON: 'boolean' } } } }),
  'tool.scopes': refused(absent, ['admin']),
  'tool.modes': listed(absent, ['admin'], { mode: 'user' }),
  'tool.tags': documented(absent, ['issues']),
  'tool.enabled': listed(absent, false),
  'tool.confirm': answered(absent, true),
  'tool.additionalParameters': listed(absent, true, { base: { tool: { parameters: { a: 'string' } } } }),
  'tool.clean': answered(absent, ['ansi'], { handlers: { 'src/tools/t.ts': () => '\u001b[31mred\u001b[0m' } }),
  'cache.ttlMs': listed(absent, 5, { at: 'server.cache.ttlMs', era: '2026' }),
  'cache.scope': listed(absent, 'public', { at: 'server.cache.scope', era: '2026' }),
  'tool.icons': listed(absent, [icon]),
  'icon.src': listed('https://example.com/a.png', 'https://example.com/b.png', {
    at: 'tool.icons.0.src',
    base: { tool: { icons: [{}] } },
  }),
  'icon.mimeType': listed(absent, 'image/png', { at: 'tool.icons.0.mimeType', base: { tool: { icons: [icon] } } }),
  'icon.sizes': listed(absent, ['48x48'], { at: 'tool.icons.0.sizes', base: { tool: { icons: [icon] } } }),
  'icon.theme': listed(absent, 'dark', { at: 'tool.icons.0.theme', base: { tool: { icons: [icon] } } }),
  'tool.ui': listed(absent, { resourceUri: 'doc://r' }),
  'tool.ui.resourceUri': listed(absent, 'doc://r', { base: { tool: { ui: {} } } }),
  'tool.ui.visibility': listed(absent, ['app'], { base: { tool: { ui: { resourceUri: 'doc://r' } } } }),
  'tool.task': asTask(absent, 'required'),
  'taskOptions.mode': asTask(absent, 'required', { at: 'tool.task.mode', base: { tool: { task: {} } } }),
  'taskOptions.ask': asTask(absent, 'before', { at: 'tool.task.ask', base: { tool: { task: {} } } }),
  'taskOptions.restart': asTask(absent, 'resume', { at: 'tool.task.restart', base: { tool: { task: {} } } }),
  'tool._meta': listed(absent, { 'example.com/x': 1 }),
  'parameter.required': listed(absent, false, { at: 'tool.parameters.a.required', base: a({ type: 'string' }) }),
  'parameter.default': listed(absent, 'x', { at: 'tool.parameters.a.default', base: a({ type: 'string' }) }),
  'parameter.items': listed(absent, { type: 'string' }, { at: 'tool.parameters.a.items', base: a({ type: 'array' }) }),
  'parameter.properties': listed(
    absent,
    { x: 'string' },
    { at: 'tool.parameters.a.properties', base: a({ type: 'object' }) },
  ),
  'parameter.from': listed(absent, 'auth.sub', { at: 'tool.parameters.a.from', base: a({ type: 'string' }) }),
  'parameter.header': listed(absent, 'Region', { at: 'tool.parameters.a.header', base: a({ type: 'string' }) }),
  'jsonSchema.required': listed(absent, ['a'], {
    at: 'tool.inputSchema.required',
    base: { tool: { inputSchema: { type: 'object', properties: { a: { type: 'string' } } } } },
  }),
  'jsonSchema.default': listed(absent, 'x', {
    at: 'tool.inputSchema.properties.a.default',
    base: { tool: { inputSchema: { type: 'object', properties: { a: { type: 'string' } } } } },
  }),
  'jsonSchema.items': listed(
    absent,
    { type: 'string' },
    {
      at: 'tool.inputSchema.properties.a.items',
      base: { tool: { inputSchema: { type: 'object', properties: { a: { type: 'array' } } } } },
    },
  ),
  'jsonSchema.properties': listed(
    absent,
    { x: { type: 'string' } },
    {
      at: 'tool.inputSchema.properties.a.properties',
      base: { tool: { inputSchema: { type: 'object', properties: { a: { type: 'object' } } } } },
    },
  ),
  'jsonSchema.x-mcp-header': listed(absent, 'Region', {
    at: 'tool.inputSchema.properties.a.x-mcp-header',
    base: { tool: { inputSchema: { type: 'object', properties: { a: { type: 'string' } } } } },
  }),
  'fileReference.file': listed('docs/a.md', 'docs/b.md', {
    at: 'tool.description.file',
    base: { tool: { description: {} }, files: { 'docs/a.md': 'One', 'docs/b.md': 'Two' } },
  }),
};
