// The one door to everything that does work without code. In: a pack and the settings of the operator. Out: what does the work of its items,
// and what handlers use of its backends. It is loaded with the first item that needs it.
import type { BackendItems } from '../../call/ports.js';
import type { Program } from '../../load/program.js';
import type { BackendScope } from '../ports.js';
import { makeWork } from './item-work.js';
import { OpenBackends } from './open-backends.js';

export function openItems(program: Program, scope: Omit<BackendScope, 'notify'>): BackendItems {
  const backends = new OpenBackends(program, scope);
  return {
    work: item => makeWork(item, program, backends),
    clients: () => backends.clients(),
    async exec(command, call) {
      const { runCommand } = await import('../exec/run-command.js');
      return await runCommand(command, call, backends.scope);
    },
    request: async (request, call) => (await backends.http({ url: request.url })).of(call).request(request),
    close: () => backends.close(),
  };
}
