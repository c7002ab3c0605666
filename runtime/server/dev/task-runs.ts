// T1. Runs of tasks in processes that are replaced: a task outlives them. In: a run and the process that it is for. Out: its outcome; or it is
// lost, and the tasks begin another one, with all that was kept.
import type { Request } from '../../call/ports.js';
import { RunLost } from '../../call/run-lost.js';
import type { Method } from './messages.js';
import { type RemoteServer, ServerGone } from './remote-server.js';

interface Run {
  readonly tool: string;
  lose(): void;
  /** Settles with it, and never fails. */
  readonly over: Promise<void>;
}

export interface TaskRuns {
  /** Throws a RunLost where the process was replaced, and a ServerGone where it ended by itself. */
  call(remote: RemoteServer, method: Method, params: readonly unknown[], request: Request): Promise<unknown>;
  /** The process was replaced: what can be run again is, by the new code. */
  handOver(remote: RemoteServer): void;
  /** When it has no runs any more: what cannot be run again is worth a process. */
  over(remote: RemoteServer): Promise<void>;
}

/** `resumes`: whether a tool can be run again, by its wire name. */
export function openTaskRuns(resumes: (tool: string) => boolean): TaskRuns {
  const replaced = new WeakSet<RemoteServer>();
  const running = new Map<RemoteServer, Set<Run>>();

  return {
    async call(remote, method, params, request) {
      const losing = new AbortController();
      const lost = new Promise<never>((_, reject) => {
        losing.signal.addEventListener('abort', () => reject(new RunLost('its process was replaced')), { once: true });
      });
      let end = (): void => undefined;
      const over = new Promise<void>(resolve => {
        end = resolve;
      });
      const lose = (): void => losing.abort(new Error('another run has taken over'));
      const one: Run = { tool: String(params[0]), lose, over };
      const all = running.get(remote) ?? new Set();
      running.set(remote, all.add(one));
      const signal = AbortSignal.any([request.signal, losing.signal]);
      try {
        return await Promise.race([remote.call(method, params, { ...request, signal }), lost]);
      } catch (error) {
        if (error instanceof ServerGone && replaced.has(remote)) throw new RunLost(error.message);
        throw error;
      } finally {
        all.delete(one);
        if (all.size === 0) running.delete(remote);
        end();
        // It may never come.
        lost.catch(() => undefined);
      }
    },
    handOver(remote) {
      replaced.add(remote);
      for (const { tool, lose } of [...(running.get(remote) ?? [])]) if (resumes(tool)) lose();
    },
    async over(remote) {
      for (let all = running.get(remote); all !== undefined; all = running.get(remote))
        await Promise.all([...all].map(one => one.over));
    },
  };
}
