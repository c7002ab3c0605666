// In: a task and one run of it. Out: the Request that its handler sees. The one that made the task is long answered: what is left of it is
// used as long as its connection lives.
import type { Notify } from '../../schema/support/mcp/client.js';
import type { Request, TaskRun } from '../call/ports.js';
import type { TaskRecord } from './store.js';

export interface RunRequestInput {
  readonly record: Pick<TaskRecord, 'owner' | 'caller'>;
  readonly task: TaskRun;
  readonly signal: AbortSignal;
  /** Of this process. */
  readonly origin: Request | undefined;
  readonly notify: Notify;
}

export function makeRunRequest({ record, task, signal, origin, notify }: RunRequestInput): Request {
  const { client, auth, isRemote, headers, meta } = record.caller;
  return {
    ...{ client, isRemote, headers, meta, signal, task },
    id: origin?.id ?? `run-${task.attempt}`,
    // The token is not kept without a key.
    auth: origin?.auth ?? auth,
    principal: record.owner,
    sessionId: origin?.sessionId,
    roots: origin?.roots,
    answers: {},
    state: undefined,
    notify,
    // Nobody waits for logs any more.
    log: () => false,
    progress(done, total, message) {
      if (message !== undefined) task.note(message);
      origin?.progress(done, total, message);
    },
  };
}
