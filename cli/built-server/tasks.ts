// The part of a built server that keeps tasks and answers requests about them: only builds with a tool that runs as a task have it.
export { openTaskPort } from '../../runtime/protocol/task-port.js';
export { hasOpenTasks, openInFolder, openInMemory } from '../../runtime/tasks/files/kept-tasks.js';
