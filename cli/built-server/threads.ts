// X10. Threads that run handlers of a built server, at both ends: what starts them, and what runs in them.
import type { Environment } from '../../runtime/call/context/config.js';
import type { HostOptions } from '../../runtime/call/handlers/open-host.js';
import type { ThreadOrder } from '../../runtime/call/threads/messages.js';
import { openWorkers, serveWorker, threadOrder, threadProgram } from '../../runtime/call/threads/workers.js';
import type { ServerParts } from '../../runtime/server/stored/parts.js';
import { noFiles } from '../../runtime/server/stored/stored-folder.js';
import { codeOf, openStoredHost } from '../../runtime/server/stored/stored-source.js';

interface BuiltThreadOrder extends ThreadOrder {
  /** Of the pack: 0 is the server's own, the others follow. */
  readonly index: number;
}

interface Around {
  readonly env: Environment;
  report(text: string): void;
}

export function builtThreads(
  { thread }: ServerParts,
  { env, report }: Around,
): ((index: number) => HostOptions['threads']) | undefined {
  if (thread === undefined) return undefined;
  return index =>
    async ({ pack: { at: _, ...pack } }, settings) => {
      const order: BuiltThreadOrder = { pack, env: { ...env }, index };
      return openWorkers({ file: () => thread(), order, settings, report });
    };
}

/** Runs in a thread; false: it is none of ours. */
export function serveBuiltThread(parts: ServerParts): boolean {
  const order = threadOrder() as BuiltThreadOrder | undefined;
  if (order === undefined) return false;
  if (parts.hasSourceMaps === true) process.setSourceMapsEnabled(true);
  serveWorker(order, async ({ pack, env, index }, tools, report) => {
    const compile = index === 0 ? (await parts.external?.tools())?.compileValidators : undefined;
    const program = threadProgram(pack, tools);
    return openStoredHost(program, codeOf(parts, index), noFiles, { env, report, compile, home: parts.folder }).host;
  });
  return true;
}
