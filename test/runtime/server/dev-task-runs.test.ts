// T1. Runs of tasks in processes of `dev` that are replaced.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Request } from '../../../runtime/call/ports.js';
import { RunLost } from '../../../runtime/call/run-lost.js';
import { openDrain, type RemoteServer, ServerGone } from '../../../runtime/server/dev/remote-server.js';
import { openTaskRuns } from '../../../runtime/server/dev/task-runs.js';
import { makeRequest } from '../call/context-round.js';

/** A process whose one call ends when the test says so. */
function fakeRemote() {
  let settle: { readonly resolve: (value: unknown) => void; readonly reject: (error: unknown) => void } | undefined;
  let request: Request | undefined;
  let isEnded = false;
  const remote: RemoteServer = {
    opened: new Promise(() => undefined),
    ready: new Promise(() => undefined),
    exited: new Promise(() => undefined),
    calls: 1,
    go: () => undefined,
    idle: () => new Promise(() => undefined),
    call(_method, _params, given) {
      request = given;
      return new Promise((resolve, reject) => {
        settle = { resolve, reject };
      });
    },
    async end() {
      isEnded = true;
    },
  };
  return {
    remote,
    answer: (value: unknown) => settle?.resolve(value),
    vanish: () => settle?.reject(new ServerGone('gone')),
    signal: () => request?.signal,
    isEnded: () => isEnded,
  };
}

it('T1 a run that can be run again is lost when its process is replaced, and its handler is stopped', async () => {
  const runs = openTaskRuns(() => true);
  const { remote, signal } = fakeRemote();
  const running = runs.call(remote, 'callTool', ['a'], makeRequest());
  runs.handOver(remote);
  await expect(running).rejects.toMatchObject({ name: 'RunLost', isCrash: false });
  expect(signal()?.aborted).toBe(true);
  await runs.over(remote);
});

it('T1 a run that cannot be run again keeps its replaced process beyond the time of calls', async () => {
  const runs = openTaskRuns(() => false);
  const { remote, answer, isEnded } = fakeRemote();
  const running = runs.call(remote, 'callTool', ['a'], makeRequest());
  const drain = openDrain(10);
  runs.handOver(remote);
  drain.add(remote, runs.over(remote));
  await sleep(60);
  expect(isEnded()).toBe(false);
  answer('done');
  expect(await running).toBe('done');
  await expect.poll(isEnded).toBe(true);
});

it('T1 a replaced process without runs of tasks ends with the time of its calls', async () => {
  const runs = openTaskRuns(() => false);
  const { remote, isEnded } = fakeRemote();
  openDrain(10).add(remote, runs.over(remote));
  await expect.poll(isEnded).toBe(true);
});

it('T1 a replaced process with a run ends with `dev`', async () => {
  const runs = openTaskRuns(() => false);
  const { remote, vanish, isEnded } = fakeRemote();
  const running = runs.call(remote, 'callTool', ['a'], makeRequest());
  const drain = openDrain(10_000);
  runs.handOver(remote);
  drain.add(remote, runs.over(remote));
  await drain.close();
  expect(isEnded()).toBe(true);
  vanish();
  await expect(running).rejects.toBeInstanceOf(RunLost);
});

it('T1 a run whose process ends by itself is not handed over', async () => {
  const runs = openTaskRuns(() => true);
  const { remote, vanish } = fakeRemote();
  const running = runs.call(remote, 'callTool', ['a'], makeRequest());
  vanish();
  await expect(running).rejects.toBeInstanceOf(ServerGone);
});
