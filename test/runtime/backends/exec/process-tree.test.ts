// B3: a program ends with all that it has started, on a limit, on cancel and with the server.
import { spawn } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../../runtime/backends/exec/run-command.js';
import { compileModule } from '../../../harness/child-module.js';
import {
  failureOf,
  type Lifeline,
  living,
  makeCall,
  makeScope,
  openLifeline,
  run,
  script,
  startingStubborn,
} from './exec-kit.js';

const folder = mkdtempSync(join(tmpdir(), 'exec-tree-'));
let lifeline: Lifeline;
beforeAll(async () => {
  lifeline = await openLifeline();
});
afterAll(async () => {
  await lifeline.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command until `count` of its processes live, then cancels it with an error. */
async function cancelled(command: Parameters<typeof run>[0], count: number) {
  const stop = new AbortController();
  const failure = failureOf(runCommand(command, makeCall(stop.signal), makeScope(folder)));
  const lives = [];
  for (let index = 0; index < count; index += 1) lives.push(await lifeline.begun());
  stop.abort(new Error('nobody waits'));
  return { failure: await failure, ends: Promise.all(lives.map(({ ended }) => ended)) };
}

describe('the end of a process tree', () => {
  it('B3 cancelling ends the program and what it has started, though that ignores the signal and holds stdout', async () => {
    const code = `${startingStubborn(lifeline.port)} ${living(lifeline.port)}`;
    const { failure, ends } = await cancelled(script(code), 2);
    expect(failure).toEqual(new Error('nobody waits'));
    await ends;
  });

  it('B3 cancelling ends what has begun a session of its own, too, as browsers do', async () => {
    const { ends } = await cancelled(script(`${startingStubborn(lifeline.port, true)} ${living(lifeline.port)}`), 2);
    await ends;
  });

  it('B3 cancelling ends a program that ignores the signal', async () => {
    const { failure, ends } = await cancelled(script(`process.on('SIGTERM', () => {}); ${living(lifeline.port)}`), 1);
    expect(failure.message).toBe('nobody waits');
    await ends;
  });

  it('B3 a program can clean up when it is asked to end', async () => {
    const code = `process.on('SIGTERM', () => require('node:fs').writeFile(process.argv[1], 'clean', () => process.exit(0)));`;
    const file = join(folder, 'clean.txt');
    const { ends } = await cancelled(script(`${code} ${living(lifeline.port)}`, file), 1);
    await ends;
    expect(await run(script(`process.stdout.write(require('node:fs').readFileSync(process.argv[1]))`, file))).toBe(
      'clean',
    );
  });

  it('B3 output above the limit ends the tree', async () => {
    const flood = `process.stdout.on('error', () => {}); setInterval(() => process.stdout.write('x'.repeat(100_000)), 1);`;
    const code = `${startingStubborn(lifeline.port)} ${living(lifeline.port, flood)}`;
    const failure = failureOf(run({ ...script(code), maxBytes: 3_000_000 }));
    const lives = [await lifeline.begun(), await lifeline.begun()];
    for (const life of lives) life.release();
    expect(await failure).toMatchObject({ code: 'UPSTREAM_TOO_LARGE', retryable: false });
    expect((await failure).message).toContain('printed more than 3000000 bytes');
    await Promise.all(lives.map(({ ended }) => ended));
  });

  it('B3 output up to the limit is a result', async () => {
    const code = `process.stdout.write('x'.repeat(1000))`;
    expect(await run({ ...script(code), maxBytes: 1000 })).toHaveLength(1000);
    expect(await failureOf(run({ ...script(code), maxBytes: 999 }))).toMatchObject({ code: 'UPSTREAM_TOO_LARGE' });
    expect(await failureOf(run(script(`process.stdout.write('x'.repeat(10 * 1024 * 1024 + 1))`)))).toMatchObject({
      code: 'UPSTREAM_TOO_LARGE',
    });
  });

  it('B3 what a program leaves running does not keep its call, and lives on', async () => {
    const stop = new AbortController();
    const code = `${startingStubborn(lifeline.port)} console.log('started');`;
    expect(await runCommand(script(code), makeCall(stop.signal), makeScope(folder))).toBe('started');
    const { ended } = await lifeline.begun();
    stop.abort();
    const isOver = await Promise.race([ended.then(() => true), new Promise(resolve => setTimeout(resolve, 300))]);
    expect(isOver).toBeUndefined();
  });

  it('B3 a call that is cancelled before it begins starts nothing', async () => {
    const file = join(folder, 'never.txt');
    const command = script(`require('node:fs').writeFileSync(process.argv[1], '')`, file);
    const call = makeCall(AbortSignal.abort(new Error('too late')));
    expect((await failureOf(runCommand(command, call, makeScope(folder)))).message).toBe('too late');
    expect(await run(script(`console.log(require('node:fs').existsSync(process.argv[1]))`, file))).toBe('false');
  });

  it('B3 cancelling after the end changes nothing, and leaves no listener', async () => {
    const stop = new AbortController();
    const call = makeCall(stop.signal);
    expect(await runCommand(script('console.log(1)'), call, makeScope(folder))).toBe('1');
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
    stop.abort();
    expect(call.logged).toEqual([]);
  });

  it('B3 the programs of a server end with it', async () => {
    const module = compileModule('runtime/backends/exec/run-command.ts', join(folder, 'compiled'));
    const command = script(
      `${startingStubborn(lifeline.port, true)} process.on('SIGTERM', () => {}); ${living(lifeline.port)}`,
    );
    const code = `
      const { runCommand } = await import(${JSON.stringify(pathToFileURL(module).href)});
      const scope = { folder: '.', env: process.env, settings: { values: {}, redact: text => text } };
      runCommand(${JSON.stringify(command)}, { signal: new AbortController().signal, log: {} }, scope);
      process.stdin.once('data', () => process.exit(0));
    `;
    const server = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    const lives = [await lifeline.begun(), await lifeline.begun()];
    server.stdin.write('end');
    await Promise.all(lives.map(({ ended }) => ended));
  });

  it('B3 many programs run at the same time', async () => {
    const results = await Promise.all(Array.from({ length: 12 }, (_, index) => run(script(`console.log(${index})`))));
    expect(results).toEqual(Array.from({ length: 12 }, (_, index) => String(index)));
  });
});
