// In: an opened server. Out: what it serves, once everything that runs at start has run (W60, W63).

import { loadProblemOf } from '../runtime/call/handler-problem.js';
import { messageOf } from '../runtime/call/print-cause.js';
import { printReport } from '../runtime/serve/print-report.js';
import type { OpenServer, Served } from './open-server.js';

/**
 * First the server's own, then its names are resolved, then that of each tool that is offered. Undefined where the server
 * cannot start, which has been said.
 */
export async function runInitialize({ server, hosts, startServer, resolve }: OpenServer): Promise<Served | undefined> {
  try {
    await startServer();
  } catch (error) {
    printReport(
      hosts.redact(`initialize of the server ${server.item} failed: ${loadProblemOf(error) ?? messageOf(error)}`),
    );
    await hosts.close();
    return undefined;
  }
  const served = resolve();
  if (served === undefined) await hosts.close();
  else await hosts.startTools(served.composed.tools.flatMap(({ name }) => served.surface.tool(name) ?? []));
  return served;
}
