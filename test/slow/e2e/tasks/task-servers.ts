// Servers with tasks for real clients: a pack, started from its manifests and as a build, over both transports; each test file has its own.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeFiles } from '../../../harness/files.js';
import { httpAddressOf } from '../../../harness/http-address.js';
import type { Target } from '../../../harness/interop-clients.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const command = join(root, 'dist/cli/main.js');

const files = {
  'toolwright.yaml': 'name: jobs\nversion: 1.0.0\n',
  'mcp/servers/jobs.yaml': 'description: Jobs\n',
  'mcp/tools.yaml': `greet: { description: Greets at once, handler: src/jobs.js#greet, parameters: { name: string } }
compute:
  description: Takes its time
  handler: src/jobs.js#compute
  effect: read
  task: optional
  parameters: { seconds: number }
fail: { description: Fails, handler: src/jobs.js#fail, task: required }
break: { description: Breaks, handler: src/jobs.js#breakDown, task: optional }
remove: { description: Asks, handler: src/jobs.js#remove, task: optional, parameters: { file: string } }
names: { description: Asks twice, handler: src/jobs.js#names, task: optional }
`,
  'package.json': '{ "name": "jobs", "version": "1.0.0", "type": "module" }\n',
  'src/jobs.js': `import { setTimeout as sleep } from 'node:timers/promises';
import { ProtocolError, ToolError } from 'toolwright';
const text = { type: 'string' };
export const greet = ({ name }) => \`Hello, \${name}!\`;
export async function compute({ seconds }, ctx) {
  ctx.progress(0, 1, 'computing');
  await sleep(seconds * 1000, undefined, { signal: ctx.signal });
  ctx.progress(1, 1);
  return 'computed';
}
export function fail() { throw new ToolError('it did not work'); }
export function breakDown() { throw new ProtocolError(-32050, 'the job broke'); }
export async function remove({ file }, ctx) {
  const { action, content } = await ctx.elicit('sure', { message: \`Delete \${file}?\`, schema: { confirm: { type: 'boolean' } } });
  return action === 'accept' && content.confirm ? \`deleted \${file}\` : \`kept \${file} (\${action})\`;
}
export async function names(_, ctx) {
  const ask = message => ({ message, schema: { name: text } });
  const all = await Promise.all([ctx.elicit('first', ask('First name?')), ctx.elicit('second', ask('Second name?'))]);
  return all.map(({ content }) => content.name).join(' and ');
}
`,
};

export const forms = ['start', 'built'] as const;
export type Form = (typeof forms)[number];

export interface TaskServers {
  /** For stdio; with an address, for HTTP too. */
  target(form: Form): Target;
  /** Another process of the same server. */
  serve(form: Form): Promise<{ readonly url: URL; readonly child: ChildProcess }>;
  close(): Promise<void>;
}

/** `server`: of its definition. */
export async function openTaskServers(
  server = files['mcp/servers/jobs.yaml'],
  wanted: readonly Form[] = forms,
): Promise<TaskServers> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-tasks-'));
  const pack = join(folder, 'pack');
  writeFiles(pack, { ...files, 'mcp/servers/jobs.yaml': server });
  mkdirSync(join(pack, 'node_modules'));
  symlinkSync(root, join(pack, 'node_modules/toolwright'), 'dir');
  const env = { XDG_STATE_HOME: join(folder, 'state') };
  const children: ChildProcess[] = [];
  const urls = new Map<Form, URL>();
  if (wanted.includes('built')) {
    const out = join(folder, 'built');
    const built = spawnSync(process.execPath, [command, 'build', '--out', out], { cwd: pack, encoding: 'utf8' });
    if (built.status !== 0) throw new Error(built.stderr);
  }
  const wordsOf = (form: Form): readonly string[] =>
    form === 'start' ? [command, 'start'] : [join(folder, 'built/jobs.cjs')];
  const serve: TaskServers['serve'] = async form => {
    const child = spawn(process.execPath, [...wordsOf(form), '--http', '0'], {
      cwd: pack,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    children.push(child);
    return { url: await httpAddressOf(child), child };
  };
  for (const form of wanted) urls.set(form, (await serve(form)).url);
  return {
    serve,
    target(form) {
      const url = urls.get(form);
      return { command: process.execPath, args: [...wordsOf(form), '--stdio'], cwd: pack, env, ...(url && { url }) };
    },
    async close() {
      await Promise.all(
        children
          .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
          .map(child => {
            const exit = new Promise(resolve => child.once('exit', resolve));
            child.kill();
            return exit;
          }),
      );
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
