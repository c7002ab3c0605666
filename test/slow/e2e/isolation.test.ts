// X10: tools in threads, in every way in which a server is run: the command, a built server, one file, `dev`, `call`, `test`, HTTP.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asked, ask, toolwright, writePack } from '../../harness/build-pack.js';
import { command, endSessions, startDev } from './dev-kit.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright isolation é-'));
afterAll(async () => {
  await endSessions();
  rmSync(folder, { recursive: true, force: true });
});

const files = {
  'package.json': '{"name": "apart", "version": "1.0.0", "type": "module"}',
  'toolwright.yaml':
    'isolate: thread\ncontext: src/app.ts#create\nconfig: { NAME: { type: string, default: nobody } }\n',
  'src/app.ts': `import { threadId } from 'node:worker_threads';
export const create = ({ config }: { config: { NAME: string } }) => ({
  name: config.NAME, threadId, dispose() { console.error('disposed in a thread: ' + (threadId > 0)); } });`,
  'mcp/servers/main.yaml': 'description: Main\n',
  'mcp/tools/spin.yaml': 'description: Spins\neffect: read\nlimits: { timeoutMs: 400 }\n',
  'src/tools/spin.ts': 'export default (): string => { for (;;); };',
  'mcp/tools/where.yaml':
    'description: Tells where it runs\neffect: read\noutput: { apart: boolean, name: string }\nexamples: [{ name: one, input: {}, output: { apart: true, name: nobody } }]\n',
  'src/tools/where.ts': `export default (_: object, ctx: { app: { threadId: number; name: string } }) => {
  console.log('NOISE');
  process.stdout.write('NOISE');
  return { apart: ctx.app.threadId > 0, name: ctx.app.name };
};`,
  'mcp/tools/exit.yaml': 'description: Exits\neffect: write\n',
  'src/tools/exit.ts': 'export default (): never => process.exit(3);',
  'mcp/tools/relays.yaml': 'description: Calls another\neffect: read\n',
  'src/tools/relays.ts': `export default async (_: object, ctx: { call(name: string): Promise<{ structuredContent?: unknown }> }) =>
  (await ctx.call('where')).structuredContent;`,
};
const calls = ['where', 'spin', 'exit', 'relays', 'where'].map(
  name => ['tools/call', { name, arguments: {} }] as const,
);

let pack = '';
beforeAll(() => {
  pack = writePack(join(folder, 'pack'), files);
  expect(toolwright(pack, 'generate').status).toBe(0);
});

function holds({ replies, code, stderr }: Asked, name = 'nobody'): void {
  const here = { result: { structuredContent: { apart: true, name } } };
  const failed = (error: string) => ({ result: { isError: true, _meta: { 'toolwright/error': { code: error } } } });
  expect(replies.slice(1)).toMatchObject([here, failed('TIMEOUT'), failed('THREAD_ENDED'), here, here]);
  expect(code).toBe(0);
  expect(stderr).toContain('NOISE');
  expect(stderr).toContain('disposed in a thread: true');
  expect(stderr).not.toContain('disposed in a thread: false');
}

describe('tools in threads', () => {
  it('X10 `start` runs them, and nothing that they print reaches stdout', async () => {
    const started = { args: ['start', 'main', '--cwd', pack], env: { NAME: 'nobody' } };
    holds(await ask(command, calls, started));
    // Words of Node that are for a whole process.
    holds(await ask(command, calls, { ...started, flags: ['--max-old-space-size=400', '--enable-source-maps'] }));
  });

  it.each([
    ['a folder', []],
    ['one file', ['--single-file']],
    ['one file with source maps', ['--single-file', '--sourcemap', '--minify']],
    ['a folder with external definitions', ['--definitions', 'external']],
  ])('X10 a built server that is %s runs them from its own files', async (name, flags) => {
    const out = join(folder, 'built', name);
    const built = toolwright(pack, 'build', 'main', '--out', out, ...flags);
    expect(built).toMatchObject({ status: 0 });
    const [entry = ''] = readdirSync(out).filter(file => /^main\.[cm]js$/.test(file));
    holds(await ask(join(out, entry), calls, { env: { NAME: 'Ada' } }), 'Ada');
    // A flag that its first file leaves to the rest of it.
    holds(await ask(join(out, entry), calls, { args: ['--mode', 'any'] }));
  });

  it('X10 `build --target worker` refuses them once for each place that says so', () => {
    const built = toolwright(pack, 'build', 'main', '--target', 'worker', '--out', join(folder, 'worker'));
    expect(built.status).toBe(1);
    expect(built.stdout + built.stderr).toContain('toolwright.yaml:1:10 error tools of the pack run in threads');
    expect((built.stdout + built.stderr).match(/build\/isolate/g)).toHaveLength(1);
  });

  it('X10 `call` and `test` run them', () => {
    expect(toolwright(pack, 'call', 'where')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('"apart": true'),
    });
    expect(toolwright(pack, 'call', 'spin').stderr).toContain('TIMEOUT');
    expect(toolwright(pack, 'test', '-t', 'where')).toMatchObject({ status: 0 });
  });

  it.each(['stdio', 'http'] as const)(
    'X10 `dev` over %s runs them, and a reload gives them new threads',
    async transport => {
      const session = await startDev(files, { way: { line: '2.x', transport } });
      await session.next('serving');
      expect(JSON.parse(await session.call('where'))).toEqual({ apart: true, name: 'nobody' });
      const spinning = session.call('spin');
      expect(JSON.parse(await session.call('relays'))).toEqual({ apart: true, name: 'nobody' });
      expect(await spinning).toContain('TIMEOUT');
      await session.change(
        { 'src/app.ts': files['src/app.ts'].replace('name: config.NAME', `name: 'changed'`) },
        'serving',
      );
      expect(JSON.parse(await session.call('where'))).toEqual({ apart: true, name: 'changed' });
      expect(await session.call('exit')).toContain('THREAD_ENDED');
      expect(JSON.parse(await session.call('where'))).toEqual({ apart: true, name: 'changed' });
    },
  );
});
