// T1. In: a surface and a call of a test. Out: the task that it became, followed to its end, with its questions answered on the way.
import { messageOf } from '../../call/print-cause.js';
import { askUntilDone } from '../../protocol/questions.js';
import type { Surface } from '../../surface/surface.js';
import { followTask } from '../../tasks/follow.js';
import { statusOf } from '../../tasks/status.js';
import type { Task, Tasks } from '../../tasks/tasks.js';
import { answerQuestions } from '../registry/answer-questions.js';
import { cancelled, fail, refused, requestsOf } from '../registry/invoke.js';
import { toInvokeResult } from '../registry/invoke-result.js';
import type { InvokeResult, Progress } from '../registry/registry.js';
import type { TestCall } from './test-client.js';
import type { TestTask, TestTaskOptions, TestTaskState } from './test-task.js';

export interface TestTaskCall {
  /** The wire name. */
  readonly tool: string;
  readonly args: object;
  readonly id: string | number;
  readonly options: TestTaskOptions;
  /** Of the client. */
  readonly closed: AbortSignal;
}

const anything = {
  elicit: () => ({ action: 'cancel' as const }),
  sample: () => '',
  roots: [],
};

export async function startTestTask(surface: Surface, call: TestTaskCall): Promise<TestTask> {
  const { tool, args, options, closed } = call;
  const { byHand = false, ttlMs, signal = closed } = options;
  const tasks = await surface.tasks?.();
  if (tasks === undefined) throw new Error(`${tool} does not run as a task: no tool of the server has "task"`);
  const progress: Progress[] = [];
  const told = {
    ...options,
    // A test that answers by hand can answer everything.
    ...(byHand && { ...anything, ...withoutUndefined(options) }),
    onProgress(step: Progress) {
      progress.push(step);
      options.onProgress?.(step);
    },
  };
  const open = requestsOf(surface, { tool, args, id: call.id, signal, options: told });
  const owner = open().principal;
  const start = (answers?: Parameters<typeof open>[0], state?: string): ReturnType<Tasks['start']> =>
    tasks.start({ tool, args, request: open(answers, state), ttlMs });
  const { task } = await askUntilDone<{ readonly task: Task }>(await start(), {
    ask: async asking => ({ answers: await answerQuestions(asking, options, { tool, signal }) }),
    again: start,
    tooMany(rounds) {
      throw new Error(`${tool} asked more than ${rounds} times`);
    },
  });
  const { id } = task;
  const ending = follow();
  // A test that never asks for the result need not hear of it.
  ending.catch(() => undefined);

  async function follow(): Promise<InvokeResult> {
    try {
      const over = await followTask(tasks as Tasks, id, {
        owner,
        signal: closed,
        ...(!byHand && {
          answer: questions => answerQuestions({ questions, state: '' }, options, { tool, signal }),
        }),
      });
      return over?.end === undefined
        ? fail('CLOSED', `The client was closed before ${tool} was over`, 503)
        : toResult(over.end);
    } catch (error) {
      await (tasks as Tasks).cancel(id, owner);
      return fail('QUESTION_FAILED', `No answer for ${tool}: ${messageOf(error)}`);
    }
  }

  function toResult(end: NonNullable<Task['end']>): InvokeResult {
    switch (end.kind) {
      case 'result':
        return toInvokeResult(end.result);
      case 'error':
        return refused(end.error);
      case 'cancelled':
        return cancelled({ tool });
      default:
        return end satisfies never;
    }
  }

  async function look(): Promise<Task> {
    const found = await (tasks as Tasks).get(id, owner);
    if (found === undefined) throw new Error(`the task of ${tool} is gone: its time to live is over`);
    return found;
  }

  return {
    id,
    async status() {
      return toState(await look());
    },
    async answer(answers) {
      await tasks.answer(id, owner, answers);
    },
    async cancel() {
      await tasks.cancel(id, owner);
    },
    async result() {
      return { ...(await ending), logs: [], progress } as TestCall;
    },
  };
}

function withoutUndefined(options: TestTaskOptions): TestTaskOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function toState(task: Task): TestTaskState {
  return { status: statusOf(task), note: task.note, questions: task.asking };
}
