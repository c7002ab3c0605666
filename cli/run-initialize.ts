// In: an opened server and what it offers. Out: whether everything that runs at start has run (W60, W63).
import { messageOf } from '../runtime/call/print-cause.js';
import { HandlerProblem } from '../runtime/handlers/handler-problem.js';
import { printReport } from '../runtime/serve/print-report.js';
import type { Surface } from '../runtime/surface/surface.js';
import type { OpenServer } from './open-server.js';

/** First the server's own, then that of each tool that is offered. False where the server cannot start, which has been said. */
export async function runInitialize(open: OpenServer, surface: Surface): Promise<boolean> {
  const { startServer, startTools, server, host } = open;
  try {
    await startServer(server);
  } catch (error) {
    const reason = error instanceof HandlerProblem ? error.text : messageOf(error);
    printReport(host.settings.redact(`initialize of the server ${server.item} failed: ${reason}`));
    await host.close();
    return false;
  }
  const names = server.tools.flatMap(listed => (listed.from === 'own' ? [listed.name] : []));
  await startTools(names.flatMap(name => surface.tool(name)?.tool ?? []));
  return true;
}
