// T1. In: a task as it is now. Out: the same as clients of an era see it. One record for both: a result with isError is `failed` in 2025 and
// `completed` in 2026-07-28, where `failed` is for errors of JSON-RPC.
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import { protocolCodes } from '../call/protocol-error.js';
import type { Surface } from '../surface/surface.js';
import { statusOf, type TaskStatus } from '../tasks/status.js';
import type { Task } from '../tasks/tasks.js';
import { toAnswer } from './call-port.js';
import type { Era } from './handshake.js';
import { relatedTaskKey } from './inbound.js';
import type { WireError } from './ports.js';
import { toInputRequest } from './questions.js';

type Shape = Readonly<Record<string, unknown>>;

/** How a task ended, as a call would have answered. */
export type TaskOutcome = { readonly result: CallToolResult } | { readonly error: WireError };

const longestMessage = 1000;

/** What a call would have given; undefined: it is not over. A cancelled task has an error in place of a result. */
export function outcomeOf({ tool, end }: Task, surface: Pick<Surface, 'tool'>, era: Era): TaskOutcome | undefined {
  switch (end?.kind) {
    case undefined:
      return undefined;
    case 'result':
      return toAnswer(end.result, surface.tool(tool), era);
    case 'error':
      return { error: end.error };
    case 'cancelled':
      return { error: { code: protocolCodes.internalError, message: 'The task was cancelled' } };
    default:
      return end satisfies never;
  }
}

function statusIn(task: Task, outcome: TaskOutcome | undefined, era: Era): TaskStatus {
  const isShown = outcome === undefined || 'result' in outcome;
  // A result that no client can be given is an error, too.
  if (!isShown) return task.end?.kind === 'cancelled' ? 'cancelled' : 'failed';
  const status = statusOf(task);
  return era === 'modern' && status === 'failed' ? 'completed' : status;
}

/** `isHandle`: the first that a client sees, which says that it works, whatever has happened meanwhile. */
export function legacyTask(task: Task, surface: Pick<Surface, 'tool'>, isHandle = false): Shape {
  const outcome = isHandle ? undefined : outcomeOf(task, surface, 'legacy');
  const status = isHandle ? 'working' : statusIn(task, outcome, 'legacy');
  return { ...common(task, status, outcome), ttl: task.ttlMs, pollInterval: pollMs(task) };
}

export function modernHandle(task: Task): Shape {
  return { ...common(task, 'working', undefined), ttlMs: task.ttlMs, pollIntervalMs: pollMs(task) };
}

/** With all that `tasks/get` shows. */
export function modernTask(task: Task, surface: Pick<Surface, 'tool'>): Shape {
  const outcome = outcomeOf(task, surface, 'modern');
  const status = statusIn(task, outcome, 'modern');
  return {
    ...common(task, status, outcome),
    ttlMs: task.ttlMs,
    pollIntervalMs: pollMs(task),
    ...(status === 'input_required' && { inputRequests: inputRequestsOf(task) }),
    // Clients read it as the answer to a call, which says so itself.
    ...(status === 'completed' && outcome && 'result' in outcome && { result: completed(outcome.result) }),
    ...(status === 'failed' && outcome && 'error' in outcome && { error: outcome.error }),
  };
}

function completed(result: CallToolResult): Shape {
  return { ...result, resultType: 'complete' };
}

function inputRequestsOf({ asking }: Task): Shape {
  return Object.fromEntries(Object.entries(asking).map(([key, question]) => [key, toInputRequest(question)]));
}

/** 2025: what every message about a task has. */
export function relatedTask(taskId: string): Shape {
  return { [relatedTaskKey]: { taskId } };
}

function common({ id, createdAt, updatedAt, note }: Task, status: TaskStatus, outcome: TaskOutcome | undefined): Shape {
  const message = (outcome && messageOf(outcome)) ?? note;
  return {
    taskId: id,
    status,
    ...(message !== undefined && message !== '' && { statusMessage: message }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
  };
}

/** Clients of 2025 fetch no result of a task that failed: this is all that they learn. */
function messageOf(outcome: TaskOutcome): string | undefined {
  if ('error' in outcome) return outcome.error.message;
  if (outcome.result.isError !== true) return undefined;
  const texts = outcome.result.content.flatMap(item => (item.type === 'text' ? [item.text] : []));
  const text = texts.join('\n');
  return text.length > longestMessage ? `${text.slice(0, longestMessage - 1)}…` : text;
}

/** Most tasks that are short are over soon; who waits longer need not ask as often. */
function pollMs({ createdAt }: Task): number {
  const age = Date.now() - createdAt;
  if (age < 10_000) return 500;
  return age < 60_000 ? 1000 : 3000;
}
