// T2. What keeps tasks where nobody has said where: for servers in code, tests and mocks. They end with the process.
import type { TaskKeeper } from './open-server.js';

export const keepInMemory: TaskKeeper = {
  open: async surface => await (await import('../tasks/files/kept-tasks.js')).openInMemory(surface),
};
