// X10. The thread that runs handlers of a pack in a folder: an entry of the package, named by `pack-host.ts` only.
import type { ThreadOrder } from '../threads/messages.js';
import { serveWorker, threadOrder, threadProgram } from '../threads/workers.js';
import { openHosts } from './open-hosts.js';

export interface PackThreadOrder extends ThreadOrder {
  /** It is the server's own, and nobody else's to change. */
  readonly isOwn: boolean;
}

const order = threadOrder() as PackThreadOrder | undefined;
if (order !== undefined) {
  serveWorker(order, ({ pack, env, isOwn }, tools, report) => {
    const own = { program: threadProgram(pack, tools), errors: [] };
    return openHosts(isOwn ? own : undefined, { env, report }).of(own);
  });
}
