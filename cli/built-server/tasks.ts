// The part of a built server that keeps tasks and answers requests about them: only builds with a tool that runs as a task have it.
export { openTaskPort } from '../../runtime/protocol/task-port.js';
export { areTasksWaiting, openTasksOf } from '../start/tasks-in-files.js';
