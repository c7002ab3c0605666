// T1. A tool with `task` that code calls: the caller has a promise in place of a handle, so that nothing is kept of the task. In: the requests
// of its rounds. Out: the same, each a run of one task: without a time limit, and with notes, which are progress.
import type { Request, SealedState } from '../../call/ports.js';
import { makeTaskId } from '../../tasks/task-id.js';
import type { Progress } from './registry.js';

export interface LooseTask {
  runOf(request: Request): Request;
  /** Its handler is heard no more. */
  end(): void;
}

/**
 * `tell` hears of notes.
 *
 * @example const task = openLooseTask(tell); await surface.callTool(tool, args, task.runOf(request));
 */
export function openLooseTask(tell: (step: Progress) => void): LooseTask {
  const id = makeTaskId(Date.now());
  let answers: SealedState['answers'] = {};
  let once: SealedState['once'] = {};
  let attempt = 0;
  let last: { readonly done: number; readonly total: number | undefined } = { done: 0, total: undefined };
  return {
    runOf(request) {
      attempt += 1;
      const mine = attempt;
      // What is asked again was answered wrongly.
      answers = { ...answers, ...request.answers };
      const progress = request.progress.bind(request);
      return Object.assign(request, {
        progress(done: number, total?: number, message?: string): void {
          last = { done, total };
          progress(done, total, message);
        },
        task: {
          ...{ id, attempt, journal: { answers, once } },
          mayBegin: async () => true,
          async keep(key: string, kept: unknown) {
            once = { ...once, [key]: kept };
            return true;
          },
          note(message: string) {
            if (mine === attempt) tell({ ...last, message });
          },
        },
      });
    },
    end() {
      attempt = 0;
    },
  };
}
