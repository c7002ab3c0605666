// Runs the built `toolwright call --task` and `toolwright tasks` as people and scripts do.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeFiles } from '../harness/files.js';
import { talkTo } from './terminal.js';

const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'toolwright-tasks-'));
const env = {
  ...process.env,
  TOOLWRIGHT_CACHE: join(folder, 'cache'),
  XDG_STATE_HOME: join(folder, 'state'),
  LOCALAPPDATA: join(folder, 'state'),
};
let pack = '';

const source = `
import { appendFileSync, existsSync } from 'node:fs';
const sleep = ms => new Promise(done => setTimeout(done, ms));
export const report = async ({ until }, ctx) => {
  await ctx.once('begin', () => appendFileSync('effects.log', 'begin\\n'));
  ctx.progress(1, 4, 'Begun');
  while (until !== undefined && !existsSync(until)) await sleep(20);
  await ctx.once('end', () => appendFileSync('effects.log', 'end\\n'));
  return { attempt: ctx.task.attempt };
};
export const order = async (_, ctx) => {
  ctx.task?.note('Looking for sizes');
  const { action, content } = await ctx.elicit('size', { message: 'Which size?', schema: { size: { type: 'string' } } });
  return action === 'accept' ? \`size \${content.size}\` : action;
};
export const fails = () => { throw new TypeError('the reason'); };
export const plain = () => 'plain';
`;

beforeAll(() => {
  const until = 'parameters: { until: { type: string, required: false } }\n';
  pack = writeFiles(join(folder, 'pack'), {
    'package.json': '{"name": "demo", "version": "1.0.0", "type": "module"}',
    'toolwright.yaml': '',
    'mcp/servers/main.yaml': 'description: Main\n',
    'mcp/tools/report.yaml': `description: R\ntask: { mode: required, restart: resume }\n${until}handler: src/tools.js#report\n`,
    'mcp/tools/fragile.yaml': `description: F\ntask: optional\n${until}handler: src/tools.js#report\n`,
    'mcp/tools/order.yaml': 'description: O\ntask: optional\nhandler: src/tools.js#order\n',
    'mcp/tools/first.yaml': 'description: O\ntask: { mode: optional, ask: before }\nhandler: src/tools.js#order\n',
    'mcp/tools/fails.yaml': 'description: F\ntask: optional\nhandler: src/tools.js#fails\n',
    'mcp/tools/sure.yaml': 'description: S\ntask: required\nconfirm: true\nhandler: src/tools.js#plain\n',
    'mcp/tools/sized.yaml': `description: S\ntask: { mode: optional, restart: resume }\noptions: { size: { type: integer, default: 1 } }\n${until}handler: src/tools.js#report\n`,
    'mcp/tools/plain.yaml': 'description: P\nhandler: src/tools.js#plain\n',
    'src/tools.js': source,
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    ...{ cwd: pack, env, input: '', encoding: 'utf8' },
  });
  return { status, stdout, stderr };
}

interface Left {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly id: string;
}

/** Presses Ctrl+C once `text` is on stderr. */
async function interrupt(text: string, ...args: readonly string[]): Promise<Left> {
  const child: ChildProcess = spawn(process.execPath, [command, ...args], { cwd: pack, env, stdio: 'pipe' });
  let [stdout, stderr] = ['', ''];
  let isStopped = false;
  child.stdout?.setEncoding('utf8').on('data', more => {
    stdout += more;
  });
  child.stderr?.setEncoding('utf8').on('data', more => {
    stderr += more;
    if (isStopped || !stderr.includes(text)) return;
    isStopped = true;
    child.kill('SIGINT');
  });
  const status = await new Promise<number | null>(done => child.on('close', done));
  return { status, stdout, stderr, id: /the task (\w+) has started/.exec(stderr)?.[1] ?? '' };
}

function effects(): string[] {
  return readFileSync(join(pack, 'effects.log'), 'utf8').split('\n').slice(0, -1);
}

function clearEffects(): void {
  writeFiles(pack, { 'effects.log': '' });
}

describe.skipIf(process.platform === 'win32')('T1 `toolwright call --task`', () => {
  it('T1 `call --task` prints the result of the task like that of a call, and how far it is on stderr', () => {
    const { status, stdout, stderr } = run('call', 'fragile', '--task');
    expect([status, JSON.parse(stdout)]).toEqual([0, { attempt: 1 }]);
    expect(stderr).toMatch(/^toolwright: the task \w{41} has started\ntoolwright: 1 of 4 Begun\n$/);
    const json = run('call', 'fragile', '--task', '--format', 'json', '--quiet');
    expect([json.status, JSON.parse(json.stdout).structuredContent, json.stderr]).toEqual([0, { attempt: 1 }, '']);
  });

  it('T1 `call` runs a tool that only runs as a task without `--task`', () => {
    const { status, stdout, stderr } = run('call', 'report');
    expect([status, JSON.parse(stdout)]).toEqual([0, { attempt: 1 }]);
    expect(stderr).toContain('has started');
  });

  it('T1 `call --task` prints the error of a tool as `call` does, and exits with 1', () => {
    const { status, stdout, stderr } = run('call', 'fails', '--task');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/error UNEXPECTED_ERROR \(500\): fails failed \([0-9a-f]+\): the reason/);
  });

  it('T1 `call --task` refuses what does not run as a task', () => {
    const { status, stderr } = run('call', 'plain', '--task');
    expect(status).toBe(2);
    expect(stderr).toContain('"plain" does not run as a task; write "task: optional" into its definition');
    expect(run('call', 'plain', '--task', '--dry-run').status).toBe(2);
    expect(run('call', '--resume', 'x', '--task').status).toBe(2);
  });

  it('T1 `call` of a task that needs agreement says how to agree, and runs with it', () => {
    const open = run('call', 'sure');
    expect([open.status, open.stdout]).toEqual([1, '']);
    expect(open.stderr).toContain('toolwright: sure did not run; --arg confirmed=true agrees to it\n');
    expect(run('call', 'sure', '--arg', 'confirmed=true')).toMatchObject({ status: 0, stdout: 'plain\n' });
  });

  it('T3 a task goes on only with the options that it was started with', async () => {
    const until = join(folder, 'sized');
    const { id } = await interrupt('1 of 4', 'call', 'sized', '--task', '--arg', `until=${until}`);
    writeFiles(folder, { sized: '' });
    const { status, stderr } = spawnSync(process.execPath, [command, 'call', '--resume', id], {
      ...{ cwd: pack, env: { ...env, TOOLWRIGHT_OPTIONS: '{"sized": {"size": 2}}' }, input: '', encoding: 'utf8' },
    });
    expect(status).toBe(1);
    expect(stderr).toContain('it was started with other variables or options');
    expect(run('call', '--resume', id).status).toBe(0);
  });

  it('T3 Ctrl+C leaves a task that can go on, and `call --resume` goes on with it by replay', async () => {
    clearEffects();
    const until = join(folder, 'go');
    const left = await interrupt('1 of 4', 'call', 'report', '--arg', `until=${until}`);
    expect([left.status, left.stdout]).toEqual([130, '']);
    expect(left.stderr).toContain(`the task ${left.id} was left as it is`);
    expect(left.stderr).toContain(`toolwright call --resume ${left.id}`);
    expect(JSON.parse(run('tasks', 'show', left.id, '--format', 'json').stdout)).toMatchObject({
      ...{ id: left.id, server: 'main', tool: 'report', status: 'waiting', note: 'Begun', runs: 1 },
      arguments: { until },
    });
    // Another call of the server works only at its own task.
    expect(run('call', 'fragile', '--task').status).toBe(0);
    expect(effects()).toEqual(['begin', 'begin', 'end']);
    writeFiles(folder, { go: '' });
    const resumed = run('call', '--resume', left.id);
    expect([resumed.status, JSON.parse(resumed.stdout)]).toEqual([0, { attempt: 2 }]);
    expect(effects()).toEqual(['begin', 'begin', 'end', 'end']);
    // It is over: its result is there, and nothing runs for it.
    expect(JSON.parse(run('call', '--resume', left.id).stdout)).toEqual({ attempt: 2 });
    expect(effects()).toHaveLength(4);
  });

  it('T3 a task that was left is gone on with by `start`', async () => {
    clearEffects();
    const until = join(folder, 'later');
    const { id } = await interrupt('1 of 4', 'call', 'report', '--arg', `until=${until}`);
    writeFiles(folder, { later: '' });
    const server = spawn(process.execPath, [command, 'start'], { cwd: pack, env, stdio: 'pipe' });
    try {
      const status = () => JSON.parse(run('tasks', 'show', id, '--format', 'json').stdout).status;
      for (let tries = 0; tries < 40 && status() !== 'completed'; tries += 1)
        await new Promise(go => setTimeout(go, 100));
      expect(status()).toBe('completed');
    } finally {
      server.kill();
    }
    expect(effects()).toEqual(['begin', 'end']);
  });

  it('T3 Ctrl+C cancels a task that could not go on', async () => {
    const { status, stderr, id } = await interrupt('1 of 4', 'call', 'fragile', '--task', '--arg', 'until=/never');
    expect([status, stderr.endsWith('cancelled: fragile cannot go on later (task.restart is not resume)\n')]).toEqual([
      130,
      true,
    ]);
    expect(JSON.parse(run('tasks', 'show', id, '--format', 'json').stdout).status).toBe('cancelled');
    const again = run('call', '--resume', id);
    expect([again.status, again.stderr]).toEqual([1, 'the task was cancelled\n']);
  });

  it.each([['order'], ['first']])('T1 `call --task` of %s asks on the terminal', async tool => {
    const quoted = [process.execPath, command, 'call', tool, '--task'].map(word => `"${word}"`).join(' ');
    const { next, shown } = await talkTo(quoted, [['size: ', 'M\n']], { cwd: pack, env });
    expect(next).toBe(1);
    expect(shown).toContain('size M');
  });

  it('T1 a task whose question nobody answers waits, and shows it', async () => {
    const quoted = [process.execPath, command, 'call', 'order', '--task'].map(word => `"${word}"`).join(' ');
    const { shown } = await talkTo(quoted, [['size: ', '\u0003']], { cwd: pack, env });
    const id = /the task (\w+) has started/.exec(shown)?.[1] ?? '';
    expect(shown).toContain(`call --resume ${id}`);
    const { stdout } = run('tasks', 'show', id);
    expect(stdout).toMatch(/status +input_required: it waits for answers\n/);
    expect(stdout).toContain('Which size?');
    const away = run('call', '--resume', id);
    expect([away.status, away.stdout]).toEqual([1, '']);
    expect(away.stderr).toContain('it waits for answers, and there is no terminal to ask on');
    const resume = [process.execPath, command, 'call', '--resume', id].map(word => `"${word}"`).join(' ');
    const answered = await talkTo(resume, [['size: ', 'S\n']], { cwd: pack, env });
    expect(answered.shown).toContain('size S');
  });
});

describe.skipIf(process.platform === 'win32')('T1 `toolwright tasks`', () => {
  it('T1 `tasks` lists the newest first, as a table and as JSON', async () => {
    const { id } = await interrupt('1 of 4', 'call', 'report', '--arg', 'until=/never');
    const { status, stdout } = run('tasks');
    const [head, first] = stdout.split('\n');
    expect(status).toBe(0);
    expect(head).toMatch(/^id +tool +status +age +note$/);
    expect(first).toMatch(new RegExp(`^${id}  report +waiting +\\d+ s +Begun$`));
    const { tasks } = JSON.parse(run('tasks', 'list', '--format', 'json').stdout);
    expect(tasks[0]).toMatchObject({ id, status: 'waiting' });
    expect(tasks[0].arguments).toBeUndefined();
    const cancelled = run('tasks', 'cancel', id);
    expect([cancelled.status, cancelled.stderr]).toEqual([0, `toolwright: the task ${id} is cancelled\n`]);
    const twice = run('tasks', 'cancel', id);
    expect([twice.status, twice.stderr]).toEqual([2, `toolwright: the task ${id} is over already: it is cancelled\n`]);
  });

  it('T1 `tasks` says where there are none, and makes no folder for a look', () => {
    const elsewhere = { ...env, XDG_STATE_HOME: join(folder, 'none'), LOCALAPPDATA: join(folder, 'none') };
    const options = { cwd: pack, env: elsewhere, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'tasks'], options);
    expect([status, stdout]).toEqual([0, '']);
    expect(stderr).toContain('toolwright: there are no tasks of the server main');
    expect(() => readFileSync(join(folder, 'none'))).toThrow('ENOENT');
  });

  it('T1 `tasks` says what is wrong with its words', () => {
    expect(run('tasks', 'show', 'nope').stderr).toContain('the server "main" has no task "nope"');
    expect(run('tasks', 'nope').stderr).toContain('did you mean toolwright tasks show nope?');
    expect(run('tasks', 'show').stderr).toContain('needs the id of a task');
    expect(run('tasks', 'list', 'x').stderr).toContain('tasks list takes no id');
    expect(run('tasks', '--server', 'other').stderr).toContain('there is no server "other" (the pack has main)');
    expect(['show nope', 'nope', 'show'].map(words => run('tasks', ...words.split(' ')).status)).toEqual([2, 2, 2]);
  });

  it('T2 `tasks` says how many are sealed with another key', async () => {
    const key = 'k'.repeat(43);
    const sealed = { ...env, TOOLWRIGHT_STATE_KEY: key };
    const options = { cwd: pack, env: sealed, input: '', encoding: 'utf8' } as const;
    const { status } = spawnSync(process.execPath, [command, 'call', 'report'], options);
    expect(status).toBe(0);
    expect(run('tasks').stderr).toContain('1 more cannot be read: they were sealed with another TOOLWRIGHT_STATE_KEY');
    const seen = JSON.parse(spawnSync(process.execPath, [command, 'tasks', '--format', 'json'], options).stdout);
    expect(seen.tasks[0]).toMatchObject({ tool: 'report', status: 'completed' });
  });
});
