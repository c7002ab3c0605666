// T1. In: a call that is to run as a task, or a task that somebody left. Out: its result, waited for here; or the task is left where it is,
// for another process or for a later call.
import type { Asking } from '../../runtime/call/ports.js';
import { taskPolicyOf } from '../../runtime/load/program.js';
import { askUntilDone } from '../../runtime/protocol/questions.js';
import { answerQuestions } from '../../runtime/server/registry/answer-questions.js';
import { requestsOf } from '../../runtime/server/registry/invoke.js';
import type { InvokeOptions } from '../../runtime/server/registry/registry.js';
import type { Surface } from '../../runtime/surface/surface.js';
import { followTask } from '../../runtime/tasks/follow.js';
import type { Task, Tasks } from '../../runtime/tasks/tasks.js';
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import type { Answer } from './call-target.js';
import type { ProgressLine } from './progress-line.js';
import { type Caller, callbacksOf, failedAnswer } from './send-call.js';

/** How waiting for a task ended. */
export type TaskEnding =
  | { readonly answer: Answer }
  /** It was not begun, or the person has cancelled it. */
  | { readonly cancelled: true; readonly why?: string | undefined }
  /** It goes on without us. */
  | { readonly left: string; readonly why?: string | undefined };

export interface TaskWaiting extends Caller {
  readonly tasks: Tasks;
  readonly line: ProgressLine;
  /** Whether its handler runs in this process. */
  runsHere(): boolean;
  /** Tasks are in files, so that another process can go on with them. */
  readonly isKept: boolean;
}

export interface NewTaskCall extends TaskWaiting {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Hears of the task as soon as it survives. */
  onStart(task: Task): void;
}

/** Starts a task and waits for it; questions that come before it are asked first. */
export async function startTask(surface: Surface, call: NewTaskCall): Promise<TaskEnding> {
  const { tasks, tool, args, signal, line } = call;
  const callbacks = callbacksOf(call);
  const options: InvokeOptions = {
    ...callbacks,
    onProgress: ({ done, total, message }) => line.progress(done, total, message),
  };
  const requests = requestsOf(surface, { tool, args, id: 1, signal, options });
  const start = (answers?: Parameters<typeof requests>[0], state?: string): ReturnType<Tasks['start']> =>
    tasks.start({ tool, args, request: requests(answers, state) });
  try {
    const started = await askUntilDone<{ readonly task: Task | undefined }>(await start(), {
      async ask(asking) {
        const answers = await answerQuestions(asking, callbacks, { tool, signal });
        return signal.aborted ? { end: { task: undefined } } : { answers };
      },
      again: start,
      tooMany(rounds) {
        throw new Error(`${tool} asked more than ${rounds} times`);
      },
    });
    if (started.task === undefined) return { cancelled: true };
    call.onStart(started.task);
    return await waitFor(surface, started.task, '', call, callbacks);
  } catch (error) {
    return signal.aborted ? { cancelled: true } : { answer: failedAnswer(error) };
  }
}

/** Waits for an existing task. */
export async function resumeTask(
  surface: Surface,
  task: Pick<Task, 'id' | 'tool'>,
  owner: string,
  waiting: TaskWaiting,
): Promise<TaskEnding> {
  try {
    return await waitFor(surface, task, owner, waiting, callbacksOf(waiting));
  } catch (error) {
    return { answer: failedAnswer(error) };
  }
}

type Callbacks = ReturnType<typeof callbacksOf>;

async function waitFor(
  surface: Surface,
  { id, tool }: Pick<Task, 'id' | 'tool'>,
  owner: string,
  { tasks, line, signal, isKept, runsHere }: TaskWaiting,
  callbacks: Callbacks,
): Promise<TaskEnding> {
  const unable = new AbortController();
  let last: Task | undefined;
  let why: string | undefined;
  const over = await followTask(tasks, id, {
    owner,
    signal: AbortSignal.any([signal, unable.signal]),
    onChange(task) {
      last = task;
      if (task.end === undefined && task.note !== undefined) line.note(task.note);
    },
    async answer(questions) {
      why = whyUnanswered(questions, callbacks);
      if (why !== undefined) {
        unable.abort();
        return {};
      }
      const show = line.hold();
      try {
        return await answerQuestions({ questions, state: '' }, callbacks, { tool, signal });
      } finally {
        show();
      }
    },
  });
  line.close();
  if (over?.end !== undefined) return { answer: answerOf(over.end) };
  if (why !== undefined) return { left: id, why };
  if (!signal.aborted) throw new Error('the task is gone: its time to live is over');
  const served = surface.tool(tool);
  const resumes = served === undefined || taskPolicyOf(served.tool)?.resumes !== false;
  const isAsking = Object.keys(last?.asking ?? {}).length > 0;
  if (isKept && (resumes || isAsking || !runsHere())) return { left: id };
  await tasks.cancel(id, owner);
  return { cancelled: true, why: isKept ? `${tool} cannot go on later (task.restart is not resume)` : undefined };
}

/** Undefined: there is somebody to answer them all. */
function whyUnanswered(questions: Asking['questions'], { elicit }: Callbacks): string | undefined {
  const kinds = new Set(Object.values(questions).map(({ kind }) => kind));
  if (kinds.has('sample')) return 'it asks for an answer of a model, which only the client that started it has';
  return kinds.has('elicit') && elicit === undefined
    ? 'it waits for answers, and there is no terminal to ask on'
    : undefined;
}

/** As a call would have answered. */
export function answerOf(end: NonNullable<Task['end']>): Answer {
  switch (end.kind) {
    case 'result':
      return { shown: end.result, raw: end.result };
    case 'error':
      return failedText(withHint(end.error));
    case 'cancelled':
      return failedText('the task was cancelled');
    default:
      return end satisfies never;
  }
}

function withHint({ message, data }: { readonly message: string; readonly data?: unknown }): string {
  const hint = typeof data === 'object' && data !== null && 'hint' in data ? data.hint : undefined;
  return typeof hint === 'string' ? `${message}\n  hint: ${hint}` : message;
}

function failedText(text: string): Answer {
  const failed: CallToolResult = { content: [{ type: 'text', text }], isError: true };
  return { shown: failed, raw: failed };
}
