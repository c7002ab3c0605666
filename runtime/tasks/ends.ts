// How tasks end that have no result, in words for those who wait for them.
import { protocolCodes } from '../call/protocol-error.js';
import type { TaskEnd } from './tasks.js';

function failed(message: string, hint: string): TaskEnd {
  return { kind: 'error', error: { code: protocolCodes.internalError, message, data: { hint } } };
}

export const lateEnd = failed(
  'The task was not over when its time to live ended',
  'Ask for a longer ttl, or for less at a time.',
);

export const stoppedEnd = failed(
  'The server stopped while the tool was running; it may have been done in part',
  'Look what was done before you call it again.',
);

export const goneEnd = failed('The server no longer has the tool of this task', 'Look at the list of tools.');

export const changedEnd = failed(
  'The tool was changed before the task was over; it may have been done in part',
  'Look what was done before you call it again.',
);

export function crashedEnd(times: number): TaskEnd {
  return failed(
    `The server ended ${times} times while the tool was running; it is not begun again`,
    'The tool may need more memory than there is, or end the process that it runs in.',
  );
}

export function tooLargeEnd(bytes: number, most: number): TaskEnd {
  return failed(`The result has ${bytes} bytes; at most ${most} are kept of a task`, 'Ask for less at a time.');
}
